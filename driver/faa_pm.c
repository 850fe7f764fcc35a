// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Sleep, and resets from outside
 *
 * The PM core puts the device to sleep, user space resets it (sysfs reset), and the PCI core resets
 * it after an error of the link. The driver pauses the device for all of these
 * (faa_recover_pause()): contexts are in the save areas, rings and page tables in host memory, and
 * jobs that have not begun wait. Afterwards it sets the registers up again.
 *
 * Before the machine sleeps running jobs may end first. A job that waits for a process that is
 * frozen by then is overdue like any other.
 *
 * With power/control "auto" the device also sleeps while the machine is awake and no job is ready
 * to run. Jobs hold a reference from when they are ready until the scheduler frees them; all other
 * users of registers wake the device up in faa_recover_enter() and wait there. So no thread of the
 * fence signalling path resumes the device itself: a worker of the PM core does.
 *
 * The PM core keeps the two kinds of sleep, and resets in sysfs, apart from each other; the lock of
 * the device (device_lock()) all but runtime PM from each other, the probe and the removal.
 */

#include <linux/pci.h>
#include <linux/pm.h>
#include <linux/pm_runtime.h>

#include <drm/drm_print.h>

#include "faa_device.h"
#include "faa_pci.h"
#include "faa_pm.h"

#define FAA_PM_AUTOSUSPEND_MS	1000

static int faa_pm_suspend(struct device *dev)
{
	struct faa_device *faa = dev_get_drvdata(dev);

	faa_recover_drain(faa);
	faa_recover_pause(faa);

	return 0;
}

/* End a pause after which the PCI core has restored the configuration space. */
static void faa_pm_end_pause(struct faa_device *faa, const char *what)
{
	faa_recover_resume(faa, what);
	faa_pci_save(faa);
}

static int faa_pm_resume(struct device *dev)
{
	faa_pm_end_pause(dev_get_drvdata(dev), "sleep");

	return 0;
}

static int faa_pm_runtime_suspend(struct device *dev)
{
	faa_recover_pause(dev_get_drvdata(dev));

	return 0;
}

static int faa_pm_runtime_resume(struct device *dev)
{
	faa_pm_resume(dev);
	/* Those that woke it up have this time to begin what they need it for. */
	pm_runtime_mark_last_busy(dev);

	return 0;
}

/* A hibernated image is restored by a kernel whose driver has used the device: as after sleep. */
const struct dev_pm_ops faa_pm_ops = {
	SYSTEM_SLEEP_PM_OPS(faa_pm_suspend, faa_pm_resume)
	RUNTIME_PM_OPS(faa_pm_runtime_suspend, faa_pm_runtime_resume, NULL)
};

/**
 * faa_pm_begin() - allow the device to sleep without jobs, as far as user space does
 * @faa: the device, registered; the PCI core has a reference for the driver
 */
void faa_pm_begin(struct faa_device *faa)
{
	struct device *dev = faa->drm.dev;

	pm_runtime_set_autosuspend_delay(dev, FAA_PM_AUTOSUSPEND_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
}

/**
 * faa_pm_end() - keep the device awake
 * @faa: the device, which the driver core has woken up; after faa_pm_begin()
 */
void faa_pm_end(struct faa_device *faa)
{
	pm_runtime_get_noresume(faa->drm.dev);
	pm_runtime_dont_use_autosuspend(faa->drm.dev);
}

/**
 * faa_pm_get() - a job is ready: have the device woken up, and keep it awake
 * @faa: the device
 *
 * Does not wait: the job gets a hardware queue when the device is awake. In the fence signalling
 * path.
 */
void faa_pm_get(struct faa_device *faa)
{
	pm_runtime_get(faa->drm.dev);
}

/**
 * faa_pm_put() - a job has ended
 * @faa: the device
 */
void faa_pm_put(struct faa_device *faa)
{
	pm_runtime_mark_last_busy(faa->drm.dev);
	pm_runtime_put_autosuspend(faa->drm.dev);
}

/**
 * faa_pm_wake() - have the device woken up if it sleeps, or is about to
 * @faa: the device
 *
 * Does not wait. In the fence signalling path.
 */
void faa_pm_wake(struct faa_device *faa)
{
	pm_request_resume(faa->drm.dev);
}

/**
 * faa_pm_is_asleep() - does the device sleep because it had no jobs?
 * @faa: the device
 *
 * Return: true if it sleeps, or is about to fall asleep or to wake up.
 */
bool faa_pm_is_asleep(struct faa_device *faa)
{
	return !pm_runtime_active(faa->drm.dev);
}

static void faa_pm_reset_prepare(struct pci_dev *pdev)
{
	faa_recover_pause(pci_get_drvdata(pdev));
}

static void faa_pm_reset_done(struct pci_dev *pdev)
{
	faa_pm_end_pause(pci_get_drvdata(pdev), "reset of the function");
}

/* Accesses were lost, even where the link works: the device must begin anew. */
static pci_ers_result_t faa_pm_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct faa_device *faa = pci_get_drvdata(pdev);

	if (state == pci_channel_io_perm_failure) {
		faa_recover_give_up(faa, "failure of the link");
		return PCI_ERS_RESULT_DISCONNECT;
	}
	faa_recover_pause(faa);

	return PCI_ERS_RESULT_NEED_RESET;
}

static pci_ers_result_t faa_pm_slot_reset(struct pci_dev *pdev)
{
	struct faa_device *faa = pci_get_drvdata(pdev);

	faa_pci_restore(faa);
	if (!faa_pci_is_present(faa)) {
		faa_recover_give_up(faa, "failure of the link");
		return PCI_ERS_RESULT_DISCONNECT;
	}

	return PCI_ERS_RESULT_RECOVERED;
}

static void faa_pm_error_resume(struct pci_dev *pdev)
{
	faa_recover_resume(pci_get_drvdata(pdev), "error of the link");
}

const struct pci_error_handlers faa_pm_error_handlers = {
	.error_detected = faa_pm_error_detected,
	.slot_reset = faa_pm_slot_reset,
	.resume = faa_pm_error_resume,
	.reset_prepare = faa_pm_reset_prepare,
	.reset_done = faa_pm_reset_done,
};
