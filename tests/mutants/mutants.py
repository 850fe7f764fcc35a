#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutants of the software: each is a small change of one file that a named test must detect.

    mutants.py [OPTIONS] [NAME...]      NAME: AREA, AREA/NAME or a part of it; default: all

The mutants are in AREA.mut beside this file; see README.md. They are applied in a copy of the
repository, build/mutants/, never in the checkout, whose build directory must be up to date. Each
test has to pass without mutants first. Ends with 0 if every mutant is killed. score.txt has the
recorded verdicts, each with a digest of the judged content.
"""
import argparse
import dataclasses
import fcntl
import filecmp
import hashlib
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(1, str(TOP / "tests"))
from codeof import code_of
BUILD = pathlib.Path(os.environ.get("FAA_BUILD") or TOP / "build").resolve()
# Time limit of a test with a mutant: this many times its time without one, and these seconds.
TIMES, SECONDS = 4, 15
# Parts of the build directory that the scratch copy leaves out.
SKIPPED = ("mutants", "kmod-*", "test-logs", "docs", "log")
KEYS = ("file", "test", "equivalent", "survivor")
SCORE = pathlib.Path(__file__).resolve().parent / "score.txt"
# The score: at least this percentage of the mutants that are not equivalent must be killed.
ENOUGH = 95
# Output of a program that has run no test, because its argument names none.
NO_TEST = re.compile(rb"^1\.\.0\b|\b0 test\(s\) run", re.MULTILINE)
# Files that Meson reads.
MESON = ("meson.build", "meson_options.txt")


class Wrong(Exception):
    """The error is in the list, the machine or the baseline, not in a test."""


@dataclasses.dataclass
class Mutant:
    """One change and the test that must fail."""
    area: str
    name: str
    place: str  # FILE:LINE of its description
    file: str = ""
    test: str = ""
    equivalent: str = ""
    survivor: str = ""
    hunks: list = dataclasses.field(default_factory=list)

    @property
    def title(self):
        return f"{self.area}/{self.name}"

    def apply(self, text):
        """The mutated text of the file. Each old text must occur exactly once."""
        for old, new in self.hunks:
            count = ("\n" + text).count("\n" + old)
            if count != 1:
                raise Wrong(f"{self.place}: {self.title}: {self.file} has {count or 'no'} such places: {old.strip()!r}")
            text = ("\n" + text).replace("\n" + old, "\n" + new)[1:]
        return text

    def digest(self):
        """Digest of a verdict's inputs: the code of the mutated file, the test and its code."""
        text = code_of(self.apply((TOP / self.file).read_text()), pathlib.Path(self.file).suffix)
        state = hashlib.sha256(f"{text}\0{self.test}".encode())
        source = test_source(self.test)
        if source:
            state.update(code_of((TOP / source).read_text(), pathlib.Path(source).suffix).encode())
        return state.hexdigest()[:12]

    def check(self):
        if not self.file or not self.hunks or [self.test, self.equivalent, self.survivor].count("") != 2:
            raise Wrong(f"{self.place}: {self.title} needs 'file', lines, and one of 'test', 'equivalent' and 'survivor'")
        try:
            text = (TOP / self.file).read_text()
        except OSError as error:
            raise Wrong(f"{self.place}: {self.title}: {error}") from None
        if self.apply(text) == text:
            raise Wrong(f"{self.place}: {self.title} changes nothing")


def test_source(line):
    """The source file of a test, derived from its name; files that it includes do not count."""
    kind, program = (line.split() + [""])[:2]
    if kind == "unit":
        name = re.sub(r"test_(lib|frontend)_|_asan$", "", program.rpartition("/")[2])
        path = f"tests/unit/{program.partition('/')[0]}/test_{name}.c"
    elif kind == "script":
        path = next((word for word in line.split() if word.startswith("tests/") and word.endswith(".py")), "")
    elif kind == "kunit":
        path = f"tests/kunit/{program}_test.c"
    else:
        name = program.replace("-", "_")
        path = f"tests/kselftest/{name}.c" if kind == "kselftest" else f"tests/cosim/test_{name}.c"
    return path if path and (TOP / path).is_file() else None


def read_score():
    """Recorded verdicts: (verdict, digest) by title."""
    try:
        lines = SCORE.read_text().splitlines()
    except OSError:
        lines = []
    return {title: (verdict, digest) for title, digest, verdict in
            (line.split(" ", 2) for line in lines if line and not line.startswith("#"))}


def record(mutant, verdict, titles):
    """Adds a verdict to score.txt, and removes those of mutants that are no longer listed."""
    score = read_score()
    score[mutant.title] = (verdict, mutant.digest())
    with open(SCORE, "w") as file:
        print("# SPDX-License-Identifier: MIT", file=file)
        print("# Written by mutants.py --record: mutant, digest of what the verdict is of, verdict", file=file)
        for title in sorted(titles & score.keys()):
            verdict, digest = score[title]
            print(title, digest, verdict, file=file)


def print_score(mutants):
    """Prints the recorded verdicts of all mutants. Returns whether enough are killed."""
    score = read_score()
    judged = [m for m in mutants if not m.equivalent]
    for area in sorted({m.area for m in mutants}) + [""]:
        part = [m for m in judged if area in ("", m.area)]
        killed = sum(score.get(m.title, ("",))[0] == "killed" for m in part)
        equivalent = sum(bool(m.equivalent) for m in mutants if area in ("", m.area))
        print(f"{area or 'all'}: killed {killed} of {len(part)} ({100 * killed / max(len(part), 1):.1f} %), "
              f"{equivalent} equivalent")
    for mutant in mutants:
        verdict, digest = score.get(mutant.title, ("not judged", ""))
        if mutant.equivalent:
            print(f"equivalent: {mutant.title}: {mutant.equivalent}")
        elif mutant.survivor:
            print(f"survived: {mutant.title}: {mutant.survivor}")
        elif verdict != "killed":
            print(f"{verdict}: {mutant.title}")
        elif digest != mutant.digest():
            print(f"judged before its file or test changed: {mutant.title}")
    return killed * 100 >= ENOUGH * len(judged)


def read_list(path):
    """The mutants of one file."""
    found, mutant, fresh = [], None, True
    for number, line in enumerate(path.read_text().splitlines(), 1):
        place = f"{path.name}:{number}"
        key, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if key == "mutant" and rest:
            mutant = Mutant(path.stem, rest, place)
            found.append(mutant)
            fresh = True
        elif mutant and key in KEYS and rest and not getattr(mutant, key):
            setattr(mutant, key, rest)
        elif mutant and line == "@@":
            fresh = True
        elif mutant and line[0] in " -+":
            if fresh:
                mutant.hunks.append(("", ""))
                fresh = False
            old, new = mutant.hunks[-1]
            text = line[1:] + "\n"
            mutant.hunks[-1] = (old + text * (line[0] != "+"), new + text * (line[0] != "-"))
        else:
            raise Wrong(f"{place}: cannot read '{line}'")
    names = [mutant.name for mutant in found]
    for mutant in found:
        if names.count(mutant.name) > 1:
            raise Wrong(f"{mutant.place}: {mutant.title} is there twice")
    return found


def check_all(mutants):
    """Raises Wrong with all errors in the mutants."""
    wrong = []
    for mutant in mutants:
        try:
            mutant.check()
        except Wrong as error:
            wrong.append(str(error))
    if wrong:
        raise Wrong("\n".join(wrong))


def run(command, limit, log, **variables):
    """Exit status of a command and all its processes, or None if it exceeds the limit."""
    environment = dict(os.environ, **variables)
    with open(log, "wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   env=environment, cwd=Copy.tree, start_new_session=True)
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            # Also processes that a test has left running.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


class Copy:
    """The copy of the checkout for mutants, with a build directory of its own."""
    tree = BUILD / "mutants" / "tree"
    build = tree / "build"
    log = BUILD / "mutants" / "log"

    @classmethod
    def sources(cls):
        names = subprocess.run(["git", "-C", TOP, "ls-files", "-z"], check=True, capture_output=True).stdout
        return [name for name in names.decode().split("\0") if name and (TOP / name).is_file()]

    @classmethod
    def update(cls):
        """Brings the copy to the state of the checkout; changed files get a new time, so that they
        are built again."""
        if not (BUILD / "build.ninja").exists():
            raise Wrong(f"{BUILD} is not built; run 'make build'")
        names = cls.sources()
        # If files that Meson reads were newer than its output, ninja would reconfigure the
        # checkout's directory, not the copy's.
        written = (BUILD / "build.ninja").read_bytes()
        state = hashlib.sha256(written)
        for name in names:
            if name.endswith(MESON):
                state.update(name.encode() + (TOP / name).read_bytes())
                if (TOP / name).stat().st_mtime > (BUILD / "build.ninja").stat().st_mtime:
                    raise Wrong(f"{name} is newer than {BUILD}/build.ninja; run 'make userland'")
        stamp = cls.tree / ".mutants-stamp"
        fresh = not stamp.exists()
        if fresh:
            shutil.rmtree(cls.tree, ignore_errors=True)
            cls.tree.mkdir(parents=True)
        if fresh or stamp.read_text() != state.hexdigest() or (cls.build / "build.ninja").read_bytes() != written:
            for path in cls.build.glob("*"):
                # Modules are not built by Meson: they stay.
                if path.is_symlink() or path.is_file():
                    path.unlink()
                elif not path.name.startswith("kmod-"):
                    shutil.rmtree(path)
            shutil.copytree(BUILD, cls.build, symlinks=True, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns(*SKIPPED))
        # Links to kernels are made after Meson's files.
        for link in BUILD.glob("kernel-*"):
            target = cls.build / link.name
            if link.is_symlink() and not target.is_symlink():
                target.symlink_to(os.readlink(link))
        for name in names:
            source, target = TOP / name, cls.tree / name
            if target.is_file() and filecmp.cmp(source, target, shallow=False):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copy2 if fresh or name.endswith(MESON) else shutil.copy)(source, target)
        stamp.write_text(state.hexdigest())
        for path in cls.tree.rglob("*"):
            if cls.build in path.parents or path == stamp or not path.is_file():
                continue
            if not (TOP / path.relative_to(cls.tree)).exists():
                path.unlink()

    @classmethod
    def write(cls, name, text):
        (cls.tree / name).write_text(text)


class Test:
    """A test by its line of the list: the targets to build, and the command to run."""
    FLAGS = ("--engine=model", "--kernel=debug", "--check-log", "--insmod=vgem", "--mem=768M")

    def __init__(self, line):
        kind, *words = line.split()
        self.line, self.kernel, self.targets, self.seconds = line, kind in ("kselftest", "kunit"), [], None
        self.variables = {}
        if kind == "unit":
            # Unit tests with the sanitizers, by the name of their program.
            self.targets = [f"tests/unit/{words[0]}"]
            self.command = [f"build/{self.targets[0]}", *words[1:]]
        elif kind == "directed":
            self.targets = [f"tests/cosim/directed-{words[0]}"]
            self.command = [f"build/{self.targets[0]}", "--engine=model", *words[1:]]
        elif kind == "script" and "--" in words:
            split = words.index("--")
            self.targets, self.command = words[:split], words[split + 1:]
        elif kind == "kselftest":
            self.targets = [f"tests/kselftest/{words[0]}"]
            times = "job_limit_ms=10000"
            if words[-1].startswith("--defect="):
                self.variables["FAA_VDEV_OPTS"] = words.pop()
            faults = [word for word in words if word.startswith("--fault=")]
            if faults:
                self.variables["FAA_VDEV_OPTS"] = " ".join(faults)
                words = [word for word in words if word not in faults]
            if words[-1].startswith("--job-times="):
                times = "job_timeout_ms={0} job_limit_ms={0}".format(words.pop().partition("=")[2])
            self.command = ["build/bin/faa-run", *self.FLAGS, f"--module-args={times}",
                            Copy.build / self.targets[0], *words[1:]]
        elif kind == "kunit":
            # The suite reads the results in the kernel's log.
            self.command = ["tests/suites/55-kunit.sh"]
        else:
            raise Wrong(f"unknown test '{line}'")

    def built(self, log):
        """Builds the targets of the test in the copy."""
        if self.targets and run(["ninja", "-C", Copy.build, "-j2", *self.targets], 1800, log) != 0:
            return False
        return not self.kernel or run([Copy.tree / "sim/uml/build-module.sh", "debug"], 3600, log,
                                      FAA_BUILD=str(Copy.build)) == 0

    def passes(self, log):
        """Runs the test and returns its exit status; without a mutant, records its time."""
        begin = time.monotonic()
        limit = 900 if self.seconds is None else TIMES * self.seconds + SECONDS
        status = run(self.command, limit, log, FAA_BUILD=str(Copy.build), ASAN_OPTIONS="detect_leaks=1",
                     **self.variables)
        if self.seconds is None:
            self.seconds = time.monotonic() - begin
        if status == 4 and self.kernel:
            raise Wrong(f"'{self.line}' is skipped; see {log}")
        if status in (126, 127):
            raise Wrong(f"'{self.line}' could not be run: status {status}; see {log}")
        if status == 0 and NO_TEST.search(log.read_bytes()):
            raise Wrong(f"'{self.line}' runs no test; see {log}")
        return status

    def slower(self):
        """Times the test without mutants again. Returns whether it takes much longer than
        before."""
        before, self.seconds = self.seconds, None
        self.baseline()
        slower = self.seconds > 1.3 * before
        self.seconds = max(self.seconds, before)
        return slower

    def baseline(self):
        log = Copy.log / "baseline.log"
        if not self.built(log):
            raise Wrong(f"'{self.line}' does not build without mutants; see {log}")
        if self.passes(log) != 0:
            raise Wrong(f"'{self.line}' fails without mutants; see {log}")


def try_once(mutant, test):
    """Exit status of the test with the mutant, None if it exceeds its limit; False if it could not
    be built."""
    log = Copy.log / (mutant.title.replace("/", "-") + ".log")
    original = (Copy.tree / mutant.file).read_text()
    try:
        Copy.write(mutant.file, mutant.apply(original))
        return test.passes(log) if test.built(log) else False
    finally:
        Copy.write(mutant.file, original)


def judge(mutant, test):
    """Returns killed, killed by its time limit, survived, or does not build."""
    status = try_once(mutant, test)
    # The machine may have become slower since the test was timed.
    while status is None and test.slower():
        status = try_once(mutant, test)
    if status is False:
        return "does not build"
    return {0: "survived", None: "killed by its time limit"}.get(status, "killed")


def chosen(mutants, arguments):
    """The requested mutants, in the order in which they are judged."""
    names = arguments.names
    mutants = [m for m in mutants if not names or any(name == m.area or name in m.title for name in names)]
    if not mutants:
        raise Wrong("there is no such mutant")
    mutants = [m for m in mutants if m.test]
    if arguments.user_space:
        mutants = [m for m in mutants if not re.match("kselftest|kunit", m.test)]
    if arguments.kernel:
        mutants = [m for m in mutants if re.match("kselftest|kunit", m.test)]
    if arguments.sample:
        # First those whose verdict in the score is outdated, then the others.
        score = read_score()
        random.Random(arguments.seed).shuffle(mutants)
        mutants.sort(key=lambda m: score.get(m.title) == ("killed", m.digest()))
    else:
        # Tests of one kind one after the other, to build as little as possible.
        mutants.sort(key=lambda m: (m.area, m.test))
    return mutants


def work(mutants, arguments):
    """Judges mutants, and prints and records the verdicts. Returns whether each is killed."""
    tests, results, begin = {}, {}, time.monotonic()
    for number, mutant in enumerate(mutants, 1):
        if arguments.sample and time.monotonic() - begin > arguments.sample and number > 1:
            break
        if mutant.test not in tests:
            tests[mutant.test] = Test(mutant.test)
            tests[mutant.test].baseline()
        start = time.monotonic()
        result = judge(mutant, tests[mutant.test])
        results[mutant.title] = result
        sign = "ok" if result.startswith("killed") else "not ok"
        print(f"{sign} {number} - {mutant.title}: {result} ({mutant.test}, {time.monotonic() - start:.0f} s)", flush=True)
        if arguments.record:
            record(mutant, result.partition(" by ")[0], arguments.titles)
    killed = sum(result.startswith("killed") for result in results.values())
    print(f"1..{len(results)}")
    print(f"# killed {killed} of {len(results)} mutants ({100 * killed / max(len(results), 1):.1f} %)")
    return killed == len(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", metavar="NAME", nargs="*", help="an area, AREA/NAME or a part of a name; default: all")
    parser.add_argument("--lists", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent, help="where the lists are")
    parser.add_argument("--list", action="store_true", help="check the lists against the sources and print them")
    parser.add_argument("--score", action="store_true", help="print the recorded verdicts of all mutants")
    parser.add_argument("--record", action="store_true", help="write the verdicts to score.txt")
    parser.add_argument("--sample", type=float, metavar="SECONDS",
                        help="begin no mutant after that time; first those whose file or test has changed, by the seed")
    parser.add_argument("--seed", default="1", help="of the order (default 1)")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--user-space", action="store_true", help="only those whose tests boot no kernel")
    group.add_argument("--kernel", action="store_true", help="only those whose tests boot kernels")
    arguments = parser.parse_args()
    try:
        mutants = [m for path in sorted(arguments.lists.glob("*.mut")) for m in read_list(path)]
        if arguments.list:
            check_all(mutants)
            for mutant in mutants:
                reason = f"equivalent: {mutant.equivalent}" if mutant.equivalent else f"survivor: {mutant.survivor}"
                print(f"{mutant.title}: {mutant.file}: {mutant.test or reason}")
            print(f"{len(mutants)} mutants, {sum(bool(m.equivalent) for m in mutants)} equivalent")
            return 0
        if arguments.score:
            check_all(mutants)
            return 0 if print_score(mutants) else 1
        arguments.titles = {m.title for m in mutants if m.test}
        mutants = chosen(mutants, arguments)
        check_all(mutants)
        Copy.log.mkdir(parents=True, exist_ok=True)
        # A second run waits: there is one copy.
        lock = open(Copy.log / "lock", "w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        # On SIGTERM, leaves neither a mutant nor a child process.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
        Copy.update()
        return 0 if work(mutants, arguments) else 1
    except Wrong as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
