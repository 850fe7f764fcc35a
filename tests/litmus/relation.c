// SPDX-License-Identifier: MIT
#include "execution.h"

struct relation relation_compose(const struct relation *a, const struct relation *b)
{
	struct relation c = { 0 };
	unsigned int i;

	for (i = 0; i < MODEL_MAX_EVENTS; i++)
		FOR_EACH_BIT(j, a->row[i])
	c.row[i] |= b->row[j];
	return c;
}

void relation_add(struct relation *a, const struct relation *b)
{
	unsigned int i;

	for (i = 0; i < MODEL_MAX_EVENTS; i++)
		a->row[i] |= b->row[i];
}

void relation_close(struct relation *a)
{
	unsigned int i, k;

	for (k = 0; k < MODEL_MAX_EVENTS; k++) {
		if (!a->row[k])
			continue;
		for (i = 0; i < MODEL_MAX_EVENTS; i++)
			if (a->row[i] & BIT(k))
				a->row[i] |= a->row[k];
	}
}

bool relation_irreflexive(const struct relation *a)
{
	unsigned int i;

	for (i = 0; i < MODEL_MAX_EVENTS; i++)
		if (a->row[i] & BIT(i))
			return false;
	return true;
}

bool relation_meets_back(const struct relation *a, const struct relation *b)
{
	unsigned int i;

	for (i = 0; i < MODEL_MAX_EVENTS; i++)
		FOR_EACH_BIT(j, a->row[i])
	if (b->row[j] & BIT(i))
		return true;
	return false;
}
