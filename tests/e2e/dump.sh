#!/bin/bash
# SPDX-License-Identifier: MIT
#
# dump.sh BIN ENGINE: a stream that loops for ever is stopped, and its dump has its position.
# Damaged dumps are rejected, or shown as far as they are intact; faa-dis must not fail in any other
# way.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../unit/says.sh"
top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
bin=$1
engine=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

shows() { # pattern: a line of the text
	grep -qE "$1" "$work/text" || { cat "$work/text"; fail "there is no line like $1"; }
}

# In the machine: the job is stopped after its time limit; the core dump appears soon after.
cat >"$work/session" <<'END'
"$1/faa-exec" --shared=128 --buffer=counter=u32:zero:1 "$2" && exit 1
for _ in $(seq 300); do
	cat /sys/class/devcoredump/devcd*/data >"$3" 2>/dev/null && exit 0
	sleep 0.1
done
exit 1
END
"$bin/faa-run" --engine="$engine" --timeout=240 --module-args="job_timeout_ms=1000 job_limit_ms=3000" \
	sh "$work/session" "$bin" "$top/Documentation/dumps/spin.ptx" "$work/dump" >"$work/log" 2>&1 ||
	{ cat "$work/log"; fail "no core dump"; }

# faa-dis detects the kind of file without an option.
"$bin/faa-dis" "$work/dump" >"$work/text"
"$bin/faa-dis" --dump - <"$work/dump" | cmp -s - "$work/text" || fail "the standard input is another dump"
shows '^dump of a queue of faa-exec\[[0-9]+\], stopped: its job took too long$'
shows '^queue 1 \(1 of its file\), hardware queue [0-9]+, on compute unit [0-9], priority normal'
shows '^warp slot 0: job 1, stream of [0-9]+ bytes at 0x[0-9a-f]+, at command 0x[0-9a-f]+, [0-9]+ elements retired$'
[ "$(grep -c '^  =>' "$work/text")" = 1 ] || fail "there is not one arrow"
# The loop is three commands.
shows '^  => +[0-9a-f]+:  (ATOMS.CAS|SETP.NE|@P0 JUMP)'
shows '^ +[0-9a-f]+:  BAR.SYNC;$'
shows '^    level 0 entry +[0-9]+: 0x[0-9a-f]+ page'
shows '^    0x[0-9a-f]+..0x[0-9a-f]+ buffer object'
shows '^ +1 .*  job timeout$'
shows 'QUEUE_STATE\[[0-9]+\] +0x[0-9a-f]{8} state=3'
shows 'CU_COUNTER\[[0-9]\] BUSY +[1-9]'

# The same as JSON, which a parser reads.
"$bin/faa-dis" --json "$work/dump" >"$work/json"
python3 - "$work/json" "$work/text" <<'END' || fail "the JSON of the dump is another one"
import json, re, sys
dump, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
(position,) = dump["positions"]
here = [command for command in position["commands"] if command["here"]]
assert dump["reason"] == "timeout" and dump["comm"] == "faa-exec", dump
assert dump["queue"]["submitted"] == 1 and dump["queue"]["state"] == ["dead", "timed_out"], dump["queue"]
assert len(here) == 1 and here[0]["offset"] == position["command"] and here[0]["text"] in text, here
assert [entry["level"] for entry in dump["walks"][0]["entries"]] == [3, 2, 1, 0], dump["walks"]
assert dump["mappings"][0]["mappings"][0]["kind"] == "bo", dump["mappings"]
assert [record["error"] for record in dump["records"]] == ["job timeout"], dump["records"]
assert dump["ring"][0]["job"] == 1, dump["ring"]
states = [item for item in dump["registers"] if item["name"].startswith("QUEUE_STATE[") and item["fields"]["state"] == 3]
assert states and re.search("QUEUE_STATE.*" + states[0]["value"], text), states
END

# Damage: any byte changed, and any truncation.
python3 - "$work/dump" "$work/damaged" "$bin/faa-dis" <<'END' || fail "faa-dis does not stand damage"
import json, random, subprocess, sys
dump, path, tool = open(sys.argv[1], "rb").read(), sys.argv[2], sys.argv[3]
rng = random.Random(1)
for round in range(150):
    bytes_ = bytearray(dump)
    for _ in range(rng.randint(1, 8)):
        bytes_[rng.randrange(8, len(bytes_))] = rng.choice((0, 1, 7, 0x7f, 0x80, 0xff, rng.randrange(256)))
    if round % 3 == 0:
        bytes_ = bytes_[:rng.randrange(len(bytes_))]
    open(path, "wb").write(bytes_)
    run = subprocess.run([tool, "--dump", path], capture_output=True, timeout=20)
    if run.returncode not in (0, 1) or bool(run.stderr) != bool(run.returncode):
        sys.exit(f"round {round}: status {run.returncode}: {run.stderr[:200]}")
    run = subprocess.run([tool, "--dump", "--json", path], capture_output=True, timeout=20)
    if run.returncode not in (0, 1) or bool(run.stderr) != bool(run.returncode):
        sys.exit(f"round {round}, JSON: status {run.returncode}: {run.stderr[:200]}")
    if not run.returncode:
        json.loads(run.stdout)
END
head -c 1000 "$work/dump" >"$work/short"
refuse "cut off: 1000 of " "$bin/faa-dis" "$work/short"
refuse "this is no dump" "$bin/faa-dis" --dump "$top/README.md"
