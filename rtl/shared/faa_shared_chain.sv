// SPDX-License-Identifier: Apache-2.0
//
// Stage X: combines the groups on hot words across beats.
//
// Up to Chains words are watched. While the next beat has a watched word too, with the same
// combinable operation, the bank does not execute the group of the beat on it. The first group of
// such a chain only loads the word (if answers are wanted), the next ones send nothing, and the
// last one sends the combined operation of all. The answer of a lane is the loaded word, combined
// with all operations of the chain before the lane: before_o. No other operation touches the word
// meanwhile, because every beat of the chain has its group on it.
//
// A chain ends with a beat after which no suitable beat waits. All chains end together after
// Longest beats, so that a warp is done in bounded time. A watched word that two consecutive beats
// lack is replaced by a word of the beat that several lanes share (faa_shared_crowd).
//
//   L     the beat is compared with the watched words
//   P     it waits for go_i; the beat in L decides which chains continue
//   1..4  faa_shared_total: the totals of the chains enter the operands; these stages never stall
//
// Latency: 6 cycles. Throughput: one beat per cycle. Chains = 0: 1 cycle.

`include "faa_assert.svh"

module faa_shared_chain #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Chains = 2,    // up to 2
  parameter int unsigned Longest = 15,
  parameter int unsigned WordW = 14,
  localparam int unsigned Slots = Chains == 0 ? 1 : Chains,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        valid_i,
  output logic                        ready_o,
  input  faa_shared_pkg::beat_t       beat_i,
  input  logic [Lanes-1:0][WordW-1:0] word_i,
  input  logic [Lanes-1:0]            member_i,
  input  logic [Lanes-1:0]            first_i,
  input  logic [Lanes-1:0]            last_i,
  input  logic [1:0][Lanes-1:0]       crowd_i,
  input  logic [Lanes-1:0][31:0]      value_i,
  input  logic [Lanes-1:0][31:0]      other_i,
  input  logic [Lanes-1:0]            choice_i,
  input  logic [Lanes-1:0][LaneW-1:0] next_i,
  input  logic [Lanes-1:0][LaneW-1:0] end_i,

  // The beat in P enters the stages that never stall.
  input  logic                        go_i,
  output logic                        pass_o,

  // Choice words, already in stage 1
  output logic                        choice_valid_o,
  output logic [Lanes-1:0]            choice_first_o,
  output logic [Lanes-1:0][31:0]      choice_b_o,
  output logic [Lanes-1:0][31:0]      choice_c_o,
  output logic [Lanes-1:0][LaneW-1:0] choice_end_o,

  output logic                        valid_o,
  output faa_shared_pkg::beat_t       beat_o,
  output logic [Lanes-1:0][WordW-1:0] word_o,
  output logic [Lanes-1:0]            member_o,
  output logic [Lanes-1:0]            first_o,    // answered with the word itself
  output logic [Lanes-1:0]            send_o,     // sends its group's operation
  output logic [Lanes-1:0]            load_o,     // ... and that is a load
  output logic [Lanes-1:0][31:0]      value_o,
  output logic [Lanes-1:0][31:0]      before_o,   // operations before the position, combined
  output logic [Lanes-1:0][31:0]      other_o,
  output logic [Lanes-1:0]            choice_o,
  output logic [Lanes-1:0][LaneW-1:0] next_o,
  output logic [Slots-1:0][Lanes-1:0] chained_o,  // positions whose word is the chain's base
  output logic [Slots-1:0][Lanes-1:0] base_o,     // the position whose answer becomes the base
  output logic                        hold_o      // the beat is done only with a later one
);

  typedef struct packed {
    faa_shared_pkg::beat_t       beat;
    logic [Lanes-1:0][WordW-1:0] word;
    logic [Lanes-1:0]            member;
    logic [Lanes-1:0]            first;
    logic [Lanes-1:0]            last;
    logic [Lanes-1:0][31:0]      value;
    logic [Lanes-1:0][31:0]      other;
    logic [Lanes-1:0]            choice;
  } record_t;

  record_t                     l_q;
  logic [Lanes-1:0][LaneW-1:0] l_next_q, l_end_q;
  logic                        l_valid_q, l_ready, take;

  assign ready_o = !l_valid_q || l_ready;
  assign take    = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) l_valid_q <= 1'b0;
    else if (ready_o) l_valid_q <= valid_i;
    if (take) begin
      l_q <= '{beat: beat_i, word: word_i, member: member_i, first: first_i, last: last_i,
               value: value_i, other: other_i, choice: choice_i};
    end
    if (take && choice_i != '0) begin
      l_next_q <= next_i;
      l_end_q  <= end_i;
    end
  end

  if (Chains == 0) begin : g_plain
    logic unused;
    assign unused         = ^crowd_i;
    assign l_ready        = go_i;
    assign pass_o         = l_valid_q && go_i;
    assign choice_valid_o = pass_o && l_q.choice != '0;
    assign choice_first_o = l_q.first;
    assign choice_b_o     = l_q.other;
    assign choice_c_o     = l_q.value;
    assign choice_end_o   = l_end_q;
    assign valid_o        = pass_o;
    assign beat_o         = l_q.beat;
    assign word_o         = l_q.word;
    assign member_o       = l_q.member;
    assign first_o        = l_q.first;
    assign send_o         = l_q.last;
    assign load_o         = '0;
    assign value_o        = l_q.value;
    assign before_o       = {l_q.value[Lanes-2:0], 32'b0};
    assign other_o        = l_q.other;
    assign choice_o       = l_q.choice;
    assign next_o         = l_next_q;
    assign chained_o      = '0;
    assign base_o         = '0;
    assign hold_o         = 1'b0;
  end else begin : g_chains
    // ---------------------------------------------------------------------------------------------
    // L: watched words, and candidates

    logic [1:0]                    has_q;
    logic [1:0][WordW-1:0]         crowd_q, crowd_d;
    logic [Slots-1:0][1:0]         is_crowd, taken;
    logic [Slots-1:0][Lanes-1:0]   match;
    logic [Slots-1:0]              hit, adopt;
    logic                          usable;

    always_comb begin
      crowd_d = '0;
      for (int unsigned k = 0; k < 2; k++) begin
        for (int unsigned p = 0; p < Lanes; p++) begin
          if (crowd_i[k][p]) crowd_d[k] = crowd_d[k] | word_i[p];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (take) begin
        has_q   <= {crowd_i[1] != '0, crowd_i[0] != '0};
        crowd_q <= crowd_d;
      end
    end

    assign usable = faa_shared_pkg::is_combined(l_q.beat);

    // Candidates that the other chain watches or is about to watch: if both want a word, chain 0
    // takes the first one.
    if (Chains == 2) begin : g_taken
      assign taken[0] = is_crowd[1];
      assign taken[1] = is_crowd[0] | {1'b0, adopt[0]};
      logic unused;
      assign unused = adopt[1];
    end else begin : g_alone
      logic unused;
      assign unused = ^{is_crowd, adopt};
      assign taken  = '0;
    end

    for (genvar c = 0; c < Chains; c++) begin : g_watch
      faa_shared_watch #(
        .Lanes(Lanes),
        .WordW(WordW)
      ) u_watch (
        .clk_i,
        .rst_ni,
        .take_i    (l_valid_q && l_ready),
        .usable_i  (usable),
        .word_i    (l_q.word),
        .member_i  (l_q.member),
        .match_o   (match[c]),
        .hit_o     (hit[c]),
        .has_i     (has_q),
        .crowd_i   (crowd_q),
        .taken_i   (taken[c]),
        .is_crowd_o(is_crowd[c]),
        .adopt_o   (adopt[c])
      );
    end

    // ---------------------------------------------------------------------------------------------
    // P: whether a chain continues with the next beat

    record_t                     p_q;
    logic [Lanes-1:0][LaneW-1:0] p_next_q, p_end_q;
    logic                        p_valid_q, same;
    logic [Slots-1:0][Lanes-1:0] p_mask_q;
    logic [Slots-1:0]            p_hit_q, open_q, cont;
    logic [3:0]                  length_q;

    assign l_ready = !p_valid_q || go_i;
    assign pass_o  = p_valid_q && go_i;
    assign same    = l_valid_q && length_q != 4'(Longest) && l_q.beat.op == p_q.beat.op &&
                     l_q.beat.typ == p_q.beat.typ && l_q.beat.func == p_q.beat.func &&
                     l_q.beat.result == p_q.beat.result;
    assign cont    = {Slots{same}} & hit & p_hit_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        p_valid_q <= 1'b0;
        open_q    <= '0;
        length_q  <= '0;
      end else begin
        if (l_ready) p_valid_q <= l_valid_q;
        if (pass_o) begin
          open_q   <= cont;
          length_q <= cont != '0 ? length_q + 4'd1 : '0;
        end
      end
      if (l_valid_q && l_ready) begin
        p_q      <= l_q;
        p_mask_q <= match;
        p_hit_q  <= hit;
      end
      if (l_valid_q && l_ready && l_q.choice != '0) begin
        p_next_q <= l_next_q;
        p_end_q  <= l_end_q;
      end
    end

    // ---------------------------------------------------------------------------------------------
    // Stages 1 to 4

    record_t                     s_q;
    logic [Lanes-1:0][LaneW-1:0] s_next_q, s_end_q;
    logic                        s_valid_q;
    logic [Slots-1:0][Lanes-1:0] s_mask_q;
    logic [Slots-1:0]            s_open_q, s_cont_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) s_valid_q <= 1'b0;
      else s_valid_q <= pass_o;
      if (pass_o) begin
        s_q      <= p_q;
        s_mask_q <= p_mask_q;
        s_open_q <= open_q;
        s_cont_q <= cont;
      end
      if (pass_o && p_q.choice != '0) begin
        s_next_q <= p_next_q;
        s_end_q  <= p_end_q;
      end
    end

    assign choice_valid_o = s_valid_q && s_q.choice != '0;
    assign choice_first_o = s_q.first;
    assign choice_b_o     = s_q.other;
    assign choice_c_o     = s_q.value;
    assign choice_end_o   = s_end_q;

    faa_shared_total #(
      .Lanes (Lanes),
      .Chains(Chains)
    ) u_total (
      .clk_i,
      .rst_ni,
      .valid_i (s_valid_q),
      .beat_i  (s_q.beat),
      .first_i (s_q.first),
      .last_i  (s_q.last),
      .value_i (s_q.value),
      .mask_i  (s_mask_q),
      .open_i  (s_open_q),
      .cont_i  (s_cont_q),
      .valid_o,
      .beat_o,
      .first_o,
      .send_o,
      .load_o,
      .value_o,
      .before_o,
      .chained_o,
      .base_o,
      .hold_o
    );

    faa_lanes_delay #(
      .Width (Lanes * (WordW + 2 + 32 + LaneW)),
      .Cycles(3)
    ) u_others (
      .clk_i,
      .rst_ni,
      .data_i({s_q.word, s_q.member, s_q.other, s_q.choice, s_next_q}),
      .data_o({word_o, member_o, other_o, choice_o, next_o})
    );

    // ---------------------------------------------------------------------------------------------

    for (genvar c = 0; c < Chains; c++) begin : g_check
      `FAA_COVER(chain_begins, pass_o && cont[c] && !open_q[c])
      `FAA_COVER(chain_goes_on, pass_o && cont[c] && open_q[c])
      `FAA_COVER(chain_ends, pass_o && !cont[c] && open_q[c])
    end
    // A chain continues only with a beat that has the word.
    `FAA_ASSERT(open_chain_has_its_word, (open_q & ~({Slots{p_valid_q}} & p_hit_q)) == '0)
  end

  `FAA_ASSERT(first_crowd_first, !valid_i || crowd_i[0] != '0 || crowd_i[1] == '0)

`ifndef YOSYS
  if (Chains > 2) begin : gen_bad_chains
    $error("faa_shared_chain: Chains is %0d, at most 2 are possible", Chains);
  end
`endif

endmodule
