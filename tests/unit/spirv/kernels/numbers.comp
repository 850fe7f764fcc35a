#version 450
// SPDX-License-Identifier: MIT
// Operations on T, a floating-point type, whose results are exact or rounded once.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { T a[]; };
layout(std430, binding = 1) readonly buffer B { T b[]; };
layout(std430, binding = 2) writeonly buffer Results { T results[]; };
layout(std430, binding = 3) writeonly buffer Flags { uint flags[]; };

uint at;

void put(T value)
{
	results[at++] = value;
}

void main()
{
	uint i = gl_GlobalInvocationID.x;
	T x = a[i], y = b[i];

	at = 20u * i;
	precise T sum = x + y, difference = x - y, product = x * y, quotient = x / y;

	put(sum);
	put(difference);
	put(product);
	put(quotient);
	put(-x);
	put(abs(x));
	put(min(x, y));
	put(max(x, y));
	put(clamp(x, T(-2.0), T(3.0)));
	put(floor(x));
	put(ceil(x));
	put(trunc(x));
	put(roundEven(x));
	put(sqrt(abs(x)));
	put(fma(x, y, T(0.5)));
	put(sign(x));
	put(T(int(x)));
	put(step(y, x));
	put(mix(x, y, x < y));
	put(T(float(x)) + T(double(y)));
	flags[i] = uint(x < y) | uint(x <= y) << 1 | uint(x > y) << 2 | uint(x >= y) << 3 | uint(x == y) << 4 | uint(x != y) << 5 |
		   uint(isnan(x)) << 6 | uint(isinf(x)) << 7;
}
