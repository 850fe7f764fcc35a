// SPDX-License-Identifier: Apache-2.0
//
// The 64-bit counters of one compute unit, enum counter; numbers without a name are 0. Free
// running; a reset of the unit keeps them.
//
// Software reads half a counter at a time: rd_ack_o answers rd_req_i, which stays until then. A
// slot that executes SNAPSHOT takes all counters in beats of Lanes: snap_req_i stays, and
// snap_beat_i counts up, until it has taken the last beat.
//
// With Serial, for a unit of one slot, the sums are in RAM (faa_cu_counters_serial). Without, each
// counter has its own adder: an event shows one cycle later, a read is answered in the next cycle,
// and a beat of a snapshot in the same cycle. Stalls and hazards: none.

module faa_cu_counters #(
  parameter int unsigned Slots = 1,
  parameter int unsigned Lanes = 32,      // counters of a beat: 32, 16, 8 or 4
  parameter bit Serial = 1'b0,            // with Slots 1 and Lanes of at most 16
  parameter int unsigned AddW = 9
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic [63:0]               cycle_i,
  // Increment of each counter, AddW bits each, in the order of enum counter; the slice of CYCLES is
  // ignored.
  input  logic [faa_pkg::COUNTERS*AddW-1:0] add_i,

  input  logic                      rd_req_i,
  input  logic [5:0]                rd_word_i,   // counter and, in bit 0, half; of a named counter
  output logic                      rd_ack_o,
  output logic [31:0]               rd_data_o,   // with rd_ack_o

  // Of slot s, number s in slice s of each vector
  input  logic [Slots-1:0]          snap_req_i,
  input  logic [Slots*3-1:0]        snap_beat_i,
  output logic [Slots-1:0]          snap_valid_o,
  input  logic [Slots-1:0]          snap_ready_i,
  output logic [Slots*Lanes*64-1:0] snap_data_o
);

  localparam int unsigned Named = 32'(faa_pkg::COUNTER_STALL_SURFACE) + 1;

  if (Serial) begin : gen_serial
    faa_cu_counters_serial #(
      .Lanes(Lanes),
      .AddW (AddW)
    ) u_serial (
      .clk_i,
      .rst_ni,
      .add_i,
      .rd_req_i,
      .rd_word_i,
      .rd_ack_o,
      .rd_data_o,
      .snap_req_i  (snap_req_i[0]),
      .snap_beat_i (snap_beat_i[2:0]),
      .snap_valid_o(snap_valid_o[0]),
      .snap_ready_i(snap_ready_i[0]),
      .snap_data_o (snap_data_o[Lanes*64-1:0])
    );

    logic unused_cycle;
    assign unused_cycle = ^cycle_i;
  end else begin : gen_flat
    localparam int unsigned Beats = 32 / Lanes;
    logic [63:0][31:0]                words;
    logic [Beats-1:0][Lanes*64-1:0]   beats;

    for (genvar n = 1; n < Named; n++) begin : gen_counter
      logic [63:0] count_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) count_q <= '0;
        else count_q <= count_q + 64'(add_i[n*AddW +: AddW]);
      end
      assign words[2*n +: 2] = count_q;
    end
    assign words[1:0] = cycle_i;
    assign words[63:2*Named] = '0;
    assign beats = words;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) rd_ack_o <= 1'b0;
      else rd_ack_o <= rd_req_i && !rd_ack_o;
      if (rd_req_i) rd_data_o <= words[rd_word_i];
    end

    assign snap_valid_o = snap_req_i;
    for (genvar s = 0; s < Slots; s++) begin : gen_slot
      if (Beats == 1) begin : gen_whole
        assign snap_data_o[s*Lanes*64 +: Lanes*64] = beats[0];
      end else begin : gen_beat
        assign snap_data_o[s*Lanes*64 +: Lanes*64] = beats[snap_beat_i[s*3 +: $clog2(Beats)]];
      end
    end

    logic unused;
    assign unused = ^{add_i[faa_pkg::COUNTERS*AddW-1:Named*AddW], add_i[AddW-1:0], snap_ready_i,
                      snap_beat_i};
  end

endmodule
