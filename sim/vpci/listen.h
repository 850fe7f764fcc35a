/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_VPCI_LISTEN_H
#define FAA_VPCI_LISTEN_H

/**
 * listen_at() - listen at a UNIX socket
 * @path: path of the socket, which accepts connections as soon as it exists; a stale socket is
 * replaced
 *
 * Return: the listening file; -EADDRINUSE if another process listens there, or @path is no socket;
 * -ENAMETOOLONG; or another -errno.
 */
int listen_at(const char *path);

#endif /* FAA_VPCI_LISTEN_H */
