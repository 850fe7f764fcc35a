// SPDX-License-Identifier: Apache-2.0
#include "waves_build.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((format(printf, 1, 2))) static void waves_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
}

static bool waves_is_current(const char *root, const char *path, const char *plain)
{
	char other[PATH_MAX];
	struct stat traced, untraced;

	if (snprintf(other, sizeof(other), "%s/%s", root, plain) >= (int)sizeof(other))
		return false;
	return !stat(path, &traced) && !stat(other, &untraced) &&
	       (traced.st_mtim.tv_sec > untraced.st_mtim.tv_sec ||
		(traced.st_mtim.tv_sec == untraced.st_mtim.tv_sec &&
		 traced.st_mtim.tv_nsec >= untraced.st_mtim.tv_nsec));
}

static int waves_make(const char *root, const char *target)
{
	pid_t pid;
	int status;

	waves_say("building %s/%s, which has waveforms; the first one takes minutes", root, target);
	pid = fork();
	if (pid == 0) {
		dup2(2, 1);
		execlp("nice", "nice", "ninja", "-C", root, "--quiet", target, NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
		waves_say("'ninja -C %s %s' has failed", root, target);
		return -1;
	}
	return 0;
}

int waves_build(const char *root, const char *target, const char *plain, char *path)
{
	char lock_path[PATH_MAX];
	int lock, err = 0;

	if (snprintf(path, PATH_MAX, "%s/%s", root, target) >= PATH_MAX ||
	    snprintf(lock_path, sizeof(lock_path), "%s/.waves.lock", root) >=
		    (int)sizeof(lock_path)) {
		waves_say("the path %s is too long", root);
		return -1;
	}
	if (waves_is_current(root, path, plain))
		return 0;
	lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (lock < 0 || flock(lock, LOCK_EX)) {
		waves_say("cannot lock %s: %s", lock_path, strerror(errno));
		err = -1;
	} else if (!waves_is_current(root, path, plain)) {
		err = waves_make(root, target);
	}
	if (lock >= 0)
		close(lock);
	return err;
}
