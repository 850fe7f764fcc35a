#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools.sh BIN: every installed program follows the rules of Documentation/tools.rst. A program that
# is not in the table below is an error.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/says.sh"
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# No test here may start a machine.
export FAA_IN_RUN=1

# Programs, and their options besides -h, --help, --usage, -V, --version: e --engine, j --json, o
# --output, s --syntax.
table='
faa-as      o s
faa-bench   e j
faa-dis     j s
faa-exec    e j s
faa-info    e j
faa-litmus  e j
faa-rsh
faa-run     e
faa-serve
faa-spirv   e j o
faa-surface j
faa-top     j
faa-vdev    e
cas_loop    e j
density     e j o
exact       e j
exchange    e j
graph       e j
gups        e j
hashtable   e j
histogram   e j o
mpi_bale    j
mpi_gups    j
mpi_pagerank j
scatter     e j
svm         e j
'
# The first process of the guest has no command line.
others='faa-init'

status() { # command...: its exit status
	local status=0
	"$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
	echo "$status"
}

ends() { # status command...
	local want=$1 got
	shift
	got=$(status "$@")
	[ "$got" = "$want" ] || fail "'$*' ends with $got, not $want: $(cat "$work/out" "$work/err")"
}

has_option() { # program letter long: the help lists both
	grep -qE -- "^ +-$2, --$3\b" "$work/help" || fail "$1 --help does not list -$2, --$3"
}

check_program() { # name letters...
	local name=$1 tool=$bin/$1 letter option letters=${*:2}
	shift
	for option in -h -\? --help; do
		ends 0 "$tool" "$option"
		grep -q '^Usage: ' "$work/out" || fail "$name $option prints no usage"
		[ ! -s "$work/err" ] || fail "$name $option writes to the standard error"
		cp "$work/out" "$work/help"
	done
	ends 0 "$tool" --usage
	for option in -V --version; do
		ends 0 "$tool" "$option"
		grep -qE "^$name [0-9]+\.[0-9]+" "$work/out" || fail "$name $option prints '$(cat "$work/out")'"
	done
	ends 2 "$tool" --no-such-option
	grep -q "unrecognized option '--no-such-option'" "$work/err" || fail "$name does not name the option"
	[ ! -s "$work/out" ] || fail "$name --no-such-option prints $(cat "$work/out")"
	ends 2 "$tool" -Y
	# One parser for all: it takes the beginning of an option, and lists all options in short.
	ends 0 "$tool" --vers
	grep -q -- '--version' <("$tool" --usage) || fail "$name --usage does not list --version"
	# The help says which values an option takes, and the program takes no other.
	[ "$letters" = "${letters/e/}" ] || {
		grep -qE -- '^ +-e, --engine=rtl\|model' "$work/help" || fail "$name --help does not list the engines"
		ends 2 "$tool" --engine=no-such-engine
	}
	# Nothing is coloured that is no terminal.
	! grep -q $'\033' "$work/help" || fail "$name --help has colours"
	for letter; do
		case $letter in
		e) has_option "$name" e engine ;;
		j) has_option "$name" j json ;;
		o) has_option "$name" o 'out(put)?' ;;
		s) has_option "$name" s syntax ;;
		esac
	done
	# A letter has one meaning in all of the faa-* programs.
	for letter in e:engine f:format j:json o:out s:syntax; do
		case $name,$letter in faa-litmus,s:*) continue ;; esac
		! grep -E -- "^ +-${letter%:*}, " "$work/help" | grep -qvE -- "--${letter#*:}" ||
			[[ $name != faa-* ]] || fail "$name has another -${letter%:*} than --${letter#*:}"
	done
}

for path in "$bin"/*; do
	name=$(basename "$path")
	[[ " $others " != *" $name "* ]] || continue
	row=$(grep -E "^$name( |$)" <<<"$table") || fail "$name is installed, but not in the table of $0"
	read -ra words <<<"$row"
	check_program "${words[@]}"
done

# A program that writes escape sequences looks first whether there is a terminal; long work shows
# its progress on a terminal alone.
top=$(dirname "$(readlink -f "$0")")/../..
while read -r file; do
	grep -q isatty "$file" || fail "$file writes escape sequences and never asks for a terminal"
done < <(grep -rlE '\\033|\\x1b|\\e\[' "$top/userspace" "$top/sim" "$top/tests/litmus" "$top/tests/bench" \
	--include='*.c' | grep -v /plot_terminal.c)
grep -q 'isatty(STDOUT_FILENO) && !getenv("NO_COLOR")' "$top/userspace/examples/histogram.c" ||
	fail "histogram colours its plot without a terminal, or with NO_COLOR"
# Work of more than two seconds: its progress is removed at the end, and nothing of it is in a file.
on_terminal() { script -qec "$*" /dev/null </dev/null; }
# A benchmark that timeout ends: its exit status says nothing.
long=("$bin/faa-bench" --engine=model --warps=20000 atoms)
TERM=xterm on_terminal timeout 6 "${long[@]}" >"$work/terminal" || true
grep -qE $'\rfaa-bench: [0-9]+ of [0-9]+ benchmarks, [0-9]+ %, about [0-9]+ s left\033\\[K' "$work/terminal" ||
	fail "no progress within 6 s: $(tail -c 300 "$work/terminal" | cat -v)"
TERM=dumb on_terminal timeout 4 "${long[@]}" >"$work/terminal" || true
! grep -q $'\033' "$work/terminal" || fail "progress on a terminal that cannot remove it"
timeout 4 "${long[@]}" >"$work/out" 2>&1 || true
! grep -q $'[\r\033]' "$work/out" || fail "progress in a file: $(tail -c 300 "$work/out" | cat -v)"

# Values out of range are errors of usage as well.
while read -r -a words; do
	ends 2 "$bin/${words[0]}" "${words[@]:1}"
	[ -s "$work/err" ] || fail "${words[*]} says nothing"
done <<'END'
faa-as
faa-as --syntax=gcn x
faa-as nothing.xyz
faa-bench --warps=0
faa-bench no/such/benchmark
faa-dis
faa-dis --dump --plain x
faa-dis --json --plain x
faa-dis --dump --syntax=sass x
faa-exec
faa-exec --lanes=33 x.ptx
faa-info --engine=fpga
faa-info more
faa-litmus
faa-litmus check
faa-litmus table
faa-litmus defects
faa-litmus --runs=0 x
faa-litmus --json --report x
faa-rsh
faa-rsh guest1
faa-run
faa-run --engine=fpga true
faa-run --guests=0 true
faa-run --guests=17 true
faa-run --devices=0 true
faa-run --devices=9 true
faa-run --devices=2x true
faa-run --kunit true
faa-run --timeout=0 true
faa-spirv
faa-spirv no-such-command x
faa-spirv validate
faa-surface
faa-surface address
faa-surface address --width=x 1
faa-top --interval=0
faa-top more
faa-vdev
cas_loop --seed=0
cas_loop --json --disassemble
density --size=0
density --json --disassemble
exact --orders=0
exchange --hosts=3
graph a b
graph --json --disassemble
gups --log2=99
hashtable --keys=0
hashtable --json --disassemble
histogram a b
scatter --columns=3
svm a b
END

# Failures other than errors of usage end with 1.
while read -r -a words; do
	ends 1 "$bin/${words[0]}" "${words[@]:1}"
	[ -s "$work/err" ] || fail "${words[*]} says nothing"
done <<'END'
faa-as --syntax=ptx /nonexistent
faa-dis /nonexistent
faa-exec /nonexistent.ptx
faa-surface check /nonexistent
faa-surface check --json /nonexistent
histogram /nonexistent
END
[ -e /dev/dri/renderD128 ] || ends 1 "$bin/faa-info"
[ -e /dev/dri/renderD128 ] || grep -q "faa-run PROGRAM" "$work/err" || fail "faa-info does not name faa-run"

# JSON of programs that print tables. Programs that need a device are tested in tests/e2e/exec.
json() { # expression of Python that holds for the object "o"; command...
	local expression=$1
	shift
	"$@" >"$work/json" || fail "'$*' fails"
	/usr/bin/python3 -c "import json, sys; o = json.load(open(sys.argv[1])); sys.exit(not ($expression))" "$work/json" ||
		fail "'$*' prints $(cat "$work/json"), of which not: $expression"
}

# faa-as takes the language from the file name, and writes no binary code to a terminal.
printf 'NOP;\n' >"$work/a.sass"
ends 0 "$bin/faa-as" "$work/a.sass"
cp "$work/out" "$work/a.faa"
cmp -s "$work/a.faa" <("$bin/faa-as" --syntax=sass "$work/a.sass") || fail "faa-as: the name gives another language"
ends 2 "$bin/faa-as" "$work/a.faa"
refuse "not written to a terminal" on_terminal "$bin/faa-as" "$work/a.sass"
refuse "not written to a terminal" on_terminal "$bin/faa-as" --format=bundle "$work/a.sass"
on_terminal "$bin/faa-as" --format=hex "$work/a.sass" >/dev/null || fail "faa-as writes no text to a terminal"
on_terminal "$bin/faa-as" --output=- "$work/a.sass" >/dev/null || fail "faa-as --output=- refuses a terminal"

# faa-dis rejects a file that is no stream, unless an option says that it is one.
expect "END;" "$bin/faa-dis" "$work/a.faa"
ends 1 "$bin/faa-dis" /etc/passwd
grep -q "this is no stream" "$work/err" || fail "faa-dis says nothing of /etc/passwd"
[ ! -s "$work/out" ] || fail "faa-dis prints something of /etc/passwd"
ends 1 "$bin/faa-dis" "$bin/faa-dis"
ends 0 "$bin/faa-dis" --binary /etc/passwd
json '[c["text"] for c in o["commands"]] == ["NOP;", "END;"] and o["commands"][1]["offset"] == 8 and
	o["commands"][0]["words"] and o["rest_bytes"] == 0' "$bin/faa-dis" --json "$work/a.faa"
ends 1 "$bin/faa-dis" --dump /etc/passwd
grep -q "this is no dump" "$work/err" || fail "faa-dis --dump says nothing of /etc/passwd"
ends 0 "$bin/faa-as" --format=bundle -o "$work/a.bundle" "$work/a.sass"
expect "NOP" "$bin/faa-dis" "$work/a.bundle"

# Tables of surfaces.
json 'o["offset"] == 26296 and o["y"] == 13 and len(o["levels"]) == 1 and o["levels"][0]["width"] == 33' \
	"$bin/faa-surface" address --json -w 33 --height=20 -z 5 --dim=3D -t 8 -H 1 -D 1 19 13 3
json 'o["address"] == 0x20106' "$bin/faa-surface" address -j -l pitch -w 50 --height=7 -t R16 --base=0x20000 3 2
# A table, an object a line: a correct one, wrong numbers, a malformed line, and one without rows.
json_lines() { # exit status, expression of Python that holds for the list "o"; table
	ends "$1" "$bin/faa-surface" check --json "$3"
	/usr/bin/python3 -c "import json, sys; o = [json.loads(line) for line in open(sys.argv[1])]; sys.exit(not ($2))" \
		"$work/out" || fail "faa-surface check --json $3 prints $(tail -5 "$work/out"), of which not: $2"
}
vectors=$(dirname "$(readlink -f "$0")")/../vectors/blocklinear.tsv
json_lines 0 'o[-1] == {"passed": 362, "failed": 0, "check": True} and
	any(n == {"line": 323, "note": "L0-autosize-differs: without it off_tx1=21876", "offset": 7540, "gobs_height": 2,
		"gobs_depth": 0} for n in o[:-1])' "$vectors"
awk -F'\t' -v OFS='\t' 'NR > 5 { exit } NR == 3 { $24++ } NR == 4 { $5 = "many" } { print }' "$vectors" >"$work/wrong.tsv"
json_lines 1 'o == [{"line": 3, "column": "off_tx1", "expected": 6721, "computed": 6720},
	{"line": 4, "column": "width", "reason": "not a number, or too large"},
	{"passed": 2, "failed": 2, "check": False}]' "$work/wrong.tsv"
grep -q "wrong.tsv:4: width: not a number" "$work/err" || fail "faa-surface check --json is silent on standard error"
head -1 "$vectors" >"$work/names.tsv"
json_lines 1 'o == [{"line": 1, "reason": "there are no rows after the names"}, {"passed": 0, "failed": 0, "check": False}]' \
	"$work/names.tsv"
# Blocklinear, 64 x 32 texels of 4 bytes at 0x20000, level 2; and words that are no header.
json 'o["layout"] == "BLOCKLINEAR" and o["surface"]["address"] == 0x20000 and o["surface"]["level"] == 2 and
	not o["surface"]["signed"] and o["surface"]["levels"][2]["offset"] == 10240 and
	any(f["name"] == "HEIGHT_MINUS_ONE" and f["value"] == 31 for f in o["fields"])' \
	"$bin/faa-surface" header --json 0x0004920f 0x00020000 0x00600000 0x20000008 0x0080003f 0x0000001f 0 0x00000022
json 'o["surface"]["bad_header"] and o["surface"]["reason"]' "$bin/faa-surface" header -j 0 0 0xffffffff 0 0 0 0 0
ends 2 "$bin/faa-exec" --json --disassemble x.ptx
module=$(dirname "$(readlink -f "$0")")/../vectors/spirv/spv/histogram_shared.spv
json 'o["valid"] and not o["messages"] and o["file"].endswith(".spv")' "$bin/faa-spirv" validate --json "$module"
head -c 40 "$module" >"$work/short.spv"
ends 1 "$bin/faa-spirv" validate --json --spirv-val=none "$work/short.spv"
/usr/bin/python3 -c "import json, sys; o = json.load(open(sys.argv[1]))
sys.exit(o['valid'] or o['messages'][0]['severity'] != 'error' or not o['messages'][0]['text'])" "$work/out" ||
	fail "faa-spirv validate --json prints $(cat "$work/out")"
json 'o["environment"] == "vulkan" and o["entry_points"][0]["model"] == 5 and o["bindings"][0]["kind"] == "storage buffer"' \
	"$bin/faa-spirv" info --json "$module"
