// SPDX-License-Identifier: Apache-2.0
//
// Banks 2k and 2k + 1 with their arithmetic: two independent 32-bit operations, or one 64-bit operation, per cycle.
//
// Latency: request in cycle t (stage A), answer in cycle t + 2 (stage C), throughput one per cycle. Index 0 is the even bank,
// index 1 the odd one. A 64-bit operation is valid in both banks at once with the same row; swap_i says that its low
// word is in the odd bank. Hazards are those of faa_shared_bank.

`include "faa_assert.svh"

module faa_shared_pair #(
  parameter int unsigned RowW = 9
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic [1:0]        valid_i,
  input  logic [1:0]        func_i,    // faa_cu_pkg::SHARED_*
  input  logic [7:0]        op_i,
  input  logic              signed_i,
  input  logic [1:0]        size_i,    // log2 of the bytes accessed
  input  logic              swap_i,
  input  logic [2*RowW-1:0] row_i,
  input  logic [3:0]        byte_i,    // address bits 1..0, per bank
  input  logic [63:0]       b_i,       // operands, a word per bank
  input  logic [63:0]       c_i,

  output logic [63:0]       answer_o   // old word, or the success of CAST, per bank
);

  logic [1:0]  b_valid_q, b_func_q, b_size_q;
  logic [7:0]  b_op_q;
  logic        b_signed_q, b_swap_q, b_double, b_cast;
  logic [3:0]  b_byte_q;
  logic [63:0] b_b_q, b_c_q;
  logic [63:0] old, wide_new, store_word, new_word, answer;
  logic [63:0] half_new;
  logic [1:0]  half_write, half_success, write;
  logic        wide_write, wide_success;

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

  // Stage A -> B
  always_ff @(posedge clk_i) begin
    if (!rst_ni) b_valid_q <= 2'b0;
    else b_valid_q <= valid_i;
    if (|valid_i) begin
      b_func_q   <= func_i;
      b_op_q     <= op_i;
      b_signed_q <= signed_i;
      b_size_q   <= size_i;
      b_swap_q   <= swap_i;
      b_byte_q   <= byte_i;
      b_b_q      <= b_i;
      b_c_q      <= c_i;
    end
  end

  assign b_double = b_size_q == 2'd3;
  assign b_cast   = b_func_q == faa_cu_pkg::SHARED_ATOMIC &&
                    (b_op_q == faa_pkg::ATOMS_OP_CAST || b_op_q == faa_pkg::ATOMS_OP_CAST_SPIN);

  for (genvar h = 0; h < 2; h++) begin : g_half
    faa_shared_bank #(
      .RowW(RowW)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .rd_en_i  (valid_i[h]),
      .rd_row_i (row_i[h*RowW +: RowW]),
      .word_o   (old[h*32 +: 32]),
      .wr_en_i  (write[h]),
      .wr_word_i(new_word[h*32 +: 32])
    );

    faa_shared_alu #(
      .Width(32)
    ) u_alu (
      .op_i     (b_op_q),
      .signed_i (b_signed_q),
      .m_i      (old[h*32 +: 32]),
      .b_i      (b_b_q[h*32 +: 32]),
      .c_i      (b_c_q[h*32 +: 32]),
      .new_o    (half_new[h*32 +: 32]),
      .write_o  (half_write[h]),
      .success_o(half_success[h])
    );

    assign store_word[h*32 +: 32] = merge(old[h*32 +: 32], b_b_q[h*32 +: 32], b_size_q, b_byte_q[h*2 +: 2]);
  end

  faa_shared_alu #(
    .Width(64)
  ) u_alu_wide (
    .op_i     (b_op_q),
    .signed_i (b_signed_q),
    .m_i      (swap_halves(b_swap_q, old)),
    .b_i      (swap_halves(b_swap_q, b_b_q)),
    .c_i      (swap_halves(b_swap_q, b_c_q)),
    .new_o    (wide_new),
    .write_o  (wide_write),
    .success_o(wide_success)
  );

  always_comb begin
    new_word = store_word;
    write    = 2'b0;
    answer   = old;
    case (b_func_q)
      faa_cu_pkg::SHARED_LOAD: ;
      faa_cu_pkg::SHARED_STORE: write = 2'b11;
      default: begin
        new_word = b_double ? swap_halves(b_swap_q, wide_new) : half_new;
        write    = b_double ? {2{wide_write}} : half_write;
        if (b_cast) begin
          answer = b_double ? swap_halves(b_swap_q, {63'b0, wide_success})
                            : {31'b0, half_success[1], 31'b0, half_success[0]};
        end
      end
    endcase
  end

  // Stage B -> C
  always_ff @(posedge clk_i) if (|b_valid_q) answer_o <= answer;

  `FAA_ASSERT(double_takes_both, !(|valid_i && size_i == 2'd3) || (&valid_i && row_i[0 +: RowW] == row_i[RowW +: RowW]))

endmodule
