/* SPDX-License-Identifier: MIT */
/**
 * DOC: Litmus tests
 *
 * A litmus test is a few threads that access a few words, and the table of all results that the
 * memory model allows. The format of the files is in tests/litmus/README.md.
 */
#ifndef LIT_H
#define LIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LIT_MAX_THREADS	  8
#define LIT_MAX_OPS	  16
#define LIT_MAX_LOCATIONS 8
#define LIT_MAX_REGISTERS 16
#define LIT_MAX_COLUMNS	  32
#define LIT_MAX_NODES	  64
#define LIT_NAME	  64

/** enum lit_kind - kind of an operation */
enum lit_kind {
	LIT_LD,
	LIT_ST,
	LIT_ATOM,
	LIT_RED,
	LIT_FENCE,
};

/** enum lit_order - its order; not every kind has each */
enum lit_order {
	LIT_WEAK,
	LIT_RELAXED,
	LIT_ACQUIRE,
	LIT_RELEASE,
	LIT_ACQ_REL,
	LIT_SC,
};

/** enum lit_scope - its scope; LIT_NO_SCOPE for weak accesses */
enum lit_scope {
	LIT_NO_SCOPE,
	LIT_CTA,
	LIT_GPU,
	LIT_SYS,
};

/** enum lit_rmw - operation of atom and red */
enum lit_rmw {
	LIT_ADD,
	LIT_SUB,
	LIT_EXCH,
	LIT_CAS,
};

/** struct lit_value - an operand: a number or a register of the thread */
struct lit_value {
	bool is_register;
	/** @reg: index into &lit_thread.registers. */
	uint8_t reg;
	int32_t number;
};

/** struct lit_op - one instruction */
struct lit_op {
	enum lit_kind kind;
	enum lit_order order;
	enum lit_scope scope;
	enum lit_rmw rmw;
	/** @reg: LD, ATOM: index of the register that is written. */
	uint8_t reg;
	/** @location: all but FENCE. */
	uint8_t location;
	/** @value: ST, ATOM, RED; the comparand of CAS. */
	struct lit_value value;
	/** @desired: the new value of CAS. */
	struct lit_value desired;
	/** @line: its line in the file. */
	unsigned int line;
};

/** struct lit_thread - a stream, or a thread of the host */
struct lit_thread {
	bool host;
	/** @cta, @dev: location of a device thread; threads with equal numbers share a CTA. */
	unsigned int cta, dev;
	/**
	 * @registers: numbers of the registers that the thread names, in ascending order once the
	 * file is read.
	 */
	unsigned int registers[LIT_MAX_REGISTERS];
	/** @written: bit i: registers[i] is written by ld or atom. */
	uint32_t written;
	unsigned int register_count;
	struct lit_op ops[LIT_MAX_OPS];
	unsigned int op_count;
};

/** struct lit_column - content of a column of the table: a register, or a location's final value */
struct lit_column {
	bool is_register;
	uint8_t thread, reg, location;
};

/** enum lit_node_kind - a node of the question */
enum lit_node_kind {
	LIT_EQ,
	LIT_NE,
	LIT_AND,
	LIT_OR,
	LIT_NOT,
};

/** struct lit_node - question as a tree; children are indices of nodes */
struct lit_node {
	enum lit_node_kind kind;
	uint8_t left, right;
	struct lit_column what;
	int32_t number;
};

/** struct lit_test - one file */
struct lit_test {
	char name[LIT_NAME];
	char family[LIT_NAME];
	char locations[LIT_MAX_LOCATIONS][LIT_NAME];
	int32_t initial[LIT_MAX_LOCATIONS];
	unsigned int location_count;
	struct lit_thread threads[LIT_MAX_THREADS];
	unsigned int thread_count;
	/** @nodes: the question; the last one is its root. */
	struct lit_node nodes[LIT_MAX_NODES];
	unsigned int node_count;
	/** @asked: there is a question. */
	bool asked;
	/** @judged: the file has a verdict; always with a question in the project's own format. */
	bool judged;
	/** @allowed: verdict: the outcome in question may occur. */
	bool allowed;
	/** @columns: of the table, or of the model if the file has no table. */
	struct lit_column columns[LIT_MAX_COLUMNS];
	unsigned int column_count;
	/** @has_table: the file lists the allowed outcomes. */
	bool has_table;
	/** @rows: @row_count rows of @column_count values, sorted. */
	int32_t *rows;
	size_t row_count;
};

/** struct lit_error - position and text of an error in a file */
struct lit_error {
	unsigned int line, column;
	char text[160];
};

/**
 * lit_parse() - read a test
 * @text: the file
 * @size: bytes of it
 * @test: out; lit_free() in any case
 * @error: out: the error
 *
 * Return: 0; -EINVAL with @error; -ENOMEM.
 */
int lit_parse(const char *text, size_t size, struct lit_test *test, struct lit_error *error);

/**
 * lit_read() - lit_parse() of the file @path; errors go to stderr as "path:line:column: text". 0 or
 * -errno.
 */
int lit_read(const char *path, struct lit_test *test);

/** lit_free() - free the memory of lit_parse(); a zeroed test is allowed. */
void lit_free(struct lit_test *test);

/** lit_asked() - whether the outcome @row (one value for each column) meets the question. */
bool lit_asked(const struct lit_test *test, const int32_t *row);

/** lit_find() - index of @row in @count sorted @rows of @columns values, -1 if absent. */
ptrdiff_t lit_find(const int32_t *rows, size_t count, unsigned int columns, const int32_t *row);

/** lit_compare() - order of two rows of @columns values, as memcmp(). */
int lit_compare(const int32_t *a, const int32_t *b, unsigned int columns);

/** lit_column_name() - "1:r0" or "x". */
void lit_column_name(const struct lit_test *test, unsigned int column, char *buffer, size_t size);

/** lit_format() - an outcome as "1:r0=1 x=0". */
void lit_format(const struct lit_test *test, const int32_t *row, char *buffer, size_t size);

/** lit_write_place() - write "1:r0" or "x". */
void lit_write_place(const struct lit_test *test, const struct lit_column *what, FILE *out);

/** struct lit_syntax - how a format writes a question */
struct lit_syntax {
	/** @conjunction, @disjunction: the signs between two parts. */
	const char *conjunction, *disjunction;
	/** @negation: begins "not", with the parenthesis that ends it. */
	const char *negation;
	/** @differs: the same before a place that differs from a number, or empty. */
	const char *differs;
	/** @sign: the sign between such a place and the number. */
	const char *sign;
};

/** lit_write_question() - write the part @index of the question; its last node is the whole. */
void lit_write_question(const struct lit_test *test, const struct lit_syntax *syntax,
			unsigned int index, FILE *out);

/** lit_write_head() - write a test up to its question in the project's own format. */
void lit_write_head(const struct lit_test *test, FILE *out);

#endif /* LIT_H */
