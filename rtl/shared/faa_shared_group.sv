// SPDX-License-Identifier: Apache-2.0
//
// Stage G: groups of a sorted beat, by the table of "Statistics" in the device model, and the
// operands of the scan.
//
// first, last: ends of each group, in lane order; the last position represents its group. member:
// active lanes; with CAST.SPIN those that try, which is only the lowest lane of each bank and warp.
// The module remembers the banks that earlier beats of a CAST.SPIN tried.
//
// Operands after this stage, 32 bits each:
//   value   operand of the scan: b, its key (MIN, MAX on F32), 1 (INC, DEC), or c of operations
//           with two operands
//   other   b
//   next    choice words (faa_shared_links): the position that succeeds next
//
// Latency: 2 cycles: neighbours, then groups. Throughput: one beat per cycle. It never stalls.

module faa_shared_group #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned RowW = 9,
  parameter bit          F32 = 1'b1,
  parameter bit          Relaxed = 1'b1,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned WordW = 5 + RowW,
  localparam int unsigned KeyW = 6 + RowW + LaneW
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        valid_i,
  input  faa_shared_pkg::beat_t       beat_i,
  input  logic [Lanes-1:0][KeyW-1:0]  key_i,
  input  logic [Lanes-1:0][63:0]      data_i,        // {c, b}

  output logic                        valid_o,
  output faa_shared_pkg::beat_t       beat_o,
  output logic [Lanes-1:0][WordW-1:0] word_o,        // {bank, row}
  output logic [Lanes-1:0]            member_o,
  output logic [Lanes-1:0]            first_o,
  output logic [Lanes-1:0]            last_o,
  output logic [Lanes-1:0]            bank_first_o,  // first position of its bank
  output logic [Lanes-1:0]            choice_o,      // CAS, CAST: positions of choice words
  output logic [Lanes-1:0]            scan_o,        // combined with the position before
  output logic [Lanes-1:0][31:0]      value_o,
  output logic [Lanes-1:0][31:0]      other_o,
  output logic [Lanes-1:0][LaneW-1:0] next_o
);

  // -----------------------------------------------------------------------------------------------
  // Neighbours

  logic                        valid_q, spin_i;
  faa_shared_pkg::beat_t       beat_q;
  logic [Lanes-1:0]            active_q, same_word_q, same_bank_q, same_b_q;
  logic [Lanes-1:0][WordW-1:0] word, word_q;
  logic [Lanes-1:0][31:0]      b_q, c_q;

  assign spin_i = faa_shared_pkg::is_spin(beat_i);

  for (genvar p = 0; p < Lanes; p++) begin : g_word
    assign word[p][RowW +: 5]  = key_i[p][KeyW-2 -: 5];
    assign word[p][RowW-1:0] = spin_i ? key_i[p][RowW-1:0] : key_i[p][LaneW +: RowW];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i;
    if (valid_i) begin
      beat_q <= beat_i;
      word_q <= word;
      for (int unsigned p = 0; p < Lanes; p++) begin
        active_q[p] <= !key_i[p][KeyW-1];
        b_q[p]      <= data_i[p][31:0];
        c_q[p]      <= data_i[p][63:32];
      end
      same_word_q <= '0;
      same_bank_q <= '0;
      same_b_q    <= '0;
      for (int unsigned p = 1; p < Lanes; p++) begin
        same_word_q[p] <= !key_i[p][KeyW-1] && word[p] == word[p-1];
        same_bank_q[p] <= !key_i[p][KeyW-1] && word[p][RowW +: 5] == word[p-1][RowW +: 5];
        same_b_q[p]    <= data_i[p][31:0] == data_i[p-1][31:0];
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Groups

  // The lanes of one word form one group; of INC and DEC, those whose b is the same.
  logic             always_joins, steps, cas, spin, f32_order, scans;
  logic [Lanes-1:0] bank_first, joins, member, choice;

  always_comb begin
    always_joins = 1'b0;
    case (beat_q.func)
      faa_cu_pkg::SHARED_LOAD: always_joins = 1'b1;
      faa_cu_pkg::SHARED_STORE: always_joins = !faa_shared_pkg::is_part_store(beat_q);
      default: always_joins = faa_shared_pkg::is_combined(beat_q) || cas || f32_order || (Relaxed && faa_shared_pkg::is_relaxed(beat_q));
    endcase
  end

  assign steps      = faa_shared_pkg::is_step_group(beat_q);
  assign cas        = faa_shared_pkg::is_cas_group(beat_q);
  assign spin       = faa_shared_pkg::is_spin(beat_q);
  assign f32_order  = F32 && faa_shared_pkg::is_f32_order(beat_q);
  assign scans      = faa_shared_pkg::is_combined(beat_q) || steps || cas || f32_order;
  assign bank_first = active_q & ~same_bank_q;
  assign joins      = same_word_q & ({Lanes{always_joins}} | ({Lanes{steps}} & same_b_q));

  logic [Lanes-1:0][LaneW-1:0] next;

  faa_shared_links #(
    .Lanes(Lanes)
  ) u_links (
    .en_i    (valid_q && cas),
    .joins_i (joins),
    .b_i     (b_q),
    .c_i     (c_q),
    .choice_o(choice),
    .next_o  (next)
  );

  // Banks that earlier beats of a CAST.SPIN tried, by faa_shared_pkg::place_of; the two beats of
  // 64-bit items try the same ones.
  if (Lanes < 32) begin : g_tried
    localparam logic [4:0] Odd = faa_shared_pkg::place_of(5'd1, Lanes);
    logic [31:0] tried_q, trying, banks;
    logic        first_pair_q;

    assign banks = beat_q.first || (beat_q.odd && first_pair_q) ? 32'b0 : tried_q;

    always_comb begin
      trying = '0;
      for (int unsigned p = 0; p < Lanes; p++) begin
        if (bank_first[p]) trying = trying | 32'd1 << word_q[p][RowW +: 5];
      end
      member = active_q;
      if (spin) begin
        for (int unsigned p = 0; p < Lanes; p++) begin
          member[p] = bank_first[p] && !banks[word_q[p][RowW +: 5] & ~(beat_q.odd ? Odd : 5'd0)];
        end
      end
    end

    // Of 64-bit items the even bank of each pair is remembered.
    always_ff @(posedge clk_i) begin
      if (valid_q && spin) begin
        first_pair_q <= beat_q.first;
        if (!faa_cu_pkg::is_wide(beat_q.typ)) tried_q <= banks | trying;
        else if (beat_q.odd) tried_q <= banks | (trying >> Odd);
      end
    end
  end else begin : g_not_tried
    assign member = spin ? bank_first : active_q;
  end

  // -----------------------------------------------------------------------------------------------
  // Operands

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else valid_o <= valid_q;
    if (valid_q) begin
      beat_o       <= beat_q;
      word_o       <= word_q;
      member_o     <= member;
      first_o      <= member & ~joins;
      last_o       <= member & ~{1'b0, joins[Lanes-1:1]};
      bank_first_o <= bank_first;
      choice_o     <= choice;
      scan_o       <= scans ? joins & ~choice : '0;
      other_o      <= b_q;
      for (int unsigned p = 0; p < Lanes; p++) begin
        if (steps) value_o[p] <= 32'd1;
        else if (faa_shared_pkg::is_double(beat_q)) value_o[p] <= c_q[p];
        else if (f32_order) value_o[p] <= faa_float_pkg::f32_key(b_q[p], beat_q.mod[0], beat_q.op == faa_pkg::ATOMS_OP_MAX);
        else value_o[p] <= b_q[p];
      end
    end
    if (valid_q && choice != '0) next_o <= next;
  end

endmodule
