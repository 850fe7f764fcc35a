// SPDX-License-Identifier: Apache-2.0
//
// The specification of one atomic operation on one item (commands: ATOM, Floating point), for
// testbenches.
#pragma once

#include <cstdint>
#include <cstring>

#include "faa_isa.h"
#include "float_ref.h"

namespace l2_ref {

/// Bytes of an item.
inline unsigned size_of(int type)
{
	switch (type) {
	case FAA_TYPE_U16:
	case FAA_TYPE_S16:
	case FAA_TYPE_F16:
		return 2;
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
	case FAA_TYPE_F64:
		return 8;
	default:
		return 4;
	}
}

inline bool is_float(int type)
{
	return type == FAA_TYPE_F16 || type == FAA_TYPE_F32 || type == FAA_TYPE_F64 ||
	       type == FAA_TYPE_F16X2 || type == FAA_TYPE_BF16X2;
}

inline bool is_signed(int type)
{
	return type == FAA_TYPE_S16 || type == FAA_TYPE_S32 || type == FAA_TYPE_S64;
}

/// The table of ATOM.
inline bool is_legal(int op, int type)
{
	bool integer = type == FAA_TYPE_U16 || type == FAA_TYPE_U32 || type == FAA_TYPE_U64;
	bool any = integer || is_signed(type);

	switch (op) {
	case FAA_ATOM_OP_ADD:
	case FAA_ATOM_OP_MIN:
	case FAA_ATOM_OP_MAX:
		return any || is_float(type);
	case FAA_ATOM_OP_INC:
	case FAA_ATOM_OP_DEC:
		return type == FAA_TYPE_U32 || type == FAA_TYPE_U64;
	case FAA_ATOM_OP_INCU:
	case FAA_ATOM_OP_DECU:
	case FAA_ATOM_OP_PREDEC:
		return integer;
	case FAA_ATOM_OP_FCMPWR:
		return type == FAA_TYPE_F16 || type == FAA_TYPE_F32 || type == FAA_TYPE_F64;
	case FAA_ATOM_OP_AND:
	case FAA_ATOM_OP_OR:
	case FAA_ATOM_OP_XOR:
	case FAA_ATOM_OP_EXCH:
	case FAA_ATOM_OP_CAS:
	case FAA_ATOM_OP_CAST:
	case FAA_ATOM_OP_SUB:
		return any;
	default:
		return false;
	}
}

inline const float_ref::Format &format_of(int type)
{
	switch (type) {
	case FAA_TYPE_F32:
		return float_ref::f32;
	case FAA_TYPE_F64:
		return float_ref::f64;
	case FAA_TYPE_BF16X2:
		return float_ref::bf16;
	default:
		return float_ref::f16;
	}
}

inline uint64_t float_op(int op, int type, bool ftz, uint64_t m, uint64_t b, uint64_t c)
{
	const float_ref::Format &f = format_of(type);
	bool x2 = type == FAA_TYPE_F16X2 || type == FAA_TYPE_BF16X2;

	if (op == FAA_ATOM_OP_ADD)
		return x2 ? float_ref::add_x2(f, m, b, ftz) : float_ref::add(f, m, b, ftz);
	if (op == FAA_ATOM_OP_FCMPWR) {
		bool equal = !f.is_nan(m) && !f.is_nan(b) &&
			     float_ref::value(f, f.flush(m, ftz)) ==
				     float_ref::value(f, f.flush(b, ftz));
		return equal ? c : m;
	}
	bool max = op == FAA_ATOM_OP_MAX;
	return x2 ? float_ref::best_x2(f, m, b, ftz, max) : float_ref::best(f, m, b, ftz, max);
}

/// steps of INC or DEC, at least one.
inline uint64_t step(int op, uint64_t m, uint64_t bound, unsigned steps)
{
	while (steps--) {
		if (op == FAA_ATOM_OP_INC)
			m = m >= bound ? 0 : m + 1;
		else
			m = m == 0 || m > bound ? bound : m - 1;
	}
	return m;
}

/// M after the operation; the answer goes to *d. steps is for INC and DEC.
inline uint64_t atomic(int op, int type, bool ftz, uint64_t m, uint64_t b, uint64_t c,
		       unsigned steps, uint64_t *d)
{
	unsigned bits = size_of(type) * 8;
	uint64_t ones = ~0ull >> (64 - bits), sign = is_signed(type) ? 1ull << (bits - 1) : 0;
	bool less = (m ^ sign) < (b ^ sign);

	*d = m;
	if (is_float(type))
		return float_op(op, type, ftz, m, b, c);
	switch (op) {
	case FAA_ATOM_OP_ADD:
		return (m + b) & ones;
	case FAA_ATOM_OP_SUB:
		return (m - b) & ones;
	case FAA_ATOM_OP_MIN:
		return less ? m : b;
	case FAA_ATOM_OP_MAX:
		return less ? b : m;
	case FAA_ATOM_OP_INC:
	case FAA_ATOM_OP_DEC:
		return step(op, m, b, steps);
	case FAA_ATOM_OP_AND:
		return m & b;
	case FAA_ATOM_OP_OR:
		return m | b;
	case FAA_ATOM_OP_XOR:
		return m ^ b;
	case FAA_ATOM_OP_EXCH:
		return b;
	case FAA_ATOM_OP_INCU:
		return (m + 1) & ones;
	case FAA_ATOM_OP_DECU:
		return (m - 1) & ones;
	case FAA_ATOM_OP_PREDEC:
		return *d = (m - 1) & ones;
	case FAA_ATOM_OP_CAST:
		*d = m == b;
		return m == b ? c : m;
	default: // CAS
		return m == b ? c : m;
	}
}

} // namespace l2_ref
