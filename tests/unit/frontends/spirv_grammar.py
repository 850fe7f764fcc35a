#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gen_grammar.py reads grammars of either spelling: two entries with the same number, or one entry
with a list of aliases.

spirv_grammar.py: a small grammar in both spellings gives the same tables, as does the installed
one; a capability that no entry names is an error.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

GENERATOR = pathlib.Path(__file__).parents[3] / "userspace/libfaa_spirv/gen_grammar.py"
GLSL = {"instructions": [{"opname": "Round", "opcode": 1, "operands": [{"kind": "IdRef", "name": "'x'"}]}]}
SMALL = {
    "instructions": [{"opname": "OpOne", "opcode": 1, "capabilities": ["FirstNV"]}, {"opname": "OpTwo", "opcode": 2, "capabilities": ["FirstKHR"]}],
    "operand_kinds": [
        {"category": "ValueEnum", "kind": "Capability", "enumerants": [
            {"enumerant": "FirstKHR", "value": 7, "extensions": ["SPV_A"], "version": "None"},
            {"enumerant": "FirstNV", "value": 7, "extensions": ["SPV_A"], "version": "None"}]},
        {"category": "ValueEnum", "kind": "ExecutionMode", "enumerants": [
            {"enumerant": "QuadsKHR", "value": 3, "capabilities": ["FirstNV"], "version": "1.3"}]},
        {"category": "Id", "kind": "IdRef"}]}


def with_aliases(core):
    """The grammar with one entry for each number; the first name is kept, and references may name
    any of them."""
    core = copy.deepcopy(core)
    lists = [(core["instructions"], "opcode", "opname")]
    lists += [(k["enumerants"], "value", "enumerant") for k in core["operand_kinds"] if "enumerants" in k]
    for entries, key, name in lists:
        kept = {}
        for entry in entries:
            first = kept.setdefault(int(str(entry[key]), 0), entry)
            if first is entry:
                continue
            first.setdefault("aliases", []).append(entry[name])
            for what in ("capabilities", "extensions"):
                first[what] = first.get(what, []) + entry.get(what, [])
            if "version" in first and first["version"] == "None":
                first["version"] = entry.get("version", "None")
            if "lastVersion" in entry:
                first.setdefault("lastVersion", entry["lastVersion"])
        entries[:] = kept.values()
    return core


def generate(core, directory):
    """Exit status, complaint and tables."""
    (directory / "core.json").write_text(json.dumps(core), encoding="utf-8")
    (directory / "glsl.json").write_text(json.dumps(GLSL), encoding="utf-8")
    done = subprocess.run([sys.executable, GENERATOR, "--core", directory / "core.json", "--glsl", directory / "glsl.json", "--out", directory],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stderr, [] if done.returncode else [(directory / f"spirv_tables.{kind}").read_text() for kind in "ch"]


def installed():
    """The grammar that the build uses."""
    where = subprocess.run(["pkg-config", "--variable=includedir", "SPIRV-Headers"], capture_output=True, text=True, check=True).stdout.strip()
    return json.loads((pathlib.Path(where) / "spirv/unified1/spirv.core.grammar.json").read_text(encoding="utf-8"))


def main():
    """No command line."""
    bad = []
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        for what, core in (("small grammar", SMALL), ("installed grammar", installed())):
            old, new = generate(core, directory), generate(with_aliases(core), directory)
            if old[0] or new[0] or old[2] != new[2]:
                bad.append(f"{what}: entries of their own: {old[:2]}, aliases: {new[:2]}, equal tables: {old[2] == new[2]}")
        broken = copy.deepcopy(SMALL)
        broken["instructions"][0]["capabilities"] = ["Missing"]
        status, said, _ = generate(broken, directory)
        if not status or "OpOne needs the capability Missing" not in said or "Traceback" in said:
            bad.append(f"an unknown capability: status {status}, {said}")
    for text in bad:
        print(text)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
