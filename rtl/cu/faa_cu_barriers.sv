// SPDX-License-Identifier: Apache-2.0
//
// The six scoreboard barriers: counters of the commands that hold them.
//
// A command takes up to two at issue; each is given back when its sources are read or its results
// are written. free_o and full_o are those of the current cycle. A command that takes one shows in
// the next cycle, a give-back, which comes from registers, in the one after.

`include "faa_assert.svh"

module faa_cu_barriers (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       clear_i,          // a job begins; the last one may have failed midway
  input  logic       take_i,           // a command issues
  input  logic [2:0] take_read_i,      // its barriers; 7: none
  input  logic [2:0] take_write_i,
  input  logic [5:0] give_i,           // given back, up to six in a cycle ...
  input  logic [17:0] give_number_i,   // ... with these numbers, 3 bits each

  output logic [5:0] free_o,
  output logic [5:0] full_o            // cannot be held once more
);

  logic [5:0]  underflow;
  logic [5:0]  give;
  logic [17:0] give_number;

  always_ff @(posedge clk_i) begin
    give        <= rst_ni ? give_i : '0;
    give_number <= give_number_i;
  end

  // Number of bits set of six: a look-up table each; a sum would be a chain
  function automatic logic [63:0][2:0] ones();
    for (int unsigned n = 0; n < 64; n++) ones[n] = 3'($countones(n));
  endfunction
  localparam logic [63:0][2:0] Ones = ones();

  for (genvar b = 0; b < 6; b++) begin : g_barrier
    logic [6:0] count_q, plus, minus, taken, kept;
    logic [5:0] given;
    // take_i comes late and only chooses between two sums.
    assign plus  = {6'b0, take_read_i == 3'(b)} + {6'b0, take_write_i == 3'(b)};
    assign taken = count_q + plus - minus;
    assign kept  = count_q - minus;
    for (genvar n = 0; n < 6; n++) begin : g_given
      assign given[n] = give[n] && give_number[n*3 +: 3] == 3'(b);
    end
    assign minus = 7'(Ones[given]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) count_q <= '0;
      else count_q <= take_i ? taken : kept;
    end
    assign free_o[b] = count_q == '0;
    assign full_o[b] = count_q >= 7'(faa_pkg::BARRIER_MAX - 1);
    assign underflow[b] = minus > (take_i ? count_q + plus : count_q);
  end

  `FAA_ASSERT(no_underflow, underflow == '0)

endmodule
