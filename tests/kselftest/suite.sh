# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For suites: run test programs of this directory inside faa-run and end with the sum of their
# results.
#
#   kselftest FAA_RUN_OPTIONS... -- PROGRAM...
#       one machine, no test is skipped; does not return
#   kselftest_boot NAME FAA_RUN_OPTIONS... -- PROGRAM...
#       one machine that runs the programs
#   kselftest_finish SKIPPED BOOT...
#       calls each BOOT, a function that calls kselftest_boot, and adds up; does not return
#
# Exactly SKIPPED tests may be skipped, so that a test that is skipped for a new reason is noticed.
# With --check-log, faa-run's check of the kernel log counts as one more test of each boot, named
# kernel-log-NAME.

# shellcheck source=tests/supervised.sh
. "$(dirname "${BASH_SOURCE[0]}")/../supervised.sh"

kselftest_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
kselftest_build=${FAA_BUILD:-$kselftest_top/build}

# The flavour of the kernel that options of faa-run choose.
kselftest_flavour() {
	local option flavour=plain

	for option; do
		case $option in
		--kernel=*) flavour=${option#--kernel=} ;;
		esac
	done
	echo "$flavour"
}

kselftest_boot() {
	local boot=$1 flavour status=0 options=() name
	shift

	while [ "$#" -gt 0 ] && [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	flavour=$(kselftest_flavour "${options[@]}")
	for name in "$@" "kernel-log-$boot"; do
		echo "# EXPECT $name"
	done
	FAA_MODULE=$kselftest_build/kmod-$flavour/faa.ko "$kselftest_build/bin/faa-run" "${options[@]}" \
		--log="$kselftest_build/test-logs/$(basename "$0" .sh)-$boot-kernel.log" \
		"$kselftest_top/tests/kselftest/run.sh" "$kselftest_build/tests/kselftest" "$@" 2>&1 || status=$?
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

kselftest_finish() {
	local skipped=$1 boot
	shift

	mkdir -p "$kselftest_build/test-logs"
	for boot; do
		"$boot"
	done | "$kselftest_top/tests/tap-sum.py" --skipped="$skipped"
	exit
}

# Recovery from faults: a boot for each row of recovery.c, of a device with the row's faults.
# Options are those of faa-run.
kselftest_recovery() {
	local faults name options rows=(
		'--fault=ignore-kill:1'
		'--fault=ignore-kill:2'
		'--fault=ignore-kill:1 --fault=ignore-reset:1'
		'--fault=stick-tlb:1@40'
		'--fault=stick-tlb:2@40'
		'--fault=stop-axi:1@60'
		'--fault=read-ones:1@60'
		'--fault=lose-irq@115'
		'--fault=ignore-kill --fault=ignore-reset --fault=ignore-flr'
	)
	for faults in "${rows[@]}"; do
		name=$(echo "${faults//--fault=/}" | tr ' :@' '---')
		options=()
		case $faults in *ignore-flr*) options=(--expect-log='1:giving the device up') ;; esac
		FAA_VDEV_OPTS=$faults kselftest_boot "recovery-$name" "$@" "${options[@]}" \
			--module-args=job_limit_ms=60000 -- recovery
	done
}

# Sleep and resets; the last test of power.c is a failure of the link. $1 names the boot, options
# are those of faa-run.
kselftest_power() {
	kselftest_boot "$@" --expect-log='1:giving the device up' \
		--insmod="$kselftest_build/kmod-$(kselftest_flavour "$@")/tests/modules/faa_link_error.ko" \
		--module-args=job_limit_ms=10000 -- power
}

kselftest() {
	kselftest_arguments=("$@")
	kselftest_finish 0 kselftest_only_boot
}

kselftest_only_boot() {
	kselftest_boot main "${kselftest_arguments[@]}"
}
