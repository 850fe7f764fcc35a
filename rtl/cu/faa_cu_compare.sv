// SPDX-License-Identifier: Apache-2.0
//
// SETP: compares the operands of Lanes lanes. Combinational, five levels of look-up tables.
//
// The halves of a lane are compared as unsigned numbers, 32-bit operands by the lower half alone.
// Signs then reverse the order for signed and floating-point numbers. For floating-point types -0
// and +0 are equal, and in a lane with a NaN every comparison but NE is false.

module faa_cu_compare #(
  parameter int unsigned Lanes = 32,
  parameter bit Floats = 1'b1      // 0: typ_i is never a floating-point type
) (
  input  logic [7:0]    cmp_i,     // enum cmp
  input  logic [3:0]    typ_i,     // enum type, 32 or 64 bits
  input  logic [Lanes*64-1:0] a_i, // 64 bits a lane
  input  logic [Lanes*64-1:0] b_i,
  output logic [Lanes-1:0] holds_o
);

  logic [Lanes-1:0] equal, less, ordered;
  logic        is_float, wide, signs;

  assign is_float = Floats && typ_i >= faa_pkg::TYPE_F16;
  assign wide     = faa_cu_pkg::is_wide(typ_i);
  assign signs    = is_float || faa_cu_pkg::is_signed(typ_i);

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [31:0] a_low, a_high, b_low, b_high;
    logic        low_equal, high_equal, low_less, high_less, same, below;
    logic        a_sign, b_sign, zeros, a_nan, b_nan;

    assign {a_high, a_low} = a_i[l*64 +: 64];
    assign {b_high, b_low} = b_i[l*64 +: 64];
    assign low_equal  = a_low == b_low;
    assign high_equal = a_high == b_high;
    assign low_less   = a_low < b_low;
    assign high_less  = a_high < b_high;
    assign same       = low_equal && (high_equal || !wide);
    assign below      = wide && !high_equal ? high_less : low_less;
    assign a_sign     = signs && (wide ? a_high[31] : a_low[31]);
    assign b_sign     = signs && (wide ? b_high[31] : b_low[31]);

    if (Floats) begin : gen_floats
      logic low_zeros, a_low_any, b_low_any;
      assign a_low_any = a_low[22:0] != '0;
      assign b_low_any = b_low[22:0] != '0;
      assign low_zeros = !a_low_any && !b_low_any && a_low[30:23] == '0 && b_low[30:23] == '0;
      assign zeros     = low_zeros && (!wide || (!a_low[31] && !b_low[31] && a_high[30:0] == '0 &&
                                                 b_high[30:0] == '0));
      assign a_nan     = wide ? &a_high[30:20] && (|a_high[19:0] || |a_low[31:23] || a_low_any)
                              : &a_low[30:23] && a_low_any;
      assign b_nan     = wide ? &b_high[30:20] && (|b_high[19:0] || |b_low[31:23] || b_low_any)
                              : &b_low[30:23] && b_low_any;
    end else begin : gen_integers
      assign {zeros, a_nan, b_nan} = '0;
    end

    // Negative floating-point numbers are in reverse order of their magnitudes.
    assign ordered[l] = !is_float || !(a_nan || b_nan);
    assign equal[l]   = same || (is_float && zeros);
    assign less[l]    = !equal[l] && (a_sign != b_sign ? a_sign : below != (is_float && a_sign));
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
