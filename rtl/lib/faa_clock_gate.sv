// SPDX-License-Identifier: Apache-2.0
//
// Clock of a part that can be stopped: runs in the cycles in which en_i is 1, and Hold cycles
// longer.
//
// The stopped part must keep its state and its outputs by itself, so that stopping the clock
// changes nothing; the gate saves power, and in simulation the evaluation of stopped parts. This is
// the only place for a vendor's clock buffer with enable. Without one (as here for synthesis) the
// clock always runs, which changes only the power. Simulation uses a latch, as in such a buffer.
//
// en_i belongs to the cycle that ends with the edge: it may come from combinational logic of that
// cycle. During Hold, pulses of the part end.

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
