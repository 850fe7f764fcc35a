// SPDX-License-Identifier: MIT
/*
 * Instructions as hexadecimal bytes, one per line; blanks between bytes and comments are allowed.
 */
#include <errno.h>
#include <stdlib.h>

#include "../asm/output.h"
#include "../asm/scan.h"
#include "visa.h"

/* One more than an instruction can have, to detect lines that are too long. */
#define LINE_BYTES (VISA_SVM_BYTES + 1)

static int hex_digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool hex_at_comment(const struct faa_scan *scan)
{
	int c = faa_scan_peek(scan);

	return c == '#' || (c == '/' && scan->end - scan->at > 1 && scan->at[1] == '/');
}

/* Reads the bytes of a line. */
static int hex_read_line(struct faa_scan *scan, uint32_t number, uint8_t *bytes, size_t *count,
			 struct faa_asm_error *error)
{
	char shown[64];

	*count = 0;
	for (;;) {
		int high, low;

		faa_scan_blank(scan);
		if (hex_at_comment(scan))
			faa_scan_rest(scan);
		if (faa_scan_peek(scan) < 0 || faa_scan_peek(scan) == '\n')
			return 0;
		high = hex_digit(faa_scan_peek(scan));
		low = high >= 0 && scan->end - scan->at > 1 ?
			      hex_digit((unsigned char)scan->at[1]) :
			      -1;
		if (high < 0)
			return faa_asm_fail(error, number, (uint32_t)*count + 1,
					    "a byte in hexadecimal digits belongs here, not %s",
					    faa_scan_show(scan, shown));
		if (low < 0)
			return faa_asm_fail(error, number, (uint32_t)*count + 1,
					    "a byte has two hexadecimal digits");
		if (*count == LINE_BYTES)
			return faa_asm_fail(
				error, number, (uint32_t)*count + 1,
				"more bytes than one instruction has; a line holds one");
		bytes[(*count)++] = (uint8_t)(high << 4 | low);
		scan->at += 2;
	}
}

static int hex_read_lines(struct visa_code *code, struct faa_scan *scan,
			  struct faa_asm_error *error)
{
	uint8_t bytes[LINE_BYTES];
	size_t count, used;
	int ret;

	for (;;) {
		uint32_t number = code->insts.count + 1;

		ret = hex_read_line(scan, number, bytes, &count, error);
		if (ret)
			return ret;
		if (count) {
			ret = visa_decode(code, bytes, count, &used, number, error);
			if (ret)
				return ret;
			if (used < count)
				return faa_asm_fail(
					error, number, (uint32_t)used + 1,
					"the instruction ends after %zu bytes; a line holds one",
					used);
		}
		if (faa_scan_peek(scan) < 0)
			return 0;
		faa_scan_newline(scan);
	}
}

int visa_read_hex(const void *data, size_t size, struct faa_asm_code **result,
		  struct faa_asm_error *error)
{
	struct faa_scan scan = faa_scan_begin(data, size);
	struct visa_code *code = visa_create();
	int ret;

	if (!code)
		return -ENOMEM;
	ret = hex_read_lines(code, &scan, error);
	if (ret)
		visa_destroy(&code->base);
	else
		*result = &code->base;
	return ret;
}

int visa_write_hex(const struct faa_asm_code *base, void **data, size_t *size,
		   struct faa_asm_error *error)
{
	static const char digits[] = "0123456789abcdef";
	const struct visa_code *code = (const struct visa_code *)base;
	struct faa_output output = { 0 };
	uint32_t i;

	for (i = 0; i < code->insts.count && faa_output_room(&output, 2 * VISA_SVM_BYTES + 1);
	     i++) {
		uint8_t bytes[VISA_SVM_BYTES];
		size_t count = visa_encode(&visa_insts(code)[i], bytes), j;
		char *line = output.bytes + output.size;

		for (j = 0; j < count; j++) {
			*line++ = digits[bytes[j] >> 4];
			*line++ = digits[bytes[j] & 15];
		}
		*line = '\n';
		output.size += 2 * count + 1;
	}
	return faa_output_finish(&output, data, size);
}
