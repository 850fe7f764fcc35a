#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keeps results of suites that follow from files alone, outside the checkout, by the content of
these files.

    kept.py find SUITE      prints the path of the log of a run of SUITE with the present inputs;
                            ends with 1 if none is kept
    kept.py keep PATH LOG   keeps LOG as PATH, which `find` has printed before the run
    kept.py inputs SUITE    prints the files that SUITE's result depends on

SUITE is the path of a suite whose head has lines of these kinds:

    # inputs: PATH...       files of the repository, all of a directory (those that git tracks or
                            would track); with $build/ in front, programs that were built
    # modules: NAME...      the RTL that these modules use, also indirectly, of rtl/,
                            tests/rtl/units and tests/rtl/stand_in; its comments do not count
    # generated: NAME...    files that spec/generate.py writes

A result depends also on the suite and its helpers, on the variables FAA_* that choose seeds and
amounts, and on the versions of TOOLS, of the packages on which they depend, and of Debian's
essential ones. `find` prints no path if the suite names nothing or the versions are unknown, and
finds nothing when FAA_LONG or FAA_FRESH is set.
"""

import functools
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(1, str(ROOT / "sim/vdev"))
import verilate  # pylint: disable=wrong-import-position
HELPERS = ("tests/tap.sh", "tests/supervised.sh", "tests/supervise.py", "tests/requirements.txt", "tests/yosys.py")
# These variables say where things are, or ask for all suites to run: no result depends on them.
PLACES = {"FAA_BUILD", "FAA_CACHE", "FAA_FRESH", "FAA_LOGS", "FAA_SUITES", "FAA_VENV"}
KEPT_DAYS = 30
# Debian's packages whose programs and libraries such suites use; those of PyPI are in HELPERS.
TOOLS = ("ccache", "clang", "g++", "gcc", "libc6-dev", "libdrm-dev", "libpng-dev", "make", "python3", "python3-venv", "verilator",
         "yosys", "z3", "zlib1g-dev")
RTL = ("rtl", "tests/rtl/units", "tests/rtl/stand_in")


def directory():
    """Where logs are kept."""
    return pathlib.Path(os.environ.get("FAA_CACHE") or pathlib.Path.home() / ".cache/faa") / "kept"


def named(suite, kind):
    """The words of the suite's lines of a kind."""
    text = suite.read_text(encoding="utf-8")
    return [word for line in re.findall(rf"^# {kind}: (.*)$", text, re.MULTILINE) for word in line.split()]


def tracked(path):
    """Files at or below a path of the repository; raises LookupError if there are none."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", path],
                            check=True, capture_output=True, text=True).stdout
    found = sorted(ROOT / name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())
    if not found:
        raise LookupError(f"'{path}' is no input: there is no such file")
    return found


def paths(suite):
    """(name, file) of the files that the suite's head names."""
    build = pathlib.Path(os.environ.get("FAA_BUILD") or ROOT / "build")
    result = [("suite", suite)]
    for path in (*HELPERS, *named(suite, "inputs")):
        if path.startswith("$build/"):
            result.append((path, build / path.removeprefix("$build/")))
        else:
            result += [(str(file.relative_to(ROOT)), file) for file in tracked(path)]
    return result


def modules(suite):
    """Files of the modules that the suite's head names, of all that they use, and of all
    packages, which are read in any case."""
    names = named(suite, "modules")
    if not names:
        return []
    files = [file for path in RTL for file in tracked(path) if file.suffix in (".sv", ".svh", ".vlt")]
    texts = {file: verilate.content_of(file).decode() for file in files if file.suffix != ".vlt"}
    known = {file.stem for file in texts}
    for name in names:
        if name not in known:
            raise LookupError(f"{suite.name}: there is no module '{name}'")
    words = {file: known.intersection(re.findall(r"\w+", text)) for file, text in texts.items()}
    used, new = set(), {*names, *(stem for stem in known if stem.endswith("_pkg"))}
    while new:
        used |= new
        new = set().union(*(words[file] for file in texts if file.stem in new)) - used
    return [file for file in files if file.stem in used or file.suffix == ".vlt"]


def generated(suite):
    """(name, content) of the generated files that the suite's head names."""
    names = named(suite, "generated")
    if not names:
        return []
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([sys.executable, ROOT / "spec/generate.py", "--out", out], check=True, stdout=subprocess.DEVNULL)
        return [(name, pathlib.Path(out, name).read_bytes()) for name in names]


def require_inputs(suite):
    """LookupError if the suite names nothing: its result depends on more than files."""
    if not any(named(suite, kind) for kind in ("inputs", "modules", "generated")):
        raise LookupError(f"{suite.name} names no inputs")


def inputs(suite):
    """Names of all files that the suite's result depends on."""
    require_inputs(suite)
    result = [name for name, _ in paths(suite)]
    result += [str(file.relative_to(ROOT)) for file in modules(suite)]
    if named(suite, "generated"):
        result += [str(file.relative_to(ROOT)) for file in tracked("spec")]
    return result


def key(suite):
    """Names the suite's result by everything that it depends on."""
    require_inputs(suite)
    build = os.environ.get("FAA_BUILD") or str(ROOT / "build")
    # Meson's options name the build directory; the result of another checkout is the same.
    contents = [(f"{name} {os.access(file, os.X_OK)}", file.read_bytes().replace(build.encode(), b"$build"))
                for name, file in paths(suite)]
    contents += [(str(file.relative_to(ROOT)), verilate.content_of(file)) for file in modules(suite)]
    contents += generated(suite)
    for name in sorted(name for name in os.environ if name.startswith("FAA_") and name not in PLACES and os.environ[name]):
        contents.append((name, os.environ[name].encode()))
    return digest(contents)


def digest(contents):
    """Names a result by (name, content) of what it depends on, and by the tools."""
    state = hashlib.sha256()
    for name, content in contents:
        state.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    state.update(versions().encode())
    return state.hexdigest()[:32]


def closure(text):
    """Lines "PACKAGE VERSION" of TOOLS, essential packages and all on which they depend, among the
    installed packages that the lines of `text` describe: package, version, whether it is
    essential, what it provides, and what it depends on (two fields), separated by tabs."""
    installed, providers, new = {}, {}, set(TOOLS)
    for package, version, essential, provides, *depends in (line.split("\t") for line in text.splitlines()):
        installed.setdefault(package, []).append((version, ",".join(depends)))
        new.update([package] if essential == "yes" else [])
        for name in [package, *re.findall(r"[^\s,]+", re.sub(r"\([^)]*\)", "", provides))]:
            providers.setdefault(name, set()).add(package)
    used = set()
    while new:
        used |= new
        depends = ",".join(what for name in new for _, what in installed.get(name, []))
        names = {re.sub(r"[\s:(].*", "", word.strip()) for word in re.split(r"[,|]", depends)}
        new = set().union(*(providers.get(name, set()) for name in names)) - used
    return sorted(f"{name} {version}" for name in used for version, _ in installed.get(name, []))


@functools.lru_cache
def versions():
    """A hash of the versions of the tools; LookupError where they are unknown."""
    if not shutil.which("dpkg-query"):
        raise LookupError("the versions of the tools are not known")
    fields = "${Package}\\t${Version}\\t${Essential}\\t${Provides}\\t${Pre-Depends}\\t${Depends}\\n"
    text = subprocess.run(["dpkg-query", "-W", "-f", fields], check=True, capture_output=True, text=True).stdout
    return hashlib.sha256("\n".join([*closure(text), platform.machine()]).encode()).hexdigest()


def is_kept(path):
    """Whether a result is kept and may be used."""
    found = path.is_file() and not os.environ.get("FAA_LONG") and not os.environ.get("FAA_FRESH")
    if found:
        os.utime(path)
    return found


def find(suite):
    """The path of the suite's log with the present inputs, and whether that log is kept."""
    log = directory() / f"{suite.stem}-{key(suite)}.log"
    return log, is_kept(log)


def keep(path, log):
    """Keeps a log, whole or not at all, and deletes the logs that were not used for KEPT_DAYS."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
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
            print(*inputs(path), sep="\n")
    except (LookupError, OSError) as error:
        sys.exit(f"kept: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
