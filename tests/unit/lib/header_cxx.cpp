// SPDX-License-Identifier: MIT
// faa.h, faa_atomic.h and faa_asm.h in a C++ program: they compile without a warning, and their
// functions link as C.
#include "faa_asm.h"
#include "faa_atomic.h"

int main()
{
	struct faa_stream *stream;
	size_t count;

	if (faa_stream_create(&stream))
		return 1;
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 100, faa_none(),
			 faa_scaled(faa_array_u8(0x10000, 1), 2, 0), 0, faa_imm(1), faa_none());
	faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, faa_reg(0), faa_reg(1),
		       faa_reg(2));
	faa_stream_red(stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_SYS, FAA_ORDER_RELAXED, 1,
		       faa_imm(0x10000), 0, faa_imm(1), faa_none());
	struct faa_place place = faa_place_header(FAA_DIM_D2, FAA_CLAMP_NEAR, 0);
	faa_stream_sured(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, 1, faa_imm(0), faa_imm(1), faa_none());
	uint32_t counter = 1;
	struct faa_host_thread thread = {};
	faa_atomic_fetch_add(&thread, faa_reg(0),
			     faa_atomic_at(FAA_TYPE_U32, faa_imm((uintptr_t)&counter), 0),
			     faa_imm(2));
	faa_atomic_store_explicit(stream, faa_atomic_at(FAA_TYPE_U32, faa_imm(0x10000), 0),
				  faa_imm(1), FAA_MEMORY_ORDER_RELEASE, FAA_THREAD_SCOPE_DEVICE);
	faa_stream_end(stream);
	int ret = faa_stream_finish(stream);
	faa_stream_words(stream, &count);
	faa_stream_destroy(stream);
	return ret || counter != 3 || count != 26 || faa_texel_bytes(FAA_TEXEL_R32) != 4;
}
