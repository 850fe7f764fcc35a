// SPDX-License-Identifier: MIT
//
// Shared by the C++ testbenches: checks, random numbers, host memory and an AXI4 memory with random
// stalls, latencies, response order and errors. The AXI4 memory also checks the protocol rules that
// a master must keep.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

// Bytes of a line, with which the device under test was built.
#ifndef LINE_BYTES
#define LINE_BYTES 64
#endif

namespace tb {

inline unsigned passed, failed;

/// Counts and prints one check.
inline void check(bool ok, const std::string &what)
{
	(ok ? passed : failed)++;
	if (!ok)
		printf("not ok - %s\n", what.c_str());
}

template <typename A, typename B> void same(A got, B want, const std::string &what)
{
	uint64_t g = static_cast<uint64_t>(got), w = static_cast<uint64_t>(want);

	if (g != w) {
		char text[64];
		snprintf(text, sizeof(text), ": got 0x%llx, want 0x%llx", (unsigned long long)g,
			 (unsigned long long)w);
		check(false, what + text);
	} else {
		check(true, what);
	}
}

/// Prints the sum; the program's exit status.
inline int finish(const char *name)
{
	printf("# %s\n%u passed, %u failed\n", name, passed, failed);
	return failed != 0;
}

/// xorshift64*: the same numbers from the same seed everywhere.
class Random {
      public:
	explicit Random(uint64_t seed) : state(seed * 2 + 1)
	{
	}
	uint64_t next()
	{
		state ^= state >> 12;
		state ^= state << 25;
		state ^= state >> 27;
		return state * 0x2545f4914f6cdd1dULL;
	}
	/// 0 .. n-1
	uint64_t below(uint64_t n)
	{
		return (next() >> 11) % n;
	}
	/// True in per_mille of 1000 cases.
	bool chance(unsigned per_mille)
	{
		return below(1000) < per_mille;
	}

      private:
	uint64_t state;
};

/// Seed from --seed N, else from the time; printed.
inline uint64_t seed_from(int argc, char **argv, uint64_t fallback)
{
	uint64_t seed = fallback;
	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], nullptr, 0);
	printf("# seed %llu\n", (unsigned long long)seed);
	return seed;
}

/// Sparse memory in 4 KiB pages. Addresses in [bad, bad_end) answer with an error.
class Memory {
      public:
	void write(uint64_t address, const void *data, size_t size)
	{
		for (size_t i = 0; i < size; i++)
			at(address + i) = static_cast<const uint8_t *>(data)[i];
	}
	void read(uint64_t address, void *data, size_t size)
	{
		for (size_t i = 0; i < size; i++)
			static_cast<uint8_t *>(data)[i] = at(address + i);
	}
	void put64(uint64_t address, uint64_t value)
	{
		write(address, &value, 8);
	}
	uint64_t get64(uint64_t address)
	{
		uint64_t value;
		read(address, &value, 8);
		return value;
	}
	uint32_t get32(uint64_t address)
	{
		return static_cast<uint32_t>(get64(address & ~7ULL) >> (address & 4) * 8);
	}
	/// Zeroes whole pages.
	void clear(uint64_t address, uint64_t size)
	{
		pages.erase(pages.lower_bound(address >> 12),
			    pages.lower_bound((address + size) >> 12));
	}
	bool is_bad(uint64_t address) const
	{
		return bad.count(address >> 12);
	}
	uint8_t &at(uint64_t address)
	{
		return pages[address >> 12][address & 4095];
	}

	bool refuses(uint64_t address) const
	{
		return is_bad(address) || bad_writes.count(address >> 12);
	}

	/// Pages that answer every access with SLVERR, and pages that answer only writes with it.
	std::set<uint64_t> bad, bad_writes;

      private:
	std::map<uint64_t, std::array<uint8_t, 4096>> pages;
};

/// AXI4 subordinate for a Memory. Call before_edge() with the inputs settled, then clock the
/// design.
template <typename Top> class AxiMemory {
      public:
	AxiMemory(Top &top, Memory &memory, Random &random, unsigned width)
		: top(top), memory(memory), random(random), bytes(width / 8),
		  beats(LINE_BYTES * 8 / width)
	{
	}

	/// Per mille of cycles in which a ready or valid is withheld; most cycles from address to
	/// data.
	unsigned stall = 200, latency = 20;
	unsigned long reads = 0, writes = 0;

	bool idle() const
	{
		return read_queue.empty() && write_data.empty() && write_address.empty() &&
		       responses.empty();
	}

	/// Drives the inputs for the coming clock edge.
	void drive()
	{
		top.m_axi_awready_i = !random.chance(stall);
		top.m_axi_wready_i = !random.chance(stall);
		top.m_axi_arready_i = !random.chance(stall);
		if (!top.m_axi_bvalid_i && !random.chance(stall))
			offer_b();
		if (!top.m_axi_rvalid_i && !random.chance(stall))
			offer_r();
	}

	/// Takes the transfers of the coming edge; uses the outputs that follow drive().
	void sample(uint64_t now)
	{
		cycle = now;
		if (top.m_axi_awvalid_o && top.m_axi_awready_i)
			take_aw();
		if (top.m_axi_wvalid_o && top.m_axi_wready_i)
			take_w();
		if (top.m_axi_arvalid_o && top.m_axi_arready_i)
			take_ar();
		perform_writes();
		b_taken = top.m_axi_bvalid_i && top.m_axi_bready_o;
		r_taken = top.m_axi_rvalid_i && top.m_axi_rready_o;
	}

	/// After the edge: valids whose transfer has happened fall.
	void release()
	{
		if (b_taken)
			top.m_axi_bvalid_i = 0;
		if (r_taken) {
			top.m_axi_rvalid_i = 0;
			top.m_axi_rlast_i = 0;
		}
	}

      private:
	struct Burst {
		unsigned id;
		uint64_t address, due;
		unsigned beat;
	};
	struct Beat {
		std::vector<uint8_t> data;
		uint64_t strobe;
		bool last;
	};

	void take_aw()
	{
		check_burst(top.m_axi_awaddr_o, top.m_axi_awlen_o, top.m_axi_awsize_o,
			    top.m_axi_awburst_o, "AW");
		same(top.m_axi_awatop_o, 0, "AWATOP");
		check(!write_ids.count(top.m_axi_awid_o), "AWID is not in use");
		write_ids.insert(top.m_axi_awid_o);
		write_address.push_back({ top.m_axi_awid_o, top.m_axi_awaddr_o, 0, 0 });
		writes++;
	}
	void take_w()
	{
		Beat beat{ std::vector<uint8_t>(bytes), 0, static_cast<bool>(top.m_axi_wlast_o) };
		memcpy(beat.data.data(), &top.m_axi_wdata_o, bytes);
		memcpy(&beat.strobe, &top.m_axi_wstrb_o, bytes / 8);
		same(beat.last, (w_beats++ % beats) == beats - 1, "WLAST on the last beat");
		write_data.push_back(beat);
	}
	void take_ar()
	{
		check_burst(top.m_axi_araddr_o, top.m_axi_arlen_o, top.m_axi_arsize_o,
			    top.m_axi_arburst_o, "AR");
		check(!read_ids.count(top.m_axi_arid_o), "ARID is not in use");
		read_ids.insert(top.m_axi_arid_o);
		read_queue.push_back({ top.m_axi_arid_o, top.m_axi_araddr_o,
				       cycle + 1 + random.below(latency), 0 });
		reads++;
	}
	void check_burst(uint64_t address, unsigned len, unsigned size, unsigned burst,
			 const char *channel)
	{
		std::string name = channel;
		same(len, beats - 1, name + "LEN");
		same(1u << size, bytes, name + "SIZE");
		same(burst, 1, name + "BURST");
		same(address % LINE_BYTES, 0, name + "ADDR is that of a line");
	}
	void perform_writes()
	{
		while (!write_address.empty() && write_data.size() >= beats) {
			Burst burst = write_address.front();
			bool bad = memory.refuses(burst.address);
			write_address.pop_front();
			for (unsigned n = 0; n < beats; n++) {
				for (unsigned i = 0; i < bytes && !bad; i++)
					if (write_data.front().strobe >> i & 1)
						memory.at(burst.address + n * bytes + i) =
							write_data.front().data[i];
				write_data.pop_front();
			}
			burst.due = cycle + 1 + random.below(latency);
			responses.push_back(burst);
		}
	}
	/// Any burst that is due may continue: order is free, read data may be interleaved.
	int pick(const std::deque<Burst> &queue)
	{
		for (unsigned tries = 0; tries < 4 && !queue.empty(); tries++) {
			size_t n = random.below(queue.size());
			if (queue[n].due <= cycle)
				return static_cast<int>(n);
		}
		return -1;
	}
	void offer_b()
	{
		int n = pick(responses);
		if (n < 0)
			return;
		top.m_axi_bvalid_i = 1;
		top.m_axi_bid_i = responses[n].id;
		top.m_axi_bresp_i = memory.refuses(responses[n].address) ? 2 : 0;
		write_ids.erase(responses[n].id);
		responses.erase(responses.begin() + n);
	}
	void offer_r()
	{
		int n = pick(read_queue);
		if (n < 0)
			return;
		Burst &burst = read_queue[n];
		std::vector<uint8_t> data(bytes);
		memory.read(burst.address + burst.beat * bytes, data.data(), bytes);
		memcpy(&top.m_axi_rdata_i, data.data(), bytes);
		top.m_axi_rvalid_i = 1;
		top.m_axi_rid_i = burst.id;
		// One bad beat makes the line bad.
		top.m_axi_rresp_i = memory.is_bad(burst.address) && (burst.beat == beats - 1 ||
								     random.chance(300)) ?
					    2 :
					    0;
		top.m_axi_rlast_i = ++burst.beat == beats;
		if (burst.beat == beats) {
			read_ids.erase(burst.id);
			read_queue.erase(read_queue.begin() + n);
		}
	}

	Top &top;
	Memory &memory;
	Random &random;
	unsigned bytes, beats;
	uint64_t cycle = 0;
	unsigned long w_beats = 0;
	bool b_taken = false, r_taken = false;
	std::deque<Burst> read_queue, write_address, responses;
	std::deque<Beat> write_data;
	std::set<unsigned> read_ids, write_ids;
};

} // namespace tb
