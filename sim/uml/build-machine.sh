#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build-machine.sh: builds the kernel and the driver of the simulated machine in $FAA_BUILD, for an
# installation. The kernel comes from $FAA_CACHE if it is there.
set -eu

here=$(dirname "$(readlink -f "$0")")
: "${FAA_BUILD:?names the build directory}"

kernel=$("$here/build-kernel.sh" plain)
ln -sfn "$kernel" "$FAA_BUILD/kernel-plain"
"$here/build-module.sh" plain
