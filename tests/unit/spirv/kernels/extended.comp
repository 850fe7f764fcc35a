#version 450
// SPDX-License-Identifier: MIT
// Instructions of GLSL.std.450 that do not operate on each component separately: two results,
// packing, matrices, geometry. 64 words and 16 floats a lane.
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) readonly buffer Whole { int whole[]; };
layout(std430, binding = 2) readonly buffer Words { uint words[]; };
layout(std430, binding = 3) writeonly buffer Results { uint results[]; };
layout(std430, binding = 4) writeonly buffer Floats { float floats[]; };

uint at;

void put(uint word)
{
	results[at++] = word;
}

void put(float value)
{
	put(floatBitsToUint(value));
}

void put(double value)
{
	uvec2 both = unpackDouble2x32(value);

	put(both.x);
	put(both.y);
}

void put(float16_t value)
{
	put(uint(float16BitsToUint16(value)));
}

void split(uint i)
{
	float integral, f = x[i];
	double dwhole;
	float16_t hwhole;
	f16vec2 hpair;
	ivec2 exponents;
	int exponent;
	uint word = words[i];

	put(modf(f, integral));
	put(integral);
	put(frexp(f, exponent));
	put(uint(exponent));
	put(ldexp(f, whole[i]));
	put(modf(double(f) * 3.0lf, dwhole));
	put(dwhole);
	put(frexp(double(f) * 3.0lf, exponent));
	put(uint(exponent));
	put(modf(float16_t(f), hwhole));
	put(hwhole);
	hpair = frexp(f16vec2(f, 1.5hf), exponents);
	put(hpair.x);
	put(uint(exponents.x * 10 + exponents.y));
	put(packSnorm4x8(vec4(f, -f, f * 0.25, 0.5)));
	put(packUnorm4x8(vec4(f, -f, f * 0.25, 0.5)));
	put(packSnorm2x16(vec2(f, f * 0.125)));
	put(packUnorm2x16(vec2(f, f * 0.125)));
	vec4 four = unpackSnorm4x8(word);
	for (int k = 0; k < 4; k++)
		put(four[k]);
	four = unpackUnorm4x8(word);
	for (int k = 0; k < 4; k++)
		put(four[k]);
	four = vec4(unpackSnorm2x16(word), unpackUnorm2x16(word));
	for (int k = 0; k < 4; k++)
		put(four[k]);
}

float number(uint i, int k)
{
	return float(whole[(i + k) & 31u]);
}

void matrices(uint i)
{
	mat2 two;
	mat3 three;
	dmat4 four;

	for (int k = 0; k < 16; k++) {
		float n = number(i, k);

		if (k < 4)
			two[k / 2][k % 2] = n + (k % 3 == 0 ? 20.0 : 0.0);
		if (k < 9)
			three[k / 3][k % 3] = n + (k % 4 == 0 ? 20.0 : 0.0);
		four[k / 4][k % 4] = double(n) + (k % 5 == 0 ? 20.0lf : 0.0lf);
	}
	put(determinant(two));
	put(determinant(three));
	put(determinant(four));
	two = inverse(two);
	three = inverse(three);
	four = inverse(four);
	for (int k = 0; k < 4; k++)
		put(two[k / 2][k % 2]);
	for (int k = 0; k < 9; k++)
		put(three[k / 3][k % 3]);
	for (int k = 0; k < 16; k += 3)
		put(float(four[k / 4][k % 4]));
}

void geometry(uint i)
{
	vec3 incident = normalize(vec3(number(i, 0), number(i, 1), 2.5)), n = normalize(vec3(number(i, 2), 1.5, number(i, 3)));
	vec3 three = reflect(incident, n);
	vec2 two = refract(normalize(incident.xy + 0.01), normalize(n.xy), 0.75 + float(i & 1u));
	vec3 face = faceforward(n, incident, vec3(number(i, 4), number(i, 5), 0.5));

	at = 16u * i;
	for (int k = 0; k < 3; k++)
		floats[at++] = three[k];
	for (int k = 0; k < 2; k++)
		floats[at++] = two[k];
	for (int k = 0; k < 3; k++)
		floats[at++] = face[k];
	floats[at++] = reflect(0.5, 3.0);
	floats[at++] = refract(0.5, float(whole[i]), 1.25);
	floats[at++] = float(faceforward(dvec2(1.0, 2.0), dvec2(number(i, 0), 0.0), dvec2(1.0, 5.0)).y);
	floats[at++] = float(refract(dvec2(0.6, 0.8), dvec2(0.0, -1.0), 0.5lf).y);
	floats[at++] = length(number(i, 0)) + distance(number(i, 0), number(i, 1));
}

void main()
{
	uint i = gl_LocalInvocationIndex;

	at = 64u * i;
	split(i);
	matrices(i);
	geometry(i);
}
