// SPDX-License-Identifier: Apache-2.0
//
// Request crossbar: brings the words of the lanes that won a pass to their banks. Combinational.
//
// take_i holds for each lane the banks that it has won, one bit per bank (two for a 64-bit access), no bank twice. The
// lane number that each bank gets is formed for all banks at once, one index bit at a time; the words then go
// through 32:1 multiplexers with a power-of-two pitch. Even banks see even_i, odd banks odd_i.

module faa_shared_xbar (
  input  logic          valid_i,
  input  logic [1023:0] take_i,
  input  logic [1023:0] control_i,  // a word per lane, the same for both banks
  input  logic [1023:0] even_b_i,
  input  logic [1023:0] odd_b_i,
  input  logic [1023:0] even_c_i,
  input  logic [1023:0] odd_c_i,

  output logic [31:0]   valid_o,    // per bank
  output logic [1023:0] control_o,
  output logic [1023:0] b_o,
  output logic [1023:0] c_o
);

  logic [31:0] bit0, bit1, bit2, bit3, bit4;

  always_comb begin
    valid_o = '0;
    bit0    = '0;
    bit1    = '0;
    bit2    = '0;
    bit3    = '0;
    bit4    = '0;
    if (valid_i) begin
      for (int l = 0; l < 32; l++) begin
        valid_o = valid_o | take_i[l*32 +: 32];
        if ((l & 1) != 0) bit0 = bit0 | take_i[l*32 +: 32];
        if ((l & 2) != 0) bit1 = bit1 | take_i[l*32 +: 32];
        if ((l & 4) != 0) bit2 = bit2 | take_i[l*32 +: 32];
        if ((l & 8) != 0) bit3 = bit3 | take_i[l*32 +: 32];
        if ((l & 16) != 0) bit4 = bit4 | take_i[l*32 +: 32];
      end
    end
  end

  for (genvar k = 0; k < 32; k++) begin : g_bank
    logic [9:0] at;
    assign at = {bit4[k], bit3[k], bit2[k], bit1[k], bit0[k], 5'b0};
    always_comb begin
      control_o[k*32 +: 32] = '0;
      b_o[k*32 +: 32]       = '0;
      c_o[k*32 +: 32]       = '0;
      if (valid_o[k]) begin
        control_o[k*32 +: 32] = control_i[at +: 32];
        if (k % 2 == 0) begin
          b_o[k*32 +: 32] = even_b_i[at +: 32];
          c_o[k*32 +: 32] = even_c_i[at +: 32];
        end else begin
          b_o[k*32 +: 32] = odd_b_i[at +: 32];
          c_o[k*32 +: 32] = odd_c_i[at +: 32];
        end
      end
    end
  end

endmodule
