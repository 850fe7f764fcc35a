// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of a pair of banks, for any operands: both halves together make the word and the
// answer of the specification.

`include "formal.svh"

module shared_alu_props (
  input logic        clk_i,
  input logic        run_i,
  input logic [1:0]  func_i,
  input logic [3:0]  op_i,
  input logic [3:0]  typ_i,
  input logic        swap_i,
  input logic [1:0]  byte_i,
  input logic [63:0] b_i,       // as the banks have them
  input logic [63:0] c_i,
  input logic [63:0] word_i
);

  logic        wide;
  logic [11:0] facts;
  logic [63:0] new_word, answer;
  `FORMAL_RESET

  assign wide = faa_cu_pkg::is_wide(typ_i);

  for (genvar h = 0; h < 2; h++) begin : g_bank
    faa_shared_alu u_alu (
      .clk_i, .valid_i(1'b1), .func_i, .op_i, .typ_i, .ftz_i(1'b0), .late_i(1'b0), .wide_i(wide),
      .high_i(wide && swap_i != logic'(h)), .byte_i, .b_i(b_i[h*32 +: 32]),
      .c_i(c_i[h*32 +: 32]), .b_valid_i(1'b1), .c_valid_i(1'b1), .word_i(word_i[h*32 +: 32]), .b_o(),
      .facts_o(facts[h*6 +: 6]), .other_i(facts[(1-h)*6 +: 6]), .new_o(new_word[h*32 +: 32]),
      .answer_o(answer[h*32 +: 32])
    );
  end

  function automatic logic [63:0] swapped(input logic swap, input logic [63:0] x);
    swapped = swap ? {x[31:0], x[63:32]} : x;
  endfunction

  // The operation three cycles ago, and the word one cycle ago
  typedef struct packed {
    logic [1:0]  func;
    logic [3:0]  op;
    logic [3:0]  typ;
    logic        swap;
    logic [1:0]  place;
    logic [63:0] b;
    logic [63:0] c;
  } operation_t;

  logic [2:0]       began;
  operation_t [2:0] past;
  operation_t       o;
  logic [63:0]      word_q;

  always_ff @(posedge clk_i) begin
    began  <= {began[1:0], rst_ni};
    past   <= {past[1:0], func_i, op_i, typ_i, swap_i, byte_i, b_i, c_i};
    word_q <= word_i;
  end
  assign o = past[2];

  // From the tables of the specification: of two 32-bit operations the one in bank o.swap.
  logic [63:0] m, b, c, got, answered, want, want_answer;
  logic [33:0] m34, b34, s34;
  logic        less, is_cast, is_wide;

  assign is_wide = faa_cu_pkg::is_wide(o.typ);
  assign m   = is_wide ? swapped(o.swap, word_q) : 64'(word_q[o.swap*32 +: 32]);
  assign b   = is_wide ? swapped(o.swap, o.b) : 64'(o.b[o.swap*32 +: 32]);
  assign c   = is_wide ? swapped(o.swap, o.c) : 64'(o.c[o.swap*32 +: 32]);
  assign got = is_wide ? swapped(o.swap, new_word) : 64'(new_word[o.swap*32 +: 32]);
  assign answered = is_wide ? swapped(o.swap, answer) : 64'(answer[o.swap*32 +: 32]);
  assign m34 = 34'(m[31:0]);
  assign b34 = 34'(b[31:0]);
  assign s34 = c[5:0] == '0 ? b34 + 34'd1 : 34'(c[5:0]);   // steps
  assign less = o.typ == faa_pkg::TYPE_S64 ? $signed(m) < $signed(b) :
                o.typ == faa_pkg::TYPE_S32 ? $signed(m[31:0]) < $signed(b[31:0]) : m < b;
  assign is_cast = o.func == faa_cu_pkg::SHARED_ATOMIC &&
                   (o.op == 4'(faa_pkg::ATOMS_OP_CAST) ||
                    o.op == 4'(faa_pkg::ATOMS_OP_CAST_SPIN));

  always_comb begin
    want = m;
    if (o.func == faa_cu_pkg::SHARED_STORE) begin
      case (faa_cu_pkg::size_log2(o.typ))
        2'd0:    want[8 * o.place +: 8] = b[7:0];
        2'd1:    want[16 * o.place[1] +: 16] = b[15:0];
        default: want = b;
      endcase
    end else if (o.func == faa_cu_pkg::SHARED_ATOMIC) begin
      case (o.op)
        4'(faa_pkg::ATOMS_OP_ADD):  want = m + b;
        4'(faa_pkg::ATOMS_OP_MIN):  want = less ? m : b;
        4'(faa_pkg::ATOMS_OP_MAX):  want = less ? b : m;
        4'(faa_pkg::ATOMS_OP_AND):  want = m & b;
        4'(faa_pkg::ATOMS_OP_OR):   want = m | b;
        4'(faa_pkg::ATOMS_OP_XOR):  want = m ^ b;
        4'(faa_pkg::ATOMS_OP_EXCH): want = b;
        4'(faa_pkg::ATOMS_OP_CAS), 4'(faa_pkg::ATOMS_OP_CAST), 4'(faa_pkg::ATOMS_OP_CAST_SPIN):
          want = m == b ? c : m;
        4'(faa_pkg::ATOMS_OP_INC): begin
          if (is_wide) want = m >= b ? '0 : m + 64'd1;
          else if (m34 > b34) want = 64'(s34 - 34'd1);
          else want = 64'(m34 + s34 > b34 ? m34 + s34 - b34 - 34'd1 : m34 + s34);
        end
        4'(faa_pkg::ATOMS_OP_DEC): begin
          if (is_wide) want = m == '0 || m > b ? b : m - 64'd1;
          else if (m34 > b34) want = 64'(b34 - s34 + 34'd1);
          else want = 64'(m34 < s34 ? m34 + b34 + 34'd1 - s34 : m34 - s34);
        end
        default: ;
      endcase
    end
    if (!is_wide) want[63:32] = '0;
    want_answer = is_cast ? 64'(m == b) : m;
  end

  // Atomic operations on integers; steps of INC and DEC are 1 to b + 1, and fewer than 64.
  logic legal, steps;
  assign steps = o.op == 4'(faa_pkg::ATOMS_OP_INC) || o.op == 4'(faa_pkg::ATOMS_OP_DEC);
  always_comb begin
    case (o.typ)
      faa_pkg::TYPE_U32: legal = !steps || (s34 <= b34 + 34'd1 && s34 < 34'd64);
      faa_pkg::TYPE_U64: legal = 1'b1;
      faa_pkg::TYPE_S32, faa_pkg::TYPE_S64: legal = !steps;
      default: legal = 1'b0;
    endcase
    if (o.func != faa_cu_pkg::SHARED_ATOMIC) legal = 1'b1;
  end

  `FAA_ASSERT(NewWord, began != '1 || !legal || got == want)
  `FAA_ASSERT(Answer, began != '1 || answered == want_answer)

endmodule
