// SPDX-License-Identifier: Apache-2.0
//
// The streams of a job. Each slot is a model of faa_cu_control: it begins when it is told, reaches
// any number of BARs, fails or ends at any time, stops when it is told, and holds its done until
// that is taken. A ghost counts the BARs that each slot has passed.

`include "formal.svh"

module cu_jobs_props #(
  parameter int unsigned Slots = 3
) (
  input logic             clk_i,
  input logic             run_i,
  input logic             job_valid_i,
  input faa_bundle_pkg::op_e job_op_i,
  input logic [Slots-1:0] job_slots_i,
  input logic             done_ready_i,
  input logic [Slots-1:0] step_i,        // advances: from running to a BAR or the end, then to done
  input logic [Slots-1:0] bar_i,
  input logic [Slots-1:0] fail_i,        // in any cycle in which it runs
  input logic [Slots*8-1:0] code_i
);

  `FORMAL_RESET

  localparam logic [2:0] Idle = 3'd0, Runs = 3'd1, AtBar = 3'd2, Drains = 3'd3, Done = 3'd4, Moves = 3'd5;

  logic [Slots-1:0] valid, ready, done, done_ready, failed_q, stop, at_bar, member, ended, ran, passes, begins;
  logic             bar_go, job_ready, job_done, in_run_q;

  faa_cu_jobs #(.Slots(Slots)) u_jobs (
    .clk_i, .rst_ni, .job_valid_i, .job_ready_o(job_ready), .job_op_i, .job_slots_i, .done_valid_o(job_done), .done_ready_i, .done_code_o(),
    .member_o(member), .ended_o(ended), .slot_valid_o(valid), .slot_ready_i(ready), .slot_done_i(done), .slot_done_ready_o(done_ready),
    .slot_code_i(code_i), .slot_failed_i(failed_q), .slot_stop_o(stop), .slot_at_bar_i(at_bar), .bar_go_o(bar_go), .context_slot_o()
  );

  // The operation is held until it is done.
  logic op_run;
  assign op_run = job_ready ? job_op_i == faa_bundle_pkg::OpRun : in_run_q;
  always_ff @(posedge clk_i) if (job_ready) in_run_q <= job_op_i == faa_bundle_pkg::OpRun;

  for (genvar n = 0; n < Slots; n++) begin : gen_slot
    logic [2:0] state_q;
    logic [1:0] passed_q;
    assign ready[n]  = state_q == Idle;
    assign done[n]   = state_q == Done;
    assign at_bar[n] = state_q == AtBar;
    assign ran[n]    = state_q inside {Runs, AtBar, Drains};
    assign begins[n] = valid[n] && ready[n];
    assign passes[n] = at_bar[n] && bar_go && !stop[n] && !failed_q[n] && !fail_i[n];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        state_q     <= Idle;
        failed_q[n] <= 1'b0;
      end else begin
        case (state_q)
          Idle:    if (valid[n]) state_q <= op_run ? Runs : Moves;
          Runs:
            if (failed_q[n] || fail_i[n] || stop[n]) state_q <= step_i[n] ? Drains : Runs;
            else if (step_i[n]) state_q <= bar_i[n] ? AtBar : Drains;
          AtBar:   if (failed_q[n] || fail_i[n] || stop[n]) state_q <= Drains;
                   else if (bar_go) state_q <= Runs;
          Drains, Moves: if (step_i[n]) state_q <= Done;
          default: if (done_ready[n]) state_q <= Idle;
        endcase
        if (begins[n] && op_run) failed_q[n] <= 1'b0;
        else if ((ran[n] || state_q == Moves) && fail_i[n]) failed_q[n] <= 1'b1;
        else if (at_bar[n] && stop[n]) failed_q[n] <= 1'b1;
        if (begins[n]) passed_q <= '0;
        else if (passes[n]) passed_q <= passed_q + 2'd1;
      end
    end

    // In the cycle in which a slot passes, every stream of the job is at the BAR or has ended, and
    // none has failed.
    `FAA_ASSERT(NonePassesBefore, !passes[n] || ((member & ~at_bar & ~done) == '0 && member[n]))
    `FAA_ASSERT(NonePassesBehindFailure, !passes[n] || (member & failed_q) == '0)
    `FAA_ASSERT(StopsOthers, !(ran[n] && (member & failed_q & ~(Slots'(1) << n)) != '0) || stop[n])
    `FAA_ASSERT(StopsForFailure, !stop[n] || (member & failed_q & ~(Slots'(1) << n)) != '0)
    // All streams at the BAR continue.
    `FAA_ASSERT(GoesWhenAllCame, !(at_bar[n] && (member & ~at_bar & ~done) == '0 && (member & failed_q) == '0 && !fail_i[n]) || passes[n])
    `FAA_ASSERT(StatesExist, state_q <= Moves && (!ran[n] || member[n]))
    `FAA_ASSERT(EndIsKept, done_ready[n] == 1'b0 || done[n])
    for (genvar m = 0; m < n; m++) begin : gen_pair
      // Streams that still run have passed the same BARs.
      `FAA_ASSERT(RoundsAgree, !(ran[n] && ran[m] && !failed_q[n] && !failed_q[m] && at_bar[n] && at_bar[m]) || passed_q == gen_slot[m].passed_q)
    end
  end

  `FAA_ASSUME(JobsHaveSlots, !job_valid_i || job_slots_i != '0)
  `FAA_ASSERT(RunBeginsAtOnce, !(job_valid_i && job_ready && op_run) || (valid == job_slots_i && (valid & ~ready) == '0))
  `FAA_ASSERT(JobEndsWhenAllHave, !job_done || ran == '0)
  `FAA_ASSERT(NeverPasses, passes == '0)

endmodule
