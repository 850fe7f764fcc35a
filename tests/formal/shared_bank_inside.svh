// SPDX-License-Identifier: Apache-2.0
//
// Part of faa_shared_bank. A ghost word follows one row, chosen during reset: every operation on it
// sees the word that the operations before it left, even while they are still in the pipeline. The
// results of operations, early or late, are the solver's choice.

  logic [RowW-1:0] f_row_q;
  logic            f_known_q;
  logic [F:0]      f_at_q, f_late_q;     // stages B to F: an operation on the row, a late one
  logic [F:D]      f_made;               // ... whose result is known
  logic [31:0]     f_golden, f_golden_q;

  // From the ports alone: the oldest result is known in stage D, that of a late operation in stage
  // E.
  assign f_golden = f_at_q[E] && f_late_q[E] ? sum_i :
                    f_at_q[D] && !f_late_q[D] ? new_i : f_golden_q;

  always_comb begin
    f_made = '0;
    for (int unsigned n = D; n <= F; n++) f_made[n] = f_at_q[n] && (!f_late_q[n] || n >= E);
  end

  // The row's value is known from the first operation on it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_row_q   <= row_i;
      f_at_q    <= '0;
      f_known_q <= 1'b0;
    end else begin
      f_at_q <= {f_at_q[F-1:0], rd_en_i && row_i == f_row_q};
      if (f_at_q[1]) f_known_q <= 1'b1;
    end
    f_late_q   <= {f_late_q[F-1:0], late_i};
    f_golden_q <= f_at_q[1] && !f_known_q ? word_o : f_golden;
  end

  // No operation on the row overtakes results that it has to see; it sees the word.
  `FAA_ASSERT(WaitsForResults, !f_at_q[1] || (f_at_q[E-1:D] & f_late_q[E-1:D]) == '0)
  `FAA_ASSERT(SeesAllBefore, !(f_at_q[1] && f_known_q) || word_o == f_golden)

  // Induction for these two. The registers have the values that the ports had:
  for (genvar n = 0; n <= E; n++) begin : g_formal
    `FAA_ASSERT(Stages, f_at_q[n] == (valid_q[n] && row_q[n] == f_row_q) &&
                (!f_at_q[n] || late_q[n] == f_late_q[n]))
    `FAA_ASSERT(SameInB, !f_at_q[0] || b_same_q[n] == f_at_q[n+1])
    if (n < Latency) begin : g_c
      `FAA_ASSERT(SameInC, !f_at_q[1] || c_same_q[n] == f_at_q[n+2])
    end
    // No operation on the row follows a late one within its latency.
    for (genvar k = 1; k < Latency; k++) begin : g_apart
      if (n + k <= E) begin : g_pair
        `FAA_ASSERT(Apart, !(f_at_q[n] && f_at_q[n+k] && f_late_q[n+k]))
      end
    end
  end
  `FAA_ASSERT(Known, f_known_q || f_at_q[F:D] == '0)
  // The youngest result in flight is the row's value; without one it is in the RAM. Stage F repeats
  // the word that was written to the RAM last.
  for (genvar n = D + 1; n <= E; n++) begin : g_word
    logic f_youngest;
    assign f_youngest = f_made[n:D] == (n-D+1)'(1) << (n - D);
    `FAA_ASSERT(WordOnItsWay, !f_youngest || f_late_q[n] || word_q[n] == f_golden)
  end
  `FAA_ASSERT(WordInRam, !f_known_q || f_made[E:D] != '0 || u_ram.mem[f_row_q] == f_golden)
  `FAA_ASSERT(WordInF, !f_at_q[F] || word_q[F] == u_ram.mem[f_row_q])
  // Where no operation on the row is ahead, stages B and C have the RAM's word.
  `FAA_ASSERT(WordRead, !f_at_q[0] || f_at_q[F:1] != '0 || ram_word == u_ram.mem[f_row_q])
  `FAA_ASSERT(WordInC, !f_at_q[1] || f_at_q[E:D] != '0 || read_q == u_ram.mem[f_row_q])
  `FAA_COVER(BackToBack, f_at_q[1] && f_known_q && rd_en_i && row_i == f_row_q)
  `FAA_COVER(ResultToResult, f_at_q[1] && f_late_q[1] && f_at_q[E] && f_late_q[E])
