// SPDX-License-Identifier: MIT
//
// The surface unit alone against Documentation/surfaces.rst, which is implemented a second time
// here: random texture headers of every version and type, good and bad ones, ends at and beyond
// 2^48; coordinates in, at and beyond every edge; all ways to name a surface; faults, warps that
// are dropped, headers that change; then cycles per warp of streams that have to be fast.
//
// usage: surface_tb COMMANDS SEED [COVERAGE-FILE]

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "Vfaa_test_surface.h"
#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#include "faa_isa.h"
#include "faa_texture.h"

typedef __int128 wide;
typedef std::array<uint64_t, 4> Header;

static Vfaa_test_surface *dut;
static std::mt19937_64 rng;
static unsigned long cycle;
static bool slow = true; // ports with stalls, pages with errors
// Unless slow: cycles of memory; cycles from the first request on until warps are dropped
static unsigned line_takes = 20, drop_in;

static const uint64_t top = 1ull << 48;

[[noreturn]] static void fail(const std::string &what)
{
	printf("not ok 1 - %s in cycle %lu\n0 passed, 1 failed\n", what.c_str(), cycle);
	exit(1);
}

static bool chance(unsigned percent)
{
	return rng() % 100 < percent;
}

static uint64_t pick(uint64_t n)
{
	return rng() % n;
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
	x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
	return x ^ (x >> 33);
}

// ---------------------------------------------------------------------------------------------------------------
// Texture headers

#define FIELD(version, name) \
	FAA_TEXTURE_##version##_##name##_LOW, FAA_TEXTURE_##version##_##name##_WIDTH

static uint64_t get(const Header &h, unsigned low, unsigned width)
{
	uint64_t value = h[low / 64] >> low % 64;
	return width == 64 ? value : value & ((1ull << width) - 1);
}

static void put(Header &h, unsigned low, unsigned width, uint64_t value)
{
	uint64_t mask = ((1ull << width) - 1) << low % 64;
	h[low / 64] = (h[low / 64] & ~mask) | (value << low % 64 & mask);
}

static unsigned texel_bytes(unsigned components)
{
#define X(name, code, bytes)      \
	if (components == (code)) \
		return bytes;
	FAA_TEXELS(X)
#undef X
	return 0;
}

// The surface that a header describes.
struct Surface {
	enum { GOOD, DISABLED, BAD } state;
	bool sint, block, pitched;
	wide base, el, w, h, d, layers, pitch;
	wide bh, bd, wg, hb, level_at, stride, end;
};

static wide ceil_div(wide a, wide b)
{
	return (a + b - 1) / b;
}

static bool type_suits(unsigned dim, bool block, bool pitched, bool buffer, unsigned type)
{
	switch (dim) {
	case FAA_DIM_D1:
		return (block || pitched) && type == FAA_TEXTURE_TYPE_ONE_D;
	case FAA_DIM_D1_BUFFER:
		return buffer && type == FAA_TEXTURE_TYPE_ONE_D_BUFFER;
	case FAA_DIM_D1_ARRAY:
		return block && type == FAA_TEXTURE_TYPE_ONE_D_ARRAY;
	case FAA_DIM_D2:
		return (block || pitched) &&
		       (type == FAA_TEXTURE_TYPE_TWO_D || type == FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP);
	case FAA_DIM_D2_ARRAY:
		return block &&
		       (type == FAA_TEXTURE_TYPE_TWO_D_ARRAY || type == FAA_TEXTURE_TYPE_CUBEMAP ||
			type == FAA_TEXTURE_TYPE_CUBEMAP_ARRAY);
	default:
		return block && type == FAA_TEXTURE_TYPE_THREE_D;
	}
}

// Sizes of all levels: the layout of the operation's level, and the end of all levels.
static void block_linear(Surface &s, wide W, wide H, wide D, unsigned level, unsigned max,
			 unsigned bh0, unsigned bd0)
{
	wide at = 0, first_block = 0;

	for (unsigned l = 0; l <= max; l++) {
		wide w = std::max<wide>(1, W >> l), h = std::max<wide>(1, H >> l),
		     d = std::max<wide>(1, D >> l), bh = bh0, bd = bd0;
		while (bh > 0 && (wide(8) << (bh - 1)) >= h)
			bh--;
		while (bd > 0 && (wide(1) << (bd - 1)) >= d)
			bd--;
		wide wg = ceil_div(w * s.el, 64), hb = ceil_div(h, wide(8) << bh),
		     db = ceil_div(d, wide(1) << bd);
		if (l == 0)
			first_block = wide(512) << (bh + bd);
		if (l == level) {
			s.w = w;
			s.h = h;
			s.d = d;
			s.bh = bh;
			s.bd = bd;
			s.wg = wg;
			s.hb = hb;
			s.level_at = at;
		}
		at += (wg * hb * db) << (bh + bd + 9);
	}
	s.stride = ceil_div(at, first_block) * first_block;
	s.end = s.base + s.layers * s.stride;
}

static Surface understand(const Header &h, unsigned dim)
{
	const unsigned version = unsigned(get(h, FIELD(BLOCKLINEAR, HEADER_VERSION)));
	const unsigned type = unsigned(get(h, FIELD(BLOCKLINEAR, TEXTURE_TYPE)));
	const unsigned max = unsigned(get(h, FIELD(PITCH, MAX_MIP_LEVEL)));
	const unsigned low = unsigned(get(h, FIELD(PITCH, RES_VIEW_MIN_MIP_LEVEL)));
	const bool buffer = version == FAA_HEADER_VERSION_ONE_D_BUFFER;
	const bool view = version == FAA_HEADER_VERSION_PITCH ||
			  version == FAA_HEADER_VERSION_BLOCKLINEAR;
	const bool flat = type == FAA_TEXTURE_TYPE_ONE_D || type == FAA_TEXTURE_TYPE_ONE_D_ARRAY ||
			  type == FAA_TEXTURE_TYPE_ONE_D_BUFFER;
	const wide depth = wide(get(h, FIELD(PITCH, DEPTH_MINUS_ONE))) + 1;
	const wide W = buffer ? wide(get(h, FIELD(ONE_D_BUFFER, WIDTH_MINUS_ONE_BITS31TO16)) << 16 |
				     get(h, FIELD(ONE_D_BUFFER, WIDTH_MINUS_ONE_BITS15TO0))) +
					1 :
				wide(get(h, FIELD(PITCH, WIDTH_MINUS_ONE))) + 1;
	const wide H = flat ? 1 : wide(get(h, FIELD(PITCH, HEIGHT_MINUS_ONE))) + 1;
	const uint64_t high = get(h, FIELD(PITCH, ADDRESS_BITS47TO32)) << 32;
	Surface s = {};

	s.block = version == FAA_HEADER_VERSION_BLOCKLINEAR ||
		  version == FAA_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY;
	s.pitched = version == FAA_HEADER_VERSION_PITCH ||
		    version == FAA_HEADER_VERSION_PITCH_COLOR_KEY;
	s.state = Surface::BAD;
	if (view && low > get(h, FIELD(PITCH, RES_VIEW_MAX_MIP_LEVEL))) {
		s.state = Surface::DISABLED;
		return s;
	}
	s.sint = get(h, FIELD(PITCH, R_DATA_TYPE)) == FAA_DATA_TYPE_SINT;
	s.el = texel_bytes(unsigned(get(h, FIELD(PITCH, COMPONENTS))));
	s.layers = type == FAA_TEXTURE_TYPE_ONE_D_ARRAY || type == FAA_TEXTURE_TYPE_TWO_D_ARRAY ?
			   depth :
		   type == FAA_TEXTURE_TYPE_CUBEMAP	  ? 6 :
		   type == FAA_TEXTURE_TYPE_CUBEMAP_ARRAY ? 6 * depth :
							    1;
	s.w = W;
	s.h = H;
	s.d = type == FAA_TEXTURE_TYPE_THREE_D ? depth : 1;
	if (version > 4 || !s.el || !type_suits(dim, s.block, s.pitched, buffer, type))
		return s;
	if ((s.pitched || type == FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP) && max)
		return s;
	if (view && low > max)
		return s;
	if (buffer) {
		s.base = wide(high | get(h, FIELD(ONE_D_BUFFER, ADDRESS_BITS31TO0)));
		s.end = s.base + W * s.el;
	} else if (s.pitched) {
		s.base = wide(high | get(h, FIELD(PITCH, ADDRESS_BITS31TO5)) << 5);
		s.pitch = wide(get(h, FIELD(PITCH, PITCH_BITS20TO5)) << 5);
		if (s.pitch < W * s.el)
			return s;
		s.end = s.base + H * s.pitch;
	} else {
		const unsigned bh = unsigned(get(h, FIELD(BLOCKLINEAR, GOBS_PER_BLOCK_HEIGHT)));
		const unsigned bd = unsigned(get(h, FIELD(BLOCKLINEAR, GOBS_PER_BLOCK_DEPTH)));
		if (get(h, FIELD(BLOCKLINEAR, GOBS_PER_BLOCK_WIDTH)) ||
		    get(h, FIELD(BLOCKLINEAR, TILE_WIDTH_IN_GOBS)) ||
		    get(h, FIELD(BLOCKLINEAR, GOB3D)) || bh > 5 || bd > 5)
			return s;
		s.base = wide(high | get(h, FIELD(BLOCKLINEAR, ADDRESS_BITS31TO9)) << 9);
		block_linear(s, W, H, s.d, view ? low : 0, max, bh, bd);
	}
	if (s.end <= wide(top))
		s.state = Surface::GOOD;
	return s;
}

// The address of a place inside the surface.
static uint64_t place(const Surface &s, wide xb, wide y, wide z, wide layer)
{
	if (!s.block)
		return uint64_t(s.base + y * s.pitch + xb);
	const wide b = s.bh + s.bd + 9;
	const unsigned gx = unsigned(xb & 63), gy = unsigned(y & 7);
	wide offset = (z >> s.bd) * ((s.wg * s.hb) << b);

	offset += (y >> (3 + s.bh)) * (s.wg << b);
	offset += (xb >> 6) << b;
	offset += (z & ((wide(1) << s.bd) - 1)) << (s.bh + 9);
	offset += ((y >> 3) & ((wide(1) << s.bh) - 1)) << 9;
	offset += (gx >> 5 & 1) << 8 | (gy >> 1 & 3) << 6 | (gx >> 4 & 1) << 5 | (gy & 1) << 4 |
		  (gx & 15);
	return uint64_t(s.base + layer * s.stride + s.level_at + offset);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory: the pool, the constant bank; pages of 4 KiB, some of which cannot be read

struct Config {
	uint64_t pool, count, bank, bytes;
};

static Config config;
static uint64_t version; // of the page tables
static std::map<uint64_t, Header> headers;
static std::map<uint64_t, uint32_t> words;
static unsigned fault_rate = 12; // one page in this many

struct Page {
	unsigned error;
	uint64_t pa; // of the byte, or of the table entry
	bool sparse, refused;
};

static Page translate(uint64_t va)
{
	static const unsigned errors[] = { FAA_ERROR_NOT_MAPPED, FAA_ERROR_BAD_PAGE_TABLE,
					   FAA_ERROR_BUS_ERROR };
	const uint64_t h = mix((va >> 12) * 2 + version * 0x9e3779b97f4a7c15);
	Page page = { FAA_ERROR_SUCCESS, va ^ (version << 40), false, false };

	if (va >> 48) {
		page.error = FAA_ERROR_NON_CANONICAL;
	} else if (slow && h % fault_rate == 0) {
		page.error = errors[h / 1024 % 3];
		page.pa = mix(h) & (top - 8);
	} else {
		page.sparse = slow && h % (2 * fault_rate) == 1;
		page.refused = slow && h % (2 * fault_rate) == 2;
	}
	return page;
}

static Header header_at(uint64_t index)
{
	if (translate(config.pool + 32 * index).sparse)
		return Header{};
	return headers.count(index) ? headers[index] : Header{};
}

static uint32_t word_at(uint64_t index)
{
	if (translate(config.bank + 4 * index).sparse)
		return 0;
	return words.count(index) ? words[index] : 0;
}

static void read_line(uint64_t pa, uint32_t *data)
{
	const uint64_t va = pa ^ (version << 40);

	for (unsigned n = 0; n < sizeof(dut->mem_rsp_data_i) / 4; n++) {
		const uint64_t at = va + 4 * n;
		if (at >= config.pool && at < config.pool + (32ull << 20)) {
			Header h = header_at((at - config.pool) / 32);
			data[n] = uint32_t(h[(at - config.pool) % 32 / 8] >> (at & 4) * 8);
		} else if (at >= config.bank && at < config.bank + 65536) {
			data[n] = word_at((at - config.bank) / 4);
		} else {
			data[n] = uint32_t(mix(at));
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------
// Commands and warps

struct Command {
	unsigned typ, dim, clamp, kind;
	bool is_packed, ba;
	uint64_t handle;
	uint32_t handles[32], z[32];
};

struct Warp {
	uint32_t mask, element;
	unsigned count, error, lane;
	bool is_last;
	uint64_t a[32], d_va, address, salt;
};

struct Answer {
	unsigned error, lane, typ;
	uint64_t address, va[32];
	uint32_t nulls;
};

static Command command;

static unsigned item_bytes(unsigned typ)
{
	switch (typ) {
	case FAA_TYPE_U16:
	case FAA_TYPE_S16:
	case FAA_TYPE_F16:
		return 2;
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
	case FAA_TYPE_F64:
	case FAA_TYPE_SD64:
		return 8;
	default:
		return 4;
	}
}

// The result of a read at @va; true: an error of the lane.
static bool reads_badly(uint64_t va, Answer &answer)
{
	Page page = translate(va);

	answer.error = page.error		    ? page.error :
		       page.refused && !page.sparse ? unsigned(FAA_ERROR_BUS_ERROR) :
						      0;
	answer.address = page.error == FAA_ERROR_BUS_ERROR ? page.pa :
			 answer.error == FAA_ERROR_BUS_ERROR ?
							     page.pa & ~63ull & ((1ull << 52) - 1) :
							     va;
	return answer.error != 0;
}

struct Coordinates {
	int n; // how many
	wide value[3];
	wide layer_from; // the coordinate that is a layer, or 3
};

static Coordinates coordinates(const Command &c, const Warp &w, int lane)
{
	const uint64_t a = w.a[lane];
	Coordinates r = { 1, {}, 3 };
	uint64_t raw[3];

	if (c.dim == FAA_DIM_D1_ARRAY || c.dim == FAA_DIM_D2)
		r.n = 2;
	if (c.dim == FAA_DIM_D2_ARRAY || c.dim == FAA_DIM_D3)
		r.n = 3;
	if (c.dim == FAA_DIM_D1_ARRAY)
		r.layer_from = 1;
	if (c.dim == FAA_DIM_D2_ARRAY)
		r.layer_from = 2;
	for (int i = 0; i < 3; i++)
		raw[i] = c.is_packed ? a >> 16 * i & 0xffff :
			 i == 2	     ? c.z[lane] :
				       a >> 32 * i & 0xffffffff;
	for (int i = 0; i < r.n; i++) {
		if (i == r.layer_from)
			r.value[i] = raw[i] & 0xffff;
		else if (c.is_packed)
			r.value[i] = int16_t(raw[i]);
		else if (c.dim == FAA_DIM_D1_BUFFER && c.clamp != FAA_CLAMP_NEAR)
			r.value[i] = uint32_t(raw[i]);
		else
			r.value[i] = int32_t(raw[i]);
	}
	return r;
}

// One lane on a good surface. True: an error.
static bool lane_on(const Command &c, const Surface &s, const Warp &w, int lane, uint64_t index,
		    Answer &answer)
{
	const wide size = item_bytes(c.typ), r = s.w * s.el / size;
	Coordinates at = coordinates(c, w, lane);
	bool outside = false;

	for (int i = 0; i < at.n; i++) {
		wide greatest = i == 0		   ? (c.ba ? (r - 1) * size : r - 1) :
				i == at.layer_from ? s.layers - 1 :
				i == 1		   ? s.h - 1 :
						     s.d - 1;
		bool bad = at.value[i] < 0 || at.value[i] > greatest || (i == 0 && r == 0);
		if (!bad)
			continue;
		if (c.clamp == FAA_CLAMP_TRAP) {
			answer.error = FAA_ERROR_TRAP;
			answer.address = (uint64_t(at.value[i]) & 0xffffffff) | index << 32 |
					 uint64_t(i) << 52;
			return true;
		}
		if (c.clamp == FAA_CLAMP_IGN || r == 0)
			outside = true;
		at.value[i] = at.value[i] < 0 ? 0 : greatest;
	}
	if (outside) {
		answer.nulls |= 1u << lane;
		return false;
	}
	const wide layer = at.layer_from < 3 ? at.value[int(at.layer_from)] : 0;
	answer.va[lane] = place(s, c.ba ? at.value[0] : at.value[0] * size,
				c.dim == FAA_DIM_D1_ARRAY ? 0 : at.value[1],
				c.dim == FAA_DIM_D3 ? at.value[2] : 0, layer);
	return false;
}

static Answer expect(const Command &c, const Warp &w)
{
	const bool sd = c.typ == FAA_TYPE_SD32 || c.typ == FAA_TYPE_SD64;
	Answer answer = {};
	int sign = -1;

	if (w.error) {
		answer.error = w.error;
		answer.lane = w.lane;
		answer.address = w.address;
		return answer;
	}
	for (int l = 0; l < 32; l++) {
		uint64_t index;
		if (!(w.mask >> l & 1))
			continue;
		answer.lane = unsigned(l);
		if (c.kind == FAA_HANDLE_KIND_BANK) {
			if (4 * c.handle >= config.bytes) {
				answer.error = FAA_ERROR_BANK_RANGE;
				answer.address = 4 * c.handle;
				return answer;
			}
			if (reads_badly(config.bank + 4 * c.handle, answer))
				return answer;
			index = word_at(c.handle);
		} else {
			index = c.kind == FAA_HANDLE_KIND_REG ? c.handles[l] : c.handle;
		}
		index &= 0xfffff;
		if (index >= config.count) {
			answer.nulls |= 1u << l;
			continue;
		}
		if (reads_badly(config.pool + 32 * index, answer))
			return answer;
		Surface s = understand(header_at(index), c.dim);
		if (s.state == Surface::DISABLED) {
			answer.nulls |= 1u << l;
			continue;
		}
		if (sign < 0)
			sign = s.sint;
		if (s.state == Surface::BAD || (sd && sign != s.sint)) {
			answer.error = FAA_ERROR_BAD_HEADER;
			answer.address = config.pool + 32 * index;
			return answer;
		}
		if (lane_on(c, s, w, l, index, answer))
			return answer;
	}
	answer.typ = c.typ == FAA_TYPE_SD32 ? (sign > 0 ? FAA_TYPE_S32 : FAA_TYPE_U32) :
		     c.typ == FAA_TYPE_SD64 ? (sign > 0 ? FAA_TYPE_S64 : FAA_TYPE_U64) :
					      c.typ;
	return answer;
}

// ---------------------------------------------------------------------------------------------------------------
// Ports

static bool tr_waits, mem_waits;
static unsigned long tr_due, mem_due;
static uint64_t tr_va, mem_pa;
static unsigned long headers_read, stalls;

static void inputs()
{
	Page page = translate(tr_va);

	dut->tr_ready_i = !tr_waits && (!slow || chance(60));
	dut->tr_rsp_valid_i = tr_waits && tr_due <= cycle;
	dut->tr_rsp_error_i = uint8_t(page.error);
	dut->tr_rsp_pa_i = page.pa;
	dut->tr_rsp_sparse_i = page.sparse;
	dut->mem_ready_i = !mem_waits && (!slow || chance(60));
	dut->mem_rsp_valid_i = mem_waits && mem_due <= cycle;
	dut->mem_rsp_err_i = 0;
	if (dut->mem_rsp_valid_i) {
		dut->mem_rsp_err_i = translate(mem_pa ^ (version << 40)).refused;
		read_line(mem_pa, &dut->mem_rsp_data_i[0]);
	}
	dut->eval();
}

static void step()
{
	if (dut->tr_rsp_valid_i)
		tr_waits = false;
	if (dut->mem_rsp_valid_i)
		mem_waits = false;
	if (dut->tr_valid_o && dut->tr_ready_i) {
		tr_waits = true;
		tr_va = dut->tr_va_o;
		tr_due = cycle + (slow ? 1 + pick(8) : 3);
	}
	if (dut->mem_valid_o && dut->mem_ready_i) {
		mem_waits = true;
		mem_pa = dut->mem_addr_o;
		mem_due = cycle + (slow ? 1 + pick(12) : line_takes);
	}
	headers_read += dut->ev_header_o;
	stalls += dut->stall_o;
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	dut->eval();
	cycle++;
	inputs();
}

template <typename Port> static void set64(Port &port, unsigned n, uint64_t value)
{
	port[2 * n] = uint32_t(value);
	port[2 * n + 1] = uint32_t(value >> 32);
}

template <typename Port> static uint64_t get64(const Port &port, unsigned n)
{
	return port[2 * n] | uint64_t(port[2 * n + 1]) << 32;
}

static uint64_t operand_of(const Warp &w, unsigned lane, unsigned slot)
{
	return mix(w.salt + lane * 2 + slot);
}

static void drive(const Warp &w)
{
	dut->warp_mask_i = w.mask;
	dut->warp_element_i = w.element;
	dut->warp_count_i = uint8_t(w.count);
	dut->warp_last_i = w.is_last;
	dut->warp_d_va_i = w.d_va;
	dut->warp_error_i = uint8_t(w.error);
	dut->warp_lane_i = uint8_t(w.lane);
	dut->warp_address_i = w.address;
	for (unsigned l = 0; l < 32; l++) {
		set64(dut->warp_a_i, l, w.a[l]);
		set64(dut->warp_b_i, l, operand_of(w, l, 0));
		set64(dut->warp_c_i, l, operand_of(w, l, 1));
	}
}

static std::string hex(uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
	return text;
}

static unsigned long errors_seen[64], nulls_seen, places_seen;

static void compare(const Warp &w)
{
	const Answer answer = expect(command, w);

	if (dut->warp_mask_o != w.mask || dut->warp_element_o != w.element ||
	    dut->warp_count_o != w.count || dut->warp_last_o != w.is_last ||
	    dut->warp_d_va_o != w.d_va)
		fail("what a warp only carries is wrong");
	for (unsigned l = 0; l < 32; l++)
		if (get64(dut->warp_b_o, l) != operand_of(w, l, 0) ||
		    get64(dut->warp_c_o, l) != operand_of(w, l, 1))
			fail("an operand is wrong");
	errors_seen[answer.error]++;
	if (dut->warp_error_o != answer.error)
		fail("error " + std::to_string(dut->warp_error_o) + ", not " +
		     std::to_string(answer.error) + " of lane " + std::to_string(answer.lane) +
		     " " + hex(answer.address));
	if (answer.error) {
		if (dut->warp_lane_o != answer.lane || dut->warp_address_o != answer.address)
			fail("error " + std::to_string(answer.error) + " of lane " +
			     std::to_string(dut->warp_lane_o) + " " + hex(dut->warp_address_o) +
			     ", not of lane " + std::to_string(answer.lane) + " " +
			     hex(answer.address));
		return;
	}
	if (dut->warp_null_o != answer.nulls)
		fail("lanes without a place " + hex(dut->warp_null_o) + ", not " +
		     hex(answer.nulls));
	if (dut->warp_typ_o != answer.typ)
		fail("type " + std::to_string(dut->warp_typ_o) + ", not " +
		     std::to_string(answer.typ));
	for (unsigned l = 0; l < 32; l++) {
		if (!(w.mask >> l & 1))
			continue;
		if (answer.nulls >> l & 1) {
			nulls_seen++;
			continue;
		}
		places_seen++;
		if (get64(dut->warp_a_o, l) != answer.va[l])
			fail("lane " + std::to_string(l) + " is at " +
			     hex(get64(dut->warp_a_o, l)) + ", not " + hex(answer.va[l]));
	}
}

// ---------------------------------------------------------------------------------------------------------------
// Random headers

static uint64_t size_up_to(uint64_t most)
{
	switch (pick(6)) {
	case 0:
		return 1;
	case 1:
		return most;
	case 2:
		return 1 + pick(std::min<uint64_t>(most, 64));
	case 3: {
		uint64_t x = (1ull << pick(33)) + pick(3) - 1;
		return std::max<uint64_t>(1, std::min(most, x));
	}
	default:
		return 1 + pick(std::min<uint64_t>(most, 1000));
	}
}

static void set_base(Header &h, uint64_t base)
{
	put(h, FIELD(ONE_D_BUFFER, ADDRESS_BITS31TO0), base);
	put(h, FIELD(ONE_D_BUFFER, ADDRESS_BITS47TO32), base >> 32);
}

static unsigned type_for(unsigned dim)
{
	static const unsigned arrays[] = { FAA_TEXTURE_TYPE_TWO_D_ARRAY, FAA_TEXTURE_TYPE_CUBEMAP,
					   FAA_TEXTURE_TYPE_CUBEMAP_ARRAY };
	switch (dim) {
	case FAA_DIM_D1:
		return FAA_TEXTURE_TYPE_ONE_D;
	case FAA_DIM_D1_BUFFER:
		return FAA_TEXTURE_TYPE_ONE_D_BUFFER;
	case FAA_DIM_D1_ARRAY:
		return FAA_TEXTURE_TYPE_ONE_D_ARRAY;
	case FAA_DIM_D2:
		return chance(70) ? FAA_TEXTURE_TYPE_TWO_D : FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP;
	case FAA_DIM_D2_ARRAY:
		return arrays[pick(3)];
	default:
		return FAA_TEXTURE_TYPE_THREE_D;
	}
}

static unsigned version_for(unsigned dim)
{
	if (dim == FAA_DIM_D1_BUFFER)
		return FAA_HEADER_VERSION_ONE_D_BUFFER;
	if ((dim == FAA_DIM_D1 || dim == FAA_DIM_D2) && chance(40))
		return chance(70) ? FAA_HEADER_VERSION_PITCH : FAA_HEADER_VERSION_PITCH_COLOR_KEY;
	return chance(80) ? FAA_HEADER_VERSION_BLOCKLINEAR :
			    FAA_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY;
}

static void random_block(Header &h, unsigned type)
{
	unsigned max = type == FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP ? 0 :
		       chance(50)				? unsigned(pick(16)) :
								  0;

	put(h, FIELD(PITCH, MAX_MIP_LEVEL), max);
	put(h, FIELD(BLOCKLINEAR, GOBS_PER_BLOCK_WIDTH), 0);
	put(h, FIELD(BLOCKLINEAR, GOBS_PER_BLOCK_HEIGHT), pick(6));
	put(h, FIELD(BLOCKLINEAR, GOBS_PER_BLOCK_DEPTH), pick(6));
	put(h, FIELD(BLOCKLINEAR, TILE_WIDTH_IN_GOBS), 0);
	put(h, FIELD(BLOCKLINEAR, GOB3D), 0);
	put(h, FIELD(PITCH, RES_VIEW_MIN_MIP_LEVEL), pick(max + 1));
	put(h, FIELD(PITCH, RES_VIEW_MAX_MIP_LEVEL), 15);
}

// A header that fits @dim, mostly.
static Header random_header(unsigned dim)
{
	static const unsigned codes[] = { 0x01, 0x02, 0x03, 0x04, 0x07, 0x08, 0x09, 0x0c,
					  0x0f, 0x0f, 0x0f, 0x18, 0x1b, 0x1d, 0x20, 0x21 };
	const unsigned version = version_for(dim), type = type_for(dim);
	const unsigned code = codes[pick(16)];
	const bool buffer = version == FAA_HEADER_VERSION_ONE_D_BUFFER;
	const bool pitched = version == FAA_HEADER_VERSION_PITCH ||
			     version == FAA_HEADER_VERSION_PITCH_COLOR_KEY;
	const uint64_t width = size_up_to(buffer ? 1ull << 32 : 1 << 16);
	Header h;

	for (uint64_t &word : h)
		word = rng();
	put(h, FIELD(PITCH, COMPONENTS), code);
	put(h, FIELD(PITCH, R_DATA_TYPE), chance(50) ? FAA_DATA_TYPE_SINT : 1 + pick(7));
	put(h, FIELD(PITCH, HEADER_VERSION), version);
	put(h, FIELD(PITCH, TEXTURE_TYPE), type);
	put(h, FIELD(PITCH, WIDTH_MINUS_ONE), width - 1);
	if (buffer)
		put(h, FIELD(ONE_D_BUFFER, WIDTH_MINUS_ONE_BITS31TO16), (width - 1) >> 16);
	if (!buffer) {
		put(h, FIELD(PITCH, HEIGHT_MINUS_ONE), size_up_to(1 << 16) - 1);
		put(h, FIELD(PITCH, DEPTH_MINUS_ONE), size_up_to(1 << 14) - 1);
		if (pitched) {
			uint64_t least = (width * texel_bytes(code) + 31) / 32;
			put(h, FIELD(PITCH, MAX_MIP_LEVEL), 0);
			put(h, FIELD(PITCH, PITCH_BITS20TO5),
			    std::min<uint64_t>(least + (chance(50) ? 0 : pick(100)), 65535));
			put(h, FIELD(PITCH, RES_VIEW_MIN_MIP_LEVEL), 0);
			put(h, FIELD(PITCH, RES_VIEW_MAX_MIP_LEVEL), pick(16));
		} else {
			random_block(h, type);
		}
	}
	// Low, so that big surfaces fit, too; or with an end at 2^48, below or above.
	set_base(h, chance(60) ? rng() >> 26 : rng() & (top - 1));
	if (chance(20)) {
		Header low = h;
		set_base(low, 0);
		Surface s = understand(low, dim);
		if (s.state == Surface::GOOD)
			set_base(h, uint64_t(wide(top) - s.end) +
					    (chance(30) ? buffer ? 1 : 512 : 0) -
					    (chance(30) ? 512 : 0));
	}
	if (chance(12)) { // one field is wrong, or does not matter
		unsigned bit = unsigned(pick(256));
		h[bit / 64] ^= 1ull << bit % 64;
	}
	return h;
}

// A coordinate near an edge of @size, or any other.
static uint64_t coordinate(wide size)
{
	switch (pick(10)) {
	case 0:
		return chance(50) ? 0x80000000 : 0x7fffffff;
	case 1:
		return chance(50) ? 0xffffffff : uint64_t(size) + pick(3);
	case 2:
		return uint64_t(size - 1);
	case 3:
		return chance(50) ? 0 : rng();
	default:
		return size > 0 ? pick(uint64_t(size)) : 0;
	}
}

static void random_lane(const Command &c, Warp &w, int l, Command &with, bool third)
{
	const uint64_t index = (c.kind == FAA_HANDLE_KIND_REG  ? c.handles[l] :
				c.kind == FAA_HANDLE_KIND_BANK ? word_at(c.handle) :
								 c.handle) &
			       0xfffff;
	const Surface s = understand(header_at(index), c.dim);
	const wide size = item_bytes(c.typ), r = s.w * s.el / size;
	uint64_t x = coordinate(c.ba ? (r - 1) * size + 1 : r);
	const uint64_t y = coordinate(c.dim == FAA_DIM_D1_ARRAY ? s.layers : s.h);
	const uint64_t z = coordinate(c.dim == FAA_DIM_D3 ? s.d : s.layers);

	if (c.ba && chance(70))
		x &= ~uint64_t(size - 1);
	if (c.is_packed)
		w.a[l] = (x & 0xffff) | (y & 0xffff) << 16 | (z & 0xffff) << 32 | rng() << 48;
	else
		w.a[l] = (x & 0xffffffff) | y << 32;
	if (third)
		with.z[l] = uint32_t(z);
}

static void random_command()
{
	static const unsigned types[] = { FAA_TYPE_U16,	 FAA_TYPE_U32,	 FAA_TYPE_S32,
					  FAA_TYPE_U64,	 FAA_TYPE_F16,	 FAA_TYPE_F32,
					  FAA_TYPE_F64,	 FAA_TYPE_F16X2, FAA_TYPE_SD32,
					  FAA_TYPE_SD32, FAA_TYPE_SD64 };
	Command &c = command;

	c.typ = types[pick(11)];
	c.kind = unsigned(pick(3));
	c.clamp = unsigned(pick(3));
	c.is_packed = c.dim != FAA_DIM_D1 && c.dim != FAA_DIM_D1_BUFFER && chance(30);
	c.ba = chance(30);
	c.handle = c.kind == FAA_HANDLE_KIND_REG ? pick(255) : pick(24);
	if (c.kind == FAA_HANDLE_KIND_BANK && chance(20))
		c.handle = pick(FAA_CONSTANT_WORDS);
	if (c.kind == FAA_HANDLE_KIND_INDEX && chance(10))
		c.handle = rng() & 0xfffff;
	const uint32_t one = uint32_t(pick(24));
	const unsigned spread = chance(50) ? 1 : chance(70) ? 4 : 24;
	for (uint32_t &handle : c.handles) {
		handle = uint32_t(rng() << 20) | uint32_t((one + pick(spread)) % 24);
		if (chance(1))
			handle = uint32_t(rng());
	}
	dut->opcode_i = FAA_OPCODE_SUATOM;
	dut->typ_i = uint8_t(c.typ);
	dut->dim_i = uint8_t(c.dim);
	dut->packed_i = c.is_packed;
	dut->ba_i = c.ba;
	dut->clamp_i = uint8_t(c.clamp);
	dut->handle_kind_i = uint8_t(c.kind);
	dut->handle_i = uint32_t(c.handle);
	for (int l = 0; l < 32; l++)
		dut->handles_i[l] = c.handles[l];
}

static Warp random_warp(bool first)
{
	Warp w = {};

	w.mask = !slow || chance(70) ? ~0u : chance(10) ? 0 : uint32_t(rng());
	w.element = uint32_t(rng() & ~31u);
	w.count = unsigned(1 + pick(32));
	w.is_last = chance(20);
	w.d_va = rng();
	w.salt = rng();
	w.address = rng();
	w.lane = unsigned(pick(32));
	w.error = slow && chance(3) ? unsigned(FAA_ERROR_NOT_MAPPED) : 0;
	for (int l = 0; l < 32; l++)
		random_lane(command, w, l, command, first);
	return w;
}

static void set(unsigned op, uint64_t address, uint64_t value)
{
	dut->set_i = 1;
	dut->config_op_i = uint8_t(op);
	dut->config_address_i = address;
	dut->config_value_i = value;
	dut->drop_i = 1;
	dut->eval();
	step();
	dut->set_i = 0;
	dut->drop_i = 0;
	dut->eval();
}

// The configuration as in the save area, loaded back.
static void check_image(uint64_t helpers)
{
	uint64_t low = dut->image_o[0] | uint64_t(dut->image_o[1]) << 32,
		 bank = dut->image_o[4] | uint64_t(dut->image_o[5]) << 32;

	if (low != config.pool || dut->image_o[2] != config.count ||
	    dut->image_o[3] != config.bytes || bank != config.bank ||
	    dut->image_o[6] != uint32_t(helpers))
		fail("the saved configuration is wrong");
	std::array<uint32_t, 7> image;
	for (unsigned n = 0; n < 7; n++)
		image[n] = dut->image_o[n];
	for (unsigned round = 0; round < 2; round++) {
		dut->load_i = 1;
		for (unsigned n = 0; n < 7; n++)
			dut->image_i[n] = round ? image[n] : 0;
		dut->eval();
		step();
		dut->load_i = 0;
		for (unsigned n = 0; n < 7; n++)
			if (dut->image_o[n] != (round ? image[n] : 0))
				fail("the loaded configuration is wrong");
	}
}

static void new_world()
{
	const uint64_t helpers = rng();

	version = rng() & 0xfff;
	headers.clear();
	words.clear();
	config.pool = chance(10) ? top - 32 * (1 + pick(24)) :
				   (rng() & 0x3fffffffffe0); // apart from the bank
	config.count = chance(5) ? 1ull << 20 : 1 + (chance(80) ? 23 : pick(24));
	config.bytes = 4 * (chance(80) ? pick(16384) : pick(24));
	config.bank = config.pool < top / 2 && chance(5) ? top - 4 * (1 + pick(24)) :
							   0x600000000000 + (rng() & 0xfffffffffc);
	command.dim = unsigned(pick(6));
	for (uint64_t n = 0; n < 24; n++) {
		headers[n] = random_header(chance(90) ? command.dim : unsigned(pick(6)));
		words[n] = uint32_t(rng() << 20) | uint32_t(pick(25));
	}
	set(FAA_CONFIG_HEADER_POOL, config.pool, config.count - 1);
	set(FAA_CONFIG_CONSTANT_BANK, config.bank, config.bytes);
	set(FAA_CONFIG_HELPER_LANES, 0, helpers & 0xffffffff);
	check_image(helpers);
}

// ---------------------------------------------------------------------------------------------------------------
// Runs

static unsigned long warps_done, flushes;

static void run_command(unsigned warps, unsigned give, unsigned take)
{
	std::deque<Warp> inside;
	std::vector<Warp> queue;
	unsigned next = 0, may_flush = unsigned(pick(8));
	const unsigned flush_rate = chance(50) ? 30 : 300;
	unsigned long begin = cycle;
	bool asked = false;

	for (unsigned n = 0; n < warps; n++)
		queue.push_back(random_warp(n == 0));
	for (unsigned l = 0; l < 32; l++)
		dut->z_i[l] = command.z[l];
	dut->warp_valid_i = 0;
	while (next < warps || !inside.empty() || !dut->quiet_o) {
		if (!dut->warp_valid_i && next < warps && chance(give)) {
			drive(queue[next]);
			dut->warp_valid_i = 1;
		}
		dut->warp_ready_i = chance(take);
		// Only a few times: a warp of many surfaces needs thousands of cycles without a
		// flush.
		dut->flush_i = slow && may_flush && pick(flush_rate) == 0;
		may_flush -= dut->flush_i;
		asked |= dut->tr_valid_o;
		if (!slow && asked && drop_in)
			dut->flush_i = --drop_in == 0;
		dut->eval();
		if (dut->flush_i) {
			// Warps inside are dropped; the sender restarts.
			dut->warp_ready_i = 0;
			dut->eval();
			if (dut->warp_ready_o)
				fail("a warp is taken while warps are dropped");
			flushes++;
			dut->warp_valid_i = 0;
			next -= unsigned(inside.size());
			inside.clear();
		}
		if (dut->warp_valid_o && dut->warp_ready_i && !dut->flush_i) {
			if (inside.empty())
				fail("a warp that is none");
			compare(inside.front());
			inside.pop_front();
			warps_done++;
		}
		const bool taken = dut->warp_valid_i && dut->warp_ready_o;
		if (taken)
			inside.push_back(queue[next++]);
		step();
		if (taken)
			dut->warp_valid_i = 0;
		dut->flush_i = 0;
		dut->eval();
		if (cycle - begin > 20000 + 1000ul * warps)
			fail("the unit hangs");
	}
	dut->warp_ready_i = 0;
}

// Warps of other commands pass in the same cycle; a command comes a cycle before its first warp.
static void run_others()
{
	Warp w = random_warp(false);

	dut->opcode_i = chance(50) ? FAA_OPCODE_ATOM : FAA_OPCODE_ST;
	drive(w);
	dut->warp_valid_i = 0;
	step();
	dut->warp_valid_i = 1;
	dut->warp_ready_i = 1;
	dut->eval();
	for (unsigned beat = 1; beat < 32u / dut->lanes_o; beat++)
		step();
	dut->warp_ready_i = chance(50);
	dut->eval();
	if (!dut->warp_valid_o || dut->warp_ready_o != dut->warp_ready_i || dut->warp_null_o ||
	    dut->warp_typ_o != command.typ || dut->warp_mask_o != w.mask ||
	    dut->warp_error_o != w.error || dut->warp_address_o != w.address || !dut->quiet_o)
		fail("another command does not pass");
	for (unsigned l = 0; l < 32; l++)
		if (get64(dut->warp_a_o, l) != w.a[l] ||
		    get64(dut->warp_c_o, l) != operand_of(w, l, 1))
			fail("an operand of another command does not pass");
	dut->warp_ready_i = 1;
	step();
	dut->warp_valid_i = 0;
	dut->warp_ready_i = 0;
	dut->opcode_i = FAA_OPCODE_SUATOM;
	step();
}

// The worked examples of surfaces.rst.
static void examples()
{
	struct {
		wide w, h, d, el;
		unsigned level, max, bh, bd;
		wide layers, x, y, z, layer;
		uint64_t offset;
	} const examples[] = {
		{ 16, 8, 1, 4, 0, 0, 0, 0, 1, 13, 5, 0, 0, 436 },
		{ 100, 40, 1, 4, 0, 0, 1, 0, 1, 37, 21, 0, 0, 9396 },
		{ 33, 20, 5, 8, 0, 0, 1, 1, 1, 19, 13, 3, 0, 26296 },
		{ 65, 33, 1, 4, 2, 5, 2, 0, 3, 9, 6, 0, 2, 72132 },
	};

	for (const auto &e : examples) {
		Surface s = {};
		s.block = true;
		s.el = e.el;
		s.layers = e.layers;
		block_linear(s, e.w, e.h, e.d, e.level, e.max, e.bh, e.bd);
		if (place(s, e.x * e.el, e.y, e.z, e.layer) != e.offset)
			fail("the example at " + std::to_string(e.offset) + " is at " +
			     std::to_string(place(s, e.x * e.el, e.y, e.z, e.layer)));
	}
}

// Surfaces of 2D that are good, named by a register in each lane; ports do not stall.
static void plain_world()
{
	Command &c = command;

	slow = false;
	new_world();
	config.count = 24;
	set(FAA_CONFIG_HEADER_POOL, config.pool = 0x10000, 23);
	c = {};
	c.dim = FAA_DIM_D2;
	c.typ = FAA_TYPE_U32;
	c.kind = FAA_HANDLE_KIND_REG;
	c.clamp = FAA_CLAMP_NEAR;
	for (unsigned n = 0; n < 24; n++) {
		do
			headers[n] = random_header(c.dim);
		while (understand(headers[n], c.dim).state != Surface::GOOD);
	}
	dut->typ_i = uint8_t(c.typ);
	dut->dim_i = uint8_t(c.dim);
	dut->packed_i = dut->ba_i = 0;
	dut->clamp_i = uint8_t(c.clamp);
	dut->handle_kind_i = uint8_t(c.kind);
}

static void use_surfaces(unsigned surfaces)
{
	for (unsigned l = 0; l < 32; l++)
		dut->handles_i[l] = command.handles[l] = l % surfaces;
}

// A warp is dropped in each cycle of the read of its last lane's header, and comes again: the
// header enters the table while any lane before is looked up or computed. With 8 surfaces before
// it, it replaces one of theirs.
static void dropped_reads(unsigned surfaces, unsigned delay)
{
	const unsigned long begin = flushes;

	plain_world();
	line_takes = delay;
	for (unsigned n = 1; n == flushes - begin + 1; n++) {
		set(FAA_CONFIG_HEADER_POOL, config.pool, 23);
		use_surfaces(surfaces);
		run_command(1, 100, 100);
		dut->handles_i[31] = command.handles[31] = 20;
		drop_in = n;
		run_command(1, 100, 100);
	}
	drop_in = 0;
	line_takes = 20;
	slow = true;
	if (flushes - begin < delay + 16)
		fail("a read is not dropped in each of its cycles");
	printf("# %lu times dropped beside %u surfaces, a line in %u cycles\n", flushes - begin,
	       surfaces, delay);
}

static void pace(const char *what, unsigned surfaces, double want)
{
	const unsigned warps = 200;

	// A build of fewer lanes per cycle handles groups of lanes: each group needs a cycle for
	// each of its surfaces, of which it has at most one per lane.
	const unsigned lanes = dut->surface_lanes_o;
	// Beats of a warp leave from the cycle after the last one of the warp before on.
	const unsigned beats = dut->lanes_o < 32 ? 32u / dut->lanes_o + 1 : 1;
	if (lanes < 32)
		want = std::max(32 / lanes * std::min(surfaces, lanes), beats) * 1.05;
	if (dut->lanes_o == 1) // no two lanes overlap; the last warp ends
		want = 32 * 10 * 1.001;
	if (lanes < 8 && surfaces > 8)
		want = 1e9;
	plain_world();
	use_surfaces(surfaces);
	run_command(1, 100, 100);
	const unsigned long begin = cycle, read = headers_read;
	run_command(warps, 100, 100);
	const double got = double(cycle - begin) / warps;
	printf("# %s: %.2f cycles a warp, %lu headers\n", what, got, headers_read - read);
	if (got > want)
		fail(std::string(what) + " takes " + std::to_string(got) + " cycles a warp");
	slow = true;
}

int main(int argc, char **argv)
{
	const unsigned long commands = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20000;
	const unsigned needed[] = { FAA_ERROR_TRAP,	  FAA_ERROR_BAD_HEADER,
				    FAA_ERROR_BANK_RANGE, FAA_ERROR_NON_CANONICAL,
				    FAA_ERROR_NOT_MAPPED, FAA_ERROR_BAD_PAGE_TABLE,
				    FAA_ERROR_BUS_ERROR };

	Verilated::commandArgs(argc, argv);
	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	examples();
	dut = new Vfaa_test_surface;
	dut->opcode_i = FAA_OPCODE_SUATOM;
	dut->rst_ni = 0;
	step();
	step();
	dut->rst_ni = 1;
	inputs();
	for (unsigned long n = 0; n < commands; n++) {
		if (n % 4 == 0)
			new_world();
		random_command();
		run_command(unsigned(1 + pick(8)), chance(50) ? 100 : 40,
			    chance(40) ? 100 :
			    chance(60) ? 40 :
					 2);
		if (dut->lanes_o > 1) // lane by lane they do not come here
			run_others();
	}
	for (unsigned error : needed)
		if (!errors_seen[error])
			fail("never an error " + std::to_string(error));
	printf("# %lu warps, %lu places, %lu lanes without one, %lu times dropped, %lu headers, %lu traps, %lu bad headers, %lu faults\n",
	       warps_done, places_seen, nulls_seen, flushes, headers_read,
	       errors_seen[FAA_ERROR_TRAP], errors_seen[FAA_ERROR_BAD_HEADER],
	       errors_seen[FAA_ERROR_NOT_MAPPED]);
	for (unsigned delay : { 1, 6, 20, 90 })
		dropped_reads(4, delay);
	dropped_reads(8, 6);
	pace("one surface", 1, 1.05);
	pace("two surfaces a warp", 2, 2.05);
	pace("eight surfaces a warp", 8, 8.05);
#if VM_COVERAGE
	if (argc > 3)
		VerilatedCov::write(argv[3]);
#endif
	delete dut;
	printf("ok 1 - %lu commands\n1 passed, 0 failed\n", commands);
	return 0;
}
