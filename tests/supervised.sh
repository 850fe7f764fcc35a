# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Sourced at the head of a suite: restarts it under tests/supervise.py, with the time limit that its
# head names. So Ctrl-C and the time limit end all processes of the suite, however it was started.
if [ -z "${FAA_SUPERVISED:-}" ]; then
	exec "$(dirname "${BASH_SOURCE[0]}")/supervise.py" --timeout="$(sed -n 's/^# timeout: \([0-9]*\)$/\1/p' "$0")" -- \
		"$(readlink -f "$0")" "$@" </dev/null
fi
