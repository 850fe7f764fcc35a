// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <kunit/test.h>

#include <linux/scatterlist.h>

#include "faa_gem.h"

#define PIECES 3

/* A table of segments with an address each, as made by an exporter that maps them for DMA. */
static void fill(struct kunit *test, struct sg_table *sgt, struct scatterlist *sg,
		 const u64 (*pieces)[2])
{
	unsigned int i;

	sg_init_table(sg, PIECES);
	*sgt = (struct sg_table){ .sgl = sg, .nents = PIECES, .orig_nents = PIECES };
	for (i = 0; i < PIECES; i++) {
		sg_dma_address(&sg[i]) = pieces[i][0];
		sg_dma_len(&sg[i]) = pieces[i][1];
	}
}

static void whole_pages_are_accepted(struct kunit *test)
{
	static const u64 pieces[PIECES][2] = {
		{ 0x1000, 0x1000 }, { 0x40000000000, 0x200000 }, { 0, 0x3000 },
	};
	struct scatterlist sg[PIECES];
	struct sg_table sgt;

	fill(test, &sgt, sg, pieces);
	KUNIT_EXPECT_TRUE(test, faa_gem_sgt_ok(&sgt, 0x204000));
	KUNIT_EXPECT_TRUE(test, faa_gem_sgt_ok(&sgt, 0x1000));
	/* The table is one page too short. */
	KUNIT_EXPECT_FALSE(test, faa_gem_sgt_ok(&sgt, 0x205000));
}

/* Each segment in turn begins, or ends, within a page. */
static void parts_of_pages_are_refused(struct kunit *test)
{
	unsigned int i, field;

	for (i = 0; i < PIECES; i++) {
		for (field = 0; field < 2; field++) {
			u64 pieces[PIECES][2] = {
				{ 0x1000, 0x1000 }, { 0x8000, 0x2000 }, { 0x20000, 0x3000 },
			};
			struct scatterlist sg[PIECES];
			struct sg_table sgt;

			pieces[i][field] += 0x800;
			fill(test, &sgt, sg, pieces);
			KUNIT_EXPECT_FALSE_MSG(test, faa_gem_sgt_ok(&sgt, 0x1000),
					       "piece %u, field %u", i, field);
		}
	}
}

static struct kunit_case gem_cases[] = {
	KUNIT_CASE(whole_pages_are_accepted),
	KUNIT_CASE(parts_of_pages_are_refused),
	{ }
};

static struct kunit_suite gem_suite = {
	.name = "faa_gem",
	.test_cases = gem_cases,
};

kunit_test_suite(gem_suite);
