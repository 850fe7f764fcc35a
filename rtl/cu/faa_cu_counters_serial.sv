// SPDX-License-Identifier: Apache-2.0
//
// faa_cu_counters for a unit with one slot, with less logic: COUNT is in RAM, and one adder of 32
// bits visits its halves in turn. The increments of a counter since its last turn are in a few
// flip-flops. SAVED and BASE are in a second RAM; another adder adds one of them to COUNT.
//
// A turn takes two cycles, a round Named turns. A read returns the sum as of the counter's turn:
// without the events of the last three cycles before rd_ack_o, or four in the upper half. A read is
// answered after at most two rounds and the snapshots in between. A snapshot begins a new round, so
// that the age of each counter in it is always the same; a beat that is not taken at once makes the
// next one wait for another round. Stalls: none but these.
//
// A fold is a round whose sums go to BASE, while COUNT is written with zero; nothing is lost. Then
// a round clears SAVED. Each begins with the next round. A line is loaded a word per cycle.
//
// After reset, the first round clears COUNT and BASE; increments of that time stay in the
// flip-flops. CYCLES is counted here: its SAVED is never read, its BASE always.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu_counters_serial #(
  parameter int unsigned Lanes = 4,       // counters of a beat: 16, 8 or 4
  parameter int unsigned LineBytes = 16,
  parameter int unsigned AddW = 9,
  localparam type counters_req_t = `FAA_COUNTERS_REQ(LineBytes)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic [faa_pkg::COUNTERS*AddW-1:0] add_i,

  input  logic                rd_req_i,
  input  logic [5:0]          rd_word_i,
  output logic                rd_ack_o,
  output logic [31:0]         rd_data_o,

  input  counters_req_t       load_i,
  output logic                fold_done_o,
  output logic                load_ready_o,

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

  // ---- Rounds of a fold ----

  typedef enum logic [1:0] {
    StCount,      // rounds of no fold
    StFold,       // BASE becomes BASE + COUNT, COUNT 0
    StZero,       // SAVED becomes 0
    StDone
  } state_e;

  state_e state_q, state1_q, state2_q;
  logic   round_end;

  assign round_end = word_q == LastWord && !clearing_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StCount;
    end else begin
      // The unit's reset ends a request. Each number is either folded or not.
      unique case (state_q)
        StCount: if (round_end && load_i.fold) state_q <= StFold;
        StFold:  if (round_end) state_q <= !load_i.fold ? StCount : load_i.clear ? StZero : StDone;
        StZero:  if (!load_i.fold) state_q <= StCount; else if (round_end) state_q <= StDone;
        // Words of the last round are on their way for two cycles.
        default: if (word_q == 6'd4 || !load_i.fold) state_q <= StCount;
      endcase
    end
    {state1_q, state2_q} <= {state_q, state1_q};
  end

  assign fold_done_o = state_q == StDone && word_q == 6'd4 && load_i.fold;

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
    .clk_i, .we_i(1'b1), .waddr_i(word2_q), .wdata_i(state2_q == StFold ? '0 : sum_q), .re_i(1'b1),
    .raddr_i(word_q), .rdata_o(before_turn)
  );

  assign {carry, sum} = 33'(before_turn) + 33'(pick_q) + 33'(carry_q);
  always_ff @(posedge clk_i) begin
    if (clearing1_q) sum_q <= '0;
    else sum_q <= sum;
    if (clearing1_q || word1_q[0]) carry_q <= 1'b0;
    else carry_q <= carry;
  end

  // ---- COUNT with SAVED, for snapshots, or with BASE ----

  // Words of SAVED, then of BASE
  localparam int unsigned LineWords = LineBytes / 4;
  localparam int unsigned LineWordW = $clog2(LineWords);
  logic                 active_q;       // a snapshot is being taken
  logic [31:0]          other, total;
  logic                 carry_total, carry_total_q, of_queue, queue2_q, load, base_we;
  logic [LineWordW-1:0] load_word_q;
  logic [5:0]           load_at;

  // The same for both halves of a counter
  assign of_queue = word1_q[0] ? queue2_q :
                    active_q && word1_q[5:1] != 5'(faa_pkg::COUNTER_CYCLES);
  assign base_we  = clearing2_q || state2_q == StFold;
  assign load     = load_i.load && !base_we && state2_q != StZero;
  assign load_at  = 6'({load_i.line, load_word_q});
  assign load_ready_o = load && load_word_q == '1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !load_i.load) load_word_q <= '0;
    else if (load) load_word_q <= load_word_q + LineWordW'(1);
    if (!word2_q[0]) carry_total_q <= carry_total;
    queue2_q <= of_queue;
  end

  faa_ram_1r1w #(.Width(32), .Depth(128)) u_others (
    .clk_i,
    .we_i   (base_we || state2_q == StZero || load),
    .waddr_i(base_we || state2_q == StZero ? {base_we, word2_q} : {1'b0, load_at}),
    .wdata_i(base_we ? (clearing2_q ? '0 : total) :
             state2_q == StZero ? '0 : load_i.data[32*32'(load_word_q) +: 32]),
    .re_i   (1'b1),
    .raddr_i({!of_queue, word1_q}),
    .rdata_o(other)
  );

  assign {carry_total, total} = 33'(sum_q) + 33'(other) + 33'(word2_q[0] && carry_total_q);

  // ---- Reads ----

  assign rd_ack_o  = rd_req_i && !clearing2_q && !queue2_q && word2_q == rd_word_i;
  assign rd_data_o = total;

  // ---- Snapshots: words are shifted in from above ----

  localparam int unsigned Words = 2 * Lanes;
  localparam int unsigned WordsW = $clog2(Words);
  logic [Words-1:0][31:0] beat_q;
  logic [WordsW-1:0]      count_q;
  logic                   full_q, shift, none;
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
    if (shift) beat_q[Words-1] <= none ? '0 : total;
  end

  assign snap_valid_o = full_q;
  assign snap_data_o  = beat_q;

  logic unused;
  assign unused = ^add_i;

  `FAA_ASSUME(snap_taken_when_valid, !snap_ready_i || snap_valid_o)
  `FAA_COVER(snap_waits_a_round, active_q && full_q && word2_q == 6'(want + 6'd1))

endmodule
