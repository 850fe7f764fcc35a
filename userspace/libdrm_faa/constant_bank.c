// SPDX-License-Identifier: MIT
/* The constant bank of a program, in memory of the device. */
#include "error.h"
#include "table.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>

struct faa_constant_bank {
	struct faa_table table;
	uint32_t words;
};

int faa_constant_bank_create(struct faa_vm *vm, uint32_t words, struct faa_constant_bank **out)
{
	struct faa_constant_bank *bank;
	int ret;

	*out = NULL;
	if (!words || words > FAA_CONSTANT_WORDS)
		return faa_fail(-EINVAL, "constant bank: %u words: allowed are 1..%u", words,
				FAA_CONSTANT_WORDS);
	bank = calloc(1, sizeof(*bank));
	if (!bank)
		return faa_fail_memory("a constant bank");
	bank->words = words;
	ret = faa_table_create(&bank->table, vm, words);
	if (ret)
		faa_constant_bank_destroy(bank);
	else
		*out = bank;
	return ret;
}

void faa_constant_bank_destroy(struct faa_constant_bank *bank)
{
	if (!bank)
		return;
	faa_table_destroy(&bank->table);
	free(bank);
}

int faa_constant_bank_set(struct faa_constant_bank *bank, uint32_t index, uint32_t value)
{
	if (index >= bank->words)
		return faa_fail(-EINVAL, "constant bank: word %u of %u", index, bank->words);
	bank->table.words[index] = htole32(value);
	return 0;
}

int faa_constant_bank_config(const struct faa_constant_bank *bank, struct faa_stream *stream)
{
	return faa_stream_config_bank(stream, bank->table.va, bank->words * 4);
}
