# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Needs of each test program of this directory, beside those of all (kselftest_boot in suite.sh).

# kselftest_devices PROGRAM: the devices that a program is run on, one a line, as options of
# faa-vdev. An empty line is a device without faults.
kselftest_devices() {
	case $1 in
	# A row for each of recovery.c
	recovery)
		cat <<-'END'
			--fault=ignore-kill:1
			--fault=ignore-kill:2
			--fault=ignore-kill:1 --fault=ignore-reset:1
			--fault=stick-tlb:1@40
			--fault=stick-tlb:2@40
			--fault=stop-axi:1@60
			--fault=read-ones:1@60
			--fault=lose-irq@115
			--fault=ignore-kill --fault=ignore-reset --fault=ignore-flr
		END
		;;
	# The device keeps its state in D3hot, or not.
	power) printf '%s\n' '' --fault=lose-power ;;
	# Compute units that do not stop for a kill
	reset) echo --defect=deaf ;;
	# Queues of low priority get no compute unit.
	unserved) echo --defect=unserved ;;
	*) echo ;;
	esac
}

# kselftest_needs PROGRAM DEVICE: sets $needs to options of faa-run for a program on a device of
# kselftest_devices. A file of --insmod is relative to the directory of the driver. A suite may
# choose other options, and with FAA_GONE how often a device is given up (default 1).
kselftest_needs() {
	local gone="--expect-log=${FAA_GONE:-1}:giving the device up"

	needs=()
	case $1 in
	prime | outlive) needs=(--insmod=vgem) ;;
	teardown) needs=("$gone") ;;
	# A thousand queues
	multiplex) needs=(--mem=1G) ;;
	multiplex_cost) needs=(--mem=1G) ;;
	# It measures times, which the debug kernel's checks change.
	fairness) needs=(--kernel=plain --module-args="job_timeout_ms=1000 job_limit_ms=1000") ;;
	# A failed allocation of the DMA debugging code switches that off until the next boot.
	fail_nth)
		needs=(--expect-log='0-1:dma-debug disabled'
			--expect-log='0-99:drm_sched_init: Failed to setup GPU scheduler--out of memory')
		;;
	# One of the tests unplugs the device. No fault is remembered, so each is answered as the
	# first one.
	fail_hw)
		needs=(--module-args="job_limit_ms=10000 fault_memory_ms=0" "$gone"
			--expect-log='2:is not disabled')
		;;
	reset) needs=(--module-args="job_limit_ms=10000 fault_memory_ms=0") ;;
	recovery_load)
		needs=(--module-args="job_limit_ms=10000 fault_memory_ms=0"
			--expect-log='0-1000:is not disabled')
		;;
	recovery)
		needs=(--module-args=job_limit_ms=60000)
		case $2 in *ignore-flr*) needs+=("$gone") ;; esac
		;;
	# The last test is a failure of the link.
	power) needs=("$gone" --insmod=tests/modules/faa_link_error.ko) ;;
	# After 16 job limits the driver stops waiting.
	unserved) needs=(--module-args="job_timeout_ms=500 job_limit_ms=500") ;;
	# The device is killed.
	unplug) needs=(--check-log=noleaks) ;;
	esac
}

# kselftest_signal PROGRAM: the signal that faa-vdev gets when the program prints READY, if any.
kselftest_signal() {
	case $1 in
	unplug) echo KILL ;;
	esac
}
