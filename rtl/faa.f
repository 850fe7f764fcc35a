// SPDX-License-Identifier: Apache-2.0
// Sources of the device for Verilator's -F (paths are relative to this file). The generated package
// faa_pkg.sv has to be named first.
+incdir+.
-y lib
-y mem
-y front
-y regs
-y lanes
-y shared
-y cu
-y float
-y l2
-y global
-y surface
regs/faa_regs.vlt
regs/faa_regs_pkg.sv
bundle/faa_bundle_pkg.sv
faa_build_pkg.sv
cu/faa_cu_pkg.sv
surface/faa_surface_pkg.sv
float/faa_float_pkg.sv
lanes/faa_lanes_pkg.sv
shared/faa_shared_pkg.sv
l2/faa_l2_pkg.sv
global/faa_global_pkg.sv
cu/faa_cu_wrap.sv
faa_top.sv
