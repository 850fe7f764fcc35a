#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# kernel
#
# libvpci and the virtual device: protocol, configuration space, DMA and interrupts against a front
# end of the test's own; the AXI memory; the harness of the verilated device; the program; how
# models are compiled; the PCI bus that a Linux guest finds; waveforms and traces of faa-run, and
# its kernel in a debugger.
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

check "libvpci: functions of several kinds" "$build/tests/unit/vpci/test_vpci"
check "libvpci: a program" "$build/tests/unit/vpci/test_vpci_main"
unit=$build/tests/unit/vdev
check "vdev: front end in the same process" "$unit/test_vdev"
check "vdev: faults" "$unit/test_faults"
check "vdev: a guest of QEMU" "$unit/test_qemu"
check "vdev: digest of events" "$unit/test_events"
check "vdev: AXI4 memory" "$unit/test_axi_mem"
check "vdev: harness of the verilated device" "$unit/test_engine_rtl"
check "vdev: harness with waveforms" "$unit/test_engine_rtl_trace"
check "vdev: the program" /usr/bin/python3 "$top/tests/unit/vdev/test_program.py" "$build/bin/faa-vdev"
check "vdev: key of a verilated model" "$top/tests/unit/vdev/content_key.py"
check_or_skip "vdev: precompiled headers of a model and ccache, in two directories" \
	"$top/tests/unit/vdev/precompiled.sh"
for engine in model rtl; do
	check "vdev: PCI function that a guest sees, engine $engine" \
		"$build/bin/faa-run" --engine=$engine --no-driver --timeout=120 \
		"$top/tests/unit/vdev/guest_pci.py"
done
check "vdev: waveforms of faa-run" "$top/tests/unit/run/waves.sh" "$build"
check "vdev: traces of faa-run" "$top/tests/unit/run/trace.sh" "$build"
check_or_skip "vdev: the kernel of faa-run in a debugger" "$top/tests/unit/run/gdb.sh" "$build"
# Interrupts of completed writes come while others are put in the queue of the virtual PCI bus.
check "vdev: posted writes in a row" "$build/bin/faa-run" --engine=model --no-driver --check-log --timeout=300 \
	--insmod="$build/kmod-plain/tests/modules/faa_posted_writes.ko count=5000000" true
finish
