#!/bin/bash
# SPDX-License-Identifier: MIT
#
# minimal-root.sh RELEASE DIRECTORY COMMAND...: runs the commands, one after the other, in a fresh
# clone of this checkout's HEAD, as root of a new minimal Debian root that has nothing but make:
# RELEASE is bookworm or trixie, DIRECTORY holds the root and is removed first. tests/roots/root.sh
# describes its contents.
set -euo pipefail

top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
# shellcheck source=tests/roots/root.sh
. "$top/tests/roots/root.sh"

die() {
	echo "minimal-root: $*" >&2
	exit 1
}

[ "$#" -ge 3 ] || die "use: minimal-root.sh RELEASE DIRECTORY COMMAND..."
release=$1
root=$(realpath -m "$2")
shift 2
command -v mmdebstrap >/dev/null || die "needs the package mmdebstrap"
root_make "$release" "$root" make,ca-certificates
git -c safe.directory='*' clone --quiet "$top" "$root/srv/faa"
for command; do
	echo "minimal-root: $release: $command"
	start=$SECONDS
	root_enter "$root" bash -c "cd /srv/faa && $command" || die "$release: '$command' ended with status $?"
	echo "minimal-root: $release: $command took $((SECONDS - start)) s"
done
