// SPDX-License-Identifier: MIT
/*
 * faa-spirv run on the C model in its own process: model_spirv [-u] FOLDER OUT CASE...: modules and
 * inputs are in FOLDER; -u: modules follow the rules of the environment universal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "fake_kernel.h"
#include "spirv_tool.h"

static struct fake_kernel *machine;

/* The device of the tool's commands. */
int faa_program_device(const struct faa_program *program, struct faa_device **device)
{
	(void)program;
	return faa_device_open_backend(fake_kernel_open(machine), device);
}

int main(int argc, char **argv)
{
	struct spirv_settings settings = { 0 };
	int status;

	if (argc > 1 && !strcmp(argv[1], "-u")) {
		settings.environment = FAA_SPIRV_UNIVERSAL;
		argv++;
		argc--;
	}
	if (argc < 4) {
		fprintf(stderr, "usage: model_spirv [-u] FOLDER OUT CASE...\n");
		return 2;
	}
	settings.run.modules = settings.run.inputs = argv[1];
	settings.run.output = argv[2];
	/* A kernel that never ends is a failure, not a wait. */
	settings.run.limit = 1u << 28;
	machine = fake_kernel_create();
	status = spirv_command_run(&settings, argv + 3, argc - 3);
	if (fake_kernel_live(machine)) {
		fprintf(stderr, "model_spirv: %u objects are left\n", fake_kernel_live(machine));
		status = 1;
	}
	fake_kernel_destroy(machine);
	return status;
}
