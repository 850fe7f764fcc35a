// SPDX-License-Identifier: MIT
/* Constants: integers, and floating-point numbers by their digits or their bits. */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "../../float_bits.h"
#include "parse.h"

enum form {
	FORM_INTEGER,
	FORM_SINGLE,
	FORM_DOUBLE,
	FORM_DECIMAL,
};

/* A constant before it has a type. */
struct constant {
	struct faa_scan_mark mark;
	bool negative;
	enum form form;
	/* Magnitude, or bits. */
	uint64_t value;
	double number;
};

static bool constant_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

bool ptx_at_constant(const struct ptx_parse *parse)
{
	const struct faa_scan *scan = &parse->scan;
	int c = faa_scan_peek(scan);

	return constant_is_digit(c) || c == '-' ||
	       (scan->end - scan->at >= 7 && !memcmp(scan->at, "WARP_SZ", 7));
}

/* Copies the characters of a number, including the sign of an exponent. */
static size_t constant_copy_number(struct faa_scan *scan, char *buffer, size_t size)
{
	bool hex = scan->end - scan->at > 1 && scan->at[0] == '0' && strchr("xXfFdD", scan->at[1]);
	size_t n = 0;

	while (scan->at < scan->end) {
		char c = *scan->at;
		bool sign = (c == '+' || c == '-') && !hex && n &&
			    (buffer[n - 1] == 'e' || buffer[n - 1] == 'E');

		if (!constant_is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    c != '_' && c != '.' && !sign)
			break;
		if (n + 1 < size)
			buffer[n++] = c;
		else
			return 0;
		scan->at++;
	}
	buffer[n] = '\0';
	return n;
}

static int constant_digits(const char *text, int base, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, base);
	if (end == text || (*end && strcmp(end, "U")) ||
	    !((*text >= '0' && *text <= '9') || base == 16))
		return -EINVAL;
	return errno == ERANGE ? -ERANGE : 0;
}

/* strtod() with '.' as the point in every locale. */
static int constant_decimal(const char *text, double *number)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char *end;

	if (plain == (locale_t)0)
		return -ENOMEM;
	*number = strtod_l(text, &end, plain);
	freelocale(plain);
	return *end || end == text || strchr(text, 'n') || strchr(text, 'N') ? -EINVAL : 0;
}

static int constant_bits_of(const char *text, size_t count, uint64_t *value)
{
	if (strlen(text) != count || strspn(text, "0123456789abcdefABCDEF") != count)
		return -EINVAL;
	*value = strtoull(text, NULL, 16);
	return 0;
}

static int constant_classify(const char *text, struct constant *constant)
{
	char second = text[0] == '0' ? text[1] : '\0';

	constant->form = FORM_INTEGER;
	if (second == 'x' || second == 'X')
		return strspn(text + 2, "0123456789abcdefABCDEF") ?
			       constant_digits(text + 2, 16, &constant->value) :
			       -EINVAL;
	if (second == 'f' || second == 'F') {
		constant->form = FORM_SINGLE;
		return constant_bits_of(text + 2, 8, &constant->value);
	}
	if (second == 'd' || second == 'D') {
		constant->form = FORM_DOUBLE;
		return constant_bits_of(text + 2, 16, &constant->value);
	}
	if (second == 'b' || second == 'B')
		return constant_digits(text + 2, 2, &constant->value);
	if (strpbrk(text, ".eE")) {
		constant->form = FORM_DECIMAL;
		return constant_decimal(text, &constant->number);
	}
	return constant_digits(text, text[0] == '0' ? 8 : 10, &constant->value);
}

static int constant_scan(struct ptx_parse *parse, struct constant *constant)
{
	struct faa_scan *scan = &parse->scan;
	char text[64], shown[64];
	int ret;

	constant->mark = faa_scan_mark(scan);
	constant->negative = faa_scan_take(scan, '-');
	faa_scan_blank(scan);
	if (scan->end - scan->at >= 7 && !memcmp(scan->at, "WARP_SZ", 7)) {
		scan->at += 7;
		constant->form = FORM_INTEGER;
		constant->value = FAA_LANES;
		return 0;
	}
	if (!constant_is_digit(faa_scan_peek(scan)))
		return faa_scan_fail(scan, parse->error, "a constant is expected, not %s",
				     faa_scan_show(scan, shown));
	if (!constant_copy_number(scan, text, sizeof(text)))
		return ptx_fail(parse, constant->mark, "a constant has up to 62 characters");
	ret = constant_classify(text, constant);
	if (ret == -ERANGE)
		return ptx_fail(parse, constant->mark, "%s does not fit 64 bits", text);
	if (ret == -EINVAL)
		return ptx_fail(
			parse, constant->mark,
			"%s is no constant: they are decimal, 0x, 0b, 0 and octal, with a point, 0f and 8 or 0d and 16 "
			"hexadecimal digits",
			text);
	return ret;
}

static int constant_integer_bits(struct ptx_parse *parse, const struct constant *constant,
				 unsigned int type, uint64_t *bits)
{
	unsigned int width = ptx_types[type].bits;
	uint64_t most = width == 64 ? UINT64_MAX : (1ull << width) - 1;

	if (constant->negative ? constant->value > 1ull << (width - 1) : constant->value > most)
		return ptx_fail(parse, constant->mark, "%s%llu does not fit the %u bits of .%s",
				constant->negative ? "-" : "", (unsigned long long)constant->value,
				width, ptx_types[type].name);
	*bits = (constant->negative ? 0 - constant->value : constant->value) & most;
	return 0;
}

/* A floating-point constant of a floating-point type, or its bits for an untyped one. */
static int constant_float_bits(struct ptx_parse *parse, const struct constant *constant,
			       unsigned int type, uint64_t *bits)
{
	double number = constant->number;

	if (constant->form == FORM_SINGLE && (type == PTX_F32 || type == PTX_B32)) {
		*bits = constant->value ^ (constant->negative ? 1ull << 31 : 0);
		return 0;
	}
	if (constant->form == FORM_DOUBLE && (type == PTX_F64 || type == PTX_B64)) {
		*bits = constant->value ^ (constant->negative ? 1ull << 63 : 0);
		return 0;
	}
	if (constant->form == FORM_SINGLE || (type != PTX_F32 && type != PTX_F64))
		return ptx_fail(parse, constant->mark, "%s is no constant of .%s",
				constant->form == FORM_SINGLE ? "a single-precision number" :
								"a number with a fraction",
				ptx_types[type].name);
	if (constant->form == FORM_DOUBLE)
		memcpy(&number, &constant->value, sizeof(number));
	if (constant->negative)
		number = -number;
	*bits = type == PTX_F64 ? faa_double_bits(number) : faa_float_bits((float)number);
	return 0;
}

int ptx_constant(struct ptx_parse *parse, unsigned int type, uint64_t *bits)
{
	struct constant constant = { 0 };
	int ret = constant_scan(parse, &constant);

	if (ret)
		return ret;
	if (constant.form != FORM_INTEGER)
		return constant_float_bits(parse, &constant, type, bits);
	if (ptx_types[type].kind == 'f')
		return ptx_fail(
			parse, constant.mark,
			"an integer is no constant of .%s; with a point, or as 0f or 0d, it is",
			ptx_types[type].name);
	return constant_integer_bits(parse, &constant, type, bits);
}

int ptx_integer(struct ptx_parse *parse, int64_t low, int64_t high, const char *what,
		int64_t *value)
{
	struct constant constant = { 0 };
	char shown[64];
	int ret = ptx_blank(parse);

	if (!ret && !ptx_at_constant(parse))
		ret = faa_scan_fail(&parse->scan, parse->error, "%s is expected, not %s", what,
				    faa_scan_show(&parse->scan, shown));
	if (!ret)
		ret = constant_scan(parse, &constant);
	if (ret)
		return ret;
	if (constant.form != FORM_INTEGER)
		return ptx_fail(parse, constant.mark, "%s is an integer", what);
	*value = constant.negative ? -(int64_t)(constant.value & INT64_MAX) :
				     (int64_t)(constant.value & INT64_MAX);
	if (constant.value > INT64_MAX || *value < low || *value > high)
		return ptx_fail(parse, constant.mark, "%s is between %lld and %lld", what,
				(long long)low, (long long)high);
	return 0;
}
