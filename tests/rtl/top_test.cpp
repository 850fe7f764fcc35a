// SPDX-License-Identifier: MIT
//
// Front end, MMU and memory system, as the driver sees them, with the stand-in compute unit
// (stand_in/faa_cu.sv).
//
//   top_test [--seed N]

#include <algorithm>

#include "device.h"

using tb::check;
using tb::same;

namespace {

constexpr uint64_t TABLES = 0x1000000000, TABLES_SIZE = 0x100000, RINGS = 0x1000000,
		   STATUS = 0x2000000, SAVE = 0x3000000, SEQNO = 0x4000000, STREAMS = 0x5000000,
		   DATA = 0x6000000;
constexpr unsigned RING_LOG2 = 6, SHARED = 4096;
// Where the streams' and data pages appear in every VM.
constexpr uint64_t VA_STREAMS = 0x7f0000000000, VA_DATA = 0x123450000000;
enum {
	WRITE = 1,
	ADD = 2,
	POLL = 3,
	HANG = 4,
	BURST = 5,
	ATOMIC = 6,
	CLEAN = 7,
	FLUSH = 8,
	BAR = 9
};

/// Page tables of one VM.
class Vm {
      public:
	Vm(tb::Memory &memory, unsigned number)
		: memory(memory), number(number), root(TABLES + number * TABLES_SIZE),
		  next(root + 4096)
	{
	}

	/// Address of the entry at `level` for va; allocates the tables above it.
	uint64_t entry(uint64_t va, int level)
	{
		uint64_t table = root;
		for (int l = 3;; l--) {
			uint64_t where = table + (va >> (12 + 9 * l) & 511) * 8;
			if (l == level)
				return where;
			if (!(memory.get64(where) & 1)) {
				memory.put64(where, next | 1);
				next += 4096;
			}
			table = memory.get64(where) & 0xffffffffff000;
		}
	}
	void map(uint64_t va, uint64_t pa, uint64_t flags = FAA_PTE_WRITABLE_MASK, int level = 0)
	{
		memory.put64(entry(va, level), pa | flags | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK);
	}

	tb::Memory &memory;
	unsigned number;
	uint64_t root, next;
};

/// A hardware queue as a driver keeps it.
class Queue {
      public:
	Queue(Device &device, unsigned n, Vm &vm, unsigned prio = 0)
		: device(device), n(n), vm(vm), prio(prio)
	{
		enable();
	}

	void enable()
	{
		tail = 0;
		same(state(), FAA_QUEUE_STATE_DISABLED, "state before the queue is set up");
		device.write(FAA_REG_QUEUE_TAIL(n), 0);
		device.write64(FAA_REG_QUEUE_RING_LO(n), RINGS + n * 0x10000);
		device.write(FAA_REG_QUEUE_RING_SIZE(n), RING_LOG2);
		device.write(FAA_REG_QUEUE_CONFIG0(n),
			     prio << FAA_REG_QUEUE_CONFIG0_PRIO_SHIFT |
				     (n % 15 + 1) << FAA_REG_QUEUE_CONFIG0_VECTOR_SHIFT |
				     vm.number << FAA_REG_QUEUE_CONFIG0_VMID_SHIFT);
		device.write64(FAA_REG_QUEUE_PT_LO(n), vm.root);
		device.write64(FAA_REG_QUEUE_SAVE_LO(n), SAVE + n * 0x40000);
		device.write64(FAA_REG_QUEUE_SEQNO_LO(n), SEQNO + n * 0x1000 + 8 * n);
		device.write(FAA_REG_QUEUE_SHARED(n), SHARED);
		device.write(FAA_REG_QUEUE_CONTROL(n), FAA_REG_QUEUE_CONTROL_ENABLE_MASK);
	}
	uint32_t state()
	{
		return device.read(FAA_REG_QUEUE_STATE(n)) & FAA_REG_QUEUE_STATE_STATE_MASK;
	}
	uint32_t head()
	{
		return device.read(FAA_REG_QUEUE_HEAD(n));
	}
	void disable()
	{
		device.write(FAA_REG_QUEUE_CONTROL(n), 0);
		device.settle();
		same(state(), FAA_QUEUE_STATE_DISABLED, "state after disabling");
	}

	/// Puts a job in the ring without ringing the doorbell; returns its index.
	uint32_t put(uint64_t what, uint64_t where, uint64_t value, uint32_t flags = 0)
	{
		uint64_t slot = n * 64 + tail % 64, stream = STREAMS + slot * 64;
		const uint64_t words[3] = { what, where, value };
		faa_job_desc desc = {};
		device.memory.write(stream, words, sizeof(words));
		desc.stream_va = VA_STREAMS + slot * 64;
		desc.stream_bytes = 24;
		desc.flags = flags;
		desc.seqno = sequence(tail);
		desc.status_addr = STATUS + slot * 64;
		device.memory.write(descriptor(tail), &desc, sizeof(desc));
		return tail++;
	}
	void ring()
	{
		device.write(FAA_REG_QUEUE_TAIL(n), tail);
	}
	uint32_t submit(uint64_t what, uint64_t where, uint64_t value, uint32_t flags = 0)
	{
		uint32_t job = put(what, where, value, flags);
		ring();
		return job;
	}
	uint64_t descriptor(uint32_t job) const
	{
		return RINGS + n * 0x10000 + job % 64 * 64;
	}
	uint64_t sequence(uint32_t job) const
	{
		return (uint64_t(n + 1) << 40) + job + 1;
	}
	uint64_t seqno()
	{
		return device.memory.get64(SEQNO + n * 0x1000 + 8 * n);
	}
	faa_status status(uint32_t job)
	{
		faa_status status;
		device.memory.read(STATUS + (n * 64 + job % 64) * 64, &status, sizeof(status));
		return status;
	}
	void expect(uint32_t job, uint32_t code, uint64_t address, const std::string &what)
	{
		faa_status record = status(job);
		same(record.seqno, sequence(job), what + ": seqno of the status record");
		same(record.code, code, what + ": code");
		same(record.address, address, what + ": address");
		check(record.end_cycle >= record.start_cycle && record.end_cycle <= device.cycle,
		      what + ": cycles");
	}

	Device &device;
	unsigned n;
	Vm &vm;
	unsigned prio;
	uint32_t tail = 0;
};

uint64_t data_va(unsigned n)
{
	return VA_DATA + n * 0x1000;
}
uint64_t data_pa(unsigned n)
{
	return DATA + n * 0x1000;
}

/// Invalidates the TLBs' entries of a VM in [first, last].
void invalidate(Device &device, unsigned vmid, uint64_t first, uint64_t last)
{
	uint32_t number = device.read(FAA_REG_TLB_INV_DONE) + 1;
	device.write64(FAA_REG_TLB_INV_START_LO, first);
	device.write64(FAA_REG_TLB_INV_LAST_LO, last);
	device.write(FAA_REG_TLB_INV_VMID, vmid);
	device.write(FAA_REG_TLB_INV_REQUEST, number);
	for (unsigned n = 0; n < 5000 && device.read(FAA_REG_TLB_INV_DONE) != number; n++)
		device.step();
	same(device.read(FAA_REG_TLB_INV_DONE), number, "TLB_INV_DONE");
}

/// A new VM, with number n, that maps the streams and 16 data pages.
Vm make_vm(Device &device, unsigned n)
{
	device.memory.clear(TABLES + n * TABLES_SIZE, TABLES_SIZE);
	invalidate(device, n, 0, ~0ULL);
	Vm vm(device.memory, n);
	for (unsigned page = 0; page < 16; page++) {
		vm.map(VA_STREAMS + page * 4096, STREAMS + page * 4096, 0);
		vm.map(data_va(page), data_pa(page));
	}
	return vm;
}

void registers(Device &device)
{
	same(device.read(FAA_REG_MAGIC), FAA_REG_MAGIC_VALUE, "MAGIC");
	same(device.read(FAA_REG_VERSION),
	     FAA_REG_VERSION_MAJOR_VALUE << 16 | FAA_REG_VERSION_MINOR_VALUE, "VERSION");
	same(device.read(FAA_REG_CONFIG0),
	     0x20000000u | WARP_SLOTS << 16 | NUM_CU << 8 | NUM_QUEUES, "CONFIG0");
	same(device.read(FAA_REG_SHARED_MAX), 65536, "SHARED_MAX");
	same(device.read(FAA_REG_AXI_WIDTH), AXI_WIDTH | LINE_BYTES << FAA_REG_AXI_WIDTH_LINE_SHIFT,
	     "AXI_WIDTH");
	same(device.read(FAA_REG_FEATURES_LO),
	     0x1787 | (SHARED_LANES == 32) << FAA_FEATURE_ATOMS_RELAXED |
		     GLOBAL_ATOMICS << FAA_FEATURE_GLOBAL_ATOMICS,
	     "FEATURES");
	same(device.read(FAA_REG_SHARED_UNIT), 0x020400 | SHARED_LANES, "SHARED_UNIT");
	same(device.read(FAA_REG_STATUS), 1, "STATUS: idle");
	uint32_t before = device.read(FAA_REG_CYCLE_LO);
	check(device.read(FAA_REG_CYCLE_LO) > before, "CYCLE counts");
	device.write(FAA_REG_QUEUE_SAVE_HI(3), 0x12345678);
	same(device.read(FAA_REG_QUEUE_SAVE_HI(3)), 0x12345678, "a register keeps what is written");
	same(device.read(0x1f000), 0, "TAIL of the last queue");
	same(device.read(0x3000 + 0x900), 0, "an address without register");
}

/// One job that writes, with its whole completion.
void simple_job(Device &device)
{
	Vm vm = make_vm(device, 0);
	Queue queue(device, 0, vm);
	same(queue.state(), FAA_QUEUE_STATE_IDLE, "enabled queue");
	for (unsigned n = 0; n < 70; n++) {
		uint32_t job = queue.submit(WRITE, data_va(1) + 8 * n, 0x1111 * n + 7, n & 1);
		check(device.settle(), "device is idle after the job");
		queue.expect(job, FAA_ERROR_SUCCESS, 0, "write");
		faa_status status = queue.status(job);
		same(status.command, 8, "command");
		same(status.lane, 3, "lane");
		same(status.elements_retired, 32, "elements_retired");
		same(status.element, 32, "element");
		same(status.warps, 1, "warps");
		same(status.passes, 2, "passes");
		same(queue.seqno(), queue.sequence(job), "sequence number");
		same(device.memory.get64(data_pa(1) + 8 * n), 0x1111 * n + 7, "what the job wrote");
		same(queue.head(), n + 1, "HEAD");
	}
	same(device.interrupts[1], 35, "interrupts of jobs that asked for one");
	same(queue.state(), FAA_QUEUE_STATE_IDLE, "drained queue");
	// The stand-in's increment of each counter per job; the last counter has an undefined
	// number.
	static const struct {
		unsigned number, each;
		const char *name;
	} counters[] = { { FAA_COUNTER_JOBS, 1, "counter JOBS" },
			 { FAA_COUNTER_PASSES, 2, "counter PASSES" },
			 { FAA_COUNTER_GROUPS, 9, "counter GROUPS" },
			 { FAA_COUNTER_BANK_OPS, 7, "counter BANK_OPS" },
			 { FAA_COUNTER_STALL_BANK, 0, "counter STALL_BANK" },
			 { FAA_COUNTER_STALL_WRITEBACK, 1, "counter STALL_WRITEBACK" },
			 { FAA_REG_CU_COUNTER_COUNT - 1, 0, "counter 31" } };
	for (const auto &counter : counters) {
		uint64_t sum = 0;
		for (unsigned cu = 0; cu < NUM_CU; cu++)
			sum += device.read(FAA_REG_CU_COUNTER_LO(cu, counter.number));
		same(sum, 70 * counter.each, counter.name);
	}
	queue.disable();
	queue.enable();
	same(queue.head(), 0, "HEAD after enabling again");
	queue.disable();
}

/// Sums in the contexts of all queues, on all units, in random order: saves and restores lose
/// nothing.
void contexts(Device &device)
{
	std::vector<Vm> vms;
	std::vector<Queue> queues;
	std::vector<uint64_t> sums(NUM_QUEUES), done(NUM_QUEUES);
	for (unsigned n = 0; n < NUM_QUEUES; n++)
		vms.push_back(make_vm(device, n));
	for (unsigned n = 0; n < NUM_QUEUES; n++)
		queues.emplace_back(device, n, vms[n], device.random.below(4));
	for (unsigned round = 0; round < 40; round++) {
		for (unsigned n = 0; n < NUM_QUEUES; n++) {
			if (round && queues[n].tail - queues[n].head() > 32)
				continue;
			for (unsigned jobs = device.random.below(6); jobs > 0; jobs--) {
				uint64_t value = device.random.below(1000000);
				uint32_t job = queues[n].put(
					ADD, data_va(n) + 8 * (queues[n].tail % 64), value);
				sums[n] += value;
				(void)job;
			}
			queues[n].ring();
			for (unsigned wait = device.random.below(100); wait > 0; wait--)
				device.step();
		}
	}
	check(device.settle(2000000), "all jobs of all queues end");
	for (unsigned n = 0; n < NUM_QUEUES; n++) {
		uint32_t last = queues[n].tail - 1;
		same(queues[n].head(), queues[n].tail, "all jobs have run");
		same(queues[n].seqno(), queues[n].sequence(last), "last sequence number");
		same(device.memory.get64(data_pa(n) + 8 * (last % 64)), sums[n],
		     "sum in the context");
	}
	// A fresh context starts from zero.
	for (unsigned n = 0; n < NUM_QUEUES; n++) {
		queues[n].disable();
		queues[n].enable();
		uint32_t job = queues[n].submit(ADD, data_va(n), 17);
		device.settle();
		queues[n].expect(job, FAA_ERROR_SUCCESS, 0, "job of a fresh context");
		same(device.memory.get64(data_pa(n)), 17, "fresh context");
		queues[n].disable();
	}
}

/// Descriptors with one bad field each, and a good one after each.
void descriptors(Device &device)
{
	Vm vm = make_vm(device, 0);
	Queue queue(device, 1, vm);
	struct {
		unsigned offset, size;
		uint64_t value, address;
	} cases[] = {
		{ 0, 8, VA_STREAMS + 4, 0 },
		{ 8, 4, 0, 8 },
		{ 8, 4, 28, 8 },
		{ 12, 4, 4, 12 },
		{ 12, 4, 0x80000000, 12 },
		{ 24, 8, 0, 24 },
		{ 32, 4, 16, 32 },
		{ 32, 4, 1, 32 },
		{ 36, 4, 1, 36 },
		{ 40, 8, 1ULL << 63, 40 },
		{ 48, 8, 1, 48 },
		{ 56, 8, 256, 56 },
	};
	for (auto &c : cases) {
		uint32_t job = queue.put(WRITE, data_va(2), 1);
		if (c.offset == 24)
			c.value = (STATUS + (1 * 64 + job % 64) * 64) | 8;
		device.memory.write(queue.descriptor(job) + c.offset, &c.value, c.size);
		uint32_t good = queue.put(WRITE, data_va(2), 2);
		queue.ring();
		device.settle();
		queue.expect(job, FAA_ERROR_BAD_DESCRIPTOR, c.address,
			     "bad descriptor at " + std::to_string(c.address));
		same(queue.status(job).element + queue.status(job).command + queue.status(job).lane,
		     0, "bad descriptor: rest");
		queue.expect(good, FAA_ERROR_SUCCESS, 0, "job after a bad descriptor");
	}
	queue.disable();
	for (uint32_t shared : { 64u, 65536u + 128u, 0xffffff80u }) {
		device.write(FAA_REG_QUEUE_TAIL(1), 0);
		device.write(FAA_REG_QUEUE_SHARED(1), shared);
		device.write(FAA_REG_QUEUE_CONTROL(1), FAA_REG_QUEUE_CONTROL_ENABLE_MASK);
		queue.tail = 0;
		uint32_t job = queue.submit(WRITE, data_va(2), 1);
		device.settle();
		queue.expect(job, FAA_ERROR_BAD_DESCRIPTOR, 64, "SHARED_BYTES that does not fit");
		queue.disable();
	}
}

constexpr uint32_t TOGETHER = FAA_JOB_FLAG_TOGETHER, INTERRUPT = FAA_JOB_FLAG_INTERRUPT;

/// Jobs of several streams: all begin, all are reported in the order of the ring, each with its own
/// context.
void groups(Device &device)
{
	Vm vm = make_vm(device, 0);
	Queue queue(device, 1, vm), other(device, 2, vm);
	uint64_t sums[4] = {}, other_sum = 0;
	for (unsigned round = 0; round < 40; round++) {
		unsigned streams = 1 + device.random.below(WARP_SLOTS);
		unsigned before = device.interrupts[2];
		uint32_t first = queue.tail;
		for (unsigned k = 0; k < streams; k++) {
			uint64_t value = device.random.below(1000000);
			sums[k] += value;
			queue.put(ADD, data_va(3) + 64 * k, value,
				  (k + 1 < streams ? TOGETHER : 0) | (k % 2 ? 0 : INTERRUPT));
		}
		// Now and then the units switch to another queue, and back.
		if (device.random.below(3) == 0)
			for (unsigned cu = 0; cu < NUM_CU; cu++) {
				other.submit(ADD, data_va(4), 1);
				other_sum++;
			}
		queue.ring();
		check(device.settle(), "idle after a job of several streams");
		for (unsigned k = 0; k < streams; k++) {
			queue.expect(first + k, FAA_ERROR_SUCCESS, 0, "stream of a job");
			same(device.memory.get64(data_pa(3) + 64 * k), sums[k],
			     "sum in the context of slot " + std::to_string(k));
		}
		same(queue.head(), first + streams, "HEAD after a job of several streams");
		same(queue.seqno(), queue.sequence(first + streams - 1),
		     "its last sequence number");
		same(device.interrupts[2], before + (streams + 1) / 2, "interrupts of its streams");
		// A slot is cleared after the queue has been enabled again.
		if (round % 8 == 7) {
			queue.disable();
			queue.enable();
			for (uint64_t &sum : sums)
				sum = 0;
		}
	}
	same(device.memory.get64(data_pa(4)), other_sum, "sum of the other queue");
	queue.disable();
	other.disable();
}

/// Streams wait for each other at a BAR, or end with the one that fails.
void meetings(Device &device)
{
	Vm vm = make_vm(device, 0);
	Queue queue(device, 5, vm);
	const uint32_t both = FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK;
	uint32_t bar = queue.submit(BAR, data_va(8), 0x55);
	device.settle();
	queue.expect(bar, FAA_ERROR_SUCCESS, 0, "BAR of one stream");
	if (WARP_SLOTS == 1) {
		queue.disable();
		return;
	}
	// One stream waits at a BAR for the other, which waits for the host.
	device.memory.put64(data_pa(7), 0);
	device.memory.put64(data_pa(8), 0);
	bar = queue.put(BAR, data_va(8), 0x66, TOGETHER);
	uint32_t poll = queue.submit(POLL, data_va(7), 0x77);
	check(!device.settle(3000), "a BAR waits for a stream that runs");
	same(device.memory.get64(data_pa(8)), 0, "no command after the BAR has run");
	same(device.read(FAA_REG_CU_SLOT_PROGRESS(
		     device.read(FAA_REG_QUEUE_STATE(5)) >> FAA_REG_QUEUE_STATE_CU_SHIFT & 15, 0)),
	     0, "progress of the stream at the BAR");
	device.memory.put64(data_pa(7), 0x77);
	check(device.settle(), "a stream that has ended is not waited for");
	queue.expect(bar, FAA_ERROR_SUCCESS, 0, "stream at the BAR");
	queue.expect(poll, FAA_ERROR_SUCCESS, 0, "stream that has ended");
	same(device.memory.get64(data_pa(8)), 0x66, "the command after the BAR has run");
	check(queue.status(bar).end_cycle > queue.status(poll).end_cycle, "the BAR came later");
	// An error of one stream stops the others, also those at a BAR.
	poll = queue.put(BAR, data_va(8), 1, TOGETHER);
	uint32_t bad = queue.submit(99, data_va(8), 1);
	check(device.settle(), "idle after a stream has failed");
	queue.expect(poll, FAA_ERROR_STOPPED, 0, "stream at a BAR whose partner fails");
	queue.expect(bad, FAA_ERROR_ILLEGAL_COMMAND, 99, "stream that fails");
	poll = queue.put(POLL, data_va(7), 1, TOGETHER);
	bad = queue.submit(WRITE, 1ULL << 48, 1);
	check(device.settle(), "idle after a fault of one stream");
	queue.expect(poll, FAA_ERROR_STOPPED, 0, "stream that polls");
	queue.expect(bad, FAA_ERROR_NON_CANONICAL, 1ULL << 48, "stream with a fault");
	// A kill stops all streams.
	bar = queue.put(BAR, data_va(8), 1, TOGETHER);
	poll = queue.submit(POLL, data_va(7), 1);
	check(!device.settle(2000), "a job waits");
	device.write(FAA_REG_QUEUE_CONTROL(5), both);
	check(device.settle(), "idle after a kill");
	queue.expect(bar, FAA_ERROR_KILLED, 0, "killed at a BAR");
	queue.expect(poll, FAA_ERROR_KILLED, 0, "killed beside a BAR");
	same(queue.head(), queue.tail, "HEAD of a killed job of several streams");
	queue.disable();
	// So does a reset of the unit, except for streams that have ended.
	queue.enable();
	bar = queue.put(WRITE, data_va(8), 1, TOGETHER);
	poll = queue.submit(HANG, data_va(7), 1);
	check(!device.settle(3000), "a stream hangs");
	device.write(FAA_REG_CU_CONTROL(device.read(FAA_REG_QUEUE_STATE(5)) >>
						FAA_REG_QUEUE_STATE_CU_SHIFT &
					15),
		     FAA_REG_CU_CONTROL_RESET_MASK);
	check(device.settle(), "idle after a reset");
	queue.expect(bar, FAA_ERROR_SUCCESS, 0, "stream that had ended before the reset");
	queue.expect(poll, FAA_ERROR_CU_RESET, 0, "stream that hung");
	same(queue.state(), FAA_QUEUE_STATE_KILLED, "state after the reset");
	queue.disable();
	device.memory.put64(data_pa(7), 0);
}

/// Invalid groups: no stream begins, and the jobs after them run.
void bad_groups(Device &device)
{
	Vm vm = make_vm(device, 0);
	Queue queue(device, 3, vm);
	device.memory.put64(data_pa(2), 0);
	// Cut off by TAIL
	for (unsigned streams = 1; streams <= WARP_SLOTS; streams++) {
		uint32_t first = queue.tail;
		for (unsigned k = 0; k < streams; k++)
			queue.put(WRITE, data_va(2), 1, TOGETHER);
		queue.ring();
		device.settle();
		for (unsigned k = 0; k + 1 < streams; k++)
			queue.expect(first + k, FAA_ERROR_STOPPED, 0, "stream of a job cut off");
		queue.expect(first + streams - 1, FAA_ERROR_BAD_DESCRIPTOR, 12,
			     "last stream of it");
	}
	// Too long: the group ends at the size of the unit, and the next one begins there.
	uint32_t first = queue.tail;
	for (unsigned k = 0; k < WARP_SLOTS; k++)
		queue.put(WRITE, data_va(2), 1, TOGETHER);
	uint32_t next = queue.submit(WRITE, data_va(5), 0x1234);
	device.settle();
	for (unsigned k = 0; k + 1 < WARP_SLOTS; k++)
		queue.expect(first + k, FAA_ERROR_STOPPED, 0, "stream of a job that is too long");
	queue.expect(first + WARP_SLOTS - 1, FAA_ERROR_BAD_DESCRIPTOR, 12, "its last stream");
	queue.expect(next, FAA_ERROR_SUCCESS, 0, "stream after it");
	same(device.memory.get64(data_pa(5)), 0x1234, "what it wrote");
	// One bad member
	for (unsigned bad = 0; WARP_SLOTS > 1 && bad < 2; bad++) {
		first = queue.tail;
		queue.put(WRITE, data_va(2), 1, TOGETHER);
		queue.put(WRITE, data_va(2), 1);
		const uint32_t bytes = 28, element = 64;
		device.memory.write(queue.descriptor(first + bad) + 8, &bytes, 4);
		device.memory.write(queue.descriptor(first + 1 - bad) + 32, &element, 4);
		queue.ring();
		device.settle();
		queue.expect(first + bad, FAA_ERROR_BAD_DESCRIPTOR, 8, "bad stream of a job");
		queue.expect(first + 1 - bad, FAA_ERROR_STOPPED, 0, "good stream beside it");
		same(queue.status(first + 1 - bad).element, element, "its first element");
		same(queue.status(first + 1 - bad).command, 0, "its command");
	}
	same(device.memory.get64(data_pa(2)), 0, "no stream of a bad job has run");
	same(queue.head(), queue.tail, "HEAD after all of them");
	queue.disable();
}

/// Translation results, from the walker and from the TLB.
void faults(Device &device)
{
	Vm vm = make_vm(device, 0);
	Queue queue(device, 2, vm);
	uint64_t va = VA_DATA + (1ULL << 30), big = VA_DATA + (2ULL << 30);
	auto run = [&](uint64_t what, uint64_t where, uint32_t code, uint64_t address,
		       const char *name) {
		uint32_t job = queue.submit(what, where, 0);
		check(device.settle(), "device is idle after a fault");
		queue.expect(job, code, address, name);
	};
	run(WRITE, va, FAA_ERROR_NOT_MAPPED, va, "nothing mapped");
	run(WRITE, 1ULL << 48, FAA_ERROR_NON_CANONICAL, 1ULL << 48, "bit 48");
	run(WRITE, ~7ULL, FAA_ERROR_NON_CANONICAL, ~7ULL, "top address");
	vm.map(va, data_pa(3), 0);
	run(WRITE, va + 16, FAA_ERROR_NOT_WRITABLE, va + 16, "read-only page, walked");
	run(WRITE, va + 24, FAA_ERROR_NOT_WRITABLE, va + 24, "read-only page, from the TLB");
	vm.map(va + 4096, 0, FAA_PTE_SPARSE_MASK | FAA_PTE_WRITABLE_MASK);
	run(WRITE, va + 4096, FAA_ERROR_SUCCESS, 0, "sparse page");
	vm.map(big, DATA, FAA_PTE_WRITABLE_MASK, 1);
	uint32_t job = queue.submit(WRITE, big + 0x3008, 0xabcd);
	device.settle();
	queue.expect(job, FAA_ERROR_SUCCESS, 0, "2 MiB page");
	same(device.memory.get64(DATA + 0x3008), 0xabcd, "2 MiB page: place");
	job = queue.submit(WRITE, big + 0x1fe010, 0x1234);
	device.settle();
	same(device.memory.get64(DATA + 0x1fe010), 0x1234,
	     "2 MiB page: another place, from the TLB");

	struct {
		int level;
		uint64_t pte;
	} bad[] = {
		{ 0, FAA_PTE_VALID_MASK },		       // no leaf at level 0
		{ 2, FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK }, // leaf above level 1
		{ 3, FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK },
		{ 1, FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | 0x1000 }, // 2 MiB leaf, not aligned
		{ 1, FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | 0x100000 },
		{ 0, FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | FAA_PTE_REGION_MASK },
		{ 1, FAA_PTE_VALID_MASK | FAA_PTE_WRITABLE_MASK },
		{ 2, FAA_PTE_VALID_MASK | FAA_PTE_ATOMIC_MASK },
		{ 3, FAA_PTE_VALID_MASK | FAA_PTE_SPARSE_MASK },
		{ 2, FAA_PTE_VALID_MASK | FAA_PTE_REGION_MASK },
	};
	// Each case gets a level 3 entry of its own, besides those that the VM uses.
	uint64_t place = 0x10000000000;
	auto advance = [&place] {
		do
			place += 1ULL << 39;
		while (place >> 39 == VA_DATA >> 39 || place >> 39 == VA_STREAMS >> 39);
	};
	for (auto &c : bad) {
		device.memory.put64(vm.entry(place, c.level), c.pte);
		run(WRITE, place + 8, FAA_ERROR_BAD_PAGE_TABLE, place + 8, "bad entry");
		advance();
	}
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(FAA_PTE_RESERVED >> bit & 1))
			continue;
		for (int level : { 0, 3 }) {
			device.memory.put64(vm.entry(place, level),
					    FAA_PTE_VALID_MASK | (level ? 0 : FAA_PTE_LEAF_MASK) |
						    1ULL << bit);
			run(POLL, place, FAA_ERROR_BAD_PAGE_TABLE, place,
			    "reserved bit of an entry");
			advance();
		}
	}
	// An invalid entry may have any other bits.
	device.memory.put64(vm.entry(place, 0), ~1ULL);
	run(WRITE, place, FAA_ERROR_NOT_MAPPED, place, "invalid entry with other bits");

	// Bus errors: a table, then data.
	uint64_t hole = 0x7fff0000000;
	advance();
	device.memory.bad.insert(hole >> 12);
	device.memory.put64(vm.entry(place, 3), hole | 1);
	run(WRITE, place + (5ULL << 30), FAA_ERROR_BUS_ERROR, hole + 5 * 8, "bus error in a table");
	vm.map(va + 8192, hole);
	run(WRITE, va + 8192 + 0x88, FAA_ERROR_BUS_ERROR, hole + 0x80, "bus error of a write");
	run(POLL, va + 8192 + 0x88, FAA_ERROR_BUS_ERROR, hole + 0x80, "bus error of a read");
	device.memory.bad.clear();
	run(WRITE, data_va(0), FAA_ERROR_SUCCESS, 0, "the queue continues");
	queue.disable();
}

/// Bus errors of accesses of the front end itself: the queue goes to ERROR, the others continue.
void front_end_errors(Device &device)
{
	Vm vm = make_vm(device, 0);
	Queue other(device, 4, vm);
	for (uint64_t page : { RINGS + 3 * 0x10000, STATUS + 3 * 4096, SEQNO + 3 * 0x1000 }) {
		Queue queue(device, 3, vm);
		device.memory.bad.insert(page >> 12);
		device.write(FAA_REG_EVENT_STATUS, 15);
		queue.submit(WRITE, data_va(0), 1, FAA_JOB_FLAG_INTERRUPT);
		unsigned before = device.interrupts[4];
		device.settle();
		same(queue.state(), FAA_QUEUE_STATE_ERROR,
		     "state after a bus error of the front end");
		same(queue.head(), 0, "HEAD after a bus error of the front end");
		same(device.interrupts[4], before, "no completion interrupt");
		same(device.read(FAA_REG_EVENT_STATUS), FAA_REG_EVENT_STATUS_QUEUE_ERROR_MASK,
		     "event");
		device.memory.bad.clear();
		uint32_t job = other.submit(WRITE, data_va(0), 2);
		device.settle();
		other.expect(job, FAA_ERROR_SUCCESS, 0, "another queue");
		queue.disable();
	}
	other.disable();
}

/// A save area that cannot be written or read: the queue that owns the context goes to ERROR.
void save_errors(Device &device)
{
	if (NUM_CU != 1)
		return;
	Vm vm = make_vm(device, 0);
	for (bool late : { false, true }) {
		Queue first(device, 3, vm), second(device, 4, vm);
		uint64_t page = SAVE + 3 * 0x40000;
		first.submit(ADD, data_va(0), 1);
		device.settle();
		if (!late)
			device.memory.bad.insert(page >> 12);
		uint32_t job = second.submit(ADD, data_va(0), 5);
		device.settle();
		second.expect(job, FAA_ERROR_SUCCESS, 0, "the queue that needs the unit");
		if (late) {
			device.memory.bad.insert(page >> 12);
			same(first.state(), FAA_QUEUE_STATE_IDLE, "state of a saved queue");
			first.submit(ADD, data_va(0), 1);
			device.settle();
			same(first.head(), 1, "no job runs without its context");
		}
		same(first.state(), FAA_QUEUE_STATE_ERROR,
		     late ? "context cannot be read" : "context cannot be written");
		device.memory.bad.clear();
		first.disable();
		second.disable();
	}
}

void kills(Device &device)
{
	Vm vm = make_vm(device, 0);
	const uint32_t both = FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK;
	Queue queue(device, 5, vm);
	device.write(FAA_REG_EVENT_STATUS, 15);
	device.write(FAA_REG_EVENT_ENABLE, FAA_REG_EVENT_STATUS_QUEUE_KILLED_MASK);
	unsigned before = device.interrupts[0];
	uint32_t job = queue.put(POLL, data_va(7), 0x77);
	uint32_t never = queue.put(WRITE, data_va(7) + 8, 0x77);
	device.memory.put64(data_pa(7) + 8, 0);
	queue.ring();
	check(!device.settle(3000), "a waiting job keeps the device busy");
	same(queue.state(), FAA_QUEUE_STATE_RUNNING, "state of a running queue");
	device.write(FAA_REG_QUEUE_CONTROL(5), both);
	check(device.settle(), "a killed device becomes idle");
	queue.expect(job, FAA_ERROR_KILLED, 0, "killed job");
	same(queue.state(), FAA_QUEUE_STATE_KILLED, "state of a killed queue");
	same(queue.seqno(), queue.sequence(job), "sequence number of a killed job");
	same(queue.head(), never, "HEAD of a killed queue");
	same(device.memory.get64(data_pa(7) + 8), 0, "no job runs after a kill");
	same(device.interrupts[0], before + 1, "interrupt of the event");
	same(device.read(FAA_REG_EVENT_STATUS), FAA_REG_EVENT_STATUS_QUEUE_KILLED_MASK,
	     "event of the kill");
	queue.disable();
	queue.enable();
	device.write(FAA_REG_QUEUE_CONTROL(5), both);
	device.settle();
	same(queue.state(), FAA_QUEUE_STATE_KILLED, "an idle queue is killed as well");
	same(device.interrupts[0], before + 1, "an event that is set requests nothing more");
	device.write(FAA_REG_EVENT_STATUS, 15);
	same(device.read(FAA_REG_EVENT_STATUS), 0, "events are cleared by writing 1");
	device.write(FAA_REG_EVENT_ENABLE, 0);
	queue.disable();
	// Disabling lets the running job end and starts no other.
	queue.enable();
	job = queue.put(POLL, data_va(7), 0x99);
	never = queue.put(WRITE, data_va(7) + 8, 0x77);
	queue.ring();
	device.settle(2000);
	device.write(FAA_REG_QUEUE_CONTROL(5), 0);
	device.settle(500);
	same(queue.state(), FAA_QUEUE_STATE_RUNNING, "a disabled queue finishes its job");
	device.memory.put64(data_pa(7), 0x99);
	device.settle();
	queue.expect(job, FAA_ERROR_SUCCESS, 0,
		     "the job that was running when the queue was disabled");
	same(queue.state(), FAA_QUEUE_STATE_DISABLED, "state after that");
	same(device.memory.get64(data_pa(7) + 8), 0, "no further job runs");
}

/// Resets of a hanging unit, of one with many outstanding writes, and of one that only holds a
/// context.
void resets(Device &device)
{
	Vm vm = make_vm(device, 0);
	unsigned long commands = 0;
	for (unsigned round = 0; round < 30; round++) {
		Queue queue(device, 6, vm), other(device, 7, vm);
		uint32_t job = queue.submit(round % 3 == 0 ? HANG :
					    round % 3 == 1 ? BURST :
							     ADD,
					    data_va(9), 60);
		for (unsigned wait = device.random.below(600); wait > 0; wait--)
			device.step();
		if (round % 3 == 0)
			while (queue.state() != FAA_QUEUE_STATE_RUNNING)
				device.step();
		if (round % 3 == 2)
			device.settle();
		uint32_t cu = device.read(FAA_REG_QUEUE_STATE(6)) >> FAA_REG_QUEUE_STATE_CU_SHIFT &
			      15;
		if (round % 3 == 2)
			for (cu = 0; device.read(FAA_REG_CU_STATE(cu)) !=
				     (6u << 8 | FAA_REG_CU_STATE_RESIDENT_MASK);
			     cu++)
				if (cu >= NUM_CU) {
					check(false, "a unit holds the context");
					break;
				}
		device.write(FAA_REG_EVENT_STATUS, 15);
		device.write(FAA_REG_CU_CONTROL(cu), FAA_REG_CU_CONTROL_RESET_MASK);
		uint32_t second = other.submit(ADD, data_va(10), 1);
		check(device.settle(), "idle after a reset");
		other.expect(second, FAA_ERROR_SUCCESS, 0, "another queue after a reset");
		check(device.axi.idle(), "no AXI transaction is left");
		check(device.read(FAA_REG_EVENT_STATUS) & FAA_REG_EVENT_STATUS_CU_RESET_DONE_MASK,
		      "event of the reset");
		same(queue.state(), FAA_QUEUE_STATE_KILLED, "the queue whose context is lost");
		uint32_t code = queue.status(job).code;
		if (round % 3 == 0)
			same(code, FAA_ERROR_CU_RESET, "code of a job that hung");
		else if (round % 3 == 1)
			check(code == FAA_ERROR_CU_RESET || code == FAA_ERROR_SUCCESS,
			      "code of a job reset in the middle");
		else
			same(code, FAA_ERROR_SUCCESS, "code of a job that had ended");
		same(queue.seqno(), queue.sequence(job),
		     "sequence number of a job whose unit was reset");
		same(queue.head(), 1, "HEAD after the reset");
		queue.disable();
		other.disable();
		unsigned long now = device.read(FAA_REG_CU_COUNTER_LO(0, FAA_COUNTER_COMMANDS));
		check(now >= commands, "counters survive a reset");
		commands = now;
	}
}

/// Atomic operations of all queues on the same words, with other jobs that store, sweep and change
/// contexts: none is lost.
void atomics(Device &device)
{
	Vm vm = make_vm(device, 0);
	std::vector<Queue> queues;
	for (unsigned n = 0; n < 6; n++)
		queues.emplace_back(device, n, vm);
	std::map<uint64_t, uint64_t> sums;
	for (unsigned page = 0; page < 8; page++)
		for (unsigned line = 0; line < 64; line++)
			device.memory.put64(data_pa(page) + 64 * line + 8, 0);
	for (unsigned round = 0; round < 60; round++) {
		for (auto &queue : queues) {
			unsigned page = device.random.below(8),
				 line = device.random.below(64) & ~1u;
			uint64_t value = 1 + device.random.below(150);
			static const unsigned kinds[] = {
				ATOMIC, ATOMIC, ATOMIC, ADD, CLEAN, FLUSH
			};
			unsigned kind = kinds[device.random.below(6)];
			if (queue.tail - queue.head() > 32)
				continue;
			// Pairs of lines, in turn; ADD stores beside the words that are counted.
			if (kind == ATOMIC) {
				queue.submit(kind, data_va(page) + 64 * line + 8, value);
				sums[data_pa(page) + 64 * line + 8] += value;
				sums[data_pa(page) + 64 * line + 72] += value;
			} else {
				queue.submit(kind, data_va(page) + 64 * line + 16, value);
			}
		}
		for (unsigned wait = device.random.below(300); wait > 0; wait--)
			device.step();
	}
	check(device.settle(2000000), "all jobs with atomic operations end");
	for (auto &queue : queues) {
		queue.expect(queue.tail - 1, FAA_ERROR_SUCCESS, 0, "job with atomic operations");
		queue.disable();
	}
	for (auto &word : sums)
		same(device.memory.get64(word.first), word.second,
		     "word that all queues have counted in");
}

/// Jobs see writes of the host between jobs, and a job's writes are in memory at its end; a job
/// reports a write that memory refuses.
void coherence(Device &device)
{
	Vm vm = make_vm(device, 0);
	Queue queue(device, 2, vm);
	for (unsigned n = 0; n < 100; n++) {
		uint64_t where = 8 * device.random.below(64), value = device.random.below(1 << 30);
		unsigned page = device.random.below(4);
		device.memory.put64(data_pa(page) + where, value);
		device.memory.put64(data_pa(page) + (where ^ 64), 5);
		queue.submit(ATOMIC, data_va(page) + where, 30);
		check(device.settle(), "idle after atomic operations");
		same(device.memory.get64(data_pa(page) + where), value + 30,
		     "word that the host wrote before");
		same(device.memory.get64(data_pa(page) + (where ^ 64)), 35, "word beside it");
	}
	// Memory refuses a line that the L2 has read: the error is known only after the sweep at
	// the end.
	for (unsigned kind : { CLEAN, WRITE, ATOMIC }) {
		device.memory.bad_writes.insert(data_pa(3) >> 12);
		uint32_t job = queue.submit(ATOMIC, data_va(3), 30);
		uint32_t next = queue.submit(kind, data_va(1), 1);
		check(device.settle(), "idle after a refused write");
		// Both lines are refused; the last one is named.
		same(queue.status(job).code, FAA_ERROR_BUS_ERROR,
		     "job whose words memory has refused");
		same(queue.status(job).address & ~64ULL, data_pa(3),
		     "line that memory has refused");
		queue.expect(next, FAA_ERROR_SUCCESS, 0, "job after that");
		device.memory.bad_writes.clear();
	}
	queue.disable();
}

/// Units that are reset in the middle of atomic operations and sweeps: the other one continues.
void atomic_resets(Device &device)
{
	Vm vm = make_vm(device, 0);
	for (unsigned round = 0; round < 40; round++) {
		Queue queue(device, 6, vm), other(device, 7, vm);
		uint32_t job = queue.submit(round % 4 == 0 ? FLUSH : ATOMIC, data_va(9), 300);
		uint32_t second = other.submit(ATOMIC, data_va(10), 100);
		for (unsigned wait = device.random.below(1500); wait > 0; wait--)
			device.step();
		uint32_t state = device.read(FAA_REG_QUEUE_STATE(6));
		device.write(FAA_REG_CU_CONTROL(state >> FAA_REG_QUEUE_STATE_CU_SHIFT & 15),
			     FAA_REG_CU_CONTROL_RESET_MASK);
		check(device.settle(), "idle after a reset");
		check(device.axi.idle(), "no AXI transaction is left");
		uint32_t code = queue.status(job).code;
		check(code == FAA_ERROR_CU_RESET || code == FAA_ERROR_SUCCESS,
		      "code of a job reset in the middle");
		code = other.status(second).code;
		check(code == FAA_ERROR_SUCCESS || code == FAA_ERROR_CU_RESET,
		      "code of the other job");
		queue.disable();
		other.disable();
	}
}

/// Remaps pages under running jobs: after the invalidation no access uses the old translation.
void invalidations(Device &device)
{
	Vm vm = make_vm(device, 0);
	std::vector<Queue> queues;
	for (unsigned n = 0; n < 4; n++)
		queues.emplace_back(device, n, vm);
	for (unsigned round = 1; round <= 40; round++) {
		unsigned old_page = round % 2 ? 12 : 13, new_page = 25 - old_page;
		uint64_t value = round * 16;
		vm.map(data_va(12), data_pa(old_page));
		invalidate(device, vm.number, 0, ~0ULL);
		device.memory.put64(data_pa(new_page), 0);
		device.memory.put64(data_pa(old_page), 0);
		for (auto &queue : queues)
			queue.submit(POLL, data_va(12), value);
		for (unsigned wait = device.random.below(2000); wait > 0; wait--)
			device.step();
		vm.map(data_va(12), data_pa(new_page));
		invalidate(device, vm.number, data_va(12) + 17,
			   data_va(12) + device.random.below(4000) + 18);
		// If one unit kept the old page, its job would end now.
		device.memory.put64(data_pa(old_page), value);
		device.settle(1500);
		for (auto &queue : queues)
			same(queue.head(), round - 1,
			     "no unit sees the old page after the invalidation");
		device.memory.put64(data_pa(new_page), value);
		check(device.settle(), "the jobs see the new page");
	}
	for (auto &queue : queues)
		queue.disable();
}

/// A ready queue of high priority goes first; queues of one priority take turns.
void order(Device &device)
{
	if (NUM_CU != 1)
		return;
	Vm vm = make_vm(device, 0);
	std::vector<Queue> queues;
	for (unsigned n = 0; n < 4; n++)
		queues.emplace_back(device, n, vm, n == 2 ? 3 : 1);
	Queue gate(device, 5, vm, 3);
	device.memory.put64(data_pa(1), 0);
	gate.submit(POLL, data_va(1), 1);
	device.settle(1000);
	for (unsigned job = 0; job < 3; job++)
		for (auto &queue : queues)
			queue.submit(WRITE, data_va(2), 1);
	device.memory.put64(data_pa(1), 1);
	device.settle();
	std::vector<std::pair<uint64_t, unsigned>> starts;
	for (unsigned job = 0; job < 3; job++)
		for (auto &queue : queues)
			starts.emplace_back(queue.status(job).start_cycle, queue.n);
	std::sort(starts.begin(), starts.end());
	const unsigned want[12] = { 2, 2, 2, 0, 1, 3, 0, 1, 3, 0, 1, 3 };
	unsigned turn = starts[3].second;
	for (unsigned n = 0; n < 12; n++) {
		if (n < 3)
			same(starts[n].second, want[n], "high priority first");
		else if (n >= 6)
			same(starts[n].second, starts[n - 3].second,
			     "queues of one priority take turns");
	}
	check(turn != 2, "low priority after");
	gate.disable();
	for (auto &queue : queues)
		queue.disable();
}

} // namespace

int main(int argc, char **argv)
{
	uint64_t seed = tb::seed_from(argc, argv, 1);

	Verilated::commandArgs(argc, argv);
	setvbuf(stdout, nullptr, _IOLBF, 0);
	for (unsigned stall : { 0u, 300u, 700u }) {
		Device device(seed + stall, AXI_WIDTH);
		device.axi.stall = stall;
		device.axi.latency = stall ? 60 : 3;
		const struct {
			const char *name;
			void (*run)(Device &device);
		} phases[] = {
			{ "registers", registers },
			{ "simple_job", simple_job },
			{ "descriptors", descriptors },
			{ "groups", groups },
			{ "meetings", meetings },
			{ "bad_groups", bad_groups },
			{ "faults", faults },
			{ "front_end_errors", front_end_errors },
			{ "save_errors", save_errors },
			{ "kills", kills },
			{ "resets", resets },
			{ "invalidations", invalidations },
			{ "order", order },
			{ "contexts", contexts },
#if GLOBAL_ATOMICS
			{ "atomics", atomics },
			{ "coherence", coherence },
			{ "atomic_resets", atomic_resets },
#endif
		};
		for (auto &phase : phases) {
			phase.run(device);
			printf("# %s: cycle %llu\n", phase.name, (unsigned long long)device.cycle);
		}
		printf("# stall %u: %llu cycles, %lu reads, %lu writes\n", stall,
		       (unsigned long long)device.cycle, device.axi.reads, device.axi.writes);
	}
	return tb::finish("top_test");
}
