// SPDX-License-Identifier: MIT
/* Code of a file, and the commands of a warp that are made of it. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exec_tool.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Files
 */

/* Takes the language from the name of the file. */
static bool code_guess(struct exec_options *options)
{
	struct asm_kind kind = { options->syntax, FAA_ASM_TEXT };

	if (options->syntax < 0 && !asm_kind_of(options->path, &kind)) {
		fprintf(stderr,
			"faa-exec: %s: which language? --syntax=" ASM_SYNTAXES ", or stream\n",
			options->path);
		return false;
	}
	options->syntax = kind.syntax;
	if (options->format < 0)
		options->format = kind.format;
	return true;
}

/* Words of a stream, up to its END, which must be the last command. */
static int code_take_stream(const char *path, const struct asm_input *input, struct exec_code *code)
{
	size_t count = input->size / 8, at, length = 1, i;

	code->words = calloc(count + 1, sizeof(*code->words));
	if (!code->words)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		memcpy(&code->words[i], input->bytes + 8 * i, 8);
		code->words[i] = le64toh(code->words[i]);
	}
	for (at = 0; at < count && (code->words[at] & 0xff) != FAA_OPCODE_END; at += length) {
		length = code->words[at] >> 8 & 0xff;
		if (!length)
			break;
	}
	if (input->size % 8 || at + 1 != count) {
		fprintf(stderr,
			"faa-exec: %s: this is no stream: it is not whole commands up to an END\n",
			path);
		return -EINVAL;
	}
	code->count = at;
	return 0;
}

static int exec_choose_kernel(const struct exec_options *options, struct exec_code *code)
{
	struct faa_asm_error error;
	int ret;

	if (!options->kernel)
		return 0;
	if (!code->code) {
		fprintf(stderr, "faa-exec: %s: a stream has no names of kernels\n", options->path);
		return -EINVAL;
	}
	ret = faa_asm_choose(code->code, options->kernel, &error);
	if (ret)
		asm_print_error(options->path, &error);
	return ret;
}

int exec_code_load(struct exec_options *options, struct exec_code *code)
{
	struct asm_input input = { 0 };
	int ret;

	if (!code_guess(options))
		return -EINVAL;
	ret = asm_input_read(options->path, &input);
	if (ret)
		fprintf(stderr, "faa-exec: %s: %s\n", options->path, strerror(-ret));
	else if (options->syntax == ASM_STREAM)
		ret = code_take_stream(options->path, &input, code);
	else
		ret = asm_read(options->path, (enum faa_asm_syntax)options->syntax,
			       (enum faa_asm_format)options->format, &input, &code->code);
	free(input.bytes);
	return ret ? ret : exec_choose_kernel(options, code);
}

void exec_code_free(struct exec_code *code)
{
	faa_asm_destroy(code->code);
	free(code->words);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Registers of a stream: R2, R2.64 (with R3), P0
 */

struct stream_register {
	bool predicate;
	unsigned int number, bits;
};

static bool code_stream_register(const char *name, struct stream_register *r)
{
	char *end;

	r->predicate = *name == 'P';
	r->bits = 32;
	if ((*name != 'P' && *name != 'R') || name[1] < '0' || name[1] > '9')
		return false;
	r->number = (unsigned int)strtoul(name + 1, &end, 10);
	if (!r->predicate && !strcmp(end, ".64"))
		r->bits = 64;
	else if (*end)
		return false;
	return r->number < (r->predicate ? FAA_PREDICATES : FAA_REGISTERS - r->bits / 64);
}

static int code_add_value(struct faa_stream *stream, const char *name, struct faa_operand operand,
			  bool input)
{
	enum faa_type type = FAA_TYPE_U32;
	struct stream_register r;
	int ret;

	if (!code_stream_register(name, &r)) {
		fprintf(stderr,
			"faa-exec: '%s' is no register of a stream: they are R0..R254, R0.64..R252.64, P0..P6\n",
			name);
		return -EINVAL;
	}
	if (r.bits == 64)
		type = FAA_TYPE_U64;
	if (!r.predicate)
		return input ? faa_stream_mov(stream, type, FAA_LANES, faa_reg((uint8_t)r.number),
					      operand) :
			       faa_stream_mov(stream, type, FAA_LANES, operand,
					      faa_reg((uint8_t)r.number));
	if (input)
		return faa_stream_setp(stream, FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES, r.number,
				       operand, faa_imm(0));
	ret = faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, operand, faa_imm(0));
	if (!ret)
		ret = faa_stream_guard(stream, r.number, false);
	return ret ? ret : faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, operand, faa_imm(1));
}

static int code_emit_words(const struct exec_code *code,
			   const struct faa_asm_environment *environment, struct faa_stream *stream)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < environment->input_count; i++)
		ret = code_add_value(stream, environment->inputs[i].name,
				     environment->inputs[i].operand, true);
	if (!ret)
		ret = faa_stream_raw(stream, code->words, code->count);
	for (i = 0; !ret && i < environment->output_count; i++)
		ret = code_add_value(stream, environment->outputs[i].name,
				     environment->outputs[i].operand, false);
	return ret;
}

/* ---------------------------------------------------------------------------------------------------------------
 * A warp
 */

static void code_note_line(void *data, uint32_t line)
{
	struct exec_job *job = data;
	uint32_t *grown;
	size_t word;

	if (job->line_count == job->line_capacity) {
		size_t capacity = job->line_capacity ? job->line_capacity * 2 : 64;

		/* Without memory for it messages have no line. */
		grown = realloc(job->lines, capacity * 2 * sizeof(*grown));
		if (!grown)
			return;
		job->lines = grown;
		job->line_capacity = capacity;
	}
	faa_stream_words(job->stream, &word);
	job->lines[2 * job->line_count] = line;
	job->lines[2 * job->line_count + 1] = (uint32_t)word;
	job->line_count++;
}

uint32_t exec_code_line(const struct exec_job *job, size_t word)
{
	uint32_t line = 0;
	size_t i;

	for (i = 0; i < job->line_count && job->lines[2 * i + 1] <= word; i++)
		line = job->lines[2 * i];
	return line;
}

static int code_take_inputs(const struct exec_options *options, unsigned int warp,
			    struct faa_asm_value *inputs)
{
	struct exec_value value;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < options->sets.count; i++) {
		ret = exec_value_parse(options, &options->sets.items[i], &value);
		inputs[i] = (struct faa_asm_value){ options->sets.items[i].name,
						    exec_value_operand(&value, warp) };
	}
	return ret;
}

static void code_take_outputs(const struct exec_options *options, unsigned int warp,
			      struct faa_asm_value *outputs)
{
	unsigned int i;

	for (i = 0; i < options->gets.count; i++) {
		const struct exec_binding *get = &options->gets.items[i];
		unsigned int bytes = get->sink.type->bytes;

		outputs[i] = (struct faa_asm_value){
			get->name,
			faa_array(get->va + (uint64_t)warp * FAA_LANES * bytes,
				  get->sink.type->device, (int32_t)bytes),
		};
	}
}

/* A kernel of PTX gets the numbers of its CTA's threads, unless the command line sets them. */
static unsigned int code_add_specials(const struct exec_options *options, unsigned int warp,
				      struct faa_asm_value *inputs)
{
	const struct faa_asm_value specials[] = {
		{ "%tid.x", faa_affine((uint64_t)warp * FAA_LANES, 1) },
		{ "%ntid.x", faa_imm((uint64_t)options->warps * FAA_LANES) },
		{ "%warpid", faa_imm(warp) },
		{ "%nwarpid", faa_imm(options->warps) },
	};
	unsigned int i, count = sizeof(specials) / sizeof(specials[0]);

	if (options->syntax != FAA_ASM_PTX)
		return 0;
	for (i = 0; i < count; i++)
		inputs[i] = specials[i];
	return count;
}

static int code_complain(const struct exec_options *options, const struct faa_stream *stream,
			 const struct faa_asm_error *error, int ret)
{
	const char *why = faa_stream_error(stream);

	if (error->text[0])
		asm_print_error(options->path, error);
	else if (why)
		fprintf(stderr, "faa-exec: %s: %s\n", options->path, why);
	return ret;
}

int exec_code_emit(const struct exec_options *options, const struct exec_code *code,
		   unsigned int warp, struct exec_job *job)
{
	struct faa_asm_value inputs[EXEC_MAX + 4], outputs[EXEC_MAX];
	struct faa_asm_environment environment = {
		.inputs = inputs,
		.outputs = outputs,
		.output_count = options->gets.count,
		.lanes = options->lanes,
		.at = code_note_line,
		.data = job,
	};
	struct faa_asm_error error = { 0 };
	int ret;

	environment.input_count = code_add_specials(options, warp, inputs);
	ret = code_take_inputs(options, warp, inputs + environment.input_count);
	environment.input_count += options->sets.count;
	if (ret)
		return ret;
	code_take_outputs(options, warp, outputs);
	ret = code->code ? faa_asm_emit(code->code, &environment, job->stream, &error) :
			   code_emit_words(code, &environment, job->stream);
	if (!ret)
		ret = faa_stream_end(job->stream);
	if (!ret)
		ret = faa_stream_finish(job->stream);
	return ret ? code_complain(options, job->stream, &error, ret) : 0;
}
