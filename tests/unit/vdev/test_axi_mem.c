// SPDX-License-Identifier: MIT
/*
 * The AXI4 memory: data, order, timing, errors, and that a master that violates the protocol is
 * stopped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axi_mem.h"
#include "../run_tests.h"

#define MEM_SIZE 65536u

static uint8_t host[MEM_SIZE];
static char failure[400];
static jmp_buf failed;

static int host_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	if (addr > MEM_SIZE - len)
		return -EFAULT;
	memcpy(buf, host + addr, len);
	return 0;
}

static int host_write(void *ctx, uint64_t addr, const void *buf, size_t len, uint64_t strb)
{
	assert_true(len <= 64);
	if (addr > MEM_SIZE - len)
		return -EFAULT;
	for (size_t i = 0; i < len; i++)
		if (strb >> i & 1)
			host[addr + i] = ((const uint8_t *)buf)[i];
	return 0;
}

static int host_cas(void *ctx, uint64_t addr, unsigned int size, uint64_t *expected,
		    uint64_t desired)
{
	uint64_t m = 0;

	if (addr > MEM_SIZE - size)
		return -EFAULT;
	memcpy(&m, host + addr, size);
	if (m == *expected)
		memcpy(host + addr, &desired, size);
	*expected = m;
	return 0;
}

static const struct faa_host_ops host_ops = {
	.dma_read = host_read,
	.dma_write = host_write,
	.dma_cas = host_cas,
};

static void on_fail(void *ctx, const char *message)
{
	snprintf(failure, sizeof(failure), "%s", message);
	longjmp(failed, 1);
}

static struct axi_mem *make(unsigned int bytes, struct faa_mem_config config)
{
	const struct axi_mem_config c = {
		.mem = config, .beat_bytes = bytes, .ops = &host_ops, .fail = on_fail
	};
	struct axi_mem *mem = axi_mem_create(&c);

	assert_non_null(mem);
	return mem;
}

static struct axi_mem_addr burst(uint64_t addr, unsigned int beats, uint8_t size, uint32_t id)
{
	return (struct axi_mem_addr){ .valid = true,
				      .addr = addr,
				      .len = (uint8_t)(beats - 1),
				      .size = size,
				      .burst = 1,
				      .id = id };
}

static void test_limits(void **state)
{
	struct axi_mem_config c = { .mem = { .latency = 1, .outstanding = 1 }, .beat_bytes = 64 };

	c.beat_bytes = 24;
	assert_null(axi_mem_create(&c));
	c.beat_bytes = 64;
	c.mem.latency = 0;
	assert_null(axi_mem_create(&c));
	c.mem.latency = 1;
	c.mem.outstanding = 0;
	assert_null(axi_mem_create(&c));
}

/* Data comes `latency` cycles after its address was accepted, then one beat a cycle. */
static void test_latency(void **state)
{
	for (uint32_t latency = 1; latency < 40; latency += 13) {
		struct axi_mem *mem =
			make(64, (struct faa_mem_config){ .latency = latency, .outstanding = 4 });
		struct axi_mem_in in = { .r_ready = true, .b_ready = true };
		const struct axi_mem_out *out = axi_mem_step(mem, &in);
		uint32_t cycles = 0;

		assert_true(out->ar_ready && out->aw_ready);
		in.ar = burst(0, 4, 6, 1);
		out = axi_mem_step(mem, &in);
		in.ar.valid = false;
		for (cycles = 1; !out->r_valid; cycles++)
			out = axi_mem_step(mem, &in);
		assert_int_equal(cycles, latency);
		for (int beat = 0; beat < 4; beat++) {
			assert_true(out->r_valid);
			assert_int_equal(out->r_last, beat == 3);
			out = axi_mem_step(mem, &in);
		}
		assert_false(out->r_valid);
		assert_true(axi_mem_idle(mem));
		axi_mem_destroy(mem);
	}
}

/* A random master. Each ID has memory of its own, which it writes and reads back in turn. */
#define IDS  4
#define AREA (MEM_SIZE / IDS)

struct traffic {
	struct axi_mem *mem;
	unsigned int bytes;
	struct axi_mem_in in;
	uint32_t seed;
	/* Per ID: the outstanding transaction, and the expected memory. */
	struct {
		enum { IDLE, ADDR, DATA, RESPONSE, READ_ADDR, READ_DATA } state;
		struct axi_mem_addr addr;
		uint32_t beat;
	} id[IDS];
	uint8_t expect[MEM_SIZE];
	/* IDs whose write data is still to be sent, in the order of their addresses. */
	unsigned int w_queue[IDS];
	unsigned int w_count;
	uint64_t reads, writes, errors, interleaved;
	uint32_t last_r_id;
	bool mid_burst;
};

static uint32_t pick(struct traffic *t, uint32_t below)
{
	return (uint32_t)rand_r(&t->seed) % below;
}

static struct axi_mem_addr random_burst(struct traffic *t, uint32_t id)
{
	unsigned int max_size = (unsigned int)__builtin_ctz(t->bytes);
	uint8_t size = (uint8_t)(pick(t, 2) ? max_size : pick(t, max_size + 1));
	uint32_t addr = (pick(t, AREA) & ~((1u << size) - 1)) + id * AREA;
	uint32_t room = (4096 - addr % 4096) >> size;
	uint32_t beats = 1 + pick(t, room < 8 ? room : 8);

	return burst(addr, beats, size, id);
}

static void start_some(struct traffic *t)
{
	uint32_t id = pick(t, IDS);

	if (t->id[id].state != IDLE || pick(t, 3) == 0)
		return;
	if (pick(t, 2) && !t->in.aw.valid) {
		t->in.aw = t->id[id].addr = random_burst(t, id);
		t->id[id].state = ADDR;
	} else if (!t->in.ar.valid) {
		t->in.ar = t->id[id].addr = random_burst(t, id);
		t->id[id].state = READ_ADDR;
	}
	t->id[id].beat = 0;
}

static void put_write_beat(struct traffic *t)
{
	uint32_t id;
	const struct axi_mem_addr *a;
	uint32_t beat, lane;
	uint64_t mask;

	if (!t->w_count || t->in.w_valid || pick(t, 4) == 0)
		return;
	id = t->w_queue[0];
	a = &t->id[id].addr;
	beat = t->id[id].beat;
	lane = (uint32_t)(a->addr + (beat << a->size)) & (t->bytes - 1);
	mask = a->size == 6 ? ~0ull : (1ull << (1u << a->size)) - 1;
	for (unsigned int i = 0; i < t->bytes; i++)
		t->in.w_data[i] = (uint8_t)pick(t, 256);
	t->in.w_strb = (((uint64_t)pick(t, 1u << 31) << 33 ^ pick(t, 1u << 31)) & mask) << lane;
	if (pick(t, 2))
		t->in.w_strb = mask << lane;
	t->in.w_last = beat == a->len;
	t->in.w_valid = true;
}

static void write_beat_done(struct traffic *t)
{
	uint32_t id = t->w_queue[0];
	const struct axi_mem_addr *a = &t->id[id].addr;
	uint64_t base = (a->addr + ((uint64_t)t->id[id].beat << a->size)) &
			~(uint64_t)(t->bytes - 1);

	for (unsigned int i = 0; i < t->bytes; i++)
		if (t->in.w_strb >> i & 1)
			t->expect[base + i] = t->in.w_data[i];
	t->in.w_valid = false;
	if (t->id[id].beat++ == a->len) {
		t->id[id].state = RESPONSE;
		t->w_count--;
		memmove(t->w_queue, t->w_queue + 1, t->w_count * sizeof(t->w_queue[0]));
	}
}

static void check_read_beat(struct traffic *t, const struct axi_mem_out *out)
{
	uint32_t id = out->r_id;
	const struct axi_mem_addr *a;
	uint64_t addr;

	assert_true(id < IDS);
	assert_int_equal(t->id[id].state, READ_DATA);
	a = &t->id[id].addr;
	addr = a->addr + ((uint64_t)t->id[id].beat << a->size);
	if (t->mid_burst && t->last_r_id != id)
		t->interleaved++;
	assert_int_equal(out->r_last, t->id[id].beat == a->len);
	if (out->r_resp == AXI_OKAY)
		assert_memory_equal(out->r_data + (addr & (t->bytes - 1)), t->expect + addr,
				    1u << a->size);
	else
		t->errors++;
	t->last_r_id = id;
	t->mid_burst = !out->r_last;
	t->id[id].beat++;
	if (out->r_last) {
		t->id[id].state = IDLE;
		t->reads++;
	}
}

/* After a failed write, memory may hold a part of it: ask. */
static void check_write_response(struct traffic *t, const struct axi_mem_out *out)
{
	uint32_t id = out->b_id;
	const struct axi_mem_addr *a;

	assert_true(id < IDS);
	assert_int_equal(t->id[id].state, RESPONSE);
	a = &t->id[id].addr;
	if (out->b_resp == AXI_OKAY)
		assert_memory_equal(host + a->addr, t->expect + a->addr, (a->len + 1u) << a->size);
	else
		t->errors++;
	memcpy(t->expect + a->addr, host + a->addr, (a->len + 1u) << a->size);
	t->id[id].state = IDLE;
	t->writes++;
}

static void cycle(struct traffic *t, bool start)
{
	struct axi_mem_out out;

	if (start)
		start_some(t);
	put_write_beat(t);
	t->in.r_ready = pick(t, 4) != 0;
	t->in.b_ready = pick(t, 4) != 0;
	out = *axi_mem_outputs(t->mem);
	axi_mem_step(t->mem, &t->in);

	if (t->in.ar.valid && out.ar_ready) {
		t->id[t->in.ar.id].state = READ_DATA;
		t->in.ar.valid = false;
	}
	if (t->in.w_valid && out.w_ready)
		write_beat_done(t);
	if (t->in.aw.valid && out.aw_ready) {
		t->id[t->in.aw.id].state = DATA;
		t->w_queue[t->w_count++] = t->in.aw.id;
		t->in.aw.valid = false;
	}
	if (out.r_valid && t->in.r_ready)
		check_read_beat(t, &out);
	if (out.b_valid && t->in.b_ready)
		check_write_response(t, &out);
}

static void run_traffic(struct traffic *t, unsigned int bytes, struct faa_mem_config config)
{
	memset(t, 0, sizeof(*t));
	t->bytes = bytes;
	t->seed = bytes + (uint32_t)config.seed;
	for (unsigned int i = 0; i < MEM_SIZE; i++)
		t->expect[i] = host[i] = (uint8_t)(i * 7 + i / 256);
	t->mem = make(bytes, config);
	for (int i = 0; i < 60000; i++)
		cycle(t, true);
	for (int i = 0; i < 3000; i++)
		cycle(t, false);
	assert_true(axi_mem_idle(t->mem));
	assert_memory_equal(host, t->expect, MEM_SIZE);
	axi_mem_destroy(t->mem);
}

static struct traffic traffic;

static void test_traffic(void **state)
{
	const struct faa_mem_config plain = { .latency = 5, .outstanding = 8, .seed = 3 };
	const struct faa_mem_config wild = {
		.latency = 3, .jitter = 30, .outstanding = 3, .stall = 300, .seed = 4
	};

	for (unsigned int bytes = 8; bytes <= 64; bytes *= 2) {
		run_traffic(&traffic, bytes, plain);
		assert_true(traffic.reads > 3000 && traffic.writes > 1000);
		assert_int_equal(traffic.errors, 0);
		assert_int_equal(traffic.interleaved, 0);
		run_traffic(&traffic, bytes, wild);
		assert_true(traffic.reads > 700 && traffic.writes > 500);
		assert_int_equal(traffic.errors, 0);
		assert_true(traffic.interleaved > 0);
	}
}

static void test_error_rate(void **state)
{
	run_traffic(
		&traffic, 64,
		(struct faa_mem_config){
			.latency = 2, .jitter = 4, .outstanding = 4, .error_rate = 10, .seed = 9 });
	assert_in_range(traffic.errors, (traffic.reads + traffic.writes) / 20,
			(traffic.reads + traffic.writes) / 5);
}

/* The same seed gives the same run, another seed a different one. */
static void test_reproducible(void **state)
{
	struct faa_mem_config config = { .latency = 2,
					 .jitter = 9,
					 .outstanding = 4,
					 .stall = 100,
					 .error_rate = 50,
					 .seed = 21 };
	uint64_t reads, errors;

	run_traffic(&traffic, 32, config);
	reads = traffic.reads;
	errors = traffic.errors;
	run_traffic(&traffic, 32, config);
	assert_int_equal(traffic.reads, reads);
	assert_int_equal(traffic.errors, errors);
}

static void test_no_memory(void **state)
{
	struct axi_mem *mem = make(64, (struct faa_mem_config){ .latency = 1, .outstanding = 4 });
	struct axi_mem_in in = { .r_ready = true, .b_ready = true };
	const struct axi_mem_out *out;

	axi_mem_step(mem, &in);
	in.ar = burst(MEM_SIZE, 1, 6, 0);
	in.aw = burst(1ull << 50, 1, 6, 0);
	out = axi_mem_step(mem, &in);
	in.ar.valid = in.aw.valid = false;
	assert_true(out->r_valid && out->r_last);
	assert_int_equal(out->r_resp, AXI_DECERR);
	in.w_valid = in.w_last = true;
	in.w_strb = ~0ull;
	out = axi_mem_step(mem, &in);
	assert_true(out->b_valid);
	assert_int_equal(out->b_resp, AXI_DECERR);
	axi_mem_destroy(mem);
}

static void test_outstanding(void **state)
{
	struct axi_mem *mem = make(64, (struct faa_mem_config){ .latency = 50, .outstanding = 3 });
	struct axi_mem_in in = { .r_ready = true };
	unsigned int accepted = 0;

	in.ar = burst(0, 1, 6, 0);
	for (int i = 0; i < 40; i++) {
		accepted += axi_mem_outputs(mem)->ar_ready;
		axi_mem_step(mem, &in);
	}
	assert_int_equal(accepted, 3);
	axi_mem_destroy(mem);
}

/* Runs two cycles: @first, then @second; returns the memory's complaint. */
static const char *complaint(struct axi_mem_in first, struct axi_mem_in second)
{
	/* setjmp: locals that change afterwards must not live in registers. */
	struct axi_mem *volatile mem =
		make(64, (struct faa_mem_config){ .latency = 1, .outstanding = 1 });
	struct axi_mem_in idle = { 0 };

	failure[0] = 0;
	if (!setjmp(failed)) {
		axi_mem_step(mem, &idle);
		axi_mem_step(mem, &first);
		axi_mem_step(mem, &second);
	}
	axi_mem_destroy(mem);
	return failure;
}

#define COMPLAINS(first, second, words) assert_non_null(strstr(complaint(first, second), words))

/*
 * An atomic transaction on the @size bytes at @addr, with a bus of @bytes; returns the old value.
 */
static uint64_t atomic(struct axi_mem *mem, unsigned int bytes, uint8_t atop, uint64_t addr,
		       unsigned int size, uint64_t data, uint64_t compare, uint8_t *resp)
{
	const bool compares = atop == AXI_ATOP_COMPARE;
	const unsigned int all = size << compares, beats = all > bytes ? 2 : 1;
	struct axi_mem_in in = { .r_ready = true, .b_ready = true };
	const struct axi_mem_out *out = axi_mem_step(mem, &in);
	bool answered = false, acknowledged = false;
	uint64_t held = 0;

	in.aw = (struct axi_mem_addr){
		.valid = true, .addr = addr, .len = (uint8_t)(beats - 1), .atop = atop
	};
	in.aw.size = (uint8_t)__builtin_ctz(all / beats);
	in.aw.burst = compares && (addr & size) ? 2 : 1;
	in.aw.id = 5;
	while (!out->aw_ready)
		out = axi_mem_step(mem, &in);
	out = axi_mem_step(mem, &in);
	in.aw.valid = false;
	for (unsigned int beat = 0; beat < beats; beat++) {
		const unsigned int lane = addr & (bytes - 1);

		in.w_valid = true;
		in.w_last = beat == beats - 1;
		memset(in.w_data, 0xa5, sizeof(in.w_data));
		memcpy(in.w_data + lane,
		       beats == 2 && beat ? &data :
		       compares		  ? &compare :
					    &data,
		       size);
		in.w_strb = (~0ull >> (64 - size)) << lane;
		if (compares && beats == 1) {
			memcpy(in.w_data + (lane ^ size), &data, size);
			in.w_strb |= (~0ull >> (64 - size)) << (lane ^ size);
		}
		while (!out->w_ready)
			out = axi_mem_step(mem, &in);
		out = axi_mem_step(mem, &in);
	}
	in.w_valid = false;
	for (int cycles = 0; !answered || !acknowledged; cycles++) {
		assert_true(cycles < 100);
		if (out->r_valid) {
			assert_true(out->r_last && out->r_id == 5 && !answered);
			memcpy(&held, out->r_data + (addr & (bytes - 1)), size);
			*resp = out->r_resp;
			answered = true;
		}
		if (out->b_valid) {
			assert_true(out->b_id == 5 && !acknowledged);
			acknowledged = true;
		}
		out = axi_mem_step(mem, &in);
	}
	assert_true(axi_mem_idle(mem));
	return held;
}

/* Every transaction on 4 and 8 bytes, at both positions of a pair, on every bus. */
static void test_atomics(void **state)
{
	for (unsigned int bytes = 8; bytes <= 64; bytes *= 2)
		for (unsigned int at = 0; at < 4; at++) {
			const unsigned int size = at & 1 ? 8 : 4;
			const uint64_t addr = 4096 - 64 + (at & 2 ? size : 0) + 16;
			const uint64_t ones = ~0ull >> (64 - 8 * size),
				       first = 0xfedcba9876543210 & ones;
			struct axi_mem *mem = make(
				bytes, (struct faa_mem_config){ .latency = 3, .outstanding = 2 });
			uint64_t now = 0;
			uint8_t resp = 9;

			memset(host, 0x77, MEM_SIZE);
			memcpy(host + addr, &first, size);
			assert_int_equal(atomic(mem, bytes, AXI_ATOP_ADD, addr, size, ones - 6, 0,
						&resp),
					 first);
			assert_int_equal(atomic(mem, bytes, AXI_ATOP_SWAP, addr, size, 0x1234, 0,
						&resp),
					 first - 7);
			assert_int_equal(atomic(mem, bytes, AXI_ATOP_COMPARE, addr, size, 0x55,
						0x1235, &resp),
					 0x1234);
			assert_int_equal(atomic(mem, bytes, AXI_ATOP_COMPARE, addr, size, 0x56,
						0x1234, &resp),
					 0x1234);
			assert_int_equal(resp, AXI_OKAY);
			memcpy(&now, host + addr, size);
			assert_int_equal(now, 0x56);
			assert_int_equal(host[addr - 1], 0x77);
			assert_int_equal(host[addr + size], 0x77);
			atomic(mem, bytes, AXI_ATOP_SWAP, MEM_SIZE, size, 1, 0, &resp);
			assert_int_equal(resp, AXI_DECERR);
			axi_mem_destroy(mem);
		}
}

static void test_bad_atomics(void **state)
{
	struct axi_mem_in in = { 0 };
	struct axi_mem_in idle = { 0 };

	in.aw = burst(64, 1, 3, 0);
	in.aw.atop = AXI_ATOP_ADD;
	assert_string_equal(complaint(in, idle), "");
	in.aw.addr = 68;
	COMPLAINS(in, idle, "AWADDR 0x44 is not a multiple of its item of 8");
	in.aw.addr = 64;
	in.aw.atop = 0x21;
	COMPLAINS(in, idle, "AWATOP is 0x21");
	in.aw.atop = AXI_ATOP_SWAP;
	in.aw.size = 1;
	COMPLAINS(in, idle, "on 2 bytes");
	in.aw.size = 3;
	in.aw.burst = 2;
	COMPLAINS(in, idle, "AWBURST is 2");
	in.aw = burst(68, 1, 3, 0);
	in.aw.atop = AXI_ATOP_COMPARE;
	COMPLAINS(in, idle, "AWBURST is 1");
	in.aw.burst = 2;
	assert_string_equal(complaint(in, idle), "");
	/* A read of the same ID is outstanding. */
	in.aw = burst(64, 1, 3, 1);
	in.aw.atop = AXI_ATOP_ADD;
	in.ar = burst(0, 1, 6, 1);
	COMPLAINS(in, idle, "ID 1 of an atomic transaction is in use");
}

static void test_bad_addresses(void **state)
{
	struct axi_mem_in in = { 0 };
	struct axi_mem_in idle = { 0 };

	in.ar = burst(4096 - 64, 1, 6, 0);
	assert_string_equal(complaint(in, idle), "");
	in.ar = burst(4096 - 64, 2, 6, 0);
	COMPLAINS(in, idle, "crosses a 4 KiB boundary");
	in.ar = burst(32, 1, 6, 0);
	COMPLAINS(in, idle, "ARADDR 0x20 is not a multiple");
	in.ar = burst(0, 1, 7, 0);
	COMPLAINS(in, idle, "ARSIZE 7");
	in.ar = burst(0, 1, 6, 0);
	in.ar.burst = 2;
	COMPLAINS(in, idle, "ARBURST is 2");
	in.ar.valid = false;
	in.aw = burst(64, 1, 6, 0);
	in.aw.atop = 0x10;
	COMPLAINS(in, idle, "AWATOP is 0x10");
	in.aw = burst(8192 - 8, 2, 3, 0);
	COMPLAINS(in, idle, "AWADDR 0x1ff8");
}

/* Two reads with room for one: the second waits, and must be stable. */
static void test_unstable(void **state)
{
	struct axi_mem_in a = { .r_ready = false };
	struct axi_mem_in b;

	/* Write data before its address is never accepted in the same cycle. */
	a.w_valid = true;
	a.w_strb = 1;
	a.w_data[5] = 1;
	b = a;
	assert_string_equal(complaint(a, b), "");
	b.w_valid = false;
	COMPLAINS(a, b, "WVALID fell");
	b = a;
	b.w_data[5] = 2;
	COMPLAINS(a, b, "WDATA, WSTRB or WLAST changed");
	b = a;
	b.w_strb = 3;
	COMPLAINS(a, b, "WDATA, WSTRB or WLAST changed");
}

static const char *address_complaint(struct axi_mem_addr second, bool write)
{
	struct axi_mem *volatile mem =
		make(64, (struct faa_mem_config){ .latency = 9, .outstanding = 1 });
	struct axi_mem_in in = { 0 };

	failure[0] = 0;
	if (!setjmp(failed)) {
		axi_mem_step(mem, &in);
		*(write ? &in.aw : &in.ar) = burst(0, 1, 6, 0);
		axi_mem_step(mem, &in);
		*(write ? &in.aw : &in.ar) = burst(64, 1, 6, 2);
		axi_mem_step(mem, &in);
		*(write ? &in.aw : &in.ar) = second;
		axi_mem_step(mem, &in);
	}
	axi_mem_destroy(mem);
	return failure;
}

static void test_unstable_addresses(void **state)
{
	for (int write = 0; write < 2; write++) {
		struct axi_mem_addr addr = burst(64, 1, 6, 2);

		assert_string_equal(address_complaint(addr, write), "");
		addr.addr = 128;
		assert_non_null(strstr(address_complaint(addr, write), "changed while it waited"));
		addr = burst(64, 1, 6, 3);
		assert_non_null(strstr(address_complaint(addr, write), "changed while it waited"));
		addr = burst(64, 2, 6, 2);
		assert_non_null(strstr(address_complaint(addr, write), "changed while it waited"));
		addr.valid = false;
		assert_non_null(strstr(address_complaint(addr, write),
				       write ? "AWVALID fell" : "ARVALID fell"));
	}
}

static void test_bad_write_data(void **state)
{
	struct axi_mem_in address = { 0 };
	struct axi_mem_in data = { .w_valid = true, .w_strb = 1 };

	address.aw = burst(0, 2, 6, 0);
	assert_string_equal(complaint(address, data), "");
	data.w_last = true;
	COMPLAINS(address, data, "WLAST is 1 with beat 1 of 2");
	address.aw = burst(0, 1, 6, 0);
	data.w_last = false;
	COMPLAINS(address, data, "WLAST is 0 with beat 1 of 1");
	/* A narrow write at byte 8: lanes 8 to 15. */
	address.aw = burst(8, 1, 3, 0);
	data.w_last = true;
	data.w_strb = 0xff00;
	assert_string_equal(complaint(address, data), "");
	data.w_strb = 0x1ff00;
	COMPLAINS(address, data, "WSTRB 0x1ff00");
	data.w_strb = 0x80;
	COMPLAINS(address, data, "WSTRB 0x80");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),	       cmocka_unit_test(test_latency),
		cmocka_unit_test(test_traffic),	       cmocka_unit_test(test_error_rate),
		cmocka_unit_test(test_reproducible),   cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_outstanding),    cmocka_unit_test(test_bad_addresses),
		cmocka_unit_test(test_unstable),       cmocka_unit_test(test_unstable_addresses),
		cmocka_unit_test(test_bad_write_data), cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_bad_atomics),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
