// SPDX-License-Identifier: Apache-2.0
//
// Selects the two groups of a beat that are worth watching (faa_shared_chain): the lowest ones of
// those that at least four lanes share, else of those that two share. Each is named by its last
// position.
//
// Latency: 1 cycle. Throughput: one beat per cycle. It never stalls.

module faa_shared_crowd #(
  parameter int unsigned Lanes = 32
) (
  input  logic                  clk_i,

  input  logic                  valid_i,
  input  logic [Lanes-1:0]      first_i,   // ends of each group
  input  logic [Lanes-1:0]      last_i,

  output logic [1:0][Lanes-1:0] crowd_o    // one position each, or none
);

  logic [Lanes-1:0] pairs, fours, left;
  logic [Lanes-1:0] lowest_four, lowest;

  // Of groups of two and three lanes the first position is one or two below the last one.
  assign pairs       = last_i & ~first_i;
  assign fours       = pairs & ~{first_i[Lanes-2:0], 1'b0} & ~{first_i[Lanes-3:0], 2'b0};
  assign lowest_four = fours & -fours;
  assign lowest      = fours != '0 ? lowest_four : pairs & -pairs;
  assign left        = (fours & ~lowest_four) != '0 ? fours & ~lowest_four : pairs & ~lowest;

  always_ff @(posedge clk_i) begin
    if (valid_i) crowd_o <= {left & -left, lowest};
  end

endmodule
