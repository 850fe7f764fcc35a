// SPDX-License-Identifier: Apache-2.0
#include "run_qemu.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define QEMU_PROGRAM "qemu-system-x86_64"
/* From this version on QEMU needs the library, which states the reason (sim/qemu/no_kvm.c). */
#define QEMU_NO_KVM_MAJOR 8
#define QEMU_NO_KVM_MINOR 2
#define QEMU_NO_KVM	  "faa-qemu-no-kvm.so"

const char *run_qemu_check(const struct run_options *options)
{
	if (options->cpus < 2)
		return NULL;
	if (options->flavour)
		return "--cpus has a kernel of its own and excludes --kernel";
	if (options->kernel_tree || options->module)
		return "--cpus excludes --kernel-tree and --module, which are for User Mode Linux";
	if (options->seed)
		return "--cpus and --seed exclude each other: several CPUs have no simulated time";
	if (options->guests)
		return "--cpus and --guests exclude each other: the kernel has no network";
	if (options->gdb)
		return "--cpus and --gdb exclude each other: the kernel is no process of the host";
	if (options->trace.file)
		return "--cpus and --trace exclude each other: the guest has a clock of its own";
	if (options->kunit)
		return "--cpus and --kunit exclude each other: the kernel has no KUnit";
	if (options->devices > 1)
		return "--cpus takes one device: QEMU has one connection for interrupts";
	return NULL;
}

/* Asks QEMU for its version, with the library if there is one. Return: whether it says it. */
static bool qemu_says_version(const char *path, const char *library, unsigned int *major,
			      unsigned int *minor)
{
	char command[2 * PATH_MAX + 64];
	FILE *out;
	bool said;

	snprintf(command, sizeof(command), "%s%s%s '%s' --version",
		 library[0] ? "LD_PRELOAD='" : "", library, library[0] ? "'" : "", path);
	out = popen(command, "re");
	said = out && fscanf(out, "QEMU emulator version %u.%u", major, minor) == 2;
	if (out)
		pclose(out);
	return said;
}

int run_qemu_find(const char *scripts, char *library)
{
	unsigned int major, minor;
	char path[PATH_MAX];

	library[0] = 0;
	if (!run_find_program(QEMU_PROGRAM, path)) {
		run_error("--cpus needs " QEMU_PROGRAM
			  ", which is not installed: Debian's package qemu-system-x86");
		return -1;
	}
	if (!qemu_says_version(path, library, &major, &minor)) {
		run_error("'%s --version' names no version", path);
		return -1;
	}
	if (major < QEMU_NO_KVM_MAJOR || (major == QEMU_NO_KVM_MAJOR && minor < QEMU_NO_KVM_MINOR))
		return 0;
	snprintf(library, PATH_MAX, "%s/" QEMU_NO_KVM, scripts);
	if (access(library, R_OK)) {
		run_error("the library that QEMU %u.%u needs cannot be read: %s: %s", major, minor,
			  library, strerror(errno));
		return -1;
	}
	/* Without kvm_state the library ends QEMU, after a message. */
	if (qemu_says_version(path, library, &major, &minor))
		return 0;
	run_error("'%s --version' fails with LD_PRELOAD=%s, which QEMU %u.%u needs", path, library,
		  major, minor);
	return -1;
}

/* Spaces and colons separate libraries; Kbuild excludes both from the path of a build. */
char *run_qemu_preload(const struct run_files *files)
{
	const char *others = getenv("LD_PRELOAD");
	char *text;

	if (!files->preload[0] || asprintf(&text, "LD_PRELOAD=%s%s%s", files->preload,
					   others ? ":" : "", others ? others : "") < 0)
		return NULL;
	return text;
}

static void qemu_test_socket(const struct run_files *files, char *path, size_t size)
{
	snprintf(path, size, "%s/qtest", files->dir);
}

void run_qemu_vdev_arg(const struct run_options *options, const struct run_files *files, char *text)
{
	char path[128];

	qemu_test_socket(files, path, sizeof(path));
	snprintf(text, RUN_QEMU_TEXT, "--qtest=%s", path);
	if (options->cpus < 2)
		text[0] = 0;
}

/* Adds words up to NULL. */
static void qemu_add(struct run_qemu_args *args, const char *word, ...)
{
	va_list words;

	va_start(words, word);
	for (; word; word = va_arg(words, const char *)) {
		if (args->count < RUN_QEMU_WORDS - 1)
			args->item[args->count++] = word;
		else
			args->too_long = true;
	}
	va_end(words);
}

/* Adds an option with a formatted value. */
__attribute__((format(printf, 3, 4))) static void
qemu_add_text(struct run_qemu_args *args, const char *option, const char *format, ...)
{
	char *text = args->text[args->texts++];
	va_list values;

	va_start(values, format);
	if (vsnprintf(text, RUN_QEMU_TEXT, format, values) >= RUN_QEMU_TEXT)
		args->too_long = true;
	va_end(values);
	qemu_add(args, option, text, NULL);
}

static int qemu_connect(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int sock = socket(AF_UNIX, SOCK_STREAM, 0);

	if (snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path) >=
	    (int)sizeof(addr.sun_path))
		errno = ENAMETOOLONG;
	else if (sock >= 0 && connect(sock, (struct sockaddr *)&addr, sizeof(addr)) == 0)
		return sock;
	run_error("cannot connect to faa-vdev at %s: %s", path, strerror(errno));
	if (sock >= 0)
		close(sock);
	return -1;
}

/*
 * Emulation with a thread for each CPU: /dev/kvm may exist and not work, as in a virtual machine,
 * and QEMU then stops or hangs.
 */
static void qemu_add_cpus(struct run_qemu_args *args, const struct run_options *options)
{
	qemu_add(args, "-accel", "tcg,thread=multi", "-cpu", "max", NULL);
	qemu_add_text(args, "-smp", "%u", options->cpus);
	qemu_add_text(args, "-object", "memory-backend-memfd,id=mem,size=%s,share=on",
		      options->mem);
	/* The device reaches the memory through its file. */
	qemu_add(args, "-machine", "q35,memory-backend=mem", NULL);
}

/* The kernel's command line; the last words are arguments of faa-init. */
static void qemu_add_kernel(struct run_qemu_args *args, const struct run_options *options,
			    const struct run_files *files)
{
	char *text = args->text[args->texts++];
	size_t used;

	qemu_add_text(args, "-kernel", "%s/linux", files->kernel);
	used = (size_t)snprintf(text, RUN_QEMU_TEXT,
				"console=ttyS0 panic=-1 random.trust_cpu=on root=host "
				"rootfstype=9p rootflags=trans=virtio,version=9p2000.L,"
				"cache=loose,msize=512000 rw init=%s",
				files->init);
	for (unsigned int i = 0; i < options->kernel_args.count && used < RUN_QEMU_TEXT; i++)
		used += (size_t)snprintf(text + used, RUN_QEMU_TEXT - used, " %s",
					 options->kernel_args.item[i]);
	if (used < RUN_QEMU_TEXT)
		used += (size_t)snprintf(text + used, RUN_QEMU_TEXT - used, " -- %s", files->job);
	if (used >= RUN_QEMU_TEXT)
		args->too_long = true;
	qemu_add(args, "-append", text, NULL);
}

int run_qemu_build_args(const struct run_options *options, const struct run_files *files, int line,
			struct run_qemu_args *args)
{
	char path[128];

	*args = (struct run_qemu_args){ .device = -1 };
	qemu_add(args, QEMU_PROGRAM, "-nodefaults", "-no-user-config", "-no-reboot", "-display",
		 "none", "-vga", "none", NULL);
	qemu_add_cpus(args, options);
	qemu_add_kernel(args, options, files);
	qemu_add_text(args, "-chardev", "file,id=log,append=on,path=%s", files->log);
	qemu_add(args, "-serial", "chardev:log", NULL);
	qemu_add_text(args, "-chardev", "socket,id=line,fd=%d", line);
	qemu_add(args, "-device", "virtio-serial-pci", NULL);
	qemu_add(args, "-device", "virtserialport,chardev=line,name=faa", NULL);
	/* Files belong to the caller, in whose name QEMU accesses them. */
	qemu_add(args, "-fsdev", "local,id=host,path=/,security_model=none,multidevs=remap", NULL);
	qemu_add(args, "-device", "virtio-9p-pci,fsdev=host,mount_tag=host", NULL);
	if (options->devices) {
		args->device = qemu_connect(files->sockets[0]);
		if (args->device < 0)
			return -1;
		qemu_test_socket(files, path, sizeof(path));
		qemu_add_text(args, "-qtest", "unix:%s", path);
		qemu_add(args, "-qtest-log", "none", NULL);
		qemu_add_text(args, "-device", "x-pci-proxy-dev,id=faa,fd=%d", args->device);
	}
	if (!args->too_long)
		return 0;
	run_error("the command line of QEMU is too long");
	return -1;
}
