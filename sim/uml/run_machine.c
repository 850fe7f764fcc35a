// SPDX-License-Identifier: Apache-2.0
#include "run.h"
#include "run_qemu.h"
#include "run_seed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define VIRTIO_DEVICE_ID 1234
/*
 * Reads of verilated registers may be slow on a busy machine; the kernel's default limit is 40 ms.
 */
#define MMIO_PATIENCE_US 10000000
#define VDEV_START_MS	 20000
#define MAX_ARGS	 128
#define HIGH_FD		 200
/* MSI-X vectors of a guest, and those that a device has uses for. */
#define GUEST_VECTORS  32
#define DEVICE_VECTORS 16

struct args {
	const char *item[MAX_ARGS];
	unsigned int count;
};

static void machine_add(struct args *args, const char *item)
{
	if (args->count < MAX_ARGS - 1)
		args->item[args->count++] = item;
}

static void machine_add_set(struct args *args, const char *item)
{
	if (item[0])
		machine_add(args, item);
}

static void machine_sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

/* A session of its own, so that Ctrl-C does not reach it. */
static void machine_leave_terminal(const char *log)
{
	int out = open(log, O_WRONLY | O_APPEND), in = open("/dev/null", O_RDONLY);

	setsid();
	dup2(in, 0);
	dup2(out, 1);
	dup2(out, 2);
	close(in);
	close(out);
}

/*
 * In the child, which is killed when faa-run ends in any way. Without @log it is a debugger, at the
 * terminal.
 */
static void machine_become(const struct args *args, const char *log, const char *seed_dir,
			   pid_t parent)
{
	sigset_t none;

	if (log)
		machine_leave_terminal(log);
	else
		run_gdb_become();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (seed_dir && run_seed_become(seed_dir)) {
		dprintf(2, "faa-run: --seed: addresses cannot be fixed (personality): %s\n",
			strerror(errno));
		_exit(EXIT_FAILURE);
	}
	execvp(args->item[0], (char *const *)args->item);
	dprintf(2, "faa-run: cannot run %s: %s\n", args->item[0], strerror(errno));
	_exit(EXIT_FAILURE);
}

/* @variable: "NAME=VALUE" for the environment, or NULL. */
static pid_t machine_spawn(const struct args *args, const char *log, char *variable,
			   const char *seed_dir)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		if (variable)
			putenv(variable);
		machine_become(args, log, seed_dir, parent);
	}
	if (pid < 0)
		run_error("cannot start %s: %s", args->item[0], strerror(errno));
	return pid;
}

/* "faa-vdev", or "faa-vdev 1 of 2". */
static void machine_vdev_name(const struct run_machine *machine, const struct run_options *options,
			      unsigned int number, char *text, size_t size)
{
	const char *name = run_device_name(options);

	if (machine->devices == 1)
		snprintf(text, size, "%s", name);
	else
		snprintf(text, size, "%s %u of %u", name, number, machine->devices);
}

/* Arguments of faa-vdev in slot @index; text that they refer to is in @text. */
struct vdev_text {
	char engine[32], vectors[32], seed[RUN_SEED_ARGS][256];
	struct run_waves_args waves;
	struct run_trace_args trace;
};

static void machine_add_vdev(struct args *args, const struct run_files *files,
			     const struct run_options *options, unsigned int index,
			     struct vdev_text *text)
{
	snprintf(text->engine, sizeof(text->engine), "--engine=%s", options->engine);
	machine_add(args, text->engine);
	snprintf(text->vectors, sizeof(text->vectors), "--vectors=%u",
		 GUEST_VECTORS / options->devices);
	if (options->devices * DEVICE_VECTORS > GUEST_VECTORS)
		machine_add(args, text->vectors);
	args->count += run_seed_vdev_args(options, files, text->seed, args->item + args->count);
	run_waves_args(options, index, &text->waves);
	if (options->waves.file) {
		/* The waveform is written when the guest has gone. */
		machine_add(args, "--keep");
		machine_add(args, text->waves.file);
	}
	machine_add_set(args, text->waves.cycles);
	machine_add_set(args, text->waves.from);
	machine_add_set(args, text->waves.to);
	run_trace_args(options, files, index, &text->trace);
	machine_add_set(args, text->trace.record);
	machine_add_set(args, text->trace.events);
	machine_add_set(args, text->trace.units);
}

/* Starts the device of slot @index, and waits for its socket. */
static int machine_start_vdev(struct run_machine *machine, const struct run_files *files,
			      const struct run_options *options, unsigned int index)
{
	char qtest[RUN_QEMU_TEXT];
	struct args args = { 0 };
	struct vdev_text text;
	char path[160], name[300];

	machine_vdev_name(machine, options, index + 1, name, sizeof(name));
	machine_add(&args, files->vdev);
	snprintf(path, sizeof(path), "--socket=%s", files->sockets[index]);
	machine_add(&args, path);
	if (!options->device)
		machine_add_vdev(&args, files, options, index, &text);
	run_qemu_vdev_arg(options, files, qtest);
	machine_add_set(&args, qtest);
	for (unsigned int i = 0; i < options->vdev_args.count; i++)
		machine_add(&args, options->vdev_args.item[i]);
	machine->vdev[index] = machine_spawn(&args, files->log, NULL, NULL);
	if (machine->vdev[index] < 0)
		return -1;
	for (int waited = 0; waited < VDEV_START_MS; waited += 5) {
		run_reap(machine);
		if (machine->ended) {
			run_error("%s ended before it offered a device", name);
			return -1;
		}
		if (access(files->sockets[index], F_OK) == 0)
			return 0;
		machine_sleep_ms(5);
	}
	run_error("%s has offered no device at its --socket for %d s", name, VDEV_START_MS / 1000);
	return -1;
}

/* The network of --guests: frames on a descriptor, which the kernel inherits. */
static void machine_add_network(struct args *args, const struct run_options *options, char *text,
				size_t size)
{
	if (options->network < 0)
		return;
	snprintf(text, size, "vec0:transport=fd,fd=%d,mac=02:fa:a0:00:00:%02x", options->network,
		 options->guest);
	machine_add(args, text);
	fcntl(options->network, F_SETFD, 0);
}

/*
 * The guest's memory is a file in $TMPDIR: in /dev/shm unless that is too small (as in containers).
 */
static const char *machine_memory_dir(const struct run_files *files, const char *mem)
{
	unsigned long long need = strtoull(mem, NULL, 10) << (strchr(mem, 'G') ? 30 : 20);
	struct statvfs fs;

	if (statvfs("/dev/shm", &fs) == 0 && (unsigned long long)fs.f_bavail * fs.f_frsize > need)
		return "/dev/shm";
	return files->dir;
}

/* The number is in the kernel's arguments; it must not depend on the caller's open files. */
static void machine_fix_number(int *fd)
{
	int high = fcntl(*fd, F_DUPFD, HIGH_FD);

	if (high < 0)
		return;
	close(*fd);
	*fd = high;
}

/* Name of a file of the run, whose directory with a seed is the kernel's working directory. */
static const char *machine_name(const struct run_options *options, const char *path)
{
	return options->seed ? strrchr(path, '/') + 1 : path;
}

/* The line to faa-init: @machine keeps its end, the kernel inherits @pair[1]. */
static int machine_make_line(struct run_machine *machine, int *pair)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
		run_error("cannot make a socket pair: %s", strerror(errno));
		return -1;
	}
	machine->line = pair[0];
	fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	fcntl(pair[0], F_SETFL, O_NONBLOCK);
	return 0;
}

static int machine_start_qemu(struct run_machine *machine, const struct run_files *files,
			      const struct run_options *options)
{
	static struct run_qemu_args qemu;
	struct args args = { 0 };
	char *preload;
	int pair[2];

	if (machine_make_line(machine, pair) || run_qemu_build_args(options, files, pair[1], &qemu))
		return -1;
	for (unsigned int i = 0; i < qemu.count; i++)
		machine_add(&args, qemu.item[i]);
	preload = run_qemu_preload(files);
	machine->kernel = machine_spawn(&args, files->log, preload, NULL);
	free(preload);
	close(pair[1]);
	if (qemu.device >= 0)
		close(qemu.device);
	return machine->kernel < 0 ? -1 : 0;
}

static int machine_start_kernel(struct run_machine *machine, const struct run_files *files,
				const struct run_options *options)
{
	char linux_path[4200], mem[32], uml_dir[96], init[4200], serial[32], delay[64], later[64];
	char device[RUN_MAX_DEVICES][200], seed[RUN_SEED_ARGS][256];
	char network[80], memory[160];
	int pair[2];
	struct args args = { 0 };

	if (options->gdb && run_gdb_args(files, options, args.item))
		return -1;
	args.count = options->gdb ? RUN_GDB_WORDS : 0;
	if (machine_make_line(machine, pair))
		return -1;
	if (options->seed)
		machine_fix_number(&pair[1]);
	snprintf(linux_path, sizeof(linux_path), "%s/linux", files->kernel);
	snprintf(mem, sizeof(mem), "mem=%s", options->mem);
	snprintf(uml_dir, sizeof(uml_dir), "uml_dir=%s/", options->seed ? "." : files->dir);
	snprintf(init, sizeof(init), "init=%s", files->init);
	snprintf(serial, sizeof(serial), "ssl0=fd:%d", pair[1]);
	snprintf(delay, sizeof(delay), "virt_pci.max_delay_us=%d", MMIO_PATIENCE_US);
	machine_add(&args, linux_path);
	machine_add(&args, mem);
	machine_add(&args, uml_dir);
	machine_add(&args, "umid=kernel");
	/* The log goes to stderr first, then to console 0, which is output only. */
	machine_add(&args, "stderr=1");
	machine_add(&args, "con=null");
	machine_add(&args, "con0=null,fd:2");
	machine_add(&args, "ssl=null");
	machine_add(&args, serial);
	machine_add(&args, "root=/dev/root");
	machine_add(&args, "rootfstype=hostfs");
	machine_add(&args, "rootflags=/");
	machine_add(&args, "rw");
	machine_add(&args, init);
	for (unsigned int i = 0; i < options->devices; i++) {
		/* Without a number for each, the kernel would give all of them the same one. */
		snprintf(device[i], sizeof(device[i]), "virtio_uml.device=%s:%d:%u",
			 machine_name(options, files->sockets[i]), VIRTIO_DEVICE_ID, i);
		machine_add(&args, device[i]);
	}
	if (options->devices)
		machine_add(&args, delay);
	/* The name of the limit in later kernels. */
	snprintf(later, sizeof(later), "virtio_pcidev.max_delay_us=%d", MMIO_PATIENCE_US);
	if (options->devices && options->kernel_tree)
		machine_add(&args, later);
	machine_add_network(&args, options, network, sizeof(network));
	if (options->kunit)
		machine_add(&args, "kunit.enable=1");
	args.count += run_seed_kernel_args(options, seed, args.item + args.count);
	for (unsigned int i = 0; i < options->kernel_args.count; i++)
		machine_add(&args, options->kernel_args.item[i]);
	machine_add(&args, "--");
	machine_add(&args, machine_name(options, files->job));
	snprintf(memory, sizeof(memory), "TMPDIR=%s", machine_memory_dir(files, options->mem));
	machine->kernel = machine_spawn(&args, options->gdb ? NULL : files->log, memory,
					options->seed ? files->dir : NULL);
	close(pair[1]);
	if (options->network >= 0)
		close(options->network);
	return machine->kernel < 0 ? -1 : 0;
}

static int machine_write_pids(const struct run_machine *machine, const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file) {
		run_error("cannot write %s: %s", path, strerror(errno));
		return -1;
	}
	for (unsigned int i = 0; i < machine->devices; i++)
		fprintf(file, "vdev %d\n", (int)machine->vdev[i]);
	fprintf(file, "kernel %d\n", (int)machine->kernel);
	fclose(file);
	return 0;
}

int run_start(struct run_machine *machine, const struct run_files *files,
	      const struct run_options *options)
{
	*machine = (struct run_machine){ .line = -1, .devices = options->devices };
	/*
	 * Processes of the guest are processes of the host: they become our children when the
	 * kernel dies.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (unsigned int i = 0; i < options->devices; i++)
		if (machine_start_vdev(machine, files, options, i))
			return -1;
	if (options->cpus > 1 ? machine_start_qemu(machine, files, options) :
				machine_start_kernel(machine, files, options))
		return -1;
	return options->pids ? machine_write_pids(machine, options->pids) : 0;
}

void run_reap(struct run_machine *machine)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == machine->kernel)
			machine->kernel = 0;
		for (unsigned int i = 0; i < machine->devices; i++) {
			if (pid != machine->vdev[i])
				continue;
			machine->vdev[i] = 0;
			if (machine->ended)
				continue;
			machine->ended = i + 1;
			machine->ended_status = status;
		}
	}
}

/* Whether the user wants everything to end. */
static bool machine_interrupted(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 &&
	       (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM));
}

static void machine_wait_for_kernel(struct run_machine *machine, unsigned int patience_ms)
{
	for (unsigned int waited = 0;
	     machine->kernel > 0 &&
	     (patience_ms == RUN_PATIENT ? !machine_interrupted() : waited < patience_ms);
	     waited += 2) {
		run_reap(machine);
		if (machine->kernel > 0)
			machine_sleep_ms(2);
	}
}

/* Kills a session that machine_spawn() made; its number is that of its leader. */
static void machine_end_session(pid_t pid)
{
	if (pid > 0)
		kill(-pid, SIGKILL);
}

/*
 * faa-vdev ends when the guest has gone, unless it has --keep. SIGTERM allows it to write its
 * recordings.
 */
static void machine_stop_vdev(struct run_machine *machine, pid_t *vdev, bool patient)
{
	for (int waited = 0; *vdev > 0 && (patient ? !machine_interrupted() : waited < 2000);
	     waited += 5) {
		if (waited == 100 && !patient)
			kill(*vdev, SIGTERM);
		run_reap(machine);
		if (*vdev > 0)
			machine_sleep_ms(5);
	}
	machine_end_session(*vdev);
}

void run_stop_kernel(struct run_machine *machine, unsigned int patience_ms)
{
	pid_t kernel = machine->kernel;

	machine_wait_for_kernel(machine, patience_ms);
	machine_end_session(kernel);
	if (machine->line >= 0)
		close(machine->line);
	machine->line = -1;
}

void run_stop_devices(struct run_machine *machine, bool patient)
{
	for (unsigned int i = 0; i < machine->devices; i++)
		machine_stop_vdev(machine, &machine->vdev[i], patient);
	/*
	 * The remaining children are orphans of the guest, which are killed above or with their
	 * tracer.
	 */
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	machine->kernel = 0;
	memset(machine->vdev, 0, sizeof(machine->vdev));
}
