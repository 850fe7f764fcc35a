// SPDX-License-Identifier: Apache-2.0
//
// Bank operations of choice words: CAS and CAST of a word whose lanes compare with several values,
// done as one operation.
//
// A table holds, for each beat with such words, the compare and store values of its lanes, and the
// last of the successes that begin at each position (faa_shared_links). The bank operation carries
// a ticket (faa_shared_pkg::TICKET_*). The first position of its word that compares equal with the
// old word succeeds first, and the word becomes the value that the last of its successes stores.
//
// A bank requests its turn (req_i). In a later cycle it is granted (grant_o) and takes its
// operation, so no path leads from bank to bank. That cycle is stage A of faa_shared_bank, whose
// other stages are used here, too. C, two cycles later: word_i, the old word, is compared. D: the
// first success is found. E, ADD_LATENCY cycles after C: word_o is the new word, sum_i of
// faa_shared_bank.
//
// Throughput: one word per cycle, one in two cycles of a bank. Stalls: SHM-S10, which the pair of
// banks reports.
//
// A row is reused after 64 beats with choice words, when the beats of the window, and those before
// them, are complete.

`include "faa_assert.svh"

module faa_shared_choose #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned Banks = Lanes,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Rows = 2 ** (faa_shared_pkg::TICKET_BITS - faa_shared_pkg::TICKET_ROW)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // A beat with choice words in stage 1 of faa_shared_chain
  input  logic                   put_i,
  input  logic [Lanes-1:0]       first_i,    // first positions of words
  input  logic [Lanes*32-1:0]    b_i,
  input  logic [Lanes*32-1:0]    c_i,
  input  logic [Lanes*LaneW-1:0] end_i,      // last of the successes that begin here
  output logic [$clog2(Rows)-1:0] row_o,     // row of the beat

  input  logic [Banks-1:0]       req_i,      // not in the cycle of its grant

  // Stage A of the bank that was granted
  output logic [Banks-1:0]       grant_o,
  input  logic [Banks-1:0][31:0] ticket_i,

  // Stage C of the bank that was granted, and stage E
  input  logic [Banks-1:0][31:0] word_i,
  output logic [31:0]            word_o
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;
  localparam int unsigned RowW    = $clog2(Rows);
  localparam logic [Lanes-1:0] All = '1;

  logic [RowW-1:0]        tail_q;
  logic [31:0]            ticket, word, chosen;
  logic [Banks-1:0]       turn, b_bank_q, c_bank_q;
  logic                   b_valid_q, c_valid_q, d_valid_q;
  logic [RowW-1:0]        b_row_q, c_row_q;
  logic [LaneW-1:0]       b_last_q, c_last_q;
  logic [Lanes*32-1:0]    b, c;
  logic [Lanes*LaneW-1:0] ends;
  logic [Lanes-1:0]       first, equal, equal_q, mine, mine_q;

  assign row_o = tail_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tail_q <= '0;
    else if (put_i) tail_q <= tail_q + RowW'(1);
  end

  // Values for stage C, and values for stage D
  faa_ram_1r1w #(
    .Width(Lanes * 33),
    .Depth(Rows)
  ) u_compared (
    .clk_i,
    .we_i   (put_i),
    .waddr_i(tail_q),
    .wdata_i({first_i, b_i}),
    .re_i   (b_valid_q),
    .raddr_i(b_row_q),
    .rdata_o({first, b})
  );

  faa_ram_1r1w #(
    .Width(Lanes * (32 + LaneW)),
    .Depth(Rows)
  ) u_stored (
    .clk_i,
    .we_i   (put_i),
    .waddr_i(tail_q),
    .wdata_i({end_i, c_i}),
    .re_i   (c_valid_q),
    .raddr_i(c_row_q),
    .rdata_o({ends, c})
  );

  // -----------------------------------------------------------------------------------------------
  // Arbitration, and stage A

  faa_arb_rr #(
    .N(Banks)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .req_i,
    .grant_o  (turn),
    .advance_i(1'b1)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) grant_o <= '0;
    else grant_o <= turn;
  end

  always_comb begin
    ticket = '0;
    if (grant_o != '0) begin
      for (int k = 0; k < Banks; k++) if (grant_o[k]) ticket = ticket | ticket_i[k];
    end
  end

  logic unused_ticket;
  assign unused_ticket = ^ticket;

  // -----------------------------------------------------------------------------------------------
  // Stage C: positions that compare equal with the old word, and the positions of the word: those
  // up to its last one with no first position after them

  logic [Lanes-1:0] above, begins;
  always_comb begin
    word   = '0;
    equal  = '0;
    above  = '0;
    begins = '0;
    mine   = '0;
    if (c_valid_q) begin
      for (int k = 0; k < Banks; k++) if (c_bank_q[k]) word = word | word_i[k];
      above  = (All << c_last_q) << 1;
      begins = first & ~above;
      for (int p = 0; p < Lanes; p++) begin
        equal[p] = b[p*32 +: 32] == word;
        mine[p]  = !above[p] && ((begins >> p) >> 1) == '0;
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Stage D: the lowest of these succeeds first, and the last of its successes stores

  logic [31:0]      m_q;
  logic [Lanes-1:0] hit, lowest;
  logic [LaneW-1:0] last_success;
  always_comb begin
    hit          = equal_q & mine_q;
    lowest       = '0;
    last_success = '0;
    chosen       = m_q;
    if (d_valid_q && hit != '0) begin
      lowest = hit & -hit;
      for (int p = 0; p < Lanes; p++) begin
        if (lowest[p]) last_success = last_success | ends[p*LaneW +: LaneW];
      end
      chosen = c[{last_success, 5'b0} +: 32];
    end
  end

  logic [(Latency-1)*32-1:0] chosen_q;
  assign word_o = chosen_q[(Latency-2)*32 +: 32];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      c_valid_q <= 1'b0;
      d_valid_q <= 1'b0;
    end else begin
      b_valid_q <= grant_o != '0;
      c_valid_q <= b_valid_q;
      d_valid_q <= c_valid_q;
    end
    if (grant_o != '0) begin
      b_bank_q <= grant_o;
      b_row_q  <= ticket[faa_shared_pkg::TICKET_ROW +: RowW];
      b_last_q <= ticket[faa_shared_pkg::TICKET_LAST +: LaneW];
    end
    if (b_valid_q) begin
      c_bank_q <= b_bank_q;
      c_row_q  <= b_row_q;
      c_last_q <= b_last_q;
    end
    if (c_valid_q) begin
      m_q     <= word;
      equal_q <= equal;
      mine_q  <= mine;
    end
    chosen_q <= ((Latency-1)*32)'({chosen_q, chosen});
  end

  `FAA_ASSERT(word_has_a_first_position, !c_valid_q || begins != '0)
  `FAA_COVER(none_succeeds, d_valid_q && hit == '0)
  `FAA_COVER(successes_go_on, d_valid_q && hit != '0 && !lowest[last_success])
  `FAA_COVER(several_ask, (req_i & (req_i - Banks'(1))) != '0)

endmodule
