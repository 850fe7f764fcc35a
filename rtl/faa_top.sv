// SPDX-License-Identifier: Apache-2.0
//
// faa: registers on AXI4-Lite, AXI4 master into host memory, MSI-X requests. One clock, synchronous
// reset.
//
// Line requesters in the order of their number: compute units, runners, page table walks. Without
// ATOM they share the AXI master through faa_line_arb; with ATOM through faa_memory, which has the
// L2.

`include "bundle/faa_line.svh"

module faa_top #(
  // Compute units, 1..8.
  parameter int unsigned NumCu = 2,
  // Warp slots of a compute unit, 1..4: streams of one job that run at the same time.
  parameter int unsigned WarpSlots = 2,
  // Hardware queues, 1..16.
  parameter int unsigned NumQueues = 16,
  // AXI4 data width in bits: 64, 128, 256 or 512.
  parameter int unsigned AxiDataWidth = 512,
  // Bytes of a line, the unit of all memory accesses inside the device: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  // Shared memory of a compute unit in bytes, a power of two from 4096 to 2^24.
  parameter int unsigned SharedBytes = 65536,
  // Shared memory unit: lanes per cycle (4, 8, 16 or 32), groups that a bank takes per cycle, words
  // combined across warps.
  parameter int unsigned SharedLanes = 32,
  parameter int unsigned SharedChains = 2,
  // ATOMS on F32, on F64, on F16X2 and BF16X2, its mode RELAXED (with 32 lanes); ALU.
  parameter bit F32 = 1'b1,
  parameter bit F64 = 1'b1,
  parameter bit X2 = 1'b1,
  parameter bit Relaxed = 1'b1,
  parameter bit Alu = 1'b1,
  // ATOM, with an L2 between the compute units and memory.
  parameter bit GlobalAtomics = 1'b1,
  // ATOM at scope SYS, with GlobalAtomics: the bus of the AXI master takes atomic transactions.
  parameter bit SysAtomics = 1'b1,
  // SUATOM and CONFIG, with GlobalAtomics.
  parameter bit SurfaceAtomics = 1'b1,
  parameter int unsigned SurfaceLanes = 32,
  // L2: slices, sets and ways of a slice, its outstanding line reads and writes, words that it
  // computes per cycle (2, 4, 8 or 16).
  parameter int unsigned L2Slices = 2,
  // Line operations that a compute unit sends per cycle: each to its share of the slices. A power
  // of two, at most the number of slices.
  parameter int unsigned L2Ports = 1,
  parameter int unsigned L2Sets = 256,
  parameter int unsigned L2Ways = 4,
  parameter int unsigned L2Mshrs = 64,
  parameter int unsigned L2Wb = 64,
  parameter int unsigned L2AluWords = 16,
  // Translation: concurrent page table walks, sets of level 0 in the TLB that the units share.
  parameter int unsigned MmuWalks = 8,
  parameter int unsigned MmuSets = 128,
  // A memory side with few cells and more cycles: translations by the shared TLB alone, an L2 that
  // takes at most one operation per two cycles and forwards no lines.
  parameter bit Compact = 1'b0,
  // Line accesses use 7 bits; the top bit marks atomic transactions.
  localparam int unsigned AxiIdWidth = SysAtomics && GlobalAtomics ? 8 : 7
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // AXI4-Lite slave: registers, BAR 0.
  input  logic [19:0]               s_axil_awaddr_i,
  input  logic                      s_axil_awvalid_i,
  output logic                      s_axil_awready_o,
  input  logic [31:0]               s_axil_wdata_i,
  input  logic [3:0]                s_axil_wstrb_i,
  input  logic                      s_axil_wvalid_i,
  output logic                      s_axil_wready_o,
  output logic [1:0]                s_axil_bresp_o,
  output logic                      s_axil_bvalid_o,
  input  logic                      s_axil_bready_i,
  input  logic [19:0]               s_axil_araddr_i,
  input  logic                      s_axil_arvalid_i,
  output logic                      s_axil_arready_o,
  output logic [31:0]               s_axil_rdata_o,
  output logic [1:0]                s_axil_rresp_o,
  output logic                      s_axil_rvalid_o,
  input  logic                      s_axil_rready_i,

  // AXI4 master: host memory.
  output logic [AxiIdWidth-1:0]     m_axi_awid_o,
  output logic [63:0]               m_axi_awaddr_o,
  output logic [7:0]                m_axi_awlen_o,
  output logic [2:0]                m_axi_awsize_o,
  output logic [1:0]                m_axi_awburst_o,
  output logic                      m_axi_awlock_o,
  output logic [3:0]                m_axi_awcache_o,
  output logic [2:0]                m_axi_awprot_o,
  output logic [3:0]                m_axi_awqos_o,
  output logic [5:0]                m_axi_awatop_o,
  output logic                      m_axi_awvalid_o,
  input  logic                      m_axi_awready_i,
  output logic [AxiDataWidth-1:0]   m_axi_wdata_o,
  output logic [AxiDataWidth/8-1:0] m_axi_wstrb_o,
  output logic                      m_axi_wlast_o,
  output logic                      m_axi_wvalid_o,
  input  logic                      m_axi_wready_i,
  input  logic [AxiIdWidth-1:0]     m_axi_bid_i,
  input  logic [1:0]                m_axi_bresp_i,
  input  logic                      m_axi_bvalid_i,
  output logic                      m_axi_bready_o,
  output logic [AxiIdWidth-1:0]     m_axi_arid_o,
  output logic [63:0]               m_axi_araddr_o,
  output logic [7:0]                m_axi_arlen_o,
  output logic [2:0]                m_axi_arsize_o,
  output logic [1:0]                m_axi_arburst_o,
  output logic                      m_axi_arlock_o,
  output logic [3:0]                m_axi_arcache_o,
  output logic [2:0]                m_axi_arprot_o,
  output logic [3:0]                m_axi_arqos_o,
  output logic                      m_axi_arvalid_o,
  input  logic                      m_axi_arready_i,
  input  logic [AxiIdWidth-1:0]     m_axi_rid_i,
  input  logic [AxiDataWidth-1:0]   m_axi_rdata_i,
  input  logic [1:0]                m_axi_rresp_i,
  input  logic                      m_axi_rlast_i,
  input  logic                      m_axi_rvalid_i,
  output logic                      m_axi_rready_o,

  // MSI-X requests: a message of table entry msix_vector_o for every transfer.
  output logic                      msix_valid_o,
  output logic [7:0]                msix_vector_o,
  input  logic                      msix_ready_i,

  // 1: the device is idle, and the clock may stop until the next register access.
  output logic                      idle_o
);

  if (NumCu < 1 || NumCu > faa_pkg::MAX_CUS) begin : gen_bad_cus
    $error("faa_top: NumCu is %0d, 1..8 are possible", NumCu);
  end
  if (NumQueues < 1 || NumQueues > faa_pkg::MAX_QUEUES) begin : gen_bad_queues
    $error("faa_top: NumQueues is %0d, 1..16 are possible", NumQueues);
  end
  if (WarpSlots < 1 || WarpSlots > faa_pkg::MAX_SLOTS) begin : gen_bad_slots
    $error("faa_top: WarpSlots is %0d, 1..4 are possible", WarpSlots);
  end
  if (SharedBytes < 4096 || SharedBytes > faa_pkg::SHARED_WINDOW_BYTES || (SharedBytes & (SharedBytes - 1)) != 0)
  begin : gen_bad_shared
    $error("faa_top: SharedBytes is %0d, a power of two from 4096 to 2^24 is possible", SharedBytes);
  end

  localparam bit BadLine = LineBytes != 16 && LineBytes != 32 && LineBytes != 64;
  if (BadLine) begin : gen_bad_line
    $error("faa_top: LineBytes is %0d, 16, 32 and 64 are possible", LineBytes);
  end
  if (AxiDataWidth > 8 * LineBytes) begin : gen_bad_width
    $error("faa_top: AxiDataWidth is %0d, at most the %0d bits of a line are possible",
           AxiDataWidth, 8 * LineBytes);
  end

  localparam int unsigned LineW = 8 * LineBytes;
  localparam int unsigned OffW = $clog2(LineBytes);

  if (SharedLanes != 4 && SharedLanes != 8 && SharedLanes != 16 && SharedLanes != 32) begin : gen_bad_lanes
    $error("faa_top: SharedLanes is %0d, 4, 8, 16 and 32 are possible", SharedLanes);
  end

  if (SurfaceAtomics && !GlobalAtomics) begin : gen_bad_surfaces
    $error("faa_top: SurfaceAtomics is 1, GlobalAtomics is 0: surfaces need it");
  end
  if (L2Slices < 1 || 2 ** $clog2(L2Slices) != L2Slices) begin : gen_bad_slices
    $error("faa_top: L2Slices is %0d, powers of two are possible", L2Slices);
  end
  localparam bit BadPorts = L2Ports < 1 || L2Ports > 8 || 2 ** $clog2(L2Ports) != L2Ports || L2Ports > L2Slices;
  // The rest elaborates with wrong values too, so that this error is reported.
  localparam int unsigned Ports = BadPorts ? 1 : L2Ports;
  if (BadPorts) begin : gen_bad_ports
    $error("faa_top: L2Ports is %0d, powers of two up to 8 and to L2Slices (%0d) are possible", L2Ports, L2Slices);
  end

  localparam int unsigned AdderCycles = F32 || F64 || X2 ? faa_float_pkg::ADD_LATENCY : 0;
  localparam bit HasSys = SysAtomics && GlobalAtomics;
  // The lanes of a word are summed over the whole warp, which has to enter at once.
  localparam bit HasRelaxed = Relaxed && SharedLanes == 32;
  // The build as its modules get it: what does not exist without another feature is off. Numbers
  // given by -G are unsized to Verilator.
  /* verilator lint_off WIDTHCONCAT */
  localparam faa_build_pkg::build_t Build = '{
    num_cu:          NumCu,
    warp_slots:      WarpSlots,
    num_queues:      NumQueues,
    axi_data_width:  AxiDataWidth,
    line_bytes:      LineBytes,
    shared_bytes:    SharedBytes,
    shared_lanes:    SharedLanes,
    shared_chains:   SharedChains,
    f32:             F32,
    f64:             F64,
    x2:              X2,
    relaxed:         HasRelaxed,
    alu:             Alu,
    global_atomics:  GlobalAtomics,
    sys_atomics:     HasSys,
    surface_atomics: SurfaceAtomics,
    surface_lanes:   SurfaceLanes < SharedLanes ? SurfaceLanes : SharedLanes,
    l2_slices:       L2Slices,
    l2_ports:        Ports,
    l2_sets:         L2Sets,
    l2_ways:         L2Ways,
    l2_mshrs:        L2Mshrs,
    l2_wb:           L2Wb,
    l2_alu_words:    L2AluWords,
    mmu_walks:       MmuWalks,
    mmu_sets:        MmuSets,
    compact:         Compact
  };
  /* verilator lint_on WIDTHCONCAT */

  localparam logic [63:0] Features =
      (64'd1 << faa_pkg::FEATURE_ATOMS_SEED) | (64'd1 << faa_pkg::FEATURE_STREAM_OPERANDS) |
      (64'd1 << faa_pkg::FEATURE_SPARSE) | (64'd1 << faa_pkg::FEATURE_ATOMS_INT64) |
      (64'(F32) << faa_pkg::FEATURE_ATOMS_F32) | (64'(F64) << faa_pkg::FEATURE_ATOMS_F64) |
      (64'(X2) << faa_pkg::FEATURE_ATOMS_X2) | (64'(HasRelaxed) << faa_pkg::FEATURE_ATOMS_RELAXED) |
      (64'(Alu) << faa_pkg::FEATURE_ALU) | (64'(GlobalAtomics) << faa_pkg::FEATURE_GLOBAL_ATOMICS) |
      (64'(HasSys) << faa_pkg::FEATURE_SYS_ATOMICS) | (64'(SurfaceAtomics) << faa_pkg::FEATURE_SURFACE_ATOMICS);

  // Up to 128 requests of a slot may be outstanding, but no more of a unit than the L2's tags
  // allow.
  localparam int unsigned TagW = WarpSlots > 1 ? 8 : 7;
  localparam int unsigned NumReq = 2 * NumCu + MmuWalks;
  localparam int unsigned LineTagW = TagW + $clog2(GlobalAtomics ? NumReq + L2Slices : NumReq);

  // ---- Cycle counter ----

  logic [63:0] cycle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cycle_q <= '0;
    else cycle_q <= cycle_q + 64'd1;
  end

  // ---- Registers ----

  logic                    core_idle, event_inv;
  logic [4:0]              event_set, event_status, event_enable;
  logic [7:0]              csr_inv_vmid;
  logic [63:0]             csr_inv_first, csr_inv_last;
  logic [31:0]             csr_inv_request, csr_inv_done;
  logic [NumCu-1:0]        cu_busy, cu_resetting, cu_resident, cu_running, cu_reset, cu_event_reset;
  logic [NumCu*8-1:0]      cu_queue;
  logic [NumCu*64-1:0]     cu_start;
  localparam int unsigned NumSlots = NumCu * WarpSlots;
  logic [NumSlots*32-1:0]  stat_command, stat_retired;
  // Software's reads of counters
  logic [NumCu-1:0]        counter_req, counter_ack;
  logic [5:0]              counter_word;
  logic [NumCu*32-1:0]     counter_data;
  logic [NumQueues*32-1:0] q_tail, q_head;
  logic [NumQueues-1:0]    q_enable, q_kill, q_keep;
  logic [NumQueues*WarpSlots-1:0] q_slots;
  logic [NumQueues*4-1:0]  q_state, q_cu;
  logic [NumQueues*2-1:0]  q_prio;
  // The queue that a unit's runner reads, and the queue that runs on the unit.
  localparam int unsigned QueueW = (NumQueues > 1) ? $clog2(NumQueues) : 1;
  logic [NumCu*QueueW-1:0] q_sel, q_run;
  logic [NumCu*64-1:0]     q_ring, q_save, q_seqno, cu_pt;
  logic [NumCu*32-1:0]     q_shared;
  logic [NumCu*8-1:0]      cu_vmid;
  logic [NumCu*5-1:0]      q_ring_log2, q_vector;

  faa_csr #(.Build(Build), .Features(Features), .AdderCycles(AdderCycles)) u_csr (
    .clk_i, .rst_ni,
    .s_axil_awaddr_i, .s_axil_awvalid_i, .s_axil_awready_o, .s_axil_wdata_i, .s_axil_wstrb_i, .s_axil_wvalid_i,
    .s_axil_wready_o, .s_axil_bresp_o, .s_axil_bvalid_o, .s_axil_bready_i, .s_axil_araddr_i, .s_axil_arvalid_i,
    .s_axil_arready_o, .s_axil_rdata_o, .s_axil_rresp_o, .s_axil_rvalid_o, .s_axil_rready_i,
    .cycle_i(cycle_q), .idle_i(core_idle),
    .event_set_i(event_set), .event_status_o(event_status), .event_enable_o(event_enable),
    .inv_vmid_o(csr_inv_vmid), .inv_first_o(csr_inv_first), .inv_last_o(csr_inv_last),
    .inv_request_o(csr_inv_request), .inv_done_i(csr_inv_done),
    .cu_busy_i(cu_busy), .cu_resetting_i(cu_resetting), .cu_resident_i(cu_resident), .cu_running_i(cu_running),
    .cu_queue_i(cu_queue), .cu_start_i(cu_start),
    .cu_pc_i(stat_command), .cu_progress_i(stat_retired),
    .counter_req_o(counter_req), .counter_word_o(counter_word), .counter_ack_i(counter_ack),
    .counter_data_i(counter_data), .cu_reset_o(cu_reset),
    .tail_o(q_tail), .head_i(q_head), .enable_o(q_enable), .kill_o(q_kill), .keep_o(q_keep),
    .slots_o(q_slots), .state_i(q_state), .cu_i(q_cu),
    .prio_o(q_prio), .sel_i(q_sel), .ring_o(q_ring), .ring_log2_o(q_ring_log2), .vector_o(q_vector),
    .save_o(q_save), .seqno_o(q_seqno), .shared_o(q_shared), .run_i(q_run), .vmid_o(cu_vmid),
    .pt_o(cu_pt)
  );

  // ---- Users of memory ----

  // Line requesters: compute units at 0, runners at NumCu, page table walks last. Runners and walks
  // share the data of responses.
  typedef `FAA_LINE_REQ(LineBytes, TagW) line_req_t;
  typedef `FAA_LINE_RSP(LineBytes, TagW) line_rsp_t;
  logic [NumReq-1:0]       req_valid, req_ready, rsp_valid;
  line_req_t [NumReq-1:0]  req;
  line_rsp_t [NumCu-1:0]   cu_rsp;
  logic [LineW-1:0]        rsp_rdata;
  logic [NumReq-1:NumCu]   rsp_err;

  // Requesters of L2 sweeps: compute units at 0, runners at NumCu, TLB invalidation last.
  localparam int unsigned InvAsk = 2 * NumCu;
  logic [InvAsk:0]        sweep_valid, sweep_drop, sweep_done, sweep_err;
  logic [51:OffW]         sweep_err_addr;

  // ---- TLB invalidation ----

  logic             mmu_inv_valid, mmu_inv_done;
  logic [NumCu-1:0] inv_req, inv_ack;
  logic [7:0]       inv_vmid;
  logic [63:0]      inv_first, inv_last;
  logic             inv_idle;

  faa_inv #(.N(NumCu), .Sweep(GlobalAtomics)) u_inv (
    .clk_i, .rst_ni, .request_i(csr_inv_request), .done_o(csr_inv_done), .vmid_i(csr_inv_vmid), .first_i(csr_inv_first),
    .last_i(csr_inv_last), .shared_valid_o(mmu_inv_valid), .shared_done_i(mmu_inv_done), .inv_req_o(inv_req), .inv_ack_i(inv_ack), .inv_vmid_o(inv_vmid), .inv_first_o(inv_first),
    .inv_last_o(inv_last), .sweep_valid_o(sweep_valid[InvAsk]), .sweep_done_i(sweep_done[InvAsk]),
    .event_done_o(event_inv), .idle_o(inv_idle)
  );
  assign sweep_drop[InvAsk] = 1'b1;
  logic unused_inv_err;
  assign unused_inv_err = sweep_err[InvAsk];

  // ---- Front end ----

  logic [NumCu-1:0]    job_valid, job_ready, done_valid, done_ready, cu_reset_fire, cu_kill, cu_job_end;
  faa_bundle_pkg::job_t [NumCu-1:0] job;
  // Slot s of unit n is number n * WarpSlots + s.
  logic [NumSlots-1:0]                      job_slots, ended;
  faa_bundle_pkg::stream_t [NumSlots-1:0]   job_streams;
  faa_bundle_pkg::done_t [NumSlots-1:0]     done;
  faa_bundle_pkg::progress_t [NumSlots-1:0] progress;
  logic                frontend_idle;

  faa_frontend #(.Build(Build), .TagW(TagW)) u_frontend (
    .clk_i, .rst_ni, .cycle_i(cycle_q),
    .tail_i(q_tail), .head_o(q_head), .enable_i(q_enable), .kill_i(q_kill), .keep_i(q_keep),
    .slots_i(q_slots), .state_o(q_state), .cu_o(q_cu),
    .prio_i(q_prio), .sel_o(q_sel), .ring_i(q_ring), .ring_log2_i(q_ring_log2),
    .vector_i(q_vector), .save_i(q_save), .seqno_i(q_seqno), .shared_i(q_shared), .run_o(q_run),
    .cu_busy_o(cu_busy), .cu_resident_o(cu_resident), .cu_running_o(cu_running), .cu_queue_o(cu_queue),
    .cu_start_o(cu_start),
    .event_inv_i(event_inv), .event_reset_i(cu_event_reset != '0), .event_set_o(event_set),
    .event_status_i(event_status), .event_enable_i(event_enable),
    .job_valid_o(job_valid), .job_ready_i(job_ready), .job_o(job), .job_slots_o(job_slots),
    .job_streams_o(job_streams), .done_valid_i(done_valid), .done_ready_o(done_ready),
    .done_i(done), .ended_i(ended), .progress_i(progress),
    .cu_resetting_i(cu_resetting), .cu_reset_fire_i(cu_reset_fire), .cu_kill_o(cu_kill), .cu_job_end_o(cu_job_end),
    .mem_req_valid_o(req_valid[NumCu +: NumCu]), .mem_req_ready_i(req_ready[NumCu +: NumCu]),
    .mem_req_o(req[NumCu +: NumCu]), .mem_rsp_valid_i(rsp_valid[NumCu +: NumCu]),
    .mem_rsp_rdata_i(rsp_rdata), .mem_rsp_err_i(rsp_err[NumCu +: NumCu]),
    .sweep_valid_o(sweep_valid[NumCu +: NumCu]), .sweep_drop_o(sweep_drop[NumCu +: NumCu]), .sweep_done_i(sweep_done[NumCu +: NumCu]),
    .sweep_err_i(sweep_err[NumCu +: NumCu]), .sweep_err_addr_i(sweep_err_addr),
    .msix_valid_o, .msix_vector_o, .msix_ready_i, .idle_o(frontend_idle)
  );

  // ---- Compute units ----

  localparam int unsigned SlotW = $clog2(faa_cu_pkg::TRANSLATIONS);
  logic [NumCu-1:0]       walk_valid, walk_ready, walk_rsp_valid, cu_idle;
  logic [NumCu*36-1:0]    walk_page;
  logic [NumCu*SlotW-1:0] walk_slot;
  logic [SlotW-1:0]       walk_rsp_slot;
  logic [7:0]             walk_rsp_error;
  logic [63:0]            walk_rsp_addr;
  logic [42:0]            walk_rsp_leaf;
  logic                   walk_rsp_big, walk_rsp_walked;
  // Line operations: port p of unit n is number n * Ports + p.
  localparam int unsigned Atoms = NumCu * Ports;
  typedef `FAA_ATOM_REQ(LineBytes) atom_req_t;
  typedef `FAA_ATOM_RSP(LineBytes) atom_rsp_t;
  logic [Atoms-1:0]      atom_req_valid, atom_req_ready, atom_rsp_valid;
  atom_req_t [Atoms-1:0] atom_req;
  atom_rsp_t [Atoms-1:0] atom_rsp;

  for (genvar n = 0; n < NumCu; n++) begin : gen_cu
    faa_cu_wrap #(.Build(Build), .TagW(TagW)) u_cu_wrap (
      .clk_i, .rst_ni, .cycle_i(cycle_q),
      .counter_req_i(counter_req[n]), .counter_word_i(counter_word),
      .counter_ack_o(counter_ack[n]), .counter_data_o(counter_data[n*32 +: 32]),
      .reset_i(cu_reset[n]), .resetting_o(cu_resetting[n]), .reset_fire_o(cu_reset_fire[n]),
      .event_reset_o(cu_event_reset[n]),
      .job_valid_i(job_valid[n]), .job_ready_o(job_ready[n]), .job_i(job[n]),
      .job_slots_i(job_slots[n*WarpSlots +: WarpSlots]),
      .job_streams_i(job_streams[n*WarpSlots +: WarpSlots]),
      .done_valid_o(done_valid[n]), .done_ready_i(done_ready[n]),
      .done_o(done[n*WarpSlots +: WarpSlots]), .ended_o(ended[n*WarpSlots +: WarpSlots]),
      .progress_o(progress[n*WarpSlots +: WarpSlots]),
      .kill_i(cu_kill[n]), .job_end_i(cu_job_end[n]),
      .vmid_i(cu_vmid[n*8 +: 8]),
      .mem_req_valid_o(req_valid[n]), .mem_req_ready_i(req_ready[n]), .mem_req_o(req[n]),
      .mem_rsp_valid_i(rsp_valid[n]), .mem_rsp_i(cu_rsp[n]),
      .atom_req_valid_o(atom_req_valid[n*Ports +: Ports]),
      .atom_req_ready_i(atom_req_ready[n*Ports +: Ports]),
      .atom_req_o(atom_req[n*Ports +: Ports]),
      .atom_rsp_valid_i(atom_rsp_valid[n*Ports +: Ports]),
      .atom_rsp_i(atom_rsp[n*Ports +: Ports]),
      .sweep_valid_o(sweep_valid[n]), .sweep_drop_o(sweep_drop[n]), .sweep_done_i(sweep_done[n]), .sweep_err_i(sweep_err[n]),
      .walk_valid_o(walk_valid[n]), .walk_ready_i(walk_ready[n]), .walk_page_o(walk_page[n*36 +: 36]),
      .walk_slot_o(walk_slot[n*SlotW +: SlotW]), .walk_rsp_valid_i(walk_rsp_valid[n]), .walk_rsp_slot_i(walk_rsp_slot),
      .walk_rsp_error_i(walk_rsp_error), .walk_rsp_addr_i(walk_rsp_addr), .walk_rsp_leaf_i(walk_rsp_leaf),
      .walk_rsp_big_i(walk_rsp_big), .walk_rsp_walked_i(walk_rsp_walked),
      .inv_req_i(inv_req[n]), .inv_ack_o(inv_ack[n]), .inv_vmid_i(inv_vmid), .inv_first_i(inv_first),
      .inv_last_i(inv_last), .idle_o(cu_idle[n])
    );
  end
  for (genvar n = 0; n < NumSlots; n++) begin : gen_progress
    assign stat_command[n*32 +: 32] = progress[n].command;
    assign stat_retired[n*32 +: 32] = progress[n].retired[31:0];
  end

  // ---- Shared part of the TLBs ----

  localparam int unsigned WalkReq = 2 * NumCu;
  logic                        mmu_idle;
  logic [MmuWalks-1:0][63:OffW] walk_addr;

  faa_mmu #(
    .N(NumCu), .Slots(faa_cu_pkg::TRANSLATIONS), .Walks(MmuWalks), .Sets0(MmuSets),
    .Compact(Compact), .LineBytes(LineBytes)
  ) u_mmu (
    .clk_i, .rst_ni, .vmid_i(cu_vmid), .pt_base_i(cu_pt), .walk_valid_i(walk_valid), .walk_ready_o(walk_ready), .walk_page_i(walk_page),
    .walk_slot_i(walk_slot), .walk_rsp_valid_o(walk_rsp_valid), .walk_rsp_slot_o(walk_rsp_slot), .walk_rsp_error_o(walk_rsp_error),
    .walk_rsp_addr_o(walk_rsp_addr), .walk_rsp_leaf_o(walk_rsp_leaf), .walk_rsp_big_o(walk_rsp_big),
    .walk_rsp_walked_o(walk_rsp_walked),
    .mem_req_valid_o(req_valid[WalkReq +: MmuWalks]), .mem_req_ready_i(req_ready[WalkReq +: MmuWalks]),
    .mem_req_addr_o(walk_addr),
    .mem_rsp_valid_i(rsp_valid[WalkReq +: MmuWalks]),
    .mem_rsp_rdata_i(rsp_rdata), .mem_rsp_err_i(rsp_err[WalkReq +: MmuWalks]),
    .inv_valid_i(mmu_inv_valid), .inv_done_o(mmu_inv_done), .inv_vmid_i(inv_vmid), .inv_first_i(inv_first), .inv_last_i(inv_last),
    .idle_o(mmu_idle)
  );
  for (genvar n = 0; n < MmuWalks; n++) begin : gen_walk
    assign req[WalkReq+n] = '{addr: walk_addr[n], default: '0};
  end

  // ---- Memory ----

  logic                rd_valid, rd_ready, rd_done, rd_done_ready, rd_done_err, wr_valid, wr_ready, wr_done, wr_done_ready, wr_done_err;
  logic [63:OffW]       rd_addr, wr_addr;
  logic [LineTagW-1:0]  rd_tag, rd_done_tag, wr_tag, wr_done_tag;
  logic [LineW-1:0]     rd_done_data, wr_data;
  logic [LineBytes-1:0] wr_strb;
  logic                memory_idle, axi_idle;

  // Atomic transactions of the slices.
  logic [L2Slices-1:0]    at_valid, at_ready, at_wide, at_rsp_valid;
  logic [L2Slices*2-1:0]  at_op;
  logic [L2Slices*50-1:0] at_addr;
  logic [L2Slices*64-1:0] at_data, at_compare;
  logic [L2Slices*4-1:0]  at_tag;
  logic [3:0]             at_rsp_tag;
  logic [63:0]            at_rsp_data;
  logic                   at_rsp_err, at_idle;

  if (GlobalAtomics) begin : gen_memory
    faa_memory #(.Build(Build), .TagW(TagW), .MasterTagW(LineTagW)) u_memory (
      .clk_i, .rst_ni,
      .cu_req_valid_i(req_valid[NumCu-1:0]), .cu_req_ready_o(req_ready[NumCu-1:0]),
      .cu_req_i(req[NumCu-1:0]), .cu_rsp_valid_o(rsp_valid[NumCu-1:0]), .cu_rsp_o(cu_rsp),
      .atom_req_valid_i(atom_req_valid), .atom_req_ready_o(atom_req_ready),
      .atom_req_i(atom_req), .atom_rsp_valid_o(atom_rsp_valid), .atom_rsp_o(atom_rsp),
      .direct_req_valid_i(req_valid[NumReq-1:NumCu]),
      .direct_req_ready_o(req_ready[NumReq-1:NumCu]), .direct_req_i(req[NumReq-1:NumCu]),
      .direct_rsp_valid_o(rsp_valid[NumReq-1:NumCu]), .direct_rsp_rdata_o(rsp_rdata),
      .direct_rsp_err_o(rsp_err),
      .sweep_valid_i(sweep_valid), .sweep_drop_i(sweep_drop), .sweep_done_o(sweep_done), .sweep_err_o(sweep_err),
      .sweep_err_addr_o(sweep_err_addr),
      .rd_req_valid_o(rd_valid), .rd_req_ready_i(rd_ready), .rd_req_addr_o(rd_addr), .rd_req_tag_o(rd_tag), .rd_rsp_valid_i(rd_done),
      .rd_rsp_ready_o(rd_done_ready), .rd_rsp_tag_i(rd_done_tag), .rd_rsp_data_i(rd_done_data), .rd_rsp_err_i(rd_done_err),
      .wr_req_valid_o(wr_valid), .wr_req_ready_i(wr_ready), .wr_req_addr_o(wr_addr), .wr_req_data_o(wr_data), .wr_req_strb_o(wr_strb),
      .wr_req_tag_o(wr_tag), .wr_rsp_valid_i(wr_done), .wr_rsp_ready_o(wr_done_ready), .wr_rsp_tag_i(wr_done_tag),
      .wr_rsp_err_i(wr_done_err),
      .at_valid_o(at_valid), .at_ready_i(at_ready), .at_op_o(at_op), .at_wide_o(at_wide), .at_addr_o(at_addr), .at_data_o(at_data),
      .at_compare_o(at_compare), .at_tag_o(at_tag), .at_rsp_valid_i(at_rsp_valid), .at_rsp_tag_i(at_rsp_tag),
      .at_rsp_data_i(at_rsp_data), .at_rsp_err_i(at_rsp_err), .idle_o(memory_idle)
    );
  end else begin : gen_lines
    typedef `FAA_LINE_REQ(LineBytes, LineTagW) mem_req_t;
    typedef `FAA_LINE_RSP(LineBytes, LineTagW) mem_rsp_t;
    logic      line_valid, line_ready, line_rsp_valid;
    mem_req_t  line_req;
    mem_rsp_t  line_rsp;
    line_rsp_t any_rsp;

    faa_line_arb #(.N(NumReq), .TagW(TagW), .LineBytes(LineBytes)) u_line_arb (
      .clk_i, .rst_ni,
      .req_valid_i(req_valid), .req_ready_o(req_ready), .req_i(req), .rsp_valid_o(rsp_valid),
      .rsp_o(any_rsp), .mem_req_valid_o(line_valid), .mem_req_ready_i(line_ready),
      .mem_req_o(line_req), .mem_rsp_valid_i(line_rsp_valid), .mem_rsp_i(line_rsp),
      .idle_o(memory_idle)
    );
    assign cu_rsp    = {NumCu{any_rsp}};
    assign rsp_rdata = any_rsp.data;
    assign rsp_err   = {(NumReq - NumCu){any_rsp.err}};

    faa_line_split #(
      .DataWidth(AxiDataWidth), .TagW(LineTagW), .LineBytes(LineBytes)
    ) u_line_split (
      .clk_i, .rst_ni,
      .req_valid_i(line_valid), .req_ready_o(line_ready), .req_i(line_req),
      .rsp_valid_o(line_rsp_valid), .rsp_o(line_rsp),
      .rd_req_valid_o(rd_valid), .rd_req_ready_i(rd_ready), .rd_req_addr_o(rd_addr), .rd_req_tag_o(rd_tag), .rd_rsp_valid_i(rd_done),
      .rd_rsp_ready_o(rd_done_ready), .rd_rsp_tag_i(rd_done_tag), .rd_rsp_data_i(rd_done_data), .rd_rsp_err_i(rd_done_err),
      .wr_req_valid_o(wr_valid), .wr_req_ready_i(wr_ready), .wr_req_addr_o(wr_addr), .wr_req_data_o(wr_data), .wr_req_strb_o(wr_strb),
      .wr_req_tag_o(wr_tag), .wr_rsp_valid_i(wr_done), .wr_rsp_ready_o(wr_done_ready), .wr_rsp_tag_i(wr_done_tag),
      .wr_rsp_err_i(wr_done_err)
    );

    assign {at_valid, at_op, at_wide, at_addr, at_data, at_compare, at_tag} = '0;
    assign {atom_req_ready, atom_rsp_valid, atom_rsp, sweep_done, sweep_err, sweep_err_addr} = '0;
    logic unused_atom;
    assign unused_atom = ^{atom_req_valid, atom_req, sweep_valid, sweep_drop, at_ready,
                           at_rsp_valid, at_rsp_tag, at_rsp_data, at_rsp_err};
  end

  // Master's side of the module that inserts atomic transactions. Lines per direction that it has
  // in flight: twice as many as the slices have, at most 128.
  localparam int unsigned SliceLines = L2Slices * (L2Mshrs > L2Wb ? L2Mshrs : L2Wb);
  localparam int unsigned LineIdW = !GlobalAtomics || HasSys || SliceLines >= 64 ?
                                    7 : $clog2(2 * SliceLines);
  logic [LineIdW-1:0]        awid, arid;
  logic [63:0]               awaddr;
  logic [7:0]                awlen;
  logic [2:0]                awsize;
  logic [1:0]                awburst;
  logic                      awvalid, awready, wvalid, wready, wlast, bvalid, bready, rvalid, rready;
  logic [AxiDataWidth-1:0]   wdata;
  logic [AxiDataWidth/8-1:0] wstrb;

  faa_axi_master #(
    .DataWidth(AxiDataWidth), .TagW(LineTagW), .IdWidth(LineIdW),
    .WriteLines(GlobalAtomics ? 2 : 1), .Late(Compact), .LineBytes(LineBytes)
  ) u_axi_master (
    .clk_i, .rst_ni,
    .rd_req_valid_i(rd_valid), .rd_req_ready_o(rd_ready), .rd_req_addr_i(rd_addr), .rd_req_tag_i(rd_tag), .rd_rsp_valid_o(rd_done),
    .rd_rsp_ready_i(rd_done_ready), .rd_rsp_tag_o(rd_done_tag), .rd_rsp_data_o(rd_done_data), .rd_rsp_err_o(rd_done_err),
    .wr_req_valid_i(wr_valid), .wr_req_ready_o(wr_ready), .wr_req_addr_i(wr_addr), .wr_req_data_i(wr_data), .wr_req_strb_i(wr_strb),
    .wr_req_tag_i(wr_tag), .wr_rsp_valid_o(wr_done), .wr_rsp_ready_i(wr_done_ready), .wr_rsp_tag_o(wr_done_tag), .wr_rsp_err_o(wr_done_err),
    .idle_o(axi_idle),
    .m_axi_awid_o(awid), .m_axi_awaddr_o(awaddr), .m_axi_awlen_o(awlen), .m_axi_awsize_o(awsize), .m_axi_awburst_o(awburst),
    .m_axi_awlock_o, .m_axi_awcache_o, .m_axi_awprot_o, .m_axi_awqos_o, .m_axi_awvalid_o(awvalid),
    .m_axi_awready_i(awready), .m_axi_wdata_o(wdata), .m_axi_wstrb_o(wstrb), .m_axi_wlast_o(wlast), .m_axi_wvalid_o(wvalid),
    .m_axi_wready_i(wready), .m_axi_bid_i(m_axi_bid_i[LineIdW-1:0]), .m_axi_bresp_i, .m_axi_bvalid_i(bvalid), .m_axi_bready_o(bready),
    .m_axi_arid_o(arid), .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o, .m_axi_arburst_o, .m_axi_arlock_o,
    .m_axi_arcache_o, .m_axi_arprot_o, .m_axi_arqos_o, .m_axi_arvalid_o, .m_axi_arready_i,
    .m_axi_rid_i(m_axi_rid_i[LineIdW-1:0]), .m_axi_rdata_i, .m_axi_rresp_i, .m_axi_rlast_i, .m_axi_rvalid_i(rvalid),
    .m_axi_rready_o(rready)
  );

  assign m_axi_arid_o = AxiIdWidth'(arid);
  if (HasSys) begin : gen_atomic
    faa_axi_atomic #(.DataWidth(AxiDataWidth), .N(L2Slices), .IdWidth(LineIdW)) u_axi_atomic (
      .clk_i, .rst_ni,
      .req_valid_i(at_valid), .req_ready_o(at_ready), .req_op_i(at_op), .req_wide_i(at_wide), .req_addr_i(at_addr),
      .req_data_i(at_data), .req_compare_i(at_compare), .req_tag_i(at_tag), .rsp_valid_o(at_rsp_valid), .rsp_tag_o(at_rsp_tag),
      .rsp_data_o(at_rsp_data), .rsp_err_o(at_rsp_err), .idle_o(at_idle),
      .s_awid_i(awid), .s_awaddr_i(awaddr), .s_awlen_i(awlen), .s_awsize_i(awsize), .s_awburst_i(awburst), .s_awvalid_i(awvalid),
      .s_awready_o(awready), .s_wdata_i(wdata), .s_wstrb_i(wstrb), .s_wlast_i(wlast), .s_wvalid_i(wvalid), .s_wready_o(wready),
      .s_bvalid_o(bvalid), .s_bready_i(bready), .s_rvalid_o(rvalid), .s_rready_i(rready),
      .m_awid_o(m_axi_awid_o), .m_awaddr_o(m_axi_awaddr_o), .m_awlen_o(m_axi_awlen_o), .m_awsize_o(m_axi_awsize_o),
      .m_awburst_o(m_axi_awburst_o), .m_awatop_o(m_axi_awatop_o), .m_awvalid_o(m_axi_awvalid_o), .m_awready_i(m_axi_awready_i),
      .m_wdata_o(m_axi_wdata_o), .m_wstrb_o(m_axi_wstrb_o), .m_wlast_o(m_axi_wlast_o), .m_wvalid_o(m_axi_wvalid_o),
      .m_wready_i(m_axi_wready_i), .m_bid_i(m_axi_bid_i), .m_bresp_i(m_axi_bresp_i), .m_bvalid_i(m_axi_bvalid_i),
      .m_bready_o(m_axi_bready_o), .m_rid_i(m_axi_rid_i), .m_rdata_i(m_axi_rdata_i), .m_rresp_i(m_axi_rresp_i),
      .m_rvalid_i(m_axi_rvalid_i), .m_rready_o(m_axi_rready_o)
    );
  end else begin : gen_no_atomic
    assign {at_ready, at_rsp_valid, at_rsp_tag, at_rsp_data, at_rsp_err} = '0;
    assign at_idle         = 1'b1;
    assign m_axi_awid_o    = AxiIdWidth'(awid);
    assign m_axi_awaddr_o  = awaddr;
    assign m_axi_awlen_o   = awlen;
    assign m_axi_awsize_o  = awsize;
    assign m_axi_awburst_o = awburst;
    assign m_axi_awatop_o  = '0;
    assign m_axi_awvalid_o = awvalid;
    assign awready         = m_axi_awready_i;
    assign m_axi_wdata_o   = wdata;
    assign m_axi_wstrb_o   = wstrb;
    assign m_axi_wlast_o   = wlast;
    assign m_axi_wvalid_o  = wvalid;
    assign wready          = m_axi_wready_i;
    assign bvalid          = m_axi_bvalid_i;
    assign m_axi_bready_o  = bready;
    assign rvalid          = m_axi_rvalid_i;
    assign m_axi_rready_o  = rready;
    logic unused_at;
    assign unused_at = ^{at_valid, at_op, at_wide, at_addr, at_data, at_compare, at_tag,
                         m_axi_bid_i, m_axi_rid_i};
  end

  // ---- Idle ----

  // A register write reaches the front end a few cycles after its handshake; until then the device
  // looks idle.
  localparam logic [2:0] SettleCycles = 3'd7;
  logic [2:0] settle_q;
  logic       axil_active;

  assign core_idle   = frontend_idle && cu_idle == '1 && mmu_idle && inv_idle && memory_idle && axi_idle && at_idle;
  // A read of a counter takes longer.
  assign axil_active = counter_req != '0 || s_axil_awvalid_i || s_axil_wvalid_i ||
                       s_axil_arvalid_i || s_axil_bvalid_o || s_axil_rvalid_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !core_idle || axil_active) settle_q <= SettleCycles;
    else if (settle_q != '0) settle_q <= settle_q - 3'd1;
  end
  assign idle_o = settle_q == '0 && !axil_active && core_idle;

endmodule
