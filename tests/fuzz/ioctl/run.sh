#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh [--jobs=N] [OPTION...]: the fuzzer of ioctls on the debug kernel with the C model; the
# options are those of faa-ioctl-fuzz. --jobs=N (default: the number of processors) is the number of
# guests, each with its own seed, which exchange the programs that reach new code. The first one
# whose run fails ends those of the others. --replay has one guest.
#
# It begins with the programs of corpus.txt and of $FAA_CACHE/fuzz-corpus/ioctl.txt, and keeps what
# it finds in the latter. Until its end, the programs are in a directory beside that file; the next
# run keeps those of a run that was killed. The last line has the programs of all guests, and the
# largest corpus.
#
# The program that a crash of the kernel has interrupted is in
# BUILD/test-logs/ioctl-fuzz-current.txt, the kernel log in ioctl-fuzz-kernel.log beside it, with
# several guests in ioctl-fuzz-current-guest0.txt and so on:
#
#   run.sh --replay --corpus=BUILD/test-logs/ioctl-fuzz-current.txt
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
build=${FAA_BUILD:-$top/build}
fuzz=$build/tests/fuzz/ioctl/faa-ioctl-fuzz
logs=$build/test-logs
# The options that run.sh changes for each guest
jobs='' seed=1 programs='' corpus='' save='' current=$logs/ioctl-fuzz-current.txt coverage='' replay=''
others=()

die() {
	echo "run.sh: $*" >&2
	exit 2
}

number() { # OPTION TEXT: a number from 1 on
	[[ $2 =~ ^[1-9][0-9]*$ ]] || die "--$1: '$2' is not a number from 1 on"
}

parse() {
	local options

	options=$(getopt -n run.sh -o 'j:s:n:t:c:br?' -l jobs:,seed:,programs:,seconds:,corpus:,save:,current:,coverage:,blind,replay,help \
		-- "$@") || exit 2
	eval set -- "$options"
	while [ $# -gt 0 ]; do
		case $1 in
		-j | --jobs) number jobs "$2"; jobs=$2 ;;
		-s | --seed) seed=$2 ;;
		-n | --programs) number programs "$2"; programs=$2 ;;
		-c | --corpus) corpus=$2 ;;
		--save) save=$2 ;;
		--current) current=$2 ;;
		--coverage) coverage=$2 ;;
		-t | --seconds) others+=("--seconds=$2") ;;
		-b | --blind) others+=(--blind); shift; continue ;;
		-r | --replay) replay=--replay; shift; continue ;;
		'-?' | --help)
			sed -n '/^# run.sh/,/^set/s/^# \?//p' "$0"
			echo
			exec "$fuzz" --help
			;;
		--) shift; break ;;
		esac
		shift 2
	done
	[ $# = 0 ] || die "unexpected argument '$1'"
	[[ $seed =~ ^[0-9]+$ ]] || die "--seed: '$seed' is no number"
}

# A processor and 1 GiB for each guest
default_jobs() {
	local memory

	jobs=$(nproc)
	memory=$(awk '$1 == "MemAvailable:" { print int($2 / 1048576) }' /proc/meminfo)
	((jobs <= memory)) || jobs=$memory
	((jobs >= 1)) || jobs=1
}

of_guest() { # FILE NUMBER: x.txt is x-guest1.txt where there are several
	local name=${1##*/} dir=

	[[ $1 != */* ]] || dir=${1%/*}/
	case $jobs-$name in
	1-*) echo "$1" ;;
	*.*) echo "$dir${name%.*}-guest$2.${name##*.}" ;;
	*) echo "$1-guest$2" ;;
	esac
}

# Jobs that never end shall not take long, and no fault of the device is remembered, so each is
# answered as the first one. A failed allocation switches the DMA debugging code off. Each program
# with a fork has two grace periods of RCU, of 20 ms each unless they are expedited.
guest() { # NUMBER OPTION...
	local number=$1

	shift
	exec "$build/bin/faa-run" --engine=model --kernel="${FAA_KERNEL:-debug}" --mem=768M --check-log \
		--kernel-arg=rcupdate.rcu_expedited=1 \
		--module-args="job_timeout_ms=200 job_limit_ms=400 fault_memory_ms=0" --log="$(of_guest "$logs/ioctl-fuzz-kernel.log" "$number")" \
		--expect-log='0-1:dma-debug disabled' --expect-log='0-100000:is not disabled' \
		--expect-log='0-100000:drm_sched_init: Failed to setup GPU scheduler--out of memory' \
		${FAA_GCOV:+"$top/tests/coverage/collect.sh"} "$fuzz" --current="$(of_guest "$current" "$number")" "${others[@]}" "$@"
}

search() { # NUMBER: a guest that runs new programs; the first one has the seed of the caller
	local options=(--corpus="$corpus" --seed="$(printf %u $((seed + $1 * 0x1e3779b97f4a7c15)))" --share="$share")

	[ -z "$save" ] || options+=(--save="$tmp/save-$1.txt")
	[ -z "$programs" ] || options+=(--programs=$(((programs + jobs - 1) / jobs)))
	[ -z "$coverage" ] || options+=(--coverage="$tmp/coverage-$1")
	guest "$1" "${options[@]}"
}

# Programs of the other files, each once; those of the files that the variable old names are left
# out of the first of them.
join() { # FILE...
	awk -v old="$old" 'BEGIN { RS = "" }
		{ gsub(/(^|\n)#[^\n]*/, ""); sub(/^\n/, "") }
		$0 == "" { next }
		FILENAME == old { known[$0]; next }
		FILENAME == ARGV[2] && old != "" && $0 in known { next }
		!seen[$0]++ { print $0 "\n" }' ${old:+"$old"} "$@"
}

# Adds the programs of the files to those in $save; one run at a time.
keep() { # FILE...
	local lock

	exec {lock}<"$(dirname "$save")"
	flock "$lock"
	touch "$save"
	{
		echo "# SPDX-License-Identifier: MIT"
		echo "# Programs of the fuzzer of ioctls (tests/fuzz/ioctl)."
		join "$save" "$@"
	} >"$save.joined"
	mv "$save.joined" "$save"
	exec {lock}<&-
}

# Keeps what the guests have saved and found, whatever ended them. Programs from before that none of
# them has kept reach nothing of their own; another run may have added some in the meantime.
collect() {
	local files=("$tmp"/save-*.txt "$share"/*.txt) i old=''

	for ((i = 0; i < jobs; i++)); do
		[ ! -f "$tmp/coverage-$i" ] || cat "$tmp/coverage-$i" >>"$coverage"
	done
	[ -n "$save" ] && [ ${#files[@]} -gt 0 ] || return 0
	# Without a complete corpus of a guest, all of the old one is needed.
	[[ ${files[0]##*/} != save-* ]] || old=$tmp/old
	keep "${files[@]}"
}

# Keeps what runs have found that were killed: the guests of a run, too, have its lock.
collect_killed() {
	local dir files lock old=''

	for dir in "$save".share-*; do
		exec {lock}<"$dir"
		files=("$dir"/*.txt)
		if flock -n "$lock"; then
			[ ${#files[@]} = 0 ] || keep "${files[@]}"
			rm -rf "$dir"
		fi
		exec {lock}<&-
	done
}

# Makes the directory of the programs that the guests exchange, with a lock.
make_share() {
	share=$tmp/share
	[ -z "$save" ] || share=$(mktemp -d "$save.share-XXXXXX")
	mkdir -p "$share"
	exec {share_lock}<"$share"
	flock "$share_lock"
}

ended() { # NUMBER STATUS: the first guest that fails ends the others
	local first=$status

	# Those that end because they are told to end have not failed.
	case $first-$2 in
	*-0 | [1-9]*-130 | [1-9]*-143) return 0 ;;
	0-*) status=$2 ;;
	esac
	echo "run.sh: guest$1 has ended with status $2. Its last program:" \
		"$(of_guest "$current" "$1"), its kernel log: $(of_guest "$logs/ioctl-fuzz-kernel.log" "$1")" >&2
	stop
}

# The guests end after the program that they run, or are ended. One may have ended by itself before
# the signal, which is no failure.
stop() {
	kill -INT "${!numbers[@]}" 2>/dev/null || true
	[ -z "$watch" ] || return 0
	(
		sleep 60 &
		trap 'kill $!; exit' TERM
		wait
		kill -TERM "${!numbers[@]}"
	) >/dev/null 2>&1 &
	watch=$!
}

several() {
	local -A numbers
	local i pid readers=() watch='' code

	trap 'status=130' INT
	trap 'status=143; stop' TERM
	for ((i = 0; i < jobs; i++)); do
		mkfifo "$tmp/said-$i"
		tee "$tmp/out-$i" <"$tmp/said-$i" | sed -u "s/^/guest$i: /" &
		readers+=($!)
		search "$i" >"$tmp/said-$i" 2>&1 &
		numbers[$!]=$i
	done
	while [ ${#numbers[@]} -gt 0 ]; do
		code=0
		wait -n -p pid "${!numbers[@]}" || code=$?
		# A signal has interrupted it.
		[ -n "${pid:-}" ] || continue
		i=${numbers[$pid]}
		unset "numbers[$pid]"
		ended "$i" "$code"
	done
	# It may have ended the guests, and so have ended itself.
	[ -z "$watch" ] || kill "$watch" 2>/dev/null || true
	wait "${readers[@]}"
	awk '/^[0-9]+ programs, / { all[FILENAME] = $1; rate[FILENAME] = $3
			for (i = 6; i <= 10; i += 2) if ($i > most[i]) most[i] = $i }
		END { for (file in all) { sum += all[file]; speed += rate[file] }
			printf "%d programs, %d a second, %d kept: %d edges, %d places\n", sum, speed, most[6], most[8], most[10] }' "$tmp"/out-*
}

parse "$@"
[ -x "$fuzz" ] || die "$fuzz is missing: make userland"
mkdir -p "$logs"
if [ -n "$replay" ]; then
	[ -z "$jobs" ] || [ "$jobs" = 1 ] || die "--replay has one guest"
	[ -n "$corpus" ] || die "--replay needs --corpus=FILE"
	jobs=1
	guest 0 --replay --corpus="$corpus" ${coverage:+"--coverage=$coverage"}
fi
[ -n "$jobs" ] || default_jobs
tmp=$(mktemp -d)
share=$tmp
trap 'rm -rf "$tmp" "$share"' EXIT
shopt -s nullglob
: >"$tmp/old"
# Without programs of the caller: the corpus, and what earlier runs have found.
if [ -z "$corpus" ]; then
	kept=${FAA_CACHE:-$HOME/.cache/faa}/fuzz-corpus/ioctl.txt
	mkdir -p "${kept%/*}"
	touch "$kept"
	corpus=$logs/ioctl-fuzz-corpus.txt
	if [ -z "$save" ]; then
		save=$kept
		collect_killed
		cp "$kept" "$tmp/old"
	fi
	cat "$here/corpus.txt" "$kept" >"$corpus"
elif [ -n "$save" ]; then
	collect_killed
fi
make_share
[ -z "$coverage" ] || : >"$coverage"
status=0
if [ "$jobs" = 1 ]; then
	(search 0) || status=$?
else
	several
fi
collect
exit "$status"
