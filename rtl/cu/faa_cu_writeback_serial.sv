// SPDX-License-Identifier: Apache-2.0
//
// faa_cu_writeback a lane at a time, for builds where few look-up tables count more than cycles:
// writes results to the registers, or to the store unit, which has the addresses of the result
// stream.
//
// Three sources, the lower number first: 0 shared memory, 1 moves and arithmetic, 2 atomic unit. A
// beat is processed from its first lane to its last one; then it is taken.
//
// Latency and throughput: a beat in Lanes + 1 cycles, one of 64-bit results for registers in 2 *
// Lanes + 1: the low row of a lane, then the high one. Stalls: WB-S1 (a source waits for another,
// or for the store unit, and its result stays offered; counter STALL_WRITEBACK).

`include "faa_assert.svh"

module faa_cu_writeback_serial #(
  parameter int unsigned Lanes = 4        // of a beat: 4, 8 or 16
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // Per source: whose beat, 64 bits a lane
  input  logic [2:0]                valid_i,
  output logic [2:0]                ready_o,
  input  faa_cu_pkg::result_t [2:0] result_i,
  input  logic [2:0][Lanes-1:0][63:0] data_i,

  output logic                      wr_en_o,
  output logic [7:0]                wr_row_o,
  output faa_cu_pkg::beat_no_t      wr_beat_o,
  output logic [Lanes-1:0]          wr_mask_o,
  output logic [Lanes*32-1:0]       wr_data_o,

  output logic                      store_valid_o,  // the item of a lane
  input  logic                      store_ready_i,
  output logic [63:0]               store_data_o,

  output logic                      release_o,      // a register result is complete
  output logic [3:0]                release_tag_o,
  output logic [7:0]                release_row_o,
  output logic                      stall_o
);

  localparam int unsigned LaneW = $clog2(Lanes);

  faa_cu_pkg::result_t result;
  faa_cu_pkg::dest_t   dest;
  logic [1:0]          source_q;
  logic                busy_q, high_q, step, done;
  logic [LaneW-1:0]    lane_q;
  logic [63:0]         item;

  always_comb begin
    case (source_q)
      2'd0: {result, item} = {result_i[0], data_i[0][lane_q]};
      2'd1: {result, item} = {result_i[1], data_i[1][lane_q]};
      default: {result, item} = {result_i[2], data_i[2][lane_q]};
    endcase
  end

  assign dest = result.dest;
  // The lane is complete.
  assign step = busy_q && (dest.stream ? store_ready_i : !dest.wide || high_q);
  assign done = step && lane_q == '1;

  for (genvar n = 0; n < 3; n++) begin : g_source
    assign ready_o[n] = done && source_q == 2'(n);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      lane_q <= '0;
      high_q <= 1'b0;
    end else begin
      busy_q <= busy_q ? !done : valid_i != '0;
      if (step) lane_q <= lane_q + LaneW'(1);
      high_q <= busy_q && !step && !dest.stream;
    end
    if (!busy_q) source_q <= valid_i[0] ? 2'd0 : valid_i[1] ? 2'd1 : 2'd2;
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    assign wr_mask_o[l]          = lane_q == LaneW'(l) &&
                                   result.mask[5'({result.part.number, lane_q})];
    assign wr_data_o[l*32 +: 32] = high_q ? item[63:32] : item[31:0];
  end

  assign wr_en_o       = busy_q && !dest.stream;
  assign wr_row_o      = {dest.row[7:1], dest.row[0] || high_q};
  assign wr_beat_o     = result.part.number;
  assign store_valid_o = busy_q && dest.stream;
  assign store_data_o  = item;
  assign release_o     = done && result.part.last && !dest.stream;
  assign release_tag_o = {dest.is_last, dest.barrier};
  assign release_row_o = dest.row;
  assign stall_o       = (valid_i & (valid_i - 3'd1)) != '0 || (store_valid_o && !store_ready_i);

  logic unused;
  assign unused = ^{result, dest};

  `FAA_ASSERT(beat_stays, !busy_q || valid_i[source_q])
  `FAA_COVER(stall_b1, stall_o)
  `FAA_COVER(wide_result, high_q)
  `FAA_COVER(atom_waits, valid_i[2] && valid_i[1:0] != '0)

endmodule
