// SPDX-License-Identifier: Apache-2.0
//
// Stand-in for the compute unit in tests of everything around it: same ports, but streams of its
// own form. The line at the stream's address holds {operation, address, value}, 64 bits each.
// Operations:
//  1  write value to address
//  2  add value to the context word, write the sum to address
//  3  read address until it equals value or the job is killed
//  4  hang, and ignore all inputs
//  5  write value to address 2 value times without waiting for each (many outstanding)
//  6  with GlobalAtomics: add 1 to the 64-bit words at address and 64 bytes further, in turn,
//     2 value times by atomic operations
//  7  with GlobalAtomics: CLEAN the L2
//  8  with GlobalAtomics: FLUSH the L2
//  9  wait for the other streams of the job, then write value to address
// Any other operation ends with ILLEGAL_COMMAND. The context of a slot is one word, saved in the
// first line of its context and, inverted, in the last (slot 0: of shared memory). Context and
// polls bypass the L2.
//
// The modules of the real unit distribute operations and ports to the slots.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  parameter int unsigned MemTagW = 8,
  localparam int unsigned Slots = Build.warp_slots,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned L2Ports = Build.l2_ports,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned SnapLanes = Build.global_atomics ? Build.shared_lanes : 32,
  localparam int unsigned LineAddrW = 52 - OffW,
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, MemTagW),
  localparam type line_rsp_t = `FAA_LINE_RSP(LineBytes, MemTagW),
  localparam type atom_req_t = `FAA_ATOM_REQ(LineBytes),
  localparam type atom_rsp_t = `FAA_ATOM_RSP(LineBytes),
  localparam type counters_req_t = `FAA_COUNTERS_REQ(LineBytes)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Work
  input  logic                      job_valid_i,
  output logic                      job_ready_o,
  input  faa_bundle_pkg::job_t      job_i,
  input  logic [Slots-1:0]          job_slots_i,
  input  faa_bundle_pkg::stream_t [Slots-1:0] job_streams_i,
  output logic                      done_valid_o,
  input  logic                      done_ready_i,
  output faa_bundle_pkg::done_t [Slots-1:0] done_o,
  output logic [Slots-1:0]          ended_o,
  output faa_bundle_pkg::progress_t [Slots-1:0] progress_o,
  input  logic                      kill_i,

  // Memory
  output logic                 mem_req_valid_o,
  input  logic                 mem_req_ready_i,
  output line_req_t            mem_req_o,
  input  logic                 mem_rsp_valid_i,
  input  line_rsp_t            mem_rsp_i,

  // Line operations for the L2, port n in slice n of each vector: answered in any order, answers
  // always taken
  output logic [L2Ports-1:0]           atom_req_valid_o,
  input  logic [L2Ports-1:0]           atom_req_ready_i,
  output atom_req_t [L2Ports-1:0]      atom_req_o,
  input  logic [L2Ports-1:0]           atom_rsp_valid_i,
  input  atom_rsp_t [L2Ports-1:0]      atom_rsp_i,

  // Sweep of the L2: requested until it is done; drop: no line is kept (FLUSH), else CLEAN
  output logic               sweep_valid_o,
  output logic               sweep_drop_o,
  input  logic               sweep_done_i,
  input  logic               sweep_err_i,    // with done: memory refused a line

  // Translation
  output logic               tr_valid_o,
  input  logic               tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic               tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  // Invalidation
  input  logic               inv_req_i,
  output logic               inv_ack_o,

  // Counters: the sum over all slots
  output faa_cu_pkg::events_t events_o,
  output logic [Slots:0]     snap_req_o,
  output logic [(Slots+1)*3-1:0] snap_beat_o,
  input  logic [Slots:0]     snap_valid_i,
  output logic [Slots:0]     snap_ready_o,
  input  logic [SnapLanes*64-1:0] snap_data_i,
  output counters_req_t      counters_o,
  input  logic               fold_done_i,
  input  logic               load_ready_i
);

  localparam int unsigned SlotW    = Slots > 1 ? $clog2(Slots) : 1;
  localparam int unsigned SlotTagW = Slots > 1 ? MemTagW - SlotW : MemTagW;
  localparam int unsigned AtomTagW = Slots > 1 ? 8 - SlotW : 8;

  logic [Slots-1:0]   slot_valid, slot_ready, slot_done, slot_done_ready, slot_failed, slot_stop, slot_at_bar, slot_ack, unused_member;
  logic [Slots*8-1:0] slot_code, done_code;
  logic [SlotW-1:0]   unused_context_slot;
  logic               bar_go;

  typedef `FAA_LINE_REQ(LineBytes, SlotTagW) slot_req_t;
  typedef `FAA_LINE_RSP(LineBytes, SlotTagW) slot_rsp_t;
  logic [Slots-1:0]           m_valid, m_ready, m_rsp_valid, t_valid, t_ready, t_rsp_valid;
  logic [Slots-1:0]           s_valid, s_drop, s_done;
  slot_req_t [Slots-1:0]      m_req;
  slot_rsp_t                  m_rsp;
  faa_bundle_pkg::tr_req_t [Slots-1:0] t_req;

  logic [Slots-1:0]           a_asks, a_grant, e_command, e_fetch, e_global, e_atom;
  logic [Slots*L2Ports-1:0]   a_valid;
  logic [Slots*LineAddrW-1:0] a_line;
  logic [Slots*LineBytes-1:0] a_strb;
  logic [Slots*AtomTagW-1:0]  a_tag;

  faa_cu_jobs #(.Slots(Slots)) u_jobs (
    .clk_i, .rst_ni, .job_valid_i, .job_ready_o, .job_op_i(job_i.op), .job_slots_i, .done_valid_o,
    .done_ready_i, .done_code_o(done_code),
    .member_o(unused_member), .ended_o, .slot_valid_o(slot_valid), .slot_ready_i(slot_ready), .slot_done_i(slot_done),
    .slot_done_ready_o(slot_done_ready), .slot_code_i(slot_code), .slot_failed_i(slot_failed), .slot_stop_o(slot_stop),
    .slot_at_bar_i(slot_at_bar), .bar_go_o(bar_go), .context_slot_o(unused_context_slot)
  );

  for (genvar n = 0; n < Slots; n++) begin : g_slot
    logic [L2Ports-1:0]          rsp_valid, rsp_err;
    logic [L2Ports*AtomTagW-1:0] rsp_tag;
    faa_bundle_pkg::done_t       slot_end;
    assign slot_code[n*8 +: 8] = slot_end.code;
    assign done_o[n] = '{code: done_code[n*8 +: 8], lane: slot_end.lane, address: slot_end.address};

    for (genvar p = 0; p < L2Ports; p++) begin : g_rsp
      assign rsp_valid[p] = atom_rsp_valid_i[p] && 32'(atom_rsp_i[p].tag) >> AtomTagW == n;
      assign rsp_tag[p*AtomTagW +: AtomTagW] = atom_rsp_i[p].tag[AtomTagW-1:0];
      assign rsp_err[p]   = atom_rsp_i[p].err;
    end

    faa_cu_stand_in #(
      .Slots(Slots), .Number(n), .MemTagW(SlotTagW), .AtomTagW(AtomTagW),
      .GlobalAtomics(Build.global_atomics), .L2Slices(Build.l2_slices), .L2Ports(L2Ports),
      .LineBytes(LineBytes)
    ) u_slot (
      .clk_i, .rst_ni, .job_valid_i(slot_valid[n]), .job_ready_o(slot_ready[n]), .job_i,
      .stream_i(job_streams_i[n]), .done_valid_o(slot_done[n]), .done_ready_i(slot_done_ready[n]),
      .done_o(slot_end), .progress_o(progress_o[n]),
      .kill_i, .stop_i(slot_stop[n]), .failed_o(slot_failed[n]), .at_bar_o(slot_at_bar[n]), .bar_go_i(bar_go),
      .mem_req_valid_o(m_valid[n]), .mem_req_ready_i(m_ready[n]), .mem_req_o(m_req[n]),
      .mem_rsp_valid_i(m_rsp_valid[n]), .mem_rsp_i(m_rsp),
      .atom_valid_o(a_valid[n*L2Ports +: L2Ports]), .atom_ready_i(a_grant[n] && (atom_req_valid_o & atom_req_ready_i) != '0),
      .atom_line_o(a_line[n*LineAddrW +: LineAddrW]),
      .atom_strb_o(a_strb[n*LineBytes +: LineBytes]), .atom_tag_o(a_tag[n*AtomTagW +: AtomTagW]),
      .atom_rsp_valid_i(rsp_valid), .atom_rsp_tag_i(rsp_tag),
      .atom_rsp_err_i((rsp_valid & rsp_err) != '0),
      .sweep_valid_o(s_valid[n]), .sweep_drop_o(s_drop[n]), .sweep_done_i(s_done[n]), .sweep_err_i,
      .tr_valid_o(t_valid[n]), .tr_ready_i(t_ready[n]), .tr_req_o(t_req[n]),
      .tr_rsp_valid_i(t_rsp_valid[n]), .tr_rsp_i,
      .inv_req_i, .inv_ack_o(slot_ack[n]),
      .ev_command_o(e_command[n]), .ev_stall_fetch_o(e_fetch[n]), .ev_stall_global_o(e_global[n]), .ev_atom_o(e_atom[n])
    );
    assign a_asks[n] = a_valid[n*L2Ports +: L2Ports] != '0;
  end
  assign inv_ack_o = slot_ack == '1;

  faa_cu_ports #(.Slots(Slots), .SlotTagW(SlotTagW), .LineBytes(LineBytes)) u_ports (
    .clk_i, .rst_ni, .mem_valid_i(m_valid), .mem_ready_o(m_ready), .mem_req_i(m_req),
    .mem_rsp_valid_o(m_rsp_valid), .mem_rsp_tag_o(m_rsp.tag),
    .tr_valid_i(t_valid), .tr_ready_o(t_ready), .tr_req_i(t_req), .tr_rsp_valid_o(t_rsp_valid),
    .sweep_valid_i(s_valid), .sweep_drop_i(s_drop), .sweep_done_o(s_done),
    .mem_req_valid_o, .mem_req_ready_i, .mem_req_o, .mem_rsp_valid_i,
    .mem_rsp_tag_i(mem_rsp_i.tag), .tr_valid_o, .tr_ready_i, .tr_req_o, .tr_rsp_valid_i,
    .sweep_valid_o, .sweep_drop_o, .sweep_done_i
  );
  assign {m_rsp.data, m_rsp.err} = {mem_rsp_i.data, mem_rsp_i.err};

  // Atomic operations of the slots, round robin; the tag has the slot's number.
  faa_arb_hold #(.N(Slots)) u_atom_arb (
    .clk_i, .rst_ni, .req_i(a_asks), .grant_o(a_grant), .served_i((atom_req_valid_o & atom_req_ready_i) != '0)
  );
  // Each adds 1 to a word, and wants the old value when its tag is odd.
  atom_req_t add_one;
  always_comb begin
    atom_req_valid_o = '0;
    add_one          = '{sys: Build.sys_atomics, func: faa_l2_pkg::FUNC_ATOMIC,
                         op: 8'(faa_pkg::ATOM_OP_ADD), typ: 4'(faa_pkg::TYPE_U64),
                         b: {(LineBytes / 8){64'd1}}, default: '0};
    for (int unsigned n = 0; n < Slots; n++) begin
      if (a_grant[n]) begin
        atom_req_valid_o = a_valid[n*L2Ports +: L2Ports];
        add_one.line     = a_line[n*LineAddrW +: LineAddrW];
        add_one.strb     = a_strb[n*LineBytes +: LineBytes];
        add_one.tag      = 8'({SlotW'(n), a_tag[n*AtomTagW +: AtomTagW]});
        add_one.want     = a_tag[n*AtomTagW];
      end
    end
  end
  assign atom_req_o = {L2Ports{add_one}};

  function automatic logic [2:0] sum(input logic [Slots-1:0] x);
    sum = '0;
    for (int unsigned n = 0; n < Slots; n++) sum = sum + {2'b0, x[n]};
  endfunction

  // With each stream: a command and a warp of 32 elements, 2 passes, 9 groups, 7 operations of
  // banks, a stall of the write-back
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

  assign {snap_req_o, snap_beat_o, snap_ready_o, counters_o} = '0;

  logic unused;
  assign unused = ^{unused_member, unused_context_slot, snap_valid_i, snap_data_i, fold_done_i,
                    load_ready_i, atom_rsp_i};

  `FAA_ASSERT(StandInShared, !job_valid_i || job_i.shared_bytes <= Build.shared_bytes)

endmodule
