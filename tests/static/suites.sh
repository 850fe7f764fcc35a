#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every suite follows the rules of the runner: executable, numbered, with a time limit, and
# supervised when it runs without tests/run.sh.
set -euo pipefail
cd "$(dirname "$0")/../suites"

bad=0
for suite in *; do
	case $suite in
	[0-9][0-9]-*) ;;
	*) echo "$suite: the name does not begin with two digits and a dash"; bad=1 ;;
	esac
	[ -x "$suite" ] || { echo "$suite: not executable"; bad=1; }
	[ "$(grep -cE '^# timeout: [0-9]+$' "$suite")" = 1 ] || { echo "$suite: needs one line '# timeout: SECONDS'"; bad=1; }
	grep -qE '^\. .*/(tap|supervised|kselftest/suite)\.sh"$' "$suite" ||
		{ echo "$suite: sources none of tap.sh, supervised.sh and kselftest/suite.sh"; bad=1; }
	if grep -qE '^# (inputs|modules|generated): ' "$suite"; then
		../kept.py inputs "$suite" >/dev/null || bad=1
		! grep -qxE '# (kernel|alone)' "$suite" || { echo "$suite: what depends on files alone needs no kernel"; bad=1; }
	fi
done

# cmocka returns the number of failures, which as an exit status means something else; RUN_TESTS()
# makes it 1.
cd ..
if grep -rn --include='*.c' 'return _*cmocka_run_group_tests[^;]*NULL);'; then
	bad=1
fi
exit "$bad"
