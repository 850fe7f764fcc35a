// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of one bank of shared memory: integers of 32 bits, its half of 64-bit operations, MIN
// and MAX on F32.
//
// Latency: operands in stage B, the word in stage C, the new word in stage D. Throughput: one
// operation per cycle, on one word too. No stalls.
//
// Stage B turns b and c into the operands of stage C. In stage C the word, which may be the result
// of the operation just before, enters two adders and two comparators side by side. In stage D
// their carries, from registers, select the new word among four candidates:
//
//              y        y2           z        k
//   ADD        m + b    m + b + 1                     64 bits, high half: y2 on a carry of the low
//   MIN, MAX   m        (m < b)      b
//   CAS        m                     c
//   INC        m + s    m - (b+1-s)  s - 1            z if m > b, y if m < b + 1 - s, else y2
//   DEC        m - s    m + (b+1-s)           b+1-s   k if m > b, y2 if m < s, else y
//   INC 64     m + 1    m + 1        0                z if m >= b, else as ADD
//   DEC 64     m - 1    m            b                z if m = 0 or m > b, else as ADD
//
// s is the number of steps of INC and DEC: c, 1 to 63, or modulo b + 1, so that 0 stands for b + 1.
// On 64 bits c is not used: one step. CAS, CAST and CAST.SPIN compare with b and store c.
//
// Both banks execute a 64-bit operation in the same cycle. In stage D each half selects by the
// carries of both (facts_o, other_i), which are in registers: no carry passes from one adder to the
// other within a cycle.
//
// F32 MIN and MAX compare sign and magnitude: of two negative numbers the larger word is the lesser
// number. A NaN never wins; two give the canonical one. With FTZ denormals count as zeros of their
// sign. A late operation (faa_shared_bank) is a load here.

module faa_shared_alu #(
  parameter logic F32 = 1'b1
) (
  input  logic        clk_i,

  // Stage A
  input  logic        valid_i,
  input  logic [1:0]  func_i,     // faa_cu_pkg::SHARED_*
  input  logic [3:0]  op_i,       // SHARED_ATOMIC: enum atoms_op
  input  logic [3:0]  typ_i,      // enum type
  input  logic        ftz_i,
  input  logic        late_i,     // a late operation
  input  logic        wide_i,     // 64 bits
  input  logic        high_i,     // 64 bits: this bank has the high word
  input  logic [1:0]  byte_i,     // stores of 8 and 16 bits: address bits 1..0
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,

  // Stages B and C
  input  logic        b_valid_i,
  input  logic        c_valid_i,
  input  logic [31:0] word_i,     // in stage C
  output logic [31:0] b_o,        // in stage C, for late operations

  output logic [5:0]  facts_o,    // in stage C, to the other bank of the pair
  input  logic [5:0]  other_i,

  // Stage D
  output logic [31:0] new_o,
  output logic [31:0] answer_o    // the word as it was; CAST: 1 or 0, of 64 bits in the low half
);

  // How y is made; the low bit by bytes
  localparam logic [1:0] HowSum  = 2'd0;  // 0: m + operand, 1: m - operand - 1
  localparam logic [1:0] HowBits = 2'd1;  // 0: and, 1: or
  localparam logic [1:0] HowXor  = 2'd2;
  localparam logic [1:0] HowOne  = 2'd3;  // 0: operand, 1: m

  // When z or k is selected
  localparam logic [2:0] TurnNever   = 3'd0;
  localparam logic [2:0] TurnBelow   = 3'd1;
  localparam logic [2:0] TurnNotLess = 3'd2;
  localparam logic [2:0] TurnMatch   = 3'd3;
  localparam logic [2:0] TurnAbove   = 3'd4;
  localparam logic [2:0] TurnEither  = 3'd5;  // a match, or above

  // When y2 is selected rather than y, and k rather than z
  localparam logic [1:0] StepNever = 2'd0;
  localparam logic [1:0] StepInc   = 2'd1;
  localparam logic [1:0] StepDec   = 2'd2;
  localparam logic [1:0] StepCarry = 2'd3;    // with the carry of the other half

  typedef struct packed {
    logic m_top;
    logic b_top;
    logic reaches;                // m >= b, or what is subtracted
    logic above;                  // m > b
    logic equal;
    logic carry;
  } facts_t;

  // Stage B
  typedef struct packed {
    logic steps;                  // INC or DEC of 32 bits
    logic wide_steps;             // of 64 bits
    logic dec;
    logic inverts;                // y2 subtracts b
    logic cas;
    logic b_wins;                 // z is b
    logic half;                   // a store of 16 bits
    logic one;                    // of 8 bits
  } operands_t;

  // Stage C
  typedef struct packed {
    logic [1:0] how;
    logic [3:0] low;
    logic       carry;            // into the adder of y
    logic       carry2;           // into that of y2
    logic       sign;
    logic       is_f32;
    logic       ftz;
  } adders_t;

  // Stage D
  typedef struct packed {
    logic       wide;             // 64 bits
    logic       low;              // the low half of 64 bits
    logic       bounded;          // above counts
    logic [2:0] turn;
    logic [1:0] step;
    logic       match_zero;       // a match is m = 0
    logic       cast;             // the answer is whether there is a match
    logic       shows;            // ... in this half
  } choice_t;

  // ---------------------------------------------------------------------------------------------
  // Stage A: decoding

  logic        atomic, inc, dec, ranks, cas, cast, is_f32, sign;
  logic [1:0]  size;
  operands_t   operands_d, operands_q;
  adders_t     adders_d, b_adders_q, adders_q;
  choice_t     choice_d, b_choice_q, c_choice_q, choice_q;
  logic [31:0] b_b_q, b_c_q;

  assign atomic = func_i == faa_cu_pkg::SHARED_ATOMIC && !late_i;
  assign inc    = atomic && op_i == 4'(faa_pkg::ATOMS_OP_INC);
  assign dec    = atomic && op_i == 4'(faa_pkg::ATOMS_OP_DEC);
  assign ranks  = atomic && (op_i == 4'(faa_pkg::ATOMS_OP_MIN) ||
                             op_i == 4'(faa_pkg::ATOMS_OP_MAX));
  assign cast   = atomic && (op_i == 4'(faa_pkg::ATOMS_OP_CAST) ||
                             op_i == 4'(faa_pkg::ATOMS_OP_CAST_SPIN));
  assign cas    = cast || (atomic && op_i == 4'(faa_pkg::ATOMS_OP_CAS));
  assign is_f32 = F32 && ranks && typ_i == faa_pkg::TYPE_F32;
  assign sign   = ranks && (typ_i == faa_pkg::TYPE_S32 || typ_i == faa_pkg::TYPE_S64 || is_f32);
  assign size   = faa_cu_pkg::size_log2(typ_i);

  assign operands_d = '{
    steps: (inc || dec) && !wide_i,
    wide_steps: (inc || dec) && wide_i,
    dec: dec,
    inverts: inc || ranks,
    cas: cas,
    b_wins: ranks || (dec && wide_i),
    half: !atomic && size == 2'd1,
    one: !atomic && size == 2'd0
  };

  always_comb begin
    adders_d        = '0;
    adders_d.how    = HowOne;
    adders_d.low    = 4'b1111;
    adders_d.carry  = inc && (!wide_i || !high_i);
    adders_d.carry2 = !dec || wide_i;
    adders_d.sign   = sign;
    adders_d.is_f32 = is_f32;
    adders_d.ftz    = is_f32 && ftz_i;
    if (func_i == faa_cu_pkg::SHARED_STORE) begin
      case (size)
        2'd0:    adders_d.low = ~(4'b0001 << byte_i);
        2'd1:    adders_d.low = byte_i[1] ? 4'b0011 : 4'b1100;
        default: adders_d.low = 4'b0000;
      endcase
    end else if (atomic) begin
      case (op_i)
        4'(faa_pkg::ATOMS_OP_ADD),
        4'(faa_pkg::ATOMS_OP_INC):  {adders_d.how, adders_d.low} = {HowSum, 4'b0000};
        4'(faa_pkg::ATOMS_OP_DEC):  {adders_d.how, adders_d.low} = {HowSum, 4'b1111};
        4'(faa_pkg::ATOMS_OP_AND):  {adders_d.how, adders_d.low} = {HowBits, 4'b0000};
        4'(faa_pkg::ATOMS_OP_OR):   {adders_d.how, adders_d.low} = {HowBits, 4'b1111};
        4'(faa_pkg::ATOMS_OP_XOR):  {adders_d.how, adders_d.low} = {HowXor, 4'b0000};
        4'(faa_pkg::ATOMS_OP_EXCH): {adders_d.how, adders_d.low} = {HowOne, 4'b0000};
        default: ;                   // m
      endcase
    end
  end

  always_comb begin
    choice_d            = '0;
    choice_d.wide       = wide_i;
    choice_d.low        = wide_i && !high_i;
    choice_d.bounded    = inc || dec || is_f32;
    choice_d.match_zero = dec;
    choice_d.cast       = cast;
    choice_d.shows      = cast && !high_i;
    if (ranks) choice_d.turn = op_i == 4'(faa_pkg::ATOMS_OP_MAX) ? TurnBelow : TurnNotLess;
    if (inc || dec) choice_d.turn = wide_i ? TurnEither : TurnAbove;
    if (cas) choice_d.turn = TurnMatch;
    if (inc && !wide_i) choice_d.step = StepInc;
    if (dec && !wide_i) choice_d.step = StepDec;
    if (high_i && atomic && (op_i == 4'(faa_pkg::ATOMS_OP_ADD) || inc || dec)) begin
      choice_d.step = StepCarry;
    end
  end

  always_ff @(posedge clk_i) begin
    operands_q <= operands_d;
    b_adders_q <= adders_d;
    b_choice_q <= choice_d;
    if (valid_i) begin
      b_b_q <= b_i;
      b_c_q <= c_i;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Stage B: operands

  logic [5:0]  later;                // steps after the first; 0 without steps
  logic        b_nan;
  logic [31:0] b, wins, x, operand_d, operand_q, operand2_d, operand2_q, z_d, z_q, b_q;

  // F32: the number that b stands for, and the result where b wins
  if (F32) begin : g_f32
    logic exponent_0, exponent_1;
    assign exponent_0 = b_b_q[30:23] == '0;
    assign exponent_1 = &b_b_q[30:23];
    assign b_nan      = b_adders_q.is_f32 && exponent_1 && b_b_q[22:0] != '0;
    assign b          = {b_b_q[31], b_adders_q.ftz && exponent_0 ? 31'b0 : b_b_q[30:0]};
    assign wins       = b_nan ? faa_float_pkg::F32_NAN : b;
  end else begin : g_no_f32
    assign b_nan = 1'b0;
    assign b     = b_b_q;
    assign wins  = b_b_q;
  end

  // 0 stands for b + 1 steps.
  assign later = !operands_q.steps ? 6'd0 : b_c_q[5:0] == 6'd0 ? b_b_q[5:0] : b_c_q[5:0] - 6'd1;

  always_comb begin
    operand_d = b_b_q;
    if (operands_q.half) operand_d = {2{b_b_q[15:0]}};
    if (operands_q.one) operand_d = {4{b_b_q[7:0]}};
    if (operands_q.steps || operands_q.wide_steps) operand_d = {26'b0, later};
    z_d = {26'b0, later};
    if (operands_q.b_wins) z_d = wins;
    if (operands_q.cas) z_d = b_c_q;
  end

  // y2 = m + operand2 + carry2. MIN, MAX: m - b, whose carry says that m is not less. INC: m - (b -
  // later); DEC: m + (b - later); 64 bits: y + 1.
  assign x          = (b ^ {32{operands_q.inverts}}) & {32{!operands_q.wide_steps}};
  assign operand2_d = 32'(({x, 1'b1} + {{26{operands_q.dec}}, later ^ {6{operands_q.dec}},
                                        operands_q.dec && operands_q.steps}) >> 1);

  always_ff @(posedge clk_i) begin
    adders_q   <= b_adders_q;
    c_choice_q <= b_choice_q;
    if (b_nan) c_choice_q.turn <= TurnNever;
    if (b_valid_i) begin
      operand_q  <= operand_d;
      operand2_q <= operand2_d;
      z_q        <= z_d;
      b_q        <= b;
    end
  end

  assign b_o = b_q;

  // ---------------------------------------------------------------------------------------------
  // Stage C: adders and comparators

  logic [31:0] low, f, g;
  logic [33:0] sum, sum2;                // one more bit at either end: carries in and out
  logic [15:0] pair_more, pair_same;     // m and b by two bits: m > b where they differ
  logic [10:0] same;                     // b and m, by three bits
  logic [16:0] more_sum;
  logic [11:0] same_sum;
  facts_t      facts, other;
  facts_t      own_q, other_q;           // of stage D
  logic        turned_q;                 // signed types: signs differ, less is inverted
  logic        zero;                     // F32, FTZ: m counts as a zero of its sign
  logic        nan_q, minus_q;           // F32: m is a NaN; both are negative
  logic [31:0] y_q, y2_q, k_q, last_z_q, old_q;

  for (genvar n = 0; n < 4; n++) begin : g_byte
    assign low[n*8 +: 8] = {8{adders_q.low[n]}};
  end

  always_comb begin
    case (adders_q.how)
      HowSum:  f = operand_q ^ low;
      HowBits: f = (word_i & operand_q) | ((word_i ^ operand_q) & low);
      HowXor:  f = word_i ^ operand_q;
      default: f = (word_i & low) | (operand_q & ~low);
    endcase
  end

  assign g    = adders_q.how == HowSum ? word_i : '0;
  assign sum  = {1'b0, g, 1'b1} + {1'b0, f, adders_q.carry};
  assign sum2 = {1'b0, operand2_q, adders_q.carry2} + {1'b0, word_i, 1'b1};

  for (genvar n = 0; n < 16; n++) begin : g_less
    assign pair_more[n] = b_q[n*2+1] == word_i[n*2+1] ? word_i[n*2] : word_i[n*2+1];
    assign pair_same[n] = b_q[n*2 +: 2] == word_i[n*2 +: 2];
  end
  // Bits of different pairs, so that synthesis finds nothing to share with pair_same: sharing costs
  // a level.
  for (genvar n = 0; n < 5; n++) begin : g_same
    for (genvar k = 0; k < 2; k++) begin : g_bit
      assign same[n*2+k] = {b_q[n*6+k], b_q[n*6+2+k], b_q[n*6+4+k]} ==
                           {word_i[n*6+k], word_i[n*6+2+k], word_i[n*6+4+k]};
    end
  end
  assign same[10] = pair_same[15];

  // Carry chains: the highest pair that differs decides; all are the same.
  assign more_sum = {1'b0, pair_more} + {1'b0, pair_more ^ pair_same};
  assign same_sum = {1'b0, same} + 12'd1;

  assign zero = F32 && adders_q.ftz && word_i[30:23] == '0;

  assign facts   = '{m_top: word_i[31], b_top: b_q[31], reaches: sum2[33], above: more_sum[16],
                     equal: same_sum[11], carry: sum[33]};
  assign other   = other_i;
  assign facts_o = facts;

  // Without another half other_q has the facts that change nothing.
  always_ff @(posedge clk_i) begin
    if (c_valid_i) begin
      own_q   <= facts;
      other_q <= other;
      if (!c_choice_q.wide) {other_q.reaches, other_q.equal} <= '1;
      if (!c_choice_q.wide || !c_choice_q.bounded) other_q.above <= 1'b0;
      if (!c_choice_q.bounded) own_q.above <= 1'b0;
      turned_q <= adders_q.sign && (c_choice_q.low ? other.m_top : facts.m_top) !=
                                   (c_choice_q.low ? other.b_top : facts.b_top);
      nan_q    <= F32 && adders_q.is_f32 && &word_i[30:23] && word_i[22:0] != '0;
      minus_q  <= F32 && adders_q.is_f32 && b_q[31] && word_i[31];
      y_q      <= {sum[32], zero ? 31'b0 : sum[31:1]};
      y2_q     <= sum2[32:1];
      last_z_q <= z_q;
      k_q      <= operand2_q;
      choice_q <= c_choice_q;
      old_q    <= c_choice_q.cast ? '0 : word_i;
    end
  end

  logic unused_sums;
  assign unused_sums = ^{sum[0], sum2[0], more_sum[15:0], same_sum[10:0]};

  // ---------------------------------------------------------------------------------------------
  // Stage D: the new word

  logic   less, above, match, turns, steps_on;

  always_comb begin
    if (choice_q.low) begin
      above = other_q.above || (other_q.equal && own_q.above);
      less  = !other_q.reaches || (other_q.equal && !own_q.reaches);
    end else begin
      above = own_q.above || (own_q.equal && other_q.above);
      less  = !own_q.reaches || (own_q.equal && !other_q.reaches);
    end
    less = less ^ turned_q;
    if (F32 && minus_q) less = above;
    match = choice_q.match_zero ? !own_q.carry && !other_q.carry : own_q.equal && other_q.equal;
    case (choice_q.turn)
      TurnBelow:   turns = less;
      TurnNotLess: turns = !less;
      TurnMatch:   turns = match;
      TurnAbove:   turns = above;
      TurnNever:   turns = 1'b0;
      default:     turns = above || match;
    endcase
    if (F32 && nan_q) turns = 1'b1;
    case (choice_q.step)
      StepInc:   steps_on = own_q.reaches && !above;
      StepDec:   steps_on = !own_q.carry || above;
      StepNever: steps_on = 1'b0;
      default:   steps_on = other_q.carry && !above;
    endcase
    case ({turns, steps_on})
      2'b00:   new_o = y_q;
      2'b01:   new_o = y2_q;
      2'b10:   new_o = last_z_q;
      default: new_o = k_q;
    endcase
  end

  logic unused;
  assign unused = ^{choice_q.wide, choice_q.bounded, own_q.m_top, own_q.b_top, other_q.m_top,
                    other_q.b_top};

  assign answer_o = {old_q[31:1], choice_q.cast ? match && choice_q.shows : old_q[0]};

endmodule
