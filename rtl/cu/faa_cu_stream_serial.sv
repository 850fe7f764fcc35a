// SPDX-License-Identifier: Apache-2.0
//
// faa_cu_stream lane by lane, for builds where few look-up tables count more than cycles: a piece
// is one item. Lanes of the slots a, b, c of a warp follow each other.
//
//   G  the address of the next lane of each slot, in a RAM. State See compares a lane with the page
//      and line remembered; state Lane checks it, finds or requests its page, and uses the line of
//      the previous lane of its slot or requests its own (faa_cu_linebuf)
//   Q  queue of items
//   P  the item whose line has arrived is offered, in order
//
// One page and the last line are remembered. Without overlap_i a warp begins when go_i and next_i
// say that every earlier warp has had its effect, and reads its lines again. The first error ends
// the sequence: it is offered as the last piece of its slot.
//
// Latency: G to P 4 cycles and the memory, 1 more to begin. Throughput: a lane in 2 cycles in the
// page of the previous lane, 3 and the TLB in another one; a lane without an item in 1.
// Stalls: TRL-S1 (a page is translated), STR-S1 to STR-S3 (faa_cu_linebuf), STR-S4 (the queue is
// full).
// Hazards: data read before an invalidation or for another command: stop_i empties all parts, then
// begin_i restarts.

`include "faa_assert.svh"

module faa_cu_stream_serial #(
  parameter int unsigned LineBytes = 16,   // of a line of memory: 16, 32 or 64
  parameter int unsigned Lines = 16,       // of the line buffer
  parameter int unsigned Items = 32,       // of Q
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  faa_cu_pkg::cmd_t  cmd_i,
  input  logic              set_i,          // at rest: the address of lane 0 of a slot
  input  logic [1:0]        set_slot_i,
  input  logic [63:0]       base_i,
  input  logic              begin_i,        // G begins at element_i, with the addresses set
  input  logic [32:0]       element_i,
  input  logic [31:0]       guard_i,
  input  logic              overlap_i,
  input  logic              go_i,           // a warp may begin
  input  logic              next_i,         // element_i is the next warp, and no piece is offered
  input  logic              stop_i,         // begin nothing, drop accesses in flight
  input  logic              drop_i,         // forget translations (while idle_o)
  output logic              idle_o,         // nothing is held or in flight
  output logic              begun_o,        // warp element_i has begun

  output logic              valid_o,        // a piece
  input  logic              take_i,
  output logic [1:0]        slot_o,
  output logic              last_o,         // of its warp and slot
  output logic [4:0]        lane_o,         // that takes the item
  output logic              none_o,         // no lane does
  output logic              sparse_o,       // the item is 0
  output logic [OffW-1:0]   place_o,        // of the item, in its line
  output logic [LineW-1:0]  data_o,         // the line
  output logic              fail_o,         // no item; the error of the slot
  output logic [7:0]        error_o,
  output logic [4:0]        error_lane_o,
  output logic [63:0]       error_address_o,
  output logic              bad_o,          // bus error
  output logic [51:OffW]    bad_line_o,

  output logic              tr_valid_o,
  input  logic              tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic              tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic              mem_valid_o,
  input  logic              mem_ready_i,
  output logic [51:OffW]    mem_line_o,
  output logic [6:0]        mem_tag_o,
  input  logic              mem_rsp_valid_i,
  input  logic [6:0]        mem_rsp_tag_i,
  input  logic [LineW-1:0]  mem_rsp_data_i,
  input  logic              mem_rsp_err_i
);

  localparam int unsigned IndexW = $clog2(Lines);
  localparam int unsigned ItemW = $clog2(Items);
  localparam int unsigned PieceW = 5 + 2 + OffW + IndexW + 5;

  typedef enum logic [2:0] {
    StIdle,
    StWarp,      // a slot of a warp begins, when permitted
    StSee,       // a lane is compared
    StLane,      // a lane
    StAsk,       // its page is requested
    StAnswer
  } state_e;

  state_e            state_q;
  logic [2:0]        streams, left_q;    // slots; those of this warp that are not finished
  logic [1:0]        slot_q, slot_next;
  logic              slot_last;
  logic [32:0]       element_q, left;
  logic              begun_q;            // some slot of the warp has begun
  logic [31:0]       mask_q;             // mask of the slot from the current lane on
  logic [4:0]        lane_q;
  logic              last;

  // The address of the current lane, its page and line
  logic [63:0]       va_q [4];
  logic [63:0]       va, at_q;
  logic              at_bad_q, at_hit_q, at_same_q, skip;
  logic [31:0]       step;
  logic [1:0]        size;
  logic [51:0]       page_va_q;
  logic [40:0]       page_q;             // sparse, physical page
  logic              page_known_q, line_known_q;
  logic [11:OffW]    line_q;
  logic [IndexW-1:0] index_q;
  logic              misaligned, page_hit, sparse, reuse, ask, ask_ready, push, fails, none, empty, advance;
  logic [39:0]       page_pa;
  logic [6:0]        ask_index;
  logic              room, lines_idle;
  logic [7:0]        code_q;
  logic [63:0]       table_q;            // of a bus error: the table entry

  assign streams = {cmd_i.kind_c == faa_pkg::KIND_STREAM, cmd_i.kind_b == faa_pkg::KIND_STREAM,
                    cmd_i.kind_a == faa_pkg::KIND_STREAM};

  // -----------------------------------------------------------------------------------------------
  // G

  assign slot_next = left_q[0] ? 2'd0 : left_q[1] ? 2'd1 : 2'd2;
  assign slot_last = (left_q & (left_q - 3'd1)) == '0;
  assign left      = cmd_i.count - element_q;

  always_comb begin
    case (slot_q)
      2'd0: {size, step} = {faa_cu_pkg::size_log2(cmd_i.a_1[35:32]), cmd_i.a_1[31:0]};
      2'd1: {size, step} = {faa_cu_pkg::size_log2(cmd_i.b_1[35:32]), cmd_i.b_1[31:0]};
      default: {size, step} = {faa_cu_pkg::size_log2(cmd_i.c_1[35:32]), cmd_i.c_1[31:0]};
    endcase
  end

  assign va         = va_q[slot_q];
  assign none       = mask_q == '0;
  assign last       = mask_q[31:1] == '0;
  assign misaligned = at_bad_q;
  assign page_hit   = at_hit_q;
  assign {sparse, page_pa} = page_q;
  assign reuse      = at_same_q;

  always_ff @(posedge clk_i) begin
    at_q      <= va;
    at_bad_q  <= (va[2:0] & ~(3'b111 << size)) != 3'b0;
    at_hit_q  <= page_known_q && page_va_q == va[63:12];
    at_same_q <= line_known_q && line_q == va[11:OffW];
  end

  // The lane has its item, has an error, or has no item.
  assign fails   = state_q == StLane && mask_q[0] && misaligned;
  assign ask     = state_q == StLane && mask_q[0] && !misaligned && page_hit && !sparse && !reuse &&
                   room && !stop_i;
  assign empty   = none && lane_q == '0;   // the slot has no lane in this warp
  assign push    = room && !stop_i &&
                   ((state_q == StLane && (!mask_q[0] || misaligned || (page_hit && (sparse || reuse || ask_ready)))) ||
                    (state_q == StAnswer && tr_rsp_valid_i &&
                     tr_rsp_i.error != faa_pkg::ERROR_SUCCESS));
  // The address advances to the next lane, also after the last lane that takes part.
  assign skip    = state_q == StSee && !mask_q[0] && !empty;
  assign advance = (state_q == StLane && push && !fails) || (skip && !stop_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      page_known_q <= 1'b0;
      line_known_q <= 1'b0;
    end else begin
      case (state_q)
        StIdle: if (begin_i) state_q <= StWarp;
        StWarp: if (element_q >= cmd_i.count) state_q <= StIdle;
        else if (begun_q || (go_i && (overlap_i || (next_i && element_q == element_i)))) begin
          state_q <= StSee;
        end
        StSee: if (!skip) state_q <= StLane;
        else if (lane_q == '1) state_q <= StWarp;
        StLane: if (push && fails) state_q <= StIdle;
        else if (advance) state_q <= lane_q == '1 ? StWarp : StSee;
        else if (mask_q[0] && !misaligned && !page_hit && room) state_q <= StAsk;
        StAsk: if (tr_ready_i) state_q <= StAnswer;
        default: if (tr_rsp_valid_i) begin
          state_q <= tr_rsp_i.error == faa_pkg::ERROR_SUCCESS ? StSee : StIdle;
        end
      endcase
      // A request that has been made is answered: its response is awaited.
      if (stop_i && !(state_q == StAsk || (state_q == StAnswer && !tr_rsp_valid_i))) begin
        state_q <= StIdle;
      end

      if (drop_i) page_known_q <= 1'b0;
      else if (state_q == StAnswer && tr_rsp_valid_i) begin
        page_known_q <= tr_rsp_i.error == faa_pkg::ERROR_SUCCESS;
      end
      // A warp without overlap may read lines that the previous warp has written.
      if (stop_i || (state_q == StWarp && !overlap_i && !begun_q)) line_known_q <= 1'b0;
      else if (state_q == StAnswer) line_known_q <= 1'b0;
      else if (ask && push) line_known_q <= 1'b1;
    end

    if (state_q == StIdle) begin
      if (begin_i) begin
        element_q <= element_i;
        left_q    <= streams;
        begun_q   <= 1'b0;
      end
    end else if (advance && lane_q == '1) begin
      left_q  <= slot_last ? streams : left_q & (left_q - 3'd1);
      begun_q <= !slot_last;
      if (slot_last) element_q <= element_q + 33'd32;
    end else if (state_q == StSee) begin
      begun_q <= 1'b1;
    end

    if (state_q == StWarp) begin
      slot_q <= slot_next;
      mask_q <= (left >= 33'd32 ? 32'hffffffff : ~(32'hffffffff << left[4:0])) & guard_i;
      lane_q <= '0;
    end else if (advance) begin
      mask_q <= mask_q >> 1;
      lane_q <= lane_q + 5'd1;
    end

    if (set_i || advance) begin
      va_q[set_i ? set_slot_i : slot_q] <= set_i ? base_i : va + {{32{step[31]}}, step};
    end

    if (state_q == StAnswer && tr_rsp_valid_i) begin
      page_va_q <= at_q[63:12];
      page_q    <= {tr_rsp_i.sparse, tr_rsp_i.pa[51:12]};
      table_q   <= tr_rsp_i.pa;
      code_q    <= tr_rsp_i.error;
    end else if (fails) begin
      code_q <= faa_pkg::ERROR_MISALIGNED;
    end
    if (ask && push) begin
      line_q  <= at_q[11:OffW];
      index_q <= ask_index[IndexW-1:0];
    end
  end

  assign error_o         = code_q;
  assign error_lane_o    = lane_q;
  assign error_address_o = code_q == faa_pkg::ERROR_BUS_ERROR ? table_q : at_q;
  assign tr_valid_o      = state_q == StAsk;
  assign tr_req_o         = '{va: {at_q[63:12], 12'b0}, write: 1'b0, atomic: 1'b0};

  // -----------------------------------------------------------------------------------------------
  // Q and P

  logic [PieceW-1:0] queue_q [Items];
  logic [PieceW-1:0] out_piece_q;
  logic [ItemW-1:0]  head_q, tail_q;
  logic [ItemW:0]    count_q;
  logic              pop, head_last, head_none, head_fail, head_fresh, head_plain, have, bad;
  logic [1:0]        head_slot;
  logic [OffW-1:0]   head_place;
  logic [IndexW-1:0] head_index;
  logic [4:0]        head_lane;
  logic [51:OffW]    head_line, out_line_q;
  logic              out_q, bad_out_q, out_fresh, in_fails, in_none;
  logic [IndexW-1:0] out_index;

  assign room = !count_q[ItemW];
  assign {head_last, head_none, head_fail, head_fresh, head_plain, head_slot, head_place, head_index,
          head_lane} = queue_q[head_q];
  assign pop = count_q != '0 && (head_plain || have) && (!out_q || take_i) && !stop_i;

  faa_cu_linebuf #(
    .LineBytes(LineBytes),
    .Lines    (Lines),
    .HalfRate (1'b1)
  ) u_lines (
    .clk_i,
    .rst_ni,
    .clear_i    (begin_i),
    .streams_i  (3'b001),                // lines are used in the order of their requests
    .idle_o     (lines_idle),
    .ask_valid_i(ask),
    .ask_ready_o(ask_ready),
    .ask_slot_i (2'd0),
    .ask_line_i ({page_pa, at_q[11:OffW]}),
    .ask_index_o(ask_index),
    .free_i     (pop && head_fresh),
    .free_slot_i(2'd0),
    .at_i       (7'(head_index)),
    .have_o     (have),
    .bad_o      (bad),
    .line_o     (head_line),
    .read_i     (pop && !head_plain),
    .data_o,
    .mem_valid_o,
    .mem_ready_i,
    .mem_line_o,
    .mem_tag_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_data_i,
    .mem_rsp_err_i
  );

  assign in_fails = fails || state_q == StAnswer;
  assign in_none  = !in_fails && none;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
      out_q   <= 1'b0;
    end else begin
      if (push) tail_q <= tail_q + ItemW'(1);
      if (pop) head_q <= head_q + ItemW'(1);
      count_q <= count_q + (ItemW+1)'(push) - (ItemW+1)'(pop);
      if (pop) out_q <= 1'b1;
      else if (take_i) out_q <= 1'b0;
    end
    if (push) begin
      queue_q[tail_q] <= {last || in_fails, in_none, in_fails, ask, !ask && (in_none || in_fails || sparse),
                          slot_q, at_q[OffW-1:0], ask ? ask_index[IndexW-1:0] : index_q,
                          lane_q};
    end
    if (pop) begin
      out_piece_q <= queue_q[head_q];
      bad_out_q   <= bad && !head_plain;
      out_line_q  <= head_line;
    end
  end

  assign valid_o    = out_q;
  assign {last_o, none_o, fail_o, out_fresh, sparse_o, slot_o, place_o, out_index, lane_o} = out_piece_q;
  assign bad_o      = bad_out_q;
  assign bad_line_o = out_line_q;
  assign begun_o    = begun_q || element_q != element_i;
  assign idle_o     = state_q == StIdle && count_q == '0 && !out_q && lines_idle && !begin_i;

  logic unused;
  assign unused = ^{cmd_i, tr_rsp_i, head_last, head_none, head_fail, head_slot, head_place,
                    head_lane, out_fresh, out_index, ask_index};

  `FAA_ASSERT(set_at_rest, !set_i || state_q == StIdle)
  `FAA_ASSERT(begin_at_rest, !begin_i || (state_q == StIdle && count_q == '0 && !out_q && lines_idle))
  `FAA_ASSERT(error_has_room, !(state_q == StAnswer && tr_rsp_valid_i) || room || stop_i)
  `FAA_COVER(stall_l1, count_q != '0 && !head_plain && !have)
  `FAA_COVER(stall_l4, state_q == StLane && !room)
  `FAA_COVER(line_reused, push && !ask && !head_plain)

endmodule
