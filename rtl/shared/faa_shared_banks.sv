// SPDX-License-Identifier: Apache-2.0
//
// Stages D to A of the shared memory unit: the operations of beats enter the queues of their banks
// in passes, the banks execute them, and their answers wait until stage C takes them, pass by pass.
//
// The even and the odd banks are halves that work on separate beats. A beat leaves the queue before
// stage D when both halves have taken its operations. Choice words share one table.
//
// Throughput: a pass of each half, and an operation of each bank, per cycle. Stalls: SHM-S1
// (operations of a bank are more than a pass takes), SHM-S2 (Window passes are in flight), SHM-S8
// and SHM-S10 (of the banks). Hazards: those of faa_shared_bank.

`include "faa_assert.svh"
`include "shared/faa_shared_bundle.svh"

module faa_shared_banks #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned RowW = 9,
  parameter int unsigned Ahead = 32,     // beats that the sender may have between X and D
  parameter bit          F32 = 1'b1,
  parameter bit          F64 = 1'b1,
  parameter bit          X2 = 1'b1,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Banks = Lanes,
  localparam int unsigned PassW = Lanes > 4 ? LaneW - 2 : 1,
  localparam int unsigned InfoW = 13,
  localparam int unsigned ItemW = 71 + RowW - LaneW,
  localparam int unsigned TicketRowW = faa_shared_pkg::TICKET_BITS - faa_shared_pkg::TICKET_ROW,
  localparam type        choices_t = `FAA_SHARED_CHOICES(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Operations of a beat, in the order of their banks; the sender reserves room
  input  logic                        valid_i,
  input  logic [InfoW-1:0]            info_i,          // {op, typ, FTZ}
  input  logic [Lanes-1:0][ItemW-1:0] item_i,          // {func, row, c, b}
  input  logic [Banks-1:0][LaneW:0]   stop_i,          // items of banks 0 to k
  input  logic [1:0][PassW:0]         passes_i,        // of the even and of the odd banks
  output logic                        taken_o,         // a beat has left the queue

  // A beat with choice words in stage 1 of faa_shared_chain
  input  logic                        choices_valid_i,
  input  choices_t                    choices_i,
  output logic [TicketRowW-1:0]       choice_row_o,    // its row in the table

  // Of each half: its oldest pass has all answers, and leaves
  output logic [1:0]                  complete_o,
  input  logic [1:0]                  leave_i,
  output logic [Banks-1:0][3:0][31:0] answer_o,        // of each bank: the oldest ones, by column

  // Events, counted per cycle
  output logic [5:0]                  ev_ops_o,
  output logic                        ev_stall_bank_o,
  output logic                        ev_stall_queue_o,
  output logic                        ev_stall_hazard_o,
  output logic                        idle_o
);

  localparam int unsigned HalfBanks = Banks / 2;
  localparam int unsigned BankRowW  = 5 + RowW - LaneW;
  localparam int unsigned Window    = Lanes > 4 ? 32 : 16;   // passes of half of the banks
  localparam int unsigned NumberW   = $clog2(Window);

  // -----------------------------------------------------------------------------------------------
  // D: each half of the banks takes its operations of a beat

  logic                        d_valid, space;
  logic [InfoW-1:0]            d_info;
  logic [Lanes-1:0][ItemW-1:0] d_item;
  logic [Banks-1:0][LaneW:0]   d_stop;
  logic [1:0][PassW:0]         d_passes;
  logic [1:0]                  wants, loads, loaded_q;
  logic [1:0]                  half_stall_bank, half_stall_window, half_idle;

  faa_fifo_ram #(
    .Width(InfoW + Lanes * ItemW + Banks * (LaneW + 1) + 2 * (PassW + 1)),
    .Depth(Ahead)
  ) u_ahead (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o(space),
    .data_i ({info_i, item_i, stop_i, passes_i}),
    .valid_o(d_valid),
    .ready_i(taken_o),
    .data_o ({d_info, d_item, d_stop, d_passes})
  );

  assign wants   = {d_passes[1] != '0, d_passes[0] != '0} & ~loaded_q;
  assign taken_o = d_valid && (wants & ~loads) == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || taken_o) loaded_q <= '0;
    else loaded_q <= loaded_q | loads;
  end

  // -----------------------------------------------------------------------------------------------
  // Q, banks, A

  logic [Banks-1:0]               head_valid, head_ready, rsp_valid;
  logic [Banks-1:0]               choice_req, choice_grant, popped;
  logic [Banks-1:0][31:0]         head_b, head_c, head_word, rsp_word;
  logic [Banks-1:0][InfoW-1:0]    head_info;
  logic [Banks-1:0][1:0]          head_func;
  logic [Banks-1:0][BankRowW-1:0] head_row;
  logic [Banks-1:0][3:0]          need;
  logic [HalfBanks-1:0]           hazard;
  logic [31:0]                    choice_word;

  for (genvar h = 0; h < 2; h++) begin : g_half
    logic [HalfBanks-1:0][3:0]                put;
    logic [HalfBanks-1:0][3:0][ItemW-1:0] item;
    logic [HalfBanks-1:0]                     entry, owes;
    logic [HalfBanks-1:0][1:0]                entry_first;
    logic [HalfBanks-1:0][2:0]                entry_number;
    logic [HalfBanks-1:0][3:0]                half_need;
    logic [HalfBanks-1:0][NumberW-1:0]        owes_pass;
    logic [NumberW-1:0]                       pass;
    logic [InfoW-1:0]                         info;
    logic                                     issued;

    faa_shared_pass #(
      .Lanes (Lanes),
      .ItemW (ItemW),
      .InfoW (InfoW),
      .Window(Window),
      .Half  (h)
    ) u_pass (
      .clk_i,
      .rst_ni,
      .valid_i       (d_valid && wants[h]),
      .load_o        (loads[h]),
      .info_i        (d_info),
      .item_i        (d_item),
      .stop_i        (d_stop),
      .passes_i      (d_passes[h]),
      .put_o         (put),
      .item_o        (item),
      .entry_o       (entry),
      .entry_first_o (entry_first),
      .entry_number_o(entry_number),
      .pass_o        (pass),
      .info_o        (info),
      .issued_o      (issued),
      .leave_i       (leave_i[h]),
      .need_o        (half_need),
      .stall_bank_o  (half_stall_bank[h]),
      .stall_window_o(half_stall_window[h]),
      .idle_o        (half_idle[h])
    );

    faa_shared_window #(
      .Window(Window),
      .Banks (HalfBanks)
    ) u_window (
      .clk_i,
      .rst_ni,
      .issued_i   (issued),
      .owes_i     (owes),
      .owes_pass_i(owes_pass),
      .complete_o (complete_o[h]),
      .leave_i    (leave_i[h])
    );

    for (genvar n = 0; n < HalfBanks; n++) begin : g_bank
      localparam int unsigned Bank = 2 * n + h;
      logic [3:0] answer_column;

      assign need[Bank] = leave_i[h] ? half_need[n] : 4'b0;

      faa_shared_queue #(
        .ItemW(ItemW),
        .InfoW(InfoW),
        .Depth(Window)
      ) u_queue (
        .clk_i,
        .rst_ni,
        .put_i          (put[n]),
        .item_i         (item[n]),
        .entry_i        (entry[n]),
        .entry_first_i  (entry_first[n]),
        .entry_number_i (entry_number[n]),
        .pass_i         (pass),
        .info_i         (info),
        .head_valid_o   (head_valid[Bank]),
        .head_ready_i   (head_ready[Bank]),
        .head_item_o    ({head_func[Bank], head_row[Bank], head_c[Bank], head_b[Bank]}),
        .head_info_o    (head_info[Bank]),
        .answer_i       (rsp_valid[Bank]),
        .answer_column_o(answer_column),
        .owes_o         (owes[n]),
        .owes_pass_o    (owes_pass[n])
      );

      faa_shared_answers #(
        .Depth(Window)
      ) u_answers (
        .clk_i,
        .rst_ni,
        .put_i (answer_column),
        .word_i(rsp_word[Bank]),
        .take_i(need[Bank]),
        .word_o(answer_o[Bank])
      );
    end
  end

  for (genvar n = 0; n < HalfBanks; n++) begin : g_pair
    logic [1:0]  swaps, unused_want;
    logic [1:0][1:0] mod, bytes;
    logic [1:0][7:0] op;
    logic [1:0][3:0] typ;

    for (genvar h = 0; h < 2; h++) begin : g_head
      assign {op[h], typ[h], mod[h][0]} = head_info[2*n+h];
      assign mod[h][1] = 1'b0;
      assign swaps[h]  = faa_shared_pkg::row_swaps(17'(head_row[2*n+h][RowW-1:0]));
      // Stores of 8 and 16 bits carry the address of their byte in c.
      assign bytes[h]  = faa_cu_pkg::size_log2(typ[h]) < 2'd2 ? head_c[2*n+h][1:0] : 2'b0;
    end

    faa_shared_pair #(
      .RowW(BankRowW),
      .F32 (F32),
      .F64 (F64),
      .X2  (X2)
    ) u_pair (
      .clk_i,
      .rst_ni,
      .head_valid_i  (head_valid[2*n +: 2]),
      .head_ready_o  (head_ready[2*n +: 2]),
      .head_func_i   (head_func[2*n +: 2]),
      .head_op_i     (op),
      .head_typ_i    (typ),
      .head_mod_i    (mod),
      .head_want_i   (2'b0),
      .head_swap_i   (swaps),
      .head_row_i    (head_row[2*n +: 2]),
      .head_byte_i   (bytes),
      .head_b_i      (head_b[2*n +: 2]),
      .head_c_i      (head_c[2*n +: 2]),
      .rsp_valid_o   (rsp_valid[2*n +: 2]),
      .rsp_want_o    (unused_want),
      .rsp_word_o    (rsp_word[2*n +: 2]),
      .choice_req_o  (choice_req[2*n +: 2]),
      .choice_grant_i(choice_grant[2*n +: 2]),
      .word_o        (head_word[2*n +: 2]),
      .choice_i      (choice_word),
      .ev_hazard_o   (hazard[n])
    );

    // A 64-bit operation counts once.
    assign popped[2*n]   = head_valid[2*n] && head_ready[2*n];
    assign popped[2*n+1] = head_valid[2*n+1] && head_ready[2*n+1] && !faa_cu_pkg::is_wide(typ[1]);
  end

  faa_shared_choose #(
    .Lanes(Lanes)
  ) u_choose (
    .clk_i,
    .rst_ni,
    .put_i   (choices_valid_i),
    .first_i (choices_i.first),
    .b_i     (choices_i.b),
    .c_i     (choices_i.c),
    .end_i   (choices_i.ends),
    .row_o   (choice_row_o),
    .req_i   (choice_req),
    .ticket_i(head_b),
    .grant_o (choice_grant),
    .word_i  (head_word),
    .word_o  (choice_word)
  );

  logic [5:0] ops;
  always_comb begin
    ops = '0;
    if (popped != '0) begin
      for (int unsigned k = 0; k < Banks; k++) ops = ops + 6'(popped[k]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ev_ops_o <= '0;
    else ev_ops_o <= ops;
  end

  assign ev_stall_bank_o   = |half_stall_bank;
  assign ev_stall_queue_o  = |half_stall_window;
  assign ev_stall_hazard_o = |hazard;
  assign idle_o            = half_idle == 2'b11 && !d_valid;

  `FAA_ASSERT(ahead_has_room, !valid_i || space)

endmodule
