// SPDX-License-Identifier: MIT
/* vpci_main(): arguments, a guest that comes and goes, signals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vpci.h"
#include "../run_tests.h"

static const struct vpci_config config = { .vendor = 1, .bar[0] = { 4096, 0 } };
static const struct vpci_ops ops = { 0 };

static char directory[] = "/tmp/test-vpci.XXXXXX";

/* Exit status of a device with these arguments, 128 + N for signal N. */
static int finish(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static pid_t start(const struct vpci_config *description, const char *first, const char *second)
{
	char *argv[] = { (char *)"device", (char *)first, (char *)second, NULL };
	pid_t pid = fork();

	if (pid == 0) {
		struct vpci *vpci = NULL;

		_exit(vpci_main(description, &ops, NULL, &vpci, second ? 3 : first ? 2 : 1, argv));
	}
	return pid;
}

static int connect_to(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int sock = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	for (int i = 0; i < 1000; i++) {
		if (connect(sock, (struct sockaddr *)&addr, sizeof(addr)) == 0)
			return sock;
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	fail_msg("no device at %s", path);
	return -1;
}

static void test_arguments(void **state)
{
	struct vpci_config bad = config;

	(void)state;
	bad.bar[0].size = 3;
	assert_int_equal(finish(start(&config, NULL, NULL)), 2);
	assert_int_equal(finish(start(&config, "--sockte=x", NULL)), 2);
	assert_int_equal(finish(start(&config, "--socket=x", "more")), 2);
	assert_int_equal(finish(start(&config, "--help", NULL)), 0);
	assert_int_equal(finish(start(&bad, "--socket=x", NULL)), 1);
	assert_int_equal(finish(start(&config, "--socket=/nonexistent/x", NULL)), 1);
}

/* The guest's number of features, as a sign that it is served. */
static void ask(int sock)
{
	const uint32_t request[3] = { 1, 1, 0 };
	uint32_t answer[5];

	assert_int_equal(send(sock, request, sizeof(request), 0), sizeof(request));
	assert_int_equal(recv(sock, answer, sizeof(answer), MSG_WAITALL), sizeof(answer));
}

static void test_guests(void **state)
{
	char option[64], path[48];
	pid_t pid;
	int sock;

	(void)state;
	snprintf(path, sizeof(path), "%s/socket", directory);
	snprintf(option, sizeof(option), "--socket=%s", path);
	pid = start(&config, option, NULL);
	sock = connect_to(path);
	ask(sock);
	/* A second device cannot have the socket. */
	assert_int_equal(finish(start(&config, option, NULL)), 1);
	close(sock);
	assert_int_equal(finish(pid), 0);
	assert_int_equal(access(path, F_OK), -1);

	pid = start(&config, option, "--keep");
	for (int i = 0; i < 3; i++) {
		sock = connect_to(path);
		ask(sock);
		close(sock);
	}
	kill(pid, SIGTERM);
	assert_int_equal(finish(pid), 0);
	assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_guests),
	};
	int status;

	if (!mkdtemp(directory))
		return EXIT_FAILURE;
	status = RUN_TESTS(tests, NULL, NULL);
	rmdir(directory);
	return status;
}
