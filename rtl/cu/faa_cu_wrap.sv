// SPDX-License-Identifier: Apache-2.0
//
// A compute unit with its TLB and counters, and the reset of the unit alone: on request no new
// memory access, line operation, sweep or translation leaves the unit; those in flight are
// answered; then the unit is held in reset for four cycles.
//
// Latency: none added to the unit's ports, but with Compact one cycle to answers of memory and to
// line operations. Stalls: none but those of the TLB.
// Hazards: while the unit is drained or reset, nothing of it is acknowledged: no job taken, no
// done, no invalidation (which is acknowledged in reset instead, when the unit holds no
// translation).

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu_wrap #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  parameter int unsigned TagW = 8,
  localparam int unsigned Slots = Build.warp_slots,
  localparam int unsigned L2Ports = Build.l2_ports,
  localparam int unsigned LineBytes = Build.line_bytes,
  // No first-level TLB, answers of memory through registers.
  localparam bit Compact = Build.compact,
  localparam int unsigned SlotW = $clog2(faa_cu_pkg::TRANSLATIONS),
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, TagW),
  localparam type line_rsp_t = `FAA_LINE_RSP(LineBytes, TagW),
  localparam type atom_req_t = `FAA_ATOM_REQ(LineBytes),
  localparam type atom_rsp_t = `FAA_ATOM_RSP(LineBytes),
  localparam int unsigned JobW = $bits(faa_bundle_pkg::job_t),
  localparam int unsigned StreamW = $bits(faa_bundle_pkg::stream_t),
  localparam int unsigned DoneW = $bits(faa_bundle_pkg::done_t),
  localparam int unsigned ProgressW = $bits(faa_bundle_pkg::progress_t),
  localparam int unsigned LineReqW = $bits(line_req_t),
  localparam int unsigned LineRspW = $bits(line_rsp_t),
  localparam int unsigned AtomReqW = $bits(atom_req_t),
  localparam int unsigned AtomRspW = $bits(atom_rsp_t)
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic [63:0]     cycle_i,

  // Half a counter, for software: requested until it is answered.
  input  logic            counter_req_i,
  input  logic [5:0]      counter_word_i,
  output logic            counter_ack_o,
  output logic [31:0]     counter_data_o,

  // Pulse: reset the unit.
  input  logic            reset_i,
  // From the request until the unit works again; pulse in the last cycle before its state is lost.
  output logic            resetting_o,
  output logic            reset_fire_o,
  // Pulse for the event register.
  output logic            event_reset_o,

  // Runner; of the slots, number n in slice n of each vector. Structs are plain vectors on these
  // ports: Verilator 5.006 cannot compile a module as a block of its own with others.
  input  logic                job_valid_i,
  output logic                job_ready_o,
  input  logic [JobW-1:0]     job_i,             // faa_bundle_pkg::job_t
  input  logic [Slots-1:0]    job_slots_i,
  input  logic [Slots*StreamW-1:0] job_streams_i,
  output logic                done_valid_o,
  input  logic                done_ready_i,
  output logic [Slots*DoneW-1:0] done_o,
  output logic [Slots-1:0]    ended_o,
  output logic [Slots*ProgressW-1:0] progress_o,
  input  logic                kill_i,
  // Pulse: a job has ended, also one that never reached the unit.
  input  logic            job_end_i,
  // VM of the running queue.
  input  logic [7:0]      vmid_i,

  // Line requests.
  output logic                 mem_req_valid_o,
  input  logic                 mem_req_ready_i,
  output logic [LineReqW-1:0]  mem_req_o,         // line_req_t
  input  logic                 mem_rsp_valid_i,
  input  logic [LineRspW-1:0]  mem_rsp_i,         // line_rsp_t

  // Line operations for the L2, port n in slice n of each vector: answers in any order, always
  // taken
  output logic [L2Ports-1:0]           atom_req_valid_o,
  input  logic [L2Ports-1:0]           atom_req_ready_i,
  output logic [L2Ports*AtomReqW-1:0]  atom_req_o,
  input  logic [L2Ports-1:0]           atom_rsp_valid_i,
  input  logic [L2Ports*AtomRspW-1:0]  atom_rsp_i,

  // Sweep of the L2: requested until it is done; drop: no line is kept (FLUSH), else CLEAN
  output logic              sweep_valid_o,
  output logic              sweep_drop_o,
  input  logic              sweep_done_i,
  input  logic              sweep_err_i,    // with done: memory has refused a line

  // Shared part of the TLBs (faa_mmu).
  output logic            walk_valid_o,
  input  logic            walk_ready_i,
  output logic [47:12]    walk_page_o,
  output logic [SlotW-1:0] walk_slot_o,
  input  logic            walk_rsp_valid_i,
  input  logic [SlotW-1:0] walk_rsp_slot_i,
  input  logic [7:0]      walk_rsp_error_i,
  input  logic [63:0]     walk_rsp_addr_i,
  input  logic [42:0]     walk_rsp_leaf_i,
  input  logic            walk_rsp_big_i,
  input  logic            walk_rsp_walked_i,

  // Invalidation: requested until acknowledged.
  input  logic            inv_req_i,
  output logic            inv_ack_o,
  input  logic [7:0]      inv_vmid_i,
  input  logic [63:0]     inv_first_i,
  input  logic [63:0]     inv_last_i,

  // 1: no operation, access, translation, invalidation or reset is in progress.
  output logic            idle_o
);

  faa_bundle_pkg::job_t job;
  assign job = job_i;

  // ---- Reset of the unit ----

  typedef enum logic [1:0] {StWork, StDrain, StReset} state_e;
  state_e        state_q;
  logic [1:0]    reset_count_q;
  logic [TagW:0] outstanding_q;
  logic [11:0]   atoms_q;             // line operations without an answer: per port up to its tags
  logic          sweeping_q;          // a sweep was requested and is not done
  logic          working, drained_q, tlb_idle;
  // Active high, as flip-flops use it. The unit is in reset from the first cycle on.
  logic          cu_rst_q = 1'b1;

  assign working       = state_q == StWork;
  assign resetting_o   = !working || reset_i;
  assign reset_fire_o  = state_q == StDrain && drained_q;
  assign event_reset_o = state_q == StReset && reset_count_q == '1;

  // Nothing begins while the unit is drained, so the state of the previous cycle is valid.
  always_ff @(posedge clk_i) begin
    drained_q <= rst_ni && state_q == StDrain && outstanding_q == '0 && atoms_q == '0 &&
                 !sweeping_q && tlb_idle;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= StWork;
      reset_count_q <= '0;
      cu_rst_q      <= 1'b1;
    end else begin
      cu_rst_q <= reset_fire_o || (state_q == StReset && reset_count_q != '1);
      unique case (state_q)
        StWork:  if (reset_i) state_q <= StDrain;
        StDrain: if (drained_q) state_q <= StReset;
        StReset: begin
          reset_count_q <= reset_count_q + 2'd1;
          if (reset_count_q == '1) state_q <= StWork;
        end
        default: state_q <= StWork;
      endcase
    end
  end

  // ---- Memory port ----

  logic      cu_req_valid, req_fire, rsp_valid;
  line_rsp_t rsp;
  line_req_t mem_req;
  assign mem_req_o       = mem_req;
  assign mem_req_valid_o = cu_req_valid && working;

  // With Compact the unit gets answers a cycle later, from registers.
  if (Compact) begin : gen_late_answers
    always_ff @(posedge clk_i) begin
      if (!rst_ni) rsp_valid <= 1'b0;
      else rsp_valid <= mem_rsp_valid_i;
      rsp <= mem_rsp_i;
    end
  end else begin : gen_answers
    assign rsp_valid = mem_rsp_valid_i;
    assign rsp       = mem_rsp_i;
  end

  assign req_fire = mem_req_valid_o && mem_req_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) outstanding_q <= '0;
    else outstanding_q <= outstanding_q + (TagW+1)'(req_fire) - (TagW+1)'(rsp_valid);
  end

  // ---- Line operations, sweeps ----

  logic [L2Ports-1:0] cu_atom_valid;
  logic [3:0]         atoms_sent, atoms_answered;
  logic               cu_sweep_valid;
  // With Compact a register follows the unit: the L2's ready has no combinational path into the
  // unit, which sends one operation in two cycles. Operations in the register count as sent.
  logic [L2Ports-1:0]      atom_valid, atom_ready;
  atom_req_t [L2Ports-1:0] atom_req;
  assign atom_valid = working ? cu_atom_valid : '0;

  for (genvar n = 0; n < L2Ports; n++) begin : gen_atom_port
    if (Compact) begin : gen_register
      faa_skid #(.Width(AtomReqW), .HalfRate(1'b1)) u_request (
        .clk_i, .rst_ni, .valid_i(atom_valid[n]), .ready_o(atom_ready[n]), .data_i(atom_req[n]),
        .valid_o(atom_req_valid_o[n]), .ready_i(atom_req_ready_i[n]),
        .data_o(atom_req_o[n*AtomReqW +: AtomReqW])
      );
    end else begin : gen_no_register
      assign atom_req_valid_o[n] = atom_valid[n];
      assign atom_ready[n]       = atom_req_ready_i[n];
      assign atom_req_o[n*AtomReqW +: AtomReqW] = atom_req[n];
    end
  end
  // A sweep that has been requested is awaited.
  assign sweep_valid_o    = cu_sweep_valid && (working || sweeping_q);

  always_comb begin
    atoms_sent     = '0;
    atoms_answered = '0;
    for (int unsigned n = 0; n < L2Ports; n++) begin
      atoms_sent     = atoms_sent + 4'(atom_valid[n] && atom_ready[n]);
      atoms_answered = atoms_answered + 4'(atom_rsp_valid_i[n]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      atoms_q    <= '0;
      sweeping_q <= 1'b0;
    end else begin
      atoms_q    <= atoms_q + 12'(atoms_sent) - 12'(atoms_answered);
      sweeping_q <= sweep_valid_o && !sweep_done_i;
    end
  end

  // ---- Invalidation: first the unit, then its TLB ----

  logic cu_inv_req, cu_inv_ack, flush, flush_busy_q, flush_done;
  // A unit in reset holds nothing; its TLB is idle since it was drained.
  assign flush     = inv_req_i && !flush_busy_q && tlb_idle &&
                     ((working && cu_inv_req && cu_inv_ack) || state_q == StReset);
  assign inv_ack_o = flush_done;

  // With Compact the request reaches the unit a cycle later, and lasts until the cycle in which the
  // flush begins.
  if (Compact) begin : gen_late_request
    always_ff @(posedge clk_i) begin
      cu_inv_req <= rst_ni && inv_req_i && working && !flush_busy_q && !flush;
    end
  end else begin : gen_request
    assign cu_inv_req = inv_req_i && working && !flush_busy_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) flush_busy_q <= 1'b0;
    else if (flush) flush_busy_q <= 1'b1;
    // One cycle longer than the flush, in which the request falls.
    else if (!inv_req_i) flush_busy_q <= 1'b0;
  end

  // ---- Translation ----

  logic                    cu_tr_valid, tlb_ready, tr_rsp_valid, tlb_miss;
  logic [1:0]              tlb_hits;
  faa_bundle_pkg::tr_req_t tr_req;
  faa_bundle_pkg::tr_rsp_t tr_rsp;

  if (Compact) begin : gen_requests
    faa_tlb_requests #(.Slots(faa_cu_pkg::TRANSLATIONS)) u_tlb (
      .clk_i, .rst_ni,
      .tr_valid_i(cu_tr_valid && working), .tr_ready_o(tlb_ready), .tr_req_i(tr_req),
      .tr_rsp_valid_o(tr_rsp_valid), .tr_rsp_o(tr_rsp),
      .walk_valid_o, .walk_ready_i, .walk_page_o, .walk_slot_o, .walk_rsp_valid_i,
      .walk_rsp_slot_i, .walk_rsp_error_i, .walk_rsp_addr_i, .walk_rsp_leaf_i, .walk_rsp_big_i,
      .walk_rsp_walked_i, .flush_i(flush), .flush_done_o(flush_done),
      .idle_o(tlb_idle), .hits_o(tlb_hits), .miss_o(tlb_miss)
    );
    logic unused_range;
    assign unused_range = ^{inv_vmid_i, inv_first_i, inv_last_i, vmid_i};
  end else begin : gen_tlb
    faa_tlb #(.Slots(faa_cu_pkg::TRANSLATIONS)) u_tlb (
      .clk_i, .rst_ni, .vmid_i,
      .tr_valid_i(cu_tr_valid && working), .tr_ready_o(tlb_ready), .tr_req_i(tr_req),
      .tr_rsp_valid_o(tr_rsp_valid), .tr_rsp_o(tr_rsp),
      .walk_valid_o, .walk_ready_i, .walk_page_o, .walk_slot_o, .walk_rsp_valid_i,
      .walk_rsp_slot_i, .walk_rsp_error_i, .walk_rsp_addr_i, .walk_rsp_leaf_i, .walk_rsp_big_i,
      .walk_rsp_walked_i, .flush_i(flush), .flush_vmid_i(inv_vmid_i),
      .flush_first_i(inv_first_i), .flush_last_i(inv_last_i), .flush_done_o(flush_done),
      .idle_o(tlb_idle), .hits_o(tlb_hits), .miss_o(tlb_miss)
    );
  end

  // ---- The unit ----

  logic [Slots-1:0] ended;
  logic       job_ready, done_valid, kill, running_q, job_taken, job_ended;
  faa_cu_pkg::events_t events;

  // SNAPSHOT of each slot, and SAVE, take the counters in beats.
  localparam int unsigned SnapLanes = Build.global_atomics ? Build.shared_lanes : 32;
  logic [Slots:0]                snap_req, snap_valid, snap_ready;
  logic [(Slots+1)*3-1:0]        snap_beat;
  logic [SnapLanes*64-1:0]       snap_data;
  logic                          fold_done, load_ready;
  typedef `FAA_COUNTERS_REQ(LineBytes) counters_req_t;
  counters_req_t                 load;

  assign job_ready_o  = job_ready && working;
  assign done_valid_o = done_valid && working;
  assign ended_o      = working ? ended : '0;
  assign job_taken    = job_valid_i && job_ready_o;
  assign job_ended    = done_valid_o && done_ready_i;
  // A kill that arrives while a context is moved waits for the RUN.
  assign kill         = kill_i && job.op == faa_bundle_pkg::OpRun;

  // The unit has its clock while it has a job, a request reaches it, or it is reset; answers may
  // still come to a unit without a job.
  logic clk_cu;

  faa_clock_gate u_gate_cu (
    .clk_i,
    .rst_ni,
    .en_i (cu_rst_q || !job_ready || job_valid_i || kill || inv_req_i || rsp_valid ||
           tr_rsp_valid || cu_req_valid || cu_tr_valid || cu_atom_valid != '0 ||
           atom_rsp_valid_i != '0 || cu_sweep_valid),
    .clk_o(clk_cu)
  );

  faa_cu #(
    .Build(Build), .MemTagW(TagW)
  ) u_cu (
    .clk_i(clk_cu), .rst_ni(!cu_rst_q),
    .job_valid_i(job_valid_i && working), .job_ready_o(job_ready), .job_i(job), .job_slots_i,
    .job_streams_i, .done_valid_o(done_valid), .done_ready_i(done_ready_i && working), .done_o,
    .ended_o(ended), .progress_o, .kill_i(kill),
    .mem_req_valid_o(cu_req_valid), .mem_req_ready_i(mem_req_ready_i && working),
    .mem_req_o(mem_req),
    .mem_rsp_valid_i(rsp_valid), .mem_rsp_i(rsp),
    .atom_req_valid_o(cu_atom_valid), .atom_req_ready_i(working ? atom_ready : '0),
    .atom_req_o(atom_req), .atom_rsp_valid_i, .atom_rsp_i,
    .sweep_valid_o(cu_sweep_valid), .sweep_drop_o, .sweep_done_i, .sweep_err_i,
    .tr_valid_o(cu_tr_valid), .tr_ready_i(tlb_ready && working), .tr_req_o(tr_req),
    .tr_rsp_valid_i(tr_rsp_valid), .tr_rsp_i(tr_rsp),
    .inv_req_i(cu_inv_req), .inv_ack_o(cu_inv_ack),
    .events_o(events),
    .snap_req_o(snap_req), .snap_beat_o(snap_beat), .snap_valid_i(snap_valid),
    .snap_ready_o(snap_ready), .snap_data_i(snap_data),
    .counters_o(load), .fold_done_i(fold_done), .load_ready_i(load_ready)
  );

  // ---- Counters ----

  // busy_q: any operation; running_q: a RUN, which ends early when the unit is reset.
  logic busy_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || reset_fire_o) begin
      busy_q    <= 1'b0;
      running_q <= 1'b0;
    end else if (job_taken) begin
      busy_q    <= 1'b1;
      running_q <= job.op == faa_bundle_pkg::OpRun;
    end else if (job_ended) begin
      busy_q    <= 1'b0;
      running_q <= 1'b0;
    end
  end

  localparam int unsigned AddW = 9;   // bits that are added to a counter per cycle
  localparam bit SerialCounters = Slots == 1 && SnapLanes == 4;
  logic [faa_pkg::COUNTERS*AddW-1:0] add, counted;
  always_comb begin
    add = '0;
    add[faa_pkg::COUNTER_BUSY*AddW]                = running_q;
    add[faa_pkg::COUNTER_JOBS*AddW]                = job_end_i;
    add[faa_pkg::COUNTER_COMMANDS*AddW +: 3]       = events.command;
    add[faa_pkg::COUNTER_WARPS*AddW +: 3]          = events.warp;
    add[faa_pkg::COUNTER_ELEMENTS*AddW +: 8]       = events.elements;
    add[faa_pkg::COUNTER_PASSES*AddW +: 6]         = events.passes;
    add[faa_pkg::COUNTER_STALL_FETCH*AddW +: 3]    = events.stall_fetch;
    add[faa_pkg::COUNTER_STALL_BARRIER*AddW +: 3]  = events.stall_barrier;
    add[faa_pkg::COUNTER_STALL_OPERAND*AddW +: 3]  = events.stall_operand;
    add[faa_pkg::COUNTER_STALL_SHARED*AddW +: 3]   = events.stall_shared;
    add[faa_pkg::COUNTER_STALL_GLOBAL*AddW +: 3]   = events.stall_global;
    add[faa_pkg::COUNTER_TLB_HITS*AddW +: 2]       = tlb_hits;
    add[faa_pkg::COUNTER_TLB_MISSES*AddW]          = tlb_miss;
    add[faa_pkg::COUNTER_LINES_READ*AddW]          = req_fire && !mem_req.write;
    add[faa_pkg::COUNTER_LINES_WRITTEN*AddW]       = req_fire && mem_req.write;
    add[faa_pkg::COUNTER_GROUPS*AddW +: 6]         = events.groups;
    add[faa_pkg::COUNTER_BANK_OPS*AddW +: 6]       = events.bank_ops;
    add[faa_pkg::COUNTER_STALL_BANK*AddW]          = events.stall_bank;
    add[faa_pkg::COUNTER_STALL_QUEUE*AddW]         = events.stall_queue;
    add[faa_pkg::COUNTER_STALL_RESULT*AddW]        = events.stall_result;
    add[faa_pkg::COUNTER_STALL_HAZARD*AddW]        = events.stall_hazard;
    add[faa_pkg::COUNTER_STALL_WINDOW*AddW]        = events.stall_window;
    add[faa_pkg::COUNTER_STALL_WRITEBACK*AddW +: 3] = events.stall_writeback;
    add[faa_pkg::COUNTER_ATOM_ITEMS*AddW +: 9]     = events.atom_items;
    add[faa_pkg::COUNTER_ATOM_LINES*AddW +: 4]     = events.atom_lines;
    add[faa_pkg::COUNTER_STALL_LINES*AddW]         = events.stall_lines;
    add[faa_pkg::COUNTER_STALL_MEMORY*AddW]        = events.stall_memory;
    add[faa_pkg::COUNTER_STALL_TAG*AddW]           = events.stall_tag;
    add[faa_pkg::COUNTER_HEADERS*AddW +: 3]        = events.header;
    add[faa_pkg::COUNTER_STALL_SURFACE*AddW +: 3]  = events.stall_surface;
  end

  // Events are counted a cycle later, so they show in the second cycle after their own. The last
  // event of a command comes at least two cycles before a later SNAPSHOT takes the first beat of
  // counters: it issues in the next cycle at the earliest, and offers its store in the one after
  // that. The serial counters have a register of their own.
  if (SerialCounters) begin : gen_counted_now
    assign counted = add;
  end else begin : gen_counted_late
    always_ff @(posedge clk_i) begin
      if (!rst_ni) counted <= '0;
      else counted <= add;
    end
  end

  faa_cu_counters #(
    .Slots(Slots), .Lanes(SnapLanes), .LineBytes(LineBytes), .Serial(SerialCounters), .AddW(AddW)
  ) u_counters (
    .clk_i, .rst_ni, .cycle_i, .add_i(counted),
    .rd_req_i(counter_req_i), .rd_word_i(counter_word_i),
    .rd_ack_o(counter_ack_o), .rd_data_o(counter_data_o), .load_i(load),
    .fold_done_o(fold_done), .load_ready_o(load_ready), .snap_req_i(snap_req),
    .snap_beat_i(snap_beat), .snap_valid_o(snap_valid), .snap_ready_i(snap_ready),
    .snap_data_o(snap_data)
  );

  assign idle_o = working && !reset_i && !busy_q && outstanding_q == '0 && atoms_q == '0 && !sweeping_q && tlb_idle && !inv_req_i && !flush_busy_q;

  `FAA_ASSERT(CuDoneQuiet, !done_valid_o || (outstanding_q == '0 && atoms_q == '0 && !mem_req_valid_o && atom_req_valid_o == '0 &&
                                             !sweep_valid_o && (tlb_idle || flush_busy_q)))
  `FAA_ASSERT(CuAckQuiet, !(working && inv_req_i && !flush_busy_q && cu_inv_ack) ||
                          job.op != faa_bundle_pkg::OpRun ||
                          (outstanding_q == '0 && atoms_q == '0 && tlb_idle))
  `FAA_COVER(DrainAtoms, state_q == StDrain && atoms_q != '0)
  `FAA_COVER(DrainSweep, state_q == StDrain && sweeping_q)

endmodule
