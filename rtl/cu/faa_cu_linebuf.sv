// SPDX-License-Identifier: Apache-2.0
//
// Sixteen lines between the operand streams and memory: lines that the next warps need too are read once, and the
// lines that follow are read ahead within their page. Direct-mapped by line number.
//
// With keep_i = 0 nothing is kept and nothing is read ahead: every request goes to memory.
// Latency of a kept line: one cycle, one per cycle. A line read ahead that fails is forgotten; asking for it tries again.
//
// Stalls: L1 the line is being read ahead; L2 its place waits for another line; L3 a response from memory uses the
// way back (all part of STALL_OPERAND).
// Hazard: kept lines go stale with the next command or an invalidation: clear_i, while idle_o.

`include "faa_assert.svh"

module faa_cu_linebuf (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         clear_i,
  input  logic         keep_i,
  input  logic         ahead_i,        // read ahead ...
  input  logic         down_i,         // ... towards lower addresses
  output logic         idle_o,         // no read is unanswered

  input  logic         req_valid_i,
  output logic         req_ready_o,
  input  logic [51:6]  req_line_i,
  input  logic [4:0]   req_tag_i,
  output logic         rsp_valid_o,
  output logic [4:0]   rsp_tag_o,
  output logic [511:0] rsp_data_o,
  output logic         rsp_err_o,

  output logic         mem_valid_o,
  input  logic         mem_ready_i,
  output logic [51:6]  mem_line_o,
  output logic [6:0]   mem_tag_o,
  input  logic         mem_rsp_valid_i,
  input  logic [6:0]   mem_rsp_tag_i,
  input  logic [511:0] mem_rsp_data_i,
  input  logic         mem_rsp_err_i
);

  localparam logic [5:0] Ahead = 6'd12;   // lines; the rest of the sixteen are those of the current warp

  logic [15:0]  valid_q, reading_q, wanted_q;
  logic [671:0] tag_q;                    // 42 bits a line
  logic [79:0]  lane_q;                   // tag of the request that waits for it
  logic [511:0] data_q [16];
  logic [3:0]   at, ahead_at;
  logic         match, hit, miss, fill_answers;
  logic         ahead_on_q, ahead_want, ahead_near, ahead_match;
  logic [51:6]  ahead_q, base_q;
  logic [5:0]   distance;
  logic         hold_q;                   // an offer to memory that must stay as it is
  logic         hold_ahead_q, send_ahead;
  logic         rsp_valid_q, rsp_err_q;
  logic [4:0]   rsp_tag_q;
  logic [511:0] rsp_data_q;
  // Tags with a power-of-two pitch for the multiplexers.
  logic [1023:0] tags;

  for (genvar n = 0; n < 16; n++) begin : g_tag
    assign tags[n*64 +: 64] = {22'b0, tag_q[n*42 +: 42]};
  end

  assign at           = req_line_i[9:6];
  assign match        = tags[{at, 6'b0} +: 42] == req_line_i[51:10];
  assign fill_answers = mem_rsp_valid_i && wanted_q[mem_rsp_tag_i];
  assign hit          = req_valid_i && valid_q[at] && match && !fill_answers;
  assign miss         = req_valid_i && !reading_q[at] && !(valid_q[at] && match);

  // The next line to read ahead: in the page of the line that was asked for last, at most Ahead lines on.
  assign ahead_at    = ahead_q[9:6];
  assign ahead_match = valid_q[ahead_at] && tags[{ahead_at, 6'b0} +: 42] == ahead_q[51:10];
  assign distance    = down_i ? base_q[11:6] - ahead_q[11:6] : ahead_q[11:6] - base_q[11:6];
  assign ahead_near  = ahead_q[51:12] == base_q[51:12] && distance != 6'd0 && distance <= Ahead;
  assign ahead_want  = ahead_on_q && ahead_i && ahead_near && !reading_q[ahead_at] && !ahead_match;

  // A miss goes first, unless memory has seen the other offer already.
  assign send_ahead  = hold_q ? hold_ahead_q : !miss && ahead_want;
  assign mem_valid_o = hold_q || miss || ahead_want;
  assign mem_line_o  = send_ahead ? ahead_q : req_line_i;
  assign mem_tag_o   = send_ahead ? ahead_at : at;
  assign req_ready_o = hit || (miss && mem_ready_i && !send_ahead);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q     <= '0;
      reading_q   <= '0;
      ahead_on_q  <= 1'b0;
      hold_q      <= 1'b0;
      rsp_valid_q <= 1'b0;
    end else begin
      hold_q       <= mem_valid_o && !mem_ready_i;
      hold_ahead_q <= send_ahead;
      if (mem_rsp_valid_i) begin
        reading_q[mem_rsp_tag_i] <= 1'b0;
        valid_q[mem_rsp_tag_i]   <= keep_i && !mem_rsp_err_i;
      end
      if (mem_valid_o && mem_ready_i) begin
        reading_q[mem_tag_o] <= 1'b1;
        valid_q[mem_tag_o]   <= 1'b0;
      end
      if (req_valid_i && req_ready_o) ahead_on_q <= 1'b1;
      if (clear_i) begin
        valid_q    <= '0;
        ahead_on_q <= 1'b0;
      end
      rsp_valid_q <= hit || fill_answers;
    end

    if (mem_valid_o && mem_ready_i) begin
      wanted_q[mem_tag_o] <= !send_ahead;
      for (int n = 0; n < 16; n++) begin
        if (mem_tag_o == 4'(n)) begin
          tag_q[n*42 +: 42] <= mem_line_o[51:10];
          lane_q[n*5 +: 5]  <= req_tag_i;
        end
      end
    end
    if (mem_rsp_valid_i) data_q[mem_rsp_tag_i] <= mem_rsp_data_i;

    if (req_valid_i && req_ready_o) base_q <= req_line_i;
    if (mem_valid_o && mem_ready_i && send_ahead || (ahead_on_q && ahead_near && ahead_match)) begin
      ahead_q <= down_i ? ahead_q - 46'd1 : ahead_q + 46'd1;
    end else if (ahead_on_q && (distance == 6'd0 || distance > Ahead + 6'd1) && !hold_q) begin
      // Left behind, or too far; just beyond the last line (or the page) it waits for the next request.
      ahead_q <= down_i ? base_q - 46'd1 : base_q + 46'd1;
    end

    if (fill_answers) begin
      rsp_data_q <= mem_rsp_data_i;
      rsp_err_q  <= mem_rsp_err_i;
      for (int n = 0; n < 16; n++) if (mem_rsp_tag_i == 4'(n)) rsp_tag_q <= lane_q[n*5 +: 5];
    end else if (hit) begin
      rsp_data_q <= data_q[at];
      rsp_err_q  <= 1'b0;
      rsp_tag_q  <= req_tag_i;
    end
  end

  assign rsp_valid_o = rsp_valid_q;
  assign rsp_tag_o   = rsp_tag_q;
  assign rsp_data_o  = rsp_data_q;
  assign rsp_err_o   = rsp_err_q;
  assign idle_o      = reading_q == '0 && !mem_valid_o && !rsp_valid_q;

  logic unused;
  assign unused = ^tags;

  `FAA_ASSERT_STABLE(memory_stable, mem_valid_o, mem_ready_i, {mem_line_o, mem_tag_o})
  `FAA_ASSERT(response_was_asked_for, !mem_rsp_valid_i || reading_q[mem_rsp_tag_i])
  `FAA_COVER(stall_l1, req_valid_i && reading_q[at] && match)
  `FAA_COVER(stall_l2, req_valid_i && reading_q[at] && !match)
  `FAA_COVER(stall_l3, req_valid_i && valid_q[at] && match && fill_answers)

endmodule
