#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every suite follows the rules of the runner: executable, numbered, with a time limit.
set -euo pipefail
cd "$(dirname "$0")/../suites"

bad=0
for suite in *; do
	case $suite in
	[0-9][0-9]-*) ;;
	*) echo "$suite: the name does not begin with two digits and a dash"; bad=1 ;;
	esac
	[ -x "$suite" ] || { echo "$suite: not executable"; bad=1; }
	grep -qE '^# timeout: [0-9]+$' "$suite" || { echo "$suite: no line '# timeout: SECONDS'"; bad=1; }
done
exit "$bad"
