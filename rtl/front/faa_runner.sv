// SPDX-License-Identifier: Apache-2.0
//
// Runs the jobs of one compute unit: reads the descriptors of the granted queue's next job, one for
// each stream, moves contexts, starts the unit, writes status records and sequence numbers,
// requests the interrupts and releases the queue.
//
// Every write is answered before the next begins, which is the order that Documentation/device.rst
// promises. Descriptors and status records have 64 bytes; with shorter lines they are read and
// written in parts. A status record is written from its last part to its first, which holds the
// sequence number that software polls. A reset of the unit ends its work at cu_reset_fire_i; the
// job is then reported as CU_RESET.
//
// A context is saved only when another queue needs the unit, or when its queue is disabled and
// keeps it, by an idle unit. A queue has contexts only in the slots that it has used since it was
// enabled; the other slots are cleared at their first use.
//
// An L2, if there is one, is flushed before the unit begins, so that the job sees the writes of the
// host, and cleaned after the unit has ended, so that all writes of the job are in memory before
// the first status record. Memory has then refused a write or taken them all: after a refusal,
// streams that have succeeded get BUS_ERROR. A stream that found the refusal by a sweep of its own
// has BUS_ERROR without an address; it gets the address of the line.
//
// Stalls: each memory access (one at a time), sweeps, the unit, the interrupt output.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_runner #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  parameter int unsigned TagW = 5,
  localparam int unsigned NumQueues = Build.num_queues,
  localparam int unsigned Slots = Build.warp_slots,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned AddrW = 64 - OffW,
  localparam int unsigned QueueW = (NumQueues > 1) ? $clog2(NumQueues) : 1,
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, TagW)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic [63:0]          cycle_i,

  // Scheduler.
  output logic                 free_o,
  input  logic                 grant_i,
  input  logic [QueueW-1:0]    grant_queue_i,
  output logic                 resident_valid_o,
  output logic [QueueW-1:0]    resident_o,
  output logic [NumQueues-1:0] home_o,       // the same, one bit per queue; 0: no context

  // Configuration of queue sel_o, in the same cycle; constant while the queue runs.
  output logic [QueueW-1:0]    sel_o,
  input  logic [63:6]          ring_i,
  input  logic [4:0]           ring_log2_i,
  input  logic [31:0]          head_i,
  input  logic [31:0]          tail_i,
  input  logic [7:0]           vector_i,
  input  logic [63:6]          save_i,
  input  logic [63:3]          seqno_i,
  input  logic [31:0]          shared_i,
  input  logic [Slots-1:0]     used_i,       // slots that have a context
  // Per queue: its context is not needed.
  input  logic [NumQueues-1:0] discard_i,
  // Per queue: its context is to be saved.
  input  logic [NumQueues-1:0] evict_i,

  // To the running queue (queue_o).
  output logic                 busy_o,
  // A job runs, or has run and is not entirely reported; the cycle in which it began.
  output logic                 running_o,
  output logic [63:0]          start_o,
  // Pulse: the result of a stream that the unit was given is known (counter JOBS).
  output logic                 job_end_o,
  output logic [QueueW-1:0]    queue_o,
  output logic                 loaded_o,     // pulse: contexts were made, in slots loaded_slots_o
  output logic [Slots-1:0]     loaded_slots_o,
  output logic                 advance_o,    // pulse: a stream has been reported
  output logic                 release_o,
  output logic                 release_error_o,
  output logic                 release_lost_o,
  // To the queue whose context the unit holds (resident_o), when that is not the running queue.
  output logic                 saving_o,
  output logic                 save_error_o,
  output logic                 lost_o,

  // Compute unit (Documentation/cu-interface.rst).
  output logic                 job_valid_o,
  input  logic                 job_ready_i,
  output faa_bundle_pkg::job_t job_o,
  output logic [Slots-1:0]     job_slots_o,
  output faa_bundle_pkg::stream_t [Slots-1:0] job_streams_o,
  input  logic                 done_valid_i,
  output logic                 done_ready_o,
  input  faa_bundle_pkg::done_t [Slots-1:0] done_i,
  input  logic [Slots-1:0]     ended_i,
  input  faa_bundle_pkg::progress_t [Slots-1:0] progress_i,
  // The unit is being drained and reset; pulse: its progress is final, its state is lost after this
  // cycle.
  input  logic                 cu_resetting_i,
  input  logic                 cu_reset_fire_i,

  // Memory port.
  output logic                 mem_req_valid_o,
  input  logic                 mem_req_ready_i,
  output line_req_t            mem_req_o,
  input  logic                 mem_rsp_valid_i,
  input  logic [LineW-1:0]     mem_rsp_rdata_i,
  input  logic                 mem_rsp_err_i,

  // Sweep of the L2: requested until it is done; drop: FLUSH, else CLEAN.
  output logic                 sweep_valid_o,
  output logic                 sweep_drop_o,
  input  logic                 sweep_done_i,
  input  logic                 sweep_err_i,
  input  logic [51:OffW]       sweep_err_addr_i,

  // Interrupt request.
  output logic                 irq_valid_o,
  input  logic                 irq_ready_i,
  output logic [7:0]           irq_vector_o
);

  typedef enum logic [4:0] {
    StIdle, StFetch, StFetchWait, StExamine, StCheck, StSave, StSaveWait, StLoad, StLoadWait, StMore, StMoreWait, StFlush, StRun, StRunWait,
    StClean, StStatus, StStatusWait, StSeqno, StSeqnoWait, StIrq, StRelease
  } state_e;
  localparam state_e StBegin = Build.global_atomics ? StFlush : StRun;
  localparam state_e StEnd = Build.global_atomics ? StClean : StStatus;
  localparam int unsigned NumberW = Slots > 1 ? $clog2(Slots) : 1;
  state_e             state_q, state_d;
  faa_bundle_pkg::op_e op;                 // operation of the unit
  logic [QueueW-1:0]  queue_q, resident_q;
  logic [NumQueues-1:0] home_q;
  logic               resident_valid_q, reset_q, error_q;
  logic               reported;           // a stream is reported in this cycle
  logic               idle_q, saving_q;   // state_q decoded, early in the cycle, for the scheduler
  logic               running_q;
  // A context is being saved for its own queue, not to make room for another queue.
  logic               evicting_q;

  // ---- Streams of the job ----

  // number_q: the stream whose descriptor is read, or that is reported; last_q: the last stream of
  // the job.
  logic [NumberW-1:0]   number_q, last_q, last;
  logic [511:0]         desc_q;
  logic                 alone_q, bad_d, together_d, desc_bad, together, bad_q, any_bad, checked, check_end, on_unit;
  logic [6:0]           bad_at_d, desc_bad_at;
  logic [Slots-1:0]     members, missing, interrupt;
  logic [Slots*64-1:0]  seqnos, starts;
  logic [Slots*58-1:0]  status_addrs;
  logic [Slots*512-1:0] records;

  // As of the cycle before: all streams of a job are in the ring when the first one is read.
  always_ff @(posedge clk_i) begin
    alone_q <= Slots == 1 || number_q == NumberW'(Slots - 1) ||
               head_i + 32'(number_q) + 32'd1 == tail_i;
  end
  assign any_bad   = desc_bad || (bad_q && number_q != '0);
  assign checked   = state_q == StCheck && !together;
  assign check_end = checked && (any_bad || reset_q);
  assign on_unit   = state_q == StSave || state_q == StSaveWait || state_q == StLoad || state_q == StLoadWait || state_q == StMore ||
                     state_q == StMoreWait || state_q == StFlush || state_q == StRun || state_q == StRunWait;
  assign last = state_q == StCheck ? number_q : last_q;
  assign members = ~(~Slots'(1) << last);
  assign missing = members & ~used_i;

  faa_runner_check #(.SharedBytes(Build.shared_bytes)) u_check (
    .desc_i(desc_q), .shared_i, .alone_i(alone_q), .bad_o(bad_d), .bad_at_o(bad_at_d),
    .together_o(together_d)
  );
  always_ff @(posedge clk_i) {desc_bad, desc_bad_at, together} <= {bad_d, bad_at_d, together_d};

  for (genvar n = 0; n < Slots; n++) begin : gen_stream
    faa_runner_stream u_stream (
      .clk_i, .cycle_i,
      .load_i(state_q == StCheck && number_q == NumberW'(n)), .desc_i(desc_q), .bad_i(desc_bad), .bad_at_i(desc_bad_at),
      .refuse_i(check_end), .begin_i(state_q == StRun && job_ready_i),
      .reset_i((on_unit && cu_reset_fire_i) || (check_end && reset_q)), .lost_i(state_q == StClean && sweep_done_i && sweep_err_i),
      .lost_addr_i(sweep_err_addr_i[51:6]), .running_i(state_q == StRunWait), .ended_i(ended_i[n]),
      .done_i(done_i[n]), .progress_i(progress_i[n]), .stream_o(job_streams_o[n]),
      .interrupt_o(interrupt[n]), .seqno_o(seqnos[n*64 +: 64]),
      .status_addr_o(status_addrs[n*58 +: 58]), .start_o(starts[n*64 +: 64]), .status_o(records[n*512 +: 512])
    );
  end

  // ---- Parts of a descriptor or status record: lines, one after the other ----

  localparam int unsigned Parts = 64 / LineBytes;
  localparam int unsigned PartW = Parts > 1 ? $clog2(Parts) : 1;
  logic [PartW-1:0] part_q, part;
  logic             part_done, last_part;

  assign part_done = mem_rsp_valid_i && (state_q == StFetchWait || state_q == StStatusWait);
  assign last_part = part_q == PartW'(Parts - 1);
  // A status record's first part is written last.
  assign part      = state_q == StFetch ? part_q : PartW'(Parts - 1) - part_q;

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) part_q <= '0;
    else if (part_done) part_q <= last_part ? '0 : part_q + PartW'(1);
  end

  // ---- Sequence ----

  // The unit holds another queue's context; the queue has no context yet.
  logic other_resident, fresh, check_saves, evict_begins;
  assign other_resident = resident_valid_q && resident_q != queue_q;
  assign fresh          = used_i == '0;
  assign check_saves    = other_resident && !discard_i[resident_q];

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: begin
        if (grant_i) state_d = StFetch;
        else if (evict_begins) state_d = StSave;
      end
      StFetch:      if (mem_req_ready_i) state_d = StFetchWait;
      StFetchWait:  if (mem_rsp_valid_i) begin
        state_d = mem_rsp_err_i ? StRelease : last_part ? StExamine : StFetch;
      end
      StExamine:    state_d = StCheck;
      // A reset that has begun is awaited: nothing starts on a unit that is about to lose it.
      StCheck: begin
        if (together) state_d = StFetch;
        else if (check_end) state_d = StStatus;
        else if (cu_resetting_i) state_d = StCheck;
        else if (check_saves) state_d = StSave;
        else if (resident_valid_q && resident_q == queue_q && used_i != '0) state_d = missing == '0 ? StBegin : StMore;
        else state_d = StLoad;
      end
      StSave:       if (job_ready_i) state_d = StSaveWait;
      StSaveWait:   if (done_valid_i) state_d = evicting_q ? StIdle : StLoad;
      StLoad:       if (job_ready_i) state_d = StLoadWait;
      StLoadWait:   if (done_valid_i) begin
        if (done_i[0].code != faa_pkg::ERROR_SUCCESS) state_d = StRelease;
        else state_d = fresh || missing == '0 ? StBegin : StMore;
      end
      StMore:       if (job_ready_i) state_d = StMoreWait;
      StMoreWait:   if (done_valid_i) state_d = StBegin;
      StRun:        if (job_ready_i) state_d = StRunWait;
      StRunWait:    if (done_valid_i) state_d = StEnd;
      // After a reset the unit has nothing to run.
      StFlush:      if (sweep_done_i) state_d = reset_q ? StEnd : StRun;
      StClean:      if (sweep_done_i) state_d = StStatus;
      StStatus:     if (mem_req_ready_i) state_d = StStatusWait;
      StStatusWait: if (mem_rsp_valid_i) begin
        state_d = mem_rsp_err_i ? StRelease : last_part ? StSeqno : StStatus;
      end
      StSeqno:      if (mem_req_ready_i) state_d = StSeqnoWait;
      StSeqnoWait: begin
        if (mem_rsp_valid_i) begin
          if (mem_rsp_err_i) state_d = StRelease;
          else state_d = interrupt[number_q] ? StIrq : (number_q == last_q ? StRelease : StStatus);
        end
      end
      StIrq:        if (irq_ready_i) state_d = (number_q == last_q ? StRelease : StStatus);
      StRelease:    if (!cu_resetting_i) state_d = StIdle;
      default:      state_d = StIdle;
    endcase
    if (on_unit && cu_reset_fire_i && (state_q != StFlush || sweep_done_i)) begin
      state_d = evicting_q ? StIdle : StEnd;
    end
  end

  // The next state comes late, since the grant depends on registers of all runners and queues; what
  // is derived from it here is not.
  logic idle_d, save_d, ends, load_fails;
  assign evict_begins = idle_q && !grant_i && resident_valid_q && evict_i[resident_q] &&
                        !cu_resetting_i;
  assign ends         = (state_q == StSaveWait && done_valid_i) || cu_reset_fire_i;
  assign idle_d       = (idle_q && !grant_i && !evict_begins) || release_o ||
                        (saving_q && evicting_q && ends);
  assign save_d       = evict_begins || (saving_q && !ends) ||
                        (checked && !check_end && !cu_resetting_i && check_saves);
  assign load_fails   = state_q == StLoadWait && done_valid_i && !cu_reset_fire_i &&
                        done_i[0].code != faa_pkg::ERROR_SUCCESS;

  // A reset of the unit ends the context that it holds, and its running job.
  logic resident_gone;
  assign resident_gone = cu_reset_fire_i || (discard_i[resident_q] && !saving_o && !loaded_o);

  always_ff @(posedge clk_i) begin
    idle_q   <= !rst_ni || idle_d;
    saving_q <= rst_ni && save_d;
    running_q <= rst_ni && !release_o && (running_q || (state_q == StRun && job_ready_i));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q          <= StIdle;
      resident_valid_q <= 1'b0;
      home_q           <= '0;
      reset_q          <= 1'b0;
      error_q          <= 1'b0;
      evicting_q       <= 1'b0;
    end else begin
      state_q <= state_d;
      if (idle_q) evicting_q <= evict_begins;
      if (cu_reset_fire_i) reset_q <= 1'b1;
      else if (state_q == StIdle) reset_q <= 1'b0;
      if (state_q == StIdle) error_q <= 1'b0;
      else if ((mem_rsp_valid_i && mem_rsp_err_i) || load_fails) error_q <= 1'b1;
      if (resident_gone || (state_q == StSaveWait && done_valid_i)) begin
        resident_valid_q <= 1'b0;
        home_q           <= '0;
      end else if (loaded_o) begin
        resident_valid_q <= 1'b1;
        home_q           <= NumQueues'(1) << queue_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (idle_q) queue_q <= grant_i ? grant_queue_i : evict_begins ? resident_q : queue_q;
    if (loaded_o) resident_q <= queue_q;
    if (state_q == StFetchWait && mem_rsp_valid_i) begin
      desc_q <= 512'({mem_rsp_rdata_i, desc_q} >> LineW);
    end
    if (state_q == StCheck) bad_q <= any_bad;
    last_q <= last;
    // Both start at the first stream: reading of descriptors, and reports.
    if (state_q == StIdle || (checked && (check_end || !cu_resetting_i))) number_q <= '0;
    else if ((state_q == StCheck && together) || (advance_o && !release_o)) number_q <= number_q + NumberW'(1);
  end

  assign loaded_o       = (state_q == StLoadWait && done_valid_i &&
                           done_i[0].code == faa_pkg::ERROR_SUCCESS) ||
                          (state_q == StMoreWait && done_valid_i);
  assign loaded_slots_o = op == faa_bundle_pkg::OpClear ? job_slots_o : '0;

  // ---- Queues and scheduler ----

  assign free_o           = idle_q && !cu_resetting_i;
  assign resident_valid_o = resident_valid_q;
  assign resident_o       = resident_q;
  assign home_o           = home_q;
  assign busy_o           = !idle_q;
  // StStatus begins for a stream without an error in its descriptor.
  assign job_end_o        = (check_end && !any_bad) ||
                            (!bad_q && ((reported && number_q != last_q) || (Build.global_atomics ?
                             state_q == StClean && sweep_done_i :
                             (state_q == StRunWait && done_valid_i) ||
                             (on_unit && cu_reset_fire_i && !evicting_q))));
  // All streams begin in the same cycle.
  assign start_o          = starts[63:0];
  assign running_o        = running_q;
  assign queue_o          = queue_q;
  assign saving_o         = saving_q;
  assign save_error_o     = state_q == StSaveWait && done_valid_i &&
                            done_i[0].code != faa_pkg::ERROR_SUCCESS;
  assign lost_o           = cu_reset_fire_i && resident_valid_q &&
                            (state_q == StIdle || evicting_q || resident_q != queue_q);
  // The next stream's status record follows, or the last stream's job is released.
  assign reported         = (state_q == StSeqnoWait && mem_rsp_valid_i && !mem_rsp_err_i &&
                             !interrupt[number_q]) || (state_q == StIrq && irq_ready_i);
  assign advance_o        = (reported && number_q != last_q) || (release_o && !error_q);
  assign release_o        = state_q == StRelease && !cu_resetting_i;
  assign release_error_o  = error_q;
  assign release_lost_o   = reset_q;
  assign sel_o            = saving_o ? resident_q : queue_q;

  // ---- Compute unit ----

  assign job_valid_o  = state_q == StSave || state_q == StLoad || state_q == StMore || state_q == StRun;
  assign done_ready_o = state_q == StSaveWait || state_q == StLoadWait || state_q == StMoreWait || state_q == StRunWait;
  assign job_o        = '{op: op, shared_bytes: shared_i, save_addr: {save_i, 6'd0}};
  // Stable until done: slots stay unused (used_i) until their contexts have been made.
  always_comb begin
    unique case (state_q)
      StSave, StSaveWait: {op, job_slots_o} = {faa_bundle_pkg::OpSave, used_i};
      StLoad, StLoadWait: {op, job_slots_o} = fresh ? {faa_bundle_pkg::OpClear, members} :
                                                      {faa_bundle_pkg::OpRestore, used_i};
      StMore, StMoreWait: {op, job_slots_o} = {faa_bundle_pkg::OpClear, missing};
      default:            {op, job_slots_o} = {faa_bundle_pkg::OpRun, members};
    endcase
  end

  // ---- Sweeps, memory and interrupt ----

  assign sweep_valid_o = state_q == StFlush || state_q == StClean;
  assign sweep_drop_o  = state_q == StFlush;

  assign mem_req_valid_o = state_q == StFetch || state_q == StStatus || state_q == StSeqno;

  logic [63:0]  seqno;
  logic [63:6]  status_addr;
  logic [511:0] record;
  always_comb begin
    seqno       = seqnos[63:0];
    status_addr = status_addrs[57:0];
    record      = records[511:0];
    for (int unsigned n = 1; n < Slots; n++) begin
      if (number_q == NumberW'(n)) begin
        seqno       = seqnos[n*64 +: 64];
        status_addr = status_addrs[n*58 +: 58];
        record      = records[n*512 +: 512];
      end
    end
  end

  logic [63:6] place;
  logic [31:0] ring_index;
  assign ring_index = (head_i + 32'(number_q)) & ((32'd1 << ring_log2_i) - 32'd1);

  always_comb begin
    place           = state_q == StStatus ? status_addr : ring_i + 58'(ring_index);
    mem_req_o       = '0;
    mem_req_o.write = state_q != StFetch;
    mem_req_o.addr  = AddrW'(place) << (6 - OffW) | AddrW'(part);
    mem_req_o.data  = {(LineBytes / 8){seqno}};
    mem_req_o.strb  = '1;
    if (state_q == StStatus) begin
      mem_req_o.data = record[32'(part)*LineW +: LineW];
    end else if (state_q == StSeqno) begin
      mem_req_o.addr  = seqno_i[63:OffW];
      mem_req_o.strb  = LineBytes'(8'hff) << {seqno_i[OffW-1:3], 3'd0};
    end
  end

  assign irq_valid_o  = state_q == StIrq;
  assign irq_vector_o = vector_i;

  logic unused;
  assign unused = ^{sweep_err_addr_i, starts};

  `FAA_ASSERT(RunnerGrantFree, !grant_i || free_o)
  `FAA_ASSERT(RunnerHome, home_q == (resident_valid_q ? NumQueues'(1) << resident_q : '0))
  `FAA_ASSERT(RunnerSaving, !rst_ni || save_d == (state_d == StSave || state_d == StSaveWait))
  `FAA_ASSERT(RunnerIdles, idle_d == (state_d == StIdle))
  `FAA_ASSERT(RunnerJobEnd, job_end_o == (state_d == StStatus && state_q != StStatus &&
                                          state_q != StStatusWait &&
                                          !(state_q == StCheck ? any_bad : bad_q)))
  `FAA_ASSERT(RunnerHeld, !(saving_q || save_error_o || lost_o) || resident_valid_q)
  `FAA_ASSERT(RunnerIdle, idle_q == (state_q == StIdle))
  `FAA_ASSERT(RunnerSaves, saving_q == (state_q == StSave || state_q == StSaveWait))
  `FAA_ASSERT(RunnerExpected, !mem_rsp_valid_i || state_q == StFetchWait || state_q == StStatusWait || state_q == StSeqnoWait)
  `FAA_ASSERT(RunnerLoadedForRun, state_q != StRun || (resident_valid_q && resident_q == queue_q) || discard_i[queue_q] || cu_reset_fire_i)

endmodule
