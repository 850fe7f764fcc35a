// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Status records
 *
 * Every job has a slot in the status ring of its queue. The device writes it before
 * it writes the sequence number. Where the device did not end the job the driver writes
 * it, before it signals the fence. At most as many jobs as there are slots are
 * unfinished, so a slot is never written for two jobs at a time.
 */

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/log2.h>

#include <asm/barrier.h>

#include <drm/faa_drm.h>

#include <kunit/visibility.h>

#include "faa_status.h"

#define SAME_FIELD(field) \
	static_assert(offsetof(struct faa_status, field) == \
		      offsetof(struct drm_faa_status, field) && \
		      sizeof_field(struct faa_status, field) == \
		      sizeof_field(struct drm_faa_status, field))

SAME_FIELD(seqno);
SAME_FIELD(code);
SAME_FIELD(command);
SAME_FIELD(element);
SAME_FIELD(lane);
SAME_FIELD(address);
SAME_FIELD(elements_retired);
SAME_FIELD(start_cycle);
SAME_FIELD(end_cycle);
SAME_FIELD(warps);
SAME_FIELD(passes);
static_assert(sizeof(struct faa_status) == sizeof(struct drm_faa_status));
static_assert(sizeof(struct faa_status) == FAA_STATUS_BYTES);
static_assert(sizeof(struct faa_job_desc) == FAA_JOB_DESC_BYTES);

/**
 * faa_status_errno() - error of a job's fence
 * @code: enum faa_error
 *
 * Return: 0 or what the interface says of the code; -EIO for an unknown one.
 */
int faa_status_errno(u32 code)
{
	switch (code) {
	case FAA_ERROR_SUCCESS:
		return 0;
	case FAA_ERROR_ILLEGAL_COMMAND:
	case FAA_ERROR_BAD_LENGTH:
	case FAA_ERROR_TRUNCATED:
	case FAA_ERROR_RESERVED_BITS:
	case FAA_ERROR_ILLEGAL_OPERATION:
	case FAA_ERROR_ILLEGAL_OPERAND:
	case FAA_ERROR_BAD_COUNT:
	case FAA_ERROR_BAD_OFFSET:
	case FAA_ERROR_BAD_JUMP:
	case FAA_ERROR_MISALIGNED:
	case FAA_ERROR_OUT_OF_WINDOW:
	case FAA_ERROR_OUT_OF_RANGE:
	case FAA_ERROR_NON_CANONICAL:
	case FAA_ERROR_BAD_DESCRIPTOR:
	case FAA_ERROR_TRAP:
	case FAA_ERROR_BAD_HEADER:
	case FAA_ERROR_BANK_RANGE:
		return -EINVAL;
	case FAA_ERROR_NOT_MAPPED:
	case FAA_ERROR_NOT_WRITABLE:
	case FAA_ERROR_NOT_ATOMIC:
	case FAA_ERROR_BAD_PAGE_TABLE:
	case FAA_ERROR_BUS_ERROR:
		return -EFAULT;
	case FAA_ERROR_KILLED:
	case FAA_ERROR_CU_RESET:
	case FAA_ERROR_STOPPED:
	case FAA_ERROR_CANCELLED:
		return -ECANCELED;
	case FAA_ERROR_TIMEOUT:
		return -ETIMEDOUT;
	case FAA_ERROR_DEVICE_LOST:
		return -ENODEV;
	default:
		return -EIO;
	}
}
EXPORT_SYMBOL_IF_KUNIT(faa_status_errno);

/**
 * faa_status_is_page_fault() - does a code say that a translation failed?
 * @code: enum faa_error
 *
 * Return: true for a page fault.
 */
bool faa_status_is_page_fault(u32 code)
{
	return code == FAA_ERROR_NOT_MAPPED || code == FAA_ERROR_NOT_WRITABLE ||
	       code == FAA_ERROR_NOT_ATOMIC || code == FAA_ERROR_BAD_PAGE_TABLE;
}
EXPORT_SYMBOL_IF_KUNIT(faa_status_is_page_fault);

/**
 * faa_status_write() - write the record of a job that the device did not end
 * @slot: where
 * @seqno: the job
 * @code: enum faa_error
 */
void faa_status_write(struct faa_status *slot, u64 seqno, u32 code)
{
	*slot = (struct faa_status){ .code = cpu_to_le32(code) };
	/* A reader that sees the number sees the rest. */
	smp_wmb();
	WRITE_ONCE(slot->seqno, cpu_to_le64(seqno));
}
EXPORT_SYMBOL_IF_KUNIT(faa_status_write);

/**
 * faa_status_room() - are there slots for more jobs?
 * @submitted: sequence number of the last job submitted
 * @ended: sequence number of the last job that ended
 * @count: jobs to submit
 * @entries: slots of the status ring
 *
 * Return: true if there would be no more unfinished jobs than slots.
 */
bool faa_status_room(u64 submitted, u64 ended, u32 count, u32 entries)
{
	return submitted - ended + count <= entries;
}
EXPORT_SYMBOL_IF_KUNIT(faa_status_room);

/**
 * faa_status_entries() - choose the size of a status ring
 * @wanted: what the program asks for, 0 = default
 * @entries: out: slots
 *
 * Return: 0 or -EINVAL.
 */
int faa_status_entries(u32 wanted, u32 *entries)
{
	u32 count = wanted ?: 256;

	if (!is_power_of_2(count) || count < DRM_FAA_MIN_STATUS_ENTRIES ||
	    count > DRM_FAA_MAX_STATUS_ENTRIES)
		return -EINVAL;

	*entries = count;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(faa_status_entries);
