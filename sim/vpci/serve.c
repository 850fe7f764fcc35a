// SPDX-License-Identifier: Apache-2.0
/* A device as a program. */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vpci.h"

#define SERVE_USAGE 2

struct serve {
	const char *socket, *qtest;
	bool keep;
	bool verbose;
};

enum serve_file { SERVE_SIGNALS, SERVE_LISTENER, SERVE_GUEST, SERVE_FILES };

static void serve_help(const char *name)
{
	printf("Usage: %s --socket=PATH [--qtest=PATH] [--keep] [--verbose]\n"
	       "A PCI device for User Mode Linux (vhost-user) or QEMU.\n\n"
	       "  --socket=PATH   listen at this UNIX socket\n"
	       "  --qtest=PATH    the guest is QEMU's: --socket is for its x-pci-proxy-dev, and\n"
	       "                  PATH the UNIX socket at which its -qtest connects\n"
	       "  --keep          serve further guests when the first has gone\n"
	       "  --verbose       print messages for debugging\n"
	       "  --help          print this\n",
	       name);
}

/* Return: -1 if a guest is to be served, else the exit status. */
static int serve_parse(struct serve *serve, int argc, char **argv)
{
	static const struct option options[] = {
		{ "socket", required_argument, NULL, 's' },
		{ "qtest", required_argument, NULL, 'q' },
		{ "keep", no_argument, NULL, 'k' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int key;

	while ((key = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (key == 's')
			serve->socket = optarg;
		else if (key == 'q')
			serve->qtest = optarg;
		else if (key == 'k')
			serve->keep = true;
		else if (key == 'v')
			serve->verbose = true;
		else if (key == 'h')
			serve_help(argv[0]);
		if (key == 'h' || key == '?')
			return key == 'h' ? EXIT_SUCCESS : SERVE_USAGE;
	}
	if (serve->socket && optind == argc)
		return -1;
	fprintf(stderr, "%s: needs --socket=PATH, and nothing but options; see --help\n", argv[0]);
	return SERVE_USAGE;
}

static int serve_open_signals(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static int serve_accept(struct vpci *vpci, int listener)
{
	int sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC), err;

	if (sock < 0)
		return 0;
	if (vpci_connected(vpci)) {
		vpci_warn("a second guest was turned away: one at a time");
		close(sock);
		return 0;
	}
	err = vpci_connect(vpci, sock);
	if (err)
		vpci_warn("the device cannot be reset for a new guest: %s", strerror(-err));
	return err;
}

static int serve_loop(const struct serve *serve, struct vpci *vpci, int signals, int listener)
{
	struct pollfd files[SERVE_FILES] = {
		[SERVE_SIGNALS] = { .fd = signals, .events = POLLIN },
		[SERVE_LISTENER] = { .fd = listener, .events = POLLIN },
		[SERVE_GUEST] = { .fd = vpci_fd(vpci), .events = POLLIN },
	};
	bool busy = false;

	for (;;) {
		bool served = vpci_connected(vpci);

		if (poll(files, SERVE_FILES, busy ? 0 : -1) < 0)
			return errno == EINTR ? 0 : -errno;
		if (files[SERVE_SIGNALS].revents)
			return 0;
		/* First, so that a guest that comes when the last one has just gone is welcome. */
		busy = vpci_run(vpci);
		if (served && !vpci_connected(vpci) && !serve->keep)
			return 0;
		if (files[SERVE_LISTENER].revents && serve_accept(vpci, listener))
			return -EIO;
	}
}

int vpci_main(const struct vpci_config *config, const struct vpci_ops *ops, void *ctx,
	      struct vpci **vpci, int argc, char **argv)
{
	struct serve serve = { 0 };
	int status = serve_parse(&serve, argc, argv), signals, listener, err = 0;

	if (status >= 0)
		return status;
	vpci_set_log(program_invocation_short_name, serve.verbose);
	*vpci = vpci_create(config, ops, ctx);
	if (!*vpci) {
		vpci_warn("the device cannot be created: %s", strerror(errno));
		return EXIT_FAILURE;
	}
	signals = serve_open_signals();
	if (serve.qtest)
		err = vpci_use_qemu(*vpci, serve.qtest);
	listener = err ? -1 : vpci_listen(serve.socket);
	if (err) {
		vpci_warn("cannot listen at %s: %s", serve.qtest, strerror(-err));
	} else if (listener < 0) {
		vpci_warn("cannot listen at %s: %s", serve.socket, strerror(-listener));
		err = listener;
	} else {
		err = serve_loop(&serve, *vpci, signals, listener);
		close(listener);
		unlink(serve.socket);
	}
	if (serve.qtest)
		unlink(serve.qtest);
	close(signals);
	vpci_destroy(*vpci);
	*vpci = NULL;
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
