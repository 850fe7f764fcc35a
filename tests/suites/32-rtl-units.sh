#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# modules: faa_top faa_test_mmu faa_test_axi faa_cu_counters
# generated: faa_pkg.sv faa_isa.h
# inputs: rtl/faa.f rtl/regs/faa_regs.h tests/rtl/build.sh tests/rtl/units.f tests/rtl/wall.sh
# inputs: tests/rtl/coverage.py tests/rtl/tb.h tests/rtl/device.h tests/rtl/top_test.cpp
# inputs: tests/rtl/mmu_tb.cpp tests/rtl/axi_tb.cpp tests/rtl/counters_tb.cpp
# inputs: sim/include sim/vdev/axi_mem.c sim/vdev/axi_mem.h sim/vdev/headers.mk
#
# Front end, MMU and memory system, without and with the L2, around a stand-in compute unit
# (tests/rtl/top_test.cpp), and sizes that must not elaborate; the MMU alone, three TLBs on the
# shared part, with tables that change meanwhile (tests/rtl/mmu_tb.cpp), its latencies by the cycle;
# the AXI master with atomic transactions among its lines (tests/rtl/axi_tb.cpp), with the coverage
# of these; the counters of units and queues (tests/rtl/counters_tb.cpp). FAA_SEED picks the random
# stalls and latencies.
set -u
. "$(dirname "$0")/../tap.sh"

seed=${FAA_SEED:-1}
spec=$build/tests/rtl/spec
log=$build/tests/rtl/top
mkdir -p "$log"
echo "# seed $seed"

refuse() { # parameter...: with the stand-in compute unit, which is elaborated sooner
	! verilator --lint-only -Wno-fatal -y "$top/tests/rtl/stand_in" "$spec/faa_pkg.sv" -F "$top/rtl/faa.f" --top-module faa_top "${@/#/-G}" 2>&1 |
		grep -q "faa_top: ${1%%=*} is" && return 1
	return 0
}

run_top() { # units slots width 0|1 (global atomics) [PARAMETER=VALUE...]
	local units=$1 slots=$2 width=$3 atomics=$4 lanes=32 name program value
	shift 4
	for value; do
		case $value in SharedLanes=*) lanes=${value#*=} ;; esac
	done
	name=$(IFS=-; echo "top-$units-$slots-$width-$atomics${*:+-$*}" | tr -d =)
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_top top_test "$name" -GNumCu="$units" -GWarpSlots="$slots" -GAxiDataWidth="$width" \
		"-GGlobalAtomics=1'b$atomics" "-GSysAtomics=1'b0" "-GSurfaceAtomics=1'b0" "${@/#/-G}" \
		-CFLAGS "-DNUM_CU=$units -DWARP_SLOTS=$slots -DNUM_QUEUES=16 -DAXI_WIDTH=$width -DGLOBAL_ATOMICS=$atomics -DSHARED_LANES=$lanes" \
		"$top/rtl/faa_top.sv") &&
		timeout 900 "$program" --seed "$seed" >"$log/$name.log"
}

run_axi() { # width line-bytes
	local program
	cc -std=c11 -O1 -c "-I$top/sim/include" "-I$top/sim/vdev" -D_GNU_SOURCE "$top/sim/vdev/axi_mem.c" -o "$log/axi_mem.o" &&
		program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_test_axi axi_tb "axi-$1-$2" \
			"-GDataWidth=$1" "-GLineBytes=$2" -CFLAGS "-DLINE_BYTES=$2" \
			--coverage-line --coverage-user -CFLAGS "-I$top/sim/include -I$top/sim/vdev" "$top/rtl/mem/faa_axi_atomic.sv" \
			"$top/tests/rtl/units/faa_test_axi.sv" "$log/axi_mem.o") &&
		"$program" 100000 "$seed" "$1" "$log/axi-$1-$2.dat"
}

run_mmu() { # name walks argument verilator-option...
	local program name=$1 walks=$2 argument=$3
	shift 3
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_test_mmu mmu_tb "$name" "$@" "$top/tests/rtl/units/faa_test_mmu.sv" \
		"$top/rtl/mem/faa_mmu.sv" "$top/rtl/mem/faa_tlb.sv" "$top/rtl/front/faa_inv.sv") &&
		"$program" 60000 "$seed" "$walks" "$argument"
}

run_counters() { # name verilator-option...
	local program name=$1
	shift
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_cu_counters counters_tb "$name" "$@" \
		--public-flat-rw "$top/rtl/cu/faa_cu_counters.sv") && "$program" 300000 "$seed"
}

python3 "$top/spec/generate.py" --out "$spec"
# A device without L2 takes still less time to elaborate.
lean=("GlobalAtomics=1'b0" "SysAtomics=1'b0" "SurfaceAtomics=1'b0")
check "9 units do not elaborate" refuse NumCu=9 "${lean[@]}"
check "5 slots do not elaborate" refuse WarpSlots=5 "${lean[@]}"
check "17 queues do not elaborate" refuse NumQueues=17 "${lean[@]}"
check "shared memory of 5000 bytes does not elaborate" refuse SharedBytes=5000 "${lean[@]}"
check "12 lanes do not elaborate" refuse SharedLanes=12 "${lean[@]}"
check "lines of 48 bytes do not elaborate" refuse LineBytes=48 "${lean[@]}"
check "a memory port wider than a line does not elaborate" refuse AxiDataWidth=256 LineBytes=16 \
	L2AluWords=4
check "3 slices of the L2 do not elaborate" refuse L2Slices=3
check "3 ports to the L2 do not elaborate" refuse L2Ports=3
check "surfaces without an L2 do not elaborate" refuse SurfaceAtomics=1 GlobalAtomics=0
check "more ports to the L2 than slices do not elaborate" refuse L2Ports=4
check "MMU: 60,000 requests, tables that change, invalidations; latencies by the cycle" run_mmu mmu 8 timed
check "MMU with 4 walks, few sets, lines of 16 bytes: 60,000 requests" run_mmu mmu-small 4 \
	"$log/mmu.dat" -GLineBytes=16 -CFLAGS -DLINE_BYTES=16 -GWalks=4 -GSets0=4 \
	-GSets1=2 -GSets2=2 -GWays=2 --coverage-line --coverage-user
check "MMU with few cells: one walk, lines of 16 bytes, no first-level TLBs: 60,000 requests" \
	run_mmu mmu-compact 1 "$log/mmu-compact.dat" -GLineBytes=16 -CFLAGS -DLINE_BYTES=16 \
	-CFLAGS -DREQUESTS=7 -GWalks=1 -GSets0=32 "-GCompact=1'b1" --coverage-line --coverage-user
check "coverage of the MMU with few cells" python3 "$top/tests/rtl/coverage.py" --lines 95 \
	--under rtl/mem/faa_tlb_serial.sv --under rtl/mem/faa_tlb_requests.sv "$log/mmu-compact.dat"
check "coverage of the MMU and its clients: lines and cover points" python3 "$top/tests/rtl/coverage.py" --lines 95 --under rtl/mem/faa_mmu.sv \
	--under rtl/mem/faa_ptw.sv --under rtl/mem/faa_tlb.sv --under rtl/mem/faa_tlb_shared.sv --under rtl/mem/faa_tlb_sectors.sv \
	--under rtl/cu/faa_cu_translate.sv --under rtl/cu/faa_cu_asks.sv --under rtl/cu/faa_cu_tr_arb.sv --under rtl/front/faa_inv.sv "$log/mmu.dat"
check "counters in RAM: 300,000 cycles of events, reads, snapshots and contexts" \
	run_counters counters -GLanes=4 -GLineBytes=16 "-GSerial=1'b1"
check "counters in flip-flops: 300,000 cycles of events, reads, snapshots and contexts" \
	run_counters counters-flat -GSlots=2 -GLanes=8 -GLineBytes=32 -CFLAGS -DFLAT
check "front end, MMU and memory: 2 units of 2 slots, 64 bits" run_top 2 2 64 0
[ -z "${FAA_LONG:-}" ] || check "with the L2: 1 unit of 1 slot, 64 bits" run_top 1 1 64 1
check "with the L2: 2 units of 3 slots, 512 bits, 2 ports to 4 slices" run_top 2 3 512 1 L2Slices=4 L2Ports=2 L2AluWords=4
check "with the L2: 1 unit of 1 slot, 4 lanes, 64 bits" run_top 1 1 64 1 SharedLanes=4 SurfaceLanes=1
counted=()
for width in 512 ${FAA_LONG:+128} 64; do
	counted+=("$log/axi-$width-64.dat")
	check "AXI master with atomic transactions: $width bits" run_axi "$width" 64
done
check "AXI master with atomic transactions: 64 bits, lines of 16 bytes" run_axi 64 16
check "coverage of faa_axi_atomic: lines and cover points" python3 "$top/tests/rtl/coverage.py" --lines 95 --under rtl/mem/faa_axi_atomic.sv "${counted[@]}"
finish
