#version 450
// SPDX-License-Identifier: MIT
// Scopes and orders of Vulkan's memory model: messages between workgroups, locks, volatile and
// coherent memory.
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) workgroupcoherent buffer Data { uint data[]; };
layout(std430, binding = 1) buffer Locks { uint lock; uint next; uint sum; uint done; };
layout(std430, binding = 2) devicecoherent buffer Seen { uint seen[]; };
layout(std430, binding = 3) volatile buffer Spin { uint spin[]; };
shared uint flags[2];

void main()
{
	uint g = gl_WorkGroupID.x, l = gl_LocalInvocationIndex;
	bool through = false;

	/* Each lane takes the lock, which protects data that is not atomic. */
	while (!through) {
		if (atomicCompSwap(lock, 0u, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
				   gl_SemanticsAcquire | gl_SemanticsMakeVisible, gl_StorageSemanticsBuffer,
				   gl_SemanticsAcquire | gl_SemanticsMakeVisible) == 0u) {
			sum += g + l;
			atomicStore(lock, 0u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
			through = true;
		}
	}
	/* The first half of the workgroup waits for the second. */
	if (l < 2u)
		atomicStore(flags[l], 0u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
	controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
	if (l == 63u) {
		data[g] = 100u + g;
		memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
		atomicAdd(flags[1], 5u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease | gl_SemanticsVolatile);
	}
	if (l == 0u) {
		while (atomicLoad(flags[1], gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire) != 5u)
			atomicOr(lock, 0u, gl_ScopeDevice, 0, 0);
		memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
		seen[g] = data[g];
		/*
		 * spirv-opt removes empty loops. Workgroups take their turns in the order of their
		 * numbers.
		 */
		while (spin[0] != g)
			atomicOr(lock, 0u, gl_ScopeDevice, 0, 0);
		spin[1 + g] = spin[g] + 1u;
		memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
		spin[0] = g + 1u;
		atomicMax(done, g, gl_ScopeSubgroup, 0, 0);
		atomicMax(next, g, gl_ScopeInvocation, 0, 0);
	}
}
