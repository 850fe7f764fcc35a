// SPDX-License-Identifier: MIT
// Orders and scopes: the functions __nv_atomic of CUDA 12.8, fences, volatile.
typedef unsigned int u32;
typedef unsigned long long u64;

#define SCOPES(order)                                                                              \
	__nv_atomic_fetch_add(&words[0], 1u, order, __NV_THREAD_SCOPE_BLOCK);                      \
	__nv_atomic_fetch_add(&words[1], 1u, order, __NV_THREAD_SCOPE_DEVICE);                     \
	__nv_atomic_fetch_add(&words[2], 1u, order, __NV_THREAD_SCOPE_SYSTEM)

#define GPU __NV_THREAD_SCOPE_DEVICE

// faa: taken
extern "C" __global__ void orders(u32 *words)
{
	SCOPES(__NV_ATOMIC_RELAXED);
	SCOPES(__NV_ATOMIC_ACQUIRE);
	SCOPES(__NV_ATOMIC_RELEASE);
	SCOPES(__NV_ATOMIC_ACQ_REL);
	SCOPES(__NV_ATOMIC_SEQ_CST);
}

// faa: taken
extern "C" __global__ void operations(u32 *words, u64 *wide, u32 *old)
{
	u32 i = threadIdx.x, expected = 0, desired = i + 1;

	old[i] = __nv_atomic_fetch_sub(&words[0], 1u, __NV_ATOMIC_RELAXED, GPU);
	old[i + 32] = __nv_atomic_fetch_and(&words[1], i, __NV_ATOMIC_ACQUIRE, GPU);
	old[i + 64] = __nv_atomic_fetch_or(&words[2], i, __NV_ATOMIC_RELEASE, GPU);
	old[i + 96] = __nv_atomic_fetch_xor(&words[3], i, __NV_ATOMIC_ACQ_REL, GPU);
	old[i + 128] = __nv_atomic_fetch_min(&words[4], i, __NV_ATOMIC_SEQ_CST, GPU);
	old[i + 160] = __nv_atomic_fetch_max(&words[5], i, __NV_ATOMIC_RELAXED, GPU);
	old[i + 192] = __nv_atomic_exchange_n(&words[6], i, __NV_ATOMIC_ACQ_REL, GPU);
	__nv_atomic_compare_exchange_n(&words[7], &expected, desired, false, __NV_ATOMIC_ACQ_REL,
				       __NV_ATOMIC_ACQUIRE, GPU);
	old[i + 224] = expected;
	__nv_atomic_fetch_add(&wide[0], (u64)1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
}

// faa: taken
extern "C" __global__ void accesses(u32 *words, u64 *wide)
{
	u32 value = __nv_atomic_load_n(&words[0], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
	u64 large = __nv_atomic_load_n(&wide[0], __NV_ATOMIC_ACQUIRE, GPU);

	value += __nv_atomic_load_n(&words[1], __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
	__nv_atomic_store_n(&words[2], value, __NV_ATOMIC_RELAXED, GPU);
	__nv_atomic_store_n(&words[3], value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
	__nv_atomic_store_n(&wide[1], large, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
}

// faa: taken
extern "C" __global__ void fences(volatile u32 *words)
{
	words[0] = 1;
	__threadfence_block();
	words[1] = words[2];
	__threadfence();
	words[3] = 2;
	__threadfence_system();
	words[4] = 3;
}
