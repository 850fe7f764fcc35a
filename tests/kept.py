#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keeps results of suites that follow from files alone, outside the checkout, by the content of
these files.

    kept.py find SUITE      prints the path of the log of a run of SUITE with the present inputs;
                            ends with 1 if none is kept
    kept.py keep PATH LOG   keeps LOG as PATH, which `find` has printed before the run
    kept.py inputs SUITE    prints the files that SUITE's result depends on

SUITE is the path of a suite whose head has lines "# inputs: PATH...". A PATH is a file or directory
of the repository (files that git tracks or would track), or begins with $build/ and is a program
that was built. A result depends also on the suite and its helpers, on the variables FAA_* that
choose seeds and amounts, and on the versions of all installed packages. `find` prints no path if
the suite names no inputs or the versions are unknown, and finds nothing when FAA_LONG or FAA_FRESH
is set.
"""

import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
HELPERS = ("tests/tap.sh", "tests/supervised.sh", "tests/supervise.py", "tests/requirements.txt", "tests/yosys.py")
# These variables say where things are, or ask for all suites to run: no result depends on them.
PLACES = {"FAA_BUILD", "FAA_CACHE", "FAA_FRESH", "FAA_LOGS", "FAA_SUITES", "FAA_VENV"}
KEPT_DAYS = 30


def directory():
    """Where logs are kept."""
    return pathlib.Path(os.environ.get("FAA_CACHE") or pathlib.Path.home() / ".cache/faa") / "kept"


def paths_of(suite):
    """The inputs that the suite's head names; raises LookupError if it names none."""
    text = suite.read_text(encoding="utf-8")
    named = [path for line in re.findall(r"^# inputs: (.*)$", text, re.MULTILINE) for path in line.split()]
    if not named:
        raise LookupError(f"{suite.name} names no inputs")
    return named


def tracked(path):
    """Files at or below a path of the repository; raises LookupError if there are none."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", path],
                            check=True, capture_output=True, text=True).stdout
    found = sorted(ROOT / name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())
    if not found:
        raise LookupError(f"'{path}' is no input: there is no such file")
    return found


def inputs(suite):
    """(name, file) of all files that the suite's result depends on."""
    build = pathlib.Path(os.environ.get("FAA_BUILD") or ROOT / "build")
    result = [("suite", suite)]
    for path in (*HELPERS, *paths_of(suite)):
        if path.startswith("$build/"):
            result.append((path, build / path.removeprefix("$build/")))
        else:
            result += [(str(file.relative_to(ROOT)), file) for file in tracked(path)]
    return result


def key(suite):
    """Names the suite's result by everything that it depends on."""
    state = hashlib.sha256()
    for name, file in inputs(suite):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        state.update(f"{name} {os.access(file, os.X_OK)} {content}\n".encode())
    for name in sorted(name for name in os.environ if name.startswith("FAA_") and name not in PLACES and os.environ[name]):
        state.update(f"{name}={os.environ[name]}\n".encode())
    if not shutil.which("dpkg-query"):
        raise LookupError("the versions of the tools are not known")
    state.update(subprocess.run(["dpkg-query", "-W"], check=True, capture_output=True).stdout)
    state.update(platform.machine().encode())
    return state.hexdigest()[:32]


def find(suite):
    """The path of the suite's log with the present inputs, and whether that log exists and may be
    used."""
    log = directory() / f"{suite.stem}-{key(suite)}.log"
    found = log.is_file() and not os.environ.get("FAA_LONG") and not os.environ.get("FAA_FRESH")
    if found:
        os.utime(log)
    return log, found


def keep(path, log):
    """Keeps a log, whole or not at all, and deletes the logs that were not used for KEPT_DAYS."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    shutil.copyfile(log, part)
    part.replace(path)
    for old in path.parent.iterdir():
        if time.time() - old.stat().st_mtime > KEPT_DAYS * 86400:
            old.unlink(missing_ok=True)


def main():
    arguments = sys.argv[1:]
    if len(arguments) != {"find": 2, "inputs": 2, "keep": 3}.get(arguments[0] if arguments else "", 0):
        sys.exit(__doc__)
    path = pathlib.Path(arguments[1]).absolute()
    try:
        if arguments[0] == "find":
            log, found = find(path)
            print(log)
            return 0 if found else 1
        if arguments[0] == "keep":
            keep(path, arguments[2])
        else:
            for name, _ in inputs(path):
                print(name)
    except (LookupError, OSError) as error:
        sys.exit(f"kept: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
