// SPDX-License-Identifier: Apache-2.0
//
// The operand path with the fields of its command as ports of their own, for a C++ test. Serial:
// the path that works lane by lane, with registers in beats of Lanes lanes.

module faa_test_operand #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter bit Serial = 1'b0,
  localparam int unsigned OutLanes = Serial ? 1 : Lanes
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic [7:0]    opcode_i,
  input  logic [3:0]    typ_i,
  input  logic [32:0]   count_i,
  input  logic [11:0]   kinds_i,         // d, c, b, a
  input  logic [23:0]   rows_i,          // c, b, a
  input  logic [2:0]    dim_i,           // of SUATOM, like the next ones
  input  logic          packed_i,
  input  logic [1:0]    handle_kind_i,
  input  logic [19:0]   handle_i,
  input  logic [191:0]  a_i,             // words of the operands, the first in the low bits
  input  logic [191:0]  b_i,
  input  logic [191:0]  c_i,
  input  logic [127:0]  d_i,
  input  logic [23:0]   offset_i,
  input  logic          start_i,
  input  logic [31:0]   guard_i,
  input  logic [31:0]   first_i,
  input  logic          overlap_i,
  input  logic          go_i,
  input  logic          hold_i,
  input  logic          drop_i,
  input  logic          redo_i,
  input  logic [31:0]   redo_element_i,
  input  logic          held_i,
  input  logic          cancel_i,
  output logic          idle_o,
  output logic          quiet_o,
  output logic          stall_o,
  output logic [5:0]    lanes_o,
  output logic [5:0]    row_lanes_o,
  output logic          rd_en_o,
  output logic [7:0]    rd_row_o,
  output logic [2:0]    rd_beat_o,
  input  logic [Lanes*32-1:0] rd_data_i,
  output logic          warp_valid_o,
  input  logic          warp_ready_i,
  output logic [31:0]   warp_mask_o,
  output logic [31:0]   warp_element_o,
  output logic [5:0]    warp_count_o,
  output logic          warp_last_o,
  output logic [5:0]    warp_part_o,     // {last, number of the beat}
  // Serial: coordinates of SUATOM, which come before the other operands
  output logic          warp_coords_o,
  output logic [OutLanes*64-1:0] warp_a_o,
  output logic [OutLanes*64-1:0] warp_b_o,
  output logic [OutLanes*64-1:0] warp_c_o,
  output logic [OutLanes*32-1:0] warp_z_o,
  output logic [OutLanes*32-1:0] warp_handle_o,
  output logic [63:0]   warp_d_va_o,
  output logic [7:0]    warp_error_o,
  output logic [4:0]    warp_lane_o,
  output logic [63:0]   warp_address_o,
  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output logic [63:0]   tr_va_o,
  input  logic          tr_rsp_valid_i,
  input  logic [7:0]    tr_rsp_error_i,
  input  logic [63:0]   tr_rsp_pa_i,
  input  logic          tr_rsp_sparse_i,
  output logic          mem_valid_o,
  input  logic          mem_ready_i,
  output logic [63:0]   mem_addr_o,
  output logic [6:0]    mem_tag_o,
  input  logic          mem_rsp_valid_i,
  input  logic [6:0]    mem_rsp_tag_i,
  input  logic [LineBytes*8-1:0] mem_rsp_data_i,
  input  logic          mem_rsp_err_i
);

  faa_cu_pkg::cmd_t cmd;
  localparam int unsigned OffW = $clog2(LineBytes);
  logic [51:OffW]   mem_line;
  faa_bundle_pkg::tr_req_t tr_req;
  faa_cu_pkg::warp_t warp;

  assign {warp_mask_o, warp_element_o, warp_count_o, warp_last_o, warp_d_va_o, warp_error_o,
          warp_lane_o, warp_address_o} = warp;
  faa_bundle_pkg::tr_rsp_t tr_rsp;

  assign tr_va_o = tr_req.va;
  assign tr_rsp  = '{error: tr_rsp_error_i, pa: tr_rsp_pa_i, sparse: tr_rsp_sparse_i, big: 1'b0};

  always_comb begin
    cmd        = '0;
    cmd.opcode = opcode_i;
    cmd.typ    = typ_i;
    cmd.count  = count_i;
    {cmd.kind_d, cmd.kind_c, cmd.kind_b, cmd.kind_a} = kinds_i;
    {cmd.rc, cmd.rb, cmd.ra} = rows_i;
    {cmd.a_2, cmd.a_1, cmd.a_0} = a_i;
    {cmd.b_2, cmd.b_1, cmd.b_0} = b_i;
    {cmd.c_2, cmd.c_1, cmd.c_0} = c_i;
    cmd.dim           = dim_i;
    cmd.coords_packed = packed_i;
    cmd.handle_kind   = handle_kind_i;
    cmd.handle        = handle_i;
    cmd.offset        = offset_i;
    cmd.d_0 = d_i[63:0];
    cmd.d_1 = d_i[102:64];
  end
  assign mem_addr_o = {12'b0, mem_line, {OffW{1'b0}}};

  assign lanes_o     = 6'(OutLanes);
  assign row_lanes_o = 6'(Lanes);

  if (Serial) begin : gen_serial
    faa_cu_pkg::lanes_t lanes;
    assign warp_part_o = {lanes.last, lanes.first};

    faa_cu_operand_serial #(.SurfaceAtomics(1'b1), .Lanes(Lanes), .LineBytes(LineBytes)) u_operand (
      .clk_i, .rst_ni, .start_i, .cmd_i(cmd), .guard_i, .first_i, .overlap_i, .go_i, .hold_i,
      .drop_i, .redo_i, .redo_element_i, .held_i, .wait_i(1'b0), .cancel_i, .idle_o, .quiet_o,
      .stall_o, .rd_en_o, .rd_row_o, .rd_beat_o, .rd_data_i, .warp_valid_o, .warp_ready_i,
      .warp_o(warp), .warp_lanes_o(lanes), .warp_coords_o, .warp_a_o,
      .warp_b_o, .warp_c_o, .warp_z_o, .warp_handle_o,  .tr_valid_o, .tr_ready_i, .tr_req_o(tr_req),
      .tr_rsp_valid_i, .tr_rsp_i(tr_rsp), .mem_valid_o, .mem_ready_i, .mem_line_o(mem_line),
      .mem_tag_o, .mem_rsp_valid_i, .mem_rsp_tag_i, .mem_rsp_data_i, .mem_rsp_err_i
    );
  end else begin : gen_beats
    faa_cu_pkg::part_t part;
    assign warp_part_o   = {part.last, 5'(part.number)};
    assign warp_coords_o = 1'b0;

    faa_cu_operand #(.SurfaceAtomics(1'b1), .Lanes(Lanes), .LineBytes(LineBytes)) u_operand (
      .clk_i, .rst_ni, .start_i, .cmd_i(cmd), .guard_i, .first_i, .overlap_i, .go_i, .hold_i,
      .drop_i, .redo_i, .redo_element_i, .held_i, .cancel_i, .idle_o, .quiet_o, .stall_o, .rd_en_o,
      .rd_row_o, .rd_beat_o, .rd_data_i, .warp_valid_o, .warp_ready_i, .warp_o(warp),
      .warp_part_o(part), .warp_a_o, .warp_b_o,
      .warp_c_o, .warp_z_o, .warp_handle_o,  .tr_valid_o, .tr_ready_i, .tr_req_o(tr_req),
      .tr_rsp_valid_i, .tr_rsp_i(tr_rsp), .mem_valid_o, .mem_ready_i, .mem_line_o(mem_line),
      .mem_tag_o, .mem_rsp_valid_i, .mem_rsp_tag_i, .mem_rsp_data_i, .mem_rsp_err_i
    );
  end

  logic unused;
  assign unused = ^{d_i[127:103], tr_req};

endmodule
