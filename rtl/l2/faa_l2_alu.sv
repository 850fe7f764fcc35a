// SPDX-License-Identifier: Apache-2.0
//
// One atomic operation on one item of 16, 32 or 64 bits, but for ADD on floating-point types: new value of M from old M, b and
// c, and what is answered. Combinational, all outputs 0 while en_i is 0.
//
// Halves of F16X2 and BF16X2 are items of 16 bits. INC and DEC (32 and 64 bits): b is the bound, c the number of steps modulo
// b + 1; that number itself is at least 1. CAS, CAST, FCMPWR: b is compared, c stored. write_o is 0 when M keeps its value.

module faa_l2_alu #(
  parameter int unsigned Width = 32,
  parameter logic        Float = 1'b1   // MIN, MAX, FCMPWR on F16 and BF16 (Width 16), F32 (32), F64 (64)
) (
  input  logic             en_i,
  input  logic [7:0]       op_i,        // enum atom_op
  input  logic [3:0]       typ_i,       // enum type
  input  logic             ftz_i,
  input  logic [Width-1:0] m_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  output logic [Width-1:0] new_o,
  output logic             write_o,
  output logic [Width-1:0] answer_o
);

  localparam logic HasF16 = Float && Width == 16;
  localparam logic HasF32 = Float && Width == 32;
  localparam logic HasF64 = Float && Width == 64;
  localparam logic HasInc = Width != 16;

  function automatic logic is_unsigned(input logic [3:0] typ);
    is_unsigned = typ == faa_pkg::TYPE_U16 || typ == faa_pkg::TYPE_U32 || typ == faa_pkg::TYPE_U64;
  endfunction

  // The word whose signed order is the order of the type.
  function automatic logic [Width-1:0] key(input logic [Width-1:0] x, input logic [3:0] typ, input logic ftz,
                                           input logic is_max);
    key = x;
    if (is_unsigned(typ)) key = {!x[Width-1], x[Width-2:0]};
    else if (HasF16 && typ == faa_pkg::TYPE_BF16X2) key = Width'(faa_float_pkg::bf16_key(16'(x), ftz, is_max));
    else if (HasF16 && (typ == faa_pkg::TYPE_F16 || typ == faa_pkg::TYPE_F16X2))
      key = Width'(faa_float_pkg::f16_key(16'(x), ftz, is_max));
    else if (HasF32 && typ == faa_pkg::TYPE_F32) key = Width'(faa_float_pkg::f32_key(32'(x), ftz, is_max));
    else if (HasF64 && typ == faa_pkg::TYPE_F64) key = Width'(faa_float_pkg::f64_key(64'(x), ftz, is_max));
  endfunction

  function automatic logic [Width-1:0] unkey(input logic [Width-1:0] k, input logic [3:0] typ, input logic is_max);
    unkey = k;
    if (is_unsigned(typ)) unkey = {!k[Width-1], k[Width-2:0]};
    else if (HasF16 && typ == faa_pkg::TYPE_BF16X2) unkey = Width'(faa_float_pkg::bf16_unkey(16'(k), is_max));
    else if (HasF16 && (typ == faa_pkg::TYPE_F16 || typ == faa_pkg::TYPE_F16X2))
      unkey = Width'(faa_float_pkg::f16_unkey(16'(k), is_max));
    else if (HasF32 && typ == faa_pkg::TYPE_F32) unkey = Width'(faa_float_pkg::f32_unkey(32'(k), is_max));
    else if (HasF64 && typ == faa_pkg::TYPE_F64) unkey = Width'(faa_float_pkg::f64_unkey(64'(k), is_max));
  endfunction

  // FCMPWR: the keys of MIN are those of equal numbers or NaNs if they are equal, but for the two zeros, 0 and -1.
  function automatic logic float_equal(input logic [Width-1:0] m_key, input logic [Width-1:0] b_key);
    float_equal = (m_key == b_key && m_key != {1'b0, {(Width - 1){1'b1}}}) || ((&m_key || m_key == '0) && (&b_key || b_key == '0));
  endfunction

  // From above the bound the first step of INC goes to 0, as from the bound itself.
  function automatic logic [Width-1:0] increment(input logic [Width-1:0] m, input logic [Width-1:0] bound,
                                                 input logic [Width-1:0] steps, input logic below);
    logic [Width:0] sum;
    sum       = {1'b0, below ? m : bound} + {1'b0, steps};
    increment = sum > {1'b0, bound} ? sum[Width-1:0] - bound - Width'(1) : sum[Width-1:0];
  endfunction

  // From above the bound the first step of DEC goes to the bound, as from 0.
  function automatic logic [Width-1:0] decrement(input logic [Width-1:0] m, input logic [Width-1:0] bound,
                                                 input logic [Width-1:0] steps, input logic above);
    logic [Width:0] difference;
    difference = {1'b0, above ? '0 : m} - {1'b0, steps};
    decrement  = difference[Width] ? difference[Width-1:0] + bound + Width'(1) : difference[Width-1:0];
  endfunction

  logic [Width-1:0] m_key, b_key, term, sum;
  logic             is_max, less, equal, takes_one, subtracts;

  always_comb begin
    is_max    = op_i == faa_pkg::ATOM_OP_MAX;
    takes_one = op_i == faa_pkg::ATOM_OP_INCU || op_i == faa_pkg::ATOM_OP_DECU || op_i == faa_pkg::ATOM_OP_PREDEC;
    subtracts = op_i == faa_pkg::ATOM_OP_SUB || op_i == faa_pkg::ATOM_OP_DECU || op_i == faa_pkg::ATOM_OP_PREDEC;
    m_key     = '0;
    b_key     = '0;
    term      = '0;
    sum       = '0;
    less      = 1'b0;
    equal     = 1'b0;
    new_o     = '0;
    write_o   = 1'b0;
    answer_o  = '0;
    if (en_i) begin
      m_key    = key(m_i, typ_i, ftz_i, is_max);
      b_key    = key(b_i, typ_i, ftz_i, is_max);
      less     = $signed(m_key) < $signed(b_key);
      equal    = m_i == b_i;
      term     = takes_one ? Width'(1) : b_i;
      sum      = m_i + (term ^ {Width{subtracts}}) + Width'(subtracts);
      write_o  = 1'b1;
      answer_o = m_i;
      case (op_i)
        faa_pkg::ATOM_OP_MIN, faa_pkg::ATOM_OP_MAX: new_o = unkey(less ^ is_max ? m_key : b_key, typ_i, is_max);
        faa_pkg::ATOM_OP_INC:    if (HasInc) new_o = increment(m_i, b_i, c_i, less);
        faa_pkg::ATOM_OP_DEC:    if (HasInc) new_o = decrement(m_i, b_i, c_i, !less && !equal);
        faa_pkg::ATOM_OP_AND:    new_o = m_i & b_i;
        faa_pkg::ATOM_OP_OR:     new_o = m_i | b_i;
        faa_pkg::ATOM_OP_XOR:    new_o = m_i ^ b_i;
        faa_pkg::ATOM_OP_EXCH:   new_o = b_i;
        faa_pkg::ATOM_OP_CAS, faa_pkg::ATOM_OP_CAST: begin
          new_o   = c_i;
          write_o = equal;
          if (op_i == faa_pkg::ATOM_OP_CAST) answer_o = Width'(equal);
        end
        faa_pkg::ATOM_OP_FCMPWR: begin
          new_o   = c_i;
          write_o = float_equal(m_key, b_key);
        end
        default: begin  // ADD, SUB, INCU, DECU, PREDEC
          new_o = sum;
          if (op_i == faa_pkg::ATOM_OP_PREDEC) answer_o = sum;
        end
      endcase
    end
  end

endmodule
