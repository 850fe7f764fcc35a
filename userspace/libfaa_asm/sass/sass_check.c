// SPDX-License-Identifier: MIT
/* The rules of the seeds, for instructions that have an encoding. */
#include <stdarg.h>
#include <stdio.h>

#include "sass.h"

/* Receives the text of the broken rule. */
struct report {
	char *text;
	size_t size;
};

static int check_broken(const struct report *report, enum sass_field field, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int check_broken(const struct report *report, enum sass_field field, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(report->text, report->size, format, arguments);
	va_end(arguments);
	return (int)field;
}

static const char *check_mnemonic(const struct sass_instruction *i)
{
	return sass_is_atoms(i) ? "ATOMS" : "SUATOM";
}

static int check_size(const struct sass_instruction *i, const struct report *report)
{
	uint32_t op = i->field[SASS_OP], size = i->field[SASS_SIZE];
	unsigned int legal = sass_is_atoms(i) ? sass_legal_atoms[op] : sass_legal_suatom[op];
	char list[96] = "";
	size_t n = 0;
	uint32_t s;

	if (legal >> size & 1)
		return -1;
	for (s = 0; s < SASS_SIZES; s++)
		if (legal >> s & 1 && n < sizeof(list))
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s.%s", n ? " " : "",
					      sass_size_texts[s]);
	return check_broken(report, SASS_SIZE, "%s.%s has no size .%s; it has %s",
			    check_mnemonic(i), sass_op_texts[op], sass_size_texts[size], list);
}

/* A vector of @count registers begins at a multiple of @align and ends before RZ. */
static int check_vector(uint32_t reg, unsigned int count, unsigned int align, const char *name,
			const char *what, enum sass_field field, const struct report *report)
{
	if (reg % align)
		return check_broken(report, field,
				    "%s is R%u: %s takes a register that is a multiple of %u", name,
				    reg, what, align);
	if (reg + count > SASS_RZ)
		return check_broken(report, field,
				    "%s is R%u: %s takes %u registers, and R254 is the last one",
				    name, reg, what, count);
	return -1;
}

/* CAST returns a flag for every size. */
static int check_destination(const struct sass_instruction *i, const struct report *report)
{
	uint32_t rd = i->field[SASS_RD];

	if (!sass_is_wide(i) || rd == SASS_RZ || i->field[SASS_OP] > SASS_OP_CAS)
		return -1;
	return check_vector(rd, 2, 2, "Rd", "a 64-bit result", SASS_RD, report);
}

static int check_data(const struct sass_instruction *i, const struct report *report)
{
	bool wide = sass_is_wide(i);
	uint32_t rb = i->field[SASS_RB];

	if (!sass_is_cas(i))
		return !wide || rb == SASS_RZ ?
			       -1 :
			       check_vector(rb, 2, 2, "Rb", "a 64-bit value", SASS_RB, report);
	if (rb == SASS_RZ)
		return check_broken(report, SASS_RB, "Rb of %s cannot be RZ",
				    sass_op_texts[i->field[SASS_OP]]);
	if (i->field[SASS_BCRZ])
		return check_vector(rb, wide ? 2 : 1, wide ? 4 : 2, "Rb",
				    wide ? "64-bit CAS" : "32-bit CAS", SASS_RB, report);
	return check_vector(rb, wide ? 4 : 2, wide ? 4 : 2, "Rb",
			    wide ? "64-bit CAS" : "32-bit CAS", SASS_RB, report);
}

static int check_surface(const struct sass_instruction *i, const struct report *report)
{
	uint32_t dim = i->field[SASS_DIM];

	if (i->field[SASS_RA] == SASS_RZ)
		return check_broken(report, SASS_RA, "Ra of SUATOM cannot be RZ");
	if (sass_has(i, SASS_RC) && i->field[SASS_RC] == SASS_RZ)
		return check_broken(report, SASS_RC, "Rc, the handle, of SUATOM cannot be RZ");
	return check_vector(i->field[SASS_RA], sass_dim_registers[dim], sass_dim_align[dim], "Ra",
			    sass_dim_texts[dim], SASS_RA, report);
}

int sass_check(const struct sass_instruction *i, char *text, size_t size)
{
	const struct report report = { text, size };
	int field = -1;

	if (i->form == SASS_FORM_NOP)
		return -1;
	field = check_size(i, &report);
	if (field < 0)
		field = check_destination(i, &report);
	if (field < 0 && !sass_is_atoms(i))
		field = check_surface(i, &report);
	if (field < 0)
		field = check_data(i, &report);
	return field;
}
