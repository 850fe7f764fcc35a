#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Results of suites that follow from files alone, kept by the content of these files outside the checkout.

    kept.py find SUITE        prints the path of the log that SUITE wrote when all of it passed with the inputs of now
    kept.py keep SUITE LOG    keeps LOG as that
    kept.py inputs SUITE      prints the files that SUITE's result depends on

SUITE is the path of a suite whose head has lines "# inputs: PATH...". A PATH is a file or directory of the repository (what git
tracks or would track), or begins with $build/ and is a program that was built. A result depends also on the suite and its
helpers, on the variables FAA_* that choose seeds and amounts, and on the versions of all installed packages. `find` ends with 1
if there is no such log, if the suite names no inputs, if the versions are not known, and when FAA_LONG or FAA_FRESH is set.
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
HELPERS = ("tests/tap.sh", "tests/supervised.sh", "tests/supervise.py", "tests/requirements.txt", "tests/formal/venv.sh")
# They say where things are, or ask for all suites to run.
PLACES = {"FAA_BUILD", "FAA_CACHE", "FAA_FRESH", "FAA_LOGS", "FAA_SUITES", "FAA_VENV"}
KEPT_DAYS = 30


def directory():
    """Where logs are kept."""
    return pathlib.Path(os.environ.get("FAA_CACHE") or pathlib.Path.home() / ".cache/faa") / "kept"


def paths_of(suite):
    """What the suite's head names; raises LookupError if it names nothing."""
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
    """The log of the suite with these inputs; raises LookupError if none is kept."""
    if os.environ.get("FAA_LONG") or os.environ.get("FAA_FRESH"):
        raise LookupError("all suites are to run")
    log = directory() / f"{suite.stem}-{key(suite)}.log"
    if not log.is_file():
        raise LookupError("no such log is kept")
    os.utime(log)
    return log


def keep(suite, log):
    """Keeps a log, whole or not at all, and forgets those that nobody asked for."""
    directory().mkdir(parents=True, exist_ok=True)
    name = directory() / f"{suite.stem}-{key(suite)}.log"
    part = name.with_suffix(f".{os.getpid()}")
    shutil.copyfile(log, part)
    part.replace(name)
    for old in directory().iterdir():
        if time.time() - old.stat().st_mtime > KEPT_DAYS * 86400:
            old.unlink(missing_ok=True)


def main():
    arguments = sys.argv[1:]
    if len(arguments) != {"find": 2, "inputs": 2, "keep": 3}.get(arguments[0] if arguments else "", 0):
        sys.exit(__doc__)
    suite = pathlib.Path(arguments[1]).absolute()
    try:
        if arguments[0] == "find":
            print(find(suite))
        elif arguments[0] == "keep":
            keep(suite, arguments[2])
        else:
            for name, _ in inputs(suite):
                print(name)
    except (LookupError, OSError) as error:
        sys.exit(f"kept: {error}")


if __name__ == "__main__":
    main()
