#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
# generated: faa_pkg.sv faa_isa.h
# inputs: rtl/lib rtl/lanes rtl/shared rtl/float rtl/cu/faa_cu_pkg.sv rtl/faa_assert.svh
# inputs: tests/rtl/mutate tests/rtl/shared_tb.cpp tests/rtl/shared_cycles.txt tests/codeof.py
#
# Mutation score of the shared memory unit's tests: the testbench of suite 34 finds at least 95 % of
# the changes of single bits in the unit's netlist that make a difference
# (tests/rtl/mutate/score.sh). FAA_LONG=1 tests 400 changes; else score.txt has the result of 400,
# and where it was recorded for other RTL or tests, 60 are tested.
set -u
. "$(dirname "$0")/../tap.sh"

score() {
	local status=0

	"$top/tests/rtl/mutate/score.sh" "${FAA_LONG:+400}" >"$build/mutation.log" 2>&1 || status=$?
	cat "$build/mutation.log"
	return "$status"
}

comments_do_not_count() {
	/usr/bin/python3 -B - "$top/tests/rtl/mutate" "$build/mutation" <<-'END'
		import os, sys
		sys.path.insert(0, sys.argv[1])
		import mutate
		same = {".sv": ("assign a = b;  // why", "// head\nassign  a = b;"),
		        ".cpp": ('puts("// a");', 'puts("// a"); /* why */'),
		        ".py": ('"""Head."""\na = "b"', '"""A head."""\na = "b"  # why')}
		other = {".sv": "assign a = c;", ".cpp": 'puts("// b");', ".py": 'a = "c"'}
		def digest(kind, text):
		    path = sys.argv[2] + kind
		    with open(path, "w", encoding="utf-8") as file:
		        file.write(text)
		    try:
		        return mutate.code_digest([path])
		    finally:
		        os.remove(path)
		for kind, texts in same.items():
		    digests = {digest(kind, text) for text in texts}
		    assert len(digests) == 1, kind
		    assert digest(kind, other[kind]) not in digests, kind
	END
}

mkdir -p "$build"
check "the hash of the recorded score is that of the code" comments_do_not_count
check "at least 95 % of the mutants of the shared memory unit are found" score
grep '^# [0-9]* mutants: \|^# survived' "$build/mutation.log"
finish
