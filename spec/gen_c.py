# SPDX-License-Identifier: MIT
"""C headers from the command description: constants, encoders, tables."""
import textwrap

BANNER = "/* SPDX-License-Identifier: {} */\n/* Generated from spec/commands.toml; do not edit. */\n"

# Codes of operations are below this: rows of the legality table, bits of masks of operations.
MAX_OPS = 32


def comment(text, opening="/*"):
    """A comment of one line, or of several if that would be longer than 100 columns."""
    if len(opening) + len(text) + 4 <= 100:
        return f"{opening} {text} */"
    return "\n".join([opening, wrapped(text), " */"])


def wrapped(text, follow=""):
    """Text as lines of a comment that is open; all lines but the first begin with follow."""
    return textwrap.fill(text, 100, initial_indent=" * ", subsequent_indent=" * " + follow,
                         break_long_words=False, break_on_hyphens=False)


def parameters(head, items):
    """The parameter list that follows head, aligned with its parenthesis, at most 100 columns."""
    column = len(head)
    lines, line = [], head
    for index, item in enumerate(items):
        piece = item + (")" if index == len(items) - 1 else ",")
        if line is not head and len(line.expandtabs(8)) + 1 + len(piece) > 100:
            lines.append(line)
            line = "\t" * (column // 8) + " " * (column % 8) + piece
        else:
            line = line + ("" if line is head else " ") + piece
    return "\n".join(lines + [line])


def bits(value):
    """The fields of a word: (name, high, low, doc)."""
    return [(n, v[0][0], v[0][1], v[1]) for n, v in value.items() if n not in ("doc", "extends")]


def members(value):
    """The fields of a descriptor: (name, offset, bytes, doc)."""
    return [(n, v[0], v[1], v[2]) for n, v in value.items() if n != "doc"]


def mask(high, low):
    """Mask in place of bits [high, low]."""
    return ((1 << (high - low + 1)) - 1) << low


def used_bits(value):
    """All bits of a word that a field names."""
    total = 0
    for _, high, low, _ in bits(value):
        total |= mask(high, low)
    return total


def inherited_bits(spec, fields):
    """All bits that a field of an extended word names."""
    if "extends" not in fields:
        return 0
    base = spec["word"][fields["extends"]]
    return used_bits(base) | inherited_bits(spec, base)


def reserved_bits(spec, fields):
    """All bits of a word that no field of it, or of a word that it extends, names."""
    return ~(used_bits(fields) | inherited_bits(spec, fields)) & (2**64 - 1)


def limits(spec):
    """#defines of the limits."""
    out = []
    for name, (value, doc) in spec["limits"].items():
        text = f"0x{value:04x}" if name.startswith("PCI_") and name.endswith("_ID") else str(value)
        out.append(f"{comment(doc)}\n#define FAA_{name} {text}")
    return "\n".join(out)


def enum(name, entries):
    """One enumeration with a kernel-doc comment."""
    prefix = f"FAA_{name.upper()}_"
    out = [f"/**\n * enum faa_{name} - codes of {name.replace('_', ' ')}"]
    out += [wrapped(f"@{prefix}{n}: {doc}", "  ") for n, (_, doc) in entries.items()]
    out.append(" */")
    out.append(f"enum faa_{name} {{")
    out += [f"\t{prefix}{n} = {code}," for n, (code, _) in entries.items()]
    out.append("};")
    return "\n".join(out)


def word(spec, name, fields):
    """Shifts, masks and reserved bits of a word."""
    prefix = f"FAA_{name.upper()}_"
    out = [comment(fields["doc"])]
    for field, high, low, doc in bits(fields):
        out.append(comment(doc))
        out.append(f"#define {prefix}{field.upper()}_SHIFT {low}")
        out.append(f"#define {prefix}{field.upper()}_MASK 0x{mask(high, low):016x}ULL")
    out.append(f"#define {prefix}RESERVED 0x{reserved_bits(spec, fields):016x}ULL")
    return "\n".join(out)


def struct(name, fields):
    """A descriptor in memory, little-endian, with layout asserts."""
    out = ["/**", wrapped(f"struct faa_{name} - {fields['doc']}", "  ")]
    out += [wrapped(f"@{n}: {doc}", "  ") for n, _, _, doc in members(fields)]
    out.append(" */")
    out.append(f"struct faa_{name} {{")
    out += [f"\t__le{size * 8} {n};" for n, _, size, _ in members(fields)]
    out.append("};\n")
    total = 0
    for n, offset, size, _ in members(fields):
        out.append(f'_Static_assert(offsetof(struct faa_{name}, {n}) == {offset}, "faa_{name}.{n}");')
        total = offset + size
    out.append(f'_Static_assert(sizeof(struct faa_{name}) == {total}, "faa_{name}");')
    return "\n".join(out)


def legal_list(spec):
    """The legal types of every vector command as one macro, for a table of any form."""
    rows = []
    for command in spec["command"]:
        if command["class"] == "vector":
            code = spec["enum"]["opcode"][command["name"]][0]
            rows += [f"\tX(0x{code:02x}, {op}, 0x{types:04x})" for op, types in legal_types(spec, command).items()]
    return (comment("Legal types of vector commands: X(opcode, op, mask of enum faa_type) for each operation.") + "\n"
            "#define FAA_LEGAL_TYPES(X) \\\n" + " \\\n".join(rows))


def isa_header(spec):
    """faa_isa.h: limits, enumerations, word fields and descriptors, for kernel and user space."""
    parts = [BANNER.format("(GPL-2.0-only OR MIT)")]
    parts.append("#ifndef FAA_ISA_H\n#define FAA_ISA_H\n")
    parts.append("#ifdef __KERNEL__\n#include <linux/stddef.h>\n#include <linux/types.h>\n#else\n"
                 "#include <stddef.h>\n#include <linux/types.h>\n#endif\n")
    parts.append("#if defined(__cplusplus) && !defined(_Static_assert)\n#define _Static_assert static_assert\n#endif\n")
    parts.append(limits(spec) + "\n")
    parts += [enum(n, e) + "\n" for n, e in spec["enum"].items()]
    texels = {n: (code, f"{size} bytes") for n, (code, size) in spec["texel_bytes"].items()}
    parts.append(enum("texel", texels) + "\n")
    parts += [word(spec, n, f) + "\n" for n, f in spec["word"].items()]
    parts.append(comment("A field of a word by its name, e.g. FAA_GET(HEADER_OPCODE, word), "
                         "FAA_PUT(HEADER_OPCODE, value)."))
    parts.append("#define FAA_GET(field, word) (((word) & FAA_##field##_MASK) >> FAA_##field##_SHIFT)")
    parts.append("#define FAA_PUT(field, value) \\\n"
                 "\t(((unsigned long long)(value) << FAA_##field##_SHIFT) & FAA_##field##_MASK)\n")
    parts.append(legal_list(spec) + "\n")
    parts += [struct(n, f) + "\n" for n, f in spec["struct"].items()]
    parts.append("#endif /* FAA_ISA_H */\n")
    return "\n".join(parts)


ENCODE_COMMON = r"""
/**
 * struct faa_operand - one operand of a vector command
 * @kind: enum faa_kind; it determines which members are used, the rest is ignored
 * @reg: REG: register number 0..254, 255 = RZ
 * @type: STREAM: enum faa_type of an item
 * @shift: STREAM: left shift of an item, 0..7
 * @stride: STREAM: bytes from item to item
 * @value: IMM: the value; AFFINE: the base; STREAM: virtual address of item 0
 * @step: AFFINE: added per element; STREAM: the base that is added to every item
 */
struct faa_operand {
	uint8_t kind;
	uint8_t reg;
	uint8_t type;
	uint8_t shift;
	int32_t stride;
	uint64_t value;
	uint64_t step;
};

/**
 * struct faa_issue - when a command issues and for which lanes
 * @guard: predicate number, 7 = PT
 * @guard_negate: lanes execute where the predicate is false
 * @wait_mask: barriers that must be free
 * @read_barrier: barrier held until the sources are read, 7 = none
 * @write_barrier: barrier held until the result is written, 7 = none
 */
struct faa_issue {
	uint8_t guard;
	uint8_t guard_negate;
	uint8_t wait_mask;
	uint8_t read_barrier;
	uint8_t write_barrier;
};

/**
 * struct faa_place - members of surface operations only
 * @dim: enum faa_dim
 * @clamp: enum faa_clamp
 * @handle_kind: enum faa_handle_kind
 * @packed: 1: coordinates of 16 bits each in one item of operand a
 * @ba: 1: x counts bytes
 * @ps: predicate that receives the sparse status, 7 = PT: none
 * @handle: register, index of a constant word, or header index, by @handle_kind
 */
struct faa_place {
	uint8_t dim;
	uint8_t clamp;
	uint8_t handle_kind;
	uint8_t packed;
	uint8_t ba;
	uint8_t ps;
	uint32_t handle;
};

/**
 * struct faa_vector - a vector command before encoding
 * @opcode: enum faa_opcode
 * @op: operation
 * @type: enum faa_type
 * @mod: header.mod
 * @count: elements
 * @offset: of the address, bytes, taken modulo 2^24
 * @a: operands
 * @scope: ATOM, SUATOM, strong LD and ST: enum faa_scope; 0 for all others
 * @order: ATOM, SUATOM, strong LD and ST: enum faa_order; 0 for all others
 * @strong: LD, ST: 1 if the access has scope and order; 0 for all others
 * @place: SUATOM: form of coordinates, surface and sparse status; all 0 for all others
 */
struct faa_vector {
	uint8_t opcode;
	uint8_t op;
	uint8_t type;
	uint8_t mod;
	uint64_t count;
	int32_t offset;
	struct faa_operand a, b, c, d;
	uint8_t scope;
	uint8_t order;
	uint8_t strong;
	struct faa_place place;
};

/** FAA_VECTOR_ZERO - all-zero initializer of a struct faa_vector, without a warning in C and C++ */
#ifdef __cplusplus
#define FAA_VECTOR_ZERO {}
#else
#define FAA_VECTOR_ZERO { 0 }
#endif

/** FAA_ISSUE_DEFAULT - every lane, no barrier */
#define FAA_ISSUE_DEFAULT { FAA_PT, 0, 0, FAA_NO_BARRIER, FAA_NO_BARRIER }

/** faa_encode_header() - the first word of a command of @length words */
static inline uint64_t faa_encode_header(unsigned int opcode, unsigned int length,
					 const struct faa_issue *issue, unsigned int op,
					 unsigned int type, unsigned int mod)
{
	return FAA_PUT(HEADER_OPCODE, opcode) | FAA_PUT(HEADER_LENGTH, length) |
	       FAA_PUT(HEADER_GUARD, issue->guard) |
	       FAA_PUT(HEADER_GUARD_NEGATE, issue->guard_negate) |
	       FAA_PUT(HEADER_WAIT_MASK, issue->wait_mask) |
	       FAA_PUT(HEADER_READ_BARRIER, issue->read_barrier) |
	       FAA_PUT(HEADER_WRITE_BARRIER, issue->write_barrier) | FAA_PUT(HEADER_OP, op) |
	       FAA_PUT(HEADER_TYPE, type) | FAA_PUT(HEADER_MOD, mod);
}

/** faa_operand_words() - words that an operand of @kind adds to its command */
static inline unsigned int faa_operand_words(unsigned int kind)
{
	switch (kind) {
	case FAA_KIND_IMM:
		return 1;
	case FAA_KIND_AFFINE:
		return 2;
	case FAA_KIND_STREAM:
		return 3;
	default:
		return 0;
	}
}

/** faa_encode_operand() - write the words of @operand to @out; returns how many */
static inline unsigned int faa_encode_operand(uint64_t *out, const struct faa_operand *operand)
{
	switch (operand->kind) {
	case FAA_KIND_IMM:
		out[0] = operand->value;
		break;
	case FAA_KIND_AFFINE:
		out[0] = operand->value;
		out[1] = operand->step;
		break;
	case FAA_KIND_STREAM:
		out[0] = operand->value;
		out[1] = FAA_PUT(STREAM_STRIDE, (uint32_t)operand->stride) |
			 FAA_PUT(STREAM_TYPE, operand->type) |
			 FAA_PUT(STREAM_SHIFT, operand->shift);
		out[2] = operand->step;
		break;
	}
	return faa_operand_words(operand->kind);
}

/**
 * faa_encode_vector() - encode a vector command
 * @out: room for FAA_MAX_COMMAND_WORDS words
 * @issue: guard and barriers
 * @vector: the command; legality is not checked here
 *
 * Return: words written.
 */
static inline unsigned int faa_encode_vector(uint64_t *out, const struct faa_issue *issue,
					     const struct faa_vector *vector)
{
	const struct faa_operand *a = &vector->a, *b = &vector->b, *c = &vector->c, *d = &vector->d;
	const struct faa_place *place = &vector->place;
	unsigned int n = 3;

	out[1] = FAA_PUT(SHAPE_COUNT, vector->count) | FAA_PUT(SHAPE_KIND_A, a->kind) |
		 FAA_PUT(SHAPE_KIND_B, b->kind) | FAA_PUT(SHAPE_KIND_C, c->kind) |
		 FAA_PUT(SHAPE_KIND_D, d->kind) |
		 FAA_PUT(ACCESS_SCOPE, vector->scope) | FAA_PUT(ACCESS_ORDER, vector->order) |
		 FAA_PUT(STRONG_STRONG, vector->strong) |
		 FAA_PUT(PLACE_DIM, place->dim) | FAA_PUT(PLACE_CLAMP, place->clamp) |
		 FAA_PUT(PLACE_PACKED, place->packed) | FAA_PUT(PLACE_BA, place->ba);
	out[2] = FAA_PUT(REGS_RA, a->kind == FAA_KIND_REG ? a->reg : 0) |
		 FAA_PUT(REGS_RB, b->kind == FAA_KIND_REG ? b->reg : 0) |
		 FAA_PUT(REGS_RC, c->kind == FAA_KIND_REG ? c->reg : 0) |
		 FAA_PUT(REGS_RD, d->kind == FAA_KIND_REG ? d->reg : 0) |
		 FAA_PUT(REGS_OFFSET, (uint32_t)vector->offset) |
		 FAA_PUT(SURFACE_HANDLE, place->handle) |
		 FAA_PUT(SURFACE_HANDLE_KIND, place->handle_kind) | FAA_PUT(SURFACE_PS, place->ps);
	n += faa_encode_operand(out + n, a);
	n += faa_encode_operand(out + n, b);
	n += faa_encode_operand(out + n, c);
	n += faa_encode_operand(out + n, d);
	out[0] = faa_encode_header(vector->opcode, n, issue, vector->op, vector->type, vector->mod);
	return n;
}
"""


def encode_vector(command, strong=False):
    """Inline encoder of one vector command; @strong: of its strong form, if it has two forms."""
    name = command["name"]
    params, sets = [], []
    if "op_enum" in command:
        params.append(f"enum faa_{command['op_enum']} op")
        sets.append("vector.op = op;")
    params.append("enum faa_type type")
    if strong:
        sets.append("vector.strong = 1;")
    if strong or (command.get("access") and not command.get("strong")):
        params += ["enum faa_scope scope", "enum faa_order order"]
        sets += ["vector.scope = scope;", "vector.order = order;"]
    if command.get("surface"):
        params.append("struct faa_place place")
        sets.append("vector.place = place;")
    params.append("uint64_t count")
    sets += ["vector.type = type;", "vector.count = count;"]
    if name == "SETP":
        params.append("unsigned int predicate")
        sets.append("vector.mod = predicate;")
    note = " header.mod is 0; faa_encode_vector() takes any." if "float_modes" in command else ""
    for slot in "dabc":
        if slot not in command:
            continue
        params.append(f"struct faa_operand {slot}")
        sets.append(f"vector.{slot} = {slot};")
        if slot == "a" and "address" in command:
            params.append("int32_t offset")
            sets.append("vector.offset = offset;")
    body = "\n\t".join(sets)
    if command.get("strong"):
        note += " This is a strong access." if strong else " This is a weak access."
    function = f"faa_encode_{name.lower()}{'_strong' if strong else ''}"
    head = parameters(f"static inline unsigned int {function}(",
                      ["uint64_t *out", "const struct faa_issue *issue"] + params)
    summary = comment(f"{function}() - {command['summary']}{note}", "/**")
    return (f"{summary}\n{head}\n{{\n"
            f"\tstruct faa_vector vector = FAA_VECTOR_ZERO;\n\n"
            f"\tvector.opcode = FAA_OPCODE_{name};\n\t{body}\n"
            f"\treturn faa_encode_vector(out, issue, &vector);\n}}\n")


def encode_control(command):
    """Inline encoder of one control command."""
    name = command["name"]
    params = ["uint64_t *out", "const struct faa_issue *issue"]
    op, mod, lines = "0", "0", []
    if "op_enum" in command:
        params.append(f"enum faa_{command['op_enum']} op")
        op = "op"
    if "mod_enum" in command:
        params.append(f"enum faa_{command['mod_enum']} {command['mod_enum']}")
        mod = command["mod_enum"]
    for index, item in enumerate(command.get("words", []), 1):
        if item == "jump":
            params.append("int32_t target")
            lines.append(f"out[{index}] = FAA_PUT(JUMP_TARGET, (uint32_t)target);")
        else:
            params.append(f"uint64_t {item}")
            lines.append(f"out[{index}] = {item};")
    length = 1 + len(command.get("words", []))
    lines.append(f"out[0] = faa_encode_header(FAA_OPCODE_{name}, {length}, issue, {op}, 0, {mod});")
    body = "\n\t".join(lines)
    function = f"faa_encode_{name.lower()}"
    head = parameters(f"static inline unsigned int {function}(", params)
    summary = comment(f"{function}() - {command['summary']}", "/**")
    return (f"{summary}\n{head}\n{{\n"
            f"\t{body}\n\treturn {length};\n}}\n")


def encode_header(spec):
    """faa_encode.h: pure functions that write commands to a caller's words."""
    parts = [BANNER.format("MIT"), "#ifndef FAA_ENCODE_H\n#define FAA_ENCODE_H\n",
             '#include <stdint.h>\n\n#include "faa_isa.h"', ENCODE_COMMON]
    for command in spec["command"]:
        parts.append(encode_vector(command) if command["class"] == "vector" else encode_control(command))
        if command.get("strong"):
            parts.append(encode_vector(command, strong=True))
    parts.append("#endif /* FAA_ENCODE_H */\n")
    return "\n".join(parts)


def name_table(name, entries):
    """Names of an enumeration, indexed by code; holes are NULL."""
    rows = "\n".join(f'\t[{code}] = "{n}",' for n, (code, _) in entries.items())
    return f"static const char *const faa_{name}_names[] = {{\n{rows}\n}};\n"


def bit_set(codes):
    """Mask with the bits of the given codes."""
    total = 0
    for code in codes:
        total |= 1 << code
    return total


def legal_types(spec, command):
    """types[op] masks of a command: one row an operation, or a single row for all."""
    types = spec["enum"]["type"]
    ops = spec["enum"][command["op_enum"]] if "op_enum" in command else {"": (0, "")}
    table = command.get("types", {})
    rows = {}
    for op, (code, _) in ops.items():
        allowed = table.get(op, table.get("*", ["U8"]))
        rows[code] = bit_set(types[t][0] for t in allowed)
    return rows


def largest_mod(spec, command):
    """Largest header.mod of a command: of an enumeration, of float modes, or SETP's predicate."""
    if "mod_enum" in command:
        return max(code for code, _ in spec["enum"][command["mod_enum"]].values())
    modes = spec["enum"]["float_mode"]
    return 7 if command["name"] == "SETP" else sum(modes[m][0] for m in command.get("float_modes", []))


def order_mask(spec, command):
    """Mask of the orders that a command with scope and order may have."""
    if not command.get("access"):
        return 0
    orders = spec["enum"]["order"]
    return bit_set(orders[order][0] for order in command.get("orders", orders))


def op_mask(spec, command, key):
    """Mask of the operations that a key of a command names."""
    return bit_set(spec["enum"][command["op_enum"]][op][0] for op in command.get(key, []))


def info_row(spec, command):
    """One row of the command table."""
    kinds = {n: code for n, (code, _) in spec["enum"]["kind"].items()}
    masks = {}
    for slot in "abcd":
        masks[slot] = bit_set(kinds[k] for k in command.get(slot, ["NONE"]))
    c_ops, b_ops_absent = op_mask(spec, command, "c_ops"), op_mask(spec, command, "b_ops_absent")
    rows = legal_types(spec, command)
    types = ", ".join(f"[{code}] = 0x{value:04x}" for code, value in sorted(rows.items()))
    vector = command["class"] == "vector"
    op_names = f"faa_{command['op_enum']}_names" if "op_enum" in command else "NULL"
    op_count = max(rows) + 1
    mod_max = largest_mod(spec, command)
    address = {"global": "FAA_ADDRESS_GLOBAL", "shared": "FAA_ADDRESS_SHARED"}.get(command.get("address"),
                                                                                 "FAA_ADDRESS_NONE")
    return (f'\t[FAA_OPCODE_{command["name"]}] = {{ .name = "{command["name"]}", .vector = {int(vector)}, '
            f'.guarded = {int(vector or command.get("guarded", False))},\n'
            f'\t\t.words = {1 + len(command.get("words", []))}, .op_names = {op_names}, .op_count = {op_count}, '
            f'.mod_max = {mod_max},\n'
            f'\t\t.address = {address}, .offset_align = {command.get("offset_align", 1)},\n'
            f'\t\t.kinds = {{ 0x{masks["a"]:02x}, 0x{masks["b"]:02x}, 0x{masks["c"]:02x}, 0x{masks["d"]:02x} }}, '
            f'.c_ops = 0x{c_ops:05x},\n\t\t.b_ops_absent = 0x{b_ops_absent:05x}, '
            f'.access = {int(command.get("access", False))}, .surface = {int(command.get("surface", False))}, '
            f'.strong = {int(command.get("strong", False))}, .orders = 0x{order_mask(spec, command):x},\n\t\t.types = {{ {types} }} }},')


TABLES_COMMON = """
/** enum faa_address_space - what a command's address operand addresses */
enum faa_address_space {
	FAA_ADDRESS_NONE,
	FAA_ADDRESS_GLOBAL,
	FAA_ADDRESS_SHARED,
};

/**
 * struct faa_command_info - one command of the command description
 * @name: its name, NULL for an opcode that is no command
 * @vector: 1 for a vector command
 * @guarded: 1 if it may carry a guard
 * @words: control command: length in words
 * @op_names: names of its operations, or NULL if header.op must be 0
 * @op_count: rows of @types
 * @mod_max: largest header.mod; 0 if it must be 0
 * @address: what operand A addresses
 * @offset_align: the offset is a multiple of this
 * @kinds: allowed kinds (bit = enum faa_kind) of operands a, b, c, d
 * @c_ops: operations (bit) whose operand C is required; for the others it must be absent
 * @b_ops_absent: operations (bit) whose operand B must be absent
 * @access: 1 if the second word has scope and order
 * @surface: 1 if the second and the third word have the fields of surface operations
 * @strong: 1 if the second word has the bit strong; scope and order are 0 if the bit is 0
 * @orders: orders (bit = enum faa_order) that are legal
 * @types: allowed types (bit = enum faa_type) per operation
 */
struct faa_command_info {
	const char *name;
	unsigned char vector, guarded, words;
	const char *const *op_names;
	unsigned char op_count, mod_max, address, offset_align;
	unsigned char kinds[4];
	unsigned int c_ops, b_ops_absent;
	unsigned char access, surface, strong, orders;
	unsigned short types[MAX_OPS];
};
""".replace("MAX_OPS", str(MAX_OPS))


def tables_header(spec):
    """faa_tables.h: names and legality of commands, errors with their texts."""
    parts = [BANNER.format("MIT"), "#ifndef FAA_TABLES_H\n#define FAA_TABLES_H\n", '#include "faa_isa.h"',
             TABLES_COMMON]
    used = ["type", "kind", "error", "feature", "counter", "queue_state", "scope", "order", "float_mode", "dim", "clamp", "texture_type", "data_type",
             "header_version"]
    used += [c["op_enum"] for c in spec["command"] if "op_enum" in c]
    parts += [name_table(n, spec["enum"][n]) for n in dict.fromkeys(used)]
    rows = "\n".join(f'\t[{code}] = "{doc}",' for _, (code, doc) in spec["enum"]["error"].items())
    parts.append(f"/* Texts of the error codes. */\nstatic const char *const faa_error_texts[] = {{\n{rows}\n}};\n")
    rows = "\n".join(info_row(spec, c) for c in spec["command"])
    parts.append(f"static const struct faa_command_info faa_commands[256] = {{\n{rows}\n}};\n")
    parts.append("#endif /* FAA_TABLES_H */\n")
    return "\n".join(parts)
