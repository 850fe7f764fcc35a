# SPDX-License-Identifier: MIT
"""SystemVerilog package from the command description."""

from gen_c import bits, bit_set, legal_types, members, op_mask, reserved_bits
from gen_texture import systemverilog

WIDTHS = {"opcode": 8, "type": 4, "kind": 3, "error": 8, "queue_state": 4, "job_flag": 32, "counter": 5, "feature": 6, "float_mode": 4, "dim": 3,
          "clamp": 2, "handle_kind": 2, "header_version": 3, "texture_type": 4, "data_type": 3}


def const(width, name, value):
    """One sized constant."""
    return f"  localparam logic [{width - 1}:0] {name} = {width}'h{value:x};"


def enumeration(name, entries):
    """The codes of an enumeration."""
    width = WIDTHS.get(name, 8)
    if name == "feature":
        return [f"  localparam int unsigned FEATURE_{n} = {code};" for n, (code, _) in entries.items()]
    return [const(width, f"{name.upper()}_{n}", code) for n, (code, _) in entries.items()]


def words(spec):
    """Field positions and reserved masks of the words."""
    out = []
    for name, fields in spec["word"].items():
        prefix = name.upper()
        for field, high, low, _ in bits(fields):
            out.append(f"  localparam int unsigned {prefix}_{field.upper()}_LSB = {low};")
            out.append(f"  localparam int unsigned {prefix}_{field.upper()}_WIDTH = {high - low + 1};")
        out.append(const(64, f"{prefix}_RESERVED", reserved_bits(spec, fields)))
    return out


def structs(spec):
    """Bit positions of descriptor fields in their 512-bit line."""
    out = []
    for name, fields in spec["struct"].items():
        for field, offset, size, _ in members(fields):
            out.append(f"  localparam int unsigned {name.upper()}_{field.upper()}_LSB = {offset * 8};")
            out.append(f"  localparam int unsigned {name.upper()}_{field.upper()}_WIDTH = {size * 8};")
    return out


def legality(spec, command):
    """Function: is (op, type) legal for this command."""
    name = command["name"].lower()
    out = [f"  // Is the pair of header.op and header.type in {command['name']}'s table?",
           f"  function automatic logic {name}_legal(input logic [7:0] op, input logic [3:0] ty);",
           "    logic [15:0] allowed;", "    case (op)"]
    for code, mask in sorted(legal_types(spec, command).items()):
        out.append(f"      8'd{code}: allowed = 16'h{mask:04x};")
    out += ["      default: allowed = 16'h0000;", "    endcase", f"    {name}_legal = allowed[ty];", "  endfunction", ""]
    return out


def kinds(spec, command):
    """Allowed kinds per operand slot as constants, bit = kind code."""
    codes = {n: code for n, (code, _) in spec["enum"]["kind"].items()}
    out = []
    for slot in "abcd":
        allowed = bit_set(codes[k] for k in command.get(slot, ["NONE"]))
        out.append(const(8, f"{command['name']}_KINDS_{slot.upper()}", allowed))
    for key in ("c_ops", "b_ops_absent"):
        if key in command:
            out.append(const(32, f"{command['name']}_{key.upper()}", op_mask(spec, command, key)))
    return out


def package(spec):
    """faa_pkg.sv."""
    out = ["// SPDX-License-Identifier: Apache-2.0",
           "// Generated from spec/commands.toml; do not edit.", "",
           "// A design uses only part of a package.",
           "/* verilator lint_off UNUSEDPARAM */", "package faa_pkg;", ""]
    out += [f"  localparam int unsigned {n} = {v};" for n, (v, _) in spec["limits"].items()]
    for name, entries in spec["enum"].items():
        out += ["", f"  // {name.replace('_', ' ')}"] + enumeration(name, entries)
    out += ["", "  // word fields"] + words(spec)
    out += ["", "  // descriptor fields"] + structs(spec) + ["", "  // operand kinds per command, bit = kind code; operations with c and without b, bit = operation"]
    for command in spec["command"]:
        if command["class"] == "vector":
            out += kinds(spec, command)
    out += systemverilog(spec) + [""]
    for command in spec["command"]:
        out += legality(spec, command)
    out += ["endpackage", "/* verilator lint_on UNUSEDPARAM */", ""]
    return "\n".join(out)
