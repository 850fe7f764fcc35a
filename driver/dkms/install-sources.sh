#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# install-sources.sh VERSION BUILD DIRECTORY: the driver as DKMS builds it, in
# DIRECTORY/faa-VERSION. The generated header comes from the Meson build directory BUILD, so no
# generator has to be installed. It is in spec/: Kbuild removes generated/ when it cleans, which
# DKMS does before it builds.
set -eu

top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
version=$1
generated=$2/spec/faa_isa.h
to=$3/faa-$version

[ -e "$generated" ] || { echo "install-sources: $generated is missing; 'ninja' makes it" >&2; exit 1; }
rm -rf "$to"
install -d "$to/driver" "$to/uapi/drm" "$to/rtl/regs" "$to/spec"
install -m 644 "$top/Kbuild" "$to/"
install -m 644 "$top"/driver/*.[ch] "$to/driver/"
install -m 644 "$top"/uapi/drm/*.h "$to/uapi/drm/"
install -m 644 "$top/rtl/regs/faa_regs.h" "$to/rtl/regs/"
install -m 644 "$generated" "$to/spec/"
sed "s/@VERSION@/$version/" "$top/driver/dkms/dkms.conf.in" >"$to/dkms.conf"
