#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The Python package: its wheel in a fresh environment, its tables, the same tests on the C model
# without a kernel, on devices that it starts and on a node, and its examples as notebooks.
# timeout: 1800
# kernel
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

venv=${FAA_VENV:-$("$top/sim/setup/setup.sh" --print-venv)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=$work/venv/bin/python
tests=$top/tests/python
examples=$top/userspace/examples/python
# All that ruff looks at.
sources=("$top/userspace/python" "$tests" "$examples")
# The package finds the library by this variable, and uses nothing else of the build.
export FAA_LIBRARY=$build/lib/libdrm_faa-ffi.so.0
# Bytecode that a test leaves must not become a file of the repository.
export PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR=$work

build_wheel() {
	# Built from a copy: the directory of the sources stays unchanged.
	cp -r "$top/userspace/python" "$work/source" &&
		PKG_CONFIG_PATH=$build/lib/pkgconfig PATH=$venv/bin:$PATH \
			"$venv/bin/pip" wheel --disable-pip-version-check --no-index \
			--no-build-isolation --no-deps -w "$work" "$work/source"
}

install_wheel() {
	# The packages that it depends on are those of the tests; a missing dependency is an error.
	/usr/bin/python3 -m venv "$work/venv" &&
		echo "$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
			>"$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tests.pth" &&
		"$work/venv/bin/pip" install --disable-pip-version-check --no-index "$work"/faa-*.whl
}

device_test() { # kind command...: the tests of a device
	FAA_TEST_DEVICE=$1 PYTHONPATH=$tests "${@:2}" "$python" "$tests/test_device.py"
}

notebook() { # name
	FAA_RUN_OPTS=--engine=model "$python" "$tests/notebook.py" "$examples/$1.py" "$work/$1.ipynb"
}

has_picture() { # name
	notebook "$1" | tee "$work/said" && grep -q ' 1 pictures$' "$work/said"
}

# The part of the example between its first cell and the next, without its command line.
histogram_lines() {
	local lines

	lines=$(sed -n '/^import faa/,/^pyplot.show/p' "$examples/histogram.py" | grep -vc '^ *$')
	[ "$lines" -le 10 ] || { echo "$lines lines"; return 1; }
}

# A program that is killed leaves no process of its machine and no file.
killed() {
	local pid

	"$python" -c 'import faa, os, time
device = faa.Device(simulate=True, engine="model")
print(os.getpid(), flush=True)
time.sleep(600)' >"$work/pid" &
	for _ in $(seq 600); do
		[ -s "$work/pid" ] && break
		sleep 0.1
	done
	pid=$(cat "$work/pid")
	[ -n "$pid" ] || { echo "no device within 60 s"; return 1; }
	pgrep -P "$pid" >"$work/runner" || { echo "no faa-run is a child of $pid"; return 1; }
	kill -KILL "$pid"
	for _ in $(seq 200); do
		[ -e "/proc/$(cat "$work/runner")" ] || break
		sleep 0.1
	done
	[ ! -e "/proc/$(cat "$work/runner")" ] || { echo "faa-run still runs"; return 1; }
	! ls -d /tmp/faa-run."$(cat "$work/runner")".* 2>/dev/null
}

ruff() {
	"$venv/bin/ruff" "$@" --no-cache --config "$top/userspace/python/pyproject.toml" "${sources[@]}"
}

check "ruff: the package, its tests, its examples" ruff check
check "ruff: the format of the same" ruff format --check
check "the wheel builds" build_wheel
check "the wheel installs in a fresh environment" install_wheel
check "tables, constants and functions are those of the specification and the headers" \
	env FAA_BUILD="$build" "$python" "$tests/test_tables.py"
check "on the C model without a kernel" \
	device_test fake env FAA_LIBRARY="$build/tests/python/libfaa-fake.so"
check "on a device that the package starts: C model" device_test simulated env FAA_TEST_ENGINE=model
check "on a device that the package starts: RTL" device_test simulated env FAA_TEST_ENGINE=rtl
check "on a node: C model, debug kernel, log clean" device_test node \
	"$build/bin/faa-run" --engine=model --kernel=debug --mem=768M --check-log --timeout=400
check "a program that is killed leaves nothing behind" killed
check "the histogram has ten lines" histogram_lines
check "notebook: histogram" has_picture histogram
check "notebook: words" notebook words
check "notebook: density" has_picture density
check "notebook: gups" notebook gups
check "notebook: graph" has_picture graph
check "notebook: scatter" has_picture scatter
check "notebook: kernels" notebook kernels
finish
