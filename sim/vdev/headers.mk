# SPDX-License-Identifier: Apache-2.0
#
# The makefile that Verilator writes for the model PREFIX, with the headers of the model
# precompiled, once for each level of optimization: most files of a large model take longer for its
# headers than for their own content. Since 5.028 Verilator's makefile does it itself.
#
#   make -C DIRECTORY -f headers.mk PREFIX=V... [TARGET]

include $(PREFIX).mk

# A model compiled by clang runs one and a half times as fast as one compiled by g++. Verilator's
# own runtime is compiled by g++, as it then needs no libatomic. A Verilator that precompiles the
# headers itself does so for its configured compiler, which is kept.
verilators_own := $(wildcard $(PREFIX)__pch.h)
ifneq ($(if $(verilators_own),,$(shell command -v clang++)),)
$(VK_GLOBAL_OBJS): private CXX := $(CXX)
$(VK_GLOBAL_OBJS): private CPPFLAGS := $(CPPFLAGS)
CXX := clang++
# Verilator nests expressions deeply.
CPPFLAGS += -fbracket-depth=4096
# GVN looks far back for the memory that a load reads, which takes a tenth of the compile time and
# makes no model faster.
CPPFLAGS += -mllvm -enable-gvn-memdep=false
# ccache identifies a header by its content.
precompiled := -Xclang -fno-pch-timestamp
else
precompiled := -fpch-preprocess
endif

# Functions that write a waveform are long lists of signals: of a large model, such as full, -O2
# takes ten minutes for them, -O0 one. The waveform is then written at a fifth of the speed.
trace := $(foreach object,$(VK_FAST_OBJS),$(if $(findstring __Trace__,$(object)),$(object)))
ifneq ($(if $(verilators_own),,$(word 20,$(trace))),)
$(trace): private override OPT_FAST := $(OPT_SLOW)
else
trace :=
endif

# Not worth the time for up to a dozen files
many := $(word 13,$(VK_FAST_OBJS) $(VK_SLOW_OBJS))
ifneq ($(if $(verilators_own),,$(many)),)
FAST_OBJS := $(filter-out $(trace),$(VK_FAST_OBJS)) $(VK_USER_OBJS)
SLOW_OBJS := $(VK_SLOW_OBJS) $(trace)

all_FAST.h all_SLOW.h: $(PREFIX).mk
	printf '#include "%s"\n' verilated.h $(PREFIX)__Syms.h >$@

# clang writes absolute file names into a precompiled header, and reads these files later: ccache
# may only return headers that were made in this directory (EXTRAFILES). For the objects, ccache
# reads the checksum instead of 70 MB per file. The checksum is that of the headers' text, so an
# object is found from any directory.
all_FAST.h.gch all_SLOW.h.gch: all_%.h.gch: all_%.h
	printf '%s\n' '$(CURDIR)' >$@.where
	CCACHE_EXTRAFILES=$@.where $(OBJCACHE) $(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_$*) $(precompiled) -x c++-header -c -o $@ $<
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_$*) -x c++-header -E -P $< | sha256sum >$@.sum

$(FAST_OBJS): all_FAST.h.gch
$(FAST_OBJS): private CPPFLAGS += -include all_FAST.h $(precompiled)
$(SLOW_OBJS): all_SLOW.h.gch
$(SLOW_OBJS): private CPPFLAGS += -include all_SLOW.h $(precompiled)
endif
