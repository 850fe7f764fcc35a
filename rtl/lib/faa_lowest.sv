// SPDX-License-Identifier: Apache-2.0
//
// Number of the lowest set bit of a vector.
//
// Combinational, and wide rather than deep: one carry chain finds the bit, and one for each bit of
// its number encodes it. No stalls, no hazards.

module faa_lowest #(
  parameter int unsigned Width = 32,   // 2 or more
  localparam int unsigned IndexW = $clog2(Width)
) (
  input  logic [Width-1:0]  bits_i,
  output logic [IndexW-1:0] index_o    // 0 if no bit is set
);

  logic [Width-1:0] first;

  assign first = bits_i & -bits_i;

  for (genvar k = 0; k < IndexW; k++) begin : g_bit
    logic [Width-1:0] counts;          // the bits whose number has bit k
    for (genvar n = 0; n < Width; n++) begin : g_number
      assign counts[n] = (n >> k) % 2 == 1 && first[n];
    end
    faa_any #(.Width(Width)) u_any (.bits_i(counts), .any_o(index_o[k]));
  end

endmodule
