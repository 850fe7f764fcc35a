// SPDX-License-Identifier: Apache-2.0
//
// INC and DEC: the numbers of steps of a beat, 1 to Lanes, modulo bound + 1, by long division.
// Other values pass unchanged.
//
// Latency: 3 cycles, two digits each. Throughput: one beat per cycle. It never stalls.

`include "faa_assert.svh"

module faa_shared_steps #(
  parameter int unsigned Lanes = 32
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  input  logic                   steps_i,  // the values are steps
  input  logic [Lanes-1:0][31:0] value_i,
  input  logic [Lanes-1:0][31:0] bound_i,

  output logic                   valid_o,
  output logic [Lanes-1:0][31:0] value_o
);

  localparam int unsigned StepW = $clog2(Lanes) + 1;
  localparam int unsigned HighW = 32 - StepW;

  logic [2:0]                  valid_q, steps;
  logic [1:0]                  steps_q;
  logic [Lanes-1:0][HighW-1:0] high_i, high;

  assign valid_o = valid_q[2];
  assign steps   = {steps_q, steps_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[1:0], valid_i};
    steps_q <= steps[1:0];
  end

  faa_lanes_delay #(
    .Width (Lanes * HighW),
    .Cycles(3)
  ) u_high (
    .clk_i,
    .rst_ni,
    .data_i(high_i),
    .data_o(high)
  );

  // Rest of number after the digit of weight 2^shift. Numbers up to Lanes have no digit above that
  // of Lanes.
  function automatic logic [StepW-1:0] digit(input logic [StepW-1:0] number, input logic [StepW-1:0] divisor,
                                             input int unsigned shift);
    logic [StepW+4:0] part;
    part  = (StepW + 5)'(divisor) << shift;
    digit = 32'd1 << shift <= Lanes && (StepW + 5)'(number) >= part ? number - part[StepW-1:0] : number;
  endfunction

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    // bound + 1, or a number above that of the steps
    logic [StepW-1:0] divisor_i, divisor_1_q, divisor_2_q;
    logic [StepW-1:0] steps_1_q, steps_2_q, steps_3_q;

    assign divisor_i  = bound_i[p][31:StepW-1] != '0 ? '1 : {1'b0, bound_i[p][StepW-2:0]} + StepW'(1);
    assign high_i[p]  = value_i[p][31:StepW];
    assign value_o[p] = {high[p], steps_3_q};

    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        divisor_1_q <= divisor_i;
        steps_1_q   <= steps[0] ? digit(digit(value_i[p][StepW-1:0], divisor_i, 5), divisor_i, 4) : value_i[p][StepW-1:0];
      end
      if (valid_q[0]) begin
        divisor_2_q <= divisor_1_q;
        steps_2_q   <= steps[1] ? digit(digit(steps_1_q, divisor_1_q, 3), divisor_1_q, 2) : steps_1_q;
      end
      if (valid_q[1]) steps_3_q <= steps[2] ? digit(digit(steps_2_q, divisor_2_q, 1), divisor_2_q, 0) : steps_2_q;
    end

    // Each position of a group has taken one step, and those of the positions before it.
    `FAA_ASSERT(steps_are_of_positions, !(valid_i && steps_i) || value_i[p] <= 32'(p + 1))
  end

endmodule
