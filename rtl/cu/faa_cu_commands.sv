// SPDX-License-Identifier: Apache-2.0
//
// Fetches and decodes the commands of a slot's stream.
//
// Latencies, stalls and hazards are those of faa_cu_fetch, or faa_cu_fetch_serial, and
// faa_cu_decode.

module faa_cu_commands #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  // Only one line at a time is fetched, and words are decoded a cycle later: fewer cells
  parameter bit Serial = 1'b0,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // The stream, from begin_i (one cycle) on
  input  logic              begin_i,
  input  faa_bundle_pkg::stream_t stream_i,
  input  logic [31:0]       first_element_i,
  input  logic              hold_i,           // fetch no further line
  output logic              idle_o,           // nothing is translated or read

  // Restart at an offset of the stream, and stop
  input  logic              restart_i,
  input  logic [31:0]       restart_offset_i,
  input  logic              stop_i,

  // Commands, in their order
  output logic              cmd_valid_o,
  input  logic              cmd_ready_i,
  output faa_cu_pkg::cmd_t  cmd_o,
  output logic [31:0]       pc_o,             // of the next one
  output logic              stall_o,

  output logic              tr_valid_o,
  input  logic              tr_ready_i,
  output faa_bundle_pkg::tr_req_t tr_req_o,
  input  logic              tr_rsp_valid_i,
  input  faa_bundle_pkg::tr_rsp_t tr_rsp_i,

  output logic              mem_valid_o,
  input  logic              mem_ready_i,
  output logic [63:OffW]    mem_addr_o,
  input  logic              mem_rsp_valid_i,
  input  logic [LineW-1:0]  mem_rsp_data_i,
  input  logic              mem_rsp_err_i
);

  // A word that the decoder wants, by its offset in the stream
  logic        want_valid, word_valid;
  logic [31:0] want_offset;
  logic [63:0] fetched_word, word_address;
  logic [7:0]  word_error;

  if (Serial) begin : gen_line
    faa_cu_fetch_serial #(
      .LineBytes(LineBytes)
    ) u_fetch (
      .clk_i,
      .rst_ni,
      .clear_i        (begin_i),
      .stream_va_i    (stream_i.va),
      .stop_i         (hold_i || stop_i),
      .idle_o         (idle_o),
      .want_valid_i   (want_valid),
      .want_offset_i  (want_offset),
      .word_valid_o   (word_valid),
      .word_o         (fetched_word),
      .word_error_o   (word_error),
      .word_address_o (word_address),
      .tr_valid_o,
      .tr_ready_i,
      .tr_req_o,
      .tr_rsp_valid_i,
      .tr_rsp_i,
      .mem_valid_o,
      .mem_ready_i,
      .mem_addr_o,
      .mem_rsp_valid_i,
      .mem_rsp_rdata_i(mem_rsp_data_i),
      .mem_rsp_err_i
    );
  end else begin : gen_lines
    faa_cu_fetch #(
      .LineBytes(LineBytes)
    ) u_fetch (
      .clk_i,
      .rst_ni,
      .clear_i        (begin_i),
      .stream_va_i    (stream_i.va),
      .stream_bytes_i (stream_i.bytes),
      .stop_i         (hold_i || stop_i),
      .idle_o         (idle_o),
      .want_valid_i   (want_valid),
      .want_offset_i  (want_offset),
      .word_valid_o   (word_valid),
      .word_o         (fetched_word),
      .word_error_o   (word_error),
      .word_address_o (word_address),
      .tr_valid_o,
      .tr_ready_i,
      .tr_req_o,
      .tr_rsp_valid_i,
      .tr_rsp_i,
      .mem_valid_o,
      .mem_ready_i,
      .mem_addr_o,
      .mem_rsp_valid_i,
      .mem_rsp_rdata_i(mem_rsp_data_i),
      .mem_rsp_err_i
    );
  end

  faa_cu_decode #(
    .Build(Build),
    .Late (Serial)
  ) u_decode (
    .clk_i,
    .rst_ni,
    .restart_i,
    .restart_offset_i,
    .stop_i,
    .stream_bytes_i  (stream_i.bytes),
    .first_element_i,
    .want_valid_o    (want_valid),
    .want_offset_o   (want_offset),
    .word_valid_i    (word_valid),
    .word_i          (fetched_word),
    .word_error_i    (word_error),
    .word_address_i  (word_address),
    .cmd_valid_o,
    .cmd_ready_i,
    .cmd_o,
    .pc_o,
    .stall_o
  );

  logic unused;
  assign unused = ^stream_i;

endmodule
