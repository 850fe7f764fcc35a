// SPDX-License-Identifier: Apache-2.0
//
// The RTL engine: the verilated device between an AXI4-Lite driver for its registers and the AXI4
// memory model.
//
// A clock cycle: outputs are sampled, memory and register driver compute their next outputs, the
// clock rises with the old inputs, then the new inputs are applied and settle while the clock is
// low. No input depends on an output of the same cycle.
//
// With FAA_RTL_TRACE the model can write waveforms (engine_waves.h).
//
// With FAA_RTL_DEFECTS the model is built with FAA_DEFECTS: its modules query the selected defect
// when they start.

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <vector>

#include FAA_RTL_HEADER
#include "verilated.h"
#ifdef FAA_RTL_TRACE
#include "engine_waves.h"
#endif

#include "axi_mem.h"
#include "faa_engine.h"

namespace {

using Model = FAA_RTL_CLASS;

// Cycles of reset, and idle cycles before the clock may stop.
constexpr unsigned kResetCycles = 8;
constexpr unsigned kQuietCycles = 16;
// The limit of a register access, which normally completes within a few cycles.
constexpr unsigned kRegisterCycles = 10000;

// Inputs of the model in a cycle.
struct Inputs {
	bool rst_n;
	bool aw_valid, w_valid, b_ready, ar_valid, r_ready;
	bool msix_ready;
	uint32_t aw_addr, ar_addr, w_data;
	axi_mem_out mem;
};

// Ports are integers up to 64 bits, and arrays of 32-bit words above.
template <typename T> void get_bytes(const T &port, uint8_t *bytes)
{
	std::memcpy(bytes, &port, sizeof(port));
}

template <typename T> void put_bytes(T &port, const uint8_t *bytes)
{
	std::memcpy(static_cast<void *>(&port), bytes, sizeof(port));
}

void drive(Model &top, const Inputs &in)
{
	top.rst_ni = in.rst_n;
	top.s_axil_awaddr_i = in.aw_addr;
	top.s_axil_awvalid_i = in.aw_valid;
	top.s_axil_wdata_i = in.w_data;
	top.s_axil_wstrb_i = 0xf;
	top.s_axil_wvalid_i = in.w_valid;
	top.s_axil_bready_i = in.b_ready;
	top.s_axil_araddr_i = in.ar_addr;
	top.s_axil_arvalid_i = in.ar_valid;
	top.s_axil_rready_i = in.r_ready;
	top.m_axi_awready_i = in.mem.aw_ready;
	top.m_axi_wready_i = in.mem.w_ready;
	top.m_axi_bvalid_i = in.mem.b_valid;
	top.m_axi_bid_i = in.mem.b_id;
	top.m_axi_bresp_i = in.mem.b_resp;
	top.m_axi_arready_i = in.mem.ar_ready;
	top.m_axi_rvalid_i = in.mem.r_valid;
	top.m_axi_rid_i = in.mem.r_id;
	top.m_axi_rresp_i = in.mem.r_resp;
	top.m_axi_rlast_i = in.mem.r_last;
	put_bytes(top.m_axi_rdata_i, in.mem.r_data);
	top.msix_ready_i = in.msix_ready;
}

void sample(const Model &top, axi_mem_in &in)
{
	in.aw.valid = top.m_axi_awvalid_o;
	in.aw.id = top.m_axi_awid_o;
	in.aw.addr = top.m_axi_awaddr_o;
	in.aw.len = top.m_axi_awlen_o;
	in.aw.size = top.m_axi_awsize_o;
	in.aw.burst = top.m_axi_awburst_o;
	in.aw.atop = top.m_axi_awatop_o;
	in.ar.valid = top.m_axi_arvalid_o;
	in.ar.id = top.m_axi_arid_o;
	in.ar.addr = top.m_axi_araddr_o;
	in.ar.len = top.m_axi_arlen_o;
	in.ar.size = top.m_axi_arsize_o;
	in.ar.burst = top.m_axi_arburst_o;
	in.w_valid = top.m_axi_wvalid_o;
	if (in.w_valid) {
		in.w_last = top.m_axi_wlast_o;
		in.w_strb = top.m_axi_wstrb_o;
		get_bytes(top.m_axi_wdata_o, in.w_data);
	}
	in.b_ready = top.m_axi_bready_o;
	in.r_ready = top.m_axi_rready_o;
}

class Engine {
      public:
	explicit Engine(const faa_engine_config &config);
	~Engine();
	Engine(const Engine &) = delete;
	Engine &operator=(const Engine &) = delete;

	bool ok() const;
	uint32_t read(uint32_t offset);
	void write(uint32_t offset, uint32_t value);
	bool step(uint64_t cycles);
	int dump_trace(const char *path);

	uint64_t cycle() const
	{
		return cycle_;
	}

      private:
	void tick();
	void register_handshakes();
	void take_interrupt();
	void settle();
	void watch_idle();
	[[noreturn]] void fail(const char *what, uint32_t offset);

	faa_engine_config config_;
	std::unique_ptr<VerilatedContext> context_;
	std::unique_ptr<Model> top_;
	axi_mem *mem_ = nullptr;
	axi_mem_in from_device_{};
	Inputs in_{};
	uint32_t read_data_ = 0;
	uint64_t cycle_ = 0;
	uint64_t random_;
	unsigned quiet_ = 0;
#ifdef FAA_RTL_TRACE
	std::unique_ptr<Waves<Model, Inputs>> waves_;
#endif
};

#ifdef FAA_RTL_DEFECTS
// The selected defect, and the defects that modules have queried.
const char *defect_wanted;
std::set<std::string> defects_known;

void print_defects(const char *unknown)
{
	std::fprintf(stderr, "faa: there is no defect '%s'; there are:", unknown);
	for (const std::string &name : defects_known)
		std::fprintf(stderr, " %s", name.c_str());
	std::fputc('\n', stderr);
}
#endif

Engine::Engine(const faa_engine_config &config)
	: config_(config), context_(new VerilatedContext), random_(config.mem.seed | 1)
{
	// A single thread is faster for small models.
	context_->threads(1);
	context_->randReset(2);
	context_->randSeed(static_cast<int>(config.mem.seed & 0x7fffffff));
#ifdef FAA_RTL_DEFECTS
	defect_wanted = config.defect;
#endif
	top_.reset(new Model(context_.get(), "TOP"));

	axi_mem_config mem{};
	mem.mem = config.mem;
	mem.beat_bytes = sizeof(top_->m_axi_wdata_o);
	mem.ops = config.ops;
	mem.ctx = config.ctx;
	mem_ = axi_mem_create(&mem);
	if (!mem_)
		return;

	top_->clk_i = 0;
	settle();
	for (unsigned i = 0; i < kResetCycles; i++)
		tick();
	in_.rst_n = true;
	settle();
	cycle_ = 0;
#ifdef FAA_RTL_TRACE
	if (config.trace_cycles || config.trace_to)
		waves_.reset(new Waves<Model, Inputs>(config, drive));
#endif
}

Engine::~Engine()
{
	axi_mem_destroy(mem_);
	// The destructor of the model uses the thread's context, which may be that of another
	// engine.
	Verilated::threadContextp(context_.get());
	top_->final();
	top_.reset();
}

bool Engine::ok() const
{
#ifdef FAA_RTL_TRACE
	if (waves_ && !waves_->ok())
		return false;
#endif
#ifdef FAA_RTL_DEFECTS
	if (config_.defect && !defects_known.count(config_.defect)) {
		print_defects(config_.defect);
		errno = EINVAL;
		return false;
	}
#endif
	return mem_;
}

void Engine::settle()
{
	drive(*top_, in_);
	top_->eval();
}

void Engine::fail(const char *what, uint32_t offset)
{
	char memory[128];

	axi_mem_describe(mem_, memory, sizeof(memory));
	std::fprintf(stderr, "faa: RTL at cycle %" PRIu64 ": %s 0x%" PRIx32 "; memory: %s\n",
		     cycle_, what, offset, memory);
	std::abort();
}

// Drops valid after a handshake at the last edge.
void Engine::register_handshakes()
{
	if (in_.aw_valid && top_->s_axil_awready_o)
		in_.aw_valid = false;
	if (in_.w_valid && top_->s_axil_wready_o)
		in_.w_valid = false;
	if (in_.ar_valid && top_->s_axil_arready_o)
		in_.ar_valid = false;
	// Ready falls after the response: accesses do not overlap.
	if (in_.b_ready && top_->s_axil_bvalid_o)
		in_.b_ready = false;
	if (in_.r_ready && top_->s_axil_rvalid_o) {
		read_data_ = top_->s_axil_rdata_o;
		in_.r_ready = false;
	}
}

void Engine::take_interrupt()
{
	if (in_.rst_n && in_.msix_ready && top_->msix_valid_o)
		config_.ops->msix(config_.ctx, top_->msix_vector_o);
	random_ ^= random_ << 13;
	random_ ^= random_ >> 7;
	random_ ^= random_ << 17;
	in_.msix_ready = random_ % 1000 >= config_.mem.stall;
}

// The clock may stop after some cycles in which the device reports that it is idle.
void Engine::watch_idle()
{
	if (!in_.rst_n || !top_->idle_o) {
		quiet_ = 0;
		return;
	}
	if (!axi_mem_idle(mem_))
		fail("idle_o is 1 while memory transactions are outstanding; quiet cycles:",
		     quiet_);
	if (top_->msix_valid_o)
		fail("idle_o is 1 while msix_valid_o is, vector", top_->msix_vector_o);
	quiet_++;
}

void Engine::tick()
{
#ifdef FAA_RTL_TRACE
	if (waves_)
		waves_->add(*top_, in_, cycle_);
#endif
	register_handshakes();
	take_interrupt();
	if (in_.rst_n) {
		sample(*top_, from_device_);
		std::memcpy(&in_.mem, axi_mem_step(mem_, &from_device_), sizeof(in_.mem));
	}
	top_->clk_i = 1;
	top_->eval();
	top_->clk_i = 0;
	settle();
	cycle_++;
	watch_idle();
}

uint32_t Engine::read(uint32_t offset)
{
	in_.ar_addr = offset;
	in_.ar_valid = true;
	in_.r_ready = true;
	settle();
	for (unsigned i = 0; in_.r_ready; i++) {
		if (i == kRegisterCycles)
			fail("no answer to the read of register", offset);
		tick();
	}
	quiet_ = 0;
	return read_data_;
}

void Engine::write(uint32_t offset, uint32_t value)
{
	in_.aw_addr = offset;
	in_.w_data = value;
	in_.aw_valid = true;
	in_.w_valid = true;
	in_.b_ready = true;
	settle();
	for (unsigned i = 0; in_.b_ready; i++) {
		if (i == kRegisterCycles)
			fail("no answer to the write of register", offset);
		tick();
	}
	quiet_ = 0;
}

bool Engine::step(uint64_t cycles)
{
	for (; cycles && quiet_ < kQuietCycles; cycles--)
		tick();
	return quiet_ < kQuietCycles;
}

#ifdef FAA_RTL_TRACE
// Whether the outputs to memory are the same.
bool same_outputs(const Model &a, const Model &b)
{
	axi_mem_in of_a{};
	axi_mem_in of_b{};

	sample(a, of_a);
	sample(b, of_b);
	return of_a.aw.addr == of_b.aw.addr && of_a.aw.valid == of_b.aw.valid &&
	       of_a.ar.addr == of_b.ar.addr && of_a.ar.valid == of_b.ar.valid &&
	       of_a.w_valid == of_b.w_valid && a.idle_o == b.idle_o;
}

int Engine::dump_trace(const char *path)
{
	return waves_ ? waves_->write(path, *top_, in_, cycle_, same_outputs) : -EOPNOTSUPP;
}
#else
int Engine::dump_trace(const char *)
{
	return -EOPNOTSUPP;
}
#endif

} // namespace

#ifdef FAA_RTL_DEFECTS
// Called by modules of the model.
extern "C" int faa_defect(const char *name)
{
	defects_known.insert(name);
	return defect_wanted && !std::strcmp(defect_wanted, name);
}
#endif

struct faa_engine {
	explicit faa_engine(const faa_engine_config &config) : engine(config)
	{
	}

	Engine engine;
};

static struct faa_engine *rtl_create(const struct faa_engine_config *config)
{
#ifndef FAA_RTL_TRACE
	if (config->trace_cycles || config->trace_to) {
		errno = EOPNOTSUPP;
		return nullptr;
	}
#endif
#ifndef FAA_RTL_DEFECTS
	if (config->defect) {
		errno = EOPNOTSUPP;
		return nullptr;
	}
#endif
	std::unique_ptr<faa_engine> engine(new (std::nothrow) faa_engine(*config));

	if (!engine) {
		errno = ENOMEM;
		return nullptr;
	}
	// The memory model has set errno.
	return engine->engine.ok() ? engine.release() : nullptr;
}

static void rtl_destroy(struct faa_engine *engine)
{
	delete engine;
}

static uint32_t rtl_mmio_read(struct faa_engine *engine, uint32_t offset)
{
	return engine->engine.read(offset);
}

static void rtl_mmio_write(struct faa_engine *engine, uint32_t offset, uint32_t value)
{
	engine->engine.write(offset, value);
}

static bool rtl_step(struct faa_engine *engine, uint64_t cycles)
{
	return engine->engine.step(cycles);
}

static uint64_t rtl_cycle(struct faa_engine *engine)
{
	return engine->engine.cycle();
}

static int rtl_dump_trace(struct faa_engine *engine, const char *path)
{
	return engine->engine.dump_trace(path);
}

const struct faa_engine_ops faa_engine_rtl = {
	"rtl",		rtl_create, rtl_destroy, rtl_mmio_read,
	rtl_mmio_write, rtl_step,   rtl_cycle,	 rtl_dump_trace,
};
