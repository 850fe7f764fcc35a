// SPDX-License-Identifier: MIT
//
// The decoder alone: each rule of "Decoding" in Documentation/device.rst by a command that breaks
// it, the order of the rules, the end of the stream and faults at every word.
//
// usage: decode_tb [lean|plain|sys|surface]
//
// lean: the build has no floating-point arithmetic and no ALU; plain: no ATOM; sys: also scope SYS;
// surface: SUATOM and CONFIG.

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "Vfaa_test_decode.h"
#include "verilated.h"

#include "faa_encode.h"

using Words = std::vector<uint64_t>;

struct Result {
	unsigned error;
	uint64_t address;
};

static Vfaa_test_decode *dut;
static unsigned tests, failures;

static void tick()
{
	dut->clk_i = 0;
	dut->eval();
	dut->clk_i = 1;
	dut->eval();
}

static constexpr uint64_t kFaultAddress = 0x123456789abcdef8;
static constexpr size_t kNoFault = ~size_t(0);

// Decodes one command at byte 8 of a stream of @bytes; fetching word @fault fails.
static Result decode(const Words &words, size_t bytes, uint32_t first = 0, size_t fault = kNoFault)
{
	dut->stream_bytes_i = static_cast<uint32_t>(bytes);
	dut->first_element_i = first;
	dut->restart_i = 1;
	dut->restart_offset_i = 8;
	dut->cmd_ready_i = 0;
	tick();
	dut->restart_i = 0;
	for (int cycle = 0; cycle < 100; cycle++) {
		dut->eval();
		if (dut->cmd_valid_o)
			return { dut->error_o, dut->address_o };
		size_t n = dut->want_offset_o / 8 - 1;
		dut->word_valid_i = dut->want_valid_o && cycle % 3 != 1;
		dut->word_i = n < words.size() ? words[n] : 0;
		dut->word_error_i = n == fault ? FAA_ERROR_NOT_MAPPED : FAA_ERROR_SUCCESS;
		dut->word_address_i = kFaultAddress;
		tick();
		dut->word_valid_i = 0;
	}
	return { 0xff, 0 };
}

static void expect(const std::string &what, Result got, unsigned error, uint64_t address)
{
	tests++;
	if (got.error == error && (got.error == FAA_ERROR_SUCCESS || got.address == address)) {
		printf("ok %u - %s\n", tests, what.c_str());
		return;
	}
	failures++;
	printf("not ok %u - %s\n# error %u address %#llx, expected %u %#llx\n", tests, what.c_str(),
	       got.error, (unsigned long long)got.address, error, (unsigned long long)address);
}

static Result whole(const Words &words, uint32_t first = 0)
{
	return decode(words, 8 + words.size() * 8, first);
}

static faa_operand operand(unsigned kind, uint64_t value = 0, unsigned reg = 0)
{
	faa_operand o = {};
	o.kind = static_cast<uint8_t>(kind);
	o.value = value;
	o.reg = static_cast<uint8_t>(reg);
	o.type = FAA_TYPE_U32;
	o.stride = 4;
	return o;
}

static const faa_issue kIssue = FAA_ISSUE_DEFAULT;

// ATOMS.CAS.U64 with a stream in every slot: the longest command.
static Words longest()
{
	Words w(FAA_MAX_COMMAND_WORDS);
	faa_operand a = operand(FAA_KIND_STREAM, 0x1000), b = a, c = a, d = a;

	b.type = c.type = d.type = FAA_TYPE_U64;
	d.step = 0;
	w.resize(faa_encode_atoms(w.data(), &kIssue, FAA_ATOMS_OP_CAS, FAA_TYPE_U64, 100, d, a, 16,
				  b, c));
	return w;
}

static Words atoms_add()
{
	Words w(FAA_MAX_COMMAND_WORDS);

	w.resize(faa_encode_atoms(w.data(), &kIssue, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32,
				  operand(FAA_KIND_REG, 0, 5), operand(FAA_KIND_REG, 0, 3), 8,
				  operand(FAA_KIND_IMM, 1), operand(FAA_KIND_NONE)));
	return w;
}

static Words mov64()
{
	Words w(FAA_MAX_COMMAND_WORDS);

	w.resize(faa_encode_mov(w.data(), &kIssue, FAA_TYPE_U64, 32, operand(FAA_KIND_REG, 0, 4),
				operand(FAA_KIND_AFFINE, 1)));
	return w;
}

// A command of @opcode on 32 elements, d and a registers, b an immediate.
static Words alu(unsigned op, unsigned type)
{
	Words w(FAA_MAX_COMMAND_WORDS);

	w.resize(faa_encode_alu(w.data(), &kIssue, static_cast<faa_alu_op>(op),
				static_cast<faa_type>(type), 32, operand(FAA_KIND_REG, 0, 4),
				operand(FAA_KIND_REG, 0, 2), operand(FAA_KIND_IMM, 1)));
	return w;
}

static Words atoms(unsigned op, unsigned type)
{
	Words w(FAA_MAX_COMMAND_WORDS);
	unsigned c = op >= FAA_ATOMS_OP_CAS ? FAA_KIND_IMM : FAA_KIND_NONE;

	w.resize(faa_encode_atoms(w.data(), &kIssue, static_cast<faa_atoms_op>(op),
				  static_cast<faa_type>(type), 32, operand(FAA_KIND_REG, 0, 4),
				  operand(FAA_KIND_REG, 0, 2), 8, operand(FAA_KIND_IMM, 1),
				  operand(c, 2)));
	return w;
}

// ATOM.op.type of 32 elements at an odd offset, with b and c if the operation has them.
static bool atom_has_b(unsigned op)
{
	return op < FAA_ATOM_OP_INCU || op > FAA_ATOM_OP_PREDEC;
}

static bool atom_has_c(unsigned op)
{
	return op == FAA_ATOM_OP_CAS || op == FAA_ATOM_OP_CAST || op == FAA_ATOM_OP_FCMPWR;
}

static Words atom(unsigned op, unsigned type, unsigned scope = FAA_SCOPE_GPU,
		  unsigned order = FAA_ORDER_RELAXED)
{
	Words w(FAA_MAX_COMMAND_WORDS);

	w.resize(faa_encode_atom(w.data(), &kIssue, static_cast<faa_atom_op>(op),
				 static_cast<faa_type>(type), static_cast<faa_scope>(scope),
				 static_cast<faa_order>(order), 32, operand(FAA_KIND_REG, 0, 4),
				 operand(FAA_KIND_REG, 0, 2), -3,
				 operand(atom_has_b(op) ? FAA_KIND_IMM : FAA_KIND_NONE, 1),
				 operand(atom_has_c(op) ? FAA_KIND_IMM : FAA_KIND_NONE, 2)));
	return w;
}

static Words setp(unsigned type)
{
	Words w(FAA_MAX_COMMAND_WORDS);

	w.resize(faa_encode_setp(w.data(), &kIssue, FAA_CMP_LT, static_cast<faa_type>(type), 32, 3,
				 operand(FAA_KIND_REG, 0, 2), operand(FAA_KIND_IMM, 7)));
	return w;
}

static uint64_t field(uint64_t word, unsigned lsb, unsigned width, uint64_t value)
{
	uint64_t mask = ((1ull << width) - 1) << lsb;

	return (word & ~mask) | (value << lsb & mask);
}

// Changes one field of a good command.
static void broken(const char *what, Words words, size_t n, unsigned lsb, unsigned width,
		   uint64_t value, unsigned error, long at = 0)
{
	words[n] = field(words[n], lsb, width, value);
	expect(what, whole(words), error, words[static_cast<size_t>(at)]);
}

static void good_commands()
{
	Words w = longest();

	expect("longest command", whole(w), FAA_ERROR_SUCCESS, 0);
	bool same = dut->pc_o == 8 && dut->count_o == 100 && dut->offset_o == 16 &&
		    dut->a_o == w[3] && dut->b_o == w[6] && dut->c_o == w[9] && dut->d_o == w[12] &&
		    dut->kinds_o == 04444;
	expect("its fields", { same ? FAA_ERROR_SUCCESS : 0xffu, 0 }, FAA_ERROR_SUCCESS, 0);
	expect("registers and immediate", whole(atoms_add()), FAA_ERROR_SUCCESS, 0);
	same = dut->registers_o == 0x05000003 && dut->b_o == 1;
	expect("their fields", { same ? FAA_ERROR_SUCCESS : 0xffu, 0 }, FAA_ERROR_SUCCESS, 0);
	expect("64-bit move", whole(mov64()), FAA_ERROR_SUCCESS, 0);
}

static void end_of_stream()
{
	Words w = longest();

	expect("a: no room for a header", decode(w, 8), FAA_ERROR_TRUNCATED, 0);
	expect("a: fetching the header faults", decode(w, 200, 0, 0), FAA_ERROR_NOT_MAPPED,
	       kFaultAddress);
	for (size_t n = 1; n < w.size(); n++) {
		expect("d: stream ends before word " + std::to_string(n), decode(w, 8 + n * 8),
		       FAA_ERROR_TRUNCATED, 0);
		expect("d: fetching word " + std::to_string(n) + " faults", decode(w, 200, 0, n),
		       FAA_ERROR_NOT_MAPPED, kFaultAddress);
	}
}

static void headers()
{
	Words atoms = atoms_add(), mov = mov64();
	Words jump(2), fence(1), end(1), snapshot(2), compare = setp(FAA_TYPE_S32);

	faa_encode_jump(jump.data(), &kIssue, FAA_JUMP_COND_ALWAYS, 0);
	faa_encode_fence(fence.data(), &kIssue, FAA_FENCE_ORDER_SC, FAA_SCOPE_SYS);
	faa_encode_end(end.data(), &kIssue);
	faa_encode_snapshot(snapshot.data(), &kIssue, 0x1000);
	expect("jump", whole(jump), FAA_ERROR_SUCCESS, 0);
	expect("fence", whole(fence), FAA_ERROR_SUCCESS, 0);
	expect("end", whole(end), FAA_ERROR_SUCCESS, 0);
	expect("snapshot", whole(snapshot), FAA_ERROR_SUCCESS, 0);
	expect("setp", whole(compare), FAA_ERROR_SUCCESS, 0);

	broken("b: opcode 0", atoms, 0, 0, 8, 0, FAA_ERROR_ILLEGAL_COMMAND);
	broken("b: opcode 0x32", atoms, 0, 0, 8, 0x32, FAA_ERROR_ILLEGAL_COMMAND);
	broken("c: vector command of 2 words", atoms, 0, 8, 8, 2, FAA_ERROR_BAD_LENGTH);
	broken("c: vector command of 16 words", atoms, 0, 8, 8, 16, FAA_ERROR_BAD_LENGTH);
	broken("c: control command with a word too many", end, 0, 8, 8, 2, FAA_ERROR_BAD_LENGTH);
	broken("e: reserved header bit", atoms, 0, 48, 1, 1, FAA_ERROR_RESERVED_BITS);
	broken("e: highest header bit", atoms, 0, 63, 1, 1, FAA_ERROR_RESERVED_BITS);
	broken("e: mod of MOV", mov, 0, 44, 4, 1, FAA_ERROR_RESERVED_BITS);
	broken("e: op of MOV", mov, 0, 32, 8, 1, FAA_ERROR_RESERVED_BITS);
	broken("e: type of JUMP", jump, 0, 40, 4, 1, FAA_ERROR_RESERVED_BITS);
	broken("e: op of END", end, 0, 32, 8, 1, FAA_ERROR_RESERVED_BITS);
	broken("f: guard of END", end, 0, 16, 3, 1, FAA_ERROR_ILLEGAL_OPERAND);
	broken("f: negated guard of END", end, 0, 19, 1, 1, FAA_ERROR_ILLEGAL_OPERAND);
	broken("f: read barrier 6", atoms, 0, 26, 3, 6, FAA_ERROR_ILLEGAL_OPERAND);
	broken("f: write barrier 6", atoms, 0, 29, 3, 6, FAA_ERROR_ILLEGAL_OPERAND);
	broken("f: FENCE with a write barrier", fence, 0, 29, 3, 0, FAA_ERROR_ILLEGAL_OPERAND);
	broken("g: operation 12 of ATOMS", atoms, 0, 32, 8, 12, FAA_ERROR_ILLEGAL_OPERATION);
	broken("g: ATOMS.ADD.F16", atoms, 0, 40, 4, FAA_TYPE_F16, FAA_ERROR_ILLEGAL_OPERATION);
	broken("g: type 15", atoms, 0, 40, 4, 15, FAA_ERROR_ILLEGAL_OPERATION);
	broken("g: scope 3", fence, 0, 44, 4, 3, FAA_ERROR_ILLEGAL_OPERATION);
	broken("g: predicate 8 of SETP", compare, 0, 44, 4, 8, FAA_ERROR_ILLEGAL_OPERATION);
	broken("h: reserved bit of a jump's target", jump, 1, 32, 1, 1, FAA_ERROR_RESERVED_BITS, 1);
	expect("n: control command first", whole(end, 32), FAA_ERROR_BAD_DESCRIPTOR, 32);
	expect("n: first element is N", whole(atoms, 32), FAA_ERROR_BAD_DESCRIPTOR, 32);
	expect("n: first element below N", whole(longest(), 96), FAA_ERROR_SUCCESS, 0);
}

// Operations, types and modes, and those that a build lacks: @full is a build with everything.
static void operations(bool full)
{
	static const unsigned types[] = { FAA_TYPE_U32,	  FAA_TYPE_S32,	  FAA_TYPE_U64,
					  FAA_TYPE_S64,	  FAA_TYPE_F32,	  FAA_TYPE_F64,
					  FAA_TYPE_F16X2, FAA_TYPE_BF16X2 };
	const unsigned bad = FAA_ERROR_ILLEGAL_OPERATION;

	for (unsigned type : types) {
		const std::string name = " type " + std::to_string(type);
		const bool integer = type < FAA_TYPE_F16;
		const bool scalar = integer || type == FAA_TYPE_F32 || type == FAA_TYPE_F64;

		for (unsigned op = 0; op <= FAA_ATOMS_OP_CAST_SPIN + 1; op++) {
			bool counter = op == FAA_ATOMS_OP_INC || op == FAA_ATOMS_OP_DEC;
			bool fine = op <= FAA_ATOMS_OP_MAX ? integer || full :
				    counter ? type == FAA_TYPE_U32 || type == FAA_TYPE_U64 :
					      integer && op <= FAA_ATOMS_OP_CAST_SPIN;
			Words w = atoms(op, type);
			expect("g: ATOMS op " + std::to_string(op) + name, whole(w),
			       fine ? FAA_ERROR_SUCCESS : bad, w[0]);
			for (unsigned mod = 1; mod < 16; mod++) {
				bool mode = !integer && (mod == FAA_FLOAT_MODE_FTZ ||
							 (op == FAA_ATOMS_OP_ADD && mod < 4));
				w[0] = field(w[0], 44, 4, mod);
				expect("g: ATOMS op " + std::to_string(op) + name + " mode " +
					       std::to_string(mod),
				       whole(w), fine && mode ? FAA_ERROR_SUCCESS : bad, w[0]);
			}
		}
		for (unsigned op = 0; op <= FAA_ALU_OP_MUL + 1; op++) {
			bool fine = op <= FAA_ALU_OP_MAX ? scalar :
				    op == FAA_ALU_OP_MUL ? type == FAA_TYPE_U32 ||
								   type == FAA_TYPE_S32 :
							   integer && op < FAA_ALU_OP_MUL;
			Words w = alu(op, type);
			expect("g: ALU op " + std::to_string(op) + name, whole(w),
			       fine && full ? FAA_ERROR_SUCCESS : bad, w[0]);
			for (unsigned mod = 1; mod < 16; mod++) {
				w[0] = field(w[0], 44, 4, mod);
				fine = fine && full && !integer;
				expect("g: ALU op " + std::to_string(op) + name + " mode " +
					       std::to_string(mod),
				       whole(w),
				       fine && mod == FAA_FLOAT_MODE_FTZ ? FAA_ERROR_SUCCESS : bad,
				       w[0]);
			}
		}
		Words w = setp(type);
		expect("g: SETP" + name, whole(w),
		       scalar && (integer || full) ? FAA_ERROR_SUCCESS : bad, w[0]);
	}
}

// The table of commands.rst, by hand.
static bool atom_fine(unsigned op, unsigned type, bool full)
{
	const bool integer = type <= FAA_TYPE_S64 && type != FAA_TYPE_U8 && type != FAA_TYPE_S8;
	const bool real = type == FAA_TYPE_F16 || type == FAA_TYPE_F32 || type == FAA_TYPE_F64;
	const bool packed = type == FAA_TYPE_F16X2 || type == FAA_TYPE_BF16X2;

	switch (op) {
	case FAA_ATOM_OP_ADD:
	case FAA_ATOM_OP_MIN:
	case FAA_ATOM_OP_MAX:
		return integer || (full && (real || packed));
	case FAA_ATOM_OP_INC:
	case FAA_ATOM_OP_DEC:
		return type == FAA_TYPE_U32 || type == FAA_TYPE_U64;
	case FAA_ATOM_OP_INCU:
	case FAA_ATOM_OP_DECU:
	case FAA_ATOM_OP_PREDEC:
		return type == FAA_TYPE_U16 || type == FAA_TYPE_U32 || type == FAA_TYPE_U64;
	case FAA_ATOM_OP_FCMPWR:
		return full && real;
	case 11:
		return false;
	}
	return op <= FAA_ATOM_OP_SUB && integer;
}

static void atom_operations(bool full)
{
	for (unsigned op = 0; op <= FAA_ATOM_OP_FCMPWR + 1; op++) {
		for (unsigned type = 0; type < 16; type++) {
			const std::string name = "g: ATOM op " + std::to_string(op) + " type " +
						 std::to_string(type);
			const bool fine = atom_fine(op, type, full);
			Words w = atom(op, type);
			expect(name, whole(w),
			       fine ? FAA_ERROR_SUCCESS : FAA_ERROR_ILLEGAL_OPERATION, w[0]);
			for (unsigned mod = 1; mod < 16; mod++) {
				bool mode = type >= FAA_TYPE_F16 &&
					    (mod == FAA_FLOAT_MODE_FTZ ||
					     (op == FAA_ATOM_OP_ADD && mod < 4));
				w[0] = field(w[0], 44, 4, mod);
				expect(name + " mode " + std::to_string(mod), whole(w),
				       fine && mode ? FAA_ERROR_SUCCESS :
						      FAA_ERROR_ILLEGAL_OPERATION,
				       w[0]);
			}
		}
	}
	for (unsigned op : { 0x20u, 0x29u, 0x80u, 0xffu }) {
		Words w = atom(FAA_ATOM_OP_ADD, FAA_TYPE_U32);
		broken(("g: ATOM op " + std::to_string(op)).c_str(), w, 0, 32, 8, op,
		       FAA_ERROR_ILLEGAL_OPERATION);
	}
}

// Second word: scope and order; @sys: the build has scope SYS.
static void atom_scopes(bool sys)
{
	for (unsigned scope = 0; scope < 4; scope++) {
		for (unsigned order = 0; order < 4; order++) {
			Words w = atom(FAA_ATOM_OP_ADD, FAA_TYPE_U32, scope, order);
			bool fine = scope <= (sys ? FAA_SCOPE_SYS : FAA_SCOPE_GPU);
			expect("h: ATOM scope " + std::to_string(scope) + " order " +
				       std::to_string(order),
			       whole(w), fine ? FAA_ERROR_SUCCESS : FAA_ERROR_ILLEGAL_OPERATION,
			       w[1]);
			expect("its order",
			       { dut->order_o == order ? FAA_ERROR_SUCCESS : 0xffu, 0 },
			       FAA_ERROR_SUCCESS, 0);
		}
	}
}

// LD or ST of 32 elements; strong: with scope and order.
static Words access(bool load, bool strong, unsigned scope = 0, unsigned order = 0)
{
	Words w(FAA_MAX_COMMAND_WORDS);
	faa_operand reg = operand(FAA_KIND_REG, 0, 4), a = operand(FAA_KIND_REG, 0, 2);

	w.resize(load ? faa_encode_ld(w.data(), &kIssue, FAA_TYPE_U32, 32, reg, a, 4) :
			faa_encode_st(w.data(), &kIssue, FAA_TYPE_U32, 32, a, 4, reg));
	w[1] = field(w[1], 52, 2, scope);
	w[1] = field(w[1], 54, 2, order);
	w[1] = field(w[1], 56, 1, strong);
	return w;
}

// LD and ST: legal combinations of the strong bit, scope and order.
static void access_orders(bool sys)
{
	for (unsigned load = 0; load < 2; load++) {
		const std::string name = load ? "LD" : "ST";
		const unsigned own = load ? FAA_ORDER_ACQUIRE : FAA_ORDER_RELEASE;
		for (unsigned n = 0; n < 16; n++) {
			const unsigned scope = n & 3, order = n >> 2;
			const std::string what = " scope " + std::to_string(scope) + " order " +
						 std::to_string(order);
			Words w = access(load, false, scope, order);
			expect("h: weak " + name + what, whole(w),
			       n ? FAA_ERROR_RESERVED_BITS : FAA_ERROR_SUCCESS, w[1]);
			w = access(load, true, scope, order);
			const bool fine = scope <= (sys ? FAA_SCOPE_SYS : FAA_SCOPE_GPU) &&
					  (order == FAA_ORDER_RELAXED || order == own);
			expect("h: strong " + name + what, whole(w),
			       fine ? FAA_ERROR_SUCCESS : FAA_ERROR_ILLEGAL_OPERATION, w[1]);
			const unsigned scopes = (scope != FAA_SCOPE_CTA) << 1 |
						(sys && scope == FAA_SCOPE_SYS);
			expect("its order and scope",
			       { !fine || (dut->order_o == order && dut->scope_o == scopes) ?
					 FAA_ERROR_SUCCESS :
					 0xffu,
				 0 },
			       FAA_ERROR_SUCCESS, 0);
			broken(("h: third word before scope and order of " + name).c_str(), w, 2,
			       63, 1, 1, FAA_ERROR_RESERVED_BITS, 2);
		}
		for (unsigned bit = 57; bit < 64; bit++)
			broken(("h: reserved bit of " + name + "'s second word").c_str(),
			       access(load, true), 1, bit, 1, 1, FAA_ERROR_RESERVED_BITS, 1);
	}
}

static void atom_operands()
{
	Words add = atom(FAA_ATOM_OP_ADD, FAA_TYPE_U32), cas = atom(FAA_ATOM_OP_CAS, FAA_TYPE_U64);
	Words inc = atom(FAA_ATOM_OP_INCU, FAA_TYPE_U16), w = add;

	expect("m: odd offset of ATOM", whole(add), FAA_ERROR_SUCCESS, 0);
	expect("its offset", { dut->offset_o == 0xfffffd ? FAA_ERROR_SUCCESS : 0xffu, 0 },
	       FAA_ERROR_SUCCESS, 0);
	for (unsigned bit = 56; bit < 64; bit++)
		broken("h: reserved bit of ATOM's second word", add, 1, bit, 1, 1,
		       FAA_ERROR_RESERVED_BITS, 1);
	broken("h: reserved bit of ATOM's third word", add, 2, 56, 1, 1, FAA_ERROR_RESERVED_BITS,
	       2);
	// Reserved bits of the third word before the scope, the scope before a kind
	w[1] = field(w[1], 52, 2, 3);
	w[1] = field(w[1], 40, 3, 5);
	expect("h: scope before a kind", whole(w), FAA_ERROR_ILLEGAL_OPERATION, w[1]);
	w[2] = field(w[2], 63, 1, 1);
	expect("h: third word before the scope", whole(w), FAA_ERROR_RESERVED_BITS, w[2]);
	broken("i: odd address register of ATOM", add, 2, 0, 8, 3, FAA_ERROR_ILLEGAL_OPERAND, 2);
	broken("i: RZ as the address", add, 2, 0, 8, 255, FAA_ERROR_SUCCESS);
	broken("i: odd d of ATOM.U64", cas, 2, 24, 8, 5, FAA_ERROR_ILLEGAL_OPERAND, 2);
	broken("i: odd d of ATOM.U32", add, 2, 24, 8, 5, FAA_ERROR_SUCCESS);
	broken("i: d absent", add, 1, 49, 3, 0, FAA_ERROR_ILLEGAL_OPERAND, 2);
	broken("i: immediate d", add, 1, 49, 3, FAA_KIND_IMM, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: b of ADD absent", add, 1, 43, 3, 0, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: c of ADD", add, 1, 46, 3, FAA_KIND_REG, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: c of CAS absent", cas, 1, 46, 3, 0, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: b of INCU", inc, 1, 43, 3, FAA_KIND_REG, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: c of INCU", inc, 1, 46, 3, FAA_KIND_REG, FAA_ERROR_ILLEGAL_OPERAND, 1);
	// The reduction form
	w = add;
	w[1] = field(w[1], 49, 3, 0);
	w[2] = field(w[2], 24, 8, 0);
	expect("RED", whole(w), FAA_ERROR_SUCCESS, 0);
}

// A build without ATOM.
static void no_atom()
{
	Words w = atom(FAA_ATOM_OP_ADD, FAA_TYPE_U32);

	expect("b: ATOM", whole(w), FAA_ERROR_ILLEGAL_COMMAND, w[0]);
	expect("b: ATOM before the end of the stream", decode(w, 16), FAA_ERROR_ILLEGAL_COMMAND,
	       w[0]);
	w = atoms_add();
	broken("h: scope of ATOMS", w, 1, 52, 2, 1, FAA_ERROR_RESERVED_BITS, 1);
}

// SUATOM.2D.U64 with register coordinates and handle, CAS with immediates.
static Words suatom(faa_place place, unsigned op = FAA_ATOM_OP_CAS, unsigned type = FAA_TYPE_U64,
		    unsigned kind_a = FAA_KIND_REG)
{
	Words w(FAA_MAX_COMMAND_WORDS);

	w.resize(faa_encode_suatom(w.data(), &kIssue, static_cast<faa_atom_op>(op),
				   static_cast<faa_type>(type), FAA_SCOPE_GPU, FAA_ORDER_ACQUIRE,
				   place, 32, operand(FAA_KIND_REG, 0, 4), operand(kind_a, 0, 8),
				   operand(atom_has_b(op) ? FAA_KIND_IMM : FAA_KIND_NONE, 1),
				   operand(atom_has_c(op) ? FAA_KIND_IMM : FAA_KIND_NONE, 2)));
	return w;
}

static faa_place place(unsigned dim, unsigned packed = 0, unsigned kind = FAA_HANDLE_KIND_REG,
		       uint32_t handle = 7)
{
	return { static_cast<uint8_t>(dim),
		 FAA_CLAMP_TRAP,
		 static_cast<uint8_t>(kind),
		 static_cast<uint8_t>(packed),
		 1,
		 3,
		 handle };
}

static Words config(unsigned op, uint64_t address, uint64_t value)
{
	Words w(3);

	faa_encode_config(w.data(), &kIssue, static_cast<faa_config>(op), address, value);
	return w;
}

// A build without SUATOM and CONFIG.
static void no_surfaces()
{
	Words w = suatom(place(FAA_DIM_D2)), c = config(FAA_CONFIG_HELPER_LANES, 0, 1);

	expect("b: SUATOM", whole(w), FAA_ERROR_ILLEGAL_COMMAND, w[0]);
	expect("b: CONFIG", whole(c), FAA_ERROR_ILLEGAL_COMMAND, c[0]);
}

// Coordinates: the number of bits of a dim, and the values for each form of a.
static void surface_coordinates()
{
	for (unsigned dim = 0; dim < 8; dim++) {
		const bool three = dim >= FAA_DIM_D2_ARRAY, one = dim <= FAA_DIM_D1_BUFFER;
		const std::string name = "dim " + std::to_string(dim);
		for (unsigned packed = 0; packed < 2; packed++) {
			Words w = suatom(place(dim, packed));
			const bool good = dim <= FAA_DIM_D3 && !(one && packed);
			const bool wide = three || (!one && !packed);
			expect("h: " + name + (packed ? ".PACKED" : ""), whole(w),
			       good ? FAA_ERROR_SUCCESS : FAA_ERROR_ILLEGAL_OPERATION, w[1]);
			if (!good)
				continue;
			const bool same = dut->order_o == FAA_ORDER_ACQUIRE && dut->offset_o == 0 &&
					  dut->registers_o == 0x04000008;
			expect("its fields", { same ? FAA_ERROR_SUCCESS : 0xffu, 0 },
			       FAA_ERROR_SUCCESS, 0);
			const unsigned registers[] = { 2, 9, 12, 255 };
			for (unsigned number : registers) {
				const bool fine = number != 255 && !(wide && number & 1) &&
						  !(three && !packed && number & 3);
				broken(("i: register " + std::to_string(number) + " of " + name)
					       .c_str(),
				       w, 2, 0, 8, number,
				       fine ? FAA_ERROR_SUCCESS : FAA_ERROR_ILLEGAL_OPERAND, 2);
			}
			Words s = suatom(place(dim, packed), FAA_ATOM_OP_CAS, FAA_TYPE_U64,
					 FAA_KIND_STREAM);
			expect("i: " + name + " from a stream", whole(s),
			       three && !packed ? FAA_ERROR_ILLEGAL_OPERAND : FAA_ERROR_SUCCESS,
			       s[1]);
			if (three && !packed)
				continue;
			broken(("l: items of 64 bits for " + name).c_str(), s, 4, 32, 4,
			       FAA_TYPE_U64, wide ? FAA_ERROR_SUCCESS : FAA_ERROR_ILLEGAL_OPERAND,
			       4);
		}
	}
}

static void surface_words()
{
	Words w = suatom(place(FAA_DIM_D2)),
	      sd = suatom(place(FAA_DIM_D2), FAA_ATOM_OP_ADD, FAA_TYPE_SD32);

	broken("h: clamp 3", w, 1, 58, 2, 3, FAA_ERROR_ILLEGAL_OPERATION, 1);
	broken("h: scope 3 of SUATOM", w, 1, 52, 2, 3, FAA_ERROR_ILLEGAL_OPERATION, 1);
	broken("h: reserved bit of SUATOM's second word", w, 1, 63, 1, 1, FAA_ERROR_RESERVED_BITS,
	       1);
	for (unsigned bit = 57; bit < 64; bit++)
		broken("h: reserved bit of SUATOM's third word", w, 2, bit, 1, 1,
		       FAA_ERROR_RESERVED_BITS, 2);
	broken("h: handle_kind 3", w, 2, 52, 2, 3, FAA_ERROR_ILLEGAL_OPERATION, 2);
	for (uint32_t handle : { 0u, 254u, 255u, 256u, 8191u, 8192u, 0xfffffu }) {
		for (unsigned kind = 0; kind < 3; kind++) {
			const bool fine =
				kind == FAA_HANDLE_KIND_REG  ? handle < FAA_RZ :
				kind == FAA_HANDLE_KIND_BANK ? handle < FAA_CONSTANT_WORDS :
							       true;
			Words h = suatom(place(FAA_DIM_D2, 0, kind, handle));
			expect("i: handle " + std::to_string(handle) + " of kind " +
				       std::to_string(kind),
			       whole(h), fine ? FAA_ERROR_SUCCESS : FAA_ERROR_ILLEGAL_OPERAND,
			       h[2]);
		}
	}
	expect("ADD.SD32", whole(sd), FAA_ERROR_SUCCESS, 0);
	broken("g: FTZ of SD32", sd, 0, 44, 4, FAA_FLOAT_MODE_FTZ, FAA_ERROR_ILLEGAL_OPERATION);
	broken("g: RELAXED of SD32", sd, 0, 44, 4, FAA_FLOAT_MODE_RELAXED,
	       FAA_ERROR_ILLEGAL_OPERATION);
	broken("g: ADD.SD64", sd, 0, 40, 4, FAA_TYPE_SD64, FAA_ERROR_ILLEGAL_OPERATION);
	broken("g: MAX.SD64", sd, 0, 32, 12, FAA_ATOM_OP_MAX | FAA_TYPE_SD64 << 8,
	       FAA_ERROR_SUCCESS);
	broken("g: ATOM has no SD32", atom(FAA_ATOM_OP_ADD, FAA_TYPE_U32), 0, 40, 4, FAA_TYPE_SD32,
	       FAA_ERROR_ILLEGAL_OPERATION);
	broken("i: odd d of SD64", suatom(place(FAA_DIM_D2), FAA_ATOM_OP_MIN, FAA_TYPE_SD64), 2, 24,
	       8, 5, FAA_ERROR_ILLEGAL_OPERAND, 2);
}

static void configuration()
{
	struct {
		const char *what;
		unsigned op;
		uint64_t address, value;
		unsigned error;
		size_t at;
	} const rows[] = {
		{ "pool", FAA_CONFIG_HEADER_POOL, 0xffffffffffe0, 0xfffff, FAA_ERROR_SUCCESS, 0 },
		{ "h: pool of 2^20 + 1", FAA_CONFIG_HEADER_POOL, 0x20, 0x100000,
		  FAA_ERROR_RESERVED_BITS, 2 },
		{ "misaligned pool", FAA_CONFIG_HEADER_POOL, 0x10, 1, FAA_ERROR_MISALIGNED, 1 },
		{ "pool beyond 2^48", FAA_CONFIG_HEADER_POOL, 1ull << 48, 1,
		  FAA_ERROR_NON_CANONICAL, 1 },
		{ "misaligned pool beyond 2^48", FAA_CONFIG_HEADER_POOL, 1ull << 63 | 1, 1,
		  FAA_ERROR_MISALIGNED, 1 },
		{ "bank", FAA_CONFIG_CONSTANT_BANK, 0x4, 0xfffc, FAA_ERROR_SUCCESS, 0 },
		{ "h: bank of 2 bytes", FAA_CONFIG_CONSTANT_BANK, 0x4, 2, FAA_ERROR_RESERVED_BITS,
		  2 },
		{ "h: bank before its address", FAA_CONFIG_CONSTANT_BANK, 0x2, 1ull << 32,
		  FAA_ERROR_RESERVED_BITS, 2 },
		{ "misaligned bank", FAA_CONFIG_CONSTANT_BANK, 0x2, 4, FAA_ERROR_MISALIGNED, 1 },
		{ "helper lanes", FAA_CONFIG_HELPER_LANES, 0, 0xffffffff, FAA_ERROR_SUCCESS, 0 },
		{ "h: address of helper lanes", FAA_CONFIG_HELPER_LANES, 32, 1ull << 32,
		  FAA_ERROR_RESERVED_BITS, 1 },
		{ "h: lane 32", FAA_CONFIG_HELPER_LANES, 0, 1ull << 32, FAA_ERROR_RESERVED_BITS,
		  2 },
		{ "g: CONFIG 3", 3, 0, 0, FAA_ERROR_ILLEGAL_OPERATION, 0 },
	};

	for (const auto &row : rows) {
		Words w = config(row.op, row.address, row.value);
		expect(row.what, whole(w), row.error, w[row.at]);
	}
	Words w = config(FAA_CONFIG_HEADER_POOL, 0x10, 1);
	broken("e: type of CONFIG", w, 0, 40, 4, 1, FAA_ERROR_RESERVED_BITS);
	broken("f: guard of CONFIG", w, 0, 16, 3, 1, FAA_ERROR_ILLEGAL_OPERAND);
	broken("c: length of CONFIG", w, 0, 8, 8, 2, FAA_ERROR_BAD_LENGTH);
	expect("n: first element before the address", whole(w, 32), FAA_ERROR_BAD_DESCRIPTOR, 32);
}

static void arithmetic_operands()
{
	Words w = alu(FAA_ALU_OP_ADD, FAA_TYPE_F64), add = atoms(FAA_ATOMS_OP_ADD, FAA_TYPE_F64);
	Words compare = setp(FAA_TYPE_F64);

	broken("h: offset of ALU", w, 2, 32, 24, 4, FAA_ERROR_RESERVED_BITS, 2);
	broken("i: d of ALU absent", w, 1, 49, 3, 0, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: b of ALU absent", w, 1, 43, 3, 0, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: c of ALU", w, 1, 46, 3, FAA_KIND_REG, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: odd a of ALU.F64", w, 2, 0, 8, 3, FAA_ERROR_ILLEGAL_OPERAND, 2);
	broken("i: odd d of ALU.F64", w, 2, 24, 8, 5, FAA_ERROR_ILLEGAL_OPERAND, 2);
	broken("i: odd address of ATOMS.F64", add, 2, 0, 8, 3, FAA_ERROR_SUCCESS);
	broken("i: odd d of ATOMS.F64", add, 2, 24, 8, 5, FAA_ERROR_ILLEGAL_OPERAND, 2);
	broken("i: odd a of SETP.F64", compare, 2, 0, 8, 3, FAA_ERROR_ILLEGAL_OPERAND, 2);
	broken("i: ALU of 33 elements to a register", w, 1, 0, 40, 33, FAA_ERROR_SUCCESS);
	broken("i: SETP of 33 elements", compare, 1, 0, 40, 33, FAA_ERROR_ILLEGAL_OPERAND, 1);
}

static void operands()
{
	Words atoms = atoms_add(), mov = mov64(), all = longest();

	broken("h: reserved bit of shape", atoms, 1, 52, 1, 1, FAA_ERROR_RESERVED_BITS, 1);
	broken("h: reserved bit of regs", atoms, 2, 56, 1, 1, FAA_ERROR_RESERVED_BITS, 2);
	broken("h: offset of MOV", mov, 2, 32, 24, 4, FAA_ERROR_RESERVED_BITS, 2);
	broken("i: kind 5 of a", atoms, 1, 40, 3, 5, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: b absent", atoms, 1, 43, 3, 0, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: c of ADD", atoms, 1, 46, 3, FAA_KIND_REG, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: c of CAS absent", all, 1, 46, 3, 0, FAA_ERROR_ILLEGAL_OPERAND, 1);
	broken("i: immediate destination", atoms, 1, 49, 3, FAA_KIND_IMM, FAA_ERROR_ILLEGAL_OPERAND,
	       1);
	broken("i: register number without a register", atoms, 2, 8, 8, 1,
	       FAA_ERROR_ILLEGAL_OPERAND, 2);
	broken("i: odd register of 64 bits", mov, 2, 24, 8, 5, FAA_ERROR_ILLEGAL_OPERAND, 2);
	broken("i: RZ of 64 bits is none", mov, 2, 24, 8, 255, FAA_ERROR_SUCCESS);
	broken("i: register destination of 33 elements", atoms, 1, 0, 40, 33, FAA_ERROR_SUCCESS);
	for (uint64_t n : { 0ull, 0x100000001ull, 0xffffffffffull }) {
		Words w = all;
		w[1] = field(w[1], 0, 40, n);
		expect("j: N = " + std::to_string(n), whole(w), FAA_ERROR_BAD_COUNT, n);
	}
	broken("j: 2^32 elements are none", all, 1, 0, 40, 0x100000000, FAA_ERROR_SUCCESS);
	{
		Words w = atoms;
		w.push_back(0);
		w[0] = field(w[0], 8, 8, w.size());
		expect("k: a word too many", whole(w), FAA_ERROR_BAD_LENGTH, w[0]);
		w = mov;
		w.pop_back();
		w[0] = field(w[0], 8, 8, w.size());
		expect("k: a word too few", whole(w), FAA_ERROR_BAD_LENGTH, w[0]);
	}
	for (size_t slot = 0; slot < 4; slot++) {
		static const char *const names[] = { "a", "b", "c", "d" };
		std::string name = names[slot];
		size_t n = 4 + 3 * slot;

		broken(("l: reserved bits of stream " + name).c_str(), all, n, 39, 1, 1,
		       FAA_ERROR_RESERVED_BITS, (long)n);
		broken(("l: type 14 of stream " + name).c_str(), all, n, 32, 4, 14,
		       FAA_ERROR_ILLEGAL_OPERAND, (long)n);
		broken(("l: F16 in stream " + name).c_str(), all, n, 32, 4, FAA_TYPE_F16,
		       FAA_ERROR_ILLEGAL_OPERAND, (long)n);
		broken(("l: float of the operand's width in stream " + name).c_str(), all, n, 32, 4,
		       slot ? FAA_TYPE_F64 : FAA_TYPE_F32, FAA_ERROR_SUCCESS);
		broken(("l: float of another width in stream " + name).c_str(), all, n, 32, 4,
		       slot ? FAA_TYPE_F32 : FAA_TYPE_F64, FAA_ERROR_ILLEGAL_OPERAND, (long)n);
	}
	broken("l: address items wider than an address", all, 4, 32, 4, FAA_TYPE_U64,
	       FAA_ERROR_ILLEGAL_OPERAND, 4);
	broken("l: shift of a destination", all, 13, 36, 3, 1, FAA_ERROR_ILLEGAL_OPERAND, 13);
	broken("l: base of a destination", all, 14, 0, 8, 1, FAA_ERROR_ILLEGAL_OPERAND, 13);
	for (unsigned low = 1; low < 4; low++) {
		Words w = atoms;
		w[2] = field(w[2], 32, 24, 0xfffff0 + low);
		expect("m: offset with low bits " + std::to_string(low), whole(w),
		       FAA_ERROR_BAD_OFFSET, 0xfffff0 + low);
	}
}

// Breaking the rules from the last to the first: each one overrides the one before.
static void order()
{
	Words w = longest();
	struct {
		size_t word;
		unsigned lsb, width;
		uint64_t value;
		unsigned error;
		long at;
	} steps[] = {
		{ 2, 32, 24, 0x11, FAA_ERROR_BAD_OFFSET, -1 },
		{ 13, 36, 3, 1, FAA_ERROR_ILLEGAL_OPERAND, 13 },
		{ 4, 39, 1, 1, FAA_ERROR_RESERVED_BITS, 4 },
		{ 0, 8, 8, 14, FAA_ERROR_BAD_LENGTH, 0 },
		{ 1, 0, 40, 0, FAA_ERROR_BAD_COUNT, -2 },
		{ 2, 24, 8, 3, FAA_ERROR_ILLEGAL_OPERAND, 2 },
		{ 1, 40, 3, 7, FAA_ERROR_ILLEGAL_OPERAND, 1 },
		{ 2, 63, 1, 1, FAA_ERROR_RESERVED_BITS, 2 },
		{ 1, 63, 1, 1, FAA_ERROR_RESERVED_BITS, 1 },
		{ 0, 40, 4, FAA_TYPE_F64, FAA_ERROR_ILLEGAL_OPERATION, 0 },
		{ 0, 26, 3, 6, FAA_ERROR_ILLEGAL_OPERAND, 0 },
		{ 0, 48, 1, 1, FAA_ERROR_RESERVED_BITS, 0 },
	};

	for (auto &s : steps) {
		w[s.word] = field(w[s.word], s.lsb, s.width, s.value);
		uint64_t address = s.at == -1 ? 0x11 :
				   s.at == -2 ? 0 :
						w[static_cast<size_t>(s.at)];
		expect("order: word " + std::to_string(s.word) + " bit " + std::to_string(s.lsb),
		       whole(w, 128), s.error, address);
	}
	expect("order: stream ends before all", decode(w, 8 + 10 * 8, 128), FAA_ERROR_TRUNCATED, 0);
	w[0] = field(w[0], 8, 8, 99);
	expect("order: length before the end", decode(w, 8 + 10 * 8, 128), FAA_ERROR_BAD_LENGTH,
	       w[0]);
	w[0] = field(w[0], 0, 8, 0xff);
	expect("order: opcode first", decode(w, 8 + 10 * 8, 128), FAA_ERROR_ILLEGAL_COMMAND, w[0]);
}

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	dut = new Vfaa_test_decode;
	dut->rst_ni = 0;
	tick();
	tick();
	dut->rst_ni = 1;
	const std::string build = argc > 1 ? argv[1] : "";
	if (build == "lean") {
		operations(false);
		atom_operations(false);
	} else if (build == "plain") {
		no_atom();
		access_orders(false);
	} else if (build == "surface") {
		surface_coordinates();
		surface_words();
		configuration();
	} else if (build == "sys") {
		atom_scopes(true);
		access_orders(true);
	} else {
		good_commands();
		end_of_stream();
		headers();
		operations(true);
		atom_operations(true);
		atom_scopes(false);
		access_orders(false);
		atom_operands();
		no_surfaces();
		arithmetic_operands();
		operands();
		order();
	}
	delete dut;
	printf("1..%u\n%u passed, %u failed\n", tests, tests - failures, failures);
	return failures != 0;
}
