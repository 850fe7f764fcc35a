# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For build-module.sh and user-module.sh.

# Moves the debugger's symbols of the module x.ko to x.debug: a guest reads x.ko as a whole.
split_symbols() { # MODULE
	if readelf -SW "$1" | grep -q ' \.debug_info '; then
		objcopy --only-keep-debug "$1" "${1%.ko}.debug"
		strip --strip-debug "$1"
	fi
}
