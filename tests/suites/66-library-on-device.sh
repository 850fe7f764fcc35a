#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The library through the kernel: C model on the debug kernel, and the verilated RTL.
# timeout: 2400
# kernel
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

program=$build/tests/unit/lib/lib_on_device
run=$build/bin/faa-run

check "library on a device: C model, debug kernel, log clean" \
	"$run" --engine=model --kernel=debug --insmod=vgem --check-log --timeout=300 "$program"
check "library on a device: RTL" "$run" --engine=rtl --insmod=vgem --check-log --timeout=300 "$program"
check "ATOM beside threads of the program: C model, debug kernel, log clean" \
	"$run" --engine=model --kernel=debug --check-log --timeout=200 "$build/tests/unit/lib/lib_atom_on_device"
check "ATOM beside threads of the program: RTL" \
	"$run" --engine=rtl --timeout=900 "$build/tests/unit/lib/lib_atom_on_device" --operations="${FAA_LONG:+3}20000"
shared=$build/tests/unit/lib/lib_share_on_device
check "shared virtual memory: C model, debug kernel, log clean" \
	"$run" --engine=model --kernel=debug --check-log --timeout=300 "$shared"
check "shared virtual memory: RTL" "$run" --engine=rtl --check-log --timeout=300 "$shared" 20000
for engine in model rtl; do
	check "shared virtual memory: the example, $engine" "$run" --engine=$engine --timeout=120 "$build/bin/svm"
done
devices=$build/tests/unit/lib/lib_devices_on_device
check "two devices: C model, debug kernel, log clean" \
	"$run" --engine=model --kernel=debug --devices=2 --check-log --timeout=300 "$devices" 2
check "eight devices: C model, log clean" \
	"$run" --engine=model --devices=8 --check-log --timeout=120 "$devices" 8
check "library on a device: the program of the documentation" \
	"$top/tests/unit/lib/consumer.sh" "$build" "$top" "$run" --engine=model --timeout=60
counts_bytes() { # engine: 1000 bytes in 32 bins: 32 in the first 8, 31 in each of the others
	local expected said

	expected=$(printf '32 %.0s' {1..8}; printf '31 %.0s' {9..32})
	said=$("$run" --engine="$1" --timeout=60 "$build/userspace/examples/bins") || return 1
	[ "$said" = "${expected% }" ] || { echo "it prints '$said'"; return 1; }
}
for engine in model rtl; do
	check "library on a device: the program of the programming model, $engine" counts_bytes $engine
done
counts_words() { # engine: the words of a text as the processor counts them
	diff <("$run" --engine="$1" --timeout=120 "$build/userspace/examples/words" <"$top/README.md" | sort -k2) \
		<(tr -s ' \t\n' '\n' <"$top/README.md" | sed '/^$/d; s/.\{63\}/&\n/' | sort | uniq -c | sort -k2)
}
for engine in model rtl; do
	check "library on a device: word count with compare-and-swap, $engine" counts_words $engine
done
for engine in model rtl; do
	check "CAS loops on a device: $engine" "$run" --engine=$engine --timeout=120 "$build/bin/cas_loop"
	check "CAS loops on a device: $engine, other values" \
		"$run" --engine=$engine --timeout=120 "$build/bin/cas_loop" --seed=77
done
check "faa-info on a device: JSON" \
	sh -c "'$run' --engine=model --timeout=60 '$build/bin/faa-info' --json | python3 -m json.tool"

for engine in model rtl; do
	check "a device that the program starts: $engine" \
		timeout 300 "$build/tests/unit/lib/lib_simulated" --engine=$engine
done

for engine in model rtl; do
	check "the dump of a stream that loops for ever: $engine" timeout 400 "$top/tests/e2e/dump.sh" "$build/bin" $engine
	check "faa-top on four processes: $engine" timeout 400 "$top/tests/e2e/top.sh" "$build/bin" $engine
done

features() { # engine feature...: has all but these, by name
	local engine=$1

	shift
	"$run" --engine="$engine" --timeout=60 "$build/bin/faa-info" --json | /usr/bin/python3 -c '
import json, sys
names = set(json.load(sys.stdin)["features"])
all_names = {"ATOMS_SEED", "ATOMS_INT64", "ATOMS_F32", "ATOMS_F64", "ATOMS_X2", "ATOMS_RELAXED", "ALU", "GLOBAL_ATOMICS",
             "SYS_ATOMICS", "SURFACE_ATOMICS"}
missing = all_names - names
unnamed = {name for name in names if name.startswith("bit ")}
sys.exit(f"missing: {missing}, without a name: {unnamed}" if missing != set(sys.argv[1:]) or unnamed else 0)' "$@"
}
check "faa-info on a device: features by name, model" features model
check "faa-info on a device: features by name, rtl" features rtl ATOMS_RELAXED
check "faa-info on a device: features by name, device full" env FAA_VDEV="$build/sim/vdev/faa-vdev-full" \
	"$run" --engine=rtl --timeout=60 sh -c '"$0" | grep -q "^features .* ATOMS_RELAXED "' "$build/bin/faa-info"
finish
