// SPDX-License-Identifier: MIT
/* SASS from text: the grammar of the seeds, and the spellings of the vendor's tools. */
#include <errno.h>
#include <string.h>

#include "../asm/scan.h"
#include "sass.h"

#define REGISTERS    255
#define IMM_LIMIT    (1u << 24)
#define INDEX_MAX    0x1fffu
#define REUSE_MAX    15u
#define REQ_MAX	     63u
#define LAST_BARRIER 5u

/* The annotations of an instruction. */
enum annotation {
	ANNOTATION_REQ,
	ANNOTATION_RD,
	ANNOTATION_WR,
	ANNOTATION_REUSE,
	ANNOTATION_BIT63,
	ANNOTATION_SCHED,
};

/* The instruction that is being read. */
struct parser {
	struct faa_scan scan;
	struct faa_asm_error *error;
	struct sass_instruction i;
	/* Place of each part; of the mnemonic where a part is missing. */
	struct faa_scan_mark mark[SASS_FIELDS];
	uint32_t control;
	/* Bits of enum annotation. */
	unsigned int annotations;
	/* Line of the last token, and the position after the blanks and comments that follow it. */
	uint32_t last_line;
	const char *skipped;
	char show[64];
};

static const char *parse_next(struct parser *p)
{
	return faa_scan_show(&p->scan, p->show);
}

static int parse_fail_at(struct parser *p, struct faa_scan_mark mark, const char *text)
{
	return faa_asm_fail(p->error, mark.line, mark.column, "%s", text);
}

static int parse_skip_block_comment(struct parser *p)
{
	struct faa_scan_mark start = faa_scan_mark(&p->scan);

	p->scan.at += 2;
	while (p->scan.end - p->scan.at > 1 && !(p->scan.at[0] == '*' && p->scan.at[1] == '/')) {
		if (*p->scan.at == '\n')
			faa_scan_newline(&p->scan);
		else
			p->scan.at++;
	}
	if (p->scan.end - p->scan.at < 2)
		return parse_fail_at(p, start, "this comment does not end");
	p->scan.at += 2;
	return 0;
}

static bool parse_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* Skips blanks, ends of lines and comments. If @number, '#' before a digit is no comment. */
static int parse_skip(struct parser *p, bool number)
{
	struct faa_scan *s = &p->scan;

	if (s->at != p->skipped)
		p->last_line = s->line;
	while (s->at < s->end) {
		char c = *s->at, d = s->end - s->at > 1 ? s->at[1] : 0;

		if (c == ' ' || c == '\t' || c == '\r')
			s->at++;
		else if (c == '\n')
			faa_scan_newline(s);
		else if ((c == '/' && d == '/') || (c == '#' && !(number && parse_is_digit(d))))
			faa_scan_rest(s);
		else if (c == '/' && d == '*' && parse_skip_block_comment(p))
			return -EINVAL;
		else if (!(c == '/' && d == '*'))
			break;
	}
	p->skipped = s->at;
	return 0;
}

static bool parse_is_word(int c)
{
	return parse_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Skips @offset bytes and the name of @names that follows them. */
static bool parse_take_name(struct faa_scan *s, size_t offset, const struct sass_name *names,
			    uint32_t *number)
{
	size_t left = (size_t)(s->end - s->at);
	/* Letters in lower case; a quick test before faa_word_is(). */
	int first = left > offset ? s->at[offset] | 0x20 : 0;

	for (; names->text; names++) {
		size_t length = offset + names->length;

		if (first != (names->text[0] | 0x20) || left < length ||
		    (left > length && parse_is_word((unsigned char)s->at[length])) ||
		    !faa_word_is(s->at + offset, names->length, names->text))
			continue;
		s->at += length;
		*number = names->number;
		return true;
	}
	return false;
}

/* Skips ".NAME". */
static bool parse_take_modifier(struct parser *p, const struct sass_name *names,
				enum sass_field field)
{
	if (faa_scan_peek(&p->scan) != '.')
		return false;
	p->mark[field] = faa_scan_mark(&p->scan);
	return parse_take_name(&p->scan, 1, names, &p->i.field[field]);
}

static bool parse_take_word(struct parser *p, const char *word)
{
	const struct sass_name name[2] = { { word, (uint8_t)strlen(word), 0 }, { NULL, 0, 0 } };
	uint32_t number;

	return parse_take_name(&p->scan, 0, name, &number);
}

/* ".XY" for a message, up to the next dot. */
static const char *parse_next_modifier(struct parser *p)
{
	struct faa_scan copy = p->scan;
	size_t size;

	if (!faa_scan_take(&copy, '.'))
		return parse_next(p);
	size = faa_scan_word(&copy, "");
	if (size > 40)
		size = 40;
	p->show[0] = '\'';
	memcpy(p->show + 1, p->scan.at, size + 1);
	memcpy(p->show + 2 + size, "'", 2);
	return p->show;
}

static int parse_end_of_modifiers(struct parser *p, const char *order)
{
	if (faa_scan_peek(&p->scan) != '.')
		return 0;
	return faa_scan_fail(&p->scan, p->error, "%s is unknown here; the order is %s",
			     parse_next_modifier(p), order);
}

#define OPERATIONS ".ADD .MIN .MAX .INC .DEC .AND .OR .XOR .EXCH"

static int parse_atoms_modifiers(struct parser *p)
{
	if (!parse_take_modifier(p, sass_op_names, SASS_OP))
		return faa_scan_fail(&p->scan, p->error,
				     "ATOMS needs an operation, " OPERATIONS
				     " .CAS .CAST or .CAST.SPIN, not %s",
				     parse_next_modifier(p));
	p->i.form = sass_is_cas(&p->i) ? SASS_FORM_ATOMS_CAS : SASS_FORM_ATOMS;
	parse_take_modifier(p, sass_size_names, SASS_SIZE);
	return parse_end_of_modifiers(p, sass_is_cas(&p->i) ?
						 "ATOMS.CAS{.sz} or ATOMS.CAST{.SPIN}{.sz}" :
						 "ATOMS.op{.sz}");
}

static int parse_suatom_modifiers(struct parser *p)
{
	static const struct sass_name raw[] = { { "D", 1, 0 }, { NULL, 0, 0 } };
	static const struct sass_name bytes[] = { { "BA", 2, 1 }, { NULL, 0, 0 } };
	uint32_t number;

	if (faa_scan_peek(&p->scan) != '.' || !parse_take_name(&p->scan, 1, raw, &number))
		return faa_scan_fail(
			&p->scan, p->error,
			"SUATOM is followed by .D, raw data, the only mode of atomic operations, not by %s",
			parse_next_modifier(p));
	parse_take_modifier(p, bytes, SASS_BA);
	if (!parse_take_modifier(p, sass_dim_names, SASS_DIM))
		return faa_scan_fail(
			&p->scan, p->error,
			"SUATOM needs a dimension, .1D .1D_BUFFER .1D_ARRAY .2D .2D_ARRAY or .3D, not %s",
			parse_next_modifier(p));
	if (!parse_take_modifier(p, sass_op_names, SASS_OP))
		return faa_scan_fail(&p->scan, p->error,
				     "SUATOM needs an operation after its dimension, " OPERATIONS
				     " or .CAS, not %s",
				     parse_next_modifier(p));
	if (p->i.field[SASS_OP] > SASS_OP_CAS)
		return parse_fail_at(p, p->mark[SASS_OP], "SUATOM has no CAST, only CAS");
	parse_take_modifier(p, sass_size_names, SASS_SIZE);
	p->i.field[SASS_CLAMP] = SASS_CLAMP_NEAR;
	parse_take_modifier(p, sass_clamp_names, SASS_CLAMP);
	return parse_end_of_modifiers(p, "SUATOM.D{.BA}.dim.op{.sz}{.clamp}");
}

/*
 * Whether the @size digits after R or P are a decimal number below @limit, without leading zeros.
 */
static bool parse_is_number(const char *digits, size_t size, uint32_t limit, uint32_t *number)
{
	uint32_t value = 0;
	size_t i;

	for (i = 0; i < size && i < 4; i++) {
		if (!parse_is_digit((unsigned char)digits[i]))
			return false;
		value = value * 10 + (uint32_t)(digits[i] - '0');
	}
	*number = value;
	return size && size < 4 && value < limit && !(size > 1 && digits[0] == '0');
}

static int parse_register(struct parser *p, enum sass_field field)
{
	struct faa_scan word = p->scan;
	size_t size = faa_scan_word(&word, "");

	p->mark[field] = faa_scan_mark(&p->scan);
	if (faa_word_is(p->scan.at, size, "RZ"))
		p->i.field[field] = SASS_RZ;
	else if (!size || (*p->scan.at != 'R' && *p->scan.at != 'r'))
		return faa_scan_fail(&p->scan, p->error, "a register is expected, not %s",
				     parse_next(p));
	else if (!parse_is_number(p->scan.at + 1, size - 1, REGISTERS, &p->i.field[field]))
		return faa_scan_fail(&p->scan, p->error,
				     "%s is no register: there are R0 to R254 and RZ",
				     parse_next(p));
	p->scan = word;
	return 0;
}

static int parse_predicate(struct parser *p, enum sass_field field)
{
	struct faa_scan word = p->scan;
	size_t size = faa_scan_word(&word, "");

	p->mark[field] = faa_scan_mark(&p->scan);
	if (faa_word_is(p->scan.at, size, "PT"))
		p->i.field[field] = SASS_PT;
	else if (!size || (*p->scan.at != 'P' && *p->scan.at != 'p') ||
		 !parse_is_number(p->scan.at + 1, size - 1, SASS_PT, &p->i.field[field]))
		return faa_scan_fail(&p->scan, p->error,
				     "%s is no predicate: there are P0 to P6 and PT",
				     parse_next(p));
	p->scan = word;
	return 0;
}

static int parse_expect(struct parser *p, char c, const char *where)
{
	if (parse_skip(p, false))
		return -EINVAL;
	if (!faa_scan_take(&p->scan, c))
		return faa_scan_fail(&p->scan, p->error, "'%c' is expected %s, not %s", c, where,
				     parse_next(p));
	return parse_skip(p, true);
}

static int parse_number(struct parser *p, const char *what, uint64_t *value)
{
	int ret = faa_scan_number(&p->scan, value);

	if (ret == -ERANGE)
		return faa_scan_fail(&p->scan, p->error, "%s does not fit 64 bits", what);
	if (ret)
		return faa_scan_fail(&p->scan, p->error,
				     "%s is expected, a decimal or hexadecimal (0x) number, not %s",
				     what, parse_next(p));
	return 0;
}

/* The offset in bytes; its sign is already skipped. */
static int parse_offset(struct parser *p, bool absolute, bool negative)
{
	struct faa_scan_mark mark = faa_scan_mark(&p->scan);
	uint64_t value;

	if (parse_number(p, absolute ? "an address" : "an offset", &value))
		return -EINVAL;
	if (absolute && (value >= IMM_LIMIT || (negative && value)))
		return parse_fail_at(
			p, mark,
			"an absolute address, or one on RZ, has 24 bits without a sign: 0 to 0xfffffc");
	if (!absolute && value > (IMM_LIMIT / 2 - !negative))
		return parse_fail_at(p, mark,
				     "an offset has 24 bits with a sign: -0x800000 to 0x7ffffc");
	if (value % 4)
		return parse_fail_at(p, mark,
				     absolute ? "the low 2 bits of an address must be 0" :
						"the low 2 bits of an offset must be 0");
	p->i.field[SASS_IMM] = (uint32_t)((negative ? -value : value) / 4) & (IMM_LIMIT / 4 - 1);
	return 0;
}

/* [Ra], [Ra + offset], [Ra - offset], [Ra+-offset], [offset] */
static int parse_address(struct parser *p)
{
	bool absolute, negative = false;

	if (!faa_scan_take(&p->scan, '['))
		return faa_scan_fail(&p->scan, p->error, "an address in [ ] is expected, not %s",
				     parse_next(p));
	if (parse_skip(p, true))
		return -EINVAL;
	p->mark[SASS_RA] = faa_scan_mark(&p->scan);
	p->i.field[SASS_RA] = SASS_RZ;
	faa_scan_take(&p->scan, '#');
	if (parse_is_digit(faa_scan_peek(&p->scan))) {
		if (parse_offset(p, true, false))
			return -EINVAL;
		return parse_expect(p, ']', "after an absolute address");
	}
	if (faa_scan_peek(&p->scan) == '-')
		return faa_scan_fail(&p->scan, p->error, "an absolute address has no sign");
	if (parse_register(p, SASS_RA) || parse_skip(p, false))
		return -EINVAL;
	if (faa_scan_peek(&p->scan) != '+' && faa_scan_peek(&p->scan) != '-')
		return parse_expect(p, ']', "after the register of an address");
	absolute = p->i.field[SASS_RA] == SASS_RZ;
	negative = *p->scan.at++ == '-';
	if (parse_skip(p, true))
		return -EINVAL;
	if (!negative)
		negative = faa_scan_take(&p->scan, '-');
	faa_scan_take(&p->scan, '#');
	if (parse_offset(p, absolute, negative))
		return -EINVAL;
	return parse_expect(p, ']', "after the offset of an address");
}

/* Rc follows from Rb; the word encodes only whether it is RZ. */
static int parse_new_value(struct parser *p)
{
	struct sass_instruction *i = &p->i;
	bool wide = sass_is_wide(i);
	uint32_t rc;

	if (parse_expect(p, ',', "before Rc, the new value") || parse_register(p, SASS_RC))
		return -EINVAL;
	rc = i->field[SASS_RC];
	i->field[SASS_RC] = 0;
	i->field[SASS_BCRZ] = rc == SASS_RZ;
	if (rc == SASS_RZ || i->field[SASS_RB] == SASS_RZ || rc == sass_new_value(i))
		return 0;
	return faa_asm_fail(p->error, p->mark[SASS_RC].line, p->mark[SASS_RC].column,
			    "Rc is R%u: with Rb = R%u and size .%s it is R%u (Rb+%u) or RZ", rc,
			    i->field[SASS_RB], sass_size_texts[i->field[SASS_SIZE]],
			    sass_new_value(i), wide ? 2 : 1);
}

static int parse_atoms_operands(struct parser *p)
{
	if (parse_register(p, SASS_RD) || parse_expect(p, ',', "after Rd") || parse_address(p) ||
	    parse_expect(p, ',', "after the address") || parse_register(p, SASS_RB))
		return -EINVAL;
	if (sass_is_cas(&p->i))
		return parse_new_value(p);
	if (parse_skip(p, false))
		return -EINVAL;
	if (faa_scan_peek(&p->scan) == ',')
		return faa_scan_fail(&p->scan, p->error,
				     "ATOMS.%s takes one value, Rb; only CAS and CAST take Rc",
				     sass_op_texts[p->i.field[SASS_OP]]);
	return 0;
}

/* A word of the constant bank, or a register. */
static int parse_handle(struct parser *p, bool sparse)
{
	bool cas = sass_is_cas(&p->i),
	     number = faa_scan_take(&p->scan, '#') || parse_is_digit(faa_scan_peek(&p->scan));
	struct faa_scan_mark mark = faa_scan_mark(&p->scan);
	uint64_t index;

	if (!number) {
		p->i.form = cas	   ? SASS_FORM_SUATOM_CAS_REG :
			    sparse ? SASS_FORM_SUATOM_REG_SPARSE :
				     SASS_FORM_SUATOM_REG;
		return parse_register(p, SASS_RC);
	}
	p->i.form = cas ? SASS_FORM_SUATOM_CAS_IMM : SASS_FORM_SUATOM_IMM;
	if (parse_number(p, "the index of the handle", &index))
		return -EINVAL;
	if (index > INDEX_MAX)
		return parse_fail_at(p, mark, "the index of the handle has 13 bits: 0 to 0x1fff");
	if (sparse && !cas)
		return parse_fail_at(p, p->mark[SASS_PS],
				     "the sparse status Ps takes CAS, or a handle in a register");
	p->i.field[SASS_INDEX] = (uint32_t)index;
	return 0;
}

static int parse_suatom_operands(struct parser *p)
{
	int c = faa_scan_peek(&p->scan);
	bool sparse = c == 'P' || c == 'p';

	p->i.field[SASS_PS] = SASS_PT;
	if (sparse && (parse_predicate(p, SASS_PS) || parse_expect(p, ',', "after Ps")))
		return -EINVAL;
	if (parse_register(p, SASS_RD) || parse_expect(p, ',', "after Rd"))
		return -EINVAL;
	if (!faa_scan_take(&p->scan, '['))
		return faa_scan_fail(&p->scan, p->error, "coordinates in [ ] are expected, not %s",
				     parse_next(p));
	if (parse_skip(p, false) || parse_register(p, SASS_RA) ||
	    parse_expect(p, ']', "after the register of coordinates") ||
	    parse_expect(p, ',', "after the coordinates") || parse_register(p, SASS_RB) ||
	    parse_expect(p, ',', "before the handle"))
		return -EINVAL;
	return parse_handle(p, sparse);
}

/* The '=' of an annotation, and blanks around it. */
static int parse_expect_equal(struct parser *p, const char *name)
{
	faa_scan_blank(&p->scan);
	if (!faa_scan_take(&p->scan, '='))
		return faa_scan_fail(&p->scan, p->error, "'=' is expected after &%s, not %s", name,
				     parse_next(p));
	faa_scan_blank(&p->scan);
	return 0;
}

static int parse_small(struct parser *p, const char *name, uint32_t limit, uint32_t *value)
{
	struct faa_scan_mark mark = faa_scan_mark(&p->scan);
	uint64_t number;

	if (parse_number(p, name, &number))
		return -EINVAL;
	if (number > limit)
		return faa_asm_fail(p->error, mark.line, mark.column, "%s is 0 to 0x%x", name,
				    limit);
	*value = (uint32_t)number;
	return 0;
}

/* {0,3} */
static int parse_barriers(struct parser *p, uint32_t *mask)
{
	uint32_t barrier;

	*mask = 0;
	faa_scan_blank(&p->scan);
	while (!faa_scan_take(&p->scan, '}')) {
		if (*mask && !faa_scan_take(&p->scan, ','))
			return faa_scan_fail(&p->scan, p->error, "',' or '}' is expected, not %s",
					     parse_next(p));
		faa_scan_blank(&p->scan);
		if (parse_small(p, "a barrier", LAST_BARRIER, &barrier))
			return -EINVAL;
		*mask |= 1u << barrier;
		faa_scan_blank(&p->scan);
	}
	return 0;
}

/* &req={0,1}, &req=0x3, &req_000011 */
static int parse_req(struct parser *p, const char *digits, size_t size)
{
	struct faa_scan_mark mark = faa_scan_mark(&p->scan);
	uint32_t mask = 0;
	size_t i;

	for (i = 1; i < size; i++) {
		if (size != 7 || digits[0] != '_' || (digits[i] != '0' && digits[i] != '1'))
			return parse_fail_at(
				p, mark,
				"&req is written &req={0,1}, &req=0x3 or &req_000011, six binary digits, barrier 5 first");
		mask = mask << 1 | (uint32_t)(digits[i] - '0');
	}
	if (!size) {
		if (parse_expect_equal(p, "req"))
			return -EINVAL;
		if (faa_scan_take(&p->scan, '{') ?
			    parse_barriers(p, &mask) :
			    parse_small(p, "the mask of &req", REQ_MAX, &mask))
			return -EINVAL;
	}
	p->control |= mask << SASS_REQ_SHIFT;
	return 0;
}

/* &rd=3, &rd3; the same for &wr */
static int parse_barrier(struct parser *p, const char *name, const char *digits, size_t size,
			 unsigned int shift)
{
	struct faa_scan_mark mark = faa_scan_mark(&p->scan);
	uint64_t barrier;

	if (size) {
		barrier = size == 1 && parse_is_digit((unsigned char)digits[0]) ?
				  (uint64_t)(digits[0] - '0') :
				  8;
	} else {
		if (parse_expect_equal(p, name))
			return -EINVAL;
		mark = faa_scan_mark(&p->scan);
		if (parse_number(p, "a barrier", &barrier))
			return -EINVAL;
	}
	if (barrier > LAST_BARRIER && barrier != SASS_NO_BARRIER)
		return faa_asm_fail(p->error, mark.line, mark.column,
				    "&%s takes a barrier, 0 to 5, or 7 for none", name);
	p->control = (p->control & ~(SASS_NO_BARRIER << shift)) | (uint32_t)barrier << shift;
	return 0;
}

static int parse_once(struct parser *p, enum annotation annotation, struct faa_scan_mark mark)
{
	if (p->annotations >> annotation & 1)
		return parse_fail_at(p, mark, "duplicate annotation");
	p->annotations |= 1u << annotation;
	return 0;
}

static int parse_annotation(struct parser *p)
{
	struct faa_scan_mark mark = faa_scan_mark(&p->scan);
	const char *word = ++p->scan.at;
	size_t size = faa_scan_word(&p->scan, "");
	uint32_t reuse;

	if (size >= 3 && faa_word_is(word, 3, "req"))
		return parse_once(p, ANNOTATION_REQ, mark) || parse_req(p, word + 3, size - 3) ?
			       -EINVAL :
			       0;
	if (faa_word_is(word, size, "reuse")) {
		if (parse_once(p, ANNOTATION_REUSE, mark) || parse_expect_equal(p, "reuse") ||
		    parse_small(p, "the mask of &reuse", REUSE_MAX, &reuse))
			return -EINVAL;
		p->control |= reuse << SASS_REUSE_SHIFT;
		return 0;
	}
	if (faa_word_is(word, size, "bit63")) {
		p->control |= SASS_BIT63;
		return parse_once(p, ANNOTATION_BIT63, mark);
	}
	if (size >= 2 && faa_word_is(word, 2, "rd"))
		return parse_once(p, ANNOTATION_RD, mark) ||
				       parse_barrier(p, "rd", word + 2, size - 2, SASS_RD_SHIFT) ?
			       -EINVAL :
			       0;
	if (size >= 2 && faa_word_is(word, 2, "wr"))
		return parse_once(p, ANNOTATION_WR, mark) ||
				       parse_barrier(p, "wr", word + 2, size - 2, SASS_WR_SHIFT) ?
			       -EINVAL :
			       0;
	return parse_fail_at(p, mark,
			     "the annotations are &req, &rd, &wr, &reuse, &bit63 and ?sched");
}

static int parse_sched(struct parser *p)
{
	struct faa_scan_mark mark = faa_scan_mark(&p->scan);
	uint32_t sched;

	if (parse_once(p, ANNOTATION_SCHED, mark))
		return -EINVAL;
	if (!parse_take_name(&p->scan, 1, sass_sched_names, &sched))
		return parse_fail_at(
			p, mark,
			"unknown scheduling; there are ?DRAIN, ?WAIT1_END_GROUP to ?WAIT15_END_GROUP, ?floxy2, ?trans1 to "
			"?trans11, ?PIXBAR, ?YIELD, ?YIELD8 and ?OFF_DECK");
	p->control |= sched;
	return 0;
}

/* Annotations, and the ';', which is optional at the end of a line. */
static int parse_end(struct parser *p)
{
	int ret = 0;

	while (!ret) {
		ret = parse_skip(p, false);
		if (ret)
			return ret;
		switch (faa_scan_peek(&p->scan)) {
		case '&':
			ret = parse_annotation(p);
			break;
		case '?':
			ret = parse_sched(p);
			break;
		case ';':
			p->scan.at++;
			return 0;
		default:
			if (p->scan.at == p->scan.end || p->scan.line != p->last_line)
				return 0;
			return faa_scan_fail(&p->scan, p->error,
					     "';' is expected after the operands, not %s",
					     parse_next(p));
		}
	}
	return ret;
}

static int parse_guard(struct parser *p)
{
	p->i.field[SASS_PG] = SASS_PT;
	if (!faa_scan_take(&p->scan, '@'))
		return 0;
	if (parse_skip(p, false))
		return -EINVAL;
	p->i.field[SASS_PG_NOT] = faa_scan_take(&p->scan, '!');
	if (parse_skip(p, false) || parse_predicate(p, SASS_PG))
		return -EINVAL;
	return parse_skip(p, false);
}

static int parse_check_rules(struct parser *p)
{
	char text[sizeof(p->error->text)];
	int field = sass_check(&p->i, text, sizeof(text));

	return field < 0 ? 0 : parse_fail_at(p, p->mark[field], text);
}

/* The error for a mnemonic that faa does not execute. */
static int sass_refuse_word(struct parser *p)
{
	struct faa_scan before = p->scan;
	uint32_t number;

	if (parse_take_name(&p->scan, 0, sass_other_names, &number)) {
		p->scan = before;
		return faa_scan_fail(&p->scan, p->error,
				     FAA_ASM_UNSUPPORTED
				     "instruction %s; of SASS faa executes ATOMS, SUATOM and NOP",
				     parse_next_modifier(p));
	}
	return faa_scan_fail(&p->scan, p->error,
			     "an instruction is expected, ATOMS, SUATOM, NOP or .word, not %s",
			     parse_next_modifier(p));
}

/* The instruction after its guard; @word receives it. */
static int parse_instruction(struct parser *p, uint64_t *word)
{
	struct faa_scan_mark start = faa_scan_mark(&p->scan);
	bool atoms = parse_take_word(p, "ATOMS");
	unsigned int field;
	int ret;

	for (field = 0; field < SASS_FIELDS; field++)
		if (field != SASS_PG)
			p->mark[field] = start;
	if (!atoms && parse_take_word(p, "NOP")) {
		p->i.form = SASS_FORM_NOP;
		*word = sass_encode(&p->i);
		return parse_end_of_modifiers(p, "NOP");
	}
	if (!atoms && !parse_take_word(p, "SUATOM"))
		return sass_refuse_word(p);
	ret = atoms ? parse_atoms_modifiers(p) : parse_suatom_modifiers(p);
	if (!ret)
		ret = parse_skip(p, false);
	if (!ret)
		ret = atoms ? parse_atoms_operands(p) : parse_suatom_operands(p);
	if (!ret)
		ret = parse_check_rules(p);
	if (!ret)
		*word = sass_encode(&p->i);
	return ret;
}

static int parse_statement(struct parser *p, uint64_t *word)
{
	int ret;

	memset(&p->i, 0, sizeof(p->i));
	p->control = SASS_CONTROL_NONE;
	p->annotations = 0;
	if (parse_take_word(p, ".word")) {
		ret = parse_skip(p, true);
		if (!ret)
			ret = parse_number(p, "a word", word);
	} else {
		ret = parse_guard(p);
		if (!ret)
			ret = parse_instruction(p, word);
	}
	return ret ? ret : parse_end(p);
}

/* Skips the rest of a rejected statement: its semicolon or its line. */
static void sass_recover(struct parser *p)
{
	while (p->scan.at < p->scan.end && *p->scan.at != ';' && *p->scan.at != '\n')
		p->scan.at++;
}

int sass_parse(struct sass_code *code, const void *data, size_t size, struct faa_asm_log *log)
{
	struct faa_asm_error error = { 0 };
	struct parser p = { .scan = faa_scan_begin(data, size), .error = &error };
	uint64_t word = 0;
	uint32_t line;
	int ret;

	for (;;) {
		ret = parse_skip(&p, false);
		if (!ret && p.scan.at == p.scan.end)
			return log->count ? -EINVAL : 0;
		if (!ret && faa_scan_take(&p.scan, ';'))
			continue;
		line = p.scan.line;
		if (!ret)
			ret = parse_statement(&p, &word);
		if (!ret)
			ret = sass_add(code, word, p.control, line);
		if (ret && (ret != -EINVAL || !faa_asm_log_add(log, &error)))
			return ret;
		if (ret)
			sass_recover(&p);
	}
}
