// SPDX-License-Identifier: Apache-2.0
//
// Answers of one bank, in the columns of their operations. word_o is the oldest answer of each
// column; take_i removes it.
//
// Latency: 1 cycle. Throughput: one in, up to four out per cycle. A pass gives a column at most one
// answer, and at most Depth passes are in flight (faa_shared_pass), so a column never overflows.

`include "faa_assert.svh"

module faa_shared_answers #(
  parameter int unsigned Depth = 32,
  localparam int unsigned NumberW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic [3:0]       put_i,   // one column at most
  input  logic [31:0]      word_i,

  input  logic [3:0]       take_i,
  output logic [3:0][31:0] word_o
);

  for (genvar c = 0; c < 4; c++) begin : g_column
    logic [31:0]        mem [Depth];
    logic [NumberW-1:0] write_q, read_q;

    assign word_o[c] = mem[read_q];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        write_q <= '0;
        read_q  <= '0;
      end else begin
        if (put_i[c]) write_q <= write_q + NumberW'(1);
        if (take_i[c]) read_q <= read_q + NumberW'(1);
      end
      if (put_i[c]) mem[write_q] <= word_i;
    end
  end

  `FAA_ASSERT(one_answer_at_a_time, (put_i & (put_i - 4'd1)) == '0)

endmodule
