#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build-docs.sh [OUTPUT [HTML]]: HTML of every page into HTML (default: OUTPUT/html; OUTPUT:
# build/docs). Warnings are errors.
#
# Pages and generated parts are gathered in OUTPUT/src first, so no file is generated beside the
# sources. Needs the packages python3-sphinx, furo and python3-cffi.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../build/docs}
html=${2:-$out/html}
# The system's own interpreter: Sphinx is a Debian package.
python=/usr/bin/python3
export PYTHONDONTWRITEBYTECODE=1

rm -rf "$out/src" "$html" "$out/python"
mkdir -p "$out/src"
cp "$here/conf.py" "$here"/*.rst "$here"/*.svg "$here/top.txt" "$here/histogram.png" "$out/src/"
"$python" "$here/../spec/generate.py" --out "$out/spec"
"$python" "$here/api/gen_pages.py" "$out/src" "$out/spec"
cp "$out/spec/commands_ref.rst" "$out/spec/builds_ref.inc" "$out/src/"
"$python" "$here/../spec/gen_sass.py" --out "$out/spec"
cp "$out/spec/sass-tables.inc" "$out/src/"
"$python" "$here/../spec/gen_ptx.py" --spec "$here/../spec/ptx.toml" --commands "$here/../spec/commands.toml" --page "$out/src/ptx_ref.inc"
cp -r "$here/dumps" "$here/exec" "$here/../tests/litmus/defects.txt" "$out/src/"
cp -r "$here/../userspace/examples/python" "$here/../userspace/examples/bins.c" "$out/src/"
cp -r "$here/../sim/tutorial" "$out/src/"
"$python" "$here/../spec/gen_visa.py" "$here/../spec/visa.toml" "$out/spec/visa_tables.h" "$out/src/visa_ref.rst"
"$python" "$here/gen_ports.py" "$here/../rtl/cu/faa_cu_pkg.sv" struct:events_t >"$out/src/cu-events.inc"
for struct in job stream "done" progress tr_req tr_rsp; do
	"$python" "$here/gen_ports.py" "$here/../rtl/bundle/faa_bundle_pkg.sv" "struct:${struct}_t" \
		>"$out/src/bundle-$struct.inc"
done
for struct in LINE_REQ LINE_RSP ATOM_REQ COUNTERS_REQ; do
	"$python" "$here/gen_ports.py" "$here/../rtl/bundle/faa_line.svh" "struct:FAA_$struct" \
		>"$out/src/bundle-$struct.inc"
done
"$python" "$here/gen_suites.py" >"$out/src/suites.inc"
for part in Work Memory "Line operations" Sweep Translation Invalidation Counters; do
	name=$(echo "${part##* }" | tr "[:upper:]" "[:lower:]")
	"$python" "$here/gen_ports.py" "$here/../rtl/cu/faa_cu.sv" "$part" >"$out/src/cu-ports-$name.inc"
done
for part in atoms global suatom ldst order scaling; do
	"$python" "$here/gen_performance.py" $part >"$out/src/performance-$part.inc"
	"$python" "$here/gen_bars.py" $part >"$out/src/performance-$part.svg"
done
"$python" "$here/gen_sweep.py" >"$out/src/sweep.svg"
"$python" "$here/gen_mpi.py" plot >"$out/src/mpi.svg"
for part in measured computed; do
	"$python" "$here/gen_mpi.py" $part >"$out/src/mpi-$part.inc"
done
for part in builds speed paths before rooms clock placed; do
	"$python" "$here/gen_area.py" $part >"$out/src/area-$part.inc"
done
# The Python package as it would be installed, except the parts that only a program needs.
mkdir -p "$out/python"
cp -r "$here/../userspace/python/faa" "$out/python/"
# shellcheck disable=SC2046 # flags are words
"$python" "$here/../userspace/python/generate/gen_python.py" "$out/python/cdef.py" "$out/python/faa/_tables.py" cc -- \
	-I"$here/../userspace/libdrm_faa" -I"$here/../userspace/libfaa_asm" \
	-I"$here/../userspace/libfaa_spirv" -I"$here/../uapi" -I"$out/spec" \
	$(pkg-config --cflags libdrm) >/dev/null
FAA_DOCS_PYTHON=$out/python "$python" -m sphinx -q -W --keep-going -j 2 -d "$out/doctrees" -b html "$out/src" "$html"
echo "documentation: $html/index.html"
