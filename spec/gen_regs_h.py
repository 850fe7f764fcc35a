#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C header of the register map: plain #defines, usable in kernel and user space.

Called by regen-regs.sh.
"""

import sys
import textwrap

from systemrdl import RDLCompiler
from systemrdl.node import RegfileNode, RegNode

HEAD = """/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Generated from spec/faa_regs.rdl by regen-regs.sh; do not edit. */
/**
 * DOC: Registers of faa, BAR 0
 *
 * FAA_REG_x is the byte offset of register x, FAA_REG_x(n) of the one in block n. Fields that do
 * not fill their register have FAA_REG_x_y_MASK (in place) and FAA_REG_x_y_SHIFT; constant
 * registers and fields have FAA_REG_x_VALUE and FAA_REG_x_y_VALUE. All registers are 32 bits wide.
 */
#ifndef FAA_REGS_H
#define FAA_REGS_H
"""


def comment(text):
    """A comment in kernel style, or none for an empty text."""
    lines = textwrap.wrap(text or "", 94)
    if len(lines) < 2:
        return [f"/* {line} */" for line in lines]
    return ["/*"] + [f" * {line}" for line in lines] + [" */"]


def fields(prefix, reg):
    """Masks, shifts and constant values of a register's fields."""
    out = []
    for field in reg.fields():
        name = f"{prefix}_{field.inst_name.upper()}"
        mask = ((1 << field.width) - 1) << field.low
        whole = field.width == 32
        if not whole:
            out += comment(field.get_property("desc"))
            out += [f"#define {name}_MASK 0x{mask:08x}u", f"#define {name}_SHIFT {field.low}"]
        if not field.is_hw_writable and not field.is_sw_writable:
            out.append(f"#define {prefix if whole else name}_VALUE 0x{field.get_property('reset'):08x}u")
    return out


def register(prefix, reg, base, args, terms):
    """Offset and fields of one register; args: the macro's parameters, terms: their offsets."""
    name = f"{prefix}_{reg.inst_name.upper()}"
    text = reg.get_property("name")
    if reg.get_property("desc"):
        text += ": " + reg.get_property("desc")
    out = comment(text)
    offset = f"0x{base + reg.raw_address_offset:05x}u"
    if args:
        out.append(f"#define {name}({', '.join(args)}) ({' + '.join([offset] + terms)})")
    else:
        out.append(f"#define {name} {offset}")
    return out + fields(name, reg) + [""]


def block(prefix, node, base, args, terms):
    """Every register of a regfile, nested ones included."""
    out = []
    for child in node.children(unroll=False):
        if isinstance(child, RegNode):
            out += register(prefix, child, base, args, terms)
        elif isinstance(child, RegfileNode):
            arg = child.inst_name.lower()[0] if child.inst_name[0] not in args else child.inst_name.lower()
            name = f"{prefix}_{child.inst_name.upper()}"
            if not child.is_array:
                sys.exit(f"{name}: only arrays of blocks are supported inside a block")
            out += [f"#define {name}_COUNT {child.array_dimensions[0]}"]
            out += block(name, child, base + child.raw_address_offset, args + [arg],
                         terms + [f"0x{child.array_stride:x}u * ({arg})"])
    return out


def main():
    """gen_regs_h.py RDL OUT"""
    source, target = sys.argv[1:]
    compiler = RDLCompiler()
    compiler.compile_file(source)
    top = compiler.elaborate().top
    out = [HEAD]
    for child in top.children(unroll=False):
        text = comment(f"{child.get_property('name')}s" if child.is_array else child.get_property("name"))
        out += text
        base = child.raw_address_offset
        if child.is_array:
            name = f"FAA_REG_{child.inst_name.upper()}"
            out += [f"#define {name}_COUNT {child.array_dimensions[0]}",
                    f"#define {name}_STRIDE 0x{child.array_stride:x}u", ""]
            out += block(name, child, base, ["n"], [f"0x{child.array_stride:x}u * (n)"])
        else:
            out += [""] + block("FAA_REG", child, base, [], [])
    out += [f"/* Bytes of BAR 0 that the map covers. */\n#define FAA_REG_BYTES 0x{top.size:x}u", "", "#endif /* FAA_REGS_H */"]
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


main()
