#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make-deb.sh [DIRECTORY]: the Debian packages of this tree, in DIRECTORY (default: build-deb),
# which is emptied first. dpkg-buildpackage builds them in a copy of the tracked files, so the tree
# stays clean. The kernel and the verilated device come from $FAA_CACHE if they were built before.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/..")
out=$(realpath -m "${1:-$top/build-deb}")
export FAA_CACHE=${FAA_CACHE:-$HOME/.cache/faa}
# shellcheck source=sim/setup/progress.sh
. "$top/sim/setup/progress.sh"

source=$out/faa
# Debian's python3 and compilers first in the path.
export PATH=/usr/bin:$PATH
# ccache finds the objects of earlier packages.
export CCACHE_DIR=${CCACHE_DIR:-$FAA_CACHE/ccache} CCACHE_BASEDIR=$source CCACHE_NOHASHDIR=1
unset MAKEFLAGS MAKELEVEL MFLAGS

rm -rf "$out"
mkdir -p "$source"
cd "$top"
git -c safe.directory='*' ls-files -z | xargs -0 cp -P --parents -t "$source"
cd "$source"
progress "packages" '^(\[|dh_|   dh_)' steps "$out/log" \
	nice dpkg-buildpackage -us -uc -b -j"$(nproc)"
rm -rf "$source"
ls -1 "$out"/*.deb
