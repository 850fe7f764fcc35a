#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Configures the build directory $FAA_BUILD (default: build/) with Meson for one of three uses.
#
#   configure.sh run     without tests/, unless the directory is already configured
#   configure.sh test    with tests/, also in a configured directory; a missing package that the
#                        tests need is an error
#   configure.sh install PREFIX [OPTIONS]   $FAA_BUILD-system, for `make install`: parts whose
#                        packages are missing are left out; OPTIONS are those of Meson, like
#                        -Dexamples=disabled
#
# With CI in the environment, compiler warnings are errors.
set -euo pipefail

top=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
build=${FAA_BUILD:-$top/build}
use=${1:-}

# Whether the directory is configured; a failed first configuration does not count.
configured() {
	[ -f "$build/build.ninja" ]
}

# has_option NAME VALUE: whether a Meson option has this value, as JSON, in a configured directory.
has_option() {
	/usr/bin/python3 - "$build/meson-info/intro-buildoptions.json" "$@" <<-'END'
		import json, sys
		path, name, value = sys.argv[1:]
		options = {option["name"]: option["value"] for option in json.load(open(path, encoding="utf-8"))}
		sys.exit(0 if options.get(name) == json.loads(value) else 1)
	END
}

# Meson's output is shown only on failure.
meson_setup() {
	local log

	mkdir -p "$build/log"
	log=$build/log/meson-$use.log
	meson setup "$build" "$top" "$@" ${CI:+--werror} >"$log" 2>&1 || {
		cat "$log" >&2
		echo "configure: Meson failed; the log is $log" >&2
		exit 1
	}
}

# The package directory of Debian's Python in /usr/local, which Meson does not know; empty
# elsewhere.
local_python() {
	/usr/bin/python3 - <<-'END'
		import sysconfig
		if "posix_local" in sysconfig.get_scheme_names():
		    print(sysconfig.get_path("purelib", "posix_local"))
	END
}

# The prefix is the build directory; programs run in place.
tree=(--prefix="$build" --libdir=lib -Din_tree=true -Dsim=enabled -Dexamples=enabled -Dman=disabled)

case $use in
run)
	if ! configured; then
		meson_setup "${tree[@]}"
	elif ! has_option in_tree true; then
		# It was configured before the option existed.
		meson_setup --reconfigure "${tree[@]}"
	fi
	;;
test)
	if ! configured; then
		meson_setup "${tree[@]}" -Dtests=enabled
	elif ! has_option tests '"enabled"' || ! has_option in_tree true; then
		meson_setup --reconfigure "${tree[@]}" -Dtests=enabled
	fi
	;;
install)
	prefix=${2:?configure: install needs a prefix}
	shift 2
	build=$build-system
	purelib=
	[ "$prefix" != /usr/local ] || purelib=$(local_python)
	if ! configured; then
		meson_setup --prefix="$prefix" -Dpython.purelibdir="$purelib" "$@"
	else
		meson configure "$build" -Dprefix="$prefix" -Dpython.purelibdir="$purelib" "$@"
	fi
	;;
*)
	echo "configure: use run, test or install, not '$use'" >&2
	exit 1
	;;
esac
