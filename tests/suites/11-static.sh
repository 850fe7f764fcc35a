#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
#
# The repository as text: licences, formatting, generated files. The RTL (14-rtl-lint) and the
# driver (15-driver-static: checkpatch, sparse, kernel-doc) have suites of their own.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
static=$top/tests/static

check "every file names its licence" "$static/spdx.py"
check "REUSE 3.0" reuse --root "$top" lint
check "no leftovers, no paths of one machine" "$static/text.py"
check "prose.py finds each kind of finding" env PYTHONDONTWRITEBYTECODE=1 "$static/prose_test.py"
check "comments, messages and pages follow Documentation/writing.rst" "$static/prose.py"
check "stalls.py finds each kind of error" env PYTHONDONTWRITEBYTECODE=1 "$static/stalls_test.py"
check "each number of a stall or hazard is defined once" "$static/stalls.py"
check "prefix.py finds each kind of name" env PYTHONDONTWRITEBYTECODE=1 "$static/prefix_test.py"
check "kept.py depends on the versions of what is used" env PYTHONDONTWRITEBYTECODE=1 "$top/tests/kept_test.py"
check "statics have the prefix of their unit" "$static/prefix.py"
check "subjects of commits" "$static/subjects.sh"
check "clang-format" "$static/format.sh"
check "shellcheck" "$static/scripts.sh" shell
check "pyflakes" "$static/scripts.sh" python
check "suites follow the rules of the runner" "$static/suites.sh"
check "the generator gives the same bytes every time" "$static/generated.sh" spec
check "the builds: package, parameters of faa_top, contradictions" "$static/generated.sh" builds
check "PeakRDL's files are those of faa_regs.rdl" "$static/generated.sh" regs
finish
