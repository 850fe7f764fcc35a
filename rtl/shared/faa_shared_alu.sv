// SPDX-License-Identifier: Apache-2.0
//
// One atomic operation on one word, but for ADD on floating-point types: new value of M from old M, b and c. Combinational,
// all outputs 0 while en_i is 0.
//
// INC and DEC: b is the bound, c the number of steps modulo b + 1; that number itself is 1 to 63. CAS, CAST, CAST_SPIN: b is
// compared, c stored. success_o is what CAST returns. write_o is 0 when M keeps its value.

module faa_shared_alu #(
  parameter int unsigned Width = 32,
  parameter logic        Float = 1'b1,  // MIN and MAX on F32 (Width 32) or F64 (64)
  parameter logic        X2 = 1'b1      // MIN and MAX on F16X2 and BF16X2 (Width 32)
) (
  input  logic             en_i,
  input  logic [7:0]       op_i,        // enum atoms_op
  input  logic [3:0]       typ_i,       // enum type
  input  logic             ftz_i,
  input  logic [Width-1:0] m_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  output logic [Width-1:0] new_o,
  output logic             write_o,
  output logic             success_o
);

  localparam logic HasF32 = Float && Width == 32;
  localparam logic HasF64 = Float && Width == 64;
  localparam logic HasX2  = X2 && Width == 32;

  // The word whose signed order is the order of the type; of F16X2 and BF16X2 each half by itself.
  function automatic logic [Width-1:0] key(input logic [Width-1:0] x, input logic [3:0] typ, input logic ftz,
                                           input logic is_max);
    case (typ)
      faa_pkg::TYPE_U32, faa_pkg::TYPE_U64: key = {!x[Width-1], x[Width-2:0]};
      default: begin
        key = x;
        if (HasF32 && typ == faa_pkg::TYPE_F32) key = Width'(faa_float_pkg::f32_key(32'(x), ftz, is_max));
        if (HasF64 && typ == faa_pkg::TYPE_F64) key = Width'(faa_float_pkg::f64_key(64'(x), ftz, is_max));
        if (HasX2 && typ == faa_pkg::TYPE_F16X2)
          key = Width'({faa_float_pkg::f16_key(x[31:16], ftz, is_max), faa_float_pkg::f16_key(x[15:0], ftz, is_max)});
        if (HasX2 && typ == faa_pkg::TYPE_BF16X2)
          key = Width'({faa_float_pkg::bf16_key(x[31:16], ftz, is_max), faa_float_pkg::bf16_key(x[15:0], ftz, is_max)});
      end
    endcase
  endfunction

  function automatic logic [Width-1:0] unkey(input logic [Width-1:0] k, input logic [3:0] typ, input logic is_max);
    case (typ)
      faa_pkg::TYPE_U32, faa_pkg::TYPE_U64: unkey = {!k[Width-1], k[Width-2:0]};
      default: begin
        unkey = k;
        if (HasF32 && typ == faa_pkg::TYPE_F32) unkey = Width'(faa_float_pkg::f32_unkey(32'(k), is_max));
        if (HasF64 && typ == faa_pkg::TYPE_F64) unkey = Width'(faa_float_pkg::f64_unkey(64'(k), is_max));
        if (HasX2 && typ == faa_pkg::TYPE_F16X2)
          unkey = Width'({faa_float_pkg::f16_unkey(k[31:16], is_max), faa_float_pkg::f16_unkey(k[15:0], is_max)});
        if (HasX2 && typ == faa_pkg::TYPE_BF16X2)
          unkey = Width'({faa_float_pkg::bf16_unkey(k[31:16], is_max), faa_float_pkg::bf16_unkey(k[15:0], is_max)});
      end
    endcase
  endfunction

  // x + y + carry, with one carry chain
  function automatic logic [Width:0] add(input logic [Width:0] x, input logic [Width:0] y, input logic carry);
    add = (Width+1)'(({x, 1'b1} + {y, carry}) >> 1);
  endfunction

  // ADD, INC and DEC: each possible result is there when comparisons say which one counts.
  logic             is_dec;
  logic [5:0]       later;              // steps behind the first
  logic [Width:0]   steps, bound;
  logic [Width:0]   direct;             // ADD: m + b; INC: m + steps; DEC: m - steps, negative if a step leads from 0 to the bound
  logic [Width:0]   turn;               // INC: steps - b - 1; DEC: b - (steps - 1), what is reached from 0
  logic [Width:0]   turned;             // INC: m + steps - b - 1, negative if no step leads to 0; DEC: b + 1 + m - steps
  logic [Width-1:0] inc_below, inc_up;  // from below the bound, from it and above: the first step goes to 0
  logic [Width-1:0] dec_in, dec_above;  // up to the bound, and from above it: the first step goes to the bound

  always_comb begin
    is_dec = op_i == faa_pkg::ATOMS_OP_DEC;
    later  = c_i[5:0] - 6'd1;
    steps  = (Width+1)'(c_i[5:0]);
    bound  = {1'b0, b_i};
    direct = '0;
    turn   = '0;
    turned = '0;
    if (en_i) begin
      direct = add({1'b0, m_i}, op_i == faa_pkg::ATOMS_OP_ADD ? bound : is_dec ? ~steps : steps, is_dec);
      turn   = add(is_dec ? bound : ~bound, is_dec ? ~(Width+1)'(later) : steps, is_dec);
      turned = turn + (is_dec ? (Width+1)'(m_i[5:0]) : {1'b0, m_i});
    end
    inc_below = turned[Width] ? direct[Width-1:0] : Width'(turned[5:0]);
    inc_up    = steps == '0 ? b_i : Width'(later);
    dec_in    = direct[Width] ? turned[Width-1:0] : direct[Width-1:0];
    dec_above = steps == '0 ? '0 : turn[Width-1:0];
  end

  logic [Width-1:0] m_key, b_key, best;
  logic             is_max, less, equal, halves;
  logic [1:0]       half_less;

  always_comb begin
    is_max    = op_i == faa_pkg::ATOMS_OP_MAX;
    halves    = HasX2 && (typ_i == faa_pkg::TYPE_F16X2 || typ_i == faa_pkg::TYPE_BF16X2);
    m_key     = '0;
    b_key     = '0;
    best      = '0;
    less      = 1'b0;
    equal     = 1'b0;
    half_less = 2'b0;
    new_o     = '0;
    write_o   = 1'b0;
    success_o = 1'b0;
    if (en_i) begin
      m_key        = key(m_i, typ_i, ftz_i, is_max);
      b_key        = key(b_i, typ_i, ftz_i, is_max);
      less         = $signed(m_key) < $signed(b_key);
      equal        = m_i == b_i;
      half_less[0] = $signed(m_key[15:0]) < $signed(b_key[15:0]);
      half_less[1] = $signed(m_key[31:16]) < $signed(b_key[31:16]);
      best         = less ^ is_max ? m_key : b_key;
      if (halves) begin
        best[15:0]  = half_less[0] ^ is_max ? m_key[15:0] : b_key[15:0];
        best[31:16] = half_less[1] ^ is_max ? m_key[31:16] : b_key[31:16];
      end
      success_o = equal;
      write_o   = 1'b1;
      case (op_i)
        faa_pkg::ATOMS_OP_ADD:  new_o = direct[Width-1:0];
        faa_pkg::ATOMS_OP_MIN:  new_o = unkey(best, typ_i, is_max);
        faa_pkg::ATOMS_OP_MAX:  new_o = unkey(best, typ_i, is_max);
        faa_pkg::ATOMS_OP_INC:  new_o = less ? inc_below : inc_up;
        faa_pkg::ATOMS_OP_DEC:  new_o = less || equal ? dec_in : dec_above;
        faa_pkg::ATOMS_OP_AND:  new_o = m_i & b_i;
        faa_pkg::ATOMS_OP_OR:   new_o = m_i | b_i;
        faa_pkg::ATOMS_OP_XOR:  new_o = m_i ^ b_i;
        faa_pkg::ATOMS_OP_EXCH: new_o = b_i;
        default: begin  // CAS, CAST, CAST_SPIN
          new_o   = c_i;
          write_o = equal;
        end
      endcase
    end
  end

endmodule
