// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <drm/faa_drm.h>

#include "faa_isa.h"

#define CREATE_TRACE_POINTS
#include "faa_trace.h"
