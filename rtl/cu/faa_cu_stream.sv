// SPDX-License-Identifier: Apache-2.0
//
// Operand streams of a command: turns addresses into lines of memory, each with the lanes that take
// their items from it.
//
//   G  lanes of a (warp, slot) with which a line begins, alignment
//   T  the line of the lowest lane left, with all lanes in it
//   U  translation of this piece (faa_cu_pages), request for its line (faa_cu_linebuf)
//   Q  queue of these pieces
//   P  the piece whose line has arrived is offered, in order
//
// Only the address of the lowest lane left is computed in full. Lanes share a line only if their
// steps are at most a line: then the lanes of a line follow each other, and the lowest bit of the
// line's number differs between a lane and the one before it where a line begins. With longer steps
// every lane has a line of its own.
//
// A line is requested once for all lanes and consecutive warps that need it. G, T and U run ahead
// of the warp that executes (overlap_i) as far as lines and queue permit: one piece per cycle at
// any latency of memory below the 128 lines. Without overlap_i a warp begins when go_i and next_i
// say that every earlier warp has had its effect, and reads its lines again.
//
// The first error ends the sequence: it is offered as the last piece of its slot.
//
// Latency: G to P 5 cycles and the memory. Stalls: TRL-S1 (faa_cu_pages), STR-S1 to STR-S3
// (faa_cu_linebuf), STR-S4 (the queue is full).
// Hazards: data read before an invalidation or for another command: stop_i empties all parts, then
// begin_i restarts.

`include "faa_assert.svh"

module faa_cu_stream #(
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  faa_cu_pkg::cmd_t  cmd_i,
  input  logic              start_i,        // a command begins
  input  logic              begin_i,        // G begins at element_i, with the addresses base_*_i
  input  logic [32:0]       element_i,
  input  logic [63:0]       base_a_i,
  input  logic [63:0]       base_b_i,
  input  logic [63:0]       base_c_i,
  input  logic [63:0]       step_a_i,       // steps: from the cycle after start_i on
  input  logic [63:0]       step_b_i,
  input  logic [63:0]       step_c_i,
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
  output logic [31:0]       mask_o,         // lanes that take their item from it
  output logic [7:0]        quads_o,        // for each four lanes: one of them does
  output logic              sparse_o,       // the items are 0
  output logic [OffW-1:0]   place_o,        // of lane 0's item, in a line
  output logic [LineW-1:0]      data_o,         // the line
  output logic              fail_o,         // no piece; the error of the slot
  output logic [7:0]        error_o,
  output logic [4:0]        error_lane_o,
  output logic [63:0]       error_address_o,
  output logic              bad_o,          // bus error
  output logic [51:OffW]       bad_line_o,

  output logic              tr_valid_o,
  input  logic              tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic              tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic              mem_valid_o,
  input  logic              mem_ready_i,
  output logic [51:OffW]       mem_line_o,
  output logic [6:0]        mem_tag_o,
  input  logic              mem_rsp_valid_i,
  input  logic [6:0]        mem_rsp_tag_i,
  input  logic [LineW-1:0]      mem_rsp_data_i,
  input  logic              mem_rsp_err_i
);

  localparam int unsigned PieceW = 45 + OffW;
  localparam int unsigned AtW = OffW + 1;   // of an address modulo two lines

  logic [2:0] streams, streams_q;  // from the cycle after start_i on
  assign streams = {cmd_i.kind_c == faa_pkg::KIND_STREAM, cmd_i.kind_b == faa_pkg::KIND_STREAM,
                    cmd_i.kind_a == faa_pkg::KIND_STREAM};

  // Pages ahead are useful for a stream that visits every page on its way: steps of at most a page.
  function automatic logic walks(input logic [63:0] step);
    walks = step != '0 && (step[63:12] == '0 || step[63:12] == '1);
  endfunction

  // -------------------------------------------------------------------------------------------------------------
  // The last page of each stream

  logic [32:0]  last_element;
  logic [63:0]  span_a_q, span_b_q, span_c_q, last_a, last_b, last_c;
  logic [155:0] last_page_q;
  logic [1:0]   starting_q;
  logic [2:0]   walks_q;

  // Bytes from the first item to the last, for steps of at most a page.
  function automatic logic [63:0] span_of(input logic [32:0] elements, input logic [12:0] step);
    logic signed [47:0] span;
    span    = $signed({15'b0, elements}) * $signed({{35{step[12]}}, step});
    span_of = {{16{span[47]}}, span};
  endfunction

  assign last_element = cmd_i.count - 33'd1;
  assign last_a       = cmd_i.a_0 + span_a_q;
  assign last_b       = cmd_i.b_0 + span_b_q;
  assign last_c       = cmd_i.c_0 + span_c_q;

  // The first page ahead is requested later than these are known.
  always_ff @(posedge clk_i) begin
    starting_q <= {starting_q[0], rst_ni && start_i && streams != '0};
    streams_q  <= streams;
    walks_q    <= {walks(step_c_i), walks(step_b_i), walks(step_a_i)};
    if (starting_q[0]) begin
      span_a_q <= span_of(last_element, step_a_i[12:0]);
      span_b_q <= span_of(last_element, step_b_i[12:0]);
      span_c_q <= span_of(last_element, step_c_i[12:0]);
    end
    if (starting_q[1]) last_page_q <= {last_c[63:12], last_b[63:12], last_a[63:12]};
  end

  // -------------------------------------------------------------------------------------------------------------
  // G

  logic [63:0]   a_q, b_q, c_q;      // addresses of lane 0 in the next warp
  logic [32:0]   element_q;
  logic          more_q, last_warp_q;  // a warp may begin with it; it is that of the last warp
  logic [31:0]   last_lanes_q;       // lanes of that warp
  logic [2:0]    left_q;             // slots of this warp that have not begun
  logic          begun_q, ended_q;   // some slot of it has begun; there has been an error
  logic [1:0]    g_slot;
  logic          g_last, g_may, may, load;
  logic [63:0]   g_base;
  logic [31:0]   g_step;             // the bits above equal its sign bit
  logic [32*AtW-1:0] g_at;           // AtW bits a lane
  logic          g_near;             // lanes may share a line
  logic [31:0]   g_other, g_below, g_start;  // lane: it has another line than the one before; an
                                     // active lane below has its line; it is the first in its line
  logic [31:0]   g_sum, g_mask, misaligned;
  // Per slot, of lane l modulo 8: its address is no multiple of the item's bytes. The lanes' steps
  // to the next warp are multiples of 8.
  logic [2:0][7:0] odd_q;
  logic [7:0]    g_odd;

  // T
  logic          valid_q, bad_q;
  logic [1:0]    slot_q;
  logic [63:0]   base_q;             // address of lane 0
  logic [31:0]   step_q;             // sign below
  logic [31:0]   left_lanes_q, same, rest;
  logic [31:0]   start_q, starts;    // the first lanes of lines that are left; without this one
  logic [4:0]    leader_q;           // the lowest lane that is left, or that of the error
  logic [4:0]    bad_lane_q;
  logic          none_q;             // no lane is left
  logic [31:0]   first_lanes;
  logic [63:0]   leader_va;
  logic          any_left, any_first;
  logic          step, last, done;   // a piece leaves; it is the last one; the slot is finished

  // U
  typedef struct packed {
    logic          no_line, is_last, fails;
    logic [1:0]    slot;
    logic [OffW-1:0] place;
    logic [31:0]   lanes;
    logic [4:0]    leader;
    logic [63:0]   va;
  } piece_t;
  piece_t        piece, spare_q;     // a piece that leaves T; one that waits for U
  logic          spare_valid_q, u_take;
  logic          u_valid_q, u_none_q, u_last_q, u_fail_q, bus_q;
  logic [1:0]    u_slot_q;
  logic [OffW-1:0] u_place_q;
  logic [31:0]   u_lanes_q;
  logic [4:0]    u_leader_q;
  logic [63:0]   u_va_q, table_q;
  logic [7:0]    code_q;
  logic          reuse, look, page_known, page_take, page_sparse, page_fail, ask, ask_ready, push,
                 room;
  logic [39:0]   page_pa;
  logic [7:0]    page_error;
  logic [63:0]   page_error_pa;
  logic [6:0]    ask_index, piece_index;
  logic          pages_idle, lines_idle;
  logic [3:0]    known_q;            // the line of the piece before, by slot
  logic [63:OffW] known_line_q [4];
  logic [6:0]    known_index_q [4];

  assign g_slot = left_q[0] ? 2'd0 : left_q[1] ? 2'd1 : 2'd2;
  assign g_last = (left_q & (left_q - 3'd1)) == '0;
  // The first slot of a warp waits until the warp may begin; the other slots follow at once.
  assign g_may  = begun_q || (go_i && (overlap_i || (next_i && element_q == element_i)));
  assign may    = more_q && !stop_i;
  assign load   = may && g_may && (!valid_q || done) && !(done && bad_q) && !page_fail;

  always_comb begin
    case (g_slot)
      2'd0: begin
        g_base = a_q;
        g_step = step_a_i[31:0];
        g_odd  = odd_q[0];
      end
      2'd1: begin
        g_base = b_q;
        g_step = step_b_i[31:0];
        g_odd  = odd_q[1];
      end
      default: begin
        g_base = c_q;
        g_step = step_c_i[31:0];
        g_odd  = odd_q[2];
      end
    endcase
  end

  faa_cu_lanes #(.Width(AtW)) u_lanes (
    .base_i ({1'b0, g_base[OffW-1:0]}),
    .step_i (g_step[AtW-1:0]),
    .value_o(g_at)
  );

  logic [2:0][31:0] odd;             // of 32 lanes; those from 8 on repeat the first ones
  faa_cu_aligned u_odd_a (
    .mask_i('1), .base_i(base_a_i[2:0]), .step_i(step_a_i[2:0]),
    .size_i(faa_cu_pkg::size_log2(cmd_i.a_1[35:32])), .misaligned_o(odd[0])
  );
  faa_cu_aligned u_odd_b (
    .mask_i('1), .base_i(base_b_i[2:0]), .step_i(step_b_i[2:0]),
    .size_i(faa_cu_pkg::size_log2(cmd_i.b_1[35:32])), .misaligned_o(odd[1])
  );
  faa_cu_aligned u_odd_c (
    .mask_i('1), .base_i(base_c_i[2:0]), .step_i(step_c_i[2:0]),
    .size_i(faa_cu_pkg::size_log2(cmd_i.c_1[35:32])), .misaligned_o(odd[2])
  );

  assign g_mask     = last_warp_q ? last_lanes_q & guard_i : guard_i;
  assign misaligned = g_mask & {4{g_odd}};

  // Lanes below the lowest misaligned one; all if there is none.
  logic [4:0]  first_lane, misaligned_lane, next_lane;
  faa_lowest u_first (.bits_i(g_mask), .index_o(first_lane));
  faa_lowest u_misaligned (.bits_i(misaligned), .index_o(misaligned_lane));
  assign first_lanes = g_mask & ~misaligned & (misaligned - 32'd1);

  // In a sum, an active lane generates a carry, which the lanes of the same line propagate.
  assign g_near     = g_step[31:OffW] == '0 || g_step[31:OffW] == '1;
  assign g_other[0] = 1'b1;
  for (genvar l = 1; l < 32; l++) begin : g_lines
    assign g_other[l] = !g_near || g_at[l*AtW + OffW] != g_at[(l-1)*AtW + OffW];
  end
  assign g_sum   = first_lanes + (first_lanes | ~g_other);
  assign g_below = g_sum ^ first_lanes ^ (first_lanes | ~g_other);
  assign g_start = first_lanes & ~(g_below & ~g_other);

  always_ff @(posedge clk_i) begin
    last_lanes_q <= cmd_i.count[4:0] == '0 ? '1 : ~(32'hffffffff << cmd_i.count[4:0]);
    if (stop_i || (done && bad_q) || page_fail) more_q <= 1'b0;
    if (begin_i) begin
      more_q      <= element_i < cmd_i.count;
      last_warp_q <= element_i + 33'd32 >= cmd_i.count;
      odd_q       <= {odd[2][7:0], odd[1][7:0], odd[0][7:0]};
    end else if (load && g_last) begin
      more_q      <= !last_warp_q;
      last_warp_q <= element_q + 33'd64 >= cmd_i.count;
    end
    if (begin_i) begin
      a_q       <= base_a_i;
      b_q       <= base_b_i;
      c_q       <= base_c_i;
      element_q <= element_i;
      left_q    <= streams_q;
      begun_q   <= 1'b0;
    end else if (load) begin
      if (g_slot == 2'd0) a_q <= a_q + (step_a_i << 5);
      if (g_slot == 2'd1) b_q <= b_q + (step_b_i << 5);
      if (g_slot == 2'd2) c_q <= c_q + (step_c_i << 5);
      left_q  <= g_last ? streams_q : left_q & (left_q - 3'd1);
      begun_q <= !g_last;
      if (g_last) element_q <= element_q + 33'd32;
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // T

  assign leader_va = base_q + faa_cu_pkg::times(leader_q, {{32{step_q[31]}}, step_q});

  // Lanes below the next line's first one have this line.
  assign starts = start_q & (start_q - 32'd1);
  assign same   = left_lanes_q & ~starts & (starts - 32'd1);
  assign rest   = left_lanes_q & ~same;
  faa_lowest u_next (.bits_i(starts), .index_o(next_lane));
  faa_any #(.Width(32)) u_left (.bits_i(starts), .any_o(any_left));
  faa_any #(.Width(32)) u_any_first (.bits_i(first_lanes), .any_o(any_first));
  assign last = !any_left && (!bad_q || none_q);
  assign step = valid_q && !spare_valid_q && !page_fail;
  assign done = step && last;

  // ----------------------------------------------------------------------------------------------
  // U

  logic same_line;
  faa_equal #(.Width(64 - OffW)) u_same_line (
    .a_i(known_line_q[u_slot_q]), .b_i(u_va_q[63:OffW]), .equal_o(same_line)
  );
  // T does not depend on U in the same cycle: a piece waits in a register until U takes it.
  assign piece       = '{no_line: none_q, is_last: last, fails: none_q && bad_q, slot: slot_q,
                         place: base_q[OffW-1:0], lanes: same, leader: leader_q, va: leader_va};
  assign u_take      = (!u_valid_q || push) && !page_fail;
  assign reuse       = !u_none_q && known_q[u_slot_q] && same_line;
  assign look        = u_valid_q && !u_none_q && !reuse;
  assign ask         = look && page_known && !page_sparse && room;
  assign push        = (u_valid_q && room && !stop_i && (u_none_q || reuse)) || page_take;
  assign piece_index = reuse ? known_index_q[u_slot_q] : ask_index;

  faa_cu_pages u_pages (
    .clk_i,
    .rst_ni,
    .start_i,
    .drop_i,
    .stop_i,
    .ahead_i  (overlap_i && !ended_q ? streams_q & walks_q : 3'b0),
    .down_i   ({step_c_i[63], step_b_i[63], step_a_i[63]}),
    .last_i   (last_page_q),
    .idle_o   (pages_idle),
    .look_i   (look),
    .slot_i   (u_slot_q),
    .page_i   (u_va_q[63:12]),
    .known_o  (page_known),
    .pa_o     (page_pa),
    .sparse_o (page_sparse),
    .may_i    (room && !stop_i),
    .ready_i  (ask_ready),
    .take_o   (page_take),
    .fail_o   (page_fail),
    .error_o  (page_error),
    .error_pa_o(page_error_pa),
    .tr_valid_o,
    .tr_ready_i,
    .tr_req_o,
    .tr_rsp_valid_i,
    .tr_rsp_i
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
      u_valid_q     <= 1'b0;
      known_q       <= '0;
    end else begin
      // After a bad page no line is read.
      if (load) valid_q <= 1'b1;
      else if (done || page_fail) valid_q <= 1'b0;
      // A piece after one with a bad page is dropped.
      if (page_fail || u_take) spare_valid_q <= 1'b0;
      else if (step) spare_valid_q <= 1'b1;
      if (u_take) u_valid_q <= step || spare_valid_q;
      // A warp without overlap may read lines that the previous warp has written.
      if (load && !overlap_i && !begun_q) known_q <= '0;
      else if (ask && push) known_q[u_slot_q] <= 1'b1;
    end
    if (begin_i) ended_q <= 1'b0;
    else if ((done && bad_q) || page_fail) ended_q <= 1'b1;

    if (ask && push) begin
      known_line_q[u_slot_q]  <= u_va_q[63:OffW];
      known_index_q[u_slot_q] <= ask_index;
    end

    if (load) begin
      slot_q       <= g_slot;
      base_q       <= g_base;
      step_q       <= g_step;
      start_q      <= g_start;
      left_lanes_q <= first_lanes;
      none_q       <= !any_first;
      leader_q     <= first_lane;      // it may be misaligned
      bad_q        <= misaligned != '0;
      bad_lane_q   <= misaligned_lane;
      code_q       <= faa_pkg::ERROR_MISALIGNED;
      bus_q        <= 1'b0;
    end else if (page_fail) begin
      bad_lane_q   <= u_leader_q;
      code_q       <= page_error;
      bus_q        <= page_error == faa_pkg::ERROR_BUS_ERROR;
      table_q      <= page_error_pa;
    end else if (step) begin
      start_q      <= starts;
      left_lanes_q <= rest;
      none_q       <= !any_left;
      leader_q     <= any_left ? next_lane : bad_lane_q;
    end

    // The piece with the bad page becomes the last one, that of the error.
    if (page_fail) begin
      u_none_q <= 1'b1;
      u_fail_q <= 1'b1;
      u_last_q <= 1'b1;
    end else if (u_take && (step || spare_valid_q)) begin
      {u_none_q, u_last_q, u_fail_q, u_slot_q, u_place_q, u_lanes_q, u_leader_q, u_va_q} <=
          spare_valid_q ? spare_q : piece;
    end
    if (step) spare_q <= piece;
  end

  assign error_o         = code_q;
  assign error_lane_o    = bad_lane_q;
  assign error_address_o = bus_q ? table_q : u_va_q;

  // -------------------------------------------------------------------------------------------------------------
  // Q and P

  // {last, fail, fresh line, no line, slot, lane 0 in its line, index, lanes}
  logic [PieceW-1:0] queue_q [128];
  logic [PieceW-1:0] head;
  logic [6:0]        head_q, tail_q;
  logic [7:0]        count_q;
  logic              some_q;                // count_q is not 0
  logic              pop, head_last, head_fail, head_fresh, head_plain, have, bad;
  logic [1:0]        head_slot;
  logic [OffW-1:0]   head_place;
  logic [31:0]       head_mask;
  logic [6:0]        head_index;
  logic [51:OffW]       head_line;
  logic              out_q, last_out_q, fail_q, plain_q, bad_out_q;
  logic [1:0]        slot_out_q;
  logic [OffW-1:0]   place_q;
  logic [31:0]       mask_q;
  logic [7:0]        head_quads, quads_q;
  logic [51:OffW]       line_q;

  assign room = !count_q[7];
  for (genvar n = 0; n < 8; n++) begin : g_quads
    assign head_quads[n] = head_mask[4*n +: 4] != '0;
  end
  assign head = queue_q[head_q];
  assign {head_last, head_fail, head_fresh, head_plain, head_slot, head_place, head_index,
          head_mask} = head;
  assign pop = some_q && (head_plain || have) && (!out_q || take_i) && !stop_i;

  faa_cu_linebuf #(.LineBytes(LineBytes)) u_lines (
    .clk_i,
    .rst_ni,
    .clear_i    (begin_i),
    .streams_i  (streams_q),
    .idle_o     (lines_idle),
    .ask_valid_i(ask && !stop_i),
    .ask_ready_o(ask_ready),
    .ask_slot_i (u_slot_q),
    .ask_line_i ({page_pa, u_va_q[11:OffW]}),
    .ask_index_o(ask_index),
    .free_i     (pop && head_fresh),
    .free_slot_i(head_slot),
    .at_i       (head_index),
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

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
      some_q  <= 1'b0;
      out_q   <= 1'b0;
    end else begin
      if (push) tail_q <= tail_q + 7'd1;
      if (pop) head_q <= head_q + 7'd1;
      // Both sums are made before it is known which one counts.
      if (push && !pop) count_q <= count_q + 8'd1;
      if (pop && !push) count_q <= count_q - 8'd1;
      some_q <= push || (pop ? count_q != 8'd1 : some_q);
      if (pop) out_q <= 1'b1;
      else if (take_i) out_q <= 1'b0;
    end
    if (push) begin
      queue_q[tail_q] <= {u_last_q, u_fail_q, ask, !ask && !reuse, u_slot_q, u_place_q,
                          piece_index, u_lanes_q};
    end
    if (pop) begin
      last_out_q <= head_last;
      fail_q     <= head_fail;
      plain_q    <= head_plain;
      bad_out_q  <= bad && !head_plain;
      slot_out_q <= head_slot;
      place_q    <= head_place;
      mask_q     <= head_mask;
      quads_q    <= head_quads;
      line_q     <= head_line;
    end
  end

  assign valid_o    = out_q;
  assign slot_o     = slot_out_q;
  assign last_o     = last_out_q;
  assign mask_o     = mask_q;
  assign quads_o    = quads_q;
  assign sparse_o   = plain_q;
  assign place_o    = place_q;
  assign fail_o     = fail_q;
  assign bad_o      = bad_out_q;
  assign bad_line_o = line_q;
  assign begun_o    = begun_q || element_q != element_i;
  // Also not idle when a warp waits until it may begin.
  assign idle_o     = !valid_q && !spare_valid_q && !u_valid_q && !some_q && !out_q &&
                      lines_idle && pages_idle && !may && !begin_i;

  logic unused;
  assign unused = ^{cmd_i, odd, last_a[11:0], last_b[11:0], last_c[11:0], g_at};

  `FAA_ASSERT(stopped_before_begin, !begin_i || (!more_q && !stop_i))
  `FAA_ASSERT(no_warp_after_an_error, !ended_q || begin_i || !more_q)
  `FAA_ASSERT(begin_at_rest,
              !begin_i || (!valid_q && !spare_valid_q && !u_valid_q && count_q == '0 && !out_q &&
                           lines_idle))
  `FAA_ASSERT(some_pieces, some_q == (count_q != '0))
  `FAA_COVER(stall_l1, count_q != '0 && !head_plain && !have)
  `FAA_ASSERT(fault_of_a_piece, !page_fail || stop_i || (u_valid_q && look))
  `FAA_COVER(stall_l4, u_valid_q && !room)
  `FAA_COVER(piece_waits, spare_valid_q && !u_take)
  `FAA_COVER(line_reused, push && !u_none_q && reuse)
  `FAA_COVER(misaligned_above_fault, page_fail && valid_q && bad_q)
  `FAA_COVER(fault_before_another_slot, page_fail && valid_q && slot_q != u_slot_q)

endmodule
