// SPDX-License-Identifier: Apache-2.0
//
// Requests MSI-X vector 0 when a bit of EVENT_STATUS that EVENT_ENABLE selects becomes 1.
//
// The status bits themselves are in the register block. Latency: 1 cycle.

module faa_events (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic [3:0] status_i,
  input  logic [3:0] enable_i,

  output logic       irq_valid_o,
  input  logic       irq_ready_i
);

  logic [3:0] selected_q;
  logic       pending_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      selected_q <= '0;
      pending_q  <= 1'b0;
    end else begin
      selected_q <= status_i & enable_i;
      pending_q  <= (pending_q && !irq_ready_i) || (status_i & enable_i & ~selected_q) != '0;
    end
  end

  assign irq_valid_o = pending_q;

endmodule
