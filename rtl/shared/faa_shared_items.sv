// SPDX-License-Identifier: Apache-2.0
//
// Stage I: compacts the operations of a beat, one for each group that sends one, in the order of
// their banks. It also finds what faa_shared_pass needs: how many operations precede the end of
// each bank, and in how many passes each half of the banks takes them (4 of a bank in each).
//
// An item is {bank, func, row, c, b}. Passes have numbers: items 0 to 3 of a bank are in pass 0,
// the next four in pass 1.
//
// Latency: 1 cycle, that of faa_lanes_compact, and 2 cycles. Throughput: one beat per cycle. It
// never stalls: the sender reserves room for its output.

`include "faa_assert.svh"

module faa_shared_items #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned RowW = 9,
  parameter bit          F32 = 1'b1,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned BankW = $clog2(Lanes),
  localparam int unsigned WordW = 5 + RowW,
  localparam int unsigned ItemW = 71 + RowW,
  localparam int unsigned PassW = Lanes > 4 ? LaneW - 2 : 1,
  localparam int unsigned TicketRowW = faa_shared_pkg::TICKET_BITS - faa_shared_pkg::TICKET_ROW
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // From faa_shared_chain
  input  logic                        valid_i,
  input  faa_shared_pkg::beat_t       beat_i,
  input  logic [Lanes-1:0][WordW-1:0] word_i,
  input  logic [Lanes-1:0]            send_i,
  input  logic [Lanes-1:0]            load_i,
  input  logic [Lanes-1:0]            choice_i,
  input  logic [Lanes-1:0][31:0]      value_i,
  input  logic [Lanes-1:0][31:0]      other_i,
  input  logic [TicketRowW-1:0]       row_i,    // of a beat with choice words, in faa_shared_choose

  output logic                        valid_o,
  output faa_shared_pkg::beat_t       beat_o,
  output logic [Lanes-1:0]            any_o,
  output logic [Lanes-1:0][ItemW-1:0] item_o,
  output logic [Lanes-1:0][LaneW:0]   stop_o,   // items of banks 0 to k; there are as many as lanes
  output logic [Lanes-1:0][PassW-1:0] pass_o,   // of each item
  output logic [1:0][PassW:0]         passes_o, // of the even and of the odd banks
  output logic [Lanes-1:0][LaneW-1:0] below_o   // as of faa_lanes_compact
);

  localparam int unsigned BeatW = $bits(faa_shared_pkg::beat_t);
  localparam int unsigned Moves = 2 + (LaneW + 1) / 2;  // latency of faa_lanes_compact

  // -----------------------------------------------------------------------------------------------
  // Operands

  logic                        valid_q;
  faa_shared_pkg::beat_t       beat_q;
  logic [Lanes-1:0]            keep_q;
  logic [Lanes-1:0][ItemW-1:0] item_q;
  logic                        double, f32_order;

  assign double    = faa_shared_pkg::is_double(beat_i);
  assign f32_order = F32 && faa_shared_pkg::is_f32_order(beat_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i;
    if (valid_i) begin
      beat_q <= beat_i;
      keep_q <= send_i;
    end
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_item
    logic [1:0]  func;
    logic [31:0] b, value;

    assign func  = load_i[p] ? faa_cu_pkg::SHARED_LOAD : choice_i[p] ? faa_cu_pkg::SHARED_CHOICE : beat_i.func;
    assign value = f32_order ? faa_float_pkg::f32_unkey(value_i[p], beat_i.op == faa_pkg::ATOMS_OP_MAX) : value_i[p];
    assign b     = choice_i[p] ? {21'b0, row_i, 5'(p)} : double ? other_i[p] : value;

    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        item_q[p] <= {word_i[p][WordW-1 -: BankW], func, word_i[p][WordW-BankW-1:0], value_i[p], b};
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Compaction

  logic                        c_valid;
  logic [Lanes-1:0]            c_any;
  logic [Lanes-1:0][ItemW-1:0] c_item;
  logic [Lanes-1:0][LaneW-1:0] c_below;

  faa_lanes_compact #(
    .Lanes(Lanes),
    .DataW(ItemW)
  ) u_compact (
    .clk_i,
    .rst_ni,
    .valid_i(valid_q),
    .keep_i (keep_q),
    .data_i (item_q),
    .valid_o(c_valid),
    .any_o  (c_any),
    .data_o (c_item),
    .below_o(c_below)
  );

  faa_lanes_delay #(
    .Width (BeatW),
    .Cycles(Moves + 2)
  ) u_beat (
    .clk_i,
    .rst_ni,
    .data_i(beat_q),
    .data_o(beat_o)
  );

  faa_lanes_delay #(
    .Width (Lanes * LaneW),
    .Cycles(2)
  ) u_below (
    .clk_i,
    .rst_ni,
    .data_i(c_below),
    .data_o(below_o)
  );

  // -----------------------------------------------------------------------------------------------
  // Ends of the banks: items are in bank order, so the items of banks up to k are a run of ones

  logic                        end_valid_q;
  logic [Lanes-1:0][Lanes-1:0] up_to_q;    // by banks
  logic [Lanes-1:0]            any_q;
  logic [Lanes-1:0][ItemW-1:0] wait_q;
  logic [Lanes-1:0][PassW-1:0] pass_q;
  logic [Lanes-1:0]            odd_q;

  // How many of the items four, eight, ... positions before are of the same bank
  function automatic logic [PassW-1:0] count_of(input logic [7:0] bits);
    count_of = '0;
    for (int unsigned m = 0; m < Lanes / 4; m++) if (bits[m]) count_of = PassW'(m);
  endfunction

  for (genvar p = 0; p < Lanes; p++) begin : g_pass
    logic [7:0] same;
    for (genvar m = 0; m < 8; m++) begin : g_four
      if (4 * m <= p)
        assign same[m] = c_item[p][ItemW-1 -: BankW] == c_item[p-4*m][ItemW-1 -: BankW];
      else
        assign same[m] = 1'b0;
    end
    always_ff @(posedge clk_i) begin
      if (c_valid) begin
        pass_q[p] <= count_of(same);
        odd_q[p]  <= c_item[p][ItemW-BankW];
      end
    end
    for (genvar k = 0; k < Lanes - 1; k++) begin : g_bank
      always_ff @(posedge clk_i) begin
        if (c_valid) up_to_q[k][p] <= c_any[p] && c_item[p][ItemW-1 -: BankW] <= BankW'(k);
      end
    end
    always_ff @(posedge clk_i) if (c_valid) up_to_q[Lanes-1][p] <= c_any[p];
  end

  // Length of the run of ones that begins at bit 0, one binary digit after the other.
  function automatic logic [LaneW:0] ones(input logic [Lanes-1:0] row);
    ones = '0;
    if (row[Lanes-1]) ones = (LaneW+1)'(Lanes);
    else begin
      for (int n = LaneW - 1; n >= 0; n--) if (row[LaneW'(ones | (LaneW+1)'(1 << n)) - LaneW'(1)]) ones[n] = 1'b1;
    end
  endfunction

  // Some item of half h is in pass m or a later one.
  logic [1:0][Lanes/4-1:0] reaches;
  logic [1:0][PassW:0]     passes;
  always_comb begin
    reaches = '0;
    passes  = '0;
    for (int unsigned h = 0; h < 2; h++) begin
      for (int unsigned m = 0; m < Lanes / 4; m++) begin
        for (int unsigned p = 0; p < Lanes; p++) begin
          if (any_q[p] && odd_q[p] == 1'(h) && pass_q[p] >= PassW'(m)) reaches[h][m] = 1'b1;
        end
        if (reaches[h][m]) passes[h] = (PassW+1)'(m + 1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      end_valid_q <= 1'b0;
      valid_o     <= 1'b0;
    end else begin
      end_valid_q <= c_valid;
      valid_o     <= end_valid_q;
    end
    if (c_valid) begin
      any_q  <= c_any;
      wait_q <= c_item;
    end
    if (end_valid_q) begin
      any_o    <= any_q;
      item_o   <= wait_q;
      pass_o   <= pass_q;
      passes_o <= passes;
      for (int unsigned k = 0; k < Lanes; k++) stop_o[k] <= ones(up_to_q[k]);
    end
  end

  logic ordered;
  always_comb begin
    ordered = 1'b1;
    if (c_valid) begin
      for (int unsigned p = 1; p < Lanes; p++) begin
        if (c_any[p] && c_item[p][ItemW-1 -: BankW] < c_item[p-1][ItemW-1 -: BankW]) ordered = 1'b0;
      end
    end
  end
  `FAA_ASSERT(banks_ascend, ordered)

endmodule
