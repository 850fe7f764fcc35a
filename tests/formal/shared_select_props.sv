// SPDX-License-Identifier: Apache-2.0
//
// Pass selection over any warp: of the pending lanes of a bank exactly the lowest is served, every lane is served once, and
// every pass serves at least one lane, so 32 passes end every warp. The two lanes are any.

`include "faa_assert.svh"

module shared_select_props (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         start_i,
  input logic [31:0]  mask_i,
  input logic [159:0] bank_i    // 5 bits a lane
);

  (* anyconst *) logic [4:0] low, high;
  logic [31:0]   pending_q, win, left;
  logic [159:0]  bank_q;
  logic [1023:0] bank;
  logic          served_q, same;
  logic [5:0]    passes_q, waiting;

  for (genvar l = 0; l < 32; l++) begin : gen_lane
    assign bank[l*32 +: 32] = 32'd1 << bank_q[l*5 +: 5];
  end

  faa_shared_select u_select (.clk_i, .rst_ni, .pending_i(pending_q), .bank_i(bank), .win_o(win));

  assign same = bank_q[low*5 +: 5] == bank_q[high*5 +: 5];
  assign left = pending_q & ~win;

  always_comb begin
    waiting = '0;
    for (int l = 0; l < 32; l++) waiting = waiting + {5'b0, pending_q[l]};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= '0;
      served_q  <= 1'b0;
      passes_q  <= '0;
    end else if (pending_q == '0) begin
      served_q <= 1'b0;
      passes_q <= '0;
      if (start_i) begin
        pending_q <= mask_i;
        bank_q    <= bank_i;
      end
    end else begin
      pending_q <= left;
      passes_q  <= passes_q + 6'd1;
      if (win[low]) served_q <= 1'b1;
    end
  end

  `FAA_ASSERT(ServedOnce, !(win[low] && served_q))
  `FAA_ASSERT(ServedIsDone, !(served_q && pending_q[low]))
  `FAA_ASSERT(OneLanePerBank, !(low != high && same && win[low] && win[high]))
  `FAA_ASSERT(LowestFirst, !(low < high && same && pending_q[low] && win[high]))
  `FAA_ASSERT(NoneWithoutCause, !(pending_q[high] && !win[high]) || (pending_q[high] && !win[high] && win != '0))
  `FAA_ASSERT(Progress, pending_q == '0 || left != pending_q)
  `FAA_ASSERT(EndsIn32, {1'b0, passes_q} + {1'b0, waiting} <= 7'd32)

endmodule
