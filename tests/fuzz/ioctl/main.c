// SPDX-License-Identifier: MIT
/* The fuzzer's loop: derive a program, run it, keep it if it reaches new code. */
#include "fuzz.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "faa_test.h"
#include "tool.h"

/* Seconds after which a program counts as stuck: far more than the limit of a job. */
#define MAIN_STUCK 120
/* Programs from one check of the device to the next. */
#define MAIN_CHECK 128
/* Seconds from one line of progress, with what is done at this occasion, to the next. */
#define MAIN_PERIOD 60

/* SIGTERM or SIGINT has arrived: the run ends after the program that runs. */
static volatile sig_atomic_t main_ends;
/*
 * These signals, which wait for the end of a program: an operation of the kernel that a program
 * lets fail could be one that delivers the signal, which would kill the process.
 */
static sigset_t main_end_signals;

static struct {
	uint64_t seed, programs, seconds;
	const char *corpus, *save, *share, *current, *coverage;
	bool replay, blind;
	int current_fd, taint_fd;
	unsigned long taint;
} fuzz = { .seed = 1, .programs = UINT64_MAX, .seconds = UINT64_MAX, .current_fd = -1 };

enum option_key { KEY_CURRENT = 256, KEY_SAVE, KEY_SHARE, KEY_COVERAGE };

static const struct argp_option option_list[] = {
	{ "seed", 's', "N", 0, "seed of all random choices (default 1)", 0 },
	{ "programs", 'n', "N", 0, "end after N programs", 0 },
	{ "seconds", 't', "N", 0, "end after N seconds", 0 },
	{ "corpus", 'c', "FILE", 0, "programs to begin with", 0 },
	{ "save", KEY_SAVE, "FILE", 0,
	  "write the programs that reach code of their own to FILE, at the end and every minute",
	  0 },
	{ "share", KEY_SHARE, "DIR", 0,
	  "give new programs to others that have the same DIR and another seed, and take theirs every minute",
	  0 },
	{ "current", KEY_CURRENT, "FILE", 0,
	  "write each program to FILE before it is run: after a crash of the kernel, the one that caused it",
	  0 },
	{ "blind", 'b', 0, 0, "without coverage, in a kernel without KCOV: keeps no programs", 0 },
	{ "coverage", KEY_COVERAGE, "FILE", 0,
	  "write the places in the kernel that were reached to FILE at the end, for coverage.py",
	  0 },
	{ "replay", 'r', 0, 0, "only run the programs of the corpus, and print their calls", 0 },
	{ 0 },
};

static error_t main_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 's':
		fuzz.seed = tool_number("seed", arg, 0, UINT64_MAX);
		return 0;
	case 'n':
		fuzz.programs = tool_number("programs", arg, 0, UINT64_MAX);
		return 0;
	case 't':
		fuzz.seconds = tool_number("seconds", arg, 0, UINT64_MAX);
		return 0;
	case 'c':
		fuzz.corpus = arg;
		return 0;
	case KEY_SAVE:
		fuzz.save = arg;
		return 0;
	case KEY_SHARE:
		fuzz.share = arg;
		return 0;
	case KEY_COVERAGE:
		fuzz.coverage = arg;
		return 0;
	case KEY_CURRENT:
		fuzz.current = arg;
		return 0;
	case 'b':
		fuzz.blind = true;
		return 0;
	case 'r':
		fuzz.replay = true;
		return 0;
	case ARGP_KEY_END:
		if (fuzz.replay && !fuzz.corpus)
			argp_error(state, "--replay needs --corpus=FILE");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static void main_fail(const char *what, int error)
{
	fprintf(stderr, "faa-ioctl-fuzz: %s: %s\n", what, strerror(-error));
	exit(1);
}

/* Bits that the kernel sets at a warning, an oops, a report of KASAN or lockdep ... */
static unsigned long main_taint(void)
{
	char text[32] = "";

	if (pread(fuzz.taint_fd, text, sizeof(text) - 1, 0) <= 0)
		main_fail("/proc/sys/kernel/tainted", -errno);
	return strtoul(text, NULL, 10);
}

static void main_write_current(const struct fuzz_program *program)
{
	char text[2 * sizeof(program->blocks) + FUZZ_BLOCKS + 2];
	FILE *out = fmemopen(text, sizeof(text), "w");
	size_t size = (2 * FUZZ_BLOCK + 1) * program->count + 1;

	if (!out)
		main_fail("fmemopen", -ENOMEM);
	fuzz_program_write(program, out);
	fclose(out);
	if (pwrite(fuzz.current_fd, text, size, 0) != (ssize_t)size ||
	    ftruncate(fuzz.current_fd, size))
		main_fail(fuzz.current, -errno);
}

static void main_end(int signal)
{
	(void)signal;
	main_ends = 1;
}

/* Not in main_stuck(): a signal handler may only call few functions. */
static const char stuck_text[] = "faa-ioctl-fuzz: a program does not end; --current has it\n";

static void main_stuck(int signal)
{
	(void)signal;
	if (write(STDERR_FILENO, stuck_text, sizeof(stuck_text) - 1) < 0)
		_exit(2);
	_exit(1);
}

/* Runs a program; returns how many edges are new. */
static unsigned int main_run(const struct fuzz_program *program, FILE *out)
{
	unsigned int added, i;
	int ret;

	if (fuzz.current_fd >= 0)
		main_write_current(program);
	sigprocmask(SIG_BLOCK, &main_end_signals, NULL);
	alarm(MAIN_STUCK);
	fuzz_kcov_start();
	ret = fuzz_state_open();
	for (i = 0; !ret && i < program->count && fuzz_fd() >= 0; i++)
		fuzz_call(program->blocks[i], out);
	fuzz_call_end();
	fuzz_state_close();
	fuzz_call_close();
	added = fuzz_kcov_stop();
	alarm(0);
	sigprocmask(SIG_UNBLOCK, &main_end_signals, NULL);
	if (ret)
		main_fail("a program cannot begin: the device does not work after the one before",
			  ret);
	if (main_taint() != fuzz.taint) {
		fprintf(stderr,
			"faa-ioctl-fuzz: the kernel has complained: see its log. The program:\n");
		fuzz_program_write(program, stderr);
		exit(1);
	}
	return added;
}

/* A job of a new client ends. */
static void main_check_device(void)
{
	struct client client;
	int ret = client_open(&client, 1024);

	if (!ret) {
		put_end(&client);
		ret = client_run(&client, NULL);
	}
	if (!ret)
		ret = client_close(&client);
	if (ret)
		main_fail("the device does not work any more", ret);
}

static int main_by_length(const void *a, const void *b)
{
	const struct fuzz_program *left = a, *right = b;

	return (int)left->count - (int)right->count;
}

/* Runs the programs from @first on, the shorter ones first, and keeps those that reach new code. */
static void main_try(unsigned int first)
{
	unsigned int count = fuzz_corpus_count() - first, i;
	struct fuzz_program *programs = calloc(count + 1, sizeof(*programs));

	if (!programs)
		main_fail("corpus", -ENOMEM);
	for (i = 0; i < count; i++)
		programs[i] = *fuzz_corpus_get(first + i);
	qsort(programs, count, sizeof(*programs), main_by_length);
	fuzz_corpus_cut(first);
	for (i = 0; i < count && !main_ends; i++)
		if (main_run(&programs[i], NULL) || fuzz.blind)
			fuzz_corpus_add(&programs[i]);
	/* The end of the run loses no program. */
	for (; i < count; i++)
		fuzz_corpus_add(&programs[i]);
	free(programs);
}

static void main_begin(void)
{
	unsigned int count = fuzz_corpus_count();

	main_try(0);
	printf("%u programs of the corpus, %u kept: %u edges, %u places\n", count,
	       fuzz_corpus_count(), fuzz_kcov_known(), fuzz_kcov_places());
	fflush(stdout);
}

static void main_replay(void)
{
	unsigned int i;

	for (i = 0; i < fuzz_corpus_count() && !main_ends; i++) {
		printf("# program %u\n", i + 1);
		main_run(fuzz_corpus_get(i), stdout);
	}
}

static double main_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

static void main_save(void)
{
	int ret = fuzz.save ? fuzz_corpus_save(fuzz.save, 0) : 0;

	if (ret)
		main_fail(fuzz.save, ret);
}

/* At once: what is found before a crash is not lost. */
static void main_keep(const struct fuzz_program *program)
{
	unsigned int first = fuzz_corpus_count();
	int ret;

	fuzz_corpus_add(program);
	ret = fuzz_share_give(first);
	if (ret)
		main_fail(fuzz.share, ret);
}

static void main_take(void)
{
	unsigned int count = fuzz_corpus_count(), taken;
	int ret = fuzz_share_take();

	if (ret)
		main_fail(fuzz.share, ret);
	taken = fuzz_corpus_count() - count;
	if (!taken)
		return;
	main_try(count);
	printf("%u programs of others, %u kept\n", taken, fuzz_corpus_count() - count);
	fflush(stdout);
}

static void main_progress(uint64_t done, double seconds)
{
	printf("%llu programs, %.0f a second, %u kept: %u edges, %u places\n",
	       (unsigned long long)done, seconds > 0 ? (double)done / seconds : 0,
	       fuzz_corpus_count(), fuzz_kcov_known(), fuzz_kcov_places());
	fflush(stdout);
}

static void main_loop(void)
{
	double start = main_seconds(), last = start, now = start;
	struct fuzz_program program;
	uint64_t random = fuzz.seed, done;

	main_take();
	for (done = 0; done < fuzz.programs && now - start < (double)fuzz.seconds && !main_ends;
	     done++) {
		fuzz_mutate(&random, &program);
		if (main_run(&program, NULL))
			main_keep(&program);
		if (done % MAIN_CHECK == 0)
			main_check_device();
		now = main_seconds();
		if (now - last < MAIN_PERIOD)
			continue;
		last = now;
		main_progress(done + 1, now - start);
		main_take();
		main_save();
	}
	main_check_device();
	main_save();
	main_progress(done, now - start);
}

static void main_open_files(void)
{
	int ret = fuzz.blind ? 0 : fuzz_kcov_open();

	if (ret)
		main_fail("/sys/kernel/debug/kcov, which the debug kernel of faa-run has", ret);
	ret = fuzz_call_open();
	if (ret)
		main_fail("fault injection of the kernel", ret);
	fuzz.taint_fd = open("/proc/sys/kernel/tainted", O_RDONLY | O_CLOEXEC);
	fuzz.taint = main_taint();
	if (!fuzz.current)
		return;
	fuzz.current_fd = open(fuzz.current, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fuzz.current_fd < 0)
		main_fail(fuzz.current, -errno);
}

static void main_take_end_signals(void)
{
	sigemptyset(&main_end_signals);
	sigaddset(&main_end_signals, SIGTERM);
	sigaddset(&main_end_signals, SIGINT);
	signal(SIGTERM, main_end);
	signal(SIGINT, main_end);
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		option_list,
		main_option,
		0,
		"Run random programs of ioctls and system calls on the driver, in a kernel with KCOV (faa-run --kernel=debug).\v"
		"Exit status: 1 if the kernel complains, the device stops working or a program does not end. SIGTERM and SIGINT (Ctrl-C) end the run after the current program.",
		NULL,
		NULL,
		NULL
	};

	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	signal(SIGALRM, main_stuck);
	main_take_end_signals();
	if (fuzz.corpus)
		fuzz_corpus_load(fuzz.corpus);
	if (fuzz.share)
		fuzz_share_open(fuzz.share, fuzz.seed);
	main_open_files();
	if (fuzz.replay) {
		main_replay();
	} else {
		main_begin();
		main_loop();
	}
	ret = fuzz.coverage ? fuzz_kcov_save(fuzz.coverage) : 0;
	if (ret)
		main_fail(fuzz.coverage, ret);
	return 0;
}
