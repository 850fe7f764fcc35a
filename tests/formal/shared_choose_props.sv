// SPDX-License-Identifier: Apache-2.0
//
// CAS on a word whose lanes compare with several values, from the table to the bank: any beats,
// with the links of faa_shared_links, any heads of two banks, any requests of the other banks. One
// word of one beat is followed, which the solver chooses. Its operation leaves the word that its
// lanes would leave one after the other, and the next operation on the word finds exactly that.
//
// The row of the word is the one that shared_bank_inside.svh follows: its properties, with the
// result of faa_shared_choose, hold here, too.

`include "formal.svh"

module shared_choose_props #(
  parameter int unsigned Lanes = 4,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input logic                   clk_i,
  input logic                   run_i,
  input logic                   put_i,
  input logic [Lanes-1:1]       joins_i,    // has the word of the position before
  input logic [Lanes-1:0][31:0] b_i,
  input logic [Lanes-1:0][31:0] c_i,
  input logic                   pick_i,     // this beat is followed ...
  input logic [LaneW-1:0]       last_i,     // ... and the word that ends here
  input logic                   pair_i,
  input logic [1:0]             valid_i,
  input logic [3:0]             func_i,
  input logic [15:0]            op_i,
  input logic [7:0]             typ_i,
  input logic [1:0]             swap_i,
  input logic [1:0]             row_i,
  input logic [63:0]            ticket_i,   // operands b of the heads
  input logic [63:0]            head_c_i,
  input logic [1:0]             ask_i,      // the other banks
  input logic [63:0]            other_i
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;
  localparam int unsigned TableW  = faa_shared_pkg::TICKET_BITS - faa_shared_pkg::TICKET_ROW;
  localparam int unsigned C = 2;             // cycles after the grant
  localparam int unsigned E = C + Latency;

  `FORMAL_RESET

  // ---- The beat, as stages G to X bring it

  logic [Lanes-1:0]            choice, first_q;
  logic [Lanes-1:0][LaneW-1:0] next, ends, unused_next;
  logic [Lanes-1:0][31:0]      b_q, c_q;
  logic                        put_q, pick_q;
  logic [LaneW-1:0]            last_q;
  logic [TableW-1:0]           row;

  faa_shared_links #(.Lanes(Lanes)) u_links (
    .en_i(put_i), .joins_i({joins_i, 1'b0}), .b_i, .c_i, .choice_o(choice), .next_o(next)
  );
  faa_shared_ends #(.Lanes(Lanes), .Cycles(1)) u_ends (
    .clk_i, .rst_ni, .valid_i(put_i && choice != '0), .next_i(next), .next_o(unused_next),
    .end_o(ends)
  );

  always_ff @(posedge clk_i) begin
    put_q <= rst_ni && put_i && choice != '0;
    // The last position of a choice word
    pick_q  <= pick_i && choice[last_i] && (last_i == LaneW'(Lanes - 1) ||
        !joins_i[last_i+LaneW'(1)]);
    last_q  <= last_i;
    first_q <= {~joins_i, 1'b1};
    b_q     <= b_i;
    c_q     <= c_i;
  end

  // ---- Two banks, in one of the places of the four

  logic             place_q;
  logic [1:0]       request, ready, wide, is_choice, pair_grant, others_grant;
  logic [1:0][31:0] seen;
  logic [3:0]       all_request, grant;
  logic [3:0][31:0] tickets, words;
  logic [31:0]      chosen;

  always_ff @(posedge clk_i) if (!rst_ni) place_q <= pair_i;

  assign pair_grant   = place_q ? grant[3:2] : grant[1:0];
  assign others_grant = place_q ? grant[1:0] : grant[3:2];
  assign all_request  = place_q ? {request, ask_i & ~others_grant} :
      {ask_i & ~others_grant, request};
  assign tickets      = place_q ? {ticket_i, other_i} : {other_i, ticket_i};
  assign words        = place_q ? {seen, head_c_i} : {head_c_i, seen};

  faa_shared_pair #(.RowW(1), .F32(1'b0), .F64(1'b0), .X2(1'b0)) u_pair (
    .clk_i, .rst_ni, .head_valid_i(valid_i), .head_ready_o(ready), .head_func_i(func_i),
    .head_op_i(op_i), .head_typ_i(typ_i), .head_mod_i('0), .head_want_i('0), .head_swap_i(swap_i),
    .head_row_i(row_i), .head_byte_i('0), .head_b_i(ticket_i), .head_c_i(head_c_i),
    .rsp_valid_o(), .rsp_want_o(), .rsp_word_o(), .choice_req_o(request),
    .choice_grant_i(pair_grant),
    .word_o(seen), .choice_i(chosen), .ev_hazard_o()
  );

  faa_shared_choose #(.Lanes(Lanes)) u_choose (
    .clk_i, .rst_ni, .put_i(put_q), .first_i(first_q), .b_i(b_q), .c_i(c_q), .end_i(ends),
    .row_o(row), .req_i(all_request),
    .grant_o(grant), .ticket_i(tickets), .word_i(words), .word_o(chosen)
  );

  for (genvar h = 0; h < 2; h++) begin : g_head
    assign wide[h]      = faa_cu_pkg::is_wide(typ_i[h*4 +: 4]);
    assign is_choice[h] = func_i[h*2 +: 2] == faa_cu_pkg::SHARED_CHOICE;
    logic [74:0] head_q;
    logic        stays_q;
    always_ff @(posedge clk_i) begin
      head_q  <= {func_i[h*2 +: 2], op_i[h*8 +: 4], typ_i[h*4 +: 4], row_i[h], ticket_i[h*32 +: 32],
          head_c_i[h*32 +: 32]};
      stays_q <= rst_ni && valid_i[h] && !ready[h];
    end
    `FAA_ASSUME(HeadStays, !stays_q || (valid_i[h] &&
        head_q == {func_i[h*2 +: 2], op_i[h*8 +: 4], typ_i[h*4 +: 4], row_i[h],
                   ticket_i[h*32 +: 32], head_c_i[h*32 +: 32]}))
  end

  // As in shared_pair_props.sv
  `FAA_ASSUME(WideIsOne, valid_i != 2'b11 || wide != 2'b11 ||
      (row_i[0] == row_i[1] && op_i[7:0] == op_i[15:8] &&
              typ_i[3:0] == typ_i[7:4] && func_i[1:0] == func_i[3:2] && swap_i[0] == swap_i[1]))
  `FAA_ASSUME(ChoicesAreNotWide, (is_choice & wide) == '0)

  // ---- The followed word: its beat, and its operation, `at` by cycles from the grant on

  logic                        waits_q, after_q, starts, takes, next_at_c;
  logic [E-1:0]                at_q;
  logic [E:0]                  at;
  logic [TableW-1:0]           table_row_q;
  logic [LaneW-1:0]            table_last_q;
  logic [Lanes-1:0]            mine, mine_q, table_first_q;
  logic [Lanes-1:0][LaneW-1:0] table_end_q;
  logic [Lanes-1:0][31:0]      table_b_q, table_c_q;
  logic [31:0]                 found_q, left;

  // Positions of the word that ends at last_q
  always_comb begin
    mine         = '0;
    mine[last_q] = 1'b1;
    for (int p = Lanes - 2; p >= 0; p--) begin
      if (LaneW'(p) < last_q && mine[p+1] && !first_q[p+1]) mine[p] = 1'b1;
    end
  end

  assign starts = put_q && pick_q && !waits_q && at_q == '0 && !after_q;
  assign takes  = waits_q && pair_grant[0] && row_i[0] == u_pair.g_bank[0].u_bank.f_row_q &&
                  ticket_i[faa_shared_pkg::TICKET_ROW +: TableW] == table_row_q &&
                  ticket_i[faa_shared_pkg::TICKET_LAST +: LaneW] == table_last_q;
  assign at     = {at_q, takes};

  // The lanes, one after the other
  always_comb begin
    left = found_q;
    for (int p = 0; p < Lanes; p++) if (mine_q[p] && table_b_q[p] == left) left = table_c_q[p];
  end

  // The next operation on the word
  assign next_at_c = u_pair.g_bank[0].u_bank.f_at_q[1] && (at[E] || after_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      after_q <= 1'b0;
      at_q    <= '0;
    end else begin
      if (starts) waits_q <= 1'b1;
      else if (takes) waits_q <= 1'b0;
      at_q <= at[E-1:0];
      if (next_at_c) after_q <= 1'b0;
      else if (at[E]) after_q <= 1'b1;
    end
    if (starts) begin
      table_row_q   <= row;
      table_last_q  <= last_q;
      table_first_q <= first_q;
      table_end_q   <= ends;
      table_b_q     <= b_q;
      table_c_q     <= c_q;
      mine_q        <= mine;
    end
    if (at[C]) found_q <= seen[0];
  end

  // faa_shared lets at most as many beats be between stages X and C as the table has rows.
  `FAA_ASSUME(RowIsKept, !(put_q && row == table_row_q && (waits_q || at[C:0] != '0)))

  `FAA_ASSERT(LeavesWhatItsLanesLeave, !at[E] || chosen == left)
  `FAA_ASSERT(NextFindsWhatWasLeft, !next_at_c || u_pair.words[31:0] == left)
  `FAA_ASSERT(NextChoiceBeginsThere, !(next_at_c && u_pair.c_late_q[0].choice) ||
      u_choose.word == left)
  `FAA_ASSERT(NoneBetween, !(u_pair.g_bank[0].u_bank.f_at_q[1] && at[E-1:C+1] != '0))

  // ---- Turns: of the banks that asked in the cycle before, one has its turn (fair: arb-rr)

  logic [3:0] asked_q;
  always_ff @(posedge clk_i) asked_q <= rst_ni ? all_request : '0;
  `FAA_ASSERT(OneTurn, (grant & (grant - 4'd1)) == '0 && (grant & ~asked_q) == '0 &&
      (grant != '0 || asked_q == '0))

  // ---- Induction

  logic linked, kept;
  logic [31:0] compared;
  always_comb begin
    linked = 1'b1;
    for (int p = 0; p < Lanes; p++) begin
      compared = table_c_q[p];
      for (int q = p + 1; q < Lanes; q++)
        if (mine_q[q] && table_b_q[q] == compared) compared = table_c_q[q];
      if (mine_q[p] && table_c_q[table_end_q[p]] != compared) linked = 1'b0;
    end
    kept = u_choose.u_compared.mem[table_row_q] == {table_first_q, table_b_q} &&
           u_choose.u_stored.mem[table_row_q] == {table_end_q, table_c_q};
  end
  logic [Lanes-1:0] table_mine;
  always_comb begin
    table_mine               = '0;
    table_mine[table_last_q] = 1'b1;
    for (int p = Lanes - 2; p >= 0; p--) begin
      if (LaneW'(p) < table_last_q && table_mine[p+1] && !table_first_q[p+1]) table_mine[p] = 1'b1;
    end
  end
  `FAA_ASSERT(EndsAreTheLast, !(waits_q || at_q != '0 || after_q) ||
      (linked && mine_q == table_mine && table_first_q[0]))
  `FAA_ASSERT(RowHasTheBeat, !(waits_q || at[C:0] != '0) || kept)
  `FAA_ASSERT(OneAtATime, 32'(waits_q) + 32'(after_q) + 32'($countones(at_q)) <= 32'd1)
  for (genvar n = 0; n < E; n++) begin : g_stage
    `FAA_ASSERT(IsInTheBank, !at_q[n] || (u_pair.g_bank[0].u_bank.f_at_q[n] &&
        u_pair.g_bank[0].u_bank.f_late_q[n] &&
                (n < C || u_pair.g_bank[0].u_bank.f_known_q)))
  end
  `FAA_ASSERT(WordIsHandedOn, !after_q || (u_pair.g_bank[0].u_bank.f_known_q &&
      u_pair.g_bank[0].u_bank.f_golden_q == left &&
              u_pair.g_bank[0].u_bank.f_at_q[Latency+1:2] == '0))

endmodule
