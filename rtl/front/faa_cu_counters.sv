// SPDX-License-Identifier: Apache-2.0
//
// The 64-bit counters of one compute unit, enum counter; numbers without a name are 0. Free running; a reset of the unit keeps
// them.
//
// Latency: an event shows one cycle later.

module faa_cu_counters #(
  parameter int unsigned AddW = 6
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic [63:0]   cycle_i,
  // Added to each counter, AddW bits each, in the order of enum counter; the slice of CYCLES is ignored.
  input  logic [faa_pkg::COUNTERS*AddW-1:0] add_i,
  output logic [2047:0] counters_o
);

  localparam int unsigned Named = 32'(faa_pkg::COUNTER_STALL_SURFACE) + 1;

  for (genvar n = 1; n < Named; n++) begin : gen_counter
    logic [63:0] count_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else count_q <= count_q + 64'(add_i[n*AddW +: AddW]);
    end
    assign counters_o[n*64 +: 64] = count_q;
  end
  assign counters_o[63:0] = cycle_i;

  assign counters_o[faa_pkg::COUNTERS*64-1:Named*64] = '0;

  logic unused;
  assign unused = ^{add_i[faa_pkg::COUNTERS*AddW-1:Named*AddW], add_i[AddW-1:0]};

endmodule
