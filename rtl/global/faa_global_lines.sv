// SPDX-License-Identifier: Apache-2.0
//
// Stage T of one port: a part's groups on the port's lines are put into line operations, one per
// cycle: one for each class (faa_global_classes).
//
// The lowest class that remains comes next. Lines take turns: one that was just sent, with this
// part or the one before, comes again only when no other one remains, since sums on one line wait
// for each other in the L2. Low bits of the address distinguish lines for that.
//
// Latency: 1 cycle. Throughput: one line operation per cycle; with Late one cycle more for each
// part. Stalls: GLB-S2 (further operations of the part), GLB-S3 (as many operations are outstanding
// as there are tags).

`include "faa_assert.svh"

module faa_global_lines #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned Ops = 256,
  parameter bit          Late = 1'b0,          // ready_o comes from a register
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Pairs = Lanes * (Lanes - 1) / 2,
  localparam int unsigned ColourW = faa_global_pkg::COLOUR_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // A part of a warp (faa_global_part)
  input  logic                          valid_i,
  output logic                          ready_o,
  input  faa_global_pkg::job_t          job_i,
  input  logic [Lanes-1:0]              names_i,    // classes of this port: at least one
  input  logic [Lanes-1:0][LaneW-1:0]   leader_i,
  input  logic [Lanes-1:0][OffW-1:0]         byte_i,
  input  logic [Lanes-1:0][LaneW-1:0]   rank_i,
  input  logic [Lanes-1:0][ColourW-1:0] colour_i,
  input  logic [Lanes-1:0]              last_i,
  input  logic [Pairs-1:0]              pair_i,
  input  logic [Lanes-1:0][51:OffW]        lines_i,
  input  logic [Lanes-1:0][31:0]        x_i,
  input  logic [Lanes-1:0][31:0]        y_i,
  input  logic [Lanes-1:0][31:0]        x_odd_i,
  input  logic [Lanes-1:0][31:0]        y_odd_i,

  input  logic                          answers_ready_i,
  input  logic                          answered_i,  // an operation leaves the list of the port

  // To stage B
  input  logic                          go_i,        // it takes the offered operation
  output logic                          valid_o,
  output logic                          new_o,       // first operation of its part
  output logic                          last_o,      // last one
  output logic [LaneW-1:0]              leader_o,
  output logic [LaneW-1:0]              rank_o,
  output logic [Lanes-1:0]              select_o,    // positions whose operands go into the line
  output faa_global_pkg::job_t          job_o,
  output logic [Lanes-1:0][OffW-1:0]         byte_o,
  output logic [Lanes-1:0][51:OffW]        lines_o,
  output logic [Lanes-1:0][31:0]        x_o,
  output logic [Lanes-1:0][31:0]        y_o,
  output logic [Lanes-1:0][31:0]        x_odd_o,
  output logic [Lanes-1:0][31:0]        y_odd_o,

  output logic                          stall_lines_o,
  output logic                          stall_tag_o
);

  localparam int unsigned CountW = $clog2(Ops + 1);

  logic                          valid_q, fresh_q, take, pass, is_last, room_q;
  logic [Lanes-1:0]              remaining_q, others, lowest, chosen, last_q;
  logic [Lanes-1:0][LaneW-1:0]   leader_q, rank_q;
  logic [Lanes-1:0][ColourW-1:0] colours_q;
  logic [Pairs-1:0]              pair_q;
  logic [ColourW-1:0]            colour, colour_q;   // of the line that was sent last
  logic [CountW-1:0]             count_q, count_d;

  assign ready_o = !valid_q || (!Late && pass && is_last);
  assign take    = valid_i && ready_o;

  // -----------------------------------------------------------------------------------------------
  // The next operation

  // Positions above a set one
  function automatic logic [Lanes-1:0] above(input logic [Lanes-1:0] bits);
    above = bits << 1;
    for (int unsigned far = 1; far < Lanes; far = 2 * far) above = above | (above << far);
  endfunction

  for (genvar p = 0; p < Lanes; p++) begin : g_other
    assign others[p] = remaining_q[p] && colours_q[p] != colour_q;
  end

  assign lowest  = remaining_q & ~above(remaining_q);
  assign chosen  = others != '0 ? others & ~above(others) : lowest;
  assign is_last = (remaining_q & above(remaining_q)) == '0;
  assign valid_o = valid_q && room_q;
  assign pass    = valid_o && go_i;

  always_comb begin
    leader_o = '0;
    rank_o   = '0;
    colour   = '0;
    select_o = last_q & chosen;
    for (int unsigned j = 0; j < Lanes; j++) begin
      leader_o = leader_o | (chosen[j] ? leader_q[j] : '0);
      rank_o   = rank_o | (chosen[j] ? rank_q[j] : '0);
      colour   = colour | (chosen[j] ? colours_q[j] : '0);
      for (int unsigned i = 0; i < j; i++) begin
        select_o[j] = select_o[j] | (last_q[j] & chosen[i] & pair_q[j*(j-1)/2 + i]);
      end
    end
  end

  assign new_o         = fresh_q;
  assign last_o        = is_last;
  assign stall_lines_o = pass && !is_last;
  assign stall_tag_o   = valid_q && !room_q;
  assign count_d       = count_q + CountW'(pass) - CountW'(answered_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      fresh_q  <= 1'b0;
      colour_q <= '0;
      count_q  <= '0;
      room_q   <= 1'b0;
    end else begin
      if (ready_o) valid_q <= valid_i;
      else if (pass && is_last) valid_q <= 1'b0;
      if (ready_o || pass) fresh_q <= take;
      if (pass) colour_q <= colour;
      count_q <= count_d;
      room_q  <= answers_ready_i && count_d < CountW'(Ops);
    end
    if (take) remaining_q <= names_i;
    else if (pass) remaining_q <= remaining_q & ~chosen;
    if (take) begin
      job_o     <= job_i;
      byte_o    <= byte_i;
      lines_o   <= lines_i;
      leader_q  <= leader_i;
      rank_q    <= rank_i;
      colours_q <= colour_i;
      last_q    <= last_i;
      pair_q    <= pair_i;
      x_o       <= x_i;
      y_o       <= y_i;
      x_odd_o   <= x_odd_i;
      y_odd_o   <= y_odd_i;
    end
  end

  `FAA_ASSERT(share_has_a_group, !valid_q || remaining_q != '0)
  `FAA_ASSERT(operation_has_a_group, !valid_q || select_o != '0)
  `FAA_COVER(stall_s2, stall_lines_o)
  `FAA_COVER(stall_s3, stall_tag_o)
  `FAA_COVER(hazard_h1, pass && rank_o != '0)
  `FAA_COVER(lines_take_turns, pass && others != '0 && others != remaining_q)

endmodule
