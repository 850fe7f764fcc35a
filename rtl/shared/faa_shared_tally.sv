// SPDX-License-Identifier: Apache-2.0
//
// Counts the groups of each beat, and its passes: the most groups of any bank.
//
// Latency: 2 * log2(Lanes) + 1 cycles. Throughput: one beat per cycle.

module faa_shared_tally #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned OwnerW = 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              take_i,
  input  logic [OwnerW-1:0] owner_i,
  input  logic [Lanes-1:0]  last_i,        // last positions of groups
  input  logic [Lanes-1:0]  bank_first_i,  // first positions of banks

  output logic [5:0]        passes_o,      // 0 in cycles without a beat
  output logic [5:0]        groups_o,
  output logic [OwnerW-1:0] owner_o
);

  localparam int unsigned Levels = $clog2(Lanes);
  localparam int unsigned Cycles = 2 * Levels;
  localparam int unsigned CountW = Levels + 1;

  logic [Cycles:0] valid;
  logic [Cycles-1:0] valid_q;

  assign valid = {valid_q, take_i};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[Cycles-1:0];
  end

  // Groups of its bank up to each position: each level doubles the distance
  logic [Lanes-1:0]             open [Levels+1];
  logic [Lanes-1:0][CountW-1:0] count [Levels+1];

  assign open[0] = ~bank_first_i;
  for (genvar p = 0; p < Lanes; p++) begin : g_one
    assign count[0][p] = CountW'(last_i[p]);
  end

  for (genvar s = 0; s < Levels; s++) begin : g_count
    localparam int unsigned Far = 1 << s;
    for (genvar p = 0; p < Lanes; p++) begin : g_position
      if (p >= Far) begin : g_add
        always_ff @(posedge clk_i) begin
          if (valid[s]) begin
            count[s+1][p] <= open[s][p] ? count[s][p] + count[s][p-Far] : count[s][p];
            open[s+1][p]  <= open[s][p] && open[s][p-Far];
          end
        end
      end else begin : g_pass
        always_ff @(posedge clk_i) begin
          if (valid[s]) begin
            count[s+1][p] <= count[s][p];
            open[s+1][p]  <= 1'b0;
          end
        end
      end
    end
  end

  logic unused;
  assign unused = ^open[Levels];

  // The greatest of them, and the number of groups: of lanes p to p + 2^level - 1 at lane p
  logic [Lanes-1:0]             last;
  logic [Lanes-1:0][CountW-1:0] most [Levels+1];
  logic [Lanes-1:0][CountW-1:0] sum [Levels+1];

  faa_lanes_delay #(
    .Width (Lanes),
    .Cycles(Levels)
  ) u_last (
    .clk_i,
    .rst_ni,
    .data_i(last_i),
    .data_o(last)
  );

  faa_lanes_delay #(
    .Width (OwnerW),
    .Cycles(Cycles + 1)
  ) u_owner (
    .clk_i,
    .rst_ni,
    .data_i(owner_i),
    .data_o(owner_o)
  );

  assign most[0] = count[Levels];
  for (genvar p = 0; p < Lanes; p++) begin : g_group
    assign sum[0][p] = CountW'(last[p]);
  end

  for (genvar s = 0; s < Levels; s++) begin : g_most
    localparam int unsigned Far = 1 << s;
    for (genvar p = 0; p < Lanes; p++) begin : g_position
      if (p % (2 * Far) == 0) begin : g_tree
        always_ff @(posedge clk_i) begin
          if (valid[Levels+s]) begin
            most[s+1][p] <= most[s][p+Far] > most[s][p] ? most[s][p+Far] : most[s][p];
            sum[s+1][p]  <= sum[s][p] + sum[s][p+Far];
          end
        end
      end else begin : g_none
        assign most[s+1][p] = '0;
        assign sum[s+1][p]  = '0;
      end
    end
  end

  logic unused_rest;
  assign unused_rest = ^{most[Levels][Lanes-1:1], sum[Levels][Lanes-1:1]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !valid[Cycles]) begin
      passes_o <= '0;
      groups_o <= '0;
    end else begin
      passes_o <= 6'(most[Levels][0]);
      groups_o <= 6'(sum[Levels][0]);
    end
  end

endmodule
