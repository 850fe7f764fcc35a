# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Completion of the tools for bash: options come from --help, values of options with few of them are
# listed, everything else is a file. A command follows the options of faa-run.

# _faa_values OPTION: the values of an option; none if there are many.
_faa_values() {
	case $1 in
	--engine | -e) echo rtl model ;;
	--kernel | -k) echo plain debug ;;
	--syntax | -s) echo sass visa ptx ;;
	--format | -f) echo text hex bundle cisa ;;
	esac
}

# _faa_words TEXT WORD...: COMPREPLY gets the words that begin with TEXT.
_faa_words() {
	local text=$1
	shift
	mapfile -t COMPREPLY < <(compgen -W "$*" -- "$text")
}

# _faa_command INDEX: whether the word before INDEX is the command of faa-run or an argument of it.
_faa_command() {
	local index word skip=

	for ((index = 1; index < $1; index++)); do
		word=${COMP_WORDS[index]}
		if [ -n "$skip" ]; then
			skip=
		elif [ "$word" = = ]; then
			skip=1
		elif [[ $word != -* ]]; then
			echo "$index"
			return
		fi
	done
}

_faa() {
	local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} values

	COMPREPLY=()
	if [ "${1##*/}" = faa-run ] && [[ $current != -* ]] && [ "$option" != = ] && [[ $option != -[a-z] ]]; then
		if [ -n "$(_faa_command "$COMP_CWORD")" ]; then
			compopt -o filenames
			mapfile -t COMPREPLY < <(compgen -f -- "$current")
		else
			mapfile -t COMPREPLY < <(compgen -c -- "$current")
		fi
		return
	fi
	# The shell takes --option=value apart.
	if [ "$current" = = ]; then
		current=
	elif [ "$option" = = ]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	values=$(_faa_values "$option")
	if [ -n "$values" ]; then
		# shellcheck disable=SC2086 # words
		_faa_words "$current" $values
	elif [[ $current == -* ]]; then
		# shellcheck disable=SC2046 # words
		_faa_words "$current" $("$1" --help 2>/dev/null | grep -oE -- '(^|[ ,])--[a-z][a-z-]*=?' | tr -d ' ,')
		[[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace
	else
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
	fi
}

complete -F _faa faa-as faa-dis faa-exec faa-info faa-rsh faa-run faa-serve faa-spirv faa-surface faa-top faa-vdev
