// SPDX-License-Identifier: MIT
/*
 * Common code of the assembly languages: the scanner of text, the growing buffer, the functions by
 * language and form.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/asm.h"
#include "asm/output.h"
#include "asm/scan.h"
#include "../run_tests.h"

static struct faa_scan scan_text(const char *text)
{
	return faa_scan_begin(text, strlen(text));
}

static void test_place(void **state)
{
	struct faa_scan scan = scan_text("ab.c_1 \t\r\nx");
	struct faa_asm_error error;
	char buffer[64];

	assert_int_equal(faa_scan_word(&scan, "."), 6);
	assert_int_equal(faa_scan_mark(&scan).column, 7);
	faa_scan_blank(&scan);
	assert_string_equal(faa_scan_show(&scan, buffer), "the end of the line");
	faa_scan_newline(&scan);
	assert_int_equal(faa_scan_peek(&scan), 'x');
	assert_int_equal(faa_scan_fail(&scan, &error, "no %s", "luck"), -EINVAL);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 1);
	assert_string_equal(error.text, "no luck");
	assert_int_equal(faa_scan_fail(&scan, NULL, "no report"), -EINVAL);
	assert_true(faa_scan_take(&scan, 'x'));
	assert_false(faa_scan_take(&scan, 'x'));
	assert_int_equal(faa_scan_peek(&scan), -1);
	assert_string_equal(faa_scan_show(&scan, buffer), "the end");
}

static void test_rest(void **state)
{
	struct faa_scan scan = scan_text("// one\ntwo");

	faa_scan_rest(&scan);
	assert_int_equal(faa_scan_peek(&scan), '\n');
	faa_scan_newline(&scan);
	faa_scan_rest(&scan);
	assert_int_equal(faa_scan_peek(&scan), -1);
}

static void test_show(void **state)
{
	char text[64], buffer[64];
	struct faa_scan scan;

	memset(text, 'a', sizeof(text));
	scan = faa_scan_begin(text, sizeof(text));
	assert_int_equal(strlen(faa_scan_show(&scan, buffer)), 40 + 5);
	scan = scan_text(";");
	assert_string_equal(faa_scan_show(&scan, buffer), "';'");
	scan = scan_text("\xff");
	assert_string_equal(faa_scan_show(&scan, buffer), "byte 0xff");
}

static void check_number(const char *text, int ret, uint64_t number)
{
	struct faa_scan scan = scan_text(text);
	uint64_t value = 0;

	assert_int_equal(faa_scan_number(&scan, &value), ret);
	assert_true(value == number);
	assert_true(ret ? scan.at == text : scan.at > text);
}

static void test_number(void **state)
{
	check_number("0", 0, 0);
	check_number("400]", 0, 400);
	check_number("0x1fff,", 0, 0x1fff);
	check_number("0XfF", 0, 0xff);
	check_number("18446744073709551615", 0, UINT64_MAX);
	check_number("0xffffffffffffffff", 0, UINT64_MAX);
	check_number("18446744073709551616", -ERANGE, 0);
	check_number("0x10000000000000000", -ERANGE, 0);
	check_number("", -EINVAL, 0);
	check_number("0x", -EINVAL, 0);
	check_number("12a", -EINVAL, 0);
	check_number("0x12g", -EINVAL, 0);
	check_number("-1", -EINVAL, 0);
}

static void test_word_is(void **state)
{
	assert_true(faa_word_is("atoms.", 5, "ATOMS"));
	assert_false(faa_word_is("ATOM", 4, "ATOMS"));
	assert_false(faa_word_is("ATOMSX", 6, "ATOMS"));
	assert_true(faa_word_is("f16X2", 5, "F16x2"));
}

static void test_output(void **state)
{
	struct faa_output output = { 0 };
	char big[1000];
	void *data;
	size_t size;

	memset(big, 'b', sizeof(big));
	faa_output_text(&output, "a");
	faa_output_add(&output, big, sizeof(big));
	faa_output_format(&output, "%d%s", 12, "c");
	faa_output_add(&output, "", 0);
	assert_int_equal(faa_output_finish(&output, &data, &size), 0);
	assert_int_equal(size, 1004);
	assert_string_equal((char *)data + 1000, "b12c");
	free(data);
	assert_int_equal(faa_output_finish(&output, &data, &size), 0);
	assert_int_equal(size, 0);
	free(data);
	faa_output_text(&output, "dropped");
	faa_output_drop(&output);
	assert_null(output.bytes);
}

static void test_dispatch(void **state)
{
	struct faa_asm_error error;
	struct faa_asm_code *code = (void *)1;
	struct faa_asm_variable variable;
	size_t count;

	assert_int_equal(faa_asm_read((enum faa_asm_syntax)99, FAA_ASM_TEXT, "", 0, &code, &error),
			 -EOPNOTSUPP);
	assert_null(code);
	assert_string_equal(error.text, "there is no language 99");
	assert_int_equal(faa_asm_read_errors((enum faa_asm_syntax)99, FAA_ASM_TEXT, "", 0, &code,
					     &error, 1, &count),
			 -EOPNOTSUPP);
	assert_int_equal(count, 1);
	assert_string_equal(error.text, "there is no language 99");
	assert_int_equal(faa_asm_read(FAA_ASM_SASS, (enum faa_asm_format)9, "", 0, &code, &error),
			 -EOPNOTSUPP);
	assert_string_equal(error.text, "there is no form 9");
	assert_int_equal(faa_asm_read(FAA_ASM_SASS, FAA_ASM_CISA, "", 0, &code, &error),
			 -EOPNOTSUPP);
	assert_string_equal(error.text, "sass has no CISA form");
	assert_int_equal(error.line, 0);
	assert_int_equal(faa_asm_read(FAA_ASM_SASS, FAA_ASM_TEXT, "NOP", 3, &code, &error), 0);
	assert_int_equal(faa_asm_choose(code, "k", &error), -EOPNOTSUPP);
	assert_string_equal(error.text, "sass has no names of kernels");
	assert_false(faa_asm_variable(code, 0, &variable));
	faa_asm_destroy(code);
	faa_asm_destroy(NULL);
}

/* Text of a language, and its errors, one in a line. */
static void check_errors(enum faa_asm_syntax syntax, const char *source, size_t capacity,
			 const char *want)
{
	struct faa_asm_error errors[8];
	struct faa_asm_code *code = (void *)1;
	char text[1024] = "";
	size_t count, i, n = 0;
	int ret = faa_asm_read_errors(syntax, FAA_ASM_TEXT, source, strlen(source), &code, errors,
				      capacity, &count);

	for (i = 0; i < count; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%u:%u: %.30s\n", errors[i].line,
				      errors[i].column, errors[i].text);
	assert_string_equal(text, want);
	assert_int_equal(ret, count ? -EINVAL : 0);
	assert_true(!code == (count > 0));
	faa_asm_destroy(code);
}

static void test_errors(void **state)
{
	static const char sass
		[] = "ATOMS.FOO R0, [R1], R2; NOP;\nNOP\nATOMS.ADD R0, [R1+2], R2\nFOO; BAR\n@P9 NOP;\n",
	    visa[] =
		    ".version 3.6\n.kernel \"k\"\n.decl V32 v_type=G type=uq num_elts=8\n"
		    "svm_atomic.foo (M1, 8) V32.0\nsvm_atomic.inc (M1, 8) V32.0 V33.0 %null.0 %null.0\n"
		    "ret (M1, 1)\n/* over\nlines */ ret (M1, 1) x\nsvm_atomic.inc (M1, 3) V32.0 %null.0 %null.0 %null.0\n";

	(void)state;
	check_errors(FAA_ASM_SASS, sass, 8,
		     "1:6: ATOMS needs an operation, .ADD\n3:19: the low 2 bits of an offset mu\n"
		     "4:1: an instruction is expected, AT\n4:6: not supported: instruction 'BA\n"
		     "5:2: 'P9' is no predicate: there ar\n");
	check_errors(FAA_ASM_SASS, sass, 2,
		     "1:6: ATOMS needs an operation, .ADD\n3:19: the low 2 bits of an offset mu\n");
	check_errors(
		FAA_ASM_VISA, visa, 8,
		"4:12: svm_atomic has no operation 'f\n5:30: V33: undefined raw operand var\n8:22: the line should end here, not \n"
		"9:21: execution size 3: it is 1, 2, \n");
	/* A rejected declaration causes no further errors. */
	check_errors(
		FAA_ASM_VISA,
		".version 3.6\n.kernel \"k\"\n.decl V32 v_type=G type=uq num_elts=8\n.decl V33 v_type=G type=xx num_elts=8\n"
		"svm_atomic.inc (M1, 8) V32.0 V33.0 %null.0 %null.0\nfoo\n",
		8, "4:25: 'xx' is no type of a variable\n6:1: 'foo' is no instruction of vIS\n");
	check_errors(FAA_ASM_SASS, "NOP;", 8, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place),	 cmocka_unit_test(test_rest),
		cmocka_unit_test(test_show),	 cmocka_unit_test(test_number),
		cmocka_unit_test(test_word_is),	 cmocka_unit_test(test_output),
		cmocka_unit_test(test_dispatch), cmocka_unit_test(test_errors),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
