// SPDX-License-Identifier: Apache-2.0
//
// Credits of faa_shared between stages X, D and C: a beat leaves stage X only with an entry of the
// queue before stage D and of those before stage C, so the stages between them, which cannot wait,
// find room (ahead_has_room, records_have_room in the modules). Beats come from stage S, are taken
// by stage D and leave stage C in any cycle of the solver's choice: run.py cuts the rest of the
// unit off. No credit is lost: beats pass stage X when all have been taken for long enough.

`include "formal.svh"

module shared_middle_props #(
  parameter int unsigned Lanes = 4,
  parameter int unsigned ToRecord = 4,   // cycles from leaving stage X to the queue of records
  parameter int unsigned ToPlace = 10,    // ... and of places, and to the queue before stage D
  parameter int unsigned Longest = 40,   // cycles, more than a beat takes through full queues
  localparam int unsigned CountW = $clog2(Longest + 1)
) (
  input logic clk_i,
  input logic run_i
);

  `FORMAL_RESET

  `include "shared_after_x.svh"

  // No beat may leave stage X although those before are taken
  logic flows, stuck;
  assign flows = u_unit.u_banks.f_takes && u_unit.u_back.f_leaves;
  formal_waits #(.Longest(Longest)) u_stuck (
    .clk_i, .rst_ni, .waits_i(flows && !u_unit.x_go_q), .long_o(stuck)
  );

  `FAA_ASSERT(BeatsPass, !stuck)

endmodule
