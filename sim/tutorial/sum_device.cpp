// SPDX-License-Identifier: Apache-2.0
// The verilated module sum as a PCI device of libvpci. If it is verilated with --trace-fst, it
// writes its signals to the file that the environment variable WAVES names.
#include <cstdlib>
#include <memory>

#include <verilated.h>
#include <vpci.h>
#if VM_TRACE
#include <verilated_fst_c.h>
#endif

#include "Vsum.h"

namespace {

constexpr unsigned int CYCLES_PER_STEP = 100;

struct Device {
	std::unique_ptr<Vsum> rtl;
	struct vpci *vpci = nullptr;
	bool working = false;
#if VM_TRACE
	VerilatedFstC waves;
	uint64_t time = 0; // of the waveform, in ns; a cycle has 10

	void open_waves()
	{
		const char *file = getenv("WAVES");

		Verilated::traceEverOn(true);
		waves.set_time_resolution("1ns");
		rtl->trace(&waves, 99);
		if (file)
			waves.open(file);
	}

	void dump()
	{
		rtl->eval();
		waves.dump(time);
		time += 5;
	}
#else
	void open_waves()
	{
	}
	void dump()
	{
	}
#endif

	// One clock cycle. The device's outputs follow from registers alone, so its DMA request is
	// answered in the same cycle.
	void cycle()
	{
		uint32_t data = 0;
		int err = 0;

		rtl->eval();
		if (rtl->mem_valid_o && rtl->mem_write_o) {
			data = rtl->mem_wdata_o;
			err = vpci_dma_write(vpci, rtl->mem_addr_o, &data, sizeof(data));
		} else if (rtl->mem_valid_o) {
			err = vpci_dma_read(vpci, rtl->mem_addr_o, &data, sizeof(data));
		}
		rtl->mem_ready_i = rtl->mem_valid_o;
		rtl->mem_error_i = err != 0;
		rtl->mem_rdata_i = data;
		if (rtl->irq_o)
			vpci_raise(vpci, 0);
		working = rtl->mem_valid_o || rtl->irq_o;
		dump();
		rtl->clk_i = 1;
		rtl->eval();
		dump();
		rtl->clk_i = 0;
	}

	int reset()
	{
		if (!rtl) {
			rtl = std::make_unique<Vsum>();
			open_waves();
		}
		rtl->rst_ni = 0;
		cycle();
		rtl->rst_ni = 1;
		cycle();
		return 0;
	}

	uint32_t read(uint64_t offset)
	{
		rtl->reg_index_i = offset / 4 % 8;
		rtl->eval();
		return rtl->reg_rdata_o;
	}

	void write(uint64_t offset, uint32_t value)
	{
		rtl->reg_index_i = offset / 4 % 8;
		rtl->reg_wdata_i = value;
		rtl->reg_write_i = 1;
		cycle();
		rtl->reg_write_i = 0;
		working = true;
	}

	bool step()
	{
		for (unsigned int i = 0; i < CYCLES_PER_STEP && working; i++)
			cycle();
		return working;
	}
};

Device *device(void *ctx)
{
	return static_cast<Device *>(ctx);
}

} // namespace

int main(int argc, char **argv)
{
	struct vpci_config config = {};
	struct vpci_ops ops = {};
	Device sum;

	config.vendor = 0x1234;
	config.device = 0x5001;
	config.class_code = 0x120000; // processing accelerator
	config.flags = VPCI_PM | VPCI_FLR;
	config.bar[0] = { 0x1000, VPCI_BAR_WORDS }; // registers; MSI-X from 0x800
	config.vectors = 1;
	config.msix_table = 0x800;
	config.msix_pba = 0xc00;
	ops.reset = [](void *ctx, enum vpci_reset) { return device(ctx)->reset(); };
	ops.read = [](void *ctx, unsigned int, uint64_t offset) {
		return device(ctx)->read(offset);
	};
	ops.write = [](void *ctx, unsigned int, uint64_t offset, uint32_t value, unsigned int) {
		device(ctx)->write(offset, value);
	};
	ops.step = [](void *ctx) { return device(ctx)->step(); };
	return vpci_main(&config, &ops, &sum, &sum.vpci, argc, argv);
}
