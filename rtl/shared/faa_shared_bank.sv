// SPDX-License-Identifier: Apache-2.0
//
// One bank of shared memory for read-modify-write, one operation per cycle without a stall.
//
// Stage A: the row is presented (rd_en_i, rd_row_i).   Stage B, a cycle later: word_o is the row's current value and
// wr_en_i, wr_word_i say in the same cycle what it becomes.   Stage C: the RAM is written.
//
// Hazards:
//   B1  the operation one cycle older wrote this row: its word is still in stage C -> forwarded from C.
//   B2  the operation two cycles older wrote this row while the RAM was being read, which gave the old word
//       -> forwarded from D, which keeps what C wrote last.
// Older ones are in the RAM.

`include "faa_assert.svh"

module faa_shared_bank #(
  parameter int unsigned RowW = 9
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic            rd_en_i,
  input  logic [RowW-1:0] rd_row_i,
  output logic [31:0]     word_o,
  input  logic            wr_en_i,
  input  logic [31:0]     wr_word_i
);

  logic [31:0]     ram_word;
  logic            b_valid_q;
  logic [RowW-1:0] b_row_q;
  logic            c_write_q, d_write_q;
  logic [RowW-1:0] c_row_q, d_row_q;
  logic [31:0]     c_word_q, d_word_q;
  logic            hit_c, hit_d;

  faa_ram_1r1w #(
    .Width(32),
    .Depth(2 ** RowW)
  ) u_ram (
    .clk_i,
    .we_i   (c_write_q),
    .waddr_i(c_row_q),
    .wdata_i(c_word_q),
    .re_i   (rd_en_i),
    .raddr_i(rd_row_i),
    .rdata_o(ram_word)
  );

  assign hit_c  = c_write_q && c_row_q == b_row_q;
  assign hit_d  = d_write_q && d_row_q == b_row_q;
  assign word_o = hit_c ? c_word_q : hit_d ? d_word_q : ram_word;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      c_write_q <= 1'b0;
      d_write_q <= 1'b0;
    end else begin
      b_valid_q <= rd_en_i;
      c_write_q <= b_valid_q && wr_en_i;
      d_write_q <= c_write_q;
    end
    if (rd_en_i) b_row_q <= rd_row_i;
    if (b_valid_q) begin
      c_row_q  <= b_row_q;
      c_word_q <= wr_word_i;
    end
    d_row_q  <= c_row_q;
    d_word_q <= c_word_q;
  end

  `FAA_COVER(hazard_b1, b_valid_q && hit_c)
  `FAA_COVER(hazard_b2, b_valid_q && hit_d && !hit_c)

endmodule
