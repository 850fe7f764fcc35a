// SPDX-License-Identifier: Apache-2.0
/*
 * faa-vdev: the faa device as a vhost-user back end for User Mode Linux. One thread serves the
 * guest's accesses between slices of the engine's clock, and sleeps while the engine is idle.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vpci.h"
#include "options.h"
#include "vdev.h"

struct server {
	struct options options;
	struct vdev *vdev;
	int listener;
	int signals;
	int epoll;
	bool quit;
};

/* For the handler of SIGABRT, which has no other way to it. */
static struct server *main_server;

static void main_dump_recorder(const struct server *server, const char *why)
{
	const char *path = server->options.record;
	FILE *file = path ? fopen(path, "w") : stderr;

	if (!file) {
		vpci_warn("the flight recorder cannot be written to %s: %s", path, strerror(errno));
		return;
	}
	fprintf(file, "# faa-vdev, engine %s: %s\n", server->options.engine->name, why);
	vdev_dump(server->vdev, file);
	if (path) {
		fclose(file);
		vpci_debug("flight recorder written to %s (%s)", path, why);
	}
}

static void main_write_events(const struct server *server)
{
	int err = vdev_write_events(server->vdev, server->options.events);

	if (err)
		vpci_warn("the digest of the events cannot be written to %s: %s",
			  server->options.events, strerror(-err));
}

static bool main_traces(const struct options *options)
{
	return options->trace_cycles || options->trace_to;
}

static void main_dump_trace(struct server *server)
{
	int err = vdev_dump_trace(server->vdev, server->options.trace_file);

	if (err == -EOPNOTSUPP)
		vpci_warn(
			"no waveform: start faa-vdev-trace with --trace-cycles=N and --engine=rtl for it");
	else if (err == -ENODATA)
		vpci_warn("no waveform: the device has run for %llu cycles since its last reset",
			  (unsigned long long)vdev_cycle(server->vdev));
	else if (err)
		vpci_warn("the waveform cannot be written to %s: %s", server->options.trace_file,
			  strerror(-err));
	else
		vpci_warn("waveform written to %s", server->options.trace_file);
}

/*
 * An engine aborts on an internal error. The recorded events are worth a handler that is not
 * async-signal-safe.
 */
static void main_on_abort(int signo)
{
	(void)signo;
	signal(SIGABRT, SIG_DFL);
	main_dump_recorder(main_server, "aborted");
	if (main_traces(&main_server->options))
		main_dump_trace(main_server);
}

static int main_watch(const struct server *server, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event);
}

static int main_open_signals(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGABRT, main_on_abort);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void main_handle_signal(struct server *server)
{
	struct signalfd_siginfo info;

	if (read(server->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGUSR1)
		main_dump_recorder(server, "SIGUSR1");
	else if (info.ssi_signo == SIGUSR2)
		main_dump_trace(server);
	else
		server->quit = true;
}

static void main_handle_connection(struct server *server)
{
	int sock = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
	int err;

	if (sock < 0)
		return;
	if (vdev_connected(server->vdev)) {
		vpci_warn("a second guest was turned away: one at a time");
		close(sock);
		return;
	}
	vpci_debug("a guest has connected");
	err = vdev_connect(server->vdev, sock);
	if (err) {
		vpci_warn("the device cannot be reset for a new guest: %s", strerror(-err));
		server->quit = true;
	}
}

static void main_serve(struct server *server)
{
	bool busy = false;

	while (!server->quit) {
		struct epoll_event events[4];
		int count = epoll_wait(server->epoll, events, 4, busy ? 0 : -1);
		bool used = vdev_in_use(server->vdev);

		/* First, so that a guest that comes when the last one has just gone is welcome. */
		busy = vdev_run(server->vdev);
		if (used && !vdev_in_use(server->vdev) && !server->options.keep)
			server->quit = true;
		for (int i = 0; i < count; i++) {
			if (events[i].data.fd == server->signals)
				main_handle_signal(server);
			else if (events[i].data.fd == server->listener && !server->quit)
				main_handle_connection(server);
		}
	}
}

static int main_open_server(struct server *server)
{
	const struct vdev_config config = {
		.engine = server->options.engine,
		.mem = server->options.mem,
		.trace_cycles = server->options.trace_cycles,
		.trace_from = server->options.trace_from,
		.trace_to = server->options.trace_to,
		.recorder_events = server->options.record_events,
		.record_units = server->options.record_units,
		.pace = server->options.pace,
		.no_atomic_ops = server->options.no_atomic_ops,
		.num_cus = server->options.num_cus,
		.vectors = server->options.vectors,
		.defect = server->options.defect,
		.faults = server->options.faults,
		.time_socket = server->options.time_socket,
		.cycle_ns = server->options.cycle_ns,
		.qtest_socket = server->options.qtest,
	};

	/* Before an engine may start threads, which inherit the mask. */
	server->signals = main_open_signals();
	server->vdev = vdev_create(&config);
	if (!server->vdev) {
		vpci_warn("the engine %s cannot be created: %s", config.engine->name,
			  strerror(errno));
		if (errno == EOPNOTSUPP && config.defect)
			vpci_warn(
				"it has no such defect: the model has deaf and unserved, faa-vdev-quad-defects with --engine=rtl others");
		else if (errno == EOPNOTSUPP && main_traces(&server->options))
			vpci_warn(
				"this program has no tracing, faa-vdev-trace with --engine=rtl does");
		return -1;
	}
	server->listener = vpci_listen(server->options.socket);
	if (server->listener < 0) {
		vpci_warn("cannot listen at %s: %s", server->options.socket,
			  strerror(-server->listener));
		return -1;
	}
	server->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (server->signals < 0 || server->epoll < 0 || main_watch(server, server->listener) ||
	    main_watch(server, server->signals) || main_watch(server, vdev_fd(server->vdev))) {
		vpci_warn("cannot wait for events: %s", strerror(errno));
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct server server;
	const struct vpci_stats *stats;

	main_server = &server;
	options_parse(&server.options, argc, argv);
	vpci_set_log("faa-vdev", server.options.verbose);
	if (main_open_server(&server))
		return EXIT_FAILURE;

	vpci_debug("engine %s, listening at %s", server.options.engine->name,
		   server.options.socket);
	main_serve(&server);
	unlink(server.options.socket);
	if (server.options.qtest)
		unlink(server.options.qtest);

	stats = vdev_stats(server.vdev);
	vpci_debug(
		"%llu messages (%llu refused), %llu interrupts requested, %llu sent, %llu DMA errors",
		(unsigned long long)stats->messages, (unsigned long long)stats->bad_messages,
		(unsigned long long)stats->irqs_requested, (unsigned long long)stats->irqs_sent,
		(unsigned long long)stats->dma_errors);
	if (server.options.record)
		main_dump_recorder(&server, "end");
	if (server.options.events)
		main_write_events(&server);
	vdev_destroy(server.vdev);
	return EXIT_SUCCESS;
}
