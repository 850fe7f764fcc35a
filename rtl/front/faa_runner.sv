// SPDX-License-Identifier: Apache-2.0
//
// Runs the jobs of one compute unit: reads the descriptor of the granted queue and checks it, moves contexts, starts the
// unit, writes status record and sequence number, requests the interrupt and releases the queue.
//
// Every write is answered before the next begins, which is the order that Documentation/device.rst promises. A reset of the unit ends what
// the unit does at cu_reset_fire_i; the job is then reported as CU_RESET. A context is saved only when another queue needs the unit.
//
// With an L2 (Sweeps) that is flushed before the unit begins, so that the job sees what the host has written, and cleaned after its end, so that
// all that it has written is in memory before the status is. A write that memory has refused, which is known then, makes the job one that ended with
// BUS_ERROR; a unit that has found that by a sweep of its own does not know the line.
//
// Stalls: each memory access (one at a time), sweeps, the unit, the interrupt output.

`include "faa_assert.svh"

module faa_runner #(
  parameter int unsigned NumQueues = 16,
  parameter int unsigned SharedBytes = 65536,
  parameter int unsigned TagW = 5,
  parameter bit Sweeps = 1'b0,
  localparam int unsigned QueueW = (NumQueues > 1) ? $clog2(NumQueues) : 1
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

  // Configuration of queue sel_o, in the same cycle; constant while the queue runs.
  output logic [QueueW-1:0]    sel_o,
  input  logic [63:6]          ring_i,
  input  logic [4:0]           ring_log2_i,
  input  logic [31:0]          head_i,
  input  logic [7:0]           vector_i,
  input  logic [63:6]          save_i,
  input  logic [63:3]          seqno_i,
  input  logic [31:0]          shared_i,
  input  logic                 fresh_i,
  // Per queue: its context is not needed any more.
  input  logic [NumQueues-1:0] discard_i,

  // To the queue that runs (queue_o).
  output logic                 busy_o,
  // Pulse: the job's result is known (counter JOBS).
  output logic                 job_end_o,
  output logic [QueueW-1:0]    queue_o,
  output logic                 loaded_o,
  output logic                 release_o,
  output logic                 release_error_o,
  output logic                 release_lost_o,
  // To the queue whose context the unit holds (resident_o), when it is not the running one.
  output logic                 saving_o,
  output logic                 save_error_o,
  output logic                 lost_o,

  // Compute unit (rtl/faa_cu_interface.rst).
  output logic                 job_valid_o,
  input  logic                 job_ready_i,
  output logic [1:0]           job_op_o,
  output logic [63:0]          job_stream_va_o,
  output logic [31:0]          job_stream_bytes_o,
  output logic [31:0]          job_first_element_o,
  output logic [31:0]          job_shared_bytes_o,
  output logic [63:0]          job_save_addr_o,
  input  logic                 done_valid_i,
  output logic                 done_ready_o,
  input  logic [7:0]           done_code_i,
  input  logic [4:0]           done_lane_i,
  input  logic [63:0]          done_address_i,
  input  logic [31:0]          stat_command_i,
  input  logic [31:0]          stat_element_i,
  input  logic [63:0]          stat_retired_i,
  input  logic [31:0]          stat_warps_i,
  input  logic [31:0]          stat_passes_i,
  // The unit is being drained and reset; pulse: what it had reached is final, its state is gone after this cycle.
  input  logic                 cu_resetting_i,
  input  logic                 cu_reset_fire_i,

  // Memory port.
  output logic                 mem_req_valid_o,
  input  logic                 mem_req_ready_i,
  output logic                 mem_req_write_o,
  output logic [63:6]          mem_req_addr_o,
  output logic [511:0]         mem_req_wdata_o,
  output logic [63:0]          mem_req_wstrb_o,
  output logic [TagW-1:0]      mem_req_tag_o,
  input  logic                 mem_rsp_valid_i,
  input  logic [511:0]         mem_rsp_rdata_i,
  input  logic                 mem_rsp_err_i,

  // Sweep of the L2: asked for until it is done; drop: FLUSH, else CLEAN.
  output logic                 sweep_valid_o,
  output logic                 sweep_drop_o,
  input  logic                 sweep_done_i,
  input  logic                 sweep_err_i,
  input  logic [51:6]          sweep_err_addr_i,

  // Interrupt request.
  output logic                 irq_valid_o,
  input  logic                 irq_ready_i,
  output logic [7:0]           irq_vector_o
);

  localparam logic [1:0] OpRun = 2'd0;
  localparam logic [1:0] OpClear = 2'd1;
  localparam logic [1:0] OpSave = 2'd2;
  localparam logic [1:0] OpRestore = 2'd3;

  typedef enum logic [4:0] {
    StIdle, StFetch, StFetchWait, StCheck, StSave, StSaveWait, StLoad, StLoadWait, StFlush, StRun, StRunWait,
    StClean, StStatus, StStatusWait, StSeqno, StSeqnoWait, StIrq, StRelease
  } state_e;
  localparam state_e StBegin = Sweeps ? StFlush : StRun;
  localparam state_e StEnd = Sweeps ? StClean : StStatus;
  state_e            state_q, state_d;
  logic [QueueW-1:0] queue_q, resident_q;
  logic              resident_valid_q, reset_q, error_q;
  logic [511:0]      desc_q;

  // ---- Descriptor ----

  logic [31:0] ring_mask, ring_index;
  logic [63:0] stream_va, seqno, status_addr;
  logic [31:0] stream_bytes, flags, first_element;
  logic        desc_bad;
  logic [6:0]  desc_bad_at;

  assign ring_mask     = (32'd1 << ring_log2_i) - 32'd1;
  assign ring_index    = head_i & ring_mask;
  assign stream_va     = desc_q[faa_pkg::JOB_DESC_STREAM_VA_LSB +: 64];
  assign stream_bytes  = desc_q[faa_pkg::JOB_DESC_STREAM_BYTES_LSB +: 32];
  assign flags         = desc_q[faa_pkg::JOB_DESC_FLAGS_LSB +: 32];
  assign seqno         = desc_q[faa_pkg::JOB_DESC_SEQNO_LSB +: 64];
  assign status_addr   = desc_q[faa_pkg::JOB_DESC_STATUS_ADDR_LSB +: 64];
  assign first_element = desc_q[faa_pkg::JOB_DESC_FIRST_ELEMENT_LSB +: 32];

  always_comb begin
    desc_bad    = 1'b1;
    desc_bad_at = 7'd0;
    if (stream_va[2:0] != '0) desc_bad_at = 7'(faa_pkg::JOB_DESC_STREAM_VA_LSB / 8);
    else if (stream_bytes == '0 || stream_bytes[2:0] != '0) desc_bad_at = 7'(faa_pkg::JOB_DESC_STREAM_BYTES_LSB / 8);
    else if ((flags & ~faa_pkg::JOB_FLAG_INTERRUPT) != '0) desc_bad_at = 7'(faa_pkg::JOB_DESC_FLAGS_LSB / 8);
    else if (status_addr[5:0] != '0) desc_bad_at = 7'(faa_pkg::JOB_DESC_STATUS_ADDR_LSB / 8);
    else if (first_element[4:0] != '0) desc_bad_at = 7'(faa_pkg::JOB_DESC_FIRST_ELEMENT_LSB / 8);
    else if (desc_q[faa_pkg::JOB_DESC_RESERVED0_LSB +: 32] != '0) desc_bad_at = 7'(faa_pkg::JOB_DESC_RESERVED0_LSB / 8);
    else if (desc_q[faa_pkg::JOB_DESC_RESERVED1_LSB +: 64] != '0) desc_bad_at = 7'(faa_pkg::JOB_DESC_RESERVED1_LSB / 8);
    else if (desc_q[faa_pkg::JOB_DESC_RESERVED2_LSB +: 64] != '0) desc_bad_at = 7'(faa_pkg::JOB_DESC_RESERVED2_LSB / 8);
    else if (desc_q[faa_pkg::JOB_DESC_RESERVED3_LSB +: 64] != '0) desc_bad_at = 7'(faa_pkg::JOB_DESC_RESERVED3_LSB / 8);
    else if (shared_i > SharedBytes || (shared_i & 32'(faa_pkg::SHARED_GRANULE - 1)) != '0) desc_bad_at = 7'd64;
    else desc_bad = 1'b0;
  end

  // ---- Result of the job ----

  logic [7:0]  code_q;
  logic [31:0] command_q, element_q, warps_q, passes_q;
  logic [4:0]  lane_q;
  logic [63:0] address_q, retired_q, start_q, end_q;
  logic        on_unit, other_resident, check_end, lost_write;

  assign on_unit        = state_q == StSave || state_q == StSaveWait || state_q == StLoad || state_q == StLoadWait ||
                          state_q == StFlush || state_q == StRun || state_q == StRunWait;
  assign other_resident = resident_valid_q && resident_q != queue_q;
  assign check_end      = state_q == StCheck && (desc_bad || reset_q);
  assign lost_write     = state_q == StClean && sweep_done_i && sweep_err_i &&
                          (code_q == faa_pkg::ERROR_SUCCESS || (code_q == faa_pkg::ERROR_BUS_ERROR && address_q == '0));

  always_ff @(posedge clk_i) begin
    if (state_q == StCheck) begin
      code_q    <= reset_q ? faa_pkg::ERROR_CU_RESET : faa_pkg::ERROR_BAD_DESCRIPTOR;
      address_q <= reset_q ? 64'd0 : 64'(desc_bad_at);
      command_q <= '0;
      element_q <= desc_bad ? '0 : first_element;
      lane_q    <= '0;
      retired_q <= '0;
      warps_q   <= '0;
      passes_q  <= '0;
      start_q   <= cycle_i;
    end
    if (state_q == StRun && job_ready_i) start_q <= cycle_i;
    if (on_unit && cu_reset_fire_i) begin
      code_q    <= faa_pkg::ERROR_CU_RESET;
      address_q <= '0;
    end else if (state_q == StRunWait && done_valid_i) begin
      code_q    <= done_code_i;
      lane_q    <= done_lane_i;
      address_q <= done_address_i;
    end else if (lost_write) begin
      code_q    <= faa_pkg::ERROR_BUS_ERROR;
      address_q <= {12'd0, sweep_err_addr_i, 6'd0};
    end
    if (state_q == StRunWait && (cu_reset_fire_i || done_valid_i)) begin
      command_q <= stat_command_i;
      element_q <= stat_element_i;
      retired_q <= stat_retired_i;
      warps_q   <= stat_warps_i;
      passes_q  <= stat_passes_i;
    end
    if (check_end || (on_unit && cu_reset_fire_i) || (state_q == StRunWait && done_valid_i)) end_q <= cycle_i;
  end

  // ---- Sequence ----

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:       if (grant_i) state_d = StFetch;
      StFetch:      if (mem_req_ready_i) state_d = StFetchWait;
      StFetchWait:  if (mem_rsp_valid_i) state_d = mem_rsp_err_i ? StRelease : StCheck;
      // A reset that has begun is awaited, so that nothing is started on a unit that is about to lose it.
      StCheck: begin
        if (check_end) state_d = StStatus;
        else if (cu_resetting_i) state_d = StCheck;
        else if (other_resident && !discard_i[resident_q]) state_d = StSave;
        else if (resident_valid_q && resident_q == queue_q && !fresh_i) state_d = StBegin;
        else state_d = StLoad;
      end
      StSave:       if (job_ready_i) state_d = StSaveWait;
      StSaveWait:   if (done_valid_i) state_d = StLoad;
      StLoad:       if (job_ready_i) state_d = StLoadWait;
      StLoadWait:   if (done_valid_i) state_d = (done_code_i == faa_pkg::ERROR_SUCCESS) ? StBegin : StRelease;
      StRun:        if (job_ready_i) state_d = StRunWait;
      StRunWait:    if (done_valid_i) state_d = StEnd;
      // A unit that was reset meanwhile has nothing to run.
      StFlush:      if (sweep_done_i) state_d = reset_q ? StEnd : StRun;
      StClean:      if (sweep_done_i) state_d = StStatus;
      StStatus:     if (mem_req_ready_i) state_d = StStatusWait;
      StStatusWait: if (mem_rsp_valid_i) state_d = mem_rsp_err_i ? StRelease : StSeqno;
      StSeqno:      if (mem_req_ready_i) state_d = StSeqnoWait;
      StSeqnoWait: begin
        if (mem_rsp_valid_i) begin
          state_d = (mem_rsp_err_i || (flags & faa_pkg::JOB_FLAG_INTERRUPT) == '0) ? StRelease : StIrq;
        end
      end
      StIrq:        if (irq_ready_i) state_d = StRelease;
      StRelease:    if (!cu_resetting_i) state_d = StIdle;
      default:      state_d = StIdle;
    endcase
    if (on_unit && cu_reset_fire_i && (state_q != StFlush || sweep_done_i)) state_d = StEnd;
  end

  // The unit's reset reaches the context that it holds, and the job that runs on it.
  logic resident_gone;
  assign resident_gone = cu_reset_fire_i || (discard_i[resident_q] && !saving_o && !loaded_o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q          <= StIdle;
      resident_valid_q <= 1'b0;
      reset_q          <= 1'b0;
      error_q          <= 1'b0;
    end else begin
      state_q <= state_d;
      if (cu_reset_fire_i) reset_q <= 1'b1;
      else if (state_q == StIdle) reset_q <= 1'b0;
      if (state_q == StIdle) error_q <= 1'b0;
      else if (state_d == StRelease && state_q != StRelease && state_q != StIrq) begin
        error_q <= mem_rsp_err_i || state_q == StLoadWait;
      end
      if (resident_gone || (state_q == StSaveWait && done_valid_i)) resident_valid_q <= 1'b0;
      else if (loaded_o) resident_valid_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle && grant_i) queue_q <= grant_queue_i;
    if (loaded_o) resident_q <= queue_q;
    if (state_q == StFetchWait && mem_rsp_valid_i) desc_q <= mem_rsp_rdata_i;
  end

  assign loaded_o = state_q == StLoadWait && done_valid_i && done_code_i == faa_pkg::ERROR_SUCCESS;

  // ---- Queues and scheduler ----

  assign free_o           = state_q == StIdle && !cu_resetting_i;
  assign resident_valid_o = resident_valid_q;
  assign resident_o       = resident_q;
  assign busy_o           = state_q != StIdle;
  assign job_end_o        = state_d == StStatus && state_q != StStatus;
  assign queue_o          = queue_q;
  assign saving_o         = state_q == StSave || state_q == StSaveWait;
  assign save_error_o     = state_q == StSaveWait && done_valid_i && done_code_i != faa_pkg::ERROR_SUCCESS;
  assign lost_o           = cu_reset_fire_i && resident_valid_q && (state_q == StIdle || resident_q != queue_q);
  assign release_o        = state_q == StRelease && !cu_resetting_i;
  assign release_error_o  = error_q;
  assign release_lost_o   = reset_q;
  assign sel_o            = saving_o ? resident_q : queue_q;

  // ---- Compute unit ----

  assign job_valid_o         = state_q == StSave || state_q == StLoad || state_q == StRun;
  assign done_ready_o        = state_q == StSaveWait || state_q == StLoadWait || state_q == StRunWait;
  assign job_stream_va_o     = stream_va;
  assign job_stream_bytes_o  = stream_bytes;
  assign job_first_element_o = first_element;
  assign job_shared_bytes_o  = shared_i;
  assign job_save_addr_o     = {save_i, 6'd0};
  // Stable until done: the queue is fresh until its context has been made.
  always_comb begin
    unique case (state_q)
      StSave, StSaveWait: job_op_o = OpSave;
      StLoad, StLoadWait: job_op_o = fresh_i ? OpClear : OpRestore;
      default:            job_op_o = OpRun;
    endcase
  end

  // ---- Sweeps, memory and interrupt ----

  assign sweep_valid_o = state_q == StFlush || state_q == StClean;
  assign sweep_drop_o  = state_q == StFlush;

  assign mem_req_valid_o = state_q == StFetch || state_q == StStatus || state_q == StSeqno;
  assign mem_req_write_o = state_q != StFetch;
  assign mem_req_tag_o   = '0;

  always_comb begin
    mem_req_addr_o  = ring_i + 58'(ring_index);
    mem_req_wdata_o = {8{seqno}};
    mem_req_wstrb_o = '1;
    if (state_q == StStatus) begin
      mem_req_addr_o = status_addr[63:6];
      mem_req_wdata_o[faa_pkg::STATUS_CODE_LSB +: 32]             = 32'(code_q);
      mem_req_wdata_o[faa_pkg::STATUS_COMMAND_LSB +: 32]          = command_q;
      mem_req_wdata_o[faa_pkg::STATUS_ELEMENT_LSB +: 32]          = element_q;
      mem_req_wdata_o[faa_pkg::STATUS_LANE_LSB +: 32]             = 32'(lane_q);
      mem_req_wdata_o[faa_pkg::STATUS_ADDRESS_LSB +: 64]          = address_q;
      mem_req_wdata_o[faa_pkg::STATUS_ELEMENTS_RETIRED_LSB +: 64] = retired_q;
      mem_req_wdata_o[faa_pkg::STATUS_START_CYCLE_LSB +: 64]      = start_q;
      mem_req_wdata_o[faa_pkg::STATUS_END_CYCLE_LSB +: 64]        = end_q;
      mem_req_wdata_o[faa_pkg::STATUS_WARPS_LSB +: 32]            = warps_q;
      mem_req_wdata_o[faa_pkg::STATUS_PASSES_LSB +: 32]           = passes_q;
    end else if (state_q == StSeqno) begin
      mem_req_addr_o  = seqno_i[63:6];
      mem_req_wstrb_o = 64'hff << {seqno_i[5:3], 3'd0};
    end
  end

  assign irq_valid_o  = state_q == StIrq;
  assign irq_vector_o = vector_i;

  `FAA_ASSERT(RunnerGrantFree, !grant_i || free_o)
  `FAA_ASSERT(RunnerExpected, !mem_rsp_valid_i || state_q == StFetchWait || state_q == StStatusWait || state_q == StSeqnoWait)
  `FAA_ASSERT(RunnerLoadedForRun, state_q != StRun || (resident_valid_q && resident_q == queue_q) || discard_i[queue_q] || cu_reset_fire_i)

endmodule
