// SPDX-License-Identifier: Apache-2.0
//
// The scheduler with any queues and units that keep the guarantees of the front end: no context is
// held twice, and a queue that a busy unit runs is not ready. Proves the scheduler's own assertions
// and that the highest priority wins.

`include "faa_assert.svh"

module sched_props (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [3:0] ready_i,
  input logic [7:0] prio_i,
  input logic [1:0] free_i,
  input logic [1:0] resident_valid_i,
  input logic [3:0] resident_i
);

  logic [3:0] queue_grant;
  logic [1:0] cu_grant, grant_queue;
  logic [7:0] home;

  for (genvar n = 0; n < 2; n++) begin : gen_home
    assign home[n*4 +: 4] = resident_valid_i[n] ? 4'd1 << resident_i[n*2 +: 2] : '0;
  end

  faa_sched #(.NumQueues(4), .NumCu(2)) u_sched (
    .clk_i, .rst_ni, .ready_i, .prio_i, .queue_grant_o(queue_grant), .free_i, .home_i(home),
    .cu_grant_o(cu_grant), .grant_queue_o(grant_queue)
  );

  `FAA_ASSUME(OneHome, !(resident_valid_i == 2'b11 && resident_i[1:0] == resident_i[3:2]))
  `FAA_ASSERT(GrantOneHot, (queue_grant & (queue_grant - 4'd1)) == '0 && (cu_grant & (cu_grant - 2'd1)) == '0)
  `FAA_ASSERT(GrantReady, (queue_grant & ~ready_i) == '0)
  `FAA_ASSERT(GrantNumber, queue_grant == '0 || queue_grant == 4'd1 << grant_queue)
  // A queue whose context a unit holds runs on that unit.
  `FAA_ASSERT(GrantHome0, !(resident_valid_i[0] && queue_grant[resident_i[1:0]]) || cu_grant == 2'b01)
  `FAA_ASSERT(GrantHome1, !(resident_valid_i[1] && queue_grant[resident_i[3:2]]) || cu_grant == 2'b10)
  // With an empty unit free, no resident context is evicted.
  `FAA_ASSERT(GrantEmpty, (free_i & ~resident_valid_i) == '0 || (cu_grant & resident_valid_i) == '0 ||
              queue_grant[(cu_grant[0]) ? resident_i[1:0] : resident_i[3:2]])
  // The inputs one and two cycles before, and for how many cycles the same queues have been ready
  // for two free units without a grant
  logic [3:0] ready_q, ready_2q;
  logic [7:0] prio_q;
  logic       free_q, free_2q;
  logic [2:0] waited_q;
  logic       waits;
  assign waits = free_i == 2'b11 && ready_i != '0 && queue_grant == '0;
  always_ff @(posedge clk_i) begin
    {ready_2q, ready_q} <= {ready_q, ready_i};
    prio_q              <= prio_i;
    {free_2q, free_q}   <= {free_q, free_i == 2'b11};
    if (!rst_ni || !waits) waited_q <= '0;
    else waited_q <= waited_q != '0 && ready_i == ready_q ? waited_q + 3'd1 : 3'd1;
  end
  // A ready queue gets a free unit within five cycles.
  `FAA_ASSERT(GrantWorks, !(waited_q == 3'd4 && waits && ready_i == ready_q))
  // No queue that was ready when the scheduler chose has a higher priority.
  logic [3:0] outranked;
  for (genvar q = 0; q < 4; q++) begin : gen_prio
    assign outranked[q] = ready_2q[q] && prio_q[grant_queue*2 +: 2] < prio_q[q*2 +: 2];
  end
  `FAA_ASSERT(GrantPriority, !free_2q || queue_grant == '0 || outranked == '0)

endmodule
