# SPDX-License-Identifier: MIT
# A thin front for Meson (user space, simulation), Kbuild (the driver) and the scripts; `make help`
# lists the targets.
build := build
engine ?= rtl
IMAGE ?= userspace/examples/photo.png
flavours := plain debug coverage
PREFIX ?= /usr/local
# The default device, which is faa-vdev
override device := $(filter-out sim,$(device))
define ninja
@nice ninja -C $(build) -j$$(nproc)
@env -u DESTDIR meson install -C $(build) --no-rebuild --only-changed --quiet
endef
export FAA_BUILD := $(CURDIR)/$(build)
# With ccache, a clean clone takes objects that another clone has compiled before.
export CCACHE_DIR ?= $(or $(FAA_CACHE),$(HOME)/.cache/faa)/ccache
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1
# Debian's python3 first in the path
export PATH := /usr/bin:$(PATH)

.DELETE_ON_ERROR:
# Each step uses all processors by itself, and two of them would run ninja in the same directory.
.NOTPARALLEL:
.PHONY: help tutorial setup setup-docs setup-deb setup-test setup-smp build programs userland other-devices run test test-long docs check patches devshell install deb clean $(flavours:%=kernel-%) $(flavours:%=module-%) kernel-smp module-smp

help:
	@echo 'make run            install what is missing, build, and run the example on the co-simulated device'
	@echo '                    (engine=model for the C model, IMAGE=FILE.png for another photograph,'
	@echo '                    device=full, artix or small for a build for an FPGA)'
	@echo 'make tutorial       the device of Documentation/tutorial.rst, with its own RTL and driver, and its test'
	@echo 'make build          programs in $(build)/bin/, the kernel and the driver for the co-simulation'
	@echo 'make userland       all programs, those of tests/ too (faa-litmus, faa-bench, unit tests)'
	@echo 'make other-devices  further simulated devices: of four compute units, for faa-litmus, and full'
	@echo 'make module-smp     the kernel of several CPUs for faa-run --cpus=N, and its driver'
	@echo 'make test           install what the tests need, build, run all suites (SUITE=NN-name for one)'
	@echo 'make test-long      the same with more runs, seeds and mutants (FAA_LONG=1); takes hours'
	@echo 'make check          the static checks alone'
	@echo 'make patches        the driver as a patch series for Linux 6.12 in $(build)/patches/'
	@echo 'make docs           the documentation in $(build)/docs/html/'
	@echo 'make setup          install what is missing (Debian packages; as root)'
	@echo 'make devshell       a shell that finds the programs, library and headers of $(build)/'
	@echo 'make install        programs, library, simulated device and driver in PREFIX (/usr/local), below DESTDIR;'
	@echo '                    OPTIONS are those of Meson (meson_options.txt), like OPTIONS=-Dexamples=disabled'
	@echo 'make deb            Debian packages in $(build)-deb/'
	@echo 'make clean          remove $(build)/; kernels and models stay in $${FAA_CACHE:-~/.cache/faa}'

setup:
	@sim/setup/setup.sh run

setup-docs:
	@sim/setup/setup.sh docs

setup-deb:
	@sim/setup/setup.sh deb

setup-test:
	@sim/setup/setup.sh test

setup-smp:
	@sim/setup/setup.sh smp

# The programs of `make run`: without tests, so without packages of the tests. A directory that was
# configured with tests keeps them.
programs: | setup
	@sim/setup/configure.sh run
	$(ninja)

# All programs: a missing package of the tests is an error here; no test is left out.
userland: | setup-test
	@sim/setup/configure.sh test
	$(ninja)

$(flavours:%=kernel-%): kernel-%: | setup
	@mkdir -p $(build)
	@dir=$$(sim/uml/build-kernel.sh $*) && ln -sfn "$$dir" $(build)/kernel-$*

# Only on demand: another kernel and QEMU
kernel-smp: | setup-smp
	@mkdir -p $(build)
	@dir=$$(sim/qemu/build-kernel.sh) && ln -sfn "$$dir" $(build)/kernel-smp

module-smp: kernel-smp | programs
	@sim/uml/build-module.sh smp

$(flavours:%=module-%): module-%: kernel-% | programs
	@sim/uml/build-module.sh $*

# Further devices: of faa-litmus, with relaxed sums, and with FAA_LONG of faa-bench
other-devices: | userland
	@nice ninja -C $(build) -j$$(nproc) sim/vdev/faa-vdev-quad sim/vdev/faa-vdev-full $(if $(FAA_LONG),tests/bench/faa-bench-ports)

build: programs module-plain

run: build
	@$(if $(device),nice ninja -C $(build) -j$$(nproc) sim/vdev/faa-vdev-$(device))
	@$(if $(device),FAA_VDEV=$(build)/sim/vdev/faa-vdev-$(device)) $(build)/bin/histogram --engine=$(engine) $(IMAGE)

# Nothing of the device faa, whose RTL takes minutes to compile.
tutorial: kernel-plain
	@sim/setup/configure.sh run
	@nice ninja -C $(build) -j$$(nproc) --quiet sim/uml/faa-run sim/uml/faa-rsh sim/uml/faa-init \
		sim/qemu/faa-qemu-no-kvm.so sim/vpci/libvpci.a
	@env -u DESTDIR meson install -C $(build) --no-rebuild --only-changed --quiet --tags machine
	@nice $(MAKE) --no-print-directory -C sim/tutorial FAA_BUILD=$(CURDIR)/$(build) \
		OUT=$(CURDIR)/$(build)/tutorial $(if $(WAVES),WAVES=$(abspath $(WAVES)))

test: userland other-devices module-plain module-debug $(if $(FAA_LONG),module-smp)
	@tests/run.sh $(SUITE)

test-long:
	@FAA_LONG=1 $(MAKE) --no-print-directory test

check: setup-test
	@tests/run.sh 11-static 14-rtl-lint 15-driver-static

devshell: build
	@sim/setup/devshell.sh

patches: | setup-test
	@sim/setup/configure.sh test
	@nice ninja -C $(build) --quiet spec/faa_isa.h spec/faa_encode.h
	@driver/series/make_series.py

docs: setup-docs
	@Documentation/build-docs.sh

# A separate build directory: the prefix of $(build)/ is $(build)/ itself.
install: | setup
	@sim/setup/configure.sh install "$(abspath $(PREFIX))" $(OPTIONS)
	@nice ninja -C $(build)-system -j$$(nproc)
	@[ ! -e $(build)-system/sim/uml/faa-run ] || FAA_BUILD=$(CURDIR)/$(build)-system sim/uml/build-machine.sh
	@meson install -C $(build)-system --no-rebuild --quiet $(if $(DESTDIR),--destdir "$(abspath $(DESTDIR))")
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" -ne 0 ] || ldconfig

deb: | setup-deb
	@debian/make-deb.sh $(build)-deb

clean:
	rm -rf $(build) $(build)-deb $(build)-system
