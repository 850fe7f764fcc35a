// SPDX-License-Identifier: Apache-2.0
//
// Compute unit: executes jobs of one queue at a time, each of at most as many streams as there are
// slots. Documentation/cu-interface.rst describes the ports; its tables are generated from the
// comments of the port list below. Structure, latencies, stalls and hazards:
// Documentation/compute-unit.rst.
//
//   faa_cu_jobs      gives operations to the slots; streams of a job stop and wait for each other
//   faa_cu_slot      x Slots: all that one stream needs
//   faa_cu_lend      gives warps of the slots to faa_shared, the shared memory unit
//   faa_cu_atom      gives warps of the slots to faa_global, the atomic unit
//   faa_cu_context   moves contexts of slots, and shared memory, to and from memory
//   faa_cu_ports     connects the slots to the unit's ports for memory, translations and sweeps
//
// A slot has its clock while it has an operation.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  parameter int unsigned MemTagW = 8,
  // Streams that run at the same time
  localparam int unsigned Slots = Build.warp_slots,
  // Lanes per cycle of the shared memory unit and of the slots' operand paths
  localparam int unsigned SharedLanes = Build.shared_lanes,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned L2Ports = Build.l2_ports,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned SnapLanes = Build.global_atomics ? SharedLanes : 32, // a beat of SNAPSHOT
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, MemTagW),
  localparam type line_rsp_t = `FAA_LINE_RSP(LineBytes, MemTagW),
  localparam type atom_req_t = `FAA_ATOM_REQ(LineBytes),
  localparam type atom_rsp_t = `FAA_ATOM_RSP(LineBytes),
  localparam type counters_req_t = `FAA_COUNTERS_REQ(LineBytes)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Work
  // an operation is offered and accepted; ready is 1 exactly when the unit is idle
  input  logic                      job_valid_i,
  output logic                      job_ready_o,
  // RUN: a stream in each of the slots, all at the same time. CLEAR: registers and predicates
  // become 0, and with slot 0 shared memory [0, shared_bytes). SAVE: contexts are written to
  // save_addr, with that of slot 0 also shared memory. RESTORE: they are read from there.
  // Documentation/device.rst has the layout
  input  faa_bundle_pkg::job_t      job_i,
  // the slots, at least one; of a RUN from slot 0 on
  input  logic [Slots-1:0]          job_slots_i,
  // RUN: the streams, which the runner has checked
  input  faa_bundle_pkg::stream_t [Slots-1:0] job_streams_i,
  // the operation has ended, a RUN in all slots: every memory request has its response, and the
  // payload of job is not needed any more
  output logic                      done_valid_o,
  input  logic                      done_ready_i,
  // result of the operation; SAVE, RESTORE and CLEAR: in slot 0, for all
  output faa_bundle_pkg::done_t [Slots-1:0] done_o,
  // RUN: the stream has ended, 1 until done is taken; its result and progress are final from then
  // on
  output logic [Slots-1:0]          ended_o,
  // where the streams are
  output faa_bundle_pkg::progress_t [Slots-1:0] progress_o,
  // level; 1 during a RUN, perhaps from its first cycle: every stream ends with KILLED at the next
  // point that Documentation/device.rst names. Other operations ignore it. Falls after done
  input  logic                      kill_i,

  // Memory
  // a line is read or written
  output logic                 mem_req_valid_o,
  input  logic                 mem_req_ready_i,
  // past the L2: context, polls of SEM_WAIT
  output line_req_t            mem_req_o,
  // an answer, always taken
  input  logic                 mem_rsp_valid_i,
  // of the request with its tag
  input  line_rsp_t            mem_rsp_i,

  // Line operations
  // an operation on a line (Documentation/l2.rst); tags of each port are its own
  output logic [L2Ports-1:0]           atom_req_valid_o,
  input  logic [L2Ports-1:0]           atom_req_ready_i,
  output atom_req_t [L2Ports-1:0]      atom_req_o,
  // an answer: always taken, in any order, one per cycle and port
  input  logic [L2Ports-1:0]           atom_rsp_valid_i,
  input  atom_rsp_t [L2Ports-1:0]      atom_rsp_i,

  // Sweep
  // the L2 is to be swept, for one slot: 1 until done; nothing of that slot is outstanding
  // meanwhile
  output logic                         sweep_valid_o,
  // 1 FLUSH: no line is kept; 0 CLEAN
  output logic                         sweep_drop_o,
  // one cycle: a sweep that began after sweep_valid_o rose is done
  input  logic                         sweep_done_i,
  // with it: memory has refused a line since the last sweep
  input  logic                         sweep_err_i,

  // Translation
  // a request for a translation; the unit has at most 8 requests without a response
  output logic               tr_valid_o,
  input  logic               tr_ready_i,
  // the translation wanted; alignment is checked in the unit
  output faa_bundle_pkg::tr_req_t tr_req_o,
  // a response: one cycle, always taken; that of a single request that hits comes in the next cycle
  // (with Compact later)
  input  logic               tr_rsp_valid_i,
  // of the oldest request
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  // Invalidation
  // an invalidation: 1 until the cycle in which it is acknowledged, which may be the same
  input  logic               inv_req_i,
  output logic               inv_ack_o,

  // Counters
  // increments of the counters in this cycle
  output faa_cu_pkg::events_t events_o,
  // SNAPSHOT of the slot needs the counters; 1 until the last beat is taken. The last one: SAVE
  output logic [Slots:0]     snap_req_o,
  // the next beat: counters from SnapLanes * beat on, of enum counter
  output logic [(Slots+1)*3-1:0] snap_beat_o,
  // that beat is there, and is taken
  input  logic [Slots:0]     snap_valid_i,
  output logic [Slots:0]     snap_ready_o,
  // 64 bits a counter, of the requester whose beat is there
  input  logic [SnapLanes*64-1:0] snap_data_i,
  // CLEAR or RESTORE of slot 0: the counters of another queue are loaded
  output counters_req_t      counters_o,
  input  logic               fold_done_i,
  input  logic               load_ready_i
);

  localparam int unsigned SlotW    = Slots > 1 ? $clog2(Slots) : 1;
  localparam int unsigned SlotTagW = Slots > 1 ? MemTagW - SlotW : MemTagW;
  localparam int unsigned UserW    = faa_cu_pkg::SharedUserW;
  localparam int unsigned RowW     = SharedLanes * 32;   // a beat of a row of registers
  localparam int unsigned AtomUserW = faa_cu_pkg::AtomUserW;
  localparam int unsigned ConfigW  = faa_surface_pkg::IMAGE_BITS;

`ifndef YOSYS
  if (Slots < 1 || Slots > faa_pkg::MAX_SLOTS) begin : gen_bad_slots
    $error("faa_cu: Slots is %0d, 1..%0d are possible", Slots, faa_pkg::MAX_SLOTS);
  end
`endif

  // Signals of the slots are in vectors, slot n in slice n.

  typedef `FAA_LINE_REQ(LineBytes, SlotTagW) slot_req_t;
  typedef `FAA_LINE_RSP(LineBytes, SlotTagW) slot_rsp_t;

  // Operations
  logic [Slots-1:0]   slot_valid, slot_ready, slot_done, slot_done_ready, slot_running, slot_inv_ack, member;
  logic [Slots*8-1:0] slot_code, done_code;
  logic [Slots-1:0]   slot_failed, slot_stop, slot_at_bar;
  logic [SlotW-1:0]   context_slot;
  logic               bar_go;

  // Warps, and the user words that come back with their answers and when they are done. A beat:
  // part of the warp, addresses, operands b and c
  localparam int unsigned PartW       = $bits(faa_cu_pkg::part_t);
  localparam int unsigned SharedWarpW = $bits(faa_cu_pkg::shared_warp_t) + PartW +
                                        SharedLanes * (24 + 128);
  localparam int unsigned AtomWarpW   = $bits(faa_cu_pkg::atom_warp_t) + PartW +
                                        SharedLanes * (52 + 128);
  logic [Slots-1:0]             shared_last, atom_last;
  logic [Slots-1:0]             shared_valid, shared_ready, shared_wants, shared_result_valid, shared_result_ready, shared_done, shared_idle;
  logic [Slots-1:0]             atom_valid, atom_ready, atom_wants, atom_result_valid, atom_result_ready, atom_done;
  logic [Slots*SharedWarpW-1:0] shared_warps;
  logic [Slots*AtomWarpW-1:0]   atom_warps;
  logic [UserW-1:0]             shared_result_user, shared_done_user;
  logic [AtomUserW-1:0]         atom_result_user, atom_done_user, atom_error_user;
  logic [SharedLanes*64-1:0]    shared_data, atom_data;
  faa_cu_pkg::part_t            shared_part, atom_part;
  logic                         atom_error;
  logic [SlotW-1:0]             passes_slot, atom_error_slot;
  logic [51:6]                  atom_error_line;
  logic [5:0]                   passes;

  // Context engine
  logic                     context_busy, context_error, ctx_rd_en, ctx_wr_en, ctx_mem_valid, ctx_mem_write;
  logic [1:0]               ctx_pred_load, ctx_config_load;
  logic [Slots-1:0]         context_start, context_here, ctx_mem_ready, ctx_mem_rsp_valid;
  logic [7:0]               ctx_rd_row, ctx_wr_row;
  faa_cu_pkg::beat_no_t ctx_rd_beat, ctx_wr_beat;
  logic [SharedLanes-1:0]   ctx_wr_mask;
  logic [SharedLanes*32-1:0] ctx_wr_data;
  // Of a slot: a beat of its registers, its other state, the tag of the line moved
  typedef struct packed {
    logic [RowW-1:0]    row;
    logic [223:0]       predicates;
    logic [ConfigW-1:0] configuration;
    logic [3:0]         tag;
  } context_t;
  context_t [Slots-1:0]     slot_context;
  context_t                 moved;
  logic [223:0]             ctx_pred;
  logic [ConfigW-1:0]       ctx_config;
  logic [63:OffW]           ctx_mem_line;
  logic [LineW-1:0]         ctx_mem_data;
  logic [3:0]               ctx_mem_tag;
  logic                     ctx_shared_valid, ctx_shared_load, ctx_shared_result_ready;
  logic [31:0]              ctx_shared_mask;
  faa_cu_pkg::part_t        ctx_shared_part;
  logic [SharedLanes*24-1:0] ctx_shared_addr;
  logic [RowW-1:0]          ctx_shared_data;
  logic [RowW-1:0]          shared_low;

  // Ports
  logic [Slots-1:0]          m_valid, m_ready, m_rsp_valid;
  slot_req_t [Slots-1:0]     m_req;
  slot_rsp_t                 m_rsp;
  logic [Slots-1:0]          t_valid, t_ready, t_rsp_valid;
  faa_bundle_pkg::tr_req_t [Slots-1:0] t_req;
  logic [Slots-1:0]          s_valid, s_drop, s_done;

  // Events
  faa_cu_pkg::slot_events_t [Slots-1:0] slot_events;

  // ----------------------------------------------------------------------------------------------
  // Operations

  faa_cu_jobs #(
    .Slots(Slots)
  ) u_jobs (
    .clk_i, .rst_ni, .job_valid_i, .job_ready_o,
    .job_op_i         (job_i.op),
    .job_slots_i, .done_valid_o, .done_ready_i,
    .done_code_o      (done_code),
    .member_o         (member),
    .ended_o,
    .slot_valid_o     (slot_valid),
    .slot_ready_i     (slot_ready),
    .slot_done_i      (slot_done),
    .slot_done_ready_o(slot_done_ready),
    .slot_code_i      (slot_code),
    .slot_failed_i    (slot_failed),
    .slot_stop_o      (slot_stop),
    .slot_at_bar_i    (slot_at_bar),
    .bar_go_o         (bar_go),
    .context_slot_o   (context_slot)
  );

  assign inv_ack_o = slot_inv_ack == '1;

  // ----------------------------------------------------------------------------------------------
  // Slots

  for (genvar n = 0; n < Slots; n++) begin : g_slot
    logic                     clk_slot;
    faa_cu_pkg::shared_warp_t shared_warp;
    faa_cu_pkg::atom_warp_t   atom_warp;
    faa_cu_pkg::part_t        part;
    logic [SharedLanes*64-1:0] hand_a, hand_b, hand_c;
    logic [SharedLanes*24-1:0] addr;
    logic [SharedLanes*52-1:0] pa;
    faa_bundle_pkg::done_t     slot_end;
    faa_bundle_pkg::progress_t progress;

    // Answers come only to a slot with an operation; a slot without one ignores invalidations.
    faa_clock_gate u_gate (
      .clk_i,
      .rst_ni,
      .en_i (slot_valid[n] || !slot_ready[n]),
      .clk_o(clk_slot)
    );

    faa_cu_slot #(
      .Build  (Build),
      .MemTagW(SlotTagW)
    ) u_slot (
      .clk_i                (clk_slot),
      .rst_ni,
      .job_valid_i          (slot_valid[n]),
      .job_ready_o          (slot_ready[n]),
      .job_op_i             (job_i.op),
      .shared_bytes_i       (job_i.shared_bytes),
      .stream_i             (job_streams_i[n]),
      .done_valid_o         (slot_done[n]),
      .done_ready_i         (slot_done_ready[n]),
      .done_o               (slot_end),
      .progress_o           (progress),
      .kill_i,
      .stop_i               (slot_stop[n]),
      .failed_o             (slot_failed[n]),
      .at_bar_o             (slot_at_bar[n]),
      .bar_go_i             (bar_go),
      .running_o            (slot_running[n]),
      .mem_req_valid_o      (m_valid[n]),
      .mem_req_ready_i      (m_ready[n]),
      .mem_req_o            (m_req[n]),
      .mem_rsp_valid_i      (m_rsp_valid[n]),
      .mem_rsp_i            (m_rsp),
      .shared_valid_o       (shared_valid[n]),
      .shared_ready_i       (shared_ready[n]),
      .hand_part_o          (part),
      .hand_a_o             (hand_a),
      .hand_b_o             (hand_b),
      .hand_c_o             (hand_c),
      .shared_warp_o        (shared_warp),
      .shared_result_valid_i(shared_result_valid[n]),
      .shared_result_ready_o(shared_result_ready[n]),
      .shared_part_i        (shared_part),
      .shared_result_i      (shared_data),
      .shared_result_user_i (shared_result_user),
      .shared_done_i        (shared_done[n]),
      .shared_done_user_i   (shared_done_user),
      .shared_idle_i        (shared_idle[n]),
      .passes_i             (passes_slot == SlotW'(n) ? passes : 6'd0),
      .atom_valid_o         (atom_valid[n]),
      .atom_ready_i         (atom_ready[n]),
      .atom_warp_o          (atom_warp),
      .atom_result_valid_i  (atom_result_valid[n]),
      .atom_result_ready_o  (atom_result_ready[n]),
      .atom_part_i          (atom_part),
      .atom_result_i        (atom_data),
      .atom_result_user_i   (atom_result_user),
      .atom_done_i          (atom_done[n]),
      .atom_done_user_i     (atom_done_user),
      .atom_error_i         (atom_error && atom_error_slot == SlotW'(n)),
      .atom_error_line_i    (atom_error_line),
      .atom_error_user_i    (atom_error_user),
      .context_start_o      (context_start[n]),
      .context_busy_i       (context_here[n]),
      .context_error_i      (context_error),
      .ctx_rd_en_i          (ctx_rd_en),
      .ctx_rd_row_i         (ctx_rd_row),
      .ctx_rd_beat_i        (ctx_rd_beat),
      .ctx_rd_data_o        (slot_context[n].row),
      .ctx_wr_en_i          (ctx_wr_en),
      .ctx_wr_row_i         (ctx_wr_row),
      .ctx_wr_beat_i        (ctx_wr_beat),
      .ctx_wr_mask_i        (ctx_wr_mask),
      .ctx_wr_data_i        (ctx_wr_data),
      .ctx_pred_o           (slot_context[n].predicates),
      .ctx_pred_load_i      (context_here[n] ? ctx_pred_load : 2'b0),
      .ctx_pred_i           (ctx_pred),
      .ctx_config_o         (slot_context[n].configuration),
      .ctx_config_load_i    (context_here[n] ? ctx_config_load : 2'b0),
      .ctx_config_i         (ctx_config),
      .ctx_mem_valid_i      (ctx_mem_valid && context_here[n]),
      .ctx_mem_ready_o      (ctx_mem_ready[n]),
      .ctx_mem_write_i      (ctx_mem_write),
      .ctx_mem_line_i       (ctx_mem_line),
      .ctx_mem_data_i       (ctx_mem_data),
      .ctx_mem_tag_i        (ctx_mem_tag),
      .ctx_mem_rsp_valid_o  (ctx_mem_rsp_valid[n]),
      .ctx_mem_rsp_tag_o    (slot_context[n].tag),
      .sweep_valid_o        (s_valid[n]),
      .sweep_drop_o         (s_drop[n]),
      .sweep_done_i         (s_done[n]),
      .sweep_err_i,
      .tr_valid_o           (t_valid[n]),
      .tr_ready_i           (t_ready[n]),
      .tr_req_o             (t_req[n]),
      .tr_rsp_valid_i       (t_rsp_valid[n]),
      .tr_rsp_i,
      .inv_req_i,
      .inv_ack_o            (slot_inv_ack[n]),
      .events_o             (slot_events[n]),
      .snap_req_o           (snap_req_o[n]),
      .snap_beat_o          (snap_beat_o[n*3 +: 3]),
      .snap_valid_i         (snap_valid_i[n]),
      .snap_ready_o         (snap_ready_o[n]),
      .snap_data_i
    );

    for (genvar l = 0; l < SharedLanes; l++) begin : g_lane
      assign addr[l*24 +: 24] = hand_a[l*64 +: 24];
      assign pa[l*52 +: 52]   = hand_a[l*64 +: 52];
    end

    assign shared_warps[n*SharedWarpW +: SharedWarpW] = {shared_warp, part, addr, hand_b, hand_c};
    assign shared_wants[n]                            = shared_warp.result;
    assign shared_last[n]                             = part.last;
    assign atom_warps[n*AtomWarpW +: AtomWarpW]       = {atom_warp, part, pa, hand_b, hand_c};
    assign atom_wants[n]                              = atom_warp.result;
    assign atom_last[n]                               = part.last;

    logic unused_hand;
    assign unused_hand = ^hand_a;

    assign slot_code[n*8 +: 8] = slot_end.code;
    assign done_o[n] = '{code: done_code[n*8 +: 8], lane: slot_end.lane, address: slot_end.address};
    // A slot that has no stream of the job still has the progress of an earlier one.
    assign progress_o[n] = member[n] ? progress : '0;
  end

  // ----------------------------------------------------------------------------------------------
  // Shared memory, which serves the context engine between jobs

  logic                     clk_shared, lent_valid, unit_valid, unit_ready, unit_result_valid, unit_result_ready, lent_result_ready;
  logic                     unit_done, unit_idle;
  logic [SlotW-1:0]         lent_slot, result_slot, done_slot;
  faa_cu_pkg::shared_warp_t lent_warp, unit_warp;
  faa_cu_pkg::part_t        lent_part, unit_part;
  logic [SharedLanes*24-1:0] lent_addr, unit_addr;
  logic [SharedLanes*64-1:0] lent_b, lent_c, unit_b;
  logic [5:0]               groups, bank_ops;
  logic                     stall_bank, stall_queue, stall_result, stall_hazard, stall_window;
  logic                     stall_lines, stall_memory, stall_tag, any_runs;
  logic [8:0]               atom_items;
  logic [3:0]               atom_lines;

  faa_cu_lend #(
    .Slots(Slots),
    .WarpW(SharedWarpW)
  ) u_lend_shared (
    .clk_i,
    .rst_ni,
    .valid_i       (shared_valid),
    .ready_o       (shared_ready),
    .last_i        (shared_last),
    .result_i      (shared_wants),
    .warp_i        (shared_warps),
    .result_valid_o(shared_result_valid),
    .result_ready_i(shared_result_ready),
    .done_o        (shared_done),
    .idle_o        (shared_idle),
    .warp_valid_o  (lent_valid),
    .warp_ready_i  (unit_ready),
    .warp_o        ({lent_warp, lent_part, lent_addr, lent_b, lent_c}),
    .warp_slot_o   (lent_slot),
    .result_valid_i(unit_result_valid && !context_busy),
    .result_ready_o(lent_result_ready),
    .result_last_i (shared_part.last),
    .result_slot_i (result_slot),
    .done_i        (unit_done && !context_busy),
    .done_slot_i   (done_slot)
  );

  assign unit_valid        = context_busy ? ctx_shared_valid : lent_valid;
  assign unit_result_ready = context_busy ? ctx_shared_result_ready : lent_result_ready;

  always_comb begin
    unit_warp = lent_warp;
    unit_part = lent_part;
    unit_addr = lent_addr;
    unit_b    = lent_b;
    if (context_busy) begin
      unit_warp.func   = ctx_shared_load ? faa_cu_pkg::SHARED_LOAD : faa_cu_pkg::SHARED_STORE;
      unit_warp.typ    = faa_pkg::TYPE_U32;
      unit_warp.result = ctx_shared_load;
      unit_warp.mask   = ctx_shared_mask;
      unit_warp.user   = '0;
      unit_part        = ctx_shared_part;
      unit_addr        = ctx_shared_addr;
      for (int l = 0; l < SharedLanes; l++) begin
        unit_b[l*64 +: 64] = {32'b0, ctx_shared_data[l*32 +: 32]};
      end
    end
  end

  // Ports of the shared memory unit. If the path is serial, registers come before and after the
  // unit: beats are several cycles apart, and the context engine's ready has no path into the unit.
  logic                     beat_valid, beat_ready, beat_idle, answer_valid, answer_ready;
  logic [SlotW-1:0]         beat_slot, answer_slot;
  faa_cu_pkg::shared_warp_t beat_warp;
  faa_cu_pkg::part_t        beat_part, answer_part;
  logic [SharedLanes*24-1:0] beat_addr;
  logic [SharedLanes*64-1:0] beat_b, beat_c, answer_data;
  logic [UserW-1:0]         answer_user;

  if (SharedLanes == 4 && Build.global_atomics) begin : gen_shared_registers
    faa_skid #(
      .Width   (SharedWarpW + SlotW),
      .HalfRate(1'b1)
    ) u_beat (
      .clk_i,
      .rst_ni,
      .valid_i(unit_valid),
      .ready_o(unit_ready),
      .data_i ({unit_warp, unit_part, unit_addr, unit_b, lent_c, lent_slot}),
      .valid_o(beat_valid),
      .ready_i(beat_ready),
      .data_o ({beat_warp, beat_part, beat_addr, beat_b, beat_c, beat_slot})
    );
    faa_skid #(
      .Width   (SharedLanes * 64 + $bits(faa_cu_pkg::part_t) + SlotW + UserW),
      .HalfRate(1'b1)
    ) u_answer (
      .clk_i,
      .rst_ni,
      .valid_i(answer_valid),
      .ready_o(answer_ready),
      .data_i ({answer_data, answer_part, answer_slot, answer_user}),
      .valid_o(unit_result_valid),
      .ready_i(unit_result_ready),
      .data_o ({shared_data, shared_part, result_slot, shared_result_user})
    );
    assign unit_idle = beat_idle && !beat_valid;
  end else begin : gen_shared
    assign beat_valid = unit_valid;
    assign unit_ready = beat_ready;
    assign {beat_warp, beat_part, beat_addr, beat_b, beat_c, beat_slot} =
           {unit_warp, unit_part, unit_addr, unit_b, lent_c, lent_slot};
    assign unit_result_valid = answer_valid;
    assign answer_ready      = unit_result_ready;
    assign {shared_data, shared_part, result_slot, shared_result_user} =
           {answer_data, answer_part, answer_slot, answer_user};
    assign unit_idle = beat_idle;
  end

  // The unit has its clock while it has a warp.
  faa_clock_gate u_gate_shared (
    .clk_i,
    .rst_ni,
    .en_i (beat_valid || !beat_idle),
    .clk_o(clk_shared)
  );

  faa_shared #(
    .SharedBytes(Build.shared_bytes),
    .Lanes      (SharedLanes),
    .Chains     (Build.shared_chains),
    .UserW      (SlotW + UserW),
    .Owners     (Slots),
    .F32        (Build.f32),
    .F64        (Build.f64),
    .X2         (Build.x2),
    .Relaxed    (Build.relaxed)
  ) u_shared (
    .clk_i            (clk_shared),
    .rst_ni,
    .warp_valid_i     (beat_valid),
    .warp_ready_o     (beat_ready),
    .warp_part_i      (beat_part),
    .warp_mask_i      (beat_warp.mask),
    .warp_func_i      (beat_warp.func),
    .warp_op_i        (beat_warp.op),
    .warp_typ_i       (beat_warp.typ),
    .warp_mod_i       (beat_warp.mod),
    .warp_result_i    (beat_warp.result),
    .warp_user_i      ({beat_slot, beat_warp.user}),
    .warp_owner_i     (beat_slot),
    .warp_addr_i      (beat_addr),
    .warp_b_i         (beat_b),
    .warp_c_i         (beat_c),
    .result_valid_o   (answer_valid),
    .result_ready_i   (answer_ready),
    .result_part_o    (answer_part),
    .result_o         (answer_data),
    .result_user_o    ({answer_slot, answer_user}),
    .done_valid_o     (unit_done),
    .done_user_o      ({done_slot, shared_done_user}),
    .ev_passes_o      (passes),
    .ev_owner_o       (passes_slot),
    .ev_groups_o      (groups),
    .ev_bank_ops_o    (bank_ops),
    .ev_stall_bank_o  (stall_bank),
    .ev_stall_queue_o (stall_queue),
    .ev_stall_result_o(stall_result),
    .ev_stall_hazard_o(stall_hazard),
    .ev_stall_window_o(stall_window),
    .idle_o           (beat_idle)
  );

  // ----------------------------------------------------------------------------------------------
  // Atomic operations on global memory

  if (Build.global_atomics) begin : gen_atom
    // Errors report the address of the 64 bytes that contain the line.
    logic [51:OffW] atom_error_at;
    assign atom_error_line = atom_error_at[51:6];
    if (OffW < 6) begin : gen_within
      logic unused;
      assign unused = ^atom_error_at[5:OffW];
    end

    faa_cu_atom #(
      .Build(Build)
    ) u_atom (
      .clk_i,
      .rst_ni,
      .valid_i        (atom_valid),
      .ready_o        (atom_ready),
      .last_i         (atom_last),
      .result_i       (atom_wants),
      .warp_i         (atom_warps),
      .result_valid_o (atom_result_valid),
      .result_ready_i (atom_result_ready),
      .result_part_o  (atom_part),
      .result_o       (atom_data),
      .result_user_o  (atom_result_user),
      .done_o         (atom_done),
      .done_user_o    (atom_done_user),
      .error_valid_o  (atom_error),
      .error_address_o(atom_error_at),
      .error_slot_o   (atom_error_slot),
      .error_user_o   (atom_error_user),
      .atom_req_valid_o,
      .atom_req_ready_i,
      .atom_req_o,
      .atom_rsp_valid_i,
      .atom_rsp_i,
      .ev_atom_items_o  (atom_items),
      .ev_atom_lines_o  (atom_lines),
      .ev_stall_lines_o (stall_lines),
      .ev_stall_memory_o(stall_memory),
      .ev_stall_tag_o   (stall_tag)
    );
  end else begin : gen_no_atom
    assign atom_part = '0;
    assign {atom_ready, atom_result_valid, atom_done, atom_error, atom_data, atom_result_user, atom_done_user, atom_error_line, atom_error_slot,
            atom_error_user} = '0;
    assign {atom_req_valid_o, atom_req_o} = '0;
    assign {atom_items, atom_lines, stall_lines, stall_memory, stall_tag} = '0;

    logic unused_atom;
    assign unused_atom = ^{atom_valid, atom_last, atom_wants, atom_warps, atom_result_ready,
                           atom_req_ready_i, atom_rsp_valid_i, atom_rsp_i};
  end

  // ----------------------------------------------------------------------------------------------
  // Contexts

  for (genvar n = 0; n < Slots; n++) begin : g_context
    assign context_here[n] = context_busy && context_slot == SlotW'(n);
  end

  for (genvar l = 0; l < SharedLanes; l++) begin : g_low
    assign shared_low[l*32 +: 32] = shared_data[l*64 +: 32];
  end

  logic ctx_rsp_valid, ctx_mem_taken;
  assign ctx_mem_taken = (ctx_mem_ready & context_here) != '0;
  assign ctx_rsp_valid = ctx_mem_rsp_valid != '0;

  // Signals of the slot whose context the engine moves
  always_comb begin
    moved = slot_context[0];
    for (int unsigned n = 1; n < Slots; n++) begin
      if (context_slot == SlotW'(n)) moved = slot_context[n];
    end
  end

  faa_cu_context #(
    .Lanes    (SharedLanes),
    .LineBytes(LineBytes),
    .Slots    (Slots),
    .SnapLanes(SnapLanes)
  ) u_context (
    .clk_i,
    .rst_ni,
    .start_i              (context_start != '0),
    .op_i                 (job_i.op),
    .slot_i               (context_slot),
    .shared_bytes_i       (job_i.shared_bytes),
    .save_addr_i          (job_i.save_addr),
    .busy_o               (context_busy),
    .error_o              (context_error),
    .rd_en_o              (ctx_rd_en),
    .rd_row_o             (ctx_rd_row),
    .rd_beat_o            (ctx_rd_beat),
    .rd_data_i            (moved.row),
    .wr_en_o              (ctx_wr_en),
    .wr_mask_o            (ctx_wr_mask),
    .wr_row_o             (ctx_wr_row),
    .wr_beat_o            (ctx_wr_beat),
    .wr_data_o            (ctx_wr_data),
    .pred_i               (moved.predicates),
    .pred_load_o          (ctx_pred_load),
    .pred_o               (ctx_pred),
    .config_i             (moved.configuration),
    .config_load_o        (ctx_config_load),
    .config_o             (ctx_config),
    .shared_valid_o       (ctx_shared_valid),
    .shared_ready_i       (unit_ready),
    .shared_load_o        (ctx_shared_load),
    .shared_mask_o        (ctx_shared_mask),
    .shared_part_o        (ctx_shared_part),
    .shared_addr_o        (ctx_shared_addr),
    .shared_data_o        (ctx_shared_data),
    .shared_result_valid_i(unit_result_valid),
    .shared_result_ready_o(ctx_shared_result_ready),
    .shared_part_i        (shared_part),
    .shared_result_i      (shared_low),
    .shared_idle_i        (unit_idle),
    .counters_o, .fold_done_i, .load_ready_i,
    .snap_req_o           (snap_req_o[Slots]),
    .snap_beat_o          (snap_beat_o[Slots*3 +: 3]),
    .snap_valid_i         (snap_valid_i[Slots]),
    .snap_ready_o         (snap_ready_o[Slots]),
    .snap_data_i,
    .mem_valid_o          (ctx_mem_valid),
    .mem_ready_i          (ctx_mem_taken),
    .mem_write_o          (ctx_mem_write),
    .mem_line_o           (ctx_mem_line),
    .mem_data_o           (ctx_mem_data),
    .mem_tag_o            (ctx_mem_tag),
    .mem_rsp_valid_i      (ctx_rsp_valid),
    .mem_rsp_tag_i        (moved.tag),
    .mem_rsp_data_i       (mem_rsp_i.data),
    .mem_rsp_err_i        (mem_rsp_i.err)
  );

  // ----------------------------------------------------------------------------------------------
  // Ports

  assign {m_rsp.data, m_rsp.err} = {mem_rsp_i.data, mem_rsp_i.err};

  faa_cu_ports #(
    .Slots    (Slots),
    .SlotTagW (SlotTagW),
    .LineBytes(LineBytes)
  ) u_ports (
    .clk_i,
    .rst_ni,
    .mem_valid_i    (m_valid),
    .mem_ready_o    (m_ready),
    .mem_req_i      (m_req),
    .mem_rsp_valid_o(m_rsp_valid),
    .mem_rsp_tag_o  (m_rsp.tag),
    .tr_valid_i     (t_valid),
    .tr_ready_o     (t_ready),
    .tr_req_i       (t_req),
    .tr_rsp_valid_o (t_rsp_valid),
    .sweep_valid_i  (s_valid),
    .sweep_drop_i   (s_drop),
    .sweep_done_o   (s_done),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_o, .mem_rsp_valid_i,
    .mem_rsp_tag_i  (mem_rsp_i.tag),
    .tr_valid_o, .tr_ready_i, .tr_req_o, .tr_rsp_valid_i, .sweep_valid_o, .sweep_drop_o,
    .sweep_done_i
  );

  // ----------------------------------------------------------------------------------------------
  // Counters

  // Between jobs the shared memory unit works for the context engine; that is not counted.
  assign any_runs = slot_running != '0;

  always_comb begin
    events_o = '0;
    for (int unsigned n = 0; n < Slots; n++) begin
      events_o.command         = events_o.command + 3'(slot_events[n].command);
      events_o.warp            = events_o.warp + 3'(slot_events[n].warp);
      events_o.elements        = events_o.elements + 8'(slot_events[n].elements);
      events_o.stall_fetch     = events_o.stall_fetch + 3'(slot_events[n].stall_fetch);
      events_o.stall_barrier   = events_o.stall_barrier + 3'(slot_events[n].stall_barrier);
      events_o.stall_operand   = events_o.stall_operand + 3'(slot_events[n].stall_operand);
      events_o.stall_shared    = events_o.stall_shared + 3'(slot_events[n].stall_shared);
      events_o.stall_global    = events_o.stall_global + 3'(slot_events[n].stall_global);
      events_o.stall_writeback = events_o.stall_writeback + 3'(slot_events[n].stall_writeback);
      events_o.stall_surface   = events_o.stall_surface + 3'(slot_events[n].stall_surface);
      events_o.header          = events_o.header + 3'(slot_events[n].header);
    end
    if (any_runs) begin
      {events_o.passes, events_o.groups, events_o.bank_ops}    = {passes, groups, bank_ops};
      {events_o.stall_bank, events_o.stall_queue}              = {stall_bank, stall_queue};
      {events_o.stall_result, events_o.stall_hazard}           = {stall_result, stall_hazard};
      events_o.stall_window = stall_window;
    end
    {events_o.atom_items, events_o.atom_lines}    = {atom_items, atom_lines};
    {events_o.stall_lines, events_o.stall_memory} = {stall_lines, stall_memory};
    events_o.stall_tag = stall_tag;
  end

  `FAA_ASSERT_NEXT(shared_is_busy, unit_valid && unit_ready, !unit_idle)
  `FAA_ASSERT(context_alone, !context_busy || (!any_runs && shared_idle == '1))
  `FAA_ASSERT(invalidation_is_quiet, !(inv_req_i && inv_ack_o && any_runs) || (m_valid == '0 && t_valid == '0))

endmodule
