// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a warp whose addresses, base_i plus steps, are not aligned to the item size.
//
// Combinational: a few levels, as only three bits of an address count. No stalls, no hazards.

module faa_cu_aligned (
  input  logic [31:0] mask_i,         // lanes to check
  input  logic [2:0]  base_i,
  input  logic [2:0]  step_i,
  input  logic [1:0]  size_i,         // log2 of the bytes
  output logic [31:0] misaligned_o
);

  // Bit {base, step} of lane: its address is no multiple of `bytes`.
  function automatic logic [63:0] odd(input int unsigned lane, input int unsigned bytes);
    for (int unsigned n = 0; n < 64; n++) odd[n] = (n / 8 + lane * (n % 8)) % bytes != 0;
  endfunction

  for (genvar l = 0; l < 32; l++) begin : g_lane
    localparam logic [63:0] Odd2 = odd(l, 2);
    localparam logic [63:0] Odd4 = odd(l, 4);
    localparam logic [63:0] Odd8 = odd(l, 8);
    logic misaligned;
    always_comb begin
      case (size_i)
        2'd0: misaligned = 1'b0;
        2'd1: misaligned = Odd2[{base_i, step_i}];
        2'd2: misaligned = Odd4[{base_i, step_i}];
        default: misaligned = Odd8[{base_i, step_i}];
      endcase
    end
    assign misaligned_o[l] = mask_i[l] && misaligned;
  end

endmodule
