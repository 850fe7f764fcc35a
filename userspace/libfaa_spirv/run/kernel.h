/* SPDX-License-Identifier: MIT */
#ifndef FAA_SPIRV_KERNEL_H
#define FAA_SPIRV_KERNEL_H

#include "run.h"

struct faa_spirv_kernel {
	struct faa_vm *vm;
	struct spirv_program program;
	/* Elements of buffers, in the order of the program's resources. */
	struct spirv_region *buffers;
	uint32_t buffer_count;
	struct spirv_region *memory;
	uint32_t memory_count;
	/* One for each image of the program. */
	struct spirv_image *images;
	struct faa_header_pool *headers;
	uint8_t *push;
	/* Created by the first dispatch, with @shared bytes of shared memory. */
	struct spirv_round *round;
	uint32_t shared;
	uint64_t limit;
};

#endif /* FAA_SPIRV_KERNEL_H */
