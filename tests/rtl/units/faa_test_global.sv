// SPDX-License-Identifier: Apache-2.0
//
// The atomic unit for global memory, for its testbench, which gives it whole warps and takes the
// answers of whole warps. With real_i a small L2 slice serves each port, else the testbench does.

module faa_test_global #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned UserW = 16,
  parameter int unsigned Ports = 1,
  parameter int unsigned Slices = 1,
  parameter bit          Floats = 1'b1,
  localparam int unsigned LineW = LineBytes * 8,
  localparam int unsigned AddrW = 52 - $clog2(LineBytes)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             real_i,       // changes only while everything is idle
  // real_i: the slice writes back all of its data; held until flush_done_o
  input  logic             flush_i,
  output logic             flush_done_o,

  input  logic             warp_valid_i,
  output logic             warp_ready_o,
  input  logic [31:0]      warp_mask_i,
  input  logic [31:0]      warp_sparse_i,
  input  logic [1:0]       warp_func_i,
  input  logic [7:0]       warp_op_i,
  input  logic [3:0]       warp_typ_i,
  input  logic [1:0]       warp_mod_i,
  input  logic             warp_result_i,
  input  logic [UserW-1:0] warp_user_i,
  input  logic [32*52-1:0] warp_pa_i,
  input  logic [2047:0]    warp_b_i,
  input  logic [2047:0]    warp_c_i,
  output logic             result_valid_o,
  input  logic             result_ready_i,
  output logic [2047:0]    result_o,
  output logic [UserW-1:0] result_user_o,
  output logic             done_valid_o,
  output logic [UserW-1:0] done_user_o,
  output logic             error_valid_o,
  output logic [AddrW-1:0]      error_address_o,
  output logic [UserW-1:0] error_user_o,

  output logic [Ports-1:0]     mem_valid_o,
  input  logic [Ports-1:0]     mem_ready_i,
  output logic [Ports*3-1:0]   mem_func_o,
  output logic [Ports*8-1:0]   mem_op_o,
  output logic [Ports*4-1:0]   mem_typ_o,
  output logic [Ports-1:0]     mem_ftz_o,
  output logic [Ports-1:0]     mem_want_o,
  output logic [Ports*AddrW-1:0]  mem_line_o,
  output logic [Ports*LineBytes-1:0]  mem_strb_o,
  output logic [Ports*LineW-1:0] mem_b_o,
  output logic [Ports*LineW-1:0] mem_c_o,
  output logic [Ports*8-1:0]   mem_tag_o,
  input  logic [Ports-1:0]     mem_rsp_valid_i,
  input  logic [Ports*8-1:0]   mem_rsp_tag_i,
  input  logic [Ports*LineW-1:0] mem_rsp_data_i,
  input  logic [Ports-1:0]     mem_rsp_err_i,

  output logic [8:0]       ev_groups_o,
  output logic [3:0]       ev_lines_o,
  output logic             ev_stall_lines_o,
  output logic             ev_stall_memory_o,
  output logic             ev_stall_tag_o,
  output logic             ev_stall_mode_o,
  output logic             ev_stall_result_o,
  output logic             idle_o,

  output logic [Ports-1:0]     mem_rd_valid_o,
  input  logic [Ports-1:0]     mem_rd_ready_i,
  output logic [Ports*AddrW-1:0]  mem_rd_addr_o,
  output logic [Ports*4-1:0]   mem_rd_tag_o,
  input  logic [Ports-1:0]     mem_rd_rsp_valid_i,
  input  logic [Ports*4-1:0]   mem_rd_rsp_tag_i,
  input  logic [Ports*LineW-1:0] mem_rd_rsp_data_i,
  input  logic [Ports-1:0]     mem_rd_rsp_err_i,
  output logic [Ports-1:0]     mem_wr_valid_o,
  input  logic [Ports-1:0]     mem_wr_ready_i,
  output logic [Ports*AddrW-1:0]  mem_wr_addr_o,
  output logic [Ports*LineW-1:0] mem_wr_data_o,
  output logic [Ports*LineBytes-1:0]  mem_wr_strb_o,
  output logic [Ports*4-1:0]   mem_wr_tag_o,
  input  logic [Ports-1:0]     mem_wr_rsp_valid_i,
  input  logic [Ports*4-1:0]   mem_wr_rsp_tag_i,
  input  logic [Ports-1:0]     mem_wr_rsp_err_i
);

  logic [Ports-1:0]     flush_sent_q, flushed_q, flushed, l2_ready, l2_rsp_valid, l2_rsp_err, unused_sys;
  logic [Ports*8-1:0]   l2_rsp_tag;
  logic [Ports*LineW-1:0] l2_rsp_data;

  // Warps to beats, and back
  logic [2:0]               valid, ready;
  faa_cu_pkg::part_t [2:0]  part;
  logic [Lanes*52-1:0]      beat_pa;
  logic [1:0][Lanes*64-1:0] beat;
  logic                     beat_ready, answer_valid, answer_ready;
  faa_cu_pkg::part_t        answer_part;
  logic [Lanes*64-1:0]      answer;

  faa_cu_cut #(
    .Lanes(Lanes),
    .Width(52)
  ) u_cut_pa (
    .clk_i,
    .rst_ni,
    .valid_i(warp_valid_i),
    .ready_o(ready[2]),
    .data_i (warp_pa_i),
    .valid_o(valid[2]),
    .ready_i(beat_ready),
    .part_o (part[2]),
    .data_o (beat_pa)
  );

  for (genvar n = 0; n < 2; n++) begin : g_cut
    faa_cu_cut #(
      .Lanes(Lanes)
    ) u_cut (
      .clk_i,
      .rst_ni,
      .valid_i(warp_valid_i),
      .ready_o(ready[n]),
      .data_i (n == 0 ? warp_b_i : warp_c_i),
      .valid_o(valid[n]),
      .ready_i(beat_ready),
      .part_o (part[n]),
      .data_o (beat[n])
    );
  end
  assign warp_ready_o = &ready;

  faa_cu_collect #(
    .Lanes(Lanes)
  ) u_collect (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(answer_valid),
    .ready_o(answer_ready),
    .part_i (answer_part),
    .data_i (answer),
    .valid_o(result_valid_o),
    .ready_i(result_ready_i),
    .data_o (result_o)
  );

  logic unused;
  assign unused = ^{valid, part};

  faa_global #(
    .Lanes  (Lanes),
    .LineBytes(LineBytes),
    .UserW  (UserW),
    .Ports  (Ports),
    .Slices (Slices),
    .F32    (Floats),
    .F64    (Floats),
    .X2     (Floats),
    .Relaxed(Floats)
  ) u_global (
    .clk_i,
    .rst_ni,
    .warp_valid_i   (&valid),
    .warp_ready_o   (beat_ready),
    .warp_part_i    (part[2]),
    .warp_mask_i,
    .warp_sparse_i,
    .warp_func_i,
    .warp_op_i,
    .warp_typ_i,
    .warp_mod_i,
    .warp_result_i,
    .warp_sys_i(1'b0),
    .warp_user_i,
    .warp_pa_i      (beat_pa),
    .warp_b_i       (beat[0]),
    .warp_c_i       (beat[1]),
    .result_valid_o (answer_valid),
    .result_ready_i (answer_ready),
    .result_part_o  (answer_part),
    .result_o       (answer),
    .result_user_o,
    .done_valid_o,
    .done_user_o,
    .error_valid_o,
    .error_address_o,
    .error_user_o,
    .mem_valid_o,
    .mem_ready_i    (real_i ? l2_ready : mem_ready_i),
    .mem_func_o,
    .mem_op_o,
    .mem_typ_o,
    .mem_ftz_o,
    .mem_want_o,
    .mem_sys_o(unused_sys),
    .mem_line_o,
    .mem_strb_o,
    .mem_b_o,
    .mem_c_o,
    .mem_tag_o,
    .mem_rsp_valid_i(real_i ? l2_rsp_valid & ~{Ports{flush_i}} : mem_rsp_valid_i),
    .mem_rsp_tag_i  (real_i ? l2_rsp_tag : mem_rsp_tag_i),
    .mem_rsp_data_i (real_i ? l2_rsp_data : mem_rsp_data_i),
    .mem_rsp_err_i  (real_i ? l2_rsp_err : mem_rsp_err_i),
    .ev_groups_o,
    .ev_lines_o,
    .ev_stall_lines_o,
    .ev_stall_memory_o,
    .ev_stall_tag_o,
    .ev_stall_mode_o,
    .ev_stall_result_o,
    .idle_o
  );

  for (genvar n = 0; n < Ports; n++) begin : g_slice
    logic        unused_idle, unused_hit, unused_merge, unused_miss, unused_read, unused_write, unused_lost;
    logic [6:0]  unused_stall;
    logic [AddrW-1:0] unused_lost_addr;

    faa_l2 #(
      .Sets     (8),
      .Ways     (2),
      .Mshrs    (16),
      .ListSlots(16),
      .WbEntries(16),
      .AluWords (4),
      .TagW     (8),
      .LineBytes(LineBytes),
      .F32      (Floats),
      .F64      (Floats),
      .X2       (Floats)
    ) u_l2 (
      .clk_i,
      .rst_ni,
      .req_valid_i       (real_i && (mem_valid_o[n] || (flush_i && !flush_sent_q[n]))),
      .req_ready_o       (l2_ready[n]),
      .req_func_i        (flush_i ? faa_l2_pkg::FUNC_FLUSH : mem_func_o[n*3 +: 3]),
      .req_op_i          (mem_op_o[n*8 +: 8]),
      .req_typ_i         (mem_typ_o[n*4 +: 4]),
      .req_ftz_i         (mem_ftz_o[n]),
      .req_want_i        (mem_want_o[n]),
      .req_addr_i        (mem_line_o[n*AddrW +: AddrW]),
      .req_strb_i        (mem_strb_o[n*LineBytes +: LineBytes]),
      .req_b_i           (mem_b_o[n*LineW +: LineW]),
      .req_c_i           (mem_c_o[n*LineW +: LineW]),
      .req_tag_i         (mem_tag_o[n*8 +: 8]),
      .rsp_valid_o       (l2_rsp_valid[n]),
      .rsp_ready_i       (1'b1),
      .rsp_tag_o         (l2_rsp_tag[n*8 +: 8]),
      .rsp_data_o        (l2_rsp_data[n*LineW +: LineW]),
      .rsp_err_o         (l2_rsp_err[n]),
      .lost_valid_o      (unused_lost),
      .lost_addr_o       (unused_lost_addr),
      .mem_rd_valid_o    (mem_rd_valid_o[n]),
      .mem_rd_ready_i    (mem_rd_ready_i[n]),
      .mem_rd_addr_o     (mem_rd_addr_o[n*AddrW +: AddrW]),
      .mem_rd_tag_o      (mem_rd_tag_o[n*4 +: 4]),
      .mem_rd_rsp_valid_i(mem_rd_rsp_valid_i[n]),
      .mem_rd_rsp_tag_i  (mem_rd_rsp_tag_i[n*4 +: 4]),
      .mem_rd_rsp_data_i (mem_rd_rsp_data_i[n*LineW +: LineW]),
      .mem_rd_rsp_err_i  (mem_rd_rsp_err_i[n]),
      .mem_wr_valid_o    (mem_wr_valid_o[n]),
      .mem_wr_ready_i    (mem_wr_ready_i[n]),
      .mem_wr_addr_o     (mem_wr_addr_o[n*AddrW +: AddrW]),
      .mem_wr_data_o     (mem_wr_data_o[n*LineW +: LineW]),
      .mem_wr_strb_o     (mem_wr_strb_o[n*LineBytes +: LineBytes]),
      .mem_wr_tag_o      (mem_wr_tag_o[n*4 +: 4]),
      .mem_wr_rsp_valid_i(mem_wr_rsp_valid_i[n]),
      .mem_wr_rsp_tag_i  (mem_wr_rsp_tag_i[n*4 +: 4]),
      .mem_wr_rsp_err_i  (mem_wr_rsp_err_i[n]),
      .idle_o            (unused_idle),
      .ev_hit_o          (unused_hit),
      .ev_merge_o        (unused_merge),
      .ev_miss_o         (unused_miss),
      .ev_read_o         (unused_read),
      .ev_write_o        (unused_write),
      .ev_stall_o        (unused_stall)
    );
  end

  assign flushed      = flushed_q | l2_rsp_valid;
  assign flush_done_o = flush_i && flushed == '1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !flush_i) begin
      flush_sent_q <= '0;
      flushed_q    <= '0;
    end else begin
      flush_sent_q <= flush_sent_q | l2_ready;
      flushed_q    <= flushed;
    end
  end

endmodule
