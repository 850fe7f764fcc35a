#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# user-module.sh DIR KERNEL: called by faa-run for --module=DIR. Builds the modules of DIR, which
# has a Kbuild file or a Makefile for Kbuild, for the kernel that was built in the directory KERNEL.
# Prints the paths of the modules, in the order in which they are loaded.
#
# Kbuild writes next to the sources, so the sources are linked into $FAA_CACHE/module. The rest of
# their repository (without one: of the directory above) is linked around them, so that relative
# paths work.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
cache=${FAA_CACHE:-$HOME/.cache/faa}
keep_days=30
progress=$here/progress.sh
[ -e "$progress" ] || progress=$here/../setup/progress.sh
# shellcheck source=sim/setup/progress.sh
. "$progress"
# shellcheck source=sim/uml/split-symbols.sh
. "$here/split-symbols.sh"

die() {
	echo "faa-run: --module: $*" >&2
	exit 125
}

# Links the neighbours of $dir, from the top directory down.
link_neighbours() {
	local level=$root to=$farm part item name
	local -a parts

	IFS=/ read -ra parts <<<"$(realpath --relative-to="$root" "$dir")"
	for part in "${parts[@]}"; do
		for item in "$level"/* "$level"/.[!.]*; do
			name=${item##*/}
			[ "$name" = "$part" ] || [ "$name" = .git ] || [ ! -e "$item" ] || ln -sfn "$item" "$to/$name"
		done
		level=$level/$part to=$to/$part
		mkdir -p "$to"
	done
	out=$to
}

# Links the sources of $dir, without what a build in place has left, and removes links to files that
# no longer exist.
link_sources() {
	find "$dir" -name .git -prune -o -type f -not \( -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' \
		-o -name '.*.cmd' -o -name '*.a' -o -name modules.order -o -name Module.symvers \) -printf '%P\0' |
		while IFS= read -r -d '' file; do
			[[ $file != */* ]] || mkdir -p "$out/${file%/*}"
			ln -sfn "$dir/$file" "$out/$file"
		done
	find "$farm" -xtype l -delete
}

dir=$(readlink -f "$1") || die "$1 does not exist"
kernel=$2
[ -d "$dir" ] || die "$dir is no directory"
[ -e "$dir/Kbuild" ] || [ -e "$dir/Makefile" ] || die "$dir has neither a Kbuild file nor a Makefile"
[ -e "$kernel/Makefile" ] && [ -e "$kernel/.config" ] || [ -e "$kernel/include/generated/autoconf.h" ] ||
	die "$kernel has a kernel, but not what Kbuild needs for modules: --kernel-tree=DIR names the source of a kernel"
root=$(git -c safe.directory='*' -C "$dir" rev-parse --show-toplevel 2>/dev/null) || root=$(dirname "$dir")
[ "$root" != "$dir" ] || root=$(dirname "$dir")
farm=$cache/module/$(basename "$dir")-$(echo "$dir $kernel" | sha256sum | cut -c1-16)
log=$farm.log
# For --gdb: all types of the headers, by which it finds the program in the kernel.
symbols="-g -fno-eliminate-unused-debug-types"
mkdir -p "$farm"
exec 9>"$farm.lock"
flock 9
link_neighbours
link_sources
progress "module $dir" '^  (CC|LD)' objects "$log" nice make -C "$kernel" ARCH=um M="$out" KCFLAGS="$symbols" -j"$(nproc)" modules
# grep fails where there are none.
grep -E 'warning:|WARNING:' "$log" >&2 || true
touch "$farm"
find "$cache/module" -mindepth 1 -maxdepth 1 -mtime +"$keep_days" -exec rm -rf {} +
[ -s "$out/modules.order" ] || die "$dir built no module: does its Kbuild file have obj-m?"
sed 's/\.o$/.ko/' "$out/modules.order" | while read -r module; do
	[ "${module:0:1}" = / ] || module=$out/$module
	split_symbols "$module"
	echo "$module"
done
