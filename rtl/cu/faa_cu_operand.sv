// SPDX-License-Identifier: Apache-2.0
//
// Collects the operands of a command, warp by warp, in element order.
//
// Registers and immediates are taken once, at the start. Affine operands are a running value plus lane * step. Stream operands
// go through a pipeline of their own:
//
//   G  addresses of the lanes, alignment      (faa_cu_lanes, faa_cu_translate)
//   T  translation
//   R  lines, lanes picked out of them        (faa_cu_gather, faa_cu_linebuf)
//   O  extension, shift, base -> operand registers; the warp is offered
//
// With overlap_i the streams of the warps that follow are translated and read while earlier warps execute, one (warp, slot)
// in each of G/T, R and O, and lines are read ahead: 3 cycles per warp for one stream of which a warp covers one line. Without, a
// warp's streams are begun when go_i says that every warp before has had its effect.
// An error travels with its warp and is offered in its place.
//
// Stalls (stall_o, counter STALL_OPERAND): O1 a stream's items are not there yet; O2 go_i is awaited.
// Hazards: O1 items read before an earlier store of the stream is visible: go_i includes that no store is under way.
//          O2 items and translations kept across an invalidation: hold_i keeps new warps from being begun, drop_i forgets.

`include "faa_assert.svh"

module faa_cu_operand (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              start_i,
  input  faa_cu_pkg::cmd_t  cmd_i,          // stable until idle_o
  input  logic [31:0]       guard_i,        // lanes that the guard lets through, with start_i
  input  logic [31:0]       first_i,        // element to begin with, multiple of 32
  input  logic              overlap_i,      // streams may be read ahead of the warp that executes
  input  logic              go_i,           // without overlap: the next warp's streams may be read
  input  logic              hold_i,         // begin no further warp
  input  logic              drop_i,         // forget translations and lines (while quiet_o)
  input  logic              cancel_i,       // end the command; stays until idle_o
  output logic              idle_o,         // no command
  output logic              quiet_o,        // no translation or item is held or under way
  output logic              stall_o,

  output logic              rd_en_o,
  output logic [7:0]        rd_row_o,
  input  logic [1023:0]     rd_data_i,

  output logic              warp_valid_o,
  input  logic              warp_ready_i,
  output logic [31:0]       warp_mask_o,
  output logic [31:0]       warp_element_o, // of lane 0
  output logic [5:0]        warp_count_o,   // elements, 1..32
  output logic              warp_last_o,
  output logic [2047:0]     warp_a_o,
  output logic [2047:0]     warp_b_o,
  output logic [2047:0]     warp_c_o,
  output logic [63:0]       warp_d_va_o,    // address of lane 0's item of the result stream
  output logic [7:0]        warp_error_o,   // enum error
  output logic [4:0]        warp_lane_o,
  output logic [63:0]       warp_address_o,

  output logic              tr_valid_o,
  input  logic              tr_ready_i,
  output logic [63:0]       tr_va_o,
  input  logic              tr_rsp_valid_i,
  input  logic [7:0]        tr_rsp_error_i,
  input  logic [63:0]       tr_rsp_pa_i,
  input  logic              tr_rsp_sparse_i,

  output logic              mem_valid_o,
  input  logic              mem_ready_i,
  output logic [51:6]       mem_line_o,
  output logic [6:0]        mem_tag_o,
  input  logic              mem_rsp_valid_i,
  input  logic [6:0]        mem_rsp_tag_i,
  input  logic [511:0]      mem_rsp_data_i,
  input  logic              mem_rsp_err_i
);

  typedef enum logic [2:0] {
    StIdle,
    StSeek,      // running values go to the first element
    StRegs,      // register operands
    StRun,
    StDrain      // what is read ahead comes back
  } state_e;

  localparam logic [1:0] SlotA = 2'd0, SlotB = 2'd1, SlotC = 2'd2, SlotNone = 2'd3;

  state_e        state_q;
  logic [31:0]   guard_q, first_q;
  logic [26:0]   seek_q;

  // Running values of a, b, c, d at the warp that comes next; sh: 32 steps (more while seeking)
  logic [63:0]   run_a_q, run_b_q, run_c_q, run_d_q, sh_a_q, sh_b_q, sh_c_q, sh_d_q;
  logic [63:0]   step_a, step_b, step_c, step_d;
  logic          advance_a, advance_b, advance_c, advance_d, seeking;

  logic [2:0]    stream, affine;           // per slot
  logic [2047:0] op_a_q, op_b_q, op_c_q;

  // Register reads: halves {c1, c0, b1, b0, a1, a0} still to do
  logic [5:0]    regs_q, regs_need, regs_pick;
  logic [5:0]    regs_got_q;

  // -------------------------------------------------------------------------------------------------------------
  // Command

  function automatic logic [63:0] step_of(input logic [2:0] kind, input logic [63:0] word);
    step_of = kind == faa_pkg::KIND_STREAM ? {{32{word[31]}}, word[31:0]} : word;
  endfunction

  // Lanes of a warp that begins at an element.
  function automatic logic [31:0] lanes_of(input logic [32:0] count, input logic [32:0] element);
    logic [32:0] left;
    left     = count - element;
    lanes_of = left >= 33'd32 ? 32'hffffffff : ~(32'hffffffff << left[4:0]);
  endfunction

  assign step_a = step_of(cmd_i.kind_a, cmd_i.a_1);
  assign step_b = step_of(cmd_i.kind_b, cmd_i.b_1);
  assign step_c = step_of(cmd_i.kind_c, cmd_i.c_1);
  assign step_d = {{32{cmd_i.d_1[31]}}, cmd_i.d_1[31:0]};

  assign stream = {cmd_i.kind_c == faa_pkg::KIND_STREAM, cmd_i.kind_b == faa_pkg::KIND_STREAM,
                   cmd_i.kind_a == faa_pkg::KIND_STREAM};
  assign affine = {cmd_i.kind_c == faa_pkg::KIND_AFFINE, cmd_i.kind_b == faa_pkg::KIND_AFFINE,
                   cmd_i.kind_a == faa_pkg::KIND_AFFINE};

  logic double_a, double_v;
  assign double_v  = cmd_i.typ == faa_pkg::TYPE_U64 || cmd_i.typ == faa_pkg::TYPE_S64;
  assign double_a  = cmd_i.opcode == faa_pkg::OPCODE_LD || cmd_i.opcode == faa_pkg::OPCODE_ST ||
                     (double_v && (cmd_i.opcode == faa_pkg::OPCODE_MOV || cmd_i.opcode == faa_pkg::OPCODE_SETP));
  assign regs_need = {{2{cmd_i.kind_c == faa_pkg::KIND_REG}} & {double_v, 1'b1},
                      {2{cmd_i.kind_b == faa_pkg::KIND_REG}} & {double_v, 1'b1},
                      {2{cmd_i.kind_a == faa_pkg::KIND_REG}} & {double_a, 1'b1}};

  assign regs_pick = regs_q & -regs_q;
  assign rd_en_o   = state_q == StRegs && regs_q != '0;
  always_comb begin
    case (regs_pick)
      6'b000001: rd_row_o = cmd_i.ra;
      6'b000010: rd_row_o = cmd_i.ra | 8'd1;
      6'b000100: rd_row_o = cmd_i.rb;
      6'b001000: rd_row_o = cmd_i.rb | 8'd1;
      6'b010000: rd_row_o = cmd_i.rc;
      default: rd_row_o = cmd_i.rc | 8'd1;
    endcase
  end

  logic finished_q;   // the last warp, or one with an error, has been taken
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= StIdle;
      regs_q     <= '0;
      regs_got_q <= '0;
    end else begin
      case (state_q)
        StIdle: if (start_i) state_q <= first_i != '0 ? StSeek : StRegs;
        StSeek: if (seek_q == 27'd1) state_q <= StRegs;
        StRegs: if (regs_q == '0) state_q <= StRun;
        StRun: if (finished_q || cancel_i) state_q <= StDrain;
        default: if (quiet_o) state_q <= StIdle;
      endcase
      if (state_q == StIdle && start_i) regs_q <= regs_need;
      else if (state_q == StRegs) regs_q <= regs_q & ~regs_pick;
      regs_got_q <= state_q == StRegs ? regs_pick : '0;
    end
    if (state_q == StIdle && start_i) begin
      guard_q <= guard_i;
      first_q <= first_i;
      seek_q  <= first_i[31:5];
    end else begin
      seek_q <= seek_q >> 1;
    end
  end

  assign seeking = state_q == StSeek;

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle && start_i) begin
      run_a_q <= cmd_i.a_0;
      run_b_q <= cmd_i.b_0;
      run_c_q <= cmd_i.c_0;
      run_d_q <= cmd_i.d_0;
      sh_a_q  <= step_a << 5;
      sh_b_q  <= step_b << 5;
      sh_c_q  <= step_c << 5;
      sh_d_q  <= step_d << 5;
    end else if (state_q != StIdle) begin
      if (seeking ? seek_q[0] : advance_a) run_a_q <= run_a_q + sh_a_q;
      if (seeking ? seek_q[0] : advance_b) run_b_q <= run_b_q + sh_b_q;
      if (seeking ? seek_q[0] : advance_c) run_c_q <= run_c_q + sh_c_q;
      if (seeking ? seek_q[0] : advance_d) run_d_q <= run_d_q + sh_d_q;
      if (state_q == StSeek) begin
        sh_a_q <= sh_a_q << 1;
        sh_b_q <= sh_b_q << 1;
        sh_c_q <= sh_c_q << 1;
        sh_d_q <= sh_d_q << 1;
      end else if (state_q == StRegs) begin
        sh_a_q <= step_a << 5;
        sh_b_q <= step_b << 5;
        sh_c_q <= step_c << 5;
        sh_d_q <= step_d << 5;
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // G, T: (warp, slot) of stream operands in order

  logic [32:0]   g_element_q;      // first element of the warp whose streams are begun
  logic [1:0]    g_slot;           // slot to begin, SlotNone when the warp has none left
  logic [2:0]    g_left_q;         // slots of this warp that are not begun
  logic          g_begun_q;        // some slot of this warp is begun
  logic          g_may, g_start, g_more, g_wraps;
  logic [63:0]   g_base, g_step;
  logic [2047:0] g_va;
  logic [1:0]    g_size;
  logic [1:0]    t_slot_q;         // slot of what the translator holds
  logic          t_free, t_idle, t_valid, t_take, t_good;
  logic [31:0]   t_mask, t_sparse;
  logic [2047:0] t_pa;
  logic [7:0]    t_error;
  logic [4:0]    t_error_lane;
  logic [63:0]   t_error_address;

  // O: the warp that is put together
  logic [32:0]   element_q;
  logic [2:0]    todo_q;           // affine and stream slots still to fill
  logic [1:0]    o_slot;
  logic          offer_q, warp_begins;
  logic [7:0]    error_q;
  logic [4:0]    lane_q;
  logic [63:0]   address_q;
  logic          may_fill, fill_affine, fill_stream, fill_error, next_warp;
  logic [2047:0] affine_value, stream_value;

  // R
  logic          r_idle, r_valid, r_take, r_error;
  logic [63:6]   r_error_line;
  logic [2047:0] r_data;
  logic          r_req_valid, r_req_ready, r_rsp_valid, r_rsp_err;
  logic [51:6]   r_req_line;
  logic [4:0]    r_req_tag, r_rsp_tag;
  logic [511:0]  r_rsp_data;
  logic          lines_idle, lines_clear;

  function automatic logic [1:0] first_slot(input logic [2:0] x);
    first_slot = x[0] ? SlotA : x[1] ? SlotB : x[2] ? SlotC : SlotNone;
  endfunction

  assign g_slot  = first_slot(g_left_q);
  assign g_more  = g_element_q < cmd_i.count;
  // The first slot of a warp waits for its turn; the rest of it follows at once, so that a hold leaves no half warp behind.
  assign g_may   = g_begun_q || (!hold_i && (overlap_i ? go_i : go_i && warp_begins && g_element_q == element_q));
  assign g_start = state_q == StRun && !cancel_i && error_q == '0 && g_slot != SlotNone && g_more && g_may &&
                   (t_free || t_take) && !(t_valid && t_error != '0);
  assign g_wraps = (g_left_q & (g_left_q - 3'd1)) == '0;  // the last slot of this warp

  always_comb begin
    case (g_slot)
      SlotA: begin
        g_base = run_a_q;
        g_step = step_a;
        g_size = faa_cu_pkg::size_log2(cmd_i.a_1[35:32]);
      end
      SlotB: begin
        g_base = run_b_q;
        g_step = step_b;
        g_size = faa_cu_pkg::size_log2(cmd_i.b_1[35:32]);
      end
      default: begin
        g_base = run_c_q;
        g_step = step_c;
        g_size = faa_cu_pkg::size_log2(cmd_i.c_1[35:32]);
      end
    endcase
  end

  faa_cu_lanes u_lanes_stream (
    .valid_i(g_start),
    .base_i (g_base),
    .step_i (g_step),
    .value_o(g_va)
  );

  logic unused_write;

  // Reading ahead, lines and pages, pays for one stream that goes through its lines slowly.
  logic [63:0] ahead_step;
  logic        ahead;
  assign ahead_step = stream[0] ? step_a : stream[1] ? step_b : step_c;
  assign ahead      = overlap_i && state_q == StRun && !hold_i && g_more && (stream & (stream - 3'd1)) == '0 &&
                      ahead_step != '0 && (ahead_step < 64'd9 || ahead_step > ~64'd8);

  faa_cu_translate u_translate (
    .clk_i,
    .rst_ni,
    .start_i        (g_start),
    .mask_i         (lanes_of(cmd_i.count, g_element_q) & guard_q),
    .va_i           (g_va),
    .size_i         (g_size),
    .write_i        (1'b0),
    .ahead_i        (ahead),
    .down_i         (ahead_step[63]),
    .drop_i,
    .cancel_i       (state_q == StDrain),
    .free_o         (t_free),
    .idle_o         (t_idle),
    .valid_o        (t_valid),
    .take_i         (t_take),
    .mask_o         (t_mask),
    .pa_o           (t_pa),
    .sparse_o       (t_sparse),
    .error_o        (t_error),
    .error_lane_o   (t_error_lane),
    .error_address_o(t_error_address),
    .tr_valid_o,
    .tr_ready_i,
    .tr_va_o,
    .tr_write_o     (unused_write),
    .tr_rsp_valid_i,
    .tr_rsp_error_i,
    .tr_rsp_pa_i,
    .tr_rsp_sparse_i
  );

  assign t_good = t_valid && t_error == '0 && state_q == StRun;
  assign t_take = t_good && (r_idle || r_take);

  always_ff @(posedge clk_i) begin
    if (state_q == StRegs) begin
      g_element_q <= {1'b0, first_q};
      g_left_q    <= stream;
      g_begun_q   <= 1'b0;
    end else if (g_start) begin
      g_left_q  <= g_wraps ? stream : g_left_q & (g_left_q - 3'd1);
      g_begun_q <= !g_wraps;
      if (g_wraps) g_element_q <= g_element_q + 33'd32;
    end
    if (g_start) t_slot_q <= g_slot;
  end

  // -------------------------------------------------------------------------------------------------------------
  // R: lines

  assign r_take      = r_valid && (fill_stream || state_q == StDrain);
  assign lines_clear = (state_q == StIdle && start_i) || drop_i;

  faa_cu_gather u_gather (
    .clk_i,
    .rst_ni,
    .start_i     (t_take),
    .mask_i      (t_mask),
    .sparse_i    (t_sparse),
    .pa_i        (t_pa),
    .idle_o      (r_idle),
    .valid_o     (r_valid),
    .take_i      (r_take),
    .data_o      (r_data),
    .error_o     (r_error),
    .error_line_o(r_error_line),
    .req_valid_o (r_req_valid),
    .req_ready_i (r_req_ready),
    .req_line_o  (r_req_line),
    .req_tag_o   (r_req_tag),
    .rsp_valid_i (r_rsp_valid),
    .rsp_tag_i   (r_rsp_tag),
    .rsp_data_i  (r_rsp_data),
    .rsp_err_i   (r_rsp_err)
  );

  faa_cu_linebuf u_lines (
    .clk_i,
    .rst_ni,
    .clear_i        (lines_clear),
    .keep_i         (overlap_i),
    .ahead_i        (ahead),
    .down_i         (ahead_step[63]),
    .idle_o         (lines_idle),
    .req_valid_i    (r_req_valid),
    .req_ready_o    (r_req_ready),
    .req_line_i     (r_req_line),
    .req_tag_i      (r_req_tag),
    .rsp_valid_o    (r_rsp_valid),
    .rsp_tag_o      (r_rsp_tag),
    .rsp_data_o     (r_rsp_data),
    .rsp_err_o      (r_rsp_err),
    .mem_valid_o,
    .mem_ready_i,
    .mem_line_o,
    .mem_tag_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_data_i,
    .mem_rsp_err_i
  );

  // -------------------------------------------------------------------------------------------------------------
  // O: operand registers

  logic [63:0] o_base, o_step, o_word;
  logic [3:0]  o_type;
  logic        t_waits_bad;

  assign o_slot      = first_slot(todo_q);
  assign warp_begins = state_q == StRun && !offer_q && todo_q == (stream | affine) && !finished_q && error_q == '0;
  assign t_waits_bad = t_valid && t_error != '0 && r_idle && t_slot_q == o_slot;
  // A hold leaves no half warp: affine slots in front of a stream are filled when the stream has been begun.
  assign may_fill    = state_q == StRun && !offer_q && !finished_q && o_slot != SlotNone &&
                       (!warp_begins || (stream != '0 ? g_begun_q || g_element_q != element_q : !hold_i));
  assign fill_affine = may_fill && |(affine & (3'd1 << o_slot));
  assign fill_stream = may_fill && |(stream & (3'd1 << o_slot)) && r_valid;
  assign fill_error  = may_fill && |(stream & (3'd1 << o_slot)) && t_waits_bad;
  assign next_warp   = offer_q && warp_ready_i;

  assign advance_a = stream[0] ? g_start && g_slot == SlotA : fill_affine && o_slot == SlotA;
  assign advance_b = stream[1] ? g_start && g_slot == SlotB : fill_affine && o_slot == SlotB;
  assign advance_c = stream[2] ? g_start && g_slot == SlotC : fill_affine && o_slot == SlotC;
  assign advance_d = next_warp;

  always_comb begin
    case (o_slot)
      SlotA: begin
        o_base = fill_affine ? run_a_q : cmd_i.a_2;
        o_step = step_a;
        o_word = cmd_i.a_1;
      end
      SlotB: begin
        o_base = fill_affine ? run_b_q : cmd_i.b_2;
        o_step = step_b;
        o_word = cmd_i.b_1;
      end
      default: begin
        o_base = fill_affine ? run_c_q : cmd_i.c_2;
        o_step = step_c;
        o_word = cmd_i.c_1;
      end
    endcase
  end
  assign o_type = o_word[35:32];

  faa_cu_lanes u_lanes_affine (
    .valid_i(fill_affine),
    .base_i (o_base),
    .step_i (o_step),
    .value_o(affine_value)
  );

  always_comb begin
    stream_value = '0;
    if (fill_stream) begin
      for (int l = 0; l < 32; l++) begin
        stream_value[l*64 +: 64] = o_base +
            (faa_cu_pkg::extend(r_data[l*64 +: 64], faa_cu_pkg::size_log2(o_type), faa_cu_pkg::is_signed(o_type)) << o_word[38:36]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      offer_q    <= 1'b0;
      finished_q <= 1'b0;
      error_q    <= faa_pkg::ERROR_SUCCESS;
    end else if (state_q == StIdle || state_q == StDrain) begin
      offer_q    <= 1'b0;
      finished_q <= 1'b0;
      error_q    <= faa_pkg::ERROR_SUCCESS;
    end else if (state_q == StRun) begin
      if (next_warp) begin
        offer_q    <= 1'b0;
        finished_q <= warp_last_o || error_q != '0;
      end else if (cancel_i) begin
        offer_q <= 1'b0;
      end else if (fill_error || (fill_stream && r_error)) begin
        offer_q <= 1'b1;
        error_q <= fill_error ? t_error : faa_pkg::ERROR_BUS_ERROR;
      end else if (!finished_q && !offer_q) begin
        // The last slot is filled in this cycle, or there was none to fill.
        if (o_slot == SlotNone) offer_q <= !hold_i;
        else if ((fill_affine || fill_stream) && (todo_q & (todo_q - 3'd1)) == '0) offer_q <= 1'b1;
      end
    end

    if (state_q == StRegs) begin
      element_q <= {1'b0, first_q};
      todo_q    <= stream | affine;
    end else if (next_warp) begin
      element_q <= element_q + 33'd32;
      todo_q    <= stream | affine;
    end else if (fill_affine || fill_stream) begin
      todo_q <= todo_q & (todo_q - 3'd1);
    end

    if (fill_error) begin
      lane_q    <= t_error_lane;
      address_q <= t_error_address;
    end else if (fill_stream) begin
      lane_q    <= 5'd0;
      address_q <= {r_error_line, 6'b0};
    end

    if (state_q == StIdle && start_i) begin
      op_a_q <= cmd_i.kind_a == faa_pkg::KIND_IMM ? {32{cmd_i.a_0}} : '0;
      op_b_q <= {32{cmd_i.b_0}};
      op_c_q <= {32{cmd_i.c_0}};
    end else if (state_q != StIdle) begin
      for (int l = 0; l < 32; l++) begin
        if (regs_got_q[0]) op_a_q[l*64 +: 64] <= {32'b0, rd_data_i[l*32 +: 32]};
        if (regs_got_q[1]) op_a_q[l*64 + 32 +: 32] <= rd_data_i[l*32 +: 32];
        if (regs_got_q[2]) op_b_q[l*64 +: 64] <= {32'b0, rd_data_i[l*32 +: 32]};
        if (regs_got_q[3]) op_b_q[l*64 + 32 +: 32] <= rd_data_i[l*32 +: 32];
        if (regs_got_q[4]) op_c_q[l*64 +: 64] <= {32'b0, rd_data_i[l*32 +: 32]};
        if (regs_got_q[5]) op_c_q[l*64 + 32 +: 32] <= rd_data_i[l*32 +: 32];
      end
      if (fill_affine && o_slot == SlotA) op_a_q <= affine_value;
      if (fill_affine && o_slot == SlotB) op_b_q <= affine_value;
      if (fill_affine && o_slot == SlotC) op_c_q <= affine_value;
      if (fill_stream && o_slot == SlotA) op_a_q <= stream_value;
      if (fill_stream && o_slot == SlotB) op_b_q <= stream_value;
      if (fill_stream && o_slot == SlotC) op_c_q <= stream_value;
    end
  end

  assign warp_valid_o   = offer_q;
  assign warp_mask_o    = lanes_of(cmd_i.count, element_q) & guard_q;
  assign warp_element_o = element_q[31:0];
  assign warp_last_o    = element_q + 33'd32 >= cmd_i.count;
  assign warp_count_o   = warp_last_o ? 6'(cmd_i.count - element_q) : 6'd32;
  assign warp_a_o       = op_a_q;
  assign warp_b_o       = op_b_q;
  assign warp_c_o       = op_c_q;
  assign warp_d_va_o    = run_d_q;
  assign warp_error_o   = error_q;
  assign warp_lane_o    = lane_q;
  assign warp_address_o = address_q;

  assign idle_o  = state_q == StIdle;
  // In StDrain nothing new is begun, so the parts become idle one by one.
  logic g_begun_q_run;
  assign g_begun_q_run = g_begun_q && state_q == StRun;
  assign quiet_o = t_idle && r_idle && lines_idle && !g_start && !g_begun_q_run && !offer_q &&
                   (todo_q == (stream | affine) || state_q != StRun);
  assign stall_o = state_q == StRun && !offer_q && !finished_q && o_slot != SlotNone && !fill_affine && !fill_stream;

  logic unused;
  assign unused = ^{o_word[63:39], o_word[31:0], cmd_i};

  `FAA_ASSERT_NEXT(warp_stays, warp_valid_o && !warp_ready_i && !cancel_i, warp_valid_o)
  `FAA_COVER(stall_o1, stall_o && g_begun_q)
  `FAA_COVER(stall_o2, stall_o && !g_may)
  `FAA_COVER(read_ahead, g_start && g_element_q != element_q)

endmodule
