# SPDX-License-Identifier: Apache-2.0
#
# Verilator's makefile of the model PREFIX, but the model's headers are compiled once for each level of optimization. Most files
# of a large model take longer for its headers than for their own content. Since 5.028 Verilator's makefile does it itself.
#
#   make -C DIRECTORY -f headers.mk PREFIX=V... [TARGET]

include $(PREFIX).mk

# A model that clang compiles runs one and a half times as fast as g++'s. Verilator's own runtime stays g++'s: it then needs no
# libatomic. A Verilator that compiles the headers itself does it for the compiler that it was configured with, so that stays.
verilators_own := $(wildcard $(PREFIX)__pch.h)
ifneq ($(if $(verilators_own),,$(shell command -v clang++)),)
$(VK_GLOBAL_OBJS): private CXX := $(CXX)
$(VK_GLOBAL_OBJS): private CPPFLAGS := $(CPPFLAGS)
CXX := clang++
# Verilator nests expressions deeply.
CPPFLAGS += -fbracket-depth=4096
# For ccache a header is its content.
precompiled := -Xclang -fno-pch-timestamp
else
precompiled := -fpch-preprocess
endif

# Not worth it for a dozen files
many := $(word 13,$(VK_FAST_OBJS) $(VK_SLOW_OBJS))
ifneq ($(if $(verilators_own),,$(many)),)
FAST_OBJS := $(VK_FAST_OBJS) $(VK_USER_OBJS)
SLOW_OBJS := $(VK_SLOW_OBJS)

all_FAST.h all_SLOW.h: $(PREFIX).mk
	printf '#include "%s"\n' verilated.h $(PREFIX)__Syms.h >$@

# clang writes absolute file names into a precompiled header, and reads these files later: ccache must
# give back only what was made in this directory (EXTRAFILES). For the objects, ccache takes the sum
# instead of reading 70 MB for each file. It is that of the headers' text, so an object is found again
# from any directory.
all_FAST.h.gch all_SLOW.h.gch: all_%.h.gch: all_%.h
	printf '%s\n' '$(CURDIR)' >$@.where
	CCACHE_EXTRAFILES=$@.where $(OBJCACHE) $(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_$*) $(precompiled) -x c++-header -c -o $@ $<
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_$*) -x c++-header -E -P $< | sha256sum >$@.sum

$(FAST_OBJS): all_FAST.h.gch
$(FAST_OBJS): private CPPFLAGS += -include all_FAST.h $(precompiled)
$(SLOW_OBJS): all_SLOW.h.gch
$(SLOW_OBJS): private CPPFLAGS += -include all_SLOW.h $(precompiled)
endif
