// SPDX-License-Identifier: Apache-2.0
//
// The answer of one lane of a group: the old word after the operations of the earlier lanes of the
// group.
//
// Latency: 5 cycles: a difference; selection of the operands; faa_lanes_node; the item of a load,
// the value of a key. Throughput: one per cycle.

module faa_shared_fix_lane #(
  parameter int unsigned Lanes = 32,    // of a group
  parameter bit          F32   = 1'b1,
  parameter bit          Cas   = 1'b1   // CAS and CAST of several lanes are done as one
) (
  input  logic                  clk_i,
  input  logic [4:0]            valid_i,   // of cycles 0 to 4
  input  faa_shared_pkg::beat_t beat_0_i,  // in cycle 0
  input  faa_shared_pkg::beat_t beat_1_i,  // in cycle 1
  input  faa_shared_pkg::beat_t beat_4_i,  // in cycle 4
  input  logic                  member_i,
  input  logic                  first_i,   // the word itself is the answer
  input  logic [31:0]           m_i,
  input  logic [31:0]           before_i,
  input  logic [31:0]           other_i,
  output logic [31:0]           low_o      // 0 where member_i was 0
);

  // -----------------------------------------------------------------------------------------------
  // Cycle 0: distance of the word from the other operand; keys

  logic        max_0, member_1_q, first_1_q;
  logic [32:0] room_1_q;  // INC, DEC: bound - m, negative above the bound
  logic [31:0] m_1_q, before_1_q, other_1_q;

  assign max_0 = beat_0_i.op == faa_pkg::ATOMS_OP_MAX;

  always_ff @(posedge clk_i) begin
    if (valid_i[0]) begin
      member_1_q <= member_i;
      first_1_q  <= first_i;
      room_1_q   <= {1'b0, other_i} - {1'b0, m_i};
      m_1_q      <= m_i;
      before_1_q <= before_i;
      other_1_q  <= other_i;
      // The first lane is answered with the word itself, not its key.
      if (F32 && !first_i && faa_shared_pkg::is_f32_order(beat_0_i)) begin
        m_1_q <= faa_float_pkg::f32_key(m_i, beat_0_i.mod[0], max_0);
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Cycle 1: selection of the operands. INC and DEC make few steps, at most Lanes: their result is
  // the word, the bound or 0, plus a small signed number.

  localparam int unsigned StepW = $clog2(Lanes) + 1;
  localparam logic [StepW:0] One = (StepW + 1)'(1);

  logic                    load, whole_1, whole_2_q, member_2_q;
  logic                    above, inc, dec, borrows, wraps;
  logic                    from_m, from_other;  // base of the number; neither: 0
  logic [StepW-1:0]        steps;
  logic [StepW:0]          number;
  faa_lanes_pkg::combine_t how_2_q;
  logic [31:0]             a_2_q, b_2_q;
  logic [1:0]              byte_2_q;

  assign load    = beat_1_i.func == faa_cu_pkg::SHARED_LOAD;
  assign whole_1 = first_1_q || load;
  assign inc     = !whole_1 && beat_1_i.op == faa_pkg::ATOMS_OP_INC;
  assign dec     = !whole_1 && beat_1_i.op == faa_pkg::ATOMS_OP_DEC;
  assign steps   = before_1_q[StepW-1:0];
  assign above   = room_1_q[32];
  // A step leads from the bound to 0, or from 0 to the bound.
  assign wraps   = room_1_q[31:StepW] == '0 && room_1_q[StepW-1:0] < steps;
  assign borrows = m_1_q[31:StepW] == '0 && m_1_q[StepW-1:0] < steps;

  // From above the bound the first step of INC leads to 0, that of DEC to the bound. 0 stands for
  // bound + 1 steps (faa_shared_steps), a whole turn.
  always_comb begin
    from_m     = 1'b1;
    from_other = 1'b0;
    number     = {1'b0, steps};
    if (inc) begin
      if (above) begin
        from_m     = 1'b0;
        from_other = steps == '0;
        number     = steps == '0 ? '0 : {1'b0, steps} - One;
      end else if (wraps) begin
        from_m = 1'b0;
        number = {1'b0, steps} - {1'b0, room_1_q[StepW-1:0]} - One;
      end
    end else begin
      number = -{1'b0, steps};
      if (above) begin
        from_m     = 1'b0;
        from_other = steps != '0;
        number     = steps == '0 ? '0 : One - {1'b0, steps};
      end else if (borrows) begin
        from_m     = 1'b0;
        from_other = 1'b1;
        number     = {1'b0, m_1_q[StepW-1:0]} + One - {1'b0, steps};
      end
    end
    if (!inc && !dec) begin
      // Only the first lane of CAST can succeed.
      from_m     = whole_1 || !(Cas && beat_1_i.op == faa_pkg::ATOMS_OP_CAST);
      from_other = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i[1]) begin
      member_2_q <= member_1_q;
      whole_2_q  <= whole_1;
      byte_2_q   <= other_1_q[1:0];
      how_2_q    <= faa_shared_pkg::how_of(beat_1_i);
      a_2_q      <= ({32{from_m}} & m_1_q) | ({32{from_other}} & other_1_q);
      b_2_q      <= inc || dec ? 32'(signed'(number)) : before_1_q;
      if (whole_1 || (Cas && beat_1_i.op == faa_pkg::ATOMS_OP_CAST)) begin
        how_2_q.order <= 1'b0;
        how_2_q.op    <= faa_lanes_pkg::COMBINE_OLDER;
      end else if (Cas && beat_1_i.op == faa_pkg::ATOMS_OP_CAS && room_1_q == '0) begin
        how_2_q.op <= faa_lanes_pkg::COMBINE_YOUNGER;
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Cycles 2, 3: combination

  logic [31:0] y;
  logic [1:0]  member_q, whole_q;
  logic [3:0]  byte_q;

  faa_lanes_node #(
    .Width(32)
  ) u_node (
    .clk_i,
    .en_i  (valid_i[3:2]),
    .how_i (how_2_q),
    .open_i(1'b1),
    .a_i   (a_2_q),
    .b_i   (b_2_q),
    .y_o   (y)
  );

  always_ff @(posedge clk_i) begin
    if (valid_i[2]) begin
      member_q[0] <= member_2_q;
      whole_q[0]  <= whole_2_q;
      byte_q[1:0] <= byte_2_q;
    end
    if (valid_i[3]) begin
      member_q[1] <= member_q[0];
      whole_q[1]  <= whole_q[0];
      byte_q[3:2] <= byte_q[1:0];
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Cycle 4: the item of a load in its word, the value of a key

  function automatic logic [31:0] item_of(input logic [3:0] typ, input logic [31:0] word, input logic [1:0] offset);
    logic [15:0] item;
    item = 16'(word >> {offset, 3'b0});
    case (faa_cu_pkg::size_log2(typ))
      2'd0: item_of = {{24{faa_cu_pkg::is_signed(typ) & item[7]}}, item[7:0]};
      2'd1: item_of = {{16{faa_cu_pkg::is_signed(typ) & item[15]}}, item[15:0]};
      default: item_of = word;
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    if (valid_i[4]) begin
      low_o <= y;
      if (!member_q[1]) low_o <= '0;
      else if (beat_4_i.func == faa_cu_pkg::SHARED_LOAD) low_o <= item_of(beat_4_i.typ, y, byte_q[3:2]);
      else if (F32 && !whole_q[1] && faa_shared_pkg::is_f32_order(beat_4_i)) begin
        low_o <= faa_float_pkg::f32_unkey(y, beat_4_i.op == faa_pkg::ATOMS_OP_MAX);
      end
    end
  end

endmodule
