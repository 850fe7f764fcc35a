// SPDX-License-Identifier: MIT
/* Encoding and decoding of words. */
#include "sass.h"

static uint32_t code_get(uint64_t word, const struct sass_encoding *encoding, unsigned int field)
{
	return (uint32_t)(word >> encoding->field[field].low) &
	       ((1u << encoding->field[field].width) - 1);
}

/* Whether all fields have defined values, and the instruction can be written. */
static bool code_has_text(const struct sass_instruction *i)
{
	uint32_t bcrz = i->field[SASS_BCRZ];

	if (i->field[SASS_DIM] >= SASS_DIMS || i->field[SASS_CLAMP] >= SASS_CLAMPS || bcrz > 1)
		return false;
	/* Rc follows from Rb. If that made it R255, its text would be that of Rc = RZ. */
	return !sass_has(i, SASS_BCRZ) || bcrz || sass_new_value(i) < SASS_RZ;
}

bool sass_decode(uint64_t word, struct sass_instruction *i)
{
	const struct sass_encoding *encoding = sass_encodings;
	unsigned int field;

	while ((word & encoding->mask) != encoding->word)
		if (++encoding == sass_encodings + SASS_FORMS)
			return false;
	i->form = (uint8_t)(encoding - sass_encodings);
	for (field = 0; field < SASS_FIELDS; field++)
		i->field[field] = code_get(word, encoding, field);
	if (i->form == SASS_FORM_NOP)
		return true;
	if (encoding->op_of[i->field[SASS_OP]] < 0 || encoding->size_of[i->field[SASS_SIZE]] < 0)
		return false;
	i->field[SASS_OP] = (uint32_t)encoding->op_of[i->field[SASS_OP]];
	i->field[SASS_SIZE] = (uint32_t)encoding->size_of[i->field[SASS_SIZE]];
	/* The predicate is stored inverted. */
	i->field[SASS_PS] = SASS_PT - i->field[SASS_PS];
	return code_has_text(i);
}

uint64_t sass_encode(const struct sass_instruction *i)
{
	const struct sass_encoding *encoding = &sass_encodings[i->form];
	uint64_t word = encoding->word;
	unsigned int field;

	for (field = 0; field < SASS_FIELDS; field++) {
		uint64_t value = i->field[field];

		if (!encoding->field[field].width)
			continue;
		if (field == SASS_OP)
			value = (uint64_t)encoding->op_code[value];
		else if (field == SASS_SIZE)
			value = (uint64_t)encoding->size_code[value];
		else if (field == SASS_PS)
			value = SASS_PT - value;
		word |= value << encoding->field[field].low;
	}
	return word;
}
