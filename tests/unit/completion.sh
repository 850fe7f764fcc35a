#!/bin/bash
# SPDX-License-Identifier: MIT
#
# completion.sh DIRECTORY BIN: the words that bash offers on command lines of the programs; the
# files of DIRECTORY are named as the programs.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/says.sh"
files=$(readlink -f "$1")
bin=$(readlink -f "$2")
PATH=$bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
touch code.sass other.ptx
mkdir drivers
# shellcheck source=/dev/null
. "$files/faa-run"
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
offers coverage debug plain -- faa-run --kernel = ''
offers code.sass -- faa-as co
offers sass -- faa-as --syntax = s
offers faa-info -- faa-run --engine = model faa-inf
offers code.sass -- faa-run --engine = model faa-as co
offers other.ptx -- faa-run -v faa-exec o
offers model rtl -- faa-run -e ''
offers stream -- faa-exec -s st
offers noleaks -- faa-run --check-log = n
offers drivers -- faa-run --module = dr
offers drivers -- faa-run --kernel-tree = dr
offers opencl -- faa-spirv --environment = o
offers address -- faa-surface a
offers check code.sass -- faa-litmus c
offers code.sass -- faa-litmus check c
mkdir cases && offers cases -- faa-spirv --out = c
# Every program is completed, has a file of its name, and offers each option of its help; where the
# help lists the values of an option, they are offered too.
for tool in "$bin"/*; do
	name=${tool##*/}
	case $name in faa-init) continue ;; esac
	[ -e "$files/$name" ] || fail "$files has no $name"
	complete -p "$name" >/dev/null || fail "$name is not completed"
	COMP_WORDS=("$name" --) COMP_CWORD=1
	_faa "$name"
	offered=" ${COMPREPLY[*]} "
	mapfile -t options < <("$tool" --help | sed -nE 's/^ +(-.*, *)?(--[a-z-]+)(\[?=)?.*/\2/p')
	[ "${#options[@]}" -ge 3 ] || fail "$name --help lists ${options[*]}"
	for option in "${options[@]}"; do
		[[ $offered == *" $option "* || $offered == *" $option= "* ]] || fail "$name: $option is not offered: $offered"
	done
	while read -r option values; do
		mapfile -t values < <(tr '|' '\n' <<<"$values" | sort)
		offers "${values[@]}" -- "$name" "$option" = ''
	done < <("$tool" --help | sed -nE 's/^ +(-.*, *)?(--[a-z-]+)\[?=([a-z]+(\|[a-z]+)+).*/\2 \3/p')
done
