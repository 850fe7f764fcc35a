#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation score of the tests of the shared memory unit.

        mutate.py --yosys PROGRAM --cycles FILE [--mutants N] [--seed N] [--update]
                  [--recorded FILE | --record FILE]

yosys' mutate picks changes of single bits in the unit's netlist. All of them are built into one
program with the testbench tests/rtl/shared_tb.cpp, which tests one of them per run: short runs
first, long ones for the mutants that survive. A survivor is equivalent when a miter shows that no
register, memory or output can ever differ (judge.py). The others count as survived and are printed
with their source lines; less than 95 % killed of those that are not equivalent is a failure.
PROGRAM is a yosys that reads SystemVerilog with slang; the native yosys does the rest. Netlists,
programs and the verdict are kept by content in FAA_CACHE: when RTL, tests and tools are unchanged,
the verdict is printed again. --record writes the verdict, with a hash of the code of RTL and tests
(comments do not count), to a file of the repository; --recorded uses that file as long as the hash
is the same.
"""

import argparse
import concurrent.futures
import hashlib
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import judge

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(1, str(ROOT / "tests"))
from codeof import code_of
CACHE = pathlib.Path(os.environ.get("FAA_CACHE", pathlib.Path.home() / ".cache/faa")) / "mutate"
LEAST = 95.0

PACKAGES = ["rtl/cu/faa_cu_pkg.sv", "rtl/float/faa_float_pkg.sv", "rtl/lanes/faa_lanes_pkg.sv", "rtl/shared/faa_shared_pkg.sv"]
# Lanes, Chains, floats, relaxed: the arguments of shared_tb, too.
BUILD = (8, 2, 0, 0)
SHORT_WARPS, LONG_WARPS = 1200, 40000
# Between a net and an output of the unit
PORT = "\nmodule port (input A, output Y);\n  assign Y = A;\nendmodule\n"
# One round: a full fixpoint takes most of the suite's time, and mutants that it would have removed
# are equivalent at once. Arrays that hold a pipeline's stages are registers.
OPTIMIZE = "opt_merge; opt_muxtree; opt_reduce; opt_merge; opt_dff; opt_clean; opt_expr; opt_merge; memory_collect; " \
           "memory_map t:$mem_v2 r:WR_PORTS>1 %i t:$mem_v2 r:SIZE<4 %i %u; opt_expr; opt_clean"
SPARE = 20      # further mutants, to replace those that are left out
NO_HARDWARE = re.compile(r"-port RD_(EN|CLK|ARST|SRST) ")
KEEP = 3        # cached results of each kind


def run(command, log, **options):
    """Runs a command; its output goes to a log, and to the terminal when it fails."""
    with open(log, "w", encoding="utf-8") as out:
        status = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False, **options).returncode
    if status != 0:
        text = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
        sys.exit(f"mutate: {command[0]} ended with status {status}; the end of {log}:\n{text[-2000:]}")


def sources():
    """The unit's files below rtl/, packages first."""
    modules = sorted(str(path.relative_to(ROOT)) for folder in ("lib", "lanes", "shared", "float")
                     for path in (ROOT / "rtl" / folder).glob("*.sv"))
    return PACKAGES + [path for path in modules if path not in PACKAGES]


def digest(paths, *more):
    """A name for the result of these files."""
    state = hashlib.sha256(repr(more).encode())
    for path in paths:
        state.update(pathlib.Path(path).read_bytes())
    return state.hexdigest()[:16]


def code_digest(paths):
    """A name for the code of these files."""
    texts = [code_of(path.read_text(encoding="utf-8"), path.suffix) for path in map(pathlib.Path, paths)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def tools(args):
    """Inputs of the result besides sources: versions of the programs."""
    versions = [subprocess.run([program, option], capture_output=True, text=True, check=True).stdout
                for program, option in (("yosys", "-V"), ("verilator", "--version"), ("g++", "--version"), ("yosys-abc", "-cversion"))]
    # The PyPI yosys takes seconds to print its version.
    return versions + [str(pathlib.Path(args.yosys).parents[1].name)]


def cached(kind, name, make):
    """The directory CACHE/kind-name, made by make(directory) unless it is there."""
    place = CACHE / f"{kind}-{name}"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        make(place)
        (place / "complete").touch()
    os.utime(place)
    for old in sorted(CACHE.glob(f"{kind}-*"), key=lambda path: path.stat().st_mtime)[:-KEEP]:
        shutil.rmtree(old, ignore_errors=True)
    return place


def netlist(place, args, package):
    """Elaborates the unit: unit.json with its assertions for judge.py, mutants.v for Verilator,
    list.ys."""
    lanes, chains, floats, relaxed = BUILD
    # The program from PyPI has access to the current directory only.
    work = ROOT / "build/tests/mutate"
    work.mkdir(parents=True, exist_ok=True)
    local = pathlib.Path("build/tests/mutate")
    shutil.copy(package, work / "faa_pkg.sv")
    parameters = f"-G Lanes={lanes} -G Chains={chains} -G UserW=16 -G F32={floats} -G F64={floats} -G X2={floats} -G Relaxed={relaxed}"
    script = (f"read_slang --threads 1 -D SYNTHESIS -D YOSYS -I rtl --top faa_shared {parameters} --blackboxed-module faa_ram_1r1w "
              f"{local}/faa_pkg.sv {' '.join(sources())}; delete t:$print; proc -norom; flatten; chformal -cover -remove; "
              f"setparam -set TRG_ENABLE 0 t:$check; chformal -lower; opt_expr; opt_clean; write_rtlil {local}/flat.il")
    run([args.yosys, "-p", script], place / "slang.log", cwd=ROOT)
    # Candidates exclude logic that only assertions need.
    script = (f"read_rtlil {work}/flat.il; {OPTIMIZE}; write_rtlil {work}/unit.il; delete t:$assert t:$assume; "
              f"opt_clean; mutate -list {args.mutants + SPARE} -seed {args.seed} -ctrl mutsel 16 1 -o {place}/all.ys")
    run(["yosys", "-p", script], place / "list.log")
    choose(place, args.mutants)
    # Bits that depend on others of their vector are a loop to Verilator, and 5.006 leaves old
    # values after such loops: nets are split, and separated from ports, which stay whole.
    script = (f"read_rtlil {work}/unit.il; script {place}/list.ys; write_json {place}/unit.json; "
              f"delete t:$assert t:$assume; opt_clean; iopadmap -bits -outpad port A:Y; splitnets -driver; "
              f"write_verilog -noattr {place}/mutants.v")
    run(["yosys", "-p", script], place / "yosys.log")
    verilog = (place / "mutants.v").read_text(encoding="utf-8")
    # A localparam of the RAM is no parameter.
    verilog = re.sub(r"\n *\.AddrW\(32'd\d+\),", "", verilog)
    (place / "mutants.v").write_text(verilog + PORT, encoding="utf-8")


def choose(place, mutants):
    """list.ys: the first mutants of all.ys, renumbered, without those that no hardware has:
    memories are read without an enable."""
    lines = (place / "all.ys").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not NO_HARDWARE.search(line)][:mutants]
    if len(lines) < mutants:
        sys.exit(f"mutate: {len(lines)} of {mutants} mutants are left")
    lines = [re.sub(r"-ctrl mutsel 16 \d+ ", f"-ctrl mutsel 16 {number} ", line) for number, line in enumerate(lines, 1)]
    (place / "list.ys").write_text("\n".join(lines) + "\n", encoding="utf-8")


def model(place, made):
    """Verilates the mutants."""
    run(["verilator", "--cc", "--build", "-j", "2", "-O3", "-Wno-fatal", "-Wno-lint", "-Werror-UNOPTFLAT",
         "--x-assign", "unique", "--x-initial", "unique", "-CFLAGS", "-std=c++17", "-MAKEFLAGS", "OPT_FAST=-O1", "--prefix", "Vfaa_shared",
         "--Mdir", str(place), "--top-module", "faa_shared", str(made / "mutants.v"),
         str(ROOT / "rtl/lib/faa_ram_1r1w.sv")], place / "verilator.log")
    for path in [*place.glob("*.cpp"), *place.glob("*.o")]:
        path.unlink()


def bench(place, built, spec):
    """Links them with the testbench."""
    told = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True, check=True)
    include = told.stdout.strip() + "/include"
    run(["g++", "-std=c++17", "-O1", "-w", "-DMUTANTS", f"-I{spec}", f"-I{built}", f"-I{include}", f"-I{include}/vltstd",
         "-o", str(place / "shared_tb"), str(ROOT / "tests/rtl/shared_tb.cpp"), f"{include}/verilated.cpp",
         f"{include}/verilated_threads.cpp", str(built / "Vfaa_shared__ALL.a"), "-pthread"], place / "link.log")


def survives(program, args, number, warps):
    """Runs the tests on a mutant; 0 is the unit itself."""
    command = [str(program), str(warps), "1", *map(str, BUILD), args.cycles, str(number)]
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, check=False, timeout=300).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def update(program, args):
    """Makes the present cycles of the unit the expected ones."""
    text = subprocess.run([str(program), "24", "1", *map(str, BUILD), args.cycles, "0"], capture_output=True, text=True, check=False).stdout
    path, key = pathlib.Path(args.cycles), "-".join(map(str, BUILD)) + " "
    kept = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith(key)]
    rows = [line.removeprefix("row: ") for line in text.splitlines() if line.startswith("row: ")]
    path.write_text("\n".join(kept + rows) + "\n", encoding="utf-8")


def survivors(program, args, numbers, warps):
    """The mutants that the tests do not find."""
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        alive = list(pool.map(lambda number: survives(program, args, number, warps), numbers))
    return [number for number, lives in zip(numbers, alive) if lives]


def describe(line):
    """A line of list.ys in readable form."""
    found = dict(re.findall(r"-(mode|port|portbit|ctrlbit|wire|wirebit) (\S+)", line))
    places = ", ".join(dict.fromkeys(re.findall(r"-src (\S+)", line)))
    wire = f" of {found['wire']}[{found['wirebit']}]" if "wire" in found else ""
    return f"{found['mode']} at {found['port']}[{found['portbit']}]{wire}: {places}"


def interval(killed, real):
    """95 % confidence interval (Wilson) in per cent of the share of all mutants, if they were drawn
    independently."""
    z, p = 1.96, killed / real
    middle, half = p + z * z / (2 * real), z * math.sqrt(p * (1 - p) / real + z * z / (4 * real * real))
    return [100 * (middle + sign * half) / (1 + z * z / real) for sign in (-1, 1)]


def judge_tests(place, args, build, say):
    """Runs the tests on all mutants: text and score."""
    made, program = build()
    if not survives(program, args, 0, SHORT_WARPS):
        sys.exit("mutate: the tests find a fault in the unit itself")
    alive = survivors(program, args, range(1, args.mutants + 1), SHORT_WARPS)
    say(f"{len(alive)} survive {SHORT_WARPS} warps")
    verdicts = judge.judge(made / "unit.json", alive, args.jobs)
    equivalent = [number for number in alive if verdicts[number]]
    say(f"{len(equivalent)} are equivalent")
    alive = survivors(program, args, [number for number in alive if not verdicts[number]], LONG_WARPS)
    say(f"{len(alive)} others survive {LONG_WARPS} warps")
    lines = (made / "list.ys").read_text(encoding="utf-8").splitlines()
    text = [f"# survived: {describe(lines[number - 1])}".rstrip(": ") for number in alive]
    real = args.mutants - len(equivalent)
    killed = real - len(alive)
    score, (low, high) = 100 * killed / real, interval(killed, real)
    text.append(f"# {args.mutants} mutants: {killed} killed, {len(equivalent)} equivalent, {len(alive)} survived; "
                f"score {score:.1f} % (95 % confidence: {low:.1f} to {high:.1f} %)")
    (place / "text").write_text("\n".join(text) + "\n", encoding="utf-8")
    (place / "score").write_text("good" if score >= LEAST else "bad", encoding="utf-8")


def recorded(path, content):
    """The text of a file of --record for this content; None when it is for another."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(lines[3:]) if f"content {content}" in lines[:3] else None


def record(path, content, text):
    path.write_text(f"# SPDX-License-Identifier: MIT\n# Written by mutate.py --record\ncontent {content}\n{text}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yosys", required=True, help="yosys with slang")
    parser.add_argument("--cycles", required=True, help="expected cycles of short streams (tests/rtl/shared_cycles.txt)")
    parser.add_argument("--mutants", type=int, default=150, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="which")
    parser.add_argument("--update", action="store_true", help="write the expected cycles")
    parser.add_argument("--recorded", type=pathlib.Path, help="file with the verdict of an earlier run")
    parser.add_argument("--record", type=pathlib.Path, help="file to write the verdict to, if it is good")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    args = parser.parse_args()
    start = time.monotonic()

    def say(text):
        print(f"# {time.monotonic() - start:5.0f} s: {text}", flush=True)

    spec = ROOT / "build/tests/mutate/spec"
    subprocess.run([sys.executable, str(ROOT / "spec/generate.py"), "--out", str(spec)], check=True)
    scripts = sorted(HERE.glob("*.py"))
    parts = [ROOT / path for path in sources()] + [spec / "faa_pkg.sv", ROOT / "rtl/faa_assert.svh",
             ROOT / "rtl/shared/faa_shared_bundle.svh"]
    key = digest(parts + scripts, args.mutants, args.seed, *tools(args))
    tests = [ROOT / "tests/rtl/shared_tb.cpp", spec / "faa_isa.h"]
    content = code_digest(parts + scripts + tests + [args.cycles])
    known = args.recorded and recorded(args.recorded, content)
    if known:
        print(f"{known}\n# recorded in {args.recorded.name}: neither RTL nor tests have changed since")
        return 0

    def build():
        """The program with all mutants, and where their list is."""
        made = cached("netlist", key, lambda place: netlist(place, args, spec / "faa_pkg.sv"))
        say(f"{args.mutants} mutants")
        built = cached("model", key, lambda place: model(place, made))
        program = cached("bench", digest(tests, key), lambda place: bench(place, built, spec)) / "shared_tb"
        say("built")
        return made, program

    if args.update:
        update(build()[1], args)
    verdict = cached("verdict", digest(tests + [args.cycles], key), lambda place: judge_tests(place, args, build, say))
    text, good = (verdict / "text").read_text(encoding="utf-8"), (verdict / "score").read_text(encoding="utf-8") == "good"
    print(text, end="")
    if args.record and good:
        record(args.record, content, text)
    return not good


if __name__ == "__main__":
    sys.exit(main())
