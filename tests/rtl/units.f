// SPDX-License-Identifier: MIT
// Sources for testbenches of single modules: packages, and directories to look modules up in.
// rtl/faa.f names the top of the device, too, and with it most modules; tests/kept.py counts on it
// that a testbench reads no module that its top does not use. The generated package faa_pkg.sv has
// to be named first.
+incdir+../../rtl
-y stand_in
-y ../../rtl/lib
-y ../../rtl/mem
-y ../../rtl/front
-y ../../rtl/regs
-y ../../rtl/lanes
-y ../../rtl/shared
-y ../../rtl/cu
-y ../../rtl/float
-y ../../rtl/l2
-y ../../rtl/global
-y ../../rtl/surface
../../rtl/regs/faa_regs.vlt
../../rtl/regs/faa_regs_pkg.sv
../../rtl/bundle/faa_bundle_pkg.sv
../../rtl/faa_build_pkg.sv
../../rtl/cu/faa_cu_pkg.sv
../../rtl/surface/faa_surface_pkg.sv
../../rtl/float/faa_float_pkg.sv
../../rtl/lanes/faa_lanes_pkg.sv
../../rtl/shared/faa_shared_pkg.sv
../../rtl/l2/faa_l2_pkg.sv
../../rtl/global/faa_global_pkg.sv
