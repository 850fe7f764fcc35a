#!/bin/bash
# SPDX-License-Identifier: MIT
#
# minimal-root.sh RELEASE DIRECTORY COMMAND...: runs the commands, one after the other, in a fresh clone of this checkout's HEAD, as root of
# a new minimal Debian root that has nothing but make: RELEASE is bookworm or trixie, DIRECTORY holds the root and is removed first.
#
# The root has the release, its updates and its security updates, as an installed Debian has.
#
# Needs mmdebstrap and the right to mount. FAA_DEBIAN_MIRROR names the mirror of .../debian (default: that of this machine); security
# updates come from .../debian-security beside it. Settings of this machine
# for reaching the registries (apt's, pip's, certificates) are copied.
set -euo pipefail

top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)

die() {
	echo "minimal-root: $*" >&2
	exit 1
}

mirror() {
	local found

	found=$(sed -nE 's/^(deb +(\[[^]]*\] +)?|URIs: *)(http[^ ]*\/debian)\/? .*/\3/p; s/^URIs: *(http[^ ]*\/debian)\/?$/\1/p' \
		/etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
	echo "${FAA_DEBIAN_MIRROR:-${found:-http://deb.debian.org/debian}}"
}

# Copies the settings with which this machine reaches the package registries.
copy_settings() {
	local file

	for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt /etc/apt/apt.conf.d/*registry* /etc/apt/apt.conf.d/*proxy*; do
		[ -f "$file" ] || continue
		mkdir -p "$root$(dirname "$file")"
		cp -L "$file" "$root$file"
	done
}

# Inside a mount and process namespace of its own: what is mounted, and what runs, goes with it.
enter() {
	unshare --mount --pid --fork --kill-child bash -euc '
		root=$1
		shift
		mount -t proc proc "$root/proc"
		mount --rbind /sys "$root/sys"
		mount --rbind /dev "$root/dev"
		exec chroot "$root" "$@"' enter "$root" env -i HOME=/srv/home PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
		"${settings[@]}" "$@"
}

[ "$#" -ge 3 ] || die "use: minimal-root.sh RELEASE DIRECTORY COMMAND..."
release=$1
root=$(realpath -m "$2")
shift 2
command -v mmdebstrap >/dev/null || die "needs the package mmdebstrap"
mapfile -t settings < <(env | grep -E '^(PIP_|[a-z]*_proxy=|[A-Z]*_PROXY=|CI=|FAA_LONG=)' || true)
rm -rf "$root"
mkdir -p "$root"
base=$(mirror)
mmdebstrap --quiet --variant=minbase --aptopt='APT::Sandbox::User "root"' --include=make,ca-certificates "$release" "$root" \
	"deb $base $release main" "deb $base $release-updates main" "deb $base-security $release-security main"
copy_settings
echo 'APT::Sandbox::User "root";' >"$root/etc/apt/apt.conf.d/90sandbox"
mkdir -p "$root/srv/home"
git -c safe.directory='*' clone --quiet "$top" "$root/srv/faa"
for command; do
	echo "minimal-root: $release: $command"
	start=$SECONDS
	enter bash -c "cd /srv/faa && $command" || die "$release: '$command' ended with status $?"
	echo "minimal-root: $release: $command took $((SECONDS - start)) s"
done
