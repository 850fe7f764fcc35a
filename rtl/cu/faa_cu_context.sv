// SPDX-License-Identifier: Apache-2.0
//
// Clears, saves and restores the context of a slot: registers, predicates and surface configuration; with that of slot 0 the allocated part of shared
// memory. Layout of the save area: Documentation/device.rst.
//
// A context is a sequence of rows of 128 bytes: 255 registers, the predicates; shared memory stands
// behind the contexts of all slots, and its rows go through the shared memory unit as conflict-free
// loads and stores, so that its hash of banks is known in one place only. Rows are read and written
// in beats of Lanes lanes. CLEAR: a beat per cycle. SAVE: 3 cycles and one for each beat of a
// register row, about 80 a shared row, writes outstanding together. RESTORE: 16 lines outstanding,
// the next 16 when all have come and are written; they may come in any order, because half a row is
// written by itself. Lines of shared memory wait in a queue for the shared memory unit; with 8
// lanes those of registers wait there too, as they are two beats. A bus error does not stop it; it
// is reported at the end.

`include "faa_assert.svh"

module faa_cu_context #(
  parameter int unsigned Lanes = 32,     // of a beat: 32, 16 or 8
  parameter int unsigned Slots = 2,
  localparam int unsigned SlotW = Slots > 1 ? $clog2(Slots) : 1
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          start_i,          // the rest of the unit is idle
  input  logic [1:0]    op_i,             // 1 CLEAR, 2 SAVE, 3 RESTORE
  input  logic [SlotW-1:0] slot_i,        // stable while busy, as the next ones
  input  logic [31:0]   shared_bytes_i,
  input  logic [63:0]   save_addr_i,
  output logic          busy_o,
  output logic          error_o,          // with busy_o falling: a bus error

  output logic          rd_en_o,
  output logic [7:0]    rd_row_o,
  output faa_cu_pkg::beat_no_t rd_beat_o,
  input  logic [Lanes*32-1:0] rd_data_i,
  output logic          wr_en_o,
  output logic [Lanes-1:0] wr_mask_o,
  output logic [7:0]    wr_row_o,
  output faa_cu_pkg::beat_no_t wr_beat_o,
  output logic [Lanes*32-1:0] wr_data_o,

  input  logic [223:0]  pred_i,
  output logic          pred_load_o,
  output logic [223:0]  pred_o,
  // Configuration of surfaces, beside the predicates
  input  logic [faa_surface_pkg::IMAGE_BITS-1:0] config_i,
  output logic [faa_surface_pkg::IMAGE_BITS-1:0] config_o,

  output logic          shared_valid_o,
  input  logic          shared_ready_i,
  output logic          shared_load_o,    // else store
  output logic [31:0]   shared_mask_o,
  output faa_cu_pkg::part_t shared_part_o, // a row goes in beats
  output logic [Lanes*24-1:0] shared_addr_o,
  output logic [Lanes*32-1:0] shared_data_o,
  input  logic          shared_result_valid_i,
  input  faa_cu_pkg::part_t shared_part_i,
  input  logic [Lanes*32-1:0] shared_result_i,
  input  logic          shared_idle_i,

  output logic          mem_valid_o,
  input  logic          mem_ready_i,
  output logic          mem_write_o,
  output logic [63:6]   mem_line_o,
  output logic [511:0]  mem_data_o,
  output logic [3:0]    mem_tag_o,
  input  logic          mem_rsp_valid_i,
  input  logic [3:0]    mem_rsp_tag_i,
  input  logic [511:0]  mem_rsp_data_i,
  input  logic          mem_rsp_err_i
);

  localparam logic [1:0] OpClear = 2'd1, OpSave = 2'd2;
  localparam logic [18:0] PredRow = 19'd255, SharedRow = 19'd256;
  localparam logic [57:0] ContextLines = 58'd512;
  localparam int unsigned Others = Slots - 1;
  localparam int unsigned Beats = 32 / Lanes;
  localparam bit          Queued = Lanes < 16;   // half a row of registers is more than a beat

  typedef enum logic [2:0] {
    StIdle,
    StClear,
    StRead,      // SAVE: ask for a row, of registers beat by beat
    StRow,       // SAVE: it comes
    StLow,       // SAVE: write its lines
    StHigh,
    StRestore,
    StEnd
  } state_e;

  state_e        state_q;
  logic [18:0]   row_q, rows;             // row of the save area
  logic [1023:0] data_q, pred_row;
  faa_cu_pkg::beat_no_t beat_q, got_beat_q, row_beat;   // of registers: asked for or written, read
  logic          beat_last, beat_more, row_given, got_q, row_take, row_done;
  logic [Lanes*32-1:0] row_data;
  logic [5:0]    outstanding_q;
  logic          error_q;
  logic [15:0]   base_q_hi;               // RESTORE: first line of the batch, divided by 16
  logic [4:0]    issued_q;                // lines of the batch that have been asked for
  logic [19:0]   base, line, rsp_line, lines;
  logic [18:0]   rsp_row, queue_row, shared_row;
  logic          is_shared, is_behind, mem_take, restoring, batch_done;
  // RESTORE: lines of shared memory
  logic          push, push_ready, queue_valid;
  logic [3:0]    queue_tag;
  logic [511:0]  queue_data;
  logic [19:0]   queue_line;
  logic          queue_row_is_shared, queue_half_q, queue_take, shared_taken;
  faa_cu_pkg::beat_no_t shared_beat_q;
  logic [4:0]    queue_count;

  assign rows      = SharedRow + (slot_i == '0 ? {1'b0, shared_bytes_i[24:7]} : 19'd0);
  assign lines     = {rows, 1'b0};
  assign is_shared = row_q >= SharedRow;
  assign base      = {base_q_hi, 4'b0};
  assign line      = state_q == StRestore ? base + {15'b0, issued_q} : {row_q, state_q == StHigh};
  assign rsp_line  = base + {16'b0, mem_rsp_tag_i};
  assign rsp_row   = rsp_line[19:1];
  assign is_behind = line[19:1] >= SharedRow;
  assign restoring = state_q == StRestore;
  assign push       = restoring && mem_rsp_valid_i &&
                      (rsp_row >= SharedRow || (Queued && rsp_row < PredRow));
  assign queue_line = base + {16'b0, queue_tag};
  assign queue_row  = queue_line[19:1];
  assign batch_done = outstanding_q == '0 && !queue_valid;
  assign beat_last  = beat_q == 3'(Beats - 1);
  assign row_given  = is_shared ? shared_taken : beat_last;   // cleared, or asked for
  assign beat_more  = (state_q == StClear || state_q == StRead) && !is_shared && !beat_last;

  assign queue_row_is_shared = queue_row >= SharedRow;
  assign queue_take          = queue_row_is_shared ? shared_taken : queue_half_q;
  assign shared_taken        = shared_ready_i && shared_part_o.last;

  faa_fifo #(
    .Width(516),
    .Depth(16)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .valid_i(push),
    .ready_o(push_ready),
    .data_i ({mem_rsp_tag_i, mem_rsp_data_i}),
    .valid_o(queue_valid),
    .ready_i(queue_take),
    .data_o ({queue_tag, queue_data}),
    .count_o(queue_count)
  );
  assign mem_take  = mem_valid_o && mem_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      outstanding_q <= '0;
    end else begin
      case (state_q)
        StIdle: if (start_i) state_q <= op_i == OpClear ? StClear : op_i == OpSave ? StRead : StRestore;
        StClear: if (row_q == rows - 19'd1 && row_given) state_q <= StEnd;
        StRead: if (row_given) state_q <= StRow;
        StRow: if (row_done) state_q <= StLow;
        StLow: if (mem_ready_i) state_q <= StHigh;
        StHigh: if (mem_ready_i) state_q <= row_q == rows - 19'd1 ? StEnd : StRead;
        StRestore: if (line >= lines && batch_done) state_q <= StEnd;
        default: if (outstanding_q == '0 && shared_idle_i) state_q <= StIdle;
      endcase
      outstanding_q <= outstanding_q + {5'b0, mem_take} - {5'b0, mem_rsp_valid_i};
    end

    if (state_q == StIdle) row_q <= '0;
    else if (state_q == StClear ? row_given : state_q == StHigh && mem_ready_i) begin
      row_q <= row_q + 19'd1;
    end

    beat_q       <= beat_more ? beat_q + 3'd1 : 3'd0;
    got_q        <= rst_ni && rd_en_o;
    got_beat_q   <= beat_q;
    if (!rst_ni) shared_beat_q <= 3'd0;
    else if (shared_valid_o && shared_ready_i) begin
      shared_beat_q <= shared_part_o.last ? 3'd0 : shared_beat_q + 3'd1;
    end
    queue_half_q <= queue_valid && !queue_row_is_shared && !queue_half_q;
    for (int unsigned n = 0; n < Beats; n++) begin
      if (row_take && row_beat == 3'(n)) data_q[n*Lanes*32 +: Lanes*32] <= row_data;
    end

    if (state_q == StIdle) begin
      base_q_hi <= '0;
      issued_q  <= '0;
      error_q   <= 1'b0;
    end else begin
      if (restoring && issued_q == 5'd16 && batch_done) begin
        base_q_hi <= base_q_hi + 16'd1;
        issued_q  <= '0;
      end else if (restoring && mem_take) begin
        issued_q <= issued_q + 5'd1;
      end
      if (mem_rsp_valid_i && mem_rsp_err_i) error_q <= 1'b1;
    end
  end

  // Rows: where they come from ...
  assign rd_en_o   = state_q == StRead && !is_shared;
  assign rd_row_o  = row_q[7:0];
  assign rd_beat_o = beat_q;
  assign pred_row  = {544'b0, config_i, 32'b0, pred_i};
  assign row_take  = is_shared ? state_q == StRow && shared_result_valid_i : got_q;
  assign row_done  = row_take && row_beat == 3'(Beats - 1);
  assign row_beat  = is_shared ? shared_part_i.number : got_beat_q;

  always_comb begin
    row_data = is_shared ? shared_result_i : rd_data_i;
    if (row_q == PredRow) begin
      row_data = pred_row[Lanes*32-1:0];
      for (int unsigned n = 1; n < Beats; n++) begin
        if (row_beat == 3'(n)) row_data = pred_row[n*Lanes*32 +: Lanes*32];
      end
    end
  end

  // ... and where they go.
  if (Queued) begin : gen_queued
    assign wr_en_o   = (state_q == StClear && !is_shared) || (queue_valid && !queue_row_is_shared);
    assign wr_row_o  = restoring ? queue_row[7:0] : row_q[7:0];
    assign wr_beat_o = restoring ? {1'b0, queue_line[0], queue_half_q} : beat_q;
    assign wr_mask_o = '1;
    assign wr_data_o = !restoring ? '0 : queue_half_q ? queue_data[511 -: Lanes*32]
                                                      : queue_data[Lanes*32-1:0];
  end else begin : gen_direct
    assign wr_en_o   = (state_q == StClear && !is_shared) ||
                       (restoring && mem_rsp_valid_i && rsp_row < PredRow);
    assign wr_row_o  = restoring ? rsp_row[7:0] : row_q[7:0];
    assign wr_beat_o = !restoring ? beat_q : Beats == 1 ? 3'd0 : {2'b0, rsp_line[0]};
    assign wr_mask_o = !restoring || Beats > 1 ? '1 : {{Lanes/2{rsp_line[0]}},
                                                       {Lanes/2{!rsp_line[0]}}};
    assign wr_data_o = restoring ? {Lanes*32/512{mem_rsp_data_i}} : '0;
  end
  assign pred_load_o = state_q == StClear || (restoring && mem_rsp_valid_i && rsp_row == PredRow && !rsp_line[0]);
  assign pred_o      = restoring ? mem_rsp_data_i[223:0] : '0;
  assign config_o    = restoring ? mem_rsp_data_i[256 +: faa_surface_pkg::IMAGE_BITS] : '0;

  assign shared_valid_o = ((state_q == StClear || state_q == StRead) && is_shared) ||
                          (queue_valid && queue_row_is_shared);
  assign shared_load_o  = state_q == StRead;
  assign shared_mask_o  = !restoring ? 32'hffffffff : queue_line[0] ? 32'hffff0000 : 32'h0000ffff;
  assign shared_row     = (restoring ? queue_row : row_q) - SharedRow;
  assign shared_part_o  = '{last: shared_beat_q == 3'(Beats - 1), number: shared_beat_q};
  if (Queued) begin : gen_halves
    assign shared_data_o = !restoring ? '0 : shared_beat_q[0] ? queue_data[511 -: Lanes*32]
                                                              : queue_data[Lanes*32-1:0];
  end else begin : gen_lines
    assign shared_data_o = restoring ? {Lanes*32/512{queue_data}} : '0;
  end
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    assign shared_addr_o[l*24 +: 24] = {shared_row[16:0],
                                        5'(({2'b0, shared_beat_q} << $clog2(Lanes)) | 5'(l)), 2'b0};
  end

  assign mem_valid_o = state_q == StLow || state_q == StHigh || (restoring && issued_q != 5'd16 && line < lines);
  assign mem_write_o = !restoring;
  // In the save area the contexts of the other slots stand between that of slot 0 and shared memory.
  assign mem_line_o  = save_addr_i[63:6] + 58'(line) + (is_behind ? 58'(Others) * ContextLines : 58'(slot_i) * ContextLines);
  assign mem_data_o  = state_q == StHigh ? data_q[1023:512] : data_q[511:0];
  assign mem_tag_o   = issued_q[3:0];
  assign busy_o      = state_q != StIdle;
  assign error_o     = error_q;

  logic unused;
  assign unused = ^{save_addr_i[5:0], shared_bytes_i[31:25], shared_bytes_i[6:0], shared_row[18:17],
                    queue_count, queue_half_q, shared_part_i.last};

  // The queue holds a whole batch.
  `FAA_ASSERT(restored_line_is_taken, !push || push_ready)
  `FAA_ASSERT(row_of_its_beats, !shared_result_valid_i || !busy_o || shared_part_i.last ==
                                (shared_part_i.number == 3'(Beats - 1)))
  `FAA_COVER(restored_line_waits, queue_valid && !queue_take)

endmodule
