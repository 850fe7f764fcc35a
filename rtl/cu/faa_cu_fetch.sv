// SPDX-License-Identifier: Apache-2.0
//
// Words of the stream: two buffers of a line, filled through translation, the next line ahead of its use.
//
// Latency: a word of a buffered line in the cycle in which it is asked for, throughput one word per cycle. A missing line costs a
// translation and a memory access (counter STALL_FETCH, kept by the decoder).
//
// A line that is fetched ahead and faults is forgotten; it is tried again when a word of it is asked for, and only then is the
// fault reported. Nothing outside [stream_va, stream_va + stream_bytes) is fetched ahead beyond the line that holds its end.
//
// Stalls: F1 line missing; F2 invalidation, or the job is over: no new line until stop_i falls.
// Hazard: a fetch under way when the job ends: idle_o is 0 until its response has come.

`include "faa_assert.svh"

module faa_cu_fetch #(
  parameter int unsigned LineBytes = 64,   // of a line of memory: 16, 32 or 64
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          clear_i,         // a job starts: forget everything (only while idle_o)
  input  logic [63:0]   stream_va_i,
  input  logic [31:0]   stream_bytes_i,
  input  logic          stop_i,          // start no new access
  output logic          idle_o,

  // A word; want_* stays until word_valid_o
  input  logic          want_valid_i,
  input  logic [31:0]   want_offset_i,   // multiple of 8, below stream_bytes_i
  output logic          word_valid_o,
  output logic [63:0]   word_o,
  output logic [7:0]    word_error_o,    // enum error
  output logic [63:0]   word_address_o,  // of the error

  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output logic [63:0]   tr_va_o,
  input  logic          tr_rsp_valid_i,
  input  logic [7:0]    tr_rsp_error_i,
  input  logic [63:0]   tr_rsp_pa_i,
  input  logic          tr_rsp_sparse_i,

  output logic          mem_valid_o,
  input  logic          mem_ready_i,
  output logic [63:OffW]   mem_addr_o,
  input  logic          mem_rsp_valid_i,
  input  logic [LineW-1:0]  mem_rsp_rdata_i,
  input  logic          mem_rsp_err_i
);

  typedef enum logic [2:0] {
    StIdle,
    StTranslate,
    StTranslating,
    StRead,
    StReading
  } state_e;

  state_e       state_q;
  logic         valid0_q, valid1_q;      // a buffer holds a line ...
  logic [63:OffW]  line0_q, line1_q;        // ... of this virtual address
  logic [LineW-1:0] data0_q, data1_q;
  logic         fault_q;                 // the line that is wanted failed
  logic [63:OffW]  fault_line_q, ahead_failed_q;
  logic         ahead_failed_valid_q;
  logic [7:0]   fault_code_q;
  logic [63:0]  fault_address_q, pa_q;
  logic [63:OffW]  line_q;                  // the line under way
  logic         slot_q;                  // the buffer it goes to
  logic [63:0]  va, last_va;
  logic [63:OffW]  next_line;
  logic         hit0, hit1, miss, ahead, next_present, fault_hit;
  logic         fill, failed, wanted_fails;
  logic [7:0]   failed_code;
  logic [LineW-1:0] data;

  assign va        = stream_va_i + {32'b0, want_offset_i};
  assign last_va   = stream_va_i + {32'b0, stream_bytes_i} - 64'd8;
  assign next_line = va[63:OffW] + (64-OffW)'(1);
  assign hit0      = valid0_q && line0_q == va[63:OffW];
  assign hit1      = valid1_q && line1_q == va[63:OffW];
  assign fault_hit = fault_q && fault_line_q == va[63:OffW];
  assign miss      = want_valid_i && !hit0 && !hit1 && !fault_hit;

  assign next_present = (valid0_q && line0_q == next_line) || (valid1_q && line1_q == next_line) ||
                        (ahead_failed_valid_q && ahead_failed_q == next_line);
  assign ahead        = want_valid_i && (hit0 || hit1) && !next_present && va[63:OffW] != last_va[63:OffW];

  assign data           = hit0 ? data0_q : data1_q;
  assign word_valid_o   = want_valid_i && (hit0 || hit1 || fault_hit);
  assign word_o         = data[{va[OffW-1:3], 6'b0} +: 64];
  assign word_error_o   = fault_hit ? fault_code_q : faa_pkg::ERROR_SUCCESS;
  assign word_address_o = fault_code_q == faa_pkg::ERROR_BUS_ERROR ? fault_address_q : va;

  assign tr_valid_o  = state_q == StTranslate;
  assign tr_va_o     = {line_q, {OffW{1'b0}}};
  assign mem_valid_o = state_q == StRead;
  assign mem_addr_o  = pa_q[63:OffW];
  assign idle_o      = state_q == StIdle;

  always_comb begin
    fill        = 1'b0;
    failed      = 1'b0;
    failed_code = faa_pkg::ERROR_BUS_ERROR;
    if (state_q == StTranslating && tr_rsp_valid_i) begin
      failed      = tr_rsp_error_i != faa_pkg::ERROR_SUCCESS;
      failed_code = tr_rsp_error_i;
      fill        = !failed && tr_rsp_sparse_i;
    end else if (state_q == StReading && mem_rsp_valid_i) begin
      failed = mem_rsp_err_i;
      fill   = !mem_rsp_err_i;
    end
  end

  assign wanted_fails = failed && miss && line_q == va[63:OffW];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q              <= StIdle;
      valid0_q             <= 1'b0;
      valid1_q             <= 1'b0;
      fault_q              <= 1'b0;
      ahead_failed_valid_q <= 1'b0;
    end else begin
      case (state_q)
        StIdle:
          if (!stop_i && !clear_i && (miss || ahead)) state_q <= StTranslate;
        StTranslate: if (tr_ready_i) state_q <= StTranslating;
        StTranslating:
          if (tr_rsp_valid_i) state_q <= fill || failed ? StIdle : StRead;
        StRead: if (mem_ready_i) state_q <= StReading;
        StReading: if (mem_rsp_valid_i) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
      if (clear_i) begin
        valid0_q             <= 1'b0;
        valid1_q             <= 1'b0;
        fault_q              <= 1'b0;
        ahead_failed_valid_q <= 1'b0;
      end else begin
        if (fill && !slot_q) valid0_q <= 1'b1;
        if (fill && slot_q) valid1_q <= 1'b1;
        if (wanted_fails) fault_q <= 1'b1;
        if (failed && !wanted_fails) ahead_failed_valid_q <= 1'b1;
        // A line that failed ahead of its use gets its second try.
        else if (state_q == StIdle && miss && ahead_failed_q == va[63:OffW]) ahead_failed_valid_q <= 1'b0;
      end
    end

    if (state_q == StIdle) begin
      // The buffer that the wanted word is in stays.
      line_q <= miss ? va[63:OffW] : next_line;
      slot_q <= miss ? !slot_q : hit0;
    end
    if (state_q == StTranslating) pa_q <= tr_rsp_pa_i;
    if (fill && !slot_q) begin
      line0_q <= line_q;
      data0_q <= state_q == StReading ? mem_rsp_rdata_i : '0;
    end
    if (fill && slot_q) begin
      line1_q <= line_q;
      data1_q <= state_q == StReading ? mem_rsp_rdata_i : '0;
    end
    if (wanted_fails) begin
      fault_line_q    <= line_q;
      fault_code_q    <= failed_code;
      fault_address_q <= state_q == StTranslating ? tr_rsp_pa_i : {pa_q[63:6], 6'b0};
    end
    if (failed && !wanted_fails) ahead_failed_q <= line_q;
  end

  logic unused;
  assign unused = ^{va[2:0], last_va[OffW-1:0], pa_q[OffW-1:0]};

  `FAA_ASSERT_STABLE(translation_stable, tr_valid_o, tr_ready_i, tr_va_o)
  `FAA_ASSERT_STABLE(read_stable, mem_valid_o, mem_ready_i, mem_addr_o)
  `FAA_ASSERT(clear_when_idle, !(clear_i && !idle_o))
  `FAA_COVER(stall_f1, miss && !stop_i)
  `FAA_COVER(stall_f2, miss && stop_i)
  `FAA_COVER(ahead_fault_is_ignored, failed && !wanted_fails)

endmodule
