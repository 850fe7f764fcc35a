// SPDX-License-Identifier: MIT
//
// The operand path of a compute unit against a loop over lanes.
//
// usage: operand_tb [COMMANDS [SEED]]
//
// Random commands with every kind of operand, strides of both signs, misaligned items, pages that
// are missing, sparse or moved by an invalidation, lines with bus errors, memory that changes
// between warps without overlap, memory and translation of random latency, holds, cancellations,
// and memory that was read ahead and has changed. Every warp that is offered is compared. Then the
// throughput at two memory latencies.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "Vfaa_test_operand.h"
#include "verilated.h"

#include "faa_isa.h"

static Vfaa_test_operand *dut;
static std::mt19937_64 rng;
static uint64_t cycle;
static unsigned passed, failed;
static constexpr unsigned kLine = sizeof(Vfaa_test_operand::mem_rsp_data_i); // bytes of a line

static uint64_t pick(uint64_t n)
{
	return rng() % n;
}

static void check(bool ok, const char *what, uint64_t got, uint64_t want)
{
	(ok ? passed : failed)++;
	if (!ok && failed <= 20)
		printf("not ok - cycle %llu: %s: got 0x%llx, want 0x%llx\n",
		       (unsigned long long)cycle, what, (unsigned long long)got,
		       (unsigned long long)want);
}

// ---- Memory: every byte is a hash of its address and an age, so it needs no storage ----

static uint64_t memory_age;
static std::vector<uint64_t> bad_lines;

static uint8_t byte_at(uint64_t pa)
{
	uint64_t x = (pa + memory_age * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;

	return static_cast<uint8_t>(x >> 40 ^ x >> 17);
}

static bool line_is_bad(uint64_t pa)
{
	for (uint64_t line : bad_lines)
		if (line == pa >> 6)
			return true;
	return false;
}

// ---- Pages ----

struct Page {
	uint8_t error;
	bool sparse;
	uint64_t pa;
};

static uint64_t mapping_age;
static unsigned bad_pages; // per 1000

static Page page_of(uint64_t va)
{
	uint64_t x = ((va >> 12) + mapping_age * 0x1234567ull) * 0x9e3779b97f4a7c15ull;
	Page page = { FAA_ERROR_SUCCESS, false, (x >> 30 & 0xffffff) << 12 };
	unsigned draw = static_cast<unsigned>(x >> 10) % 1000;

	if (va >> 48)
		page.error = FAA_ERROR_NON_CANONICAL;
	else if (draw < bad_pages)
		page.error = draw % 3 == 0 ? FAA_ERROR_NOT_MAPPED :
			     draw % 3 == 1 ? FAA_ERROR_BAD_PAGE_TABLE :
					     FAA_ERROR_BUS_ERROR;
	else if (draw < 2 * bad_pages)
		page.sparse = true;
	return page;
}

// ---- Commands ----

struct Slot {
	unsigned kind;
	uint64_t word[3];
	unsigned row;
};

struct Command {
	unsigned opcode, type;
	uint64_t count, first;
	uint32_t guard;
	bool overlap;
	Slot slot[3];
	uint64_t d_va;
	int32_t d_stride;
	uint32_t offset;		   // of 24 bits, added to a
	unsigned dim, handle_kind, handle; // of SUATOM
	bool is_packed;
};

static uint32_t registers[256][32];

static unsigned size_of(unsigned type)
{
	static const unsigned sizes[] = { 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 4, 4, 4, 8 };

	return sizes[type];
}

static bool wide_slot(const Command &c, int s)
{
	bool wide = size_of(c.type) == 8;

	if (s)
		return wide;
	if (c.opcode == FAA_OPCODE_SUATOM)
		return c.dim >= FAA_DIM_D2_ARRAY || (c.dim >= FAA_DIM_D1_ARRAY && !c.is_packed);
	return c.opcode == FAA_OPCODE_LD || c.opcode == FAA_OPCODE_ST ||
	       c.opcode == FAA_OPCODE_ATOM ||
	       (wide && (c.opcode == FAA_OPCODE_MOV || c.opcode == FAA_OPCODE_SETP ||
			 c.opcode == FAA_OPCODE_ALU));
}

static Slot stream_slot(uint64_t va, int32_t stride, unsigned type, unsigned shift, uint64_t base)
{
	return { FAA_KIND_STREAM,
		 { va,
		   static_cast<uint32_t>(stride) | static_cast<uint64_t>(type) << 32 |
			   static_cast<uint64_t>(shift) << 36,
		   base },
		 0 };
}

static Slot random_slot()
{
	static const unsigned types[] = { FAA_TYPE_U8, FAA_TYPE_U16, FAA_TYPE_U32, FAA_TYPE_U64,
					  FAA_TYPE_S8, FAA_TYPE_S16, FAA_TYPE_S32, FAA_TYPE_S64 };
	static const int32_t factors[] = { 0, 1,  1,   1,   -1,	 -1,   2,     3,      -3,
					   7, 16, -64, 333, 512, 2000, -4096, 1 << 20 };
	Slot slot = {};

	slot.kind = static_cast<unsigned>(pick(5));
	if (slot.kind == FAA_KIND_REG) {
		slot.row = pick(16) ? static_cast<unsigned>(pick(127)) * 2 :
				      static_cast<unsigned>(FAA_RZ);
	} else if (slot.kind == FAA_KIND_IMM || slot.kind == FAA_KIND_AFFINE) {
		slot.word[0] = rng();
		slot.word[1] = pick(2) ? rng() : pick(9) - 4;
	} else if (slot.kind == FAA_KIND_STREAM) {
		unsigned type = types[pick(8)], size = size_of(type);
		uint64_t va = (rng() & 0xffffffffull) / size * size + (1ull << 34);

		if (!pick(3))
			va = (va & ~4095ull) + (pick(2) ? 4096 - size * pick(40) : 0);
		if (!pick(60))
			va = (1ull << 48) - size * pick(300) - size;
		if (!pick(25))
			va += pick(size);
		slot = stream_slot(va,
				   factors[pick(17)] * static_cast<int32_t>(size) +
					   (pick(100) ? 0 : static_cast<int32_t>(pick(4))),
				   type, static_cast<unsigned>(pick(8)), pick(2) ? rng() : 0);
	}
	return slot;
}

static Command random_command()
{
	static const unsigned opcodes[] = { FAA_OPCODE_MOV,   FAA_OPCODE_SETP,	FAA_OPCODE_ALU,
					    FAA_OPCODE_LD,    FAA_OPCODE_ST,	FAA_OPCODE_LDS,
					    FAA_OPCODE_STS,   FAA_OPCODE_ATOMS, FAA_OPCODE_ATOM,
					    FAA_OPCODE_SUATOM };
	Command c = {};

	c.opcode = opcodes[pick(10)];
	c.type = pick(4) ? FAA_TYPE_U32 : pick(2) ? FAA_TYPE_U64 : FAA_TYPE_F64;
	if (c.opcode == FAA_OPCODE_SUATOM && !pick(4))
		c.type = FAA_TYPE_SD64;
	c.dim = static_cast<unsigned>(pick(6));
	c.is_packed = c.dim >= FAA_DIM_D1_ARRAY && pick(2);
	c.handle_kind = static_cast<unsigned>(pick(3));
	c.handle = static_cast<unsigned>(pick(255));
	c.count = pick(4) ? 1 + pick(300) : pick(2) ? 1 + pick(32) : 1 + pick(3000);
	if (!pick(6))
		c.first = pick(c.count) & ~31ull;
	c.guard = pick(3) ? 0xffffffffu : static_cast<uint32_t>(pick(8) ? rng() : pick(2));
	c.overlap = pick(4) != 0;
	for (Slot &slot : c.slot)
		slot = random_slot();
	if (c.opcode == FAA_OPCODE_SUATOM || c.slot[0].row != FAA_RZ)
		c.slot[0].row &= ~3u; // three registers of coordinates begin at a multiple of 4
	// Only commands with an address have an offset.
	if (pick(2) && c.opcode != FAA_OPCODE_MOV && c.opcode != FAA_OPCODE_SETP &&
	    c.opcode != FAA_OPCODE_ALU && c.opcode != FAA_OPCODE_SUATOM)
		c.offset = static_cast<uint32_t>(rng()) & 0xffffff;
	c.d_va = rng();
	c.d_stride = static_cast<int32_t>(rng());
	return c;
}

static void drive_command(const Command &c)
{
	dut->opcode_i = c.opcode;
	dut->typ_i = c.type;
	dut->count_i = c.count;
	dut->kinds_i = c.slot[0].kind | c.slot[1].kind << 3 | c.slot[2].kind << 6 |
		       FAA_KIND_STREAM << 9;
	dut->rows_i = c.slot[0].row | c.slot[1].row << 8 | c.slot[2].row << 16;
	dut->dim_i = c.dim;
	dut->packed_i = c.is_packed;
	dut->handle_kind_i = c.handle_kind;
	dut->handle_i = c.handle;
	memcpy(&dut->a_i, c.slot[0].word, 24);
	memcpy(&dut->b_i, c.slot[1].word, 24);
	memcpy(&dut->c_i, c.slot[2].word, 24);
	uint64_t d[2] = { c.d_va, static_cast<uint32_t>(c.d_stride) };
	memcpy(&dut->d_i, d, 16);
	dut->offset_i = c.offset;
	dut->guard_i = c.guard;
	dut->first_i = static_cast<uint32_t>(c.first);
	dut->overlap_i = c.overlap;
}

// ---- Expected warps ----

struct Warp {
	uint32_t mask;
	unsigned count;
	bool last;
	uint64_t value[3][32];
	uint64_t d_va;
	unsigned error, lane;
	uint64_t address;
};

static void expect_stream(const Command &c, uint64_t element, int s, Warp &w)
{
	const uint64_t *word = c.slot[s].word;
	int64_t stride = static_cast<int32_t>(word[1]);
	unsigned type = word[1] >> 32 & 15, shift = word[1] >> 36 & 7, size = size_of(type);
	uint64_t bus = ~0ull;

	for (unsigned l = 0; l < 32; l++) {
		uint64_t va = word[0] + (element + l) * static_cast<uint64_t>(stride), item = 0;

		if (!(w.mask >> l & 1))
			continue;
		Page page = page_of(va);
		unsigned error = va % size ? static_cast<unsigned>(FAA_ERROR_MISALIGNED) :
					     page.error;
		if (error) {
			w.error = error;
			w.lane = l;
			w.address = error == FAA_ERROR_BUS_ERROR ? page.pa + 0x7008 : va;
			return;
		}
		uint64_t pa = page.pa + (va & 4095);
		if (!page.sparse) {
			if (line_is_bad(pa) && bus == ~0ull)
				bus = pa & ~63ull;
			for (unsigned i = 0; i < size; i++)
				item |= static_cast<uint64_t>(byte_at(pa + i)) << 8 * i;
		}
		if (type >= FAA_TYPE_S8 && type <= FAA_TYPE_S64 && size < 8 &&
		    item >> (8 * size - 1))
			item |= ~0ull << 8 * size;
		w.value[s][l] = word[2] + (item << shift);
	}
	if (bus != ~0ull) {
		w.error = FAA_ERROR_BUS_ERROR;
		w.lane = 0;
		w.address = bus;
	}
}

static Warp expected(const Command &c, uint64_t element)
{
	Warp w = {};

	w.count = c.count - element > 32 ? 32 : static_cast<unsigned>(c.count - element);
	w.mask = (w.count == 32 ? 0xffffffffu : (1u << w.count) - 1) & c.guard;
	w.last = element + 32 >= c.count;
	w.d_va = c.d_va + element * static_cast<uint64_t>(static_cast<int64_t>(c.d_stride));
	for (int s = 0; s < 3 && !w.error; s++) {
		const Slot &slot = c.slot[s];

		for (unsigned l = 0; l < 32; l++) {
			if (slot.kind == FAA_KIND_IMM)
				w.value[s][l] = slot.word[0];
			else if (slot.kind == FAA_KIND_AFFINE)
				w.value[s][l] = slot.word[0] + (element + l) * slot.word[1];
			else if (slot.kind == FAA_KIND_REG)
				w.value[s][l] =
					registers[slot.row][l] |
					(wide_slot(c, s) ?
						 static_cast<uint64_t>(registers[slot.row | 1][l])
							 << 32 :
						 0);
		}
		if (slot.kind == FAA_KIND_STREAM)
			expect_stream(c, element, s, w);
	}
	// The offset has a sign unless the address operand is absent or RZ.
	bool is_signed = c.slot[0].kind != FAA_KIND_NONE &&
			 (c.slot[0].kind != FAA_KIND_REG || c.slot[0].row != FAA_RZ);
	for (uint64_t &value : w.value[0])
		value += c.offset | (is_signed && c.offset >> 23 ? ~0ull << 24 : 0);
	return w;
}

/// A beat of the warp
static void compare(const Command &c, const Warp &w, uint64_t element)
{
	const unsigned beat = dut->warp_part_o & 31, lanes = dut->lanes_o;

	check(dut->warp_element_o == static_cast<uint32_t>(element), "element", dut->warp_element_o,
	      element);
	check(dut->warp_mask_o == w.mask, "mask", dut->warp_mask_o, w.mask);
	check(dut->warp_count_o == w.count, "count", dut->warp_count_o, w.count);
	check(dut->warp_last_o == w.last, "last", dut->warp_last_o, w.last);
	if (!dut->warp_coords_o)
		check(dut->warp_d_va_o == w.d_va, "d", dut->warp_d_va_o, w.d_va);
	check(dut->warp_error_o == w.error, "error", dut->warp_error_o, w.error);
	if (w.error) {
		check(dut->warp_lane_o == w.lane, "lane of the error", dut->warp_lane_o, w.lane);
		check(dut->warp_address_o == w.address, "address of the error", dut->warp_address_o,
		      w.address);
		return;
	}
	// Lane by lane, SUATOM sends its coordinates first, then the other operands.
	const bool split = lanes == 1 && c.opcode == FAA_OPCODE_SUATOM, coords = dut->warp_coords_o;
	uint32_t third[32], handles[32];
	memcpy(third, &dut->warp_z_o, 4 * lanes);
	memcpy(handles, &dut->warp_handle_o, 4 * lanes);
	for (unsigned l = 0; l < lanes && c.opcode == FAA_OPCODE_SUATOM && coords == split; l++) {
		uint32_t z = registers[c.slot[0].row + 2][beat * lanes + l],
			 handle = registers[c.handle][beat * lanes + l];
		if (c.dim >= FAA_DIM_D2_ARRAY && !c.is_packed)
			check(third[l] == z, "z", third[l], z);
		if (c.handle_kind == FAA_HANDLE_KIND_REG)
			check(handles[l] == handle, "handle", handles[l], handle);
	}
	const void *operands[3] = { &dut->warp_a_o, &dut->warp_b_o, &dut->warp_c_o };
	for (int s = 0; s < 3; s++) {
		uint64_t value[32] = {};

		if (c.slot[s].kind == FAA_KIND_NONE || (split && coords != (s == 0)))
			continue;
		memcpy(value + beat * lanes, operands[s], 8 * lanes);
		for (unsigned l = beat * lanes; l < (beat + 1) * lanes; l++)
			if (w.mask >> l & 1)
				check(value[l] == w.value[s][l],
				      s == 0 ? "a" :
				      s == 1 ? "b" :
					       "c",
				      value[l], w.value[s][l]);
	}
}

// ---- One clock, with memory and translation ----

struct Read {
	uint64_t due, address;
	unsigned tag;
};

static struct {
	unsigned latency, jitter, stall; // cycles; per 1000
	unsigned hit,
		walk; // translation: cycles; a walk where no neighbour is cached
} timing;
static std::vector<Read> reads;
static bool tr_busy, rd_pending;
static uint64_t tr_due, tr_va, lines_read, translations;
static std::vector<uint64_t> tr_groups;
static uint8_t rd_row, rd_beat;

static void drive_memory()
{
	dut->mem_ready_i = pick(1000) >= timing.stall;
	dut->tr_ready_i = !tr_busy && pick(1000) >= timing.stall;
	dut->mem_rsp_valid_i = 0;
	dut->tr_rsp_valid_i = 0;
	if (rd_pending)
		memcpy(&dut->rd_data_i, &registers[rd_row][rd_beat * dut->row_lanes_o],
		       4 * dut->row_lanes_o);
	for (size_t n = 0; n < reads.size(); n++) {
		if (reads[n].due > cycle)
			continue;
		uint8_t line[kLine];
		for (unsigned i = 0; i < kLine; i++)
			line[i] = byte_at(reads[n].address + i);
		memcpy(&dut->mem_rsp_data_i, line, kLine);
		dut->mem_rsp_valid_i = 1;
		dut->mem_rsp_tag_i = reads[n].tag;
		dut->mem_rsp_err_i = line_is_bad(reads[n].address);
		reads.erase(reads.begin() + static_cast<long>(n));
		break;
	}
	if (tr_busy && tr_due <= cycle) {
		Page page = page_of(tr_va);
		dut->tr_rsp_valid_i = 1;
		dut->tr_rsp_error_i = page.error;
		dut->tr_rsp_sparse_i = page.sparse;
		dut->tr_rsp_pa_i = page.error == FAA_ERROR_BUS_ERROR ? page.pa + 0x7008 :
								       page.pa + (tr_va & 4095);
		tr_busy = false;
	}
}

// Eight pages share a line of the table, and the last four lines are cached.
static unsigned translation_time()
{
	for (uint64_t group : tr_groups)
		if (group == tr_va >> 15)
			return timing.hit;
	tr_groups.push_back(tr_va >> 15);
	if (tr_groups.size() > 4)
		tr_groups.erase(tr_groups.begin());
	return timing.walk;
}

static void clock_edge()
{
	dut->eval();
	if (dut->mem_valid_o && dut->mem_ready_i) {
		for (const Read &read : reads)
			check(read.tag != dut->mem_tag_o, "tag is free", dut->mem_tag_o, 0);
		reads.push_back(
			{ cycle + timing.latency + (timing.jitter ? pick(timing.jitter) : 0),
			  dut->mem_addr_o, dut->mem_tag_o });
		lines_read++;
	}
	if (dut->tr_valid_o && dut->tr_ready_i) {
		tr_busy = true;
		tr_va = dut->tr_va_o;
		tr_due = cycle + translation_time() + (timing.jitter ? pick(timing.jitter) : 0);
		translations++;
	}
	// A word that was read stays until the next read.
	if (dut->rd_en_o) {
		rd_pending = true;
		rd_row = dut->rd_row_o;
		rd_beat = dut->rd_beat_o;
	}
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	cycle++;
}

static void step()
{
	drive_memory();
	clock_edge();
}

// ---- Random commands ----

static uint64_t warps_seen, holds_seen, errors_seen, redos_seen, redos_behind_seen;

static bool has_streams(const Command &c)
{
	return c.slot[0].kind == FAA_KIND_STREAM || c.slot[1].kind == FAA_KIND_STREAM ||
	       c.slot[2].kind == FAA_KIND_STREAM;
}

static void run_random(const Command &c)
{
	uint64_t element = c.first, hold_since = 0, limit = cycle + 200000;
	unsigned ready = static_cast<unsigned>(pick(3) ? 1000 : 50 + pick(900)),
		 go_after = static_cast<unsigned>(pick(20));
	bool cancel = !pick(12), holds = !pick(4), known = false, finished = false;
	// ATOM: memory that was read ahead has changed under the warp that was taken last. SUATOM:
	// or under an earlier one, which may become known after the last warp was taken.
	bool redo = c.overlap && has_streams(c) && !pick(3), overlap = c.overlap, ended = false,
	     bad = false;
	unsigned beat = 0; // number of the warp's next beat
	unsigned behind = 0,
		 held = 0; // warps that may be repeated; cycles until the last may not
	uint64_t cancel_at = cycle + pick(200);
	Warp warp = {};

	drive_command(c);
	dut->start_i = 1;
	dut->hold_i = dut->cancel_i = dut->drop_i = dut->warp_ready_i = 0;
	dut->go_i = 0;
	step();
	dut->start_i = 0;
	while (!dut->idle_o && cycle < limit) {
		drive_memory();
		dut->eval();
		if (ended && held && !--held)
			finished = true;
		dut->held_i = ended && held;
		dut->cancel_i = finished || (cancel && cycle >= cancel_at);
		dut->go_i = go_after == 0;
		if (go_after)
			go_after--;
		dut->drop_i = 0;
		if (dut->hold_i && dut->quiet_o && !pick(4)) {
			// The invalidation is acknowledged: from now on every page may have moved.
			dut->drop_i = 1;
			mapping_age++;
			hold_since = 0;
			behind = 0;
		} else if (!dut->hold_i && holds && !pick(150)) {
			dut->hold_i = 1;
			hold_since = cycle;
			holds_seen++;
		}
		dut->redo_i = redo && behind && !finished && !dut->cancel_i &&
			      !pick(ended ? 4 : 20);
		if (dut->redo_i) {
			unsigned back = ended + (c.opcode == FAA_OPCODE_SUATOM ?
							 static_cast<unsigned>(pick(behind)) :
							 0);
			redos_behind_seen += ended;
			beat = 0;
			redo = overlap = known = ended = bad = false;
			element -= 32 * back;
			dut->redo_element_i = static_cast<uint32_t>(element);
			dut->held_i = 1;
			memory_age++;
			go_after = 1 + static_cast<unsigned>(pick(30));
			redos_seen++;
		}
		dut->warp_ready_i = pick(1000) < ready && !dut->cancel_i && !dut->redo_i;
		dut->eval();
		bool offered = dut->warp_valid_o && !dut->cancel_i && !dut->redo_i,
		     dropped = dut->drop_i;
		if (offered && !known) {
			warp = expected(c, element);
			known = true;
			check(dut->warp_part_o ==
				      (beat | (beat + 1 == 32u / dut->lanes_o ? 32u : 0u)),
			      "order of beats", dut->warp_part_o, beat);
			compare(c, warp, element);
		} else if (offered) {
			check(dut->warp_element_o == static_cast<uint32_t>(element),
			      "element stays", dut->warp_element_o, element);
		}
		bool beat_taken = offered && dut->warp_ready_i,
		     whole = beat_taken && beat + 1 == 32u / dut->lanes_o,
		     taken = whole && !dut->warp_coords_o;
		clock_edge();
		dut->overlap_i = overlap;
		if (dropped)
			dut->hold_i = 0;
		if (beat_taken) {
			known = false;
			beat = whole ? 0 : beat + 1;
		}
		if (taken) {
			behind = std::min(behind + 1, 6u);
			warps_seen++;
			limit = cycle + 200000;
			element += 32;
			// An error ends the command: the receiver of the warp cancels.
			bad = warp.error != 0;
			errors_seen += bad;
			if (!overlap) {
				go_after = 1 + static_cast<unsigned>(pick(30));
				memory_age++;
			}
			ended = warp.last || bad;
			// Of SUATOM, warps that were taken are still in the pipeline; a last one
			// cannot be repeated.
			held = ended && redo && c.opcode == FAA_OPCODE_SUATOM && behind > 1 ?
				       1 + static_cast<unsigned>(pick(30)) :
				       0;
			if (held)
				behind--;
			finished = ended && !held;
		}
	}
	check(cycle < limit, "the command ends", cycle, limit);
	check(cancel || finished, "the last warp was offered", element, c.count);
	if (hold_since)
		dut->hold_i = 0;
	dut->cancel_i = dut->redo_i = dut->held_i = 0;
	dut->warp_ready_i = 0;
}

// ---- Throughput ----

// Cycles per warp, offered and taken every cycle, without the first tenth of the command. A build
// with beats of fewer than 32 lanes needs proportionally more beats for each warp and for each
// stream; one with shorter lines reads more lines.
static void throughput(const char *name, Command c, double most)
{
	static const unsigned latencies[] = { 20, 100 };

	const bool serial = dut->lanes_o == 1;
	double needed = 0, lane = 3; // of a lane: one of d, two to offer it
	for (const Slot &slot : c.slot) {
		lane += slot.kind == FAA_KIND_AFFINE ? 2 : 1;
		if (slot.kind == FAA_KIND_STREAM) {
			const double bytes = 32.0 * abs(static_cast<int32_t>(slot.word[1]));
			// Lane by lane an item takes two cycles; each slot of a warp translates its
			// page again.
			needed += serial ? 2 * 32 + 9.1 :
					   std::max(32.0 / dut->lanes_o, bytes / kLine);
		}
	}
	// Operands of a lane are added one by one.
	most = std::max({ most, needed, serial ? 32 * lane + 3 : 32.0 / dut->lanes_o });
	c.guard = 0xffffffffu;
	c.overlap = true;
	c.type = FAA_TYPE_U32;
	c.opcode = FAA_OPCODE_ATOMS;
	c.count = 32 * 8000;
	for (unsigned latency : latencies) {
		// Lane by lane 32 items at most are in flight.
		const double late = serial && needed > 0 && latency > 50 ? 2.5 : 1;
		uint64_t warps = 0, since = 0, start, first = 0;

		// Memory takes five cycles in addition to its latency; a walk takes one read more.
		timing = { latency + 5, 0, 0, 5, latency + 14 };
		tr_groups.clear();
		dut->drop_i = 1;
		step();
		dut->drop_i = 0;
		drive_command(c);
		dut->start_i = 1;
		dut->go_i = 1;
		start = cycle;
		step();
		dut->start_i = 0;
		dut->warp_ready_i = 1;
		while (!dut->idle_o && cycle < start + std::max(400000.0, 16000 * most)) {
			drive_memory();
			dut->eval();
			if (dut->warp_valid_o && dut->warp_part_o >> 5) {
				if (!warps++)
					first = cycle - start;
				if (warps == 800)
					since = cycle;
				if (warps == 8000)
					break;
			}
			clock_edge();
		}
		double rate = static_cast<double>(cycle - since) / 7200;
		printf("# %-34s latency %3u: %.3f cycles/warp, first warp after %llu cycles\n",
		       name, latency, rate, (unsigned long long)first);
		check(rate <= most * late * 1.005 && warps == 8000, name,
		      static_cast<uint64_t>(rate * 1000),
		      static_cast<uint64_t>(most * late * 1000));
		while (!dut->idle_o)
			step();
		dut->warp_ready_i = 0;
	}
}

static Slot simple(unsigned kind)
{
	return { kind, { 0x1000, 3, 0 }, 4 };
}

static void all_throughputs()
{
	const uint64_t va = 1ull << 36;
	Command c = {};

	bad_pages = 0;
	bad_lines.clear();
	for (Slot &slot : c.slot)
		slot = simple(FAA_KIND_IMM);
	throughput("immediates", c, 1);
	for (Slot &slot : c.slot)
		slot = simple(FAA_KIND_AFFINE);
	throughput("three affine", c, 1);
	c.slot[1] = simple(FAA_KIND_REG);
	throughput("affine, register", c, 1);
	c.slot[0] = stream_slot(va, 2, FAA_TYPE_U16, 2, 0);
	throughput("u16 stream", c, 1);
	c.slot[0] = stream_slot(va + (64ull << 20), -2, FAA_TYPE_U16, 2, 0);
	c.slot[0].word[0] += 62;
	throughput("u16 stream downwards", c, 1);
	c.slot[0] = stream_slot(va, 1, FAA_TYPE_U8, 2, 0);
	throughput("u8 stream", c, 1);
	c.slot[0] = stream_slot(va, 0, FAA_TYPE_U8, 2, 0);
	throughput("u8 stream, stride 0", c, 1);
	c.slot[0] = stream_slot(va, 4, FAA_TYPE_U32, 0, 0);
	throughput("u32 stream", c, 2);
	c.slot[0] = stream_slot(va, 2, FAA_TYPE_U16, 2, 0);
	c.slot[1] = stream_slot(va + (1ull << 32), 2, FAA_TYPE_U16, 0, 0);
	throughput("two u16 streams", c, 2);
	c.slot[2] = stream_slot(va + (2ull << 32), 1, FAA_TYPE_U8, 0, 0);
	throughput("two u16 streams, one u8", c, 3);
	c.slot[2] = simple(FAA_KIND_IMM);
	c.slot[1] = c.slot[2];
	c.slot[0] = stream_slot(va, 8, FAA_TYPE_U64, 0, 0);
	throughput("u64 stream", c, 4);
}

int main(int argc, char **argv)
{
	uint64_t commands = argc > 1 ? strtoull(argv[1], nullptr, 0) : 3000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], nullptr, 0) : 1;

	Verilated::randSeed(static_cast<int>(seed));
	rng.seed(seed);
	dut = new Vfaa_test_operand;
	for (auto &row : registers)
		for (uint32_t &value : row)
			value = static_cast<uint32_t>(rng());
	memset(registers[FAA_RZ], 0, sizeof(registers[FAA_RZ]));
	timing = { 10, 0, 0, 3, 40 };
	dut->rst_ni = 0;
	for (int n = 0; n < 4; n++)
		step();
	dut->rst_ni = 1;
	dut->drop_i = 1;
	step();
	dut->drop_i = 0;

	for (uint64_t n = 0; n < commands && failed <= 20; n++) {
		if (n % 16 == 0) {
			timing = { 1 + static_cast<unsigned>(pick(60)),
				   static_cast<unsigned>(pick(3) ? 0 : 1 + pick(80)),
				   static_cast<unsigned>(pick(2) ? 0 : pick(700)),
				   2 + static_cast<unsigned>(pick(4)),
				   4 + static_cast<unsigned>(pick(200)) };
			bad_pages = pick(2) ? 0 : static_cast<unsigned>(pick(150));
		}
		Command c = random_command();
		bad_lines.clear();
		if (!pick(5)) {
			for (const Slot &slot : c.slot) {
				uint64_t va = slot.word[0] +
					      pick(c.count) *
						      static_cast<uint64_t>(static_cast<int64_t>(
							      static_cast<int32_t>(slot.word[1])));
				if (slot.kind == FAA_KIND_STREAM)
					bad_lines.push_back((page_of(va).pa + (va & 4095)) >> 6);
			}
		}
		run_random(c);
		for (uint64_t idle = pick(3); idle; idle--)
			step();
	}
	printf("# %llu commands, %llu warps, %llu errors, %llu holds, %llu repeated, %llu after the last warp, %llu lines, %llu translations, %llu cycles\n",
	       (unsigned long long)commands, (unsigned long long)warps_seen,
	       (unsigned long long)errors_seen, (unsigned long long)holds_seen,
	       (unsigned long long)redos_seen, (unsigned long long)redos_behind_seen,
	       (unsigned long long)lines_read, (unsigned long long)translations,
	       (unsigned long long)cycle);
	if (!failed)
		all_throughputs();
	dut->final();
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
