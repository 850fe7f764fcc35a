// SPDX-License-Identifier: Apache-2.0
/* The guest's end of the serial line to faa-run, and the two ways in which faa-init ends. */
#include "guest_line.h"
#include "guest.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/reboot.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* The line in a guest of QEMU (faa-run --cpus), which no other guest has. */
#define LINE_PORT     "/dev/vport0p1"
#define LINE_CLASS    "/sys/class/virtio-ports"
#define LINE_TRIES    1000
#define LINE_PAUSE_MS 10

static int line_fd = -1;
static bool line_is_port;

void guest_send_last(enum wire_type type, int fd, const void *body, size_t length)
{
	static struct wire_out out;

	/* A port has passed on all data when a blocking write returns. */
	if (line_is_port)
		fcntl(line_fd, F_SETFL, 0);
	out.have = 0;
	wire_put(&out, type, fd, body, length);
	wire_drain(&out, line_fd);
	tcdrain(line_fd);
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
	if (line_fd >= 0)
		guest_send_last(WIRE_ERROR, 0, text, (size_t)len);
	guest_power_off();
}

/* A kernel thread creates the port, and tells later that the host's end is open. */
static int line_open_port(void)
{
	const struct timespec pause = { .tv_nsec = LINE_PAUSE_MS * 1000000 };
	struct pollfd port = { .fd = -1, .events = POLLOUT };

	for (unsigned int i = 0; i < LINE_TRIES; i++) {
		if (port.fd < 0)
			port.fd = open(LINE_PORT, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		if (port.fd >= 0 && poll(&port, 1, 0) == 1 && !(port.revents & POLLHUP))
			return port.fd;
		nanosleep(&pause, NULL);
	}
	guest_power_off();
}

int guest_open_line(void)
{
	struct termios mode;

	if (access(LINE_CLASS, F_OK) == 0) {
		line_is_port = true;
		line_fd = line_open_port();
		return line_fd;
	}
	line_fd = open("/dev/ttyS0", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (line_fd < 0 || tcgetattr(line_fd, &mode))
		guest_power_off();
	cfmakeraw(&mode);
	mode.c_cflag |= CLOCAL;
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	tcsetattr(line_fd, TCSANOW, &mode);
	return line_fd;
}
