/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Protocol between faa-run and the guest
 *
 * faa-run on the host and faa-init in the guest share a serial line (a socket pair on the host,
 * /dev/ttyS0 in raw mode in the guest). They exchange frames: a head of four bytes and up to
 * WIRE_MAX bytes. The program's standard input, output and error are carried in frames instead of
 * consoles. This keeps them apart and unchanged, and adds ends of files, signals, window sizes and
 * the exit status. faa-rsh and faa-init of another guest exchange the same frames on a TCP
 * connection, after the command.
 *
 * The job describes the program to run. It is a file whose path is the only argument of faa-init:
 * strings terminated by zero bytes, whose first character is their kind (enum job_tag).
 */
#ifndef FAA_UML_WIRE_H
#define FAA_UML_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_MAX 4096
/*
 * Limit of the bytes of standard input, heads of frames included, that the host has sent and the
 * program has not read yet. The line discipline of the guest holds 4096 bytes: if it throttled the
 * line, the line would not resume.
 */
#define WIRE_STDIN_WINDOW 2048

/* Name of a guest of faa-run --guests, by its number. */
#define GUEST_NAME "guest%u"
/* Port on which faa-init of each guest accepts commands: that of rsh. */
#define GUEST_PORT 514
/* The names of all guests, a line each with a slot for an MPI process. */
#define GUEST_HOSTFILE "/dev/shm/faa-hosts"

enum wire_type {
	/* host to guest */
	WIRE_STDIN = 1, /* data; no data: end of file */
	WIRE_CLOSED,	/* output fd has no reader any more */
	WIRE_SIGNAL,	/* fd = number of the signal, for the program's process group */
	WIRE_WINSIZE,	/* struct wire_winsize */
	WIRE_COMMAND,	/* faa-rsh: a part of the working directory, a zero byte and the command for
			   the shell; no data: the end of it */
	/* guest to host */
	WIRE_OUTPUT = 16, /* data for fd */
	WIRE_CREDIT,	  /* uint32_t: number of further bytes of standard input that may be sent */
	WIRE_EXIT,	  /* uint32_t: the program's status as of waitpid() */
	WIRE_ERROR,	  /* text: why the program could not be started; the guest powers off */
};

struct wire_head {
	uint8_t type;
	uint8_t fd;
	uint16_t length;
};

struct wire_winsize {
	uint16_t rows;
	uint16_t columns;
};

enum job_tag {
	JOB_ARG = 'a',	 /* the program, then its arguments */
	JOB_ENV = 'e',	 /* NAME=VALUE */
	JOB_DIR = 'd',	 /* working directory */
	JOB_UMASK = 'u', /* octal */
	JOB_STDIO = 's', /* per fd: p pipe, t terminal, f (fd 0) JOB_INPUT, 1 (fd 2) same as fd 1 */
	JOB_INPUT = 'i', /* OFFSET PATH of the regular file that is standard input */
	JOB_WINSIZE = 'w', /* ROWS COLUMNS of the terminal */
	JOB_MODULE = 'm', /* path of a kernel module, then "\n" and its parameters; in load order */
	JOB_DEVICES = 'D',    /* COUNT: fail unless so many PCI devices are there */
	JOB_CHECK = 'c',      /* unload the modules at the end */
	JOB_LEAKS = 'l',      /* then check for leaked kernel memory */
	JOB_TRACE = 'T',      /* path of the file that gets trace events */
	JOB_TRACE_LATE = 'L', /* name of that file beside the job, in simulated time */
	JOB_GUEST = 'g',      /* NUMBER COUNT of the guest among those of --guests */
};

/*
 * Offset of a byte of configuration space. Only reads that relate the clocks of guest and host
 * access it.
 */
#define JOB_TRACE_MARK 0xff

/* Buffer of received frames. */
struct wire_in {
	uint8_t data[sizeof(struct wire_head) + WIRE_MAX];
	size_t have;
};

/* Buffer of frames to send. */
struct wire_out {
	uint8_t data[65536];
	size_t have;
};

/**
 * wire_fill - read received data, at most up to the end of one frame
 * @in: buffer of the line
 * @fd: the line, non-blocking
 *
 * Return: 1 if @in has a whole frame, 0 if not yet, -EPIPE at the end of the line, -errno.
 */
int wire_fill(struct wire_in *in, int fd);

/** wire_wait - wait for a whole frame. Return: 1, or what wire_fill() returns for a broken line. */
int wire_wait(struct wire_in *in, int fd);

/** wire_head - head of the whole frame in @in */
struct wire_head wire_head(const struct wire_in *in);

/** wire_body - data of the whole frame in @in */
const uint8_t *wire_body(const struct wire_in *in);

/** wire_next - drop the whole frame in @in */
void wire_next(struct wire_in *in);

/** wire_room - whether @out has room for a frame of any size */
bool wire_room(const struct wire_out *out);

/** wire_put - queue a frame; the caller has checked wire_room() */
void wire_put(struct wire_out *out, enum wire_type type, int fd, const void *body, size_t length);

/**
 * wire_flush - write as much as the line accepts
 *
 * Return: 0, even if something is left, or -errno.
 */
int wire_flush(struct wire_out *out, int fd);

/** wire_drain - wait until all of @out is written, or the line is broken */
void wire_drain(struct wire_out *out, int fd);

/**
 * wire_put_input - queue a part of standard input; the caller has checked wire_room()
 * @credit: bytes that may be sent, more than a head; the part is subtracted
 *
 * Return: false at the end of the input, which is queued then; true if there may be more.
 */
bool wire_put_input(struct wire_out *out, uint32_t *credit);

/** wire_exit_status - exit status of a shell for the body of WIRE_EXIT */
int wire_exit_status(const void *body);

#endif
