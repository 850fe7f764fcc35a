#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# alone
#
# Packages, tools and kernels outside the checkout: nothing is installed or built twice, and names
# follow content. The configuration that `make run` and `make test` choose, and the suites of
# Meson's tests. The counting of skipped tests.
set -uo pipefail
. "$(dirname "$0")/../tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
kernel=$top/sim/uml/build-kernel.sh
setup=$top/sim/setup/setup.sh

# With everything installed: no output, and done within ten seconds.
setup_is_idle() {
	local start=$SECONDS out

	out=$("$setup" "$1" 2>&1) && [ -z "$out" ] && [ $((SECONDS - start)) -le 10 ] || { echo "$out"; return 1; }
}

# copy_setup LINE: a copy of the set-up in $tmp/setup whose list of packages has one more line.
copy_setup() {
	rm -rf "$tmp/setup"
	mkdir -p "$tmp/setup/sim/setup"
	cp "$top"/sim/setup/* "$tmp/setup/sim/setup/"
	echo "$1" >>"$tmp/setup/sim/setup/packages-run.txt"
	chmod -R a+rX "$tmp"
}

# One of two names is enough: releases name a package differently.
setup_takes_alternatives() {
	local out

	copy_setup "no-such-package-of-faa | make"
	out=$("$tmp/setup/sim/setup/setup.sh" run 2>&1) && [ -z "$out" ] || { echo "$out"; return 1; }
}

# A package that the release does not have is named before anything is installed.
setup_names_unknown() {
	local out

	copy_setup "no-such-package-of-faa | nor-this-one"
	out=$("$tmp/setup/sim/setup/setup.sh" run 2>&1) && return 1
	echo "$out"
	grep -q "does not have the packages no-such-package-of-faa|nor-this-one;" <<<"$out"
}

# Where there is no dpkg the packages are named, and the build continues.
setup_goes_on_elsewhere() {
	local out name

	mkdir -p "$tmp/bin"
	for name in bash dirname readlink sed env; do
		ln -sf "$(command -v "$name")" "$tmp/bin/$name"
	done
	out=$(PATH=$tmp/bin "$setup" run 2>&1) || { echo "$out"; return 1; }
	echo "$out"
	grep -q "not Debian.* verilator" <<<"$out" && [ "$(wc -l <<<"$out")" -eq 1 ]
}

# A user who may not install packages is told which are missing.
setup_names_missing() {
	local out

	copy_setup no-such-package-of-faa
	out=$(setpriv --reuid=65534 --clear-groups env HOME=/nonexistent "$tmp/setup/sim/setup/setup.sh" run 2>&1) && return 1
	echo "$out"
	grep -q "missing: no-such-package-of-faa" <<<"$out"
}

# Two checkouts that are set up at the same time make one environment for Python, and both succeed.
setup_waits_for_another() {
	local first second

	copy_setup make
	mkdir "$tmp/setup/tests"
	echo "# no packages" >"$tmp/setup/tests/requirements-long.txt"
	cp "$top/tests/yosys.py" "$tmp/setup/tests/"
	FAA_CACHE=$tmp/cache "$tmp/setup/sim/setup/setup.sh" long >>"$tmp/both" 2>&1 &
	first=$!
	FAA_CACHE=$tmp/cache "$tmp/setup/sim/setup/setup.sh" long >>"$tmp/both" 2>&1 &
	second=$!
	wait "$first" && wait "$second" && [ "$(grep -c "for the tests go to" "$tmp/both")" -eq 1 ] || {
		cat "$tmp/both"
		return 1
	}
}

lists_are_sorted_out() {
	local twice

	twice=$(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$top"/sim/setup/packages-*.txt | sort | uniq -d)
	[ -z "$twice" ] || { echo "listed twice: $twice"; return 1; }
}

# A second call builds nothing and prints the same directory.
kernel_is_cached() {
	local first second start=$SECONDS

	first=$("$kernel" "$1") && second=$("$kernel" "$1") && [ $((SECONDS - start)) -le 20 ] &&
		[ "$first" = "$second" ] && [ -x "$first/linux" ] && [ "$first" = "$("$kernel" --print-dir "$1")" ]
}

# A copy of the scripts in another place has the same kernel; a changed configuration has another.
kernel_name_follows_content() {
	local here copy changed

	mkdir -p "$tmp/copy/sim"
	cp -r "$top/sim/uml" "$top/sim/setup" "$tmp/copy/sim/"
	here=$("$kernel" --print-dir debug)
	copy=$("$tmp/copy/sim/uml/build-kernel.sh" --print-dir debug)
	echo "CONFIG_DEBUG_LIST=n" >>"$tmp/copy/sim/uml/config/debug.config"
	changed=$("$tmp/copy/sim/uml/build-kernel.sh" --print-dir debug)
	echo "$here $copy $changed"
	[ "$here" = "$copy" ] && [ "$here" != "$changed" ]
}

flavours_differ() {
	[ "$("$kernel" --print-dir plain)" != "$("$kernel" --print-dir debug)" ]
}

unknown_flavour_fails() {
	local out

	out=$("$kernel" fast 2>&1) && return 1
	grep -q "unknown flavour 'fast'" <<<"$out"
}

# A directory that an interrupted build left is never taken for a kernel.
no_half_built_kernel() {
	local dir

	for dir in "$(dirname "$("$kernel" --print-dir plain)")"/[!.]*; do
		[ -x "$dir/linux" ] && [ -e "$dir/Module.symvers" ] || { echo "$dir is not whole"; return 1; }
	done
}

# A directory for PATH with which Meson finds no cmocka, as on a machine where `make test` has never
# run.
hide_cmocka() {
	mkdir -p "$tmp/hidden"
	cat >"$tmp/hidden/pkg-config" <<-END
		#!/bin/sh
		case " \$* " in *" cmocka "*) exit 1 ;; esac
		exec $(command -v pkg-config) "\$@"
	END
	printf '#!/bin/sh\nexit 1\n' >"$tmp/hidden/cmake"
	chmod +x "$tmp"/hidden/*
}

# configure run|test: in a build directory of its own, with the variables of the environment.
configure() {
	CI='' FAA_BUILD=$tmp/build "$top/sim/setup/configure.sh" "$1" 2>&1
}

# The programs and libraries that the build directory makes, below it.
targets() {
	meson introspect --targets "$tmp/build" | /usr/bin/python3 -c '
import json, os, sys
for target in json.load(sys.stdin):
    for name in target["filename"]:
        print(os.path.relpath(name, sys.argv[1]))' "$tmp/build"
}

run_is_configured_without_tests() {
	PATH=$tmp/hidden:$PATH configure run || return 1
	targets >"$tmp/targets"
	grep '^tests/' "$tmp/targets" && return 1
	for program in sim/uml/faa-run sim/uml/faa-init sim/vdev/faa-vdev userspace/examples/histogram; do
		grep -qx "$program" "$tmp/targets" || { echo "$program is not built"; return 1; }
	done
}

test_names_the_missing_package() {
	local out

	out=$(PATH=$tmp/hidden:$PATH configure test) && { echo "configured without cmocka"; return 1; }
	echo "$out"
	grep -q 'ERROR: Dependency "cmocka" not found' <<<"$out"
}

test_adds_the_tests() {
	configure test || return 1
	targets >"$tmp/targets"
	for program in unit/lib/test_lib_va unit/frontends/test_frontend_ptx unit/vdev/test_vdev unit/spirv/test_spirv_run \
		cosim/directed-atoms cosim/faa-lockstep fuzz/fuzz-engine fuzz/frontends/replay-ptx kselftest/submit litmus/test-lit bench/faa-bench; do
		grep -qx "tests/$program" "$tmp/targets" || { echo "tests/$program is not built"; return 1; }
	done
}

# `make run` after `make test`: nothing is configured anew.
run_keeps_the_tests() {
	local before

	before=$(stat -c %y "$tmp/build/build.ninja")
	configure run && configure test && [ "$before" = "$(stat -c %y "$tmp/build/build.ninja")" ]
}

# Programs of build/ are in bin/, also where the directory was configured without saying so.
an_old_directory_gets_its_layout() {
	rm -rf "$tmp/build"
	meson setup "$tmp/build" "$top" --prefix="$tmp/build" --libdir=lib >/dev/null || return 1
	configure run || return 1
	meson introspect --installed "$tmp/build" | grep -qF "\"$tmp/build/bin/histogram\""
}

# suite_says CHECKS: runs a suite of these checks and prints its output.
suite_says() {
	printf '#!/bin/bash\n# timeout: 60\n. "%s/tests/tap.sh"\n%s\nfinish\n' "$top" "$1" >"$tmp/suite.sh"
	chmod +x "$tmp/suite.sh"
	"$tmp/suite.sh" || true
}

# suite_ends CHECKS LINE SUM: a suite of the checks prints a line and, as its last line, the sum.
suite_ends() {
	local out

	out=$(suite_says "$1")
	echo "${out//SKIPPED/skipped}"
	grep -qFx -- "$2" <<<"$out" && [ "$(tail -n 1 <<<"$out")" = "$3" ]
}

# A test program that ends with the number of its failures: four failures must not read as a skipped
# test.
status_4_fails() {
	suite_ends 'check "one" true; check "four" sh -c "exit 4"' \
		'not ok 2 - four # exit status 4' '1 passed, 1 failed'
}

cmocka_skips_are_noticed() {
	suite_ends 'check "one" true; check "skips" echo "[  SKIPPED ] 1 test(s), listed below:"' \
		'not ok 2 - skips # skips a test' '1 passed, 1 failed'
}

status_4_skips_where_allowed() {
	suite_ends 'check "one" true; check_or_skip "four" sh -c "echo no such tool; exit 4"' \
		'ok 2 - four # SKIP no such tool' '1 passed, 0 failed'
}

# In the form of the programs of tests/kselftest: a skipped test that is not announced, and the
# other way round.
skipped_tests_are_counted() {
	local text=$'# EXPECT p\n# PROGRAM p\n1..2\nok 1 a\nok 2 b # SKIP\n# EXIT p 0'

	"$top/tests/tap-sum.py" --skipped=1 <<<"$text" && ! "$top/tests/tap-sum.py" --skipped=0 <<<"$text" &&
		! "$top/tests/tap-sum.py" --skipped=2 <<<"$text" && ! "$top/tests/tap-sum.py" --skipped=1 <<<"# EXPECT q"$'\n'"$text"
}

# The output of tests/run.sh for a suite that depends on $tmp/kept/build/input, with the variables
# given.
kept_says() {
	env -u FAA_FRESH FAA_SUITES="$tmp/kept/suites" FAA_LOGS="$tmp/kept/logs" FAA_CACHE="$tmp/kept/cache" FAA_BUILD="$tmp/kept/build" \
		FAA_LONG= "$@" "$top/tests/run.sh" 2>&1 || true
}

# The time of a suite is limited, and a long run has ten times as much.
suites_are_limited() {
	mkdir -p "$tmp/limited"
	printf '#!/bin/bash\n# timeout: 2\n. "%s/tests/tap.sh"\ncheck "slow" sleep 6\nfinish\n' "$top" >"$tmp/limited/01-slow.sh"
	chmod +x "$tmp/limited/01-slow.sh"
	! FAA_SUITES="$tmp/limited" FAA_LOGS="$tmp/limited-logs" FAA_LONG='' "$top/tests/run.sh" >/dev/null 2>&1 &&
		FAA_SUITES="$tmp/limited" FAA_LOGS="$tmp/limited-logs" FAA_LONG=1 "$top/tests/run.sh"
}

# The last lines of a run name each test that failed and the reason that its program printed: a CI
# shows little more of a long run.
failures_end_the_run() {
	local out

	mkdir -p "$tmp/fails"
	printf '#!/bin/bash\n# timeout: 60\n. "%s/tests/tap.sh"\ncheck "bad" false\nfinish\n' "$top" >"$tmp/fails/01-fails.sh"
	printf '#!/bin/bash\n# timeout: 60\nexit 3\n' >"$tmp/fails/02-ends.sh"
	printf '#!/bin/bash\n# timeout: 60\n. "%s/tests/tap.sh"\ncheck "good" true\nfinish\n' "$top" >"$tmp/fails/03-good.sh"
	printf '#!/bin/sh\necho "[ RUN      ] a"\necho "[  ERROR   ] --- 1 != 2"\necho "[   LINE   ] --- a.c:7: error: Failure!"\necho "waveform: a.fst"\nexit 1\n' \
		>"$tmp/fails-program"
	printf '#!/bin/bash\n# timeout: 60\n. "%s/tests/tap.sh"\ncheck "lib" "%s"\nfinish\n' "$top" "$tmp/fails-program" \
		>"$tmp/fails/04-reason.sh"
	chmod +x "$tmp"/fails/* "$tmp/fails-program"
	out=$(FAA_SUITES="$tmp/fails" FAA_LOGS="$tmp/fails-logs" FAA_LONG='' "$top/tests/run.sh" 2>&1) && return 1
	echo "$out" | sed 's/^/> /'
	[ "$(grep -A 9 '^all suites: ' <<<"$out" | tail -n +2 | LC_ALL=C sort)" = "1 passed, 3 failed
failed:     [   LINE   ] --- a.c:7: error: Failure!
failed:     [  ERROR   ] --- 1 != 2
failed:     waveform: a.fst
failed: 01-fails: not ok 1 - bad # exit status 1
failed: 02-ends: ended with status 3 and without a sum
failed: 04-reason: not ok 1 - lib # exit status 1" ]
}

# A suite that passed does not run again with the same inputs. With any other input, seed or amount
# it does.
kept_by_content() {
	local out input=$tmp/kept/build/input

	mkdir -p "$tmp/kept/suites" "$tmp/kept/build"
	# shellcheck disable=SC2016 # for the suite
	printf '#!/bin/bash\n# timeout: 60\n# inputs: $build/input\n. "%s/tests/tap.sh"\necho run >>"$build/runs"\ncheck "good" grep -q good "$build/input"\nfinish\n' \
		"$top" >"$tmp/kept/suites/01-kept.sh"
	chmod +x "$tmp/kept/suites/01-kept.sh"
	runs_are() { [ "$(wc -l <"$tmp/kept/build/runs")" -eq "$1" ] || { echo "$out"; echo "$(wc -l <"$tmp/kept/build/runs") runs, not $1"; return 1; }; }

	echo good >"$input"
	out=$(kept_says) && runs_are 1 || return 1
	out=$(kept_says) && runs_are 1 || return 1
	grep -q "^01-kept .* 1 passed, 0 failed, as before" <<<"$out" && [ "$(tail -n 1 <<<"$out")" = "1 passed, 0 failed" ] || { echo "$out"; return 1; }
	out=$(kept_says FAA_SEED=7) && runs_are 2 || return 1
	out=$(kept_says FAA_LONG=1) && runs_are 3 || return 1
	out=$(kept_says FAA_FRESH=1) && runs_are 4 || return 1
	echo good, too >"$input"
	out=$(kept_says) && runs_are 5 || return 1
	out=$(kept_says) && runs_are 5
}

# The input passes when the suite starts, and changes meanwhile: the changed input has not been
# tested.
kept_for_what_ran() {
	local input=$tmp/kept/build/input suite=$tmp/kept/suites/01-kept.sh out

	# shellcheck disable=SC2016 # for the suite
	sed -i 's/^finish$/echo bad >"$build\/input"\nfinish/' "$suite"
	echo good >"$input"
	out=$(kept_says FAA_SEED=9)
	grep -q "^1 passed, 0 failed$" <<<"$out" || { echo "$out"; return 1; }
	out=$(kept_says FAA_SEED=9)
	grep -q "^0 passed, 1 failed$" <<<"$out" || { echo "$out"; return 1; }
}

# A failure is not kept.
failure_is_not_kept() {
	local out variable

	echo bad >"$tmp/kept/build/input"
	for variable in FAA_SEED=1 FAA_SEED=1; do
		out=$(kept_says "$variable")
		grep -q "^0 passed, 1 failed$" <<<"$out" || { echo "$out"; return 1; }
	done
}

check "setup run does nothing when all is there" setup_is_idle run
check "setup test does nothing when all is there" setup_is_idle test
check "setup without root names what is missing" setup_names_missing
check "two set-ups at once make one environment for Python" setup_waits_for_another
check "setup takes any of a package's names" setup_takes_alternatives
check "setup names what a release does not have" setup_names_unknown
check "setup elsewhere than on Debian names the packages and goes on" setup_goes_on_elsewhere
check "no package is listed twice" lists_are_sorted_out
check "plain kernel: second call returns at once" kernel_is_cached plain
check "debug kernel: second call returns at once" kernel_is_cached debug
check "kernel name follows content, not place" kernel_name_follows_content
check "flavours have kernels of their own" flavours_differ
check "unknown flavour is an error" unknown_flavour_fails
check "what is in the cache is whole" no_half_built_kernel
hide_cmocka
check "make run configures without packages of the tests" run_is_configured_without_tests
check "make test says which package is missing" test_names_the_missing_package
check "make test after make run has the tests" test_adds_the_tests
check "make run after make test keeps them" run_keeps_the_tests
check "each test of Meson is in one suite, and fast ones need no kernel and no Verilator" \
	/usr/bin/python3 "$top/tests/unit/meson_suites.py" "$build"
check "a directory of an older configuration gets the layout of now" an_old_directory_gets_its_layout
check "a check that ends with status 4 fails" status_4_fails
check "a check in which cmocka skips a test fails" cmocka_skips_are_noticed
check "a check that may be skipped is, with status 4" status_4_skips_where_allowed
check "skipped tests are counted" skipped_tests_are_counted
check "the end of a run names each test that failed" failures_end_the_run
check "a suite has a time limit, ten times as long in a long run" suites_are_limited
check "a suite does not run again with the same inputs, else it does" kept_by_content
check "a suite that has failed runs again" failure_is_not_kept
check "a result is not kept for inputs that changed while the suite ran" kept_for_what_ran
finish
