#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measure updates of a distributed table for the figures of mpi.rst.

`sweep.py BUILD` runs mpi_rates on the C model with 1, 2 and 4 ranks, in one guest (shared memory)
and in a guest for each rank (TCP), with several sizes of batches, and without devices on the host,
and replaces tests/mpi/rates.json. Documentation/gen_mpi.py makes the plot and the tables. The
window's component of Open MPI is pt2pt, the fastest one of Open MPI 4.1 for single accumulates
here.
"""
import argparse
import json
import os
import subprocess
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rates.json")
RANKS = [1, 2, 4]
BATCHES = [1024, 4096, 16384, 65536]
UPDATES = 400000
# The best of so many runs: other work of the machine only slows a run down.
RUNS = 3


def measure(build, transport, ranks, batch):
    """The rates of the best run: updates of all ranks a second, for each method."""
    program = [f"{build}/tests/mpi/mpi_rates", "--json", f"--batch={batch}", f"--updates={UPDATES // ranks}"]
    mpirun = ["mpirun", "-n", str(ranks), "--mca", "osc", "pt2pt"]
    if transport.startswith("host"):
        btl = "self,tcp" if transport == "host TCP" else "self,vader"
        command = [*mpirun, "--allow-run-as-root", "--oversubscribe", "--mca", "btl", btl,
                   "--mca", "mpi_yield_when_idle", "1", *program, "--no-device"]
    else:
        machines = ["--guests=%d" % ranks] if transport == "TCP" else []
        command = [f"{build}/bin/faa-run", "--engine=model", "--mem=512M", "--timeout=300", *machines, *mpirun, *program]
    best = {}
    for _ in range(RUNS):
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if run.returncode:
            sys.exit(f"{' '.join(command)} ended with status {run.returncode}\n{run.stderr}")
        rates = json.loads(run.stdout)
        for method in ("accumulate", "processor", "device"):
            if method in rates:
                best[method] = max(best.get(method, 0), rates[method])
    return {"transport": transport, "ranks": ranks, "batch": batch, **best}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", metavar="BUILD", help="build directory")
    build = os.path.abspath(parser.parse_args().build)
    points = []
    for transport in ("memory", "TCP", "host memory", "host TCP"):
        for ranks in RANKS:
            if transport != "memory" and ranks == 1:
                continue
            for batch in BATCHES:
                points.append(measure(build, transport, ranks, batch))
                print(points[-1], file=sys.stderr)
    with open(DATA, "w", encoding="utf-8") as file:
        file.write("[\n " + ",\n ".join(json.dumps(point) for point in points) + "\n]\n")


if __name__ == "__main__":
    main()
