# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Sourced at the head of a suite: starts it anew under tests/supervise.py, with the time limit that it names. So Ctrl-C, and
# the end of its time, end all that it has started, however it was started itself.
if [ -z "${FAA_SUPERVISED:-}" ]; then
	exec "$(dirname "${BASH_SOURCE[0]}")/supervise.py" --timeout="$(sed -n 's/^# timeout: \([0-9]*\)$/\1/p' "$0")" -- \
		"$(readlink -f "$0")" "$@" </dev/null
fi
