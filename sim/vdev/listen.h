/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_VDEV_LISTEN_H
#define FAA_VDEV_LISTEN_H

/**
 * listen_at() - listen at a UNIX socket
 * @path: where it appears, at once ready for connections; a stale socket there is replaced
 *
 * Return: the listening file, -EADDRINUSE if somebody listens there or @path is something else than a socket,
 * -ENAMETOOLONG, or another -errno.
 */
int listen_at(const char *path);

#endif /* FAA_VDEV_LISTEN_H */
