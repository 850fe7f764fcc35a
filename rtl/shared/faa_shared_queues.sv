// SPDX-License-Identifier: Apache-2.0
//
// Operation queues of the 32 banks.
//
// A queue is Push columns of Depth / Push entries, filled in turn, so that it takes up to Push operations per cycle and gives one.
// Operations with an answer leave only while credit_i says that there is room for it.
//
// Latency: 1 cycle. Throughput: Push in, one out per bank and cycle.

`include "faa_assert.svh"

module faa_shared_queues #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Push = 4,
  parameter int unsigned Depth = 32,
  parameter int unsigned RowW = 9
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // From faa_shared_spread
  output logic [Push*32-1:0]    room_o,
  input  logic [31:0]           push_i,
  input  logic [Push*32-1:0]    any_i,
  input  logic [Push*160-1:0]   where_i,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [Lanes*32-1:0]   place_i,
  input  logic [Lanes-1:0]      load_i,
  input  logic [Lanes-1:0]      choice_i,
  input  logic [Lanes*32-1:0]   value_i,
  input  logic [Lanes*32-1:0]   other_i,
  input  logic [Lanes*32-1:0]   value_high_i,
  input  logic [Lanes*32-1:0]   other_high_i,

  input  logic [31:0]           credit_i,

  // Heads, to the pairs of banks
  output logic [31:0]           head_valid_o,
  input  logic [31:0]           head_ready_i,
  output logic [63:0]           head_func_o,
  output logic [255:0]          head_op_o,
  output logic [127:0]          head_typ_o,
  output logic [63:0]           head_mod_o,
  output logic [31:0]           head_want_o,
  output logic [31:0]           head_swap_o,
  output logic [32*RowW-1:0]    head_row_o,
  output logic [63:0]           head_byte_o,
  output logic [1023:0]         head_b_o,
  output logic [1023:0]         head_c_o,

  output logic                  empty_o
);

  localparam int unsigned PtrW  = $clog2(Depth);
  localparam int unsigned Rows  = Depth / Push;
  localparam int unsigned LaneW = $clog2(Lanes);
  localparam int unsigned ControlW = 20 + RowW;

  logic        wide, counted;
  logic [31:0] filled;

  logic unused_place;
  assign unused_place = ^place_i;
  assign wide    = faa_cu_pkg::is_wide(beat_i.typ);
  assign counted = faa_shared_pkg::is_counted(beat_i);
  assign empty_o = filled == '0;

  // What a queue takes of each position: words for even and odd banks, which differ for 64 bits only.
  logic [ControlW-1:0] control_at [Lanes];
  logic [31:0]         b_even [Lanes];
  logic [31:0]         b_odd [Lanes];
  logic [31:0]         c_even [Lanes];
  logic [31:0]         c_odd [Lanes];

  for (genvar p = 0; p < Lanes; p++) begin : g_position
    logic       swap, high_even, high_odd;
    logic [1:0] func;
    assign func          = load_i[p] ? faa_cu_pkg::SHARED_LOAD : choice_i[p] ? faa_cu_pkg::SHARED_CHOICE : beat_i.func;
    assign swap          = wide && faa_shared_pkg::row_swaps(place_i[p*32 + faa_shared_pkg::PLACE_ROW +: 17]);
    assign high_even     = wide && swap;
    assign high_odd      = wide && !swap;
    assign b_even[p]     = high_even ? value_high_i[p*32 +: 32] : value_i[p*32 +: 32];
    assign b_odd[p]      = high_odd ? value_high_i[p*32 +: 32] : value_i[p*32 +: 32];
    assign c_even[p]     = high_even ? other_high_i[p*32 +: 32] : other_i[p*32 +: 32];
    assign c_odd[p]      = high_odd ? other_high_i[p*32 +: 32] : other_i[p*32 +: 32];
    assign control_at[p] = {func, beat_i.op, beat_i.typ, beat_i.mod,
                            beat_i.result, swap, place_i[p*32 + faa_shared_pkg::PLACE_BYTE +: 2],
                            place_i[p*32 + faa_shared_pkg::PLACE_ROW +: RowW]};
  end

  for (genvar k = 0; k < 32; k++) begin : g_bank
    logic [PtrW-1:0]          head_q, tail_q;
    logic [PtrW:0]            count_q;
    logic [2:0]               number;
    logic                     pop;
    logic [Push-1:0]          any;
    logic [Push*5-1:0]        at;
    logic [Push*ControlW-1:0] control_row;
    logic [Push*64-1:0]       words_row;
    logic [ControlW-1:0]      control;
    logic [63:0]              words;

    always_comb begin
      number = '0;
      any    = '0;
      at     = '0;
      if (push_i[k]) begin
        for (int r = 0; r < Push; r++) begin
          any[r] = any_i[r*32 + k];
          number = number + 3'(any[r]);
          for (int b = 0; b < 5; b++) at[r*5 + b] = where_i[(r*5+b)*32 + k];
        end
      end
    end

    for (genvar r = 0; r < Push; r++) begin : g_room
      assign room_o[r*32 + k] = count_q < (PtrW+1)'(Depth - r);
    end

    // Column n takes item slot of this cycle, and shows its oldest entry.
    for (genvar n = 0; n < Push; n++) begin : g_column
      logic [ControlW-1:0] control_mem [Rows];
      logic [63:0]         words_mem [Rows];
      logic [PtrW-1:0]     slot, row;
      logic [LaneW-1:0]    lane;
      logic [31:0]         b, c;
      logic                write;

      assign slot  = (PtrW'(n) - tail_q) & PtrW'(Push - 1);
      assign row   = (tail_q + slot) / PtrW'(Push);

      always_comb begin
        write = 1'b0;
        lane  = '0;
        if (push_i[k]) begin
          for (int r = 0; r < Push; r++) begin
            if (slot == PtrW'(r)) begin
              write = any[r];
              lane  = at[r*5 +: LaneW];
            end
          end
        end
      end

      assign b = k % 2 == 0 ? b_even[lane] : b_odd[lane];
      assign c = k % 2 == 0 ? c_even[lane] : c_odd[lane];

      always_ff @(posedge clk_i) begin
        if (write) begin
          words_mem[row[PtrW-$clog2(Push)-1:0]]   <= counted ? {b, c} : {c, b};
          control_mem[row[PtrW-$clog2(Push)-1:0]] <= control_at[lane];
        end
      end

      always_comb begin
        control_row[n*ControlW +: ControlW] = '0;
        words_row[n*64 +: 64]               = '0;
        if (filled[k] && (head_q & PtrW'(Push - 1)) == PtrW'(n)) begin
          control_row[n*ControlW +: ControlW] = control_mem[head_q[PtrW-1:$clog2(Push)]];
          words_row[n*64 +: 64]               = words_mem[head_q[PtrW-1:$clog2(Push)]];
        end
      end

      logic unused;
      assign unused = ^row;
    end

    // One column shows the head, the others 0.
    always_comb begin
      control = '0;
      words   = '0;
      if (filled[k]) begin
        for (int n = 0; n < Push; n++) begin
          control = control | control_row[n*ControlW +: ControlW];
          words   = words | words_row[n*64 +: 64];
        end
      end
    end

    assign filled[k]       = count_q != '0;
    assign head_valid_o[k] = filled[k] && (credit_i[k] || !head_want_o[k]);
    assign pop             = head_valid_o[k] && head_ready_i[k];
    assign {head_func_o[k*2 +: 2], head_op_o[k*8 +: 8], head_typ_o[k*4 +: 4], head_mod_o[k*2 +: 2], head_want_o[k],
            head_swap_o[k], head_byte_o[k*2 +: 2], head_row_o[k*RowW +: RowW]} = control;
    assign head_b_o[k*32 +: 32] = words[31:0];
    assign head_c_o[k*32 +: 32] = words[63:32];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        head_q  <= '0;
        tail_q  <= '0;
        count_q <= '0;
      end else if (push_i[k] || pop) begin
        head_q  <= head_q + PtrW'(pop);
        tail_q  <= tail_q + PtrW'(number);
        count_q <= count_q + (PtrW+1)'(number) - (PtrW+1)'(pop);
      end
    end

    // Several items of a cycle follow each other without a gap.
    `FAA_ASSERT(items_are_dense, (any & (any + Push'(1))) == '0)
    `FAA_ASSERT(queue_does_not_overflow, count_q <= (PtrW+1)'(Depth))
    `FAA_COVER(queue_full, count_q == (PtrW+1)'(Depth))
    `FAA_COVER(waits_for_room_for_the_answer, filled[k] && head_want_o[k] && !credit_i[k])
  end

endmodule
