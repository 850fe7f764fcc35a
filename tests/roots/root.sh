# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Debian roots to test in; sourced. Needs mmdebstrap and the right to mount.
#
# A root has the release, its updates and its security updates, as an installed Debian has.
# FAA_DEBIAN_MIRROR names the mirror of .../debian (default: the host's); security updates come from
# .../debian-security beside it. The host's settings for package registries (apt, pip, certificates)
# are copied.

root_mirror() {
	local found

	found=$(sed -nE 's/^(deb +(\[[^]]*\] +)?|URIs: *)(http[^ ]*\/debian)\/? .*/\3/p; s/^URIs: *(http[^ ]*\/debian)\/?$/\1/p' \
		/etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
	echo "${FAA_DEBIAN_MIRROR:-${found:-http://deb.debian.org/debian}}"
}

# root_copy_settings ROOT: copies the host's settings for package registries.
root_copy_settings() {
	local file

	for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt /etc/apt/apt.conf.d/*registry* /etc/apt/apt.conf.d/*proxy*; do
		[ -f "$file" ] || continue
		mkdir -p "$1$(dirname "$file")"
		cp -L "$file" "$1$file"
	done
}

# root_make RELEASE ROOT PACKAGE,...: a new root at ROOT, which is removed first.
root_make() {
	local release=$1 root=$2 base

	base=$(root_mirror)
	rm -rf "$root"
	mkdir -p "$root"
	mmdebstrap --quiet --variant=minbase --aptopt='APT::Sandbox::User "root"' --include="$3" "$release" "$root" \
		"deb $base $release main" "deb $base $release-updates main" "deb $base-security $release-security main"
	root_copy_settings "$root"
	echo 'APT::Sandbox::User "root";' >"$root/etc/apt/apt.conf.d/90sandbox"
	mkdir -p "$root/srv/home"
}

# root_enter ROOT COMMAND...: runs a command in mount and process namespaces of its own; its mounts
# and processes end with it.
root_enter() {
	local settings

	mapfile -t settings < <(env | grep -E '^(PIP_|[a-z]*_proxy=|[A-Z]*_PROXY=|CI=|FAA_LONG=)' || true)
	unshare --mount --pid --fork --kill-child bash -euc '
		root=$1
		shift
		mount -t proc proc "$root/proc"
		mount --rbind /sys "$root/sys"
		mount --rbind /dev "$root/dev"
		exec chroot "$root" "$@"' enter "$1" env -i HOME=/srv/home PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
		"${settings[@]}" "${@:2}"
}
