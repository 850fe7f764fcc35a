// SPDX-License-Identifier: Apache-2.0
//
// Two levels of the segmented scan, with distances Far and 2 * Far, and a register behind them.
//
// open_i[p]: the span that position p has summed up so far does not yet begin at its group's first position (the same for
// banks and ranks in rank_open_i). What only travels along is in carry_i. Links of choice words get four times as long.

module faa_global_scan_stage #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Far = 1,
  parameter int unsigned CarryW = 1,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [CarryW-1:0]     carry_i,
  input  logic [Lanes-1:0]      open_i,
  input  logic [Lanes-1:0]      rank_open_i,
  input  logic [Lanes*8-1:0]    rank_i,
  input  logic [Lanes*32-1:0]   value_i,
  input  logic [Lanes*32-1:0]   other_i,
  input  logic [Lanes-1:0]      choice_i,
  input  logic [Lanes*LaneW-1:0] link_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [CarryW-1:0]     carry_o,
  output logic [Lanes-1:0]      open_o,
  output logic [Lanes-1:0]      rank_open_o,
  output logic [Lanes*8-1:0]    rank_o,
  output logic [Lanes*32-1:0]   value_o,
  output logic [Lanes*32-1:0]   other_o,
  output logic [Lanes-1:0]      choice_o,
  output logic [Lanes*LaneW-1:0] link_o
);

  logic                valid_q, take, sign;
  logic [Lanes-1:0]    open_d, rank_open_d;
  logic [Lanes*8-1:0]  rank_d;
  logic [Lanes*32-1:0] value_d;

  assign ready_o = !valid_q || ready_i;
  assign take    = valid_i && ready_o;
  assign valid_o = valid_q;
  // Stores keep the last operand, like EXCH; floating-point keys have a signed order.
  assign sign    = beat_i.typ == faa_pkg::TYPE_S32 || beat_i.typ == faa_pkg::TYPE_F32;

  logic [7:0] op;
  assign op = beat_i.func == faa_cu_pkg::SHARED_ATOMIC ? beat_i.op : faa_pkg::ATOMS_OP_EXCH;

  // Descending positions: the lower neighbour still has the value of the level before.
  always_comb begin
    open_d      = open_i;
    rank_open_d = rank_open_i;
    rank_d      = rank_i;
    value_d     = value_i;
    if (take) begin
      for (int far = Far; far <= 2 * Far; far = 2 * far) begin
        for (int p = Lanes - 1; p >= 0; p--) begin
          if (p >= far && rank_open_d[p]) begin
            rank_d[p*8 +: 8] = rank_d[p*8 +: 8] + rank_d[(p+Lanes-far)%Lanes*8 +: 8];
            rank_open_d[p]   = rank_open_d[(p+Lanes-far)%Lanes];
          end
          if (p >= far && open_d[p]) begin
            if (faa_shared_pkg::is_steps(op)) begin
              value_d[p*32 +: 32] = {26'b0, faa_shared_pkg::count(value_d[(p+Lanes-far)%Lanes*32 +: 6], value_d[p*32 +: 6],
                                                                  other_i[p*32 +: 32])};
            end else begin
              value_d[p*32 +: 32] = faa_shared_pkg::combine(op, sign, value_d[(p+Lanes-far)%Lanes*32 +: 32],
                                                            value_d[p*32 +: 32]);
            end
            open_d[p] = open_d[(p+Lanes-far)%Lanes];
          end
        end
      end
    end
  end

  logic                   choosing;
  logic [Lanes-1:0]       unused_set;
  logic [Lanes*LaneW-1:0] link_d;
  assign choosing = take && choice_i != '0;

  faa_shared_follow #(
    .Lanes(Lanes)
  ) u_follow (
    .en_i  (choosing),
    .set_i ('0),
    .link_i,
    .set_o (unused_set),
    .link_o(link_d)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (take) begin
      beat_o      <= beat_i;
      carry_o     <= carry_i;
      open_o      <= open_d;
      rank_open_o <= rank_open_d;
      rank_o      <= rank_d;
      value_o     <= value_d;
      other_o     <= other_i;
      choice_o    <= choice_i;
    end
    if (choosing) link_o <= link_d;
  end

endmodule
