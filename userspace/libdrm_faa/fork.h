/* SPDX-License-Identifier: MIT */
/**
 * DOC: Processes
 *
 * The child of a fork() has copies of the library's objects, but shares the kernel's with its
 * parent: sequence numbers, addresses and handles of both would collide. So objects belong to the
 * process that opened their device. A generation number identifies the process; reading it costs no
 * system call.
 */
#ifndef FAA_FORK_H
#define FAA_FORK_H

/** faa_fork_watch() - from now on every fork() changes the generation of the child; 0 or -errno. */
int faa_fork_watch(void);

/** faa_fork_generation() - differs between a process and its children. */
unsigned int faa_fork_generation(void);

#endif /* FAA_FORK_H */
