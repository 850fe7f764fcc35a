// SPDX-License-Identifier: Apache-2.0
//
// Credits of faa_shared_back: a beat that is answered leaves stage C only with an entry of the
// queue of answers in stage R, so the stages between them, which cannot wait, find room
// (answers_have_room in faa_shared_results). Which beats leave stage C, and whether they want
// answers, is the solver's choice: run.py cuts the stages before off. No credit is lost: beats
// leave when answers have been taken for long enough.

`include "formal.svh"

module shared_back_props #(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Latency = 9,   // cycles from stage C to the queue
  parameter int unsigned Longest = 40,   // cycles, more than a beat takes through the full queue
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned CountW = $clog2(Longest + 1)
) (
  input logic clk_i,
  input logic run_i,
  input logic ready_i
);

  `FORMAL_RESET

  faa_shared_back #(
    .Lanes(Lanes), .Slots(1), .UserW(1), .F32(1'b0), .Sums(1'b0), .Warps(4), .Front(4), .Records(4)
  ) u_back (
    .clk_i, .rst_ni, .room_o(), .warp_begins_i(1'b0), .warp_ends_i(1'b0), .warp_result_i(1'b0),
    .warp_user_i('0), .enter_i(1'b0), .swap_i('0), .swaps_valid_i(1'b0), .swaps_i('0),
    .record_valid_i(1'b0), .record_i('0), .hold_i(1'b0), .places_valid_i(1'b0), .places_i('0),
    .collected_o(), .complete_i('0), .leave_o(), .answer_i('0), .result_valid_o(),
    .result_ready_i(ready_i), .result_part_o(), .result_o(), .result_user_o(), .done_valid_o(),
    .done_user_o(), .idle_o()
  );

  // Beats that left stage C in the last cycles and are answered
  logic              comes;
  logic [CountW-1:0] way;
  formal_way #(.Latency(Latency), .CountW(CountW)) u_way (
    .clk_i, .rst_ni, .enters_i(u_back.collected_o && u_back.r_record.beat.result),
    .arrives_o(comes), .count_o(way)
  );

  `FAA_ASSERT(ComesInTime, u_back.u_valid == comes)
  `FAA_ASSERT(AnswersAreHeld, CountW'(u_back.results_q) ==
              way + CountW'(u_back.u_results.u_beats.count_q) +
              CountW'(u_back.u_results.head_valid))
  `FAA_ASSERT(RoomIsKnown, !u_back.results_room_q || u_back.results_q < u_back.Results)

  // There is no room although answers are taken
  logic stuck;
  formal_waits #(.Longest(Longest)) u_stuck (
    .clk_i, .rst_ni, .waits_i(ready_i && !u_back.results_room_q), .long_o(stuck)
  );

  `FAA_ASSERT(RoomComes, !stuck)

endmodule
