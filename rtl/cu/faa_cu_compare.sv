// SPDX-License-Identifier: Apache-2.0
//
// SETP: compares the operands of 32 lanes. Combinational.
//
// The order of all types is made that of unsigned numbers; of floating-point types -0 and +0 are the same, and where a lane has a NaN,
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
  logic [63:0] x, y;                  // 32-bit values stand in the upper half
  logic        is_float, wide, flip, x_nan, y_nan;

  assign is_float = typ_i >= faa_pkg::TYPE_F16;
  assign wide     = faa_cu_pkg::is_wide(typ_i);
  assign flip     = faa_cu_pkg::is_signed(typ_i);

  // The order of each value is made that of unsigned numbers.
  always_comb begin
    equal   = '0;
    less    = '0;
    ordered = '1;
    x       = '0;
    y       = '0;
    x_nan   = 1'b0;
    y_nan   = 1'b0;
    if (valid_i) begin
      for (int l = 0; l < 32; l++) begin
        x = wide ? a_i[l*64 +: 64] : {a_i[l*64 +: 32], 32'b0};
        y = wide ? b_i[l*64 +: 64] : {b_i[l*64 +: 32], 32'b0};
        if (is_float) begin
          x_nan      = wide ? &x[62:52] && |x[51:0] : &x[62:55] && |x[54:32];
          y_nan      = wide ? &y[62:52] && |y[51:0] : &y[62:55] && |y[54:32];
          ordered[l] = !x_nan && !y_nan;
          x          = x[62:0] == '0 ? 64'h8000000000000000 : x[63] ? ~x : {1'b1, x[62:0]};
          y          = y[62:0] == '0 ? 64'h8000000000000000 : y[63] ? ~y : {1'b1, y[62:0]};
        end
        equal[l] = x == y;
        less[l]  = {x[63] ^ flip, x[62:0]} < {y[63] ^ flip, y[62:0]};
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
