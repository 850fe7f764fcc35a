// SPDX-License-Identifier: Apache-2.0
//
// faa_cu_counters for a unit with one slot, with less logic: the sums are in RAM, and one adder of
// 32 bits visits their halves in turn. The increments of a counter since its last turn are in a few
// flip-flops.
//
// A turn takes two cycles, a round Named turns. A read returns the sum as of the counter's turn:
// without the events of the last three cycles before rd_ack_o, or four in the upper half. A read is
// answered after at most two rounds. A snapshot begins a new round, so that the age of each counter
// in it is always the same; a beat that is not taken at once makes the next one wait for another
// round. Stalls: none but these.
//
// After reset, the first round clears the RAM; increments of that time stay in the flip-flops.

`include "faa_assert.svh"

module faa_cu_counters_serial #(
  parameter int unsigned Lanes = 4,       // counters of a beat: 16, 8 or 4
  parameter int unsigned AddW = 9
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic [faa_pkg::COUNTERS*AddW-1:0] add_i,

  input  logic                rd_req_i,
  input  logic [5:0]          rd_word_i,
  output logic                rd_ack_o,
  output logic [31:0]         rd_data_o,

  input  logic                snap_req_i,
  input  logic [2:0]          snap_beat_i,
  output logic                snap_valid_o,
  input  logic                snap_ready_i,
  output logic [Lanes*64-1:0] snap_data_o
);

  localparam int unsigned Named = 32'(faa_pkg::COUNTER_STALL_SURFACE) + 1;
  localparam logic [5:0] LastWord = 6'(2 * Named - 1);
  // A snapshot begins a round when another round is almost over: 4 * Named - 1 cycles at most.
  localparam int unsigned RoundW = $clog2(4 * Named);
  localparam int unsigned PickW = AddW + RoundW;

  // Bits of a counter's increment in a cycle. A unit with one slot has at most one of most events.
  function automatic int unsigned add_width(input logic [4:0] counter);
    case (counter)
      faa_pkg::COUNTER_ELEMENTS, faa_pkg::COUNTER_PASSES, faa_pkg::COUNTER_GROUPS,
      faa_pkg::COUNTER_BANK_OPS:   return 6;
      faa_pkg::COUNTER_TLB_HITS:   return 2;
      faa_pkg::COUNTER_ATOM_ITEMS: return AddW;
      faa_pkg::COUNTER_ATOM_LINES: return 4;
      default:                     return 1;
    endcase
  endfunction

  // ---- Round ----

  // word_q is half word_q[0] of the counter whose bit in turn_q is set.
  logic [5:0]       word_q, word1_q, word2_q;
  logic [Named-1:0] turn_q;
  logic             clearing_q, clearing1_q, clearing2_q, restart, snap_start;

  // Not during the turn of counter 0: its sum is not in the RAM yet.
  assign restart = word_q[0] && ((clearing_q && word_q == LastWord) || (snap_start && !turn_q[0]));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || restart || word_q == LastWord) word_q <= '0;
    else word_q <= word_q + 6'd1;
    if (!rst_ni) turn_q <= '0;
    else if (restart) turn_q <= Named'(1);
    else if (word_q[0]) turn_q <= {turn_q[Named-2:0], turn_q[Named-1]};
    if (!rst_ni) clearing_q <= 1'b1;
    else if (word_q == LastWord) clearing_q <= 1'b0;
    if (!rst_ni) {clearing1_q, clearing2_q, word1_q, word2_q} <= {2'b11, 12'd0};
    else {clearing1_q, clearing2_q, word1_q, word2_q} <= {clearing_q, clearing1_q, word_q, word1_q};
  end

  // ---- Increments of each counter since its last turn ----

  logic [Named-1:0][PickW-1:0] picks;
  logic [PickW-1:0]            pick, pick_q;

  for (genvar n = 0; n < Named; n++) begin : gen_counter
    localparam int unsigned W = add_width(5'(n));
    logic [W-1:0]        add, add_q;
    logic [W+RoundW-1:0] grown_q, grown;

    assign add = n == 0 ? W'(1) : add_i[n*AddW +: W];
    assign grown = grown_q + (W+RoundW)'(add_q);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) add_q <= '0;
      else add_q <= add;
      if (!rst_ni || (turn_q[n] && !word_q[0])) grown_q <= '0;
      else grown_q <= grown;
    end
    assign picks[n] = turn_q[n] && !word_q[0] ? PickW'(grown) : '0;

    if (n > 0 && W < AddW) begin : gen_narrow
      `FAA_ASSERT(fits, add_i[n*AddW + W +: AddW - W] == '0)
    end
  end

  always_comb begin
    pick = '0;
    for (int unsigned n = 0; n < Named; n++) pick = pick | picks[n];
  end
  always_ff @(posedge clk_i) pick_q <= pick;

  // ---- Sums ----

  logic [31:0] before_turn, sum, sum_q;
  logic        carry, carry_q;

  faa_ram_1r1w #(.Width(32), .Depth(64)) u_sums (
    .clk_i, .we_i(1'b1), .waddr_i(word2_q), .wdata_i(sum_q), .re_i(1'b1), .raddr_i(word_q),
    .rdata_o(before_turn)
  );

  assign {carry, sum} = 33'(before_turn) + 33'(pick_q) + 33'(carry_q);
  always_ff @(posedge clk_i) begin
    if (clearing1_q) sum_q <= '0;
    else sum_q <= sum;
    if (clearing1_q || word1_q[0]) carry_q <= 1'b0;
    else carry_q <= carry;
  end

  // ---- Reads ----

  assign rd_ack_o  = rd_req_i && !clearing2_q && word2_q == rd_word_i;
  assign rd_data_o = sum_q;

  // ---- Snapshots: words are shifted in from above ----

  localparam int unsigned Words = 2 * Lanes;
  localparam int unsigned WordsW = $clog2(Words);
  logic [Words-1:0][31:0] beat_q;
  logic [WordsW-1:0]      count_q;
  logic                   active_q, full_q, shift, none;
  logic [5:0]             want;

  assign snap_start = snap_req_i && !active_q && !clearing_q;
  assign want       = 6'({snap_beat_i, count_q});
  assign none       = want > LastWord;
  assign shift      = active_q && !full_q && (none || word2_q == want);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !snap_req_i) begin
      active_q <= 1'b0;
      full_q   <= 1'b0;
      count_q  <= '0;
    end else begin
      if (restart) active_q <= 1'b1;
      if (shift) count_q <= count_q + WordsW'(1);
      if (shift && count_q == '1) full_q <= 1'b1;
      else if (snap_ready_i) full_q <= 1'b0;
    end
    if (shift) beat_q[Words-2:0] <= beat_q[Words-1:1];
    if (shift) beat_q[Words-1] <= none ? '0 : sum_q;
  end

  assign snap_valid_o = full_q;
  assign snap_data_o  = beat_q;

  logic unused;
  assign unused = ^add_i;

  `FAA_ASSUME(snap_taken_when_valid, !snap_ready_i || snap_valid_o)
  `FAA_COVER(snap_waits_a_round, active_q && full_q && word2_q == 6'(want + 6'd1))

endmodule
