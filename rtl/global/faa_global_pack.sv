// SPDX-License-Identifier: Apache-2.0
//
// Stages B and O: operands go to where their items stand in the line, and the line operation is offered.
//
// Latency: 2 cycles. Throughput: one line operation per cycle. Stalls: S5 the L2 does not take it.

`include "faa_assert.svh"

module faa_global_pack (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic                  new_i,       // first operation of its warp: operands come with it
  input  logic [31:0]           select_i,
  input  logic [51:6]           line_i,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic                  sys_i,       // scope SYS
  input  logic [32*6-1:0]       byte_i,
  input  logic [1023:0]         b_i,
  input  logic [1023:0]         b_high_i,
  input  logic [1023:0]         c_i,
  input  logic [1023:0]         c_high_i,

  output logic                  mem_valid_o,
  input  logic                  mem_ready_i,
  output logic                  mem_sys_o,
  output logic [2:0]            mem_func_o,  // faa_l2_pkg::FUNC_*
  output logic [7:0]            mem_op_o,
  output logic [3:0]            mem_typ_o,
  output logic                  mem_ftz_o,
  output logic                  mem_want_o,
  output logic [51:6]           mem_line_o,
  output logic [63:0]           mem_strb_o,
  output logic [511:0]          mem_b_o,
  output logic [511:0]          mem_c_o,
  output logic [7:0]            mem_tag_o,
  output logic [5:0]            mem_items_o  // items in it
);

  // -------------------------------------------------------------------------------------------------------------
  // B

  logic           valid_q, take, send, sys_q, ftz_q, want_q;
  logic [1:0]     func_q;
  logic [7:0]     op_q;
  logic [3:0]     typ_q;
  logic [31:0]    select_q;
  logic [51:6]    line_q;
  logic [127:0]   word_q;     // of each position's item
  logic [63:0]    byte_q;     // its first byte in the word
  logic [1023:0]  b_q, b_high_q, c_q, c_high_q;
  logic [7:0]     tag_q;

  assign ready_o = !valid_q || send;
  assign take    = valid_i && ready_o;
  assign send    = valid_q && (!mem_valid_o || mem_ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (take) begin
      select_q <= select_i;
      line_q   <= line_i;
    end
    if (take && new_i) begin
      sys_q  <= sys_i;
      func_q <= beat_i.func;
      op_q   <= beat_i.op;
      typ_q  <= beat_i.typ;
      ftz_q  <= beat_i.mod[0];
      want_q <= beat_i.result;
      b_q    <= b_i;
      c_q    <= c_i;
      for (int p = 0; p < 32; p++) begin
        word_q[p*4 +: 4] <= byte_i[p*6 + 2 +: 4];
        byte_q[p*2 +: 2] <= byte_i[p*6 +: 2];
      end
    end
    if (take && new_i && faa_cu_pkg::is_wide(beat_i.typ)) begin
      b_high_q <= b_high_i;
      c_high_q <= c_high_i;
    end
  end

  logic         wide;
  logic [3:0]   bytes;     // of an item of up to 4 bytes, at the word's begin
  logic [63:0]  strb;
  logic [511:0] b, c;
  logic         unused;
  assign unused = ^{beat_i, byte_i};
  assign wide  = faa_cu_pkg::is_wide(typ_q);
  assign bytes = faa_global_pkg::is_byte(typ_q) ? 4'h1 : faa_global_pkg::is_half(typ_q) ? 4'h3 : 4'hf;

  always_comb begin
    strb = '0;
    b    = '0;
    c    = '0;
    if (send) begin
      for (int p = 0; p < 32; p++) begin
        if (select_q[p]) begin
          for (int w = 0; w < 16; w++) begin
            if (word_q[p*4 +: 4] == 4'(w)) begin
              strb[w*4 +: 4]  = strb[w*4 +: 4] | (bytes == 4'hf ? 4'hf : bytes << byte_q[p*2 +: 2]);
              b[w*32 +: 32]   = b[w*32 +: 32] | b_q[p*32 +: 32];
              c[w*32 +: 32]   = c[w*32 +: 32] | c_q[p*32 +: 32];
            end
            if (w % 2 == 1 && wide && word_q[p*4 +: 4] == 4'(w - 1)) begin
              strb[w*4 +: 4]  = 4'hf;
              b[w*32 +: 32]   = b[w*32 +: 32] | b_high_q[p*32 +: 32];
              c[w*32 +: 32]   = c[w*32 +: 32] | c_high_q[p*32 +: 32];
            end
          end
        end
      end
    end
  end

  logic [5:0] items;
  always_comb begin
    items = '0;
    if (send) for (int p = 0; p < 32; p++) items = items + 6'(select_q[p]);
  end

  // -------------------------------------------------------------------------------------------------------------
  // O. Tags are given out in a ring.

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mem_valid_o <= 1'b0;
      tag_q       <= '0;
    end else begin
      if (!mem_valid_o || mem_ready_i) mem_valid_o <= valid_q;
      if (send) tag_q <= tag_q + 8'd1;
    end
    if (send) begin
      mem_sys_o   <= sys_q;
      case (func_q)
        faa_cu_pkg::SHARED_LOAD: mem_func_o <= faa_l2_pkg::FUNC_LOAD;
        faa_cu_pkg::SHARED_STORE: mem_func_o <= faa_l2_pkg::FUNC_STORE;
        default: mem_func_o <= faa_l2_pkg::FUNC_ATOMIC;
      endcase
      mem_op_o    <= op_q;
      mem_typ_o   <= typ_q;
      mem_ftz_o   <= ftz_q;
      mem_want_o  <= want_q;
      mem_line_o  <= line_q;
      mem_strb_o  <= strb;
      mem_b_o     <= b;
      mem_c_o     <= c;
      mem_tag_o   <= tag_q;
      mem_items_o <= items;
    end
  end

  `FAA_COVER(stall_s5, mem_valid_o && !mem_ready_i)
  `FAA_COVER(hazard_h2, mem_valid_o && mem_ready_i && send && line_q == mem_line_o)
  // A cover point that calls a function is not counted (Verilator 5.006).
  logic both_halves, bytes_of_a_word;
  assign both_halves = bytes == 4'h3 && (strb & strb >> 2 & 64'h1111_1111_1111_1111) != '0;
  assign bytes_of_a_word = func_q == faa_cu_pkg::SHARED_STORE && bytes == 4'h1 && (strb & strb >> 1 & 64'h5555_5555_5555_5555) != '0;
  `FAA_COVER(hazard_h5, send && both_halves)
  `FAA_COVER(hazard_h5_bytes, send && bytes_of_a_word)
  `FAA_COVER(whole_line, mem_valid_o && mem_ready_i && mem_strb_o == '1)

endmodule
