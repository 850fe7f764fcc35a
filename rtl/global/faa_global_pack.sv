// SPDX-License-Identifier: Apache-2.0
//
// Stages B and O: operands are moved to the places of their items in the line, and the line
// operation is offered. It is recorded for the answers (op_*), in the order of sending.
//
// Latency: 2 cycles. Throughput: one line operation per cycle; with Turns an operation with two
// operands takes two cycles, one after the other on the same path; with Late one in two cycles, or
// three. Stalls: GLB-S5 (the L2 does not take it), GLB-S10 (the second operand).

`include "faa_assert.svh"

module faa_global_pack #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter bit          Turns = 1'b0,
  parameter bit          Late = 1'b0,   // go_o comes from a register
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    valid_i,
  output logic                    go_o,
  input  logic                    new_i,       // first operation of its part: operands come with it
  input  logic                    last_i,      // last one
  input  logic [LaneW-1:0]        leader_i,
  input  logic [LaneW-1:0]        rank_i,
  input  logic [Lanes-1:0]        select_i,
  input  faa_global_pkg::job_t    job_i,
  input  logic [Lanes-1:0][OffW-1:0]   byte_i,
  input  logic [Lanes-1:0][51:OffW]  lines_i,
  input  logic [Lanes-1:0][31:0]  x_i,         // of words with even numbers
  input  logic [Lanes-1:0][31:0]  y_i,
  input  logic [Lanes-1:0][31:0]  x_odd_i,
  input  logic [Lanes-1:0][31:0]  y_odd_i,

  // Notes for the answers
  output logic                    op_put_o,
  output logic                    op_last_o,
  output logic                    op_result_o,
  output logic [LaneW-1:0]        op_leader_o, // positions that it serves: those with this leader
  output logic [LaneW-1:0]        op_rank_o,   // and this rank
  output logic [51:OffW]             op_line_o,

  output logic                    mem_valid_o,
  input  logic                    mem_ready_i,
  output logic                    mem_sys_o,
  output logic [2:0]              mem_func_o,  // faa_l2_pkg::FUNC_*
  output logic [7:0]              mem_op_o,
  output logic [3:0]              mem_typ_o,
  output logic                    mem_ftz_o,
  output logic                    mem_want_o,
  output logic [51:OffW]             mem_line_o,
  output logic [LineBytes-1:0]    mem_strb_o,
  output logic [LineBytes*8-1:0]  mem_b_o,
  output logic [LineBytes*8-1:0]  mem_c_o,
  output logic [7:0]              mem_tag_o,
  output logic [5:0]              mem_items_o  // items in it
);

  // -----------------------------------------------------------------------------------------------
  // B

  localparam int unsigned Words = LineBytes / 4;

  logic                   valid_q, take, step, send, second_q, wide_i;
  faa_global_pkg::job_t   job_q;
  logic                   last_q;
  logic [LaneW-1:0]       leader_q, rank_q;
  logic [Lanes-1:0]       select_q;
  logic [Lanes-1:0][51:OffW] lines_q;
  // Words of the line that contain the position's item
  logic [Lanes-1:0][Words-1:0] word_i, word_q;
  logic [Lanes-1:0][3:0]  bytes_i, bytes_q;  // its bytes there
  logic [Lanes-1:0][31:0] x_q, y_q, x_odd_q, y_odd_q;
  logic [7:0]             tag_q;
  logic                   uses_c;

  assign go_o   = !valid_q || (!Late && send);
  assign take   = valid_i && go_o;
  assign step   = valid_q && (!mem_valid_o || mem_ready_i);
  assign send   = step && (!Turns || second_q || !uses_c);
  assign wide_i = faa_cu_pkg::is_wide(job_i.beat.typ);

  always_comb begin
    case (job_q.beat.op)
      faa_pkg::ATOM_OP_INC, faa_pkg::ATOM_OP_DEC, faa_pkg::ATOM_OP_CAS, faa_pkg::ATOM_OP_CAST,
      faa_pkg::ATOM_OP_FCMPWR: uses_c = 1'b1;
      default: uses_c = 1'b0;
    endcase
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_position
    for (genvar w = 0; w < Words; w++) begin : g_word
      if (w % 2 == 0) assign word_i[p][w] = byte_i[p][OffW-1:2] == (OffW-2)'(w);
      else assign word_i[p][w] = byte_i[p][OffW-1:3] == (OffW-3)'(w / 2) &&
                                 (byte_i[p][2] || wide_i);
    end
    always_comb begin
      bytes_i[p] = 4'hf;
      if (faa_global_pkg::is_half(job_i.beat.typ)) bytes_i[p] = byte_i[p][1] ? 4'hc : 4'h3;
      if (faa_global_pkg::is_byte(job_i.beat.typ)) bytes_i[p] = 4'h1 << byte_i[p][1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      second_q <= 1'b0;
    end else begin
      if (go_o) valid_q <= valid_i;
      else if (send) valid_q <= 1'b0;
      if (step) second_q <= !send;
    end
    if (take) begin
      select_q <= select_i;
      last_q   <= last_i;
      leader_q <= leader_i;
      rank_q   <= rank_i;
    end
    if (take && new_i) begin
      job_q   <= job_i;
      lines_q <= lines_i;
      word_q  <= word_i;
      bytes_q <= bytes_i;
      x_q     <= x_i;
      y_q     <= y_i;
      x_odd_q <= x_odd_i;
      y_odd_q <= y_odd_i;
    end
  end

  assign op_put_o    = send;
  assign op_last_o   = last_q;
  assign op_result_o = job_q.beat.result;
  assign op_leader_o = leader_q;
  assign op_rank_o   = rank_q;

  always_comb begin
    op_line_o = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      op_line_o = op_line_o | ({(52-OffW){leader_q == LaneW'(l)}} & lines_q[l]);
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Items of the operation to their words

  logic [Words-1:0][Lanes-1:0] hit;     // position whose item is in the word
  logic [LineBytes-1:0]   strb;
  logic [LineBytes*8-1:0] b, c;
  logic [Lanes-1:0][31:0] first, first_odd, second, second_odd;

  // Only the item's bytes
  for (genvar p = 0; p < Lanes; p++) begin : g_masked
    logic [31:0] mask;
    for (genvar k = 0; k < 4; k++) begin : g_byte
      assign mask[k*8 +: 8] = {8{bytes_q[p][k]}};
    end
    assign first[p]      = (Turns && second_q ? y_q[p] : x_q[p]) & mask;
    assign first_odd[p]  = (Turns && second_q ? y_odd_q[p] : x_odd_q[p]) & mask;
    assign second[p]     = y_q[p] & mask;
    assign second_odd[p] = y_odd_q[p] & mask;
  end

  for (genvar w = 0; w < Words; w++) begin : g_word
    for (genvar p = 0; p < Lanes; p++) begin : g_hit
      assign hit[w][p] = select_q[p] && word_q[p][w];
    end

    always_comb begin
      strb[w*4 +: 4] = '0;
      b[w*32 +: 32]  = '0;
      c[w*32 +: 32]  = '0;
      for (int unsigned p = 0; p < Lanes; p++) begin
        strb[w*4 +: 4] = strb[w*4 +: 4] | ({4{hit[w][p]}} & bytes_q[p]);
        b[w*32 +: 32]  = b[w*32 +: 32] |
                         ({32{hit[w][p]}} & (w % 2 == 0 ? first[p] : first_odd[p]));
        c[w*32 +: 32]  = c[w*32 +: 32] |
                         ({32{hit[w][p]}} & (w % 2 == 0 ? second[p] : second_odd[p]));
      end
    end
  end

  logic [5:0] items;
  always_comb begin
    items = '0;
    for (int unsigned p = 0; p < Lanes; p++) items = items + 6'(select_q[p]);
  end

  // -----------------------------------------------------------------------------------------------
  // O. Tags are given out in a ring.

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mem_valid_o <= 1'b0;
      tag_q       <= '0;
    end else begin
      if (!mem_valid_o || mem_ready_i) mem_valid_o <= send;
      if (send) tag_q <= tag_q + 8'd1;
    end
    if (step && !second_q) begin
      mem_sys_o   <= job_q.sys;
      case (job_q.beat.func)
        faa_cu_pkg::SHARED_LOAD: mem_func_o <= faa_l2_pkg::FUNC_LOAD;
        faa_cu_pkg::SHARED_STORE: mem_func_o <= faa_l2_pkg::FUNC_STORE;
        default: mem_func_o <= faa_l2_pkg::FUNC_ATOMIC;
      endcase
      mem_op_o    <= job_q.beat.op;
      mem_typ_o   <= job_q.beat.typ;
      mem_ftz_o   <= job_q.beat.mod[0];
      mem_want_o  <= job_q.beat.result;
      mem_line_o  <= op_line_o;
      mem_strb_o  <= strb;
      mem_b_o     <= b;
      mem_tag_o   <= tag_q;
      mem_items_o <= items;
    end
    if (step) mem_c_o <= Turns ? b : c;
  end

  logic unused;
  assign unused = ^{job_q, c};

  `FAA_COVER(stall_s5, mem_valid_o && !mem_ready_i)
  `FAA_COVER(hazard_h2, mem_valid_o && mem_ready_i && send && op_line_o == mem_line_o)
  // A cover point that calls a function is not counted (Verilator 5.006).
  logic both_halves, bytes_of_a_word, stores;
  assign both_halves = faa_global_pkg::is_half(job_q.beat.typ) &&
                       (strb & strb >> 2 & {LineBytes/4{4'h1}}) != '0;
  assign stores = job_q.beat.func == faa_cu_pkg::SHARED_STORE;
  assign bytes_of_a_word = stores && faa_global_pkg::is_byte(job_q.beat.typ) &&
                           (strb & strb >> 1 & {LineBytes/4{4'h5}}) != '0;
  `FAA_COVER(hazard_h5, send && both_halves)
  `FAA_COVER(hazard_h5_bytes, send && bytes_of_a_word)
  if (Lanes * 4 >= LineBytes) begin : g_whole
    `FAA_COVER(whole_line, mem_valid_o && mem_ready_i && mem_strb_o == '1)
  end
  if (Turns) begin : g_turns
    `FAA_COVER(stall_s10, step && !send)
  end

endmodule
