#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the binary interface of the libraries with the list in the tree.

    abi.py [--update] LIST PREFIX LIBRARY...

PREFIX has the installed headers. Each line of LIST is a symbol with its version, the type of a
function, the size of a structure or enumeration with its alignment, a member with its offset and
size, or an enumerator. A line that is missing breaks compiled programs, and is an error. A new line
is an error as well, until --update adds it: the list changes together with the interface, in one
commit. A structure whose size programs pass to a function NAME_sized may grow: its size is then a
new line, and its members keep their lines.

Sizes and offsets are those of the compiler, from a program that it compiles.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "userspace/python/generate"))
sys.dont_write_bytecode = True

import cffi  # noqa: E402
import gen_python  # noqa: E402
import headers  # noqa: E402

BANNER = """# SPDX-License-Identifier: MIT
# The binary interface of the libraries on x86-64. tests/unit/lib/abi.py compares it with what is
# built; `tests/unit/lib/abi.py --update` adds what is new. A line is only removed together with \
the SONAME.
"""
COMPILER = os.environ.get("CC", "cc").split()


def pkg_config(prefix):
    """Flags by which the installed headers are found."""
    directory = next(prefix.glob("lib/**/libdrm_faa.pc")).parent
    run = subprocess.run(
        ["pkg-config", "--cflags", "libdrm_faa", "libfaa_mpi"],
        env={**os.environ, "PKG_CONFIG_PATH": str(directory)},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.split()


def symbols(library):
    """Exported symbols of a library with their versions."""
    run = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    soname = subprocess.run(["objdump", "-p", library], capture_output=True, text=True, check=True)
    name = re.search(r"SONAME +(\S+)", soname.stdout).group(1)
    for line in run.stdout.splitlines():
        _, kind, symbol = line.split()
        if kind != "A":
            yield f"symbol {name} {symbol}"


def members(kind, ffi, prefix=""):
    """Members of a structure or union, including those of unnamed ones: path and type."""
    for name, field in kind.fields or ():
        path = f"{prefix}{name}" if name else prefix.rstrip(".")
        if not name:
            yield from members(field.type, ffi, prefix)
        else:
            yield path, field
            if field.type.kind in ("struct", "union") and field.type.cname.startswith("struct $"):
                yield from members(field.type, ffi, f"{path}.")


def probe(aggregates, enums, flags, includes):
    """Sizes, alignments, offsets and values as the compiler sees them: the lines of the list."""
    body = []
    for kind, fields in aggregates:
        body.append(f'P("{kind} size %zu align %zu\\n", sizeof({kind}), _Alignof({kind}));')
        for path, text in fields:
            body.append(
                f'P("{kind}.{path} at %zu size %zu {text}\\n", offsetof({kind}, {path}), '
                f"sizeof((({kind} *)0)->{path}));"
            )
    for kind, names in enums:
        body.append(f'P("{kind} size %zu\\n", sizeof({kind}));')
        body.extend(f'P("{kind} {name} %lld\\n", (long long){name});' for name in names)
    source = f"#include <stdio.h>\n#include <stddef.h>\n{includes}#define P printf\nint main(void)\n{{\n"
    source += "\n".join(body) + "\nreturn 0;\n}\n"
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work, "probe.c")
        path.write_text(source, encoding="utf-8")
        subprocess.run([*COMPILER, "-std=c11", "-w", *flags, "-o", work + "/probe", str(path)], check=True)
        return subprocess.run([work + "/probe"], capture_output=True, text=True, check=True).stdout.splitlines()


def interface(prefix, libraries):
    """All lines of the list."""
    flags = pkg_config(prefix)
    found = headers.Headers(COMPILER, flags, (*headers.PUBLIC, "faa_mpi.h"))
    ffi = cffi.FFI()
    # Each MPI has a type of its own for it.
    ffi.cdef(gen_python.PREAMBLE + "typedef struct MPI_Comm_ *MPI_Comm;" + found.declarations)
    lines = [line for library in libraries for line in symbols(library)]
    exported = {line.split()[2].partition("@")[0] for line in lines}
    for name, kind in sorted(function_types(found.declarations, ffi).items()):
        if name in exported:
            lines.append(f"function {name} {kind}")
    aggregates, enums = [], []
    for tag in sorted(set(re.findall(r"^(?:struct|union|enum) \w+(?=\s*\{)", found.declarations, re.M))):
        kind = ffi.typeof(tag)
        if tag.startswith("enum"):
            enums.append((tag, sorted(kind.relements)))
        else:
            aggregates.append((tag, [(path, field.type.cname) for path, field in members(kind, ffi)]))
    return lines + probe(aggregates, enums, flags, found.includes)


def grown(gone, now):
    """The sizes among the lines that are gone of structures that may grow, and that have grown."""
    kinds = [line for line in now if re.match(r"function \w+_sized ", line)]
    may_grow = {tag for line in kinds for tag in re.findall(r"(struct \w+) \*, size_t", line)}
    size = re.compile(r"(struct \w+) size (\d+) align (\d+)")
    sizes = {match[1]: match for match in map(size.fullmatch, now) if match}
    out = []
    for line in gone:
        old = size.fullmatch(line)
        new = sizes.get(old[1]) if old and old[1] in may_grow else None
        if new and int(new[2]) > int(old[2]) and new[3] == old[3]:
            out.append(line)
    return out


def function_types(text, ffi):
    """Types of the functions that a header declares: {name: text}, without the names of
    arguments."""
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    # Outside of braces there are only declarations.
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", "", text)
    out = {}
    for statement in text.split(";"):
        statement = re.sub(r"\s+", " ", statement).strip()
        match = re.match(r"((?:\w+ |\* ?)+)(faa_\w+) ?(\(.*\))$", statement)
        if match and not statement.startswith("typedef"):
            result, name, arguments = match.groups()
            ffi.cdef(f"typedef {result} (*type_of_{name}){arguments};")
            out[name] = ffi.typeof(f"type_of_{name}").cname
    return out


def main():
    """Compare, or write the list."""
    arguments = sys.argv[1:]
    update = "--update" in arguments
    path, prefix, *libraries = (arg for arg in arguments if arg != "--update")
    now = interface(pathlib.Path(prefix), libraries)
    if len(now) < 1000 or len(set(now)) != len(now):
        sys.exit(f"abi.py: {len(now)} lines, {len(set(now))} different ones: the headers are not understood")
    listed = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            listed = [line.rstrip("\n") for line in file if not line.startswith("#")]
    gone = [line for line in listed if line not in set(now)]
    may_go = set(grown(gone, now))
    gone = [line for line in gone if line not in may_go]
    new = [line for line in now if line not in set(listed)]
    for line in gone:
        print(f"gone or changed: {line}")
    if gone:
        sys.exit(f"abi.py: {len(gone)} lines of {path} are not what is built; programs that are compiled would break")
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(BANNER + "".join(f"{line}\n" for line in now))
        return
    for line in new:
        print(f"new: {line}")
    if new:
        sys.exit(f"abi.py: {len(new)} lines are not in {path}; --update adds them")


if __name__ == "__main__":
    main()
