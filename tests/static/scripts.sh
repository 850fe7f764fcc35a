#!/bin/bash
# SPDX-License-Identifier: MIT
#
# scripts.sh shell|python: shellcheck of every shell script; pyflakes and compilation of every
# Python file.
set -euo pipefail
cd "$(dirname "$0")/../.."

shell_scripts() {
	git ls-files | while read -r file; do
		case $file in
		*.sh) echo "$file" ;;
		*.*) ;;
		*) if [ -f "$file" ] && head -c 64 "$file" | head -n 1 | grep -aqE '^#!.*\b(ba|da)?sh\b'; then echo "$file"; fi ;;
		esac
	done
}

case ${1:-} in
shell)
	command -v shellcheck >/dev/null || { echo "shellcheck is not installed"; exit 1; }
	mapfile -t files < <(shell_scripts)
	[ "${#files[@]}" -gt 0 ] || { echo "no shell scripts"; exit 1; }
	shellcheck -S warning -x -P SCRIPTDIR "${files[@]}"
	;;
python)
	# Checkers that came with vectors are left unchanged.
	mapfile -t files < <(git ls-files '*.py' ':!tests/vectors')
	[ "${#files[@]}" -gt 0 ] || { echo "no Python files"; exit 1; }
	/usr/bin/python3 -m pyflakes "${files[@]}"
	/usr/bin/python3 - "${files[@]}" <<-'END'
		import sys
		for name in sys.argv[1:]:
		    with open(name, encoding="utf-8") as file:
		        compile(file.read(), name, "exec")
	END
	;;
*)
	echo "usage: scripts.sh shell|python"
	exit 2
	;;
esac
