// SPDX-License-Identifier: Apache-2.0
#include "run_waves.h"
#include "run.h"
#include "waves_build.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAVES_TARGET "sim/vdev/faa-vdev-trace"
/* Nanoseconds of a cycle in a waveform (sim/vdev/engine_waves.h). */
#define WAVES_CYCLE_NS 10

void run_waves_environment(struct run_options *options)
{
	const char *dir = getenv("FAA_WAVES"), *program = options->program[0];
	const char *slash = strrchr(program, '/');
	char *file;

	/* A device that the caller has chosen need not have waveforms. */
	if (options->waves.file || !dir || !*dir || !options->devices || getenv("FAA_VDEV") ||
	    options->device || strcmp(options->engine, "rtl"))
		return;
	if (mkdir(dir, 0777) && errno != EEXIST)
		run_error("cannot make the directory of FAA_WAVES, %s: %s", dir, strerror(errno));
	if (asprintf(&file, "%s/%s-%d.fst", dir, slash ? slash + 1 : program, (int)getpid()) < 0)
		return;
	options->waves =
		(struct waves_option){ .file = file, .cycles = WAVES_CYCLES, .on_failure = true };
}

static void waves_name(const struct run_options *options, unsigned int index, char *path)
{
	run_name(options, options->waves.file, ".fst", options->devices > 1 ? (int)index : -1,
		 path);
}

int run_waves_find(const char *root, char *path)
{
	if (root)
		return waves_build(root, WAVES_TARGET, "bin/faa-vdev", path);
	run_error(
		"waveforms need a device that is built with tracing, which is not part of an "
		"installation: build it in a checkout with 'make build && ninja -C build %s', and "
		"let FAA_VDEV name it, or run build/bin/faa-run",
		WAVES_TARGET);
	return -1;
}

int run_waves_prepare(const struct run_options *options)
{
	char path[PATH_MAX];

	for (unsigned int i = 0; options->waves.file && i < options->devices; i++) {
		waves_name(options, i, path);
		if (run_check_output("waveform", path))
			return -1;
	}
	return 0;
}

void run_waves_args(const struct run_options *options, unsigned int index,
		    struct run_waves_args *args)
{
	const struct waves_option *waves = &options->waves;
	char path[PATH_MAX];

	memset(args, 0, sizeof(*args));
	if (!waves->file)
		return;
	waves_name(options, index, path);
	snprintf(args->file, sizeof(args->file), "--trace-file=%s", path);
	if (waves->to) {
		snprintf(args->from, sizeof(args->from), "--trace-from=%llu",
			 (unsigned long long)waves->from);
		snprintf(args->to, sizeof(args->to), "--trace-to=%llu",
			 (unsigned long long)waves->to);
	} else {
		snprintf(args->cycles, sizeof(args->cycles), "--trace-cycles=%u", waves->cycles);
	}
}

/* First and last cycle of a waveform, from the header of the FST format; false if it is not FST. */
static bool waves_cycles(const char *path, uint64_t *first, uint64_t *last)
{
	uint8_t header[25];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && read(fd, header, sizeof(header)) == sizeof(header) && !header[0];

	if (fd >= 0)
		close(fd);
	*first = *last = 0;
	for (int i = 0; ok && i < 8; i++) {
		*first = *first << 8 | header[9 + i];
		*last = *last << 8 | header[17 + i];
	}
	*first /= WAVES_CYCLE_NS;
	*last /= WAVES_CYCLE_NS;
	return ok;
}

/* The last line of faa-vdev about its waveform; false if there is none. */
static bool waves_reason(const struct run_files *files, char *reason, size_t size)
{
	static const char name[] = "faa-vdev: ";
	FILE *log = fopen(files->log, "re");
	char line[1024];

	*reason = 0;
	while (log && fgets(line, sizeof(line), log)) {
		line[strcspn(line, "\r\n")] = 0;
		if (strncmp(line, name, sizeof(name) - 1) == 0 && strstr(line, "waveform"))
			snprintf(reason, size, "%s", line + sizeof(name) - 1);
	}
	if (log)
		fclose(log);
	return *reason;
}

static void waves_report(const struct run_options *options, const struct run_files *files,
			 unsigned int index)
{
	char path[PATH_MAX], reason[1024];
	uint64_t first, last;

	waves_name(options, index, path);
	if (waves_cycles(path, &first, &last))
		run_error(
			"waveform of the cycles %llu to %llu: %s; 'gtkwave %.*s.gtkw' shows it by "
			"the rooms of the device",
			(unsigned long long)first, (unsigned long long)last, path,
			(int)(strrchr(path, '.') - path), path);
	else if (!options->waves.on_failure)
		run_error("%s was not written: %s", path,
			  waves_reason(files, reason, sizeof(reason)) ?
				  reason :
				  "faa-vdev has ended without it; --log=FILE keeps its messages");
}

void run_waves_end(struct run_machine *machine, const struct run_files *files,
		   const struct run_options *options, int result)
{
	bool wanted = !options->waves.on_failure || result;

	for (unsigned int i = 0; i < machine->devices; i++) {
		if (machine->vdev[i] <= 0)
			continue;
		/* faa-vdev takes the signal of the lower number, SIGUSR2, first. */
		if (wanted)
			kill(machine->vdev[i], SIGUSR2);
		kill(machine->vdev[i], SIGTERM);
	}
	run_stop_devices(machine, true);
	for (unsigned int i = 0; i < machine->devices; i++)
		waves_report(options, files, i);
}
