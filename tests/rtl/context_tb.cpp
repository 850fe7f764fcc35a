// SPDX-License-Identifier: MIT
//
// The context engine alone: contexts of both slots, with and without shared memory, are saved,
// restored and cleared, with slot 0 the counters, too. Memory answers in any order, now and then
// with an error. The save area must have the layout of device.rst, and a restored context must
// equal the saved one.
//
// usage: context_tb ROUNDS SEED LANES; LANES: lanes per beat

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "Vfaa_cu_context.h"
#include "verilated.h"

static Vfaa_cu_context *dut;
static std::mt19937_64 rng;

static constexpr unsigned kLine = sizeof(Vfaa_cu_context::mem_data_o); // bytes of a line
static constexpr uint64_t kSave = 0x123456780000;
static constexpr size_t kShared = 8192, kContext = 32768, kCounters = 32,
			kArea = 2 * kContext + kShared + 8 * kCounters;
static constexpr unsigned kSnap = sizeof(Vfaa_cu_context::snap_data_i) / 8; // counters of a beat
enum { CLEAR = 1, SAVE, RESTORE };

struct State {
	uint32_t row[255][32], pred[7], config[7], shared[kShared / 4];
	uint64_t counters[kCounters];
};

struct Request {
	uint64_t at;
	unsigned tag, left;
};

struct Beat {
	uint32_t data[32], part;
};

static State state;
static std::vector<uint8_t> memory(kArea);
static std::vector<Request> unanswered;
static std::vector<Beat> results; // of loads of shared memory
static unsigned lanes, beats, shared_left, errors;
static bool slow, refuses, reading, folded;
static unsigned folding; // cycles until a fold is done
static uint8_t read_row, read_beat;
static unsigned long cycle;

[[noreturn]] static void fail(const char *what)
{
	printf("not ok 1 - %s in cycle %lu\n0 passed, 1 failed\n", what, cycle);
	exit(1);
}

static bool chance(unsigned percent)
{
	return rng() % 100 < percent;
}

static uint32_t random_word()
{
	return static_cast<uint32_t>(rng());
}

static void inputs()
{
	if (reading)
		memcpy(&dut->rd_data_i, &state.row[read_row][read_beat * lanes], 4 * lanes);
	memcpy(&dut->pred_i, state.pred, sizeof(state.pred));
	memcpy(&dut->config_i, state.config, sizeof(state.config));
	dut->mem_ready_i = unanswered.size() < 100 && (!slow || chance(70));
	dut->mem_rsp_valid_i = dut->mem_rsp_err_i = 0;
	for (Request &r : unanswered)
		if (r.left)
			r.left--;
	for (size_t n = 0; n < unanswered.size(); n++) {
		if (unanswered[n].left || (slow && chance(50)))
			continue;
		dut->mem_rsp_valid_i = 1;
		dut->mem_rsp_tag_i = static_cast<uint8_t>(unanswered[n].tag);
		memcpy(&dut->mem_rsp_data_i, &memory[unanswered[n].at], kLine);
		dut->mem_rsp_err_i = refuses && chance(1);
		errors += dut->mem_rsp_err_i;
		unanswered.erase(unanswered.begin() + static_cast<long>(n));
		break;
	}
	dut->shared_ready_i = !slow || chance(70);
	// A result that is offered stays.
	if (!dut->shared_result_valid_i)
		dut->shared_result_valid_i = !results.empty() && (!slow || chance(50));
	if (dut->shared_result_valid_i) {
		memcpy(&dut->shared_result_i, results.front().data, 4 * lanes);
		dut->shared_part_i = static_cast<uint8_t>(results.front().part);
	}
	dut->shared_idle_i = results.empty() && !shared_left;
	// A beat that is there stays.
	dut->snap_valid_i = dut->snap_req_o && (dut->snap_valid_i || !slow || chance(50));
	memcpy(&dut->snap_data_i, &state.counters[dut->snap_beat_o * kSnap % kCounters], 8 * kSnap);
	dut->fold_done_i = folding == 1;
	dut->load_ready_i = !slow || chance(30);
	dut->eval();
}

/// Of counters_o, the bits from lsb on
static unsigned load_bits(unsigned lsb, unsigned width)
{
	const uint32_t *bits = reinterpret_cast<const uint32_t *>(&dut->counters_o);

	return bits[lsb / 32] >> lsb % 32 & ((1u << width) - 1);
}

static void counters_step()
{
	const bool clear = load_bits(8 * kLine + 5, 1), fold = load_bits(8 * kLine + 6, 1);

	if (dut->fold_done_i) {
		folded = true;
		folding = 0;
		if (clear)
			memset(state.counters, 0, sizeof(state.counters));
	} else if (folding) {
		folding--;
	} else if (fold) {
		folding = slow ? 2 + static_cast<unsigned>(rng() % 3000) : 100;
	}
	if (!fold && folding)
		fail("a fold ends before it is done");
	if (load_bits(8 * kLine + 4, 1) && dut->load_ready_i) {
		if (!folded)
			fail("counters are loaded before the fold");
		memcpy(reinterpret_cast<uint8_t *>(state.counters) +
			       load_bits(8 * kLine, 4) * kLine,
		       &dut->counters_o, kLine);
	}
}

static void shared_beat()
{
	const unsigned beat = dut->shared_part_o & 7;
	Beat answer = {};

	if ((dut->shared_part_o >> 3) != (beat + 1 == beats))
		fail("the last beat of a row is not told");
	for (unsigned l = 0; l < lanes; l++) {
		uint32_t at = 0, value;
		for (unsigned bit = 0; bit < 24; bit++)
			at |= (reinterpret_cast<uint32_t *>(
				       &dut->shared_addr_o)[(l * 24 + bit) / 32] >>
				       (l * 24 + bit) % 32 &
			       1)
			      << bit;
		if (at >= kShared || at % 4)
			fail("a word beyond shared memory is accessed");
		memcpy(&value, reinterpret_cast<uint32_t *>(&dut->shared_data_o) + l, 4);
		if (dut->shared_load_o)
			answer.data[l] = state.shared[at / 4];
		else if (dut->shared_mask_o >> (beat * lanes + l) & 1)
			state.shared[at / 4] = value;
	}
	answer.part = dut->shared_part_o;
	if (dut->shared_load_o)
		results.push_back(answer);
	shared_left = 20;
}

static void step()
{
	counters_step();
	if (dut->mem_valid_o && dut->mem_ready_i) {
		const uint64_t at = dut->mem_line_o * kLine - kSave;
		if (at >= kArea)
			fail("a line beyond the save area is accessed");
		if (dut->mem_write_o)
			memcpy(&memory[at], &dut->mem_data_o, kLine);
		else
			for (const Request &r : unanswered)
				if (r.tag == dut->mem_tag_o)
					fail("a tag is used twice");
		unanswered.push_back(
			{ at, dut->mem_tag_o, slow ? static_cast<unsigned>(rng() % 40) : 20 });
	}
	reading = dut->rd_en_o;
	read_row = dut->rd_row_o;
	read_beat = dut->rd_beat_o;
	if (dut->wr_en_o && dut->wr_row_o < 255)
		for (unsigned l = 0; l < lanes; l++)
			if (dut->wr_mask_o >> l & 1)
				memcpy(&state.row[dut->wr_row_o][dut->wr_beat_o * lanes + l],
				       reinterpret_cast<uint32_t *>(&dut->wr_data_o) + l, 4);
	for (unsigned n = 0; n < 7; n++) {
		if (dut->pred_load_o >> n / 4 & 1)
			memcpy(&state.pred[n], reinterpret_cast<uint32_t *>(&dut->pred_o) + n, 4);
		if (dut->config_load_o >> n / 4 & 1)
			memcpy(&state.config[n], reinterpret_cast<uint32_t *>(&dut->config_o) + n,
			       4);
	}
	if (dut->shared_valid_o && dut->shared_ready_i)
		shared_beat();
	else if (shared_left)
		shared_left--;
	const bool taken = dut->shared_result_valid_i && dut->shared_result_ready_o;
	dut->clk_i = 1;
	dut->eval();
	if (taken) {
		results.erase(results.begin());
		dut->shared_result_valid_i = 0;
	}
	dut->clk_i = 0;
	dut->eval();
	cycle++;
}

static unsigned long operation(unsigned op, unsigned slot, uint32_t bytes)
{
	const unsigned long begin = cycle;

	errors = 0;
	dut->op_i = static_cast<uint8_t>(op);
	dut->slot_i = static_cast<uint8_t>(slot);
	dut->shared_bytes_i = bytes;
	dut->save_addr_i = kSave;
	dut->start_i = 1;
	folded = false;
	inputs();
	step();
	dut->start_i = 0;
	while (dut->busy_o) {
		inputs();
		step();
		if (cycle - begin > 400000)
			fail("the engine hangs");
	}
	if (dut->error_o != (errors != 0))
		fail("an error is lost, or made up");
	if (!unanswered.empty())
		fail("it ends before the last answer");
	if (folded != (op != SAVE && slot == 0) || folding)
		fail("counters are folded once, with slot 0");
	return cycle - begin;
}

static void randomise()
{
	for (size_t n = 0; n < sizeof(state) / 4; n++)
		reinterpret_cast<uint32_t *>(&state)[n] = random_word();
}

static void saved(unsigned slot, uint32_t bytes)
{
	const uint8_t *area = &memory[slot * kContext], *last = area + 255 * 128;

	if (memcmp(area, state.row, sizeof(state.row)))
		fail("registers are not saved");
	if (memcmp(last, state.pred, 28) || memcmp(last + 32, state.config, 28))
		fail("predicates, or the configuration, are not saved");
	if (slot == 0 && memcmp(&memory[2 * kContext], state.shared, bytes))
		fail("shared memory is not saved");
	if (slot == 0 && memcmp(&memory[2 * kContext + bytes], state.counters, 8 * kCounters))
		fail("counters are not saved");
}

int main(int argc, char **argv)
{
	const unsigned long rounds = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20;

	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	lanes = argc > 3 ? static_cast<unsigned>(atoi(argv[3])) : 32;
	beats = 32 / lanes;
	dut = new Vfaa_cu_context;
	dut->rst_ni = 0;
	step();
	step();
	dut->rst_ni = 1;
	for (unsigned long round = 0; round < rounds; round++) {
		const unsigned slot = rng() % 2;
		const uint32_t bytes = 128 * static_cast<uint32_t>(rng() % (kShared / 128 + 1));
		static const State zero = {};
		unsigned long cycles[4];

		slow = round != 0;
		refuses = chance(20);
		randomise();
		for (uint8_t &byte : memory)
			byte = static_cast<uint8_t>(rng());
		const State before = state;
		cycles[SAVE] = operation(SAVE, slot, bytes);
		saved(slot, bytes);
		randomise();
		State after = state;
		cycles[RESTORE] = operation(RESTORE, slot, bytes);
		memcpy(&after, &before, offsetof(State, shared));
		if (slot == 0) {
			memcpy(after.shared, before.shared, bytes);
			memcpy(after.counters, before.counters, sizeof(after.counters));
		}
		if (memcmp(&after, &state, sizeof(state)))
			fail("what is restored is not what was saved");
		cycles[CLEAR] = operation(CLEAR, slot, bytes);
		memcpy(&after, &zero, offsetof(State, shared));
		if (slot == 0) {
			memset(after.shared, 0, bytes);
			memset(after.counters, 0, sizeof(after.counters));
		}
		if (memcmp(&after, &state, sizeof(state)))
			fail("a context is not cleared");
		if (!slow)
			printf("# slot %u, %u bytes of shared memory: %lu cycles to save, %lu to restore, %lu to clear\n",
			       slot, bytes, cycles[SAVE], cycles[RESTORE], cycles[CLEAR]);
	}
	delete dut;
	printf("ok 1 - %lu contexts saved, restored, cleared\n1 passed, 0 failed\n", rounds);
	return 0;
}
