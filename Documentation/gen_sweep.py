#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the benchmarks of ATOM over latency and width as SVG, from tests/bench/sweep.json."""
import html
import json
import os

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "bench", "sweep.json")
TITLES = {
    "global/gups": "gups: updates per clock",
    "global/hot-word": "hot-word: cycles per warp",
    "global/contiguous": "contiguous: share of the AXI port's width",
    "global/scatter-f32": "scatter-f32: share of the read port",
}
# Colours of the widths, distinct in grey too.
STYLES = {64: ("#1b5e8a", "2 3"), 128: ("#2a9d5c", "6 3"), 256: ("#c97b12", "10 3 2 3"), 512: ("#a3243b", "")}
PANEL_W, PANEL_H, LEFT, TOP, RIGHT, BOTTOM = 360, 240, 48, 30, 16, 38


def scale_of(values):
    """The largest number of the axis and its step."""
    most = max(values) * 1.05
    for step in (0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10):
        if most / step <= 6:
            break
    return step * -(-most // step), step


def text(x, y, content, anchor="middle", size=11):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{html.escape(content)}</text>'


def axes(width, height, top, step, latencies, name):
    """Frame, grid and numbers of a panel."""
    out = [text(width / 2, -10, TITLES[name], size=13)]
    for i in range(round(top / step) + 1):
        y = height - height * i * step / top
        out.append(f'<path d="M0 {y:.1f}H{width}" stroke="#ccc"/>')
        out.append(text(-6, y + 4, f"{i * step:g}", "end"))
    for latency in latencies:
        x = width * latency / max(latencies)
        out.append(f'<path d="M{x:.1f} {height}v4" stroke="#444"/>')
        out.append(text(x, height + 17, str(latency)))
    out.append(text(width / 2, height + 33, "latency of the memory, cycles"))
    out.append(f'<path d="M0 0V{height}H{width}" fill="none" stroke="#444"/>')
    return out


def panel(name, points, x, y):
    """One benchmark: a line for each width."""
    width, height = PANEL_W - LEFT - RIGHT, PANEL_H - TOP - BOTTOM
    latencies = sorted({point["latency"] for point in points})
    top, step = scale_of([point["value"] for point in points])
    out = [f'<g transform="translate({x + LEFT} {y + TOP})">'] + axes(width, height, top, step, latencies, name)
    for bits, (color, dashes) in STYLES.items():
        line = [(width * p["latency"] / max(latencies), height - height * p["value"] / top) for p in points if p["width"] == bits]
        if line:
            where = " ".join(f"{a:.1f},{b:.1f}" for a, b in line)
            out.append(f'<polyline points="{where}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>')
    return out + ["</g>"]


def document(width, height, lines):
    """The text of a figure."""
    return "\n".join(['<!-- SPDX-License-Identifier: MIT -->',
                      f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" fill="#222">',
                      f'<rect width="{width}" height="{height}" fill="white"/>', *lines, "</svg>"])


def legend(widths, y):
    out = []
    for i, bits in enumerate(sorted(widths)):
        color, dashes = STYLES[bits]
        x = 90 + i * 150
        out.append(f'<path d="M{x} {y}h36" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>')
        out.append(text(x + 42, y + 4, f"{bits} bits", "start"))
    return out


def main():
    with open(DATA, encoding="utf-8") as file:
        points = json.load(file)
    names = [name for name in TITLES if any(point["name"] == name for point in points)]
    height = (len(names) + 1) // 2 * PANEL_H + 30
    lines = []
    for i, name in enumerate(names):
        lines += panel(name, [p for p in points if p["name"] == name], i % 2 * PANEL_W, i // 2 * PANEL_H)
    print(document(2 * PANEL_W, height, lines + legend({point["width"] for point in points}, height - 14)))


if __name__ == "__main__":
    main()
