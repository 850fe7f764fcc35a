// SPDX-License-Identifier: MIT
/*
 * Random cases: mostly legal commands with all operand kinds, conflicts and edges; some are broken.
 */
#include <string.h>

#include "faa_tables.h"

#include "lockstep.h"

/* Registers by use, so that most addresses are good: the rest holds data. */
#define SHARED_ADDRESS_REG 16
#define GLOBAL_ADDRESS_REG 20
#define ADDRESS_REGS	   2
#define DATA_REGS	   16
/* For each dimension the handles of SUATOM, and four for coordinates. */
#define HANDLE_REG     32
#define COORDINATE_REG 40

struct generator {
	uint64_t random;
	struct ls_case *c;
	struct ls_job *job;
	/* Features that both engines have: register FEATURES_LO. */
	uint32_t features;
	uint32_t shared_bytes;
	uint64_t base;
	/* Type of most ATOMS and ALU commands of a job, so that they use each other's values. */
	enum faa_type type;
	/* Most vector commands are SUATOM. */
	bool surfaces;
	/* The stream runs together with others. */
	bool group;
	/* The stream may not use shared memory: it is another one's turn. */
	bool no_shared;
	/* Dimensions whose handle register the job has set, as bits. */
	unsigned int handles;
};

uint64_t ls_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint64_t below(struct generator *g, uint64_t limit)
{
	return ls_random(&g->random) % limit;
}

/* True with a probability of @per_mille. */
static bool chance(struct generator *g, unsigned int per_mille)
{
	return below(g, 1000) < per_mille;
}

static bool has_feature(const struct generator *g, enum faa_feature feature)
{
	return g->features >> feature & 1;
}

/* Seldom: commands use the memory of surfaces instead of the data. */
static bool use_surfaces(struct generator *g)
{
	return has_feature(g, FAA_FEATURE_SURFACE_ATOMICS) && chance(g, 60);
}

static unsigned int bytes_of(enum faa_type type)
{
	static const uint8_t bytes[] = { 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 4, 4, 4, 8 };

	return bytes[type];
}

static const uint64_t floats32[] = { 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff,
				     0x00800000, 0x80800000, 0x00800001, 0x3f800000, 0xbf800000,
				     0x3f800001, 0x33800000, 0x4b800000, 0xcb800000, 0x7f7fffff,
				     0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
				     0x7f800001, 0x73000000, 0x40490fdb, 0xc2c80000 };

static const uint64_t floats64[] = { 0x0000000000000000, 0x8000000000000000, 0x0000000000000001,
				     0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
				     0x8010000000000000, 0x0010000000000001, 0x3ff0000000000000,
				     0xbff0000000000000, 0x3ff0000000000001, 0x3ca0000000000000,
				     0x4340000000000000, 0xc340000000000000, 0x7fefffffffffffff,
				     0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
				     0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000001,
				     0x7c90000000000000, 0x400921fb54442d18, 0xc059000000000000 };

/* binary16, then bfloat16 */
static const uint16_t floats16[] = {
	0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400, 0x0401, 0x3c00, 0xbc00,
	0x3c01, 0x1000, 0x6800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01,
	0x4c00, 0x4248, 0x007f, 0x0080, 0x8080, 0x0081, 0x3f80, 0xbf80, 0x3f81, 0x3b80,
	0x4380, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0x7b00, 0x4049
};

#define PICK(state, table) ((table)[ls_random(state) % (sizeof(table) / sizeof((table)[0]))])

uint64_t ls_float(uint64_t *random, enum faa_type type)
{
	uint64_t kind = ls_random(random) % 4;

	/* A special value, one with its sign or low bits changed, or one of any exponent. */
	switch (type) {
	case FAA_TYPE_F64:
		return kind == 3 ? ls_random(random) :
				   PICK(random, floats64) ^
					   (kind == 2 ? ls_random(random) & 0x8000000000000007 : 0);
	case FAA_TYPE_F32:
		return kind == 3 ? (uint32_t)ls_random(random) :
				   PICK(random, floats32) ^
					   (kind == 2 ? ls_random(random) & 0x80000007 : 0);
	default:
		return kind == 3 ?
			       (uint32_t)ls_random(random) :
			       (PICK(random, floats16) | (uint32_t)PICK(random, floats16) << 16) ^
				       (kind == 2 ? ls_random(random) & 0x80038003 : 0);
	}
}

static bool floating(enum faa_type type)
{
	return type >= FAA_TYPE_F32 && type <= FAA_TYPE_BF16X2;
}

static uint64_t edge_value(struct generator *g)
{
	static const uint64_t edges[] = {
		0,	    1,		2,	    3,	   0x7fffffff,	      0x80000000,
		0x80000001, 0xffffffff, 0xfffffffe, ~0ULL, 0x8000000000000000
	};

	if (chance(g, 500))
		return below(g, 4);
	if (chance(g, 500))
		return edges[below(g, sizeof(edges) / sizeof(edges[0]))];
	return ls_random(&g->random);
}

static uint64_t element_count(struct generator *g)
{
	static const uint64_t edges[] = { 1, 2, 31, 32, 33, 63, 64, 65, 96 };

	if (chance(g, 300))
		return edges[below(g, 9)];
	/* Enough warps to fill every queue of the shared unit. */
	if (chance(g, 60))
		return 1 + below(g, 600);
	return 1 + below(g, 64);
}

/* A register for data of @bytes bytes: mostly one of few, so that commands use each other's. */
static unsigned int data_register(struct generator *g, unsigned int bytes)
{
	unsigned int reg = below(g, DATA_REGS);

	if (chance(g, 40))
		reg = 32 + below(g, FAA_REGISTERS - 32);
	return bytes == 8 ? reg & ~1u : reg;
}

static struct faa_operand immediate(uint64_t value)
{
	struct faa_operand operand = { .kind = FAA_KIND_IMM, .value = value };

	return operand;
}

/* A type for items of an operand of @bytes bytes; now and then one that is not allowed. */
static enum faa_type item_type(struct generator *g, unsigned int bytes)
{
	static const uint8_t narrow[] = { FAA_TYPE_U8,	FAA_TYPE_U16, FAA_TYPE_U32,   FAA_TYPE_S8,
					  FAA_TYPE_S16, FAA_TYPE_S32, FAA_TYPE_F16X2, FAA_TYPE_F32 };
	static const uint8_t wide[] = { FAA_TYPE_U64, FAA_TYPE_S64, FAA_TYPE_F64,
					FAA_TYPE_U32, FAA_TYPE_S16, FAA_TYPE_U8 };

	if (chance(g, 5))
		return below(g, 16);
	return bytes == 8 ? wide[below(g, 6)] : narrow[below(g, 8)];
}

/*
 * An address in [start, start + bytes) with room for @count items of @size at @stride, if possible.
 */
static uint64_t place_items(struct generator *g, uint64_t start, uint64_t bytes, uint64_t count,
			    unsigned int size, int32_t *stride)
{
	static const int strides[] = { 1, 1, 1, 1, 0, -1, 2, 3, 8, 16, 17, 32, 33 };
	int64_t span, room;
	uint64_t at;

	*stride = strides[below(g, 13)] * (int32_t)size;
	span = (int64_t)(count - 1) * *stride;
	room = (int64_t)bytes - size - (span < 0 ? -span : span);
	if (room < 0) {
		*stride = 0;
		span = 0;
		room = bytes - size;
	}
	at = below(g, room / size + 1) * size;
	/* At an edge, or over it. */
	if (chance(g, 60))
		at = chance(g, 500) ? 0 : room / size * size;
	if (chance(g, 2))
		at += size;
	if (chance(g, 2))
		at += 1;
	return start + at + (span < 0 ? (uint64_t)-span : 0);
}

/* Address of a stream of items: mostly in the input, sometimes elsewhere. */
static struct faa_operand stream_source(struct generator *g, unsigned int bytes, uint64_t count)
{
	struct faa_operand operand = { .kind = FAA_KIND_STREAM };
	uint64_t start = g->base + LS_DATA, size = LS_INPUT_BYTES;

	operand.type = item_type(g, bytes);
	if (chance(g, 300))
		size = LS_DATA_BYTES;
	else if (chance(g, 60)) {
		static const uint32_t others[] = { LS_READ_ONLY, LS_SPARSE, LS_SPARSE_READ_ONLY };

		start = g->base + others[below(g, 3)];
		size = TB_PAGE;
	} else if (chance(g, 50) && g->base == ls_base(0)) {
		start = g->base + LS_LARGE;
		size = TB_LARGE_PAGE;
	} else if (use_surfaces(g)) {
		start = g->base + LS_SURFACE;
		size = LS_SURFACE_BYTES;
	}
	operand.value = place_items(g, start, size, count,
				    bytes_of(operand.type) ? bytes_of(operand.type) : 1,
				    &operand.stride);
	if (chance(g, 200)) {
		operand.shift = below(g, 8);
		operand.step = edge_value(g);
	}
	return operand;
}

/* A value of a type: of floating-point types mostly special ones. */
static uint64_t value_of(struct generator *g, enum faa_type type)
{
	if (floating(type) && !chance(g, 100))
		return ls_float(&g->random, type);
	return edge_value(g);
}

/* A stream of the part of the input that holds values of a floating-point type. */
static struct faa_operand float_source(struct generator *g, enum faa_type type, uint64_t count)
{
	struct faa_operand operand = { .kind = FAA_KIND_STREAM, .type = type };
	uint64_t start = type == FAA_TYPE_F64 ? LS_INPUT_F64 :
			 type == FAA_TYPE_F32 ? LS_INPUT_F32 :
						LS_INPUT_X2;

	operand.value = place_items(g, g->base + start, LS_INPUT_FLOATS, count, bytes_of(type),
				    &operand.stride);
	return operand;
}

static struct faa_operand data_operand(struct generator *g, enum faa_type type, uint64_t count)
{
	struct faa_operand operand = { .kind = FAA_KIND_REG };
	unsigned int bytes = bytes_of(type) == 8 ? 8 : 4;

	switch (below(g, 4)) {
	case 0:
		operand.reg = chance(g, 50) ? FAA_RZ : data_register(g, bytes);
		return operand;
	case 1:
		return immediate(value_of(g, type));
	case 2:
		operand.kind = FAA_KIND_AFFINE;
		operand.value = value_of(g, type);
		operand.step = edge_value(g);
		return operand;
	}
	return floating(type) && !chance(g, 200) ? float_source(g, type, count) :
						   stream_source(g, bytes, count);
}

static struct faa_operand result_operand(struct generator *g, unsigned int bytes, uint64_t count)
{
	struct faa_operand operand = { .kind = FAA_KIND_REG };
	uint64_t start = g->base + LS_INPUT_BYTES, size = LS_DATA_BYTES - LS_INPUT_BYTES;

	if (chance(g, 500)) {
		operand.reg = chance(g, 30) ? FAA_RZ : data_register(g, bytes);
		return operand;
	}
	operand.kind = FAA_KIND_STREAM;
	operand.type = item_type(g, bytes);
	if (chance(g, 40)) {
		start = g->base + LS_DATA;
		size = LS_DATA_BYTES;
	} else if (chance(g, 40)) {
		start = g->base + (chance(g, 800) ? LS_SPARSE : LS_READ_ONLY);
		size = TB_PAGE;
	} else if (chance(g, 50) && g->base == ls_base(0)) {
		start = g->base + LS_LARGE;
		size = TB_LARGE_PAGE;
	} else if (use_surfaces(g)) {
		start = g->base + LS_SURFACE;
		size = LS_SURFACE_BYTES;
	}
	operand.value = place_items(g, start, size, count,
				    bytes_of(operand.type) ? bytes_of(operand.type) : 1,
				    &operand.stride);
	return operand;
}

/* Operand and offset of an access of @size bytes in [start, start + bytes). */
static struct faa_operand address_operand(struct generator *g, unsigned int reg, uint64_t start,
					  uint64_t bytes, unsigned int size, uint64_t count,
					  int32_t *offset)
{
	struct faa_operand operand = { .kind = FAA_KIND_AFFINE };
	int32_t stride;

	*offset = chance(g, 300) ? ((int32_t)below(g, 0x2000) - 0x1000) * 4 : 0;
	switch (below(g, 6)) {
	case 0:
		/* The register holds good multiples of 8, or 0. */
		operand.kind = FAA_KIND_REG;
		operand.reg = reg + 2 * below(g, ADDRESS_REGS);
		*offset = 0;
		return operand;
	case 1:
		operand = immediate(start + below(g, bytes / size) * size - (int64_t)*offset);
		return operand;
	case 2:
	case 3:
		/*
		 * Input items are bytes below 16, words below 64 or anything; see fill_input() in
		 * lockstep_run.c.
		 */
		operand.kind = FAA_KIND_STREAM;
		operand.type = chance(g, 500) ? FAA_TYPE_U8 : FAA_TYPE_U16;
		operand.shift = size == 8 ? 3 : size == 4 ? 2 : below(g, 3);
		operand.step = start - (int64_t)*offset;
		operand.value = place_items(g, g->base + (operand.type == FAA_TYPE_U8 ? 0 : 1024),
					    1024, count, bytes_of(operand.type), &operand.stride);
		return operand;
	}
	operand.value = place_items(g, start, bytes, count, size, &stride) - (int64_t)*offset;
	operand.step = (int64_t)stride;
	return operand;
}

static struct faa_operand shared_address(struct generator *g, unsigned int size, uint64_t count,
					 int32_t *offset)
{
	struct faa_operand none = { .kind = FAA_KIND_NONE };

	if (chance(g, 80)) {
		*offset = below(g, g->shared_bytes / size + chance(g, 50)) * size;
		if (chance(g, 500)) {
			none.kind = FAA_KIND_REG;
			none.reg = FAA_RZ;
		}
		return none;
	}
	/* Few words make conflicts. */
	return address_operand(g, SHARED_ADDRESS_REG, 0,
			       chance(g, 300) && g->shared_bytes > 64 ? 64 : g->shared_bytes, size,
			       count, offset);
}

static struct faa_operand global_address(struct generator *g, bool store, unsigned int size,
					 uint64_t count, int32_t *offset)
{
	struct faa_operand none = { .kind = FAA_KIND_NONE };
	uint64_t start = g->base + LS_INPUT_BYTES, bytes = LS_DATA_BYTES - LS_INPUT_BYTES;

	if (chance(g, 40)) {
		*offset = LS_LOW + below(g, TB_PAGE / size) * size;
		return none;
	}
	if (!store && chance(g, 500)) {
		start = g->base;
		bytes = LS_DATA_BYTES;
	} else if (chance(g, 50)) {
		start = g->base + (store ? LS_SPARSE : LS_READ_ONLY);
		bytes = TB_PAGE;
	} else if (chance(g, 50) && g->base == ls_base(0)) {
		start = g->base + LS_LARGE;
		bytes = TB_LARGE_PAGE;
	} else if (use_surfaces(g)) {
		start = g->base + LS_SURFACE;
		bytes = LS_SURFACE_BYTES;
	}
	return address_operand(g, GLOBAL_ADDRESS_REG, start, bytes, size, count, offset);
}

static struct faa_issue random_issue(struct generator *g, bool control)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	if (chance(g, 150))
		issue.wait_mask = below(g, 64);
	if (control)
		return issue;
	if (chance(g, 200)) {
		issue.guard = below(g, 8);
		issue.guard_negate = chance(g, 400);
		/* A command without an active lane is legal, but tests little. */
		if (issue.guard == FAA_PT && !chance(g, 100))
			issue.guard_negate = 0;
	}
	if (chance(g, 300))
		issue.read_barrier = below(g, 6);
	if (chance(g, 300))
		issue.write_barrier = below(g, 6);
	return issue;
}

static void add_vector(struct generator *g, const struct faa_vector *vector)
{
	struct faa_issue issue = random_issue(g, false);
	struct ls_command *command = &g->job->commands[g->job->count++];

	command->count = faa_encode_vector(command->words, &issue, vector);
}

/* Types that an operation of ATOMS or ALU has; the job's own, if it may be. */
static enum faa_type operation_type(struct generator *g, const struct faa_command_info *info,
				    unsigned int op)
{
	enum faa_type type = g->type;

	if (chance(g, 600) && (info->types[op] >> type & 1))
		return type;
	do
		type = below(g, 16);
	while (!(info->types[op] >> type & 1));
	return type;
}

/* A mode that the type may have, seldom one that it may not. */
static unsigned int float_mode(struct generator *g, bool relaxed, enum faa_type type)
{
	if (chance(g, 3))
		return below(g, 16);
	if (!floating(type))
		return 0;
	return below(g, 4) &
	       (relaxed ? FAA_FLOAT_MODE_FTZ | FAA_FLOAT_MODE_RELAXED : FAA_FLOAT_MODE_FTZ);
}

static void add_atoms(struct generator *g)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_ATOMS, .count = element_count(g) };
	unsigned int bytes;

	/* ADD has more modes than the other operations. */
	v.op = chance(g, 250) ? FAA_ATOMS_OP_ADD : below(g, 12);
	v.type = operation_type(g, &faa_commands[FAA_OPCODE_ATOMS], v.op);
	v.mod = float_mode(g, v.op == FAA_ATOMS_OP_ADD, v.type);
	bytes = bytes_of(v.type);
	if (chance(g, 600))
		v.d = result_operand(g, bytes, v.count);
	v.a = shared_address(g, bytes, v.count, &v.offset);
	v.b = data_operand(g, v.type, v.count);
	if (v.op >= FAA_ATOMS_OP_CAS)
		v.c = data_operand(g, v.type, v.count);
	add_vector(g, &v);
}

/*
 * Addresses of ATOM: mostly those of stores, often few words; now and then a page without ATOMIC.
 */
static struct faa_operand atom_address(struct generator *g, unsigned int size, uint64_t count,
				       int32_t *offset)
{
	if (chance(g, 300))
		return address_operand(g, GLOBAL_ADDRESS_REG, g->base + LS_INPUT_BYTES, 64, size,
				       count, offset);
	if (chance(g, 10))
		return address_operand(g, GLOBAL_ADDRESS_REG, g->base + LS_SNAPSHOT, TB_PAGE, size,
				       count, offset);
	return global_address(g, true, size, count, offset);
}

static void add_atom(struct generator *g)
{
	const struct faa_command_info *info = &faa_commands[FAA_OPCODE_ATOM];
	struct faa_vector v = { .opcode = FAA_OPCODE_ATOM, .count = element_count(g) };
	enum faa_type values;

	do
		v.op = chance(g, 250) ? FAA_ATOM_OP_ADD : below(g, info->op_count);
	while (!info->types[v.op]);
	v.type = operation_type(g, info, v.op);
	/* Operands of 16-bit types have 32 bits, of which the lower half counts. */
	values = v.type == FAA_TYPE_F16 ? FAA_TYPE_F16X2 :
		 bytes_of(v.type) == 2	? FAA_TYPE_U32 :
					  v.type;
	v.mod = float_mode(g, v.op == FAA_ATOM_OP_ADD, values);
	v.scope = below(g, has_feature(g, FAA_FEATURE_SYS_ATOMICS) ? 3 : 2);
	v.order = below(g, 4);
	if (chance(g, 600))
		v.d = result_operand(g, bytes_of(values), v.count);
	/* An address register that no command has set ends the job. */
	do
		v.a = atom_address(g, bytes_of(v.type), v.count, &v.offset);
	while (v.a.kind == FAA_KIND_REG && !chance(g, 250));
	if (!(info->b_ops_absent >> v.op & 1))
		v.b = data_operand(g, values, v.count);
	if (info->c_ops >> v.op & 1)
		v.c = data_operand(g, values, v.count);
	add_vector(g, &v);
}

static void add_config(struct generator *g, enum faa_config op)
{
	struct faa_issue issue = random_issue(g, true);
	struct ls_command *command = &g->job->commands[g->job->count++];
	uint64_t address = 0, value = 0;

	switch (op) {
	case FAA_CONFIG_HEADER_POOL:
		address = g->base + LS_CONFIG;
		value = chance(g, 100) ? below(g, LS_SURFACES) : LS_SURFACES - 1;
		break;
	case FAA_CONFIG_CONSTANT_BANK:
		address = g->base + LS_BANK;
		value = chance(g, 60) ? below(g, LS_BANK_BYTES / 4) * 4 : LS_BANK_BYTES;
		break;
	default:
		value = chance(g, 600) ? 0 :
					 (uint32_t)(ls_random(&g->random) & ls_random(&g->random));
	}
	if (chance(g, 5))
		address ^= 1ULL << below(g, chance(g, 500) ? 8 : 64);
	if (chance(g, 5))
		value ^= 1ULL << below(g, 64);
	command->count = faa_encode_config(command->words, &issue, op, address, value);
}

/* A stream of the points of a surface, from byte @part of each: inside or wild ones. */
static struct faa_operand point_source(struct generator *g, unsigned int surface, bool ba,
				       bool inside, unsigned int part, enum faa_type type,
				       uint64_t count)
{
	struct faa_operand operand = { .kind = FAA_KIND_STREAM, .type = type };
	unsigned int first = inside ? ba * LS_POINTS_INSIDE_BYTES : LS_POINTS_WILD;
	unsigned int points = 32, start = below(g, 32);
	int stride = chance(g, 300) ? -1 : 1;

	/* A stream that does not fit reads one point for all elements. */
	if (start + count > points && stride == 1)
		start = count <= points ? points - count : start;
	if (start + 1 < count && stride == -1)
		start = count <= points ? count - 1 : start;
	if (count > points || chance(g, 50))
		stride = 0;
	operand.stride = stride * (int)LS_POINT_BYTES;
	operand.value = g->base + LS_POINT_TABLE +
			(surface * LS_POINTS + first + start) * LS_POINT_BYTES + part;
	return operand;
}

/* Puts 32 points of a surface into the registers of its dimension. */
static void add_coordinates(struct generator *g, unsigned int surface, bool ba, bool inside,
			    unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		struct faa_vector v = { .opcode = FAA_OPCODE_MOV,
					.type = FAA_TYPE_U32,
					.count = 32 };

		v.d.kind = FAA_KIND_REG;
		v.d.reg = COORDINATE_REG + 4 * (surface % LS_DIMS) + i;
		v.a = point_source(g, surface, ba, inside, 4 * i, FAA_TYPE_U32, 32);
		add_vector(g, &v);
	}
}

/*
 * x grows with the element, in some row, slice and layer; TRAP gets one point if the row is short.
 */
static struct faa_operand point_affine(struct generator *g, const struct ls_surface *s,
				       const struct faa_place *place, uint64_t count)
{
	struct faa_operand operand = { .kind = FAA_KIND_AFFINE };
	unsigned int bits = place->packed ? 16 : 32;
	uint64_t items = s->row / 8 ? s->row / 8 : 1, room = items > count ? items - count : 1;
	uint64_t second = below(g, s->second), third = below(g, s->third);
	uint64_t x = below(g, room) * (place->ba ? 8 : 1);

	operand.value = x | second << bits | (place->packed ? third << 32 : 0);
	operand.step = place->ba ? 8 : 1;
	if (chance(g, 100))
		operand.step = 1ULL << bits;
	if (chance(g, 300) || (place->clamp == FAA_CLAMP_TRAP && items <= count))
		operand = immediate(operand.value);
	if (chance(g, 30))
		operand.value ^= 1ULL << below(g, 64);
	return operand;
}

static struct faa_operand point_operand(struct generator *g, const struct ls_surface *s,
					unsigned int surface, const struct faa_place *place,
					bool inside, uint64_t count)
{
	static const uint8_t numbers[] = { 1, 1, 2, 2, 3, 3 };
	unsigned int coordinates = numbers[s->dim], bits = place->packed ? 16 : 32;
	bool wide = coordinates * bits > 32;
	struct faa_operand operand = { .kind = FAA_KIND_REG, .reg = COORDINATE_REG + 4 * s->dim };

	if ((coordinates == 3 && !place->packed) || chance(g, 250)) {
		/* Coordinates of an earlier command seldom suit these two. */
		if (place->ba || place->clamp == FAA_CLAMP_TRAP || chance(g, 800))
			add_coordinates(g, surface, place->ba, inside, coordinates);
		return operand;
	}
	if (chance(g, 350))
		return point_affine(g, s, place, count);
	return point_source(g, surface, place->ba, inside, place->packed ? LS_POINT_PACKED : 0,
			    wide ? FAA_TYPE_U64 : FAA_TYPE_U32, count);
}

/* Puts 32 handles of a dimension into its register. */
static void add_handles(struct generator *g, unsigned int dim)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_MOV, .type = FAA_TYPE_U32, .count = 32 };

	v.d.kind = FAA_KIND_REG;
	v.d.reg = HANDLE_REG + dim;
	v.a.kind = FAA_KIND_STREAM;
	v.a.type = FAA_TYPE_U32;
	v.a.value = g->base + LS_BANK + 4 * (dim * LS_DIM_HANDLES + below(g, LS_DIM_HANDLES - 31));
	v.a.stride = chance(g, 300) ? 0 : 4;
	add_vector(g, &v);
	g->handles |= 1u << dim;
}

static void draw_handle(struct generator *g, struct faa_place *place, unsigned int surface)
{
	place->handle_kind = below(g, 3);
	/*
	 * The points suit one surface. They may be outside of another, which ends a job with TRAP.
	 */
	if (place->clamp == FAA_CLAMP_TRAP && !chance(g, 100))
		place->handle_kind = FAA_HANDLE_KIND_INDEX;
	switch (place->handle_kind) {
	case FAA_HANDLE_KIND_REG:
		if (!(g->handles >> place->dim & 1) || chance(g, 200))
			add_handles(g, place->dim);
		place->handle = HANDLE_REG + place->dim;
		break;
	case FAA_HANDLE_KIND_BANK:
		place->handle = place->dim * LS_DIM_HANDLES + below(g, LS_DIM_HANDLES);
		if (chance(g, 5))
			place->handle = below(g, FAA_CONSTANT_WORDS);
		break;
	default:
		place->handle = surface;
		if (chance(g, 30))
			place->handle = LS_GOOD_SURFACES + below(g, LS_DISABLED_SURFACES);
		if (chance(g, 5))
			place->handle = below(g, 2 * LS_SURFACES);
	}
}

static void draw_place(struct generator *g, struct faa_place *place, const struct ls_surface *s,
		       bool *inside)
{
	static const uint8_t clamps[] = { FAA_CLAMP_IGN, FAA_CLAMP_NEAR, FAA_CLAMP_NEAR,
					  FAA_CLAMP_IGN, FAA_CLAMP_TRAP };

	place->dim = s->dim;
	place->clamp = clamps[below(g, 5)];
	place->packed = s->dim > FAA_DIM_D1_BUFFER && chance(g, 400);
	place->ba = chance(g, 250);
	place->ps = chance(g, 400) ? below(g, 7) : FAA_PT;
	*inside = chance(g, place->clamp == FAA_CLAMP_TRAP ? 970 : place->ba ? 900 : 600);
}

/* Common fields of ATOM and SUATOM: operation, type, mode, scope, order, b, c and d. */
static void draw_atomic(struct generator *g, struct faa_vector *v)
{
	const struct faa_command_info *info = &faa_commands[v->opcode];
	enum faa_type values;

	do
		v->op = chance(g, 250) ? FAA_ATOM_OP_ADD : below(g, info->op_count);
	while (!info->types[v->op]);
	v->type = operation_type(g, info, v->op);
	/* Operands of 16-bit types have 32 bits, of which the lower half counts. */
	values = v->type == FAA_TYPE_F16 ? FAA_TYPE_F16X2 :
		 bytes_of(v->type) == 2	 ? FAA_TYPE_U32 :
					   v->type;
	v->mod = float_mode(g, v->op == FAA_ATOM_OP_ADD, values);
	v->scope = below(g, has_feature(g, FAA_FEATURE_SYS_ATOMICS) ? 3 : 2);
	v->order = below(g, 4);
	if (chance(g, 600))
		v->d = result_operand(g, bytes_of(values), v->count);
	if (!(info->b_ops_absent >> v->op & 1))
		v->b = data_operand(g, values, v->count);
	if (info->c_ops >> v->op & 1)
		v->c = data_operand(g, values, v->count);
}

static void add_suatom(struct generator *g)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_SUATOM, .count = element_count(g) };
	unsigned int surface = below(g, LS_GOOD_SURFACES);
	struct ls_surface s;
	bool inside;

	if (chance(g, 20))
		surface = LS_GOOD_SURFACES + below(g, LS_SURFACES - LS_GOOD_SURFACES);
	if (chance(g, 60))
		add_config(g, below(g, 3));
	ls_surface(&s, g->c->seed, ls_part(g->job), surface);
	draw_place(g, &v.place, &s, &inside);
	draw_handle(g, &v.place, surface);
	v.a = point_operand(g, &s, surface, &v.place, inside, v.count);
	draw_atomic(g, &v);
	add_vector(g, &v);
}

static void add_alu(struct generator *g)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_ALU, .count = element_count(g) };

	v.op = below(g, 10);
	v.type = operation_type(g, &faa_commands[FAA_OPCODE_ALU], v.op);
	v.mod = float_mode(g, false, v.type);
	v.d = result_operand(g, bytes_of(v.type), v.count);
	v.a = data_operand(g, v.type, v.count);
	v.b = data_operand(g, v.type, v.count);
	add_vector(g, &v);
}

/* Now and then LD and ST are strong, in every form that they have. */
static void draw_order(struct generator *g, struct faa_vector *v)
{
	enum faa_order other = v->opcode == FAA_OPCODE_LD ? FAA_ORDER_ACQUIRE : FAA_ORDER_RELEASE;

	if (!chance(g, 500))
		return;
	v->strong = 1;
	v->scope = below(g, has_feature(g, FAA_FEATURE_SYS_ATOMICS) ? 3 : 2);
	v->order = chance(g, 500) ? other : FAA_ORDER_RELAXED;
	if (chance(g, 5))
		v->order = below(g, 4);
}

static void add_load_or_store(struct generator *g, enum faa_opcode opcode)
{
	static const uint8_t types[] = { FAA_TYPE_U32, FAA_TYPE_U64, FAA_TYPE_U8,
					 FAA_TYPE_U16, FAA_TYPE_S8,  FAA_TYPE_S16 };
	bool store = opcode == FAA_OPCODE_ST || opcode == FAA_OPCODE_STS;
	bool shared = opcode == FAA_OPCODE_LDS || opcode == FAA_OPCODE_STS;
	struct faa_vector v = { .opcode = opcode, .count = element_count(g) };
	unsigned int bytes;

	v.type = types[below(g, store ? 4 : 6)];
	bytes = bytes_of(v.type);
	if (!store)
		v.d = result_operand(g, bytes, v.count);
	else if (shared && bytes == bytes_of(g->type))
		v.b = data_operand(g, g->type, v.count);
	else
		v.b = data_operand(g, v.type, v.count);
	if (!shared)
		draw_order(g, &v);
	v.a = shared ? shared_address(g, bytes, v.count, &v.offset) :
		       global_address(g, store, bytes, v.count, &v.offset);
	add_vector(g, &v);
}

static void add_move(struct generator *g)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_MOV, .count = element_count(g) };

	v.type = chance(g, 400) ? FAA_TYPE_U64 : FAA_TYPE_U32;
	v.d = result_operand(g, bytes_of(v.type), v.count);
	v.a = data_operand(g, v.type, v.count);
	add_vector(g, &v);
}

/* Gives an address register good addresses. */
static void add_address(struct generator *g)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_MOV, .count = 32 };
	bool global = chance(g, 500);
	uint64_t start = global ? g->base + LS_INPUT_BYTES : 0;
	uint64_t bytes = global ? LS_DATA_BYTES - LS_INPUT_BYTES : g->shared_bytes;
	int32_t stride;

	v.type = global ? FAA_TYPE_U64 : FAA_TYPE_U32;
	v.d.kind = FAA_KIND_REG;
	v.d.reg = (global ? GLOBAL_ADDRESS_REG : SHARED_ADDRESS_REG) + 2 * below(g, ADDRESS_REGS);
	v.a.kind = FAA_KIND_AFFINE;
	v.a.value = place_items(g, start, bytes, 32, 8, &stride);
	v.a.step = (int64_t)stride;
	add_vector(g, &v);
}

static void add_compare(struct generator *g)
{
	static const uint8_t types[] = { FAA_TYPE_U32, FAA_TYPE_S32, FAA_TYPE_U64,
					 FAA_TYPE_S64, FAA_TYPE_F32, FAA_TYPE_F64 };
	struct faa_vector v = { .opcode = FAA_OPCODE_SETP, .count = 1 + below(g, 32) };

	v.op = below(g, 6);
	v.mod = below(g, 8);
	v.type = types[below(g, 6)];
	v.a = data_operand(g, v.type, v.count);
	v.b = data_operand(g, v.type, v.count);
	if (chance(g, 5))
		v.count = 33;
	add_vector(g, &v);
}

/* A semaphore's signal and a wait that it satisfies. */
static void add_semaphore(struct generator *g)
{
	struct faa_issue issue = random_issue(g, true);
	struct ls_command *command = &g->job->commands[g->job->count++];
	uint64_t va = g->base + LS_INPUT_BYTES + below(g, 1024) * 8, value = edge_value(g);

	command->count = faa_encode_sem_signal(command->words, &issue, FAA_SEM_OP_SET, va, value);
	issue = random_issue(g, true);
	command = &g->job->commands[g->job->count++];
	command->count = faa_encode_sem_wait(command->words, &issue, below(g, 2), va, value);
}

static void add_control(struct generator *g)
{
	struct faa_issue issue = random_issue(g, true);
	struct ls_command *command;

	if (chance(g, 250)) {
		add_semaphore(g);
		return;
	}
	command = &g->job->commands[g->job->count++];
	switch (below(g, 5)) {
	case 0:
		command->count = faa_encode_nop(command->words, &issue);
		break;
	case 1:
		command->count = faa_encode_snapshot(command->words, &issue,
						     g->base + LS_SNAPSHOT + below(g, 16) * 256);
		break;
	case 2:
		command->count = faa_encode_fence(command->words, &issue, below(g, 4), below(g, 3));
		break;
	case 3:
		/* Streams that run together have their semaphores at fixed addresses. */
		if (g->group)
			command->count = faa_encode_nop(command->words, &issue);
		else
			command->count = faa_encode_bar(command->words, &issue, FAA_BAR_OP_SYNC);
		break;
	default:
		/* To the next command; finish_jumps() may lengthen it. */
		issue.guard = below(g, 8);
		issue.guard_negate = chance(g, 500);
		command->count = faa_encode_jump(command->words, &issue, below(g, 4), 2);
	}
}

/* Breaks a command: bits, a length, a whole word. */
static void corrupt(struct generator *g, struct ls_command *command)
{
	unsigned int word = chance(g, 400) ? 0 : below(g, command->count);

	switch (below(g, 4)) {
	case 0:
		command->words[word] = ls_random(&g->random);
		break;
	case 1:
		if (command->count > 1)
			command->count--;
		break;
	default:
		command->words[word] ^= 1ULL << below(g, 64);
	}
}

/* A command of the set that every device has. */
static void add_plain(struct generator *g)
{
	uint64_t kind = below(g, 100);

	/* Global accesses in place of those to shared memory. */
	if (g->no_shared && (kind < 31 || (kind >= 39 && kind < 57)))
		kind = 57 + kind % 18;
	if (kind < 31)
		add_atoms(g);
	else if (kind < 39)
		add_alu(g);
	else if (kind < 48)
		add_load_or_store(g, FAA_OPCODE_LDS);
	else if (kind < 57)
		add_load_or_store(g, FAA_OPCODE_STS);
	else if (kind < 66)
		add_load_or_store(g, FAA_OPCODE_LD);
	else if (kind < 75)
		add_load_or_store(g, FAA_OPCODE_ST);
	else if (kind < 82)
		add_move(g);
	else if (kind < 88)
		add_address(g);
	else if (kind < 94)
		add_compare(g);
	else
		add_control(g);
}

static void add_command(struct generator *g)
{
	if (has_feature(g, FAA_FEATURE_SURFACE_ATOMICS) && chance(g, g->surfaces ? 800 : 150))
		add_suatom(g);
	else if (has_feature(g, FAA_FEATURE_GLOBAL_ATOMICS) && chance(g, 220))
		add_atom(g);
	else
		add_plain(g);
	if (chance(g, 8) && !g->group)
		corrupt(g, &g->job->commands[g->job->count - 1]);
}

/* Lets jumps skip up to three commands. */
static void finish_jumps(struct generator *g)
{
	for (unsigned int i = 0; i < g->job->count; i++) {
		struct ls_command *command = &g->job->commands[i];
		unsigned int words = 0, skip = below(g, 4);

		if (FAA_GET(HEADER_OPCODE, command->words[0]) != FAA_OPCODE_JUMP ||
		    command->count != 2)
			continue;
		for (unsigned int j = i; j < g->job->count && j <= i + skip; j++) {
			/* Not past a BAR, for which others wait. */
			if (FAA_GET(HEADER_OPCODE, g->job->commands[j].words[0]) == FAA_OPCODE_BAR)
				break;
			words += g->job->commands[j].count;
		}
		if (FAA_GET(JUMP_TARGET, command->words[1]) == 2)
			command->words[1] = words;
	}
}

/* A loop: a shared counter, a body, back while the counter is small. */
static void add_loop(struct generator *g)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct faa_operand counter = { .kind = FAA_KIND_REG, .reg = 30 };
	struct faa_operand none = { .kind = FAA_KIND_NONE };
	uint32_t offset = below(g, g->shared_bytes / 4) * 4;
	unsigned int first = g->job->count;
	int32_t words = 0;
	struct ls_command *command;

	/* Lanes outside of the body must not keep the loop running. */
	command = &g->job->commands[g->job->count++];
	command->count = faa_encode_mov(command->words, &issue, FAA_TYPE_U32, 32, counter,
					immediate(0x7fffffff));
	command = &g->job->commands[g->job->count++];
	command->count = faa_encode_atoms(command->words, &issue, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1,
					  counter, none, offset, immediate(1), none);
	add_move(g);
	add_atoms(g);
	command = &g->job->commands[g->job->count++];
	command->count = faa_encode_setp(command->words, &issue, FAA_CMP_LT, FAA_TYPE_U32, 32, 6,
					 counter, immediate(1 + below(g, 5)));
	for (unsigned int i = first; i < g->job->count; i++)
		words += g->job->commands[i].count;
	issue.guard = 6;
	command = &g->job->commands[g->job->count++];
	command->count = faa_encode_jump(command->words, &issue, FAA_JUMP_COND_ANY, -words);
}

/*
 * An operation of ALU on shared words, made of a CAS loop: R24 is the value that a lane assumes in
 * memory, R26 the new value, R28 the value found.
 */
static void add_cas_loop(struct generator *g)
{
	static const uint8_t types[][2] = { { FAA_TYPE_U32, FAA_TYPE_F32 },
					    { FAA_TYPE_U64, FAA_TYPE_F64 },
					    { FAA_TYPE_U32, FAA_TYPE_S32 },
					    { FAA_TYPE_U64, FAA_TYPE_S64 } };
	unsigned int pair = below(g, 4), lanes = 1 + below(g, 32), first;
	enum faa_type bits = types[pair][0], type = types[pair][1];
	struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct faa_operand belief = { .kind = FAA_KIND_REG, .reg = 24 };
	struct faa_operand wanted = { .kind = FAA_KIND_REG, .reg = 26 };
	struct faa_operand found = { .kind = FAA_KIND_REG, .reg = 28 };
	struct faa_operand value = data_operand(g, type, 32), address;
	struct ls_command *c = &g->job->commands[g->job->count];
	int32_t offset, words = 0;

	address = shared_address(g, bytes_of(type), 32, &offset);
	c->count = faa_encode_lds(c->words, &issue, bits, lanes, belief, address, offset);
	c++;
	/* Lanes without an element must not keep the loop running. */
	c->count = faa_encode_setp(c->words, &issue, FAA_CMP_LT, FAA_TYPE_U32, 32, 5,
				   (struct faa_operand){ .kind = FAA_KIND_AFFINE, .step = 1 },
				   immediate(lanes));
	c++;
	first = c - g->job->commands;
	issue.guard = 5;
	c->count =
		faa_encode_alu(c->words, &issue, below(g, 4), type, lanes, wanted, belief, value);
	c++;
	c->count = faa_encode_atoms(c->words, &issue, FAA_ATOMS_OP_CAS, bits, lanes, found, address,
				    offset, belief, wanted);
	c++;
	c->count = faa_encode_setp(c->words, &issue, FAA_CMP_NE, bits, lanes, 5, found, belief);
	c++;
	c->count = faa_encode_mov(c->words, &issue, bits, lanes, belief, found);
	c++;
	g->job->count = c - g->job->commands;
	for (unsigned int i = first; i < g->job->count; i++)
		words += g->job->commands[i].count;
	c->count = faa_encode_jump(c->words, &issue, FAA_JUMP_COND_ANY, -words);
	g->job->count++;
}

/* The beginning of a stream: its preferred type, addresses, surfaces. */
static void begin_stream(struct generator *g)
{
	do
		g->type = below(g, 16);
	while (!(faa_commands[FAA_OPCODE_ATOMS].types[FAA_ATOMS_OP_ADD] >> g->type & 1));
	add_address(g);
	g->handles = 0;
	if (has_feature(g, FAA_FEATURE_SURFACE_ATOMICS) && chance(g, 800)) {
		add_config(g, FAA_CONFIG_HEADER_POOL);
		add_config(g, FAA_CONFIG_CONSTANT_BANK);
	}
}

static void add_commands(struct generator *g, unsigned int length)
{
	while (g->job->count < length) {
		if (!g->no_shared && chance(g, 15))
			add_loop(g);
		else if (!g->no_shared && chance(g, 15))
			add_cas_loop(g);
		else
			add_command(g);
	}
}

static void add_end(struct generator *g)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct ls_command *command = &g->job->commands[g->job->count++];

	command->count = faa_encode_end(command->words, &issue);
}

static void generate_job(struct generator *g)
{
	unsigned int length = 4 + below(g, LS_COMMANDS - 14);

	begin_stream(g);
	add_commands(g, length);
	finish_jumps(g);
	if (chance(g, 980))
		add_end(g);
	if (chance(g, 20))
		g->job->first_element = 32 * below(g, 3);
	g->job->flags = chance(g, 300) ? FAA_JOB_FLAG_INTERRUPT : 0;
	/*
	 * Not the sequence number, the address of the status record, most of the size, or TOGETHER.
	 */
	if (chance(g, 20)) {
		static const uint16_t bits[] = { 1,   2,   50,	64,  65,  66,  98,  120, 192,
						 197, 256, 260, 289, 319, 320, 383, 400, 511 };

		g->job->flip = bits[below(g, sizeof(bits) / sizeof(bits[0]))];
	}
	g->job->delay = chance(g, 500) ? 0 : below(g, 400);
}

/*
 * Stream @member of a job of @count: an exchange, then phases separated by BAR; each stream may use
 * shared memory in one of @count phases.
 */
static void generate_member(struct generator *g, unsigned int member, unsigned int count,
			    unsigned int phases, unsigned int turn)
{
	unsigned int length = 3 + below(g, 10);

	begin_stream(g);
	if (turn % 2)
		ls_add_exchange(g->job, member, count);
	for (unsigned int phase = 0; phase < phases; phase++) {
		g->no_shared = (phase + turn) % count != member;
		add_commands(g, g->job->count + length / phases);
		ls_add_bar(g->job);
	}
	finish_jumps(g);
	g->no_shared = false;
	g->job->tail = g->job->count;
}

/* The streams of one job, @count of them. */
static void generate_group(struct generator *g, struct ls_job *jobs, unsigned int count)
{
	static const uint16_t bits[] = { 1, 2, 64, 65, 66, 98, 120, 192, 256, 260, 289, 320, 511 };
	unsigned int phases = 1 + below(g, 3), turn = below(g, 8), queue = jobs[0].queue;

	g->group = true;
	for (unsigned int i = 0; i < count; i++) {
		g->job = &jobs[i];
		g->job->queue = queue;
		g->job->slot = i;
		g->base = ls_base(ls_part(g->job));
		generate_member(g, i, count, phases, turn);
		g->job->flags = chance(g, 300) ? FAA_JOB_FLAG_INTERRUPT : 0;
		if (i + 1 < count)
			g->job->flags |= FAA_JOB_FLAG_TOGETHER;
		/* A bad descriptor, independent of the stream. */
		if (chance(g, 10))
			g->job->flip = bits[below(g, sizeof(bits) / sizeof(bits[0]))];
	}
	if (chance(g, 150))
		ls_add_failure(jobs, count, (unsigned int)(jobs - g->c->jobs), below(g, count),
			       (unsigned int)below(g, 1000));
	for (unsigned int i = 0; i < count; i++) {
		g->job = &jobs[i];
		add_end(g);
	}
	jobs[count - 1].delay = chance(g, 500) ? 0 : below(g, 400);
	g->group = false;
}

bool ls_has_groups(const struct ls_case *c)
{
	for (unsigned int j = 0; j < c->num_jobs; j++)
		if (c->jobs[j].flags & FAA_JOB_FLAG_TOGETHER)
			return true;
	return false;
}

void ls_generate(struct ls_case *c, uint64_t seed, uint32_t max_shared, uint32_t features,
		 bool surfaces, unsigned int slots, unsigned int queues)
{
	struct generator g = { .random = seed, .c = c, .features = features, .surfaces = surfaces };

	memset(c, 0, sizeof(*c));
	c->seed = seed;
	c->num_queues = 1 + below(&g, queues);
	for (unsigned int q = 0; q < c->num_queues; q++) {
		c->queues[q].vm = below(&g, q + 1);
		c->queues[q].prio = below(&g, 4);
		c->queues[q].shared_bytes = FAA_SHARED_GRANULE * (1 + below(&g, 64));
		if (chance(&g, 30))
			c->queues[q].shared_bytes = max_shared;
	}
	c->num_jobs = 1 + below(&g, LS_JOBS);
	for (unsigned int j = 0; j < c->num_jobs;) {
		unsigned int count = 1;

		g.job = &c->jobs[j];
		g.job->queue = below(&g, c->num_queues);
		g.base = ls_base(ls_part(g.job));
		g.shared_bytes = c->queues[g.job->queue].shared_bytes;
		if (slots > 1 && chance(&g, 350))
			count = 2 + below(&g, slots - 1);
		if (count > c->num_jobs - j)
			count = c->num_jobs - j;
		if (count == 1)
			generate_job(&g);
		else
			generate_group(&g, g.job, count);
		j += count;
	}
}
