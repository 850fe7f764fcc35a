// SPDX-License-Identifier: Apache-2.0
//
// Scheduler: gives a ready queue to a free compute unit, at most one in three cycles.
//
// It selects the queue of highest priority; within a priority, the least recently granted one. That
// is round robin for queues that stay ready; a queue that is ready only now and then does not
// starve. A queue whose context is in a unit runs on that unit, and is not eligible while the unit
// is busy with another queue (which is about to save the context). Other queues take a free unit,
// units without a resident context first, then by number.
//
// The first cycle finds the eligible queues, the second chooses one, and the third grants it a unit
// if a unit is still free for it; otherwise the choice starts over. Queue and runner take the grant
// at the following clock edge.

`include "faa_assert.svh"

module faa_sched #(
  parameter int unsigned NumQueues = 16,
  parameter int unsigned NumCu = 2,
  localparam int unsigned QueueW = (NumQueues > 1) ? $clog2(NumQueues) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Queues.
  input  logic [NumQueues-1:0]       ready_i,
  input  logic [NumQueues*2-1:0]     prio_i,
  // One-hot.
  output logic [NumQueues-1:0]       queue_grant_o,

  // Units: the unit is free for a job; home_i[n*NumQueues + q]: it holds the context of queue q.
  input  logic [NumCu-1:0]           free_i,
  input  logic [NumCu*NumQueues-1:0] home_i,
  // One-hot, together with the queue's number.
  output logic [NumCu-1:0]           cu_grant_o,
  output logic [QueueW-1:0]          grant_queue_o
);

  logic [NumQueues-1:0]       has_home, home_free, eligible, eligible_q, contender;
  logic [3:0]                 prio_used;

  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    logic [NumCu-1:0] at;
    for (genvar n = 0; n < NumCu; n++) begin : gen_home
      assign at[n] = home_i[n*NumQueues + q];
    end
    assign has_home[q]  = at != '0;
    assign home_free[q] = (at & free_i) != '0;
    assign eligible[q]  = ready_i[q] && (has_home[q] ? home_free[q] : free_i != '0);
  end

  always_comb begin
    prio_used = '0;
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (eligible_q[q]) prio_used = prio_used | (4'd1 << prio_i[q*2 +: 2]);
    end
  end
  for (genvar q = 0; q < NumQueues; q++) begin : gen_contender
    // No eligible queue has a higher priority.
    assign contender[q] = eligible_q[q] && (prio_used >> prio_i[q*2 +: 2]) == 4'd1;
  end

  logic [NumQueues-1:0] chosen, chosen_q;

  faa_arb_lrg #(.N(NumQueues)) u_arb (
    .clk_i, .rst_ni, .req_i(contender), .grant_o(chosen), .advance_i(chosen_q == '0)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || chosen_q != '0) chosen_q <= '0;
    else chosen_q <= chosen;
    // The granted queue is still eligible in this cycle.
    eligible_q <= rst_ni && chosen_q == '0 ? eligible : '0;
  end
  assign queue_grant_o = chosen_q & eligible;

  always_comb begin
    grant_queue_o = '0;
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (chosen_q[q]) grant_queue_o = grant_queue_o | QueueW'(q);
    end
  end

  logic [NumCu-1:0] at_home, resident, empty, choice;
  for (genvar n = 0; n < NumCu; n++) begin : gen_at_home
    assign at_home[n]  = (home_i[n*NumQueues +: NumQueues] & chosen_q) != '0;
    assign resident[n] = home_i[n*NumQueues +: NumQueues] != '0;
  end
  assign empty      = free_i & ~resident;
  assign choice     = (at_home != '0) ? at_home : (empty != '0) ? empty : free_i;
  assign cu_grant_o = (queue_grant_o != '0) ? (choice & (~choice + NumCu'(1))) : '0;

  `FAA_ASSERT(SchedGrantFree, (cu_grant_o & ~free_i) == '0)
  `FAA_ASSERT(SchedPaired, (cu_grant_o == '0) == (queue_grant_o == '0))
  `FAA_ASSERT(SchedOneHome, (at_home & (at_home - NumCu'(1))) == '0)

endmodule
