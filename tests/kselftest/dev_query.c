// SPDX-License-Identifier: MIT
/* DEV_QUERY: every type, size negotiation, and that the answers agree with the specification. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(query)
{
	int fd;
};

FIXTURE_SETUP(query)
{
	self->fd = faa_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(query)
{
	close(self->fd);
}

static int ask(int fd, uint32_t type, uint32_t *size, void *answer)
{
	struct drm_faa_dev_query query = { .type = type,
					   .size = *size,
					   .pointer = (uintptr_t)answer };
	int ret = xioctl(fd, DRM_IOCTL_FAA_DEV_QUERY, &query);

	*size = query.size;
	return ret;
}

TEST_F(query, device_answers_the_limits_of_the_interface)
{
	struct drm_faa_device_info info;

	ASSERT_EQ(0, device_info(self->fd, &info));
	EXPECT_EQ(2, info.version_major);
	EXPECT_LE(1, info.num_queues);
	EXPECT_GE(FAA_MAX_QUEUES, info.num_queues);
	EXPECT_LE(1, info.num_cus);
	EXPECT_GE(FAA_MAX_CUS, info.num_cus);
	EXPECT_LE(1, info.warp_slots);
	EXPECT_GE(FAA_MAX_SLOTS, info.warp_slots);
	EXPECT_EQ(FAA_LANES, info.lanes);
	EXPECT_EQ(FAA_SHARED_GRANULE, info.shared_granule);
	EXPECT_EQ(0, info.shared_max % info.shared_granule);
	EXPECT_LE(49152, info.shared_max);
	EXPECT_GE(FAA_SHARED_WINDOW_BYTES, info.shared_max);
	EXPECT_EQ(FAA_VA_BITS, info.va_bits);
	EXPECT_TRUE(info.axi_width == 64 || info.axi_width == 128 || info.axi_width == 256 ||
		    info.axi_width == 512);
	EXPECT_NE(0, info.features & (1ull << FAA_FEATURE_ATOMS_SEED));
	EXPECT_NE(0, info.features & (1ull << FAA_FEATURE_STREAM_OPERANDS));
	EXPECT_NE(0, info.page_sizes & (1ull << FAA_PAGE_SHIFT));
	EXPECT_LT(0, info.job_timeout_ms);
	EXPECT_EQ(DRM_FAA_MAX_VMS, info.max_vms);
	EXPECT_EQ(DRM_FAA_MAX_QUEUES, info.max_queues);
	EXPECT_EQ(DRM_FAA_MAX_BIND_OPS, info.max_bind_ops);
	EXPECT_EQ(DRM_FAA_MAX_JOBS, info.max_jobs);
	EXPECT_EQ(DRM_FAA_MAX_SYNCS, info.max_syncs);
	EXPECT_EQ(DRM_FAA_MAX_STATUS_ENTRIES, info.max_status_entries);
}

TEST_F(query, every_type_tells_its_size)
{
	uint32_t size;

	for (uint32_t type = DRM_FAA_DEV_QUERY_DEVICE; type <= DRM_FAA_DEV_QUERY_COUNTERS; type++) {
		size = 0;
		EXPECT_EQ(0, ask(self->fd, type, &size, NULL));
		EXPECT_LT(0, size);
		EXPECT_EQ(0, size % 8);
	}
	size = 0;
	ask(self->fd, DRM_FAA_DEV_QUERY_DEVICE, &size, NULL);
	EXPECT_EQ(sizeof(struct drm_faa_device_info), size);
}

TEST_F(query, a_short_buffer_gets_the_beginning)
{
	struct drm_faa_device_info info;
	uint8_t bytes[sizeof(info)];
	uint32_t size = 20;

	ASSERT_EQ(0, device_info(self->fd, &info));
	memset(bytes, 0xa5, sizeof(bytes));
	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_DEVICE, &size, bytes));
	EXPECT_EQ(sizeof(info), size);
	EXPECT_EQ(0, memcmp(bytes, &info, 20));
	for (unsigned int i = 20; i < sizeof(bytes); i++)
		EXPECT_EQ(0xa5, bytes[i]);
}

TEST_F(query, a_long_buffer_is_filled_with_zeros)
{
	uint8_t bytes[sizeof(struct drm_faa_device_info) + 64];
	uint32_t size = sizeof(bytes);

	memset(bytes, 0xa5, sizeof(bytes));
	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_DEVICE, &size, bytes));
	EXPECT_EQ(sizeof(struct drm_faa_device_info), size);
	for (unsigned int i = sizeof(struct drm_faa_device_info); i < sizeof(bytes); i++)
		EXPECT_EQ(0, bytes[i]);
}

TEST_F(query, unknown_types_are_refused)
{
	uint32_t size;

	for (unsigned int bit = 3; bit < 32; bit++) {
		size = 0;
		EXPECT_EQ(-EINVAL, ask(self->fd, 1u << bit, &size, NULL));
	}
	size = 0;
	EXPECT_EQ(-EINVAL, ask(self->fd, DRM_FAA_DEV_QUERY_COUNTERS + 1, &size, NULL));
}

TEST_F(query, sizes_are_bounded)
{
	static uint8_t bytes[DRM_FAA_MAX_QUERY_BYTES];
	uint32_t size = DRM_FAA_MAX_QUERY_BYTES;

	EXPECT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_OPS, &size, bytes));
	size = DRM_FAA_MAX_QUERY_BYTES + 1;
	EXPECT_EQ(-EINVAL, ask(self->fd, DRM_FAA_DEV_QUERY_OPS, &size, bytes));
	size = UINT32_MAX;
	EXPECT_EQ(-EINVAL, ask(self->fd, DRM_FAA_DEV_QUERY_OPS, &size, bytes));
}

TEST_F(query, bad_pointers_are_efault)
{
	uint8_t *page =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t size;

	ASSERT_NE(MAP_FAILED, (void *)page);
	ASSERT_EQ(0, munmap(page + PAGE, PAGE));
	for (uint32_t type = DRM_FAA_DEV_QUERY_DEVICE; type <= DRM_FAA_DEV_QUERY_COUNTERS; type++) {
		size = 8;
		EXPECT_EQ(-EFAULT, ask(self->fd, type, &size, (void *)8));
		size = 8;
		EXPECT_EQ(-EFAULT, ask(self->fd, type, &size, (void *)UINTPTR_MAX));
		size = 8;
		EXPECT_EQ(-EFAULT, ask(self->fd, type, &size, page + PAGE - 4));
	}
	munmap(page, PAGE);
}

/* Types of an operation of ATOMS in the command description, to compare with OPS. */
static uint32_t atoms_types(uint32_t op)
{
	switch (op) {
	case FAA_ATOMS_OP_INC:
	case FAA_ATOMS_OP_DEC:
		return 1u << FAA_TYPE_U32;
	case FAA_ATOMS_OP_EXCH:
	case FAA_ATOMS_OP_CAS:
	case FAA_ATOMS_OP_CAST:
	case FAA_ATOMS_OP_CAST_SPIN:
		return 1u << FAA_TYPE_U32 | 1u << FAA_TYPE_S32 | 1u << FAA_TYPE_U64;
	default:
		return 1u << FAA_TYPE_U32 | 1u << FAA_TYPE_S32;
	}
}

TEST_F(query, ops_hold_the_whole_table_of_atoms)
{
	static struct drm_faa_op_info ops[1024];
	uint32_t size = sizeof(ops), seen = 0;

	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_OPS, &size, ops));
	ASSERT_GE(sizeof(ops), size);
	ASSERT_EQ(0, size % sizeof(ops[0]));
	for (unsigned int i = 0; i < size / sizeof(ops[0]); i++) {
		if (ops[i].opcode != FAA_OPCODE_ATOM && ops[i].opcode != FAA_OPCODE_SUATOM)
			EXPECT_EQ(0, ops[i].pci_types);
		if (ops[i].opcode != FAA_OPCODE_ATOMS)
			continue;
		ASSERT_GT(32, ops[i].op);
		EXPECT_EQ(0, seen & (1u << ops[i].op));
		seen |= 1u << ops[i].op;
		EXPECT_EQ(atoms_types(ops[i].op), ops[i].types & atoms_types(ops[i].op))
		{
			TH_LOG("operation %u lacks a type of the compatibility set: %#x", ops[i].op,
			       ops[i].types);
		}
	}
	EXPECT_EQ((2u << FAA_ATOMS_OP_CAST_SPIN) - 1, seen & ((2u << FAA_ATOMS_OP_CAST_SPIN) - 1));
}

/* OPS has ATOM with all its operations if the device has it, and only then. */
TEST_F(query, ops_hold_atom_where_the_device_has_it)
{
	static struct drm_faa_op_info ops[1024];
	struct drm_faa_device_info info;
	uint32_t size = sizeof(ops), seen = 0;

	ASSERT_EQ(0, device_info(self->fd, &info));
	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_OPS, &size, ops));
	for (unsigned int i = 0; i < size / sizeof(ops[0]); i++) {
		if (ops[i].opcode != FAA_OPCODE_ATOM)
			continue;
		ASSERT_GT(32, ops[i].op);
		seen |= 1u << ops[i].op;
		/* FCMPWR is the only operation that integers do not have. */
		EXPECT_EQ(ops[i].op != FAA_ATOM_OP_FCMPWR, ops[i].types >> FAA_TYPE_U32 & 1);
	}
	EXPECT_EQ(info.features & (1ull << FAA_FEATURE_GLOBAL_ATOMICS) ? 0x1f7ff : 0, seen);
}

/* The operations of SUATOM are those of ATOM; the surface sets the sign of their SD types. */
TEST_F(query, ops_hold_suatom_where_the_device_has_it)
{
	static struct drm_faa_op_info ops[1024];
	const uint32_t sd32 = 1u << FAA_TYPE_SD32, sd64 = 1u << FAA_TYPE_SD64;
	struct drm_faa_device_info info;
	uint32_t size = sizeof(ops), seen = 0;

	ASSERT_EQ(0, device_info(self->fd, &info));
	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_OPS, &size, ops));
	for (unsigned int i = 0; i < size / sizeof(ops[0]); i++) {
		uint32_t sd = ops[i].types & (sd32 | sd64);

		if (ops[i].opcode != FAA_OPCODE_SUATOM) {
			EXPECT_EQ(0, sd);
			continue;
		}
		ASSERT_GT(32, ops[i].op);
		seen |= 1u << ops[i].op;
		switch (ops[i].op) {
		case FAA_ATOM_OP_MIN:
		case FAA_ATOM_OP_MAX:
			EXPECT_EQ(sd32 | sd64, sd);
			break;
		case FAA_ATOM_OP_ADD:
		case FAA_ATOM_OP_AND:
		case FAA_ATOM_OP_OR:
		case FAA_ATOM_OP_XOR:
			EXPECT_EQ(sd32, sd);
			break;
		default:
			EXPECT_EQ(0, sd);
		}
	}
	EXPECT_EQ(info.features & (1ull << FAA_FEATURE_SURFACE_ATOMICS) ? 0x1f7ff : 0, seen);
}

/*
 * OPS has the guarantee of scope SYS for each operation; it is empty on a device without that
 * scope.
 */
TEST_F(query, ops_say_what_scope_sys_is_made_of)
{
	static struct drm_faa_op_info ops[1024];
	const uint32_t words = 1u << FAA_TYPE_U32 | 1u << FAA_TYPE_S32 | 1u << FAA_TYPE_U64 |
			       1u << FAA_TYPE_S64;
	struct drm_faa_device_info info;
	uint32_t size = sizeof(ops);
	bool sys;

	ASSERT_EQ(0, device_info(self->fd, &info));
	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_OPS, &size, ops));
	sys = info.features >> FAA_FEATURE_SYS_ATOMICS & 1;
	EXPECT_EQ(sys ? DRM_FAA_HOST_ATOMICS_PCI : DRM_FAA_HOST_ATOMICS_NONE, info.host_atomics);
	for (unsigned int i = 0; i < size / sizeof(ops[0]); i++) {
		bool surface = ops[i].opcode == FAA_OPCODE_SUATOM;
		uint32_t sd32 = surface ? 1u << FAA_TYPE_SD32 : 0;

		EXPECT_EQ(0, ops[i].pci_types & ~(ops[i].types & (words | sd32)));
		if (ops[i].opcode != FAA_OPCODE_ATOM && !surface)
			continue;
		switch (ops[i].op) {
		case FAA_ATOM_OP_ADD:
			EXPECT_EQ(sys ? words | sd32 : 0, ops[i].pci_types);
			break;
		case FAA_ATOM_OP_EXCH:
		case FAA_ATOM_OP_CAS:
			EXPECT_EQ(sys ? words : 0, ops[i].pci_types);
			break;
		case FAA_ATOM_OP_MIN:
		case FAA_ATOM_OP_XOR:
		case FAA_ATOM_OP_FCMPWR:
			EXPECT_EQ(0, ops[i].pci_types);
			break;
		default:
			break;
		}
	}
}

TEST_F(query, regions_begin_with_host_memory)
{
	struct drm_faa_region_info regions[8] = { 0 };
	uint32_t size = sizeof(regions);

	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_REGIONS, &size, regions));
	ASSERT_LE(sizeof(regions[0]), size);
	EXPECT_EQ(DRM_FAA_REGION_HOST, regions[0].region);
	EXPECT_EQ(0, regions[0].flags);
}

TEST_F(query, time_goes_on)
{
	struct drm_faa_timestamp first, second;
	uint32_t size = sizeof(first);
	struct timespec now;

	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_TIMESTAMP, &size, &first));
	EXPECT_EQ(sizeof(first), size);
	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_TIMESTAMP, &size, &second));
	clock_gettime(CLOCK_MONOTONIC, &now);
	EXPECT_LE(first.cpu_ns, second.cpu_ns);
	EXPECT_LE(first.device_cycles, second.device_cycles);
	EXPECT_LE(second.cpu_ns + second.cpu_delta_ns,
		  (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
}

TEST_F(query, priorities_allow_at_least_low_and_normal)
{
	struct drm_faa_priorities priorities = { 0 };
	uint32_t size = sizeof(priorities);

	ASSERT_EQ(0, ask(self->fd, DRM_FAA_DEV_QUERY_PRIORITIES, &size, &priorities));
	EXPECT_EQ(3, priorities.allowed & 3);
	EXPECT_EQ(0, priorities.allowed >> 4);
	EXPECT_EQ(0, priorities.pad);
}

/* The sum of a counter over all compute units; UINT64_MAX on failure. */
static uint64_t counter_sum(int fd, unsigned int counter, const struct drm_faa_device_info *info)
{
	struct drm_faa_cu_counters counters[FAA_MAX_CUS];
	uint32_t size = sizeof(counters);
	uint64_t sum = 0;

	if (ask(fd, DRM_FAA_DEV_QUERY_COUNTERS, &size, counters) ||
	    size != info->num_cus * sizeof(counters[0]))
		return UINT64_MAX;
	for (unsigned int i = 0; i < info->num_cus; i++)
		sum += counters[i].values[counter];
	return sum;
}

TEST_F(query, counters_count)
{
	struct drm_faa_device_info info;
	uint64_t jobs, elements;
	struct client c;

	ASSERT_EQ(0, device_info(self->fd, &info));
	ASSERT_EQ(0, client_open(&c, 1024));
	jobs = counter_sum(self->fd, FAA_COUNTER_JOBS, &info);
	elements = counter_sum(self->fd, FAA_COUNTER_ELEMENTS, &info);
	ASSERT_NE(UINT64_MAX, jobs);
	for (unsigned int i = 0; i < 3; i++) {
		put_atoms(&c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 100, op_none(), op_imm(0), op_imm(1));
		put_end(&c);
		ASSERT_EQ(0, client_run(&c, NULL));
	}
	EXPECT_EQ(jobs + 3, counter_sum(self->fd, FAA_COUNTER_JOBS, &info));
	EXPECT_EQ(elements + 300, counter_sum(self->fd, FAA_COUNTER_ELEMENTS, &info));
	EXPECT_EQ(0, client_close(&c));
}

static int ask_for_counters(void *fd)
{
	uint32_t size = 0;

	return ask(*(int *)fd, DRM_FAA_DEV_QUERY_COUNTERS, &size, NULL);
}

/* Counters reveal the work of other clients. */
TEST_F(query, counters_are_not_for_everybody)
{
	EXPECT_EQ(-EACCES, as_nobody(ask_for_counters, &self->fd));
}

TEST_HARNESS_MAIN
