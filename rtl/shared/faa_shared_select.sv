// SPDX-License-Identifier: Apache-2.0
//
// Chooses the lanes of one pass over the banks: of the pending lanes of each bank, the lowest. Combinational.
//
// bank_i holds for each lane its bank as a one-hot word of 32 bits (for a 64-bit access: the even bank of its pair). The
// prefix OR over lanes in five steps says which banks lower pending lanes want; a lane wins if its bank is not among them.

`include "faa_assert.svh"

module faa_shared_select (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic [31:0]   pending_i,
  input  logic [1023:0] bank_i,
  output logic [31:0]   win_o
);

  logic [1023:0] wanted, prefix;

  always_comb begin
    wanted = '0;
    prefix = '0;
    win_o  = '0;
    if (|pending_i) begin
      for (int l = 0; l < 32; l++) wanted[l*32 +: 32] = pending_i[l] ? bank_i[l*32 +: 32] : 32'b0;
      prefix = wanted;
      prefix = prefix | (prefix << 32);
      prefix = prefix | (prefix << 64);
      prefix = prefix | (prefix << 128);
      prefix = prefix | (prefix << 256);
      prefix = prefix | (prefix << 512);
      prefix = prefix << 32;  // lower lanes only
      for (int l = 0; l < 32; l++) win_o[l] = pending_i[l] && ~|(prefix[l*32 +: 32] & bank_i[l*32 +: 32]);
    end
  end

  `FAA_ASSERT(only_pending_lanes_win, ~|(win_o & ~pending_i))
  `FAA_ASSERT(lowest_lane_wins, (win_o & (pending_i & -pending_i)) == (pending_i & -pending_i))

endmodule
