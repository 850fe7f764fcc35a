// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the kernel, the driver and the programs of a run, in a build directory or an installation.
 */
#include "run.h"
#include "run_qemu.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Both kinds of place have kernel-FLAVOUR/ and kmod-FLAVOUR/. */
struct run_place {
	char root[PATH_MAX];
	char init[PATH_MAX + 16];
	char vdev[PATH_MAX + 16];
	char files[PATH_MAX + 16]; /* faa_gdb.py, scripts, faa-qemu-no-kvm.so */
	bool installed;
};

/* All programs of a build directory are in bin/. */
static int find_tree(struct run_place *place, const char *root)
{
	snprintf(place->root, sizeof(place->root), "%s", root);
	snprintf(place->init, sizeof(place->init), "%s/bin/faa-init", root);
	snprintf(place->vdev, sizeof(place->vdev), "%s/bin/faa-vdev", root);
	snprintf(place->files, sizeof(place->files), "%s/lib/faa", root);
	return access(place->init, X_OK);
}

/* RUN_INSTALLED is the path from the programs in @bin to the directory of other files. */
static int find_installed(struct run_place *place, const char *bin)
{
	char path[PATH_MAX + sizeof(RUN_INSTALLED) + 1];

	snprintf(path, sizeof(path), "%s/" RUN_INSTALLED, bin);
	if (!realpath(path, place->root))
		return -1;
	snprintf(place->init, sizeof(place->init), "%s/faa-init", place->root);
	snprintf(place->vdev, sizeof(place->vdev), "%s/faa-vdev", bin);
	snprintf(place->files, sizeof(place->files), "%s", place->root);
	place->installed = true;
	return access(place->init, X_OK);
}

/* build/bin/faa-run and build/sim/uml/faa-run belong to build. */
static int find_place(struct run_place *place)
{
	const char *env = getenv("FAA_BUILD");
	char path[PATH_MAX], bin[PATH_MAX], *slash;
	ssize_t n;

	memset(place, 0, sizeof(*place));
	if (env && realpath(env, path)) {
		find_tree(place, path);
		return 0;
	}
	if (env) {
		run_error("FAA_BUILD names '%s': %s", env, strerror(errno));
		return -1;
	}
	n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (n < 0)
		return -1;
	path[n] = 0;
	slash = strrchr(path, '/');
	snprintf(bin, sizeof(bin), "%.*s", (int)(slash - path), path);
	for (; slash && slash != path; slash = strrchr(path, '/')) {
		*slash = 0;
		if (find_tree(place, path) == 0)
			return 0;
	}
	if (find_installed(place, bin) == 0)
		return 0;
	run_error(
		"there is no faa-init in bin/ of a directory above %s, where a build has it, nor in "
		"%s/" RUN_INSTALLED ", where an installation has it; 'make build' makes it",
		bin, bin);
	return -1;
}

/* The target of the symbolic link @link as a path; false if it is no link. */
static bool find_read_link(const char *link, char *target, size_t size)
{
	const char *slash = strrchr(link, '/');
	char text[PATH_MAX];
	ssize_t n = readlink(link, text, sizeof(text) - 1);

	if (n < 0)
		return false;
	text[n] = 0;
	if (text[0] == '/')
		return snprintf(target, size, "%s", text) < (int)size;
	return snprintf(target, size, "%.*s/%s", (int)(slash - link), link, text) < (int)size;
}

/*
 * Finds the first directory on the way to @path, with links followed, that this user may not enter;
 * false if there is none. @depth: limit of links.
 */
static bool find_closed(const char *path, char *closed, size_t size, int depth)
{
	char head[PATH_MAX], target[PATH_MAX], rest[2 * PATH_MAX];
	const char *slash = path;

	while ((slash = strchr(slash + 1, '/'))) {
		if (snprintf(head, sizeof(head), "%.*s", (int)(slash - path), path) >=
		    (int)sizeof(head))
			return false;
		if (depth && find_read_link(head, target, sizeof(target))) {
			if (snprintf(rest, sizeof(rest), "%s%s", target, slash) < (int)sizeof(rest))
				return find_closed(rest, closed, size, depth - 1);
			return false;
		}
		if (access(head, X_OK) && errno == EACCES)
			return snprintf(closed, size, "%s", head) < (int)size;
	}
	return false;
}

__attribute__((format(printf, 4, 5))) static int find(char *path, size_t size, const char *what,
						      const char *format, ...)
{
	char closed[PATH_MAX];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(path, size, format, args);
	va_end(args);
	if (len < (int)size && access(path, F_OK) == 0)
		return 0;
	if (errno == EACCES && find_closed(path, closed, sizeof(closed), 8))
		run_error("the %s cannot be read by user %d: %s is closed to it; build with "
			  "FAA_CACHE naming a directory that all users may enter",
			  what, (int)geteuid(), closed);
	else
		run_error("the %s is missing: %s", what, path);
	return -1;
}

/*
 * Describes a missing file: @name is the kind of file, @target the make target that builds it in a
 * checkout.
 */
static void find_describe(char *what, size_t size, const struct run_place *place, const char *name,
			  const char *flavour, const char *target)
{
	if (place->installed)
		snprintf(what, size, "%s flavour %s, which is not installed,", name, flavour);
	else
		snprintf(what, size, "%s flavour %s ('make %s-%s' builds it)", name, flavour,
			 target, flavour);
}

static int find_kernel(struct run_files *files, const struct run_options *options,
		       const struct run_place *place)
{
	char what[128];

	if (options->kernel_tree)
		return run_build_kernel(place->files, options, files->kernel);
	find_describe(what, sizeof(what), place, "kernel of", options->flavour,
		      options->cpus > 1 ? "module" : "kernel");
	if (find(files->kernel, sizeof(files->kernel), what, "%s/kernel-%s/linux", place->root,
		 options->flavour))
		return -1;
	*strrchr(files->kernel, '/') = 0;
	return 0;
}

static int find_driver(struct run_files *files, const struct run_options *options,
		       const struct run_place *place)
{
	char what[128];

	if (options->module && run_build_module(place->files, options, files))
		return -1;
	find_describe(what, sizeof(what), place, "driver for", options->flavour, "module");
	if (options->driver && find(files->module, sizeof(files->module), what, "%s/kmod-%s/faa.ko",
				    place->root, options->flavour))
		return -1;
	if (options->kunit && find(files->kunit, sizeof(files->kunit), what,
				   "%s/kmod-%s/faa_kunit.ko", place->root, options->flavour))
		return -1;
	return 0;
}

static int find_user_device(struct run_files *files, const char *device)
{
	if (!run_find_program(device, files->vdev)) {
		run_error("--device: no directory of PATH has a program '%s'; "
			  "one in this directory is ./%s",
			  device, device);
		return -1;
	}
	if (access(files->vdev, X_OK)) {
		run_error("--device: cannot run %s: %s", device, strerror(errno));
		return -1;
	}
	return 0;
}

static int find_device(struct run_files *files, const struct run_options *options,
		       const struct run_place *place)
{
	const char *vdev = getenv("FAA_VDEV");

	if (options->waves.file && !vdev)
		return run_waves_find(place->installed ? NULL : place->root, files->vdev);
	if (!options->devices || options->device)
		return 0;
	return find(files->vdev, sizeof(files->vdev), "virtual device", "%s",
		    vdev ? vdev : place->vdev);
}

int run_find_built(struct run_files *files, const struct run_options *options)
{
	struct run_place place;

	/* The user's program first: what follows may build for minutes. */
	if (find_place(&place) ||
	    (options->cpus > 1 && run_qemu_find(place.files, files->preload)) ||
	    (options->device && find_user_device(files, options->device)) ||
	    find_kernel(files, options, &place) || find_driver(files, options, &place) ||
	    find_device(files, options, &place))
		return -1;
	if (options->gdb &&
	    find(files->gdb, sizeof(files->gdb), "debugger's script", "%s/faa_gdb.py", place.files))
		return -1;
	return find(files->init, sizeof(files->init), "first process of the guest", "%s",
		    place.init);
}
