/* SPDX-License-Identifier: MIT */
/**
 * DOC: A device of another machine
 *
 * faa_device_open_simulated() starts faa-run with the program faa-serve in it. The library sends
 * the requests of a backend through a pipe; faa-serve executes them in the guest and answers, one
 * request at a time. The pipe carries no data of BOs: the memory of BOs and of status rings is
 * locked memory of faa-serve, which names its page frames. The guest's memory is a file of the
 * host, from which the library maps those frames. So the library, the device and the guest's kernel
 * share the same pages.
 *
 * A BO of the library is memory of faa-serve that is mapped with MAP_USERPTR. The kernel's own BOs
 * cannot be used: it does not tell the page frames of their mappings. A status ring is the
 * exception: faa-serve keeps a copy of it and updates that before each answer.
 *
 * Both sides are built from the same source and run on the same processor, so structures are sent
 * as they are.
 */
#ifndef FAA_REMOTE_H
#define FAA_REMOTE_H

#include <stdint.h>

#include "backend.h"

/** FAA_REMOTE_VERSION - of this file; both sides compare it */
#define FAA_REMOTE_VERSION 1

/** FAA_REMOTE_MAX_BYTES - longest data of a request or an answer */
#define FAA_REMOTE_MAX_BYTES (64u << 20)

/** enum faa_remote_op - requests; @arg and @value: members of the structures below */
enum faa_remote_op {
	/**
	 * @FAA_REMOTE_HELLO: value: FAA_REMOTE_VERSION, a random number, its address in the guest's
	 * memory.
	 */
	FAA_REMOTE_HELLO,
	/**
	 * @FAA_REMOTE_IOCTL: arg: request; data: the structure, then the data of its pointers;
	 * answer: both.
	 */
	FAA_REMOTE_IOCTL,
	/** @FAA_REMOTE_BO_CREATE: arg: bytes; value: handle. */
	FAA_REMOTE_BO_CREATE,
	/**
	 * @FAA_REMOTE_PAGES: arg: handle of a BO or status ring; answer: struct faa_remote_run[].
	 */
	FAA_REMOTE_PAGES,
	/** @FAA_REMOTE_CLOSE: arg: handle. */
	FAA_REMOTE_CLOSE,
	/** @FAA_REMOTE_SYNCOBJ_CREATE: arg: signaled; value: handle. */
	FAA_REMOTE_SYNCOBJ_CREATE,
	/** @FAA_REMOTE_SYNCOBJ_DESTROY: arg: handle. */
	FAA_REMOTE_SYNCOBJ_DESTROY,
	/**
	 * @FAA_REMOTE_SYNCOBJ_WAIT: arg: count, enum faa_remote_wait, nanoseconds; data: points,
	 * then handles.
	 */
	FAA_REMOTE_SYNCOBJ_WAIT,
	/** @FAA_REMOTE_SYNCOBJ_SIGNAL: arg: handle, point. */
	FAA_REMOTE_SYNCOBJ_SIGNAL,
	/** @FAA_REMOTE_SYNCOBJ_QUERY: arg: handle; value: point. */
	FAA_REMOTE_SYNCOBJ_QUERY,
	/** @FAA_REMOTE_SYNCOBJ_RESET: arg: handle. */
	FAA_REMOTE_SYNCOBJ_RESET,
	/** @FAA_REMOTE_SYNCOBJ_DUP: arg: handle; value: handle. */
	FAA_REMOTE_SYNCOBJ_DUP,
	/** @FAA_REMOTE_SYNCOBJ_TRANSFER: arg: to, its point, from, its point. */
	FAA_REMOTE_SYNCOBJ_TRANSFER,
};

/** enum faa_remote_wait - flags of FAA_REMOTE_SYNCOBJ_WAIT */
enum faa_remote_wait {
	/** @FAA_REMOTE_WAIT_ALL: for all of them. */
	FAA_REMOTE_WAIT_ALL = 1 << 0,
	/** @FAA_REMOTE_WAIT_PROMISED: for the promise of a signal. */
	FAA_REMOTE_WAIT_PROMISED = 1 << 1,
	/**
	 * @FAA_REMOTE_WAIT_POINTS: timeline points; otherwise binary syncobjs, without points in
	 * the data.
	 */
	FAA_REMOTE_WAIT_POINTS = 1 << 2,
};

/** struct faa_remote_request - followed by @bytes bytes of data */
struct faa_remote_request {
	/** @op: enum faa_remote_op. */
	uint32_t op;
	uint32_t bytes;
	uint64_t arg[4];
};

/** struct faa_remote_answer - followed by @bytes bytes of data */
struct faa_remote_answer {
	/** @error: 0 or a negative errno. */
	int32_t error;
	uint32_t bytes;
	uint64_t value[3];
};

/** struct faa_remote_run - consecutive page frames of the guest's memory */
struct faa_remote_run {
	/** @address: of the first, bytes from the beginning of the memory. */
	uint64_t address;
	/** @bytes: of all of them. */
	uint64_t bytes;
};

/** struct faa_remote_pointer - a member of an ioctl's structure that points to data */
struct faa_remote_pointer {
	/** @member: the pointer, in the structure. */
	uint64_t *member;
	/** @bytes: that it points to. */
	uint64_t bytes;
	/** @out: the kernel writes them; otherwise it reads them. */
	bool out;
};

/** FAA_REMOTE_POINTERS - most pointers of a structure, those of the jobs of SUBMIT excluded */
#define FAA_REMOTE_POINTERS 2

/**
 * faa_remote_pointers() - the pointers in the structure of an ioctl
 * @request: DRM_IOCTL_FAA_*
 * @arg: its structure
 * @pointers: out: FAA_REMOTE_POINTERS of them
 *
 * Return: number of pointers.
 */
unsigned int faa_remote_pointers(unsigned long request, void *arg,
				 struct faa_remote_pointer *pointers);

/** struct faa_machine - a running faa-run with faa-serve in it */
struct faa_machine {
	/** @pid: of faa-run. */
	int pid;
	/** @to, @from: pipes to faa-serve. */
	int to;
	int from;
	/** @pids: path of the file that names the processes of faa-run. */
	char pids[64];
};

struct faa_simulation;

/** faa_machine_start() - start it; 0 or -errno, with a sentence. */
int faa_machine_start(const struct faa_simulation *simulation, struct faa_machine *machine);

/**
 * faa_machine_memory() - file descriptor of the guest's memory, in which @number is at @address
 *
 * Return: the descriptor; -errno, with a sentence.
 */
int faa_machine_memory(const struct faa_machine *machine, uint64_t address, uint64_t number);

/**
 * faa_machine_forget() - remove the file that names the processes
 *
 * So a program that is killed leaves no file.
 */
void faa_machine_forget(struct faa_machine *machine);

/**
 * faa_machine_stop() - stop it and wait for its end; in the child of a fork() only close its
 * descriptors.
 */
void faa_machine_stop(struct faa_machine *machine, bool mine);

/**
 * faa_backend_remote() - the device of @machine, which the backend then owns
 *
 * Return: 0; or -errno, with a sentence and @machine stopped.
 */
int faa_backend_remote(const struct faa_machine *machine, struct faa_backend **backend);

/**
 * faa_remote_transfer() - write (or, if @reading, read) all @bytes bytes of @fd
 *
 * Return: 0; -EPIPE: the other side has exited; or -errno.
 */
int faa_remote_transfer(int fd, void *data, uint64_t bytes, bool reading);

#endif /* FAA_REMOTE_H */
