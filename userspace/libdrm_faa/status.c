// SPDX-License-Identifier: MIT
/* Status records: as text, as an errno, and as a job that resumes. */
#include "decode.h"
#include "error.h"
#include "text.h"

#include <errno.h>
#include <string.h>

/* How the address of a status record is worded. */
enum wording {
	WORDING_NONE,
	WORDING_ADDRESS,
	WORDING_WORD,
	WORDING_COUNT,
	WORDING_OFFSET,
	WORDING_TARGET,
	WORDING_FIELD,
	WORDING_COORDINATE,
	WORDING_BANK,
};

/* Known parts of the position at which a job stopped. */
enum place {
	PLACE_NONE,
	PLACE_COMMAND,
	PLACE_LANE,
	PLACE_BEFORE,
};

struct error_info {
	unsigned char wording;
	unsigned char place;
	/* Whether a job can resume exactly there. */
	bool precise;
	int errnum;
};

static const struct error_info status_errors[] = {
	[FAA_ERROR_SUCCESS] = { WORDING_NONE, PLACE_NONE, false, 0 },
	[FAA_ERROR_ILLEGAL_COMMAND] = { WORDING_WORD, PLACE_COMMAND, true, EINVAL },
	[FAA_ERROR_BAD_LENGTH] = { WORDING_WORD, PLACE_COMMAND, true, EINVAL },
	[FAA_ERROR_TRUNCATED] = { WORDING_NONE, PLACE_COMMAND, true, EINVAL },
	[FAA_ERROR_RESERVED_BITS] = { WORDING_WORD, PLACE_COMMAND, true, EINVAL },
	[FAA_ERROR_ILLEGAL_OPERATION] = { WORDING_WORD, PLACE_COMMAND, true, EINVAL },
	[FAA_ERROR_ILLEGAL_OPERAND] = { WORDING_WORD, PLACE_COMMAND, true, EINVAL },
	[FAA_ERROR_BAD_COUNT] = { WORDING_COUNT, PLACE_COMMAND, true, EINVAL },
	[FAA_ERROR_BAD_OFFSET] = { WORDING_OFFSET, PLACE_COMMAND, true, EINVAL },
	[FAA_ERROR_BAD_JUMP] = { WORDING_TARGET, PLACE_COMMAND, true, EINVAL },
	[FAA_ERROR_MISALIGNED] = { WORDING_ADDRESS, PLACE_LANE, true, EINVAL },
	[FAA_ERROR_OUT_OF_WINDOW] = { WORDING_ADDRESS, PLACE_LANE, true, EINVAL },
	[FAA_ERROR_OUT_OF_RANGE] = { WORDING_ADDRESS, PLACE_LANE, true, EINVAL },
	[FAA_ERROR_NON_CANONICAL] = { WORDING_ADDRESS, PLACE_LANE, true, EINVAL },
	[FAA_ERROR_NOT_MAPPED] = { WORDING_ADDRESS, PLACE_LANE, true, EFAULT },
	[FAA_ERROR_NOT_WRITABLE] = { WORDING_ADDRESS, PLACE_LANE, true, EFAULT },
	[FAA_ERROR_NOT_ATOMIC] = { WORDING_ADDRESS, PLACE_LANE, true, EFAULT },
	[FAA_ERROR_BAD_PAGE_TABLE] = { WORDING_ADDRESS, PLACE_LANE, true, EFAULT },
	[FAA_ERROR_BUS_ERROR] = { WORDING_ADDRESS, PLACE_LANE, false, EFAULT },
	[FAA_ERROR_BAD_DESCRIPTOR] = { WORDING_FIELD, PLACE_NONE, false, EINVAL },
	[FAA_ERROR_TRAP] = { WORDING_COORDINATE, PLACE_LANE, true, EINVAL },
	[FAA_ERROR_BAD_HEADER] = { WORDING_ADDRESS, PLACE_LANE, true, EINVAL },
	[FAA_ERROR_BANK_RANGE] = { WORDING_BANK, PLACE_LANE, true, EINVAL },
	[FAA_ERROR_STOPPED] = { WORDING_NONE, PLACE_BEFORE, true, ECANCELED },
	[FAA_ERROR_KILLED] = { WORDING_NONE, PLACE_BEFORE, true, ECANCELED },
	[FAA_ERROR_CU_RESET] = { WORDING_NONE, PLACE_BEFORE, false, ECANCELED },
	[FAA_ERROR_TIMEOUT] = { WORDING_NONE, PLACE_BEFORE, false, ETIMEDOUT },
	[FAA_ERROR_CANCELLED] = { WORDING_NONE, PLACE_NONE, true, ECANCELED },
	[FAA_ERROR_DEVICE_LOST] = { WORDING_NONE, PLACE_NONE, false, ENODEV },
};

#define ERROR_COUNT (sizeof(status_errors) / sizeof(status_errors[0]))

/* By code from FAA_JOB_NOT_SUBMITTED on: jobs without a record. */
static const struct error_info status_job_errors[] = {
	{ WORDING_NONE, PLACE_NONE, true, ENOENT },
	{ WORDING_NONE, PLACE_NONE, false, EBUSY },
	{ WORDING_NONE, PLACE_NONE, false, ENODATA },
};

static const char *const status_job_texts[] = {
	"not submitted",
	"had not ended when its status was taken",
	"has ended, but its status record was overwritten by that of a later job",
};

#define JOB_ERROR_COUNT (sizeof(status_job_errors) / sizeof(status_job_errors[0]))

/* Index in these tables; JOB_ERROR_COUNT and more for other codes. */
static uint32_t status_job_error(uint32_t code)
{
	return code - FAA_JOB_NOT_SUBMITTED;
}

static const struct error_info *status_info_of(uint32_t code)
{
	static const struct error_info unknown = { WORDING_ADDRESS, PLACE_LANE, false, EIO };

	if (status_job_error(code) < JOB_ERROR_COUNT)
		return &status_job_errors[status_job_error(code)];
	return code < ERROR_COUNT && (!code || status_errors[code].errnum) ? &status_errors[code] :
									     &unknown;
}

const char *faa_error_text(uint32_t code)
{
	const size_t count = sizeof(faa_error_texts) / sizeof(faa_error_texts[0]);

	if (status_job_error(code) < JOB_ERROR_COUNT)
		return status_job_texts[status_job_error(code)];
	return code < count && faa_error_texts[code] ? faa_error_texts[code] : "unknown error";
}

/* A record of zeros belongs to no job: the first job of a queue has number 1. */
static uint32_t status_code_of(const struct faa_job_status *status)
{
	return status->seqno || status->code ? status->code : FAA_JOB_NOT_SUBMITTED;
}

/* A result of another version of the headers: unknown members say nothing about the errors. */
static struct faa_job_status status_own(const struct faa_job_status *status, size_t size)
{
	struct faa_job_status own;

	faa_struct_write(&own, sizeof(own), status, size);
	return own;
}

int faa_status_errno_sized(const struct faa_job_status *status, size_t status_size)
{
	struct faa_job_status own = status_own(status, status_size);

	return -status_info_of(status_code_of(&own))->errnum;
}

/* Puts the address after the word "address" of the text, or at the end of a text without it. */
static void status_put_address(struct faa_text *text, const char *what, uint64_t address)
{
	const char *word = strstr(what, "address");
	size_t head = word ? (size_t)(word - what) + strlen("address") : strlen(what);

	faa_text(text, "%.*s%s 0x%llx%s", (int)head, what, word ? "" : ", address",
		 (unsigned long long)address, what + head);
}

/* Names the coordinate, its value and the surface. */
static void status_put_coordinate(struct faa_text *text, const char *what, uint64_t address)
{
	static const char *const names[] = { "x", "y or layer", "z or layer", "?" };

	faa_text(text, "%s (%s = %d, surface of header %llu)", what,
		 names[FAA_GET(TRAP_WHICH, address)], (int)FAA_GET(TRAP_COORDINATE, address),
		 FAA_GET(TRAP_HEADER, address));
}

static void status_put_cause(struct faa_text *text, const struct faa_job_status *status)
{
	const char *what = faa_error_text(status->code);
	unsigned long long address = status->address;

	switch (status_info_of(status->code)->wording) {
	case WORDING_ADDRESS:
		status_put_address(text, what, status->address);
		return;
	case WORDING_WORD:
		faa_text(text, "%s (word 0x%016llx)", what, address);
		return;
	case WORDING_COUNT:
		faa_text(text, "%s (count %llu)", what, address);
		return;
	case WORDING_OFFSET:
		faa_text(text, "%s (offset 0x%llx)", what, address);
		return;
	case WORDING_TARGET:
		faa_text(text, "%s (to byte %lld)", what, (long long)status->address);
		return;
	case WORDING_FIELD:
		faa_text(text, "%s (byte %llu)", what, address);
		return;
	case WORDING_COORDINATE:
		status_put_coordinate(text, what, status->address);
		return;
	case WORDING_BANK:
		faa_text(text, "%s (byte 0x%llx)", what, address);
		return;
	default:
		faa_text(text, "%s", what);
	}
}

/*
 * The driver writes the record of a job that the device did not end, and does not know its
 * position.
 */
static bool status_place_known(const struct faa_job_status *status)
{
	return status->code != FAA_ERROR_TIMEOUT || status->end_cycle;
}

/*
 * Index of the command at byte @offset, counted from the start of the stream; -1 if none begins
 * there.
 */
static int64_t status_command_index(const uint64_t *words, size_t count, uint32_t offset)
{
	struct faa_decoded decoded;
	int64_t index = 0;
	size_t at = 0;

	if (!words || offset % 8)
		return -1;
	while (at < count && at < offset / 8) {
		faa_decode(words + at, count - at, &decoded);
		at += decoded.words;
		index++;
	}
	return at == offset / 8 ? index : -1;
}

static void status_put_command(struct faa_text *text, const char *preposition, uint32_t offset,
			       int64_t index)
{
	if (index >= 0)
		faa_text(text, " %s command %lld", preposition, (long long)index);
	else
		faa_text(text, " %s the command at byte 0x%x", preposition, offset);
}

/*
 * Finds the innermost loop around word @at: from the target of a backward JUMP to that JUMP. False
 * if there is none.
 */
static bool status_find_loop(const uint64_t *words, size_t count, size_t at, size_t *first,
			     size_t *last)
{
	struct faa_decoded decoded;
	size_t span = SIZE_MAX, jump;

	for (jump = 0; words && jump < count; jump += decoded.words) {
		int64_t target;

		faa_decode(words + jump, count - jump, &decoded);
		if (jump < at || decoded.error || decoded.vector.opcode != FAA_OPCODE_JUMP)
			continue;
		target =
			(int64_t)jump + (int32_t)(uint32_t)FAA_GET(JUMP_TARGET, decoded.control[0]);
		if (target < 0 || (uint64_t)target > at || jump - (size_t)target >= span)
			continue;
		*first = (size_t)target;
		*last = jump;
		span = jump - *first;
	}
	return span != SIZE_MAX;
}

/* Names the loop in which a job was stopped: the command alone says little about it. */
static void status_put_loop(struct faa_text *text, const struct faa_job_status *status,
			    const uint64_t *words, size_t count)
{
	int64_t head, tail;
	size_t first, last;

	if (status_info_of(status->code)->place != PLACE_BEFORE || !status_place_known(status) ||
	    !status_find_loop(words, count, status->command / 8, &first, &last))
		return;
	head = status_command_index(words, count, (uint32_t)first * 8);
	tail = status_command_index(words, count, (uint32_t)last * 8);
	if (head < 0)
		return;
	if (head == tail)
		faa_text(text, ", which jumps to itself");
	else
		faa_text(text, ", in the loop of commands %lld to %lld", (long long)head,
			 (long long)tail);
}

static void status_put_place(struct faa_text *text, const struct faa_job_status *status,
			     int64_t index)
{
	if (!status_place_known(status)) {
		faa_text(text, " at an unknown place");
		return;
	}
	switch (status_info_of(status->code)->place) {
	case PLACE_COMMAND:
		status_put_command(text, "at", status->command, index);
		break;
	case PLACE_LANE:
		status_put_command(text, "at", status->command, index);
		faa_text(text, ", element %u, lane %u", status->element, status->lane);
		break;
	case PLACE_BEFORE:
		status_put_command(text, "before", status->command, index);
		faa_text(text, ", element %u", status->element);
		break;
	default:
		break;
	}
}

/* Puts the reason why a command is malformed. */
static void status_put_reason(struct faa_text *text, const struct faa_job_status *status,
			      const uint64_t *words, size_t count)
{
	size_t at = status->command / 8;
	struct faa_decoded decoded;

	if (!words || at >= count || status_info_of(status->code)->place != PLACE_COMMAND)
		return;
	faa_decode(words + at, count - at, &decoded);
	if (decoded.error == status->code && decoded.why)
		faa_text(text, ": %s", decoded.why);
}

size_t faa_status_format_sized(const struct faa_job_status *given, size_t status_size,
			       const uint64_t *words, size_t count, char *buffer, size_t size)
{
	const struct faa_job_status own = status_own(given, status_size), *status = &own;
	struct faa_text text = { buffer, size, 0 };

	if (size)
		buffer[0] = '\0';
	if (status_code_of(status) == FAA_JOB_NOT_SUBMITTED) {
		faa_text(&text, "no job: it was not submitted");
		return text.length;
	}
	faa_text(&text, "job %llu: ", (unsigned long long)status->seqno);
	status_put_cause(&text, status);
	if (status->code == FAA_ERROR_SUCCESS)
		faa_text(&text, ", %llu elements in %u warps",
			 (unsigned long long)status->elements_retired, status->warps);
	status_put_place(&text, status, status_command_index(words, count, status->command));
	status_put_loop(&text, status, words, count);
	status_put_reason(&text, status, words, count);
	return text.length;
}

/* Whether a JUMP at word @from or later goes back to before it. */
static bool status_jumps_before(const uint64_t *words, size_t count, size_t from)
{
	struct faa_decoded decoded;
	size_t at = from;

	while (at < count) {
		faa_decode(words + at, count - at, &decoded);
		if (!decoded.error && decoded.vector.opcode == FAA_OPCODE_JUMP) {
			int32_t distance =
				(int32_t)(uint32_t)FAA_GET(JUMP_TARGET, decoded.control[0]);

			if ((int64_t)at + distance < (int64_t)from)
				return true;
		}
		at += decoded.words;
	}
	return false;
}

static int status_restart(const struct faa_job_status *status, const uint64_t *words, size_t count,
			  struct faa_job *job)
{
	uint32_t first;

	if (status_code_of(status) == FAA_ERROR_SUCCESS)
		return faa_fail(-EALREADY, "restart: the job succeeded");
	if (!status_info_of(status_code_of(status))->precise)
		return faa_fail(-EIO, "restart: where the job stopped is not known: %s",
				faa_error_text(status_code_of(status)));
	if (status_code_of(status) == FAA_ERROR_CANCELLED ||
	    status_code_of(status) == FAA_JOB_NOT_SUBMITTED)
		return 0;
	if (job->stream_bytes != count * 8)
		return faa_fail(-EINVAL, "restart: a job of %u bytes, and a stream of %zu words",
				job->stream_bytes, count);
	if (status->command % 8 || status->command >= job->stream_bytes)
		return faa_fail(-EINVAL, "restart: byte 0x%x is no command of the stream",
				status->command);
	if (status_jumps_before(words, count, status->command / 8))
		return faa_fail(-EINVAL,
				"restart: the rest of the stream jumps back to before byte 0x%x",
				status->command);
	first = status->element & ~(uint32_t)(FAA_LANES - 1);
	/*
	 * A command that could not be fetched reports element 0, but the elements before the first
	 * one are done.
	 */
	if (!status->command && !status->elements_retired && first < job->first_element)
		first = job->first_element;
	job->stream_va += status->command;
	job->stream_bytes -= status->command;
	job->first_element = first;
	return 0;
}

int faa_status_restart_sized(const struct faa_job_status *status, size_t status_size,
			     const uint64_t *words, size_t count, struct faa_job *job,
			     size_t job_size)
{
	struct faa_job_status own = status_own(status, status_size);
	struct faa_job rest;
	int ret = faa_struct_read(&rest, sizeof(rest), job, job_size, "faa_job");

	if (!ret)
		ret = status_restart(&own, words, count, &rest);
	if (!ret)
		faa_struct_write(job, job_size, &rest, sizeof(rest));
	return ret;
}
