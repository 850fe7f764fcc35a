#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SASS from sass.toml: sass_table.h and sass_tables.c (library), sass-tables.inc (pages)."""
import argparse
import os
import sys
import tomllib

FIELDS = ["rd", "ra", "pg", "pg_not", "rb", "rc", "imm", "index", "op", "size", "bcrz", "ba", "dim", "clamp", "ps"]
BANNER = "/* SPDX-License-Identifier: MIT */\n/* Generated from spec/sass.toml by gen_sass.py. */"


class SpecError(Exception):
    """The description contradicts itself."""


def mask(high, low):
    """Bits low..high."""
    return (1 << high + 1) - (1 << low)


def form_mask(form):
    """Bits of a form that are in no field."""
    return ~sum(mask(*bits) for bits in form["fields"].values()) & (1 << 64) - 1


def op_codes(spec, form):
    """Operation -> number in the word; the operation that a form implies has no number."""
    op = form.get("op", {})
    return {op: 0} if isinstance(op, str) else op


def size_codes(spec, form):
    """Size -> number in the word."""
    return form.get("size", {name: size["number"] for name, size in spec["size"].items()}) if "size" in form["fields"] else {}


def check(spec):
    """Fields do not overlap, numbers fit their fields, words belong to one form, names exist."""
    for form in spec["form"]:
        seen = 0
        for field, bits in form["fields"].items():
            if field not in FIELDS:
                raise SpecError(f"{form['name']}.{field}: unknown field")
            if seen & mask(*bits):
                raise SpecError(f"{form['name']}.{field}: bits {bits} overlap another field")
            seen |= mask(*bits)
        if form["word"] & seen:
            raise SpecError(f"{form['name']}: a fixed bit is in a field")
        for kind, codes in (("op", op_codes(spec, form)), ("size", size_codes(spec, form))):
            for name, code in codes.items():
                if name not in spec[kind]:
                    raise SpecError(f"{form['name']}: no {kind} {name}")
                if kind in form["fields"] and code > mask(*form["fields"][kind]) >> form["fields"][kind][1]:
                    raise SpecError(f"{form['name']}: {kind} {name} does not fit")
    for a in spec["form"]:
        for b in spec["form"]:
            if a is not b and not (a["word"] ^ b["word"]) & form_mask(a) & form_mask(b):
                raise SpecError(f"{a['name']} and {b['name']} have words in common")
    for family, ops in spec["legal"].items():
        for op, sizes in ops.items():
            if op not in spec["op"] or set(sizes) - set(spec["size"]):
                raise SpecError(f"legal.{family}.{op}: unknown name")


def sched_names(spec):
    """(name, number, whether it is the written one)."""
    for name, entry in spec["sched"].items():
        yield name, entry["number"], True
        for alias in entry.get("aliases", []):
            yield alias, entry["number"], False
    for entry in spec["sched_range"]:
        for number in range(entry["first"], entry["last"] + 1):
            for index, name in enumerate(entry["names"]):
                yield name.format(n=number - entry["base"]), number, index == 0


def ident(name):
    """As a part of a C identifier."""
    return name.upper().replace(".", "_")


def enum(prefix, names):
    """An enum whose members have the given numbers."""
    rows = [f"\t{prefix}_{ident(name)} = {number}," for name, number in names]
    return f"enum {prefix.lower()} {{\n" + "\n".join(rows) + "\n};\n"


def name_table(variable, names):
    """Spellings, longer ones first, so that the first match is the right one; NULL ends it."""
    rows = [f'\t{{ "{name}", {len(name)}, {number} }},' for name, number in sorted(names, key=lambda n: -len(n[0]))]
    return f"const struct sass_name {variable}[] = {{\n" + "\n".join(rows) + "\n\t{ NULL, 0, 0 },\n};\n"


def text_table(variable, names, count):
    """Number -> the written spelling."""
    by_number = {number: name for name, number in names}
    rows = [f'\t"{by_number[n]}",' if n in by_number else "\tNULL," for n in range(count)]
    return f"const char *const {variable}[{count}] = {{\n" + "\n".join(rows) + "\n};\n"


def codes_rows(spec, kind, codes, field):
    """Initializers of the maps number -> code in the word and back; -1 for none."""
    count = len(spec[kind])
    number = {name: entry[0] if kind == "op" else entry["number"] for name, entry in spec[kind].items()}
    forth = [-1] * count
    back = [-1] * (16 if kind == "op" else 8)
    for name, code in codes.items():
        forth[number[name]] = code
        if back[code] < 0:
            back[code] = number[name]
    return [f"\t\t.{field}_code = {{ {', '.join(map(str, forth))} }},", f"\t\t.{field}_of = {{ {', '.join(map(str, back))} }},"]


def form_rows(spec, form):
    """Initializer of one struct sass_encoding."""
    rows = [f"\t[SASS_FORM_{form['name']}] = {{", f"\t\t.word = 0x{form['word']:016x},", f"\t\t.mask = 0x{form_mask(form):016x},"]
    for field, (high, low) in form["fields"].items():
        rows.append(f"\t\t.field[SASS_{field.upper()}] = {{ {low}, {high - low + 1} }},")
    rows += codes_rows(spec, "op", op_codes(spec, form), "op")
    rows += codes_rows(spec, "size", size_codes(spec, form), "size")
    return rows + ["\t},"]


def legal_table(spec, family):
    """Operation -> set of sizes, as bits."""
    rows = [0] * len(spec["op"])
    for op, sizes in spec["legal"][family].items():
        rows[spec["op"][op][0]] = sum(1 << spec["size"][size]["number"] for size in sizes)
    return f"const uint8_t sass_legal_{family.lower()}[] = {{ {', '.join(f'0x{bits:02x}' for bits in rows)} }};\n"


def header(spec):
    """sass_table.h: numbers."""
    sizes = spec["size"]
    out = [BANNER, "#ifndef FAA_SASS_TABLE_H\n#define FAA_SASS_TABLE_H\n"]
    out.append(enum("SASS_FORM", [(f["name"], i) for i, f in enumerate(spec["form"])]))
    out.append(f"#define SASS_FORMS {len(spec['form'])}\n")
    out.append("enum sass_field {\n" + "\n".join(f"\tSASS_{f.upper()}," for f in FIELDS) + "\n\tSASS_FIELDS,\n};\n")
    out.append(enum("SASS_OP", [(name, entry[0]) for name, entry in spec["op"].items()]))
    out.append(enum("SASS_SIZE", [(name, entry["number"]) for name, entry in sizes.items()]))
    out.append(f"#define SASS_OPS {len(spec['op'])}\n#define SASS_SIZES {len(sizes)}\n#define SASS_DIMS {len(spec['dim'])}\n"
               f"#define SASS_CLAMPS {len(spec['clamp'])}\n#define SASS_SCHEDS 32\n")
    out.append(f"#define SASS_CLAMP_NEAR {spec['clamp']['NEAR'][0]}\n#define SASS_SCHED_DRAIN {spec['sched']['DRAIN']['number']}\n")
    return "\n".join(out) + "\n#endif /* FAA_SASS_TABLE_H */\n"


def tables(spec):
    """sass_tables.c: the tables that sass.h declares."""
    sizes = spec["size"]
    out = [BANNER, '#include "sass.h"\n']
    ops = [(name, entry[0]) for name, entry in spec["op"].items()]
    out.append(name_table("sass_op_names", ops) + text_table("sass_op_texts", ops, len(ops)))
    size_names = [(name, entry["number"]) for name, entry in sizes.items()]
    aliases = [(alias, entry["number"]) for entry in sizes.values() for alias in entry.get("aliases", [])]
    out.append(name_table("sass_size_names", size_names + aliases) + text_table("sass_size_texts", size_names, len(sizes)))
    out.append(f"const uint8_t sass_size_bits[] = {{ {', '.join(str(s['bits']) for s in sizes.values())} }};")
    out.append(f"const uint8_t sass_size_types[] = {{ {', '.join('FAA_TYPE_' + s['type'] for s in sizes.values())} }};\n")
    dims = [(name, entry["number"]) for name, entry in spec["dim"].items()]
    out.append(name_table("sass_dim_names", dims) + text_table("sass_dim_texts", dims, len(dims)))
    out.append(f"const uint8_t sass_dim_registers[] = {{ {', '.join(str(len(d['coordinates'])) for d in spec['dim'].values())} }};")
    out.append(f"const uint8_t sass_dim_align[] = {{ {', '.join(str(d['align']) for d in spec['dim'].values())} }};\n")
    clamps = [(name, entry[0]) for name, entry in spec["clamp"].items()]
    out.append(name_table("sass_clamp_names", clamps) + text_table("sass_clamp_texts", clamps, len(clamps)))
    names = list(sched_names(spec))
    out.append(name_table("sass_sched_names", [(n, c) for n, c, _ in names])
               + text_table("sass_sched_texts", [(n, c) for n, c, written in names if written], 32))
    out.append(name_table("sass_other_names", [(name, 0) for name in spec["other"]["names"]]))
    out += [legal_table(spec, family) for family in spec["legal"]]
    out.append("const struct sass_encoding sass_encodings[SASS_FORMS] = {")
    for form in spec["form"]:
        out += form_rows(spec, form)
    return "\n".join(out) + "\n};\n"


def table(head, rows):
    """A list-table."""
    out = [".. list-table::", "   :header-rows: 1", "   :widths: auto", ""]
    for row in [head] + rows:
        for index, cell in enumerate(row):
            out.append(("   * - " if index == 0 else "     - ") + str(cell).replace("*", "\\*").replace("|", "\\|"))
    return out + [""]


def bits_text(high, low):
    """Bits as the pages write them."""
    return f"{high}..{low}" if high != low else str(low)


def code_list(codes):
    """Names with their numbers."""
    return ", ".join(f"{name} {code}" for name, code in codes.items())


def reference(spec):
    """sass-tables.inc"""
    out = [".. SPDX-License-Identifier: MIT", "", "Operations and sizes", "====================", ""]
    out += table(["op", "effect", "sizes of ATOMS", "sizes of SUATOM"],
                 [[f".{name}", f"``{entry[1]}``"] + [" ".join(f".{s}" for s in spec["legal"][family].get(name, [])) or "none"
                                                    for family in ("ATOMS", "SUATOM")] for name, entry in spec["op"].items()])
    out += table(["sz", "number", "bits", "also written", "type of the device"],
                 [[f".{name}", s["number"], s["bits"], " ".join(f".{a}" for a in s.get("aliases", [])), s["type"]]
                  for name, s in spec["size"].items()])
    out += table(["dim", "number", "registers from Ra", "Ra is a multiple of"],
                 [[f".{name}", d["number"], ", ".join(d["coordinates"]), d["align"]] for name, d in spec["dim"].items()])
    out += table(["clamp", "number", "coordinates outside"], [[f".{name}", *entry] for name, entry in spec["clamp"].items()])
    out += ["Other instructions of sm_50 are rejected as *not supported*: " + ", ".join(spec["other"]["names"])
            + ". All other words are no instruction.", ""]
    out += ["Forms", "=====", "", "Bits that are in no field are 0.", ""]
    for form in spec["form"]:
        out += [f"{form['name']}: ``{form['syntax']}``", ""]
        codes = {"op": op_codes(spec, form), "size": size_codes(spec, form)}
        rows = [[bits_text(*bits), field, code_list(codes.get(field, {}))]
                for field, bits in sorted(form["fields"].items(), key=lambda item: -item[1][0])]
        out += table(["bits", "field", "numbers"], [[f"fixed: ``0x{form['word']:016X}``", "", ""]] + rows)
    out += ["Scheduling", "==========", ""]
    names = {}
    for name, number, written in sched_names(spec):
        names.setdefault(number, []).insert(0 if written else len(names[number]) if number in names else 0, name)
    out += table(["value", "name", "also read"],
                 [[f"0x{number:02X}", f"?{names[number][0]}", " ".join(f"?{n}" for n in names[number][1:])] for number in sorted(names)])
    return "\n".join(out) + "\n"


def main():
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", default=os.path.join(os.path.dirname(__file__), "sass.toml"))
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    with open(args.spec, "rb") as file:
        spec = tomllib.load(file)
    try:
        check(spec)
    except SpecError as error:
        sys.exit(f"sass.toml: {error}")
    os.makedirs(args.out, exist_ok=True)
    for name, text in (("sass_table.h", header(spec)), ("sass_tables.c", tables(spec)), ("sass-tables.inc", reference(spec))):
        with open(os.path.join(args.out, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
