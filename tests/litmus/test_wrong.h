/* SPDX-License-Identifier: MIT */
/* Files with an error, for the tests of both formats. */
#ifndef TEST_WRONG_H
#define TEST_WRONG_H

#include "../unit/lib/check.h"

#include <errno.h>
#include <string.h>

#include "lit.h"

/** struct wrong_file - a file, the position of its error, and a part of the message */
struct wrong_file {
	const char *text;
	unsigned int line, column;
	const char *says;
};

/** check_wrong() - each of @count files is refused at its position, with its message. */
static inline void check_wrong(const struct wrong_file *files, size_t count)
{
	struct lit_error error;
	struct lit_test test;
	size_t i;

	for (i = 0; i < count; i++) {
		assert_int_equal(lit_parse(files[i].text, strlen(files[i].text), &test, &error),
				 -EINVAL);
		lit_free(&test);
		if (error.line != files[i].line || error.column != files[i].column ||
		    !strstr(error.text, files[i].says))
			fail_msg("case %zu: %u:%u: %s; not %u:%u: %s", i, error.line, error.column,
				 error.text, files[i].line, files[i].column, files[i].says);
	}
}

#endif /* TEST_WRONG_H */
