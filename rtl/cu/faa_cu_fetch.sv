// SPDX-License-Identifier: Apache-2.0
//
// Words of the stream: two buffers of a line, filled through translation, the next line ahead of
// its use.
//
// Latency: a word of a buffered line in the cycle of the request, throughput one word per cycle;
// with lines of 16 bytes a cycle later, and a word per two cycles. A missing line costs a
// translation and a memory access (counter STALL_FETCH, kept by the decoder).
//
// A line that is fetched ahead and faults is dropped; it is fetched again when one of its words is
// requested, and only then is the fault reported. Nothing outside [stream_va, stream_va +
// stream_bytes) is fetched ahead beyond the line that holds its end.
//
// Stalls: FET-S1 (line missing), FET-S2 (invalidation, or the job is over: no new line until stop_i
// falls).
// Hazard: a fetch in flight when the job ends: idle_o is 0 until its response has come.

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
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic          tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

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
    StReading,
    StFailed       // one cycle
  } state_e;

  // Lines are known by their numbers, counted from the one of the stream's first byte.
  localparam int unsigned NumberW = 33 - OffW;

  state_e            state_q;
  logic              valid0_q, valid1_q;      // a buffer holds a line ...
  logic [NumberW-1:0] number0_q, number1_q;   // ... of this number
  logic [LineW-1:0]  data0_q, data1_q;
  logic              fault_q;                 // the wanted line has failed
  logic [NumberW-1:0] fault_number_q, ahead_failed_q;
  logic              ahead_failed_valid_q;
  logic [7:0]        fault_code_q;
  logic [63:0]       fault_address_q, pa_q;   // of a bus error, else of the line
  logic [NumberW-1:0] number_q;               // of the line in flight
  logic [63:OffW]    line_va;                 // its address
  logic              slot_q;                  // the buffer it goes to
  logic [NumberW-1:0] number, next_number, last_number;
  logic [NumberW-1:0] line;                   // number = line + carry_in
  logic              carry_in;
  logic [OffW-1:0]   place, last_place;
  logic              want, hit0, hit1, miss, ahead, next_present, fault_hit;
  logic              fill, bad, failed, wanted_q, wanted_fails;
  logic [7:0]        failed_code_q;
  logic [63:0]       word0, word1;

  // With the shortest lines, where few levels count more than cycles, the sum is computed a cycle
  // before.
  if (LineBytes == 16) begin : gen_late
    logic        seen_q;
    logic [31:0] offset_q;

    always_ff @(posedge clk_i) begin
      seen_q          <= want_valid_i;
      offset_q        <= want_offset_i;
      {number, place} <= {1'b0, want_offset_i} + 33'(stream_va_i[OffW-1:0]);
    end
    assign want     = want_valid_i && seen_q && offset_q == want_offset_i;
    assign line     = number;
    assign carry_in = 1'b0;
  end else begin : gen_now
    // A sum of so few bits has fewer levels in look-up tables than in a chain of carries.
    always_comb begin
      carry_in = 1'b0;
      place    = '0;
      for (int unsigned n = 3; n < OffW; n++) begin
        place[n] = want_offset_i[n] ^ stream_va_i[n] ^ carry_in;
        carry_in = (want_offset_i[n] && stream_va_i[n]) ||
                   ((want_offset_i[n] || stream_va_i[n]) && carry_in);
      end
    end
    assign want            = want_valid_i;
    assign line            = {1'b0, want_offset_i[31:OffW]};
    assign number          = line + NumberW'(carry_in);

    logic unused_offset;
    assign unused_offset = ^want_offset_i[2:0];
  end

  assign next_number     = number + NumberW'(1);

  // Is line + carry the expected number? It is if their XOR are the carries of the sum; up to the
  // first bit that differs, a bit carries where line has a 1 and the number a 0: without a sum. Two
  // bits of each take a look-up table, and the result is the carry of these.
  function automatic logic is_line(input logic [NumberW-1:0] expected,
                                   input logic [NumberW-1:0] first, input logic carry);
    localparam int unsigned Pairs = (NumberW + 1) / 2;
    logic [NumberW-1:0] bits;
    logic [2*Pairs-1:0] differs;
    logic [Pairs-1:0]   same;
    logic [Pairs:0]     sum;
    bits    = expected ^ first ^ NumberW'({first & ~expected, carry});
    differs = (2*Pairs)'(bits);
    for (int unsigned n = 0; n < Pairs; n++) same[n] = differs[2*n +: 2] == '0;
    sum     = {1'b0, same} + (Pairs+1)'(1);
    is_line = sum[Pairs];
  endfunction

  // Whether the line of the word is in a buffer, has failed, is in flight, is the last one
  // of the stream, or has failed when it was fetched ahead
  logic same0, same1, same_fault, same_fetched, same_last, ahead_refused;
  assign same0 = is_line(number0_q, line, carry_in);
  assign same1 = is_line(number1_q, line, carry_in);
  assign same_fault    = is_line(fault_number_q, line, carry_in);
  assign same_fetched  = is_line(number_q, line, carry_in);
  assign same_last     = is_line(last_number, line, carry_in);
  assign ahead_refused = is_line(ahead_failed_q, line, carry_in);

  assign hit0      = valid0_q && same0;
  assign hit1      = valid1_q && same1;
  assign fault_hit = fault_q && same_fault;
  assign miss      = want && !hit0 && !hit1 && !fault_hit;

  assign line_va = stream_va_i[63:OffW] + (64-OffW)'(number_q);

  // The line of the stream's last word; constant during the job.
  always_ff @(posedge clk_i) begin
    {last_number, last_place} <= {1'b0, stream_bytes_i} + 33'(stream_va_i[OffW-1:0]) - 33'd8;
  end

  if (LineBytes == 16) begin : gen_follows
    // A line fetched ahead follows the line in the other buffer, as long as both are valid.
    logic [1:0]         follows_q;
    logic               ahead_q;
    logic [NumberW-1:0] failed_after_q;

    always_ff @(posedge clk_i) begin
      if (state_q == StIdle) ahead_q <= !miss;
      if (clear_i) follows_q <= '0;
      else if (fill) follows_q <= {ahead_q && slot_q, ahead_q && !slot_q};
      if (failed && !wanted_fails) failed_after_q <= slot_q ? number0_q : number1_q;
    end
    assign next_present = (hit0 && follows_q[1]) || (hit1 && follows_q[0]) ||
                          (ahead_failed_valid_q && failed_after_q == number);
  end else begin : gen_compares
    logic next0, next1, next_failed;
    faa_equal #(.Width(NumberW)) u_next0 (
      .a_i(number0_q), .b_i(next_number), .equal_o(next0)
    );
    faa_equal #(.Width(NumberW)) u_next1 (
      .a_i(number1_q), .b_i(next_number), .equal_o(next1)
    );
    faa_equal #(.Width(NumberW)) u_failed (
      .a_i(ahead_failed_q), .b_i(next_number), .equal_o(next_failed)
    );
    assign next_present = (valid0_q && next0) || (valid1_q && next1) ||
                          (ahead_failed_valid_q && next_failed);
  end
  assign ahead        = want && (hit0 || hit1) && !next_present && !same_last;

  assign word0          = data0_q[{place[OffW-1:3], 6'b0} +: 64];
  assign word1          = data1_q[{place[OffW-1:3], 6'b0} +: 64];
  assign word_valid_o   = want && (hit0 || hit1 || fault_hit);
  assign word_o         = hit0 ? word0 : word1;
  assign word_error_o   = fault_hit ? fault_code_q : faa_pkg::ERROR_SUCCESS;
  assign word_address_o = {fault_address_q[63:OffW], fault_code_q == faa_pkg::ERROR_BUS_ERROR ?
                                                     fault_address_q[OffW-1:0] : place};

  assign tr_valid_o  = state_q == StTranslate;
  assign tr_req_o     = '{va: {line_va, {OffW{1'b0}}}, write: 1'b0, atomic: 1'b0};
  assign mem_valid_o = state_q == StRead;
  assign mem_addr_o  = pa_q[63:OffW];
  assign idle_o      = state_q == StIdle;

  always_comb begin
    fill = 1'b0;
    bad  = 1'b0;
    if (state_q == StTranslating && tr_rsp_valid_i) begin
      bad  = tr_rsp_i.error != faa_pkg::ERROR_SUCCESS;
      fill = !bad && tr_rsp_i.sparse;
    end else if (state_q == StReading && mem_rsp_valid_i) begin
      bad  = mem_rsp_err_i;
      fill = !mem_rsp_err_i;
    end
  end

  // A failure takes effect a cycle later, when it is known whether the line is wanted. A wanted
  // word stays wanted, so a line that becomes wanted only then is fetched again.
  assign failed       = state_q == StFailed;
  assign wanted_fails = failed && wanted_q;

  always_ff @(posedge clk_i) begin
    wanted_q <= miss && same_fetched;
    if (bad) failed_code_q <= state_q == StTranslating ? tr_rsp_i.error : faa_pkg::ERROR_BUS_ERROR;
  end

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
          if (tr_rsp_valid_i) state_q <= bad ? StFailed : fill ? StIdle : StRead;
        StRead: if (mem_ready_i) state_q <= StReading;
        StReading: if (mem_rsp_valid_i) state_q <= bad ? StFailed : StIdle;
        // StFailed
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
        // A line that failed when fetched ahead gets its second try.
        else if (state_q == StIdle && miss && ahead_refused) ahead_failed_valid_q <= 1'b0;
      end
    end

    if (state_q == StIdle) begin
      // The buffer with the wanted word is kept.
      number_q <= miss ? number : next_number;
      slot_q   <= miss ? !slot_q : hit0;
    end
    if (state_q == StTranslating) pa_q <= tr_rsp_i.pa;
    else if (state_q == StReading && bad) pa_q[5:0] <= '0;   // bus errors report 64 bytes
    if (fill && !slot_q) begin
      number0_q <= number_q;
      data0_q   <= state_q == StReading ? mem_rsp_rdata_i : '0;
    end
    if (fill && slot_q) begin
      number1_q <= number_q;
      data1_q   <= state_q == StReading ? mem_rsp_rdata_i : '0;
    end
    if (wanted_fails) begin
      fault_number_q  <= number_q;
      fault_code_q    <= failed_code_q;
      fault_address_q <= failed_code_q != faa_pkg::ERROR_BUS_ERROR ? tr_req_o.va : pa_q;
    end
    if (failed && !wanted_fails) ahead_failed_q <= number_q;
  end

  logic unused;
  assign unused = ^{place[2:0], last_place, pa_q[OffW-1:0], tr_rsp_i.big};

  `FAA_ASSERT_STABLE(translation_stable, tr_valid_o, tr_ready_i, tr_req_o)
  `FAA_ASSERT_STABLE(read_stable, mem_valid_o, mem_ready_i, mem_addr_o)
  `FAA_ASSERT(clear_when_idle, !(clear_i && !idle_o))
  `FAA_COVER(stall_f1, miss && !stop_i)
  `FAA_COVER(stall_f2, miss && stop_i)
  `FAA_COVER(ahead_fault_is_ignored, failed && !wanted_fails)

endmodule
