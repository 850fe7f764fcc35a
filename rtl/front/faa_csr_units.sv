// SPDX-License-Identifier: Apache-2.0
//
// Registers of the compute units: state, progress of each slot, counters; and the pulse that resets a
// unit.
//
// Latency: 1 cycle from a request to its answer. Throughput: a request per two cycles. Stalls and
// hazards: none.

module faa_csr_units #(
  parameter int unsigned NumCu = 2,
  parameter int unsigned WarpSlots = 2
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // A request of software, a pulse
  input  logic                          req_i,
  input  logic                          write_i,
  input  logic [2:0]                    unit_i,    // of the map; others than the build's read 0
  input  logic [8:2]                    word_i,
  input  logic                          wdata_i,   // bit 0
  output logic                          ack_o,
  output logic                          ack_write_o,  // with ack_o: it was a write
  output logic [31:0]                   rdata_o,   // with ack_o

  input  logic [NumCu-1:0]              busy_i,
  input  logic [NumCu-1:0]              resetting_i,
  input  logic [NumCu-1:0]              resident_i,
  input  logic [NumCu*8-1:0]            queue_i,
  // Slot s of unit n is number n * WarpSlots + s.
  input  logic [NumCu*WarpSlots*32-1:0] pc_i,
  input  logic [NumCu*WarpSlots*32-1:0] progress_i,
  input  logic [NumCu*2048-1:0]         counters_i,
  output logic [NumCu-1:0]              reset_o    // pulse
);

  // Words of a unit: STATE, CONTROL (read as 0), PC of slot 0, PROGRESS of all slots; from SlotWords
  // on PC and PROGRESS of each slot; from 32 to 95 the halves of each counter.
  localparam logic [6:0] State = 7'd0, Control = 7'd1, Pc = 7'd2, Progress = 7'd3, SlotWords = 7'd8;

  logic        ack_q, write_q;
  logic [2:0]  unit_q;
  logic [6:0]  word_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ack_q   <= 1'b0;
      reset_o <= '0;
    end else begin
      ack_q   <= req_i;
      reset_o <= '0;
      for (int unsigned n = 0; n < NumCu; n++) begin
        reset_o[n] <= req_i && write_i && unit_i == 3'(n) && word_i == Control && wdata_i;
      end
    end
    if (req_i) begin
      write_q <= write_i;
      unit_q  <= unit_i;
      word_q  <= word_i;
    end
  end
  assign ack_o       = ack_q;
  assign ack_write_o = write_q;

  always_comb begin
    logic [31:0] found, sum;
    rdata_o = '0;
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
        found = found | {16'd0, queue_i[n*8 +: 8], 5'd0, resident_i[n], resetting_i[n], busy_i[n]};
      end
      if (word_q == Pc) found = found | pc_i[n*WarpSlots*32 +: 32];
      if (word_q == Progress) found = found | sum;
      if (word_q[6:5] == 2'b01 || word_q[6:5] == 2'b10) begin
        found = found | counters_i[n*2048 + 32'({word_q[6], word_q[4:0]})*32 +: 32];
      end
      if (unit_q == 3'(n)) rdata_o = rdata_o | found;
    end
  end

endmodule
