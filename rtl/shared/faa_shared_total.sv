// SPDX-License-Identifier: Apache-2.0
//
// Stage X, operands: the combined operation of the beats of a chain, and the operations before each
// lane.
//
// Inputs for each chain: the positions of the beat with its word (mask_i), whether the beat before
// belongs to the chain (open_i), and whether the next one does (cont_i).
//
//   1     the operand of the group on each chain's word
//   2     the total of each chain includes it; the values of the lanes meet the total before
//         (faa_lanes_node)
//   3, 4  second half of the nodes; operations to send
//
// Latency: 3 cycles. Throughput: one beat per cycle. It never stalls.

`include "faa_assert.svh"

module faa_shared_total #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Chains = 2
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic                         valid_i,
  input  faa_shared_pkg::beat_t        beat_i,
  input  logic [Lanes-1:0]             first_i,
  input  logic [Lanes-1:0]             last_i,
  input  logic [Lanes-1:0][31:0]       value_i,
  input  logic [Chains-1:0][Lanes-1:0] mask_i,
  input  logic [Chains-1:0]            open_i,
  input  logic [Chains-1:0]            cont_i,

  output logic                         valid_o,
  output faa_shared_pkg::beat_t        beat_o,
  output logic [Lanes-1:0]             first_o,    // answered with the word itself
  output logic [Lanes-1:0]             send_o,
  output logic [Lanes-1:0]             load_o,
  output logic [Lanes-1:0][31:0]       value_o,
  output logic [Lanes-1:0][31:0]       before_o,
  output logic [Chains-1:0][Lanes-1:0] chained_o,
  output logic [Chains-1:0][Lanes-1:0] base_o,
  output logic                         hold_o
);

  // -----------------------------------------------------------------------------------------------
  // 1: the operand of each chain's group, which its last position has

  logic [2:0]                   valid_q;
  logic [Chains-1:0][31:0]      group_d, group_q;
  logic [Chains-1:0][Lanes-1:0] mask_2_q, chained, base, drop;
  logic [Chains-1:0]            open_2_q, cont_2_q;
  logic [Lanes-1:0]             first_2_q, last_2_q;
  logic [Lanes-1:0][31:0]       value_2_q;
  faa_shared_pkg::beat_t        beat_2_q;
  faa_lanes_pkg::combine_t      how_2_q;

  always_comb begin
    group_d = '0;
    for (int unsigned c = 0; c < Chains; c++) begin
      for (int unsigned p = 0; p < Lanes; p++) begin
        if (mask_i[c][p] && last_i[p]) group_d[c] = group_d[c] | value_i[p];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[1:0], valid_i};
    if (valid_i) begin
      group_q   <= group_d;
      mask_2_q  <= mask_i;
      open_2_q  <= open_i;
      cont_2_q  <= cont_i;
      first_2_q <= first_i;
      last_2_q  <= last_i;
      value_2_q <= value_i;
      beat_2_q  <= beat_i;
      how_2_q   <= faa_shared_pkg::how_of(beat_i);
    end
  end

  // -----------------------------------------------------------------------------------------------
  // 2: sums, each in one cycle

  logic [Chains-1:0][31:0] sum_q, sum_3_q, sum_4_q;

  for (genvar c = 0; c < Chains; c++) begin : g_sum
    logic [2:0]  op;
    logic [31:0] sum;
    logic        less;

    faa_lanes_less #(
      .Width(32)
    ) u_less (
      .a_i   ({sum_q[c][31] ^ how_2_q.sign, sum_q[c][30:0]}),
      .b_i   ({group_q[c][31] ^ how_2_q.sign, group_q[c][30:0]}),
      .less_o(less)
    );

    always_comb begin
      if (!open_2_q[c]) op = faa_lanes_pkg::COMBINE_YOUNGER;
      else if (!how_2_q.order) op = how_2_q.op;
      else op = less ^ how_2_q.max ? faa_lanes_pkg::COMBINE_OLDER : faa_lanes_pkg::COMBINE_YOUNGER;
    end

    faa_lanes_combine #(
      .Width(32)
    ) u_combine (
      .op_i(op),
      .a_i (sum_q[c]),
      .b_i (group_q[c]),
      .y_o (sum)
    );

    always_ff @(posedge clk_i) if (valid_q[0] && cont_2_q[c]) sum_q[c] <= sum;
  end

  always_comb begin
    chained = '0;
    base    = '0;
    drop    = '0;
    for (int unsigned c = 0; c < Chains; c++) begin
      if (open_2_q[c]) chained[c] = mask_2_q[c];
      if (cont_2_q[c] && !open_2_q[c] && beat_2_q.result) base[c] = mask_2_q[c] & last_2_q;
      if (cont_2_q[c] && (open_2_q[c] || !beat_2_q.result)) drop[c] = mask_2_q[c] & last_2_q;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // 3, 4

  logic [Chains-1:0][Lanes-1:0] chained_3_q, base_3_q;
  logic [Lanes-1:0]             first_3_q, send_3_q, begins_4_q, any_chained, any_base, any_drop;
  logic                         hold_3_q;
  faa_shared_pkg::beat_t        beat_3_q;

  always_comb begin
    any_chained = '0;
    any_base    = '0;
    any_drop    = '0;
    for (int unsigned c = 0; c < Chains; c++) begin
      any_chained = any_chained | chained[c];
      any_base    = any_base | base_3_q[c];
      any_drop    = any_drop | drop[c];
    end
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    logic [31:0] sum;

    // Chains watch different words: one at most has the position.
    always_comb begin
      sum = sum_q[0];
      for (int unsigned c = 1; c < Chains; c++) if (mask_2_q[c][p]) sum = sum_q[c];
    end

    faa_lanes_node #(
      .Width(32)
    ) u_node (
      .clk_i,
      .en_i  (valid_q[1:0]),
      .how_i (how_2_q),
      .open_i(any_chained[p]),
      .a_i   (sum),
      .b_i   (value_2_q[p]),
      .y_o   (value_o[p])
    );
  end

  always_ff @(posedge clk_i) begin
    if (valid_q[0]) begin
      sum_3_q     <= sum_q;
      chained_3_q <= chained;
      base_3_q    <= base;
      first_3_q   <= first_2_q;
      send_3_q    <= last_2_q & ~any_drop;
      hold_3_q    <= cont_2_q != '0;
      beat_3_q    <= beat_2_q;
    end
    if (valid_q[1]) begin
      sum_4_q    <= sum_3_q;
      chained_o  <= chained_3_q;
      base_o     <= base_3_q;
      begins_4_q <= first_3_q;
      send_o     <= send_3_q;
      load_o     <= any_base;
      hold_o     <= hold_3_q;
      beat_o     <= beat_3_q;
    end
  end

  assign valid_o = valid_q[2];

  // The first position of a group in a chain follows all earlier operations of the chain.
  always_comb begin
    first_o  = begins_4_q;
    before_o = {value_o[Lanes-2:0], 32'b0};
    for (int unsigned c = 0; c < Chains; c++) begin
      first_o = first_o & ~chained_o[c];
      for (int unsigned p = 0; p < Lanes; p++) begin
        if (chained_o[c][p] && begins_4_q[p]) before_o[p] = sum_4_q[c];
      end
    end
  end

endmodule
