#!/bin/bash
# SPDX-License-Identifier: MIT
#
# wall.sh: prints the options with which Verilator checks the RTL. Newer versions also want names of generate blocks, which
# PeakRDL's file lacks; older ones do not know that warning.
set -euo pipefail
if verilator -Wno-GENUNNAMED --version >/dev/null 2>&1; then
	echo "-Wall -Wno-GENUNNAMED"
else
	echo "-Wall"
fi
