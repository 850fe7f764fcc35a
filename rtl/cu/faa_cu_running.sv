// SPDX-License-Identifier: Apache-2.0
//
// The element that the warp of faa_cu_operand begins with, and the values of lane 0 in that warp:
// base + element * step modulo 2^64, for operands a, b, c and destination d. From warp to warp they
// grow by 32 steps. A command that begins, or begins again, at a later element seeks first: one
// bit of element / 32 per cycle, least significant first, adds that multiple of the steps.

`include "faa_assert.svh"

module faa_cu_running (
  input  logic             clk_i,
  input  logic             rst_ni,     // of assertions only

  input  logic             start_i,    // begin at element_i with the values base_i
  input  logic [31:0]      element_i,  // multiple of 32
  input  logic [32:0]      count_i,    // elements of the command; stable
  input  logic [3:0][63:0] base_i,     // {d, c, b, a}
  input  logic [3:0][63:0] step_i,     // stable from the cycle of start_i on

  // The seek to an element other than 0, in consecutive cycles until it is done. It begins in the
  // cycle after start_i, or later if wait_i is 1 in between.
  input  logic             wait_i,
  input  logic             seek_i,
  output logic             seek_done_o,

  input  logic             next_i,     // the next warp is wanted

  output logic [32:0]      element_o,
  output logic             last_o,     // the warp is the last one of the command
  output logic [3:0][63:0] value_o
);

  logic [26:0]      seek_q;
  logic [32:0]      element_q;
  logic             last_q;
  logic [3:0][63:0] value_q, multiple_q;   // multiple: 32 steps, more of them in a seek

  always_ff @(posedge clk_i) begin
    if (start_i) seek_q <= element_i[31:5];
    else if (!wait_i) seek_q <= seek_q >> 1;

    if (start_i) begin
      element_q <= {1'b0, element_i};
      last_q    <= {1'b0, element_i} + 33'd32 >= count_i;
    end else if (next_i) begin
      element_q <= element_q + 33'd32;
      last_q    <= element_q + 33'd64 >= count_i;
    end

    for (int n = 0; n < 4; n++) begin
      if (start_i) value_q[n] <= base_i[n];
      else if (seek_i ? seek_q[0] : next_i) value_q[n] <= value_q[n] + multiple_q[n];
      // Between seeks it is 32 steps, from the cycle after the command's first one on.
      multiple_q[n] <= seek_i ? multiple_q[n] << 1 : step_i[n] << 5;
    end
  end

  assign seek_done_o = seek_q == 27'd1;
  assign element_o   = element_q;
  assign last_o      = last_q;
  assign value_o     = value_q;

  `FAA_ASSERT(seek_or_next, !(seek_i && next_i))
  `FAA_ASSERT(seek_has_bits, !seek_i || start_i || seek_q != '0)

endmodule
