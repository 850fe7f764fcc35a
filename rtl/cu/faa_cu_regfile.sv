// SPDX-License-Identifier: Apache-2.0
//
// Vector registers: 256 rows of 32 lanes x 32 bits, in beats of Lanes lanes. One RAM has every
// Lanes-th lane, so lanes are written separately and no word has a multiplexer.
//
// Read: data one cycle after rd_en_i, one beat per cycle. Row RZ reads 0 and drops writes. Hazard:
// a read of a row in the cycle in which it is written returns an undefined word. The scoreboard of
// faa_cu_control and the order of accesses in faa_cu_context prevent this.

`include "faa_assert.svh"

module faa_cu_regfile #(
  parameter int unsigned Lanes = 32     // 32, 16, 8 or 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                rd_en_i,
  input  logic [7:0]          rd_row_i,
  input  faa_cu_pkg::beat_no_t rd_beat_i,
  output logic [Lanes*32-1:0] rd_data_o,

  input  logic                wr_en_i,
  input  logic [7:0]          wr_row_i,
  input  faa_cu_pkg::beat_no_t wr_beat_i,
  input  logic [Lanes-1:0]    wr_mask_i,
  input  logic [Lanes*32-1:0] wr_data_i
);

  localparam int unsigned Beats = 32 / Lanes;
  localparam int unsigned AddrW = 8 + $clog2(Beats);

  logic                zero_q, write;
  logic [Lanes*32-1:0] data;
  logic [AddrW-1:0]    rd_at, wr_at;

  assign rd_at     = AddrW'({rd_beat_i, rd_row_i});
  assign wr_at     = AddrW'({wr_beat_i, wr_row_i});
  assign write     = wr_en_i && wr_row_i != 8'(faa_pkg::RZ);
  assign rd_data_o = zero_q ? '0 : data;

  always_ff @(posedge clk_i) if (rd_en_i) zero_q <= rd_row_i == 8'(faa_pkg::RZ);

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    faa_ram_1r1w #(
      .Width(32),
      .Depth(256 * Beats)
    ) u_ram (
      .clk_i,
      .we_i   (write && wr_mask_i[l]),
      .waddr_i(wr_at),
      .wdata_i(wr_data_i[l*32 +: 32]),
      .re_i   (rd_en_i),
      .raddr_i(rd_at),
      .rdata_o(data[l*32 +: 32])
    );
  end

  `FAA_ASSERT(no_read_of_the_row_written, !(rd_en_i && write && rd_row_i == wr_row_i))

endmodule
