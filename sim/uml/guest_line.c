// SPDX-License-Identifier: Apache-2.0
/* The guest's end of the serial line to faa-run, and the two ways in which faa-init ends. */
#include "guest_line.h"
#include "guest.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/reboot.h>
#include <termios.h>
#include <unistd.h>

static int line_fd = -1;

void guest_send_last(enum wire_type type, int fd, const void *body, size_t length)
{
	static struct wire_out out;

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

int guest_open_line(void)
{
	struct termios mode;

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
