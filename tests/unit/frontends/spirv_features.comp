#version 460
// SPDX-License-Identifier: MIT
// One of each feature that a compute shader may have, for faa-spirv validate.
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z = 1) in;
layout(constant_id = 2) const uint N = 8;
layout(constant_id = 3) const bool FLAG = true;
layout(constant_id = 4) const float SCALE = 2.5;
const uint M = N * 2u + (FLAG ? 1u : 3u);
const uvec3 V = gl_WorkGroupSize * 2u;
struct S { uint a; mat3 m; vec3 v[4]; };
layout(set = 0, binding = 0, std430) buffer B { uint count; S s[]; } b;
layout(set = 0, binding = 1, std140) uniform U { mat4 m; vec4 v; layout(row_major) mat2x3 r; } u;
layout(set = 1, binding = 2, r32ui) uniform uimage2DArray im;
layout(set = 1, binding = 3, rgba8) uniform image2D im2;
layout(push_constant) uniform P { uint base; vec2 q; } pc;
shared uint sh[M]; shared S ss;
float f(float x, inout vec2 y) { if (x > 1.0) return y.x; y += x; for (int i = 0; i < 4; i++) { if (i == 2) continue; if (y.y > 3.0) break; y *= 1.5; } return dot(y, y); }
uint g(uint x) { switch (x & 3u) { case 0u: return 1u; case 1u: x += 2u; case 2u: x *= 3u; break; default: x = 7u; } do { x--; } while (x > 10u); while (true) { if (x < 5u) break; x >>= 1; } return x; }
void main() {
  uint i = gl_GlobalInvocationID.x + V.x; vec2 y = pc.q;
  sh[gl_LocalInvocationIndex % M] = i; barrier(); memoryBarrierShared(); groupMemoryBarrier(); memoryBarrier();
  S t = b.s[i % uint(b.s.length())]; t.m = mat3(u.m) * t.m; t.v[i & 3u] = t.m * t.v[0] * SCALE; b.s[i].m = transpose(t.m); b.s[i] = t; ss = t;
  float z = f(u.v.x, y); z = mix(z, clamp(y.x, 0.0, 1.0), 0.5) + pow(z, 2.0) + length(u.v) + u.r[1][2] + sqrt(abs(z)); bool k = any(lessThan(y, vec2(z))) && isnan(z);
  uint w = g(i); w ^= bitfieldExtract(w, 3, 5); w = bitfieldInsert(w, i, 1, 2); w += bitCount(w) + findMSB(w) + bitfieldReverse(w);
  uint carry; w = uaddCarry(w, i, carry); uint hi, lo; umulExtended(w, carry, hi, lo); w += hi;
  w += subgroupAdd(w) + subgroupBallot(k).x + subgroupShuffle(w, 3u) + subgroupBroadcastFirst(i) + (subgroupElect() ? 1u : 0u) + subgroupExclusiveAdd(w) + subgroupInclusiveMin(w);
  atomicAdd(b.count, w, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
  atomicAdd(b.count, w, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  atomicCompSwap(sh[0], 1u, w, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire, gl_StorageSemanticsShared, gl_SemanticsAcquire);
  imageAtomicMax(im, ivec3(1, 2, 3), w); imageStore(im2, ivec2(0), imageLoad(im2, ivec2(1)) + float(w)); ivec3 sz = imageSize(im);
  int64_t l = int64_t(w) * sz.x; uint16_t h = uint16_t(l); float16_t hf = float16_t(z); double d = double(z) * 2.0; uint8_t c8 = uint8_t(w);
  b.count = uint(l) + uint(h) + uint(hf) + uint(d) + c8 + packHalf2x16(y) + floatBitsToUint(z) + (k ? 1u : 0u) + uint(gl_NumWorkGroups.y);
  modf(z, z); int e; z = frexp(z, e); z = ldexp(z, e);
  if (i == 3u) return;
}
