// SPDX-License-Identifier: MIT
/* Command validate: the rules of faa, and those of SPIRV-Tools if it is installed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv_tool.h"
#include "tool.h"

/* Messages of a module. */
struct report {
	const char *path;
	bool json;
	/* Texts of all rejections, one after the other, each with its terminator. */
	char *texts;
	size_t size;
	unsigned int refusals, messages;
};

void spirv_print_message(FILE *out, const char *path, const struct faa_spirv_message *message)
{
	fprintf(out, "%s: %s: word %u", path, message->warning ? "warning" : "error",
		message->word);
	if (message->instruction)
		fprintf(out, ", instruction %u", message->instruction);
	if (message->name)
		fprintf(out, " (%s)", message->name);
	if (message->id)
		fprintf(out, ", id %u", message->id);
	fprintf(out, ": %s\n", message->text);
}

/* An item of the array "messages". */
static void validate_print_message_json(const struct faa_spirv_message *message, bool first)
{
	printf("%s{\"severity\": \"%s\", \"word\": %u, \"instruction\": %u, \"name\": ",
	       first ? "" : ", ", message->warning ? "warning" : "error", message->word,
	       message->instruction);
	tool_print_json_string(message->name ? message->name : "");
	printf(", \"id\": %u, \"text\": ", message->id);
	tool_print_json_string(message->text);
	putchar('}');
}

static void validate_take_message(const struct faa_spirv_message *message, void *user)
{
	struct report *report = user;
	size_t length = strlen(message->text) + 1;
	char *grown;

	if (report->json)
		validate_print_message_json(message, !report->messages);
	else
		spirv_print_message(stdout, report->path, message);
	report->messages++;
	if (message->warning)
		return;
	report->refusals++;
	grown = realloc(report->texts, report->size + length);
	if (!grown)
		return;
	report->texts = grown;
	memcpy(grown + report->size, message->text, length);
	report->size += length;
}

/* Environment of spirv-val for the module, whose version selects that of Vulkan. */
static const char *validate_validator_environment(enum faa_spirv_environment environment,
						  const struct spirv_file *file)
{
	static const char *const universal[] = { "spv1.0", "spv1.1", "spv1.2", "spv1.3",
						 "spv1.4", "spv1.5", "spv1.6" };
	static const char *const vulkan[] = { "vulkan1.0", "vulkan1.1",	      "vulkan1.1",
					      "vulkan1.1", "vulkan1.1spv1.4", "vulkan1.2",
					      "vulkan1.3" };
	const unsigned char *bytes = file->bytes;
	/* The minor version is the second lowest byte of word 1, in the byte order of the file. */
	unsigned int minor = file->size < 8 ? 0 : bytes[0] == 0x03 ? bytes[5] : bytes[6];

	minor = minor > 6 ? 6 : minor;
	/* spirv-val has no environment of OpenCL for modules above 1.2. */
	if (environment == FAA_SPIRV_OPENCL && minor < 3)
		return "opencl2.2";
	return environment == FAA_SPIRV_VULKAN ? vulkan[minor] : universal[minor];
}

/* Whether the validator's message is known: one of the texts occurs in it. */
static bool validate_is_known(const struct report *report, const char *output)
{
	size_t at;

	for (at = 0; at < report->size; at += strlen(report->texts + at) + 1)
		if (strstr(output, report->texts + at))
			return true;
	return false;
}

/*
 * Runs the validator. Return: 0: it accepts the module, or there is none; 1: it rejects it; 2: it
 * cannot run.
 */
static int validate_ask_validator(const struct spirv_settings *settings,
				  const struct spirv_file *file,
				  enum faa_spirv_environment environment,
				  const struct report *report)
{
	char *program = settings->validator ? (char *)settings->validator : "spirv-val", *output;
	char *argv[] = { program, "--target-env",
			 (char *)validate_validator_environment(environment, file),
			 (char *)file->binary, NULL };
	int ret;

	if (!*program)
		return 0;
	ret = spirv_run_program(argv, &output);
	if (ret == -ENOENT && !settings->validator)
		return 0;
	if (ret < 0)
		fprintf(stderr, "faa-spirv: %s: %s\n", program, strerror(-ret));
	else if (ret && !validate_is_known(report, output))
		fprintf(report->json ? stderr : stdout, "%s: %s: %s", file->path, program, output);
	free(output);
	return ret < 0 ? 2 : ret ? 1 : 0;
}

/* The requested environment, or the one that the capability Kernel without Shader selects. */
static enum faa_spirv_environment validate_environment_of(const struct spirv_settings *settings,
							  const struct faa_spirv_module *module)
{
	return module		     ? faa_spirv_info(module)->environment :
	       settings->environment ? settings->environment :
				       FAA_SPIRV_UNIVERSAL;
}

static int validate(const struct spirv_settings *settings, const struct spirv_file *file)
{
	struct report report = { .path = file->path, .json = settings->json };
	struct faa_spirv_options options = { .environment = settings->environment,
					     .report = validate_take_message,
					     .user = &report };
	struct faa_spirv_module *module;
	int ret, asked = 0;

	if (settings->json) {
		printf("{\"file\": ");
		tool_print_json_string(file->path);
		printf(", \"messages\": [");
	}
	ret = faa_spirv_load(file->bytes, file->size, &options, &module, NULL);
	if (ret == -ENOMEM)
		fprintf(stderr, "faa-spirv: %s: %s\n", file->path, strerror(ENOMEM));
	else
		asked = validate_ask_validator(settings, file,
					       validate_environment_of(settings, module), &report);
	if (settings->json)
		printf("], \"valid\": %s}\n", ret || asked ? "false" : "true");
	else if (!ret && !asked && !settings->quiet)
		printf("%s: valid\n", file->path);
	faa_spirv_destroy(module);
	free(report.texts);
	return ret == -ENOMEM || asked == 2 ? 2 : ret || asked;
}

int spirv_command_validate(const struct spirv_settings *settings, char **paths, int count)
{
	int i, ret, worst = 0;

	for (i = 0; i < count; i++) {
		struct spirv_file file;

		ret = spirv_file_open(&file, paths[i]);
		if (!ret)
			ret = validate(settings, &file);
		spirv_file_close(&file);
		worst = ret > worst ? ret : worst;
		fflush(stdout);
	}
	return worst;
}
