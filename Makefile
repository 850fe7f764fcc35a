# SPDX-License-Identifier: MIT
# A thin front for Meson (user space, simulation), Kbuild (the driver) and the scripts; `make help` tells what there is.
build := build
engine ?= rtl
IMAGE ?= userspace/examples/photo.png
flavours := plain debug
export FAA_BUILD := $(CURDIR)/$(build)
# Debian's python3, whatever else is in the path
export PATH := /usr/bin:$(PATH)

.DELETE_ON_ERROR:
.PHONY: help setup build other-devices userland run test test-long docs check clean $(flavours:%=kernel-%) $(flavours:%=module-%)

help:
	@echo 'make run            install what is missing, build, and run the example on the co-simulated device'
	@echo '                    (engine=model for the C model, IMAGE=FILE.png for another photograph)'
	@echo 'make build          programs in $(build)/bin/, the kernel and the driver for the co-simulation'
	@echo 'make other-devices  a simulated device of four compute units, for faa-litmus'
	@echo 'make test           install what tests need, build, run all suites (SUITE=NN-name for one)'
	@echo 'make test-long      the same with more runs, seeds and mutants (FAA_LONG=1); takes hours'
	@echo 'make check          the static checks alone'
	@echo 'make docs           the documentation in $(build)/docs/html/'
	@echo 'make setup          install what is missing (Debian packages; as root)'
	@echo 'make clean          remove $(build)/; kernels and models stay in $${FAA_CACHE:-~/.cache/faa}'

setup:
	@sim/setup/setup.sh run

$(build)/build.ninja: meson.build | setup
	@meson setup $(build) --prefix=$(FAA_BUILD) --libdir=lib $(if $(CI),--werror) >/dev/null || { meson setup $(build) --prefix=$(FAA_BUILD) --libdir=lib; exit 1; }

userland: $(build)/build.ninja
	@nice ninja -C $(build) -j$$(nproc)
	@meson install -C $(build) --no-rebuild --only-changed --quiet

$(flavours:%=kernel-%): kernel-%: | setup
	@mkdir -p $(build)
	@dir=$$(sim/uml/build-kernel.sh $*) && ln -sfn "$$dir" $(build)/kernel-$*

$(flavours:%=module-%): module-%: kernel-% | userland
	@sim/uml/build-module.sh $*

# Those that faa-litmus, and with FAA_LONG faa-bench, take beside the usual one
other-devices: | userland
	@nice ninja -C $(build) -j$$(nproc) sim/vdev/faa-vdev-quad $(if $(FAA_LONG),tests/bench/faa-bench-ports)

build: userland module-plain

run: userland module-plain
	@$(build)/bin/histogram --engine=$(engine) $(IMAGE)

test:
	@sim/setup/setup.sh test
	@$(MAKE) --no-print-directory build other-devices module-debug
	@tests/run.sh $(SUITE)

test-long:
	@FAA_LONG=1 $(MAKE) --no-print-directory test

check:
	@sim/setup/setup.sh test
	@tests/run.sh 11-static 15-driver-static

docs:
	@sim/setup/setup.sh test
	@Documentation/build-docs.sh

clean:
	rm -rf $(build)
