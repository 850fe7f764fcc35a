// SPDX-License-Identifier: MIT
//
// faa_top with registers, memory and interrupts at its ports, as a driver sees it.
#pragma once

#include <memory>

#include "Vfaa_top.h"
#include "faa_isa.h"
#include "faa_regs.h"
#include "tb.h"
#include "verilated.h"

/// The device under test and its host.
class Device {
      public:
	Device(uint64_t seed, unsigned width) : random(seed), axi(top, memory, random, width)
	{
		top.clk_i = 0;
		top.rst_ni = 0;
		for (int n = 0; n < 3; n++)
			step();
		top.rst_ni = 1;
		step();
	}
	~Device()
	{
		top.final();
	}

	/// One clock cycle.
	void step()
	{
		axi.drive();
		top.msix_ready_i = !random.chance(axi.stall);
		top.eval();
		axi.sample(cycle);
		if (top.rst_ni && top.msix_valid_o && top.msix_ready_i)
			interrupts[top.msix_vector_o]++;
		rdata = top.s_axil_rdata_o;
		aw = top.s_axil_awready_o, w = top.s_axil_wready_o, b = top.s_axil_bvalid_o;
		ar = top.s_axil_arready_o, r = top.s_axil_rvalid_o;
		top.clk_i = 1;
		top.eval();
		axi.release();
		top.clk_i = 0;
		top.eval();
		cycle++;
	}

	void write(uint32_t offset, uint32_t value)
	{
		bool address_done = false, data_done = false;
		top.s_axil_awaddr_i = offset;
		top.s_axil_wdata_i = value;
		top.s_axil_wstrb_i = 15;
		top.s_axil_bready_i = 1;
		for (bool done = false; !done;) {
			top.s_axil_awvalid_i = !address_done;
			top.s_axil_wvalid_i = !data_done;
			step();
			address_done |= aw;
			data_done |= w;
			done = b;
			limit();
		}
		top.s_axil_awvalid_i = top.s_axil_wvalid_i = 0;
		top.s_axil_bready_i = 0;
	}
	void write64(uint32_t offset, uint64_t value)
	{
		write(offset, static_cast<uint32_t>(value));
		write(offset + 4, static_cast<uint32_t>(value >> 32));
	}
	uint32_t read(uint32_t offset)
	{
		top.s_axil_araddr_i = offset;
		top.s_axil_arvalid_i = 1;
		top.s_axil_rready_i = 1;
		for (bool done = false; !done;) {
			step();
			if (ar)
				top.s_axil_arvalid_i = 0;
			done = r;
			limit();
		}
		top.s_axil_rready_i = 0;
		return rdata;
	}

	/// Steps until the device is idle; false after cycles without that.
	bool settle(uint64_t cycles = 200000)
	{
		top.eval();
		for (uint64_t n = 0; n < cycles; n++) {
			if (top.idle_o)
				return true;
			step();
		}
		return false;
	}

	tb::Memory memory;
	tb::Random random;
	Vfaa_top top;
	tb::AxiMemory<Vfaa_top> axi;
	uint64_t cycle = 0;
	std::map<unsigned, unsigned> interrupts;

      private:
	void limit()
	{
		if (++waited > 100000000) {
			printf("not ok - a register access got no answer\n");
			exit(1);
		}
	}
	unsigned long waited = 0;
	uint32_t rdata = 0;
	bool aw = false, w = false, b = false, ar = false, r = false;
};
