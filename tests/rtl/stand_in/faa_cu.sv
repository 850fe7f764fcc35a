// SPDX-License-Identifier: Apache-2.0
//
// Stand-in for the compute unit in tests of everything around it: same ports, but streams of its own form. The line at the stream's
// address holds {operation, address, value}, 64 bits each. Operations: 1 write value to address; 2 add value to the context
// word, write the sum to address; 3 read address until it equals value or the job is killed; 4 hang, deaf to everything;
// 5 write value to address 2 value times without waiting for each (many outstanding); 9 wait for the other streams of the job, then write value to address.
// With GlobalAtomics: 6 add 1 to the 64-bit words at address and
// 64 bytes further, in turn, 2 value times by atomic operations; 7 CLEAN, 8 FLUSH the L2. Anything else ends with ILLEGAL_COMMAND.
// The context of a slot is one word, saved in the first line of its context and, inverted, in the last (slot 0: of shared memory). Context and polls go past the L2.
//
// Operations and ports are given to the slots by the modules of the real unit.

`include "faa_assert.svh"

module faa_cu #(
  // Warp slots, 1..4 (MAX_SLOTS): streams that run at the same time
  parameter int unsigned Slots = 2,
  parameter int unsigned SharedBytes = 65536,
  parameter int unsigned MemTagW = 8,
  // The shared memory unit: lanes and groups of a bank per cycle, words that are combined across warps
  parameter int unsigned SharedLanes = 32,
  parameter int unsigned SharedChains = 2,
  // Arithmetic that the unit has (FEATURES)
  parameter bit F32 = 1'b1,
  parameter bit F64 = 1'b1,
  parameter bit X2 = 1'b1,
  parameter bit Relaxed = 1'b1,
  parameter bit Alu = 1'b1,
  // ATOM, with an L2 behind the memory port
  parameter bit GlobalAtomics = 1'b0,
  // 1: its atomic operations are of scope SYS
  parameter bit SysAtomics = 1'b0,
  // SUATOM and CONFIG, with GlobalAtomics
  parameter bit SurfaceAtomics = 1'b0,
  parameter int unsigned SurfaceLanes = SharedLanes,
  // The L2's slices, and the line operations that it is sent per cycle
  parameter int unsigned L2Slices = 1,
  parameter int unsigned L2Ports = 1,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned SnapLanes = GlobalAtomics ? SharedLanes : 32,
  localparam int unsigned AddrW = 64 - OffW,
  localparam int unsigned LineAddrW = 52 - OffW
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Work
  input  logic                      job_valid_i,
  output logic                      job_ready_o,
  input  logic [1:0]                job_op_i,
  input  logic [Slots-1:0]          job_slots_i,
  input  logic [Slots*64-1:0]       job_stream_va_i,
  input  logic [Slots*32-1:0]       job_stream_bytes_i,
  input  logic [Slots*32-1:0]       job_first_element_i,
  input  logic [31:0]               job_shared_bytes_i,
  input  logic [63:0]               job_save_addr_i,
  output logic                      done_valid_o,
  input  logic                      done_ready_i,
  output logic [Slots*8-1:0]        done_code_o,
  output logic [Slots*5-1:0]        done_lane_o,
  output logic [Slots*64-1:0]       done_address_o,
  output logic [Slots-1:0]          ended_o,
  output logic [Slots*32-1:0]       stat_command_o,
  output logic [Slots*32-1:0]       stat_element_o,
  output logic [Slots*64-1:0]       stat_retired_o,
  output logic [Slots*32-1:0]       stat_warps_o,
  output logic [Slots*32-1:0]       stat_passes_o,
  input  logic                      kill_i,

  // Memory
  output logic                 mem_req_valid_o,
  input  logic                 mem_req_ready_i,
  output logic                 mem_req_write_o,
  output logic                 mem_req_direct_o,  // past the L2
  output logic [63:OffW]       mem_req_addr_o,
  output logic [LineW-1:0]     mem_req_wdata_o,
  output logic [LineBytes-1:0] mem_req_wstrb_o,
  output logic [MemTagW-1:0]   mem_req_tag_o,
  input  logic                 mem_rsp_valid_i,
  input  logic [MemTagW-1:0]   mem_rsp_tag_i,
  input  logic [LineW-1:0]     mem_rsp_rdata_i,
  input  logic                 mem_rsp_err_i,

  // Line operations for the L2, port n in slice n of each vector: answered in any order, answers always taken
  output logic [L2Ports-1:0]           atom_req_valid_o,
  input  logic [L2Ports-1:0]           atom_req_ready_i,
  output logic [L2Ports-1:0]           atom_req_sys_o,
  output logic [L2Ports*3-1:0]         atom_req_func_o,
  output logic [L2Ports*8-1:0]         atom_req_op_o,
  output logic [L2Ports*4-1:0]         atom_req_typ_o,
  output logic [L2Ports-1:0]           atom_req_ftz_o,
  output logic [L2Ports-1:0]           atom_req_want_o,
  output logic [L2Ports*LineAddrW-1:0] atom_req_line_o,
  output logic [L2Ports*LineBytes-1:0] atom_req_strb_o,
  output logic [L2Ports*LineW-1:0]     atom_req_b_o,
  output logic [L2Ports*LineW-1:0]     atom_req_c_o,
  output logic [L2Ports*8-1:0]         atom_req_tag_o,
  input  logic [L2Ports-1:0]           atom_rsp_valid_i,
  input  logic [L2Ports*8-1:0]         atom_rsp_tag_i,
  input  logic [L2Ports*LineW-1:0]     atom_rsp_data_i,
  input  logic [L2Ports-1:0]           atom_rsp_err_i,

  // Sweep of the L2: requested until it is done; drop: no line is kept (FLUSH), else CLEAN
  output logic               sweep_valid_o,
  output logic               sweep_drop_o,
  input  logic               sweep_done_i,
  input  logic               sweep_err_i,    // with done: memory has refused a line

  // Translation
  output logic               tr_valid_o,
  input  logic               tr_ready_i,
  output logic [63:0]        tr_va_o,
  output logic               tr_write_o,
  output logic               tr_atomic_o,
  input  logic               tr_rsp_valid_i,
  input  logic [7:0]         tr_rsp_error_i,
  input  logic [63:0]        tr_rsp_pa_i,
  input  logic               tr_rsp_sparse_i,
  input  logic               tr_rsp_big_i,

  // Invalidation
  input  logic               inv_req_i,
  output logic               inv_ack_o,

  // Counters; what slots count is the sum of all
  output faa_cu_pkg::events_t events_o,
  output logic [Slots-1:0]   snap_req_o,
  output logic [Slots*3-1:0] snap_beat_o,
  input  logic [Slots-1:0]   snap_valid_i,
  output logic [Slots-1:0]   snap_ready_o,
  input  logic [Slots*SnapLanes*64-1:0] snap_data_i
);

  localparam int unsigned SlotW    = Slots > 1 ? $clog2(Slots) : 1;
  localparam int unsigned SlotTagW = Slots > 1 ? MemTagW - SlotW : MemTagW;
  localparam int unsigned AtomTagW = Slots > 1 ? 8 - SlotW : 8;

  logic [Slots-1:0]   slot_valid, slot_ready, slot_done, slot_done_ready, slot_failed, slot_stop, slot_at_bar, slot_ack, unused_member;
  logic [Slots*8-1:0] slot_code;
  logic [SlotW-1:0]   unused_context_slot;
  logic               bar_go;

  logic [Slots-1:0]           m_valid, m_ready, m_write, m_direct, m_rsp_valid, t_valid, t_ready, t_write, t_atomic, t_rsp_valid;
  logic [Slots-1:0]           s_valid, s_drop, s_done;
  logic [Slots*AddrW-1:0]     m_addr;
  logic [Slots*LineW-1:0]     m_wdata;
  logic [Slots*LineBytes-1:0] m_wstrb;
  logic [Slots*64-1:0]        t_va;
  logic [Slots*SlotTagW-1:0]  m_tag;
  logic [SlotTagW-1:0]        m_rsp_tag;

  logic [Slots-1:0]           a_asks, a_grant, e_command, e_fetch, e_global, e_atom;
  logic [Slots*L2Ports-1:0]   a_valid;
  logic [Slots*LineAddrW-1:0] a_line;
  logic [Slots*LineBytes-1:0] a_strb;
  logic [Slots*AtomTagW-1:0]  a_tag;

  faa_cu_jobs #(.Slots(Slots)) u_jobs (
    .clk_i, .rst_ni, .job_valid_i, .job_ready_o, .job_op_i, .job_slots_i, .done_valid_o, .done_ready_i, .done_code_o,
    .member_o(unused_member), .ended_o, .slot_valid_o(slot_valid), .slot_ready_i(slot_ready), .slot_done_i(slot_done),
    .slot_done_ready_o(slot_done_ready), .slot_code_i(slot_code), .slot_failed_i(slot_failed), .slot_stop_o(slot_stop),
    .slot_at_bar_i(slot_at_bar), .bar_go_o(bar_go), .context_slot_o(unused_context_slot)
  );

  for (genvar n = 0; n < Slots; n++) begin : g_slot
    logic [L2Ports-1:0]          rsp_valid;
    logic [L2Ports*AtomTagW-1:0] rsp_tag;

    for (genvar p = 0; p < L2Ports; p++) begin : g_rsp
      assign rsp_valid[p]                      = atom_rsp_valid_i[p] && 32'(atom_rsp_tag_i[p*8 +: 8]) >> AtomTagW == n;
      assign rsp_tag[p*AtomTagW +: AtomTagW] = atom_rsp_tag_i[p*8 +: AtomTagW];
    end

    faa_cu_stand_in #(
      .Slots(Slots), .Number(n), .MemTagW(SlotTagW), .AtomTagW(AtomTagW),
      .GlobalAtomics(GlobalAtomics), .L2Slices(L2Slices), .L2Ports(L2Ports),
      .LineBytes(LineBytes)
    ) u_slot (
      .clk_i, .rst_ni, .job_valid_i(slot_valid[n]), .job_ready_o(slot_ready[n]), .job_op_i,
      .job_stream_va_i(job_stream_va_i[n*64 +: 64]), .job_stream_bytes_i(job_stream_bytes_i[n*32 +: 32]),
      .job_first_element_i(job_first_element_i[n*32 +: 32]), .job_shared_bytes_i, .job_save_addr_i,
      .done_valid_o(slot_done[n]), .done_ready_i(slot_done_ready[n]), .done_code_o(slot_code[n*8 +: 8]),
      .done_lane_o(done_lane_o[n*5 +: 5]), .done_address_o(done_address_o[n*64 +: 64]),
      .stat_command_o(stat_command_o[n*32 +: 32]), .stat_element_o(stat_element_o[n*32 +: 32]),
      .stat_retired_o(stat_retired_o[n*64 +: 64]), .stat_warps_o(stat_warps_o[n*32 +: 32]), .stat_passes_o(stat_passes_o[n*32 +: 32]),
      .kill_i, .stop_i(slot_stop[n]), .failed_o(slot_failed[n]), .at_bar_o(slot_at_bar[n]), .bar_go_i(bar_go),
      .mem_req_valid_o(m_valid[n]), .mem_req_ready_i(m_ready[n]), .mem_req_write_o(m_write[n]), .mem_req_direct_o(m_direct[n]),
      .mem_req_addr_o(m_addr[n*AddrW +: AddrW]), .mem_req_wdata_o(m_wdata[n*LineW +: LineW]),
      .mem_req_wstrb_o(m_wstrb[n*LineBytes +: LineBytes]),
      .mem_req_tag_o(m_tag[n*SlotTagW +: SlotTagW]), .mem_rsp_valid_i(m_rsp_valid[n]), .mem_rsp_tag_i(m_rsp_tag), .mem_rsp_rdata_i,
      .mem_rsp_err_i,
      .atom_valid_o(a_valid[n*L2Ports +: L2Ports]), .atom_ready_i(a_grant[n] && (atom_req_valid_o & atom_req_ready_i) != '0),
      .atom_line_o(a_line[n*LineAddrW +: LineAddrW]),
      .atom_strb_o(a_strb[n*LineBytes +: LineBytes]), .atom_tag_o(a_tag[n*AtomTagW +: AtomTagW]),
      .atom_rsp_valid_i(rsp_valid), .atom_rsp_tag_i(rsp_tag), .atom_rsp_err_i((rsp_valid & atom_rsp_err_i) != '0),
      .sweep_valid_o(s_valid[n]), .sweep_drop_o(s_drop[n]), .sweep_done_i(s_done[n]), .sweep_err_i,
      .tr_valid_o(t_valid[n]), .tr_ready_i(t_ready[n]), .tr_va_o(t_va[n*64 +: 64]), .tr_write_o(t_write[n]), .tr_atomic_o(t_atomic[n]),
      .tr_rsp_valid_i(t_rsp_valid[n]), .tr_rsp_error_i, .tr_rsp_pa_i, .tr_rsp_sparse_i,
      .inv_req_i, .inv_ack_o(slot_ack[n]),
      .ev_command_o(e_command[n]), .ev_stall_fetch_o(e_fetch[n]), .ev_stall_global_o(e_global[n]), .ev_atom_o(e_atom[n])
    );
    assign a_asks[n] = a_valid[n*L2Ports +: L2Ports] != '0;
  end
  assign inv_ack_o = slot_ack == '1;

  // The real module, with its lines of 64 bytes: of smaller ones the low bits of the address stand
  // above the strobes.
  logic [Slots*58-1:0]  wide_addr;
  logic [Slots*512-1:0] wide_wdata;
  logic [Slots*64-1:0]  wide_wstrb;
  logic [57:0]          port_addr;
  logic [511:0]         port_wdata;
  logic [63:0]          port_wstrb;
  for (genvar n = 0; n < Slots; n++) begin : g_wide
    assign wide_addr[n*58 +: 58]    = m_addr[n*AddrW + 6 - OffW +: 58];
    assign wide_wdata[n*512 +: 512] = 512'(m_wdata[n*LineW +: LineW]);
    if (LineBytes == 64) begin : g_same
      assign wide_wstrb[n*64 +: 64] = m_wstrb[n*64 +: 64];
    end else begin : g_narrow
      assign wide_wstrb[n*64 +: 64] =
          {m_addr[n*AddrW +: 6 - OffW], (58 + OffW)'(m_wstrb[n*LineBytes +: LineBytes])};
    end
  end
  if (LineBytes == 64) begin : g_same
    assign mem_req_addr_o = port_addr;
  end else begin : g_narrow
    assign mem_req_addr_o = {port_addr, port_wstrb[63 -: 6 - OffW]};
  end
  assign mem_req_wdata_o = port_wdata[LineW-1:0];
  assign mem_req_wstrb_o = port_wstrb[LineBytes-1:0];

  faa_cu_ports #(.Slots(Slots), .SlotTagW(SlotTagW)) u_ports (
    .clk_i, .rst_ni, .mem_valid_i(m_valid), .mem_ready_o(m_ready), .mem_write_i(m_write),
    .mem_direct_i(m_direct), .mem_addr_i(wide_addr),
    .mem_wdata_i(wide_wdata), .mem_wstrb_i(wide_wstrb), .mem_tag_i(m_tag),
    .mem_rsp_valid_o(m_rsp_valid), .mem_rsp_tag_o(m_rsp_tag),
    .tr_valid_i(t_valid), .tr_ready_o(t_ready), .tr_va_i(t_va), .tr_write_i(t_write), .tr_atomic_i(t_atomic), .tr_rsp_valid_o(t_rsp_valid),
    .sweep_valid_i(s_valid), .sweep_drop_i(s_drop), .sweep_done_o(s_done),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_write_o, .mem_req_direct_o,
    .mem_req_addr_o(port_addr),
    .mem_req_wdata_o(port_wdata), .mem_req_wstrb_o(port_wstrb),
    .mem_req_tag_o, .mem_rsp_valid_i, .mem_rsp_tag_i, .tr_valid_o, .tr_ready_i, .tr_va_o, .tr_write_o, .tr_atomic_o, .tr_rsp_valid_i,
    .sweep_valid_o, .sweep_drop_o, .sweep_done_i
  );

  // Atomic operations: a slot's, round robin; the tag says whose.
  faa_arb_hold #(.N(Slots)) u_atom_arb (
    .clk_i, .rst_ni, .req_i(a_asks), .grant_o(a_grant), .served_i((atom_req_valid_o & atom_req_ready_i) != '0)
  );
  always_comb begin
    atom_req_valid_o = '0;
    {atom_req_line_o, atom_req_strb_o, atom_req_tag_o, atom_req_want_o} = '0;
    for (int unsigned n = 0; n < Slots; n++) begin
      if (a_grant[n]) begin
        atom_req_valid_o = a_valid[n*L2Ports +: L2Ports];
        atom_req_line_o  = {L2Ports{a_line[n*LineAddrW +: LineAddrW]}};
        atom_req_strb_o  = {L2Ports{a_strb[n*LineBytes +: LineBytes]}};
        atom_req_tag_o   = {L2Ports{8'({SlotW'(n), a_tag[n*AtomTagW +: AtomTagW]})}};
        atom_req_want_o  = {L2Ports{a_tag[n*AtomTagW]}};
      end
    end
  end
  assign atom_req_func_o = {L2Ports{faa_l2_pkg::FUNC_ATOMIC}};
  assign atom_req_op_o  = {L2Ports{faa_pkg::ATOM_OP_ADD}};
  assign atom_req_typ_o = {L2Ports{faa_pkg::TYPE_U64}};
  assign atom_req_ftz_o = '0;
  assign atom_req_sys_o = {L2Ports{SysAtomics}};
  assign atom_req_b_o   = {L2Ports{{(LineBytes / 8){64'd1}}}};
  assign atom_req_c_o   = '0;

  function automatic logic [2:0] sum(input logic [Slots-1:0] x);
    sum = '0;
    for (int unsigned n = 0; n < Slots; n++) sum = sum + {2'b0, x[n]};
  endfunction

  // With each stream: a command and a warp of 32 elements, 2 passes, 9 groups, 7 operations of banks, a stall of the write-back
  always_comb begin
    events_o                 = '0;
    events_o.command         = sum(e_command);
    events_o.warp            = events_o.command;
    events_o.elements        = {events_o.command, 5'd0};
    events_o.passes          = 6'(events_o.command) * 6'd2;
    events_o.groups          = 6'(events_o.command) * 6'd9;
    events_o.bank_ops        = 6'(events_o.command) * 6'd7;
    events_o.stall_writeback = events_o.command;
    events_o.stall_fetch     = sum(e_fetch);
    events_o.stall_global    = sum(e_global);
    events_o.atom_items      = 9'(sum(e_atom));
    events_o.atom_lines      = 4'(sum(e_atom));
  end

  assign {snap_req_o, snap_beat_o, snap_ready_o} = '0;

  localparam logic [20:0] Unused = {6'(SharedLanes), 3'(SharedChains), F32, F64, X2, Relaxed, Alu,
                                    SurfaceAtomics, 6'(SurfaceLanes)};
  logic unused;
  assign unused = ^{Unused, unused_member, unused_context_slot, tr_rsp_big_i, snap_valid_i,
                    snap_data_i, atom_rsp_data_i, port_wdata, port_wstrb};

  `FAA_ASSERT(StandInShared, !job_valid_i || job_shared_bytes_i <= SharedBytes)

endmodule
