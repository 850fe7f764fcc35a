// SPDX-License-Identifier: Apache-2.0
//
// One atomic operation on one word, combinational: new value of M from old M, Rb and Rc.
//
// success_o is what CAST returns. write_o is 0 when M keeps its value.

module faa_shared_alu #(
  parameter int unsigned Width = 32
) (
  input  logic [7:0]       op_i,      // enum atoms_op
  input  logic             signed_i,  // MIN and MAX compare signed
  input  logic [Width-1:0] m_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  output logic [Width-1:0] new_o,
  output logic             write_o,
  output logic             success_o
);

  logic m_less_b, m_equal_b, flip;

  // Flipping the sign bits turns a signed order into an unsigned one.
  assign flip      = signed_i && (op_i == faa_pkg::ATOMS_OP_MIN || op_i == faa_pkg::ATOMS_OP_MAX);
  assign m_less_b  = {m_i[Width-1] ^ flip, m_i[Width-2:0]} < {b_i[Width-1] ^ flip, b_i[Width-2:0]};
  assign m_equal_b = m_i == b_i;
  assign success_o = m_equal_b;

  always_comb begin
    write_o = 1'b1;
    case (op_i)
      faa_pkg::ATOMS_OP_ADD:  new_o = m_i + b_i;
      faa_pkg::ATOMS_OP_MIN:  new_o = m_less_b ? m_i : b_i;
      faa_pkg::ATOMS_OP_MAX:  new_o = m_less_b ? b_i : m_i;
      faa_pkg::ATOMS_OP_INC:  new_o = m_less_b ? m_i + Width'(1) : '0;
      faa_pkg::ATOMS_OP_DEC:  new_o = (m_i == '0 || !(m_less_b || m_equal_b)) ? b_i : m_i - Width'(1);
      faa_pkg::ATOMS_OP_AND:  new_o = m_i & b_i;
      faa_pkg::ATOMS_OP_OR:   new_o = m_i | b_i;
      faa_pkg::ATOMS_OP_XOR:  new_o = m_i ^ b_i;
      faa_pkg::ATOMS_OP_EXCH: new_o = b_i;
      default: begin  // CAS, CAST, CAST_SPIN
        new_o   = c_i;
        write_o = m_equal_b;
      end
    endcase
  end

endmodule
