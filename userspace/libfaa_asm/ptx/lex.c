// SPDX-License-Identifier: MIT
/* Tokens of PTX. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "parse.h"

int ptx_fail(const struct ptx_parse *parse, struct faa_scan_mark mark, const char *format, ...)
{
	char text[sizeof(parse->error->text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return faa_asm_fail(parse->error, mark.line, mark.column, "%s", text);
}

int ptx_unsupported(const struct ptx_parse *parse, struct faa_scan_mark mark, const char *format,
		    ...)
{
	char text[sizeof(parse->error->text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return ptx_fail(parse, mark, FAA_ASM_UNSUPPORTED "%s", text);
}

static int lex_comment(struct ptx_parse *parse)
{
	struct faa_scan_mark mark = faa_scan_mark(&parse->scan);
	struct faa_scan *scan = &parse->scan;

	scan->at += 2;
	while (scan->end - scan->at >= 2 && memcmp(scan->at, "*/", 2)) {
		if (*scan->at == '\n')
			faa_scan_newline(scan);
		else
			scan->at++;
	}
	if (scan->end - scan->at < 2)
		return ptx_fail(parse, mark, "this comment has no end");
	scan->at += 2;
	return 0;
}

int ptx_blank(struct ptx_parse *parse)
{
	struct faa_scan *scan = &parse->scan;
	int ret;

	for (;;) {
		faa_scan_blank(scan);
		if (faa_scan_peek(scan) == '\n') {
			faa_scan_newline(scan);
		} else if (scan->end - scan->at >= 2 && !memcmp(scan->at, "//", 2)) {
			faa_scan_rest(scan);
		} else if (scan->end - scan->at >= 2 && !memcmp(scan->at, "/*", 2)) {
			ret = lex_comment(parse);
			if (ret)
				return ret;
		} else {
			return 0;
		}
	}
}

int ptx_take(struct ptx_parse *parse, char c, bool *taken)
{
	int ret = ptx_blank(parse);

	*taken = !ret && faa_scan_take(&parse->scan, c);
	return ret;
}

int ptx_expect(struct ptx_parse *parse, char c, const char *what)
{
	char shown[64];
	bool taken;
	int ret = ptx_take(parse, c, &taken);

	if (ret || taken)
		return ret;
	return faa_scan_fail(&parse->scan, parse->error, "'%c' is expected %s, not %s", c, what,
			     faa_scan_show(&parse->scan, shown));
}

int ptx_identifier(struct ptx_parse *parse, struct ptx_word *word, const char *what)
{
	struct faa_scan *scan = &parse->scan;
	char shown[64];
	int ret = ptx_blank(parse);

	if (ret)
		return ret;
	word->mark = faa_scan_mark(scan);
	word->text = scan->at;
	if (faa_scan_peek(scan) >= '0' && faa_scan_peek(scan) <= '9')
		word->size = 0;
	else
		word->size = faa_scan_word(scan, "$%");
	/* %tid.x is one word. */
	while (word->size && word->text[0] == '%' && scan->end - scan->at >= 2 &&
	       scan->at[0] == '.' && scan->at[1] >= 'w' && scan->at[1] <= 'z') {
		scan->at++;
		faa_scan_word(scan, "");
		word->size = (size_t)(scan->at - word->text);
	}
	if (word->size > 1 || (word->size == 1 && !strchr("%$_", word->text[0])))
		return 0;
	scan->at = word->text;
	return faa_scan_fail(scan, parse->error, "%s is expected, not %s", what,
			     faa_scan_show(scan, shown));
}

bool ptx_is(const struct ptx_word *word, const char *text)
{
	return word->size == strlen(text) && !memcmp(word->text, text, word->size);
}

bool ptx_has_prefix(const struct ptx_word *word, const char *text)
{
	size_t size = strlen(text);

	return word->size >= size && !memcmp(word->text, text, size);
}

int ptx_find(const struct ptx_word *word, const char *const *texts)
{
	int i;

	for (i = 0; texts[i]; i++)
		if (ptx_is(word, texts[i]))
			return i;
	return -1;
}

int ptx_type(const struct ptx_word *word)
{
	unsigned int i;

	for (i = 0; i < PTX_COUNT; i++)
		if (ptx_is(word, ptx_types[i].name))
			return (int)i;
	return -1;
}

const char *ptx_type_list(uint32_t types, char *buffer)
{
	unsigned int i;
	size_t n = 0;

	buffer[0] = '\0';
	for (i = 0; i < PTX_COUNT; i++)
		if (types >> i & 1 && n < 128)
			n += (size_t)snprintf(buffer + n, 128 - n, "%s%s", n ? ", " : "",
					      ptx_types[i].name);
	return buffer;
}
