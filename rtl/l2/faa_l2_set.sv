// SPDX-License-Identifier: Apache-2.0
//
// The set of a line in its L2 slice: the line's address folded by XOR. Each address bit above the
// set's own is in two bits of the set, whose distance grows from fold to fold. If it were in one,
// the slice's number (faa_l2_home) would be a function of the set where its width divides the
// set's, and each slice would leave sets unused.
//
// With the set instead of the low bits of the address, it gives these low bits.
//
// Combinational.

module faa_l2_set #(
  parameter int unsigned Sets = 256,       // a power of two
  parameter int unsigned LineAddrW = 46,
  localparam int unsigned SetW = $clog2(Sets)
) (
  input  logic [LineAddrW-1:0] la_i,
  output logic [SetW-1:0]      set_o
);

  localparam int unsigned TagW = LineAddrW - SetW;

  always_comb begin
    set_o = la_i[SetW-1:0];
    for (int unsigned i = 0; i < TagW; i++) begin
      set_o[i % SetW]                  = set_o[i % SetW] ^ la_i[SetW+i];
      set_o[(i + i / SetW + 1) % SetW] = set_o[(i + i / SetW + 1) % SetW] ^ la_i[SetW+i];
    end
  end

endmodule
