// SPDX-License-Identifier: Apache-2.0
//
// Banks 2k and 2k + 1 with their arithmetic: two independent 32-bit operations, or one 64-bit operation, per cycle.
//
// Takes operations from the heads of two queues (head_*), index 0 the even bank, index 1 the odd one. A 64-bit operation
// stands in both queues, in the same order, each with its bank's half of b and c and the same row; it is taken when both are at
// the head. head_swap_i says that its low word is in the odd bank.
//
// The new word of SHARED_CHOICE comes from faa_shared_choose: in stage A the bank asks (choice_req_o) and is taken when it is
// granted (choice_grant_i), in stage B the word as it was is word_o, and choice_i is what it becomes, ADD_LATENCY cycles later.
//
// Latency: taken in cycle t (stage A), answer in cycle t + 2 (stage C), in the order of taking, no back-pressure. Throughput one
// per cycle and bank on any words, but for ADD on floating-point types and SHARED_CHOICE on one word: one in ADD_LATENCY cycles.
// Hazards are those of faa_shared_bank.

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
  output logic [63:0]       rsp_word_o,    // old word, or of CAST 1 or 0 (64 bits: in the low word's bank, 0 in the other)

  output logic [1:0]        choice_req_o,
  input  logic [1:0]        choice_grant_i,
  output logic [63:0]       word_o,
  input  logic [31:0]       choice_i,

  output logic              ev_hazard_o    // a sum or a choice keeps a head back
);

  // Sixteen instances, one copy of their code in simulation.
  /*verilator no_inline_module*/

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  logic [1:0]  wide, adds, choice, held, free, take;
  logic [1:0]  b_valid_q, b_want_q, b_wide_q, b_adds_q;
  logic [3:0]  b_func_q;
  logic [15:0] b_op_q;
  logic [7:0]  b_typ_q;
  logic [1:0]  b_ftz_q;
  logic        b_swap_q, wide_en;
  logic [3:0]  b_byte_q;
  logic [63:0] b_b_q, b_c_q;
  logic [63:0] old, wide_old, wide_b, wide_new;
  logic        wide_write, wide_success;
  logic [63:0] sum_64;                        // as the banks hold it
  logic [1:0]  unused_mod;

  function automatic logic [63:0] swap_halves(input logic swap, input logic [63:0] x);
    swap_halves = swap ? {x[31:0], x[63:32]} : x;
  endfunction

  // The word after a store of 1, 2 or 4 bytes at a byte offset.
  function automatic logic [31:0] merge(input logic [31:0] word, input logic [31:0] item,
                                        input logic [1:0] size, input logic [1:0] offset);
    logic [31:0] mask;
    mask  = size == 2'd0 ? 32'hff : size == 2'd1 ? 32'hffff : 32'hffffffff;
    merge = (word & ~(mask << {offset, 3'b0})) | ((item & mask) << {offset, 3'b0});
  endfunction

  function automatic logic is_half(input logic [3:0] typ);
    is_half = typ == faa_pkg::TYPE_F16X2 || typ == faa_pkg::TYPE_BF16X2;
  endfunction

  function automatic logic is_cast(input logic [7:0] op);
    is_cast = op == faa_pkg::ATOMS_OP_CAST || op == faa_pkg::ATOMS_OP_CAST_SPIN;
  endfunction

  // Operations that go through an adder.
  function automatic logic is_adding(input logic [1:0] func, input logic [7:0] op, input logic [3:0] typ);
    is_adding = func == faa_cu_pkg::SHARED_ATOMIC && op == faa_pkg::ATOMS_OP_ADD &&
                ((F32 && typ == faa_pkg::TYPE_F32) || (F64 && typ == faa_pkg::TYPE_F64) || (X2 && is_half(typ)));
  endfunction

  // Stage A
  assign choice_req_o = head_valid_i & choice & ~held;
  assign free         = head_valid_i & ~held & (choice_grant_i | ~choice);
  assign take         = free & (~wide | {2{&free && &wide}});
  assign head_ready_o = take;
  assign ev_hazard_o  = |(head_valid_i & ~free);
  assign word_o       = old;

  // 64-bit operations: both halves at once.
  assign wide_old = swap_halves(b_swap_q, old);
  assign wide_b   = swap_halves(b_swap_q, b_b_q);
  assign wide_en  = &b_valid_q && b_wide_q[0] && !b_adds_q[0] && b_func_q[1:0] == faa_cu_pkg::SHARED_ATOMIC;

  faa_shared_alu #(
    .Width(64),
    .Float(F64),
    .X2   (1'b0)
  ) u_alu_wide (
    .en_i     (wide_en),
    .op_i     (b_op_q[7:0]),
    .typ_i    (b_typ_q[3:0]),
    .ftz_i    (b_ftz_q[0]),
    .m_i      (wide_old),
    .b_i      (wide_b),
    .c_i      (swap_halves(b_swap_q, b_c_q)),
    .new_o    (wide_new),
    .write_o  (wide_write),
    .success_o(wide_success)
  );

  if (F64) begin : g_f64
    logic [63:0]        sum;
    logic [Latency-1:0] swap_q;

    faa_float_add #(
      .ExpW(11),
      .ManW(52)
    ) u_add (
      .clk_i,
      .valid_i(&b_valid_q && b_wide_q[0] && b_adds_q[0]),
      .a_i    (wide_old),
      .b_i    (wide_b),
      .ftz_i  (b_ftz_q[0]),
      .sum_o  (sum)
    );

    always_ff @(posedge clk_i) swap_q <= {swap_q[Latency-2:0], b_swap_q};

    assign sum_64 = swap_halves(swap_q[Latency-1], sum);
  end else begin : g_no_f64
    assign sum_64 = '0;
  end

  for (genvar h = 0; h < 2; h++) begin : g_bank
    logic [1:0]         func;
    logic [7:0]         op;
    logic [3:0]         typ;
    logic [31:0]        word, b, half_new, new_word, answer, sum, sum_f32, sum_x2;
    logic               half_en, half_write, half_success, write, cast, b_x2, b_choice;
    logic [Latency-1:0] sum_wide_q, sum_x2_q, sum_choice_q;

    assign wide[h]   = faa_cu_pkg::is_wide(head_typ_i[h*4 +: 4]);
    assign choice[h] = head_func_i[h*2 +: 2] == faa_cu_pkg::SHARED_CHOICE;
    assign adds[h]   = choice[h] || is_adding(head_func_i[h*2 +: 2], head_op_i[h*8 +: 8], head_typ_i[h*4 +: 4]);

    // Stage A -> B
    always_ff @(posedge clk_i) begin
      if (!rst_ni) b_valid_q[h] <= 1'b0;
      else b_valid_q[h] <= take[h];
      if (take[h]) begin
        b_func_q[h*2 +: 2] <= head_func_i[h*2 +: 2];
        b_op_q[h*8 +: 8]   <= head_op_i[h*8 +: 8];
        b_typ_q[h*4 +: 4]  <= head_typ_i[h*4 +: 4];
        b_ftz_q[h]         <= head_mod_i[h*2];
        b_want_q[h]        <= head_want_i[h];
        b_wide_q[h]        <= wide[h];
        b_adds_q[h]        <= adds[h];
        b_byte_q[h*2 +: 2] <= head_byte_i[h*2 +: 2];
        b_b_q[h*32 +: 32]  <= head_b_i[h*32 +: 32];
        b_c_q[h*32 +: 32]  <= head_c_i[h*32 +: 32];
      end
    end

    assign func = b_func_q[h*2 +: 2];
    assign op   = b_op_q[h*8 +: 8];
    assign typ  = b_typ_q[h*4 +: 4];
    assign b    = b_b_q[h*32 +: 32];
    assign word = old[h*32 +: 32];

    faa_shared_bank #(
      .RowW(RowW)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .rd_en_i  (take[h]),
      .row_i    (head_row_i[h*RowW +: RowW]),
      .adds_i   (adds[h]),
      .held_o   (held[h]),
      .word_o   (old[h*32 +: 32]),
      .wr_en_i  (write),
      .wr_word_i(new_word),
      .sum_i    (sum)
    );

    assign half_en = b_valid_q[h] && !b_wide_q[h] && !b_adds_q[h] && func == faa_cu_pkg::SHARED_ATOMIC;

    faa_shared_alu #(
      .Width(32),
      .Float(F32),
      .X2   (X2)
    ) u_alu (
      .en_i     (half_en),
      .op_i     (op),
      .typ_i    (typ),
      .ftz_i    (b_ftz_q[h]),
      .m_i      (word),
      .b_i      (b),
      .c_i      (b_c_q[h*32 +: 32]),
      .new_o    (half_new),
      .write_o  (half_write),
      .success_o(half_success)
    );

    // Stage B
    assign cast = func == faa_cu_pkg::SHARED_ATOMIC && is_cast(op);

    always_comb begin
      new_word = half_new;
      write    = half_write;
      answer   = word;
      if (b_valid_q[h]) begin
        if (func == faa_cu_pkg::SHARED_STORE) begin
          new_word = merge(word, b, faa_cu_pkg::size_log2(typ), b_byte_q[h*2 +: 2]);
          write    = 1'b1;
        end else if (b_wide_q[h]) begin
          new_word = b_swap_q == logic'(h) ? wide_new[31:0] : wide_new[63:32];
          write    = wide_write;
        end
        if (cast) begin
          if (b_wide_q[h]) answer = {31'b0, wide_success && b_swap_q == logic'(h)};
          else answer = {31'b0, half_success};
        end
      end
    end

    // Adders, and which of them has the sum.
    assign b_x2     = is_half(typ);
    assign b_choice = func == faa_cu_pkg::SHARED_CHOICE;

    if (F32) begin : g_f32
      faa_float_add #(
        .ExpW(8),
        .ManW(23)
      ) u_add (
        .clk_i,
        .valid_i(b_valid_q[h] && b_adds_q[h] && !b_wide_q[h] && !b_x2 && !b_choice),
        .a_i    (word),
        .b_i    (b),
        .ftz_i  (b_ftz_q[h]),
        .sum_o  (sum_f32)
      );
    end else begin : g_no_f32
      assign sum_f32 = '0;
    end

    if (X2) begin : g_x2
      for (genvar n = 0; n < 2; n++) begin : g_half
        faa_float_add_half u_add (
          .clk_i,
          .valid_i(b_valid_q[h] && b_adds_q[h] && b_x2),
          .bf16_i (typ == faa_pkg::TYPE_BF16X2),
          .a_i    (word[n*16 +: 16]),
          .b_i    (b[n*16 +: 16]),
          .ftz_i  (b_ftz_q[h]),
          .sum_o  (sum_x2[n*16 +: 16])
        );
      end
    end else begin : g_no_x2
      assign sum_x2 = '0;
    end

    always_ff @(posedge clk_i) begin
      sum_wide_q   <= {sum_wide_q[Latency-2:0], b_wide_q[h]};
      sum_x2_q     <= {sum_x2_q[Latency-2:0], b_x2};
      sum_choice_q <= {sum_choice_q[Latency-2:0], b_choice};
    end

    assign sum = sum_choice_q[Latency-1] ? choice_i :
                 sum_wide_q[Latency-1] ? sum_64[h*32 +: 32] : sum_x2_q[Latency-1] ? sum_x2 : sum_f32;

    // Stage B -> C
    always_ff @(posedge clk_i) begin
      if (!rst_ni) rsp_valid_o[h] <= 1'b0;
      else rsp_valid_o[h] <= b_valid_q[h];
      if (b_valid_q[h]) begin
        rsp_want_o[h]          <= b_want_q[h];
        rsp_word_o[h*32 +: 32] <= answer;
      end
    end
  end

  always_ff @(posedge clk_i) if (take[0]) b_swap_q <= head_swap_i[0];

  assign unused_mod = {head_mod_i[3], head_mod_i[1]};

  `FAA_ASSERT(wide_is_one, !(&head_valid_i && &wide) || (head_row_i[0 +: RowW] == head_row_i[RowW +: RowW] &&
              head_op_i[7:0] == head_op_i[15:8] && head_typ_i[3:0] == head_typ_i[7:4] && head_func_i[1:0] == head_func_i[3:2] &&
              head_swap_i[0] == head_swap_i[1]))
  `FAA_ASSERT(choices_are_not_wide, (head_valid_i & choice & wide) == '0)
  `FAA_ASSERT(granted_who_asked, (choice_grant_i & ~choice_req_o) == '0)
  `FAA_COVER(stall_s10, (choice_req_o & ~choice_grant_i) != '0)
  `FAA_COVER(wide_waits_for_half, &head_valid_i && wide == 2'b01)

endmodule
