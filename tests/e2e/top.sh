#!/bin/bash
# SPDX-License-Identifier: MIT
#
# top.sh BIN ENGINE: faa-top on four processes, as text and as JSON, run by root and by another
# user.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../unit/says.sh"
bin=$1
engine=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In the machine: four processes whose jobs follow each other.
cat >"$work/session" <<'END'
bin=$1 out=$2 updates=$3
touch "$out/goes-on"
for i in 1 2 3 4; do
	(while [ -e "$out/goes-on" ]; do "$bin/gups" --log2=12 --updates="$updates" >/dev/null; done) &
done
sleep 2
"$bin/faa-top" --once --queues --interval=2 >"$out/text"
"$bin/faa-top" --once --json --interval=2 >"$out/json"
setpriv --reuid=65534 --clear-groups "$bin/faa-top" --once --interval=0.1 >"$out/nobody" 2>"$out/nobody-error" || :
rm "$out/goes-on"
wait
# Without clients the device falls asleep, and faa-top does not keep it awake.
power=/sys/class/drm/renderD128/device/power
echo 100 >$power/autosuspend_delay_ms
echo auto >$power/control
"$bin/faa-top" --once --json --interval=2 >"$out/asleep"
cat $power/runtime_status >"$out/status"
END
# On the RTL a client takes some seconds.
updates=131072
[ "$engine" = model ] || updates=8192
"$bin/faa-run" --engine="$engine" --mem=512M --timeout=240 bash "$work/session" "$bin" "$work" "$updates" >"$work/log" 2>&1 ||
	{ cat "$work/log"; fail "the machine ended badly"; }

grep -qE '^[1-4] clients, busy [0-9.]+ % of [0-9]+ %: a compute unit is 100, in [0-9.]+ s$' "$work/text" ||
	{ cat "$work/text"; fail "no line about the device"; }
grep -qE '^ +[0-9]+ gups +[0-9]+\.[0-9]' "$work/text" || { cat "$work/text"; fail "no line of a process"; }
grep -qE '^ +queue [0-9]+ .* (idle|waiting|running)$' "$work/text" || { cat "$work/text"; fail "no line of a queue"; }
grep -q 'needs CAP_PERFMON' "$work/nobody" "$work/nobody-error" || { cat "$work/nobody"; fail "others see the counters"; }
grep -q gups "$work/nobody" && fail "others see processes that are not theirs"

grep -q '"asleep": true' "$work/asleep" && grep -qx suspended "$work/status" ||
	{ cat "$work/asleep" "$work/status"; fail "faa-top keeps the device awake"; }

python3 - "$work/json" "$engine" <<'END' || { cat "$work/json"; fail "the JSON is wrong"; }
import json, sys
report, engine = json.load(open(sys.argv[1])), sys.argv[2]
clients = report["clients"]
assert report["asleep"] is False
assert clients and all(client["command"] == "gups" for client in clients)
assert len({client["client"] for client in clients}) == len(clients)
# The sum is at most the two compute units, with a margin, since the readings are not simultaneous.
assert 0 < sum(client["busy_percent"] for client in clients) <= 220
assert any(client["jobs_per_s"] > 0 and client["elements_per_s"] > 0 and client["warps_per_s"] > 0 for client in clients)
assert any(client["resident_bytes"] for client in clients)
for client in clients:
    assert len({queue["id"] for queue in client["queues"]}) == len(client["queues"])
    assert all(queue["state"] in ("idle", "waiting", "running") for queue in client["queues"])
assert set(report["stalls_percent"]) >= {"FETCH", "OPERAND", "SHARED", "GLOBAL"}
# The C model has no clock, so it has no stalls.
assert engine == "model" or any(report["stalls_percent"].values())
END
