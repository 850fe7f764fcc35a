// SPDX-License-Identifier: Apache-2.0
#include "faults.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_isa.h"
#include "faa_regs.h"

static const char *const fault_names[FAULT_KINDS] = {
	[FAULT_IGNORE_KILL] = "ignore-kill", [FAULT_IGNORE_RESET] = "ignore-reset",
	[FAULT_LOSE_IRQ] = "lose-irq",	     [FAULT_STICK_TLB] = "stick-tlb",
	[FAULT_STOP_AXI] = "stop-axi",	     [FAULT_READ_ONES] = "read-ones",
	[FAULT_IGNORE_FLR] = "ignore-flr",   [FAULT_LOSE_POWER] = "lose-power",
};

static int fault_unknown(const char *text, char *message, size_t size)
{
	size_t used = (size_t)snprintf(message, size, "there is no fault '%s'; there are:", text);

	for (unsigned int i = 0; i < FAULT_KINDS && used < size; i++)
		used += (size_t)snprintf(message + used, size - used, " %s", fault_names[i]);
	return -EINVAL;
}

/* Read a number at *@text, which then points after it. */
static bool fault_number(const char **text, uint64_t min, uint64_t *value)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*value = strtoull(*text, &end, 10);
	*text = end;
	return !errno && *value >= min && *value <= UINT32_MAX;
}

int faults_parse(struct faults *faults, const char *text, char *message, size_t size)
{
	const size_t length = strcspn(text, ":@");
	struct fault fault = { .count = UINT64_MAX };
	const char *rest = text + length;
	unsigned int kind;

	for (kind = 0; kind < FAULT_KINDS; kind++)
		if (strlen(fault_names[kind]) == length &&
		    !strncmp(text, fault_names[kind], length))
			break;
	if (kind == FAULT_KINDS)
		return fault_unknown(text, message, size);
	if (*rest == ':') {
		rest++;
		if (!fault_number(&rest, 1, &fault.count))
			goto bad_number;
	}
	if (*rest == '@') {
		rest++;
		if (!fault_number(&rest, 0, &fault.after))
			goto bad_number;
	}
	if (*rest)
		goto bad_number;
	if (faults->fault[kind].count) {
		snprintf(message, size, "the fault '%s' was given before", fault_names[kind]);
		return -EINVAL;
	}
	faults->fault[kind] = fault;
	faults->any = true;
	return 0;

bad_number:
	snprintf(message, size, "'%s' is not NAME[:COUNT][@AFTER] with numbers from 1, or 0, to %u",
		 text, UINT32_MAX);
	return -EINVAL;
}

void faults_reset(struct faults *faults)
{
	faults->axi_stopped = false;
	faults->read_ones = false;
}

bool faults_hit(struct faults *faults, enum fault_kind kind)
{
	struct fault *fault = &faults->fault[kind];

	if (!fault->count)
		return false;
	if (fault->after) {
		fault->after--;
		return false;
	}
	fault->count--;
	return true;
}

/* The driver writes TAIL of a queue. */
static void fault_doorbell(struct faults *faults)
{
	if (faults_hit(faults, FAULT_STOP_AXI))
		faults->axi_stopped = true;
	if (faults_hit(faults, FAULT_READ_ONES))
		faults->read_ones = true;
}

bool faults_register_write(struct faults *faults, uint32_t offset, uint32_t *value)
{
	if (!faults->any)
		return true;
	if (offset == FAA_REG_TLB_INV_REQUEST)
		return !faults_hit(faults, FAULT_STICK_TLB);
	for (unsigned int i = 0; i < FAA_MAX_CUS; i++)
		if (offset == FAA_REG_CU_CONTROL(i) && *value & FAA_REG_CU_CONTROL_RESET_MASK)
			return !faults_hit(faults, FAULT_IGNORE_RESET);
	for (unsigned int i = 0; i < FAA_MAX_QUEUES; i++) {
		if (offset == FAA_REG_QUEUE_TAIL(i))
			fault_doorbell(faults);
		if (offset == FAA_REG_QUEUE_CONTROL(i) &&
		    *value & FAA_REG_QUEUE_CONTROL_KILL_MASK &&
		    faults_hit(faults, FAULT_IGNORE_KILL))
			*value &= ~FAA_REG_QUEUE_CONTROL_KILL_MASK;
	}
	return true;
}
