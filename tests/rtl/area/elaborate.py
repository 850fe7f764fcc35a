# SPDX-License-Identifier: MIT
"""A build of the device, elaborated and cut into units of synthesis.

A unit is a module with everything below it, except that modules below a module of CUT, and
floating-point adders, are units of their own; the rest of a module of CUT is one, too. The text of
a module, Yosys' RTLIL, is brought into a form that does not depend on source positions, the
instance or the rest of the design. So the hash of that text names the module: two instances with
the same parameters are one, and an edit changes the names of the modules whose hardware it changes,
and of those above them. A unit of synthesis has a hash of its own, which covers only the ports of
the units below it: an edit changes one unit.
"""

import hashlib
import itertools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOP = "faa_top"

# Modules too large to be synthesised as one. A module of this list that is instantiated by a module
# outside it stays whole.
CUT = {"faa_top", "faa_frontend", "faa_cu_wrap", "faa_cu", "faa_cu_slot", "faa_cu_commands", "faa_cu_path",
       "faa_cu_path_serial", "faa_cu_units", "faa_shared", "faa_shared_front", "faa_shared_banks", "faa_shared_back",
       "faa_global", "faa_surface", "faa_memory", "faa_memory_slice", "faa_l2"}

# Adders are many and alike: they are synthesised once for all instances.
APART = {"faa_float_add", "faa_float_add_half"}

# A signal of one of the banks that a module has a loop over
BANK = re.compile(r"g_bank\[(\d+)\]\.")

# The front end numbers the ports of a module in an order that depends on the rest of the design.
PORT = re.compile(r"^(  wire (?:.* )?(?:input|output)) \d+ ", re.MULTILINE)
CELL = re.compile(r"^  cell \\(\S+) ", re.MULTILINE)


def sources():
    """Files of the device, packages first and in their order, without the generated one."""
    listed = (ROOT / "rtl/faa.f").read_text(encoding="utf-8").splitlines()
    packages = [f"rtl/{name}" for name in listed if name.endswith("_pkg.sv")]
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "rtl").rglob("*.sv"))
    return packages + [name for name in files if name not in packages]


def base(name):
    """The module's own name of NAME.HASH."""
    return name.split(".")[0]


def modules(text):
    """Name and lines of each module of an RTLIL file, in its order. Attributes of modules, and
    source positions, are left out."""
    found, lines = {}, None
    for line in text.splitlines():
        if line.startswith("module "):
            lines = found.setdefault(line.split()[1], [])
        elif line == "end":
            lines = None
        elif lines is not None and not line.lstrip().startswith("attribute \\src "):
            lines.append(line)
    return found


def renumber(lines):
    """The lines with ports that are numbered in the order of their declarations."""
    number = itertools.count(1)
    return PORT.sub(lambda match: f"{match[1]} {next(number)} ", "\n".join(lines))


class Part:
    """One of the equal parts that slices.py made modules of: the part as a unit, and a module that
    connects it."""

    NAME = re.compile(r"([\\$]\S+)( \[\d+(?::\d+)?\])?")
    WIRE = re.compile(r"^  wire (?:width (\d+) )?(?:(input|output) \d+ )?(\S+)$")

    def __init__(self, lines, prefix):
        self.width, self.ports, self.names, self.bits, self.memories = {}, {}, {}, {}, {}
        declared = [match for match in map(self.WIRE.match, lines) if match]
        for width, direction, name in (match.groups() for match in declared):
            self.width[name] = int(width or 1)
            if direction:
                self.ports[name] = direction
        body = [self.line(line) for line in self.ordered(lines)]
        wires = [f"  wire {direction} {index + 1} \\p{index}" for index, (_, direction) in enumerate(self.bits.values())]
        wires += [f"  wire width {self.width[old]} {new}" for old, new in self.names.items() if old in self.width]
        self.text = "\n".join(wires + body)
        self.unit = f"{prefix}_part.{hashlib.sha256(self.text.encode()).hexdigest()[:16]}"
        place = [match[0] for match in declared if match[2]] + [f"  cell \\{self.unit} \\part"]
        place += [f"    connect \\p{index} {bit}" for index, (bit, _) in enumerate(self.bits.values())] + ["  end"]
        self.place = "\n".join(place)

    def ordered(self, lines):
        """Cells and connections sorted by content, and equal cells by their numbers: Yosys' own
        order depends on the bank."""
        blocks, last = [], None
        for line in lines:
            if line.startswith("  cell "):
                last = [line]
                blocks.append(last)
            elif line.startswith("  connect "):
                blocks.append([line])
            elif line.startswith(("    ", "  end")):
                last.append(line)

        def key(block):
            what = re.sub(r"\d+", "", BANK.sub("", " ".join(block)))
            return len(block) == 1, what, [int(number) for number in re.findall(r"\d+", BANK.sub("", block[0]))]

        return [line for block in sorted(blocks, key=key) for line in block]

    def rename(self, name):
        """Names are numbered in the order of their first use."""
        return self.names.setdefault(name, f"\\n{len(self.names)}")

    def signal(self, match):
        """A signal under its new name; bits of ports are ports of their own."""
        name, index = match[1], match[2] or ""
        if name not in self.ports:
            return self.rename(name) + index
        high, _, low = (index.strip(" []") or f"{self.width[name] - 1}:0").partition(":")
        bits = []
        for bit in range(int(high), int(low or high) - 1, -1):
            where = f"{name} [{bit}]" if self.width[name] > 1 else name
            number = list(self.bits).index(where) if where in self.bits else len(self.bits)
            self.bits.setdefault(where, (where, self.ports[name]))
            bits.append(f"\\p{number}")
        return bits[0] if len(bits) == 1 else "{ " + " ".join(bits) + " }"

    def line(self, line):
        """A line of a cell or a connection under new names."""
        parts = line.split(" ")
        if line.startswith("  cell "):
            return f"  cell {parts[3]} {self.rename(parts[4])}"
        if line.startswith("    connect "):
            return f"    connect {parts[5]} " + self.NAME.sub(self.signal, " ".join(parts[6:]))
        if line.startswith("  connect "):
            return "  connect " + self.NAME.sub(self.signal, line[10:])
        if line.startswith("    parameter \\MEMID "):
            return f'    parameter \\MEMID "\\\\memory{self.memories.setdefault(line, len(self.memories))}"'
        return line


class Design:
    """Modules of a build, named by content: NAME.HASH, HASH from the text of the module and all
    below it."""

    def __init__(self, text):
        self.raw = modules(text)
        self.known = set(self.raw)
        self.names = {}   # name in Yosys: NAME.HASH
        self.texts = {}   # NAME.HASH: body
        self.below = {}   # NAME.HASH: list of NAME.HASH, one per instance
        self.cells = {}   # NAME.HASH: names of these instances
        self.keys = {}    # NAME.HASH: hash of the unit of synthesis
        for name in self.known:
            self.canonical(name)
        self.top = self.names["\\" + TOP]

    def canonical(self, name):
        """The new name of a module; renames the modules below it first."""
        if name in self.names:
            return self.names[name]
        body, below, cells = [], [], []
        for line in self.raw.pop(name):
            parts = line.split()
            if len(parts) == 3 and parts[0] == "cell" and parts[1] in self.known:
                child = self.canonical(parts[1])
                below.append(child)
                cells.append(parts[2].lstrip("\\"))
                line = f"  cell \\{child} {parts[2]}"
            body.append(line)
        text = renumber(body)
        plain = re.split(r"[$\\]", name.lstrip("\\"))[0]
        key = f"{plain}.{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        self.names[name] = key
        self.texts[key] = text
        self.below[key] = below
        self.cells[key] = cells
        return key

    def equal_parts(self, unit):
        """True if the unit has to be cut into equal parts."""
        return len(set(BANK.findall(self.texts[unit]))) == 32

    def cut(self, unit, text):
        """Takes the RTLIL of a unit that slices.py has cut."""
        for name, lines in modules(text).items():
            name = name.lstrip("\\")
            if name == unit:
                self.texts[name] = renumber(lines)
                cells = [line.split() for line in lines if line.startswith("  cell \\")]
                cells = [words for words in cells if words[1].startswith(f"\\{unit}_") or words[1].lstrip("\\") in self.texts]
                self.below[name] = [words[1].lstrip("\\") for words in cells]
                self.cells[name] = [words[2].lstrip("\\") for words in cells]
            elif name.startswith(unit + "_"):
                part = Part(lines, unit.split(".")[0])
                self.texts[name], self.below[name], self.cells[name] = part.place, [part.unit], ["part"]
                self.texts[part.unit], self.below[part.unit], self.cells[part.unit] = part.text, [], []

    def units(self, top=None):
        """All units of the build or of a module of it, that module first."""
        seen, todo = [], [top or self.top]
        while todo:
            name = todo.pop(0)
            if name not in seen:
                seen.append(name)
                todo += [child for child, _ in self.instances(name)]
        return seen

    def modules(self, plain):
        """Modules of this name in the build, as NAME.HASH, the one with most instances first."""
        found = {}
        for key, times in self.times().items():
            if base(key) == plain:
                found[key] = times
        return sorted(found, key=lambda key: (-found[key], key))

    def times(self):
        """The number of instances of each module in the build."""
        found = {}

        def count(name, times):
            found[name] = found.get(name, 0) + times
            number = {}
            for child in self.below[name]:
                number[child] = number.get(child, 0) + times
            for child, more in number.items():
                count(child, more)
        count(self.top, 1)
        return found

    def is_unit(self, unit, child):
        """True if an instance directly below a unit, or below a module that it has whole, is a unit
        of its own."""
        return base(unit) in CUT or base(child) in APART or "_part." in child

    def instances(self, unit):
        """The units directly below a unit: (unit, instance name in the flattened netlist), one per
        instance."""
        found = []

        def walk(name, path):
            for child, cell in zip(self.below[name], self.cells[name]):
                if self.is_unit(name if name == unit else "", child):
                    found.append((child, path + cell))
                else:
                    walk(child, path + cell + ".")
        walk(unit, "")
        return found

    def ports(self, name):
        """Declarations of a module's ports."""
        return "\n".join(line for line in self.texts[name].splitlines() if PORT.match(line + " "))

    def box(self, name):
        """Name of a unit in those above it: a hash of its ports."""
        return f"{base(name)}.{hashlib.sha256(self.ports(name).encode()).hexdigest()[:16]}"

    def rtlil(self, unit, named=False):
        """RTLIL of a unit with all below it; of the units below it only the ports. Their names, and
        the unit's, do not depend on content unless @named is set."""
        seen, todo, parts = set(), [unit], []

        def cell(match):
            """A cell's line with the name of its unit."""
            child = match[1]
            if child not in self.texts:
                return match[0]
            if not self.is_unit(name if name == unit else "", child):
                todo.append(child)
                return match[0]
            box = child if named else self.box(child)
            if box not in seen:
                seen.add(box)
                parts.append(f"attribute \\blackbox 1\nmodule \\{box}\n{self.ports(child)}\nend\n")
            return f"  cell \\{box} "

        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            text = CELL.sub(cell, self.texts[name])
            parts.append(f"module \\{base(unit) if name == unit and not named else name}\n{text}\nend\n")
        return "".join(parts)

    def whole(self, top):
        """RTLIL of a module with all units below it."""
        seen, todo = {}, [top]
        while todo:
            name = todo.pop()
            if name not in seen:
                seen[name] = f"module \\{base(top) if name == top else name}\n{self.texts[name]}\nend\n"
                todo += self.below[name]
        return "".join(seen.values())

    def key(self, unit):
        """Name of a unit of synthesis: NAME.HASH, HASH from rtlil()."""
        if unit not in self.keys:
            self.keys[unit] = f"{base(unit)}.{hashlib.sha256(self.rtlil(unit).encode()).hexdigest()[:16]}"
        return self.keys[unit]


def main():
    """elaborate.py PACKAGE OUT [NAME=VALUE...]: writes the RTLIL of a build. PACKAGE is the
    generated faa_pkg.sv."""
    from pyosys import libyosys  # the only part that needs Yosys
    package, out, *parameters = sys.argv[1:]
    values = " ".join(f"-G {parameter}" for parameter in parameters)
    design = libyosys.Design()
    for command in [f"read_slang --threads 1 -D SYNTHESIS --ignore-assertions -I rtl --top {TOP} --keep-hierarchy --no-proc {values} "
                    f"{package} {' '.join(sources())}",
                    "setattr -unset src -unset hdlname", "setattr -mod -unset src -unset hdlname", f"write_rtlil {out}"]:
        libyosys.run_pass(command, design)


if __name__ == "__main__":
    main()
