#!/bin/bash
# SPDX-License-Identifier: MIT
#
# clang-format 14 agrees with every C and C++ file that is not generated. `format.sh --fix` lets it
# write. Kernel code is left to checkpatch --strict (the driver's suite), which wants other breaks
# and knows the kernel's macros.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Versions of clang-format disagree: PyPI has this one for every release of Debian.
tool=${FAA_VENV:-$(sim/setup/setup.sh --print-venv)}/bin/clang-format
[ -x "$tool" ] || { echo "$tool is not there: run 'sim/setup/setup.sh test'"; exit 1; }
mapfile -t files < <(git ls-files '*.c' '*.h' '*.cpp' '*.cc' '*.hpp' ':!rtl/regs/*' \
	':!driver/*' ':!uapi/*' ':!tests/kunit/*' ':!tests/modules/*')
[ "${#files[@]}" -gt 0 ] || { echo "no C files"; exit 1; }
if [ "${1:-}" = --fix ]; then
	exec "$tool" -i "${files[@]}"
fi
# One call for all files is fast; one call for each file tells which are bad.
if "$tool" --dry-run -Werror "${files[@]}" 2>/dev/null; then
	echo "${#files[@]} files, 0 badly formatted"
	exit 0
fi
bad=0
for file in "${files[@]}"; do
	if ! out=$("$tool" --dry-run -Werror "$file" 2>&1); then
		bad=$((bad + 1))
		echo "$file: $(grep -c 'error:' <<<"$out") places, first at line $(sed -n 's/^[^:]*:\([0-9]*\):.*error.*/\1/p' <<<"$out" | head -n 1)"
	fi
done
echo "${#files[@]} files, $bad badly formatted"
[ "$bad" = 0 ]
