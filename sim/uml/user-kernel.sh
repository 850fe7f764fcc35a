#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# user-kernel.sh TREE plain|debug [CONFIG]: called by faa-run for --kernel-tree. Builds the kernel
# source in TREE for User Mode Linux, in $FAA_CACHE/tree, and prints the directory of the result.
# The configuration is that of the co-simulation and the lines of the file CONFIG. The tree is not
# written to. After a change of the tree, make builds what follows from the change.
#
# A directory with an executable file linux is a kernel that is built already, and printed as it is.
# So is the directory of a TREE that is such a file.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
cache=${FAA_CACHE:-$HOME/.cache/faa}
keep_days=30
# An installation has all of these files in one directory.
progress=$here/progress.sh
[ -e "$progress" ] || progress=$here/../setup/progress.sh
# shellcheck source=sim/setup/progress.sh
. "$progress"

# Options without which a machine of faa-run does not work.
needed="VIRTIO_UML=y UML_PCI_OVER_VIRTIO=y UML_PCI_OVER_VIRTIO_DEVICE_ID=1234 PCI_MSI=y HOSTFS=y DEVTMPFS=y
	TMPFS=y PROC_FS=y SYSFS=y SSL=y NULL_CHAN=y STDERR_CONSOLE=y UNIX98_PTYS=y BINFMT_ELF=y MODULES=y MODULE_UNLOAD=y
	EPOLL=y SIGNALFD=y"

die() {
	echo "faa-run: --kernel-tree: $*" >&2
	exit 125
}

check_tree() {
	[ -d "$tree" ] || die "$tree is neither a directory nor a kernel that can be executed"
	if [ ! -e "$tree/Kconfig" ] || [ ! -d "$tree/arch/um" ]; then
		die "$tree has neither the source of Linux (Kconfig, arch/um) nor a kernel (linux) that is built"
	fi
	if [ -e "$tree/.config" ] || [ -e "$tree/include/config" ]; then
		die "$tree was configured in place, so it cannot be built elsewhere: 'make -C $tree ARCH=um mrproper' cleans it"
	fi
	for tool in gcc make flex bison bc perl; do
		command -v "$tool" >/dev/null || die "to build $tree, the program $tool is needed"
	done
}

kmake() {
	nice make -C "$tree" ARCH=um O="$dir" KBUILD_KCONFIG="$dir/Kconfig.top" "$@"
}

# The configuration is made anew only if its inputs have changed, as all objects depend on it.
configure() {
	cat "$here/config/base.config" "$here/config/$flavour.config" ${config:+"$config"} >"$dir/fragment.new"
	cat "$tree/Kconfig" "$here/config/Kconfig.faa" >"$dir/Kconfig.top"
	if [ -e "$dir/.config" ] && cmp -s "$dir/fragment.new" "$dir/fragment"; then
		kmake olddefconfig
	else
		kmake KCONFIG_ALLCONFIG="$dir/fragment.new" allnoconfig
	fi
	mv "$dir/fragment.new" "$dir/fragment"
}

check_config() {
	local symbol line

	for symbol in $needed; do
		grep -qx "CONFIG_$symbol" "$dir/.config" ||
			die "a kernel of $tree would not have CONFIG_$symbol, which faa-run needs (its version is $(kmake -s kernelversion))"
	done
	[ -n "$config" ] || return 0
	# The user's own lines have to come out as they are.
	while read -r line; do
		case $line in
		CONFIG_*=n) ! grep -q "^${line%n}" "$dir/.config" ;;
		CONFIG_*) grep -qxF -- "$line" "$dir/.config" ;;
		esac || die "$config: $line does not come out: an option that it depends on is missing, or this kernel has no such option"
	done <"$config"
}

compile() {
	kmake -j"$(nproc)" linux modules modules_prepare
}

# All modules in one directory, where --insmod=NAME finds them.
gather_modules() {
	rm -rf "$dir/modules"
	mkdir "$dir/modules"
	find "$dir" -name '*.ko' -not -path "$dir/modules/*" -exec cp -t "$dir/modules" {} +
}

tree=$(readlink -f "$1") || die "$1 does not exist"
flavour=$2
config=${3:-}
if [ -f "$tree" ] && [ -x "$tree" ] && [ "$(basename "$tree")" = linux ]; then
	tree=$(dirname "$tree")
elif [ -f "$tree" ]; then
	die "$tree is a file, but not an executable named linux"
fi
if [ -x "$tree/linux" ]; then
	[ -z "$config" ] || die "$tree has a kernel that is built already, so --kernel-config has no effect on it"
	echo "$tree"
	exit
fi
[ -z "$config" ] || [ -r "$config" ] || die "the configuration $config cannot be read"
check_tree
dir=$cache/tree/$(basename "$tree")-$flavour-$(echo "$tree $config" | sha256sum | cut -c1-16)
log=$dir/build.log
mkdir -p "$dir"
exec 9>"$dir/.lock"
if ! flock -n 9; then
	echo "faa-run: waiting for another process that builds the kernel of $tree" >&2
	flock 9
fi
progress "kernel of $tree, configuration" '^  [A-Z]' steps "$log" configure
check_config
progress "kernel of $tree" '^  (CC|AS|AR|LD|HOSTCC) ' objects "$log" compile
gather_modules
touch "$dir"
find "$cache/tree" -mindepth 1 -maxdepth 1 -type d -mtime +"$keep_days" -exec rm -rf {} +
echo "$dir"
