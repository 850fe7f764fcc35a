# SPDX-License-Identifier: MIT
"""area.json: figures of builds, those before a change that the documentation compares, cycles of
builds, clock rates of routed modules, estimated clock rates of placed modules, and the units that
the figures are made of; one object a line."""

import json
import pathlib
import sys

import depth

HERE = pathlib.Path(__file__).resolve().parent
PATH = HERE / "area.json"
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "spec"))

import builds as spec  # noqa: E402

BUILDS = spec.Builds()
TECHNOLOGIES = ["ecp5", "xilinx"]
# Scopes of figures: name in the table, and module
SCOPES = {"device": "faa_top", "unit": "faa_shared"}
# Rooms of the device: further scopes
ROOMS = ["faa_cu_wrap", "faa_cu_slot", "faa_cu_operand", "faa_cu_access", "faa_cu_fetch", "faa_cu_load", "faa_cu_store", "faa_cu_memory",
         "faa_cu_regfile", "faa_cu_control", "faa_cu_context", "faa_surface", "faa_global", "faa_memory", "faa_l2", "faa_mmu", "faa_tlb",
         "faa_frontend", "faa_csr", "faa_axi_master", "faa_axi_atomic"]
FIGURES = ["lut", *depth.COUNTS, "levels"]
KILO = 1000


def scopes():
    """(scope, room, module) of each set of figures. Room is None except for rooms."""
    return [(scope, None, module) for scope, module in SCOPES.items()] + [("room", room, room) for room in ROOMS]


class Table:
    """The content of area.json."""

    def __init__(self, path=PATH):
        self.path = path
        data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.figures = {self.key(row): row for row in data.get("figures", [])}
        self.before = {self.key(row): row for row in data.get("before", [])}
        self.clocks = {(row["build"], row["module"]): row for row in data.get("clocks", [])}
        self.placed = {(row["build"], row["module"]): row for row in data.get("placed", [])}
        self.cycles = {(row["build"], row["stream"]): row for row in data.get("cycles", [])}
        self.units = {(row["unit"], row["technology"]): row for row in data.get("units", [])}

    @staticmethod
    def key(row):
        """The key of a row of figures."""
        return row["build"], row["scope"], row.get("room") or "", row["technology"]

    def row(self, unit, technology):
        """The figures of a unit, bit by bit; None if it has none."""
        row = self.units.get((unit, technology))
        return row and {**row, **(depth.unpacked(row) if "through" in row else {})}

    def write(self):
        parts = []
        for name, rows in (("figures", self.figures), ("before", self.before), ("clocks", self.clocks), ("placed", self.placed),
                           ("cycles", self.cycles), ("units", self.units)):
            lines = ",\n  ".join(json.dumps(rows[key]) for key in sorted(rows))
            parts.append(f' "{name}": [\n  {lines}\n ]' if lines else f' "{name}": []')
        self.path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")

    def mhz(self, build, module, top):
        """The clock rate of a module of a build in the worst of its seeds, None if it was measured
        on other hardware."""
        row = self.clocks.get((build, module))
        return min(row["mhz"].values()) if row and row["top"] == top else None

    def per_warp(self, build):
        """Cycles per warp of the build's shared memory unit: {stream: cycles}, empty if they were
        not measured."""
        return {stream: round(row["cycles"] / row["warps"], 4) for (name, stream), row in self.cycles.items() if name == build}

    def rows(self):
        """The rows of --json: every build, scope and technology. A missing figure is None."""
        for build in BUILDS.builds:
            cycles = self.per_warp(build)
            for scope, room, module in scopes():
                for technology in TECHNOLOGIES:
                    row = {"build": build, "scope": scope, **({"room": room} if room else {}), "technology": technology}
                    figures = self.figures.get(self.key(row), {})
                    row |= {name: figures.get(name) for name in FIGURES}
                    row["mhz"] = self.mhz(build, module, figures.get("top")) if technology == "ecp5" else None
                    if not room:
                        row |= self.speed(build, scope, row, cycles)
                    if room:
                        row["times"] = figures.get("times")
                    yield row | {"commit": figures.get("commit")}

    @staticmethod
    def speed(build, scope, row, cycles):
        """Cycles of a build, and its work per look-up table of a row; all units of the device work
        at the same time."""
        units = BUILDS.values[build]["NumCu"] if scope == "device" else 1
        found = {"cycles": cycles or None, "lane_operations_per_cycle_per_klut": None, "lane_operations_per_second_per_klut": None}
        if cycles and row["lut"]:
            rates = {stream: units * 32 / value * KILO / row["lut"] for stream, value in cycles.items()}
            found["lane_operations_per_cycle_per_klut"] = {stream: round(rate, 4) for stream, rate in rates.items()}
            if row["mhz"]:
                found["lane_operations_per_second_per_klut"] = {stream: round(1e6 * row["mhz"] * rate) for stream, rate in rates.items()}
        return found
