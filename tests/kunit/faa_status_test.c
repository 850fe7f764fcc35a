// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <drm/faa_drm.h>

#include <kunit/test.h>

#include "faa_status.h"

/* A queue's ring never holds more jobs than entries: consecutive indices differ, also at 2^32. */
static void ring_slots_differ(struct kunit *test)
{
	static const u32 starts[] = { 0, 1, FAA_RING_ENTRIES - 1, U32_MAX - 5, U32_MAX };
	unsigned int s, i;

	for (s = 0; s < ARRAY_SIZE(starts); s++) {
		DECLARE_BITMAP(seen, FAA_RING_ENTRIES) = {};

		for (i = 0; i < FAA_RING_ENTRIES; i++) {
			u32 slot = faa_ring_slot(starts[s] + i);

			KUNIT_ASSERT_LT(test, slot, FAA_RING_ENTRIES);
			KUNIT_EXPECT_FALSE(test, test_and_set_bit(slot, seen));
		}
		KUNIT_EXPECT_EQ(test, faa_ring_slot(starts[s]),
				faa_ring_slot(starts[s] + FAA_RING_ENTRIES));
	}
}

static void ring_slots_ascend(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, faa_ring_slot(0), 0);
	KUNIT_EXPECT_EQ(test, faa_ring_slot(FAA_RING_ENTRIES - 1), FAA_RING_ENTRIES - 1);
	KUNIT_EXPECT_EQ(test, faa_ring_slot(FAA_RING_ENTRIES), 0);
	KUNIT_EXPECT_EQ(test, faa_ring_slot(U32_MAX), FAA_RING_ENTRIES - 1);
}

static void status_slots(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, faa_status_slot(1, 64), 1);
	KUNIT_EXPECT_EQ(test, faa_status_slot(64, 64), 0);
	KUNIT_EXPECT_EQ(test, faa_status_slot(65, 64), 1);
	KUNIT_EXPECT_EQ(test, faa_status_slot(0x100000000ULL + 4095, 4096), 4095);
	KUNIT_EXPECT_EQ(test, faa_status_slot(U64_MAX, 128), 127);
}

static void status_entries_accepted(struct kunit *test)
{
	u32 entries, wanted;

	KUNIT_ASSERT_EQ(test, faa_status_entries(0, &entries), 0);
	KUNIT_EXPECT_EQ(test, entries, 256);
	for (wanted = DRM_FAA_MIN_STATUS_ENTRIES; wanted <= DRM_FAA_MAX_STATUS_ENTRIES;
	     wanted *= 2) {
		KUNIT_ASSERT_EQ(test, faa_status_entries(wanted, &entries), 0);
		KUNIT_EXPECT_EQ(test, entries, wanted);
	}
}

static void status_entries_refused(struct kunit *test)
{
	static const u32 bad[] = { 1, 2, 32, 63, 65, 96, 255, 4095, 4097, 8192, U32_MAX,
				   0x80000000 };
	u32 entries;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ_MSG(test, faa_status_entries(bad[i], &entries), -EINVAL,
				    "%u entries", bad[i]);
}

static void status_room(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, faa_status_room(0, 0, 64, 64));
	KUNIT_EXPECT_FALSE(test, faa_status_room(0, 0, 65, 64));
	KUNIT_EXPECT_TRUE(test, faa_status_room(100, 37, 1, 64));
	KUNIT_EXPECT_FALSE(test, faa_status_room(100, 36, 1, 64));
	KUNIT_EXPECT_TRUE(test, faa_status_room(100, 100, 64, 64));
}

/* Every code has an error other than that of unknown codes; only success has none. */
static void errno_of_every_code(struct kunit *test)
{
	static const u32 codes[] = {
		FAA_ERROR_ILLEGAL_COMMAND, FAA_ERROR_BAD_LENGTH, FAA_ERROR_TRUNCATED,
		FAA_ERROR_RESERVED_BITS, FAA_ERROR_ILLEGAL_OPERATION, FAA_ERROR_ILLEGAL_OPERAND,
		FAA_ERROR_BAD_COUNT, FAA_ERROR_BAD_OFFSET, FAA_ERROR_BAD_JUMP,
		FAA_ERROR_MISALIGNED, FAA_ERROR_OUT_OF_WINDOW, FAA_ERROR_OUT_OF_RANGE,
		FAA_ERROR_NON_CANONICAL, FAA_ERROR_NOT_MAPPED, FAA_ERROR_NOT_WRITABLE,
		FAA_ERROR_NOT_ATOMIC, FAA_ERROR_BAD_PAGE_TABLE, FAA_ERROR_BUS_ERROR,
		FAA_ERROR_BAD_DESCRIPTOR, FAA_ERROR_TRAP, FAA_ERROR_BAD_HEADER,
		FAA_ERROR_BANK_RANGE, FAA_ERROR_KILLED, FAA_ERROR_CU_RESET,
		FAA_ERROR_STOPPED, FAA_ERROR_TIMEOUT, FAA_ERROR_CANCELLED, FAA_ERROR_DEVICE_LOST,
	};
	unsigned int i;

	KUNIT_EXPECT_EQ(test, faa_status_errno(FAA_ERROR_SUCCESS), 0);
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		int error = faa_status_errno(codes[i]);

		KUNIT_EXPECT_LT_MSG(test, error, 0, "code %u", codes[i]);
		KUNIT_EXPECT_NE_MSG(test, error, -EIO, "code %u", codes[i]);
	}
	KUNIT_EXPECT_EQ(test, faa_status_errno(FAA_ERROR_DEVICE_LOST + 1), -EIO);
	KUNIT_EXPECT_EQ(test, faa_status_errno(U32_MAX), -EIO);
}

static void errno_by_cause(struct kunit *test)
{
	static const u32 invalid[] = {
		FAA_ERROR_ILLEGAL_COMMAND, FAA_ERROR_BAD_LENGTH, FAA_ERROR_TRUNCATED,
		FAA_ERROR_RESERVED_BITS, FAA_ERROR_ILLEGAL_OPERATION, FAA_ERROR_ILLEGAL_OPERAND,
		FAA_ERROR_BAD_COUNT, FAA_ERROR_BAD_OFFSET, FAA_ERROR_BAD_JUMP,
		FAA_ERROR_MISALIGNED, FAA_ERROR_OUT_OF_WINDOW, FAA_ERROR_OUT_OF_RANGE,
		FAA_ERROR_NON_CANONICAL, FAA_ERROR_BAD_DESCRIPTOR, FAA_ERROR_TRAP,
		FAA_ERROR_BAD_HEADER, FAA_ERROR_BANK_RANGE,
	};
	static const u32 fault[] = {
		FAA_ERROR_NOT_MAPPED, FAA_ERROR_NOT_WRITABLE, FAA_ERROR_NOT_ATOMIC,
		FAA_ERROR_BAD_PAGE_TABLE, FAA_ERROR_BUS_ERROR,
	};
	static const u32 canceled[] = {
		FAA_ERROR_KILLED, FAA_ERROR_CU_RESET, FAA_ERROR_STOPPED, FAA_ERROR_CANCELLED,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(invalid); i++)
		KUNIT_EXPECT_EQ_MSG(test, faa_status_errno(invalid[i]), -EINVAL, "code %u",
				    invalid[i]);
	for (i = 0; i < ARRAY_SIZE(fault); i++)
		KUNIT_EXPECT_EQ_MSG(test, faa_status_errno(fault[i]), -EFAULT, "code %u", fault[i]);
	for (i = 0; i < ARRAY_SIZE(canceled); i++)
		KUNIT_EXPECT_EQ_MSG(test, faa_status_errno(canceled[i]), -ECANCELED, "code %u",
				    canceled[i]);
	KUNIT_EXPECT_EQ(test, faa_status_errno(FAA_ERROR_TIMEOUT), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, faa_status_errno(FAA_ERROR_DEVICE_LOST), -ENODEV);
}

static void page_faults(struct kunit *test)
{
	u32 code;

	for (code = 0; code < 64; code++) {
		bool fault = code >= FAA_ERROR_NOT_MAPPED && code <= FAA_ERROR_BAD_PAGE_TABLE;

		KUNIT_EXPECT_EQ_MSG(test, faa_status_is_page_fault(code), fault, "code %u", code);
	}
}

static void kernel_written_record(struct kunit *test)
{
	struct faa_status slot;

	memset(&slot, 0xa5, sizeof(slot));
	faa_status_write(&slot, 0x123456789abcULL, FAA_ERROR_CANCELLED);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(slot.seqno), 0x123456789abcULL);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(slot.code), FAA_ERROR_CANCELLED);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(slot.address), 0);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(slot.elements_retired), 0);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(slot.end_cycle), 0);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(slot.passes), 0);
}

static struct kunit_case faa_status_cases[] = {
	KUNIT_CASE(ring_slots_differ),
	KUNIT_CASE(ring_slots_ascend),
	KUNIT_CASE(status_slots),
	KUNIT_CASE(status_entries_accepted),
	KUNIT_CASE(status_entries_refused),
	KUNIT_CASE(status_room),
	KUNIT_CASE(errno_of_every_code),
	KUNIT_CASE(errno_by_cause),
	KUNIT_CASE(page_faults),
	KUNIT_CASE(kernel_written_record),
	{}
};

static struct kunit_suite faa_status_suite = {
	.name = "faa_status",
	.test_cases = faa_status_cases,
};

kunit_test_suite(faa_status_suite);
