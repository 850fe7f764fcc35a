// SPDX-License-Identifier: Apache-2.0
//
// faa_shared_window with 16 banks that owe any answers of the passes in flight and give them in any
// order of banks. A bank reports what its queue reports (OwesWhatIsOwed, OwesTheOldest of
// shared_queue_inside.svh): whether it owes answers, and the oldest pass of them. A pass is
// complete only when no bank owes an answer of it, and is so a cycle after the first cycle in which
// it is the oldest and no bank does.

`include "formal.svh"

module shared_window_props #(
  parameter int unsigned Window = 4,
  localparam int unsigned NumberW = $clog2(Window)
) (
  input logic        clk_i,
  input logic        run_i,
  input logic        issued_i,
  input logic [15:0] entry_i,    // the bank has an operation in the pass that is issued
  // The bank has given all answers that it owes of its oldest pass.
  input logic [15:0] answer_i,
  input logic        leave_i
);

  `FORMAL_RESET

  logic [NumberW-1:0]       oldest_q, next;
  logic [NumberW:0]         inside_q;
  logic [15:0][Window-1:0]  owed_q;       // passes of which the bank owes answers
  logic [15:0]              owes, owes_oldest, owes_second;
  logic [15:0][NumberW-1:0] owes_pass;
  logic                     complete, expected_q;

  faa_shared_window #(.Window(Window)) u_window (
    .clk_i, .rst_ni, .issued_i, .owes_i(owes), .owes_pass_i(owes_pass), .complete_o(complete), .leave_i
  );

  assign next = oldest_q + NumberW'(inside_q);

  for (genvar n = 0; n < 16; n++) begin : g_bank
    always_comb begin
      owes_pass[n] = '0;
      for (int k = Window - 1; k >= 0; k--) if (owed_q[n][NumberW'(oldest_q + NumberW'(k))]) owes_pass[n] = NumberW'(oldest_q + NumberW'(k));
    end
    assign owes[n]        = owed_q[n] != '0;
    assign owes_oldest[n] = owed_q[n][oldest_q];
    assign owes_second[n] = owed_q[n][NumberW'(oldest_q + NumberW'(1))];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) owed_q[n] <= '0;
      else begin
        if (answer_i[n] && owes[n]) owed_q[n][owes_pass[n]] <= 1'b0;
        if (issued_i && entry_i[n]) owed_q[n][next] <= 1'b1;
      end
    end
  end

  // faa_shared_pass issues no more than Window passes (PassesAreBounded); stage C takes complete
  // ones.
  `FAA_ASSUME(PassesAreBounded, !issued_i || inside_q < (NumberW+1)'(Window))
  `FAA_ASSUME(LeavesComplete, !leave_i || complete)

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      oldest_q   <= '0;
      inside_q   <= '0;
      expected_q <= 1'b0;
    end else begin
      if (leave_i) oldest_q <= oldest_q + NumberW'(1);
      inside_q   <= inside_q + (NumberW+1)'(issued_i) - (NumberW+1)'(leave_i);
      // The pass that is the oldest one in the next cycle is in flight, and no bank owes an answer
      // of it.
      expected_q <= leave_i ? inside_q > (NumberW+1)'(1) && owes_second == '0 : inside_q != '0 && owes_oldest == '0;
    end
  end

  `FAA_ASSERT(NotBeforeItsAnswers, !complete || (inside_q != '0 && owes_oldest == '0))
  `FAA_ASSERT(CompleteInTime, !expected_q || complete)

  // Induction
  logic bounded;
  always_comb begin
    bounded = 1'b1;
    for (int n = 0; n < 16; n++) begin
      for (int k = 0; k < Window; k++) if ((NumberW+1)'(k) >= inside_q && owed_q[n][NumberW'(oldest_q + NumberW'(k))]) bounded = 1'b0;
    end
  end
  `FAA_ASSERT(OwedIsUnderWay, bounded && inside_q <= (NumberW+1)'(Window))
  `FAA_ASSERT(CountsAgree, u_window.oldest_q == oldest_q && u_window.inside_q == inside_q)

endmodule
