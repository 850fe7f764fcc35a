#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 600
# kernel
#
# A device, a driver and a kernel of the user: the tutorial's device, in which its test finds
# defects of the RTL; `make tutorial` in a tree in which nothing else is built; --device, --module
# and --kernel-tree of faa-run alone and together, with a debugger, and their messages for wrong
# input. With FAA_LONG a kernel is built from Debian's source as it is.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
# shellcheck source=tests/unit/says.sh
. "$top/tests/unit/says.sh"
# shellcheck source=tests/programs.sh
. "$top/tests/programs.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export FAA_BUILD=$build
faa_run=$build/bin/faa-run
tutorial=$top/sim/tutorial
sum=$tmp/out/sum-device

tutorial_runs() {
	make --no-print-directory -C "$tutorial" OUT="$tmp/out" | tail -n 1 | grep -x "all sums are right"
}

make_tutorial() {
	mkdir "$tmp/tree"
	(cd "$top" && git ls-files -z | tar --null -cT -) | tar -x -C "$tmp/tree"
	make --no-print-directory -C "$tmp/tree" tutorial | tail -n 1 | grep -x "all sums are right"
}

tutorial_has_waves() {
	make --no-print-directory -C "$tutorial" OUT="$tmp/out" WAVES="$tmp/sum.fst" | tail -n 1 | grep -x "all sums are right" || return 1
	[ "$(od -An -tx1 -N9 "$tmp/sum.fst" | tr -d ' ')" = 000000000000000149 ] && [ "$(stat -c %s "$tmp/sum.fst")" -gt 10000 ]
}

checkpatch() {
	perl "$("$top/sim/uml/build-kernel.sh" --source-dir)/scripts/checkpatch.pl" --strict --no-tree --no-summary \
		--show-types -f "$tutorial/driver/sum.c"
}

# defect_is_found NAME EXPRESSION: a change of the RTL by sed, which the test has to find.
defect_is_found() {
	local said

	mkdir -p "$tmp/$1"
	cp "$tutorial"/*.* "$tutorial/Makefile" "$tmp/$1/"
	sed -i "$2" "$tmp/$1/sum.sv"
	! cmp -s "$tmp/$1/sum.sv" "$tutorial/sum.sv" || { echo "nothing has changed"; return 1; }
	make -C "$tmp/$1" out/sum-device >/dev/null || return 1
	! said=$("$faa_run" --device="$tmp/$1/out/sum-device" --module="$tutorial/driver" --timeout=60 "$tmp/out/sum-test") ||
		return 1
	echo "$said" | grep "words: " && [ "$(tail -n 1 <<<"$said")" = FAILED ]
}

device_alone() {
	expect 0x1234 "$faa_run" --device="$sum" --timeout=60 cat /sys/bus/pci/devices/0000:00:00.0/vendor
	expect "2" "$faa_run" --device="$sum" --devices=2 --timeout=60 sh -c 'ls /sys/bus/pci/devices | wc -l'
	expect "" "$faa_run" --device="$sum" --timeout=60 sh -c '! grep -qw faa /proc/modules'
}

module_alone() {
	expect "sum " "$faa_run" --engine=model --module="$tutorial/driver" --timeout=60 cat /proc/modules
}

# A module that is built already.
module_file() {
	local file

	file=$(find "${FAA_CACHE:-$HOME/.cache/faa}"/module/driver-*/ -name sum.ko | head -n 1)
	cp "$file" "$tmp/sum.ko"
	expect "/dev/sum" "$faa_run" --device="$sum" --module="$tmp/sum.ko" --timeout=60 ls /dev/sum
}

kernel_alone() {
	local kernel

	kernel=$(readlink -f "$build/kernel-plain")
	expect "6.12" "$faa_run" --engine=model --kernel-tree="$kernel" --timeout=60 uname -r
	expect "all sums" "$faa_run" --kernel-tree="$kernel/linux" --device="$sum" --module="$tutorial/driver" \
		--timeout=60 "$tmp/out/sum-test"
}

# A driver in a repository, with a header above it and the products of a build for another kernel.
module_with_neighbours() {
	mkdir -p "$tmp/repository/kernel/driver" "$tmp/repository/include"
	git init -q "$tmp/repository"
	cp "$tutorial"/driver/* "$tmp/repository/kernel/driver/"
	echo '#define NEIGHBOUR 1' >"$tmp/repository/include/neighbour.h"
	# shellcheck disable=SC2016 # Kbuild reads it
	echo 'ccflags-y := -I$(src)/../../include' >>"$tmp/repository/kernel/driver/Kbuild"
	sed -i '1a #include "neighbour.h"' "$tmp/repository/kernel/driver/sum.c"
	touch "$tmp/repository/kernel/driver/sum.ko" "$tmp/repository/kernel/driver/sum.o"
	expect "all sums" "$faa_run" --device="$sum" --module="$tmp/repository/kernel/driver" --timeout=60 "$tmp/out/sum-test"
	[ ! -s "$tmp/repository/kernel/driver/sum.ko" ] && [ ! -e "$tmp/repository/kernel/driver/modules.order" ]
}

# The module's function, and the program, in one debugger; and a module without symbols.
debugger() {
	local out text

	command -v gdb >/dev/null || { echo "there is no gdb"; return 4; }
	printf '%s\n' 'set width 0' 'tbreak main' 'break sum_execute' run continue 'backtrace 2' delete continue quit >"$tmp/commands"
	out=$(timeout -s KILL 120 "$faa_run" --device="$sum" --module="$tutorial/driver" --timeout=60 --gdb="$tmp/commands" \
		"$tmp/out/sum-test" </dev/null 2>&1) || fail "gdb: $out"
	for text in "symbols of module sum at 0x" '"sum-test" of the guest hit Temporary breakpoint 3' "Breakpoint 4, sum_execute (" \
		"in main ()" "sum_write (file=" "all sums are right" "exited normally"; do
		[[ $out == *"$text"* ]] || fail "gdb does not print '$text' but: $out"
	done
	printf '%s\n' run quit >"$tmp/commands"
	out=$(cd "$tmp" && timeout -s KILL 120 "$faa_run" --device="$sum" --module="$tmp/sum.ko" --timeout=60 --gdb=commands \
		"$tmp/out/sum-test" </dev/null 2>&1) || fail "gdb: $out"
	[[ $out == *"no symbols of the module: $tmp/sum.ko has no debugging information"*"all sums are right"* ]] ||
		fail "gdb with a module without symbols: $out"
}

bad_devices() {
	refuse "no directory of PATH has a program 'sum-device'" "$faa_run" --device=sum-device true
	refuse "cannot run /nonexistent/device: No such file" "$faa_run" --device=/nonexistent/device true
	refuse "true ended before it offered a device" "$faa_run" --device=true true
	refuse "exclude each other" "$faa_run" --device="$sum" --no-device true
	refuse "--device excludes --seed" "$faa_run" --device="$sum" --seed=1 true
	refuse "needs --socket=PATH" "$sum"
}

# pull_out OPTIONS... PROGRAM...: faa-run, process pid, whose device is killed once the program has
# said "up". Its output is in $tmp/said.
pull_out() {
	: >"$tmp/said"
	"$faa_run" --device="$sum" --pids="$tmp/pids" "$@" >"$tmp/said" 2>&1 &
	pid=$!
	until_said "$tmp/said" 1 up
	kill -KILL "$(sed -n 's/^vdev //p' "$tmp/pids")"
}

device_ends() {
	local pid

	pull_out --timeout=60 sh -c 'echo up; sleep 60'
	sleep 1
	kill "$pid"
	wait "$pid"
	grep -F "sum-device ended (signal 9); for the kernel the card has been pulled out" "$tmp/said" || fail "$(cat "$tmp/said")"
}

# The file of a device that is pulled out stays open: its driver refuses the next call.
pulled_out_while_open() {
	local pid status=0

	cat >"$tmp/open.sh" <<'END'
exec 3<>/dev/sum
echo up
while [ -e /dev/sum ]; do sleep 0.1; done
head -c 4 <&3
printf 1234 >&3
END
	pull_out --module="$tutorial/driver" --kernel=debug --check-log=noleaks --timeout=120 bash "$tmp/open.sh"
	wait "$pid" || status=$?
	[ "$status" = 1 ] && [ "$(grep -c "No such device" "$tmp/said")" = 2 ] || fail "status $status: $(cat "$tmp/said")"
}

bad_modules() {
	mkdir -p "$tmp/empty" "$tmp/wrong"
	echo 'obj-m := wrong.o' >"$tmp/wrong/Kbuild"
	echo 'int wrong(' >"$tmp/wrong/wrong.c"
	refuse "/nonexistent: No such file" "$faa_run" --module=/nonexistent true
	refuse "$tmp/empty has neither a Kbuild file nor a Makefile" "$faa_run" --module="$tmp/empty" true
	refuse "wrong.c:1" "$faa_run" --module="$tmp/wrong" true
	: >"$tmp/wrong/Kbuild"
	refuse "built no module" "$faa_run" --module="$tmp/wrong" true
}

bad_kernels() {
	mkdir -p "$tmp/tree/arch/um" "$tmp/built"
	touch "$tmp/tree/Kconfig" "$tmp/tree/.config" "$tmp/file"
	cp "$build/kernel-plain/linux" "$tmp/built/"
	refuse "/nonexistent/linux does not exist" "$faa_run" --kernel-tree=/nonexistent/linux true
	refuse "/nonexistent is neither a directory nor a kernel" "$faa_run" --kernel-tree=/nonexistent true
	refuse "$tmp/empty has neither the source of Linux" "$faa_run" --kernel-tree="$tmp/empty" true
	refuse "mrproper" "$faa_run" --kernel-tree="$tmp/tree" true
	refuse "not an executable named linux" "$faa_run" --kernel-tree="$tmp/file" true
	refuse "--kernel-config needs --kernel-tree" "$faa_run" --kernel-config=x true
	refuse "not what Kbuild needs" "$faa_run" --kernel-tree="$tmp/built" --module="$tutorial/driver" true
}

# The source as Debian has it, without the corrections of faa.
unpack_source() {
	mkdir "$tmp/linux"
	tar -xJf "${FAA_LINUX_SOURCE:-/usr/src/linux-source-6.12.tar.xz}" -C "$tmp/linux" --strip-components=1
}

builds_a_tree() {
	echo CONFIG_DRM_TTM=m >"$tmp/config"
	refuse "CONFIG_DRM_TTM=m does not come out" "$faa_run" --kernel-tree="$tmp/linux" --kernel-config="$tmp/config" true
	echo CONFIG_DRM_VKMS=m >"$tmp/config"
	expect "all sums" "$faa_run" --kernel-tree="$tmp/linux" --kernel-config="$tmp/config" --insmod=vkms \
		--device="$sum" --module="$tutorial/driver" --timeout=60 "$tmp/out/sum-test"
	[ ! -e "$tmp/linux/.config" ]
}

check "the tutorial's device" tutorial_runs
check "make tutorial, with nothing else built" make_tutorial
check "the tutorial's device leaves a waveform" tutorial_has_waves
check "its driver: checkpatch --strict" checkpatch
check "a defect of its adder is found" defect_is_found adder 's/sum_q + mem_rdata_i/sum_q | mem_rdata_i/'
check "a defect of its addresses is found" defect_is_found address "s/dst_q + 64'd4/dst_q + 64'd8/"
check "--device alone" device_alone
check "--module alone" module_alone
check "--module with a file" module_file
check "--kernel-tree alone, and with the others" kernel_alone
check "--module in a repository" module_with_neighbours
check_or_skip "--gdb with --device and --module" debugger
check "errors of --device" bad_devices
check "a device that ends" device_ends
check "a device that is pulled out while its file is open" pulled_out_while_open
check "errors of --module" bad_modules
check "errors of --kernel-tree" bad_kernels
if [ -n "${FAA_LONG:-}" ]; then
	check "Debian's kernel source" unpack_source
	check "--kernel-tree with it, and --kernel-config" builds_a_tree
fi
rm -rf "${FAA_CACHE:-$HOME/.cache/faa}"/tree/linux-plain-"$(echo "$tmp/linux $tmp/config" | sha256sum | cut -c1-16)"
finish
