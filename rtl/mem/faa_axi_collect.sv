// SPDX-License-Identifier: Apache-2.0
//
// Collects the beats of read bursts into lines. Bursts of different IDs may be interleaved; a beat
// is always taken.
//
// Latency: 2 cycles from a line's last beat to the line. Throughput: 1 beat per cycle.

module faa_axi_collect #(
  parameter int unsigned DataWidth = 64,
  parameter int unsigned IdWidth = 4,
  // Bits of a line: at least two beats.
  parameter int unsigned LineW = 512
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 beat_valid_i,
  input  logic [IdWidth-1:0]   beat_id_i,
  input  logic [DataWidth-1:0] beat_data_i,
  input  logic                 beat_err_i,

  output logic                 line_valid_o,
  output logic [IdWidth-1:0]   line_id_o,
  output logic [LineW-1:0]     line_data_o,
  // A beat of the line had an error.
  output logic                 line_err_o
);

  localparam int unsigned Beats = LineW / DataWidth;
  localparam int unsigned BeatW = $clog2(Beats);
  localparam int unsigned Slots = 1 << IdWidth;

  // Beats that a burst has received, bit by bit, and whether one of them was bad. Zero between
  // bursts.
  logic [BeatW*Slots-1:0] count_q;   // bit b of slot n at b * Slots + n
  logic [Slots-1:0]   bad_q;
  logic [BeatW-1:0]   beat, beat_next;
  logic               last;
  logic               full_q, full2_q, err_q, err2_q;
  logic [IdWidth-1:0] id_q, id2_q;

  for (genvar b = 0; b < BeatW; b++) begin : gen_count
    assign beat[b] = count_q[b*Slots + 32'(beat_id_i)];
  end
  assign beat_next = beat + BeatW'(1);
  assign last = beat == BeatW'(Beats - 1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      bad_q   <= '0;
      full_q  <= 1'b0;
      full2_q <= 1'b0;
    end else begin
      if (beat_valid_i) begin
        for (int unsigned b = 0; b < BeatW; b++) count_q[b*Slots + 32'(beat_id_i)] <= !last && beat_next[b];
        bad_q[beat_id_i] <= !last && (bad_q[beat_id_i] || beat_err_i);
      end
      full_q  <= beat_valid_i && last;
      full2_q <= full_q;
    end
    id_q   <= beat_id_i;
    err_q  <= beat_err_i || bad_q[beat_id_i];
    id2_q  <= id_q;
    err2_q <= err_q;
  end

  for (genvar n = 0; n < Beats; n++) begin : gen_beat
    faa_ram_1r1w #(.Width(DataWidth), .Depth(Slots)) u_ram (
      .clk_i,
      .we_i(beat_valid_i && beat == BeatW'(n)), .waddr_i(beat_id_i), .wdata_i(beat_data_i),
      .re_i(full_q), .raddr_i(id_q), .rdata_o(line_data_o[n*DataWidth +: DataWidth])
    );
  end

  assign line_valid_o = full2_q;
  assign line_id_o    = id2_q;
  assign line_err_o   = err2_q;

endmodule
