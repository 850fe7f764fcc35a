// SPDX-License-Identifier: MIT
/* A trap of its own, a child, threads and another program, for gdb.sh */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int sum;
static volatile sig_atomic_t trapped;

static void on_trap(int number)
{
	trapped = number;
}

__attribute__((noipa)) static double half(double number)
{
	return number / 2;
}

__attribute__((noipa)) static void add(int number)
{
	__atomic_fetch_add(&sum, number, __ATOMIC_RELAXED);
}

/* gdb's breakpoint is on the instruction that enters the kernel. */
__attribute__((noipa)) static void finish_here(void)
{
	__asm__ volatile("syscall" : : "a"(39L) : "rcx", "r11", "memory");
}

static void *work(void *arg)
{
	for (int i = 0; i < 10; i++)
		add((int)(intptr_t)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	int status = 0;
	pid_t pid;

	(void)argv;
	signal(SIGTRAP, on_trap);
	__asm__ volatile("int3");
	printf("half %f, signal %d\n", half(3), (int)trapped);
	fflush(stdout);
	for (int i = 0; i < 5; i++)
		add(i);
	pid = fork();
	if (!pid) {
		add(1000);
		_exit(7);
	}
	waitpid(pid, &status, 0);
	printf("child %d\n", WEXITSTATUS(status));
	for (intptr_t i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	finish_here();
	printf("total %d\n", __atomic_load_n(&sum, __ATOMIC_RELAXED));
	fflush(stdout);
	if (argc > 1)
		execl("/bin/echo", "echo", "after", "exec", (char *)NULL);
	return 0;
}
