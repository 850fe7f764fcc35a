// SPDX-License-Identifier: MIT
// Threads that work together: shared memory and barriers, tickets, messages.
typedef unsigned int u32;

// faa: taken
extern "C" __global__ void histogram(const u32 *values, u32 *counts)
{
	__shared__ u32 bins[64];

	bins[threadIdx.x] = 0;
	__syncthreads();
	atomicAdd(&bins[values[threadIdx.x] & 63], 1);
	__syncthreads();
	counts[threadIdx.x] = bins[threadIdx.x];
}

// faa: taken
extern "C" __global__ void neighbours(u32 *values)
{
	__shared__ u32 cells[64];

	cells[threadIdx.x] = values[threadIdx.x];
	__syncthreads();
	values[threadIdx.x] = cells[threadIdx.x ^ 32];
}

// faa: taken
extern "C" __global__ void tickets(u32 *counter, u32 *slots)
{
	u32 ticket = atomicAdd(counter, 1);

	slots[ticket] = threadIdx.x;
}

// Each warp is done once; the count goes round.
// faa: taken
extern "C" __global__ void arrivals(u32 *counter, u32 *seen)
{
	__threadfence();
	seen[threadIdx.x] = atomicInc(counter, 63);
}

// faa: taken
extern "C" __global__ void message(u32 *data, u32 *flags, u32 *received)
{
	data[threadIdx.x] = threadIdx.x + 100;
	__nv_atomic_store_n(&flags[threadIdx.x], 1u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
	__syncthreads();
	received[threadIdx.x] = data[threadIdx.x ^ 32] +
				__nv_atomic_load_n(&flags[threadIdx.x ^ 32], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
}
