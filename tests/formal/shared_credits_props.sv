// SPDX-License-Identifier: Apache-2.0
//
// One half of the banks from stage D to stage C, with any beats, any waits of the banks and of the
// stages after C: faa_shared_pass, the queues, the answers, faa_shared_window and
// faa_shared_collect, connected as in faa_shared_banks and faa_shared_back. A pass holds one of
// Window credits from its issue until it leaves. No column of a queue or of the answers overflows
// or is taken from while it is empty, so the assumptions of shared_queue_inside.svh,
// shared_answers_inside.svh and shared_window_props.sv hold in this connection. With heads and
// words that are taken at once (Prompt), a beat waits for at most Longest cycles.

`include "formal.svh"

module shared_credits_props #(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Window = 2,
  parameter bit          Prompt = 1'b0,  // heads and words are taken at once, and beats stay
  parameter int unsigned Longest = 12,   // cycles that a beat waits then
  localparam int unsigned Banks = Lanes / 2,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned PassW = Lanes > 4 ? LaneW - 2 : 1,
  localparam int unsigned NumberW = $clog2(Window)
) (
  input logic                      clk_i,
  input logic                      run_i,
  input logic                      valid_i,
  input logic [Lanes-1:0]          item_i,
  input logic [Lanes-1:0][LaneW:0] stop_i,
  input logic [PassW:0]            passes_i,
  input logic [Banks-1:0]          take_i,    // the banks take their heads
  input logic                      words_i    // the words of a beat are taken
);

  localparam int unsigned Half = 0;
  localparam int unsigned CountW = NumberW + 1;

  `FORMAL_RESET

  logic                           load, issued, complete, leave, full;
  logic                           place_valid, place_room, place_take, words_take, idle;
  logic [Banks-1:0][3:0]          put, item, half_need, need, column;
  logic [Banks-1:0]               entry, owes, head_valid, head_take, answers;
  logic [Banks-1:0][1:0]          entry_first;
  logic [Banks-1:0][2:0]          entry_number;
  logic [NumberW-1:0]             pass;
  logic [Banks-1:0][NumberW-1:0]  owes_pass;
  logic [PassW:0]                 place_passes;
  logic                           stall_bank, stall_window, info;
  logic [Lanes-1:0][31:0]         unused_word;

  // ---- Beats as in shared_pass_props.sv

  logic           ascend;
  logic [LaneW:0] most, number;
  always_comb begin
    ascend = stop_i[Lanes-1] <= (LaneW+1)'(Lanes);
    most   = '0;
    number = '0;
    for (int k = 0; k < Lanes; k++) begin
      if (k != 0 && stop_i[k] < stop_i[k == 0 ? 0 : k-1]) ascend = 1'b0;
      if (k % 2 == Half) begin
        number = stop_i[k] - (k == 0 ? '0 : stop_i[k == 0 ? 0 : k-1]);
        if (number > most) most = number;
      end
    end
  end
  `FAA_ASSUME(BanksAscend, !valid_i || ascend)
  `FAA_ASSUME(PassesOfTheFullestBank, !valid_i ||
      (most != '0 && passes_i == (PassW+1)'((most + (LaneW+1)'(3)) / (LaneW+1)'(4))))

  // ---- The connection

  faa_shared_pass #(.Lanes(Lanes), .ItemW(1), .InfoW(1), .Window(Window), .Half(Half)) u_pass (
    .clk_i, .rst_ni, .valid_i, .load_o(load), .info_i(1'b0), .item_i, .stop_i, .passes_i,
    .put_o(put), .item_o(item), .entry_o(entry), .entry_first_o(entry_first),
    .entry_number_o(entry_number), .pass_o(pass), .info_o(info), .issued_o(issued), .leave_i(leave),
    .need_o(half_need), .stall_bank_o(stall_bank), .stall_window_o(stall_window), .idle_o(idle)
  );

  faa_shared_window #(.Window(Window), .Banks(Banks)) u_window (
    .clk_i, .rst_ni, .issued_i(issued), .owes_i(owes), .owes_pass_i(owes_pass),
    .complete_o(complete), .leave_i(leave)
  );

  faa_fifo_ram #(.Width(PassW + 1), .Depth(4)) u_places (
    .clk_i, .rst_ni, .valid_i(load), .ready_o(place_room), .data_i(passes_i), .valid_o(place_valid),
    .ready_i(place_take),
    .data_o(place_passes)
  );

  faa_shared_collect #(.Lanes(Lanes)) u_collect (
    .clk_i, .rst_ni, .valid_i(place_valid), .ready_o(place_take), .mine_i('0), .bank_i('0),
    .pass_i('0), .passes_i(place_passes), .complete_i(complete), .leave_o(leave), .word_i('0),
    .full_o(full), .word_o(unused_word), .take_i(words_take)
  );

  assign words_take = full && words_i;

  for (genvar n = 0; n < Banks; n++) begin : g_bank
    logic       unused_item, unused_info;
    logic [1:0] answer_q;    // answers come three cycles after a head is taken

    faa_shared_queue #(.ItemW(1), .InfoW(1), .Depth(Window)) u_queue (
      .clk_i, .rst_ni, .put_i(put[n]), .item_i(item[n]), .entry_i(entry[n]),
      .entry_first_i(entry_first[n]), .entry_number_i(entry_number[n]), .pass_i(pass),
      .info_i(info), .head_valid_o(head_valid[n]), .head_ready_i(head_take[n]),
      .head_item_o(unused_item), .head_info_o(unused_info), .answer_i(answers[n]),
      .answer_column_o(column[n]), .owes_o(owes[n]),
      .owes_pass_o(owes_pass[n])
    );

    assign head_take[n] = head_valid[n] && take_i[n];
    assign need[n]      = leave ? half_need[n] : '0;
    always_ff @(posedge clk_i) {answers[n], answer_q} <= !rst_ni ? '0 : {answer_q, head_take[n]};

    // ---- Items in each column of the queue, and answers in each column

    for (genvar c = 0; c < 4; c++) begin : g_column
      logic [CountW-1:0] items_q, answers_q;
      logic              fetched;
      assign fetched = u_queue.fetch && u_queue.at == 2'(c);

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          items_q   <= '0;
          answers_q <= '0;
        end else begin
          items_q   <= items_q + CountW'(put[n][c]) - CountW'(fetched);
          answers_q <= answers_q + CountW'(column[n][c]) - CountW'(need[n][c]);
        end
      end

      `FAA_ASSERT(ColumnHasRoom, !put[n][c] || items_q < CountW'(Window))
      `FAA_ASSERT(FetchedIsThere, !fetched || items_q != '0)
      `FAA_ASSERT(AnswerHasRoom, !column[n][c] || answers_q < CountW'(Window))
      `FAA_ASSERT(TakenIsThere, !need[n][c] || answers_q != '0)
    end
  end

  // ---- Progress

  if (Prompt) begin : g_prompt
    logic [5:0] waited_q;
    always_ff @(posedge clk_i) waited_q <= !rst_ni || !valid_i || load ? '0 : waited_q + 6'd1;
    `FAA_ASSUME(TakenAtOnce, take_i == '1 && words_i)
    `FAA_ASSUME_STABLE(BeatStays, valid_i, load, {stop_i, passes_i})
    `FAA_ASSERT(BeatIsTaken, waited_q <= 6'(Longest))
  end

  `FAA_ASSERT(PlaceHasRoom, !load || place_room)
  `FAA_ASSERT(LeavesComplete, !leave || complete)

  logic unused;
  assign unused = stall_bank | stall_window | idle;

endmodule
