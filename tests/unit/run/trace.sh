#!/bin/bash
# SPDX-License-Identifier: MIT
#
# trace.sh BUILD: faa-run --trace with both engines, several devices and guests, with a seed, and
# without a driver.
set -uo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$0")/../says.sh"
build=$1
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
faa_run=$build/bin/faa-run
histogram=$build/bin/histogram

refuse "--trace needs a device" "$faa_run" --no-device --trace=x.json true
refuse "the name of a file comes first" "$faa_run" --trace= true
refuse "'events' is a number from 1" "$faa_run" --trace=x.json,events=0 true
refuse "FILE is followed by" "$faa_run" --trace=x.json,last=7 true
refuse "cannot write the trace $tmp/missing/x.json: No such file" "$faa_run" --trace="$tmp/missing/x.json" true

cd "$tmp" || exit 1
for engine in model rtl; do
	expect "trace: $tmp/$engine.json" "$faa_run" --engine=$engine --timeout=120 --trace="$tmp/$engine.json" "$histogram"
	/usr/bin/python3 "$here/check_trace.py" "$tmp/$engine.json" 1 || fail "the trace of engine $engine is wrong"
done
# The trace of a recorded run, whose events do not depend on it
for engine in model rtl; do
	"$faa_run" --engine=$engine --seed=3 --record=record "$histogram" -n </dev/null >plain.out 2>&1 || fail "$(cat plain.out)"
	for trace in one two; do
		"$faa_run" --replay=record --trace=$trace.json </dev/null >$trace.out 2>&1 || fail "$(cat $trace.out)"
		/usr/bin/python3 "$here/check_trace.py" $trace.json 3 || fail "the trace of a seed with engine $engine is wrong"
	done
	cmp one.json two.json || fail "traces of the same run with engine $engine differ"
done
refuse "the guest's events are not in the trace: it ended before" "$faa_run" --engine=model --seed=3 --timeout=3 \
	--trace=early.json sh -c 'while :; do :; done'
# Jobs without an access of memory for a long time
expect "trace: $tmp/cas.json" "$faa_run" --engine=rtl --timeout=120 --trace="$tmp/cas.json" "$build/bin/cas_loop"
/usr/bin/python3 "$here/check_trace.py" "$tmp/cas.json" 4 || fail "the trace of short jobs is wrong"
# A program that traces, too
expect "trace: $tmp/own.json" "$faa_run" --engine=model --trace="$tmp/own.json" "$build/tests/kselftest/job_trace"
# One of its jobs waits for a fence: an arrow from there
[ "$(grep -c '"id":"0x10000000001"' "$tmp/own.json")" = 2 ] || fail "no arrow leads from a fence to the job that waits for it"
expect "events of the device are not in the trace, as it keeps the last 300:" "$faa_run" --engine=model --trace="$tmp/short.json,events=300" "$histogram"
expect "trace: $tmp/bare.json" "$faa_run" --engine=model --no-driver --trace="$tmp/bare.json" true
expect "trace: $tmp/two.json" "$faa_run" --engine=model --devices=2 --trace="$tmp/two.json" "$histogram"
/usr/bin/python3 "$here/check_trace.py" "$tmp/two.json" 1 || fail "the trace of two devices is wrong"
grep -q '"Device 1"' "$tmp/two.json" || fail "the trace lacks the second device"
expect "each-guest1.json" "$faa_run" --engine=model --guests=2 --each --trace="$tmp/each.json" "$histogram"
for guest in 0 1; do
	/usr/bin/python3 "$here/check_trace.py" "$tmp/each-guest$guest.json" 1 || fail "the trace of guest $guest is wrong"
done
# A guest that is killed has left its events until then.
refuse "trace: $tmp/killed.json" "$faa_run" --engine=model --timeout=3 --trace="$tmp/killed.json" sh -c "'$histogram'; sleep 60"
/usr/bin/python3 "$here/check_trace.py" "$tmp/killed.json" 1 || fail "the trace of a killed guest is wrong"
