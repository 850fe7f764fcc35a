// SPDX-License-Identifier: Apache-2.0
//
// Goes into each bank of faa_shared_queues. Any operation is followed from its push to the head: it leaves once, unchanged, after
// exactly those that were pushed before it, those of one cycle in the order of items. The queue takes what it has room for.

  // Stage D pushes what there is room for, without gaps (shared_spread_inside.svh proves it).
  logic [Push-1:0] f_room;
  for (genvar r = 0; r < Push; r++) begin : g_formal_room
    assign f_room[r] = room_o[r*32 + k];
  end
  `FAA_ASSUME(PushHasRoom, !push_i[k] || ((any & ~f_room) == '0 && (any & (any + Push'(1))) == '0))

  if (k < 2) begin : g_formal
    logic                    f_pick;    // this push, this item is followed
    logic [1:0]              f_item;
    logic                    f_tracked_q, f_high, f_swap;
    logic [PtrW:0]           f_ahead_q;
    logic [LaneW-1:0]        f_lane;
    logic [1:0]              f_func;
    logic [31:0]             f_b, f_c;
    logic [ControlW+63:0]    f_data, f_data_q, f_head;
    logic [PtrW-1:0]         f_place;
    logic [Push-1:0]         f_kept;

    formal_any #(.WIDTH(3)) u_any (.Y({f_pick, f_item}));

    // The followed item as the pair of banks is to see it: a half for each bank of 64 bits, operands of counted operations
    // change places.
    always_comb begin
      f_lane = '0;
      for (int r = 0; r < Push; r++) if (f_item == 2'(r)) f_lane = at[r*5 +: LaneW];
    end
    assign f_swap = wide && faa_shared_pkg::row_swaps(place_i[f_lane*32 + faa_shared_pkg::PLACE_ROW +: 17]);
    assign f_high = wide && (f_swap ^ (k % 2 == 1));
    assign f_b    = f_high ? value_high_i[f_lane*32 +: 32] : value_i[f_lane*32 +: 32];
    assign f_c    = f_high ? other_high_i[f_lane*32 +: 32] : other_i[f_lane*32 +: 32];
    assign f_func = load_i[f_lane] ? faa_cu_pkg::SHARED_LOAD : choice_i[f_lane] ? faa_cu_pkg::SHARED_CHOICE : beat_i.func;
    assign f_data = {f_func, beat_i.op, beat_i.typ, beat_i.mod, beat_i.result,
                     f_swap, place_i[f_lane*32 + faa_shared_pkg::PLACE_BYTE +: 2],
                     place_i[f_lane*32 + faa_shared_pkg::PLACE_ROW +: RowW], counted ? {f_b, f_c} : {f_c, f_b}};
    assign f_head = {head_func_o[k*2 +: 2], head_op_o[k*8 +: 8], head_typ_o[k*4 +: 4], head_mod_o[k*2 +: 2], head_want_o[k],
                     head_swap_o[k], head_byte_o[k*2 +: 2], head_row_o[k*RowW +: RowW], head_c_o[k*32 +: 32],
                     head_b_o[k*32 +: 32]};

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        f_tracked_q <= 1'b0;
      end else if (f_tracked_q) begin
        if (head_valid_o[k] && head_ready_i[k]) begin
          if (f_ahead_q == '0) f_tracked_q <= 1'b0;
          f_ahead_q <= f_ahead_q - (PtrW+1)'(1);
        end
      end else if (push_i[k] && f_pick && 3'(f_item) < 3'(Push) && any_i[f_item*32 + k]) begin
        f_tracked_q <= 1'b1;
        f_ahead_q   <= count_q + (PtrW+1)'(f_item) - (PtrW+1)'(pop);
        f_data_q    <= f_data;
      end
    end

    `FAA_ASSERT(LeavesInOrder, !(f_tracked_q && f_ahead_q == '0) || (filled[k] && f_head == f_data_q))
    `FAA_ASSERT(LeavesAfterOthers, !f_tracked_q || f_ahead_q < count_q)
    `FAA_ASSERT(OfferedWithCredit, head_valid_o[k] == (count_q != '0 && (credit_i[k] || !head_want_o[k])))
    // Room is room: what fills the queue is taken.
    `FAA_ASSERT(RoomIsRoom, f_room[0] == (count_q < (PtrW+1)'(Depth)))

    // Induction: where the item is kept
    assign f_place = head_q + PtrW'(f_ahead_q);
    for (genvar n = 0; n < Push; n++) begin : g_kept
      assign f_kept[n] = f_place % PtrW'(Push) != PtrW'(n) ||
                         {g_column[n].control_mem[f_place[PtrW-1:$clog2(Push)]],
                          g_column[n].words_mem[f_place[PtrW-1:$clog2(Push)]]} == f_data_q;
    end
    `FAA_ASSERT(Kept, !f_tracked_q || &f_kept)
    `FAA_ASSERT(Pointers, PtrW'(tail_q - head_q) == count_q[PtrW-1:0])
  end
