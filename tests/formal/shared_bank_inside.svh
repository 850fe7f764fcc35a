// SPDX-License-Identifier: Apache-2.0
//
// Goes into faa_shared_bank. A ghost word follows one row, chosen during reset: every operation on it sees what the operations
// before it left, whatever is still in the pipeline or in the adder. What an operation writes, and each sum, may be any word.

  logic [RowW-1:0] f_row_q;
  logic            f_valid_q, f_adds_q, f_known_q, f_at_row;
  logic [RowW-1:0] f_b_row_q;
  logic [31:0]     f_golden, f_golden_q;
  logic [Latency:1] f_summing_q;

  // From the ports alone: the operation in stage B, and the sums of the row that are in the adder. The oldest sum becomes the
  // row's value in its last cycle there.
  assign f_at_row = f_valid_q && f_b_row_q == f_row_q;
  assign f_golden = f_summing_q[Latency] ? sum_i : f_golden_q;

  // The row's value is known from the first operation on it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_row_q     <= row_i;
      f_valid_q   <= 1'b0;
      f_known_q   <= 1'b0;
      f_summing_q <= '0;
    end else begin
      f_valid_q   <= rd_en_i;
      f_summing_q <= {f_summing_q[Latency-1:1], f_at_row && f_adds_q};
      if (f_at_row) f_known_q <= 1'b1;
    end
    f_b_row_q <= row_i;
    f_adds_q  <= adds_i;
    if (f_at_row && !f_adds_q && wr_en_i) f_golden_q <= wr_word_i;
    else if (f_at_row && !f_known_q) f_golden_q <= word_o;
    else f_golden_q <= f_golden;
  end

  // No operation on the row comes before the sums that it has to see; it sees the word.
  `FAA_ASSERT(WaitsForSums, !f_at_row || f_summing_q[Latency-1:1] == '0)
  `FAA_ASSERT(SeesAllBefore, !(f_at_row && f_known_q) || word_o == f_golden)

  // What makes these two inductive. The registers are what the ports said:
  `FAA_ASSERT(StageB, b_valid_q == f_valid_q && (!b_valid_q || (b_row_q == f_b_row_q && b_adds_q == f_adds_q)))
  logic [Latency:1] f_sums, f_port_busy;
  for (genvar n = 1; n <= Latency; n++) begin : g_formal
    assign f_sums[n] = add_valid_q[n] && add_row[n*RowW +: RowW] == f_row_q;
  end
  `FAA_ASSERT(SumsOfTheRow, f_sums == f_summing_q)
  // One sum of the row at a time, and none is known before the row is.
  `FAA_ASSERT(OneSum, (f_summing_q & (f_summing_q - Latency'(1))) == '0 && (f_known_q || f_summing_q == '0))
  // Behind an operation that writes from stage C there is no sum that would meet it there.
  assign f_port_busy = add_valid_q;
  `FAA_ASSERT(PortFreeB, !(b_valid_q && !b_adds_q) || f_port_busy[Latency-1:1] == '0)
  `FAA_ASSERT(PortFreeC, !c_write_q || f_port_busy[Latency:2] == '0)
  // The word is in stage C or in the RAM; D repeats what the RAM has got last.
  logic f_c, f_d;
  assign f_c = c_write_q && c_row_q == f_row_q;
  assign f_d = d_write_q && d_row_q == f_row_q;
  `FAA_ASSERT(WordInC, !f_c || (f_known_q && f_summing_q == '0 && c_word_q == f_golden_q))
  `FAA_ASSERT(WordInRam, !f_known_q || f_c || u_ram.mem[f_row_q] == f_golden_q)
  `FAA_ASSERT(WordInD, !f_d || d_word_q == u_ram.mem[f_row_q])
  // What stage B reads is the RAM's word but for the write that went on meanwhile.
  `FAA_ASSERT(WordRead, !(b_valid_q && b_row_q == f_row_q) || f_d || ram_word == u_ram.mem[f_row_q])
  `FAA_COVER(BackToBack, f_at_row && f_known_q && rd_en_i && row_i == f_row_q)
  `FAA_COVER(SumToSum, f_at_row && f_adds_q && f_summing_q[Latency])
