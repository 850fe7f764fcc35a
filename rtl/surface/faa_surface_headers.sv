// SPDX-License-Identifier: Apache-2.0
//
// The texture headers and the constant word that surface operations use: a table of 8 prepared
// headers, tagged by their index, and the last constant word. Missing ones are read and prepared on
// request. The table includes headers that the operation cannot use, but none that could not be
// read.
//
// Latency: none for a header or word that is present, a cycle with Late; else 3 cycles, those of
// faa_surface_read, and for a header those of faa_surface_prepare. A header is two lines of 16
// bytes, which are read one after the other. A new entry replaces the oldest one. Hazard: entries
// may become stale: drop_i, while quiet_o.

`include "faa_assert.svh"

module faa_surface_headers #(
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  // Header and word are known a cycle after their index, and are requested then: fewer levels. The
  // index stays until the header is known
  parameter bit Late = 1'b0,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         drop_i,
  output logic         quiet_o,         // no read is in progress
  input  faa_surface_pkg::config_t config_i,

  // A header by its index, below the pool's count
  input  logic [19:0]  index_i,
  output logic         known_o,
  output faa_surface_pkg::entry_t entry_o,
  // A constant word, below the bank's size
  input  logic [12:0]  word_index_i,
  output logic         word_known_o,
  output logic [19:0]  word_o,          // the header index in it

  input  logic         ask_i,           // request for the header, if it is not known
  input  logic         ask_word_i,      // request for the word
  // No warp waits for the read in progress: an error of it is dropped
  input  logic         flush_i,
  output logic         failed_o,        // the requested data cannot be read
  input  logic         failed_take_i,
  output logic [7:0]   error_o,
  output logic [63:0]  address_o,
  output logic         ev_header_o,

  output logic         tr_valid_o,
  input  logic         tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic         tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic         mem_valid_o,
  input  logic         mem_ready_i,
  output logic [51:OffW]  mem_line_o,
  input  logic         mem_rsp_valid_i,
  input  logic [LineW-1:0] mem_rsp_data_i,
  input  logic         mem_rsp_err_i
);

  localparam int unsigned Entries = 8;

  typedef enum logic [2:0] {
    StIdle,
    StRead,
    StMore,      // the second line of a header begins
    StPrepare,
    StFailed
  } state_e;

  state_e                     state_q;
  logic                       start, is_word_q, dropped_q, read_idle, read_done, prepared, put;
  logic [19:0]                index_q;
  logic [48:0]                header_va;
  logic [63:0]                va;
  logic [LineW-1:0]               line;
  logic [31:0]                word;
  // Position in 64 bytes of the constant word, or of the header's first word
  logic [3:0]                 va_word_q;
  logic                       header_begins;
  logic [255:0]               header;
  faa_surface_pkg::entry_t    entry;

  // Table
  logic [Entries-1:0]         valid_q, match;
  logic [Entries-1:0]         found;           // match; with Late as of the cycle before
  logic [Entries-1:0][19:0]   tag_q;
  faa_surface_pkg::entry_t    table_q [Entries];
  logic [$clog2(Entries)-1:0] next_q, at;
  logic                       rested;          // with Late: known_o is that of the present table

  logic                       word_valid_q;
  logic [12:0]                word_index_q;
  logic [19:0]                word_q;
  logic                       word_match;

  for (genvar n = 0; n < Entries; n++) begin : g_match
    assign match[n] = valid_q[n] && tag_q[n] == index_i;
  end

  assign word_match = word_valid_q && word_index_q == word_index_i;

  if (Late) begin : gen_late
    logic               rested_q, word_known_q;
    logic [Entries-1:0] match_q;

    // A new entry may replace the one that is found: it is looked up again.
    always_ff @(posedge clk_i) begin
      match_q      <= put ? '0 : match;
      rested_q     <= state_q == StIdle;
      word_known_q <= word_match;
    end
    assign found        = match_q;
    assign rested       = rested_q;
    assign word_known_o = word_known_q;
  end else begin : gen_now
    assign found        = match;
    assign rested       = 1'b1;
    assign word_known_o = word_match;
  end

  always_comb begin
    at = '0;
    for (int unsigned n = 0; n < Entries; n++) if (found[n]) at = at | 3'(n);
  end

  assign known_o = found != '0;
  assign entry_o = table_q[at];   // only if it is known
  assign word_o  = word_q;

  assign start     = state_q == StIdle && rested && ((ask_i && !known_o) || (ask_word_i && !word_known_o));
  // With Late index_q is the index of the cycle before, which known_o belongs to.
  assign header_va = {1'b0, config_i.pool, 5'b0} +
                     {24'b0, Late || state_q == StMore ? index_q : index_i, 5'b0};
  always_comb begin
    va = {15'b0, header_va};
    if (state_q == StMore) va[4] = 1'b1;
    else if (ask_word_i) va = {15'b0, {1'b0, config_i.bank, 2'b0} + {34'b0, word_index_i, 2'b0}};
  end
  assign word      = line[{va_word_q[OffW-3:0], 5'b0} +: 32];
  assign put       = state_q == StPrepare && prepared;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle: if (start) state_q <= StRead;
        StRead:
          if (read_done) begin
            if (error_o != faa_pkg::ERROR_SUCCESS) state_q <= dropped_q || flush_i ? StIdle : StFailed;
            else state_q <= is_word_q ? StIdle : header_begins ? StPrepare : StMore;
          end
        StMore: state_q <= StRead;
        StPrepare: if (prepared) state_q <= StIdle;
        default: if (failed_take_i || flush_i) state_q <= StIdle;
      endcase
    end

    if (state_q == StIdle) begin
      is_word_q <= ask_word_i;
      va_word_q <= va[5:2];
      index_q   <= start && ask_word_i ? {7'b0, word_index_i} : index_i;
      dropped_q <= 1'b0;
    end else if (flush_i) begin
      dropped_q <= 1'b1;
    end

    if (!rst_ni || drop_i) begin
      valid_q      <= '0;
      word_valid_q <= 1'b0;
      next_q       <= '0;
    end else if (put) begin
      valid_q[next_q] <= 1'b1;
      next_q          <= next_q + 3'd1;
    end else if (read_done && is_word_q) begin
      word_valid_q <= error_o == faa_pkg::ERROR_SUCCESS;
    end
    if (put) begin
      tag_q[next_q]   <= index_q;
      table_q[next_q] <= entry;
    end
    if (read_done && is_word_q) begin
      word_index_q <= index_q[12:0];
      word_q       <= word[19:0];
    end
  end

  // The header in its line, or of two lines
  if (LineBytes == 64) begin : gen_half
    assign header        = va_word_q[3] ? line[511:256] : line[255:0];
    assign header_begins = 1'b1;
  end else if (LineBytes == 32) begin : gen_line
    assign header        = line;
    assign header_begins = 1'b1;
  end else begin : gen_lines
    logic         second_q;
    logic [127:0] low_q;

    always_ff @(posedge clk_i) begin
      if (state_q == StIdle) second_q <= 1'b0;
      else if (state_q == StMore) second_q <= 1'b1;
      if (read_done && !second_q) low_q <= line;
    end
    assign header        = {line, low_q};
    assign header_begins = second_q;
  end

  faa_surface_read #(
    .LineBytes(LineBytes)
  ) u_read (
    .clk_i,
    .rst_ni,
    .drop_i,
    .start_i  (start || state_q == StMore),
    .va_i     (va),
    .idle_o   (read_idle),
    .done_o   (read_done),
    .line_o   (line),
    .error_o,
    .address_o,
    .tr_valid_o,
    .tr_ready_i,
    .tr_req_o,
    .tr_rsp_valid_i,
    .tr_rsp_i,
    .mem_valid_o,
    .mem_ready_i,
    .mem_line_o,
    .mem_rsp_valid_i,
    .mem_rsp_data_i,
    .mem_rsp_err_i
  );

  // A header of lines of 16 bytes is held until the next one is read.
  logic prepare;
  assign prepare = read_done && !is_word_q && header_begins && error_o == faa_pkg::ERROR_SUCCESS;

  if (LineBytes == 16) begin : gen_serial
    faa_surface_prepare_serial u_prepare (
      .clk_i,
      .rst_ni,
      .start_i (prepare),
      .header_i(header),
      .done_o  (prepared),
      .entry_o (entry)
    );
  end else begin : gen_parallel
    faa_surface_prepare u_prepare (
      .clk_i,
      .rst_ni,
      .start_i (prepare),
      .header_i(header),
      .done_o  (prepared),
      .entry_o (entry)
    );
  end

  assign quiet_o     = state_q == StIdle;
  assign failed_o    = state_q == StFailed;
  assign ev_header_o = put;

  logic unused;
  assign unused = ^{word, config_i, va_word_q};

  `FAA_ASSERT(dropped_at_rest, !drop_i || state_q == StIdle)
  `FAA_ASSERT(reader_is_free, (state_q != StIdle && state_q != StMore) || read_idle)
  `FAA_ASSERT(one_place, (match & (match - 8'd1)) == '0 && (found & (found - 8'd1)) == '0)
  `FAA_ASSERT(failed_with_an_error, !failed_o || error_o != faa_pkg::ERROR_SUCCESS)
  `FAA_COVER(failed_waits, failed_o && !failed_take_i)
  `FAA_COVER(gives_way, put && valid_q[next_q])
  `FAA_COVER(dropped_error, state_q == StRead && read_done && error_o != '0 && dropped_q)
  `FAA_COVER(dropped_failed, failed_o && flush_i)

endmodule
