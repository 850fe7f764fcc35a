// SPDX-License-Identifier: Apache-2.0
//
// Evicted lines until memory has acknowledged their bytes.
//
// T1 takes an entry for a line (alloc_i, id_o); X gives its contents later (data_*), in the same
// order. Only dirty bytes of a line are written; a line without dirty bytes is dropped.
//
// An operation that enters T1 is looked up (look_i). From the next cycle hit_o tells whether its
// line may be in the buffer: a digest of 16 bits of an entry's line equals the operation's. The
// read that waits for the entry (wait_i) is released when the entry ends. busy_o: the operation has
// to wait, because several entries have the digest, another read waits for the entry, or the entry
// was taken one cycle ago and its number is not yet known. Lines with equal digests are rare, and
// cost only time.
//
// An entry ends in two steps: in the cycle of the response (or of a line without dirty bytes) it is
// no longer found; one cycle later the waiting read is released and the entry is free. So a read
// that begins to wait in the first cycle is released in the second.
//
// Latency: 2 cycles from data to the write request, 1 from its response to the entry's end.
// Throughput: one entry in, one write and one response per cycle.

`include "faa_assert.svh"

module faa_l2_writeback #(
  parameter int unsigned WbEntries = 128,
  parameter int unsigned MshrW = 7,
  // No entry is taken in the cycle of a look-up.
  parameter bit Alone = 1'b0,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned WbW = $clog2(WbEntries),
  localparam int unsigned LineAddrW = 52 - OffW
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // T0: this line enters T1
  input  logic                 look_i,
  input  logic [LineAddrW-1:0] look_la_i,

  // T1
  output logic                 free_o,
  output logic [WbW-1:0]       id_o,
  input  logic                 alloc_i,
  input  logic [LineAddrW-1:0] alloc_la_i,
  output logic                 hit_o,
  output logic                 busy_o,
  input  logic                 wait_i,
  input  logic [MshrW-1:0]     wait_mshr_i,

  // X
  input  logic                       data_valid_i,
  input  logic [WbW-1:0]             data_id_i,
  input  logic [LineBytes+LineW-1:0] data_line_i,   // line_t of faa_l2_types.svh

  output logic                 release_o,
  output logic [MshrW-1:0]     release_mshr_o,
  output logic                 lost_o,         // a write was answered with an error
  output logic [LineAddrW-1:0] lost_la_o,

  // Memory
  output logic                 mem_wr_valid_o,
  input  logic                 mem_wr_ready_i,
  output logic [LineAddrW-1:0] mem_wr_la_o,
  output logic [LineW-1:0]     mem_wr_data_o,
  output logic [LineBytes-1:0] mem_wr_strb_o,
  output logic [WbW-1:0]       mem_wr_tag_o,
  input  logic                 mem_wr_rsp_valid_i,
  input  logic [WbW-1:0]       mem_wr_rsp_tag_i,
  input  logic                 mem_wr_rsp_err_i,

  output logic                 idle_o
);

`include "faa_l2_types.svh"

  localparam int unsigned DigestW = 16;

  typedef logic [DigestW-1:0] digest_t;

  function automatic digest_t digest(input logic [LineAddrW-1:0] la);
    digest = '0;
    for (int unsigned i = 0; i < LineAddrW; i++) digest[i % DigestW] = digest[i % DigestW] ^ la[i];
  endfunction

  logic                 ends, done_q, err_q, drop;
  logic [WbW-1:0]       end_id, done_id_q;
  logic [LineAddrW-1:0] la_mem [WbEntries];
  logic [MshrW-1:0]     waiter_mem [WbEntries];
  logic [WbEntries-1:0] waited_q, cam_q;
  logic [WbW-1:0]       cam_id, cam_not;   // of the matching entries: bits that are 1, that are 0

  faa_l2_freelist #(
    .N(WbEntries)
  ) u_free (
    .clk_i,
    .rst_ni,
    .free_o,
    .id_o,
    .take_i   (alloc_i),
    .give_i   (done_q),
    .give_id_i(done_id_q),
    .idle_o
  );

  // ---- Look-up ----

  // An entry that is taken in the cycle of the look-up is compared one cycle later.
  logic           fresh_q, fresh;
  logic [WbW-1:0] fresh_id_q;
  digest_t        fresh_digest_q, digest_q, look_digest, alloc_digest;

  assign look_digest  = digest(look_la_i);
  assign alloc_digest = digest(alloc_la_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= 1'b0;
    else fresh_q <= !Alone && look_i && alloc_i;
    if (alloc_i) begin
      fresh_id_q     <= id_o;
      fresh_digest_q <= alloc_digest;
    end
    if (look_i) digest_q <= look_digest;
  end

  assign fresh = fresh_q && fresh_digest_q == digest_q;

  for (genvar n = 0; n < WbEntries; n++) begin : g_entry
    logic    busy_q, ends_here, done_here;
    digest_t line_q;
    assign ends_here = ends && end_id == WbW'(n);
    assign done_here = done_q && done_id_q == WbW'(n);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_q <= 1'b0;
      else if (alloc_i && id_o == WbW'(n)) busy_q <= 1'b1;
      else if (ends_here) busy_q <= 1'b0;
      if (alloc_i && id_o == WbW'(n)) line_q <= alloc_digest;
      if (ends_here) cam_q[n] <= 1'b0;
      else if (look_i) cam_q[n] <= busy_q && line_q == look_digest;
      else if (fresh && fresh_id_q == WbW'(n)) cam_q[n] <= 1'b1;
      if (!rst_ni || done_here) waited_q[n] <= 1'b0;
      else if (wait_i && cam_q[n]) waited_q[n] <= 1'b1;
    end
    `FAA_ASSERT(writeback_busy, !ends_here || busy_q)
  end

  always_comb begin
    cam_id  = '0;
    cam_not = '0;
    for (int unsigned n = 0; n < WbEntries; n++) begin
      if (cam_q[n]) cam_id  = cam_id | WbW'(n);
      if (cam_q[n]) cam_not = cam_not | ~WbW'(n);
    end
  end

  assign hit_o  = |cam_q;
  assign busy_o = |(cam_id & cam_not) || |(cam_q & waited_q) || fresh;

  always_ff @(posedge clk_i) begin
    if (wait_i) waiter_mem[cam_id] <= wait_mshr_i;
    if (alloc_i) la_mem[id_o] <= alloc_la_i;
  end

  assign release_o      = done_q && waited_q[done_id_q];
  assign release_mshr_o = waiter_mem[done_id_q];

  // ---- Writes ----

  logic                           send_valid, send_take, send_clean, unused_send_ready, wr_valid_q;
  logic [WbW-1:0]                 send_id, wr_id_q;
  logic [$clog2(WbEntries+1)-1:0] unused_send_count;
  line_t                          wr_line;

  faa_fifo #(
    .Width(1 + WbW),
    .Depth(WbEntries)
  ) u_send (
    .clk_i,
    .rst_ni,
    .valid_i(data_valid_i),
    .ready_o(unused_send_ready),
    .data_i ({data_line_i[LineW +: LineBytes] == '0, data_id_i}),
    .valid_o(send_valid),
    .ready_i(send_take),
    .data_o ({send_clean, send_id}),
    .count_o(unused_send_count)
  );

  faa_ram_1r1w #(
    .Width($bits(line_t)),
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

  // One entry ends per cycle; a response goes first.
  assign send_take = send_valid && (send_clean ? !mem_wr_rsp_valid_i : !wr_valid_q || mem_wr_ready_i);
  assign drop      = send_take && send_clean;
  assign ends      = mem_wr_rsp_valid_i || drop;
  assign end_id    = mem_wr_rsp_valid_i ? mem_wr_rsp_tag_i : send_id;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= 1'b0;
    else done_q <= ends;
    done_id_q <= end_id;
    err_q     <= mem_wr_rsp_valid_i && mem_wr_rsp_err_i;
  end

  assign lost_o    = done_q && err_q;
  assign lost_la_o = la_mem[done_id_q];

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

  logic                 dropped_q;
  logic [LineAddrW-1:0] looked_la_q;
  always_ff @(posedge clk_i) begin
    dropped_q <= drop;
    if (look_i) looked_la_q <= look_la_i;
  end

  `FAA_ASSERT(writeback_alone, !Alone || !(look_i && alloc_i))
  `FAA_ASSERT(writeback_wait, !wait_i || (hit_o && !busy_o))
  `FAA_ASSERT_STABLE(writeback_out, mem_wr_valid_o, mem_wr_ready_i, {mem_wr_la_o, mem_wr_strb_o, mem_wr_tag_o})
  `FAA_COVER(hazard_h6, wait_i && la_mem[cam_id] == looked_la_q)
  `FAA_COVER(hazard_h7, wait_i && ends && cam_q[end_id])
  `FAA_COVER(writeback_fresh, fresh)
  `FAA_COVER(writeback_other_line, wait_i && la_mem[cam_id] != looked_la_q)
  `FAA_COVER(writeback_several, hit_o && |(cam_id & cam_not))
  `FAA_COVER(writeback_waited, hit_o && |(cam_q & waited_q))
  `FAA_COVER(writeback_clean_line, drop)
  `FAA_COVER(writeback_clean_line_waits, send_valid && send_clean && mem_wr_rsp_valid_i)
  `FAA_COVER(writeback_clean_line_released, release_o && dropped_q)

endmodule
