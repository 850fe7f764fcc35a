// SPDX-License-Identifier: Apache-2.0
//
// Writes one item per lane to physical addresses, in the order of warps and lanes: where items
// overlap, the last one remains.
//
// Addresses and items come in beats of Lanes lanes. The addresses of a warp are written into a RAM
// and become valid with the last beat (addr_part_i.last); until then they may be dropped. Items
// follow (data_*, in the same cycle or later, in the same order). Several warps of one command may
// be in flight:
//
//   A  queue of addresses
//   D  a beat of items that waits for the merger
//   M  the beat that is merged: each cycle up to MergeLanes lanes of the open line are merged into
//      it. Every lane has one of the line's words, and bytes of it; of lanes with one address the
//      last one is selected, so a word is the OR of the lanes' contributions
//   O  the open line; it stays open for the next beat until another line is needed or no beat is
//      left
//   S  a finished line, sent when no write to the same line is unanswered
//
// A line of a beat is finished before another one is opened. Up to Slots lines are outstanding
// together. The warps of another command wait until everything is written (addr_ready_o after a
// last warp). Sparse lanes are dropped.
//
// Latency: 3 cycles from addresses and items to the first line, 2 from items whose addresses came
// before; then a line per cycle and group of MergeLanes lanes; done_o when the last write is
// visible. Throughput: 32-bit items side by side: a warp in 2 cycles, or 32 / MergeLanes; 64-bit
// items in 4. Beats of 4 lanes are merged a lane at a time.
//
// Stalls: STO-S1 (the queue of addresses is full, or holds the last warp of a command; counter
// STALL_GLOBAL), STO-S2 (items wait for the previous beat; STALL_WRITEBACK), STO-S3 (a line waits
// for the response of the previous write to it, or for a slot; STALL_WRITEBACK). KeyBits bits of
// their numbers distinguish unanswered lines: STO-S3 may wait without need, never too little.
// Hazards: STO-H1 (a fetch of the stream in the line that is written: lines are sent while
// fetch_idle_i), STO-H2 (two writes to one line: STO-S3).

`include "faa_assert.svh"

module faa_cu_store #(
  parameter int unsigned Lanes = 32,        // of a beat: 32, 16, 8 or 4
  parameter int unsigned LineBytes = 64,    // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned MergeLanes = Lanes > 16 ? 16 : Lanes == 4 ? 1 : Lanes,
  localparam int unsigned Beats = 32 / Lanes,
  localparam int unsigned Warps = 32,
  localparam int unsigned SlotW = Lanes == 4 ? 4 : 5   // lines outstanding
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          addr_valid_i,    // while addr_ready_o; only the last beat stays
  output logic          addr_ready_o,
  input  faa_cu_pkg::part_t addr_part_i,
  input  logic [Lanes-1:0]    mask_i,
  input  logic [Lanes-1:0]    sparse_i,
  input  logic [Lanes*52-1:0] pa_i,
  input  logic [1:0]    size_i,          // log2 of the bytes of an item
  input  logic [3:0]    tag_i,           // {last warp of its command, barrier}; with done_o
  input  logic          cancel_i,        // no items follow for the only warp: it is not written
  input  logic          data_valid_i,
  output logic          data_ready_o,
  input  logic [Lanes*64-1:0] data_i,

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

  localparam int unsigned AddrW = Lanes * 52;
  localparam int unsigned EntryW = 1 + AddrW + Lanes + 2 + 52 - OffW;
  localparam int unsigned LaneW = $clog2(Lanes);
  localparam int unsigned Slots = 1 << SlotW;
  localparam int unsigned Groups = Lanes / MergeLanes;
  localparam int unsigned Words = LineBytes / 8;
  localparam int unsigned KeyBits = 14;
  localparam int unsigned WarpW = $clog2(Warps);
  localparam int unsigned BeatW = $clog2(Beats);
  localparam int unsigned Rows = Warps * Beats;
  localparam int unsigned RowW = WarpW + BeatW;
  localparam int unsigned CountW = $clog2(Warps + 1);

  // A
  logic               commit, a_valid_q, a_pop, a_read, a_last;
  logic [Lanes-1:0]   mask, a_mask;
  logic [AddrW-1:0]   a_pa;
  logic [1:0]         a_size;
  logic [51:OffW]        first_line, a_line;
  logic [WarpW-1:0]   tail_q;             // of warps
  logic [RowW-1:0]    head_q, row;        // of beats
  logic [CountW-1:0]  warps;              // whose addresses are valid
  logic [RowW:0]      unread_q;           // beats in the RAM
  logic               warps_full, warps_some;   // Warps of them, or any
  logic               last_q;             // the last warp of its command has come
  logic [3:0]         tag_q;
  // D
  logic               d_valid_q, d_drop_q;
  logic [Lanes*64-1:0] d_data_q;
  // M
  logic               m_valid_q, m_done, m_load;
  logic [AddrW-1:0]   m_pa_q;
  logic [Lanes*64-1:0] m_data_q;
  logic [Lanes-1:0]   left_q, same, taken, rest, load_mask;
  logic [1:0]         size_q;
  logic [Groups-1:0]  touched, group;     // groups with lanes of the open line, and the next one
  logic [51:OffW]        next_line;
  logic               complete;           // the open line gets its last lanes of this beat
  logic [Lanes-1:0]   alive;              // lanes of the open line, the last one of each place
  logic [LineW-1:0]   line_data;
  logic [LineBytes-1:0] line_strobe;
  // O
  logic               open_q, change, flush, close, a_in_line;
  logic [51:OffW]        line_q;
  logic [LineW-1:0]   merged_q, merged_d;
  logic [LineBytes-1:0] strobe_q, strobe_d;
  // S
  logic               send_q, send_free, sent, load_line, answered;
  logic               conflict_q;         // a write to the same line is unanswered: that of
  logic [SlotW-1:0]   conflict_slot_q;    // this slot
  logic               unanswered_some, unanswered_all;   // of the slots
  logic [SlotW:0]     unused_unanswered;
  logic [51:OffW]        send_line_q;
  logic [LineW-1:0]   send_data_q;
  logic [LineBytes-1:0] send_strobe_q;
  logic [Slots-1:0]   unanswered_q, same_key;
  logic [51:OffW]        slot_line_q [Slots];
  logic [KeyBits-1:0] slot_key_q [Slots];
  logic [SlotW-1:0]   slot;
  logic               busy;
  logic [51:OffW]     error_line;

  // -------------------------------------------------------------------------------------------------------------
  // A, D

  // The line of the lowest lane; of lane 0 if there is none.
  function automatic logic [51:OffW] line_of(input logic [Lanes-1:0] lanes,
                                          input logic [AddrW-1:0] addresses);
    logic [LaneW-1:0] lane;
    lane    = LaneW'(faa_cu_pkg::lowest(32'(lanes)));
    line_of = addresses[lane*52 + OffW +: 52 - OffW];
  endfunction

  assign mask       = mask_i & ~sparse_i;
  assign first_line = line_of(mask, pa_i);
  assign commit     = addr_valid_i && addr_part_i.last;
  assign row        = (RowW'(tail_q) << BeatW) | RowW'(addr_part_i.number);

  faa_ram_1r1w #(
    .Width(EntryW),
    .Depth(Rows)
  ) u_addresses (
    .clk_i,
    .we_i   (addr_valid_i),
    .waddr_i(row),
    .wdata_i({addr_part_i.last, first_line, size_i, mask, pa_i}),
    .re_i   (a_read),
    .raddr_i(head_q),
    .rdata_o({a_last, a_line, a_size, a_mask, a_pa})
  );

  faa_in_flight #(
    .Max(Warps)
  ) u_warps (
    .clk_i,
    .rst_ni,
    .take_i (commit),
    .done_i (a_pop && a_last),
    .count_o(warps),
    .some_o (warps_some),
    .full_o (warps_full)
  );

  assign addr_ready_o = !warps_full && !last_q;
  assign data_ready_o = !d_valid_q || (a_pop && !d_drop_q);
  assign a_read       = unread_q != '0 && (!a_valid_q || a_pop);
  assign a_pop        = a_valid_q && d_valid_q && m_load;
  assign load_mask    = d_drop_q ? '0 : a_mask;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_valid_q <= 1'b0;
      d_valid_q <= 1'b0;
      last_q    <= 1'b0;
      tail_q    <= '0;
      head_q    <= '0;
      unread_q  <= '0;
    end else begin
      if (a_read) a_valid_q <= 1'b1;
      else if (a_pop) a_valid_q <= 1'b0;
      if (commit) tail_q <= tail_q + WarpW'(1);
      if (a_read) head_q <= head_q + RowW'(1);
      unread_q <= unread_q + (commit ? (RowW+1)'(Beats) : '0) - (RowW+1)'(a_read);
      // A cancelled warp is dropped with all of its beats.
      if (data_valid_i || cancel_i) d_valid_q <= 1'b1;
      else if (a_pop && (!d_drop_q || a_last)) d_valid_q <= 1'b0;
      if (commit) last_q <= tag_i[3];
      else if (!busy) last_q <= 1'b0;
    end
    if (commit) tag_q <= tag_i;
    if ((data_valid_i || cancel_i) && data_ready_o) begin
      d_drop_q <= cancel_i;
      d_data_q <= data_i;
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // M, O

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    localparam int unsigned Last = l / MergeLanes * MergeLanes + MergeLanes - 1;   // of its group
    logic [Lanes-1:0] later;              // later lanes of its group with the same place in a line
    for (genvar n = 0; n < Lanes; n++) begin : g_later
      if (n > l && n <= Last) begin : g_one
        assign later[n] = m_pa_q[n*52 +: OffW] == m_pa_q[l*52 +: OffW];
      end else begin : g_none
        assign later[n] = 1'b0;
      end
    end
    logic             in_line;
    faa_equal #(.Width(52 - OffW)) u_in_line (
      .a_i(m_pa_q[l*52 + OffW +: 52 - OffW]), .b_i(line_q), .equal_o(in_line)
    );
    assign same[l]  = m_valid_q && left_q[l] && in_line;
    assign alive[l] = same[l] && (same & later) == '0;
    assign taken[l] = same[l] && group[l / MergeLanes];
  end

  assign rest      = left_q & ~same;
  assign next_line = line_of(rest, m_pa_q);

  for (genvar g = 0; g < Groups; g++) begin : g_touched
    assign touched[g] = same[g*MergeLanes +: MergeLanes] != '0;
  end
  assign group = touched & -touched;

  // An item in each place of its word that an item of its size may have, and its byte enables.
  function automatic logic [63:0] repeated(input logic [63:0] item, input logic [1:0] size);
    case (size)
      2'd0: repeated = {8{item[7:0]}};
      2'd1: repeated = {4{item[15:0]}};
      2'd2: repeated = {2{item[31:0]}};
      default: repeated = item;
    endcase
  endfunction

  function automatic logic [7:0] bytes_of(input logic [2:0] place, input logic [1:0] size);
    case (size)
      2'd0: bytes_of = 8'h01 << place;
      2'd1: bytes_of = 8'h03 << {place[2:1], 1'b0};
      2'd2: bytes_of = place[2] ? 8'hf0 : 8'h0f;
      default: bytes_of = 8'hff;
    endcase
  endfunction

  // Per lane of the group: its item in its bytes, the byte enables, its word.
  logic [MergeLanes*64-1:0] lane_data;
  logic [MergeLanes*8-1:0]  lane_bytes;
  logic [MergeLanes*Words-1:0] lane_word;

  for (genvar n = 0; n < MergeLanes; n++) begin : g_item
    logic [63:0] item, item_repeated;
    logic [OffW-1:0] place;
    logic        here;

    always_comb begin
      item  = '0;
      place = '0;
      here  = 1'b0;
      for (int unsigned g = 0; g < Groups; g++) begin
        item  = item | (group[g] ? m_data_q[(g*MergeLanes + n)*64 +: 64] : 64'd0);
        place = place | (group[g] ? m_pa_q[(g*MergeLanes + n)*52 +: OffW] : '0);
        here  = here | (group[g] && alive[g*MergeLanes + n]);
      end
    end

    assign item_repeated           = repeated(item, size_q);
    assign lane_bytes[n*8 +: 8]    = bytes_of(place[2:0], size_q);
    for (genvar w = 0; w < Words; w++) begin : g_word
      assign lane_word[n*Words + w] = here && place[OffW-1:3] == (OffW-3)'(w);
    end
    for (genvar w = 0; w < 8; w++) begin : g_byte
      assign lane_data[n*64 + w*8 +: 8]   = lane_bytes[n*8 + w] ? item_repeated[w*8 +: 8] : 8'd0;
    end
  end

  always_comb begin
    line_data   = '0;
    line_strobe = '0;
    for (int unsigned w = 0; w < Words; w++) begin
      for (int unsigned n = 0; n < MergeLanes; n++) begin
        if (lane_word[n*Words + w]) begin
          line_data[w*64 +: 64] = line_data[w*64 +: 64] | lane_data[n*64 +: 64];
          line_strobe[w*8 +: 8] = line_strobe[w*8 +: 8] | lane_bytes[n*8 +: 8];
        end
      end
    end
  end

  for (genvar n = 0; n < LineBytes; n++) begin : g_merged
    assign merged_d[n*8 +: 8] = line_strobe[n] ? line_data[n*8 +: 8] : merged_q[n*8 +: 8];
  end
  assign strobe_d = strobe_q | line_strobe;

  // The open line has its last lanes of this beat. The next line, of this beat or the next one,
  // needs it closed, which waits for S.
  assign complete = same == taken;
  assign change   = m_valid_q && complete && rest != '0;
  assign m_done   = !m_valid_q || (complete && rest == '0);
  assign flush    = open_q && !m_valid_q && !warps_some;
  assign m_load   = m_done && (!open_q || load_mask == '0 || a_in_line || send_free);
  assign close    = change || flush || (a_pop && open_q && load_mask != '0 && !a_in_line);
  faa_equal #(.Width(52 - OffW)) u_a_in_line (.a_i(a_line), .b_i(line_q), .equal_o(a_in_line));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      m_valid_q <= 1'b0;
      open_q    <= 1'b0;
    end else begin
      if (a_pop) m_valid_q <= load_mask != '0;
      else if (m_done) m_valid_q <= 1'b0;
      if (a_pop && load_mask != '0) open_q <= 1'b1;
      else if (flush && send_free) open_q <= 1'b0;
    end

    if (a_pop) begin
      m_pa_q   <= a_pa;
      m_data_q <= d_data_q;
      size_q   <= a_size;
      left_q   <= load_mask;
    end else if (!change || send_free) begin
      left_q <= left_q & ~taken;
    end

    if (a_pop && load_mask != '0) line_q <= a_line;
    else if (change && send_free) line_q <= next_line;

    if (close && send_free) strobe_q <= '0;
    else if (a_pop && !open_q) strobe_q <= '0;
    else if (m_valid_q) strobe_q <= strobe_d;
    if (m_valid_q) merged_q <= merged_d;
  end

  // -------------------------------------------------------------------------------------------------------------
  // S

  // The open line is compared with the unanswered ones before it becomes the line that is sent. At
  // most one of them has its key, since a line is sent when no other one of its key is unanswered.
  // The line that is sent in the cycle in which the next one follows is compared with it too.
  logic             same_sent, conflict_known;
  logic [SlotW-1:0] conflict_slot;

  for (genvar n = 0; n < Slots; n++) begin : g_conflict
    logic of_key;
    faa_equal #(.Width(KeyBits)) u_of_key (
      .a_i(slot_key_q[n]), .b_i(line_q[OffW +: KeyBits]), .equal_o(of_key)
    );
    assign same_key[n] = unanswered_q[n] && of_key &&
                         !(answered && mem_rsp_tag_i[SlotW-1:0] == SlotW'(n));
  end
  faa_any #(.Width(Slots)) u_conflict (.bits_i(same_key), .any_o(conflict_known));
  faa_equal #(.Width(KeyBits)) u_same_sent (
    .a_i(send_line_q[OffW +: KeyBits]), .b_i(line_q[OffW +: KeyBits]), .equal_o(same_sent)
  );
  always_comb begin
    conflict_slot = '0;
    for (int unsigned n = 0; n < Slots; n++) begin
      if (same_key[n]) conflict_slot = conflict_slot | SlotW'(n);
    end
  end
  faa_lowest #(.Width(Slots)) u_slot (.bits_i(~unanswered_q), .index_o(slot));

  faa_in_flight #(
    .Max(Slots)
  ) u_unanswered (
    .clk_i,
    .rst_ni,
    .take_i (sent),
    .done_i (answered),
    .count_o(unused_unanswered),
    .some_o (unanswered_some),
    .full_o (unanswered_all)
  );

  assign answered  = mem_rsp_valid_i;
  assign sent      = mem_valid_o && mem_ready_i;
  assign send_free = !send_q || sent;
  assign load_line = close && send_free;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      send_q       <= 1'b0;
      unanswered_q <= '0;
    end else begin
      if (load_line) send_q <= 1'b1;
      else if (sent) send_q <= 1'b0;
      if (answered) unanswered_q[mem_rsp_tag_i[SlotW-1:0]] <= 1'b0;
      if (sent) unanswered_q[slot] <= 1'b1;
    end
    if (load_line) begin
      conflict_q      <= conflict_known || (sent && same_sent);
      conflict_slot_q <= sent && same_sent ? slot : conflict_slot;
    end else if (answered && mem_rsp_tag_i[SlotW-1:0] == conflict_slot_q) begin
      conflict_q <= 1'b0;
    end
    if (load_line) begin
      send_line_q   <= line_q;
      send_data_q   <= merged_d;
      send_strobe_q <= strobe_d;
    end
    if (sent) begin
      slot_line_q[slot] <= send_line_q;
      slot_key_q[slot]  <= send_line_q[OffW +: KeyBits];
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Outputs

  assign busy            = warps_some || writing_o;
  assign writing_o       = d_valid_q || m_valid_q || open_q || send_q || unanswered_some;
  assign idle_o          = !(warps_some || d_valid_q || m_valid_q || open_q || send_q || last_q ||
                             unanswered_some);
  assign done_o          = !busy && last_q;
  assign done_tag_o      = tag_q;
  assign error_o         = mem_rsp_valid_i && mem_rsp_err_i;
  assign error_line      = slot_line_q[mem_rsp_tag_i[SlotW-1:0]];
  assign error_address_o = {12'b0, error_line[51:6], 6'b0};   // bus errors report 64 bytes
  assign mem_valid_o     = send_q && fetch_idle_i && !conflict_q && !unanswered_all;
  assign mem_line_o      = send_line_q;
  assign mem_data_o      = send_data_q;
  assign mem_strobe_o    = send_strobe_q;
  assign mem_tag_o       = 5'(slot);

  logic unused;
  assign unused = ^{addr_part_i, mem_rsp_tag_i, error_line};

  // The conflict by its definition, for the assertion below
  logic conflicts;
  always_comb begin
    conflicts = 1'b0;
    for (int unsigned n = 0; n < Slots; n++) begin
      if (unanswered_q[n] && slot_key_q[n] == send_line_q[OffW +: KeyBits]) conflicts = 1'b1;
    end
  end

  `FAA_ASSERT(address_when_ready, !addr_valid_i || addr_ready_o)
  `FAA_ASSERT(cancel_the_only_one, !cancel_i || (warps == CountW'(1) && !writing_o))
  `FAA_ASSERT(data_after_address, !d_valid_q || warps != '0)
  `FAA_ASSERT(beats_are_whole_warps, !commit || addr_part_i.number == 3'(Beats - 1))
  `FAA_ASSERT(response_was_asked_for, !mem_rsp_valid_i || unanswered_q[mem_rsp_tag_i[SlotW-1:0]])
  `FAA_ASSERT(unanswered_are_counted, unanswered_some == (unanswered_q != '0) &&
              unanswered_all == (unanswered_q == '1))
  `FAA_ASSERT(conflict_is_exact, !send_q || conflict_q == conflicts)
  `FAA_ASSERT(a_line_has_bytes, !send_q || send_strobe_q != '0)
  `FAA_ASSERT_STABLE(write_stable, mem_valid_o, mem_ready_i, {mem_line_o, mem_strobe_o})
  `FAA_COVER(stall_w1, warps == CountW'(Warps))
  `FAA_COVER(stall_w1_last, last_q && busy)
  `FAA_COVER(stall_w2, data_valid_i && !data_ready_o)
  `FAA_COVER(stall_w3, send_q && fetch_idle_i && conflict_q)
  `FAA_COVER(stall_w3_slots, send_q && unanswered_all)
  `FAA_COVER(conflict_with_the_line_before, load_line && sent && same_sent)
  `FAA_COVER(hazard_w1, send_q && !fetch_idle_i)
  `FAA_COVER(line_of_two_beats, a_pop && open_q && a_line == line_q)

endmodule
