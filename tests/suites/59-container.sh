#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 14400
# kernel
# long
#
# The image of sim/ci/Containerfile, whose steps are done in fresh roots of Debian 13 and 12, and
# the tutorial in it as the recipes of sim/ci run it. Uses the packages of `make deb` in build-deb/
# (suite 58-packages), or builds them.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
# shellcheck source=tests/roots/root.sh
. "$top/tests/roots/root.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

packages() {
	ls "$top"/build-deb/libvpci-dev_*.deb || make -C "$top" deb
}

# Steps of a recipe: its lines of "run" (GitHub) or "script" (GitLab).
recipe() { # FILE
	/usr/bin/python3 - "$1" <<-'END'
		import re, sys
		text = open(sys.argv[1], encoding="utf-8").read()
		text = re.sub(r"\n *#.*", "", text)
		text = re.sub(r">-\n *(\S.*)\n *(\S.*)", r"\1 \2", text)
		for line in text.splitlines():
		    match = re.match(r" *(?:run:|-) ((?:make|faa-run) .*)", line)
		    if match:
		        print(match[1])
	END
}

runs_recipe() { # root file
	local root=$1 file=$2

	rm -rf "$root/srv/driver"
	# The example as the package has it.
	cp -r "$root/usr/share/doc/libvpci-dev/examples/tutorial" "$root/srv/driver"
	recipe "$file" >"$root/srv/driver/steps"
	[ "$(wc -l <"$root/srv/driver/steps")" = 2 ] || { cat "$root/srv/driver/steps"; return 1; }
	root_enter "$root" bash -euc 'export $(cat /srv/environment); cd /srv/driver; . ./steps' | tail -n 1 |
		grep -x "all sums are right"
}

check "packages" packages
for release in trixie bookworm; do
	root=$tmp/$release
	check "$release: the steps of the image" "$top/tests/roots/container.sh" "$release" "$top/sim/ci/Containerfile" "$root"
	for name in github gitlab; do
		check "$release: the recipe for $name" runs_recipe "$root" "$top/sim/ci/$name.yml"
	done
	rm -rf "$root"
done
finish
