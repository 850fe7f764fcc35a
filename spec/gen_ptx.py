#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of the PTX front end, in C and for its page, from ptx.toml."""

import argparse
import pathlib
import tomllib

from gen_rst import table, title


def version(text):
    """8.6 as 86."""
    major, minor = text.split(".")
    return int(major) * 10 + int(minor)


def name_of(prefix, name):
    """A name of C."""
    return f"{prefix}_{name.upper()}"


def mask(names):
    """Types as bits."""
    return " | ".join(f"1u << {name_of('PTX', name)}" for name in names) or "0"


def enum(name, prefix, names):
    """An enumeration."""
    out = [f"enum {name} {{"] + [f"\t{name_of(prefix, entry)}," for entry in names]
    return out + [f"\t{prefix}_COUNT,", "};", ""]


def quoted(names):
    """Strings of C, terminated by NULL."""
    return "{ " + ", ".join([f'"{name}"' for name in names] + ["NULL"]) + " }"


def device_types(spec, op, commands, command):
    """Types of an atomic operation that a command of the device has."""
    entry = next(c for c in commands["command"] if c["name"] == command)
    has = entry["types"].get(spec["atomic"][op]["device"], [])
    return [t for t in spec["atomic"][op]["types"] if spec["types"][t].get("device") in has]


SEMS = ["weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc"]


def header(spec):
    """The enumerations, for ptx.h."""
    out = ["/* SPDX-License-Identifier: MIT */", "/* Made by gen_ptx.py from ptx.toml. */", "#ifndef PTX_TABLE_H", "#define PTX_TABLE_H", ""]
    for name, prefix, names in (("ptx_type", "PTX", spec["types"]), ("ptx_scope", "PTX_AT", spec["scopes"]),
                                ("ptx_space", "PTX_IN", spec["spaces"]), ("ptx_sem", "PTX_IS", SEMS),
                                ("ptx_atomic", "PTX_DO", spec["atomic"]), ("ptx_memory", "PTX_TO", spec["memory"])):
        out += enum(name, prefix, names)
    for name, entries in (("LEVEL", spec["memory"]["membar"]["levels"]), ("PLAIN", spec["instruction"]),
                          ("COMPARE", spec["compare"]), ("SPECIAL", spec["special"])):
        out.append(f"#define PTX_{name}_COUNT {len(entries)}")
    return "\n".join(out + ["", "#endif", ""])


def c_types(spec):
    """Types, scopes, spaces and orders."""
    out = ["const struct ptx_type_info ptx_types[] = {"]
    for name, entry in spec["types"].items():
        device = f"FAA_TYPE_{entry['device']}" if "device" in entry else "-1"
        out.append(f"\t{{ \"{name}\", {entry['bits']}, '{entry['class']}', {device} }},")
    out += ["};", ""]
    out += ["const struct ptx_scope_info ptx_scopes[] = {"]
    for name, entry in spec["scopes"].items():
        out.append(f"\t{{ \"{name}\", FAA_SCOPE_{entry['device']}, {version(entry['since'])} }},")
    out += ["};", ""]
    out += ["const char *const ptx_spaces[] = {"]
    out += [f"\t\"{entry['write']}\"," for entry in spec["spaces"].values()] + ["};", ""]
    out += [f"const char *const ptx_sems[] = {quoted(SEMS)};", ""]
    return out


def c_atomics(spec, commands):
    """Atomic operations."""
    out = ["const struct ptx_atomic_info ptx_atomics[] = {"]
    for name, entry in spec["atomic"].items():
        since = [f"[{name_of('PTX', key.split('.')[1])}] = {version(text)}"
                 for key, text in spec["atomic_since"].items() if key.split(".")[0] == name]
        out += [f"\t{{ \"{name}\", {entry['args']}, {str(entry['red']).lower()}, FAA_ATOM_OP_{entry['device']}, "
                f"FAA_ATOMS_OP_{entry['device']},",
                f"\t  {mask(entry['types'])}, {mask(entry.get('noftz', []))},",
                f"\t  {mask(device_types(spec, name, commands, 'ATOM'))},",
                f"\t  {mask(device_types(spec, name, commands, 'ATOMS'))},",
                f"\t  {{ {', '.join(since) or '0'} }} }},"]
    return out + ["};", ""]


def c_memory(spec):
    """Instructions that access memory."""
    out = ["const struct ptx_memory_info ptx_memories[] = {"]
    for name, entry in spec["memory"].items():
        sems = " | ".join(f"1u << {name_of('PTX_IS', sem)}" for sem in entry.get("sems", [])) or "0"
        since = [f"[{name_of('PTX_IS', key.split('.')[1])}] = {version(text)}"
                 for key, text in spec["sem_since"].items() if key.split(".")[0] == name]
        out += [f"\t{{ \"{name}\", {sems}, {name_of('PTX_IS', entry.get('default', 'sc'))}, {mask(entry.get('types', []))},",
                f"\t  {{ {', '.join(since) or '0'} }}, {quoted(spec['cache'].get(name, []))} }},"]
    levels = spec["memory"]["membar"]["levels"]
    out += ["};", ""]
    for kind, names in spec["other"].items():
        out += [f"const char *const ptx_other_{kind}[] = {quoted(names)};"]
    for level, hints in spec["hint"].items():
        out += [f"const char *const ptx_{level.lower()}_hints[] = {quoted(f'{level}::{hint}' for hint in hints)};"]
    out += ["", "const struct ptx_level_info ptx_levels[] = {"]
    out += [f"\t{{ \"{name}\", {name_of('PTX_AT', scope)} }}," for name, scope in levels.items()]
    return out + ["};", ""]


def c_instructions(spec):
    """All other instructions, comparisons, and special registers."""
    out = ["const struct ptx_plain_info ptx_plains[] = {"]
    for entry in spec["instruction"]:
        built = entry["device"]
        lowering = "ALU" if built.isupper() else built.upper()
        alu = f"FAA_ALU_OP_{built}" if built.isupper() else "0"
        out += [f"\t{{ \"{entry['name']}\", {quoted(entry.get('modifiers', []))}, {quoted(entry.get('optional', []))},",
                f"\t  {mask(entry.get('types', []))}, {mask(entry.get('from', []))}, {mask(entry.get('others', []))},",
                f"\t  \"{entry['operands']}\", PTX_LOWER_{lowering}, {alu} }},"]
    out += ["};", "", "const struct ptx_compare_info ptx_compares[] = {"]
    for name, entry in spec["compare"].items():
        out.append(f"\t{{ \"{name}\", FAA_CMP_{entry['device']}, FAA_CMP_{entry['not']}, \"{entry['classes']}\" }},")
    out += ["};", "", "const struct ptx_special_info ptx_specials[] = {"]
    for name, entry in spec["special"].items():
        out.append(f"\t{{ \"{name}\", {entry['base']}, {entry['step']} }},")
    return out + ["};", ""]


def source(spec, commands):
    """The tables."""
    head = ["/* SPDX-License-Identifier: MIT */", "/* Made by gen_ptx.py from ptx.toml. */", '#include "ptx/ptx.h"', ""]
    return "\n".join(head + c_types(spec) + c_atomics(spec, commands) + c_memory(spec) + c_instructions(spec))


def code(text):
    """Monospaced."""
    return f"``{text}``"


def page(spec, commands):
    """Reference page."""
    out = [".. SPDX-License-Identifier: MIT", ""] + title("Memory instructions", "-")
    for entry in spec["memory"].values():
        out += [code(entry["form"]), "    " + entry["text"], ""]
    rows = [[code(name), " ".join(entry["sems"]), entry["default"]]
            for name, entry in spec["memory"].items() if "sems" in entry]
    out += table(["instruction", "sem", "without it"], rows)
    rows = []
    for name, entry in spec["atomic"].items():
        here = device_types(spec, name, commands, "ATOM")
        there = device_types(spec, name, commands, "ATOMS")
        lacks = [f"{t} everywhere" for t in entry["types"] if t not in here and t not in there]
        lacks += [f"{t} in shared memory" for t in entry["types"] if t in here and t not in there]
        rows.append([code(name), " ".join(entry["types"]), "atom, red" if entry["red"] else "atom",
                     ", ".join(lacks) or "nothing"])
    out += title("Atomic operations", "-") + table(["op", "types", "of", "the device lacks"], rows)
    rows = [[code(name), entry["meaning"], entry["since"]] for name, entry in spec["scopes"].items()]
    out += title("Scopes", "-") + table(["scope", "meaning", "PTX"], rows)
    rows = [[code(entry["write"]) if entry["write"] else "(none)", entry["meaning"]] for entry in spec["spaces"].values()]
    out += title("State spaces", "-") + table(["space", "meaning"], rows)
    rows = []
    for entry in spec["instruction"]:
        name = ".".join([entry["name"]] + entry.get("modifiers", [])) + "".join(f"{{.{m}}}" for m in entry.get("optional", []))
        name += ".op" if entry.get("comparison") else ""
        rows.append([code(f"{name} {entry['operands']}".strip()), " ".join(entry.get("types", [])), entry["text"]])
    out += title("Other instructions", "-") + table(["instruction", "types", "meaning"], rows)
    rows = [[code(name), f"{entry['base']}" + (" + lane" if entry["step"] else ""), entry["meaning"]]
            for name, entry in spec["special"].items()]
    out += title("Special registers", "-") + table(["register", "unless set", "meaning"], rows)
    return "\n".join(out)


def main():
    """Write the requested files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", required=True)
    parser.add_argument("--commands", required=True)
    parser.add_argument("--header")
    parser.add_argument("--source")
    parser.add_argument("--page")
    args = parser.parse_args()
    spec = tomllib.loads(pathlib.Path(args.spec).read_text(encoding="utf-8"))
    commands = tomllib.loads(pathlib.Path(args.commands).read_text(encoding="utf-8"))
    for path, text in ((args.header, header(spec)), (args.source, source(spec, commands)), (args.page, page(spec, commands))):
        if path:
            pathlib.Path(path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
