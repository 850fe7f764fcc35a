#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
#
# The Debian packages: lintian, and installed in fresh roots of Debian 12 and 13
# (tests/roots/packages-root.sh), where the library's first program is compiled by its own lines and
# run, DKMS builds the driver, and no file stays after a purge; and `make install` in a prefix. The
# machines that it boots run one short job each, far from the driver's time limits: it is no kernel
# suite, and runs beside one.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
# shellcheck source=tests/tutorial.sh
. "$top/tests/tutorial.sh"
# shellcheck source=tests/roots/root.sh
. "$top/tests/roots/root.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
debs=$build-deb
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" "$top/meson.build")
packages='faa-dkms faa-doc faa-mpi faa-sim faa-tools libdrm-faa-dev libdrm-faa0 libfaa-asm0 libfaa-mpi-dev libfaa-mpi0 libfaa-spirv0 libvpci-dev python3-faa'
# Each release has its own Open MPI: the packages of MPI are for the release that they are built on.
built_on=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

build_packages() {
	local found

	"$top/debian/make-deb.sh" "$debs" || return 1
	found=$(cd "$debs" && printf '%s\n' *.deb | sed 's/_.*//' | grep -v -- -dbgsym | sort | xargs)
	[ "$found" = "$packages" ] || { echo "packages: $found"; return 1; }
}

lintian_is_silent() {
	local said

	said=$(lintian --allow-root --tag-display-limit 0 --fail-on error,warning "$debs"/*.deb 2>&1) ||
		{ echo "$said"; return 1; }
	[ -z "$said" ] || { echo "$said"; return 1; }
}

# in_root ROOT COMMAND...: with a shell's usual environment
in_root() {
	local root=$1
	shift
	root_enter "$root" bash -euo pipefail -c "cd /srv && $*"
}

install_packages() { # root
	mkdir -p "$1/srv/debs"
	cp "$debs"/*.deb "$1/srv/debs/"
	rm -f "$1"/srv/debs/*-dbgsym_*
	[ "$(basename "$1")" = "$built_on" ] || rm "$1"/srv/debs/*mpi*
	# The root has all dependencies, and no lists of packages: no package comes from a mirror.
	in_root "$1" '
		export DEBIAN_FRONTEND=noninteractive
		apt-get -q install -y --no-install-recommends /srv/debs/*.deb'
}

runs_the_tutorial() { # root
	local said

	tutorial "$1/srv/tutorial" ||
		{ echo "library.rst has no first program, or not its two lines"; return 1; }
	said=$(in_root "$1" 'cd tutorial && . ./lines') || return 1
	[ "$said" = "sum 499500" ] || { echo "it says '$said'"; return 1; }
}

runs_the_static_program() { # root
	local said

	said=$(in_root "$1" '
		cd tutorial
		cc -o static first.c $(pkg-config --cflags libdrm_faa) -Wl,-Bstatic -ldrm_faa -Wl,-Bdynamic \
			$(pkg-config --libs libdrm) -lpthread -lm
		! ldd static | grep libdrm_faa || exit 1
		faa-run --engine=model ./static') || return 1
	[ "$said" = "sum 499500" ] || { echo "it says '$said'"; return 1; }
}

runs_examples() { # root
	in_root "$1" '
		export FAA_RUN_OPTS=--engine=model
		/usr/libexec/faa/histogram --output=/tmp/plot.png | grep "CPU check passed: all 768 bins equal"
		/usr/libexec/faa/graph | grep "CPU check passed"
		faa-info --json | grep -o "\"lanes\": 32"
		printf "NOP;\n" >a.sass && faa-as --output=a.faa a.sass && faa-dis a.faa | grep END'
}

# A program with several ranks, compiled with the installed files.
runs_mpi() { # root
	cp "$top"/userspace/examples/mpi/{mpi_gups,ranks}.[ch] "$top"/userspace/examples/gups_sequence.[ch] \
		"$top"/userspace/tools/tool.[ch] "$1/srv/"
	in_root "$1" '
		export FAA_RUN_OPTS=--engine=model
		mpicc -D_GNU_SOURCE -DFAA_VERSION_TEXT=\"0\" -o gups mpi_gups.c ranks.c gups_sequence.c tool.c \
			$(pkg-config --cflags --libs libfaa_mpi)
		faa-run --guests=2 mpirun -n 2 ./gups --log2=10 | grep "verification passed"
		faa-run mpirun -n 2 /usr/libexec/faa/mpi_pagerank | grep "in-degrees: 0 errors"
		man 3 faa_mpi_gather | grep "^ *int faa_mpi_gather" >/dev/null'
}

# A PCI device of a few lines: a register that is read.
runs_a_device() { # root
	cat >"$1/srv/device.c" <<-'END'
		#include <vpci.h>
		static uint32_t device_read(void *ctx, unsigned int bar, uint64_t offset)
		{
			return 0x600d0000 + (uint32_t)offset;
		}
		int main(int argc, char **argv)
		{
			static const struct vpci_config config = {
				.vendor = 0x1234, .device = 0xbeef, .bar[0] = { 4096, 0 } };
			static const struct vpci_ops ops = { .read = device_read };
			struct vpci *vpci;

			return vpci_main(&config, &ops, 0, &vpci, argc, argv);
		}
	END
	in_root "$1" '
		cc -o device device.c $(pkg-config --cflags --libs libvpci)
		faa-run --device=./device cat /sys/bus/pci/devices/0000:00:00.0/device | grep 0xbeef
		! faa-run --device=./device --module=/usr/share/doc/libvpci-dev/examples/tutorial/driver true 2>said
		grep -e "--kernel-tree=DIR names the source of a kernel" said'
}

# As user nobody: neither the files of the machine nor the checkout may be needed.
runs_for_others() { # root
	in_root "$1" '
		setpriv --reuid=65534 --regid=65534 --clear-groups \
			env HOME=/nonexistent faa-run --engine=model id -u'
}

runs_python() { # root
	in_root "$1" "python3 -c '
import faa
assert faa.__file__.startswith(\"/usr/lib/python3/dist-packages/\"), faa.__file__
import numpy
device = faa.Device(engine=\"model\")
print(device.info.lanes)
'" || return 1
	# Streams, shared memory and a kernel in PTX; the script checks its results itself.
	cp "$top/userspace/examples/python/kernels.py" "$1/srv/"
	in_root "$1" 'FAA_RUN_OPTS=--engine=model python3 kernels.py | grep "JobError: job 1: page fault"'
}

completes() { # root: as a shell does that has found the file by the name of the command
	in_root "$1" 'compopt() { :; }
		. /usr/share/bash-completion/completions/faa-run
		COMP_WORDS=(faa-run --eng) COMP_CWORD=1
		_faa faa-run && [ "${COMPREPLY[*]}" = --engine= ]
		COMP_WORDS=(faa-run --engine = m) COMP_CWORD=3
		_faa faa-run && [ "${COMPREPLY[*]}" = model ]'
}

has_manuals() { # root
	# minbase roots leave manual pages out of other packages, not of ours.
	in_root "$1" 'for tool in /usr/bin/faa-*; do
			name=$(basename "$tool")
			man "$name" | grep "^ *$name " >/dev/null || { echo "no manual of $name"; exit 1; }
		done
		man 3 faa_bo_import | grep "^ *int faa_bo_import" >/dev/null || { echo "no manual of faa_bo_import()"; exit 1; }
		grep -q "faa-run" /usr/share/doc/faa/html/install.html'
}

# No run paths; all libraries are found without LD_LIBRARY_PATH.
links_cleanly() { # root
	local bad

	bad=$(find "$1"/usr/bin/faa-* "$1"/usr/libexec/faa "$1"/usr/lib/*/lib*faa*.so.*.* -type f -exec sh -c '
		for file; do readelf -d "$file" | grep -E "R(UN)?PATH" && echo "$file"; done' sh {} +)
	[ -z "$bad" ] || { echo "$bad"; return 1; }
	in_root "$1" '
		ldd /usr/bin/faa-* /usr/libexec/faa/* >ldd.txt
		for library in libdrm_faa libfaa_asm libfaa_spirv; do
			grep -q "$library.so.0 => /" ldd.txt || { echo "no tool uses $library"; exit 1; }
		done
		! grep "not found" ldd.txt'
}

# When the kernel's headers are installed, DKMS builds the driver. They depend on the kernel's
# image, which is not installed here.
builds_the_driver() { # root
	in_root "$1" "
		dpkg --force-depends --install headers/*.deb ||
			{ cat /var/lib/dkms/faa/*/build/make.log; exit 1; }
		kernel=\$(basename headers/linux-headers-*_* | sed 's/^linux-headers-//; s/_.*//')
		dkms status -m faa -v $version -k \$kernel | grep ': installed'
		module=\$(find /lib/modules/\$kernel/ -name 'faa.ko*')
		modinfo -F alias \$module | grep '^pci:'
		modinfo -F vermagic \$module | grep \"^\$kernel \""
}

leaves_nothing() { # root
	local left

	in_root "$1" "dpkg --purge $(cd "$1/srv/debs" && printf '%s\n' *.deb | sed 's/_.*//' | xargs)" || return 1
	left=$(find "$1/usr" "$1/etc" "$1/var/lib" -name '*faa*' ! -path '*/dpkg/*')
	[ -z "$left" ] || { echo "$left"; return 1; }
}

make_install() { # prefix
	make -C "$top" --no-print-directory install PREFIX="$1" || return 1
	# No text of the installation names the checkout.
	! grep -rlF -- "$top" "$1/lib"/*/pkgconfig "$1/include" "$1/share"
}

# The build directory could be gone.
runs_from_prefix() { # prefix
	local said pc

	tutorial "$tmp/tutorial" || return 1
	pc=$(dirname "$(find "$1/lib" -name libdrm_faa.pc)")
	said=$(
		cd "$tmp/tutorial"
		env -u FAA_BUILD PATH="$1/bin:$PATH" PKG_CONFIG_PATH="$pc" LD_LIBRARY_PATH="${pc%/*}" bash -c '. ./lines'
	) || return 1
	[ "$said" = "sum 499500" ] || { echo "it says '$said'"; return 1; }
	env -u FAA_BUILD FAA_RUN_OPTS=--engine=model "$1/libexec/faa/histogram" --output="$tmp/plot.png" |
		grep 'CPU check passed'
}

check "make deb builds the thirteen packages" build_packages
check "lintian has no error and no warning" lintian_is_silent
for release in bookworm trixie; do
	root=$tmp/$release
	check "$release: a root" "$top/tests/roots/packages-root.sh" "$release" "$root"
	check "$release: the packages install without a network" install_packages "$root"
	check "$release: no run path, every library found" links_cleanly "$root"
	check "$release: the first program compiles and runs on the simulated device" runs_the_tutorial "$root"
	check "$release: it runs with the static library" runs_the_static_program "$root"
	check "$release: tools and examples" runs_examples "$root"
	[ "$release" != "$built_on" ] || check "$release: ranks of MPI in two guests" runs_mpi "$root"
	check "$release: faa-run for a user without rights" runs_for_others "$root"
	check "$release: a device with libvpci" runs_a_device "$root"
	check "$release: the Python package" runs_python "$root"
	check "$release: manual pages and documentation" has_manuals "$root"
	check "$release: completion in bash" completes "$root"
	check "$release: DKMS builds the driver" builds_the_driver "$root"
	check "$release: nothing stays after a purge" leaves_nothing "$root"
	rm -rf "$root"
done
check "make install in a prefix of its own" make_install "$tmp/prefix"
check "programs run from that prefix" runs_from_prefix "$tmp/prefix"
finish
