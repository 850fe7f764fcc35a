// SPDX-License-Identifier: MIT
#include "fork.h"
#include "error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_uint fork_generation;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static int fork_error;

static void fork_count_child(void)
{
	atomic_fetch_add_explicit(&fork_generation, 1, memory_order_relaxed);
}

static void fork_register(void)
{
	fork_error = -pthread_atfork(NULL, NULL, fork_count_child);
}

int faa_fork_watch(void)
{
	pthread_once(&fork_once, fork_register);
	return fork_error ? faa_fail(fork_error, "pthread_atfork: %s", strerror(-fork_error)) : 0;
}

unsigned int faa_fork_generation(void)
{
	return atomic_load_explicit(&fork_generation, memory_order_relaxed);
}
