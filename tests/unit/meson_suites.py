#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""meson_suites.py BUILD: each test that Meson defines is in exactly one of the suites fast, rtl,
kernel and long. The tests of fast need neither Verilator nor a kernel, and each program of
tests/kselftest has a test of its own."""
import json
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
SUITES = ("fast", "rtl", "kernel", "long")
FAST_SECONDS = 300
# Files that a verilated device or a guest consists of, and scripts that make them.
VERILATED = re.compile(r"(^|/)(libV\w+\.a|V\w+\.h|verilate\.py)$")
MACHINE = re.compile(r"(^|/)(faa-(run|init|vdev)|alone\.sh|build-(kernel|module)\.sh)$")
SCRIPT = re.compile(r"/tests/suites/[^/]+\.sh$")


def findings(tests, inputs, programs):
    """Messages about the tests, which are those of intro-tests.json.

    inputs(test) returns all files that ninja needs for a test; programs are those of
    tests/kselftest.
    """
    suites = {}
    for test in tests:
        name = test["name"]
        # "faa:fast", or "faa" for a test without a suite
        found = [suite.partition(":")[2] for suite in test["suite"]]
        if name in suites:
            yield f"{name}: two tests have this name"
        suites[name] = found[0]
        if len(found) != 1 or found[0] not in SUITES:
            yield f"{name}: is in {', '.join(filter(None, found)) or 'no suite'}, not in one of {', '.join(SUITES)}"
            continue
        needed = list(test["cmd"]) + (inputs(test) if found[0] in ("fast", "rtl") else [])
        if found[0] == "fast":
            wrong = [path for path in needed if VERILATED.search(path) or MACHINE.search(path) or SCRIPT.search(path)]
            if wrong:
                yield f"{name}: is in fast and needs {wrong[0]}"
            if test["timeout"] > FAST_SECONDS:
                yield f"{name}: is in fast and may take {test['timeout']} s"
        elif found[0] == "rtl" and not any(VERILATED.search(path) or SCRIPT.search(path) for path in needed):
            yield f"{name}: is in rtl and needs no verilated module"
        elif found[0] == "kernel" and test["is_parallel"]:
            yield f"{name}: is in kernel and may run beside others; drivers have time limits"
    for program in programs:
        if suites.get(f"kselftest_{program}") != "kernel":
            yield f"tests/kselftest/{program}.c: the suite kernel has no test kselftest_{program}"


def check_findings():
    """Each kind of finding is found, and a right list has none."""
    def test(name="a", suite="fast", cmd="build/a", timeout=30, is_parallel=True):
        return {"name": name, "suite": [f"faa:{word}" if word else "faa" for word in suite.split(" ")], "cmd": [cmd],
                "timeout": timeout, "is_parallel": is_parallel}

    def found(*tests, inputs=(), programs=()):
        return len(list(findings(tests, lambda _: list(inputs), programs)))

    model = "sim/vdev/libVfaa_top_sim.a"
    assert found(test(), test("b", "long"), test("kselftest_vm", "kernel", is_parallel=False), programs=["vm"]) == 0
    assert found(test(suite="rtl"), inputs=[model]) == 0
    assert found(test(suite="rtl", cmd="/x/tests/suites/34-l2-unit.sh")) == 0
    assert found(test(suite="")) == found(test(suite="unit")) == found(test(suite="fast rtl")) == 1
    assert found(test(), test()) == 1
    assert found(test(), inputs=[model]) == found(test(cmd="build/sim/uml/faa-run")) == found(test(timeout=600)) == 1
    assert found(test(suite="rtl"), inputs=["a.o"]) == 1
    assert found(test("kselftest_vm", "kernel")) == 1
    assert found(test("kselftest_vm"), programs=["vm"]) == found(programs=["vm"]) == 1


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    check_findings()
    build = pathlib.Path(sys.argv[1]).resolve()
    tests = json.loads((build / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
    targets = json.loads((build / "meson-info/intro-targets.json").read_text(encoding="utf-8"))
    files = {target["id"]: [str(pathlib.Path(name).relative_to(build)) for name in target["filename"]] for target in targets}

    def inputs(test):
        names = [name for target in test["depends"] for name in files[target]]
        if not names:
            return []
        return subprocess.run(["ninja", "-C", build, "-t", "inputs", *names], check=True, capture_output=True,
                              text=True).stdout.splitlines() + names

    programs = sorted(path.stem for path in (TOP / "tests/kselftest").glob("*.c") if not path.stem.startswith("faa_"))
    bad = list(findings(tests, inputs, programs))
    for line in bad:
        print(line)
    print(f"{len(tests)} tests, {len(bad)} findings")
    return 1 if bad or not tests or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
