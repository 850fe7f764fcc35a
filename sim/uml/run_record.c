// SPDX-License-Identifier: Apache-2.0
/*
 * A record is a text file with a line for each item, its kind first. In texts, bytes that are not
 * printable and '%' are written as %XX.
 */
#include "run_seed.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD_HEAD "faa-run record 1"
/* Standard input of a pipe is kept up to this size. */
#define RECORD_INPUT 4096
#define RECORD_LINES 4096

extern char **environ;

/* The lines of run_record_load(), or NULL. */
static char **record_loaded;

/* Values of 'output': whether the program has one pipe for standard output and error. */
#define RECORD_TOGETHER "together"
#define RECORD_APART	"apart"

/* Options that do not change the run. They and the values that follow some of them are left out. */
static const char *const record_left_out[] = { "--record", "--log", "--pids", "--trace", NULL };

/* FNV-1a of a file; 0 if it cannot be read. */
static uint64_t record_hash(const char *path)
{
	uint64_t hash = 0xcbf29ce484222325u;
	unsigned char data[65536];
	FILE *file = fopen(path, "re");
	size_t n;

	if (!file)
		return 0;
	while ((n = fread(data, 1, sizeof(data), file)) > 0)
		for (size_t i = 0; i < n; i++)
			hash = (hash ^ data[i]) * 0x100000001b3u;
	fclose(file);
	return hash;
}

static void record_put_escaped(FILE *file, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte > ' ' - 1 && byte < 127 && byte != '%')
			fputc(byte, file);
		else
			fprintf(file, "%%%02x", byte);
	}
	fputc('\n', file);
}

static void record_put(FILE *file, const char *kind, const char *text, size_t length)
{
	fprintf(file, "%s ", kind);
	record_put_escaped(file, text, length);
}

static void record_put_text(FILE *file, const char *kind, const char *text)
{
	record_put(file, kind, text, strlen(text));
}

/* Undoes record_put() in place. Return: the length. */
static size_t record_decode(char *text)
{
	char *to = text;

	for (char *from = text; *from; from++) {
		unsigned int byte;

		if (*from == '%' && sscanf(from + 1, "%2x", &byte) == 1) {
			*to++ = (char)byte;
			from += 2;
		} else {
			*to++ = *from;
		}
	}
	*to = 0;
	return (size_t)(to - text);
}

static void record_put_file(FILE *file, const char *path)
{
	fprintf(file, "file %016" PRIx64 " ", record_hash(path));
	record_put_escaped(file, path, strlen(path));
}

/* Everything that the run depends on, apart from the files that the program reads. */
static void record_put_files(FILE *file, const struct run_options *options,
			     const struct run_files *files)
{
	char path[sizeof(files->kernel) + sizeof("/linux")], program[PATH_MAX];

	snprintf(path, sizeof(path), "%s/linux", files->kernel);
	record_put_file(file, path);
	record_put_file(file, files->init);
	if (options->driver)
		record_put_file(file, files->module);
	if (options->devices)
		record_put_file(file, files->vdev);
	if (run_find_program(options->program[0], program))
		record_put_file(file, program);
}

static void record_put_input(FILE *file, const struct run_files *files)
{
	char path[128], data[RECORD_INPUT], link[4096];
	ssize_t n;
	FILE *input;

	snprintf(path, sizeof(path), "%s/input", files->dir);
	input = fopen(path, "re");
	if (input) {
		size_t length = fread(data, 1, sizeof(data), input);

		record_put(file, "input", data, length);
		if (fgetc(input) != EOF)
			run_error("the record has only the first %d bytes of standard input",
				  RECORD_INPUT);
		fclose(input);
		return;
	}
	n = readlink("/proc/self/fd/0", link, sizeof(link) - 1);
	link[n > 0 ? n : 0] = 0;
	fprintf(file, "input-file %lld ", (long long)lseek(0, 0, SEEK_CUR));
	record_put_escaped(file, link, strlen(link));
	if (strcmp(link, "/dev/null"))
		record_put_file(file, link);
}

static void record_put_arguments(FILE *file, char **arguments)
{
	for (; *arguments; arguments++) {
		bool keep = true;

		for (const char *const *name = record_left_out; *name; name++) {
			size_t length = strlen(*name);

			if (strncmp(*arguments, *name, length))
				continue;
			if ((*arguments)[length] == '=')
				keep = false;
			else if (!(*arguments)[length] && arguments[1])
				keep = (arguments++, false);
		}
		if (keep)
			record_put_text(file, "argument", *arguments);
	}
}

/* The digest of faa-vdev's events, and of the kernel log. */
static void record_put_run(FILE *file, const struct run_files *files, int result)
{
	char path[128], line[512];
	FILE *events;

	snprintf(path, sizeof(path), "%s/events", files->dir);
	events = fopen(path, "re");
	while (events && fgets(line, sizeof(line), events))
		fputs(line, file);
	if (events)
		fclose(events);
	fprintf(file, "log %016" PRIx64 "\nresult %d\n", record_hash(files->log), result);
}

int run_record_write(const struct run_options *options, const struct run_files *files,
		     const char *stdio, int result)
{
	FILE *file = fopen(options->record, "we");
	char *cwd = getcwd(NULL, 0);
	mode_t mask = umask(0);

	umask(mask);
	if (file) {
		fprintf(file, RECORD_HEAD "\nversion " FAA_VERSION_TEXT "\n");
		record_put_text(file, "directory", cwd ? cwd : "/");
		fprintf(file, "mask %o\n", (unsigned int)mask);
		record_put_text(file, "output", stdio[2] == '1' ? RECORD_TOGETHER : RECORD_APART);
		for (char **env = environ; *env; env++)
			if (run_seed_passes_variable(*env) && strncmp(*env, "FAA_RUN_OPTS=", 13))
				record_put_text(file, "variable", *env);
		record_put_arguments(file, options->arguments);
		record_put_files(file, options, files);
		record_put_input(file, files);
		record_put_run(file, files, result);
	}
	free(cwd);
	if (!file || ferror(file) | fclose(file)) {
		run_error("cannot write the record %s: %s", options->record, strerror(errno));
		return -1;
	}
	return 0;
}

/* The lines of a record, without their ends; NULL after run_error(). Never freed. */
static char **record_read(const char *path)
{
	FILE *file = fopen(path, "re");
	char **lines = calloc(RECORD_LINES + 1, sizeof(char *));
	size_t size = 0, count = 0;

	while (file && lines && count < RECORD_LINES && getline(&lines[count], &size, file) > 0) {
		lines[count][strcspn(lines[count], "\n")] = 0;
		count++;
		size = 0;
	}
	if (lines)
		lines[count] = NULL;
	if (!file)
		run_error("cannot read the record %s: %s", path, strerror(errno));
	else if (!lines || !count || strcmp(lines[0], RECORD_HEAD))
		run_error("%s is no record of faa-run: its first line is not '" RECORD_HEAD "'",
			  path);
	else
		return fclose(file), lines;
	if (file)
		fclose(file);
	return NULL;
}

/* The rest of @line after "@kind ", or NULL if it is of another kind. */
static char *record_item(char *line, const char *kind)
{
	size_t length = strlen(kind);

	return strncmp(line, kind, length) || line[length] != ' ' ? NULL : line + length + 1;
}

/* Opens standard input as recorded: a file from an offset, or a copy of the data. */
static bool record_open_input(char *line)
{
	char *text = record_item(line, "input-file");
	size_t length;
	int fd, ends[2];

	if (text) {
		record_decode(text);
		fd = open(strchr(text, ' ') ? strchr(text, ' ') + 1 : "", O_RDONLY | O_CLOEXEC);
		if (fd < 0 || lseek(fd, strtoll(text, NULL, 10), SEEK_SET) < 0)
			return false;
		dup2(fd, 0);
		return true;
	}
	text = record_item(line, "input");
	if (!text)
		return true;
	length = record_decode(text);
	if (pipe2(ends, O_CLOEXEC) || write(ends[1], text, length) != (ssize_t)length)
		return false;
	dup2(ends[0], 0);
	close(ends[1]);
	return true;
}

static void record_clear_variables(void)
{
	for (char **env = environ; *env;) {
		char *name = run_seed_passes_variable(*env) ? strndup(*env, strcspn(*env, "=")) :
							      NULL;

		if (!name || unsetenv(name))
			env++;
		free(name);
	}
}

/* Whether a file of the run has changed since; the run may still be the same. */
static void record_check_file(char *text)
{
	uint64_t hash = strtoull(text, NULL, 16);
	const char *path;

	record_decode(text);
	path = strchr(text, ' ') ? strchr(text, ' ') + 1 : text;
	if (record_hash(path) != hash)
		run_error("%s is not the file of the recorded run", path);
}

static bool record_apply(char *line, char **arguments, int *argc)
{
	char *text;

	if ((text = record_item(line, "argument"))) {
		record_decode(text);
		arguments[(*argc)++] = text;
	} else if ((text = record_item(line, "variable"))) {
		record_decode(text);
		putenv(text);
	} else if ((text = record_item(line, "directory"))) {
		record_decode(text);
		return chdir(text) == 0;
	} else if ((text = record_item(line, "mask"))) {
		umask((mode_t)strtoul(text, NULL, 8));
	} else if ((text = record_item(line, "file"))) {
		record_check_file(text);
	} else if ((text = record_item(line, "version"))) {
		if (strcmp(text, FAA_VERSION_TEXT))
			run_error("the record is of version %s, this is " FAA_VERSION_TEXT, text);
	} else {
		return record_open_input(line);
	}
	return true;
}

char **run_record_load(const char *path, int *argc)
{
	char **lines = record_read(path), **arguments = calloc(RECORD_LINES + 1, sizeof(char *));

	if (!lines || !arguments)
		return NULL;
	record_loaded = lines;
	record_clear_variables();
	for (char **line = lines; *line; line++) {
		if (record_apply(*line, arguments, argc))
			continue;
		run_error("cannot repeat the run of %s, '%s': %s", path, *line, strerror(errno));
		return NULL;
	}
	return arguments;
}

void run_record_choose_stdio(char *stdio)
{
	for (char **line = record_loaded; line && *line; line++) {
		const char *output = record_item(*line, "output");

		if (output)
			stdio[2] = strcmp(output, RECORD_TOGETHER) == 0 ? '1' : 'p';
	}
}

/* The line of @lines with checkpoint @number, or NULL. */
static const char *record_checkpoint(char **lines, unsigned long long number)
{
	unsigned long long found;

	for (; *lines; lines++)
		if (sscanf(*lines, "at %llu ", &found) == 1 && found == number)
			return *lines;
	return NULL;
}

/* A checkpoint without its digest: "event NUMBER at TIME ns, ...". */
static const char *record_describe(const char *line, char *text, size_t size)
{
	unsigned long long number;
	int rest = 0;

	if (sscanf(line, "at %llu %*x %n", &number, &rest) != 1 || !rest)
		return line;
	snprintf(text, size, "event %llu at %s", number, line + rest);
	return text;
}

/* Reports the first checkpoint that differs. */
static void record_report_events(char **was, char **is)
{
	const char *same = NULL;
	char before[512], then[512], now[512];
	unsigned long long number;

	for (; *was; was++) {
		const char *line = sscanf(*was, "at %llu ", &number) == 1 ?
					   record_checkpoint(is, number) :
					   NULL;

		if (!line)
			continue;
		if (strcmp(line, *was)) {
			run_error("the run differs from the record after %s, and before\n"
				  "  recorded: %s\n  now:      %s",
				  same ? record_describe(same, before, sizeof(before)) :
					 "its start",
				  record_describe(*was, then, sizeof(then)),
				  record_describe(line, now, sizeof(now)));
			return;
		}
		same = line;
	}
	run_error("the run differs from the record after %s",
		  same ? record_describe(same, before, sizeof(before)) : "its start");
}

static const char *record_find(char **lines, const char *kind)
{
	for (; *lines; lines++)
		if (record_item(*lines, kind))
			return *lines;
	return "";
}

/* The results of this run, written to a file as in a record and read again. */
static char **record_results(const struct run_files *files, int result)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/record", files->dir);
	file = fopen(path, "we");
	if (!file)
		return NULL;
	fprintf(file, RECORD_HEAD "\n");
	record_put_run(file, files, result);
	fclose(file);
	return record_read(path);
}

bool run_record_compare(const struct run_files *files, int result)
{
	char **was = record_loaded, **is = record_results(files, result);

	if (!was || !is)
		return false;
	if (strcmp(record_find(was, "events"), record_find(is, "events"))) {
		record_report_events(was, is);
		return false;
	}
	if (strcmp(record_find(was, "log"), record_find(is, "log"))) {
		run_error("the run has the events of the record, but another kernel log");
		return false;
	}
	if (strcmp(record_find(was, "result"), record_find(is, "result"))) {
		run_error("the run has the events of the record, but another %s",
			  record_find(is, "result"));
		return false;
	}
	return true;
}
