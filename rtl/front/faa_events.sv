// SPDX-License-Identifier: Apache-2.0
//
// Sets the bits of EVENT_STATUS and requests MSI-X vector 0 when a bit that EVENT_ENABLE selects
// becomes 1.
//
// The status bits are in the register block, where a clear wins over a set. Hazard: an event in the
// cycle of the clear. It is held until its bit is set, so that the bit falls and rises and the
// interrupt is requested again. Latency: 2 cycles.

module faa_events (
  input  logic       clk_i,
  input  logic       rst_ni,

  // Pulses.
  input  logic [4:0] event_i,
  // Register block.
  output logic [4:0] set_o,
  input  logic [4:0] status_i,
  input  logic [4:0] enable_i,

  output logic       irq_valid_o,
  input  logic       irq_ready_i,
  output logic       idle_o
);

  logic [4:0] held_q, selected_q;
  logic       pending_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q     <= '0;
      selected_q <= '0;
      pending_q  <= 1'b0;
    end else begin
      held_q     <= (held_q & ~status_i) | event_i;
      selected_q <= status_i & enable_i;
      pending_q  <= (pending_q && !irq_ready_i) || (status_i & enable_i & ~selected_q) != '0;
    end
  end

  assign set_o       = held_q;
  assign irq_valid_o = pending_q;
  assign idle_o      = held_q == '0 && !pending_q && (status_i & enable_i & ~selected_q) == '0;

endmodule
