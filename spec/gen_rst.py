# SPDX-License-Identifier: MIT
"""Reference pages from the command description."""

from gen_c import bits, members


def title(text, char):
    """A heading."""
    return [text, char * len(text), ""]


def table(head, rows):
    """A list-table."""
    out = [".. list-table::", "   :header-rows: 1", "   :widths: auto", ""]
    for row in [head] + rows:
        for index, cell in enumerate(row):
            text = str(cell).replace("*", "\\*").replace("|", "\\|").replace("\\*\\*", "**")
            out.append(("   * - " if index == 0 else "     - ") + text)
    return out + [""]


def form(command):
    """The textual form of a command."""
    if command["class"] == "control":
        return " ".join([command["name"] + (".op" if "op_enum" in command else "")]
                        + command.get("words", [])).replace("jump", "target")
    parts = []
    if "d" in command:
        parts.append("d")
    if command["name"] == "SETP":
        parts.append("Pn")
    if "address" in command:
        parts.append("[a + offset]")
    elif command.get("surface"):
        parts = ["{Ps,} d", "[a]"]
    elif "a" in command:
        parts.append("a")
    parts += [slot for slot in "bc" if slot in command]
    if command.get("surface"):
        parts.append("handle")
    op = ".op" if "op_enum" in command else ""
    modes = "".join(f"{{.{mode}}}" for mode in command.get("float_modes", []))
    if command.get("strong"):
        modes += "{.scope.order}"
    elif command.get("access"):
        modes += ".scope{.order}"
    if command.get("surface"):
        modes = ".dim{.BA}{.PACKED}{.clamp}" + modes
    return f"{{@{{!}}Pg}} {command['name']}{op}.type{modes} {', '.join(parts)} {{&req}} {{&rd}} {{&wr}}"


def command_section(spec, command):
    """Everything about one command."""
    out = [f".. _command-{command['name'].lower()}:", ""] + title(command["name"], "~")
    out += ["::", "", f"    {form(command)}", "", command["summary"].replace("`", "``"), ""]
    code = spec["enum"]["opcode"][command["name"]][0]
    out += [f"Opcode 0x{code:02x}.", ""]
    if "op_enum" in command:
        ops = spec["enum"][command["op_enum"]]
        types = command.get("types", {})
        rows = []
        for name, (value, doc) in ops.items():
            allowed = types.get(name, types.get("*", []))
            rows.append([value, f".{name.replace('_', '.')}", " ".join(f".{t}" for t in allowed) or "none", doc])
        out += table(["code", ".op", ".type", "meaning"], rows)
    elif "types" in command:
        out += ["Types: " + ", ".join(f".{t}" for t in command["types"]["*"]) + ".", ""]
    rows = [[slot, ", ".join(command[slot])] for slot in "abcd" if slot in command]
    if rows:
        out += table(["operand", "kinds"], rows)
    if "c_ops" in command:
        out += ["Operand c is required for " + ", ".join(command["c_ops"]) + " and must be absent otherwise.", ""]
    if "b_ops_absent" in command:
        out += [", ".join(command["b_ops_absent"]) + " have no operand b; for the others it is required.", ""]
    if command.get("access"):
        word = "strong" if command.get("strong") else "access"
        out += [f"The second word holds scope and order too: :ref:`word-{word}`.", ""]
    if "orders" in command:
        out += ["Orders: " + ", ".join(command["orders"]) + ".", ""]
    if command.get("surface"):
        out += ["The form of the coordinates is in the second word, :ref:`word-place`; surface and sparse status are in the third, :ref:`word-surface`.", ""]
    if "words" in command:
        names = [f"``{w}``" for w in command["words"]]
        out += [f"Words after the header: {', '.join(names)}.", ""]
    return out


def word_section(name, fields):
    """Bit layout of a word."""
    out = [f".. _word-{name}:", ""] + title(f"Word: {name}", "~") + [fields["doc"], ""]
    rows = [[f"{high}..{low}" if high != low else high, f"``{n}``", doc] for n, high, low, doc in bits(fields)]
    return out + table(["bits", "field", "meaning"], rows)


def struct_section(name, fields):
    """Layout of a descriptor."""
    out = [f".. _struct-{name}:", ""] + title(f"Descriptor: {name}", "~") + [fields["doc"], ""]
    rows = [[f"0x{offset:02x}", size, f"``{n}``", doc] for n, offset, size, doc in members(fields)]
    return out + table(["offset", "bytes", "field", "meaning"], rows)


def texture_section(version, fields):
    """Fields of a version of the texture header."""
    name = version.lower().replace("_", "-")
    out = [f".. _texture-{name}:", ""] + title(f"Texture header: {version}", "~")
    return out + table(["bits", "field"], [[f"{high}..{low}" if high != low else high, f"``{n}``"] for n, (high, low) in fields.items()])


def enum_section(name, entries):
    """Codes of an enumeration."""
    out = [f".. _enum-{name}:", ""] + title(f"Codes: {name}", "~")
    return out + table(["code", "name", "meaning"], [[code, n, doc] for n, (code, doc) in entries.items()])


def reference(spec):
    """commands_ref.rst."""
    out = [".. SPDX-License-Identifier: MIT", ".. Generated from spec/commands.toml; do not edit.", ""]
    out += title("Command reference", "=")
    out += ["The reference of every command, word, descriptor and code. :doc:`commands` describes their execution.", ""]
    out += title("Commands", "-")
    for command in spec["command"]:
        out += command_section(spec, command)
    out += title("Words", "-")
    for name, fields in spec["word"].items():
        out += word_section(name, fields)
    out += title("Descriptors", "-")
    for name, fields in spec["struct"].items():
        out += struct_section(name, fields)
    out += title("Texture headers", "-")
    for version, fields in spec["texture_header"].items():
        out += texture_section(version, fields)
    out += [".. _texels:", ""] + title("Texels", "~")
    out += table(["COMPONENTS", "name", "bytes"], [[f"0x{code:02x}", n, size] for n, (code, size) in spec["texel_bytes"].items()])
    out += title("Codes", "-")
    for name, entries in spec["enum"].items():
        out += enum_section(name, entries)
    out += title("Limits", "-")
    out += table(["name", "value", "meaning"], [[n, v, doc] for n, (v, doc) in spec["limits"].items()])
    return "\n".join(out)
