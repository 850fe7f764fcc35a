/* SPDX-License-Identifier: MIT */
/**
 * DOC: An engine for tests of the virtual device
 *
 * Registers: 0x000..0x7ff plain storage. TEST_REG_LOG: every write is kept, in order. A write of
 * TEST_REG_GO makes step() copy 8 bytes from DMA address SRC to DST, add 1, and request vector
 * VECTOR; TEST_REG_BUSY idle steps precede it, of which the last TEST_REG_SLOW take 20 us each.
 * With TEST_REG_SWAP = 2, 4 or 8, that many bytes at DST are instead compared with the first ones
 * at SRC and, if equal, incremented; the old value is stored at SRC + 8.
 */
#ifndef TEST_ENGINE_H
#define TEST_ENGINE_H

#include "faa_engine.h"

#define TEST_REG_SRC_LO	 0x800
#define TEST_REG_SRC_HI	 0x804
#define TEST_REG_DST_LO	 0x808
#define TEST_REG_DST_HI	 0x80c
#define TEST_REG_VECTOR	 0x810
#define TEST_REG_BUSY	 0x814
#define TEST_REG_GO	 0x818
#define TEST_REG_ERRORS	 0x81c
#define TEST_REG_IRQS	 0x820
#define TEST_REG_LOG	 0x824
#define TEST_REG_LOG_LEN 0x828
#define TEST_REG_SLOW	 0x82c
#define TEST_REG_SWAP	 0x830

#define TEST_LOG_SIZE 4096

extern const struct faa_engine_ops faa_engine_test;

/**
 * test_engine_log() - the values written to TEST_REG_LOG of the newest engine; their number goes to
 * @count.
 */
const uint32_t *test_engine_log(uint32_t *count);
/** test_engine_creations() - number of engines created so far. */
unsigned int test_engine_creations(void);

#endif /* TEST_ENGINE_H */
