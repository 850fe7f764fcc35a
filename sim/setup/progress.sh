# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Runs long commands with a line of progress; sourced by the scripts that install and build.

# progress LABEL PATTERN UNIT LOG COMMAND [ARGS]
#
# Runs COMMAND with its output in the file LOG. Shows "LABEL: N UNIT, M:SS" meanwhile, where N is
# the number of lines of LOG that match PATTERN: in a terminal one line that is redrawn each second,
# elsewhere a line every 30 seconds. If the command fails, prints the end of LOG. Returns the
# command's exit status.
#
# A shell lets its background commands ignore Ctrl-C. COMMAND therefore gets its own process group,
# which receives signals that end the caller.
progress() {
	local label=$1 pattern=$2 unit=$3 log=$4
	shift 4
	local start=$SECONDS next=30 pid status=0 elapsed signal

	mkdir -p "$(dirname "$log")"
	set -m
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	set +m
	for signal in INT TERM HUP; do
		# shellcheck disable=SC2064 # as they are now
		trap "progress_interrupted $signal $pid" "$signal"
	done
	while kill -0 "$pid" 2>/dev/null; do
		elapsed=$((SECONDS - start))
		if [ -t 2 ]; then
			progress_line "$label" "$pattern" "$unit" "$log" "$elapsed" '\r%s\033[K' >&2
		elif [ "$elapsed" -ge "$next" ]; then
			next=$((elapsed + 30))
			progress_line "$label" "$pattern" "$unit" "$log" "$elapsed" '%s\n' >&2
		fi
		sleep 0.5
	done
	wait "$pid" || status=$?
	trap - INT TERM HUP
	elapsed=$((SECONDS - start))
	if [ -t 2 ]; then printf '\r\033[K' >&2; fi
	if [ "$status" -ne 0 ]; then
		tail -n 40 "$log" >&2
		echo "$label: failed with status $status after ${elapsed} s; the whole log is $log" >&2
	else
		progress_line "$label" "$pattern" "$unit" "$log" "$elapsed" '%s, done\n' >&2
	fi
	return "$status"
}

# Ends the process group $2 with signal $1, then the shell.
progress_interrupted() {
	trap - "$1"
	kill -s "$1" -- "-$2" 2>/dev/null || true
	wait "$2" 2>/dev/null || true
	kill -s "$1" "$BASHPID"
}

progress_line() {
	local count

	count=$(grep -cE "$2" "$4" || true)
	# shellcheck disable=SC2059
	printf "$6" "$1: $count $3, $(($5 / 60)):$(printf %02d $(($5 % 60)))"
}
