// SPDX-License-Identifier: Apache-2.0
//
// Shared by the harnesses of the proofs. A harness has no outputs and inputs that may have any
// value in any cycle.
//
//   FORMAL_RESET   rst_ni from an input run_i: the first cycle is a reset, later ones may be
//
// A constant of the solver's choice (a bank, a row) is a register that takes an input's value
// during reset.

`ifndef FORMAL_SVH
`define FORMAL_SVH

`include "faa_assert.svh"

`define FORMAL_RESET \
  logic rst_ni; \
  logic began_q = 1'b0; \
  always_ff @(posedge clk_i) began_q <= 1'b1; \
  assign rst_ni = began_q && run_i;

`endif
