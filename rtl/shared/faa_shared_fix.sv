// SPDX-License-Identifier: Apache-2.0
//
// Stage F: the answers of a beat, from the old words. The answer of a lane is the old word after
// the operations of the earlier lanes of its group: faa_shared_fix_lane; for relaxed sums an adder
// (faa_shared_relaxed_fix); for CAS and CAST with choice words faa_shared_fix_cas.
//
// The base of a chain (faa_shared_chain) is kept here from its first beat to its last.
//
// Latency: 6 cycles for all kinds, so answers stay in order. Throughput: one beat per cycle. It
// never stalls.

module faa_shared_fix #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Slots = 2,
  parameter bit          F32 = 1'b1,
  parameter bit          Sums = 1'b1,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        valid_i,
  input  faa_shared_pkg::beat_t       beat_i,
  input  logic [Lanes-1:0]            member_i,
  input  logic [Lanes-1:0]            first_i,
  input  logic [Lanes-1:0][31:0]      before_i,
  input  logic [Lanes-1:0][31:0]      other_i,
  input  logic [Lanes-1:0]            choice_i,
  input  logic [Lanes-1:0][LaneW-1:0] next_i,
  input  logic [Slots-1:0][Lanes-1:0] chained_i,
  input  logic [Slots-1:0][Lanes-1:0] base_i,
  input  logic [Lanes-1:0][31:0]      m_i,

  output logic                        valid_o,
  output faa_shared_pkg::beat_t       beat_o,
  output logic [Lanes-1:0][31:0]      low_o       // 0 in positions that are not members
);

  localparam int unsigned Cycles    = 6;
  localparam int unsigned CasCycles = 2 + (LaneW + 1) / 2;

  logic [Cycles:0]        valid;
  logic [Cycles-1:0]      valid_q;
  faa_shared_pkg::beat_t  beat [Cycles+1];
  logic [Cycles:1]        sums_q, cas_q;

  assign valid   = {valid_q, valid_i};
  assign beat[0] = beat_i;
  assign valid_o = valid[Cycles];
  assign beat_o  = beat[Cycles];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[Cycles-1:0];
    for (int unsigned n = 0; n < Cycles; n++) if (valid[n]) beat[n+1] <= beat[n];
    if (valid_i) cas_q[1] <= choice_i != '0;
    if (valid_i) sums_q[1] <= Sums && faa_shared_pkg::is_relaxed(beat_i);
    for (int unsigned n = 1; n < Cycles; n++) begin
      if (valid[n]) begin
        cas_q[n+1]  <= cas_q[n];
        sums_q[n+1] <= sums_q[n];
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Bases of chains

  logic [Slots-1:0][31:0] base_q, base_d;
  logic [Lanes-1:0][31:0] m, m_q, before_q, other_q;
  logic [Lanes-1:0]       member_q, first_q;

  always_comb begin
    m      = m_i;
    base_d = base_q;
    for (int unsigned s = 0; s < Slots; s++) begin
      if (base_i[s] != '0) base_d[s] = '0;
      for (int unsigned p = 0; p < Lanes; p++) begin
        if (chained_i[s][p]) m[p] = base_q[s];
        if (base_i[s][p]) base_d[s] = base_d[s] | m_i[p];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      base_q   <= base_d;
      m_q      <= m;
      before_q <= before_i;
      other_q  <= other_i;
      member_q <= member_i;
      first_q  <= first_i;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Three kinds of answers

  logic [Lanes-1:0][31:0] plain, sum, sum_late, cas, cas_late;

  for (genvar p = 0; p < Lanes; p++) begin : g_lane
    faa_shared_fix_lane #(
      .Lanes(Lanes),
      .F32  (F32)
    ) u_lane (
      .clk_i,
      .valid_i (valid[5:1]),
      .beat_0_i(beat[1]),
      .beat_1_i(beat[2]),
      .beat_4_i(beat[5]),
      .member_i(member_q[p]),
      .first_i (first_q[p]),
      .m_i     (m_q[p]),
      .before_i(before_q[p]),
      .other_i (other_q[p]),
      .low_o   (plain[p])
    );
  end

  faa_shared_fix_cas #(
    .Lanes(Lanes)
  ) u_cas (
    .clk_i,
    .rst_ni,
    .valid_i (valid_i && choice_i != '0),
    .cast_i  (beat_i.op == faa_pkg::ATOMS_OP_CAST),
    .member_i,
    .first_i,
    .choice_i,
    .before_i,
    .other_i,
    .next_i,
    .m_i,
    .low_o   (cas)
  );

  faa_lanes_delay #(
    .Width (Lanes * 32),
    .Cycles(Cycles - CasCycles)
  ) u_cas_late (
    .clk_i,
    .rst_ni,
    .data_i(cas),
    .data_o(cas_late)
  );

  if (Sums) begin : g_sums
    logic unused_valid, unused_tag;

    faa_shared_relaxed_fix #(
      .Lanes(Lanes),
      .TagW (1)
    ) u_sums (
      .clk_i,
      .rst_ni,
      .valid_i (valid_i && faa_shared_pkg::is_relaxed(beat_i)),
      .old_i   (m_i),
      .prefix_i(before_i),
      .first_i,
      .active_i(member_i),
      .ftz_i   (beat_i.mod[0]),
      .tag_i   (1'b0),
      .valid_o (unused_valid),
      .result_o(sum),
      .tag_o   (unused_tag)
    );

    faa_lanes_delay #(
      .Width (Lanes * 32),
      .Cycles(Cycles - faa_float_pkg::ADD_LATENCY)
    ) u_sums_late (
      .clk_i,
      .rst_ni,
      .data_i(sum),
      .data_o(sum_late)
    );
  end else begin : g_no_sums
    assign sum      = '0;
    assign sum_late = sum;
  end

  assign low_o = cas_q[Cycles] ? cas_late : sums_q[Cycles] ? sum_late : plain;

endmodule
