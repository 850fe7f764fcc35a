#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 400
# kernel
#
# faa-run --cpus: the options that it refuses, versions of QEMU, and, if the machine is there (make
# module-smp), output and exit status, a data race that has to be found, and jobs with two CPUs on
# model and RTL; with FAA_LONG the programs of tests/kselftest/smp-programs.sh.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
. "$top/tests/programs.sh"
faa_run=$build/bin/faa-run
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export TMPDIR=$tmp

smp() { # OPTIONS... PROGRAM...
	"$faa_run" --cpus=2 --timeout=120 "$@"
}

# With a clean log
smp_checked() { # OPTIONS... PROGRAM...
	smp --check-log "$@"
}

# Status $1 and a message with $2
refused() { # STATUS MESSAGE OPTIONS...
	local want=$1 message=$2 status=0

	shift 2
	"$faa_run" "$@" true >"$tmp/out" 2>&1 || status=$?
	cat "$tmp/out"
	[ "$status" -eq "$want" ] && grep -qF -- "$message" "$tmp/out"
}

each_option_is_refused() {
	refused 2 "--cpus takes a number of CPUs from 1 to 8, not '9'" --cpus=9 &&
		refused 2 "--cpus takes a number of CPUs from 1 to 8, not '0'" --cpus=0 &&
		refused 2 "--cpus and --seed" --cpus=2 --seed=1 &&
		refused 2 "--cpus and --guests" --cpus=2 --guests=2 &&
		refused 2 "--cpus and --trace" --cpus=2 --trace="$tmp/trace" &&
		refused 2 "--cpus and --gdb" --cpus=2 --gdb &&
		refused 2 "--cpus has a kernel of its own" --kernel=debug --cpus=2 &&
		refused 2 "--cpus takes one device" --cpus=2 --devices=2
}

# With $tmp/bin as the whole path, in which there is no QEMU, or one of version $1
other_qemu_is_named() { # VERSION MESSAGE
	local status=0

	rm -rf "${tmp:?}/bin"
	mkdir "$tmp/bin"
	if [ -n "$1" ]; then
		printf '#!/bin/sh\necho "QEMU emulator version %s"\n' "$1" >"$tmp/bin/qemu-system-x86_64"
		chmod +x "$tmp/bin/qemu-system-x86_64"
	fi
	env PATH="$tmp/bin" "$faa_run" --cpus=2 true >"$tmp/out" 2>&1 || status=$?
	cat "$tmp/out"
	[ "$status" -eq 125 ] && grep -qF -- "$2" "$tmp/out"
}

# A QEMU from 8.2 on with an exported kvm_state, of the release if it has one
later_qemu() {
	mkdir -p "$tmp/later"
	gcc -O1 -rdynamic -DREAL_QEMU="\"$(command -v qemu-system-x86_64)\"" -o "$tmp/later/qemu-system-x86_64" "$top/tests/unit/run/qemu_later.c"
}

# No library can be preloaded into this one.
static_qemu_is_named() {
	local status=0

	rm -rf "${tmp:?}/bin"
	mkdir "$tmp/bin"
	gcc -O1 -static -DREAL_QEMU='""' -o "$tmp/bin/qemu-system-x86_64" "$top/tests/unit/run/qemu_later.c" || return 1
	env PATH="$tmp/bin" "$faa_run" --cpus=2 /bin/true >"$tmp/out" 2>&1 || status=$?
	cat "$tmp/out"
	[ "$status" -eq 125 ] && grep -q "^faa-run: '$tmp/bin/qemu-system-x86_64 --version' fails with LD_PRELOAD=.*, which QEMU 10.0 needs" "$tmp/out"
}

# faa-run runs it, or has no kernel for it.
later_qemu_is_taken() {
	later_qemu || return 1
	env PATH="$tmp/later" "$faa_run" --cpus=2 --no-device /bin/true >"$tmp/out" 2>&1 && return
	cat "$tmp/out"
	[ -n "$missing" ] && ! grep -qiE 'qemu|kvm' "$tmp/out"
}

later_qemu_runs_jobs() {
	later_qemu && PATH=$tmp/later:$PATH smp_checked --engine=model "$build/bin/cas_loop"
}

# Prints the missing part of the machine, and how to get it; nothing if all of it is there. Compiles
# the parts of the driver that have changed, but never a kernel.
smp_missing() {
	local dir

	if ! command -v qemu-system-x86_64 >/dev/null; then
		echo "no QEMU: 'make module-smp' installs it"
		return
	fi
	dir=$("$top/sim/qemu/build-kernel.sh" --print-dir 2>/dev/null)
	if [ ! -e "$dir/linux" ] || [ "$(readlink "$build/kernel-smp")" != "$dir" ]; then
		echo "no kernel of several CPUs: 'make module-smp' builds it"
	elif ! "$top/sim/uml/build-module.sh" smp >/dev/null 2>&1; then
		echo "the driver does not compile for several CPUs: 'make module-smp' shows why"
	fi
}

# If the machine is there
with_machine() {
	[ -z "$missing" ] || { echo "$missing"; return 4; }
	"$@"
}

program_is_passed_through() {
	local status=0

	[ "$(echo words | smp --no-device sh -c 'cat; nproc')" = $'words\n2' ] || return 1
	smp --no-device sh -c 'echo kept >"$1"; exit 7' sh "$tmp/file" || status=$?
	[ "$status" -eq 7 ] && [ "$(cat "$tmp/file")" = kept ]
}

# A module of the tests has the race.
race_is_found() {
	local status=0

	smp --no-device --check-log --insmod="$build/kmod-smp/tests/modules/faa_race.ko" true >"$tmp/out" 2>&1 || status=$?
	cat "$tmp/out"
	[ "$status" -eq 124 ] && grep -q 'BUG: KCSAN: data-race in race_thread' "$tmp/out"
}

model_runs_jobs() {
	smp_checked --engine=model --mem=768M "$build/tests/kselftest/submit"
}

rtl_runs_jobs() {
	smp_checked --engine=rtl "$build/bin/cas_loop"
}

check "options that exclude each other" each_option_is_refused
check "without QEMU the message names its package" other_qemu_is_named "" "Debian's package qemu-system-x86"
check "without the version of QEMU the message names its path" other_qemu_is_named "of its own" "$tmp/bin/qemu-system-x86_64 --version' names no version"
check "a QEMU from 8.2 on without kvm_state is refused" other_qemu_is_named "10.0.3 (Debian)" "exports no variable kvm_state"
check "a QEMU from 8.2 on that does not start with the library is refused" static_qemu_is_named
missing=$(smp_missing)
check "a QEMU from 8.2 on gets kvm_state" later_qemu_is_taken
check_or_skip "jobs from two CPUs, a QEMU from 8.2 on" with_machine later_qemu_runs_jobs
check_or_skip "input, output, files and exit status are the program's" with_machine program_is_passed_through
check_or_skip "a data race is found, and fails --check-log" with_machine race_is_found
check_or_skip "jobs from two CPUs, C model" with_machine model_runs_jobs
check_or_skip "jobs from two CPUs, RTL" with_machine rtl_runs_jobs
if [ -n "${FAA_LONG:-}" ]; then
	check_or_skip "test programs with two CPUs, without a data race" with_machine "$top/tests/kselftest/smp-programs.sh"
fi
finish
