// SPDX-License-Identifier: Apache-2.0
//
// Pass selection of any warp in any state: of the pending lanes of each bank exactly the lowest wins. The winners are what the
// shared unit takes off the pending mask; so every lane is served once, in lane order within its bank, each pass serves some
// lane, and at most 32 passes end a warp.

`include "faa_assert.svh"

module shared_select_props (
  input logic         clk_i,
  input logic         rst_ni,
  input logic [31:0]  pending_i,
  input logic [159:0] bank_i      // 5 bits a lane
);

  logic [31:0]   win;
  logic [1023:0] bank;

  for (genvar l = 0; l < 32; l++) begin : gen_lane
    assign bank[l*32 +: 32] = 32'd1 << bank_i[l*5 +: 5];
  end

  faa_shared_select u_select (.clk_i, .rst_ni, .pending_i, .bank_i(bank), .win_o(win));

  // Per bank: the lanes that want it, whether a lower one does, and whether the selection is wrong.
  logic [31:0] wrong;
  always_comb begin
    for (int b = 0; b < 32; b++) begin
      logic [31:0] wants;
      for (int l = 0; l < 32; l++) wants[l] = pending_i[l] && bank[l*32 + b];
      wrong[b] = (win & wants) != (wants & (~wants + 32'd1));
    end
  end

  `FAA_ASSERT(LowestWins, wrong == '0)
  `FAA_ASSERT(OnlyPending, (win & ~pending_i) == '0)

endmodule
