// SPDX-License-Identifier: Apache-2.0
//
// Two banks with any heads: operations are answered three cycles after they are taken, in that
// order; 64-bit ones are taken by both banks at once. No operation that its banks have waits longer
// than a late operation takes, nor at all without a late operation on its row. A choice is taken in
// the cycle in which it is granted, however long after its request.

`include "formal.svh"

module shared_pair_props (
  input logic        clk_i,
  input logic        run_i,
  input logic [1:0]  valid_i,
  input logic [3:0]  func_i,
  input logic [15:0] op_i,
  input logic [7:0]  typ_i,
  input logic [1:0]  want_i,
  input logic [1:0]  swap_i,
  input logic [3:0]  row_i,
  input logic [1:0]  grant_i,
  input logic [63:0] b_i,
  input logic [63:0] c_i,
  input logic [31:0] choice_i
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  // A grant comes a cycle after the request, for any of the banks that ask.
  logic [1:0] grant_q;
  always_ff @(posedge clk_i) grant_q <= rst_ni ? request & grant_i : '0;

  logic [1:0] wide, choice, request, ready, rsp_valid, rsp_want, waits, late;
  logic [1:0] taken_q, taken_qq, answered_q, want_q, want_qq, want_qqq;
  logic [3:0] waited_q [2];
  `FORMAL_RESET

  for (genvar h = 0; h < 2; h++) begin : g_head
    assign wide[h]   = faa_cu_pkg::is_wide(typ_i[h*4 +: 4]);
    assign choice[h] = func_i[h*2 +: 2] == faa_cu_pkg::SHARED_CHOICE;
  end

  faa_shared_pair #(.RowW(2), .F32(1'b0), .F64(1'b0), .X2(1'b0)) u_pair (
    .clk_i, .rst_ni, .head_valid_i(valid_i), .head_ready_o(ready), .head_func_i(func_i), .head_op_i(op_i), .head_typ_i(typ_i),
    .head_mod_i('0), .head_want_i(want_i), .head_swap_i(swap_i), .head_row_i(row_i), .head_byte_i('0), .head_b_i(b_i),
    .head_c_i(c_i), .rsp_valid_o(rsp_valid), .rsp_want_o(rsp_want), .rsp_word_o(), .choice_req_o(request),
    .choice_grant_i(grant_q), .word_o(), .choice_i, .ev_hazard_o()
  );

  // 64-bit operations are in the same order in both queues (shared_spread_inside.svh), and are no
  // choices.
  `FAA_ASSUME(WideIsOne, valid_i != 2'b11 || wide != 2'b11 || (row_i[1:0] == row_i[3:2] && op_i[7:0] == op_i[15:8] &&
              typ_i[3:0] == typ_i[7:4] && func_i[1:0] == func_i[3:2] && swap_i[0] == swap_i[1]))
  `FAA_ASSUME(ChoicesAreNotWide, (choice & wide) == '0)

  // Consecutive cycles in which a head could be taken and is not; heads are held until they are
  // taken, and granted ones are taken.
  for (genvar h = 0; h < 2; h++) begin : g_wait
    assign waits[h] = valid_i[h] && !ready[h] &&
                      (!wide[h] || (valid_i == 2'b11 && wide == 2'b11)) &&
                      (!choice[h] || grant_q[h]);
    always_ff @(posedge clk_i) waited_q[h] <= !rst_ni || !waits[h] ? '0 : waited_q[h] + 4'd1;
    logic [11:0] head_q;
    logic        stays_q;
    always_ff @(posedge clk_i) begin
      head_q  <= {func_i[h*2 +: 2], op_i[h*8 +: 4], typ_i[h*4 +: 4], row_i[h*2 +: 2]};
      stays_q <= rst_ni && valid_i[h] && !ready[h];
    end
    `FAA_ASSUME(HeadStays, !stays_q || (valid_i[h] &&
                head_q == {func_i[h*2 +: 2], op_i[h*8 +: 4], typ_i[h*4 +: 4], row_i[h*2 +: 2]}))
    `FAA_ASSERT(WaitIsBounded, !waits[h] || waited_q[h] < 4'(Latency - 1))

    // Rows of the choices taken in the cycles before; they are the only late operations without
    // floating-point units.
    logic [Latency-1:1]      late_q;
    logic [Latency-1:1][1:0] row_q;
    always_comb begin
      late[h] = 1'b0;
      for (int n = 1; n < Latency; n++) if (late_q[n] && row_q[n] == row_i[h*2 +: 2]) late[h] = 1'b1;
    end
    always_ff @(posedge clk_i) begin
      late_q <= !rst_ni ? '0 : (Latency-1)'({late_q, ready[h] && choice[h]});
      row_q  <= ((Latency-1)*2)'({row_q, row_i[h*2 +: 2]});
    end
    `FAA_ASSERT(WaitHasAReason, !waits[h] || late[h] || (wide[h] && late != '0))
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q    <= '0;
      taken_qq   <= '0;
      answered_q <= '0;
    end else begin
      taken_q    <= ready;
      taken_qq   <= taken_q;
      answered_q <= taken_qq;
    end
    want_q   <= want_i;
    want_qq  <= want_q;
    want_qqq <= want_qq;
  end

  `FAA_ASSERT(TakesWhatIsGranted, (ready & choice) == grant_q)
  `FAA_ASSERT(TakesWhatIsThere, (ready & ~valid_i) == '0)
  `FAA_ASSERT(TakesBothHalves, (ready & wide) == '0 || (ready == 2'b11 && wide == 2'b11))
  `FAA_ASSERT(AnswersThreeCyclesLater, rsp_valid == answered_q && (rsp_valid & (rsp_want ^ want_qqq)) == '0)

endmodule
