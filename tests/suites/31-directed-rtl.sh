#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
# inputs: rtl sim userspace uapi Documentation/spec meson.build meson_options.txt $build/meson-info/intro-buildoptions.json
# inputs: tests/meson.build tests/cosim tests/vectors tests/unit/frontends
#
# The directed tests on the verilated RTL, and what the vISA assembler emits.
set -u
# shellcheck source=tests/supervised.sh
. "$(dirname "$0")/../supervised.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
# Ten tests build other devices of the model, or look into it.
exec "$top/tests/cosim/run-directed.sh" rtl "-rtl" 10 visa
