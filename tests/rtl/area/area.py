#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Area, depth and clock rate of the builds of spec/builds.toml, compared with
tests/rtl/area/area.json. Their cycles: cycles.py.

    area.py                 compare: no figure of the present RTL is worse than the table's by more
                            than 2 %, the sums are right, and units of --luts look-up tables in all,
                            synthesised anew, have the figures of the table
    area.py --update        synthesise the units that neither the table nor the store has, smallest
                            units first, until all are done or --seconds are over, and write the
                            table; after a change of the tools or of synth.py, with --anew: the
                            units that the store does not have
    area.py --route MODULE  map a module of a build as one, without the borders of units, place and
                            route it for the largest ECP5, seeds 1 to 3, and write the table;
                            faa_top is the device, and gets a picture,
                            Documentation/floorplan-BUILD.svg
    area.py --place MODULE  the same without routing: the table gets the clock rate that the placer
                            expects
    area.py --before        keep the table's figures as those before a change, for a column of the
                            documentation
    area.py --list          units that --update would synthesise
    area.py --paths=N       the different paths from register to register of more than N levels,
                            deepest first, of the whole device or of --scope: its levels, the
                            registers at both ends, and the bits of the ports that it passes; of
                            paths inside a unit, the deepest to each register. Registers of a unit
                            that is in the table but not in the store have no names
    area.py --json          the table: one object a line for each build, scope and technology; a
                            missing figure is null

--build, --technology and --scope (device, unit or a room, a module's name) choose a part of the
table. elaborate.py defines units, tools.py names the store of results. An --update that was stopped
resumes where it was.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time
from collections import Counter

import depth
import elaborate
import floorplan
import paths
from table import BUILDS, FIGURES, PATH, ROOMS, SCOPES, TECHNOLOGIES, Table, scopes
from tools import DEVICE, Tools, say

UPDATE = "python3 tests/rtl/area/area.py --update"
UPDATE_CYCLES = "python3 tests/rtl/area/cycles.py --update"
# Factor by which a figure may be worse without an update of the table; numbers of cells also by FEW
WORSE, FEW = 1.02, 10
# Figures that tools of another machine may round differently, and by how much
LOOSE = {"lut": 0.01, "cells": 0.01, "carry": 0.01}
# Look-up tables of changed units that a comparison synthesises; more of them take more than a few
# minutes. The size of a new module is estimated: one for CHARACTERS of its RTLIL
COMPARED, CHARACTERS = 30_000, 50
# Smaller units take as long to synthesise
SAMPLED = 200
SEEDS = [1, 2, 3]
WAY = ["levels", "path", "registers"]


def floorplan_of(build):
    """The picture of a build that has been placed."""
    return elaborate.ROOT / f"Documentation/floorplan-{build}.svg"


class Build:
    """A build of the device and its scopes."""

    def __init__(self, name, design):
        self.name, self.design = name, design
        self.modules = {}   # module of a scope: NAME.HASH
        times = design.times()
        self.times = {}
        for _, _, module in scopes():
            found = design.modules(module)
            if found:
                self.modules[module] = found[0]
                self.times[module] = sum(times[key] for key in found)

    def instances(self, top):
        """The number of instances of each unit in a module, itself included."""
        total = Counter({top: 1})
        for child, _ in self.design.instances(top):
            total += self.instances(child)
        return total

    def figures(self, module, rows):
        """Figures of a module from the rows of its units ({unit: row}); levels and path are None
        where some paths are unknown. registers: those at both ends of the path, empty if a row is
        from the table."""
        top = self.modules[module]
        units = self.instances(top)
        found = {kind: sum(number * rows[unit][kind] for unit, number in units.items()) for kind in ["lut", *depth.COUNTS]}
        levels, path, registers = None, None, None
        summaries = self.summaries(top, rows)
        if summaries:
            levels, steps, registers = paths.whole(top, summaries)
            path = [" ".join(step) for step in steps]
        return found | {"levels": levels, "path": path, "registers": registers and list(registers)}

    def summaries(self, top, rows):
        """The rows of the units in a module with the units below them, as paths.py takes them; None
        where some have no paths."""
        units = self.instances(top)
        if not all("through" in rows[unit] for unit in units):
            return None
        children = {unit: {cell: child for child, cell in self.design.instances(unit)}
                    for unit in units}
        return {unit: {**rows[unit], "children": children[unit]} for unit in units}


def elaborated(tools, names, jobs=1):
    """The named builds."""
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = [Build(name, design) for name, design in zip(names, pool.map(lambda name: tools.design(BUILDS.arguments(name)), names))]
    if time.monotonic() - start > 10:
        say(f"{time.monotonic() - start:5.0f} s  {', '.join(names)} elaborated")
    return found


def chosen(args, build):
    """(scope, room, module, technology) of a build that the command line selects."""
    return [(scope, room, module, technology) for scope, room, module in scopes() for technology in args.technology or TECHNOLOGIES
            if module in build.modules and (not args.scope or scope in args.scope or room in args.scope)]


def rows_of(tools, table, build, module, technology, made=None):
    """({unit: row}, units without one) of a module: from @made, the store, else the table."""
    rows, lacking = {}, []
    for unit in build.design.units(build.modules[module]):
        key = (build.design.key(unit), technology)
        row = (made or {}).get(key) or tools.known(*key)
        row = row or table.row(*key)
        if row:
            rows[unit] = row
        else:
            lacking.append(unit)
    return rows, lacking


def wanted_units(tools, table, args, builds):
    """(key, technology): (build, unit) of the units that neither the table nor the store has,
    smallest first."""
    found = {}
    for build in builds:
        for _, _, module, technology in chosen(args, build):
            for unit in build.design.units(build.modules[module]):
                key = (build.design.key(unit), technology)
                kept = not args.anew and "through" in table.units.get(key, {})
                if key not in found and not kept and not tools.known(*key):
                    found[key] = (build, unit)
    size = {key: expected(table, build, unit, key[1]) for key, (build, unit) in found.items()}
    return {key: found[key] for key in sorted(found, key=lambda key: (size[key], key))}


def gather(tools, jobs, wanted, seconds=None):
    """Synthesises units; starts none after @seconds. Returns the rows that it made."""
    start, made = time.monotonic(), {}
    todo = list(wanted.items())
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        running = {}
        while todo or running:
            while todo and len(running) < jobs and (seconds is None or time.monotonic() - start < seconds):
                key, (build, unit) = todo.pop(0)
                running[pool.submit(tools.synthesise, *key, build.design.rtlil(unit))] = key
            if not running:
                break
            for done in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)[0]:
                key = running.pop(done)
                made[key] = done.result()
                say(f"{time.monotonic() - start:5.0f} s  {key[0]}, {key[1]}: {made[key]['lut']} LUT")
    if todo:
        say(f"{len(todo)} units are left")
    return made


def commit():
    """The commit that is checked out, with a + if files of the hardware differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", elaborate.ROOT, *words], capture_output=True, text=True, check=False).stdout.strip()
    return git("rev-parse", "--short=12", "HEAD") + ("+" if git("status", "--porcelain", "rtl", "spec") else "")


def is_wiring(design, unit):
    """True for units that contain little but wiring: their paths are too long for a table."""
    return elaborate.base(unit) in elaborate.CUT or any("_part." in child for child, _ in design.instances(unit))


def unit_row(key, summary, wiring):
    """The table's row of a unit."""
    ways = {} if wiring else depth.packed(summary)
    return {"unit": key[0], "technology": key[1], **{name: summary[name] for name in ["lut", *depth.COUNTS, "depth"]}, **ways}


def record(tools, table, args, builds):
    """Writes the selected figures that the store has all units for; removes others that were
    measured on other hardware."""
    table, now = Table(table.path), commit()   # another run may have written it since
    for build in builds:
        for scope, room, module, technology in chosen(args, build):
            row = {"build": build.name, "scope": scope, **({"room": room} if room else {}), "technology": technology}
            place, top = table.key(row), build.modules[module]
            rows, lacking = rows_of(tools, table, build, module, technology)
            old = table.figures.get(place)
            if lacking:
                if old and old["top"] != top:
                    say(f"{' '.join(place)}: {len(lacking)} units are missing; the figure of other hardware is removed")
                    del table.figures[place]
                continue
            new = build.figures(module, rows)
            if new["levels"] is None and old and old["top"] == top:
                new |= {name: old[name] for name in WAY}
            if new["path"] == (old or {}).get("path") and not all(new["registers"] or [""]):
                new["registers"] = old["registers"]
            row |= {"top": top, "times": build.times[module], "commit": now, **new}
            # Unchanged hardware keeps the commit that it was measured at.
            if old and {**old, "commit": now} == row:
                row["commit"] = old["commit"]
            table.figures[place] = row
            for unit, summary in rows.items():
                key = (build.design.key(unit), technology)
                if "through" in summary or key not in table.units:
                    table.units[key] = unit_row(key, summary, is_wiring(build.design, unit))
        for place in [place for place in table.figures if place[0] == build.name]:
            if (place[2] or SCOPES.get(place[1])) not in build.modules:
                del table.figures[place]
    if len(builds) == len(BUILDS.builds):
        used = {(build.design.key(unit), technology) for build in builds for unit in build.design.units() for technology in TECHNOLOGIES}
        table.units = {key: row for key, row in table.units.items() if key in used}
        table.figures = {place: row for place, row in table.figures.items() if place[0] in BUILDS.builds}
    table.write()


def deep_paths(tools, table, args, builds):
    """Prints the paths of more than --paths levels of the device, or of the chosen scopes."""
    args.scope = args.scope or ["device"]
    for build in builds:
        for scope, room, module, technology in chosen(args, build):
            rows, lacking = rows_of(tools, table, build, module, technology)
            summaries = None if lacking else build.summaries(build.modules[module], rows)
            what = " ".join(filter(None, (build.name, scope, room, technology)))
            if not summaries:
                anew = "" if lacking else " --anew"
                sys.exit(f"area: paths of some units of {what} are unknown: {UPDATE}{anew} "
                         f"--build {build.name} --technology {technology}")
            found = paths.paths(build.modules[module], summaries, args.paths)
            print(f"{what}: {len(found)} paths of more than {args.paths} levels")
            for levels, steps, (first, last) in found:
                print(f"{levels:3}  {first} -> {last}")
                for step in steps:
                    print("       " + " ".join(step))


def route(tools, args, builds):
    """Places and, with --route, routes a module of each build, mapped as one, with each seed. For
    the whole device, the worst seed's floor plan becomes a picture."""
    module, routed = args.route or args.place, bool(args.route)
    for build in builds:
        top = next(iter(build.design.modules(module)), None)
        if not top:
            sys.exit(f"area: {build.name} has no module {module}")
        row = {"build": build.name, "module": module, "top": top, "device": " ".join(DEVICE).replace("--", ""), "commit": commit(),
               **tools.mapped(build.design, top), "mhz": {}}
        say(f"{build.name}, {module}, mapped as one: {row['lut']} LUT, {row['levels']} levels")
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for seed, found in zip(args.seeds, pool.map(lambda seed: tools.route(build.design, top, seed, routed), args.seeds)):
                row["mhz"][str(seed)], row["used"], tiles, path = found
                if row["mhz"][str(seed)] == min(row["mhz"].values()):
                    row["path"], worst = path, tiles
                say(f"{build.name}, {module}, seed {seed}: {row['mhz'][str(seed)]} MHz{'' if routed else ' expected'}")
        table = Table(args.table)
        (table.clocks if routed else table.placed)[(build.name, module)] = row
        table.write()
        if module == SCOPES["device"]:
            floorplan_of(build.name).write_text(floorplan.picture(worst, f"{build.name} on {row['device']}"), encoding="utf-8")


def differences(what, now, then, loose):
    """Sentences about the figures that are not those of the table, or differ by more than is
    allowed."""
    found = []
    for name in sorted(now.keys() | then.keys()):
        new, old = now.get(name), then.get(name)
        if name in loose and isinstance(new, int) and isinstance(old, int) and abs(new - old) <= loose[name] * old:
            continue
        if new != old:
            found.append(f"{what}: {name} is {new}, but {old} in area.json; if that is meant: {UPDATE}")
    return found


def worse(what, now, then):
    """Sentences about figures that are worse than those of the table by more than is allowed."""
    found = []
    for name in FIGURES:
        new, old = now[name], then[name]
        few = 0 if name in ("levels", "bram", "dsp") else FEW
        if new is not None and old is not None and new > WORSE * old and new > old + few:
            found.append(f"{what}: {name} is {new}, {old} in area.json; if that is meant: {UPDATE}")
    return found


def expected(table, build, unit, technology):
    """About how many look-up tables a unit has that is not in the table: as many as units of the
    same name."""
    known = [row["lut"] for (name, other), row in table.units.items() if other == technology and elaborate.base(name) == elaborate.base(unit)]
    return max(known) if known else len(build.design.rtlil(unit)) // CHARACTERS


def compare_figures(tools, table, args, build):
    """Sentences about the figures of a build, and the number of checked figures."""
    problems, changed, number = [], [], 0
    for place, row in table.figures.items():
        if place[0] != build.name:
            continue
        number += 1
        what, module = " ".join(filter(None, place)), place[2] or SCOPES[place[1]]
        if module not in build.modules:
            problems.append(f"{what}: there is no {module} any more; to bring the table up to date: {UPDATE}")
        elif row["top"] == build.modules[module]:
            lacking = [unit for unit in build.design.units(row["top"]) if (build.design.key(unit), place[3]) not in table.units]
            if lacking:
                problems.append(f"{what}: area.json does not have the unit {elaborate.base(lacking[0])}; {UPDATE}")
                continue
            rows = {unit: table.row(build.design.key(unit), place[3]) for unit in build.design.units(row["top"])}
            now = {**row, **build.figures(module, rows)}
            # The table has no paths of wiring, and no names of registers of any unit.
            now |= {name: row[name] for name in (WAY if now["levels"] is None else ["registers"])}
            problems += differences(what, now, row, {})
        else:
            changed.append((what, module, place[3], row))
    made = {}
    if changed:
        lacking = {}
        for _, module, technology, _ in changed:
            for unit in rows_of(tools, table, build, module, technology)[1]:
                lacking[(build.design.key(unit), technology)] = (build, unit)
        if sum(expected(table, build, unit, key[1]) for key, (_, unit) in lacking.items()) > args.compared:
            names = sorted({elaborate.base(unit) for _, unit in lacking.values()})
            return [*problems, f"{build.name}: {', '.join(names)} changed, and to synthesise them takes too long here; to bring the table up to date: "
                    f"{UPDATE} --build {build.name}"], number
        made = gather(tools, args.jobs, lacking)
    for what, module, technology, row in changed:
        now = build.figures(module, rows_of(tools, table, build, module, technology, made)[0])
        problems += worse(what, now, row)
    return problems, number


def sample(table, builds, luts):
    """(key, technology): (build, unit) of the smallest units of the table that have SAMPLED look-up
    tables, up to @luts in all."""
    keys = {(build.design.key(unit), technology): (build, unit) for build in builds for unit in build.design.units() for technology in TECHNOLOGIES}
    found = {}
    for key in sorted(keys.keys() & table.units.keys(), key=lambda key: (table.units[key]["lut"], key)):
        if table.units[key]["lut"] >= SAMPLED:
            luts -= table.units[key]["lut"]
            if luts >= 0:
                found[key] = keys[key]
    return found


def other_hardware(table, name):
    """Sentences about cycles of a build that were measured on other hardware than the figures."""
    tops = {row["top"] for (build, _), row in table.cycles.items() if build == name}
    units = {row["top"] for (build, scope, _, _), row in table.figures.items() if build == name and scope == "unit"}
    if not tops or not units or tops == units:
        return []
    return [f"{name}: the cycles in area.json are not of its shared memory unit there ({', '.join(sorted(tops))}); {UPDATE_CYCLES}"]


def check(tools, table, args, builds):
    """Sentences about faults of the table, and the number of checked rows."""
    problems, rows = [], 0
    for build in builds:
        found, number = compare_figures(tools, table, args, build)
        problems += found + other_hardware(table, build.name)
        rows += number
        for (name, module), row in table.clocks.items():
            # Placing the device takes hours: until it is done again the table has the figures of
            # the commit that was placed.
            if name == build.name and module != SCOPES["device"] and row["top"] not in build.design.modules(module):
                problems.append(f"{name}: area.json has no clock rate of {module} as it is now; to bring the table up to date: "
                                f"python3 tests/rtl/area/area.py --build {name} --route {module}")
    anew = sample(table, builds, args.luts)
    made = gather(tools, args.jobs, anew)
    for key, (build, unit) in anew.items():
        problems += differences(f"{key[0]} ({key[1]})", unit_row(key, made[key], "through" not in table.units[key]), table.units[key], LOOSE)
    if len(builds) == len(BUILDS.builds):
        problems += [f"{place[0]} is in area.json, but no build; to bring the table up to date: {UPDATE}" for place in table.figures
                     if place[0] not in BUILDS.builds]
    return problems, rows + len(anew)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--update", action="store_true", help="bring area.json up to date")
    what.add_argument("--before", action="store_true", help="keep the figures of the table as those before a change")
    what.add_argument("--list", action="store_true", help="names of the units that --update would synthesise")
    what.add_argument("--json", action="store_true", help="print the figures of the table, one object a line")
    what.add_argument("--paths", type=int, metavar="N", help="print the paths of more than N levels")
    what.add_argument("--route", metavar="MODULE", help="place and route a module")
    what.add_argument("--place", metavar="MODULE", help="place a module")
    parser.add_argument("--build", choices=BUILDS.builds, action="append", help="this build alone; can be given several times")
    parser.add_argument("--scope", choices=[*SCOPES, *ROOMS], action="append", metavar="SCOPE", help="this scope alone; can be given several times")
    parser.add_argument("--technology", choices=TECHNOLOGIES, action="append", help="this technology alone")
    parser.add_argument("--anew", action="store_true", help="with --update: units that the table has, too, unless the store has them")
    parser.add_argument("--seconds", type=float, help="begin no unit later than this")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="seeds of --route and --place (default 1 2 3)")
    parser.add_argument("--luts", type=int, default=25000, help="size of what is synthesised to be compared (default %(default)s)")
    parser.add_argument("--compared", type=int, default=COMPARED,
                        help="look-up tables of changed units that are synthesised to be compared (default %(default)s)")
    parser.add_argument("--table", type=pathlib.Path, default=PATH, help="another table than area.json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: one per processor)")
    return parser.parse_args()


def main():
    args = arguments()
    table = Table(args.table)
    if args.json:
        for row in table.rows():
            if not args.build or row["build"] in args.build:
                print(json.dumps(row))
        return 0
    if args.before:
        table.before = {place: {name: value for name, value in row.items() if name != "path"} for place, row in table.figures.items()}
        table.write()
        return 0
    tools = Tools()
    builds = elaborated(tools, args.build or BUILDS.builds, args.jobs)
    if args.list:
        for unit, technology in wanted_units(tools, table, args, builds):
            print(unit, technology)
        return 0
    if args.paths is not None:
        deep_paths(tools, table, args, builds)
        return 0
    if args.route or args.place:
        route(tools, args, builds)
        return 0
    if args.update:
        try:
            gather(tools, args.jobs, wanted_units(tools, table, args, builds), args.seconds)
        finally:
            record(tools, table, args, builds)
        return 0
    problems, rows = check(tools, table, args, builds)
    for text in problems:
        print(text)
    print(f"{rows} rows compared, {len(problems)} problems")
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
