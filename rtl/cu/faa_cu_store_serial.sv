// SPDX-License-Identifier: Apache-2.0
//
// faa_cu_store a lane at a time, for builds where few look-up tables count more than cycles: writes
// one item per lane to physical addresses, in the order of warps and lanes.
//
// Addresses come lane by lane and are kept in a RAM. Those of a warp become valid with commit_i;
// until then they may be dropped and written again. Items follow, one for each lane.
//
//   Get     an item is taken, the address of its lane is read
//   Match   the address is compared with the open line
//   Merge   the item is merged into the line, which stays open for the next lane until another line
//           is needed or no lane is left
//   Send    the open line is sent, when no write to the same line is unanswered. Slots lines are
//           outstanding together
//
// The warps of another command wait until everything is written (ready_o after a last warp). Sparse
// lanes are dropped.
//
// Latency: 5 cycles from an item to its line, if it is the last item of the line; done_o when the
// last write is visible. Throughput: a lane in 3 cycles, 1 more for each line.
//
// Stalls: STO-S1 (the queue of addresses is full, or holds the last warp of a command; counter
// STALL_GLOBAL), STO-S2 (items wait for the lanes before; STALL_WRITEBACK), STO-S3 (a line waits
// for the response of the previous write to it, or for a slot; STALL_WRITEBACK). KeyBits bits of
// their numbers distinguish unanswered lines: STO-S3 may wait without need, never too little.
// Hazards: STO-H1 (a fetch of the stream in the line that is written: lines are sent while
// fetch_idle_i), STO-H2 (two writes to one line: STO-S3).

`include "faa_assert.svh"

module faa_cu_store_serial #(
  parameter int unsigned LineBytes = 16,    // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned Warps = 16,
  localparam int unsigned Slots = 4
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  output logic          ready_o,         // for the addresses of a warp
  input  logic          addr_valid_i,    // while ready_o
  input  logic [4:0]    addr_lane_i,     // 0 to 31, one after the other
  input  logic          live_i,          // the item of the lane is written
  input  logic [51:0]   pa_i,
  input  logic          commit_i,        // the addresses of a warp become valid
  input  logic [1:0]    size_i,          // log2 of the bytes of an item
  input  logic [3:0]    tag_i,           // {last warp of its command, barrier}; with done_o
  input  logic          data_valid_i,
  output logic          data_ready_o,
  input  logic [63:0]   data_i,

  output logic          idle_o,          // free, nothing outstanding
  output logic          writing_o,       // items have come, lines are sent or outstanding
  output logic          done_o,          // a command's last write is visible
  output logic [3:0]    done_tag_o,
  output logic          error_o,         // one cycle: bus error
  output logic [63:0]   error_address_o,
  input  logic          fetch_idle_i,

  output logic          mem_valid_o,
  input  logic          mem_ready_i,
  output logic [51:OffW]   mem_line_o,
  output logic [LineW-1:0] mem_data_o,
  output logic [LineBytes-1:0] mem_strobe_o,
  output logic [4:0]    mem_tag_o,
  input  logic          mem_rsp_valid_i,
  input  logic [4:0]    mem_rsp_tag_i,
  input  logic          mem_rsp_err_i
);

  typedef enum logic [1:0] {
    StGet,
    StMatch,
    StMerge,
    StSend
  } state_e;

  localparam int unsigned WarpW = $clog2(Warps);
  localparam int unsigned SlotW = $clog2(Slots);
  localparam int unsigned KeyBits = 14;

  state_e             state_q;
  logic [WarpW-1:0]   tail_q, head_q;     // warps
  logic [WarpW:0]     warps_q;            // whose addresses are valid
  logic [4:0]         lane_q;             // of warp head_q, that comes next
  logic               last_q;             // the last warp of its command has come
  logic [3:0]         tag_q;
  logic [1:0]         size_q;
  logic               merges_q, get, lane_done, warp_done, live, same_q, merge, sent, busy;
  logic [51:0]        pa;
  logic [63:0]        item_q;
  logic               open_q;
  logic [51:OffW]     line_q;
  logic [LineW-1:0]   merged_q;
  logic [LineBytes-1:0] strobe_q, strobe;
  logic [Slots-1:0]   unanswered_q;
  logic [KeyBits-1:0] slot_key_q [Slots];
  logic [51:OffW]     slot_line_q [Slots];
  logic               conflict_q;
  logic [SlotW-1:0]   slot_q;
  logic [51:OffW]     error_line;

  // -----------------------------------------------------------------------------------------------
  // Addresses

  faa_ram_1r1w #(
    .Width(53),
    .Depth(32 * Warps)
  ) u_addresses (
    .clk_i,
    .we_i   (addr_valid_i),
    .waddr_i({tail_q, addr_lane_i}),
    .wdata_i({live_i, pa_i}),
    .re_i   (get),
    .raddr_i({head_q, lane_q}),
    .rdata_o({live, pa})
  );

  assign ready_o      = !warps_q[WarpW] && !last_q;
  assign data_ready_o = state_q == StGet && warps_q != '0;
  assign get          = data_valid_i && data_ready_o;
  assign warp_done    = lane_done && lane_q == '1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tail_q  <= '0;
      head_q  <= '0;
      warps_q <= '0;
      lane_q  <= '0;
      last_q  <= 1'b0;
    end else begin
      if (commit_i) tail_q <= tail_q + WarpW'(1);
      if (warp_done) head_q <= head_q + WarpW'(1);
      warps_q <= warps_q + (WarpW+1)'(commit_i) - (WarpW+1)'(warp_done);
      if (lane_done) lane_q <= lane_q + 5'd1;
      if (commit_i) last_q <= tag_i[3];
      else if (!busy) last_q <= 1'b0;
    end
    // Warps in the queue together are of one command.
    if (commit_i) begin
      tag_q  <= tag_i;
      size_q <= size_i;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // The open line

  function automatic logic [7:0] bytes_of(input logic [2:0] place, input logic [1:0] size);
    case (size)
      2'd0: bytes_of = 8'h01 << place;
      2'd1: bytes_of = 8'h03 << {place[2:1], 1'b0};
      2'd2: bytes_of = place[2] ? 8'hf0 : 8'h0f;
      default: bytes_of = 8'hff;
    endcase
  endfunction

  // The item in each place of a word that an item of its size may have
  logic [63:0] repeated;
  logic [7:0]  bytes;
  always_comb begin
    case (size_q)
      2'd0: repeated = {8{item_q[7:0]}};
      2'd1: repeated = {4{item_q[15:0]}};
      2'd2: repeated = {2{item_q[31:0]}};
      default: repeated = item_q;
    endcase
    bytes = bytes_of(pa[2:0], size_q);
    for (int unsigned w = 0; w < LineBytes / 8; w++) begin
      strobe[w*8 +: 8] = pa[OffW-1:3] == (OffW-3)'(w) ? bytes : '0;
    end
  end

  assign merge     = state_q == StMerge && live && (!open_q || same_q);
  assign lane_done = state_q == StMerge && (!live || merge);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StGet;
      open_q  <= 1'b0;
    end else begin
      case (state_q)
        StGet:
          if (get) state_q <= StMatch;
          else if (warps_q == '0 && open_q) state_q <= StSend;
        StMatch: state_q <= StMerge;
        StMerge: state_q <= lane_done ? StGet : StSend;
        default: if (sent) state_q <= merges_q ? StMerge : StGet;
      endcase
      if (sent) open_q <= 1'b0;
      else if (merge) open_q <= 1'b1;
    end

    // A lane that needs another line has not been merged.
    if (state_q != StSend) merges_q <= state_q == StMerge;
    if (get) item_q <= data_i;
    same_q <= pa[51:OffW] == line_q;
    if (merge) line_q <= pa[51:OffW];
    for (int unsigned n = 0; n < LineBytes; n++) begin
      if (merge && strobe[n]) merged_q[n*8 +: 8] <= repeated[n%8*8 +: 8];
    end
    if (!rst_ni || sent) strobe_q <= '0;
    else if (merge) strobe_q <= strobe_q | strobe;
  end

  // -----------------------------------------------------------------------------------------------
  // Lines in flight. A conflict is known a cycle late, which is early enough: consecutive lines are
  // more cycles apart.

  assign sent = mem_valid_o && mem_ready_i;

  always_ff @(posedge clk_i) begin
    conflict_q <= state_q != StSend || unanswered_q == '1;
    for (int unsigned n = 0; n < Slots; n++) begin
      if (unanswered_q[n] && slot_key_q[n] == line_q[OffW +: KeyBits]) conflict_q <= 1'b1;
    end
    if (!mem_valid_o) begin
      for (int n = Slots - 1; n >= 0; n--) if (!unanswered_q[n]) slot_q <= SlotW'(n);
    end
    if (!rst_ni) begin
      unanswered_q <= '0;
    end else begin
      if (mem_rsp_valid_i) unanswered_q[mem_rsp_tag_i[SlotW-1:0]] <= 1'b0;
      if (sent) unanswered_q[slot_q] <= 1'b1;
    end
    if (sent) begin
      slot_key_q[slot_q]  <= line_q[OffW +: KeyBits];
      slot_line_q[slot_q] <= line_q;
    end
  end

  assign busy            = warps_q != '0 || writing_o;
  assign writing_o       = state_q != StGet || lane_q != '0 || open_q || unanswered_q != '0;
  assign idle_o          = !busy && !last_q;
  assign done_o          = !busy && last_q;
  assign done_tag_o      = tag_q;
  assign error_o         = mem_rsp_valid_i && mem_rsp_err_i;
  assign error_line      = slot_line_q[mem_rsp_tag_i[SlotW-1:0]];
  assign error_address_o = {12'b0, error_line[51:6], 6'b0};   // bus errors report 64 bytes
  assign mem_valid_o     = state_q == StSend && !conflict_q && fetch_idle_i;
  assign mem_line_o      = line_q;
  assign mem_data_o      = merged_q;
  assign mem_strobe_o    = strobe_q;
  assign mem_tag_o       = 5'(slot_q);

  logic unused;
  assign unused = ^{mem_rsp_tag_i, error_line};

  `FAA_ASSERT(address_when_ready, !(addr_valid_i || commit_i) || ready_o)
  `FAA_ASSERT(data_after_address, !data_valid_i || commit_i || warps_q != '0)
  `FAA_ASSERT(response_was_asked_for, !mem_rsp_valid_i || unanswered_q[mem_rsp_tag_i[SlotW-1:0]])
  `FAA_ASSERT(a_line_has_bytes, !mem_valid_o || strobe_q != '0)
  `FAA_ASSERT_STABLE(write_stable, mem_valid_o, mem_ready_i, {mem_line_o, mem_strobe_o})
  `FAA_COVER(stall_w1, warps_q[WarpW])
  `FAA_COVER(stall_w1_last, last_q && busy)
  `FAA_COVER(stall_w2, data_valid_i && !data_ready_o)
  `FAA_COVER(stall_w3, state_q == StSend && fetch_idle_i && conflict_q && unanswered_q != '1)
  `FAA_COVER(stall_w3_slots, state_q == StSend && unanswered_q == '1)
  `FAA_COVER(hazard_w1, state_q == StSend && !fetch_idle_i)

endmodule
