# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For suites with faa-run --cpus.

# Options for races in DRM itself, which occur now and then. drm_dev_enter() reads the flag of
# drm_dev_unplug() without a lock, and both accesses are plain; SRCU orders what follows
# (drivers/gpu/drm/drm_drv.c). spsc_queue_peek() of the scheduler reads the head of a queue without
# READ_ONCE() (include/drm/spsc_queue.h). Its callers compare the head with NULL, or read what it
# points at, which depends on that read. And one in page_to_pfn(), which without SPARSEMEM_VMEMMAP
# reads constant bits of page->flags, of which other bits change.
#
# The scripts that read this file use it, which shellcheck does not see.
# shellcheck disable=SC2034
smp_races=(--expect-log='0-1000:KCSAN: data-race in drm_dev_enter / drm_dev_(register|unplug)'
	--expect-log='0-1000:KCSAN: data-race in drm_sched_entity_is_ready / drm_sched_entity_push_job'
	--expect-log='0-1000:KCSAN: data-race in drm_sched_entity_pop_job / drm_sched_entity_push_job'
	--expect-log='0-1000:KCSAN: data-race in dma_bucket')

# Prints the missing part of the machine, and how to get it; nothing if all of it is there. Compiles
# the parts of the driver that have changed, but never a kernel.
smp_missing() {
	local here build dir

	here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
	build=${FAA_BUILD:-$here/build}
	if ! command -v qemu-system-x86_64 >/dev/null; then
		echo "no QEMU: 'make module-smp' installs it"
		return
	fi
	dir=$("$here/sim/qemu/build-kernel.sh" --print-dir 2>/dev/null)
	if [ ! -e "$dir/linux" ] || [ "$(readlink "$build/kernel-smp")" != "$dir" ]; then
		echo "no kernel of several CPUs: 'make module-smp' builds it"
	elif ! "$here/sim/uml/build-module.sh" smp >/dev/null 2>&1; then
		echo "the driver does not compile for several CPUs: 'make module-smp' shows why"
	fi
}
