/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_VDEV_LOG_H
#define FAA_VDEV_LOG_H

#include <stdbool.h>

/** vdev_log_set_verbose() - also print what vdev_debug() says. */
void vdev_log_set_verbose(bool verbose);
/** vdev_log_verbose() - true if vdev_debug() prints. */
bool vdev_log_verbose(void);

/** vdev_warn() - one line to standard error about something that went wrong but does not stop the device. */
__attribute__((format(printf, 1, 2))) void vdev_warn(const char *format, ...);
/** vdev_debug() - one line to standard error, printed with --verbose only. */
__attribute__((format(printf, 1, 2))) void vdev_debug(const char *format, ...);

#endif /* FAA_VDEV_LOG_H */
