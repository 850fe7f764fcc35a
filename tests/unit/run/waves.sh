#!/bin/bash
# SPDX-License-Identifier: MIT
#
# waves.sh BUILD: faa-run --waves and FAA_WAVES, with a small device that has waveforms
# (faa-vdev-test-trace); with FAA_LONG also with the real one, which is built for it, and those of
# lock step, directed tests and kselftests. Wrong options are refused always.
set -uo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$0")/../says.sh"
build=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
faa_run=$build/bin/faa-run
small=$build/tests/unit/vdev/faa-vdev-test-trace
# A module that writes a register until a read differs, as it does with the small device.
writes="$build/kmod-plain/tests/modules/faa_posted_writes.ko count=100"

run_small() {
	FAA_VDEV=$small "$faa_run" --timeout=60 --no-driver --insmod="$writes" "$@"
}

# is_waveform NAME: an FST, whose header has type 0 and 329 bytes, and its save file.
is_waveform() {
	[ "$(od -An -tx1 -N9 "$tmp/$1.fst" 2>/dev/null | tr -d ' ')" = 000000000000000149 ] || fail "$1.fst is no waveform"
	grep -q "^\[dumpfile\] \"$tmp/$1.fst\"$" "$tmp/$1.gtkw" || fail "$1.gtkw does not name $1.fst"
	[ ! -e "$tmp/$1.fst.part" ] || fail "$1.fst.part is left over"
}

refuse "--waves needs --engine=rtl: the C model has no signals" "$faa_run" --engine=model --waves=x.fst true
refuse "--waves needs a device" "$faa_run" --no-device --waves=x.fst true
refuse "'from' has to be less than 'to'" "$faa_run" --waves=x.fst,from=7,to=7 true
refuse "excludes 'from' and 'to'" "$faa_run" --waves=x.fst,to=7,cycles=7 true
refuse "FILE is followed by" "$faa_run" --waves=x.fst,last=7 true
refuse "a number of clock cycles" "$faa_run" --waves=x.fst,from=soon true
refuse "the name of a file comes first" "$faa_run" --waves= true
refuse "cannot write the waveform $tmp/missing/x.fst: No such file" "$faa_run" --waves="$tmp/missing/x.fst" true
lockstep=$build/tests/cosim/faa-lockstep directed=$build/tests/cosim/directed-move-rtl
refuse "the C model has no signals" "$lockstep" --engine=model --waves=x.fst
refuse "FILE is followed by" "$lockstep" --waves=x.fst,last=7
refuse "the C model has no signals" "$directed" --waves=x.fst loads
refuse "20 tests are selected; a waveform is that of one" "$directed" --engine=rtl --waves=x.fst
refuse "no test of move is named load; --help lists them" "$directed" load
refuse "unrecognized option" "$directed" --list
refuse "--seed=x is no number" "$directed" --seed=x
expect "highest_lane_wins" "$directed" --help
refuse "this program has no tracing" env FAA_VDEV="$build/bin/faa-vdev" "$faa_run" --waves="$tmp/x.fst" true

expect "" env FAA_VDEV="$build/bin/faa-vdev" FAA_WAVES="$tmp/none" "$faa_run" true
[ ! -e "$tmp/none" ] || fail "FAA_WAVES has an effect on a device that FAA_VDEV names"
refuse "waveform of the cycles 0 to " run_small --waves="$tmp/all.fst" true
is_waveform all
refuse "waveform of the cycles 5 to 9: $tmp/part.fst" run_small --waves="$tmp/part.fst,from=5,to=10" true
is_waveform part
refuse "waveform of the cycles 0 to " run_small --seed=1 --waves="$tmp/seeded.fst" true
is_waveform seeded
refuse "$tmp/late.fst was not written: no waveform: the device has run for" run_small --waves="$tmp/late.fst,from=5000" true
[ ! -e "$tmp/late.fst" ] || fail "a waveform without cycles is there"
# The module takes the first device only.
refuse "two-device0.fst; 'gtkwave $tmp/two-device0.gtkw'" run_small --devices=2 --waves="$tmp/two.fst" true
is_waveform two-device0

[ -n "${FAA_LONG:-}" ] || exit 0
expect "waveform of the cycles" "$faa_run" --waves="$tmp/real.fst,cycles=500" "$build/bin/faa-info"
is_waveform real
for room in Queues "Front end" "Compute units" "Shared memory units" L2 MMU "Memory (AXI4)"; do
	grep -qxF -- "-$room" "$tmp/real.gtkw" || fail "the save file has no room '$room'"
done
for name in first second; do
	expect "waveform of the cycles" "$faa_run" --seed=1 --waves="$tmp/$name.fst,to=3000" "$build/bin/faa-info"
done
# After the header, which has the date
cmp -i 512 "$tmp/first.fst" "$tmp/second.fst" || fail "two runs of a seed have different waveforms"
expect "" env FAA_WAVES="$tmp/kept" "$faa_run" true
[ -z "$(ls "$tmp/kept")" ] || fail "FAA_WAVES keeps the waveform of a program that succeeds"
refuse "waveform of the cycles" env FAA_WAVES="$tmp/kept" "$faa_run" false
[ "$(ls "$tmp/kept" | wc -l)" = 2 ] || fail "FAA_WAVES has left other files than a waveform and its save file"
(cd "$tmp" && FAA_WAVES=$tmp/cases "$build/tests/cosim/faa-lockstep" --inject --no-shrink --seed=7 --warps=3000) >"$tmp/out" 2>&1
grep -q "^waveform: $tmp/cases/faa-lockstep-trace-7.fst" "$tmp/out" || fail "no waveform of a case that differs"
(cd "$tmp" && ninja -C "$build" tests/cosim/faa-lockstep-sim &&
	FAA_WAVES=$tmp/cases "$build/tests/cosim/faa-lockstep-sim" --cus=1 --inject --no-shrink --seed=7 --warps=3000) >"$tmp/out" 2>&1
grep -q "^waveform: $tmp/cases/faa-lockstep-sim-trace-7.fst" "$tmp/out" || fail "no waveform of a case that differs on the device sim"
# A program of a suite of kselftests that fails: there is no such test.
mkdir "$tmp/build"
ln -s "$build"/* "$tmp/build"
rm "$tmp/build/test-logs"
cat >"$tmp/again.sh" <<END
#!/bin/bash
# timeout: 900
export FAA_BUILD=$tmp/build
. "$(dirname "$0")/../../kselftest/suite.sh"
only() { kselftest_boot main --engine=rtl --kernel=plain -- "submit -t no_such_test"; }
kselftest_finish 0 only
END
chmod +x "$tmp/again.sh"
refuse ": $tmp/build/test-logs/waves/again-main-submit.fst; 'gtkwave" env -u FAA_WAVES "$tmp/again.sh"
[ -s "$tmp/build/test-logs/waves/again-main-submit.fst" ] || fail "no waveform of a program of a suite"
# A case, and a test, that pass
expect "waveform: $tmp/case.fst;" "$lockstep" --seed=7 --waves="$tmp/case.fst"
is_waveform case
expect "waveform: $tmp/test.fst;" "$directed" --engine=rtl --waves="$tmp/test.fst,from=100,to=900" loads
is_waveform test
refuse "real-guest1.fst" "$faa_run" --guests=2 --each --waves="$tmp/real.fst,cycles=100" false
is_waveform real-guest0
is_waveform real-guest1
