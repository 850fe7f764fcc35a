// SPDX-License-Identifier: Apache-2.0
//
// An item of a line for the operand register of a lane: selected from the line, extended to 64
// bits, shifted left by 0 to 7 bits; or another value instead (other_i). Combinational.
//
// The item is naturally aligned, so the low bits of its place matter only for small items: the
// lowest byte comes from any of eight, bytes 2 and 3 from one of two, the upper half only from its
// own place. For a place that is not aligned the value is undefined.

module faa_cu_item #(
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic [LineW-1:0] line_i,
  input  logic [OffW-1:0]  place_i,    // byte in the line
  input  logic [1:0]   size_i,     // log2 of the bytes of the item
  input  logic         signed_i,   // extended with its sign
  input  logic [2:0]   shift_i,
  input  logic         zero_i,     // the item is 0
  input  logic         other_i,
  input  logic [63:0]  value_i,
  output logic [63:0]  value_o
);

  logic [63:0] word, extended;
  logic [7:0]  byte0, byte1;
  logic [15:0] half;
  logic        negative;

  assign word  = line_i[{place_i[OffW-1:3], 6'b0} +: 64];
  assign byte0 = word[{place_i[2:0], 3'b0} +: 8];
  assign byte1 = word[{place_i[2:1], 4'b1000} +: 8];
  assign half  = place_i[2] ? word[63:48] : word[31:16];

  always_comb begin
    case (size_i)
      2'd0: negative = signed_i && byte0[7];
      2'd1: negative = signed_i && byte1[7];
      default: negative = signed_i && half[15];
    endcase
    extended = {word[63:32], half, byte1, byte0};
    if (size_i == 2'd0) extended[15:8] = {8{negative}};
    if (size_i < 2'd2) extended[31:16] = {16{negative}};
    if (size_i < 2'd3) extended[63:32] = {32{negative}};
    if (zero_i) extended = '0;
  end

  assign value_o = other_i ? value_i : extended << shift_i;

endmodule
