// SPDX-License-Identifier: Apache-2.0
#include "vpci.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int listen_fill_address(struct sockaddr_un *addr, const char *path, const char *suffix)
{
	int len;

	memset(addr, 0, sizeof(*addr));
	addr->sun_family = AF_UNIX;
	len = snprintf(addr->sun_path, sizeof(addr->sun_path), "%s%s", path, suffix);
	return len >= (int)sizeof(addr->sun_path) ? -ENAMETOOLONG : 0;
}

/* Whether @path is in use: by a live socket, or by another kind of file. */
static bool listen_occupied(const char *path)
{
	struct sockaddr_un addr;
	struct stat st;
	bool alive;
	int sock;

	if (lstat(path, &st))
		return false;
	if (!S_ISSOCK(st.st_mode) || listen_fill_address(&addr, path, ""))
		return true;
	sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	alive = sock >= 0 && connect(sock, (struct sockaddr *)&addr, sizeof(addr)) == 0;
	if (sock >= 0)
		close(sock);
	return alive;
}

int vpci_listen(const char *path)
{
	struct sockaddr_un addr;
	int err = listen_fill_address(&addr, path, ".new");
	int sock;

	if (err)
		return err;
	if (listen_occupied(path))
		return -EADDRINUSE;
	sock = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return -errno;
	/*
	 * Bound under a temporary name, so that the socket accepts connections as soon as @path
	 * exists.
	 */
	unlink(addr.sun_path);
	if (bind(sock, (struct sockaddr *)&addr, sizeof(addr)) || listen(sock, 1) ||
	    rename(addr.sun_path, path)) {
		err = -errno;
		close(sock);
		return err;
	}
	return sock;
}
