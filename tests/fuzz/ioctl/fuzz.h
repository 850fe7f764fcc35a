/* SPDX-License-Identifier: MIT */
/**
 * DOC: Fuzzer of the driver's ioctls
 *
 * A program is up to FUZZ_BLOCKS blocks of FUZZ_BLOCK bytes; each block is one call. The first byte
 * selects the call, and the others select the values of its arguments by the grammar that
 * grammar.py generates from the uapi header. So each sequence of bytes is a program, and a change
 * of some bytes is a small change of it. Bytes below 128 select legal values. KCOV tells which
 * programs reach new code of the driver; these are kept in the corpus, from which new programs are
 * derived.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FUZZ_BLOCK  32u
#define FUZZ_BLOCKS 24u

/** enum fuzz_kind - what a field holds, and so which values are worth a try */
enum fuzz_kind {
	FUZZ_NUMBER,
	FUZZ_ZERO,
	FUZZ_FLAGS,
	FUZZ_ENUM,
	FUZZ_ARRAY,
	FUZZ_POINTER,
	FUZZ_ADDRESS,
	FUZZ_MEMORY,
	FUZZ_VM,
	FUZZ_QUEUE,
	FUZZ_BO,
	FUZZ_SYNCOBJ,
	FUZZ_FD,
	FUZZ_KINDS,
};

/** struct fuzz_field - member of a structure of the interface */
struct fuzz_field {
	const char *name;
	uint16_t offset;
	uint8_t size;
	uint8_t kind;
	/** @of: ARRAY: index of the structure of its elements. */
	uint8_t of;
	/** @out: the kernel writes it. */
	uint8_t out;
	/** @optional: 0 means nothing, or is required in other cases. */
	uint8_t optional;
	/** @align: the value is a multiple of this. */
	uint16_t align;
	/** @values: FLAGS: all of them; ENUM: bit i is value i. */
	uint64_t values;
};

/** struct fuzz_struct - structure of the interface */
struct fuzz_struct {
	const char *name;
	uint16_t size;
	const struct fuzz_field *fields;
	unsigned int count;
};

/** struct fuzz_ioctl - a call of the driver, and its argument */
struct fuzz_ioctl {
	const char *name;
	unsigned long request;
	uint8_t argument;
};

extern const struct fuzz_struct fuzz_structs[];
extern const struct fuzz_ioctl fuzz_ioctls[];
extern const unsigned int fuzz_ioctl_count;
extern const uint64_t fuzz_limits[];
extern const unsigned int fuzz_limit_count;

/** struct fuzz_program - a program */
struct fuzz_program {
	uint32_t count;
	uint8_t blocks[FUZZ_BLOCKS][FUZZ_BLOCK];
};

/* state.c: the files, objects and memory of a program that runs */

/**
 * fuzz_state_open() - begin a program: two files of the device, a VM, a mapped BO, a queue; 0 or
 * -errno
 */
int fuzz_state_open(void);
/** fuzz_state_close() - end it: all files are closed, and all memory is unmapped. */
void fuzz_state_close(void);
/** fuzz_fd() - the file of the device that calls go to. */
int fuzz_fd(void);
/** fuzz_switch() - use the other file, with @again after it was closed and opened again. */
void fuzz_switch(bool again);
/** fuzz_add() - an object of the current file, for later calls. */
void fuzz_add(enum fuzz_kind kind, uint32_t name);
/** fuzz_pick() - one of the objects of a kind, 0 without any. */
uint32_t fuzz_pick(enum fuzz_kind kind, uint8_t choice);
/** fuzz_memory() - FUZZ_MEMORY_BYTES of the process, for MAP_USERPTR. */
uint8_t *fuzz_memory(void);
#define FUZZ_MEMORY_BYTES 0x40000u
/** fuzz_scratch() - @size bytes for arguments, zeroed, or NULL when there are no more. */
void *fuzz_scratch(size_t size);
/** fuzz_torn() - @size bytes at the end of a page without a next one. */
void *fuzz_torn(size_t size);
/** fuzz_streams() - mapping of the BO that is at FUZZ_VA from the beginning. */
uint64_t *fuzz_streams(void);
#define FUZZ_VA		  0x100000ull
#define FUZZ_STREAM_BYTES 0x10000u
#define FUZZ_SLOT_BYTES	  0x400u
/**
 * fuzz_map_own() - @size bytes for the fuzzer itself, zeroed, or NULL: children of a program do not
 * get them, because User Mode Linux maps each page of a child by a call of its own
 */
void *fuzz_map_own(size_t size);
/** fuzz_keep_own() - the same for memory that is mapped already; 0 or -errno. */
int fuzz_keep_own(void *at, size_t size);

/* value.c: values of arguments */

/** struct fuzz_choices - bytes of a block, continued by numbers that depend on them */
struct fuzz_choices {
	const uint8_t *block;
	unsigned int at;
	uint64_t state;
	/** @rare: 0x80 if a byte of the block is above 127: then those after it may be, too. */
	uint8_t rare;
};

/** fuzz_choose() - the next byte. */
uint8_t fuzz_choose(struct fuzz_choices *choices);
/** fuzz_number() - a number of @size bytes, often a limit or near one. */
uint64_t fuzz_number(struct fuzz_choices *choices, unsigned int size);
/** fuzz_fill() - values for all fields of a structure at @at. */
void fuzz_fill(struct fuzz_choices *choices, const struct fuzz_struct *type, uint8_t *at);
/** fuzz_stream() - write a stream, mostly of legal commands, to @words: FUZZ_SLOT_BYTES. */
void fuzz_stream(struct fuzz_choices *choices, uint64_t *words);

/* call.c */

/** fuzz_call_open() - prepare failures on demand; 0 or -errno. */
int fuzz_call_open(void);
/** fuzz_call_end() - after the last block of a program. */
void fuzz_call_end(void);
/** fuzz_call_close() - after the files of a program are closed: failures of the device end. */
void fuzz_call_close(void);
/** fuzz_call() - do one block; @out: its text goes there, or NULL. */
void fuzz_call(const uint8_t *block, FILE *out);

/* kcov.c */

/** fuzz_kcov_open() - prepare coverage of this thread; 0 or -errno. Without it there is none. */
int fuzz_kcov_open(void);
/** fuzz_kcov_start(), fuzz_kcov_stop() - around a program */
void fuzz_kcov_start(void);
/** fuzz_kcov_stop() - returns the edges that no program before has reached, now known. */
unsigned int fuzz_kcov_stop(void);
/** fuzz_kcov_known() - edges so far. */
unsigned int fuzz_kcov_known(void);
/** fuzz_kcov_places() - addresses of code so far. */
unsigned int fuzz_kcov_places(void);
/** fuzz_kcov_save() - write these addresses, and that of the driver, to a file; 0 or -errno. */
int fuzz_kcov_save(const char *path);

/* corpus.c */

/**
 * fuzz_corpus_load() - read a file of programs, or stop with a message: each block is a line of
 * hexadecimal digits, an empty line ends a program, and lines with "#" are comments
 */
void fuzz_corpus_load(const char *path);
/** fuzz_corpus_add() - keep a program. */
void fuzz_corpus_add(const struct fuzz_program *program);
/** fuzz_corpus_count(), fuzz_corpus_get() - the programs */
unsigned int fuzz_corpus_count(void);
const struct fuzz_program *fuzz_corpus_get(unsigned int index);
/** fuzz_corpus_cut() - forget all but the first @count. */
void fuzz_corpus_cut(unsigned int count);
/** fuzz_corpus_save() - write the programs from @first on to a file, by renaming; 0 or -errno. */
int fuzz_corpus_save(const char *path, unsigned int first);
/** fuzz_program_write() - a program as lines of hexadecimal digits. */
void fuzz_program_write(const struct fuzz_program *program, FILE *out);
/** fuzz_mutate() - a new program from those of the corpus. */
void fuzz_mutate(uint64_t *random, struct fuzz_program *program);

/* share.c */

/** fuzz_share_open() - exchange programs with other instances, which have other names. */
void fuzz_share_open(const char *dir, uint64_t name);
/** fuzz_share_give() - give the others the programs of the corpus from @first on; 0 or -errno. */
int fuzz_share_give(unsigned int first);
/** fuzz_share_take() - add what they have given to the corpus; 0 or -errno. */
int fuzz_share_take(void);

#endif /* FUZZ_H */
