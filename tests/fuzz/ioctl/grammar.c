// SPDX-License-Identifier: MIT
/* Structures, calls and limits of the interface. */
#include "fuzz.h"

#include "drm/faa_drm.h"
#include "ioctl_grammar.h"
