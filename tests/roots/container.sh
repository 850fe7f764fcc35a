#!/bin/bash
# SPDX-License-Identifier: MIT
#
# container.sh RELEASE FILE ROOT: executes the Containerfile FILE in a fresh root of a Debian
# release, which is the image of FROM: ENV, COPY from the checkout, RUN. Other instructions are
# errors.
set -euo pipefail

top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
# shellcheck source=tests/roots/root.sh
. "$top/tests/roots/root.sh"

release=$1 file=$2
root=$(realpath -m "$3")
env=()

copy() { # SOURCE... TARGET
	local target=$root${*: -1} pattern

	mkdir -p "$target"
	for pattern in "${@:1:$#-1}"; do
		# shellcheck disable=SC2086 # patterns of file names
		cp -r "$top"/$pattern "$target/"
	done
}

# Instructions on a line each, without comments
instructions() {
	sed -e '/^#/d' -e :a -e '/\\$/N; s/\\\n//; ta' -e '/^[[:space:]]*$/d' "$1"
}

root_make "$release" "$root" ca-certificates
instructions "$file" | while read -r name rest; do
	echo "$name $rest"
	case $name in
	FROM) ;;
	ENV) env+=("$rest") ;;
	COPY)
		# shellcheck disable=SC2086 # words
		copy $rest
		;;
	RUN) root_enter "$root" env "${env[@]}" sh -c "$rest" </dev/null ;;
	*) echo "$file: what is $name?"; exit 1 ;;
	esac
done
printf '%s\n' "$(instructions "$file" | sed -n 's/^ENV //p')" >"$root/srv/environment"
