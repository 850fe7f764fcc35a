// SPDX-License-Identifier: Apache-2.0
//
// Credits of faa_shared_front, with warps of any kind and any waits of the stages after it: a beat
// reserves an entry of the queue before stage X when it enters, so the pipeline, which cannot wait,
// finds room (front_has_room in the module). No credit is lost: the unit is empty when nothing has
// entered for as long as a beat takes, and a beat enters when that long all beats were taken.

`include "formal.svh"

module shared_front_props #(
  parameter int unsigned Lanes = 4,
  parameter int unsigned RowW = 2,
  parameter int unsigned Depth = 4,
  parameter int unsigned Latency = 14,   // cycles from the entry to the queue
  parameter int unsigned Longest = 32,   // cycles, more than a beat takes through the full unit
  localparam int unsigned CountW = $clog2(Longest + 1)
) (
  input logic                   clk_i,
  input logic                   run_i,
  input logic                   room_i,
  input logic                   warp_valid_i,
  input faa_cu_pkg::part_t      warp_part_i,
  input logic [31:0]            warp_mask_i,
  input faa_shared_pkg::beat_t  warp_i,
  input logic [Lanes*24-1:0]    warp_addr_i,
  input logic [Lanes*64-1:0]    warp_b_i,
  input logic [Lanes*64-1:0]    warp_c_i,
  input logic                   ready_i
);

  `FORMAL_RESET

  logic valid, stalls, idle;

  faa_shared_front #(
    .Lanes(Lanes), .RowW(RowW), .OwnerW(1), .F32(1'b0), .Sums(1'b0), .Depth(Depth)
  ) u_front (
    .clk_i, .rst_ni, .room_i, .warp_valid_i, .warp_ready_o(), .warp_part_i, .warp_mask_i, .warp_i,
    .warp_owner_i(1'b0), .warp_addr_i, .warp_b_i, .warp_c_i, .enter_o(), .swap_o(),
    .swaps_valid_o(), .swaps_o(), .valid_o(valid), .ready_i, .sorted_o(), .ev_passes_o(),
    .ev_owner_o(), .ev_groups_o(), .ev_stall_window_o(stalls), .idle_o(idle)
  );

  // Credits that are held: beats on their way, and in the queue. They are those that entered in the
  // last Latency cycles.
  logic              enters, comes;
  logic [CountW-1:0] way;
  assign enters = warp_valid_i && !stalls;
  formal_way #(.Latency(Latency), .CountW(CountW)) u_way (
    .clk_i, .rst_ni, .enters_i(enters), .arrives_o(comes), .count_o(way)
  );

  `FAA_ASSERT(CreditsAreHeld, CountW'(u_front.count_q) ==
              way + CountW'(u_front.u_queue.count_q) + CountW'(valid))
  `FAA_ASSERT(RoomIsKnown, !u_front.room_q || u_front.count_q < ($clog2(Depth + 1))'(Depth))
  `FAA_ASSERT(ComesInTime, u_front.m_valid == comes)

  // No beat enters, and those at the end are taken
  logic quiet;
  formal_waits #(.Longest(Longest)) u_quiet (
    .clk_i, .rst_ni, .waits_i(ready_i && !enters), .long_o(quiet)
  );

  `FAA_ASSERT(EmptiesItself, !quiet || idle)
  `FAA_ASSERT(NothingLeavesAnEmptyUnit, !idle || !valid)

  // A beat waits to enter although there is room after it
  logic stuck;
  formal_waits #(.Longest(Longest)) u_stuck (
    .clk_i, .rst_ni, .waits_i(ready_i && stalls && room_i), .long_o(stuck)
  );

  `FAA_ASSERT(BeatsEnter, !stuck)

endmodule
