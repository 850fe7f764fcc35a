/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of faa-init, the first process of the guest. */
#ifndef FAA_UML_GUEST_H
#define FAA_UML_GUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define GUEST_MAX_MODULES 16

/* What to run, from the job file. */
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
	bool device;
	bool check;
	bool leaks;
};

/* The running program and the guest's ends of its standard input, output and error. */
struct program {
	pid_t pid;
	int input;     /* written to; -1 = closed */
	int output[3]; /* output[n] is read, its data goes to the host's fd n; -1 = none */
	int terminal;  /* the master of its terminal, -1 = none; then also among the others */
};

/** guest_fail - tell the host in a sentence why the program cannot run, and power off */
__attribute__((format(printf, 1, 2), noreturn)) void guest_fail(const char *format, ...);

/** guest_power_off - write back all files and end the guest */
__attribute__((noreturn)) void guest_power_off(void);

/** guest_mount - mount what a program expects to find in /dev, /proc and /sys */
void guest_mount(void);

/** guest_load_modules - load the job's modules; the device must be there if the job says so */
void guest_load_modules(const struct job *job);

/** guest_unload_modules - end all other processes, unload the job's modules, look for leaks if the job says so */
void guest_unload_modules(const struct job *job);

/** guest_read_job - read the job file at @path */
void guest_read_job(struct job *job, const char *path);

/** guest_start - start the program; on failure tells why on the host's standard error and returns its exit status */
int guest_start(const struct job *job, struct program *program, char *error, size_t error_size);

/** guest_relay - carry data between line and program until it has ended; returns its status as of waitpid() */
uint32_t guest_relay(struct program *program, int line);

#endif
