// SPDX-License-Identifier: Apache-2.0
/*
 * faa-init, the first process of the guest. The root file system is the host's. faa-init mounts
 * file systems on /dev, /proc and /sys, loads the driver, runs one program with the host's standard
 * input, output and error, and powers off.
 */
#include "guest.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <termios.h>
#include <unistd.h>

static int init_line = -1;

static void init_send_last(enum wire_type type, int fd, const void *body, size_t length)
{
	static struct wire_out out;

	out.have = 0;
	wire_put(&out, type, fd, body, length);
	wire_drain(&out, init_line);
	tcdrain(init_line);
}

void guest_power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

void guest_fail(const char *format, ...)
{
	char text[512];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (len >= (int)sizeof(text))
		len = sizeof(text) - 1;
	if (init_line >= 0)
		init_send_last(WIRE_ERROR, 0, text, (size_t)len);
	guest_power_off();
}

static void init_open_line(void)
{
	struct termios mode;

	init_line = open("/dev/ttyS0", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (init_line < 0 || tcgetattr(init_line, &mode))
		guest_power_off();
	cfmakeraw(&mode);
	mode.c_cflag |= CLOCAL;
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	tcsetattr(init_line, TCSANOW, &mode);
}

/* The other guests reach this one until the host lets it end. */
static void init_wait_for_end_of_line(void)
{
	static struct wire_in in;

	while (wire_wait(&in, init_line) > 0)
		wire_next(&in);
}

int main(int argc, char **argv)
{
	struct program program;
	struct job job;
	const char *broken;
	char error[512];
	uint32_t status;
	int code;

	guest_mount();
	init_open_line();
	if (argc < 2)
		guest_fail("faa-init has no job");
	guest_read_job(&job, argv[1]);
	guest_load_modules(&job);
	guest_network(&job);
	if (job.guests)
		guest_serve(&job, init_line);
	code = guest_start(&job, &program, error, sizeof(error));
	if (code) {
		init_send_last(WIRE_OUTPUT, 2, error, strlen(error));
		status = (uint32_t)code << 8;
	} else {
		broken = guest_relay(&program, init_line, &status);
		if (broken && *broken)
			guest_fail("%s", broken);
		if (broken)
			guest_power_off();
	}
	if (job.guests) {
		init_send_last(WIRE_EXIT, 0, &status, sizeof(status));
		init_wait_for_end_of_line();
	}
	guest_unload_modules(&job);
	if (!job.guests)
		init_send_last(WIRE_EXIT, 0, &status, sizeof(status));
	guest_power_off();
}
