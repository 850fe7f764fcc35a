// SPDX-License-Identifier: Apache-2.0
//
// Front end: the queues, the scheduler, one runner per compute unit, events and the interrupt
// output.
//
// Signals per queue and per unit are flat vectors, element n in slice n.

`include "bundle/faa_line.svh"

module faa_frontend #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  parameter int unsigned TagW = 5,
  localparam int unsigned NumQueues = Build.num_queues,
  localparam int unsigned NumCu = Build.num_cu,
  localparam int unsigned Slots = Build.warp_slots,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, TagW),
  localparam int unsigned QueueW = (NumQueues > 1) ? $clog2(NumQueues) : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic [63:0]               cycle_i,

  // Queue registers.
  input  logic [NumQueues*32-1:0]   tail_i,
  output logic [NumQueues*32-1:0]   head_o,
  input  logic [NumQueues-1:0]      enable_i,
  input  logic [NumQueues-1:0]      kill_i,
  input  logic [NumQueues-1:0]      keep_i,
  input  logic [NumQueues*Slots-1:0] slots_i,
  output logic [NumQueues*4-1:0]    state_o,
  output logic [NumQueues*4-1:0]    cu_o,
  input  logic [NumQueues*2-1:0]    prio_i,
  // Of queue sel_o, runner n in slice n of each vector.
  output logic [NumCu*QueueW-1:0]   sel_o,
  input  logic [NumCu*64-1:0]       ring_i,
  input  logic [NumCu*5-1:0]        ring_log2_i,
  input  logic [NumCu*5-1:0]        vector_i,
  input  logic [NumCu*64-1:0]       save_i,
  input  logic [NumCu*64-1:0]       seqno_i,
  input  logic [NumCu*32-1:0]       shared_i,
  // The running queue.
  output logic [NumCu*QueueW-1:0]   run_o,

  // Unit registers: a job is running; a context is resident; the queue of the job, or else of the
  // context.
  output logic [NumCu-1:0]          cu_busy_o,
  output logic [NumCu-1:0]          cu_resident_o,
  // A job runs, or has run and is not entirely reported, and the cycle in which it began
  output logic [NumCu-1:0]          cu_running_o,
  output logic [NumCu*8-1:0]        cu_queue_o,
  output logic [NumCu*64-1:0]       cu_start_o,

  // Event registers.
  input  logic                      event_inv_i,
  input  logic                      event_reset_i,
  output logic [4:0]                event_set_o,
  input  logic [4:0]                event_status_i,
  input  logic [4:0]                event_enable_i,

  // Compute units; slot s of unit n is number n * Slots + s.
  output logic [NumCu-1:0]          job_valid_o,
  input  logic [NumCu-1:0]          job_ready_i,
  output faa_bundle_pkg::job_t [NumCu-1:0] job_o,
  output logic [NumCu*Slots-1:0]    job_slots_o,
  output faa_bundle_pkg::stream_t [NumCu*Slots-1:0] job_streams_o,
  input  logic [NumCu-1:0]          done_valid_i,
  output logic [NumCu-1:0]          done_ready_o,
  input  faa_bundle_pkg::done_t [NumCu*Slots-1:0] done_i,
  input  logic [NumCu*Slots-1:0]    ended_i,
  input  faa_bundle_pkg::progress_t [NumCu*Slots-1:0] progress_i,
  input  logic [NumCu-1:0]          cu_resetting_i,
  input  logic [NumCu-1:0]          cu_reset_fire_i,
  output logic [NumCu-1:0]          cu_kill_o,
  output logic [NumCu-1:0]          cu_job_end_o,

  // Line requests of the runners.
  output logic [NumCu-1:0]           mem_req_valid_o,
  input  logic [NumCu-1:0]           mem_req_ready_i,
  output line_req_t [NumCu-1:0]      mem_req_o,
  input  logic [NumCu-1:0]           mem_rsp_valid_i,
  input  logic [LineW-1:0]           mem_rsp_rdata_i,
  input  logic [NumCu-1:0]           mem_rsp_err_i,

  // Sweeps of the runners.
  output logic [NumCu-1:0]          sweep_valid_o,
  output logic [NumCu-1:0]          sweep_drop_o,
  input  logic [NumCu-1:0]          sweep_done_i,
  input  logic [NumCu-1:0]          sweep_err_i,
  input  logic [51:OffW]            sweep_err_addr_i,

  // MSI-X requests: message of table entry vector.
  output logic                      msix_valid_o,
  output logic [7:0]                msix_vector_o,
  input  logic                      msix_ready_i,

  // 1: no queue ready or running, no interrupt request waiting.
  output logic                      idle_o
);

  logic [NumQueues-1:0]    ready, queue_grant, kill_job, discard, queue_idle, event_killed;
  logic [NumQueues-1:0]    event_error, event_saved, evict;
  logic [NumCu-1:0]        cu_free, cu_grant, resident_valid, runner_busy;
  logic [NumCu*QueueW-1:0] runner_queue;
  logic [QueueW-1:0]       grant_queue;
  // Signals of the runners to their queues, one bit per queue and runner: [n*NumQueues + q].
  logic [NumCu*NumQueues-1:0] runs, advance, released, release_error, release_lost, held, saving;
  logic [NumCu*NumQueues-1:0] save_error, lost;
  // loaded_slots: slots whose contexts have been made, of runner n in slice n; used: slots that
  // have a context, of queue q in slice q.
  logic [NumCu*Slots-1:0]     loaded_slots;
  logic [NumQueues*Slots-1:0] used;
  logic [NumCu:0]          irq_valid, irq_ready;
  logic [(NumCu+1)*8-1:0]  irq_vector;
  logic                    events_idle;

  // ---- Queues ----

  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    logic [NumCu-1:0] q_runs, q_advance, q_released, q_release_error, q_release_lost, q_held;
    logic [NumCu-1:0] q_saving, q_save_error, q_lost;
    logic [3:0]       q_cu;
    logic [Slots-1:0] q_loaded;
    for (genvar n = 0; n < NumCu; n++) begin : gen_gather
      assign q_runs[n]          = runs[n*NumQueues + q];
      assign q_advance[n]       = advance[n*NumQueues + q];
      assign q_released[n]      = released[n*NumQueues + q];
      assign q_release_error[n] = release_error[n*NumQueues + q];
      assign q_release_lost[n]  = release_lost[n*NumQueues + q];
      assign q_held[n]          = held[n*NumQueues + q];
      assign q_saving[n]        = saving[n*NumQueues + q];
      assign q_save_error[n]    = save_error[n*NumQueues + q];
      assign q_lost[n]          = lost[n*NumQueues + q];
    end
    always_comb begin
      q_cu     = '0;
      q_loaded = '0;
      for (int unsigned n = 0; n < NumCu; n++) begin
        if (q_runs[n]) q_cu = q_cu | 4'(n);
        if (q_runs[n]) q_loaded = q_loaded | loaded_slots[n*Slots +: Slots];
      end
    end
    assign cu_o[q*4 +: 4] = q_cu;

    faa_queue #(.Slots(Slots)) u_queue (
      .clk_i, .rst_ni, .enable_i(enable_i[q]), .kill_i(kill_i[q]), .keep_i(keep_i[q]),
      .slots_i(slots_i[q*Slots +: Slots]), .tail_i(tail_i[q*32 +: 32]),
      .head_o(head_o[q*32 +: 32]), .state_o(state_o[q*4 +: 4]), .ready_o(ready[q]), .grant_i(queue_grant[q]),
      .kill_job_o(kill_job[q]), .used_o(used[q*Slots +: Slots]), .loaded_i(q_loaded), .advance_i(q_advance != '0), .release_i(q_released != '0),
      .release_error_i(q_release_error != '0), .release_lost_i(q_release_lost != '0), .lost_i(q_lost != '0),
      .save_error_i(q_save_error != '0), .held_i(q_held != '0), .saving_i(q_saving != '0),
      .discard_o(discard[q]), .evict_o(evict[q]),
      .event_killed_o(event_killed[q]), .event_error_o(event_error[q]),
      .event_saved_o(event_saved[q]), .idle_o(queue_idle[q])
    );
  end

  faa_sched #(.NumQueues(NumQueues), .NumCu(NumCu)) u_sched (
    .clk_i, .rst_ni, .ready_i(ready), .prio_i, .queue_grant_o(queue_grant), .free_i(cu_free),
    .home_i(held), .cu_grant_o(cu_grant), .grant_queue_o(grant_queue)
  );

  // ---- Runners ----

  logic [LineW-1:0] rsp_rdata_q;
  always_ff @(posedge clk_i) rsp_rdata_q <= mem_rsp_rdata_i;

  for (genvar n = 0; n < NumCu; n++) begin : gen_runner
    logic [QueueW-1:0]    sel, queue, home;
    logic                 busy, n_loaded, n_advance, n_release, n_release_error, n_release_lost, n_saving, n_save_error, n_lost;
    logic [NumQueues-1:0] is_queue, n_held;
    logic [Slots-1:0]     n_loaded_slots;
    logic                 req_valid, req_ready, rsp_valid_q, rsp_err_q;
    line_req_t            req;

    faa_runner #(
      .Build(Build), .TagW(TagW)
    ) u_runner (
      .clk_i, .rst_ni, .cycle_i,
      .free_o(cu_free[n]), .grant_i(cu_grant[n]), .grant_queue_i(grant_queue),
      .resident_valid_o(resident_valid[n]), .resident_o(home), .home_o(n_held),
      .sel_o(sel), .ring_i(ring_i[n*64 + 6 +: 58]), .ring_log2_i(ring_log2_i[n*5 +: 5]),
      .head_i(head_o[sel*32 +: 32]), .tail_i(tail_i[sel*32 +: 32]),
      .vector_i(8'(vector_i[n*5 +: 5])), .save_i(save_i[n*64 + 6 +: 58]),
      .seqno_i(seqno_i[n*64 + 3 +: 61]), .shared_i(shared_i[n*32 +: 32]),
      .used_i(used[sel*Slots +: Slots]), .discard_i(discard), .evict_i(evict),
      .busy_o(busy), .running_o(cu_running_o[n]), .start_o(cu_start_o[n*64 +: 64]),
      .job_end_o(cu_job_end_o[n]), .queue_o(queue), .loaded_o(n_loaded), .loaded_slots_o(n_loaded_slots), .advance_o(n_advance), .release_o(n_release), .release_error_o(n_release_error),
      .release_lost_o(n_release_lost), .saving_o(n_saving), .save_error_o(n_save_error), .lost_o(n_lost),
      .job_valid_o(job_valid_o[n]), .job_ready_i(job_ready_i[n]), .job_o(job_o[n]),
      .job_slots_o(job_slots_o[n*Slots +: Slots]),
      .job_streams_o(job_streams_o[n*Slots +: Slots]),
      .done_valid_i(done_valid_i[n]), .done_ready_o(done_ready_o[n]),
      .done_i(done_i[n*Slots +: Slots]), .ended_i(ended_i[n*Slots +: Slots]),
      .progress_i(progress_i[n*Slots +: Slots]),
      .cu_resetting_i(cu_resetting_i[n]), .cu_reset_fire_i(cu_reset_fire_i[n]),
      .mem_req_valid_o(req_valid), .mem_req_ready_i(req_ready), .mem_req_o(req),
      .mem_rsp_valid_i(rsp_valid_q), .mem_rsp_rdata_i(rsp_rdata_q), .mem_rsp_err_i(rsp_err_q),
      .sweep_valid_o(sweep_valid_o[n]), .sweep_drop_o(sweep_drop_o[n]), .sweep_done_i(sweep_done_i[n]), .sweep_err_i(sweep_err_i[n]),
      .sweep_err_addr_i,
      .irq_valid_o(irq_valid[n]), .irq_ready_i(irq_ready[n]), .irq_vector_o(irq_vector[n*8 +: 8])
    );

    // A runner has one access at a time: the register stages add a cycle each way.
    faa_skid #(.Width($bits(line_req_t)), .HalfRate(1'b1)) u_req (
      .clk_i, .rst_ni, .valid_i(req_valid), .ready_o(req_ready), .data_i(req),
      .valid_o(mem_req_valid_o[n]), .ready_i(mem_req_ready_i[n]), .data_o(mem_req_o[n])
    );
    always_ff @(posedge clk_i) begin
      rsp_valid_q <= rst_ni && mem_rsp_valid_i[n];
      rsp_err_q   <= mem_rsp_err_i[n];
    end

    assign runner_busy[n]                  = busy;
    assign runner_queue[n*QueueW +: QueueW] = queue;

    for (genvar q = 0; q < NumQueues; q++) begin : gen_spread
      assign is_queue[q] = busy && queue == QueueW'(q);
    end
    assign runs[n*NumQueues +: NumQueues]          = is_queue;
    assign loaded_slots[n*Slots +: Slots]          = n_loaded ? n_loaded_slots : '0;
    assign advance[n*NumQueues +: NumQueues]       = n_advance ? is_queue : '0;
    assign released[n*NumQueues +: NumQueues]      = n_release ? is_queue : '0;
    assign release_error[n*NumQueues +: NumQueues] = n_release_error ? is_queue : '0;
    assign release_lost[n*NumQueues +: NumQueues]  = n_release_lost ? is_queue : '0;
    assign held[n*NumQueues +: NumQueues]          = n_held;
    assign saving[n*NumQueues +: NumQueues]        = n_saving ? n_held : '0;
    assign save_error[n*NumQueues +: NumQueues]    = n_save_error ? n_held : '0;
    assign lost[n*NumQueues +: NumQueues]          = n_lost ? n_held : '0;

    assign cu_kill_o[n]            = busy && kill_job[queue];
    assign sel_o[n*QueueW +: QueueW] = sel;
    assign run_o[n*QueueW +: QueueW] = queue;
    assign cu_busy_o[n]            = busy;
    assign cu_resident_o[n]        = resident_valid[n];
    assign cu_queue_o[n*8 +: 8]    = busy ? 8'(queue) : 8'(home);
  end

  // ---- Interrupts: the runners' and, last, the events' ----

  faa_events u_events (
    .clk_i, .rst_ni,
    .event_i({event_saved != '0, event_error != '0, event_killed != '0, event_reset_i,
              event_inv_i}),
    .set_o(event_set_o), .status_i(event_status_i), .enable_i(event_enable_i),
    .irq_valid_o(irq_valid[NumCu]), .irq_ready_i(irq_ready[NumCu]), .idle_o(events_idle)
  );
  assign irq_vector[NumCu*8 +: 8] = 8'd0;

  logic [NumCu:0] irq_grant;
  logic           irq_slice_ready;
  logic [7:0]     irq_winner;

  faa_arb_rr #(.N(NumCu + 1)) u_irq_arb (
    .clk_i, .rst_ni, .req_i(irq_valid), .grant_o(irq_grant), .advance_i(irq_slice_ready)
  );
  assign irq_ready = irq_slice_ready ? irq_grant : '0;
  always_comb begin
    irq_winner = '0;
    for (int unsigned n = 0; n <= NumCu; n++) begin
      if (irq_grant[n]) irq_winner = irq_winner | irq_vector[n*8 +: 8];
    end
  end
  faa_skid #(.Width(8)) u_irq_slice (
    .clk_i, .rst_ni, .valid_i(irq_valid != '0), .ready_o(irq_slice_ready), .data_i(irq_winner),
    .valid_o(msix_valid_o), .ready_i(msix_ready_i), .data_o(msix_vector_o)
  );

  assign idle_o = queue_idle == '1 && runner_busy == '0 && irq_valid == '0 && !msix_valid_o && events_idle;

  logic unused;
  assign unused = ^{ring_i, save_i, seqno_i, runner_queue};

endmodule
