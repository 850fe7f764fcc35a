# SPDX-License-Identifier: MIT
"""Texture headers: C header, SystemVerilog constants and reference from their description."""

from gen_c import BANNER

HEADER_BITS = 256


def check(spec, error):
    """The fields of every version follow each other without a gap; texel codes are unique."""
    for version, fields in spec["texture_header"].items():
        if version not in spec["enum"]["header_version"]:
            raise error(f"texture_header.{version}: not in enum.header_version")
        end = 0
        for field, (high, low) in fields.items():
            if low != end or high < low:
                raise error(f"texture_header.{version}.{field}: bits [{high}, {low}], expected to begin at {end}")
            if low // 64 != high // 64:
                raise error(f"texture_header.{version}.{field}: bits [{high}, {low}] are in two words")
            end = high + 1
        if end != HEADER_BITS:
            raise error(f"texture_header.{version}: ends at bit {end}, expected {HEADER_BITS}")
    codes = [code for code, _ in spec["texel_bytes"].values()]
    if len(set(codes)) != len(codes):
        raise error("texel_bytes: a code occurs twice")


def constants(spec):
    """(name, low, width) of every field that is not reserved: VERSION_FIELD."""
    for version, fields in spec["texture_header"].items():
        for field, (high, low) in fields.items():
            if not field.startswith("RESERVED"):
                yield f"{version}_{field}", low, high - low + 1


def header(spec):
    """faa_texture.h: fields and texels, as lists for tables of any form, and as constants."""
    out = [BANNER.format("MIT"), "#ifndef FAA_TEXTURE_H\n#define FAA_TEXTURE_H\n"]
    out.append("/* Lowest bit and width of each field of a texture header, by version. */")
    for name, low, width in constants(spec):
        out.append(f"#define FAA_TEXTURE_{name}_LOW {low}\n#define FAA_TEXTURE_{name}_WIDTH {width}")
    rows = [f'\tX({v}, {f}, {high}, {low})' for v, fs in spec["texture_header"].items() for f, (high, low) in fs.items()]
    out.append("\n/* All fields, reserved ones too, in order: X(version, field, high bit, low bit). */\n"
               "#define FAA_TEXTURE_FIELDS(X) \\\n" + " \\\n".join(rows) + "\n")
    rows = [f"\tX({n}, 0x{code:02x}, {size})" for n, (code, size) in spec["texel_bytes"].items()]
    out.append("/* Texels: X(name, COMPONENTS, bytes). */\n#define FAA_TEXELS(X) \\\n" + " \\\n".join(rows) + "\n")
    for name in ("header_version", "texture_type", "data_type"):
        rows = [f"\tX({n}, {code})" for n, (code, _) in spec["enum"][name].items()]
        out.append(f"/* Names of enum faa_{name}: X(name, code). */\n"
                   f"#define FAA_{name.upper()}S(X) \\\n" + " \\\n".join(rows) + "\n")
    out.append("#endif /* FAA_TEXTURE_H */\n")
    return "\n".join(out)


def systemverilog(spec):
    """Constants for the package, and the bytes of a texel."""
    out = ["", "  // texture header fields, by version"]
    for name, low, width in constants(spec):
        out.append(f"  localparam int unsigned TEXTURE_{name}_LSB = {low};")
        out.append(f"  localparam int unsigned TEXTURE_{name}_WIDTH = {width};")
    out += ["", "  // Bytes of a texel by COMPONENTS; 0 for a code that surfaces cannot have.",
            "  function automatic logic [4:0] texel_bytes(input logic [6:0] components);", "    case (components)"]
    out += [f"      7'h{code:02x}: texel_bytes = 5'd{size};" for code, size in spec["texel_bytes"].values()]
    return out + ["      default: texel_bytes = 5'd0;", "    endcase", "  endfunction"]
