// SPDX-License-Identifier: Apache-2.0
//
// Register slice: cuts every combinational path between its sides, in both directions.
//
// Latency: 1 cycle. Throughput: 1 item per cycle. Two registers: the second takes the item that
// arrives while the first waits. With HalfRate one register, and 1 item per 2 cycles. Hazards:
// none.

`include "faa_assert.svh"

module faa_skid #(
  parameter int unsigned Width = 8,
  parameter bit HalfRate = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  logic             full_q, spare_q;
  logic [Width-1:0] data_q;

  assign ready_o = HalfRate ? !full_q : !spare_q;
  assign valid_o = full_q;
  assign data_o  = data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q  <= 1'b0;
      spare_q <= 1'b0;
    end else if (HalfRate) begin
      full_q <= full_q ? !ready_i : valid_i;
    end else if (!full_q || ready_i) begin
      full_q  <= spare_q || valid_i;
      spare_q <= 1'b0;
    end else if (valid_i) begin
      spare_q <= 1'b1;
    end
  end

  if (HalfRate) begin : gen_half
    always_ff @(posedge clk_i) if (!full_q) data_q <= data_i;
  end else begin : gen_full
    logic [Width-1:0] spare_data_q;
    always_ff @(posedge clk_i) begin
      if (!full_q || ready_i) data_q <= spare_q ? spare_data_q : data_i;
      if (!spare_q) spare_data_q <= data_i;
    end
  end

  `FAA_ASSERT(SkidOrder, full_q || !spare_q)
  `FAA_ASSERT_STABLE(SkidOut, valid_o, ready_i, data_o)

endmodule
