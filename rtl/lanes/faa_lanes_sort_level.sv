// SPDX-License-Identifier: Apache-2.0
//
// One level of faa_lanes_sort. Data is exchanged a cycle after its keys, by decisions that come
// from registers: one look-up table a bit.

module faa_lanes_sort_level #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned KeyW = 20,
  parameter int unsigned DataW = 64,
  parameter int unsigned Level = 0
) (
  input  logic                        clk_i,
  input  logic                        valid_i,  // keys of a beat
  input  logic                        follow_i, // its data, in the cycle after valid_i
  input  logic [Lanes-1:0][KeyW-1:0]  key_i,
  input  logic [Lanes-1:0][DataW-1:0] data_i,
  output logic [Lanes-1:0][KeyW-1:0]  key_o,
  output logic [Lanes-1:0][DataW-1:0] data_o,
  output logic [Lanes-1:0]            swap_o    // with key_o: exchanged with a higher one
);

  localparam int unsigned Far = faa_lanes_pkg::distance_of(Level);

  logic [Lanes-1:0] swap;

  for (genvar x = 0; x < Lanes; x++) begin : g_position
    if (faa_lanes_pkg::exchanges(Lanes, Level, x)) begin : g_lower
      faa_lanes_less #(
        .Width(KeyW)
      ) u_less (
        .a_i   (key_i[x+Far]),
        .b_i   (key_i[x]),
        .less_o(swap[x])
      );
      always_ff @(posedge clk_i) begin
        if (valid_i) key_o[x] <= swap[x] ? key_i[x+Far] : key_i[x];
        if (follow_i) data_o[x] <= swap_o[x] ? data_i[x+Far] : data_i[x];
      end
    end else if (faa_lanes_pkg::is_upper(Lanes, Level, x)) begin : g_upper
      assign swap[x] = 1'b0;
      always_ff @(posedge clk_i) begin
        if (valid_i) key_o[x] <= swap[x-Far] ? key_i[x-Far] : key_i[x];
        if (follow_i) data_o[x] <= swap_o[x-Far] ? data_i[x-Far] : data_i[x];
      end
    end else begin : g_neither
      assign swap[x] = 1'b0;
      always_ff @(posedge clk_i) begin
        if (valid_i) key_o[x] <= key_i[x];
        if (follow_i) data_o[x] <= data_i[x];
      end
    end
  end

  always_ff @(posedge clk_i) if (valid_i) swap_o <= swap;

endmodule
