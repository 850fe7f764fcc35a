// SPDX-License-Identifier: Apache-2.0
//
// Evicted lines until memory has acknowledged their bytes.
//
// T1 takes an entry for a line (alloc_i, id_o); X gives its contents later (data_*), in the same order. Of a line only dirty bytes are written; one
// that has none is forgotten. cam_hit_o: a line (cam_la_i) is in the buffer, and the read that waits for it (wait_i) is released
// when its entry is given up; an entry that is given up in this cycle does not count.
//
// Latency: 2 cycles from data to the write request. One entry in, one write and one response per cycle.

`include "faa_assert.svh"

module faa_l2_writeback #(
  parameter int unsigned WbEntries = 128,
  parameter int unsigned MshrW = 7,
  localparam int unsigned WbW = $clog2(WbEntries),
  localparam int unsigned LineAddrW = faa_l2_pkg::LINE_ADDR_W
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // T1
  output logic                 free_o,
  output logic [WbW-1:0]       id_o,
  input  logic                 alloc_i,
  input  logic [LineAddrW-1:0] alloc_la_i,
  input  logic                 cam_i,          // cam_hit_o is 0 without it
  input  logic [LineAddrW-1:0] cam_la_i,
  output logic                 cam_hit_o,
  input  logic                 wait_i,
  input  logic [MshrW-1:0]     wait_mshr_i,

  // X
  input  logic                 data_valid_i,
  input  logic [WbW-1:0]       data_id_i,
  input  faa_l2_pkg::line_t    data_line_i,

  output logic                 release_o,
  output logic [MshrW-1:0]     release_mshr_o,
  output logic [LineAddrW-1:0] release_la_o,

  // Memory
  output logic                 mem_wr_valid_o,
  input  logic                 mem_wr_ready_i,
  output logic [LineAddrW-1:0] mem_wr_la_o,
  output logic [511:0]         mem_wr_data_o,
  output logic [63:0]          mem_wr_strb_o,
  output logic [WbW-1:0]       mem_wr_tag_o,
  input  logic                 mem_wr_rsp_valid_i,
  input  logic [WbW-1:0]       mem_wr_rsp_tag_i,

  output logic                 idle_o
);

  localparam int unsigned LineW = $bits(faa_l2_pkg::line_t);

  logic                 done, drop;
  logic [WbW-1:0]       done_id;
  logic [LineAddrW-1:0] la_mem [WbEntries];
  logic [MshrW-1:0]     waiter_mem [WbEntries];
  logic [WbEntries-1:0] busy_q, waited_q, cam;
  logic [WbW-1:0]       cam_id;

  faa_l2_freelist #(
    .N(WbEntries)
  ) u_free (
    .clk_i,
    .rst_ni,
    .free_o,
    .id_o,
    .take_i   (alloc_i),
    .give_i   (done),
    .give_id_i(done_id),
    .idle_o
  );

  // ---- Addresses ----

  for (genvar n = 0; n < WbEntries; n++) begin : g_entry
    logic [LineAddrW-1:0] la_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_q[n] <= 1'b0;
      else if (alloc_i && id_o == WbW'(n)) busy_q[n] <= 1'b1;
      else if (done && done_id == WbW'(n)) busy_q[n] <= 1'b0;
      if (alloc_i && id_o == WbW'(n)) la_q <= alloc_la_i;
    end
    assign cam[n] = cam_i && busy_q[n] && la_q == cam_la_i && !(done && done_id == WbW'(n));
  end

  always_comb begin
    cam_id = '0;
    for (int unsigned n = 0; n < WbEntries; n++) if (cam[n]) cam_id = cam_id | WbW'(n);
  end

  assign cam_hit_o = |cam;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waited_q <= '0;
    end else begin
      if (wait_i) waited_q[cam_id] <= 1'b1;
      if (done) waited_q[done_id] <= 1'b0;
    end
    if (wait_i) waiter_mem[cam_id] <= wait_mshr_i;
    if (alloc_i) la_mem[id_o] <= alloc_la_i;
  end

  assign release_o      = done && waited_q[done_id];
  assign release_mshr_o = waiter_mem[done_id];
  assign release_la_o   = la_mem[done_id];

  // ---- Writes ----

  logic                           send_valid, send_take, send_clean, unused_send_ready, wr_valid_q;
  logic [WbW-1:0]                 send_id, wr_id_q;
  logic [$clog2(WbEntries+1)-1:0] unused_send_count;
  faa_l2_pkg::line_t              wr_line;

  faa_fifo #(
    .Width(1 + WbW),
    .Depth(WbEntries)
  ) u_send (
    .clk_i,
    .rst_ni,
    .valid_i(data_valid_i),
    .ready_o(unused_send_ready),
    .data_i ({data_line_i.dirty == '0, data_id_i}),
    .valid_o(send_valid),
    .ready_i(send_take),
    .data_o ({send_clean, send_id}),
    .count_o(unused_send_count)
  );

  faa_ram_1r1w #(
    .Width(LineW),
    .Depth(WbEntries)
  ) u_lines (
    .clk_i,
    .we_i   (data_valid_i),
    .waddr_i(data_id_i),
    .wdata_i(data_line_i),
    .re_i   (send_take && !send_clean),
    .raddr_i(send_id),
    .rdata_o(wr_line)
  );

  // One entry is given up per cycle; a response goes first.
  assign send_take = send_valid && (send_clean ? !mem_wr_rsp_valid_i : !wr_valid_q || mem_wr_ready_i);
  assign drop      = send_take && send_clean;
  assign done      = mem_wr_rsp_valid_i || drop;
  assign done_id   = mem_wr_rsp_valid_i ? mem_wr_rsp_tag_i : send_id;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wr_valid_q <= 1'b0;
    else if (!wr_valid_q || mem_wr_ready_i) wr_valid_q <= send_take && !send_clean;
    if (send_take && !send_clean) wr_id_q <= send_id;
  end

  assign mem_wr_valid_o = wr_valid_q;
  assign mem_wr_la_o    = la_mem[wr_id_q];
  assign mem_wr_tag_o   = wr_id_q;
  assign mem_wr_data_o  = wr_line.data;
  assign mem_wr_strb_o  = wr_line.dirty;

  `FAA_ASSERT(writeback_one_copy, (cam & (cam - WbEntries'(1))) == '0)
  `FAA_ASSERT(writeback_wait, !wait_i || (cam_hit_o && !waited_q[cam_id]))
  `FAA_ASSERT(writeback_busy, !done || busy_q[done_id])
  `FAA_ASSERT_STABLE(writeback_out, mem_wr_valid_o, mem_wr_ready_i, {mem_wr_la_o, mem_wr_strb_o, mem_wr_tag_o})
  `FAA_COVER(hazard_h6, wait_i)
  `FAA_COVER(hazard_h7, cam_i && done && la_mem[done_id] == cam_la_i && busy_q[done_id])
  `FAA_COVER(writeback_clean_line, drop)
  `FAA_COVER(writeback_clean_line_waits, send_valid && send_clean && mem_wr_rsp_valid_i)
  `FAA_COVER(writeback_clean_line_released, drop && release_o)

endmodule
