// SPDX-License-Identifier: MIT
/* The functions of faa_asm.h, by language and form. */
#include <errno.h>
#include <string.h>

#include "asm.h"

#define MAX_BYTES (1u << 30)

static const struct faa_asm_language *const dispatch_languages[] = {
	[FAA_ASM_SASS] = &faa_asm_sass,
	[FAA_ASM_VISA] = &faa_asm_visa,
	[FAA_ASM_PTX] = &faa_asm_ptx,
};

static const char *const dispatch_format_names[] = {
	[FAA_ASM_TEXT] = "text",
	[FAA_ASM_HEX] = "hexadecimal form",
	[FAA_ASM_BUNDLE] = "form of bundles",
	[FAA_ASM_CISA] = "CISA form",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int dispatch_lacks_form(const struct faa_asm_language *language, enum faa_asm_format format,
			       struct faa_asm_error *error)
{
	if ((unsigned int)format >= COUNT(dispatch_format_names))
		faa_asm_fail(error, 0, 0, "there is no form %u", (unsigned int)format);
	else
		faa_asm_fail(error, 0, 0, "%s has no %s", language->name,
			     dispatch_format_names[format]);
	return -EOPNOTSUPP;
}

/* Uses @local if the caller passes no @error: faa_last_error() needs the message. */
static struct faa_asm_error *dispatch_begin(struct faa_asm_error *error,
					    struct faa_asm_error *local)
{
	if (!error)
		error = local;
	*error = (struct faa_asm_error){ 0 };
	return error;
}

/* Every failure has a message, -ENOMEM too. */
static int dispatch_name_error(int ret, struct faa_asm_error *error)
{
	if (!ret)
		return 0;
	if (!error->text[0])
		faa_asm_fail(error, 0, 0, "%s", strerror(-ret));
	if (error->line)
		return faa_fail(ret, "%u:%u: %s", error->line, error->column, error->text);
	return faa_fail(ret, "%s", error->text);
}

bool faa_asm_log_add(struct faa_asm_log *log, const struct faa_asm_error *error)
{
	if (log->count < log->capacity)
		log->errors[log->count++] = *error;
	return log->count < log->capacity;
}

/* Only text can have several errors; all others have one. */
static int faa_asm_read_form(enum faa_asm_syntax syntax, enum faa_asm_format format,
			     const void *data, size_t size, struct faa_asm_code **code,
			     struct faa_asm_log *log)
{
	struct faa_asm_error *error = &log->errors[0];
	const struct faa_asm_language *language;

	if ((unsigned int)syntax >= COUNT(dispatch_languages) || !dispatch_languages[syntax]) {
		faa_asm_fail(error, 0, 0, "there is no language %u", (unsigned int)syntax);
		return -EOPNOTSUPP;
	}
	language = dispatch_languages[syntax];
	if ((unsigned int)format >= COUNT(dispatch_format_names) ||
	    (format != FAA_ASM_TEXT && !language->read[format]))
		return dispatch_lacks_form(language, format, error);
	if (size > MAX_BYTES)
		return faa_asm_fail(error, 0, 0, "%zu bytes are more than %u", size, MAX_BYTES);
	if (format == FAA_ASM_TEXT)
		return language->read_text(size ? data : "", size, code, log);
	return language->read[format](size ? data : "", size, code, error);
}

int faa_asm_read_errors(enum faa_asm_syntax syntax, enum faa_asm_format format, const void *data,
			size_t size, struct faa_asm_code **code, struct faa_asm_error *errors,
			size_t capacity, size_t *error_count)
{
	struct faa_asm_log log = { errors, capacity, 0 };
	int ret;

	*code = NULL;
	errors[0] = (struct faa_asm_error){ 0 };
	ret = faa_asm_read_form(syntax, format, data, size, code, &log);
	*error_count = !ret ? 0 : log.count ? log.count : 1;
	return dispatch_name_error(ret, errors);
}

int faa_asm_read(enum faa_asm_syntax syntax, enum faa_asm_format format, const void *data,
		 size_t size, struct faa_asm_code **code, struct faa_asm_error *error)
{
	struct faa_asm_error local;
	size_t count;

	return faa_asm_read_errors(syntax, format, data, size, code, dispatch_begin(error, &local),
				   1, &count);
}

void faa_asm_destroy(struct faa_asm_code *code)
{
	if (code)
		code->language->destroy(code);
}

size_t faa_asm_count(const struct faa_asm_code *code)
{
	return code->language->count(code);
}

int faa_asm_write(const struct faa_asm_code *code, enum faa_asm_format format, void **data,
		  size_t *size, struct faa_asm_error *error)
{
	struct faa_asm_error local;

	*data = NULL;
	*size = 0;
	error = dispatch_begin(error, &local);
	if ((unsigned int)format >= COUNT(dispatch_format_names) || !code->language->write[format])
		return dispatch_name_error(dispatch_lacks_form(code->language, format, error),
					   error);
	return dispatch_name_error(code->language->write[format](code, data, size, error), error);
}

int faa_asm_emit_sized(const struct faa_asm_code *code,
		       const struct faa_asm_environment *environment, size_t environment_size,
		       struct faa_stream *stream, struct faa_asm_error *error)
{
	struct faa_asm_environment own;
	struct faa_asm_error local;
	int ret;

	error = dispatch_begin(error, &local);
	ret = faa_struct_read(&own, sizeof(own), environment, environment_size,
			      "faa_asm_environment");
	if (ret) {
		faa_asm_fail(error, 0, 0, "%s", faa_last_error());
		return ret;
	}
	return dispatch_name_error(code->language->emit(code, &own, stream, error), error);
}

int faa_asm_choose(struct faa_asm_code *code, const char *name, struct faa_asm_error *error)
{
	struct faa_asm_error local;

	error = dispatch_begin(error, &local);
	if (code->language->choose)
		return dispatch_name_error(code->language->choose(code, name, error), error);
	faa_asm_fail(error, 0, 0, "%s has no names of kernels", code->language->name);
	return dispatch_name_error(-EOPNOTSUPP, error);
}

bool faa_asm_variable(const struct faa_asm_code *code, size_t index,
		      struct faa_asm_variable *variable)
{
	return code->language->variable && code->language->variable(code, index, variable);
}
