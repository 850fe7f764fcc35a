// SPDX-License-Identifier: Apache-2.0
#include "run_prefix.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void prefix_close(struct prefix *prefix)
{
	if (prefix->from >= 0)
		close(prefix->from);
	prefix->from = -1;
}

/*
 * One write for a line: lines of several guests do not mix. Without a reader the pipe is closed:
 * the guest's program learns of it as of any closed output.
 */
static void prefix_put(struct prefix *prefix, size_t length)
{
	char text[sizeof(prefix->name) + PREFIX_LINE + 8];
	size_t size = (size_t)snprintf(text, sizeof(text), "%s: ", prefix->name), done = 0;

	memcpy(text + size, prefix->line, length);
	size += length;
	text[size++] = '\n';
	while (done < size) {
		ssize_t n = write(prefix->to, text + done, size - done);

		if (n < 0 && errno != EINTR && errno != EAGAIN) {
			prefix_close(prefix);
			return;
		}
		done += n > 0 ? (size_t)n : 0;
	}
}

static void prefix_drop(struct prefix *prefix, size_t bytes)
{
	prefix->have -= bytes;
	memmove(prefix->line, prefix->line + bytes, prefix->have);
}

void prefix_turn(struct prefix *prefix)
{
	ssize_t n;
	char *end;

	while (prefix->from >= 0) {
		n = read(prefix->from, prefix->line + prefix->have,
			 sizeof(prefix->line) - prefix->have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			if (prefix->have)
				prefix_put(prefix, prefix->have);
			prefix_close(prefix);
			return;
		}
		prefix->have += (size_t)n;
		while ((end = memchr(prefix->line, '\n', prefix->have))) {
			prefix_put(prefix, (size_t)(end - prefix->line));
			prefix_drop(prefix, (size_t)(end - prefix->line) + 1);
		}
		if (prefix->have == sizeof(prefix->line)) {
			prefix_put(prefix, prefix->have);
			prefix->have = 0;
		}
	}
}
