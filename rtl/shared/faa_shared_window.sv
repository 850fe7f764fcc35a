// SPDX-License-Identifier: Apache-2.0
//
// Whether the oldest pass of one half of the banks is complete: no bank owes an answer of it.
//
// Passes complete in order. Latency: 1 cycle. Throughput: one pass per cycle: while the oldest pass
// leaves, the next one is checked.

module faa_shared_window #(
  parameter int unsigned Window = 32,
  parameter int unsigned Banks = 16,     // of the half
  localparam int unsigned NumberW = $clog2(Window)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  logic                          issued_i,  // a pass is in the queues from the next cycle on
  input  logic [Banks-1:0]              owes_i,    // a bank owes answers, the oldest of this pass
  input  logic [Banks-1:0][NumberW-1:0] owes_pass_i,

  output logic                          complete_o,
  input  logic                          leave_i    // with complete_o: the oldest pass leaves
);

  logic [NumberW-1:0] oldest_q, next;
  logic [NumberW:0]   inside_q;
  logic [Banks-1:0]   owes_oldest, owes_next;

  assign next = oldest_q + NumberW'(1);

  for (genvar n = 0; n < Banks; n++) begin : g_bank
    assign owes_oldest[n] = owes_i[n] && owes_pass_i[n] == oldest_q;
    assign owes_next[n]   = owes_i[n] && owes_pass_i[n] == next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      oldest_q   <= '0;
      inside_q   <= '0;
      complete_o <= 1'b0;
    end else begin
      if (leave_i) oldest_q <= next;
      inside_q   <= inside_q + (NumberW+1)'(issued_i) - (NumberW+1)'(leave_i);
      complete_o <= leave_i ? inside_q > (NumberW+1)'(1) && owes_next == '0 : inside_q != '0 && owes_oldest == '0;
    end
  end

endmodule
