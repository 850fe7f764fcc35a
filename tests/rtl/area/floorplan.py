#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where place and route puts the rooms of the device, as a picture: floorplan.py PLACED.json
OUT.svg [TITLE].

PLACED.json is the output of nextpnr-ecp5 --write. Each tile of the FPGA has the colour of the room
that has most cells in it. area.py --route faa_top makes the picture of a build's device.
"""

import collections
import json
import pathlib
import re
import sys
from xml.sax.saxutils import escape

# Rooms: the first pattern that matches the instance's path, its name in the picture, its colour.
ROOMS = [
    (r"u_cu\.u_shared\b", "shared memory", "#4e79a7"),
    (r"u_cu\.\w*\.?u_atom\b|u_cu\.u_atom", "atomic unit", "#f28e2b"),
    (r"u_surface", "surfaces", "#e15759"),
    (r"u_slot\.u_operand|u_operand", "operands", "#76b7b2"),
    (r"u_slot", "slot", "#59a14f"),
    (r"u_tlb\b.*|u_mmu", "TLBs and page walks", "#edc948"),
    (r"u_cu_wrap", "compute unit, other", "#b07aa1"),
    (r"u_memory|u_l2|u_slice", "L2 and memory", "#ff9da7"),
    (r"u_axi", "AXI", "#9c755f"),
    (r"u_frontend|u_csr|u_inv", "front end, registers", "#d37295"),
    (r"", "frame of the test, other", "#bab0ac"),
]
BEL = re.compile(r"X(\d+)/Y(\d+)/")
TILE = 8            # pixels
LEGEND = 22         # pixels of a line of the legend


def room_of(cell):
    """Number of a cell's room, from the names of the instances around it."""
    return next(number for number, (pattern, *_) in enumerate(ROOMS) if re.search(pattern, cell))


def tiles(placed):
    """[x, y, room, cells of the tile] of all tiles with cells; @placed: nextpnr's output."""
    found = collections.defaultdict(collections.Counter)
    top = next(module for module in placed["modules"].values() if "top" in module["attributes"])
    for name, cell in top["cells"].items():
        place = BEL.match(cell["attributes"].get("NEXTPNR_BEL", ""))
        if place:
            found[int(place[1]), int(place[2])][room_of(name)] += 1
    return [[x, y, rooms.most_common(1)[0][0], sum(rooms.values())] for (x, y), rooms in sorted(found.items())]


def picture(found, title):
    """SVG of tiles."""
    width, height = (max(tile[axis] for tile in found) + 1 for axis in (0, 1))
    cells = collections.Counter()
    shapes = collections.defaultdict(list)
    for x, y, room, number in found:
        cells[room] += number
        shapes[room].append(f"M{x * TILE} {y * TILE}h{TILE}v{TILE}h-{TILE}z")
    rows = sorted(cells, key=lambda room: -cells[room])
    tall = height * TILE + LEGEND * (len(rows) + 2)
    out = ["<!-- SPDX-License-Identifier: MIT -->",
           f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * TILE} {tall}" font-family="sans-serif" font-size="16">',
           f"<title>{escape(title)}</title>", f'<rect width="{width * TILE}" height="{tall}" fill="white"/>',
           f'<rect width="{width * TILE}" height="{height * TILE}" fill="#f4f4f4"/>']
    for room in rows:
        out.append(f'<path fill="{ROOMS[room][2]}" d="{"".join(shapes[room])}"/>')
    for line, room in enumerate(rows, 1):
        y = height * TILE + LEGEND * line
        out += [f'<rect x="8" y="{y}" width="16" height="16" fill="{ROOMS[room][2]}"/>',
                f'<text x="32" y="{y + 14}">{ROOMS[room][1]}: {len(shapes[room]):,} tiles</text>']
    return "\n".join([*out, "</svg>", ""])


def main():
    source, out, *title = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        found = tiles(json.load(file))
    pathlib.Path(out).write_text(picture(found, " ".join(title) or source), encoding="utf-8")


if __name__ == "__main__":
    main()
