// SPDX-License-Identifier: Apache-2.0
//
// Stage G: groups of a sorted beat, by the table of "Statistics" in the device model, and what the scan combines.
//
// first, last: ends of each group, in lane order; the last position speaks for its group. member: active, and of CAST.SPIN one that
// tries. Of CAST.SPIN only the lowest lane of each bank and warp tries; the banks that earlier beats of the warp tried are
// remembered.
//
// Operands behind this stage, 32 bits each:
//   value   what the scan combines: b, its key (MIN, MAX on F32), the steps (INC, DEC) or c (CAS, CAST)
//   other   b where the value is not b, else c; INC and DEC on U64: the steps
//   value_high, other_high   upper halves of b and c, 64 bits only
//   next    choice words (faa_shared_links): the position that succeeds next
//
// Latency: 1 cycle. Throughput: one beat per cycle.

module faa_shared_group #(
  parameter int unsigned Lanes = 32,
  parameter bit          F32 = 1'b1,
  parameter bit          Relaxed = 1'b1,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [Lanes*32-1:0]   place_i,
  input  logic [Lanes*32-1:0]   b_i,
  input  logic [Lanes*32-1:0]   c_i,
  input  logic [Lanes*32-1:0]   b_high_i,
  input  logic [Lanes*32-1:0]   c_high_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [Lanes*32-1:0]   place_o,
  output logic [Lanes-1:0]      member_o,
  output logic [Lanes-1:0]      first_o,
  output logic [Lanes-1:0]      last_o,
  output logic [Lanes-1:0]      bank_first_o,  // first position of its bank
  output logic [Lanes-1:0]      choice_o,      // CAS, CAST: positions of words that need a choice
  output logic [Lanes*32-1:0]   value_o,
  output logic [Lanes*32-1:0]   other_o,
  output logic [Lanes*32-1:0]   value_high_o,
  output logic [Lanes*32-1:0]   other_high_o,
  output logic [Lanes*LaneW-1:0] next_o
);

  localparam int unsigned Word = faa_shared_pkg::PLACE_ROW;
  localparam int unsigned Bank = faa_shared_pkg::PLACE_BANK;

  logic                valid_q, take, wide, spin;
  logic [31:0]         tried;
  logic [Lanes-1:0]    active, bank_first, joins, member;
  logic [Lanes*32-1:0] value_d, other_d, other_high_d;

  assign ready_o = !valid_q || ready_i;
  assign take    = valid_i && ready_o;
  assign wide    = faa_cu_pkg::is_wide(beat_i.typ);
  assign spin    = faa_shared_pkg::is_spin(beat_i);
  assign valid_o = valid_q;

  // -------------------------------------------------------------------------------------------------------------
  // Groups

  // The lanes of one word form one group; of INC and DEC, those whose b is the same.
  logic always_joins, counted, steps, cas;
  always_comb begin
    always_joins = 1'b0;
    case (beat_i.func)
      faa_cu_pkg::SHARED_LOAD: always_joins = 1'b1;
      faa_cu_pkg::SHARED_STORE: always_joins = faa_cu_pkg::size_log2(beat_i.typ) >= 2'd2;
      default:
        always_joins = faa_shared_pkg::is_combined(beat_i) || cas || (F32 && faa_shared_pkg::is_f32_order(beat_i)) ||
                       (Relaxed && faa_shared_pkg::is_relaxed(beat_i));
    endcase
  end
  assign counted = faa_shared_pkg::is_counted(beat_i);
  assign steps   = faa_shared_pkg::is_step_group(beat_i);
  assign cas     = faa_shared_pkg::is_cas_group(beat_i);

  always_comb begin
    active     = '0;
    bank_first = '0;
    joins      = '0;
    if (take) begin
      for (int p = 0; p < Lanes; p++) begin
        active[p]     = place_i[p*32 + faa_shared_pkg::PLACE_ACTIVE];
        bank_first[p] = active[p];
        if (p != 0) begin
          if (place_i[p*32 + Bank +: 5] == place_i[(p+Lanes-1)%Lanes*32 + Bank +: 5]) bank_first[p] = 1'b0;
          if (active[p] && place_i[p*32 + Word +: 22] == place_i[(p+Lanes-1)%Lanes*32 + Word +: 22]) begin
            joins[p] = always_joins || (steps && b_i[p*32 +: 32] == b_i[(p+Lanes-1)%Lanes*32 +: 32]);
          end
        end
      end
    end
  end

  logic [Lanes-1:0]       choice;
  logic [Lanes*LaneW-1:0] next;

  faa_shared_links #(
    .Lanes(Lanes)
  ) u_links (
    .en_i    (take && cas),
    .joins_i (joins),
    .b_i,
    .c_i,
    .choice_o(choice),
    .next_o  (next)
  );

  // Banks that earlier beats of a CAST.SPIN tried
  if (Lanes < 32) begin : g_tried
    logic [31:0] tried_q, tried_d;
    always_comb begin
      tried_d = tried;
      if (take && spin) begin
        for (int p = 0; p < Lanes; p++) begin
          if (bank_first[p]) tried_d = tried_d | (32'd1 << place_i[p*32 + Bank +: 5]);
        end
      end
    end
    always_ff @(posedge clk_i) if (take && spin) tried_q <= tried_d;
    assign tried = beat_i.first ? 32'b0 : tried_q;
  end else begin : g_not_tried
    assign tried = 32'b0;
  end

  always_comb begin
    member = active;
    if (take && spin) begin
      for (int p = 0; p < Lanes; p++) member[p] = bank_first[p] && !tried[place_i[p*32 + Bank +: 5]];
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // Operands

  function automatic logic [31:0] value_of(input faa_shared_pkg::beat_t beat, input logic [31:0] b, input logic [31:0] c);
    value_of = b;
    if (faa_shared_pkg::is_counted(beat)) value_of = faa_shared_pkg::is_cas(beat.op) ? c : {31'b0, b != '0};
    else if (F32 && faa_shared_pkg::is_f32_order(beat)) begin
      value_of = faa_float_pkg::f32_key(b, beat.mod[0], beat.op == faa_pkg::ATOMS_OP_MAX);
    end
  endfunction

  always_comb begin
    value_d      = b_i;
    other_d      = c_i;
    other_high_d = c_high_i;
    if (take) begin
      if (counted || (F32 && faa_shared_pkg::is_f32_order(beat_i))) begin
        for (int p = 0; p < Lanes; p++) value_d[p*32 +: 32] = value_of(beat_i, b_i[p*32 +: 32], c_i[p*32 +: 32]);
      end
      if (counted) begin
        other_d = b_i;
      end else if (wide && faa_shared_pkg::is_steps(beat_i.op)) begin
        other_high_d = '0;
        for (int p = 0; p < Lanes; p++) other_d[p*32 +: 32] = {31'b0, {b_high_i[p*32 +: 32], b_i[p*32 +: 32]} != '0};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (take) begin
      beat_o       <= beat_i;
      place_o      <= place_i;
      member_o     <= member;
      first_o      <= member & ~joins;
      last_o       <= member & ~{1'b0, joins[Lanes-1:1]};
      bank_first_o <= bank_first;
      choice_o     <= choice;
      value_o      <= value_d;
      other_o      <= other_d;
    end
    if (take && wide) begin
      value_high_o <= b_high_i;
      other_high_o <= other_high_d;
    end
    if (take && choice != '0) next_o <= next;
  end

endmodule
