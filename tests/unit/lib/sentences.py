#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sentences.py DIRECTORY: a negative errno of the library comes from faa_fail() or a similar
function, so that faa_last_error() has the reason.

Bare ones are allowed only in the files listed here, in the given number: in functions below the
interface, whose callers set the reason.
"""
import pathlib
import re
import sys

ALLOWED = {
    "backend_kernel.c": (1, "kernel_map_fd(): its callers know what is mapped"),
    "backend_remote.c": (11, "functions of the backend: their callers know what was wanted"),
    "svm/hold.c": (1, "faa_hold(): a step ends, the job has the device's error"),
    "svm/part.c": (1, "part_submit_once(): becomes a status"),
    "remote.c": (1, "faa_remote_transfer(): becomes -ENODEV of the backend"),
    "svm/share.c": (3, "the look at /proc/self/maps: faults of jobs become statuses"),
    "stream.c": (1, "stream_reserve(): its callers know for what"),
    "submit.c": (1, "submit_read_status(): becomes a status"),
    "va.c": (11, "the allocator: vm.c says which range"),
    "svm/worker.c": (2, "faa_worker_create(), faa_worker_status(): their callers"),
    "svm/worker_job.c": (1, "worker_job_add_wait(): no fence yet"),
}
BARE = re.compile(r"(?:return|=|\?|:)\s*-E[A-Z0-9]+\b(?!\s*:)")


def bare_lines(path):
    """Line numbers of errnos that are returned or stored directly."""
    lines = enumerate(path.read_text().splitlines(), 1)
    return [(n, line.strip()) for n, line in lines
            if BARE.search(line) and not re.match(r"\s*(/?\*|case )", line) and "faa_fail" not in line and "faa_stream_fail" not in line
            and not re.search(r"[=!]=\s*-E", line)]


def main():
    """Compare every file with the table."""
    files = sorted(pathlib.Path(sys.argv[1]).rglob("*.c"))
    wrong = 0
    for path in files:
        found, allowed = bare_lines(path), ALLOWED.get(str(path.relative_to(sys.argv[1])), (0, ""))[0]
        if len(found) == allowed:
            continue
        wrong += 1
        print(f"{path}: {len(found)} errnos without a sentence, {allowed} are allowed:")
        for number, line in found:
            print(f"  {number}: {line}")
    print(f"{len(files)} files, {wrong} wrong")
    return 1 if wrong or len(files) < 40 else 0


sys.exit(main())
