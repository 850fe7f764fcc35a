// SPDX-License-Identifier: Apache-2.0
//
// Answers of the 32 banks on their way back.
//
// An answer's room is reserved when its operation leaves for the bank (reserve_i), so banks need not wait. take_i shows the
// oldest answers of each bank, up to Push of them, and removes them.
//
// Latency: 1 cycle. Throughput: one in per bank and cycle, Push out.

`include "faa_assert.svh"

module faa_shared_answers #(
  parameter int unsigned Push = 4,
  parameter int unsigned Depth = 64
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic [31:0]          reserve_i,
  output logic [31:0]          credit_o,  // one more may be reserved

  input  logic [31:0]          valid_i,
  input  logic [1023:0]        word_i,

  input  logic                 take_i,
  input  logic [Push*32-1:0]   any_i,     // [r * 32 + k]: bank k's answer r is taken
  output logic [Push*1024-1:0] word_o     // [r * 1024 + k * 32]
);

  localparam int unsigned PtrW = $clog2(Depth);
  localparam int unsigned Rows = Depth / Push;

  for (genvar k = 0; k < 32; k++) begin : g_bank
    logic [PtrW-1:0]    head_q, tail_q;
    logic [PtrW:0]      reserved_q;
    logic [2:0]         number;
    logic [Push*32-1:0] row;

    always_comb begin
      number = '0;
      if (take_i) begin
        for (int r = 0; r < Push; r++) number = number + 3'(any_i[r*32 + k]);
      end
    end

    for (genvar n = 0; n < Push; n++) begin : g_column
      logic [31:0]     mem [Rows];
      logic [PtrW-1:0] at;
      logic            unused;
      // The oldest answer of this column
      assign at     = head_q + ((PtrW'(n) - head_q) & PtrW'(Push - 1));
      assign unused = ^at;
      always_ff @(posedge clk_i) begin
        if (valid_i[k] && (tail_q & PtrW'(Push - 1)) == PtrW'(n)) mem[tail_q[PtrW-1:$clog2(Push)]] <= word_i[k*32 +: 32];
      end
      assign row[n*32 +: 32] = number != '0 ? mem[at[PtrW-1:$clog2(Push)]] : 32'b0;
    end

    for (genvar r = 0; r < Push; r++) begin : g_word
      logic [PtrW-1:0] column;
      assign column = (head_q + PtrW'(r)) & PtrW'(Push - 1);
      always_comb begin
        word_o[r*1024 + k*32 +: 32] = '0;
        if (number != '0) begin
          for (int n = 0; n < Push; n++) if (column == PtrW'(n)) word_o[r*1024 + k*32 +: 32] = row[n*32 +: 32];
        end
      end
    end

    assign credit_o[k] = reserved_q != (PtrW+1)'(Depth);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        head_q     <= '0;
        tail_q     <= '0;
        reserved_q <= '0;
      end else begin
        if (valid_i[k]) tail_q <= tail_q + PtrW'(1);
        if (reserve_i[k] || take_i) begin
          head_q     <= head_q + PtrW'(number);
          reserved_q <= reserved_q + (PtrW+1)'(reserve_i[k]) - (PtrW+1)'(number);
        end
      end
    end

    `FAA_ASSERT(answers_are_reserved, reserved_q <= (PtrW+1)'(Depth))
    `FAA_ASSERT(answers_are_there, {1'b0, tail_q - head_q} >= (PtrW+1)'(number) || reserved_q[PtrW])
  end

endmodule
