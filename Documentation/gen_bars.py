#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print measured figures of tests/bench/expected.json as a bar chart in SVG.

gen_bars.py atoms|global|suatom|ldst|scaling   the share of its limit that each benchmark reaches
gen_bars.py order                              cycles of each order, by scope
"""
import sys

import gen_sweep
from gen_performance import rows_of

# Units of which more is better; of cycles and bytes, less.
RATES = ("updates/clock", "of the width", "of the read port", "times as fast")
SCOPES = ("cta", "gpu", "sys")
# Distinct in grey, too
IDLE, STORES = "#1b5e8a", "#e0a030"
WIDTH, LEFT, RIGHT, ROW, TOP = 820, 200, 250, 19, 26


def text(x, y, content, anchor="start"):
    return gen_sweep.text(x, y, content, anchor, 12)


def bar(y, height, share, color):
    """A bar from the axis to a share of the chart's width."""
    return f'<rect x="{LEFT}" y="{y:.1f}" width="{max(1, (WIDTH - LEFT - RIGHT) * share):.1f}" height="{height}" fill="{color}"/>'


def axis(height, marks):
    """Lines of the grid with a number above each; marks: (share of the width, number)"""
    out = []
    for share, number in marks:
        x = LEFT + (WIDTH - LEFT - RIGHT) * share
        out += [f'<path d="M{x:.1f} {TOP}V{height}" stroke="#bbb"/>', text(x, TOP - 8, number, "middle")]
    return out


def share_of(row):
    """The share of its limit that a benchmark reaches; None if nothing limits it."""
    if not row["limit"]:
        return None
    return row["value"] / row["limit"] if row.get("unit") in RATES else row["limit"] / row["value"]


def share_chart(rows):
    """(height, lines) of a bar for each benchmark, with its value and what bounds it."""
    rows = [row for row in rows if share_of(row) is not None]
    height = TOP + ROW * len(rows) + 6
    out = axis(height, [(percent / 100, f"{percent} %") for percent in (0, 25, 50, 75, 100)])
    for i, row in enumerate(rows):
        y = TOP + ROW * i + 4
        name = row["name"].partition("/")[2]
        value = f"{row['value']:.2f} {row.get('unit') or 'cycles/warp'}"
        out += [text(LEFT - 8, y + 11, name, "end"), bar(y, ROW - 5, share_of(row), IDLE),
                text(WIDTH - RIGHT + 8, y + 11, f"{value}; {row['bound_by']}")]
    return height, out


def order_chart(rows):
    """(height, lines) of two bars for each order and scope: without and after stores."""
    value = {row["name"].partition("/")[2]: row["value"] for row in rows}
    kinds = list(dict.fromkeys(name.rpartition("/")[0].rpartition("-")[0] for name in value))
    most = max(value.values())
    lines = [(kind, scope) for kind in kinds for scope in SCOPES]
    height = TOP + (ROW + 5) * len(lines) + 30
    out = axis(height - 24, [(cycles / most, f"{cycles} cycles") for cycles in range(0, int(most) + 1, 100)])
    for i, (kind, scope) in enumerate(lines):
        y = TOP + (ROW + 5) * i + 4
        out.append(text(LEFT - 8, y + 14, f"{kind} {scope.upper()}", "end"))
        for at, (where, color) in enumerate((("idle", IDLE), ("stores", STORES))):
            cycles = value[f"{kind}-{scope}/{where}"]
            out.append(bar(y + 10 * at, 9, cycles / most, color))
        out.append(text(WIDTH - RIGHT + 8, y + 14, f"{value[f'{kind}-{scope}/idle']:.0f} and {value[f'{kind}-{scope}/stores']:.0f}"))
    for x, color, what in ((LEFT, IDLE, "idle"), (LEFT + 90, STORES, "after stores to 32 lines")):
        out += [f'<rect x="{x}" y="{height - 17}" width="12" height="12" fill="{color}"/>', text(x + 18, height - 7, what)]
    return height, out


def main():
    part = sys.argv[1]
    height, out = (order_chart if part == "order" else share_chart)(rows_of(part))
    print(gen_sweep.document(WIDTH, height, out))


if __name__ == "__main__":
    main()
