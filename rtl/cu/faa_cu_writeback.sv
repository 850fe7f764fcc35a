// SPDX-License-Identifier: Apache-2.0
//
// Brings results to where they belong: to the registers, one row per cycle, or to the store unit that has the
// addresses of the result stream.
//
// Four sources, the lower number first: 0 loads, 1 shared memory, 2 moves and arithmetic, 3 atomic unit. Throughput: a 32-bit result per cycle,
// a 64-bit result in two. Stalls: B1 a source waits for another, or for the store unit (its result stays offered; counter
// STALL_WRITEBACK).

`include "faa_assert.svh"

module faa_cu_writeback (
  input  logic          clk_i,
  input  logic          rst_ni,

  // Per source: destination, active lanes, 64 bits a lane
  input  logic [3:0]    valid_i,
  output logic [3:0]    ready_o,
  input  faa_cu_pkg::dest_t dest0_i,
  input  faa_cu_pkg::dest_t dest1_i,
  input  faa_cu_pkg::dest_t dest2_i,
  input  faa_cu_pkg::dest_t dest3_i,
  input  logic [31:0]   mask0_i,
  input  logic [31:0]   mask1_i,
  input  logic [31:0]   mask2_i,
  input  logic [31:0]   mask3_i,
  input  logic [2047:0] data0_i,
  input  logic [2047:0] data1_i,
  input  logic [2047:0] data2_i,
  input  logic [2047:0] data3_i,
  input  logic          instead_i,        // source 2 has data0_i, while source 0 has nothing

  output logic          wr_en_o,
  output logic [7:0]    wr_row_o,
  output logic [31:0]   wr_mask_o,
  output logic [1023:0] wr_data_o,

  output logic          store_valid_o,
  input  logic          store_ready_i,
  output logic [2047:0] store_data_o,     // without a result: data2_i

  output logic          release_o,        // a register result is complete
  output logic [3:0]    release_tag_o,
  output logic [7:0]    release_row_o,
  output logic          stall_o
);

  faa_cu_pkg::dest_t dest;
  logic [1:0]        source, source_q;
  logic              valid, last, high_q;
  logic [31:0]       mask;
  logic [2047:0]     data;

  // Without a result the data are those of source 2: what control commands store. The second half
  // of a 64-bit result follows the first whatever else has become valid.
  assign source = high_q ? source_q : valid_i[0] ? 2'd0 : valid_i[1] ? 2'd1 :
                  valid_i[3] && !valid_i[2] ? 2'd3 : 2'd2;
  assign valid  = |valid_i;

  always_comb begin
    case (source)
      2'd0: begin
        dest = dest0_i;
        mask = mask0_i;
      end
      2'd1: begin
        dest = dest1_i;
        mask = mask1_i;
      end
      2'd2: begin
        dest = dest2_i;
        mask = mask2_i;
      end
      default: begin
        dest = dest3_i;
        mask = mask3_i;
      end
    endcase
    case (source == 2'd2 && instead_i ? 2'd0 : source)
      2'd0: data = data0_i;
      2'd1: data = data1_i;
      2'd2: data = data2_i;
      default: data = data3_i;
    endcase
  end

  assign last    = dest.stream || !dest.wide || high_q;
  assign ready_o = valid && last && (!dest.stream || store_ready_i) ? 4'd1 << source : 4'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) high_q <= 1'b0;
    else high_q <= valid && !last;
    source_q <= source;
  end

  for (genvar l = 0; l < 32; l++) begin : g_lane
    assign wr_data_o[l*32 +: 32] = high_q ? data[l*64 + 32 +: 32] : data[l*64 +: 32];
  end

  assign wr_en_o       = valid && !dest.stream;
  assign wr_row_o      = high_q ? dest.row | 8'd1 : dest.row;
  assign wr_mask_o     = mask;
  assign store_valid_o = valid && dest.stream;
  assign store_data_o  = data;
  assign release_o     = valid && last && !dest.stream;
  assign release_tag_o = {dest.is_last, dest.barrier};
  assign release_row_o = dest.row;
  assign stall_o       = |(valid_i & ~(4'd1 << source)) || (store_valid_o && !store_ready_i);

  logic unused;
  assign unused = ^dest;

  `FAA_ASSERT_NEXT(second_half_follows, valid && !last, valid && source == source_q && high_q)
  `FAA_ASSERT(data_of_one_source, !(valid_i[0] && instead_i))
  `FAA_COVER(stall_b1, stall_o)
  `FAA_COVER(wide_result, high_q)
  `FAA_COVER(shared_while_load, valid_i[0] && valid_i[1])
  `FAA_COVER(atom_waits, valid_i[3] && valid_i[2:0] != '0)

endmodule
