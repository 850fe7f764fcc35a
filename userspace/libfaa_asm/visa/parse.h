/* SPDX-License-Identifier: MIT */
/*
 * Parser of vISA text.
 */
#ifndef VISA_PARSE_H
#define VISA_PARSE_H

#include "../asm/scan.h"
#include "names.h"
#include "visa.h"

/** struct visa_parser - text, and the state of its parser */
struct visa_parser {
	struct faa_scan scan;
	struct faa_asm_error *error;
	struct visa_code *code;
	struct visa_names names;
	/** @next_label: number of the next label whose name has no number. */
	uint32_t next_label;
	/** @begun: there was a statement. */
	bool begun;
	/**
	 * @incomplete: a directive was rejected; the names that it would have declared are unknown.
	 */
	bool incomplete;
	/** @undefined: the error of this statement is an unknown name. */
	bool undefined;
};

/** struct visa_word - a word of the text */
struct visa_word {
	const char *text;
	size_t size;
	struct faa_scan_mark mark;
};

/* parse_token.c. These also skip the blanks and comments that follow the token. */

/**
 * visa_skip() - skip blanks and comments, but not the end of the line. Return: 0; -EINVAL: an open
 * comment.
 */
int visa_skip(struct visa_parser *parser);

/** visa_take() - skip @c, or fail with the message that @what is missing. */
int visa_take(struct visa_parser *parser, char c, const char *what);

/** visa_take_name() - a name: a letter or '_', then also digits; @what is for the message. */
int visa_take_name(struct visa_parser *parser, struct visa_word *word, const char *what);

/** visa_take_value() - a number, or an expression in parentheses, from 0 to @max. */
int visa_take_value(struct visa_parser *parser, uint32_t max, uint32_t *value, const char *what);

/** visa_take_text() - text in quotes, within one line. */
int visa_take_text(struct visa_parser *parser, struct visa_word *word, const char *what);

/** visa_at() - whether the next byte is @c. */
static inline bool visa_at(const struct visa_parser *parser, char c)
{
	return faa_scan_peek(&parser->scan) == c;
}

/** visa_word_is() - whether a word is @text, ignoring case. */
static inline bool visa_word_is(const struct visa_word *word, const char *text)
{
	return faa_word_is(word->text, word->size, text);
}

/** visa_numbered() - the number n of a word that is @letter followed by n; -1 for another word. */
int64_t visa_numbered(const struct visa_word *word, char letter);

/* parse_declaration.c */

/** visa_parse_directive() - a statement that begins with '.'. */
int visa_parse_directive(struct visa_parser *parser);

/** visa_parse_label() - append the label whose name is @word. */
int visa_parse_label(struct visa_parser *parser, const struct visa_word *word, uint8_t kind);

#endif /* VISA_PARSE_H */
