// SPDX-License-Identifier: Apache-2.0
//
// Stage X: hot words are combined across beats.
//
// Up to Chains words are watched. While the beat behind holds a watched word too, with the same combinable operation, the
// beat's group on it is not executed by the bank: the first one of such a chain only loads the word (if answers are
// wanted), the next ones send nothing, the last one sends what all have done together. A lane's answer is then what the
// first one loaded, combined with all that came before the lane: before_o. Nothing else can touch the word meanwhile,
// because every beat of the chain has its group on it.
//
// A chain ends with the beat behind which nothing suitable waits; and all end together after Longest beats, so that a warp is
// done in bounded time. A watched word that two beats in a row lack gives way to a word of the beat that four, or else two,
// lanes share.
//
// Latency: 1 cycle. Throughput: one beat per cycle. Chains = 0: a register.

`include "faa_assert.svh"

module faa_shared_chain #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Chains = 2,
  parameter int unsigned Longest = 15,
  parameter int unsigned WordW = 14,
  localparam int unsigned Slots = Chains == 0 ? 1 : Chains,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  output logic                   ready_o,
  input  faa_shared_pkg::beat_t  beat_i,
  input  logic [Lanes-1:0][WordW-1:0] word_i,
  input  logic [Lanes-1:0]       member_i,
  input  logic [Lanes-1:0]       first_i,
  input  logic [Lanes-1:0]       last_i,
  input  logic [Lanes*32-1:0]    value_i,
  input  logic [Lanes*32-1:0]    other_i,
  input  logic [Lanes-1:0]       choice_i,
  input  logic [Lanes*LaneW-1:0] next_i,
  input  logic [Lanes*LaneW-1:0] end_i,

  output logic                   valid_o,
  input  logic                   ready_i,
  output faa_shared_pkg::beat_t  beat_o,
  output logic [Lanes-1:0][WordW-1:0] word_o,
  output logic [Lanes-1:0]       member_o,
  output logic [Lanes-1:0]       first_o,       // answered with the word itself
  output logic [Lanes-1:0]       send_o,        // sends its group's operation
  output logic [Lanes-1:0]       load_o,        // which is a load
  output logic [Lanes*32-1:0]    value_o,
  output logic [Lanes*32-1:0]    before_o,      // what precedes the position in its group
  output logic [Lanes*32-1:0]    other_o,
  output logic [Lanes-1:0]       choice_o,
  output logic [Lanes*LaneW-1:0] next_o,
  output logic [Lanes*LaneW-1:0] end_o,
  output logic [Slots*Lanes-1:0] chained_o,     // positions whose word is the chain's base
  output logic [Slots*Lanes-1:0] base_o,        // the position whose answer becomes the chain's base
  output logic                   hold_o         // done only with a later beat
);

  logic                valid_q, take;
  logic [Lanes-1:0]    first_q, last_q;
  logic [Lanes*32-1:0] value_q;

  assign ready_o = !valid_q || ready_i;
  assign take    = valid_i && ready_o;
  assign valid_o = valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (take) begin
      beat_o   <= beat_i;
      word_o   <= word_i;
      member_o <= member_i;
      first_q  <= first_i;
      last_q   <= last_i;
      value_q  <= value_i;
      other_o  <= other_i;
      choice_o <= choice_i;
    end
    if (take && choice_i != '0) begin
      next_o <= next_i;
      end_o  <= end_i;
    end
  end

  // Values with what the chains brought, and the position before's
  logic [Lanes*32-1:0] value;
  assign value_o = value;

  if (Chains == 0) begin : g_plain
    logic unused;
    assign unused    = ^member_i;
    assign first_o   = first_q;
    assign send_o    = last_q;
    assign load_o    = '0;
    assign value     = value_q;
    assign before_o  = {value_q[Lanes*32-33:0], 32'b0};
    assign chained_o = '0;
    assign base_o    = '0;
    assign hold_o    = 1'b0;
  end else begin : g_chains
    logic [Chains-1:0]       hit, cont, open, adopt;
    logic [Chains*Lanes-1:0] match, mask, chosen;
    logic [Chains*32-1:0]    total, sum;
    logic [Chains*Lanes-1:0] drop;
    logic [Lanes-1:0]        spare, big;
    logic [3:0]              length_q;
    logic                    same, usable;
    logic                    sign;

    assign usable = faa_shared_pkg::is_combined(beat_i);
    assign same   = valid_i && valid_q && length_q != 4'(Longest) && beat_i.op == beat_o.op &&
                    beat_i.typ == beat_o.typ && beat_i.func == beat_o.func && beat_i.result == beat_o.result;
    assign sign   = beat_o.typ == faa_pkg::TYPE_S32;
    assign hold_o = |cont;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) length_q <= '0;
      else if (valid_q && ready_i) length_q <= |cont ? length_q + 4'd1 : '0;
    end

    // Words of the beat that is coming that several lanes share and no chain watches; the lowest for the first chain that
    // looks for one.
    always_comb begin
      spare = last_i & ~first_i;
      for (int c = 0; c < Chains; c++) spare = spare & ~match[c*Lanes +: Lanes];
      big = spare & ~{first_i[Lanes-2:0], 1'b0} & ~{first_i[Lanes-3:0], 2'b0};
      if (big != '0) spare = big;
      chosen = '0;
      for (int c = 0; c < Chains; c++) begin
        if (adopt[c]) begin
          chosen[c*Lanes +: Lanes] = spare & -spare;
          spare                    = spare & ~chosen[c*Lanes +: Lanes];
        end
      end
    end

    for (genvar c = 0; c < Chains; c++) begin : g_chain
      faa_shared_watch #(
        .Lanes(Lanes),
        .WordW(WordW)
      ) u_watch (
        .clk_i,
        .rst_ni,
        .take_i  (take && usable),
        .word_i,
        .member_i,
        .match_o (match[c*Lanes +: Lanes]),
        .adopt_o (adopt[c]),
        .chosen_i(chosen[c*Lanes +: Lanes])
      );

      logic             open_q;
      logic [Lanes-1:0] mask_q, leader;
      logic [31:0]      sum_q;

      assign hit[c]                = |match[c*Lanes +: Lanes];
      assign mask[c*Lanes +: Lanes] = mask_q;
      assign open[c]               = open_q;
      assign sum[c*32 +: 32]       = sum_q;
      assign cont[c]               = same && hit[c] && |mask_q;
      assign leader                = mask_q & last_q;

      always_ff @(posedge clk_i) begin
        if (take) mask_q <= usable ? match[c*Lanes +: Lanes] : '0;
        if (!rst_ni) open_q <= 1'b0;
        else if (valid_q && ready_i) open_q <= cont[c];
        if (valid_q && ready_i && cont[c]) sum_q <= total[c*32 +: 32];
      end

      assign chained_o[c*Lanes +: Lanes] = open_q ? mask_q : '0;
      assign base_o[c*Lanes +: Lanes]    = cont[c] && !open_q && beat_o.result ? leader : '0;
      assign drop[c*Lanes +: Lanes]      = cont[c] && (open_q || !beat_o.result) ? leader : '0;

      `FAA_COVER(chain_begins, valid_q && ready_i && cont[c] && !open_q)
      `FAA_COVER(chain_goes_on, valid_q && ready_i && cont[c] && open_q)
      `FAA_COVER(chain_ends, valid_q && ready_i && !cont[c] && open_q)
      // A chain goes on only with a beat that has the word.
      `FAA_ASSERT(open_chain_has_its_word, !(valid_q && open_q && mask_q == '0))
    end

    // Values and what precedes them
    logic [Lanes-1:0] chained;
    always_comb begin
      value    = value_q;
      chained  = '0;
      total    = '0;
      for (int c = 0; c < Chains; c++) chained = chained | chained_o[c*Lanes +: Lanes];
      if (valid_q) begin
        for (int c = 0; c < Chains; c++) begin
          for (int p = 0; p < Lanes; p++) begin
            if (open[c] && mask[c*Lanes + p]) begin
              value[p*32 +: 32] = faa_shared_pkg::combine(beat_o.op, sign, sum[c*32 +: 32], value_q[p*32 +: 32]);
            end
            if (cont[c] && mask[c*Lanes + p] && last_q[p]) total[c*32 +: 32] = value[p*32 +: 32];
          end
        end
      end
    end

    always_comb begin
      before_o = {value[Lanes*32-33:0], 32'b0};
      if (valid_q) begin
        for (int c = 0; c < Chains; c++) begin
          for (int p = 0; p < Lanes; p++) begin
            if (open[c] && mask[c*Lanes + p] && first_q[p]) before_o[p*32 +: 32] = sum[c*32 +: 32];
          end
        end
      end
    end

    always_comb begin
      send_o = last_q;
      load_o = '0;
      for (int c = 0; c < Chains; c++) begin
        send_o = send_o & ~drop[c*Lanes +: Lanes];
        load_o = load_o | base_o[c*Lanes +: Lanes];
      end
    end

    assign first_o = first_q & ~chained;
  end

endmodule
