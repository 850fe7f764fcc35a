#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# modules: faa_top
# inputs: rtl/faa.f rtl/regs spec meson.build meson_options.txt
# inputs: sim/meson.build sim/include sim/model sim/vpci sim/vdev
# inputs: $build/meson-info/intro-buildoptions.json
# inputs: tests/meson.build tests/cosim/meson.build tests/cosim/tb_* tests/cosim/lockstep*
# inputs: tests/fuzz/meson.build tests/fuzz/fuzz_engine.c
#
# Random streams on the C model (with sanitizers) and on the RTL: nothing hangs, no access leaves
# its VM, every status record is consistent. FAA_SEED and FAA_FUZZ_SECONDS choose other streams.
set -u
. "$(dirname "$0")/../tap.sh"
dir=${FAA_BUILD_DIR:-${FAA_BUILD:-$top/build}}/tests/fuzz
seed=${FAA_SEED:-1}
seconds=${FAA_FUZZ_SECONDS:-120}

check "streams on the model" "$dir/fuzz-engine" --seed="$seed" --rounds=5000 --seconds="$seconds"
check "registers of the model" "$dir/fuzz-engine" --mmio --seed="$seed" --rounds=5000 --seconds="$seconds"
check "streams on the RTL" "$dir/fuzz-engine-rtl" --engine=rtl --seed="$seed" --rounds=200 --seconds="$seconds"
finish
