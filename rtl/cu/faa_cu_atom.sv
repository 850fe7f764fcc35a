// SPDX-License-Identifier: Apache-2.0
//
// The atomic unit of a compute unit (faa_global), its clock gate, and faa_cu_lend, which gives it
// to the slots.
//
// No latency of its own. Stalls and hazards: those of faa_cu_lend and faa_global.

`include "bundle/faa_line.svh"

module faa_cu_atom #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  localparam int unsigned Slots = Build.warp_slots,
  localparam int unsigned Lanes = Build.shared_lanes,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned Ports = Build.l2_ports,
  localparam int unsigned SlotW = Slots > 1 ? $clog2(Slots) : 1,
  localparam int unsigned UserW = faa_cu_pkg::AtomUserW,
  localparam int unsigned LineW = LineBytes * 8,
  localparam int unsigned OffW = $clog2(LineBytes),
  // A beat: part of the warp, addresses, operands b and c
  localparam int unsigned WarpW = $bits(faa_cu_pkg::atom_warp_t) + $bits(faa_cu_pkg::part_t) +
                                  Lanes * (52 + 128),
  localparam type atom_req_t = `FAA_ATOM_REQ(LineBytes),
  localparam type atom_rsp_t = `FAA_ATOM_RSP(LineBytes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Slots, number n in slice n of each vector
  input  logic [Slots-1:0]       valid_i,
  output logic [Slots-1:0]       ready_o,
  input  logic [Slots-1:0]       last_i,
  input  logic [Slots-1:0]       result_i,
  input  logic [Slots*WarpW-1:0] warp_i,
  output logic [Slots-1:0]       result_valid_o,
  input  logic [Slots-1:0]       result_ready_i,
  output faa_cu_pkg::part_t      result_part_o,
  output logic [Lanes*64-1:0]    result_o,
  output logic [UserW-1:0]       result_user_o,
  output logic [Slots-1:0]       done_o,
  output logic [UserW-1:0]       done_user_o,
  output logic                   error_valid_o,
  output logic [51:OffW]         error_address_o,
  output logic [SlotW-1:0]       error_slot_o,
  output logic [UserW-1:0]       error_user_o,

  // Line operations for the L2, as of faa_cu
  output logic [Ports-1:0]       atom_req_valid_o,
  input  logic [Ports-1:0]       atom_req_ready_i,
  output atom_req_t [Ports-1:0]  atom_req_o,
  input  logic [Ports-1:0]       atom_rsp_valid_i,
  input  atom_rsp_t [Ports-1:0]  atom_rsp_i,

  // Events
  output logic [8:0]             ev_atom_items_o,
  output logic [3:0]             ev_atom_lines_o,
  output logic                   ev_stall_lines_o,
  output logic                   ev_stall_memory_o,
  output logic                   ev_stall_tag_o
);

  logic                   clk_unit, lent, warp_ready, unit_idle;
  logic                   unused_mode, unused_result_stall;
  logic                   unit_result, unit_result_ready, unit_done;
  logic [SlotW-1:0]       slot, result_slot, done_slot;
  logic [Slots-1:0]       unused_idle;
  faa_cu_pkg::atom_warp_t warp;
  faa_cu_pkg::part_t      part;
  logic [Lanes*52-1:0]    pa;
  logic [1:0][Lanes*64-1:0] operand;   // c, b

  // Line operations of the ports
  logic [Ports-1:0]                sys, ftz, want, rsp_err;
  logic [Ports-1:0][2:0]           func;
  logic [Ports-1:0][7:0]           op, tag, rsp_tag;
  logic [Ports-1:0][3:0]           typ;
  logic [Ports-1:0][51:OffW]       line;
  logic [Ports-1:0][LineBytes-1:0] strb;
  logic [Ports-1:0][LineW-1:0]     b, c, rsp_data;

  for (genvar n = 0; n < Ports; n++) begin : g_port
    assign atom_req_o[n] = '{sys: sys[n], func: func[n], op: op[n], typ: typ[n], ftz: ftz[n],
                             want: want[n], line: line[n], strb: strb[n], b: b[n], c: c[n],
                             tag: tag[n]};
    assign {rsp_tag[n], rsp_data[n], rsp_err[n]} = atom_rsp_i[n];
  end

  faa_cu_lend #(
    .Slots(Slots),
    .WarpW(WarpW)
  ) u_lend (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o,
    .last_i,
    .result_i,
    .warp_i,
    .result_valid_o,
    .result_ready_i,
    .done_o,
    .idle_o        (unused_idle),   // slots count their own reads and writes
    .warp_valid_o  (lent),
    .warp_ready_i  (warp_ready),
    .warp_o        ({warp, part, pa, operand[0], operand[1]}),
    .warp_slot_o   (slot),
    .result_valid_i(unit_result),
    .result_ready_o(unit_result_ready),
    .result_last_i (result_part_o.last),
    .result_slot_i (result_slot),
    .done_i        (unit_done),
    .done_slot_i   (done_slot)
  );

  faa_clock_gate u_gate (
    .clk_i,
    .rst_ni,
    .en_i (lent || !unit_idle),
    .clk_o(clk_unit)
  );

  faa_global #(
    .Lanes  (Lanes),
    .LineBytes(LineBytes),
    .UserW  (SlotW + faa_cu_pkg::AtomUserW),
    .Ports  (Ports),
    .Slices (Build.l2_slices),
    .F32    (Build.f32),
    .F64    (Build.f64),
    .X2     (Build.x2),
    .Relaxed(Build.relaxed)
  ) u_atom (
    .clk_i            (clk_unit),
    .rst_ni,
    .warp_valid_i     (lent),
    .warp_ready_o     (warp_ready),
    .warp_part_i      (part),
    .warp_mask_i      (warp.mask),
    .warp_sparse_i    (warp.sparse),
    .warp_func_i      (warp.func),
    .warp_op_i        (warp.op),
    .warp_typ_i       (warp.typ),
    .warp_mod_i       (warp.mod),
    .warp_result_i    (warp.result),
    .warp_sys_i       (warp.sys),
    .warp_user_i      ({slot, warp.user}),
    .warp_pa_i        (pa),
    .warp_b_i         (operand[0]),
    .warp_c_i         (operand[1]),
    .result_valid_o   (unit_result),
    .result_ready_i   (unit_result_ready),
    .result_part_o,
    .result_o,
    .result_user_o    ({result_slot, result_user_o}),
    .done_valid_o     (unit_done),
    .done_user_o      ({done_slot, done_user_o}),
    .error_valid_o,
    .error_address_o,
    .error_user_o     ({error_slot_o, error_user_o}),
    .mem_valid_o      (atom_req_valid_o),
    .mem_ready_i      (atom_req_ready_i),
    .mem_sys_o        (sys),
    .mem_func_o       (func),
    .mem_op_o         (op),
    .mem_typ_o        (typ),
    .mem_ftz_o        (ftz),
    .mem_want_o       (want),
    .mem_line_o       (line),
    .mem_strb_o       (strb),
    .mem_b_o          (b),
    .mem_c_o          (c),
    .mem_tag_o        (tag),
    .mem_rsp_valid_i  (atom_rsp_valid_i),
    .mem_rsp_tag_i    (rsp_tag),
    .mem_rsp_data_i   (rsp_data),
    .mem_rsp_err_i    (rsp_err),
    .ev_groups_o      (ev_atom_items_o),
    .ev_lines_o       (ev_atom_lines_o),
    .ev_stall_lines_o,
    .ev_stall_memory_o,
    .ev_stall_tag_o,
    .ev_stall_mode_o  (unused_mode),
    .ev_stall_result_o(unused_result_stall),
    .idle_o           (unit_idle)
  );

  logic unused_atom;
  assign unused_atom = ^{unused_idle, unused_mode, unused_result_stall};

endmodule
