#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The library through the kernel: C model on the debug kernel, and the verilated RTL.
# timeout: 900
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

program=$build/tests/unit/lib/lib_on_device
run=$build/bin/faa-run

check "library on a device: C model, debug kernel, log clean" \
	"$run" --engine=model --kernel=debug --insmod=vgem --check-log --timeout=300 "$program"
check "library on a device: RTL" "$run" --engine=rtl --insmod=vgem --check-log --timeout=300 "$program"
check "library on a device: the program of the documentation" \
	"$top/tests/unit/lib/consumer.sh" "$build" "$top" "$run" --engine=model --timeout=60
for engine in model rtl; do
	check "CAS loops on a device: $engine" "$run" --engine=$engine --timeout=120 "$build/bin/cas_loop"
	check "CAS loops on a device: $engine, other values" \
		"$run" --engine=$engine --timeout=120 "$build/bin/cas_loop" --seed=77
done
check "faa-info on a device: JSON" \
	sh -c "'$run' --engine=model --timeout=60 '$build/bin/faa-info' --json | python3 -m json.tool"
finish
