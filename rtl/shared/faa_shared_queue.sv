// SPDX-License-Identifier: Apache-2.0
//
// Operations of one bank: four columns of items, and the order in which they are taken.
//
// An entry of the order represents the items of one pass: the column of the first one, and their
// number; they are in consecutive columns. The oldest item is prepared in a register. Answers come
// in the order of operations: the oldest entry that waits for answers gives the column of the next
// answer, and the oldest pass of which the bank owes an answer.
//
// Latency: 2 cycles to the head. Throughput: four items in, one out per cycle. The sender reserves
// room (faa_shared_pass).

`include "faa_assert.svh"

module faa_shared_queue #(
  parameter int unsigned ItemW = 75,
  parameter int unsigned InfoW = 16,
  parameter int unsigned Depth = 32,
  localparam int unsigned NumberW = $clog2(Depth)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // A pass
  input  logic [3:0]            put_i,
  input  logic [3:0][ItemW-1:0] item_i,
  input  logic                  entry_i,
  input  logic [1:0]            entry_first_i,
  input  logic [2:0]            entry_number_i,
  input  logic [NumberW-1:0]    pass_i,
  input  logic [InfoW-1:0]      info_i,

  // The oldest operation
  output logic                  head_valid_o,
  input  logic                  head_ready_i,
  output logic [ItemW-1:0]      head_item_o,
  output logic [InfoW-1:0]      head_info_o,

  // An answer: to which column it goes
  input  logic                  answer_i,
  output logic [3:0]            answer_column_o,

  // The oldest pass of which answers are missing
  output logic                  owes_o,
  output logic [NumberW-1:0]    owes_pass_o
);

  typedef struct packed {
    logic [NumberW-1:0] pass;
    logic [1:0]         first;
    logic [2:0]         number;
    logic [InfoW-1:0]   info;
  } entry_t;

  logic [ItemW-1:0]   column_0 [Depth];
  logic [ItemW-1:0]   column_1 [Depth];
  logic [ItemW-1:0]   column_2 [Depth];
  logic [ItemW-1:0]   column_3 [Depth];
  entry_t             order [Depth];

  logic [3:0][NumberW-1:0] write_q, read_q;
  logic [NumberW-1:0] tail_q, fetch_q, owe_q;
  logic [NumberW:0]   entries_q, owed_q;     // that are not fetched, not answered
  logic [1:0]         fetched_q, answered_q; // of the current entry
  entry_t             fetching, owing;
  logic               fetch, fetch_ends, answer_ends;
  logic [1:0]         at, answer_at;
  logic [ItemW-1:0]   item;

  // -----------------------------------------------------------------------------------------------
  // In

  always_ff @(posedge clk_i) begin
    if (put_i[0]) column_0[write_q[0]] <= item_i[0];
    if (put_i[1]) column_1[write_q[1]] <= item_i[1];
    if (put_i[2]) column_2[write_q[2]] <= item_i[2];
    if (put_i[3]) column_3[write_q[3]] <= item_i[3];
    if (entry_i) order[tail_q] <= {pass_i, entry_first_i, entry_number_i, info_i};
  end

  // -----------------------------------------------------------------------------------------------
  // Out

  assign fetching   = order[fetch_q];
  assign fetch      = entries_q != '0 && (!head_valid_o || head_ready_i);
  assign fetch_ends = {1'b0, fetched_q} + 3'd1 == fetching.number;
  assign at         = fetching.first + fetched_q;

  always_comb begin
    case (at)
      2'd0: item = column_0[read_q[0]];
      2'd1: item = column_1[read_q[1]];
      2'd2: item = column_2[read_q[2]];
      default: item = column_3[read_q[3]];
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) head_valid_o <= 1'b0;
    else if (fetch) head_valid_o <= 1'b1;
    else if (head_ready_i) head_valid_o <= 1'b0;
    if (fetch) begin
      head_item_o <= item;
      head_info_o <= fetching.info;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Answers

  assign owing           = order[owe_q];
  assign answer_ends     = {1'b0, answered_q} + 3'd1 == owing.number;
  assign answer_at       = owing.first + answered_q;
  assign answer_column_o = answer_i ? 4'd1 << answer_at : 4'd0;
  assign owes_o          = owed_q != '0;
  assign owes_pass_o     = owing.pass;

  logic unused;
  assign unused = ^{owing.info, fetching.pass};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q    <= '0;
      read_q     <= '0;
      tail_q     <= '0;
      fetch_q    <= '0;
      owe_q      <= '0;
      entries_q  <= '0;
      owed_q     <= '0;
      fetched_q  <= '0;
      answered_q <= '0;
    end else begin
      for (int unsigned c = 0; c < 4; c++) begin
        if (put_i[c]) write_q[c] <= write_q[c] + NumberW'(1);
        if (fetch && at == 2'(c)) read_q[c] <= read_q[c] + NumberW'(1);
      end
      if (entry_i) tail_q <= tail_q + NumberW'(1);
      if (fetch) begin
        fetched_q <= fetch_ends ? 2'd0 : fetched_q + 2'd1;
        if (fetch_ends) fetch_q <= fetch_q + NumberW'(1);
      end
      if (answer_i) begin
        answered_q <= answer_ends ? 2'd0 : answered_q + 2'd1;
        if (answer_ends) owe_q <= owe_q + NumberW'(1);
      end
      entries_q <= entries_q + (NumberW+1)'(entry_i) - (NumberW+1)'(fetch && fetch_ends);
      owed_q    <= owed_q + (NumberW+1)'(entry_i) - (NumberW+1)'(answer_i && answer_ends);
    end
  end

  `FAA_ASSERT(order_has_room, !entry_i || owed_q != (NumberW+1)'(Depth))
  `FAA_ASSERT(answers_are_owed, !answer_i || owes_o)
  `FAA_ASSERT(entries_have_items, !entry_i || (entry_number_i != '0 && entry_number_i <= 3'd4))

endmodule
