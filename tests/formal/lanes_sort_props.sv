// SPDX-License-Identifier: Apache-2.0
//
// faa_lanes_sort followed by faa_lanes_unsort, with distinct keys. Keys come out in ascending
// order, each one of the beat, with the data of its lane; and unsort returns each lane its own
// data. Latency is fixed: beats in flight are kept in registers.

`include "formal.svh"

module lanes_sort_props #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned KeyW = 3,
  parameter int unsigned DataW = 1
) (
  input logic                        clk_i,
  input logic                        run_i,
  input logic                        valid_i,
  input logic [Lanes-1:0][KeyW-1:0]  key_i,
  input logic [Lanes-1:0][DataW-1:0] data_i
);

  localparam int unsigned Levels = faa_lanes_pkg::sort_levels(Lanes);
  localparam int unsigned There  = Levels + 1;                // latency of sort
  localparam int unsigned Cycles = There + (Levels + 1) / 2;  // latency of both

  logic                         s_valid, u_valid;
  logic [Lanes-1:0][KeyW-1:0]   s_key;
  logic [Lanes-1:0][DataW-1:0]  s_data, u_data;
  logic [Levels-1:0][Lanes-1:0] swaps;
  `FORMAL_RESET

  faa_lanes_sort #(.Lanes(Lanes), .KeyW(KeyW), .DataW(DataW)) u_sort (
    .clk_i, .rst_ni, .valid_i, .key_i, .data_i, .valid_o(s_valid), .key_o(s_key), .data_o(s_data), .swaps_o(swaps)
  );

  faa_lanes_unsort #(.Lanes(Lanes), .DataW(DataW)) u_unsort (
    .clk_i, .rst_ni, .valid_i(s_valid), .data_i(s_data), .swaps_i(swaps), .valid_o(u_valid), .data_o(u_data)
  );

  logic differ;
  always_comb begin
    differ = 1'b1;
    for (int p = 0; p < Lanes; p++) for (int q = 0; q < p; q++) if (key_i[p] == key_i[q]) differ = 1'b0;
  end
  `FAA_ASSUME(KeysDiffer, !valid_i || differ)

  logic [Cycles:1]             valid_q;
  logic [Lanes-1:0][KeyW-1:0]  key_q [There+1];
  logic [Lanes-1:0][DataW-1:0] sent_q [Cycles+1];
  assign key_q[0]  = key_i;
  assign sent_q[0] = data_i;
  for (genvar n = 1; n <= Cycles; n++) begin : g_beat
    always_ff @(posedge clk_i) begin
      valid_q[n] <= rst_ni && (n == 1 ? valid_i : valid_q[n == 1 ? 1 : n-1]);
      sent_q[n]  <= sent_q[n-1];
    end
    if (n <= There) begin : g_key
      always_ff @(posedge clk_i) key_q[n] <= key_q[n-1];
    end
  end

  // Every position has the key and the data of one lane; as keys ascend, no lane occurs twice.
  logic [Lanes-1:0] known;
  logic             ascend, mine;
  always_comb begin
    ascend = 1'b1;
    known  = '0;
    mine   = 1'b1;
    for (int p = 0; p < Lanes; p++) begin
      if (p != 0 && s_key[p] <= s_key[(p+Lanes-1)%Lanes]) ascend = 1'b0;
      for (int l = 0; l < Lanes; l++) begin
        if (s_key[p] == key_q[There][l]) begin
          known[p] = 1'b1;
          if (s_data[p] != sent_q[There][l]) mine = 1'b0;
        end
      end
    end
  end

  `FAA_ASSERT(BeatsComeInTime, s_valid == valid_q[There] && u_valid == valid_q[Cycles])
  `FAA_ASSERT(KeysAscend, !s_valid || ascend)
  `FAA_ASSERT(KeysAreThose, !s_valid || &known)
  `FAA_ASSERT(DataStaysWithItsKey, !s_valid || mine)
  `FAA_ASSERT(LanesGetTheirOwn, !u_valid || u_data == sent_q[Cycles])

endmodule
