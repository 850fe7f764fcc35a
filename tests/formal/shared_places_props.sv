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

  faa_shared #(
    .SharedBytes(512), .Lanes(Lanes), .Chains(2), .UserW(1), .Owners(1), .F32(1'b0), .F64(1'b0),
    .X2(1'b0), .Relaxed(1'b0)
  ) u_unit (
    .clk_i, .rst_ni, .warp_valid_i(1'b0), .warp_ready_o(), .warp_part_i('0), .warp_mask_i(32'd1),
    .warp_func_i('0), .warp_op_i('0), .warp_typ_i('0), .warp_mod_i('0), .warp_result_i(1'b0),
    .warp_user_i('0), .warp_owner_i('0), .warp_addr_i('0), .warp_b_i('0), .warp_c_i('0),
    .result_valid_o(), .result_ready_i(1'b0), .result_part_o(), .result_o(), .result_user_o(),
    .done_valid_o(), .done_user_o(), .ev_passes_o(), .ev_owner_o(), .ev_groups_o(),
    .ev_bank_ops_o(), .ev_stall_bank_o(), .ev_stall_queue_o(), .ev_stall_result_o(),
    .ev_stall_hazard_o(), .ev_stall_window_o(), .idle_o()
  );

  // Beats that have left stage X in the last cycles, and the credits, as in shared_middle_props.sv
  logic              record_comes, place_comes;
  logic [CountW-1:0] to_record, to_place;
  formal_way #(.Latency(ToRecord), .CountW(CountW)) u_to_record (
    .clk_i, .rst_ni, .enters_i(u_unit.x_pass), .arrives_o(record_comes), .count_o(to_record)
  );
  formal_way #(.Latency(ToPlace), .CountW(CountW)) u_to_place (
    .clk_i, .rst_ni, .enters_i(u_unit.x_pass), .arrives_o(place_comes), .count_o(to_place)
  );

  `FAA_ASSERT(RecordComesInTime, u_unit.x_valid == record_comes)
  `FAA_ASSERT(PlaceComesInTime, u_unit.i_valid == place_comes)
  `FAA_ASSERT(RecordsAreHeld, CountW'(u_unit.records_q) ==
              to_record + CountW'(u_unit.u_back.u_records.count_q) +
              CountW'(u_unit.u_back.record_valid))
  `FAA_ASSERT(PlacesAreHeld, CountW'(u_unit.records_q) ==
              to_place + CountW'(u_unit.u_back.u_places.count_q) +
              CountW'(u_unit.u_back.place_valid))
  `FAA_ASSERT(AheadIsHeld, CountW'(u_unit.ahead_q) ==
              to_place + CountW'(u_unit.u_banks.u_ahead.count_q) + CountW'(u_unit.u_banks.d_valid))
  `FAA_ASSERT(GoIsKnown, !u_unit.x_go_q ||
              (u_unit.ahead_q < u_unit.Ahead && u_unit.records_q < u_unit.Records))

  // The entries of a queue are those from its head to its tail.
  `FAA_ASSERT(EntriesAreKnown, u_unit.u_back.u_places.tail_q ==
              2'(u_unit.u_back.u_places.head_q + 2'(u_unit.u_back.u_places.count_q)))

  for (genvar h = 0; h < 2; h++) begin : g_half
    `FAA_ASSUME(PassesAreFew, u_unit.i_places.passes[h] <= 2'(Passes))

    // Beats in the queue for all beats that have operations in this half
    localparam int unsigned Needed = Lanes * (1 + LaneW) + h;  // the bit of an entry
    logic [CountW-1:0] needing;
    always_comb begin
      needing = CountW'(u_unit.u_back.place_valid && u_unit.u_back.needed[h]);
      for (int n = 0; n < 4; n++) begin
        if (3'(n) < u_unit.u_back.u_places.count_q)
          needing = needing +
                    CountW'(u_unit.u_back.u_places.u_ram.mem[u_unit.u_back.u_places.head_q + 2'(n)][Needed]);
      end
    end

    `FAA_ASSERT(HalfIsHeld, needing == CountW'(u_unit.u_back.full[h]) +
                CountW'(u_unit.u_back.g_collect[h].valid) +
                CountW'(u_unit.u_back.g_collect[h].u_places.count_q))

    `FAA_ASSERT(EntriesOfHalfAreKnown, u_unit.u_back.g_collect[h].u_places.tail_q ==
                2'(u_unit.u_back.g_collect[h].u_places.head_q +
                   2'(u_unit.u_back.g_collect[h].u_places.count_q)))

    // A beat in the queue of this half has passes, and not all of the oldest one have left.
    logic known;
    always_comb begin
      known = 1'b1;
      for (int n = 0; n < 4; n++) begin
        if (3'(n) < u_unit.u_back.g_collect[h].u_places.count_q &&
            (u_unit.u_back.g_collect[h].u_places.u_ram.mem[u_unit.u_back.g_collect[h].u_places.head_q + 2'(n)][1:0] == '0 ||
             u_unit.u_back.g_collect[h].u_places.u_ram.mem[u_unit.u_back.g_collect[h].u_places.head_q + 2'(n)][1:0] > 2'(Passes)))
          known = 1'b0;
      end
      if (u_unit.u_back.g_collect[h].valid) begin
        if (u_unit.u_back.g_collect[h].passes > 2'(Passes) ||
            u_unit.u_back.g_collect[h].u_collect.given_q >= u_unit.u_back.g_collect[h].passes) known = 1'b0;
      end else if (u_unit.u_back.g_collect[h].u_collect.given_q != '0) begin
        known = 1'b0;
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
