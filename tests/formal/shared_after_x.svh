// SPDX-License-Identifier: Apache-2.0
//
// Part of shared_middle_props and shared_places_props: the unit, and the credits of its beats from
// stage X to stages D and C. A beat that holds a credit is on its way to the queues (ToRecord,
// ToPlace: cycles), in one of them, or in the stage after it.

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

  // Beats that have left stage X in the last cycles, and the credits
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
