#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figures of mpi.rst from tests/mpi/rates.json: gen_mpi.py plot|measured|computed.

plot: rates over the size of batches as SVG. measured: a table of them. computed: the exchange of
64 and 1024 ranks, from the costs of the measured ones.
"""
import json
import math
import os
import sys

from gen_sweep import document, text
from list_table import list_table

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "mpi", "rates.json")
METHODS = {
    "accumulate": ("MPI_Accumulate()", "#a3243b", ""),
    "processor": ("exchange, processor adds", "#1b5e8a", "6 3"),
    "device": ("exchange, device adds", "#2a9d5c", "2 3"),
}
WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 200, 64, 40, 50
LOW, HIGH = 5, 9  # decades of the vertical axis


def load():
    with open(DATA, encoding="utf-8") as file:
        return json.load(file)


def panel(points, title, batches, x):
    """Rates over batches of one number of ranks; both axes are logarithmic."""
    out = [f'<g transform="translate({x} {TOP})">', text(WIDTH / 2, -12, title, size=13)]
    for decade in range(LOW, HIGH + 1):
        y = HEIGHT * (HIGH - decade) / (HIGH - LOW)
        out.append(f'<path d="M0 {y:.1f}H{WIDTH}" stroke="#ccc"/>')
        out.append(text(-6, y + 4, f"10^{decade}", "end"))
    where = {batch: WIDTH * i / (len(batches) - 1) for i, batch in enumerate(batches)}
    for batch, a in where.items():
        out.append(text(a, HEIGHT + 17, str(batch)))
    out.append(text(WIDTH / 2, HEIGHT + 34, "updates of a batch"))
    out.append(f'<path d="M0 0V{HEIGHT}H{WIDTH}" fill="none" stroke="#444"/>')
    for method, (_, color, dashes) in METHODS.items():
        line = " ".join(f"{where[p['batch']]:.1f},{HEIGHT * (HIGH - math.log10(p[method])) / (HIGH - LOW):.1f}" for p in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>')
    return out + ["</g>"]


def plot(points):
    batches = sorted({point["batch"] for point in points})
    panels = [("TCP", 2), ("TCP", 4), ("memory", 2)]
    titles = {"TCP": "a guest for each rank, TCP", "memory": "one guest, shared memory"}
    lines = []
    for i, (transport, ranks) in enumerate(panels):
        chosen = [p for p in points if p["transport"] == transport and p["ranks"] == ranks]
        lines += panel(chosen, f"{ranks} ranks, {titles[transport]}", batches, LEFT + i * (WIDTH + GAP + 10))
    for i, (name, color, dashes) in enumerate(METHODS.values()):
        x, y = LEFT + i * 260, TOP + HEIGHT + 62
        lines.append(f'<path d="M{x} {y}h36" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>')
        lines.append(text(x + 42, y + 4, name, "start"))
    print(document(LEFT + 3 * (WIDTH + GAP + 10), TOP + HEIGHT + 76, lines))


def millions(rate):
    return f"{rate / 1e6:.2f}"


def measured(points):
    largest = max(point["batch"] for point in points)
    rows = []
    for point in points:
        if point["batch"] == largest:
            base = point["accumulate"]
            cells = [f"{millions(point[m])} ({point[m] / base:.1f})" if m in point else "" for m in ("processor", "device")]
            rows.append([point["transport"], str(point["ranks"]), millions(base), *cells])
    list_table([["transport", "ranks", "``MPI_Accumulate()``", "exchange, processor adds", "exchange, device adds"], *rows])


def line_through(points, method):
    """Seconds of a round as a + b * batch, of two ranks over TCP: least squares."""
    chosen = [p for p in points if p["transport"] == "TCP" and p["ranks"] == 2]
    xs = [p["batch"] for p in chosen]
    # Both ranks send a batch in a round.
    ys = [2 * p["batch"] / p[method] for p in chosen]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)
    return mean_y - slope * mean_x, slope


def computed(points):
    start, each = line_through(points, "processor")
    device = max(p["device"] for p in points if p["ranks"] == 1 and "device" in p)
    rows = []
    for ranks in (2, 64, 1024):
        for batch in (65536, 1048576):
            # A round has two messages for each other rank, which 2 ranks measure for one.
            seconds = start * (ranks - 1) + each * batch
            rows.append([str(ranks), str(batch), f"{1e3 * seconds:.1f}", f"{ranks * batch / seconds / 1e6:.0f}",
                         f"{ranks * batch / max(seconds, batch / device) / 1e6:.0f}"])
    print(f"A round of two ranks takes {1e6 * start:.0f} us and {1e9 * each:.0f} ns for each update of the batch; the model "
          f"of the device makes {device / 1e6:.1f} million updates a second.\n")
    list_table([["ranks", "batch", "round, ms", "exchange, 10^6 updates/s", "with the device"], *rows])


if __name__ == "__main__":
    {"plot": plot, "measured": measured, "computed": computed}[sys.argv[1]](load())
