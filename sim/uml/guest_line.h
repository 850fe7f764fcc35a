/* SPDX-License-Identifier: Apache-2.0 */
/* The serial line from the guest to faa-run. */
#ifndef FAA_UML_GUEST_LINE_H
#define FAA_UML_GUEST_LINE_H

#include "wire.h"

/** guest_open_line - open the line, in raw mode; power off without one. Return: the line */
int guest_open_line(void);

/** guest_send_last - send a frame and wait until faa-run can read it */
void guest_send_last(enum wire_type type, int fd, const void *body, size_t length);

#endif
