// SPDX-License-Identifier: Apache-2.0
//
// Clock of a part that can rest: runs in the cycles in which en_i is 1, and Hold cycles longer.
//
// The part must keep its state and its outputs by itself once it rests, so that it makes no difference whether the clock runs; the gate
// saves power, and in simulation the evaluation of all that rests. This is the only place of a vendor's clock buffer with enable:
// without one (as here for synthesis) the clock runs always, which changes nothing but the power. Simulation uses the latch that such a buffer is.
//
// en_i belongs to the cycle that ends with the edge: it may come from combinational logic of that cycle. Hold gives pulses of the part
// the time to end.

module faa_clock_gate #(
  parameter int unsigned Hold = 15
) (
  input  logic clk_i,
  input  logic rst_ni,   // the clock runs in reset
  input  logic en_i,
  output logic clk_o
);

`ifdef SYNTHESIS

  logic unused;
  assign unused = ^{rst_ni, en_i, Hold};
  assign clk_o  = clk_i;

`else

  localparam int unsigned HoldW = $clog2(Hold + 1);

  logic [HoldW-1:0] hold_q;
  logic             run_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || en_i) hold_q <= HoldW'(Hold);
    else if (hold_q != '0) hold_q <= hold_q - HoldW'(1);
  end

  always_latch if (!clk_i) run_q = !rst_ni || en_i || hold_q != '0;

  assign clk_o = clk_i && run_q;

`endif

endmodule
