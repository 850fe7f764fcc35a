# SPDX-License-Identifier: MIT

CFLAGS += -std=gnu11 -O2 -Wall -Wno-sign-compare -Wno-missing-field-initializers
CFLAGS += $(KHDR_INCLUDES) -I$(top_srcdir)/drivers/gpu/drm/faa -I$(selfdir)
LDLIBS += -lpthread

TEST_GEN_PROGS := @PROGRAMS@

# Each needs a device, parameters of the module, or (pieces) a kernel with
# CONFIG_PREEMPT; its first comment says which.
TEST_GEN_PROGS_EXTENDED := @EXTENDED@

top_srcdir ?= ../../../../..
LOCAL_HDRS := faa_coverage.h faa_test.h faa_load.h faa_encode.h

include ../../lib.mk

helpers := $(OUTPUT)/faa_test.o $(OUTPUT)/faa_coverage.o $(OUTPUT)/faa_ioctl.o $(OUTPUT)/faa_load.o

$(helpers): $(OUTPUT)/%.o: %.c $(LOCAL_HDRS)
	$(CC) $(CFLAGS) -c $< -o $@

$(TEST_GEN_PROGS) $(TEST_GEN_PROGS_EXTENDED): $(helpers)

EXTRA_CLEAN := $(helpers)
