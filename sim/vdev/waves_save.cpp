// SPDX-License-Identifier: Apache-2.0
//
// Save files of waveforms. The signals of a room are chosen by patterns of their names, which are
// searched in the waveform itself: builds of the device differ in units, slots and slices.

#include "waves_save.h"

#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fnmatch.h>
#include <unistd.h>

#include "gtkwave/fstapi.h"

namespace {

// Flags of lines of a save file.
constexpr unsigned kHex = 0x22;
constexpr unsigned kBit = 0x28;
constexpr unsigned kGroupBegin = 0x800200;
constexpr unsigned kGroupEnd = 0x1000200;
constexpr unsigned kClosed = 0x400000;

// Of the part of the window that has waves.
constexpr double kPixels = 1100;

struct Room {
	const char *name;
	// A group of its own stays folded at first.
	bool closed;
	std::vector<const char *> patterns;
};

// "*" stands for any text. Patterns begin in the top module of the device. A signal is shown once,
// in the order of the patterns.
const Room rooms[] = {
	{ "Device",
	  false,
	  { "clk_i", "rst_ni", "cycle_q", "idle_o", "msix_valid_o", "msix_ready_i",
	    "msix_vector_o" } },
	{ "Registers (AXI4-Lite)", true, { "s_axil_*" } },
	{ "Queues",
	  false,
	  { "u_frontend.*.u_queue.state_o", "u_frontend.*.u_queue.enable_i",
	    "u_frontend.*.u_queue.tail_i", "u_frontend.*.u_queue.head_o",
	    "u_frontend.*.u_queue.ready_o", "u_frontend.*.u_queue.grant_i",
	    "u_frontend.*.u_queue.kill_i" } },
	{ "Front end",
	  false,
	  { "u_frontend.u_sched.*_i", "u_frontend.u_sched.*_o", "u_frontend.*.u_runner.state_q",
	    "u_frontend.*.u_runner.queue_o", "u_frontend.*.u_runner.busy_o",
	    "u_frontend.*.u_runner.running_o", "u_frontend.*.u_runner.job_valid_o",
	    "u_frontend.*.u_runner.job_ready_i", "u_frontend.*.u_runner.done_valid_i",
	    "u_frontend.*.u_runner.irq_valid_o", "u_frontend.*.u_runner.irq_vector_o" } },
	{ "Compute units",
	  false,
	  { "*.u_slot.running_o", "*.u_slot.job_valid_i", "*.u_slot.job_ready_o",
	    "*.u_slot.progress_o*", "*.u_slot.done_valid_o", "*.u_slot.at_bar_o",
	    "*.u_slot.shared_valid_o", "*.u_slot.shared_ready_i", "*.u_slot.atom_valid_o",
	    "*.u_slot.atom_ready_i", "*.u_slot.mem_req_valid_o", "*.u_slot.mem_req_ready_i",
	    "*.u_slot.mem_rsp_valid_i" } },
	{ "Shared memory units",
	  false,
	  { "*.u_shared.warp_valid_i", "*.u_shared.warp_ready_o", "*.u_shared.warp_op_i",
	    "*.u_shared.warp_mask_i", "*.u_shared.result_valid_o", "*.u_shared.done_valid_o",
	    "*.u_shared.ev_*", "*.u_shared.idle_o" } },
	{ "L2",
	  false,
	  { "*.u_l2.req_valid_i", "*.u_l2.req_ready_o", "*.u_l2.req_func_i", "*.u_l2.req_addr_i",
	    "*.u_l2.rsp_valid_o", "*.u_l2.rsp_ready_i", "*.u_l2.ev_*", "*.u_l2.mem_rd_valid_o",
	    "*.u_l2.mem_wr_valid_o", "*.u_l2.idle_o" } },
	{ "MMU",
	  false,
	  { "u_mmu.walk_*", "u_mmu.mem_req_valid_o", "u_mmu.mem_req_ready_i",
	    "u_mmu.mem_rsp_valid_i", "u_mmu.inv_*", "u_mmu.idle_o" } },
	{ "Memory (AXI4)", false, { "m_axi_ar*", "m_axi_r*", "m_axi_aw*", "m_axi_w*", "m_axi_b*" } },
};

struct Signal {
	// Without and with its range.
	std::string path, full;
	uint32_t bits;
	bool shown;
};

// The names of all signals. GTKWave's names have dots between scopes, and no blank before a range.
class Hierarchy {
      public:
	bool read(const char *fst)
	{
		void *reader = fstReaderOpen(fst);

		if (!reader)
			return false;
		begin = fstReaderGetStartTime(reader);
		end = fstReaderGetEndTime(reader);
		while (const fstHier *item = fstReaderIterateHier(reader))
			take(*item);
		fstReaderClose(reader);
		return !signals.empty();
	}

	// Length of "TOP.faa_top.".
	size_t prefix() const
	{
		return prefix_.size();
	}

	std::vector<Signal> signals;
	uint64_t begin = 0, end = 0;

      private:
	void take(const fstHier &item)
	{
		if (item.htyp == FST_HT_SCOPE) {
			lengths_.push_back(scope_.size());
			scope_ += std::string(item.u.scope.name) + ".";
			if (lengths_.size() == 2 && prefix_.empty())
				prefix_ = scope_;
		} else if (item.htyp == FST_HT_UPSCOPE && !lengths_.empty()) {
			scope_.resize(lengths_.back());
			lengths_.pop_back();
		} else if (item.htyp == FST_HT_VAR && !prefix_.empty() &&
			   scope_.compare(0, prefix_.size(), prefix_) == 0) {
			add(item.u.var.name, item.u.var.length);
		}
	}

	void add(const std::string &name, uint32_t bits)
	{
		size_t blank = name.find(' ');
		std::string bare = name.substr(0, blank);
		std::string range = blank == std::string::npos ? "" : name.substr(blank + 1);

		signals.push_back({ scope_ + bare, scope_ + bare + range, bits, false });
	}

	std::string scope_, prefix_;
	std::vector<size_t> lengths_;
};

// The part of a path that names an instance: up to the last scope "u_...".
std::string instance(const std::string &path, size_t prefix)
{
	size_t last = path.rfind(".u_"), end;

	if (last == std::string::npos || last + 1 < prefix)
		return "";
	end = path.find('.', last + 1);
	return path.substr(prefix, end == std::string::npos ? end : end - prefix);
}

// Numbers in names are compared as numbers: queue 2 comes before queue 10.
struct ByNumber {
	bool operator()(const std::string &a, const std::string &b) const
	{
		return strverscmp(a.c_str(), b.c_str()) < 0;
	}
};

using Instances = std::map<std::string, std::vector<const Signal *>, ByNumber>;

Instances choose(const Room &room, Hierarchy &device)
{
	Instances found;

	for (const char *pattern : room.patterns) {
		for (Signal &signal : device.signals) {
			if (signal.shown ||
			    fnmatch(pattern, signal.path.c_str() + device.prefix(), 0))
				continue;
			found[instance(signal.path, device.prefix())].push_back(&signal);
			signal.shown = true;
		}
	}
	return found;
}

void begin_group(std::FILE *file, const char *name, bool closed)
{
	std::fprintf(file, "@%x\n-%s\n", kGroupBegin | (closed ? kClosed : 0), name);
}

void end_group(std::FILE *file, const char *name)
{
	std::fprintf(file, "@%x\n-%s\n", kGroupEnd, name);
}

// Of several instances, each has a group of its own, of which the first is open.
void write_room(std::FILE *file, const Room &room, Hierarchy &device)
{
	Instances found = choose(room, device);
	bool several = found.size() > 1, first = true;

	if (found.empty())
		return;
	begin_group(file, room.name, room.closed);
	for (const auto &[name, signals] : found) {
		bool group = several && !name.empty();

		if (group)
			begin_group(file, name.c_str(), !first);
		for (const Signal *signal : signals)
			std::fprintf(file, "@%x\n%s\n", signal->bits > 1 ? kHex : kBit,
				     signal->full.c_str());
		if (group)
			end_group(file, name.c_str());
		first = first && !group;
	}
	end_group(file, room.name);
}

std::string absolute(const char *path)
{
	std::unique_ptr<char, decltype(&std::free)> cwd(getcwd(nullptr, 0), &std::free);

	return path[0] == '/' || !cwd ? path : std::string(cwd.get()) + "/" + path;
}

} // namespace

int waves_save(const char *fst, const char *path)
{
	static const std::string extension = ".fst";
	std::string save = path;
	Hierarchy device;

	if (!device.read(fst))
		return -EIO;
	if (save.size() > extension.size() &&
	    save.compare(save.size() - extension.size(), extension.size(), extension) == 0)
		save.resize(save.size() - extension.size());
	std::FILE *file = std::fopen((save + ".gtkw").c_str(), "w");
	if (!file)
		return -errno;
	std::fprintf(file, "[*] Signals of the faa device, by its rooms\n[dumpfile] \"%s\"\n",
		     absolute(path).c_str());
	// At zoom Z a nanosecond has 200 * 2^Z pixels: all of the waveform is shown.
	double zoom =
		-std::log2((static_cast<double>(device.end - device.begin) + 1) / kPixels * 200);
	std::fprintf(file,
		     "[timestart] %" PRIu64 "\n[size] 1600 1000\n[pos] -1 -1\n*%.3f -1\n"
		     "[sst_expanded] 0\n[signals_width] 420\n",
		     device.begin, zoom);
	for (const Room &room : rooms)
		write_room(file, room, device);
	int failed = std::ferror(file);
	return std::fclose(file) || failed ? -EIO : 0;
}
