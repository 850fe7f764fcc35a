#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install-machine.sh DIRECTORY: called by Meson to install the kernel and the driver of the
# simulated machine to DIRECTORY below the prefix. sim/uml/build-machine.sh builds them in the build
# directory; faa-run reports if they are missing.
set -eu

build=$MESON_BUILD_ROOT
to=$MESON_INSTALL_DESTDIR_PREFIX/$1
kernel=$build/kernel-plain
module=$build/kmod-plain/faa.ko

if [ ! -e "$kernel/linux" ] || [ ! -e "$module" ]; then
	echo "faa: kernel and driver are not built ('make install' does): faa-run will not run" >&2
	exit
fi
install -d "$to/kernel-plain/modules" "$to/kmod-plain"
install -m 755 "$kernel/linux" "$to/kernel-plain/linux"
install -m 644 "$kernel"/modules/*.ko "$to/kernel-plain/modules/"
install -m 644 "$module" "$to/kmod-plain/faa.ko"
strip --strip-all "$to/kernel-plain/linux"
strip --strip-debug "$to/kmod-plain/faa.ko"
