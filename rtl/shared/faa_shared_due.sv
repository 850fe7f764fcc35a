// SPDX-License-Identifier: Apache-2.0
//
// The operations of a beat whose ranks are base_i to base_i + Push - 1, by banks. Combinational, all outputs 0 while valid_i is 0.
//
// 64-bit operations stand for both banks of their pair.

module faa_shared_due #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Push = 4
) (
  input  logic                 valid_i,
  input  logic                 wide_i,
  input  logic [Lanes*32-1:0]  place_i,
  input  logic [Lanes-1:0]     send_i,    // positions that send an operation
  input  logic [Lanes*8-1:0]   rank_i,
  input  logic [5:0]           base_i,

  output logic [Push*32-1:0]   any_o,     // [r * 32 + k]: bank k has one of rank base_i + r
  output logic [Push*160-1:0]  where_o,   // bits (r * 5 + bit) * 32 + k: its position
  output logic                 more_o     // there are higher ranks
);

  logic [31:0] banks;
  logic        unused;
  assign unused = ^{place_i, rank_i};

  always_comb begin
    any_o   = '0;
    where_o = '0;
    more_o  = 1'b0;
    banks   = '0;
    if (valid_i) begin
      for (int p = 0; p < Lanes; p++) begin
        if (send_i[p]) begin
          banks = (wide_i ? 32'd3 : 32'd1) << place_i[p*32 + faa_shared_pkg::PLACE_BANK +: 5];
          if (rank_i[p*8 +: 6] >= base_i + 6'(Push)) more_o = 1'b1;
          for (int r = 0; r < Push; r++) begin
            if (rank_i[p*8 +: 6] == base_i + 6'(r)) begin
              any_o[r*32 +: 32] = any_o[r*32 +: 32] | banks;
              for (int k = 0; k < 5; k++) begin
                if (((p >> k) & 1) != 0) where_o[(r*5+k)*32 +: 32] = where_o[(r*5+k)*32 +: 32] | banks;
              end
            end
          end
        end
      end
    end
  end

endmodule
