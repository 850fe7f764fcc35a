// SPDX-License-Identifier: MIT
// What the device or the reader lacks; one message a kernel at least.
typedef unsigned int u32;

// faa: not supported: lanes of a warp cannot go different ways
extern "C" __global__ void guarded(u32 *words, u32 n)
{
	if (threadIdx.x < n)
		atomicAdd(&words[threadIdx.x], 1);
}

// faa: not supported: lanes of a warp cannot go different ways
extern "C" __global__ void spin(u32 *lock, u32 *count)
{
	while (atomicCAS(lock, 0, 1))
		;
	*count += 1;
	__threadfence();
	atomicExch(lock, 0);
}

// faa: not supported: instruction 'selp'
extern "C" __global__ void choose(u32 *words)
{
	words[threadIdx.x] = words[threadIdx.x] > 5 ? 1 : 7;
}

// faa: not supported: instruction 'shfl'
extern "C" __global__ void shuffle(u32 *words)
{
	words[threadIdx.x] = __shfl_xor_sync(0xffffffff, words[threadIdx.x], 1);
}

// faa: not supported: an amount of a shift that is no constant
extern "C" __global__ void shift(u32 *words)
{
	words[threadIdx.x] = 1u << (words[threadIdx.x] & 31);
}

// faa: not supported: instruction 'rem'
extern "C" __global__ void modulo(u32 *words, u32 n)
{
	words[threadIdx.x] = words[threadIdx.x] % n;
}
