// SPDX-License-Identifier: Apache-2.0
//
// Stage F: a beat's answers from the old words: faa_shared_fix_lane, or for relaxed sums an adder
// (faa_shared_relaxed_fix). A lane of CAS or CAST is a group of its own: the word is its answer.
//
// Latency: 5 cycles for both kinds, so the order is kept. Throughput: one beat per cycle. It never
// stops.

module faa_global_fix #(
  parameter int unsigned Lanes = 32,
  parameter bit          F32 = 1'b1,
  parameter bit          Sums = 1'b1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  input  faa_global_pkg::job_t   job_i,
  input  logic [Lanes-1:0]       member_i,
  input  logic [Lanes-1:0]       first_i,
  input  logic [Lanes-1:0][31:0] before_i,
  input  logic [Lanes-1:0][31:0] other_i,
  input  logic [Lanes-1:0][31:0] m_i,

  output logic                   valid_o,
  output faa_global_pkg::job_t   job_o,
  output logic [Lanes-1:0][31:0] low_o     // 0 in positions that are not members
);

  localparam int unsigned Cycles = 5;

  logic [Cycles:0]        valid;
  logic [Cycles-1:0]      valid_q;
  faa_global_pkg::job_t   job [Cycles+1];
  logic [Lanes-1:0][31:0] plain;

  assign valid   = {valid_q, valid_i};
  assign job[0]  = job_i;
  assign valid_o = valid[Cycles];
  assign job_o   = job[Cycles];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[Cycles-1:0];
    for (int unsigned n = 0; n < Cycles; n++) if (valid[n]) job[n+1] <= job[n];
  end

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    faa_shared_fix_lane #(
      .Lanes(Lanes),
      .F32  (F32),
      .Cas  (1'b0)
    ) u_lane (
      .clk_i,
      .valid_i (valid[Cycles-1:0]),
      .beat_0_i(job[0].beat),
      .beat_1_i(job[1].beat),
      .beat_4_i(job[4].beat),
      .member_i(member_i[p]),
      .first_i (first_i[p]),
      .m_i     (m_i[p]),
      .before_i(before_i[p]),
      .other_i (other_i[p]),
      .low_o   (plain[p])
    );
  end

  if (Sums) begin : g_sums
    logic                   unused_valid, unused_tag;
    logic [Lanes-1:0][31:0] sum, sum_late;

    faa_shared_relaxed_fix #(
      .Lanes(Lanes),
      .TagW (1)
    ) u_sums (
      .clk_i,
      .rst_ni,
      .valid_i (valid_i && faa_shared_pkg::is_relaxed(job_i.beat)),
      .old_i   (m_i),
      .prefix_i(before_i),
      .first_i,
      .active_i(member_i),
      .ftz_i   (job_i.beat.mod[0]),
      .tag_i   (1'b0),
      .valid_o (unused_valid),
      .result_o(sum),
      .tag_o   (unused_tag)
    );

    faa_lanes_delay #(
      .Width (Lanes * 32),
      .Cycles(Cycles - faa_float_pkg::ADD_LATENCY)
    ) u_late (
      .clk_i,
      .rst_ni,
      .data_i(sum),
      .data_o(sum_late)
    );

    assign low_o = faa_shared_pkg::is_relaxed(job_o.beat) ? sum_late : plain;

    logic unused;
    assign unused = ^{unused_valid, unused_tag};
  end else begin : g_no_sums
    assign low_o = plain;
  end

endmodule
