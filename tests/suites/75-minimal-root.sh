#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 21600
# kernel
# long
#
# The README's commands in a fresh clone on Debian 12 and 13 with only make installed
# (tests/roots/minimal-root.sh).
set -uo pipefail
. "$(dirname "$0")/../tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for release in bookworm trixie; do
	check "$release: make run, make test, and no kernel of Debian came with them" "$top/tests/roots/minimal-root.sh" "$release" "$tmp/root" "make run" "FAA_LONG= make test" \
		'! ls /boot/vmlinuz* # no kernel that the machine would boot'
done
finish
