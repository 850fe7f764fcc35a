// SPDX-License-Identifier: Apache-2.0
//
// Addresses of the 32 lanes of an affine sequence: base + lane * step modulo 2^64. Combinational, 31 adders: lane
// n + 2^k is lane n plus step << k.

module faa_cu_lanes (
  input  logic          valid_i,   // 0: the output is not used (saves simulation time)
  input  logic [63:0]   base_i,
  input  logic [63:0]   step_i,
  output logic [2047:0] value_o
);

  always_comb begin
    value_o = '0;
    if (valid_i) begin
      value_o[63:0] = base_i;
      for (int k = 0; k < 5; k++) begin
        for (int n = 0; n < 16; n++) begin
          if (n < (1 << k)) value_o[((1 << k) + n)*64 +: 64] = value_o[n*64 +: 64] + (step_i << k);
        end
      end
    end
  end

endmodule
