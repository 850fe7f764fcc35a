/* SPDX-License-Identifier: MIT */
/**
 * DOC: Progress of long work
 *
 * A line on the standard error that says how much of the work is done and how long the rest will
 * take. It is only written to a terminal, from the third second of the work on. A program has one
 * progress at a time, which one thread changes.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>

/**
 * progress_begin() - begin work of @total parts
 * @parts: name of the parts, such as "tests", or of work without parts; a static text
 * @total: number of parts; 0: it has none, or their number is not known: no estimate
 */
void progress_begin(const char *parts, uint64_t total);

/** progress_done() - @done parts are complete. Cheap: it writes twice a second at most. */
void progress_done(uint64_t done);

/** progress_add() - as progress_done(): @count more parts; 0: only the time has changed. */
void progress_add(uint64_t count);

/** progress_hide() - remove the line before other output; the next change writes it again. */
void progress_hide(void);

/** progress_end() - the work is complete: remove the line. */
void progress_end(void);

#endif /* PROGRESS_H */
