// SPDX-License-Identifier: Apache-2.0
//
// Clears, saves and restores the context of a slot: registers, predicates and surface
// configuration; with that of slot 0 the allocated part of shared memory and the queue's counters.
// Layout of the save area: Documentation/device.rst.
//
// A context is a sequence of rows of 128 bytes: 255 registers, then the predicates. Shared memory
// follows the contexts of all slots, then two rows of counters. Rows of shared memory go through
// the shared memory unit as conflict-free loads and stores, so only that unit knows the hash of the
// banks. No row is stored here: beats of Lanes lanes are cut into lines, or assembled from lines,
// as they come.
//
//   CLEAR    a beat per cycle
//   SAVE     a line per cycle, and one cycle for each beat that is no longer than a line; about 80
//            cycles a shared row. Writes are outstanding together
//   RESTORE  up to Window lines are outstanding, or wait in a queue to be written; they come in any
//            order. A line takes a cycle for each beat of registers in it, a line of shared memory
//            one for each beat of the row
//
// Counters are in faa_cu_counters. SAVE takes them as a snapshot, after all rows. CLEAR and RESTORE
// fold those of the former queue while rows are moved; lines of counters wait for the fold.
//
// A bus error does not stop the operation; it is reported at the end.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_cu_context #(
  parameter int unsigned Lanes = 32,       // of a beat: 32, 16, 8 or 4
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  parameter int unsigned Slots = 2,
  parameter int unsigned SnapLanes = Lanes, // counters of a beat, at least a line
  localparam int unsigned SlotW = Slots > 1 ? $clog2(Slots) : 1,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam type counters_req_t = `FAA_COUNTERS_REQ(LineBytes)
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          start_i,          // the rest of the unit is idle
  input  faa_bundle_pkg::op_e op_i,       // CLEAR, SAVE or RESTORE
  input  logic [SlotW-1:0] slot_i,        // stable while busy, as the next ones
  input  logic [31:0]   shared_bytes_i,
  input  logic [63:0]   save_addr_i,
  output logic          busy_o,
  output logic          error_o,          // with busy_o falling: a bus error

  output logic          rd_en_o,
  output logic [7:0]    rd_row_o,
  output faa_cu_pkg::beat_no_t rd_beat_o,
  input  logic [Lanes*32-1:0] rd_data_i,  // until the next read
  output logic          wr_en_o,
  output logic [Lanes-1:0] wr_mask_o,
  output logic [7:0]    wr_row_o,
  output faa_cu_pkg::beat_no_t wr_beat_o,
  output logic [Lanes*32-1:0] wr_data_o,

  // Predicates, configuration of surfaces: bit n loads 16 bytes of each, from byte 16 n on
  input  logic [223:0]  pred_i,
  output logic [1:0]    pred_load_o,
  output logic [223:0]  pred_o,
  input  logic [faa_surface_pkg::IMAGE_BITS-1:0] config_i,
  output logic [1:0]    config_load_o,
  output logic [faa_surface_pkg::IMAGE_BITS-1:0] config_o,

  output logic          shared_valid_o,
  input  logic          shared_ready_i,
  output logic          shared_load_o,    // else store
  output logic [31:0]   shared_mask_o,
  output faa_cu_pkg::part_t shared_part_o, // a row goes in beats
  output logic [Lanes*24-1:0] shared_addr_o,
  output logic [Lanes*32-1:0] shared_data_o,
  input  logic          shared_result_valid_i,
  output logic          shared_result_ready_o,
  input  faa_cu_pkg::part_t shared_part_i,
  input  logic [Lanes*32-1:0] shared_result_i,
  input  logic          shared_idle_i,

  // Counters of the queue (faa_cu_counters)
  output counters_req_t counters_o,
  input  logic          fold_done_i,
  input  logic          load_ready_i,
  output logic          snap_req_o,
  output logic [2:0]    snap_beat_o,
  input  logic          snap_valid_i,
  output logic          snap_ready_o,
  input  logic [SnapLanes*64-1:0] snap_data_i,

  output logic          mem_valid_o,
  input  logic          mem_ready_i,
  output logic          mem_write_o,
  output logic [63:OffW] mem_line_o,
  output logic [LineW-1:0] mem_data_o,
  output logic [3:0]    mem_tag_o,
  input  logic          mem_rsp_valid_i,
  input  logic [3:0]    mem_rsp_tag_i,
  input  logic [LineW-1:0] mem_rsp_data_i,
  input  logic          mem_rsp_err_i
);

  localparam logic [18:0] PredRow = 19'd255, SharedRow = 19'd256;
  localparam int unsigned Others = Slots - 1;
  localparam int unsigned Beats = 32 / Lanes;
  localparam int unsigned BeatW = 32 * Lanes;
  localparam int unsigned BeatNoW = Beats > 1 ? $clog2(Beats) : 1;
  localparam int unsigned RowLinesW = 7 - OffW;            // log2 of the lines of a row
  localparam int unsigned LineNoW = 19 + RowLinesW;
  localparam int unsigned ContextLinesW = 15 - OffW;       // log2 of the lines of a context
  localparam int unsigned Window = LineBytes == 64 ? 16 : 4;
  localparam int unsigned WindowW = $clog2(Window);
  // Lines of a beat, or beats of a line
  localparam int unsigned Cuts = BeatW > LineW ? BeatW / LineW : 1;
  localparam int unsigned Parts = LineW > BeatW ? LineW / BeatW : 1;
  localparam int unsigned CutW = Cuts > 1 ? $clog2(Cuts) : 1;
  localparam int unsigned PartW = Parts > 1 ? $clog2(Parts) : 1;
  // Lines of counters, and how many of them are in a beat of these
  localparam int unsigned CounterLines = faa_pkg::COUNTER_BYTES / LineBytes;
  localparam int unsigned CounterLineW = $clog2(CounterLines);
  localparam int unsigned CounterRows = faa_pkg::COUNTER_BYTES / 128;
  localparam int unsigned SnapLines = SnapLanes * 8 / LineBytes;

  typedef enum logic [2:0] {
    StIdle,
    StClear,
    StSave,
    StCounters,
    StRestore,
    StEnd
  } state_e;

  state_e               state_q;
  logic [18:0]          row_q, rows_q, last_row_q; // CLEAR, SAVE: row of the save area
  logic [18:0]          counter_row_q, counter_row; // the first one of counters
  faa_cu_pkg::beat_no_t beat_q;             // of a row of registers, or the predicates
  logic                 beat_last, step, is_shared, shared_taken;
  faa_cu_pkg::beat_no_t shared_beat_q;
  logic [18:0]          shared_row;
  logic [7:0]           outstanding_q;
  logic                 error_q, saving, restoring, fold_q;
  logic [CounterLineW-1:0] counter_line_q;  // SAVE
  // SAVE: source of a beat, and its path into lines
  logic                 have_q, asked_q, beat_valid, beat_take, read;
  logic [BeatW-1:0]     beat;
  logic [1023:0]        image;
  logic [Beats-1:0][BeatW-1:0] image_beats;
  logic                 out_valid;
  logic [LineW-1:0]     out_line;
  // Lines that have been requested, or written
  logic [LineNoW-1:0]   line_q, lines;
  logic                 mem_take;
  // RESTORE
  logic [Window-1:0]    busy_q;             // lines of the window that are not written yet
  logic                 come_valid, come_ready, come_take, come_old;   // a line that has arrived
  logic [WindowW-1:0]   come_tag;
  logic [LineW-1:0]     come_data;
  logic [LineNoW-1:0]   come_line;
  logic [18:0]          come_row;
  logic                 queue_valid, queue_take, line_done;            // the line to write
  logic [LineW-1:0]     queue_data;
  logic [LineNoW-1:0]   queue_line;
  logic [18:0]          queue_row;
  // Kind of its row
  logic                 queue_shared, queue_registers, queue_pred, queue_counters;
  logic [LineNoW-1:WindowW] before_q;       // of the window before
  logic [PartW-1:0]     part_q;             // of the line: beat that is written
  logic [$clog2(Window+1)-1:0] queue_count;

  assign counter_row = SharedRow + (slot_i == '0 ? {1'b0, shared_bytes_i[24:7]} : 19'd0);
  assign lines     = {rows_q, {RowLinesW{1'b0}}};
  assign saving    = state_q == StSave;
  assign restoring = state_q == StRestore;
  assign is_shared = row_q[18:8] != '0;
  assign mem_take  = mem_valid_o && mem_ready_i;
  assign beat_last = beat_q == 3'(Beats - 1);

  assign shared_taken = shared_valid_o && shared_ready_i && shared_part_o.last;

  // ----------------------------------------------------------------------------------------------
  // States, rows

  // A beat of a row is cleared or read; a beat of the predicates is taken.
  assign read = saving && row_q < PredRow && (!have_q || beat_take);
  assign step = is_shared ? shared_taken :
                state_q == StClear || read || (saving && row_q == PredRow && beat_take && !have_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      busy_o        <= 1'b0;
      outstanding_q <= '0;
      have_q        <= 1'b0;
      asked_q       <= 1'b0;
      shared_beat_q <= 3'd0;
      fold_q        <= 1'b0;
      counter_line_q <= '0;
    end else begin
      case (state_q)
        StIdle: if (start_i) begin
          busy_o  <= 1'b1;
          state_q <= op_i == faa_bundle_pkg::OpClear ? StClear :
                     op_i == faa_bundle_pkg::OpSave ? StSave : StRestore;
        end
        StClear: if (row_q == last_row_q && step && (is_shared || beat_last)) state_q <= StEnd;
        StSave: if (line_q == lines) state_q <= slot_i == '0 ? StCounters : StEnd;
        StCounters: if (mem_take && counter_line_q == '1) state_q <= StEnd;
        StRestore: if (line_q == lines && busy_q == '0) state_q <= StEnd;
        default: if (outstanding_q == '0 && shared_idle_i && !fold_q) begin
          state_q <= StIdle;
          busy_o  <= 1'b0;
        end
      endcase
      outstanding_q <= outstanding_q + 8'(mem_take) - 8'(mem_rsp_valid_i);

      if (state_q == StIdle) fold_q <= start_i && op_i != faa_bundle_pkg::OpSave && slot_i == '0;
      else if (fold_done_i) fold_q <= 1'b0;
      if (state_q == StCounters && mem_take) counter_line_q <= counter_line_q + CounterLineW'(1);

      if (read) have_q <= 1'b1;
      else if (beat_take) have_q <= 1'b0;
      // A row of shared memory has been requested and has not come.
      if (saving && shared_taken) asked_q <= 1'b1;
      else if (shared_result_valid_i && beat_take && shared_part_i.last) asked_q <= 1'b0;
      if (shared_valid_o && shared_ready_i) begin
        shared_beat_q <= shared_part_o.last ? 3'd0 : shared_beat_q + 3'd1;
      end
    end

    if (state_q == StIdle) begin
      rows_q   <= counter_row + (slot_i == '0 && op_i == faa_bundle_pkg::OpRestore ?
                                 19'(CounterRows) : 19'd0);
      last_row_q <= counter_row - 19'd1;
      counter_row_q <= counter_row;
      before_q <= '0;
      row_q    <= '0;
      beat_q   <= '0;
      line_q   <= '0;
      error_q  <= 1'b0;
    end else begin
      if (step) beat_q <= is_shared || beat_last ? 3'd0 : beat_q + 3'd1;
      if (step && (is_shared || beat_last)) row_q <= row_q + 19'd1;
      if (mem_take) line_q <= line_q + LineNoW'(1);
      if (mem_take && line_q[WindowW-1:0] == '1) before_q <= line_q[LineNoW-1:WindowW];
      if (mem_rsp_valid_i && mem_rsp_err_i) error_q <= 1'b1;
    end
  end

  // ----------------------------------------------------------------------------------------------
  // SAVE: a beat of registers that has been read, of the predicates or of shared memory

  assign rd_en_o    = read;
  assign rd_row_o   = row_q[7:0];
  assign rd_beat_o  = beat_q;
  assign image      = {544'b0, config_i, 32'b0, pred_i};
  assign beat_valid = saving && (have_q || row_q == PredRow || shared_result_valid_i);

  assign shared_result_ready_o = beat_take;

  assign image_beats = image;
  always_comb begin
    beat = shared_result_i;
    if (have_q) begin
      beat = rd_data_i;
    end else if (row_q == PredRow) begin
      beat = image_beats[beat_q[BeatNoW-1:0]];
    end
  end

  if (Parts == 1) begin : gen_cut
    // Lines of a beat
    logic [CutW-1:0] cut_q;

    always_ff @(posedge clk_i) begin
      if (state_q == StIdle) cut_q <= '0;
      else if (saving && mem_take) cut_q <= Cuts > 1 ? cut_q + CutW'(1) : '0;
    end
    always_comb begin
      out_line = beat[LineW-1:0];
      for (int unsigned n = 1; n < Cuts; n++) begin
        if (cut_q == CutW'(n)) out_line = beat[n*LineW +: LineW];
      end
    end
    assign out_valid = beat_valid;
    // Only these lines are sent during SAVE; the offer of a counter comes late, and is left out.
    assign beat_take = beat_valid && mem_ready_i && cut_q == CutW'(Cuts - 1);
    `FAA_ASSERT(beat_is_taken_with_its_line, beat_take ==
                (saving && mem_take && cut_q == CutW'(Cuts - 1)))
  end else begin : gen_collect
    // Beats of a line; the last one passes through.
    logic [PartW-1:0]       come_q;
    logic [LineW-BeatW-1:0] come_data_q;

    always_ff @(posedge clk_i) begin
      if (state_q == StIdle) come_q <= '0;
      else if (beat_take) come_q <= come_q + PartW'(1);
      for (int unsigned n = 0; n < Parts - 1; n++) begin
        if (beat_take && come_q == PartW'(n)) come_data_q[n*BeatW +: BeatW] <= beat;
      end
    end
    assign out_line  = {beat, come_data_q};
    assign out_valid = beat_valid && come_q == '1;
    assign beat_take = beat_valid && (come_q != '1 || mem_ready_i);
  end

  // ----------------------------------------------------------------------------------------------
  // RESTORE: lines that have arrived are written, a beat of registers per cycle

  faa_fifo #(
    .Width(WindowW + LineW),
    .Depth(Window)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .valid_i(restoring && mem_rsp_valid_i),
    .ready_o(come_ready),
    .data_i ({mem_rsp_tag_i[WindowW-1:0], mem_rsp_data_i}),
    .valid_o(come_valid),
    .ready_i(come_take),
    .data_o ({come_tag, come_data}),
    .count_o(queue_count)
  );

  // Of the lines with these low bits, the one requested last
  assign come_old  = come_tag >= line_q[WindowW-1:0];
  assign come_line = {come_old ? before_q : line_q[LineNoW-1:WindowW], come_tag};
  assign come_row  = come_line[LineNoW-1:RowLinesW];
  assign come_take = come_valid && (!queue_valid || queue_take);

  // The number of the line, and the kind of its row, come from registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) queue_valid <= 1'b0;
    else if (come_take) queue_valid <= 1'b1;
    else if (queue_take) queue_valid <= 1'b0;
    if (come_take) begin
      queue_line      <= come_line;
      queue_data      <= come_data;
      queue_shared    <= come_row >= SharedRow && come_row < counter_row_q;
      queue_counters  <= come_row >= counter_row_q;
      queue_registers <= come_row < PredRow;
      queue_pred      <= come_row == PredRow;
    end
  end

  assign queue_row    = queue_line[LineNoW-1:RowLinesW];
  assign line_done    = queue_shared ? shared_taken : queue_counters ? load_ready_i && counters_o.load :
                        part_q == PartW'(Parts - 1) || queue_pred;
  assign queue_take   = queue_valid && line_done;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= '0;
    else begin
      if (restoring && mem_take) busy_q[line_q[WindowW-1:0]] <= 1'b1;
      if (queue_take) busy_q[queue_line[WindowW-1:0]] <= 1'b0;
    end
    if (!queue_valid || queue_take) part_q <= '0;
    else if (!queue_shared) part_q <= part_q + PartW'(1);
  end

  assign wr_en_o  = (state_q == StClear && !is_shared) || (queue_valid && queue_registers);
  assign wr_row_o = restoring ? queue_row[7:0] : row_q[7:0];

  // The beat, or part of a beat, that the line holds
  faa_cu_pkg::beat_no_t line_beat;
  logic [BeatW-1:0]     line_data;
  logic [2:0]           line_of_row;
  logic [PartW-1:0]     part;

  assign line_of_row = 3'(queue_line[RowLinesW-1:0]);
  assign part        = queue_shared ? PartW'(shared_beat_q) : part_q;

  if (Parts == 1) begin : gen_masked
    localparam int unsigned LineLanes = LineBytes / 4;

    assign line_beat = line_of_row >> $clog2(Cuts);
    assign line_data = {Cuts{queue_data}};
    for (genvar l = 0; l < Lanes; l++) begin : g_lane
      assign wr_mask_o[l] = !restoring || (line_of_row & 3'(Cuts - 1)) == 3'(l / LineLanes);
    end

    logic unused_part;
    assign unused_part = ^part;
  end else begin : gen_parts
    assign line_beat = 3'({3'b0, line_of_row} << $clog2(Parts)) | 3'(part_q);
    assign wr_mask_o = '1;
    always_comb begin
      line_data = queue_data[BeatW-1:0];
      for (int unsigned n = 1; n < Parts; n++) begin
        if (part == PartW'(n)) line_data = queue_data[n*BeatW +: BeatW];
      end
    end
  end
  assign wr_beat_o = restoring ? line_beat : beat_q;
  assign wr_data_o = restoring ? line_data : '0;

  // The image of predicates and configuration is the lower half of its row, and is taken at once.
  for (genvar n = 0; n < 4; n++) begin : g_image
    logic load;
    assign load = state_q == StClear ||
                  (queue_valid && queue_pred && line_of_row == 3'(16 * n / LineBytes));
    if (n < 2) begin : g_pred
      assign pred_load_o[n] = load;
    end else begin : g_config
      assign config_load_o[n-2] = load;
    end
  end
  if (LineBytes == 64) begin : gen_whole_image
    assign {config_o, pred_o} = restoring ? {queue_data[256 +: 224], queue_data[223:0]} : '0;
  end else begin : gen_parts_of_image
    logic [255:0] repeated;
    assign repeated = {32/LineBytes{queue_data}};
    assign {config_o, pred_o} = restoring ? {2{repeated[223:0]}} : '0;

    logic unused_image;
    assign unused_image = ^repeated;
  end

  // ----------------------------------------------------------------------------------------------
  // Shared memory

  assign shared_valid_o = (state_q == StClear && is_shared) ||
                          (saving && is_shared && row_q != rows_q && !asked_q && !have_q) ||
                          (queue_valid && queue_shared);
  assign shared_load_o  = saving;
  assign shared_row     = (restoring ? queue_row : row_q) - SharedRow;
  assign shared_part_o  = '{last: shared_beat_q == 3'(Beats - 1), number: shared_beat_q};
  assign shared_data_o  = wr_data_o;
  for (genvar l = 0; l < 32; l++) begin : g_mask
    assign shared_mask_o[l] = !restoring || line_of_row == 3'(l * 4 / LineBytes);
  end
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    assign shared_addr_o[l*24 +: 24] = {shared_row[16:0],
                                        5'(({2'b0, shared_beat_q} << $clog2(Lanes)) | 5'(l)), 2'b0};
  end

  // ----------------------------------------------------------------------------------------------
  // Counters

  assign counters_o = '{
    fold: fold_q, clear: op_i == faa_bundle_pkg::OpClear,
    load: queue_valid && queue_counters && !fold_q,
    line: 4'({queue_row[0] ^ counter_row_q[0], queue_line[RowLinesW-1:0]}), data: queue_data
  };

  // A beat is held until its last line is taken.
  logic [LineW-1:0] counter_data;
  assign snap_req_o   = state_q == StCounters;
  if (SnapLines == 1) begin : gen_beat_of_line
    assign snap_beat_o  = 3'(counter_line_q);
    assign snap_ready_o = snap_req_o && mem_take;
    assign counter_data = snap_data_i;
  end else begin : gen_lines_of_beat
    localparam int unsigned SnapLineW = $clog2(SnapLines);
    logic [SnapLines-1:0][LineW-1:0] snap_lines;

    assign snap_lines   = snap_data_i;
    assign snap_beat_o  = 3'(5'(counter_line_q) >> SnapLineW);
    assign snap_ready_o = snap_req_o && mem_take && counter_line_q[SnapLineW-1:0] == '1;
    assign counter_data = snap_lines[counter_line_q[SnapLineW-1:0]];
  end

  // ----------------------------------------------------------------------------------------------
  // Memory

  // In the save area the contexts of the other slots are between that of slot 0 and shared memory.
  logic [63:OffW] offset;
  always_comb begin
    offset = (64-OffW)'(slot_i) << ContextLinesW;
    if (line_q[LineNoW-1:RowLinesW] >= SharedRow) offset = (64-OffW)'(Others) << ContextLinesW;
    offset = offset + (64-OffW)'(line_q);
  end

  assign mem_valid_o = (saving && out_valid) || (snap_req_o && snap_valid_i) ||
                       (restoring && line_q != lines && !busy_q[line_q[WindowW-1:0]]);
  assign mem_write_o = !restoring;
  assign mem_line_o  = save_addr_i[63:OffW] + offset;
  assign mem_data_o  = saving ? out_line : counter_data;
  assign mem_tag_o   = 4'(line_q[WindowW-1:0]);
  assign error_o     = error_q;

  logic unused;
  assign unused = ^{save_addr_i[OffW-1:0], shared_bytes_i[31:25], shared_bytes_i[6:0],
                    shared_row[18:17], queue_count, mem_rsp_tag_i, image};

  `FAA_ASSERT(busy_is_a_state, busy_o == (state_q != StIdle))
  // The queue holds a whole window.
  `FAA_ASSERT(restored_line_is_taken, !(restoring && mem_rsp_valid_i) || come_ready)
  `FAA_ASSERT(row_of_its_beats, !shared_result_valid_i || !saving || shared_part_i.last ==
                                (shared_part_i.number == 3'(Beats - 1)))
  `FAA_ASSERT(one_source, !saving || !shared_result_valid_i || (!have_q && row_q > PredRow))
  `FAA_COVER(restored_line_waits, queue_valid && !queue_take)

endmodule
