// SPDX-License-Identifier: Apache-2.0
//
// Writes one item per lane to physical addresses, every line once, in lane order: where lanes overlap the highest remains.
//
// First the addresses (addr_valid_i: the unit is taken), then the items (data_valid_i, in the same cycle or later). The lowest
// lane that is left names a line; the lanes of that line are merged MergeLanes at a time, then the line is sent. Lines of one warp
// are different, so they are outstanding together; the next warp waits for all responses, so no line is ever written
// twice at once. Sparse lanes are dropped.
//
// Latency: per line one cycle for each group of MergeLanes lanes with a lane in it, plus one. Stalls of the user: W1 the unit is busy
// (counter STALL_GLOBAL). Hazard: W1 a fetch of the stream in the line that is written: lines are sent while fetch_idle_i.

`include "faa_assert.svh"

module faa_cu_store #(
  localparam int unsigned MergeLanes = 8
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          addr_valid_i,    // while idle_o
  input  logic [31:0]   mask_i,
  input  logic [31:0]   sparse_i,
  input  logic [2047:0] pa_i,            // 64 bits a lane, 52 used
  input  logic [1:0]    size_i,          // log2 of the bytes of an item
  input  logic [3:0]    tag_i,           // given back with done_o
  input  logic          cancel_i,        // instead of the items: nothing is written
  input  logic          data_valid_i,
  input  logic [2047:0] data_i,

  output logic          idle_o,          // free, nothing outstanding
  output logic          writing_o,       // items have come, lines are sent or outstanding
  output logic          done_o,          // the last write is visible
  output logic [3:0]    done_tag_o,
  output logic          error_o,         // one cycle: bus error
  output logic [63:0]   error_address_o,
  input  logic          fetch_idle_i,

  output logic          mem_valid_o,
  input  logic          mem_ready_i,
  output logic [51:6]   mem_line_o,
  output logic [511:0]  mem_data_o,
  output logic [63:0]   mem_strobe_o,
  output logic [4:0]    mem_tag_o,
  input  logic          mem_rsp_valid_i,
  input  logic [4:0]    mem_rsp_tag_i,
  input  logic          mem_rsp_err_i
);

  typedef enum logic [2:0] {
    StIdle,
    StAddress,   // waits for the items
    StMerge,
    StSend,
    StWait
  } state_e;

  state_e        state_q;
  logic [2047:0] pa_q, data_q;
  logic [63:0]   leader_pa, rsp_pa;
  logic [31:0]   left_q, same, unanswered_q;
  logic [1:0]    size_q, group;
  logic [3:0]    tag_q;
  logic [4:0]    leader, leader_q;
  logic [51:6]   line_q;
  logic          open_q;                 // a line is being merged
  logic [511:0]  merged_q, merged_d;
  logic [63:0]   strobe_q, strobe_d;
  logic [31:0]   taken;
  logic [MergeLanes*64-1:0] group_data;
  logic [MergeLanes*8-1:0]  group_at;

  function automatic logic [4:0] lowest(input logic [31:0] x);
    lowest = 5'd0;
    for (int l = 31; l >= 0; l--) if (x[l]) lowest = 5'(l);
  endfunction

  always_comb begin
    same = '0;
    if (open_q) for (int l = 0; l < 32; l++) same[l] = left_q[l] && pa_q[l*64 + 6 +: 46] == line_q;
  end

  // The lowest lane of the open line, or of all lanes when none is open, and its group of lanes.
  assign leader = lowest(open_q ? same : left_q);
  assign group  = leader[4:3];
  assign leader_pa = pa_q[{leader, 6'b0} +: 64];
  assign rsp_pa    = pa_q[{mem_rsp_tag_i, 6'b0} +: 64];

  always_comb begin
    group_data = '0;
    group_at   = '0;
    taken      = '0;
    merged_d   = merged_q;
    strobe_d   = strobe_q;
    if (state_q == StMerge && open_q) begin
      group_data = data_q[{group, 9'b0} +: 512];
      for (int l = 0; l < 32; l++) if (2'(l / 8) == group) group_at[(l % 8)*8 +: 8] = {2'b0, pa_q[l*64 +: 6]};
      for (int n = 0; n < 8; n++) begin
        if (same[{group, 3'(n)}]) begin
          taken[{group, 3'(n)}] = 1'b1;
          case (size_q)
            2'd0: begin
              merged_d[{group_at[n*8 +: 6], 3'b0} +: 8] = group_data[n*64 +: 8];
              strobe_d[group_at[n*8 +: 6]]              = 1'b1;
            end
            2'd1: begin
              merged_d[{group_at[n*8 + 1 +: 5], 4'b0} +: 16] = group_data[n*64 +: 16];
              strobe_d[{group_at[n*8 + 1 +: 5], 1'b0} +: 2]  = 2'b11;
            end
            2'd2: begin
              merged_d[{group_at[n*8 + 2 +: 4], 5'b0} +: 32] = group_data[n*64 +: 32];
              strobe_d[{group_at[n*8 + 2 +: 4], 2'b0} +: 4]  = 4'hf;
            end
            default: begin
              merged_d[{group_at[n*8 + 3 +: 3], 6'b0} +: 64] = group_data[n*64 +: 64];
              strobe_d[{group_at[n*8 + 3 +: 3], 3'b0} +: 8]  = 8'hff;
            end
          endcase
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      open_q       <= 1'b0;
      unanswered_q <= '0;
    end else begin
      case (state_q)
        StIdle: if (addr_valid_i) state_q <= data_valid_i ? StMerge : StAddress;
        StAddress: if (cancel_i) state_q <= StIdle;
        else if (data_valid_i) state_q <= StMerge;
        StMerge:
          if (!open_q) begin
            if (left_q == '0) state_q <= StWait;
            else open_q <= 1'b1;
          end else if (taken == same) state_q <= StSend;
        StSend: if (mem_ready_i && fetch_idle_i) begin
          state_q <= StMerge;
          open_q  <= 1'b0;
        end
        StWait: if (unanswered_q == '0) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
      if (mem_valid_o && mem_ready_i) unanswered_q[leader_q] <= 1'b1;
      if (mem_rsp_valid_i) unanswered_q[mem_rsp_tag_i] <= 1'b0;
    end

    if (state_q == StIdle && addr_valid_i) begin
      pa_q   <= pa_i;
      left_q <= mask_i & ~sparse_i;
      size_q <= size_i;
      tag_q  <= tag_i;
    end else if (state_q == StMerge) begin
      left_q <= left_q & ~taken;
    end
    if (data_valid_i) data_q <= data_i;
    if (state_q == StMerge) begin
      if (!open_q) begin
        line_q   <= leader_pa[51:6];
        leader_q <= leader;
        strobe_q <= '0;
      end else begin
        merged_q <= merged_d;
        strobe_q <= strobe_d;
      end
    end
  end

  assign idle_o          = state_q == StIdle;
  assign writing_o       = state_q != StIdle && state_q != StAddress;
  assign done_o          = state_q == StWait && unanswered_q == '0;
  assign done_tag_o      = tag_q;
  assign error_o         = mem_rsp_valid_i && mem_rsp_err_i;
  assign error_address_o = {12'b0, rsp_pa[51:6], 6'b0};
  assign mem_valid_o     = state_q == StSend && fetch_idle_i;
  assign mem_line_o      = line_q;
  assign mem_data_o      = merged_q;
  assign mem_strobe_o    = strobe_q;
  assign mem_tag_o       = leader_q;

  logic unused;
  assign unused = ^{leader_pa, rsp_pa, group_at};

  `FAA_ASSERT(address_when_idle, !addr_valid_i || idle_o)
  `FAA_ASSERT(data_when_expected, !data_valid_i || state_q == StAddress || (addr_valid_i && idle_o))
  `FAA_ASSERT(response_was_asked_for, !mem_rsp_valid_i || unanswered_q[mem_rsp_tag_i])
  `FAA_ASSERT_STABLE(write_stable, mem_valid_o, mem_ready_i, {mem_line_o, mem_strobe_o, mem_tag_o})
  `FAA_COVER(hazard_w1, state_q == StSend && !fetch_idle_i)

endmodule
