// SPDX-License-Identifier: Apache-2.0
//
// faa_cu_hold for builds with a serial path: stores the lanes of a warp until the last one has
// come, then hands the warp over in beats of Lanes lanes. A warp whose last lane does not come is
// overwritten from the first lane of the next one on.
//
// The RAM has the lanes of two warps: those of one are written while the beats of the other are
// read.
//
// Latency: Lanes + 2 cycles from the last lane to the first beat. Throughput: a lane per cycle in,
// a beat per Lanes + 1 cycles out. Stalls: ACC-S6 (the last lane of a warp waits until the warp
// before has left; no counter). Hazards: none.

`include "faa_assert.svh"

module faa_cu_hold_serial #(
  parameter int unsigned Lanes = 4         // of a beat to the units: 4, 8 or 16
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 valid_i,
  output logic                 ready_o,
  input  faa_cu_pkg::lanes_t   lanes_i,
  input  faa_cu_pkg::handed_t  warp_i,     // with the last lane
  input  logic [63:0]          a_i,        // a result, or an address
  input  logic [63:0]          b_i,
  input  logic [63:0]          c_i,

  output logic                 valid_o,
  input  logic                 ready_i,
  output faa_cu_pkg::part_t    part_o,
  output faa_cu_pkg::handed_t  warp_o,
  output logic [Lanes*64-1:0]  a_o,
  output logic [Lanes*64-1:0]  b_o,
  output logic [Lanes*64-1:0]  c_o,
  output logic                 idle_o      // no warp waits
);

  localparam int unsigned LaneW = $clog2(Lanes);

  logic             full_q, in_q, out_q;   // a warp waits or leaves; places of the warps
  logic             commit, read, taken;
  logic [5:0]       next_q;                // lane that is read next; 32: none
  logic             got_q;                 // a lane has been read,
  logic [LaneW-1:0] got_lane_q;            // this one of its beat
  logic [191:0]     data;

  assign ready_o = !full_q || !lanes_i.last;
  assign commit  = valid_i && ready_o && lanes_i.last;
  assign taken   = valid_o && ready_i;
  // The lanes of a beat, when the previous beat has been taken
  assign read    = full_q && !next_q[5] && !valid_o && !(got_q && got_lane_q == '1);

  faa_ram_1r1w #(
    .Width(192),
    .Depth(512)                            // that of a block RAM; 64 are used
  ) u_ram (
    .clk_i,
    .we_i   (valid_i && ready_o),
    .waddr_i({3'b0, in_q, lanes_i.first}),
    .wdata_i({c_i, b_i, a_i}),
    .re_i   (read),
    .raddr_i({3'b0, out_q, next_q[4:0]}),
    .rdata_o(data)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q  <= 1'b0;
      in_q    <= 1'b0;
      next_q  <= '0;
      got_q   <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      if (commit) full_q <= 1'b1;
      else if (taken && part_o.last) full_q <= 1'b0;
      if (commit) in_q <= !in_q;
      if (commit) next_q <= '0;
      else if (read) next_q <= next_q + 6'd1;
      got_q <= read;
      if (got_q && got_lane_q == '1) valid_o <= 1'b1;
      else if (ready_i) valid_o <= 1'b0;
    end
    if (commit) begin
      out_q  <= in_q;
      warp_o <= warp_i;
    end
    got_lane_q <= next_q[LaneW-1:0];
    if (got_q && got_lane_q == '1) begin
      part_o <= '{last: next_q[5], number: 3'((next_q - 6'd1) >> LaneW)};
    end
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (got_q && got_lane_q == LaneW'(l)) begin
        {c_o[l*64 +: 64], b_o[l*64 +: 64], a_o[l*64 +: 64]} <= data;
      end
    end
  end

  assign idle_o = !full_q;

  `FAA_ASSERT(no_read_of_the_lane_written,
              !(read && valid_i && ready_o && {out_q, next_q[4:0]} == {in_q, lanes_i.first}))
  `FAA_ASSERT_STABLE(beat_stable, valid_o, ready_i, {part_o, warp_o, a_o, b_o, c_o})
  `FAA_COVER(stall_a6, valid_i && !ready_o)

endmodule
