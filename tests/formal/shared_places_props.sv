// SPDX-License-Identifier: Apache-2.0
//
// Room for the places of each half of the banks in faa_shared_back: a beat that has operations in a
// half has an entry in that half's queue, or its words in faa_shared_collect, for as long as its
// entry in the queue for all beats, which has room (shared_middle_props.sv). So the queue of a half
// has room, too (records_have_room in the module), and words are taken only where they are complete
// (taken_is_full in faa_shared_collect). Beats, the passes of each half, when these are complete,
// and the cycles in which beats leave are the solver's choice: run.py cuts the rest of the unit
// off. No place is kept: beats pass stage X when passes are complete and beats leave.

`include "formal.svh"

module shared_places_props #(
  parameter int unsigned Lanes = 4,
  parameter int unsigned ToRecord = 4,   // cycles from leaving stage X to the queue of records
  parameter int unsigned ToPlace = 10,   // ... and of places, and to the queue before stage D
  parameter int unsigned Passes = 2,     // of a beat in a half, at most
  parameter int unsigned Longest = 40,   // cycles, more than a beat takes through full queues
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned CountW = $clog2(Longest + 1)
) (
  input logic clk_i,
  input logic run_i
);

  `FORMAL_RESET

  `include "shared_after_x.svh"

  // The entries of a queue are those from its head to its tail.
  `FAA_ASSERT(EntriesAreKnown, u_unit.u_back.u_places.tail_q ==
              2'(u_unit.u_back.u_places.head_q + 2'(u_unit.u_back.u_places.count_q)))

  for (genvar h = 0; h < 2; h++) begin : g_half
    `FAA_ASSUME(PassesAreFew, u_unit.i_places.passes[h] <= 2'(Passes))

    // Entry n, from the oldest: of the queue for all beats, whether the beat has operations in this
    // half; of the queue of this half, its passes
    localparam int unsigned Needed = Lanes * (1 + LaneW) + h;  // the bit of an entry
    logic [3:0]      needs;
    logic [3:0][1:0] passes;
    logic [1:0]      oldest, oldest_of_half;
    assign oldest         = u_unit.u_back.u_places.head_q;
    assign oldest_of_half = u_unit.u_back.g_collect[h].u_places.head_q;
    for (genvar n = 0; n < 4; n++) begin : g_entry
      assign needs[n]  = u_unit.u_back.u_places.u_ram.mem[oldest + 2'(n)][Needed];
      assign passes[n] =
        u_unit.u_back.g_collect[h].u_places.u_ram.mem[oldest_of_half + 2'(n)][1:0];
    end

    // Beats in the queue for all beats that have operations in this half
    logic [CountW-1:0] needing;
    always_comb begin
      needing = CountW'(u_unit.u_back.place_valid && u_unit.u_back.needed[h]);
      for (int n = 0; n < 4; n++) begin
        if (3'(n) < u_unit.u_back.u_places.count_q) needing = needing + CountW'(needs[n]);
      end
    end

    `FAA_ASSERT(HalfIsHeld, needing == CountW'(u_unit.u_back.full[h]) +
                CountW'(u_unit.u_back.g_collect[h].valid) +
                CountW'(u_unit.u_back.g_collect[h].u_places.count_q))

    `FAA_ASSERT(EntriesOfHalfAreKnown, u_unit.u_back.g_collect[h].u_places.tail_q ==
                2'(oldest_of_half + 2'(u_unit.u_back.g_collect[h].u_places.count_q)))

    // A beat in the queue of this half has passes, and not all of the oldest one have left.
    logic       known;
    logic [1:0] given, of_beat;
    assign given   = u_unit.u_back.g_collect[h].u_collect.given_q;
    assign of_beat = u_unit.u_back.g_collect[h].passes;
    always_comb begin
      known = u_unit.u_back.g_collect[h].valid ? of_beat <= 2'(Passes) && given < of_beat :
                                                 given == '0;
      for (int n = 0; n < 4; n++) begin
        if (3'(n) < u_unit.u_back.g_collect[h].u_places.count_q &&
            (passes[n] == '0 || passes[n] > 2'(Passes))) known = 1'b0;
      end
    end

    `FAA_ASSERT(PassesAreKnown, known)
  end

  // No beat may leave stage X although those before are taken
  logic flows, stuck;
  assign flows = u_unit.u_banks.f_takes && u_unit.u_back.f_leaves && &u_unit.complete;
  formal_waits #(.Longest(Longest)) u_stuck (
    .clk_i, .rst_ni, .waits_i(flows && !u_unit.x_go_q), .long_o(stuck)
  );

  `FAA_ASSERT(BeatsPass, !stuck)

endmodule
