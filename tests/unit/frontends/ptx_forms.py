#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Statements of PTX on memory, every combination of modifiers in many orders: the assembler must
accept the statements that ptxas accepts.

ptx_forms.py check FORMS PROGRAM      compares PROGRAM, a judge of statements, with the answers
ptx_forms.py record FORMS PTXAS       runs ptxas, and writes the answers
ptx_forms.py live FORMS PTXAS         runs ptxas, and compares it with the recorded answers
ptx_forms.py headers INCLUDE PROGRAM  runs PROGRAM on the statements of the headers of libcu++

An answer is a letter for each combination: y, every order is accepted; n, none is. Other cases do
not occur with ptxas.
"""

import argparse
import hashlib
import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HEAD = """.version 8.7
.target sm_100
.address_size 64
.const .align 16 .b32 con[8];
.global .align 16 .b32 glob[8];
.visible .entry k(.param .u64 par)
{
.reg .b128 %q<17>; .reg .b64 %rd<17>; .reg .b32 %r<17>; .reg .b16 %h<17>; \
.reg .f32 %f<17>; .reg .f64 %d<17>; .reg .pred %p<17>;
.shared .align 16 .b32 cell[8]; .local .align 16 .b32 loc[8];
"""

SEMS = ["", "weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc"]
SCOPES = ["", "cta", "cluster", "gpu", "sys"]
SPACES = ["", "global", "shared", "shared::cta", "shared::cluster", "const", "param", "local"]
TYPES = ["b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16", "f16x2", "bf16", "bf16x2",
         "f32", "f64", "pred"]
CACHES = {"ld": ["ca", "cg", "cs", "lu", "cv", "nc", "wb", "wt"], "st": ["wb", "cg", "cs", "wt", "ca", "nc"]}
HINTS = ["L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate", "L2::64B", "L2::128B",
         "L2::256B"]
OPERATIONS = ["and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max", "sub"]
STRENGTHS = ["", "weak", "relaxed gpu", "acquire cta", "release cta"]
MOST_ORDERS = 24


def register(kind, number):
    """A register that a type fits."""
    if kind in ("f32", "f64"):
        return f"%{'f' if kind == 'f32' else 'd'}{number}"
    if kind == "pred":
        return f"%p{number}"
    bits = 32 if kind.endswith("x2") else int(re.sub(r"\D+", "", kind))
    return {8: "%h", 16: "%h", 32: "%r", 64: "%rd", 128: "%q"}[bits] + str(number)


def address(space):
    """An object in a state space."""
    names = {"shared": "cell", "const": "con", "param": "par", "local": "loc"}
    return f"[{names.get(space.split('::')[0], '%rd1')}]"


def value(kind, vector, number):
    """An operand, with braces if it is a vector."""
    count = int(vector[1:]) if vector else 1
    items = ", ".join(register(kind, number + i) for i in range(count))
    return f"{{{items}}}" if vector else items


def access(name, modifiers, space="", kind="u32", vector=""):
    """ld, st, atom or red: its modifiers, which may have blanks between them, and its operands."""
    names = " ".join([*modifiers, space, vector, kind]).split()
    if name == "ld":
        operands = f"{value(kind, vector, 0)}, {address(space)}"
    elif name == "st":
        operands = f"{address(space)}, {value(kind, vector, 0)}"
    else:
        sources = [value(kind, vector, 2)] + ([value(kind, vector, 3)] if "cas" in names else [])
        operands = ", ".join(([value(kind, vector, 1)] if name == "atom" else []) + [address(space)] + sources)
    return name, names, operands


def loads(name):
    """Groups of ld or st."""
    yield "order", [access(name, [sem, mmio, scope], space)
                    for sem in SEMS for mmio in ("", "mmio") for scope in SCOPES for space in SPACES]
    yield "cache", [access(name, [strength, cache], space)
                    for cache in CACHES[name] for strength in ("", "weak", "volatile", "relaxed gpu") for space in SPACES[:6]]
    yield "type", [access(name, [strength], space, kind) for kind in TYPES for strength in STRENGTHS for space in ("", "global", "shared", "const")]
    yield "vector", [access(name, [strength], space, kind, vector) for kind in TYPES[:-1] for vector in ("v2", "v4", "v8", "v3")
                     for strength in ("", "relaxed gpu") for space in ("global", "shared") if vector != "v8" or "128" not in kind]
    yield "hint", [access(name, [strength, hint], space) for hint in HINTS for strength in ("", "relaxed gpu") for space in SPACES[:4]]
    yield "twice", [access(name, ["relaxed gpu global", again], "", "u32") for again in ("relaxed", "weak", "gpu", "cta", "global", "shared", "u32", "u64")]
    yield "none", [(name, [], f"{'%r1, [%rd1]' if name == 'ld' else '[%rd1], %r1'}"), access(name, ["foo"]), access(name, ["add"]), access(name, ["noftz"])]


def atomics(name):
    """Groups of atom or red."""
    yield "order", [access(name, [sem, scope, "add"], space) for sem in SEMS for scope in SCOPES for space in SPACES]
    yield "operation", [access(name, [op, noftz], space, kind)
                        for op in OPERATIONS for kind in TYPES for noftz in ("", "noftz") for space in ("global", "shared")]
    yield "vector", [access(name, [op, noftz], "global", kind, vector) for op in ("add", "min", "exch") for noftz in ("", "noftz")
                     for kind in ("u32", "f32", "f16", "bf16", "f16x2") for vector in ("v2", "v4", "v8")] + [
                         access(name, ["add"], space, "f32", "v2") for space in ("", "shared")]
    yield "twice", [access(name, ["relaxed gpu global add", again], "", "u32") for again in ("relaxed", "acquire", "gpu", "cta", "global", "add", "min", "u32")]
    yield "none", [(name, ["add"], "%r1, [%rd1], %r2" if name == "atom" else "[%rd1], %r2"), access(name, []), access(name, ["add", "foo"]),
                   access(name, ["add", "ca"]), access(name, ["add", "mmio"]), access(name, ["add", "nc"])]


def fences(_name):
    """Groups of fence."""
    yield "order", [("fence", f"{sem} {scope}".split(), "") for sem in SEMS for scope in SCOPES + ["gl"]]
    yield "other", [("fence", more.split(), "") for more in
                    ("proxy alias", "proxy async", "sc gpu cta", "sc acq_rel gpu", "mbarrier_init release cluster",
                     "sc gpu foo", "sc gpu global", "sc gpu u32")]


def membars(_name):
    """Groups of membar."""
    yield "order", [("membar", f"{sem} {level}".split(), "") for sem in SEMS for level in SCOPES + ["gl"]]
    yield "other", [("membar", more.split(), "") for more in ("proxy alias", "gl cta", "foo")]


def addresses(_name):
    """Groups of forms of an address, without modifiers that could change places."""
    texts = ["%rd1", "%rd1+4", "%rd1+-4", "%rd1-4", "%rd1 + 4", " %rd1 ", "%rd1+0x10", "%rd1+4U", "%rd1+glob", "%rd1+%rd2", "%rd1+4+4",
             "glob", "glob+4", "glob+-4", "glob-4", "glob+%rd1", "%r1", "%h1", "%d1", "%p1", "cell", "none"]
    yield "global", [("ld", ["global", "u32"], f"%r1, [{text}]") for text in texts]
    yield "shared", [("ld", ["shared", "u32"], f"%r1, [{text}]") for text in ["%r1", "%r1+4", "%r1-4", "cell", "cell+4", "cell-4", "cell+-4", "%rd1"]]


def library(_name):
    """The forms of libcu++'s atomics, in the order in which it writes modifiers."""
    widths = ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"]
    types = {"add": ["f32", "f64", "s32", "u32", "u64"], "min": ["s32", "s64", "u32", "u64"], "max": ["s32", "s64", "u32", "u64"]}
    yield "ld", [access("ld", [head], "", kind) for kind in widths
                 for head in ["volatile", "mmio relaxed sys"] + [f"{sem} {scope}" for sem in ("relaxed", "acquire") for scope in SCOPES[1:]]]
    yield "st", [access("st", [head], "", kind) for kind in widths[:3]
                 for head in ["volatile", "mmio relaxed sys"] + [f"{sem} {scope}" for sem in ("relaxed", "release") for scope in SCOPES[1:]]]
    yield "atom", [access("atom", [op, sem, scope], "", kind) for op in ("add", "and", "or", "xor", "cas", "exch", "min", "max")
                   for kind in types.get(op, ["b32", "b64"]) for sem in ("", "relaxed", "acquire", "release", "acq_rel") for scope in SCOPES[1:]]
    yield "fence", [("fence", [scope, sem], "") for scope in SCOPES[1:] for sem in ("acq_rel", "sc")]


GROUPS = {"libcu++": library, "ld": loads, "st": loads, "atom": atomics, "red": atomics, "fence": fences, "membar": membars, "address": addresses}


def groups():
    """Name of a group and its combinations."""
    for name, of in GROUPS.items():
        for group, combinations in of(name):
            yield f"{name} {group}", combinations


def orders(combination, moving=True):
    """Statements of a combination: all orders of up to 4 modifiers, some orders of more. Those of
    proxies have one order."""
    name, modifiers, operands = combination
    moving = moving and "proxy" not in modifiers and "mbarrier_init" not in modifiers
    found = [tuple(modifiers)]
    if moving and len(modifiers) <= 4:
        found = list(itertools.permutations(modifiers))
    elif moving:
        chance = random.Random(repr(combination))
        found += [tuple(modifiers[i:] + modifiers[:i]) for i in range(1, len(modifiers))] + [tuple(reversed(modifiers))]
        while len(found) < MOST_ORDERS:
            found.append(tuple(chance.sample(modifiers, len(modifiers))))
    return [f"{'.'.join([name, *order])} {operands}".strip() + ";" for order in dict.fromkeys(found)]


def all_statements():
    """Of each group a list of lists of statements."""
    return {name: [orders(c, not name.startswith("address")) for c in combinations] for name, combinations in groups()}


class Ptxas:
    """Judges many statements at a time."""

    def __init__(self, path):
        self.path = path
        self.first = HEAD.count("\n") + 1
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
        self.version = re.search(r"release [\d.]+, V([\d.]+)", said).group(1)

    def refuses(self, statements, directory):
        """Indices of statements with an error; empty if it accepts all."""
        path = pathlib.Path(directory) / "forms.ptx"
        path.write_text(HEAD + "\n".join(statements) + "\nret;\n}\n", encoding="utf-8")
        ran = subprocess.run([self.path, "-arch", "sm_100", str(path), "-o", "/dev/null"], capture_output=True, text=True, check=False)
        if not ran.returncode:
            return set()
        lines = {int(line) - self.first for line in re.findall(r"line (\d+); (?:error|fatal)", ran.stderr + ran.stdout)}
        lines = {line for line in lines if 0 <= line < len(statements)}
        if not lines:
            sys.exit(f"ptxas fails without a line: {ran.stderr}{ran.stdout}")
        return lines

    def judge(self, statements):
        """The statements that it accepts."""
        taken = set()
        with tempfile.TemporaryDirectory() as directory:
            for start in range(0, len(statements), 500):
                left = statements[start:start + 500]
                while left:
                    bad = self.refuses(left, directory)
                    if not bad:
                        taken.update(left)
                        break
                    left = [s for i, s in enumerate(left) if i not in bad]
        return taken


def ask(path):
    """Answers of ptxas: of each group the letters of its combinations, and its version."""
    ptxas = Ptxas(path)
    answers = {}
    for name, combinations in all_statements().items():
        taken = ptxas.judge([s for statements in combinations for s in statements])
        letters = ""
        for statements in combinations:
            count = sum(s in taken for s in statements)
            if count not in (0, len(statements)):
                sys.exit(f"ptxas takes some orders: {[s for s in statements if s in taken][0]} but not {[s for s in statements if s not in taken][0]}")
            letters += "y" if count else "n"
        answers[name] = letters
    return answers, ptxas.version


def fingerprint():
    """Digest of all statements, to which the answers belong."""
    return hashlib.sha256(repr(all_statements()).encode()).hexdigest()[:16]


def packed(letters):
    """ynn as y1n2."""
    return "".join(f"{letter}{sum(1 for _ in run)}" for letter, run in itertools.groupby(letters))


def unpacked(text):
    """y1n2 as ynn."""
    return "".join(letter * int(count) for letter, count in re.findall(r"([yn])(\d+)", text))


def write(path, answers, version):
    """The file of answers."""
    lines = ["# SPDX-License-Identifier: MIT",
             f"# ptxas {version} on the statements of tests/unit/frontends/ptx_forms.py: of the combinations of each group y3 takes three, n2 refuses two.",
             f"statements {fingerprint()}"]
    for name, letters in answers.items():
        lines.append(f"group {name}")
        text = packed(letters)
        while text:
            cut = re.match(r"(?:[yn]\d+){1,20}", text).end()
            lines.append(f"  {text[:cut]}")
            text = text[cut:]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(path):
    """Reads the file of write()."""
    answers, name = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("statements ") and line.split()[1] != fingerprint():
            sys.exit(f"{path} has answers to other statements: record them anew")
        if line.startswith("group "):
            name = line.removeprefix("group ")
            answers[name] = ""
        elif line.startswith("  "):
            answers[name] += unpacked(line)
    return answers


def lacks(statement):
    """Whether ptxas accepts a statement that the device does not support."""
    words = statement.split(" ")[0].split(".")
    name, words = words[0], set(words[1:])
    narrow = words & {"b8", "b16", "u8", "u16", "s8", "s16"}
    shared = words & {"shared", "shared::cta", "shared::cluster"}
    strong = words & {"relaxed", "acquire", "release", "volatile"}
    wide = words & {"b64", "u64", "s64", "f64"}
    short = re.search(r"\[%[rh]\d\]", statement)
    return bool(words & {"v2", "v4", "v8", "local", "b128", "proxy", "mbarrier_init"} or
                ("param" in words and not wide) or ("global" in words and short) or
                (name in ("ld", "st") and shared and strong and narrow) or
                (name in ("atom", "red") and (words & {"bf16"} or (shared and words & {"b16", "f16"}))))


def check(answers, program):
    """Compare the answers with those of PROGRAM: "yes", "lacks" (PTX that the device does not have)
    or "no"."""
    statements = all_statements()
    lines = [s for combinations in statements.values() for c in combinations for s in c]
    ran = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    ours = dict(zip(lines, ran.stdout.splitlines(), strict=True))
    bad = taken = lacking = 0
    for name, combinations in statements.items():
        if len(answers.get(name, "")) != len(combinations):
            sys.exit(f"group {name}: {len(combinations)} combinations, {len(answers.get(name, ''))} answers")
        for letter, of in zip(answers[name], combinations, strict=True):
            for statement in of:
                want = "no" if letter == "n" else "lacks" if lacks(statement) else "yes"
                said = ours[statement].split(" ", 1)
                taken += said[0] == "yes"
                lacking += said[0] == "lacks"
                if said[0] != want:
                    bad += 1
                    if bad <= 40:
                        print(f"{statement}: {want} is right, not {ours[statement]}")
    print(f"{len(lines)} statements: {taken} are taken, {lacking} are PTX that the device lacks, {len(lines) - taken - lacking} are no PTX; "
          f"{bad} are judged wrong")
    return bad or not taken or not lacking


def operands(statement):
    """A statement of inline assembly with registers of HEAD for its operands: None if there is no
    such operand."""
    name = statement.split(".")[0]
    kinds = [word for word in re.split(r"[.\s;]", statement) if word in TYPES]
    if "%" not in statement:
        return statement
    if not kinds:
        return None
    statement = re.sub(r"\[%\d+\]", "[%rd1]", statement)
    return re.sub(r"%(\d+)(?=[,;\s]|$)", lambda m: register(kinds[-1], int(m.group(1))), statement) if name in ("ld", "st", "atom", "red") else None


def headers(include, program):
    """Statements of libcu++ on memory: all must be accepted except those of proxies and of objects
    in shared memory."""
    found = set()
    for path in sorted(include.glob("cuda/**/*")):
        if path.suffix not in (".h", ".inc", ".cuh"):
            continue
        for text in re.findall(r'asm\s*(?:volatile|__volatile__)?\s*\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', path.read_text(encoding="utf-8", errors="replace")):
            statement = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).split("//")[0].strip()
            if re.match(r"(ld|st|atom|red|fence|membar)\.", statement):
                found.add(statement.split("\\n")[0].strip())
    beyond = re.compile(r"proxy|mbarrier|async|bulk|sync_restrict")
    lines = sorted(filter(None, (operands(s) for s in found if not beyond.search(s))))
    ran = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    bad = [f"{line}: {said}" for line, said in zip(lines, ran.stdout.splitlines(), strict=True) if said != "yes"]
    print("\n".join(bad[:40] + [f"{len(found)} statements, {len(found) - len(lines)} of proxies and objects; of {len(lines)} {len(bad)} are not taken"]))
    return bool(bad) or len(lines) < 600


def main():
    """Execute the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["check", "record", "live", "headers"])
    parser.add_argument("forms", type=pathlib.Path)
    parser.add_argument("program")
    args = parser.parse_args()
    if args.verb == "check":
        return 1 if check(read(args.forms), args.program) else 0
    if args.verb == "headers":
        return headers(args.forms, args.program)
    answers, version = ask(args.program)
    if args.verb == "record":
        write(args.forms, answers, version)
        return 0
    recorded = read(args.forms)
    for name, letters in answers.items():
        if recorded.get(name) != letters:
            print(f"group {name}: ptxas {version} answers otherwise")
    return recorded != answers


if __name__ == "__main__":
    sys.exit(main())
