// SPDX-License-Identifier: MIT
/* The engines that this program was linked with. */
#include <string.h>

#include "tb_host.h"
#include "tb_waves.h"

static const struct faa_engine_ops *const engines[] = {
	&faa_engine_model,
#ifdef TB_HAVE_RTL
	&faa_engine_rtl,
#endif
};

const struct faa_engine_ops *tb_engine(const char *name)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	return NULL;
}

bool tb_traces(void)
{
#ifdef FAA_RTL_TRACE
	return true;
#else
	return false;
#endif
}
