#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modules of the Python package made from the public headers: declarations for cffi, enumerations
and constants.

    gen_python.py CDEF TABLES COMPILER... -- FLAGS...

CDEF becomes a module of cffi that needs no compiler; TABLES one with an enumeration for each enum
of the headers and the constants, ioctl numbers among them.
"""

import re
import sys

import cffi
import headers

PREAMBLE = """
typedef uint8_t __u8; typedef uint16_t __u16; typedef uint32_t __u32; typedef uint64_t __u64;
typedef int32_t __s32; typedef int64_t __s64; typedef uint32_t __le32; typedef uint64_t __le64;
"""
BANNER = '# SPDX-License-Identifier: MIT\n"""{}"""\n'
BANNER += "# Generated from the public headers by gen_python.py; do not edit.\n"
# Enumerations whose values are bits.
FLAGS = re.compile(r"(flags|mode|lowering|forms)$")


def class_name(enum):
    """faa_atom_op -> AtomOp, drm_faa_priority -> DrmPriority."""
    parts = enum.split("_")
    return "".join(part.capitalize() for part in parts if part != "faa")


def common_prefix(enum, names):
    """Common prefix of all names: words of the enumeration's name, perhaps without the last."""
    prefix = enum.upper() + "_"
    while not all(name.startswith(prefix) for name in names):
        prefix = prefix[:-1].rsplit("_", 1)[0] + "_"
    return prefix


def member_name(name, prefix):
    """FAA_DIM_D1 -> D1; a name that would begin with a digit keeps a word of the prefix."""
    short = name[len(prefix) :]
    return short if short[0].isalpha() else prefix.rstrip("_").rsplit("_", 1)[1] + "_" + short


def enum_class(enum, values, comments):
    """Source of an enumeration, one member a line."""
    names = [name for _, name in values]
    prefix = common_prefix(enum, names)
    bits = FLAGS.search(enum)
    lines = [
        f"class {class_name(enum)}(enum.{'IntFlag' if bits else 'IntEnum'}):",
        f'    """enum {enum} of the C headers."""',
        "",
    ]
    for value, name in sorted(values):
        if name in comments:
            lines.append(f"    #: {comments[name]}")
        lines.append(f"    {member_name(name, prefix)} = {value}")
    return "\n".join(lines) + "\n"


def constants(found, ffi, enumerators):
    """Macros that are numbers: {name: value}."""
    out = {}
    for name, text in found.expand(found.defines).items():
        text = re.sub(
            r"\bD?R?M?_?FAA_\w+", lambda m: str(enumerators.get(m.group(), m.group())), text
        )
        text = re.sub(
            r"sizeof\s*\(\s*(struct \w+)\s*\)", lambda m: str(ffi.sizeof(m.group(1))), text
        )
        text = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text)
        # Characters of _IOWR(): 'd'
        text = re.sub(r"'(.)'", lambda m: str(ord(m.group(1))), text)
        if re.fullmatch(r"[-+*/<>|&~() 0-9a-fA-FxX]+", text):
            out[name] = eval(text.replace("/", "//"), {"__builtins__": {}})
    return out


def tables(found, ffi):
    """Source of the module of enumerations and constants."""
    comments = found.comments()
    parts = [BANNER.format("Enumerations and constants of the C library."), "import enum\n\n"]
    enumerators = {}
    for name in re.findall(r"^enum ((?:drm_)?faa_\w+)\s*\{", found.declarations, re.M):
        relements = ffi.typeof(f"enum {name}").relements
        enumerators.update(relements)
        parts.append(
            "\n"
            + enum_class(name, [(value, key) for key, value in relements.items()], comments)
            + "\n"
        )
    numbers = constants(found, ffi, enumerators)
    parts.append("\n#: Macros of the headers, by name\nCONSTANTS = {\n")
    parts.extend(f"    {name!r}: {value:#x},\n" for name, value in sorted(numbers.items()))
    parts.append("}\n")
    return "".join(parts)


def main():
    """Write both modules."""
    cdef, table, *rest = sys.argv[1:]
    split = rest.index("--")
    try:
        found = headers.Headers(rest[:split], rest[split + 1 :])
    except headers.HeaderError as error:
        sys.exit(f"gen_python.py: {error}")
    text = PREAMBLE + found.declarations
    ffi = cffi.FFI()
    ffi.cdef(text)
    ffi.set_source("faa._cdef", None)
    ffi.emit_python_code(cdef)
    with open(table, "w", encoding="utf-8") as file:
        file.write(tables(found, ffi))


if __name__ == "__main__":
    main()
