// SPDX-License-Identifier: Apache-2.0
//
// Checks the descriptor of a stream. The first bad field in the order of the descriptor is
// reported; SHARED_BYTES of the queue comes last.
//
// Combinational.

module faa_runner_check #(
  parameter int unsigned SharedBytes = 65536
) (
  input  logic [511:0] desc_i,
  input  logic [31:0]  shared_i,
  input  logic         alone_i,     // no stream can follow in the job: TOGETHER is bad
  output logic         bad_o,
  output logic [6:0]   bad_at_o,    // byte offset of the field; SHARED_BYTES: 64
  output logic         together_o   // a stream follows
);

  localparam logic [31:0] Flags = faa_pkg::JOB_FLAG_INTERRUPT | faa_pkg::JOB_FLAG_TOGETHER;
  logic [31:0] flags, bytes;
  logic        asks;

  assign flags      = desc_i[faa_pkg::JOB_DESC_FLAGS_LSB +: 32];
  assign bytes      = desc_i[faa_pkg::JOB_DESC_STREAM_BYTES_LSB +: 32];
  assign asks       = (flags & faa_pkg::JOB_FLAG_TOGETHER) != '0;
  assign together_o = asks && !alone_i;

  always_comb begin
    bad_o    = 1'b1;
    bad_at_o = 7'd0;
    if (desc_i[faa_pkg::JOB_DESC_STREAM_VA_LSB +: 3] != '0) bad_at_o = 7'(faa_pkg::JOB_DESC_STREAM_VA_LSB / 8);
    else if (bytes == '0 || bytes[2:0] != '0) bad_at_o = 7'(faa_pkg::JOB_DESC_STREAM_BYTES_LSB / 8);
    else if ((flags & ~Flags) != '0 || (asks && alone_i)) bad_at_o = 7'(faa_pkg::JOB_DESC_FLAGS_LSB / 8);
    else if (desc_i[faa_pkg::JOB_DESC_STATUS_ADDR_LSB +: 6] != '0) bad_at_o = 7'(faa_pkg::JOB_DESC_STATUS_ADDR_LSB / 8);
    else if (desc_i[faa_pkg::JOB_DESC_FIRST_ELEMENT_LSB +: 5] != '0) bad_at_o = 7'(faa_pkg::JOB_DESC_FIRST_ELEMENT_LSB / 8);
    else if (desc_i[faa_pkg::JOB_DESC_RESERVED0_LSB +: 32] != '0) bad_at_o = 7'(faa_pkg::JOB_DESC_RESERVED0_LSB / 8);
    else if (desc_i[faa_pkg::JOB_DESC_RESERVED1_LSB +: 64] != '0) bad_at_o = 7'(faa_pkg::JOB_DESC_RESERVED1_LSB / 8);
    else if (desc_i[faa_pkg::JOB_DESC_RESERVED2_LSB +: 64] != '0) bad_at_o = 7'(faa_pkg::JOB_DESC_RESERVED2_LSB / 8);
    else if (desc_i[faa_pkg::JOB_DESC_RESERVED3_LSB +: 64] != '0) bad_at_o = 7'(faa_pkg::JOB_DESC_RESERVED3_LSB / 8);
    else if (shared_i > SharedBytes || (shared_i & 32'(faa_pkg::SHARED_GRANULE - 1)) != '0) bad_at_o = 7'd64;
    else bad_o = 1'b0;
  end

  logic unused;
  assign unused = ^desc_i;

endmodule
