#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The assembly languages without a device: unit tests plain and with sanitizers, vectors, the
# programs, kept inputs of fuzzing. With FAA_LONG=1 ptxas judges the statements of PTX anew, those
# of libcu++'s headers are read, and NVRTC compiles the CUDA kernels: all from PyPI
# (tests/requirements-long.txt).
# timeout: 1800
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

unit=$build/tests/unit/frontends
fuzz=$top/tests/fuzz/frontends
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

for source in "$top"/tests/unit/frontends/test_*.c; do
	name=$(basename "$source" .c)
	for variant in "" _asan; do
		check "assembly: ${name#test_}${variant:+ with sanitizers}" "$unit/test_frontend_${name#test_}$variant"
	done
done
for source in "$fuzz"/*.c; do
	name=$(basename "$source" .c)
	[ "$name" != replay ] || continue
	check "fuzzing: kept inputs of $name" "$build/tests/fuzz/frontends/replay-$name" "$fuzz/corpus/$name"
done
check "tools: faa-as and faa-dis" "$top/tests/unit/frontends/tools.sh" "$build/bin"
check "tools: faa-exec without a device" "$top/tests/unit/frontends/exec.sh" "$build/bin"
check_or_skip "visa: GenX_IR reads text and files" "$top/tests/unit/frontends/genx.sh" "$build/bin" "$top/tests/vectors/visa"
check "visa: random programs on the model" "$build/tests/cosim/directed-visa"
forms=$top/tests/unit/frontends/ptx_forms.py
answers=$top/tests/vectors/ptx/forms.txt
check "ptx: statements that ptxas has judged" python3 "$forms" check "$answers" "$unit/ptx_forms"
kernels=$top/tests/unit/frontends/ptx_kernels.py
check "ptx: CUDA kernels that NVRTC has compiled" python3 "$kernels" check "$top/tests/vectors/ptx/kernels" "$build/bin/faa-as"
if [ -n "${FAA_LONG:-}" ]; then
	"$top/sim/setup/setup.sh" long
	packages=$(echo "$("$top/sim/setup/setup.sh" --print-venv long)"/lib/python3*/site-packages/nvidia)
	check "ptx: ptxas judges as recorded" python3 "$forms" live "$answers" "$packages/cuda_nvcc/bin/ptxas"
	check "ptx: statements of libcu++" python3 "$forms" headers "$packages/cuda_cccl/include" "$unit/ptx_forms"
	check "ptx: CUDA kernels, compiled now" python3 "$kernels" live "$top/tests/vectors/ptx/kernels" "$packages/cuda_nvrtc/lib/libnvrtc.so.12" "$build/bin/faa-as"
fi
finish
