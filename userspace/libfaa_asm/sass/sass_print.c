// SPDX-License-Identifier: MIT
/* Instructions as text, in the spelling of the seeds. */
#include "../asm/put.h"
#include "sass.h"

/* Longer than any line. */
#define LINE_BYTES 256

static char *print_hex(char *at, uint64_t value, int digits)
{
	*at++ = '0';
	*at++ = 'x';
	while (digits < 16 && value >> (4 * digits))
		digits++;
	while (digits--)
		*at++ = "0123456789abcdef"[value >> (4 * digits) & 15];
	return at;
}

static char *print_register(char *at, uint32_t reg)
{
	if (reg == SASS_RZ)
		return faa_put_text(at, "RZ");
	*at++ = 'R';
	return faa_put_decimal(at, reg);
}

static char *print_predicate(char *at, uint32_t predicate)
{
	*at++ = 'P';
	*at++ = predicate == SASS_PT ? 'T' : (char)('0' + predicate);
	return at;
}

static char *print_guard(char *at, const struct sass_instruction *i)
{
	if (i->field[SASS_PG] == SASS_PT && !i->field[SASS_PG_NOT])
		return at;
	*at++ = '@';
	if (i->field[SASS_PG_NOT])
		*at++ = '!';
	at = print_predicate(at, i->field[SASS_PG]);
	*at++ = ' ';
	return at;
}

/* [0x10], [R1], [R1 + 0x10], [R1 - 0x10] */
static char *print_address(char *at, const struct sass_instruction *i)
{
	int32_t offset = sass_offset(i);

	*at++ = '[';
	if (i->field[SASS_RA] == SASS_RZ) {
		at = print_hex(at, (uint32_t)offset, 1);
	} else {
		at = print_register(at, i->field[SASS_RA]);
		if (offset) {
			at = faa_put_text(at, offset < 0 ? " - " : " + ");
			at = print_hex(at, (uint32_t)(offset < 0 ? -offset : offset), 1);
		}
	}
	*at++ = ']';
	return at;
}

static char *print_atoms(char *at, const struct sass_instruction *i)
{
	at = faa_put_text(at, "ATOMS.");
	at = faa_put_text(at, sass_op_texts[i->field[SASS_OP]]);
	*at++ = '.';
	at = faa_put_text(at, sass_size_texts[i->field[SASS_SIZE]]);
	*at++ = ' ';
	at = print_register(at, i->field[SASS_RD]);
	at = faa_put_text(at, ", ");
	at = print_address(at, i);
	at = faa_put_text(at, ", ");
	at = print_register(at, i->field[SASS_RB]);
	if (!sass_is_cas(i))
		return at;
	at = faa_put_text(at, ", ");
	return print_register(at, sass_new_value(i));
}

static char *print_suatom(char *at, const struct sass_instruction *i)
{
	at = faa_put_text(at, i->field[SASS_BA] ? "SUATOM.D.BA." : "SUATOM.D.");
	at = faa_put_text(at, sass_dim_texts[i->field[SASS_DIM]]);
	*at++ = '.';
	at = faa_put_text(at, sass_op_texts[i->field[SASS_OP]]);
	*at++ = '.';
	at = faa_put_text(at, sass_size_texts[i->field[SASS_SIZE]]);
	*at++ = '.';
	at = faa_put_text(at, sass_clamp_texts[i->field[SASS_CLAMP]]);
	*at++ = ' ';
	/*
	 * PT is written in the sparse form, whose word differs from the one without; CAS has one
	 * form for both.
	 */
	if (i->form == SASS_FORM_SUATOM_REG_SPARSE ||
	    (sass_has(i, SASS_PS) && i->field[SASS_PS] != SASS_PT)) {
		at = print_predicate(at, i->field[SASS_PS]);
		at = faa_put_text(at, ", ");
	}
	at = print_register(at, i->field[SASS_RD]);
	at = faa_put_text(at, ", [");
	at = print_register(at, i->field[SASS_RA]);
	at = faa_put_text(at, "], ");
	at = print_register(at, i->field[SASS_RB]);
	at = faa_put_text(at, ", ");
	return sass_has(i, SASS_RC) ? print_register(at, i->field[SASS_RC]) :
				      print_hex(at, i->field[SASS_INDEX], 1);
}

static char *print_barrier(char *at, const char *name, uint32_t barrier)
{
	return barrier == SASS_NO_BARRIER ? at : print_hex(faa_put_text(at, name), barrier, 1);
}

static char *print_wait(char *at, uint32_t mask)
{
	unsigned int barrier, n = 0;

	if (!mask)
		return at;
	at = faa_put_text(at, " &req={");
	for (barrier = 0; barrier < 6; barrier++)
		if (mask >> barrier & 1) {
			if (n++)
				*at++ = ',';
			*at++ = (char)('0' + barrier);
		}
	*at++ = '}';
	return at;
}

static char *print_control(char *at, uint32_t control)
{
	if (control == SASS_CONTROL_NONE)
		return at;
	at = print_wait(at, control >> SASS_REQ_SHIFT & 63);
	at = print_barrier(at, " &rd=", control >> SASS_RD_SHIFT & 7);
	at = print_barrier(at, " &wr=", control >> SASS_WR_SHIFT & 7);
	if (control >> SASS_REUSE_SHIFT & 15)
		at = print_hex(faa_put_text(at, " &reuse="), control >> SASS_REUSE_SHIFT & 15, 1);
	if (control & SASS_BIT63)
		at = faa_put_text(at, " &bit63");
	if ((control & SASS_SCHED_MASK) != SASS_SCHED_DRAIN)
		at = faa_put_text(faa_put_text(at, " ?"),
				  sass_sched_texts[control & SASS_SCHED_MASK]);
	return at;
}

void sass_print(struct faa_output *output, const struct sass_item *item)
{
	struct sass_instruction i;
	char *at;

	if (!faa_output_room(output, LINE_BYTES))
		return;
	at = output->bytes + output->size;
	if (!sass_decode(item->word, &i)) {
		at = print_hex(faa_put_text(at, ".word "), item->word, 16);
	} else {
		at = print_guard(at, &i);
		at = i.form == SASS_FORM_NOP ? faa_put_text(at, "NOP") :
		     sass_is_atoms(&i)	     ? print_atoms(at, &i) :
					       print_suatom(at, &i);
	}
	at = faa_put_text(print_control(at, item->control), ";\n");
	output->size = (size_t)(at - output->bytes);
}
