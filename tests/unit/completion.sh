#!/bin/bash
# SPDX-License-Identifier: MIT
#
# completion.sh FILE BIN: the words that bash offers on command lines of the tools.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/says.sh"
file=$(readlink -f "$1")
bin=$(readlink -f "$2")
PATH=$bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
touch code.sass other.ptx
# shellcheck source=userspace/tools/completion/faa.bash
. "$file"
# compopt can only be called during a completion.
compopt() { :; }

# words that must be offered, in order; -- the line in bash's words, the last one incomplete
offers() {
	local want=()
	while [ "$1" != -- ]; do
		want+=("$1")
		shift
	done
	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_faa "$1"
	[ "$(printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)" = "${want[*]}" ] ||
		fail "'$*' offers '${COMPREPLY[*]}', not '${want[*]}'"
}

offers model rtl -- faa-info --engine =
offers model -- faa-info --engine = m
offers model -- faa-exec -e m
offers --engine= -- faa-info --eng
offers --json -- faa-info --js
offers debug plain -- faa-run --kernel = ''
offers code.sass -- faa-as co
offers sass -- faa-as --syntax = s
offers faa-info -- faa-run --engine = model faa-inf
offers code.sass -- faa-run --engine = model faa-as co
offers other.ptx -- faa-run -v faa-exec o
# Every tool is completed, and each of its long options is offered.
for tool in "$bin"/faa-*; do
	name=${tool##*/}
	case $name in faa-init | faa-bench | faa-litmus) continue ;; esac
	complete -p "$name" >/dev/null || fail "$name is not completed"
	COMP_WORDS=("$name" --) COMP_CWORD=1
	_faa "$name"
	for option in help version usage; do
		[[ " ${COMPREPLY[*]} " == *" --$option "* ]] || fail "$name: --$option is not offered: ${COMPREPLY[*]}"
	done
done
