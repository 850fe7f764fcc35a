#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a litmus test for each row of the PTX atomics ABI, each form and each scope.

A release is tested with an acquire load that reads it, an acquire with a release store, and a
seq_cst operation with itself in the other thread (store buffering). Tests of scope cta have both
threads in one CTA, those of sys have the second one on the host. The tables come from the model:

    abi.py DIRECTORY FAA_LITMUS
"""
import pathlib
import subprocess
import sys

SCOPES = ("cta", "gpu", "sys")

# Row and form: the lines that write flag y as a release. "s" is replaced by the scope.
RELEASES = {
    "store-release": ["st release.s y 1"],
    "store-release-fence": ["fence release.s", "st relaxed.s y 1"],
    "store-seq_cst": ["fence sc.s", "st release.s y 1"],
    "store-seq_cst-cxx20": ["fence sc.s", "st relaxed.s y 1"],
    "rmw-release": ["atom release.s exch r9 y 1"],
    "rmw-release-fence": ["fence release.s", "atom relaxed.s exch r9 y 1"],
    "rmw-acq_rel": ["atom acq_rel.s exch r9 y 1"],
    "rmw-acq_rel-fence-acquire": ["fence release.s", "atom acquire.s exch r9 y 1"],
    "rmw-acq_rel-fences": ["fence release.s", "atom relaxed.s exch r9 y 1", "fence acquire.s"],
    "rmw-seq_cst": ["fence sc.s", "atom acq_rel.s exch r9 y 1"],
    "rmw-seq_cst-cxx20": ["fence sc.s", "atom acquire.s exch r9 y 1"],
    "rmw-seq_cst-fence": ["fence sc.s", "atom release.s exch r9 y 1", "fence acquire.s"],
    "rmw-seq_cst-cxx20-fence": ["fence sc.s", "atom relaxed.s exch r9 y 1", "fence acquire.s"],
    "fence-release": ["fence release.s", "st relaxed.s y 1"],
    "fence-acq_rel": ["fence acq_rel.s", "st relaxed.s y 1"],
    "fence-seq_cst": ["fence sc.s", "st relaxed.s y 1"],
}
# The lines that read y into r0 as an acquire.
ACQUIRES = {
    "load-acquire": ["ld acquire.s r0 y"],
    "load-acquire-fence": ["ld relaxed.s r0 y", "fence acquire.s"],
    "load-seq_cst": ["fence sc.s", "ld acquire.s r0 y"],
    "load-seq_cst-fence": ["fence sc.s", "ld relaxed.s r0 y", "fence acquire.s"],
    "rmw-acquire": ["atom acquire.s add r0 y 0"],
    "rmw-acquire-fence": ["atom relaxed.s add r0 y 0", "fence acquire.s"],
    "rmw-acq_rel": ["atom acq_rel.s add r0 y 0"],
    "rmw-acq_rel-fence-acquire": ["fence release.s", "atom acquire.s add r0 y 0"],
    "rmw-acq_rel-fences": ["fence release.s", "atom relaxed.s add r0 y 0", "fence acquire.s"],
    "rmw-seq_cst": ["fence sc.s", "atom acq_rel.s add r0 y 0"],
    "rmw-seq_cst-cxx20": ["fence sc.s", "atom acquire.s add r0 y 0"],
    "rmw-seq_cst-cxx20-fence": ["fence sc.s", "atom relaxed.s add r0 y 0", "fence acquire.s"],
    "fence-acquire": ["ld relaxed.s r0 y", "fence acquire.s"],
    "fence-acq_rel": ["ld relaxed.s r0 y", "fence acq_rel.s"],
    "fence-seq_cst": ["ld relaxed.s r0 y", "fence sc.s"],
}
# Store buffering: lines that write "w" and lines that read "v" into r0.
BUFFERED = {
    "store-load-seq_cst": (["fence sc.s", "st release.s w 1"], ["fence sc.s", "ld acquire.s r0 v"]),
    "store-load-seq_cst-cxx20-fence": (["fence sc.s", "st relaxed.s w 1"], ["fence sc.s", "ld relaxed.s r0 v", "fence acquire.s"]),
    "rmw-seq_cst": (["fence sc.s", "atom acq_rel.s exch r9 w 1"], ["fence sc.s", "atom acq_rel.s add r0 v 0"]),
    "rmw-seq_cst-cxx20-fence": (["fence sc.s", "atom relaxed.s exch r9 w 1", "fence acquire.s"],
                                ["fence sc.s", "atom relaxed.s add r0 v 0", "fence acquire.s"]),
    "fence-seq_cst": (["st relaxed.s w 1"], ["fence sc.s", "ld relaxed.s r0 v"]),
    "relaxed": (["st relaxed.s w 1"], ["ld relaxed.s r0 v"]),
}


def thread(number, scope, host):
    """Line that begins a thread."""
    return f"thread {number} host" if host else f"thread {number} cta={0 if scope == 'cta' else number} dev=0"


def text(name, scope, hosts, bodies, ask):
    """A file without verdict and table."""
    lines = ["faa-litmus 1", f"name {name}", "family ABI", "source faa; PTX atomics ABI; table by faa-litmus", "init x=0 y=0"]
    for number, body in enumerate(bodies):
        lines.append(thread(number, scope, hosts[number]))
        lines += [" " + line.replace(".s ", f".{scope} ") if ".s " in line else " " + line.replace(".s", f".{scope}")
                  for line in body]
    return "\n".join(lines + [f"ask {ask}", "verdict forbidden", "end", ""])


def tests():
    """Name and text of each file."""
    for scope in SCOPES:
        sys_scope = scope == "sys"
        for row, lines in RELEASES.items():
            name = f"ABI-release-{row}-{scope}"
            reader = ["ld acquire.s r0 y", "ld weak r1 x"]
            yield name, text(name, scope, (False, sys_scope), (["st weak x 1"] + lines, reader), "1:r0=1 & 1:r1=0")
        for row, lines in ACQUIRES.items():
            name = f"ABI-acquire-{row}-{scope}"
            yield name, text(name, scope, (sys_scope, False), (["st weak x 1", "st release.s y 1"], lines + ["ld weak r1 x"]),
                             "1:r0=1 & 1:r1=0")
        for row, (write, read) in BUFFERED.items():
            name = f"ABI-buffer-{row}-{scope}"
            bodies = [[line.replace(" w ", f" {a} ") for line in write] + [line.replace(" v", f" {b}") for line in read]
                      for a, b in (("x", "y"), ("y", "x"))]
            yield name, text(name, scope, (False, sys_scope), bodies, "0:r0=0 & 1:r0=0")


def main():
    """Writes all files."""
    directory = pathlib.Path(sys.argv[1])
    for name, content in tests():
        path = directory / f"{name}.lit"
        path.write_text(content)
        path.write_text(subprocess.run([sys.argv[2], "table", path], check=True, capture_output=True, text=True).stdout)


main()
