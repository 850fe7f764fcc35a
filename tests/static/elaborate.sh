#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A synthesis tool (Yosys with the slang front end) elaborates the whole device and finds no latch,
# no net with several drivers and no combinational loop. Nothing is mapped afterwards, so processes
# need no optimization. The device 'elaborated' of builds.toml has one compute unit and 8 lanes per
# cycle in its shared unit and its atomic unit: no other module depends on these numbers, and its
# elaboration takes a fifth of the time.
set -euo pipefail
cd "$(dirname "$0")/../.."

yosys=${FAA_VENV:-$(sim/setup/setup.sh --print-venv)}/bin/yosys-slang
spec=${FAA_BUILD:-build}/spec/faa_pkg.sv
parameters=$(/usr/bin/python3 spec/builds.py elaborated | sed 's/^/-G /' | tr '\n' ' ')
mapfile -t packages < <(git ls-files 'rtl/*_pkg.sv')
mapfile -t modules < <(git ls-files 'rtl/*.sv' | grep -v '_pkg\.sv$')
nice "$yosys" -p "read_slang --threads 1 -D SYNTHESIS -I rtl --top faa_top $parameters --keep-hierarchy $(realpath --relative-to=. "$spec") \
${packages[*]} ${modules[*]}; hierarchy -check -top faa_top; proc -noopt; select -assert-none t:\$dlatch t:\$adlatch; check -assert" >/dev/null
