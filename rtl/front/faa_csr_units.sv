// SPDX-License-Identifier: Apache-2.0
//
// Registers of the compute units: state, start of the running job, progress of each slot, counters,
// and the pulse that resets a unit. Half a counter at a time is fetched from its unit.
//
// Latency: 2 cycles from a request to its answer, plus the unit's own time for a counter.
// Throughput: one request at a time. Stalls and hazards: none.

`include "faa_assert.svh"

module faa_csr_units #(
  parameter int unsigned NumCu = 2,
  parameter int unsigned WarpSlots = 2
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // A request of software, a pulse; the next comes after ack_o.
  input  logic                          req_i,
  input  logic                          write_i,
  input  logic [2:0]                    unit_i,    // of the map; those that the build lacks read 0
  input  logic [8:2]                    word_i,
  input  logic                          wdata_i,   // bit 0
  output logic                          ack_o,
  output logic                          ack_write_o,  // with ack_o: it was a write
  output logic [31:0]                   rdata_o,   // with ack_o

  input  logic [NumCu-1:0]              busy_i,
  input  logic [NumCu-1:0]              resetting_i,
  input  logic [NumCu-1:0]              resident_i,
  input  logic [NumCu-1:0]              running_i,
  input  logic [NumCu*8-1:0]            queue_i,
  input  logic [NumCu*64-1:0]           start_i,   // cycle, with running
  // Slot s of unit n is number n * WarpSlots + s.
  input  logic [NumCu*WarpSlots*32-1:0] pc_i,
  input  logic [NumCu*WarpSlots*32-1:0] progress_i,

  // Half a counter, requested until it is answered
  output logic [NumCu-1:0]              counter_req_o,
  output logic [5:0]                    counter_word_o,
  input  logic [NumCu-1:0]              counter_ack_i,
  input  logic [NumCu*32-1:0]           counter_data_i,

  output logic [NumCu-1:0]              reset_o    // pulse
);

  // Words of a unit: STATE, CONTROL (reads 0), PC of slot 0, PROGRESS of all slots, START. PC and
  // PROGRESS of each slot begin at SlotWords; words 32 to 95 are the halves of the counters.
  localparam logic [6:0] State = 7'd0, Control = 7'd1, Pc = 7'd2, Progress = 7'd3,
                         StartLo = 7'd4, StartHi = 7'd5, SlotWords = 7'd8, CounterWords = 7'd32;

  localparam int unsigned Counters = 32'(faa_pkg::COUNTER_STALL_SURFACE) + 1;   // those with a name

  logic        wait_q, ack_q, write_q, counter_q, done;
  logic [2:0]  unit_q;
  logic [6:0]  word_q;
  logic [31:0] rdata;

  assign done = wait_q && (!counter_q || counter_ack_i != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q  <= 1'b0;
      ack_q   <= 1'b0;
      reset_o <= '0;
    end else begin
      wait_q  <= req_i || (wait_q && !done);
      ack_q   <= done;
      reset_o <= '0;
      for (int unsigned n = 0; n < NumCu; n++) begin
        reset_o[n] <= req_i && write_i && unit_i == 3'(n) && word_i == Control && wdata_i;
      end
    end
    if (req_i) begin
      write_q <= write_i;
      unit_q  <= unit_i;
      word_q  <= word_i;
      counter_q <= !write_i && 32'(unit_i) < NumCu &&
                   word_i >= CounterWords && word_i < CounterWords + 7'(2 * Counters);
    end
    if (done) rdata_o <= rdata;
  end

  for (genvar n = 0; n < NumCu; n++) begin : gen_unit
    assign counter_req_o[n] = wait_q && counter_q && unit_q == 3'(n);
  end
  assign counter_word_o = {word_q[6], word_q[4:0]};
  assign ack_o       = ack_q;
  assign ack_write_o = write_q;

  always_comb begin
    logic [31:0] found, sum;
    rdata = '0;
    for (int unsigned n = 0; n < NumCu; n++) begin
      found = '0;
      sum   = '0;
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        sum = sum + progress_i[(n*WarpSlots + s)*32 +: 32];
        if (word_q == SlotWords + 7'(2 * s)) found = found | pc_i[(n*WarpSlots + s)*32 +: 32];
        if (word_q == SlotWords + 7'(2 * s + 1)) begin
          found = found | progress_i[(n*WarpSlots + s)*32 +: 32];
        end
      end
      if (word_q == State) begin
        found = found | {16'd0, queue_i[n*8 +: 8], 4'd0, running_i[n], resident_i[n],
                         resetting_i[n], busy_i[n]};
      end
      if (word_q == Pc) found = found | pc_i[n*WarpSlots*32 +: 32];
      if (word_q == Progress) found = found | sum;
      if (word_q == StartLo) found = found | start_i[n*64 +: 32];
      if (word_q == StartHi) found = found | start_i[n*64 + 32 +: 32];
      if (counter_q) found = found | counter_data_i[n*32 +: 32];
      if (unit_q == 3'(n)) rdata = rdata | found;
    end
  end

  `FAA_ASSUME(csr_units_one, !req_i || (!wait_q && !ack_q))

endmodule
