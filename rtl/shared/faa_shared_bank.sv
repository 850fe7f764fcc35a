// SPDX-License-Identifier: Apache-2.0
//
// One bank of shared memory for read-modify-write.
//
// Latency: the word two cycles after its row is presented. Throughput: one operation per cycle, on
// one word too; after a late operation one in ADD_LATENCY cycles on its word.
//
//   A  the row is presented (rd_en_i, row_i) and goes to the RAM
//   B  the RAM's word, or a newer one in E or F, goes to a register
//   C  word_o is the row's current value
//   D  new_i is the new value; that of a late operation (late_i in stage A) is not known yet
//   E  ADD_LATENCY cycles after C: sum_i is the new value of a late operation; the RAM is written
//   F  the word written last
//
// With a latency of more than 2 there are stages between D and E.
//
// Hazards:
//   BANK-H1  one of the ADD_LATENCY operations before has the same row and is in D to E: word_o is
//            forwarded from there. The result of a late operation goes straight to the next one.
//   BANK-H2  an operation on the same row is in E or F when this one is in B, so the RAM has given
//            the old word: B's register is loaded from there. Older operations are in the RAM.
//   BANK-H3  a late operation on the same row is less than ADD_LATENCY cycles ahead: this one waits
//            (held_o, SHM-S8).
// Every operation writes in stage E, in order, so the write port is always free.

`include "faa_assert.svh"

module faa_shared_bank #(
  parameter int unsigned RowW = 9
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  // Stage A. held_o: an operation on row_i has to wait, and rd_en_i is 0.
  input  logic            rd_en_i,
  input  logic [RowW-1:0] row_i,
  input  logic            late_i,
  output logic            held_o,

  // Stage C. settled_o equals word_o if no operation entered in the cycle before this one; it has
  // no path from the arithmetic of stage D.
  output logic [31:0]     word_o,
  output logic [31:0]     settled_o,

  // Stage D
  input  logic [31:0]     new_i,

  // Stage E
  input  logic [31:0]     sum_i
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  // Stages by number: cycles after stage B
  localparam int unsigned D = 2;
  localparam int unsigned E = Latency + 1;
  localparam int unsigned F = Latency + 2;

  localparam int unsigned Groups = (RowW + 2) / 3;

  logic [E:0]           valid_q, late_q, same, b_same_q;
  logic [E:0][RowW-1:0] row_q;
  logic [Latency-1:0]   c_same_q;
  logic [F:D][31:0]     word;            // new words of operations, by stage
  logic [F:D+1][31:0]   word_q;
  logic [31:0]          ram_word, read, read_q;

  faa_ram_1r1w #(
    .Width(32),
    .Depth(2 ** RowW)
  ) u_ram (
    .clk_i,
    .we_i   (valid_q[E]),
    .waddr_i(row_q[E]),
    .wdata_i(word[E]),
    .re_i   (rd_en_i),
    .raddr_i(row_i),
    .rdata_o(ram_word)
  );

  // Stage A: stages that have an operation on the row; a cycle later each of these is one stage
  // further. Rows are compared by a carry chain, two levels, as the queue waits for held_o.
  for (genvar n = 0; n <= E; n++) begin : g_same
    logic [Groups*3-1:0] differs;
    logic [Groups-1:0]   group_same;
    logic [Groups:0]     all_same;
    assign differs  = (Groups*3)'(row_q[n]) ^ (Groups*3)'(row_i);
    for (genvar g = 0; g < Groups; g++) begin : g_group
      assign group_same[g] = differs[g*3 +: 3] == '0;
    end
    assign all_same = {1'b0, group_same} + (Groups+1)'(1);
    assign same[n]  = valid_q[n] && all_same[Groups];
  end

  assign held_o = |(same[Latency-2:0] & late_q[Latency-2:0]);

  always_comb begin
    word[D] = new_i;
    for (int unsigned n = D + 1; n <= F; n++) word[n] = word_q[n];
    if (late_q[E]) word[E] = sum_i;
  end

  // Stage B
  assign read = b_same_q[E-1] ? word[E] : b_same_q[E] ? word[F] : ram_word;

  // Stage C: the youngest of them counts.
  always_comb begin
    settled_o = read_q;
    for (int unsigned n = Latency; n > 1; n--) if (c_same_q[n-1]) settled_o = word[n+1];
    word_o = c_same_q[0] ? word[D] : settled_o;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[E-1:0], rd_en_i};
    late_q <= {late_q[E-1:0], late_i};
    row_q  <= {row_q[E-1:0], row_i};
    if (rd_en_i) b_same_q <= same;
    if (valid_q[0]) begin
      c_same_q <= b_same_q[Latency-1:0];
      read_q <= read;
    end
    for (int unsigned n = D; n <= E; n++) if (valid_q[n]) word_q[n+1] <= word[n];
  end

  // A late operation has its word in stage E.
  logic [E:0] late_hit;
  always_comb begin
    late_hit = '0;
    for (int unsigned n = 0; n + 1 < Latency; n++) begin
      late_hit[n] = valid_q[1] && c_same_q[n] && late_q[n+2];
    end
  end

  `FAA_ASSERT(held_waits, !(rd_en_i && held_o))
  `FAA_ASSERT(late_words_are_there, late_hit == '0)
  `FAA_COVER(hazard_b1, valid_q[1] && c_same_q[0])
  `FAA_COVER(hazard_b1_late, valid_q[1] && c_same_q == {1'b1, (Latency-1)'(0)} && late_q[E])
  `FAA_COVER(hazard_b2, valid_q[0] && b_same_q[E:Latency] != '0 && b_same_q[Latency-1:0] == '0)
  `FAA_COVER(hazard_b3, held_o)

endmodule
