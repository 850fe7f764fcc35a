// SPDX-License-Identifier: Apache-2.0
//
// Words of the stream, for builds where few look-up tables count more than cycles: a buffer of one
// line, filled through translation when a word of another line is wanted.
//
// Latency: a word of the buffered line two cycles after its request; throughput one word per three
// cycles. Another line costs a translation and a memory access (counter STALL_FETCH, which the
// decoder keeps).
//
// Stalls: FET-S1 (line missing), FET-S2 (invalidation, or the job is over: no new line until stop_i
// falls).
// Hazard: a fetch in flight when the job ends: idle_o is 0 until its response has come.

`include "faa_assert.svh"

module faa_cu_fetch_serial #(
  parameter int unsigned LineBytes = 16,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          clear_i,         // a job starts: forget everything (only while idle_o)
  input  logic [63:0]   stream_va_i,
  input  logic          stop_i,          // start no new access
  output logic          idle_o,

  // A word; want_* stays until word_valid_o
  input  logic          want_valid_i,
  input  logic [31:0]   want_offset_i,   // multiple of 8, in the stream
  output logic          word_valid_o,
  output logic [63:0]   word_o,
  output logic [7:0]    word_error_o,    // enum error
  output logic [63:0]   word_address_o,  // of the error

  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic          tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic          mem_valid_o,
  input  logic          mem_ready_i,
  output logic [63:OffW] mem_addr_o,
  input  logic          mem_rsp_valid_i,
  input  logic [LineW-1:0] mem_rsp_rdata_i,
  input  logic          mem_rsp_err_i
);

  typedef enum logic [2:0] {
    StIdle,
    StTranslate,
    StTranslating,
    StRead,
    StReading
  } state_e;

  // Number of bits that distinguish lines of a stream, which has less than 2^32 bytes.
  localparam int unsigned Top = 32;

  state_e           state_q;
  logic             want_q;              // va_q is the address of the wanted word
  logic [63:0]      va_q, pa_q;
  logic             valid_q;             // the buffer holds a line
  logic [Top:OffW]  line_q;
  logic [LineW-1:0] data_q;
  logic             failed_q, read_failed_q;
  logic [7:0]       code_q;
  logic             hit, fill, fails;
  logic             there_q;             // the word, or its error, as of the cycle before

  assign hit   = valid_q && line_q == va_q[Top:OffW];
  assign fill  = (state_q == StTranslating && tr_rsp_valid_i && tr_rsp_i.sparse && !fails) ||
                 (state_q == StReading && mem_rsp_valid_i && !mem_rsp_err_i);
  assign fails = (state_q == StTranslating && tr_rsp_valid_i &&
                  tr_rsp_i.error != faa_pkg::ERROR_SUCCESS) ||
                 (state_q == StReading && mem_rsp_valid_i && mem_rsp_err_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      valid_q  <= 1'b0;
      failed_q <= 1'b0;
      want_q   <= 1'b0;
      there_q  <= 1'b0;
    end else begin
      case (state_q)
        StIdle: if (want_q && want_valid_i && !hit && !failed_q && !stop_i) state_q <= StTranslate;
        StTranslate: if (tr_ready_i) state_q <= StTranslating;
        StTranslating: if (tr_rsp_valid_i) state_q <= fill || fails ? StIdle : StRead;
        StRead: if (mem_ready_i) state_q <= StReading;
        default: if (mem_rsp_valid_i) state_q <= StIdle;
      endcase
      want_q  <= want_valid_i && !word_valid_o && !clear_i;
      there_q <= want_q && want_valid_i && state_q == StIdle && (hit || failed_q) && !word_valid_o;
      if (clear_i) valid_q <= 1'b0;
      else if (fill) valid_q <= 1'b1;
      // The error of a word is dropped when the word is no longer wanted.
      if (!want_q) failed_q <= 1'b0;
      else if (fails) failed_q <= 1'b1;
    end

    if (state_q == StIdle) va_q <= stream_va_i + {32'b0, want_offset_i};
    if (state_q == StTranslating && tr_rsp_valid_i) begin
      pa_q   <= tr_rsp_i.pa;
      data_q <= '0;
    end
    if (state_q == StReading) data_q <= mem_rsp_rdata_i;
    if (fill) line_q <= va_q[Top:OffW];
    if (fails) begin
      code_q        <= state_q == StReading ? faa_pkg::ERROR_BUS_ERROR : tr_rsp_i.error;
      read_failed_q <= state_q == StReading;
    end
    if (state_q == StTranslate) valid_q <= 1'b0;
  end

  assign word_valid_o   = there_q && want_valid_i;
  assign word_o         = data_q[{va_q[OffW-1:3], 6'b0} +: 64];
  assign word_error_o   = failed_q ? code_q : faa_pkg::ERROR_SUCCESS;
  assign word_address_o = code_q != faa_pkg::ERROR_BUS_ERROR ? va_q :
                          {pa_q[63:6], read_failed_q ? 6'b0 : pa_q[5:0]};
  assign tr_valid_o     = state_q == StTranslate;
  assign tr_req_o        = '{va: {va_q[63:OffW], {OffW{1'b0}}}, write: 1'b0, atomic: 1'b0};
  assign mem_valid_o    = state_q == StRead;
  assign mem_addr_o     = pa_q[63:OffW];
  assign idle_o         = state_q == StIdle;

  logic unused;
  assign unused = tr_rsp_i.big;

  `FAA_ASSERT_STABLE(translation_stable, tr_valid_o, tr_ready_i, tr_req_o)
  `FAA_ASSERT_STABLE(read_stable, mem_valid_o, mem_ready_i, mem_addr_o)
  `FAA_ASSERT(word_is_kept, !word_valid_o || (want_q && state_q == StIdle && (hit || failed_q)))
  `FAA_ASSERT(clear_when_idle, !(clear_i && !idle_o))
  `FAA_ASSERT(address_of_the_word, !word_valid_o || va_q == stream_va_i + {32'b0, want_offset_i})
  `FAA_COVER(stall_f1, want_q && state_q == StIdle && !hit && !stop_i)
  `FAA_COVER(stall_f2, want_q && state_q == StIdle && !hit && stop_i)

endmodule
