// SPDX-License-Identifier: Apache-2.0
//
// Shared memory of one compute unit: 32 banks of 4-byte words, loads, stores and atomic operations of whole warps.
//
// A warp comes in with addresses that have been checked. It is served in passes; a pass takes the lowest pending
// lane of each bank (of each pair of banks for 64-bit accesses). One pass starts per cycle, warps follow each other
// without a gap, so a warp costs as many cycles as its most wanted bank has lanes.
//
//   S  pending mask -> winners            (the only loop: one cycle)
//   X  request crossbar, lanes -> banks
//   A  RAM read
//   B  operation, with forwarding from the two passes before
//   C  RAM write; response crossbar, banks -> lanes
//
// Latency: a warp of p passes that enters in cycle t has done_o in cycle t + p + 4 and, if it wants a result,
// result_valid_o in cycle t + p + 5. Throughput: one pass per cycle.
//
// Stalls of the input:
//   S1  the warp in S has lanes pending after this pass   (counter STALL_SHARED, kept by the user)
//   S2  a warp with a result is in the unit: its answers use S's bank numbers, the next warp waits until they are taken
// Hazards: words are forwarded in faa_shared_bank (B1, B2); order of lanes and warps is that of entry, because the pipeline
// never reorders.

`include "faa_assert.svh"

module faa_shared #(
  parameter int unsigned SharedBytes = 65536
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  // A warp
  input  logic          warp_valid_i,
  output logic          warp_ready_o,
  input  logic [31:0]   warp_mask_i,    // active lanes, at least one
  input  logic [1:0]    warp_func_i,    // faa_cu_pkg::SHARED_*
  input  logic [7:0]    warp_op_i,      // SHARED_ATOMIC: enum atoms_op
  input  logic [3:0]    warp_typ_i,     // enum type
  input  logic          warp_result_i,  // answers are wanted
  input  logic [3:0]    warp_tag_i,     // given back with done_o
  input  logic [767:0]  warp_addr_i,    // 24 bits a lane, aligned, below SharedBytes
  input  logic [2047:0] warp_b_i,       // 64 bits a lane
  input  logic [2047:0] warp_c_i,

  // Its answers, 64 bits a lane, 0 in lanes that were not active
  output logic          result_valid_o,
  input  logic          result_ready_i,
  output logic [2047:0] result_o,

  output logic          done_o,         // a warp has had its effect
  output logic [3:0]    done_tag_o,
  output logic          pass_o,         // a pass has started
  output logic          idle_o
);

  localparam int unsigned RowW = $clog2(SharedBytes) - 7;

  // S
  logic [31:0]   s_pending_q, s_pending_d, s_win;
  logic          s_first_q, s_result_q, s_spin_q, s_sign_q, s_last, s_valid;
  logic [1:0]    s_func_q, s_size_q;
  logic [7:0]    s_op_q;
  logic [3:0]    s_tag_q;
  logic [1023:0] s_bank_q, s_control_q;
  logic [159:0]  s_number_q;             // bank of each lane, 5 bits
  logic [2047:0] s_b_q, s_c_q;
  logic          accept, hold_q, warp_double;
  // X
  logic          x_valid_q, x_last_q, x_result_q, x_sign_q;
  logic [1:0]    x_func_q, x_size_q;
  logic [7:0]    x_op_q;
  logic [3:0]    x_tag_q;
  logic [31:0]   x_win_q;
  logic [1023:0] x_take_q, x_control_q, x_even_b_q, x_odd_b_q, x_even_c_q, x_odd_c_q;
  logic [31:0]   x_bank_valid;
  logic [1023:0] x_bank_control, x_bank_b, x_bank_c;
  // A
  logic          a_valid_q, a_last_q, a_result_q, a_sign_q;
  logic [1:0]    a_func_q, a_size_q;
  logic [7:0]    a_op_q;
  logic [3:0]    a_tag_q;
  logic [31:0]   a_win_q, a_bank_valid_q;
  logic [1023:0] a_control_q, a_b_q, a_c_q;
  // B, C
  logic          b_valid_q, b_last_q, b_result_q;
  logic [31:0]   b_win_q;
  logic [3:0]    b_tag_q;
  logic          c_valid_q, c_last_q, c_result_q;
  logic [31:0]   c_win_q;
  logic [3:0]    c_tag_q;
  logic [1023:0] c_answer;
  logic [2047:0] result_q;
  logic          result_valid_q;

  // Word address w lives in this bank.
  function automatic logic [4:0] bank_of(input logic [21:0] w);
    bank_of = w[4:0] ^ w[9:5] ^ w[14:10] ^ w[19:15] ^ {3'b0, w[21:20]};
  endfunction

  // -------------------------------------------------------------------------------------------------------------
  // S: the warp whose lanes are pending

  assign s_valid      = |s_pending_q;
  assign s_pending_d  = s_spin_q ? 32'b0 : s_pending_q & ~s_win;
  assign s_last       = s_pending_d == '0;
  assign warp_ready_o = s_last && !hold_q;
  assign accept       = warp_valid_i && warp_ready_o;
  assign pass_o       = s_valid;
  assign warp_double  = faa_cu_pkg::size_log2(warp_typ_i) == 2'd3;

  faa_shared_select u_select (
    .clk_i,
    .rst_ni,
    .pending_i(s_pending_q),
    .bank_i   (s_bank_q),
    .win_o    (s_win)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_pending_q <= '0;
      s_first_q   <= 1'b0;
      hold_q      <= 1'b0;
    end else begin
      if (accept) s_pending_q <= warp_mask_i;
      else s_pending_q <= s_pending_d;
      s_first_q <= accept;
      if (accept && warp_result_i) hold_q <= 1'b1;
      else if (result_valid_q && result_ready_i) hold_q <= 1'b0;
    end
    if (accept) begin
      s_func_q   <= warp_func_i;
      s_op_q     <= warp_op_i;
      s_size_q   <= faa_cu_pkg::size_log2(warp_typ_i);
      s_sign_q   <= faa_cu_pkg::is_signed(warp_typ_i);
      s_result_q <= warp_result_i;
      s_tag_q    <= warp_tag_i;
      s_spin_q   <= warp_func_i == faa_cu_pkg::SHARED_ATOMIC && warp_op_i == faa_pkg::ATOMS_OP_CAST_SPIN;
      s_b_q      <= warp_b_i;
      s_c_q      <= warp_c_i;
    end
  end

  // Control word of a lane: row, odd bank of the low word (the halves are swapped), byte.
  for (genvar l = 0; l < 32; l++) begin : g_lane
    logic [4:0] bank;

    always_comb begin
      bank = '0;
      if (accept) bank = bank_of(warp_addr_i[l*24 + 2 +: 22]);
    end

    always_ff @(posedge clk_i) begin
      if (accept) begin
        s_bank_q[l*32 +: 32]    <= 32'b1 << (warp_double ? {bank[4:1], 1'b0} : bank);
        s_number_q[l*5 +: 5]    <= bank;
        s_control_q[l*32 +: 32] <= {12'b0, warp_addr_i[l*24 + 7 +: 17], bank[0], warp_addr_i[l*24 +: 2]};
      end
    end

    // The bank numbers of the winners, and of 64-bit lanes both banks of the pair; words sorted for even and odd banks.
    always_ff @(posedge clk_i) begin
      if (s_valid) begin
        if (!s_win[l]) x_take_q[l*32 +: 32] <= '0;
        else if (s_size_q == 2'd3) x_take_q[l*32 +: 32] <= s_bank_q[l*32 +: 32] | {s_bank_q[l*32 +: 31], 1'b0};
        else x_take_q[l*32 +: 32] <= s_bank_q[l*32 +: 32];
        if (s_first_q) begin
          if (s_size_q == 2'd3) begin
            x_even_b_q[l*32 +: 32] <= s_control_q[l*32 + 2] ? s_b_q[l*64 + 32 +: 32] : s_b_q[l*64 +: 32];
            x_odd_b_q[l*32 +: 32]  <= s_control_q[l*32 + 2] ? s_b_q[l*64 +: 32] : s_b_q[l*64 + 32 +: 32];
            x_even_c_q[l*32 +: 32] <= s_control_q[l*32 + 2] ? s_c_q[l*64 + 32 +: 32] : s_c_q[l*64 +: 32];
            x_odd_c_q[l*32 +: 32]  <= s_control_q[l*32 + 2] ? s_c_q[l*64 +: 32] : s_c_q[l*64 + 32 +: 32];
          end else begin
            x_even_b_q[l*32 +: 32] <= s_b_q[l*64 +: 32];
            x_odd_b_q[l*32 +: 32]  <= s_b_q[l*64 +: 32];
            x_even_c_q[l*32 +: 32] <= s_c_q[l*64 +: 32];
            x_odd_c_q[l*32 +: 32]  <= s_c_q[l*64 +: 32];
          end
        end
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // X: crossbar

  always_ff @(posedge clk_i) begin
    if (!rst_ni) x_valid_q <= 1'b0;
    else x_valid_q <= s_valid;
    if (s_valid) begin
      x_win_q    <= s_win;
      x_last_q   <= s_last;
      x_result_q <= s_result_q;
      x_func_q   <= s_func_q;
      x_op_q     <= s_op_q;
      x_size_q   <= s_size_q;
      x_sign_q   <= s_sign_q;
      x_tag_q    <= s_tag_q;
      if (s_first_q) x_control_q <= s_control_q;
    end
  end

  faa_shared_xbar u_xbar (
    .valid_i  (x_valid_q),
    .take_i   (x_take_q),
    .control_i(x_control_q),
    .even_b_i (x_even_b_q),
    .odd_b_i  (x_odd_b_q),
    .even_c_i (x_even_c_q),
    .odd_c_i  (x_odd_c_q),
    .valid_o  (x_bank_valid),
    .control_o(x_bank_control),
    .b_o      (x_bank_b),
    .c_o      (x_bank_c)
  );

  // -------------------------------------------------------------------------------------------------------------
  // A, B: banks

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_valid_q      <= 1'b0;
      a_bank_valid_q <= '0;
      b_valid_q      <= 1'b0;
      c_valid_q      <= 1'b0;
    end else begin
      a_valid_q      <= x_valid_q;
      a_bank_valid_q <= x_bank_valid;
      b_valid_q      <= a_valid_q;
      c_valid_q      <= b_valid_q;
    end
    if (x_valid_q) begin
      a_control_q <= x_bank_control;
      a_b_q       <= x_bank_b;
      a_c_q       <= x_bank_c;
      a_win_q     <= x_win_q;
      a_last_q    <= x_last_q;
      a_result_q  <= x_result_q;
      a_func_q    <= x_func_q;
      a_op_q      <= x_op_q;
      a_size_q    <= x_size_q;
      a_sign_q    <= x_sign_q;
      a_tag_q     <= x_tag_q;
    end
    if (a_valid_q) begin
      b_win_q    <= a_win_q;
      b_last_q   <= a_last_q;
      b_result_q <= a_result_q;
      b_tag_q    <= a_tag_q;
    end
    if (b_valid_q) begin
      c_win_q    <= b_win_q;
      c_last_q   <= b_last_q;
      c_result_q <= b_result_q;
      c_tag_q    <= b_tag_q;
    end
  end

  for (genvar p = 0; p < 16; p++) begin : g_pair
    logic [63:0] control;
    logic        unused;
    assign control = a_control_q[p*64 +: 64];
    assign unused  = ^{control[31:RowW+3], control[63:RowW+35], control[34]};

    faa_shared_pair #(
      .RowW(RowW)
    ) u_pair (
      .clk_i,
      .rst_ni,
      .valid_i (a_bank_valid_q[p*2 +: 2]),
      .func_i  (a_func_q),
      .op_i    (a_op_q),
      .signed_i(a_sign_q),
      .size_i  (a_size_q),
      .swap_i  (control[2]),
      .row_i   ({control[35 +: RowW], control[3 +: RowW]}),
      .byte_i  ({control[33:32], control[1:0]}),
      .b_i     (a_b_q[p*64 +: 64]),
      .c_i     (a_c_q[p*64 +: 64]),
      .answer_o(c_answer[p*64 +: 64])
    );
  end

  // -------------------------------------------------------------------------------------------------------------
  // C: response crossbar. The warp that wants answers is still in S (hold_q).

  function automatic logic [63:0] answer_of(input logic [31:0] low, input logic [31:0] high, input logic [1:0] offset,
                                            input logic [1:0] size, input logic sign);
    logic [15:0] item;
    item = 16'(low >> {offset, 3'b0});
    case (size)
      2'd0: answer_of = {32'b0, {24{sign & item[7]}}, item[7:0]};
      2'd1: answer_of = {32'b0, {16{sign & item[15]}}, item[15:0]};
      2'd2: answer_of = {32'b0, low};
      default: answer_of = {high, low};
    endcase
  endfunction

  logic s_extend;
  assign s_extend = s_sign_q && s_func_q == faa_cu_pkg::SHARED_LOAD;

  for (genvar l = 0; l < 32; l++) begin : g_answer
    always_ff @(posedge clk_i) begin
      if (accept && warp_result_i) result_q[l*64 +: 64] <= '0;
      else if (c_valid_q && c_result_q && c_win_q[l]) begin
        result_q[l*64 +: 64] <= answer_of(c_answer[{s_number_q[l*5 +: 5], 5'b0} +: 32],
                                          c_answer[{s_number_q[l*5 +: 5] ^ 5'b1, 5'b0} +: 32],
                                          s_control_q[l*32 +: 2], s_size_q, s_extend);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) result_valid_q <= 1'b0;
    else if (c_valid_q && c_result_q && c_last_q) result_valid_q <= 1'b1;
    else if (result_ready_i) result_valid_q <= 1'b0;
  end

  assign result_valid_o = result_valid_q;
  assign result_o       = result_q;
  assign done_o         = c_valid_q && c_last_q;
  assign done_tag_o     = c_tag_q;
  assign idle_o         = !s_valid && !x_valid_q && !a_valid_q && !b_valid_q && !c_valid_q && !hold_q;

  `FAA_ASSUME(warp_has_a_lane, !(warp_valid_i && warp_mask_i == '0))
  `FAA_ASSUME_STABLE(warp_stable, warp_valid_i, warp_ready_o, {warp_mask_i, warp_func_i, warp_op_i, warp_typ_i})
  `FAA_ASSERT_STABLE(result_stable, result_valid_o, result_ready_i, result_o)
  `FAA_ASSERT(a_pass_makes_progress, !(s_valid && s_win == '0))
  `FAA_ASSERT(one_result_at_a_time, !(result_valid_q && c_valid_q && c_result_q))
  `FAA_COVER(stall_s1, warp_valid_i && !s_last)
  `FAA_COVER(stall_s2, warp_valid_i && s_last && hold_q)
  `FAA_COVER(back_to_back, accept && s_valid)

endmodule
