#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh [OPTION...]: the fuzzer of ioctls on the debug kernel with the C model; the options are
# those of faa-ioctl-fuzz (--help). It begins with the programs of corpus.txt and of
# $FAA_CACHE/fuzz-corpus/ioctl.txt, and keeps what it finds in the latter.
#
# The program that a crash of the kernel has interrupted is in
# BUILD/test-logs/ioctl-fuzz-current.txt, the kernel log in ioctl-fuzz-kernel.log beside it:
#
#   run.sh --replay --corpus=BUILD/test-logs/ioctl-fuzz-current.txt
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
build=${FAA_BUILD:-$top/build}
kept=${FAA_CACHE:-$HOME/.cache/faa}/fuzz-corpus/ioctl.txt
logs=$build/test-logs

mkdir -p "$logs" "${kept%/*}"
options=(--current="$logs/ioctl-fuzz-current.txt")
# Without programs of the caller: the corpus, and what earlier runs have found.
if [[ " $* " != *" --corpus="* ]]; then
	cat "$here/corpus.txt" >"$logs/ioctl-fuzz-corpus.txt"
	[ ! -f "$kept" ] || cat "$kept" >>"$logs/ioctl-fuzz-corpus.txt"
	options+=(--corpus="$logs/ioctl-fuzz-corpus.txt" --save="$kept")
fi
# Jobs that never end shall not take long, and no fault of the device is remembered, so each is
# answered as the first one. A failed allocation switches the DMA debugging code off.
exec "$build/bin/faa-run" --engine=model --kernel="${FAA_KERNEL:-debug}" --mem=768M --check-log \
	--module-args="job_timeout_ms=200 job_limit_ms=400 fault_memory_ms=0" --log="$logs/ioctl-fuzz-kernel.log" \
	--expect-log='0-1:dma-debug disabled' --expect-log='0-100000:is not disabled' \
	--expect-log='0-100000:drm_sched_init: Failed to setup GPU scheduler--out of memory' \
	${FAA_GCOV:+"$top/tests/coverage/collect.sh"} "$build/tests/fuzz/ioctl/faa-ioctl-fuzz" "${options[@]}" "$@"
