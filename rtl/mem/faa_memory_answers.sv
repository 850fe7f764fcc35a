// SPDX-License-Identifier: Apache-2.0
//
// Responses for one port of a compute unit: those of the L2 slices, round robin, and those that
// bypass the slices, which do not wait.
//
// Combinational. One response per cycle, always taken. Stalls: a slice waits during the response of
// another slice, or of one that bypasses the slices.

`include "faa_assert.svh"

module faa_memory_answers #(
  parameter int unsigned Slices = 2,
  parameter int unsigned TagW = 8,
  // Some responses bypass the slices.
  parameter bit Direct = 1'b1,
  // Bits of a line.
  parameter int unsigned LineW = 512
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [Slices-1:0]       slice_valid_i,
  output logic [Slices-1:0]       slice_ready_o,
  input  logic [Slices*TagW-1:0]  slice_tag_i,
  input  logic [Slices*LineW-1:0] slice_data_i,
  input  logic [Slices-1:0]       slice_err_i,

  input  logic                   direct_valid_i,
  input  logic [TagW-1:0]        direct_tag_i,
  input  logic [LineW-1:0]       direct_data_i,
  input  logic                   direct_err_i,

  output logic                   rsp_valid_o,
  output logic [TagW-1:0]        rsp_tag_o,
  output logic [LineW-1:0]       rsp_data_o,
  output logic                   rsp_err_o
);

  logic [Slices-1:0] grant;

  faa_arb_rr #(.N(Slices)) u_arb (
    .clk_i, .rst_ni, .req_i(slice_valid_i), .grant_o(grant), .advance_i(!direct_valid_i)
  );

  assign slice_ready_o = direct_valid_i ? '0 : grant;
  assign rsp_valid_o   = direct_valid_i || slice_valid_i != '0;

  always_comb begin
    rsp_tag_o  = direct_tag_i;
    rsp_data_o = direct_data_i;
    rsp_err_o  = direct_err_i;
    if (!Direct && Slices == 1) begin
      rsp_tag_o  = slice_tag_i[TagW-1:0];
      rsp_data_o = slice_data_i[LineW-1:0];
      rsp_err_o  = slice_err_i[0];
    end else if (!direct_valid_i) begin
      rsp_tag_o  = '0;
      rsp_data_o = '0;
      rsp_err_o  = 1'b0;
      for (int unsigned s = 0; s < Slices; s++) begin
        if (grant[s]) begin
          rsp_tag_o  = rsp_tag_o | slice_tag_i[s*TagW +: TagW];
          rsp_data_o = rsp_data_o | slice_data_i[s*LineW +: LineW];
          rsp_err_o  = rsp_err_o | slice_err_i[s];
        end
      end
    end
  end

  `FAA_COVER(answer_waits_for_slice, !direct_valid_i && (slice_valid_i & ~grant) != '0)
  `FAA_COVER(answer_waits_for_direct, direct_valid_i && slice_valid_i != '0)

endmodule
