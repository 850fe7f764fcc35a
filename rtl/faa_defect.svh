// SPDX-License-Identifier: Apache-2.0
//
// Defects that tests of the memory order have to find (Documentation/litmus.rst). They exist only
// in builds with FAA_DEFECTS, where an argument of the simulator chooses one at its start; in all
// other builds each is a constant 0.
//
//   FAA_DEFECT(signal, name)           declares signal: 1 if the defect of that name was chosen

`ifndef FAA_DEFECT_SVH
`define FAA_DEFECT_SVH

`ifdef FAA_DEFECTS
import "DPI-C" function int faa_defect(input string name);

`define FAA_DEFECT(signal, name) \
  logic signal; \
  initial signal = faa_defect(name) != 0;
`else
`define FAA_DEFECT(signal, name) \
  localparam logic signal = 1'b0;
`endif

`endif
