// SPDX-License-Identifier: Apache-2.0
//
// Writes results to their destinations, a beat of Lanes lanes per cycle: the registers, or the
// store unit, which has the addresses of the result stream.
//
// Four sources, the lower number first: 0 loads, 1 shared memory, 2 moves and arithmetic, 3 atomic
// unit. Throughput: a beat of 32-bit results per cycle, one of 64-bit results in two: the low row,
// then the high one. Beats of sources may alternate, but the beats of a warp for the store unit
// follow each other. Stalls: WB-S1 (a source waits for another, or for the store unit, and its
// result stays offered; counter STALL_WRITEBACK).

`include "faa_assert.svh"

module faa_cu_writeback #(
  parameter int unsigned Lanes = 32       // of a beat: 32, 16, 8 or 4
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // Per source: whose beat, 64 bits a lane
  input  logic [3:0]                valid_i,
  output logic [3:0]                ready_o,
  input  faa_cu_pkg::result_t [3:0] result_i,
  input  logic [3:0][Lanes*64-1:0]  data_i,

  output logic                      wr_en_o,
  output logic [7:0]                wr_row_o,
  output faa_cu_pkg::beat_no_t wr_beat_o,
  output logic [Lanes-1:0]          wr_mask_o,
  output logic [Lanes*32-1:0]       wr_data_o,

  output logic                      store_valid_o,
  input  logic                      store_ready_i,
  output logic [Lanes*64-1:0]       store_data_o,

  output logic                      release_o,      // a register result is complete
  output logic [3:0]                release_tag_o,
  output logic [7:0]                release_row_o,
  output logic                      stall_o
);

  localparam int unsigned Beats = 32 / Lanes;

  faa_cu_pkg::result_t result;
  faa_cu_pkg::dest_t   dest;
  logic [1:0]          source, source_q;
  logic                valid, last, high_q;
  logic [Lanes*64-1:0] data;

  // The second half of a 64-bit beat follows the first, whatever else is valid.
  assign source = high_q ? source_q : valid_i[0] ? 2'd0 : valid_i[1] ? 2'd1 :
                  valid_i[3] && !valid_i[2] ? 2'd3 : 2'd2;
  assign valid  = |valid_i;

  // Each source's turn, and whether its beat ends now, without the choice of the result: few levels
  // from valid_i to ready_o.
  logic [3:0] turn, ends, goes, stored, releases;
  assign turn = high_q ? 4'd1 << source_q :
                {valid_i[2:0] == '0, valid_i[1:0] == '0, !valid_i[0], 1'b1};
  for (genvar n = 0; n < 4; n++) begin : g_source
    assign stored[n]   = result_i[n].dest.stream;
    assign ends[n]     = stored[n] || !result_i[n].dest.wide || high_q;
    assign goes[n]     = ends[n] && (!stored[n] || store_ready_i);
    assign releases[n] = ends[n] && !stored[n] && result_i[n].part.last;
  end
  assign ready_o = valid_i & turn & goes;

  always_comb begin
    case (source)
      2'd0: {result, data} = {result_i[0], data_i[0]};
      2'd1: {result, data} = {result_i[1], data_i[1]};
      2'd2: {result, data} = {result_i[2], data_i[2]};
      default: {result, data} = {result_i[3], data_i[3]};
    endcase
  end

  assign dest    = result.dest;
  assign last    = dest.stream || !dest.wide || high_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) high_q <= 1'b0;
    else high_q <= (valid_i & turn & ~ends) != '0;
    source_q <= source;
  end

  always_comb begin
    wr_mask_o = result.mask[Lanes-1:0];
    for (int unsigned n = 1; n < Beats; n++) begin
      if (result.part.number == 3'(n)) wr_mask_o = result.mask[n*Lanes +: Lanes];
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    assign wr_data_o[l*32 +: 32] = high_q ? data[l*64 + 32 +: 32] : data[l*64 +: 32];
  end

  assign wr_en_o       = (valid_i & turn & ~stored) != '0;
  assign wr_row_o      = high_q ? dest.row | 8'd1 : dest.row;
  assign wr_beat_o     = result.part.number;
  assign store_valid_o = (valid_i & turn & stored) != '0;
  assign store_data_o  = data;
  assign release_o     = (valid_i & turn & releases) != '0;
  assign release_tag_o = {dest.is_last, dest.barrier};
  assign release_row_o = dest.row;
  assign stall_o       = |(valid_i & ~(4'd1 << source)) || (store_valid_o && !store_ready_i);

  logic unused;
  assign unused = ^{result, dest};

  // Beats of a warp reach the store unit in order, without a beat of another source in between.
  logic       begun_q;
  logic [1:0] store_source_q;
  faa_cu_pkg::beat_no_t store_next_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q      <= 1'b0;
      store_next_q <= 3'd0;
    end else if (store_valid_o && store_ready_i) begin
      begun_q      <= !result.part.last;
      store_next_q <= result.part.last ? 3'd0 : result.part.number + 3'd1;
    end
    if (store_valid_o) store_source_q <= source;
  end

  `FAA_ASSERT_NEXT(second_half_follows, valid && !last, valid && source == source_q && high_q)
  `FAA_ASSERT(ready_of_the_source, ready_o == (valid && last && (!dest.stream || store_ready_i) ?
                                               4'd1 << source : 4'd0))
  `FAA_ASSERT(stored_in_order, !store_valid_o || result.part.number == store_next_q)
  `FAA_ASSERT(stored_of_one_source, !store_valid_o || !begun_q || source == store_source_q)
  `FAA_COVER(stall_b1, stall_o)
  `FAA_COVER(wide_result, high_q)
  `FAA_COVER(shared_while_load, valid_i[0] && valid_i[1])
  `FAA_COVER(atom_waits, valid_i[3] && valid_i[2:0] != '0)

endmodule
