// SPDX-License-Identifier: Apache-2.0
#include "run.h"
#include "run_seed.h"
#include "wire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

void run_name(const struct run_options *options, const char *file, const char *extension,
	      int device, char *path)
{
	const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
	int stem = dot ? (int)(dot - file) : (int)strlen(file);
	char guest[24] = "", number[24] = "";

	if (options->guests)
		snprintf(guest, sizeof(guest), "-" GUEST_NAME, options->guest);
	if (device >= 0)
		snprintf(number, sizeof(number), "-device%d", device);
	snprintf(path, PATH_MAX, "%.*s%s%s%s", stem, file, guest, number, dot ? dot : extension);
}

int run_check_output(const char *what, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0) {
		run_error("cannot write the %s %s: %s", what, path, strerror(errno));
		return -1;
	}
	close(fd);
	unlink(path);
	return 0;
}

static int files_make_log(struct run_files *files, const char *log)
{
	FILE *file;

	/* Messages name the absolute path. */
	if (log && log[0] != '/') {
		char *cwd = getcwd(NULL, 0);

		snprintf(files->log, sizeof(files->log), "%s/%s", cwd ? cwd : ".", log);
		free(cwd);
	} else {
		snprintf(files->log, sizeof(files->log), "%s%s", log ? log : files->dir,
			 log ? "" : "/kernel.log");
	}
	file = fopen(files->log, "we");
	if (!file) {
		run_error("cannot write the kernel log %s: %s", files->log, strerror(errno));
		return -1;
	}
	fclose(file);
	return 0;
}

/*
 * Removes directories of killed runs: their names have the number of a process that no longer
 * exists.
 */
static void files_remove_stale(const char *base)
{
	DIR *dir = opendir(base);
	struct dirent *entry;
	struct run_files stale;
	struct stat st;
	int pid;

	while (dir && (entry = readdir(dir))) {
		if (sscanf(entry->d_name, "faa-run.%d.", &pid) != 1 || kill(pid, 0) == 0 ||
		    errno != ESRCH)
			continue;
		if (snprintf(stale.dir, sizeof(stale.dir), "%s/%s", base, entry->d_name) >=
		    (int)sizeof(stale.dir))
			continue;
		if (lstat(stale.dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == getuid())
			run_remove_files(&stale);
	}
	if (dir)
		closedir(dir);
}

int run_find_files(struct run_files *files, const struct run_options *options)
{
	const char *base = getenv("TMPDIR");

	memset(files, 0, sizeof(*files));
	if (run_waves_prepare(options) || run_trace_prepare(options) ||
	    run_find_built(files, options))
		return -1;
	/* The path of a UNIX socket has at most 107 bytes. */
	if (!base || strlen(base) > 32)
		base = "/tmp";
	files_remove_stale(base);
	snprintf(files->dir, sizeof(files->dir), "%s/faa-run.%d.XXXXXX", base, (int)getpid());
	if (!mkdtemp(files->dir)) {
		run_error("cannot make a directory in %s: %s", base, strerror(errno));
		files->dir[0] = 0;
		return -1;
	}
	snprintf(files->job, sizeof(files->job), "%s/job", files->dir);
	snprintf(files->trace, sizeof(files->trace), "%s/trace", files->dir);
	for (unsigned int i = 0; i < RUN_MAX_DEVICES; i++)
		snprintf(files->sockets[i], sizeof(files->sockets[i]), "%s/vdev%u", files->dir, i);
	return files_make_log(files, options->log);
}

static void files_remove_tree(const char *path, int depth)
{
	DIR *dir = depth < 4 ? opendir(path) : NULL;
	struct dirent *entry;
	char name[PATH_MAX];

	while (dir && (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (unlink(name) && (errno == EISDIR || errno == EPERM))
			files_remove_tree(name, depth + 1);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

void run_remove_files(const struct run_files *files)
{
	if (files->dir[0])
		files_remove_tree(files->dir, 0);
}

static void files_put(FILE *file, char tag, const char *text)
{
	fputc(tag, file);
	fputs(text, file);
	fputc(0, file);
}

/* "FILE PARAMETERS" or "NAME PARAMETERS", where NAME is a module of the kernel. */
static int files_put_module(FILE *file, const struct run_files *files, const char *text)
{
	size_t length = strcspn(text, " ");
	const char *params = text[length] ? text + length + 1 : "";
	char path[2 * PATH_MAX], entry[4 * PATH_MAX], *full;

	if (memchr(text, '/', length))
		snprintf(path, sizeof(path), "%.*s", (int)length, text);
	else
		snprintf(path, sizeof(path), "%s/modules/%.*s.ko", files->kernel, (int)length,
			 text);
	full = realpath(path, NULL);
	if (!full) {
		run_error("cannot load the module %s: %s", path, strerror(errno));
		return -1;
	}
	snprintf(entry, sizeof(entry), "%s\n%s", full, params);
	free(full);
	files_put(file, JOB_MODULE, entry);
	return 0;
}

/* The modules of --module, of which the last one gets the parameters. */
static void files_put_user_modules(FILE *file, const struct run_files *files,
				   const struct run_options *options)
{
	char entry[2 * PATH_MAX];

	for (const char *path = files->user_modules, *end; path; path = end ? end + 1 : NULL) {
		end = strchr(path, '\n');
		snprintf(entry, sizeof(entry), "%.*s\n%s",
			 end ? (int)(end - path) : (int)strlen(path), path,
			 end ? "" : options->module_params);
		files_put(file, JOB_MODULE, entry);
	}
}

static int files_put_modules(FILE *file, const struct run_files *files,
			     const struct run_options *options)
{
	char text[2 * PATH_MAX];

	for (unsigned int i = 0; i < options->modules.count; i++)
		if (files_put_module(file, files, options->modules.item[i]))
			return -1;
	files_put_user_modules(file, files, options);
	if (!options->driver)
		return 0;
	snprintf(text, sizeof(text), "%s\n%s", files->module, options->module_params);
	files_put(file, JOB_MODULE, text);
	if (options->kunit)
		files_put(file, JOB_MODULE, files->kunit);
	return 0;
}

static void files_put_winsize(FILE *file)
{
	struct winsize size;
	char text[32];

	if (ioctl(0, TIOCGWINSZ, &size))
		return;
	snprintf(text, sizeof(text), "%hu %hu", size.ws_row, size.ws_col);
	files_put(file, JOB_WINSIZE, text);
}

static void files_put_input(FILE *file)
{
	char path[PATH_MAX], entry[PATH_MAX + 32];
	ssize_t n = readlink("/proc/self/fd/0", path, sizeof(path) - 1);

	if (n < 0)
		return;
	path[n] = 0;
	snprintf(entry, sizeof(entry), "%lld %s", (long long)lseek(0, 0, SEEK_CUR), path);
	files_put(file, JOB_INPUT, entry);
}

/* Open MPI starts its daemons in the other guests with faa-rsh, one for each name of the file. */
#define OPEN_MPI_AGENT "OMPI_MCA_plm_rsh_agent"

static const char *const files_open_mpi_guests[][2] = {
	{ "OMPI_MCA_plm_rsh_no_tree_spawn", "1" },
	{ "OMPI_MCA_orte_leave_session_attached", "1" },
	{ "OMPI_MCA_orte_default_hostfile", GUEST_HOSTFILE },
	{ 0 },
};

/*
 * A guest has one processor, on which its ranks take turns, and one user, who is root. Windows over
 * TCP: the component "rdma" of Open MPI 4.1 is preferred and fails there, "pt2pt" works.
 */
static const char *const files_open_mpi[][2] = {
	{ "OMPI_MCA_orte_tmpdir_base", "/dev/shm" },
	{ "OMPI_MCA_mpi_yield_when_idle", "1" },
	{ "OMPI_MCA_rmaps_base_oversubscribe", "1" },
	{ "OMPI_MCA_osc", "sm,pt2pt" },
	{ "OMPI_ALLOW_RUN_AS_ROOT", "1" },
	{ "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1" },
	{ 0 },
};

/* Variables that the caller has set are left as they are. */
static void files_put_variables(FILE *file, const char *const (*variables)[2])
{
	char text[PATH_MAX];

	for (; (*variables)[0]; variables++) {
		if (getenv((*variables)[0]))
			continue;
		snprintf(text, sizeof(text), "%s=%s", (*variables)[0], (*variables)[1]);
		files_put(file, JOB_ENV, text);
	}
}

static void files_put_guest(FILE *file, const struct run_options *options)
{
	char self[PATH_MAX], text[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	snprintf(text, sizeof(text), "%u %u", options->guest, options->guests);
	files_put(file, JOB_GUEST, text);
	self[n > 0 ? n : 0] = 0;
	slash = strrchr(self, '/');
	if (slash && !getenv(OPEN_MPI_AGENT)) {
		snprintf(text, sizeof(text), OPEN_MPI_AGENT "=%.*s/faa-rsh", (int)(slash - self),
			 self);
		files_put(file, JOB_ENV, text);
	}
	files_put_variables(file, files_open_mpi_guests);
}

int run_write_job(const struct run_files *files, const struct run_options *options,
		  const char *stdio)
{
	FILE *file = fopen(files->job, "we");
	char *cwd = getcwd(NULL, 0), text[32];
	mode_t mask = umask(0);
	int err;

	umask(mask);
	if (!file || !cwd) {
		run_error("cannot write %s: %s", files->job, strerror(errno));
		free(cwd);
		return -1;
	}
	files_put(file, JOB_DIR, cwd);
	free(cwd);
	files_put(file, JOB_STDIO, stdio);
	if (stdio[0] == 'f')
		files_put_input(file);
	snprintf(text, sizeof(text), "%o", (unsigned int)mask);
	files_put(file, JOB_UMASK, text);
	files_put_winsize(file);
	err = files_put_modules(file, files, options);
	snprintf(text, sizeof(text), "%u", options->devices);
	if (options->devices)
		files_put(file, JOB_DEVICES, text);
	if (options->check_log)
		files_put(file, JOB_CHECK, "");
	/* With a seed always, so that a run does not depend on --trace. */
	if (options->seed && options->devices)
		files_put(file, JOB_TRACE_LATE, strrchr(files->trace, '/') + 1);
	else if (options->trace.file)
		files_put(file, JOB_TRACE, files->trace);
	if (options->leaks &&
	    (!strcmp(options->flavour, "debug") || !strcmp(options->flavour, "coverage")))
		files_put(file, JOB_LEAKS, "");
	files_put_variables(file, files_open_mpi);
	if (options->guests)
		files_put_guest(file, options);
	for (char **arg = options->program; *arg; arg++)
		files_put(file, JOB_ARG, *arg);
	for (char **env = environ; *env; env++)
		if (!options->seed || run_seed_passes_variable(*env))
			files_put(file, JOB_ENV, *env);
	if (ferror(file) | fclose(file)) {
		run_error("cannot write %s: %s", files->job, strerror(errno));
		return -1;
	}
	return err;
}
