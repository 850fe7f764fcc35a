// SPDX-License-Identifier: MIT
// Every atomic function of CUDA on the types that the device has; the result is stored, or is not used. One warp.
typedef unsigned int u32;
typedef unsigned long long u64;

// faa: taken
extern "C" __global__ void integers32(u32 *words, u32 *old)
{
	u32 i = threadIdx.x;

	old[i] = atomicAdd(&words[0], i);
	old[i + 32] = atomicSub(&words[1], i);
	old[i + 64] = atomicExch(&words[2], i);
	old[i + 96] = atomicMin(&words[3], i);
	old[i + 128] = atomicMax(&words[4], i);
	old[i + 160] = atomicInc(&words[5], 20);
	old[i + 192] = atomicDec(&words[6], 20);
	old[i + 224] = atomicCAS(&words[7], i, i + 1);
	old[i + 256] = atomicAnd(&words[8], ~i);
	old[i + 288] = atomicOr(&words[9], i);
	old[i + 320] = atomicXor(&words[10], i);
}

// faa: taken
extern "C" __global__ void signed32(int *words, int *old)
{
	int i = threadIdx.x;

	old[i] = atomicMin(&words[0], 10 - i);
	old[i + 32] = atomicMax(&words[1], i - 20);
	old[i + 64] = atomicSub(&words[2], i);
}

// faa: taken
extern "C" __global__ void integers64(u64 *words, u64 *old)
{
	u32 i = threadIdx.x;
	u64 value = i;

	old[i] = atomicAdd(&words[0], value << 32);
	old[i + 32] = atomicExch(&words[1], value);
	old[i + 64] = atomicMin(&words[2], value);
	old[i + 96] = atomicMax(&words[3], value);
	old[i + 128] = atomicCAS(&words[4], value, value + 1);
	old[i + 160] = atomicAnd(&words[5], ~value);
	old[i + 192] = atomicOr(&words[6], value);
	old[i + 224] = atomicXor(&words[7], value);
}

// faa: taken
extern "C" __global__ void unused(u32 *words, u64 *wide, float *sums)
{
	u32 i = threadIdx.x;

	atomicAdd(&words[i & 3], 1);
	atomicMax(&words[4], i);
	atomicAdd(&wide[i & 1], 1);
	atomicAdd(&sums[0], 0.5f);
	atomicSub(&words[5], 1);
}

// faa: taken
extern "C" __global__ void scopes(u32 *words)
{
	atomicAdd_block(&words[0], 1);
	atomicAdd(&words[1], 2);
	atomicAdd_system(&words[2], 3);
	atomicMax_block(&words[3], threadIdx.x);
	atomicExch_system(&words[4], 7);
	atomicCAS_system(&words[5], 0, 9);
}

// faa: taken
extern "C" __global__ void floats(float *sums, float *old)
{
	old[threadIdx.x] = atomicAdd(&sums[threadIdx.x & 1], 1.0f);
	old[threadIdx.x + 32] = atomicExch(&sums[2], 2.0f);
}
