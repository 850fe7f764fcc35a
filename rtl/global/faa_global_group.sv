// SPDX-License-Identifier: Apache-2.0
//
// Stage G: groups of a sorted warp: lanes on one item whose operation is done as one, and what the scan combines.
//
// Lanes on one word form one group in ADD, MIN, MAX, AND, OR, XOR and EXCH on U32 and S32, MIN and MAX on F32, and ADD on F32 with
// RELAXED; in INC and DEC on U32 as far as neighbours have the same bound. Otherwise each lane of ATOM is a group. Lanes of a load or a store on
// one item, of any size, are one group; of a store the highest lane's value remains.
//
// Operands behind this stage, 32 bits each:
//   value   what the scan combines: b, its key (MIN, MAX on F32) or the number of steps (INC, DEC on U32)
//   other   b where the value is not b (INC, DEC on U32), else c
//   value_high, other_high   upper halves of b and c, 64 bits only
//
// Latency: 1 cycle. Throughput: one warp per cycle.

module faa_global_group #(
  parameter bit F32 = 1'b1,
  parameter bit Sums = 1'b1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [1023:0]         place_i,
  input  logic [1023:0]         b_i,
  input  logic [1023:0]         c_i,
  input  logic [1023:0]         b_high_i,
  input  logic [1023:0]         c_high_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [1023:0]         place_o,
  output logic [31:0]           member_o,      // active, on memory
  output logic [31:0]           first_o,       // ends of each group, in lane order; the last position speaks for its group
  output logic [31:0]           last_o,
  output logic [31:0]           item_first_o,  // first position of its item
  output logic [1023:0]         value_o,
  output logic [1023:0]         other_o,
  output logic [1023:0]         value_high_o,
  output logic [1023:0]         other_high_o
);

  localparam int unsigned Item   = faa_global_pkg::PLACE_BYTE;
  localparam int unsigned Leader = faa_global_pkg::PLACE_LEADER;

  logic          valid_q, take, steps, keys, always_joins;
  logic [31:0]   active, same, joins;
  logic [1023:0] value_d;

  assign ready_o = !valid_q || ready_i;
  assign take    = valid_i && ready_o;
  assign valid_o = valid_q;

  assign steps        = faa_shared_pkg::is_step_group(beat_i);
  assign keys         = F32 && faa_shared_pkg::is_f32_order(beat_i);
  assign always_joins = beat_i.func != faa_cu_pkg::SHARED_ATOMIC || faa_shared_pkg::is_combined(beat_i) || keys ||
                        (Sums && faa_shared_pkg::is_relaxed(beat_i));

  always_comb begin
    active = '0;
    same   = '0;
    joins  = '0;
    if (take) begin
      for (int p = 0; p < 32; p++) begin
        active[p] = place_i[p*32 + faa_global_pkg::PLACE_ACTIVE];
        if (p != 0 && active[p]) begin
          same[p]  = place_i[p*32 + Leader +: 5] == place_i[(p+31)%32*32 + Leader +: 5] &&
                     place_i[p*32 + Item +: 6] == place_i[(p+31)%32*32 + Item +: 6];
          joins[p] = same[p] && (always_joins || (steps && b_i[p*32 +: 32] == b_i[(p+31)%32*32 +: 32]));
        end
      end
    end
  end

  always_comb begin
    value_d = b_i;
    if (take && steps) begin
      for (int p = 0; p < 32; p++) value_d[p*32 +: 32] = {31'b0, b_i[p*32 +: 32] != '0};
    end
    if (take && keys) begin
      for (int p = 0; p < 32; p++) begin
        value_d[p*32 +: 32] = faa_float_pkg::f32_key(b_i[p*32 +: 32], beat_i.mod[0], beat_i.op == faa_pkg::ATOM_OP_MAX);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (take) begin
      beat_o       <= beat_i;
      place_o      <= place_i;
      member_o     <= active;
      first_o      <= active & ~joins;
      last_o       <= active & ~{1'b0, joins[31:1]};
      item_first_o <= active & ~same;
      value_o      <= value_d;
      other_o      <= steps ? b_i : c_i;
    end
    if (take && faa_cu_pkg::is_wide(beat_i.typ)) begin
      value_high_o <= b_high_i;
      other_high_o <= c_high_i;
    end
  end

endmodule
