# SPDX-License-Identifier: MIT

CFLAGS += -std=gnu11 -O2 -Wall -Wno-sign-compare -Wno-missing-field-initializers
CFLAGS += $(KHDR_INCLUDES) -I$(top_srcdir)/drivers/gpu/drm/faa -I$(selfdir)
LDLIBS += -lpthread

TEST_GEN_PROGS := @PROGRAMS@

# Each needs a device, parameters of the module, or (pieces) a kernel with
# CONFIG_PREEMPT; its first comment says which.
TEST_GEN_PROGS_EXTENDED := @EXTENDED@

top_srcdir ?= ../../../../..
LOCAL_HDRS := faa_test.h faa_encode.h

include ../../lib.mk

$(OUTPUT)/faa_test.o: faa_test.c $(LOCAL_HDRS)
	$(CC) $(CFLAGS) -c $< -o $@

$(TEST_GEN_PROGS) $(TEST_GEN_PROGS_EXTENDED): $(OUTPUT)/faa_test.o

EXTRA_CLEAN := $(OUTPUT)/faa_test.o
