// SPDX-License-Identifier: Apache-2.0
//
// Stage P: operands and places of a beat wait while its keys are sorted, then follow them to their positions.
//
// Latency: 1 cycle behind the sort. Throughput: one beat per cycle. Depth: beats in the sort and behind it.

`include "faa_assert.svh"

module faa_global_order #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Depth = 8
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // With the beat that enters the sort
  input  logic                  put_i,
  output logic                  room_o,
  input  logic [Lanes*32-1:0]   put_place_i,
  input  logic [Lanes*64-1:0]   put_b_i,
  input  logic [Lanes*64-1:0]   put_c_i,

  // From the sort
  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [Lanes*32-1:0]   key_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [Lanes*32-1:0]   place_o,
  output logic [Lanes*32-1:0]   b_o,
  output logic [Lanes*32-1:0]   c_o,
  output logic [Lanes*32-1:0]   b_high_o,    // 64-bit types only
  output logic [Lanes*32-1:0]   c_high_o
);

  localparam int unsigned LaneW = $clog2(Lanes);
  localparam int unsigned CountW = $clog2(Depth + 1);

  logic                        valid_q, take, wide, store_valid;
  logic [CountW-1:0]           unused_count;
  logic [Lanes*32-1:0]         place, place_d, b_d, c_d, b_high_d, c_high_d;
  logic [Lanes*64-1:0]         b, c;

  faa_fifo #(
    .Width(Lanes * 160),
    .Depth(Depth)
  ) u_store (
    .clk_i,
    .rst_ni,
    .valid_i(put_i),
    .ready_o(room_o),
    .data_i ({put_c_i, put_b_i, put_place_i}),
    .valid_o(store_valid),
    .ready_i(take),
    .data_o ({c, b, place}),
    .count_o(unused_count)
  );

  assign ready_o = !valid_q || ready_i;
  assign take    = valid_i && ready_o;
  assign wide    = faa_cu_pkg::is_wide(beat_i.typ);
  assign valid_o = valid_q;

  always_comb begin
    place_d  = '0;
    b_d      = '0;
    c_d      = '0;
    b_high_d = '0;
    c_high_d = '0;
    if (take) begin
      for (int p = 0; p < Lanes; p++) begin
        place_d[p*32 +: 32] = place[{key_i[p*32 +: LaneW], 5'b0} +: 32];
        place_d[p*32 + faa_shared_pkg::PLACE_BANK +: 5] = key_i[p*32 + faa_shared_pkg::KEY_BANK +: 5];
        place_d[p*32 + faa_shared_pkg::PLACE_ACTIVE] = !key_i[p*32 + faa_shared_pkg::KEY_IDLE];
        b_d[p*32 +: 32]     = b[{key_i[p*32 +: LaneW], 6'b0} +: 32];
        c_d[p*32 +: 32]     = c[{key_i[p*32 +: LaneW], 6'b0} +: 32];
        if (wide) begin
          b_high_d[p*32 +: 32] = b[{key_i[p*32 +: LaneW], 6'b100000} +: 32];
          c_high_d[p*32 +: 32] = c[{key_i[p*32 +: LaneW], 6'b100000} +: 32];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (take) begin
      beat_o  <= beat_i;
      place_o <= place_d;
      b_o     <= b_d;
      c_o     <= c_d;
    end
    if (take && wide) begin
      b_high_o <= b_high_d;
      c_high_o <= c_high_d;
    end
  end

  `FAA_ASSERT(operands_are_there, !take || store_valid)

endmodule
