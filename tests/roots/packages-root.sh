#!/bin/bash
# SPDX-License-Identifier: MIT
#
# packages-root.sh RELEASE DIRECTORY: a root of RELEASE at DIRECTORY in which the packages of `make
# deb` can be installed without a network: with a C compiler, their dependencies, and in
# /srv/headers the package of the kernel's headers. The root is kept in $FAA_CACHE/roots for two
# weeks, 600 MB.
set -euo pipefail

top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
# shellcheck source=tests/roots/root.sh
. "$top/tests/roots/root.sh"

release=$1
root=$(realpath -m "$2")
cache=${FAA_CACHE:-$HOME/.cache/faa}/roots
keep_days=14
# Packages of a C programmer, the dependencies of the project's packages and of the kernel's
# headers, and a reader for manual pages.
packages=ca-certificates,gcc,libc6-dev,pkg-config,libdrm-dev,libpng16-16,libstdc++6,python3-numpy
packages+=,python3-cffi,dkms,kmod,linux-base,man-db,libjs-sphinxdoc,bash-completion
# The packages of MPI are for the release that they are built on.
[ "$release" != "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" ] || packages+=,openmpi-bin,libopenmpi-dev

# The headers of the newest 6.12 kernel. Their package depends on the kernel's image, which is not
# booted here: it is kept as a file, and its build dependencies are installed.
add_headers() {
	root_enter "$root" bash -euc '
		apt-get -q update
		package=$(apt-cache depends linux-headers-6.12-amd64 linux-headers-amd64 2>/dev/null |
			awk "/^ *Depends: linux-headers-6\\.12.*-amd64\$/ && !found { print \$2; found = 1 }")
		abi=${package#linux-headers-}
		DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends \
			"linux-headers-${abi%-amd64}-common" "linux-kbuild-${abi%-amd64}"
		mkdir -p /srv/headers
		cd /srv/headers
		apt-get -q download "$package"
		apt-get clean
		rm -rf /var/lib/apt/lists/*'
}

key=$(echo "$packages $(declare -f)" | sha256sum | cut -c1-16)
kept=$cache/$release-$key.tar
mkdir -p "$cache"
find "$cache" -type f -mtime +"$keep_days" -delete
if [ ! -e "$kept" ]; then
	root_make "$release" "$root" "$packages"
	add_headers
	tar -C "$root" --one-file-system -cf "$kept.$$" .
	mv "$kept.$$" "$kept"
else
	rm -rf "$root"
	mkdir -p "$root"
	tar -C "$root" -xf "$kept"
fi
