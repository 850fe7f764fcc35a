// SPDX-License-Identifier: Apache-2.0
//
// The L2 slice that a line belongs to: the exclusive or of groups of its low address bits, as wide
// as the slice's number. So consecutive lines, and lines of any stride of a power of two, are
// spread over all slices and over all sets of each.
//
// Combinational.

module faa_l2_home #(
  // A power of two.
  parameter int unsigned Slices = 2,
  localparam int unsigned SliceW = (Slices > 1) ? $clog2(Slices) : 1
) (
  input  logic [faa_l2_pkg::HOME_BITS-1:0] line_i,  // low bits of the line's address
  output logic [SliceW-1:0]                slice_o
);

  if (Slices > 1) begin : g_hash
    always_comb begin
      slice_o = '0;
      for (int unsigned n = 0; n < faa_l2_pkg::HOME_BITS; n++) slice_o[n % SliceW] = slice_o[n % SliceW] ^ line_i[n];
    end
  end else begin : g_one
    logic unused;
    assign unused  = ^line_i;
    assign slice_o = '0;
  end

endmodule
