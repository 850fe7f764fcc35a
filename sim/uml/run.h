/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of faa-run. */
#ifndef FAA_UML_RUN_H
#define FAA_UML_RUN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "run_trace.h"
#include "run_waves.h"

#define RUN_MAX_LIST 32
/* Slots of the PCI bus of User Mode Linux. */
#define RUN_MAX_DEVICES 8
#define RUN_MAX_GUESTS	16
/* Of the kernel of --cpus. */
#define RUN_MAX_CPUS 8

/*
 * Exit statuses of faa-run itself, in addition to argp's 64 for a bad command line. All others are
 * the program's, 128 + N if signal N ended it.
 */
#define RUN_USAGE   2	/* the options are invalid */
#define RUN_FAILED  125 /* the program could not be run, or not to its end */
#define RUN_LOG_BAD 124 /* --check-log: the kernel log has complaints */

/* An option that may be repeated. */
struct run_list {
	const char *item[RUN_MAX_LIST];
	unsigned int count;
};

/* Expected complaints of the kernel: how many lines may and must match. */
struct run_expected {
	const char *pattern;
	unsigned int min, max;
};

struct run_options {
	const char *engine;
	const char *flavour;
	const char *log;  /* NULL = a temporary file */
	const char *pids; /* NULL = none */
	const char *mem;
	struct run_list vdev_args;
	struct run_list kernel_args;
	struct run_list modules;   /* before the driver */
	const char *module_params; /* of the driver */
	const char *device;	   /* program of --device, or NULL: faa-vdev */
	const char *module;	   /* directory or file of --module, or NULL: faa.ko */
	const char *kernel_tree;   /* of --kernel-tree, or NULL */
	const char *kernel_config; /* of --kernel-config, or NULL */
	struct run_expected expected[RUN_MAX_LIST];
	unsigned int expected_count;
	unsigned int timeout; /* s, 0 = none */
	unsigned int devices; /* 0 = none */
	unsigned int cpus;    /* from 2 on, QEMU runs the kernel */
	bool driver;	      /* faa.ko */
	bool kunit;
	bool gdb;	      /* the kernel runs in a debugger */
	const char *gdb_file; /* of its commands; NULL = the terminal */
	bool check_log;
	bool leaks;
	bool verbose;
	unsigned int guests; /* --guests; 0 = one guest without a network */
	bool each;	     /* the program runs in each */
	unsigned int guest;  /* number of this guest */
	int network;	     /* its end of the network; -1 = none */
	int hold;	     /* socket of run_guests_hold(); -1 = none */
	const char *seed;    /* number of --seed; NULL = real time */
	const char *record;  /* file of --record, or NULL */
	const char *replay;  /* file of --replay, or NULL */
	char **arguments;    /* all options, the program and its arguments */
	struct waves_option waves;
	struct run_trace trace;
	char **program;
};

/* Paths of the files of a run. */
struct run_files {
	char init[4096];
	char kernel[4096]; /* directory with linux and modules/ */
	char module[4096]; /* faa.ko */
	char kunit[4096];  /* faa_kunit.ko */
	char gdb[4096];	   /* faa_gdb.py */
	char vdev[4096];
	char preload[4096]; /* library for QEMU; empty = none */
	char *user_modules; /* of --module: paths, a line each; NULL = none */
	char dir[64];	    /* directory of this run, removed at its end */
	char job[128];
	char trace[128];		    /* trace events of the guest */
	char sockets[RUN_MAX_DEVICES][128]; /* one for each device */
	char log[4096];
};

/* Processes of a run. */
struct run_machine {
	pid_t kernel, vdev[RUN_MAX_DEVICES]; /* 0 = not started, or ended */
	unsigned int devices;
	unsigned int ended; /* the first device that ended, counted from 1; 0 = none */
	int ended_status;   /* its status, as of waitpid() */
	bool unplugged;	    /* it ended while the kernel ran */
	int line;	    /* to faa-init; wire.h */
};

/** run_parse - read the command line; ends the process on errors and --help */
void run_parse(struct run_options *options, int argc, char **argv);

/** run_error - print a message to standard error, as "faa-run: ..." */
__attribute__((format(printf, 1, 2))) void run_error(const char *format, ...);

/**
 * run_name - the name of a file of one guest or device, "x.fst" as "x-guest1-device0.fst"
 * @extension: of the name if @file has none
 * @device: number of the device, -1 if the name has none
 * @path: out: PATH_MAX bytes
 */
void run_name(const struct run_options *options, const char *file, const char *extension,
	      int device, char *path);

/**
 * run_check_output - check that a file can be written, before the machine boots; removes it
 * @what: for the message, "cannot write the @what @path: ..."
 *
 * Return: 0, or -1 after run_error()
 */
int run_check_output(const char *what, const char *path);

/** run_find_built - find kernel, driver and programs. Return: 0, or -1 after run_error() */
int run_find_built(struct run_files *files, const struct run_options *options);

/**
 * run_build_kernel - the kernel of --kernel-tree, which is built if it has to be
 * @scripts: directory of user-kernel.sh
 * @path: out: its directory, 4096 bytes
 *
 * Return: 0, or -1 after a message
 */
int run_build_kernel(const char *scripts, const struct run_options *options, char *path);

/**
 * run_build_module - the modules of --module, which are built if it names a directory
 * @scripts: directory of user-module.sh
 * @files: has the kernel; gets the modules
 *
 * Return: 0, or -1 after a message
 */
int run_build_module(const char *scripts, const struct run_options *options,
		     struct run_files *files);

/** run_device_name - the program of the device, for messages */
const char *run_device_name(const struct run_options *options);

/**
 * run_find_files - find the built files, and create the directory of this run. Return: 0, or -1
 * after run_error()
 */
int run_find_files(struct run_files *files, const struct run_options *options);

/** run_remove_files - undo run_find_files() */
void run_remove_files(const struct run_files *files);

/**
 * run_write_job - write the job file. @stdio: see enum job_tag. Return: 0, or -1 after run_error()
 */
int run_write_job(const struct run_files *files, const struct run_options *options,
		  const char *stdio);

/** run_start - start faa-vdev and the kernel. Return: 0, or -1 after run_error() */
int run_start(struct run_machine *machine, const struct run_files *files,
	      const struct run_options *options);

/**
 * run_gdb_take_terminal - leave the terminal to the debugger: standard input of the program ends at
 * once. Call before the program's standard descriptors are chosen.
 */
void run_gdb_take_terminal(void);

/**
 * run_gdb_args - the command line of the debugger in front of that of the kernel
 * @args: out: RUN_GDB_WORDS words
 *
 * Return: 0, or -1 after run_error()
 */
int run_gdb_args(const struct run_files *files, const struct run_options *options,
		 const char **args);

/** run_gdb_become - in the process of the debugger, instead of a session of its own */
void run_gdb_become(void);

/** run_gdb_end - take the terminal back */
void run_gdb_end(void);

/** run_reap - collect the status of processes that ended */
void run_reap(struct run_machine *machine);

/* Words of run_gdb_args(). */
#define RUN_GDB_WORDS 5
/* A debugger ends when its user likes. */
#define RUN_PATIENT UINT32_MAX

/** run_stop_kernel - wait up to @patience_ms for the kernel to power off, then kill it */
void run_stop_kernel(struct run_machine *machine, unsigned int patience_ms);

/**
 * run_stop_devices - end the devices and all remaining processes, after run_stop_kernel()
 * @patient: the devices have been told to end, and write files first, however long that takes
 */
void run_stop_devices(struct run_machine *machine, bool patient);

/**
 * run_choose_stdio - select the kind of each standard descriptor of the program; @stdio has 4 bytes
 */
void run_choose_stdio(char *stdio);

/**
 * run_open_signals - block signals and return a descriptor to read them from; call before anything
 * is started
 */
int run_open_signals(void);

/**
 * run_relay - transfer data between the caller and the guest until the program ends
 *
 * Return: its exit status as in a shell, or -1 after run_error() if it has none.
 */
int run_relay(struct run_machine *machine, const struct run_files *files,
	      const struct run_options *options, const char *stdio, int signal_fd);

/** run_log_follow - copy new lines of the kernel log to standard error (--verbose) */
void run_log_follow(const struct run_files *files);

/** run_log_tail - print the end of the kernel log to standard error */
void run_log_tail(const struct run_files *files);

/**
 * run_log_check - search the kernel log for complaints; prints the first one and the lines that
 * follow
 * @options: has the expected complaints
 * @unplugged: the device is gone, for which the virtio driver of User Mode Linux warns
 *
 * Return: true if there are no unexpected complaints, and as many expected ones as required.
 */
bool run_log_check(const struct run_files *files, const struct run_options *options,
		   bool unplugged);

/**
 * run_log_expect - parse an argument of --expect-log, "COUNT:REGEX" or "MIN-MAX:REGEX"
 *
 * Return: NULL, or an error message.
 */
const char *run_log_expect(struct run_expected *expected, const char *arg);

/** run_find_program - write the path of a program to @path; @name: as in a shell */
bool run_find_program(const char *name, char path[PATH_MAX]);

/**
 * run_explain_sanitizer - print why a failed program cannot run in the guest, if it is built with a
 * sanitizer
 * @program: name as in a shell
 */
void run_explain_sanitizer(const char *program);

#endif
