// SPDX-License-Identifier: MIT
/* Tokens: names, numbers, expressions. */
#include <errno.h>
#include <string.h>

#include "parse.h"

/* Maximum nesting of expressions. */
#define MAX_DEPTH 64

static int token_skip_comment(struct visa_parser *parser)
{
	struct faa_scan *scan = &parser->scan;
	struct faa_scan_mark mark = faa_scan_mark(scan);

	for (scan->at += 2; scan->end - scan->at >= 2;) {
		if (scan->at[0] == '*' && scan->at[1] == '/') {
			scan->at += 2;
			return 0;
		}
		if (*scan->at == '\n')
			faa_scan_newline(scan);
		else
			scan->at++;
	}
	return faa_asm_fail(parser->error, mark.line, mark.column, "a comment has no end");
}

int visa_skip(struct visa_parser *parser)
{
	struct faa_scan *scan = &parser->scan;

	for (;;) {
		faa_scan_blank(scan);
		if (scan->end - scan->at < 2 || scan->at[0] != '/')
			return 0;
		if (scan->at[1] == '/') {
			faa_scan_rest(scan);
		} else if (scan->at[1] == '*') {
			if (token_skip_comment(parser))
				return -EINVAL;
		} else {
			return 0;
		}
	}
}

int visa_take(struct visa_parser *parser, char c, const char *what)
{
	char shown[64];

	if (!faa_scan_take(&parser->scan, c))
		return faa_scan_fail(&parser->scan, parser->error, "%s belongs here, not %s", what,
				     faa_scan_show(&parser->scan, shown));
	return visa_skip(parser);
}

int visa_take_name(struct visa_parser *parser, struct visa_word *word, const char *what)
{
	struct faa_scan *scan = &parser->scan;
	int c = faa_scan_peek(scan);
	char shown[64];

	word->mark = faa_scan_mark(scan);
	word->text = scan->at;
	word->size = c >= '0' && c <= '9' ? 0 : faa_scan_word(scan, "");
	if (!word->size)
		return faa_scan_fail(scan, parser->error, "%s belongs here, not %s", what,
				     faa_scan_show(scan, shown));
	return visa_skip(parser);
}

int visa_take_text(struct visa_parser *parser, struct visa_word *word, const char *what)
{
	struct faa_scan *scan = &parser->scan;
	const char *end;

	word->mark = faa_scan_mark(scan);
	if (visa_at(parser, '"')) {
		scan->at++;
		word->text = scan->at;
		while (scan->at < scan->end && *scan->at != '"' &&
		       (unsigned char)*scan->at >= ' ' && *scan->at != 0x7f)
			scan->at++;
		end = scan->at;
		if (!faa_scan_take(scan, '"'))
			return faa_scan_fail(scan, parser->error, "a quoted text has no end");
		word->size = (size_t)(end - word->text);
		return visa_skip(parser);
	}
	return visa_take_name(parser, word, what);
}

static int token_expression(struct visa_parser *parser, unsigned int level, unsigned int depth,
			    int64_t *value);

static int token_primary(struct visa_parser *parser, unsigned int depth, int64_t *value)
{
	struct faa_scan *scan = &parser->scan;
	uint64_t number;
	char shown[64];
	int c = faa_scan_peek(scan);

	if (depth == MAX_DEPTH)
		return faa_scan_fail(scan, parser->error, "an expression nests too deep");
	if (c == '-' || c == '~') {
		scan->at++;
		if (visa_skip(parser) || token_primary(parser, depth + 1, value))
			return -EINVAL;
		*value = c == '~' ? ~*value : -*value;
		return 0;
	}
	if (c == '(') {
		scan->at++;
		if (visa_skip(parser) || token_expression(parser, 0, depth + 1, value))
			return -EINVAL;
		return visa_take(parser, ')', "')'");
	}
	if (faa_scan_number(scan, &number))
		return faa_scan_fail(scan, parser->error, "a number belongs here, not %s",
				     faa_scan_show(scan, shown));
	if (number > INT32_MAX)
		return faa_scan_fail(scan, parser->error, "a number of an expression is too large");
	*value = (int64_t)number;
	return visa_skip(parser);
}

/* Operators by ascending precedence; < and > stand for << and >>. */
static const char *const token_operators[] = { "|", "^", "&", "<>", "+-", "*/%" };
#define LEVELS (sizeof(token_operators) / sizeof(token_operators[0]))

static int token_operator_at(const struct visa_parser *parser, unsigned int level)
{
	const struct faa_scan *scan = &parser->scan;
	int c = faa_scan_peek(scan);

	if (c <= 0 || !strchr(token_operators[level], c))
		return 0;
	if ((c == '<' || c == '>') && (scan->end - scan->at < 2 || scan->at[1] != c))
		return 0;
	return c;
}

/* The caller rejects large values, so that nothing overflows. */
static int token_apply(int c, int64_t left, int64_t right, int64_t *value)
{
	switch (c) {
	case '|':
		*value = left | right;
		return 0;
	case '^':
		*value = left ^ right;
		return 0;
	case '&':
		*value = left & right;
		return 0;
	case '+':
		*value = left + right;
		return 0;
	case '-':
		*value = left - right;
		return 0;
	case '*':
		*value = left * right;
		return 0;
	case '/':
		*value = right ? left / right : 0;
		return right ? 0 : -EINVAL;
	case '%':
		*value = right ? left % right : 0;
		return right ? 0 : -EINVAL;
	case '<':
		*value = right >= 0 && right < 31 ? left * (1ll << right) : 0;
		return right >= 0 && right < 31 ? 0 : -EINVAL;
	default:
		*value = right >= 0 && right < 31 ? left >> right : 0;
		return right >= 0 && right < 31 ? 0 : -EINVAL;
	}
}

static int token_expression(struct visa_parser *parser, unsigned int level, unsigned int depth,
			    int64_t *value)
{
	struct faa_scan *scan = &parser->scan;
	int64_t right;
	int c;

	if (level == LEVELS)
		return token_primary(parser, depth, value);
	if (token_expression(parser, level + 1, depth, value))
		return -EINVAL;
	while ((c = token_operator_at(parser, level))) {
		struct faa_scan_mark mark = faa_scan_mark(scan);

		scan->at += c == '<' || c == '>' ? 2 : 1;
		if (visa_skip(parser) || token_expression(parser, level + 1, depth, &right))
			return -EINVAL;
		if (token_apply(c, *value, right, value) || *value > INT32_MAX ||
		    *value < INT32_MIN)
			return faa_asm_fail(parser->error, mark.line, mark.column,
					    "this operation has no value of 32 bits");
	}
	return 0;
}

int visa_take_value(struct visa_parser *parser, uint32_t max, uint32_t *value, const char *what)
{
	struct faa_scan *scan = &parser->scan;
	struct faa_scan_mark mark = faa_scan_mark(scan);
	uint64_t number = 0;
	int64_t sum;
	char shown[64];
	int ret;

	if (visa_at(parser, '(')) {
		ret = token_primary(parser, 0, &sum);
		if (ret)
			return ret;
		/* A negative value exceeds every @max. */
		number = (uint64_t)sum;
	} else {
		ret = faa_scan_number(scan, &number);
		if (ret == -EINVAL)
			return faa_scan_fail(scan, parser->error, "%s belongs here, not %s", what,
					     faa_scan_show(scan, shown));
		if (ret)
			number = UINT64_MAX;
	}
	if (number > max)
		return faa_asm_fail(parser->error, mark.line, mark.column, "%s is 0 to %u", what,
				    max);
	*value = (uint32_t)number;
	return ret ? ret : visa_skip(parser);
}

int64_t visa_numbered(const struct visa_word *word, char letter)
{
	uint64_t number = 0;
	size_t i;

	if (word->size < 2 || word->size > 11 || word->text[0] != letter ||
	    (word->text[1] == '0' && word->size > 2))
		return -1;
	for (i = 1; i < word->size; i++) {
		if (word->text[i] < '0' || word->text[i] > '9')
			return -1;
		number = 10 * number + (uint64_t)(word->text[i] - '0');
	}
	return number <= UINT32_MAX ? (int64_t)number : -1;
}
