#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs the packages for building and running (run) or testing (test) on Debian 12 and 13. On a
# system without Debian's packages it prints which ones are needed, and the build continues.
#
#   setup.sh [run|test]     run: only Debian packages; test: also those of packages-test.txt,
#                           packages-docs.txt and packages-deb.txt, and in $FAA_CACHE the headers of
#                           Debian's kernel and a virtual environment with the pinned PyPI packages
#                           of tests/requirements.txt
#   setup.sh docs           Debian packages of packages-docs.txt, for `make docs`, and a C
#                           preprocessor
#   setup.sh deb            Debian packages of run, packages-docs.txt and packages-deb.txt, for
#                           `make deb`
#   setup.sh smp            Debian packages of run and of packages-smp.txt, for `make module-smp`
#   setup.sh fuzz           Debian packages of test and of packages-fuzz.txt
#   setup.sh long           a separate environment with tests/requirements-long.txt, for tests that
#                           run only with FAA_LONG=1
#   setup.sh --print-venv [long]   prints the directory of that environment
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
cache=${FAA_CACHE:-$HOME/.cache/faa}
requirements=$top/tests/requirements.txt
[ "${1:-}" != long ] && [ "${2:-}" != long ] || requirements=$top/tests/requirements-long.txt
# shellcheck source=sim/setup/progress.sh
. "$here/progress.sh"

die() {
	echo "setup: $*" >&2
	exit 1
}

# Entries of the given package lists, without comments: a package, or alternatives A|B, for releases
# with different names.
list_packages() {
	sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$@"
}

# Those arguments of which no alternative is installed.
missing_packages() {
	local entry name there
	local -A installed=()

	while read -r name; do
		installed[$name]=1
	done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
	for entry in "$@"; do
		there=
		for name in ${entry//|/ }; do
			there=$there${installed[$name]:-}
		done
		[ -n "$there" ] || echo "$entry"
	done
}

# Adds to $known the first alternative of each argument that apt has, and to $unknown the arguments
# without one.
sort_by_apt() {
	local entry name found

	known=() unknown=()
	for entry in "$@"; do
		found=
		for name in ${entry//|/ }; do
			[ -z "$found" ] && apt-cache show --no-all-versions "$name" >/dev/null 2>&1 && found=$name
		done
		if [ -n "$found" ]; then known+=("$found"); else unknown+=("$entry"); fi
	done
}

apt() {
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -q "$@"
}

update_lists() {
	progress "setup: package lists" '^Get:' "files" "$cache/log/apt-update.log" apt update
}

install_known() {
	progress "setup: packages" '^Setting up ' "set up" "$cache/log/apt-install.log" \
		apt install -y --no-install-recommends "${known[@]}"
}

install_packages() {
	local missing known unknown

	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		echo "setup: not Debian: nothing is installed. Needed are Debian's packages: $*" >&2
		return 0
	fi
	mapfile -t missing < <(missing_packages "$@")
	[ "${#missing[@]}" -gt 0 ] || return 0
	[ "$(id -u)" -eq 0 ] || die "these Debian packages are missing: ${missing[*]}. Install them, or run this as root."
	echo "setup: installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
	sort_by_apt "${missing[@]}"
	if [ "${#unknown[@]}" -gt 0 ]; then
		update_lists
		sort_by_apt "${missing[@]}"
	fi
	[ "${#unknown[@]}" -eq 0 ] ||
		die "this release does not have the packages ${unknown[*]}; Debian 12, with its security updates, and 13 do"
	if ! install_known; then
		echo "setup: trying again with fresh package lists" >&2
		update_lists
		install_known
	fi
}

# The name of the package with the headers of Debian's 6.12 amd64 kernel: linux-headers-ABI-amd64;
# empty if this release has none.
headers_package() {
	# apt-cache fails if it knows none of the names.
	{ apt-cache depends linux-headers-6.12-amd64 linux-headers-amd64 2>/dev/null || true; } |
		awk '/^ *Depends: linux-headers-6\.12.*-amd64$/ && !found { print $2; found = 1 }'
}

# Downloads the package $1 and unpacks it to $2.
unpack_package() {
	local work

	work=$(mktemp -d)
	(cd "$work" && apt download "$1" && dpkg-deb --extract "$1"_*.deb . && rm -f "$1"_*.deb && mv "usr/src/$1" "$2")
	rm -rf "$work"
}

# Whether there are headers, installed or unpacked, and the files that the unpacked ones need.
headers_are_there() {
	local dir abi

	for dir in /usr/src/linux-headers-6.12*-amd64 "$cache"/headers/linux-headers-6.12*-amd64; do
		abi=${dir##*/linux-headers-}
		if [ -e "$dir/Module.symvers" ] && [ -e "$dir/scripts/Makefile.build" ] && [ -e "/usr/src/linux-headers-${abi%-amd64}-common/Makefile" ]; then
			return 0
		fi
	done
	return 1
}

# Installs the headers of Debian's amd64 kernel, for which the driver is built as well. Their
# package depends on the kernel's image, which would change the kernel that this machine boots.
# Therefore the headers are unpacked in the cache, and only the packages that they need are
# installed. Package lists are updated first, as old ones name a kernel that an update has replaced.
install_headers() {
	local package abi dir link

	if headers_are_there || ! command -v apt-get >/dev/null; then return 0; fi
	[ "$(id -u)" -ne 0 ] || update_lists
	package=$(headers_package)
	[ -n "$package" ] || die "apt knows no linux-headers of 6.12; Debian 12, with its security updates, and 13 have them"
	abi=${package#linux-headers-}
	abi=${abi%-amd64}
	dir=$cache/headers/$package
	install_packages "linux-headers-$abi-common" "linux-kbuild-$abi"
	[ ! -e "$dir/Module.symvers" ] || return 0
	mkdir -p "$cache/headers"
	rm -rf "$dir.tmp"
	progress "setup: $package" '^Get:' "files" "$cache/log/headers.log" unpack_package "$package" "$dir.tmp"
	for link in scripts tools; do
		ln -sfn "/usr/lib/linux-kbuild-$abi/$link" "$dir.tmp/$link"
	done
	rm -rf "$dir"
	mv "$dir.tmp" "$dir"
}

venv_dir() {
	local key=none

	[ ! -f "$requirements" ] || key=$({ /usr/bin/python3 --version; cat "$requirements" "$top/tests/yosys.py"; } | sha256sum | cut -c1-16)
	echo "$cache/venv/$key"
}

# The lock: a second checkout that is set up at the same time waits for the first one's environment.
install_venv() {
	local dir lock

	[ -f "$requirements" ] || return 0
	dir=$(venv_dir)
	[ ! -e "$dir/complete" ] || return 0
	mkdir -p "$cache/venv"
	exec {lock}>"$cache/venv/lock"
	flock "$lock"
	[ ! -e "$dir/complete" ] || return 0
	echo "setup: PyPI packages for the tests go to $dir" >&2
	rm -rf "$dir"
	mkdir -p "$dir"
	/usr/bin/python3 -m venv "$dir"
	progress "setup: PyPI packages" '^(Collecting|Installing)' "steps" "$cache/log/pip.log" \
		"$dir/bin/pip" install --disable-pip-version-check --no-input -r "$requirements"
	{ echo "#!$dir/bin/python" && cat "$top/tests/yosys.py"; } >"$dir/bin/yosys-slang"
	chmod +x "$dir/bin/yosys-slang"
	touch "$dir/complete"
	exec {lock}>&-
}

mapfile -t run_list < <(list_packages "$here/packages-run.txt")
case ${1:-run} in
run)
	install_packages "${run_list[@]}"
	;;
test)
	mapfile -t test_list < <(list_packages "$here"/packages-{test,docs,deb}.txt)
	install_packages "${run_list[@]}" "${test_list[@]}"
	install_headers
	install_venv
	;;
docs)
	# The tables of the Python package come from the headers as a compiler sees them.
	mapfile -t docs_list < <(list_packages "$here/packages-docs.txt")
	install_packages gcc libc6-dev libdrm-dev pkg-config python3 "${docs_list[@]}"
	;;
deb)
	mapfile -t deb_list < <(list_packages "$here"/packages-{docs,deb}.txt)
	install_packages "${run_list[@]}" "${deb_list[@]}"
	;;
smp)
	mapfile -t smp_list < <(list_packages "$here/packages-smp.txt")
	install_packages "${run_list[@]}" "${smp_list[@]}"
	;;
fuzz)
	mapfile -t fuzz_list < <(list_packages "$here"/packages-{test,docs,deb,fuzz}.txt)
	install_packages "${run_list[@]}" "${fuzz_list[@]}"
	;;
long)
	install_venv
	;;
--print-venv)
	venv_dir
	;;
*)
	die "unknown argument '$1': use run, test, docs, deb, smp, fuzz, long or --print-venv"
	;;
esac
