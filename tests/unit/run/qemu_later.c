/* SPDX-License-Identifier: MIT */
/*
 * A QEMU from 8.2 on, for tests on releases with an earlier one: names its version and exports
 * kvm_state, in which it needs file descriptors of -1, and then becomes the program REAL_QEMU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *kvm_state;

static int state_is_bad(void)
{
	const int *words = kvm_state;

	if (!words) {
		fprintf(stderr, "qemu_later: kvm_state is NULL\n");
		return 1;
	}
	for (int i = 0; i < 1024; i++) {
		if (words[i] != -1) {
			fprintf(stderr, "qemu_later: kvm_state has %d at %d\n", words[i], i);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	int version = argc == 2 && !strcmp(argv[1], "--version");

	/* A first question for the version is asked without the library. */
	if ((getenv("LD_PRELOAD") || !version) && state_is_bad())
		return 1;
	if (version) {
		printf("QEMU emulator version 10.0.3 (Debian 1:10.0.3+ds-0+deb13u1)\n");
		return 0;
	}
	execv(REAL_QEMU, argv);
	perror(REAL_QEMU);
	return 1;
}
