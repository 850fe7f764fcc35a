/* SPDX-License-Identifier: MIT */
/**
 * DOC: Waveforms of tests that fail
 *
 * With FAA_WAVES=DIR in the environment, a test on the RTL that fails leaves the last cycles of the
 * device in DIR; with --waves=FILE a test or a case leaves its cycles in FILE. Programs are fast
 * because they have no waveforms: what has failed, or has --waves, runs in a second program, which
 * has them (tb_traces()), and which is built when it is needed.
 */
#ifndef TB_WAVES_H
#define TB_WAVES_H

#include <stdbool.h>

struct faa_engine_config;
struct tb_host;

/** tb_traces() - whether this program is one with waveforms (tb_engines.c) */
bool tb_traces(void);

/**
 * tb_waves_option() - take the argument of --waves
 * @argument: FILE[,from=CYCLE][,to=CYCLE][,cycles=N], is changed and used later
 * @argv: of the program, which ends here if it has no waveforms: the one that has them runs instead
 */
void tb_waves_option(char *argument, char *const argv[]);
/** tb_waves_asked() - whether there was a --waves */
bool tb_waves_asked(void);

/** tb_waves_set() - set which cycles an engine of @ops keeps */
void tb_waves_set(const void *ops, struct faa_engine_config *config);

/** tb_waves_add() - @host may be written; tb_waves_remove() - it is destroyed */
void tb_waves_add(struct tb_host *host);
void tb_waves_remove(struct tb_host *host);

/**
 * tb_waves_keep() - write the waveforms of all hosts, and print the names of their files: FILE of
 * --waves, else DIR/PROGRAM-@name.fst
 *
 * Without waveforms it does nothing.
 */
void tb_waves_keep(const char *name);

/** tb_waves_wanted() - whether something that has failed is to run again with tb_waves_again() */
bool tb_waves_wanted(void);

/**
 * tb_waves_again() - run the program with waveforms
 * @args: its arguments, without its name; ends with NULL
 */
void tb_waves_again(const char *const args[]);

#endif
