/* SPDX-License-Identifier: MIT */
#ifndef FAA_STREAM_H
#define FAA_STREAM_H

#include "faa.h"
#include "decode.h"

#define FAA_LABEL_UNPLACED SIZE_MAX

/** struct faa_fixup - a jump whose target was not known when it was emitted */
struct faa_fixup {
	/** @at: word index of the jump's header. */
	size_t at;
	/** @label: number of the label. */
	uint32_t label;
};

struct faa_stream {
	uint64_t *words;
	size_t count;
	size_t capacity;
	/* Guard and barriers of the next command. */
	struct faa_issue next;
	/* Guard of commands without one of their own: PT, except in the body of a loop. */
	uint8_t guard;
	/* Floating-point modes of the next command, enum faa_float_mode. */
	unsigned int modes;
	/* Forms of later atomic operations, enum faa_lowering. */
	unsigned int lowering;
	uint32_t commands;
	/* Word index of each label, FAA_LABEL_UNPLACED until it is placed. */
	size_t *labels;
	uint32_t label_count;
	struct faa_fixup *fixups;
	size_t fixup_count;
	/* First error, kept until reset. */
	int error;
	char message[256];
};

/**
 * faa_stream_fail() - record @error, a negative errno, with its sentence
 *
 * Return: the recorded error, which is an earlier one if there was any.
 */
int faa_stream_fail(struct faa_stream *stream, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * faa_stream_failed() - the recorded error, 0 if there is none
 *
 * Its sentence becomes the thread's.
 */
int faa_stream_failed(const struct faa_stream *stream);

/** faa_stream_set_guard() - later commands without a guard execute where P@predicate is true. */
void faa_stream_set_guard(struct faa_stream *stream, uint8_t predicate);

/** faa_stream_take_issue() - take guard and barriers of the next command, and reset them. */
struct faa_issue faa_stream_take_issue(struct faa_stream *stream);

/**
 * faa_stream_control() - checks that are common to all control commands
 * @stream: stream
 * @opcode: of a control command
 * @issue: out: guard and barriers to encode it with, which are then reset
 *
 * Return: 0, or the stream's error.
 */
int faa_stream_control(struct faa_stream *stream, unsigned int opcode, struct faa_issue *issue);

/**
 * faa_stream_check_address() - whether @address is a multiple of @align and one of the VM
 *
 * @name is that of the command. Return: 0 or the stream's error.
 */
int faa_stream_check_address(struct faa_stream *stream, const char *name, uint64_t address,
			     uint64_t align);

/**
 * faa_stream_check_place() - check dim, clamp, handle and registers of coordinates of SUATOM
 *
 * Other commands must have 0 in these members.
 */
int faa_stream_check_place(struct faa_stream *stream, const struct faa_vector *vector,
			   const char *name);

/**
 * faa_stream_narrow() - an argument for an 8-bit field
 *
 * A value that does not fit becomes 255, which no field allows, and not a legal value.
 */
static inline uint8_t faa_stream_narrow(unsigned int value)
{
	return value > 255 ? 255 : value;
}

#endif /* FAA_STREAM_H */
