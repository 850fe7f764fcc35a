# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For suites and alone.sh: run test programs of this directory inside faa-run and end with the sum
# of their results.
#
#   kselftest_boot NAME FAA_RUN_OPTIONS... -- PROGRAM...
#       one machine that runs the programs, or one for each of the devices that they need
#   kselftest_finish SKIPPED BOOT...
#       calls each BOOT, a function that calls kselftest_boot, and adds up; does not return
#
# A PROGRAM may have arguments, separated by blanks. A machine has the options of kselftest_machine,
# those that its programs need (needs.sh), and FAA_RUN_OPTIONS; the last one of a kind counts.
# FAA_VDEV_OPTS, if it is set, replaces the devices that the programs need: one a line. FAA_KERNEL
# is the kernel instead of debug; with FAA_GCOV each boot leaves its coverage below that directory.
#
# Exactly SKIPPED tests may be skipped, so that a test that is skipped for a new reason is noticed.
# With --check-log, faa-run's check of the kernel log counts as one more test of each boot, named
# kernel-log-NAME.

# shellcheck source=tests/supervised.sh
. "$(dirname "${BASH_SOURCE[0]}")/../supervised.sh"
# shellcheck source=tests/kselftest/needs.sh
. "$(dirname "${BASH_SOURCE[0]}")/needs.sh"

kselftest_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
kselftest_build=${FAA_BUILD:-$kselftest_top/build}
kselftest_run=$kselftest_build/bin/faa-run
kselftest_machine=(--engine=model --kernel="${FAA_KERNEL:-debug}" --mem=768M --check-log --module-args=job_limit_ms=10000)
# Programs that one boot can run, in this order.
# shellcheck disable=SC2034 # of suites
kselftest_together=(ioctl dev_query reserved arrays handles bo label debugfs prime vm vm_bind vm_bind_async userptr userptr_change queue
	submit group sync status_ring fences fdinfo limits faults isolation job_trace kill timeout dump counters teardown stream_fuzz module
	outlive)

# The flavour of the kernel that options of faa-run choose. Several CPUs have a kernel of their own.
kselftest_flavour() {
	local option flavour=plain

	for option; do
		case $option in
		--cpus=*) flavour=smp && break ;;
		--kernel=*) flavour=${option#--kernel=} ;;
		esac
	done
	echo "$flavour"
}

# kselftest_options DEVICE FAA_RUN_OPTIONS... -- PROGRAM...: sets $options to those of a machine.
# False if two programs need different parameters of the driver.
kselftest_options() {
	local device=$1 chosen=() program option flavour i arguments first='' needs
	local -A seen=()

	shift
	while [ "$1" != -- ]; do
		chosen+=("$1")
		shift
	done
	shift
	options=("${kselftest_machine[@]}")
	for program; do
		arguments=--module-args=job_limit_ms=10000
		kselftest_needs "${program%% *}" "$device"
		for option in "${needs[@]}"; do
			case $option in --module-args=*) arguments=$option ;; esac
			[ -n "${seen[$option]:-}" ] || options+=("$option")
			seen[$option]=1
		done
		first=${first:-$arguments}
		[ "$arguments" = "$first" ] || { echo "kselftest: $program needs $arguments, $1 $first"; return 1; }
	done
	options+=("${chosen[@]}")
	flavour=$(kselftest_flavour "${options[@]}")
	for i in "${!options[@]}"; do
		case ${options[i]} in
		--kernel=*) [ "$flavour" != smp ] || unset "options[i]" ;;
		--insmod=*/*.ko) options[i]=--insmod=$kselftest_build/kmod-$flavour/${options[i]#--insmod=} ;;
		esac
	done
}

# Passes standard input on, and sends signal $1 to the faa-vdev of the file $2 after a line READY.
kselftest_kill() {
	local line

	while IFS= read -r line; do
		printf '%s\n' "$line"
		[ "$line" != READY ] || kill "-$1" "$(sed -n 's/^vdev //p' "$2")"
	done
}

# Whether a failure with these options of faa-run is to leave a waveform of a second run: on the
# RTL, unless FAA_WAVES is set, or FAA_VDEV names a device that has none.
kselftest_wants_waves() { # FAA_RUN_OPTIONS...
	[[ -z ${FAA_WAVES+set} && " $* " == *" --engine=rtl "* && ${FAA_VDEV:-$kselftest_build/sim/vdev/faa-vdev} -ef $kselftest_build/sim/vdev/faa-vdev ]]
}

# kselftest_again LOG DEVICE FAA_RUN_OPTIONS... -- PROGRAM...: runs each program that has failed
# according to the file LOG.tap once more, in a machine of its own. If it fails again, the waveform
# stays.
kselftest_again() {
	local log=$1 device=$2 options=() words name waves said
	shift 2

	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	mkdir -p "$kselftest_build/test-logs/waves"
	for words; do
		name=${words%% *}
		! grep -qxE "# EXIT $name (0|4)" "$log.tap" || continue
		echo "# $name, once more, with waveforms:"
		waves=$kselftest_build/test-logs/waves/${log##*/}-$name
		if said=$(FAA_STOP=1 FAA_VDEV_OPTS=$device FAA_MODULE=$kselftest_build/kmod-$(kselftest_flavour "${options[@]}")/faa.ko \
			env -u FAA_VDEV "$kselftest_run" "${options[@]}" --log="$log-again-kernel.log" --waves="$waves.fst" \
			"$kselftest_top/tests/kselftest/run.sh" "$kselftest_build/tests/kselftest" "$words" 2>&1); then
			rm -f "$waves".*
			echo "#   it has not failed again"
		else
			grep "^faa-run: " <<<"$said" | sed 's/^/#   /'
		fi
	done
}

# kselftest_one_boot NAME DEVICE FAA_RUN_OPTIONS... -- PROGRAM...
kselftest_one_boot() {
	local boot=$1 device=$2 status=0 options=() filter=(cat) log name signal stop=
	shift 2

	kselftest_options "$device" "$@" || status=$?
	while [ "$1" != -- ]; do
		shift
	done
	shift
	for name in "$@" "kernel-log-$boot"; do
		echo "# EXPECT ${name%% *}"
	done
	[ "$status" = 0 ] || return
	log=$kselftest_build/test-logs/$(basename "$0" .sh)-$boot
	signal=$(kselftest_signal "${1%% *}")
	if [ -n "$signal" ]; then
		options+=(--pids="$log.pids")
		filter=(kselftest_kill "$signal" "$log.pids")
	fi
	[[ -z ${FAA_WAVES:-} || " ${options[*]} " != *" --engine=rtl "* ]] || stop=1
	FAA_STOP=$stop FAA_VDEV_OPTS=$device FAA_MODULE=$kselftest_build/kmod-$(kselftest_flavour "${options[@]}")/faa.ko \
		"$kselftest_run" "${options[@]}" --log="$log-kernel.log" ${FAA_GCOV:+"$kselftest_top/tests/coverage/collect.sh"} \
		"$kselftest_top/tests/kselftest/run.sh" "$kselftest_build/tests/kselftest" "$@" 2>&1 | "${filter[@]}" | tee "$log.tap"
	status=${PIPESTATUS[0]}
	[ -n "$signal" ] || ! kselftest_wants_waves "${options[@]}" || kselftest_again "$log" "$device" "${options[@]}" -- "$@"
	echo "# PROGRAM kernel-log-$boot"
	echo "1..1"
	if [ "$status" = 0 ]; then
		echo "ok 1 - the machine ended well, its kernel log is clean"
		echo "# EXIT kernel-log-$boot 0"
	else
		echo "not ok 1 - faa-run ended with status $status (124: complaints in the kernel log, 125: it could not run)"
		echo "# EXIT kernel-log-$boot 1"
	fi
}

kselftest_boot() {
	local boot=$1 options=() devices device name program
	shift

	while [ "$#" -gt 0 ] && [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	if [ -n "${FAA_VDEV_OPTS+set}" ]; then
		mapfile -t devices <<<"$FAA_VDEV_OPTS"
	else
		mapfile -t devices < <(for program; do kselftest_devices "${program%% *}"; done | awk '!seen[$0]++')
	fi
	for device in "${devices[@]}"; do
		name=$boot
		if [ "${#devices[@]}" -gt 1 ] && [ -n "$device" ]; then
			name=$boot-$(sed 's/--fault=//g' <<<"$device" | tr ' :@' '---')
		fi
		kselftest_one_boot "$name" "$device" "${options[@]}" -- "$@"
	done
}

kselftest_finish() {
	local skipped=$1 boot
	shift

	mkdir -p "$kselftest_build/test-logs"
	for boot; do
		"$boot"
	done | "$kselftest_top/tests/tap-sum.py" --skipped="$skipped"
	exit
}
