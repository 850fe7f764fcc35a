#!/bin/bash
# SPDX-License-Identifier: MIT
#
# SPIR-V without a device: validation of the vectors, a module for each rule, the output of
# glslangValidator; kernels through the library, on the model in the same process.
# timeout: 1800
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

here=$top/tests/unit/frontends
tool=$build/bin/faa-spirv

check "SPIR-V: the modules of the vectors are accepted" "$here/spirv.sh" valid "$tool" "$top/tests/vectors/spirv"
check "SPIR-V: modules that break a rule are refused in the words of SPIRV-Tools" "$here/spirv.sh" invalid "$tool" "$top/tests/vectors/spirv"
check "SPIR-V: the grammar's tables are the same of old and new spellings" "$here/spirv_grammar.py"
check "SPIR-V: a module for each rule, and neighbours that break none" "$here/spirv_rules.py" "$tool"
check "SPIR-V: memory semantics in all combinations" "$here/spirv_semantics.py" "$tool"
check "SPIR-V: uses and the definitions that dominate them, random control flow" "$here/spirv_dominators.py" "$tool"
check "SPIR-V: what glslangValidator compiles is accepted" "$here/spirv.sh" glsl "$tool" "$top/tests/vectors/spirv"
for variant in "" _asan; do
	check "SPIR-V: kernels through the library${variant:+ with sanitizers}, on the model" "$build/tests/unit/spirv/test_spirv_run$variant"
done
check "SPIR-V: kernels with every instruction of the interpreter, as compiled and optimized, on the model with sanitizers" "$top/tests/unit/spirv/kernels.py" "$build/tests/unit/spirv/model_spirv_asan"
check "SPIR-V: kinds, scopes and orders of the commands" "$top/tests/unit/spirv/commands.py" "$build/tests/unit/spirv/model_spirv_commands"
check "SPIR-V: what cannot be run is named" "$top/tests/unit/spirv/refused.py" "$build/tests/unit/spirv/model_spirv_asan"
check "SPIR-V: large modules take time in proportion to their size" "$top/tests/unit/spirv/large.py" "$tool" "$build/tests/unit/spirv/model_spirv"
check "SPIR-V: faa-spirv's command line" "$here/spirv.sh" tools "$tool" "$top/tests/vectors/spirv"
finish
