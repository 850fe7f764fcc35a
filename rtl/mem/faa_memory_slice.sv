// SPDX-License-Identifier: Apache-2.0
//
// An L2 slice with its arbiter: line requests and atomic operations of all compute units, and
// sweeps, in turn. In a build with it, the executor of operations of scope SYS is between arbiter
// and slice.
//
// Requests are taken in order from each port, and wait in one queue for each port of a unit. The
// slice's tag names the requester: {sweep, atomic operation, unit, tag of the unit}. Latency: that
// of the slice, whose first stage is the register after the arbiter. One request per cycle. Stalls:
// another port's turn, the slice. The slice is clocked while an operation is in flight in it.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"
`include "faa_defect.svh"

module faa_memory_slice #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  parameter int unsigned TagW = 7,
  localparam int unsigned NumCu = Build.num_cu,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned CuW = (NumCu > 1) ? $clog2(NumCu) : 1,
  localparam int unsigned MshrW = $clog2(Build.l2_mshrs),
  localparam int unsigned WbW = $clog2(Build.l2_wb),
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, TagW),
  localparam type atom_req_t = `FAA_ATOM_REQ(LineBytes)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Line requests, unit n in slice n of each vector.
  input  logic [NumCu-1:0]           line_valid_i,
  output logic [NumCu-1:0]           line_ready_o,
  input  line_req_t [NumCu-1:0]      line_i,

  // Line operations of LD, ST and ATOM; ready does not depend on valid.
  input  logic [NumCu-1:0]           atom_valid_i,
  output logic [NumCu-1:0]           atom_ready_o,
  input  atom_req_t [NumCu-1:0]      atom_i,

  // Sweeps: one at a time.
  input  logic                  sweep_valid_i,
  output logic                  sweep_ready_o,
  input  logic                  sweep_drop_i,
  output logic                  sweep_rsp_valid_o,

  // Responses, for the line port or the atomic port of a unit: one of the bits is 1 while there is
  // one.
  output logic [NumCu-1:0]      line_rsp_valid_o,
  output logic [NumCu-1:0]      atom_rsp_valid_o,
  input  logic                  rsp_ready_i,
  output logic [7:0]            rsp_tag_o,
  output logic [LineW-1:0]      rsp_data_o,
  output logic                  rsp_err_o,

  // Memory, as in faa_l2.
  output logic                  mem_rd_valid_o,
  input  logic                  mem_rd_ready_i,
  output logic [51:OffW]        mem_rd_addr_o,
  output logic [MshrW-1:0]      mem_rd_tag_o,
  input  logic                  mem_rd_rsp_valid_i,
  input  logic [MshrW-1:0]      mem_rd_rsp_tag_i,
  input  logic [LineW-1:0]      mem_rd_rsp_data_i,
  input  logic                  mem_rd_rsp_err_i,
  output logic                  mem_wr_valid_o,
  input  logic                  mem_wr_ready_i,
  output logic [51:OffW]        mem_wr_addr_o,
  output logic [LineW-1:0]      mem_wr_data_o,
  output logic [LineBytes-1:0]  mem_wr_strb_o,
  output logic [WbW-1:0]        mem_wr_tag_o,
  input  logic                  mem_wr_rsp_valid_i,
  input  logic [WbW-1:0]        mem_wr_rsp_tag_i,
  input  logic                  mem_wr_rsp_err_i,

  // Atomic transactions, as in faa_l2_sys.
  output logic                  at_valid_o,
  input  logic                  at_ready_i,
  output logic [1:0]            at_op_o,
  output logic                  at_wide_o,
  output logic [51:2]           at_addr_o,
  output logic [63:0]           at_data_o,
  output logic [63:0]           at_compare_o,
  output logic [3:0]            at_tag_o,
  input  logic                  at_rsp_valid_i,
  input  logic [3:0]            at_rsp_tag_i,
  input  logic [63:0]           at_rsp_data_i,
  input  logic                  at_rsp_err_i,

  // Memory refused a line.
  output logic                  lost_valid_o,
  output logic [51:OffW]        lost_addr_o,

  output logic                  idle_o
);

  localparam int unsigned Ports = 2 * NumCu + 1;
  localparam int unsigned L2TagW = 2 + CuW + 8;

  // ---- Line requests ----

  // Requests of units have addresses of 52 bits, and are not direct.
  typedef struct packed {
    logic                 write;
    logic [51:OffW]       line;
    logic [LineW-1:0]     data;
    logic [LineBytes-1:0] strb;
    logic [TagW-1:0]      tag;
  } queued_t;
  logic [NumCu-1:0]    queued_valid, queued_ready, queue_ready, queue_idle;
  queued_t [NumCu-1:0] queued;

  for (genvar n = 0; n < NumCu; n++) begin : gen_queue
    faa_line_queue #(.Width($bits(queued_t)), .Single(Build.compact)) u_queue (
      .clk_i, .rst_ni, .valid_i(line_valid_i[n]), .ready_o(queue_ready[n]),
      .data_i({line_i[n].write, line_i[n].addr[51:OffW], line_i[n].data, line_i[n].strb,
               line_i[n].tag}),
      .valid_o(queued_valid[n]), .ready_i(queued_ready[n]), .data_o(queued[n]),
      .idle_o(queue_idle[n])
    );
  end
  assign line_ready_o = line_valid_i & queue_ready;

  // ---- Operations of the atomic ports ----

  logic [NumCu-1:0]      op_valid, op_ready, op_queue_ready, op_idle;
  atom_req_t [NumCu-1:0] op;

  for (genvar n = 0; n < NumCu; n++) begin : gen_atom_queue
`ifdef FAA_DEFECTS
    faa_line_queue_unordered #(.Width($bits(atom_req_t))) u_queue (
      .load_i(atom_i[n].func == faa_l2_pkg::FUNC_LOAD),
`else
    faa_line_queue #(.Width($bits(atom_req_t)), .Single(Build.compact)) u_queue (
`endif
      .clk_i, .rst_ni, .valid_i(atom_valid_i[n]), .ready_o(op_queue_ready[n]),
      .data_i(atom_i[n]), .valid_o(op_valid[n]), .ready_i(op_ready[n]), .data_o(op[n]),
      .idle_o(op_idle[n])
    );
  end
  assign atom_ready_o = op_queue_ready;

  // ---- Arbitration ----

  logic [Ports-1:0]  req, grant;
  logic              req_valid, req_ready, req_sys, req_ftz, req_want;
  logic [2:0]           req_func;
  logic [7:0]           req_op;
  logic [3:0]           req_typ;
  logic [51:OffW]       req_line;
  logic [LineBytes-1:0] req_strb;
  logic [LineW-1:0]     req_b, req_c;
  logic [L2TagW-1:0]    req_tag;

  assign req       = {sweep_valid_i, op_valid, queued_valid};
  assign req_valid = req != '0;
  assign {sweep_ready_o, op_ready, queued_ready} = req_ready ? grant : '0;

  `FAA_DEFECT(atomics_in_l2, "atomics-in-l2")
  `FAA_DEFECT(strong_in_l2, "strong-in-l2")

  faa_arb_rr #(.N(Ports)) u_arb (
    .clk_i, .rst_ni, .req_i(req), .grant_o(grant), .advance_i(req_ready)
  );

  always_comb begin
    req_func = sweep_drop_i ? faa_l2_pkg::FUNC_FLUSH : faa_l2_pkg::FUNC_CLEAN;
    req_tag  = {2'b10, {(CuW + 8){1'b0}}};
    req_sys  = 1'b0;
    {req_op, req_typ, req_ftz, req_want, req_line, req_strb, req_b, req_c} = '0;
    for (int unsigned n = 0; n < NumCu; n++) begin
      if (grant[n]) begin
        req_func = queued[n].write ? faa_l2_pkg::FUNC_STORE : faa_l2_pkg::FUNC_LOAD;
        req_tag  = {2'b00, CuW'(n), 8'(queued[n].tag)};
        req_want = !queued[n].write;
        req_line = req_line | queued[n].line;
        req_strb = req_strb | queued[n].strb;
        req_b    = req_b | queued[n].data;
      end
      if (grant[NumCu+n]) begin
        req_func = op[n].func;
        req_tag  = {2'b01, CuW'(n), op[n].tag};
        req_sys  = op[n].sys && !strong_in_l2 &&
                   !(atomics_in_l2 && op[n].func == faa_l2_pkg::FUNC_ATOMIC);
        req_op   = req_op | op[n].op;
        req_typ  = req_typ | op[n].typ;
        req_ftz  = req_ftz | op[n].ftz;
        req_want = op[n].want;
        req_line = req_line | op[n].line;
        req_strb = req_strb | op[n].strb;
        req_b    = req_b | op[n].b;
        req_c    = req_c | op[n].c;
      end
    end
  end

  // ---- The slice ----

  logic              clk_l2, l2_idle, rsp_valid, rsp_ready;
  logic [L2TagW-1:0] rsp_tag;
  logic [6:0]        unused_stalls;
  logic [4:0]        unused_events;

  // The slice's own ports.
  logic            l2_valid, l2_ready, l2_ftz, l2_want, l2_rsp_valid, l2_rsp_ready, l2_rsp_err, sys_idle;
  logic [2:0]           l2_func;
  logic [7:0]           l2_op;
  logic [3:0]           l2_typ;
  logic [51:OffW]       l2_line;
  logic [LineBytes-1:0] l2_strb;
  logic [LineW-1:0]     l2_b, l2_c, l2_rsp_data;
  logic [L2TagW:0]      l2_tag, l2_rsp_tag;

  if (Build.sys_atomics) begin : gen_sys
    logic unused_stall;
    faa_l2_sys #(
      .TagW(L2TagW), .F32(Build.f32), .F64(Build.f64), .X2(Build.x2), .LineBytes(LineBytes)
    ) u_sys (
      .clk_i(clk_l2), .rst_ni,
      .req_valid_i(req_valid), .req_ready_o(req_ready), .req_sys_i(req_sys), .req_func_i(req_func), .req_op_i(req_op),
      .req_typ_i(req_typ), .req_ftz_i(req_ftz), .req_want_i(req_want), .req_addr_i(req_line), .req_strb_i(req_strb), .req_b_i(req_b),
      .req_c_i(req_c), .req_tag_i(req_tag), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_tag_o(rsp_tag), .rsp_data_o,
      .rsp_err_o,
      .l2_req_valid_o(l2_valid), .l2_req_ready_i(l2_ready), .l2_req_func_o(l2_func), .l2_req_op_o(l2_op), .l2_req_typ_o(l2_typ),
      .l2_req_ftz_o(l2_ftz), .l2_req_want_o(l2_want), .l2_req_addr_o(l2_line), .l2_req_strb_o(l2_strb), .l2_req_b_o(l2_b),
      .l2_req_c_o(l2_c), .l2_req_tag_o(l2_tag), .l2_rsp_valid_i(l2_rsp_valid), .l2_rsp_ready_o(l2_rsp_ready),
      .l2_rsp_tag_i(l2_rsp_tag), .l2_rsp_data_i(l2_rsp_data), .l2_rsp_err_i(l2_rsp_err),
      .at_valid_o, .at_ready_i, .at_op_o, .at_wide_o, .at_addr_o, .at_data_o, .at_compare_o, .at_tag_o, .at_rsp_valid_i,
      .at_rsp_tag_i, .at_rsp_data_i, .at_rsp_err_i, .idle_o(sys_idle), .ev_stall_o(unused_stall)
    );
  end else begin : gen_no_sys
    assign {l2_valid, l2_func, l2_op, l2_typ, l2_ftz, l2_want, l2_line, l2_strb, l2_b, l2_c, l2_tag} =
        {req_valid, req_func, req_op, req_typ, req_ftz, req_want, req_line, req_strb, req_b, req_c, 1'b0, req_tag};
    assign req_ready    = l2_ready;
    assign rsp_valid    = l2_rsp_valid;
    assign rsp_tag      = l2_rsp_tag[L2TagW-1:0];
    assign rsp_data_o   = l2_rsp_data;
    assign rsp_err_o    = l2_rsp_err;
    assign l2_rsp_ready = rsp_ready;
    assign sys_idle     = 1'b1;
    assign {at_valid_o, at_op_o, at_wide_o, at_addr_o, at_data_o, at_compare_o, at_tag_o} = '0;
    logic unused_sys;
    assign unused_sys = ^{req_sys, at_ready_i, at_rsp_valid_i, at_rsp_tag_i, at_rsp_data_i, at_rsp_err_i, l2_rsp_tag[L2TagW]};
  end

  faa_clock_gate u_gate_l2 (
    .clk_i,
    .rst_ni,
    .en_i (req_valid || !l2_idle || !sys_idle),
    .clk_o(clk_l2)
  );

  faa_l2 #(
    .Sets(Build.l2_sets), .Ways(Build.l2_ways), .Mshrs(Build.l2_mshrs), .WbEntries(Build.l2_wb),
    .AluWords(Build.l2_alu_words),
    .TagW(L2TagW + 1), .F32(Build.f32), .F64(Build.f64), .X2(Build.x2),
    .Compact(Build.compact), .LineBytes(LineBytes)
  ) u_l2 (
    .clk_i(clk_l2), .rst_ni,
    .req_valid_i(l2_valid), .req_ready_o(l2_ready), .req_func_i(l2_func), .req_op_i(l2_op), .req_typ_i(l2_typ),
    .req_ftz_i(l2_ftz), .req_want_i(l2_want), .req_addr_i(l2_line), .req_strb_i(l2_strb), .req_b_i(l2_b), .req_c_i(l2_c),
    .req_tag_i(l2_tag), .rsp_valid_o(l2_rsp_valid), .rsp_ready_i(l2_rsp_ready), .rsp_tag_o(l2_rsp_tag), .rsp_data_o(l2_rsp_data),
    .rsp_err_o(l2_rsp_err),
    .mem_rd_valid_o, .mem_rd_ready_i, .mem_rd_addr_o, .mem_rd_tag_o, .mem_rd_rsp_valid_i, .mem_rd_rsp_tag_i, .mem_rd_rsp_data_i,
    .mem_rd_rsp_err_i, .mem_wr_valid_o, .mem_wr_ready_i, .mem_wr_addr_o, .mem_wr_data_o, .mem_wr_strb_o, .mem_wr_tag_o,
    .mem_wr_rsp_valid_i, .mem_wr_rsp_tag_i, .mem_wr_rsp_err_i, .lost_valid_o, .lost_addr_o,
    .idle_o(l2_idle), .ev_hit_o(unused_events[0]), .ev_merge_o(unused_events[1]), .ev_miss_o(unused_events[2]),
    .ev_read_o(unused_events[3]), .ev_write_o(unused_events[4]), .ev_stall_o(unused_stalls)
  );

  // ---- Response of the slice ----

  assign sweep_rsp_valid_o = rsp_valid && rsp_tag[L2TagW-1];
  assign rsp_ready         = rsp_tag[L2TagW-1] || rsp_ready_i;
  assign rsp_tag_o         = rsp_tag[7:0];
  for (genvar n = 0; n < NumCu; n++) begin : gen_rsp
    assign line_rsp_valid_o[n] = rsp_valid && rsp_tag[L2TagW-1:8] == {2'b00, CuW'(n)};
    assign atom_rsp_valid_o[n] = rsp_valid && rsp_tag[L2TagW-1:8] == {2'b01, CuW'(n)};
  end

  assign idle_o = l2_idle && sys_idle && queue_idle == '1 && op_idle == '1;

  logic unused;
  assign unused = ^{line_i, unused_events, unused_stalls};

  `FAA_ASSERT(slice_knows_who, !rsp_valid || sweep_rsp_valid_o || (line_rsp_valid_o | atom_rsp_valid_o) != '0)
  for (genvar n = 0; n < NumCu; n++) begin : gen_check
    `FAA_ASSUME(slice_address, !line_valid_i[n] || line_i[n].addr[63:52] == '0)
  end
  `FAA_COVER(slice_request_waits, (req & ~grant) != '0)
  `FAA_COVER(slice_not_ready, req_valid && !req_ready)
  `FAA_COVER(slice_answer_waits, rsp_valid && !rsp_ready)

endmodule
