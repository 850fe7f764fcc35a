// SPDX-License-Identifier: Apache-2.0
//
// Results of the lanes of a warp for ADD on F32 with RELAXED: the first lane of a word returns the
// old M, the others M plus the sum of the lanes before them on the word.
//
// Latency: faa_float_pkg::ADD_LATENCY cycles; throughput one warp per cycle; no stall: the sender
// keeps room for the results.

module faa_shared_relaxed_fix #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned TagW = 8
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                valid_i,
  input  logic [Lanes*32-1:0] old_i,     // M of the lane's word before the warp
  input  logic [Lanes*32-1:0] prefix_i,  // sum of the lanes before it
  input  logic [Lanes-1:0]    first_i,   // the first lane of its word; prefix_i is ignored
  input  logic [Lanes-1:0]    active_i,
  input  logic                ftz_i,
  input  logic [TagW-1:0]     tag_i,

  output logic                valid_o,
  output logic [Lanes*32-1:0] result_o,  // 0 in lanes that are not active
  output logic [TagW-1:0]     tag_o
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  logic [Latency-1:0]              valid_q;
  logic [Latency*TagW-1:0]         tag_q;
  logic [Latency*Lanes-1:0]        first_q, active_q;
  logic [Latency*Lanes*32-1:0]     old_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Latency-2:0], valid_i};
    if (valid_i || |valid_q) begin
      tag_q    <= {tag_q[0 +: (Latency-1)*TagW], tag_i};
      first_q  <= {first_q[0 +: (Latency-1)*Lanes], first_i};
      active_q <= {active_q[0 +: (Latency-1)*Lanes], active_i};
      old_q    <= {old_q[0 +: (Latency-1)*Lanes*32], old_i};
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [31:0] sum;

    faa_float_add #(
      .ExpW(8),
      .ManW(23)
    ) u_add (
      .clk_i,
      .valid_i(valid_i && active_i[l] && !first_i[l]),
      .a_i    (old_i[l*32 +: 32]),
      .b_i    (prefix_i[l*32 +: 32]),
      .ftz_i,
      .sum_o  (sum)
    );

    assign result_o[l*32 +: 32] = {32{active_q[(Latency-1)*Lanes + l]}} &
                                  (first_q[(Latency-1)*Lanes + l] ? old_q[((Latency-1)*Lanes + l)*32 +: 32] : sum);
  end

  assign valid_o = valid_q[Latency-1];
  assign tag_o   = tag_q[(Latency-1)*TagW +: TagW];

endmodule
