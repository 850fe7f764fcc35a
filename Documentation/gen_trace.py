#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a part of a trace of faa-run as the picture of cosimulation.rst.

gen_trace.py trace.json >trace.svg

Shows the tracks of jobs, queues and compute units, and interrupts, from the first submission to the
last fence.
"""
import json
import sys
from xml.sax.saxutils import escape

LEFT, WIDTH, HEIGHT = 190, 720, 20
# Jobs and queues in turn, and a unit that waits with its queue. The legend has other colours.
COLOURS = ("#c9b6e4", "#dcb6d0", "#b6c4d4")
WAITS = "#f2f2f2"
PHASES = {"waits for fences and the ring": "#d9d9d9", "on its way to the device": "#ffd966", "in the ring": "#f4b183",
          "on the device": "#a9d18e", "interrupt and completion": "#9dc3e6"}
JOBS, QUEUES, DEVICE = 2, 3, 10
INTERRUPTS = 22


def tracks(events):
    """[(name, [(begin, end, label, colour)])] of the picture, then [(time, name)] of interrupts."""
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    jobs, found = {}, {}
    for event in events:
        if event["ph"] == "b" and event["name"] in PHASES:
            jobs.setdefault(event["id"], []).append([event["ts"], None, "", PHASES[event["name"]]])
        elif event["ph"] == "e" and event["name"] in PHASES:
            jobs[event["id"]][-1][1] = event["ts"]
        elif event["ph"] == "X" and (event["pid"] == QUEUES or event["pid"] == DEVICE and event["tid"] < 9):
            items = found.setdefault((event["pid"], event["tid"]), [])
            plain = event["name"].split(":")[0] if event["pid"] == DEVICE else event["name"]
            waits = event["pid"] == DEVICE and ":" in event["name"]
            items.append((event["ts"], event["ts"] + event["dur"], "" if waits else plain,
                          WAITS if waits else COLOURS[len(items) % len(COLOURS)]))
    rows = [(f"job {int(name, 16)}", items) for name, items in jobs.items()]
    rows += [(names[key], items) for key, items in sorted(found.items())]
    return rows, [event["ts"] for event in events if event["pid"] == DEVICE and event["tid"] == INTERRUPTS
                  and event["name"].startswith("irq sent")]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    rows, interrupts = tracks(events)
    first = min(event["ts"] for event in events if event["ph"] == "b")
    last = max(event["ts"] for event in events if event["ph"] == "e")
    x = lambda time: LEFT + (min(max(time, first), last) - first) * WIDTH / (last - first)
    bottom = 8 + (HEIGHT + 6) * (len(rows) + 1)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 30} {bottom + 60}" '
          'font-family="sans-serif" font-size="12">')
    print("<!-- SPDX-License-Identifier: MIT -->")
    for index, (name, items) in enumerate(rows):
        top = 8 + (HEIGHT + 6) * index
        print(f'<text x="{LEFT - 8}" y="{top + 14}" text-anchor="end">{escape(name)}</text>')
        for begin, end, label, colour in items:
            left, right = x(begin), x(end)
            print(f'<rect x="{left:.1f}" y="{top}" width="{max(right - left, 0.8):.1f}" height="{HEIGHT}" fill="{colour}"/>')
            if right - left > 8 * len(label):
                print(f'<text x="{(left + right) / 2:.1f}" y="{top + 14}" text-anchor="middle">{escape(label)}</text>')
    top = bottom - HEIGHT - 6
    print(f'<text x="{LEFT - 8}" y="{top + 14}" text-anchor="end">interrupts</text>')
    for time in interrupts:
        if first <= time <= last:
            print(f'<path d="M{x(time):.1f} {top}v{HEIGHT}" stroke="#c00000" stroke-width="1.5"/>')
    for tenth in range(0, 11, 2):
        time = first + (last - first) * tenth / 10
        print(f'<text x="{x(time):.1f}" y="{bottom + 14}" text-anchor="middle">{(time - first) / 1000:.1f} ms</text>')
    for index, (phase, colour) in enumerate(PHASES.items()):
        at = 8 + sum(24 + 7 * len(name) for name in list(PHASES)[:index])
        print(f'<rect x="{at}" y="{bottom + 32}" width="14" height="14" fill="{colour}"/>')
        print(f'<text x="{at + 20}" y="{bottom + 44}">{escape(phase)}</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
