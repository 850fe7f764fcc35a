/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of faa-init, the first process of the guest. */
#ifndef FAA_UML_GUEST_H
#define FAA_UML_GUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define GUEST_MAX_MODULES 16

/* Contents of the job file. */
struct job {
	char **argv;
	char **envp;
	const char *dir;
	const char *stdio;
	const char *input; /* PATH of the file that is standard input */
	long long input_offset;
	const char *modules[GUEST_MAX_MODULES]; /* PATH "\n" PARAMETERS */
	unsigned int module_count;
	uint16_t rows, columns;
	mode_t umask;
	const char *trace; /* file for trace events; NULL = none */
	bool trace_late;   /* trace is written at the end only */
	unsigned int devices;
	bool check;
	bool leaks;
	unsigned int guest, guests; /* number and count of the guests; guests 0: a guest alone */
};

/* The running program and the guest's ends of its standard input, output and error. */
struct program {
	pid_t pid;
	int input;     /* written to; -1 = closed */
	int output[3]; /* output[n] is read, its data goes to the host's fd n; -1 = none */
	int terminal;  /* the master of its terminal, -1 = none; then also among the others */
};

/** guest_fail - report to the host why the program cannot run, and power off */
__attribute__((format(printf, 1, 2), noreturn)) void guest_fail(const char *format, ...);

/** guest_power_off - write back all files and power off */
__attribute__((noreturn)) void guest_power_off(void);

/** guest_mount - mount the file systems of /dev, /proc and /sys */
void guest_mount(void);

/**
 * guest_network - bring up the loopback; with other guests also the network, with names and
 * addresses of all
 */
void guest_network(const struct job *job);

/** guest_serve - start a process that runs commands of faa-rsh; @line: closed in it */
void guest_serve(const struct job *job, int line);

/** guest_load_modules - load the job's modules; fail without the device if the job requires it */
void guest_load_modules(const struct job *job);

/**
 * guest_unload_modules - end all other processes, unload the job's modules, check for leaks if the
 * job asks for it
 */
void guest_unload_modules(const struct job *job);

/**
 * guest_find_job - write the path of the job @name to @path; before guest_mount(). A name without a
 * directory is in the working directory of the kernel on the host.
 */
void guest_find_job(const char *name, char *path, size_t size);

/** guest_read_job - read the job file at @path */
void guest_read_job(struct job *job, const char *path);

/**
 * guest_start - start the program; on failure, write the cause to @error and return the exit status
 */
int guest_start(const struct job *job, struct program *program, char *error, size_t error_size);

/**
 * guest_relay - transfer data between line and program until the program ends
 * @status: out: its status as of waitpid()
 *
 * Return: NULL, or why the line cannot be used any more; "" if it has ended.
 */
const char *guest_relay(struct program *program, int line, uint32_t *status);

#endif
