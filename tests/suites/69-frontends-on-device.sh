#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
#
# Code in the languages of the front ends on both engines: SPIR-V kernels.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
bin=$build/bin
engines=${FAA_ENGINES:-model rtl}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for engine in $engines; do
	# shellcheck source=tests/e2e/spirv_on_device.sh
	. "$top/tests/e2e/spirv_on_device.sh"
done
finish
