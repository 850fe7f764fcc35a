#version 450
// SPDX-License-Identifier: MIT
// Functions of GLSL.std.450 whose results are approximate.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) writeonly buffer Results { float results[]; };

uint at;

void put(float value)
{
	results[at++] = value;
}

void main()
{
	uint i = gl_GlobalInvocationID.x;
	float x = a[i], y = a[i ^ 1u];

	at = 32u * i;
	put(radians(x));
	put(degrees(x));
	put(sin(x));
	put(cos(x));
	put(tan(x));
	put(asin(x / 8.0));
	put(acos(x / 8.0));
	put(atan(x));
	put(atan(x, y));
	put(sinh(x));
	put(cosh(x));
	put(tanh(x));
	put(asinh(x));
	put(acosh(abs(x) + 1.5));
	put(atanh(x / 8.0));
	put(pow(abs(x) + 0.5, y));
	put(exp(x));
	put(log(abs(x) + 0.5));
	put(exp2(x));
	put(log2(abs(x) + 0.5));
	put(inversesqrt(abs(x) + 0.5));
	put(mix(x, y, 0.25));
	put(smoothstep(-3.0, 5.0, x));
	put(ldexp(x, int(y)));
	put(fract(x));
	put(round(x + 0.25));
}
