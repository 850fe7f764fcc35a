#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a waveform of faa-run as the picture of cosimulation.rst.

fst2vcd wave.fst | gen_waves.py >waves.svg

Each signal has one bit; the x axis is in clock cycles.
"""
import re
import sys
from xml.sax.saxutils import escape

# Of each room: a name, and the signal, whose name ends so.
ROWS = (
    ("Registers", "write (the doorbell)", "faa_top.s_axil_wvalid_i"),
    ("Queue 0", "idle", "gen_queue[0].u_queue.idle_o"),
    ("Front end", "a job runs on unit 0", "gen_runner[0].u_runner.running_o"),
    ("MMU", "no walk", "faa_top.u_mmu.u_ptw.idle_o"),
    ("Compute unit 0", "stream of slot 0 runs", "gen_cu[0].u_cu_wrap.u_cu.g_slot[0].u_slot.running_o"),
    ("", "warp to shared memory", "gen_cu[0].u_cu_wrap.u_cu.u_shared.warp_valid_i"),
    ("", "answer of shared memory", "gen_cu[0].u_cu_wrap.u_cu.u_shared.result_valid_o"),
    ("L2", "request", "gen_slice[0].u_slice.u_l2.req_valid_i"),
    ("Memory (AXI4)", "read address", "faa_top.m_axi_arvalid_o"),
    ("", "read data", "faa_top.m_axi_rvalid_i"),
    ("", "write data", "faa_top.m_axi_wvalid_o"),
    ("MSI-X", "request", "faa_top.msix_valid_o"),
)
LEFT, WIDTH, HEIGHT, HIGH = 270, 640, 22, 13
CYCLE_NS = 10


def read(lines):
    """{index of the row: [(cycle, value)]}, first cycle, last cycle."""
    scope, rows, changes, time, first = [], {}, {index: [] for index in range(len(ROWS))}, 0, None
    for line in lines:
        if line.startswith("$scope"):
            scope.append(line.split()[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var"):
            words = line.split()
            name = ".".join([*scope, words[4]])
            for index, (_, _, end) in enumerate(ROWS):
                if name.endswith(end) and len(name.split(".")) > 2:
                    rows.setdefault(words[3], []).append(index)
        elif line.startswith("#"):
            time = int(line[1:]) / CYCLE_NS
            first = time if first is None else first
        elif line[0] in "01" and line[1:].strip() in rows:
            for index in rows[line[1:].strip()]:
                changes[index].append((time, line[0] == "1"))
    missing = [ROWS[index][2] for index in changes if not changes[index]]
    if missing:
        sys.exit(f"gen_waves: there is no signal {', '.join(missing)}")
    return changes, first, time


def row(changes, top, first, last):
    """SVG of one signal."""
    scale = WIDTH / (last - first)
    x = lambda cycle: LEFT + (cycle - first) * scale
    y = lambda value: top + (HEIGHT - HIGH) / 2 + (0 if value else HIGH)
    path, was = "", changes[0][1]
    path = f"M{x(first):.1f} {y(was):.1f}"
    for cycle, value in changes[1:]:
        path += f"H{x(cycle):.1f}V{y(value):.1f}"
    path += f"H{x(last):.1f}"
    return f'<path d="{path}" fill="none" stroke="#1f4e79" stroke-width="1"/>'


def axis(first, last, top):
    step = next(step for step in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000) if (last - first) / step <= 8)
    for cycle in range(int(-(-first // step) * step), int(last) + 1, step):
        at = LEFT + (cycle - first) * WIDTH / (last - first)
        yield f'<path d="M{at:.1f} 6V{top}" stroke="#cccccc" stroke-width="0.7"/>'
        yield f'<text x="{at:.1f}" y="{top + 14}" text-anchor="middle">{cycle}</text>'


def main():
    changes, first, last = read(sys.stdin)
    bottom = 10 + HEIGHT * len(ROWS)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {bottom + 34}" '
          'font-family="sans-serif" font-size="12">')
    print("<!-- SPDX-License-Identifier: MIT -->")
    print("\n".join(axis(first, last, bottom)))
    print(f'<text x="{LEFT + WIDTH / 2}" y="{bottom + 30}" text-anchor="middle">clock cycle</text>')
    for index, (room, label, _) in enumerate(ROWS):
        top = 8 + HEIGHT * index
        print(f'<text x="4" y="{top + 15}" font-weight="bold">{escape(room)}</text>')
        print(f'<text x="{LEFT - 10}" y="{top + 15}" text-anchor="end">{escape(label)}</text>')
        print(re.sub(r"\.0\b", "", row(changes[index], top, first, last)))
    print("</svg>")


if __name__ == "__main__":
    main()
