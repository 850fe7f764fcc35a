// SPDX-License-Identifier: Apache-2.0
//
// Lines of the operand streams between the request and the last use: a ring of lines for each
// stream of the command. One stream has all lines, two have half of them each, three a third. The
// lines of a stream are requested and freed in order, but arrive in any order.
//
// Throughput: a line requested (with HalfRate every other cycle) and a line read per cycle.
// Latency: the request leaves one cycle after it was made; a line can be read in the cycle after
// its arrival.
// Stalls, all part of STALL_OPERAND: STR-S1 (the line has not arrived), STR-S2 (the ring is full),
// STR-S3 (memory does not take the request).

`include "faa_assert.svh"

module faa_cu_linebuf #(
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  parameter int unsigned Lines = 128,      // that it holds: 128 or less, a power of two
  parameter bit HalfRate = 1'b0,           // one register for requests instead of two
  localparam int unsigned IndexW = $clog2(Lines),
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         clear_i,        // all lines are free (while idle_o)
  input  logic [2:0]   streams_i,      // slots that have a ring; changes with clear_i only
  output logic         idle_o,         // no read is waiting or unanswered

  input  logic         ask_valid_i,
  output logic         ask_ready_o,
  input  logic [1:0]   ask_slot_i,
  input  logic [51:OffW]  ask_line_i,
  output logic [6:0]   ask_index_o,    // place of the line

  input  logic         free_i,         // the slot moves to its next line: the previous one is free
  input  logic [1:0]   free_slot_i,
  input  logic [6:0]   at_i,
  output logic         have_o,         // the line has arrived
  output logic         bad_o,          // with a bus error
  output logic [51:OffW]  line_o,
  input  logic         read_i,
  output logic [LineW-1:0] data_o,         // in the next cycle, until the next read

  output logic         mem_valid_o,
  input  logic         mem_ready_i,
  output logic [51:OffW]  mem_line_o,
  output logic [6:0]   mem_tag_o,
  input  logic         mem_rsp_valid_i,
  input  logic [6:0]   mem_rsp_tag_i,
  input  logic [LineW-1:0] mem_rsp_data_i,
  input  logic         mem_rsp_err_i
);

  logic [51:OffW] line_q [Lines];
  logic [6:0]   next_q [4];            // place in the ring of the slot
  logic [7:0]   used_q [4];            // lines requested and not used yet; one more is in use
  logic [7:0]   waiting_q;             // lines without an answer
  logic [7:0]   size;
  logic [6:0]   first;
  logic         full, take, port_ready;
  logic         free_q;                // a line that was freed counts a cycle later
  logic [1:0]   free_slot_q;

  // Number of lines in a ring, and the first line of the slot's ring.
  always_comb begin
    case (streams_i)
      3'b001, 3'b010, 3'b100: begin
        size  = 8'(Lines);
        first = 7'd0;
      end
      3'b111: begin
        size  = 8'(Lines / 3);
        first = ask_slot_i == 2'd0 ? 7'd0 : ask_slot_i == 2'd1 ? 7'(Lines / 3) : 7'(Lines / 3 * 2);
      end
      default: begin  // two of them: the higher one has the upper half
        size  = 8'(Lines / 2);
        first = ask_slot_i[1] || (ask_slot_i[0] && streams_i[0]) ? 7'(Lines / 2) : 7'd0;
      end
    endcase
  end
  assign ask_index_o = first + next_q[ask_slot_i];

  assign full        = used_q[ask_slot_i] == size - 8'd1;
  assign ask_ready_o = !full && port_ready;
  assign take        = ask_valid_i && ask_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      free_q    <= 1'b0;
      waiting_q <= '0;
      for (int s = 0; s < 4; s++) begin
        next_q[s] <= '0;
        used_q[s] <= '0;
      end
    end else begin
      free_q    <= free_i;
      waiting_q <= waiting_q + 8'(take) - 8'(mem_rsp_valid_i);
      for (int s = 0; s < 3; s++) begin
        if (clear_i) begin
          used_q[s] <= '0;
          next_q[s] <= '0;
        end else begin
          used_q[s] <= used_q[s] + 8'(take && ask_slot_i == 2'(s)) -
                       8'(free_q && free_slot_q == 2'(s));
          if (take && ask_slot_i == 2'(s)) next_q[s] <= {1'b0, next_q[s]} == size - 8'd1 ? 7'd0 : next_q[s] + 7'd1;
        end
      end
    end

    free_slot_q <= free_slot_i;
    if (take) line_q[IndexW'(ask_index_o)] <= ask_line_i;
  end

  faa_skid #(
    .Width   (52 - OffW + 7),
    .HalfRate(HalfRate)
  ) u_request (
    .clk_i,
    .rst_ni,
    .valid_i(take),
    .ready_o(port_ready),
    .data_i ({ask_line_i, ask_index_o}),
    .valid_o(mem_valid_o),
    .ready_i(mem_ready_i),
    .data_o ({mem_line_o, mem_tag_o})
  );

  faa_ram_1r1w #(.Width(LineW), .Depth(Lines)) u_ram (
    .clk_i,
    .we_i   (mem_rsp_valid_i),
    .waddr_i(IndexW'(mem_rsp_tag_i)),
    .wdata_i(mem_rsp_data_i),
    .re_i   (read_i),
    .raddr_i(IndexW'(at_i)),
    .rdata_o(data_o)
  );

  faa_cu_arrived #(.Depth(Lines)) u_arrived (
    .clk_i,
    .rst_ni,
    .ask_i      (take),
    .ask_index_i(IndexW'(ask_index_o)),
    .rsp_i      (mem_rsp_valid_i),
    .rsp_index_i(IndexW'(mem_rsp_tag_i)),
    .rsp_err_i  (mem_rsp_err_i),
    .at_i       (IndexW'(at_i)),
    .have_o,
    .bad_o
  );

  assign line_o      = line_q[IndexW'(at_i)];
  assign idle_o      = waiting_q == '0;

  if (IndexW < 7) begin : gen_few
    logic unused_index;
    assign unused_index = ^{at_i[6:IndexW], mem_rsp_tag_i[6:IndexW]};
  end

  `FAA_ASSERT(clear_at_rest, !clear_i || idle_o)
  `FAA_ASSERT(response_is_awaited, !mem_rsp_valid_i || waiting_q != '0)
  `FAA_ASSERT(freed_was_used, !free_q || used_q[free_slot_q] != '0)
  `FAA_ASSERT(freed_before_clear, !clear_i || !(free_i || free_q))
  `FAA_ASSERT_STABLE(memory_stable, mem_valid_o, mem_ready_i, {mem_line_o, mem_tag_o})
  `FAA_COVER(stall_l2, ask_valid_i && full)
  `FAA_COVER(stall_l3, ask_valid_i && !full && !ask_ready_o)

endmodule
