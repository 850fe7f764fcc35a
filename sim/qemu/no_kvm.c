// SPDX-License-Identifier: Apache-2.0
/*
 * faa-run --cpus preloads this library into QEMU from 8.2 on. There x-pci-proxy-dev passes the
 * interrupt pin of its device to KVM, kvm_irqchip_add_irqfd_notifier_gsi(kvm_state, ...), without
 * asking whether KVM is in use; earlier versions ask. Under emulation kvm_state is NULL, and QEMU
 * crashes when it reads the file descriptor of the virtual machine there.
 *
 * QEMU exports its variables for its modules, so a library can set kvm_state: to bytes of 0xff, in
 * which each file descriptor is -1, wherever a version has it. The ioctl fails with EBADF, which
 * x-pci-proxy-dev ignores, as it ignores that there is no KVM before 8.2. It does not need the pin:
 * interrupts are messages. The rest of QEMU reads kvm_state only where kvm_enabled(), a variable of
 * its own, is true; kvm_dirty_ring_enabled() is the exception, of which migration asks.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longer than struct KVMState of any version. */
static unsigned char no_kvm[16384];

__attribute__((constructor)) static void no_kvm_set(void)
{
	void **state = dlsym(RTLD_DEFAULT, "kvm_state");

	if (!state) {
		dprintf(2,
			"faa-run: --cpus: %s exports no variable kvm_state, without which "
			"x-pci-proxy-dev of QEMU from 8.2 on crashes under emulation\n",
			program_invocation_name);
		_exit(EXIT_FAILURE);
	}
	memset(no_kvm, 0xff, sizeof(no_kvm));
	*state = no_kvm;
}
