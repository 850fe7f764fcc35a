// SPDX-License-Identifier: MIT
/* Starts and ends the machine of a simulated device: faa-run with faa-serve in it. */
#include "device.h"
#include "error.h"
#include "remote.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Largest number of faa-run arguments that a program may add. */
#define MAX_ARGUMENTS 64
/* Limit of faa-run's time to exit, power-off of the guest included, ms. */
#define END_MS 10000

extern char **environ;

/* @name in the directory bin next to the library's, or unchanged, for a search of $PATH. */
static void machine_program(const char *name, char *path, size_t size)
{
	Dl_info info;
	char *slash;

	if (dladdr((void *)machine_program, &info) && info.dli_fname &&
	    realpath(info.dli_fname, path)) {
		slash = strrchr(path, '/');
		for (; slash && slash > path; slash = strrchr(path, '/')) {
			snprintf(slash, size - (size_t)(slash - path), "/bin/%s", name);
			if (!access(path, X_OK))
				return;
			*slash = '\0';
		}
	}
	snprintf(path, size, "%s", name);
}

static int machine_open_pipes(int to[2], int from[2])
{
	if (pipe2(to, O_CLOEXEC))
		return faa_fail(-errno, "a pipe to faa-run: %s", strerror(errno));
	if (pipe2(from, O_CLOEXEC)) {
		int error = errno;

		close(to[0]);
		close(to[1]);
		return faa_fail(-error, "a pipe to faa-run: %s", strerror(error));
	}
	return 0;
}

/*
 * In a session of its own: an interrupt from the terminal is for the program, and must not end the
 * machine.
 */
static int machine_spawn(const char *runner, char *const *argv, int in, int out, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int error;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	error = posix_spawnp(pid, runner, &actions, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error ? faa_fail(-error, "cannot start the simulated device: %s: %s", runner,
				strerror(error)) :
		       0;
}

static int machine_run(const struct faa_simulation *simulation, struct faa_machine *machine, int in,
		       int out)
{
	char runner[PATH_MAX + 16], server[PATH_MAX + 16], pids[sizeof(machine->pids) + 8];
	const char *argv[MAX_ARGUMENTS + 4] = { runner };
	unsigned int count = 1, i;
	int fd;

	machine_program("faa-run", runner, sizeof(runner));
	machine_program("faa-serve", server, sizeof(server));
	if (simulation && simulation->runner)
		snprintf(runner, sizeof(runner), "%s", simulation->runner);
	for (i = 0; simulation && simulation->arguments && simulation->arguments[i]; i++) {
		if (i == MAX_ARGUMENTS)
			return faa_fail(-E2BIG, "more than %d arguments for faa-run",
					MAX_ARGUMENTS);
		argv[count++] = simulation->arguments[i];
	}
	snprintf(machine->pids, sizeof(machine->pids), "/tmp/faa-pids-XXXXXX");
	fd = mkostemp(machine->pids, O_CLOEXEC);
	if (fd < 0)
		return faa_fail(-errno, "%s: %s", machine->pids, strerror(errno));
	close(fd);
	snprintf(pids, sizeof(pids), "--pids=%s", machine->pids);
	argv[count++] = pids;
	argv[count++] = server;
	argv[count] = NULL;
	return machine_spawn(runner, (char *const *)argv, in, out, &machine->pid);
}

int faa_machine_start(const struct faa_simulation *simulation, struct faa_machine *machine)
{
	int to[2], from[2], ret;

	*machine = (struct faa_machine){ .to = -1, .from = -1 };
	ret = machine_open_pipes(to, from);
	if (ret)
		return ret;
	ret = machine_run(simulation, machine, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	machine->to = to[1];
	machine->from = from[0];
	if (ret)
		faa_machine_stop(machine, true);
	return ret;
}

static pid_t machine_kernel(const struct faa_machine *machine)
{
	FILE *file = fopen(machine->pids, "re");
	int pid = 0;

	if (file && fscanf(file, "vdev %*d kernel %d", &pid) != 1)
		pid = 0;
	if (file)
		fclose(file);
	return pid;
}

/* Opens @path again if it is a file that has @number at @address; otherwise -1. */
static int machine_open_memory(const char *path, uint64_t address, uint64_t number)
{
	struct stat st;
	uint64_t found;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size < address + 8)
		return -1;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (pread(fd, &found, sizeof(found), (off_t)address) == sizeof(found) && found == number)
		return fd;
	close(fd);
	return -1;
}

int faa_machine_memory(const struct faa_machine *machine, uint64_t address, uint64_t number)
{
	char path[64 + NAME_MAX];
	struct dirent *entry;
	int found = -1;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)machine_kernel(machine));
	dir = opendir(path);
	if (!dir)
		return faa_fail(-errno, "the memory of the simulated machine: %s: %s", path,
				strerror(errno));
	while (found < 0 && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%s", (int)machine_kernel(machine),
			 entry->d_name);
		found = machine_open_memory(path, address, number);
	}
	closedir(dir);
	return found < 0 ? faa_fail(-ENODEV, "the memory of the simulated machine is no file that "
					     "the program may open") :
			   found;
}

void faa_machine_forget(struct faa_machine *machine)
{
	if (machine->pids[0])
		unlink(machine->pids);
	machine->pids[0] = '\0';
}

/* faa-serve exits at the end of its input; then the guest and faa-run exit. */
static void machine_reap(pid_t pid)
{
	struct timespec pause = { .tv_nsec = 5000000 };
	int waited;

	for (waited = 0; waited < END_MS; waited += 5) {
		pid_t ended = waitpid(pid, NULL, WNOHANG);

		if (ended == pid || (ended < 0 && errno != EINTR))
			return;
		nanosleep(&pause, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

void faa_machine_stop(struct faa_machine *machine, bool mine)
{
	if (machine->to >= 0)
		close(machine->to);
	if (machine->from >= 0)
		close(machine->from);
	if (!mine)
		return;
	if (machine->pid > 0)
		machine_reap(machine->pid);
	faa_machine_forget(machine);
}

int faa_device_open_simulated_sized(const struct faa_simulation *simulation, size_t simulation_size,
				    struct faa_device **out)
{
	struct faa_simulation own = { 0 };
	struct faa_backend *backend;
	struct faa_machine machine;
	int ret = 0;

	*out = NULL;
	if (simulation)
		ret = faa_struct_read(&own, sizeof(own), simulation, simulation_size,
				      "faa_simulation");
	if (!ret)
		ret = faa_machine_start(&own, &machine);
	if (!ret)
		ret = faa_backend_remote(&machine, &backend);
	return ret ? ret : faa_device_open_backend(backend, out);
}
