// SPDX-License-Identifier: Apache-2.0
//
// SETP: compares the operands of 32 lanes. Combinational.
//
// Floating-point values are brought to the order of signed integers, -0 and +0 to the same one; where a lane has a NaN,
// every comparison but NE is false.

module faa_cu_compare (
  input  logic          valid_i,   // 0: the output is not used (saves simulation time)
  input  logic [7:0]    cmp_i,     // enum cmp
  input  logic [3:0]    typ_i,
  input  logic [2047:0] a_i,       // 64 bits a lane
  input  logic [2047:0] b_i,
  output logic [31:0]   holds_o
);

  logic [31:0] equal, less, ordered;
  logic        is_float, sign;

  function automatic logic f32_nan(input logic [30:0] x);
    f32_nan = &x[30:23] && |x[22:0];
  endfunction

  function automatic logic f64_nan(input logic [62:0] x);
    f64_nan = &x[62:52] && |x[51:0];
  endfunction

  // The value with its order made that of unsigned numbers.
  function automatic logic [31:0] order32(input logic [31:0] x, input logic float_type, input logic sign_type);
    if (!float_type) order32 = {x[31] ^ sign_type, x[30:0]};
    else if (x[30:0] == '0) order32 = 32'h80000000;
    else order32 = x[31] ? ~x : {1'b1, x[30:0]};
  endfunction

  function automatic logic [63:0] order64(input logic [63:0] x, input logic float_type, input logic sign_type);
    if (!float_type) order64 = {x[63] ^ sign_type, x[62:0]};
    else if (x[62:0] == '0) order64 = 64'h8000000000000000;
    else order64 = x[63] ? ~x : {1'b1, x[62:0]};
  endfunction

  assign is_float = typ_i >= faa_pkg::TYPE_F16;
  assign sign     = faa_cu_pkg::is_signed(typ_i);

  always_comb begin
    equal   = '0;
    less    = '0;
    ordered = '1;
    if (valid_i) begin
      for (int l = 0; l < 32; l++) begin
        if (faa_cu_pkg::is_wide(typ_i)) begin
          equal[l]   = order64(a_i[l*64 +: 64], is_float, sign) == order64(b_i[l*64 +: 64], is_float, sign);
          less[l]    = order64(a_i[l*64 +: 64], is_float, sign) < order64(b_i[l*64 +: 64], is_float, sign);
          ordered[l] = !is_float || !(f64_nan(a_i[l*64 +: 63]) || f64_nan(b_i[l*64 +: 63]));
        end else begin
          equal[l]   = order32(a_i[l*64 +: 32], is_float, sign) == order32(b_i[l*64 +: 32], is_float, sign);
          less[l]    = order32(a_i[l*64 +: 32], is_float, sign) < order32(b_i[l*64 +: 32], is_float, sign);
          ordered[l] = !is_float || !(f32_nan(a_i[l*64 +: 31]) || f32_nan(b_i[l*64 +: 31]));
        end
      end
    end
  end

  always_comb begin
    case (cmp_i)
      faa_pkg::CMP_EQ: holds_o = equal & ordered;
      faa_pkg::CMP_NE: holds_o = ~(equal & ordered);
      faa_pkg::CMP_LT: holds_o = less & ordered;
      faa_pkg::CMP_LE: holds_o = (less | equal) & ordered;
      faa_pkg::CMP_GT: holds_o = ~(less | equal) & ordered;
      default: holds_o = ~less & ordered;
    endcase
  end

endmodule
