// SPDX-License-Identifier: Apache-2.0
//
// Stage D: one half of the banks, the even or the odd ones, takes the items of beats, up to four of
// a bank in each pass.
//
// Item i of a beat goes to column i mod 4 of its bank's queue. So a column selects among the items
// of a fourth of the positions, and the items of a bank in a pass go to different columns. Each
// half keeps its own current beat, so that the other half need not wait for it.
//
// A pass goes to the columns in one cycle (put_o), with its number and with the facts common to its
// operations (entry_*). A pass writes each column at most once, and at most Window passes are in
// flight until their answers are taken (leave_i). So columns of Window entries never overflow,
// neither those of operations nor those of answers.
//
// Latency: 2 cycles. Throughput: one pass per cycle. Stalls: SHM-S1 (a further pass of the beat),
// SHM-S2 (Window passes are in flight).

`include "faa_assert.svh"

module faa_shared_pass #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned ItemW = 75,     // of what goes to a bank
  parameter int unsigned InfoW = 16,
  parameter int unsigned Window = 32,
  parameter int unsigned Half = 0,       // 0: even banks, 1: odd banks
  localparam int unsigned Banks = Lanes / 2,  // of the half
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned PassW = Lanes > 4 ? LaneW - 2 : 1,
  localparam int unsigned NumberW = $clog2(Window)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,

  // The next beat; load_o: it is taken
  input  logic                             valid_i,
  output logic                             load_o,
  input  logic [InfoW-1:0]                 info_i,
  input  logic [Lanes-1:0][ItemW-1:0]      item_i,
  input  logic [Lanes-1:0][LaneW:0]        stop_i,    // items of banks 0 to k
  input  logic [PassW:0]                   passes_i,  // at least one

  // Columns: bank n of this half, column c
  output logic [Banks-1:0][3:0]            put_o,
  output logic [Banks-1:0][3:0][ItemW-1:0] item_o,
  output logic [Banks-1:0]                 entry_o,         // the bank has an item of the pass
  output logic [Banks-1:0][1:0]            entry_first_o,   // column of the first one
  output logic [Banks-1:0][2:0]            entry_number_o,
  output logic [NumberW-1:0]               pass_o,
  output logic [InfoW-1:0]                 info_o,
  output logic                             issued_o,        // in the queues from the next cycle on

  // The oldest pass leaves; columns that have its answers
  input  logic                             leave_i,
  output logic [Banks-1:0][3:0]            need_o,

  output logic                             stall_bank_o,
  output logic                             stall_window_o,
  output logic                             idle_o
);

  // -----------------------------------------------------------------------------------------------
  // The current beat

  logic                        busy_q, issue, ends, room_q;
  logic [InfoW-1:0]            info_q;
  logic [Lanes-1:0][ItemW-1:0] item_q;
  logic [PassW:0]              passes_q;   // that are left
  logic [Banks-1:0][LaneW:0]   left_q;     // items of each bank that are left
  logic [Banks-1:0][LaneW-1:0] start_q;    // the first of them

  assign ends   = passes_q == (PassW+1)'(1);
  assign issue  = busy_q && room_q;
  assign load_o = valid_i && (!busy_q || (issue && ends));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (load_o) busy_q <= 1'b1;
    else if (issue && ends) busy_q <= 1'b0;
    if (load_o) begin
      info_q   <= info_i;
      item_q   <= item_i;
      passes_q <= passes_i;
    end else if (issue) begin
      passes_q <= passes_q - (PassW+1)'(1);
    end
  end

  for (genvar n = 0; n < Banks; n++) begin : g_bank
    localparam int unsigned Bank = 2 * n + Half;

    logic [LaneW:0] start;
    if (Bank == 0) assign start = '0;
    else assign start = stop_i[Bank-1];

    always_ff @(posedge clk_i) begin
      if (load_o) begin
        left_q[n]  <= stop_i[Bank] - start;
        start_q[n] <= start[LaneW-1:0];
      end else if (issue) begin
        left_q[n]  <= left_q[n] > (LaneW+1)'(4) ? left_q[n] - (LaneW+1)'(4) : '0;
        start_q[n] <= start_q[n] + LaneW'(4);
      end
    end

    // ---------------------------------------------------------------------------------------------
    // Its columns

    logic [2:0] number;
    assign number = left_q[n] > (LaneW+1)'(4) ? 3'd4 : 3'(left_q[n]);

    for (genvar c = 0; c < 4; c++) begin : g_column
      logic             next;  // the column's item is among the next four
      logic [1:0]       rank;  // of it among those of the pass
      logic [LaneW-1:0] from;

      assign {next, rank} = 3'(c) - {1'b0, start_q[n][1:0]};
      if (Lanes > 4) begin : g_fours
        assign from = {start_q[n][LaneW-1:2] + PassW'(next), 2'(c)};
      end else begin : g_four
        assign from = 2'(c);
        logic unused;
        assign unused = next;
      end

      always_ff @(posedge clk_i) begin
        if (!rst_ni) put_o[n][c] <= 1'b0;
        else put_o[n][c] <= issue && {1'b0, rank} < number;
        if (issue) item_o[n][c] <= item_q[from];
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) entry_o[n] <= 1'b0;
      else entry_o[n] <= issue && left_q[n] != '0;
      if (issue) begin
        entry_first_o[n]  <= start_q[n][1:0];
        entry_number_o[n] <= number;
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Passes in flight

  logic [NumberW-1:0] next_q, oldest_q;
  logic [NumberW:0]   under_way_q, under_way_d;
  logic [4*Banks-1:0] needs [Window];

  assign under_way_d = under_way_q + (NumberW+1)'(issue) - (NumberW+1)'(leave_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q      <= '0;
      oldest_q    <= '0;
      under_way_q <= '0;
      room_q      <= 1'b0;
      issued_o    <= 1'b0;
    end else begin
      if (issue) next_q <= next_q + NumberW'(1);
      if (leave_i) oldest_q <= oldest_q + NumberW'(1);
      under_way_q <= under_way_d;
      room_q      <= under_way_d < (NumberW+1)'(Window);
      issued_o    <= issue;
    end
    if (issue) begin
      pass_o <= next_q;
      info_o <= info_q;
    end
    if (issued_o) needs[pass_o] <= put_o;
  end

  assign need_o = needs[oldest_q];

  assign stall_bank_o   = issue && !ends;
  assign stall_window_o = busy_q && !room_q;
  assign idle_o         = !busy_q && under_way_q == '0;

  `FAA_ASSERT(leaving_exists, !leave_i || under_way_q != '0)
  `FAA_ASSERT(beat_has_a_pass, !load_o || passes_i != '0)
  `FAA_COVER(stall_s1, stall_bank_o)
  `FAA_COVER(stall_s2, stall_window_o)

endmodule
