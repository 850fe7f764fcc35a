/* SPDX-License-Identifier: MIT */
/**
 * DOC: Waveforms of tests that fail
 *
 * With FAA_WAVES=DIR in the environment, a test on the RTL that fails leaves the last cycles of the
 * device in DIR. Programs are fast because they have no waveforms: what has failed runs again in a
 * second program, which has (tb_traces()), and which is built when it is needed.
 */
#ifndef TB_WAVES_H
#define TB_WAVES_H

#include <stdbool.h>
#include <stdint.h>

struct tb_host;

/** TB_WAVES_CYCLES - a waveform has at least so many cycles, and twice as many at most */
#define TB_WAVES_CYCLES 10000

/** tb_traces() - whether this program is one with waveforms (tb_engines.c) */
bool tb_traces(void);

/** tb_waves_cycles() - cycles that an engine of @ops has to keep, 0 = none */
uint32_t tb_waves_cycles(const void *ops);

/** tb_waves_add() - @host may be written; tb_waves_remove() - it is destroyed */
void tb_waves_add(struct tb_host *host);
void tb_waves_remove(struct tb_host *host);

/**
 * tb_waves_keep() - write the waveforms of all hosts to DIR/PROGRAM-@name.fst, and print the names
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
