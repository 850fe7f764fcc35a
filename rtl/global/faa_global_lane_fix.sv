// SPDX-License-Identifier: Apache-2.0
//
// Stage F: what each lane of a group is answered: the word as it was, with all that the group's earlier lanes did to it.
//
// The base of a chain (faa_shared_chain) is kept here from its first beat to its last.
//
// Latency: 1 cycle. Throughput: one beat per cycle.

module faa_global_lane_fix #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Slots = 2,
  parameter bit          F32 = 1'b1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,
  output logic                   ready_o,
  input  faa_shared_pkg::beat_t  beat_i,
  input  logic [Lanes*32-1:0]    place_i,
  input  logic [Lanes-1:0]       member_i,
  input  logic [Lanes-1:0]       first_i,
  input  logic [Lanes*32-1:0]    before_i,
  input  logic [Lanes*32-1:0]    other_i,
  input  logic [Slots*Lanes-1:0] chained_i,
  input  logic [Slots*Lanes-1:0] base_i,
  input  logic [Lanes*32-1:0]    m_i,
  input  logic [Lanes*32-1:0]    m_high_i,

  output logic                   valid_o,
  input  logic                   ready_i,
  output logic                   first_o,     // first and last beat of the warp
  output logic                   last_o,
  output logic [Lanes*32-1:0]    place_o,
  output logic [Lanes*32-1:0]    low_o,       // 0 in positions that are not members
  output logic [Lanes*32-1:0]    high_o
);

  logic                valid_q, take, load;
  logic [Lanes*32-1:0] m, low_d, high_d;
  logic [Slots*32-1:0] base_q, base_d;

  assign ready_o = !valid_q || ready_i;
  assign take    = valid_i && ready_o;
  assign valid_o = valid_q;
  assign load    = beat_i.func == faa_cu_pkg::SHARED_LOAD;

  // The item of a load in its word
  function automatic logic [31:0] item_of(input logic [3:0] typ, input logic [31:0] word, input logic [1:0] offset);
    logic [15:0] item;
    item = 16'(word >> {offset, 3'b0});
    case (faa_cu_pkg::size_log2(typ))
      2'd0: item_of = {{24{faa_cu_pkg::is_signed(typ) & item[7]}}, item[7:0]};
      2'd1: item_of = {{16{faa_cu_pkg::is_signed(typ) & item[15]}}, item[15:0]};
      default: item_of = word;
    endcase
  endfunction

  // The word after what came before
  function automatic logic [31:0] after(input faa_shared_pkg::beat_t beat, input logic [31:0] word,
                                        input logic [31:0] prior, input logic [31:0] other);
    logic is_max;
    is_max = beat.op == faa_pkg::ATOMS_OP_MAX;
    case (beat.op)
      faa_pkg::ATOMS_OP_INC:  after = faa_shared_pkg::increment(word, other, prior[5:0]);
      faa_pkg::ATOMS_OP_DEC:  after = faa_shared_pkg::decrement(word, other, prior[5:0]);
      faa_pkg::ATOMS_OP_CAS:  after = word == other ? prior : word;
      faa_pkg::ATOMS_OP_CAST: after = '0;
      default: begin
        if (F32 && faa_shared_pkg::is_f32_order(beat)) begin
          after = faa_float_pkg::f32_unkey(
              faa_shared_pkg::combine(beat.op, 1'b1, faa_float_pkg::f32_key(word, beat.mod[0], is_max), prior), is_max);
        end else begin
          after = faa_shared_pkg::combine(beat.op, beat.typ == faa_pkg::TYPE_S32, word, prior);
        end
      end
    endcase
  endfunction

  always_comb begin
    m      = m_i;
    base_d = base_q;
    if (take) begin
      for (int s = 0; s < Slots; s++) begin
        if (base_i[s*Lanes +: Lanes] != '0) base_d[s*32 +: 32] = '0;
        for (int p = 0; p < Lanes; p++) begin
          if (chained_i[s*Lanes + p]) m[p*32 +: 32] = base_q[s*32 +: 32];
          if (base_i[s*Lanes + p]) base_d[s*32 +: 32] = base_d[s*32 +: 32] | m_i[p*32 +: 32];
        end
      end
    end
  end

  always_comb begin
    low_d  = '0;
    high_d = '0;
    if (take) begin
      for (int p = 0; p < Lanes; p++) begin
        if (member_i[p]) begin
          if (load) low_d[p*32 +: 32] = item_of(beat_i.typ, m[p*32 +: 32], place_i[p*32 + faa_shared_pkg::PLACE_BYTE +: 2]);
          else if (first_i[p]) low_d[p*32 +: 32] = m[p*32 +: 32];
          else low_d[p*32 +: 32] = after(beat_i, m[p*32 +: 32], before_i[p*32 +: 32], other_i[p*32 +: 32]);
          if (faa_cu_pkg::is_wide(beat_i.typ)) high_d[p*32 +: 32] = m_high_i[p*32 +: 32];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (take) begin
      first_o <= beat_i.first;
      last_o  <= beat_i.last;
      place_o <= place_i;
      low_o   <= low_d;
      high_o  <= high_d;
      base_q  <= base_d;
    end
  end

endmodule
