// SPDX-License-Identifier: Apache-2.0
//
// Counts what has been taken and is not done: at most Max. Whether there is any, or Max, comes from
// registers that change together with the count.
//
// Latency: take_i and done_i show in the next cycle. No stalls, no hazards.

`include "faa_assert.svh"

module faa_in_flight #(
  parameter int unsigned Max = 16,
  localparam int unsigned CountW = $clog2(Max + 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              take_i,     // not with full_o, unless done_i
  input  logic              done_i,
  output logic [CountW-1:0] count_o,
  output logic              some_o,     // count_o is not 0
  output logic              full_o      // count_o is Max
);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_o <= '0;
      some_o  <= 1'b0;
      full_o  <= 1'b0;
    end else begin
      count_o <= count_o + CountW'(take_i) - CountW'(done_i);
      if (take_i && !done_i) begin
        some_o <= 1'b1;
        full_o <= count_o == CountW'(Max - 1);
      end else if (done_i && !take_i) begin
        some_o <= count_o != CountW'(1);
        full_o <= 1'b0;
      end
    end
  end

  `FAA_ASSERT(flags_are_exact, some_o == (count_o != '0) && full_o == (count_o == CountW'(Max)))
  `FAA_ASSERT(not_too_many, !(take_i && !done_i && full_o))

endmodule
