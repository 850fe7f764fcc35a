#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of the vISA front end and its reference page, from visa.toml.

gen_visa.py visa.toml visa_tables.h visa_ref.rst
"""
import sys
import textwrap
import tomllib

WIDTHS = (32, 16, 64)


def check(spec):
    """Checks the assumptions of the generated code."""
    codes = [op["code"] for op in spec["op"]] + list(spec["foreign_op"].values())
    assert len(set(codes)) == len(codes) and max(codes) < 32, "operation codes"
    names = [name for op in spec["op"] for name in (op["name"], op.get("seed")) if name]
    assert len(set(names)) == len(names), "operation names"
    for op in spec["op"]:
        device = op["device"]
        assert ("b" in device) == (op["sources"] > 0) and ("c" in device) == (op["sources"] > 1), op["name"]
        assert not op["types"][1] == bool(device["types"][2]), op["name"]
        assert all(name in spec["type"] for name in op["types"] if name), op["name"]
    place = 0
    for name, (byte, size, _) in spec["field"].items():
        assert byte == place, name
        place += size
    assert place == spec["instruction"]["SVM"][1]
    opcodes = [row[0] for row in spec["instruction"].values()] + list(spec["foreign"].values())
    assert len(set(opcodes)) == len(opcodes) and max(opcodes) < 256, "opcodes"
    assert set(spec["foreign_text"]) <= set(spec["foreign"]), "texts of opcodes"
    assert len(set(foreign_names(spec))) == len(foreign_names(spec)), "names in text"
    assert [row[0] for row in spec["type"].values()] == list(range(16))
    assert [row[0] for row in spec["align"].values()] == list(range(len(spec["align"])))


def foreign_names(spec):
    """Words of text that are a rejected instruction."""
    return ([text for name in spec["foreign"] for text in spec["foreign_text"].get(name, [name])]
            + [row[1] for name, row in spec["svm"].items() if name != "ATOMIC"])


def names_table(name, names):
    """A list of words."""
    lines = textwrap.wrap(", ".join(f'"{word}"' for word in names), 92)
    return f"static const char *const {name}[] = {{\n\t" + "\n\t".join(lines) + "\n};\n\n"


def enum(name, rows):
    body = "".join(f"\t{row} = {value},\n" for row, value in rows)
    return f"enum {name} {{\n{body}}};\n\n"


def string(text):
    return f'"{text}"' if text else "NULL"


def header(spec):
    out = ["/* SPDX-License-Identifier: MIT */\n/* Made of visa.toml by gen_visa.py. */\n"
           "#ifndef VISA_TABLES_H\n#define VISA_TABLES_H\n\n#include <stdint.h>\n\n#include \"faa_isa.h\"\n\n"]
    out.append(enum("visa_opcode", ((f"VISA_{name}", f"{row[0]:#x}") for name, row in spec["instruction"].items())))
    out.append("/* Bytes of an instruction. */\n")
    out.extend(f"#define VISA_{name}_BYTES {row[1]}u\n" for name, row in spec["instruction"].items())
    out.append("\n")
    out.append(enum("visa_svm", ((f"VISA_SVM_{name}", row[0]) for name, row in spec["svm"].items())))
    out.append(enum("visa_field", ((f"VISA_AT_{name.upper()}", row[0]) for name, row in spec["field"].items())))
    out.append(enum("visa_type", ((f"VISA_TYPE_{name}", row[0]) for name, row in spec["type"].items())))
    out.append(enum("visa_align", ((f"VISA_ALIGN_{name.upper()}", row[0]) for name, row in spec["align"].items())))
    out.append("/* No type: there is no such width. */\n#define VISA_TYPE_NONE 0xff\n\n"
               "/* Width codes: 0 32 bits, 1 16 bits, 2 64 bits. */\n"
               "struct visa_op {\n\tconst char *name;\n\tconst char *seed;\n\tuint8_t sources;\n"
               "\t/* Of the variables, by width code. */\n\tuint8_t types[3];\n"
               "\t/* Of ATOM; its types by width code; 0 or 1: b and c are src0 or src1. */\n"
               "\tuint8_t device_op;\n\tuint8_t device_types[3];\n\tuint8_t b;\n\tuint8_t c;\n};\n\n")
    rows = []
    for op in spec["op"]:
        kinds = [op["types"][1 if width == 64 else 0] for width in WIDTHS]
        kinds = ", ".join(f"VISA_TYPE_{kind or 'NONE'}" for kind in kinds)
        device = op["device"]
        types = [device["types"][{16: 0, 32: 1, 64: 2}[width]] for width in WIDTHS]
        types = ", ".join(f"FAA_TYPE_{kind}" if kind else "VISA_TYPE_NONE" for kind in types)
        rows.append(f"\t[{op['code']}] = {{ {string(op['name'])}, {string(op.get('seed'))}, {op['sources']}, {{ {kinds} }}, "
                    f"FAA_ATOM_OP_{device['op']}, {{ {types} }}, {int(device.get('b') == 'src1')}, "
                    f"{int(device.get('c') == 'src1')} }},\n")
    rows += [f"\t[{code}] = {{ .seed = {string(name)} }},\n" for name, code in spec["foreign_op"].items()]
    out.append("/* By code; name NULL: no operation here, seed then names the later one. */\n"
               f"static const struct visa_op visa_ops[32] = {{\n{''.join(rows)}}};\n\n")
    out.append("struct visa_type_row {\n\tconst char *name;\n\tuint8_t bytes;\n\tuint8_t text;\n};\n\n"
               "static const struct visa_type_row visa_types[16] = {\n")
    out.extend(f"\t[{row[0]}] = {{ \"{name.lower()}\", {row[1]}, {int(row[2])} }},\n" for name, row in spec["type"].items())
    out.append("};\n\nstruct visa_align_row {\n\tconst char *name;\n\tconst char *other;\n\tuint8_t bytes;\n};\n\n"
               f"#define VISA_ALIGNS {len(spec['align'])}u\n"
               "static const struct visa_align_row visa_aligns[VISA_ALIGNS] = {\n")
    out.extend(f"\t[{row[0]}] = {{ \"{name}\", {string(''.join(row[2]))}, {row[1]} }},\n" for name, row in spec["align"].items())
    out.append("};\n\nstruct visa_fence_row {\n\tconst char *name;\n\tuint8_t mask;\n};\n\n"
               "/* In the order of text. */\n"
               f"#define VISA_FENCES {len(spec['fence'])}u\nstatic const struct visa_fence_row visa_fences[VISA_FENCES] = {{\n")
    out.extend(f"\t{{ \"{name}\", {1 << row[0]:#x} }},\n" for name, row in spec["fence"].items())
    out.append("};\n\n/* Names of rejected instructions. */\n"
               "struct visa_name_row {\n\tconst char *name;\n\tuint8_t code;\n};\n\n"
               "static const struct visa_name_row visa_svm_names[] = {\n")
    out.extend(f"\t{{ \"{row[1]}\", {row[0]} }},\n" for row in spec["svm"].values())
    out.append("};\n\n/* By opcode: rejected instructions of vISA; NULL: reserved, or executed. */\n"
               "static const char *const visa_foreign[256] = {\n")
    out.extend(f"\t[{code:#04x}] = \"{name}\",\n" for name, code in spec["foreign"].items())
    out.append("};\n\n/* The same in text, up to the first point. */\n")
    out.append(names_table("visa_foreign_texts", foreign_names(spec)))
    out.append(names_table("visa_foreign_directives", spec["foreign_directive"]["names"]))
    out.append("#endif /* VISA_TABLES_H */\n")
    return "".join(out)


def table(head, rows):
    rows = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    rule = "  ".join("=" * width for width in widths)
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule]) + "\n\n"


def section(title, line="="):
    return f"{title}\n{line * len(title)}\n\n"


def page(spec):
    out = [".. SPDX-License-Identifier: MIT\n\n" + section("vISA instruction table")]
    out.append("Generated from ``spec/visa.toml``, like the tables of the front end. :doc:`visa` describes the meaning.\n\n")
    out.append(section("Operations of SVM_ATOMIC", "-"))
    out.append(table(
        ["name", "seed", "code", "src0", "src1", "type at 16, 32", "at 64", "new value", "ATOM", "types of ATOM", "b", "c"],
        [[op["name"], op.get("seed", op["name"]), op["code"], "yes" if op["sources"] > 0 else "null",
          "yes" if op["sources"] > 1 else "null", op["types"][0], op["types"][1] or "\\-", op["new"], op["device"]["op"],
          " ".join(kind or "\\-" for kind in op["device"]["types"]), op["device"].get("b", "\\-"), op["device"].get("c", "\\-")]
         for op in spec["op"]]))
    foreign = ", ".join(f"``{name}`` ({code})" for name, code in spec["foreign_op"].items())
    out.append(f"Rejected by name: {foreign}, which later platforms have. All other codes are unused.\n\n")
    out.append(section("Bytes of SVM_ATOMIC", "-"))
    out.append(table(["byte", "bytes", "field", "content"],
                     [[row[0], row[1], name, row[2]] for name, row in spec["field"].items()]))
    out.append(section("Instructions", "-"))
    out.append(table(["opcode", "name", "bytes", "what"],
                     [[f"{row[0]:#04x}", name, row[1], row[2]] for name, row in spec["instruction"].items()]))
    out.append("Other instructions of vISA are rejected as *not supported*, by opcode and by name: "
               + ", ".join(f"{name} ({code:#04x})" for name, code in spec["foreign"].items())
               + "; of SVM: " + ", ".join(f"{row[1]} ({row[0]})" for name, row in spec["svm"].items() if name != "ATOMIC")
               + ". All other opcodes are reserved, and all other words are no instruction.\n\n")
    out.append(section("Bits of a fence", "-"))
    out.append(table(["text", "bit", "what", "the device"],
                     [[name, *row] for name, row in spec["fence"].items()]))
    out.append("Bit 5: ``fence_local``, without it ``fence_global``; bit 7, alone: ``fence_sw``.\n\n")
    out.append(section("Types and alignments", "-"))
    out.append(table(["type", "code", "bytes"], [[name, *row[:2]] for name, row in spec["type"].items() if row[2]]))
    out.append(table(["alignment", "code", "bytes", "also read as"],
                     [[name, *row[:2], " ".join(row[2]) or "\\-"] for name, row in spec["align"].items()]))
    return "".join(out)


def main():
    source, tables, reference = sys.argv[1:]
    with open(source, "rb") as file:
        spec = tomllib.load(file)
    check(spec)
    with open(tables, "w", encoding="utf-8") as file:
        file.write(header(spec))
    with open(reference, "w", encoding="utf-8") as file:
        file.write(page(spec))


main()
