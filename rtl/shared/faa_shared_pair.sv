// SPDX-License-Identifier: Apache-2.0
//
// Banks 2k and 2k + 1 with their arithmetic: two independent 32-bit operations, or one 64-bit
// operation, per cycle.
//
// Operations come from the heads of two queues (head_*), index 0 the even bank, index 1 the odd
// one. Both queues hold a 64-bit operation, in the same order, each with its bank's half of b and c
// and the same row; it is taken when both have it at the head. head_swap_i: its low word is in the
// odd bank.
//
// Late operations have their result ADD_LATENCY cycles after stage C: ADD on floating-point types,
// MIN and MAX on those but F32, and SHARED_CHOICE. The new word of SHARED_CHOICE comes from
// faa_shared_choose: the bank requests its turn (choice_req_o), and its operation is taken in the
// later cycle of the grant (choice_grant_i). In stage C word_o is the old word; ADD_LATENCY cycles
// later choice_i is the new one.
//
// Latency: taken in cycle t (stage A), answer in cycle t + 3 (stage D), in order. Throughput: one
// per cycle and bank on any words; after a late operation one in ADD_LATENCY cycles on its word.
// Stalls: BANK-H3 and SHM-S10 (head_ready_o); answers cannot wait.

`include "faa_assert.svh"

module faa_shared_pair #(
  parameter int unsigned RowW = 9,
  parameter logic        F32 = 1'b1,   // ADD, MIN, MAX on F32
  parameter logic        F64 = 1'b1,   // the same on F64
  parameter logic        X2 = 1'b1     // the same on F16X2 and BF16X2
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic [1:0]        head_valid_i,
  output logic [1:0]        head_ready_o,  // the head is taken; 0 without head_valid_i
  input  logic [3:0]        head_func_i,   // faa_cu_pkg::SHARED_*
  input  logic [15:0]       head_op_i,     // SHARED_ATOMIC: enum atoms_op
  input  logic [7:0]        head_typ_i,    // enum type, its size counts for loads and stores too
  input  logic [3:0]        head_mod_i,    // per bank: bit 0 FTZ
  input  logic [1:0]        head_want_i,   // passed on to rsp_want_o
  input  logic [1:0]        head_swap_i,
  input  logic [2*RowW-1:0] head_row_i,
  input  logic [3:0]        head_byte_i,   // stores of 8 and 16 bits: address bits 1..0
  input  logic [63:0]       head_b_i,      // operands as faa_shared_alu has them
  input  logic [63:0]       head_c_i,

  output logic [1:0]        rsp_valid_o,
  output logic [1:0]        rsp_want_o,
  output logic [63:0]       rsp_word_o,    // answer_o of faa_shared_alu

  output logic [1:0]        choice_req_o,    // not in the cycle of the grant
  input  logic [1:0]        choice_grant_i,
  output logic [63:0]       word_o,          // of a choice
  input  logic [31:0]       choice_i,

  output logic              ev_hazard_o    // BANK-H3 or SHM-S10 delays a head
);

  // Sixteen instances, one copy of their code in simulation.
  /*verilator no_inline_module*/

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  // Late operation, for stage C and later
  typedef struct packed {
    logic       late;
    logic       choice;
    logic       wide;
    logic       swap;
    logic       adds;        // not MIN or MAX
    logic       is_max;
    logic       ftz;
    logic [3:0] typ;
  } late_t;

  logic [1:0]  wide, late, choice, held, free, take;
  logic [1:0]  b_valid_q, c_valid_q;
  logic [63:0] operand_b;
  logic [11:0] facts;
  logic [63:0] sum_64;       // as the banks hold it
  late_t [1:0] c_late_q;

  function automatic logic is_half(input logic [3:0] typ);
    is_half = typ == faa_pkg::TYPE_F16X2 || typ == faa_pkg::TYPE_BF16X2;
  endfunction

  function automatic logic is_late(input logic [1:0] func, input logic [3:0] op,
                                   input logic [3:0] typ);
    logic ranks;
    ranks   = op == 4'(faa_pkg::ATOMS_OP_MIN) || op == 4'(faa_pkg::ATOMS_OP_MAX);
    is_late = func == faa_cu_pkg::SHARED_CHOICE;
    if (func == faa_cu_pkg::SHARED_ATOMIC && (op == 4'(faa_pkg::ATOMS_OP_ADD) || ranks)) begin
      if (F32 && typ == faa_pkg::TYPE_F32) is_late = !ranks;
      if ((F64 && typ == faa_pkg::TYPE_F64) || (X2 && is_half(typ))) is_late = 1'b1;
    end
  endfunction

  // Stage A. A choice requests its turn once it has been at the head for so long that no earlier
  // operation delays it in the cycle of its grant.
  logic [Latency-1:1][1:0] asks;
  assign asks[1] = head_valid_i & choice & ~choice_grant_i;
  for (genvar n = 2; n < Latency; n++) begin : g_asks
    logic [1:0] before_q;
    always_ff @(posedge clk_i) before_q <= rst_ni ? asks[n-1] : '0;
    assign asks[n] = asks[1] & before_q;
  end
  assign choice_req_o = asks[Latency-1];
  assign free         = head_valid_i & ((choice & choice_grant_i) | ~(choice | held));
  assign take         = free & (~wide | {2{&free && &wide}});
  assign head_ready_o = take;
  assign ev_hazard_o  = |(head_valid_i & ~free);

  logic [63:0] words;                  // of stage C

  for (genvar h = 0; h < 2; h++) begin : g_bank
    logic               b_want_q, c_want_q;
    late_t              b_late_q;
    logic [31:0]        word, settled, new_word, sum;
    logic [Latency-1:0] sum_choice_q;

    assign wide[h]   = faa_cu_pkg::is_wide(head_typ_i[h*4 +: 4]);
    assign choice[h] = head_func_i[h*2 +: 2] == faa_cu_pkg::SHARED_CHOICE;
    assign late[h]   = is_late(head_func_i[h*2 +: 2], head_op_i[h*8 +: 4], head_typ_i[h*4 +: 4]);

    // Stages A to D
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        b_valid_q[h]   <= 1'b0;
        c_valid_q[h]   <= 1'b0;
        rsp_valid_o[h] <= 1'b0;
      end else begin
        b_valid_q[h]   <= take[h];
        c_valid_q[h]   <= b_valid_q[h];
        rsp_valid_o[h] <= c_valid_q[h];
      end
      if (take[h]) begin
        b_want_q <= head_want_i[h];
        b_late_q <= '{late: late[h], choice: choice[h], wide: wide[h], swap: head_swap_i[h],
                      ftz: head_mod_i[h*2], typ: head_typ_i[h*4 +: 4],
                      adds: head_op_i[h*8 +: 4] == 4'(faa_pkg::ATOMS_OP_ADD),
                      is_max: head_op_i[h*8 +: 4] == 4'(faa_pkg::ATOMS_OP_MAX)};
      end
      if (b_valid_q[h]) begin
        c_want_q    <= b_want_q;
        c_late_q[h] <= b_late_q;
      end
      if (c_valid_q[h]) rsp_want_o[h] <= c_want_q;
    end

    faa_shared_bank #(
      .RowW(RowW)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .rd_en_i  (take[h]),
      .row_i    (head_row_i[h*RowW +: RowW]),
      .late_i   (late[h]),
      .held_o   (held[h]),
      .word_o   (word),
      .settled_o(settled),
      .new_i    (new_word),
      .sum_i    (sum)
    );

    assign words[h*32 +: 32]  = word;
    assign word_o[h*32 +: 32] = settled;

    faa_shared_alu #(
      .F32(F32)
    ) u_alu (
      .clk_i,
      .valid_i  (take[h]),
      .func_i   (head_func_i[h*2 +: 2]),
      .op_i     (head_op_i[h*8 +: 4]),
      .typ_i    (head_typ_i[h*4 +: 4]),
      .ftz_i    (head_mod_i[h*2]),
      .late_i   (late[h]),
      .wide_i   (wide[h]),
      .high_i   (wide[h] && head_swap_i[h] != logic'(h)),
      .byte_i   (head_byte_i[h*2 +: 2]),
      .b_i      (head_b_i[h*32 +: 32]),
      .c_i      (head_c_i[h*32 +: 32]),
      .b_valid_i(b_valid_q[h]),
      .c_valid_i(c_valid_q[h]),
      .word_i   (word),
      .b_o      (operand_b[h*32 +: 32]),
      .facts_o  (facts[h*6 +: 6]),
      .other_i  (facts[(1-h)*6 +: 6]),
      .new_o    (new_word),
      .answer_o (rsp_word_o[h*32 +: 32])
    );

    // Stage E: results of late operations
    if (F32 || F64 || X2) begin : g_late
      late_t              c_late;
      logic               c_half, c_valid, unused;
      logic [31:0]        b, sum_f32, sum_x2, best;
      logic [Latency-1:0] sum_wide_q, sum_x2_q, sum_best_q;

      assign c_late  = c_late_q[h];
      assign c_half  = is_half(c_late.typ);
      assign c_valid = c_valid_q[h] && c_late.late && !c_late.wide && !c_late.choice;
      assign b       = operand_b[h*32 +: 32];
      assign unused  = ^{c_late, c_valid, b};

      if (F32) begin : g_f32
        faa_float_add #(
          .ExpW(8),
          .ManW(23)
        ) u_add (
          .clk_i,
          .valid_i(c_valid && c_late.adds && !c_half),
          .a_i    (word),
          .b_i    (b),
          .ftz_i  (c_late.ftz),
          .sum_o  (sum_f32)
        );
      end else begin : g_no_f32
        assign sum_f32 = '0;
      end

      if (X2) begin : g_x2
        for (genvar n = 0; n < 2; n++) begin : g_half
          faa_float_add_half u_add (
            .clk_i,
            .valid_i(c_valid && c_late.adds && c_half),
            .bf16_i (c_late.typ == faa_pkg::TYPE_BF16X2),
            .a_i    (word[n*16 +: 16]),
            .b_i    (b[n*16 +: 16]),
            .ftz_i  (c_late.ftz),
            .sum_o  (sum_x2[n*16 +: 16])
          );
        end
      end else begin : g_no_x2
        assign sum_x2 = '0;
      end

      if (X2) begin : g_best
        faa_shared_best #(
          .Width(32)
        ) u_best (
          .clk_i,
          .valid_i(c_valid && !c_late.adds),
          .bf16_i (c_late.typ == faa_pkg::TYPE_BF16X2),
          .ftz_i  (c_late.ftz),
          .max_i  (c_late.is_max),
          .m_i    (word),
          .b_i    (b),
          .best_o (best)
        );
      end else begin : g_no_best
        assign best = '0;
      end

      always_ff @(posedge clk_i) begin
        sum_wide_q   <= {sum_wide_q[Latency-2:0], c_late.wide};
        sum_x2_q     <= {sum_x2_q[Latency-2:0], c_half};
        sum_best_q   <= {sum_best_q[Latency-2:0], !c_late.adds};
        sum_choice_q <= {sum_choice_q[Latency-2:0], c_late.choice};
      end

      assign sum = sum_choice_q[Latency-1] ? choice_i : sum_wide_q[Latency-1] ? sum_64[h*32 +: 32] :
                   sum_best_q[Latency-1] ? best : sum_x2_q[Latency-1] ? sum_x2 : sum_f32;
    end else begin : g_choices
      assign sum          = choice_i;
      assign sum_choice_q = '0;
    end

    logic unused;
    assign unused = ^{c_late_q[h], sum_choice_q, words};

    // A choice was at the head in the cycle before it was taken.
    `FAA_ASSERT(choice_is_settled, !(c_valid_q[h] && c_late_q[h].choice) || settled == word)
  end

  // 64-bit operations that are late: both halves at once
  if (F64) begin : g_f64
    late_t              c_late;
    logic               c_valid, unused;
    logic [63:0]        m, b, sum, best;
    logic [Latency-1:0] swap_q, best_q;

    function automatic logic [63:0] swap_halves(input logic swap, input logic [63:0] x);
      swap_halves = swap ? {x[31:0], x[63:32]} : x;
    endfunction

    assign c_late  = c_late_q[0];
    assign unused  = ^c_late;
    assign c_valid = &c_valid_q && c_late.late && c_late.wide;
    assign m       = swap_halves(c_late.swap, words);
    assign b       = swap_halves(c_late.swap, operand_b);

    faa_float_add #(
      .ExpW(11),
      .ManW(52)
    ) u_add (
      .clk_i,
      .valid_i(c_valid && c_late.adds),
      .a_i    (m),
      .b_i    (b),
      .ftz_i  (c_late.ftz),
      .sum_o  (sum)
    );

    faa_shared_best #(
      .Width(64)
    ) u_best (
      .clk_i,
      .valid_i(c_valid && !c_late.adds),
      .bf16_i (1'b0),
      .ftz_i  (c_late.ftz),
      .max_i  (c_late.is_max),
      .m_i    (m),
      .b_i    (b),
      .best_o (best)
    );

    always_ff @(posedge clk_i) begin
      swap_q <= {swap_q[Latency-2:0], c_late.swap};
      best_q <= {best_q[Latency-2:0], !c_late.adds};
    end

    assign sum_64 = swap_halves(swap_q[Latency-1], best_q[Latency-1] ? best : sum);
  end else begin : g_no_f64
    assign sum_64 = '0;
  end

  logic unused;
  assign unused = ^{head_mod_i[3], head_mod_i[1], head_op_i[15:12], head_op_i[7:4], operand_b,
                    sum_64};

  `FAA_ASSERT(wide_is_one, !(&head_valid_i && &wide) ||
              (head_row_i[0 +: RowW] == head_row_i[RowW +: RowW] &&
               head_op_i[7:0] == head_op_i[15:8] && head_typ_i[3:0] == head_typ_i[7:4] &&
               head_func_i[1:0] == head_func_i[3:2] && head_swap_i[0] == head_swap_i[1]))
  `FAA_ASSERT(choices_are_not_wide, (head_valid_i & choice & wide) == '0)
  logic [1:0] asked_q;
  always_ff @(posedge clk_i) asked_q <= rst_ni ? choice_req_o : '0;
  `FAA_ASSERT(granted_who_asked, (choice_grant_i & ~asked_q) == '0)
  `FAA_ASSERT(granted_is_taken, (choice_grant_i & ~(take & choice)) == '0)
  `FAA_COVER(stall_s10, (choice_req_o & asked_q) != '0)
  `FAA_COVER(wide_waits_for_half, &head_valid_i && wide == 2'b01)

endmodule
