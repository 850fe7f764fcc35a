/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_VPCI_LOG_H
#define FAA_VPCI_LOG_H

#include <stdbool.h>

/** vdev_log_set_verbose() - also print messages of vdev_debug(). */
void vdev_log_set_verbose(bool verbose);
/** vdev_log_verbose() - whether vdev_debug() prints. */
bool vdev_log_verbose(void);

/** vdev_warn() - print one line to standard error about a problem that does not stop the device. */
__attribute__((format(printf, 1, 2))) void vdev_warn(const char *format, ...);
/** vdev_debug() - print one line to standard error, with --verbose only. */
__attribute__((format(printf, 1, 2))) void vdev_debug(const char *format, ...);

#endif /* FAA_VPCI_LOG_H */
