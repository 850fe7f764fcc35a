/* SPDX-License-Identifier: MIT */
/*
 * Text of vISA, read from left to right.
 */
#ifndef VISA_PARSE_H
#define VISA_PARSE_H

#include "../asm/scan.h"
#include "names.h"
#include "visa.h"

/** struct visa_parser - text, and what it has said so far */
struct visa_parser {
	struct faa_scan scan;
	struct faa_asm_error *error;
	struct visa_code *code;
	struct visa_names names;
	/** @next_label: number of the next label whose name does not tell it. */
	uint32_t next_label;
	/** @begun: there was a statement. */
	bool begun;
	/** @incomplete: a directive was refused, so what it would have declared is unknown. */
	bool incomplete;
	/** @undefined: the error of this statement is an unknown name. */
	bool undefined;
};

/** struct visa_word - a piece of the text */
struct visa_word {
	const char *text;
	size_t size;
	struct faa_scan_mark mark;
};

/* parse_token.c. These go over the blanks and comments behind what they take. */

/** visa_skip() - go over blanks and comments, not over the end of the line. Return: 0; -EINVAL: a comment has no end. */
int visa_skip(struct visa_parser *parser);

/** visa_take() - take @c, or fail, saying that @what is missing. */
int visa_take(struct visa_parser *parser, char c, const char *what);

/** visa_take_name() - a name: a letter or '_', then digits too; @what is for the message. */
int visa_take_name(struct visa_parser *parser, struct visa_word *word, const char *what);

/** visa_take_value() - a number, or an expression in parentheses, from 0 to @max. */
int visa_take_value(struct visa_parser *parser, uint32_t max, uint32_t *value, const char *what);

/** visa_take_text() - text in quotes, of one line. */
int visa_take_text(struct visa_parser *parser, struct visa_word *word, const char *what);

/** visa_at() - whether the next byte is @c. */
static inline bool visa_at(const struct visa_parser *parser, char c)
{
	return faa_scan_peek(&parser->scan) == c;
}

/** visa_word_is() - whether a word is @text, capitals or not. */
static inline bool visa_word_is(const struct visa_word *word, const char *text)
{
	return faa_word_is(word->text, word->size, text);
}

/** visa_numbered() - the number n of a word that is @letter and then n; -1 for another word. */
int64_t visa_numbered(const struct visa_word *word, char letter);

/* parse_declaration.c */

/** visa_parse_directive() - a statement that begins with '.'. */
int visa_parse_directive(struct visa_parser *parser);

/** visa_parse_label() - the name @word is that of a label, whose instruction is appended. */
int visa_parse_label(struct visa_parser *parser, const struct visa_word *word, uint8_t kind);

#endif /* VISA_PARSE_H */
