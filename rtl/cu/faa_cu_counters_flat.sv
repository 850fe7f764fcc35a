// SPDX-License-Identifier: Apache-2.0
//
// faa_cu_counters with an adder for each counter. COUNT and SAVED are in flip-flops, BASE in RAM.
//
// An event shows one cycle later. A beat of a snapshot shows SAVED + COUNT of the same cycle. One
// adder of 32 bits makes BASE + COUNT, for reads and folds in the same five steps: a read is
// answered after five cycles, a fold takes five for each counter, and reads wait for it. A line is
// loaded in one cycle. Stalls: none but these.
//
// After reset BASE is cleared, a word per cycle; reads and folds wait.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu_counters_flat #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineBytes = 64,
  parameter int unsigned AddW = 9,
  localparam type counters_req_t = `FAA_COUNTERS_REQ(LineBytes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [63:0]            cycle_i,
  input  logic [faa_pkg::COUNTERS*AddW-1:0] add_i,

  input  logic                   rd_req_i,
  input  logic [5:0]             rd_word_i,
  output logic                   rd_ack_o,
  output logic [31:0]            rd_data_o,

  input  counters_req_t       load_i,
  output logic                fold_done_o,
  output logic                load_ready_o,

  input  logic [2:0]             snap_beat_i,
  output logic [Lanes*64-1:0]    snap_data_o
);

  localparam int unsigned Named = 32'(faa_pkg::COUNTER_STALL_SURFACE) + 1;
  localparam int unsigned Beats = 32 / Lanes;
  localparam int unsigned PerLine = LineBytes / 8;

  typedef enum logic [2:0] {
    StClear,      // BASE after reset
    StIdle,
    StSample,     // COUNT of a counter is taken
    StLow,        // BASE + COUNT, lower half
    StHigh,       // upper half; the lower one is written
    StEnd,        // the upper half is written
    StDone        // of a fold
  } state_e;

  state_e      state_q, state_d;
  logic        folding_q, lost_q, last, take;
  logic [4:0]  counter_q;
  logic [63:0] count_q, counted;
  logic [31:0] base, sum_q, low_q;
  logic        carry_q;
  logic [31:0][63:0] counts, saved;

  // ---- COUNT and SAVED ----

  assign take = state_q == StSample;
  assign load_ready_o = 1'b1;

  for (genvar n = 1; n < Named; n++) begin : gen_counter
    logic [63:0] events_q, saved_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) events_q <= '0;
      else events_q <= (take && folding_q && counter_q == 5'(n) ? '0 : events_q) +
                       64'(add_i[n*AddW +: AddW]);
      if (fold_done_o && load_i.clear) saved_q <= '0;
      else if (load_i.load && load_i.line == 4'(n / PerLine)) begin
        saved_q <= load_i.data[n%PerLine*64 +: 64];
      end
    end
    assign counts[n] = events_q;
    assign saved[n]  = saved_q;
  end
  assign counts[0] = cycle_i;
  assign saved[0]  = '0;
  assign counts[31:Named] = '0;
  assign saved[31:Named]  = '0;

  // ---- Beats of a snapshot ----

  logic [Beats-1:0][Lanes-1:0][63:0] count_beats, saved_beats;
  logic [Lanes-1:0][63:0]            count_beat, saved_beat;

  assign count_beats = counts;
  assign saved_beats = saved;
  if (Beats == 1) begin : gen_whole
    assign {count_beat, saved_beat} = {count_beats, saved_beats};

    logic unused_beat;
    assign unused_beat = ^snap_beat_i;
  end else begin : gen_beat
    assign count_beat = count_beats[snap_beat_i[$clog2(Beats)-1:0]];
    assign saved_beat = saved_beats[snap_beat_i[$clog2(Beats)-1:0]];

    logic unused_beat;
    assign unused_beat = ^snap_beat_i;
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_sum
    assign snap_data_o[l*64 +: 64] = count_beat[l] + saved_beat[l];
  end

  // ---- BASE + COUNT: reads and folds ----

  assign last = counter_q == 5'(Named - 1);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StClear:  if ({counter_q, low_q[0]} == '1) state_d = StIdle;
      StIdle:   if (load_i.fold || (rd_req_i && !rd_ack_o)) state_d = StSample;
      StSample: state_d = StLow;
      StLow:    state_d = StHigh;
      StHigh:   state_d = StEnd;
      StEnd:    state_d = !folding_q ? StIdle : !last ? StSample : lost_q ? StIdle : StDone;
      default:  state_d = StIdle;
    endcase
  end

  assign counted = counts[counter_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= StClear;
      folding_q <= 1'b0;
      counter_q <= '0;
      low_q     <= '0;
      rd_ack_o  <= 1'b0;
    end else begin
      state_q  <= state_d;
      rd_ack_o <= state_q == StEnd && !folding_q;
      if (state_q == StIdle) begin
        folding_q <= load_i.fold;
        counter_q <= load_i.fold ? 5'd1 : rd_word_i[5:1];
      end else if (state_q == StEnd && folding_q) begin
        counter_q <= counter_q + 5'd1;
      end else if (state_q == StClear) begin
        {counter_q, low_q[0]} <= {counter_q, low_q[0]} + 6'd1;
      end
      if (state_q == StHigh) low_q <= sum_q;
    end
    // A reset of the unit ends a request before it is done: the fold has no effect.
    if (state_q == StIdle) lost_q <= 1'b0;
    else if (!load_i.fold) lost_q <= 1'b1;
    if (take) count_q <= counted;
    else count_q <= count_q >> 32;
    if (take) carry_q <= 1'b0;
    else if (state_q == StLow || state_q == StHigh) begin
      {carry_q, sum_q} <= 33'(base) + 33'(count_q[31:0]) + 33'(carry_q);
    end
  end

  assign fold_done_o = state_q == StDone && load_i.fold;
  assign rd_data_o   = rd_word_i[0] ? sum_q : low_q;

  faa_ram_1r1w #(.Width(32), .Depth(64)) u_base (
    .clk_i,
    .we_i   (state_q == StClear || (folding_q && (state_q == StHigh || state_q == StEnd))),
    .waddr_i(state_q == StClear ? {counter_q, low_q[0]} : {counter_q, state_q == StEnd}),
    .wdata_i(state_q == StClear ? '0 : sum_q),
    .re_i   (1'b1),
    .raddr_i({counter_q, state_q == StLow}),
    .rdata_o(base)
  );

  logic unused;
  assign unused = ^{add_i[faa_pkg::COUNTERS*AddW-1:Named*AddW], add_i[AddW-1:0], load_i.data};

endmodule
