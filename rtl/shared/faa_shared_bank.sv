// SPDX-License-Identifier: Apache-2.0
//
// One bank of shared memory for read-modify-write: one operation per cycle that computes in a cycle, and additions that take
// faa_float_pkg::ADD_LATENCY cycles.
//
// Stage A: the row is presented (rd_en_i, row_i).   Stage B, a cycle later: word_o is the row's current value, and wr_en_i,
// wr_word_i say in the same cycle what it becomes.   Stage C: the RAM is written.
// An addition (adds_i in stage A) takes word_o into its adder in stage B; ADD_LATENCY cycles later sum_i is what the word becomes,
// and the RAM is written in that cycle, its stage C.
//
// Hazards:
//   B1  the operation is in stage B when an older one on its row is in stage C: forwarded from C. A sum so goes straight from
//       the adder to the next addition, which makes ADD_LATENCY cycles from one addition to the next on a word.
//   B2  an older one wrote this row while the RAM was being read, which gave the old word: forwarded from D, which keeps what
//       C wrote last.   Older ones are in the RAM.
//   B3  an addition waits (held_o) while a sum of its row would come too late for B1.
//   B4  any other operation waits (held_o) while there is a sum that would come too late for B1, whatever the row: it would
//       reach stage C no later than the sum, and the RAM has one write port. An addition after it need not wait.

`include "faa_assert.svh"

module faa_shared_bank #(
  parameter int unsigned RowW = 9
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  // Stage A. held_o is about row_i and adds_i; no rd_en_i with it.
  input  logic            rd_en_i,
  input  logic [RowW-1:0] row_i,
  input  logic            adds_i,
  output logic            held_o,

  // Stage B
  output logic [31:0]     word_o,
  input  logic            wr_en_i,      // not with an addition
  input  logic [31:0]     wr_word_i,

  // ADD_LATENCY cycles after the stage B of an addition
  input  logic [31:0]     sum_i
);

  localparam int unsigned Latency = faa_float_pkg::ADD_LATENCY;

  logic [31:0]             ram_word;
  logic                    b_valid_q, b_adds_q;
  logic [RowW-1:0]         b_row_q;
  logic                    c_write_q, d_write_q;
  logic [RowW-1:0]         c_row_q, d_row_q;
  logic [31:0]             c_word_q, d_word_q;
  logic [Latency:0]        add_valid;             // bit 0: in stage B, bit n: n cycles later
  logic [Latency:1]        add_valid_q;
  logic [(Latency+1)*RowW-1:0] add_row;           // the same order
  logic [Latency*RowW-1:0] add_row_q;
  logic [Latency-2:0]      same_row;
  logic                    write;
  logic [RowW-1:0]         write_row;
  logic [31:0]             write_word;
  logic                    hit_c, hit_d;

  faa_ram_1r1w #(
    .Width(32),
    .Depth(2 ** RowW)
  ) u_ram (
    .clk_i,
    .we_i   (write),
    .waddr_i(write_row),
    .wdata_i(write_word),
    .re_i   (rd_en_i),
    .raddr_i(row_i),
    .rdata_o(ram_word)
  );

  // Additions in flight. A sum that is Latency - 1 cycles or more behind stage B comes in time for an operation in stage A.
  assign add_valid = {add_valid_q, b_valid_q && b_adds_q};
  assign add_row   = {add_row_q, b_row_q};

  always_comb begin
    same_row = '0;
    for (int unsigned n = 0; n < Latency - 1; n++) same_row[n] = add_row[n*RowW +: RowW] == row_i;
  end

  assign held_o = |(add_valid[Latency-2:0] & (adds_i ? same_row : '1));

  // Stage C
  assign write      = c_write_q || add_valid[Latency];
  assign write_row  = add_valid[Latency] ? add_row[Latency*RowW +: RowW] : c_row_q;
  assign write_word = add_valid[Latency] ? sum_i : c_word_q;

  assign hit_c  = write && write_row == b_row_q;
  assign hit_d  = d_write_q && d_row_q == b_row_q;
  assign word_o = hit_c ? write_word : hit_d ? d_word_q : ram_word;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q   <= 1'b0;
      c_write_q   <= 1'b0;
      d_write_q   <= 1'b0;
      add_valid_q <= '0;
    end else begin
      b_valid_q   <= rd_en_i;
      c_write_q   <= b_valid_q && !b_adds_q && wr_en_i;
      d_write_q   <= write;
      add_valid_q <= add_valid[Latency-1:0];
    end
    if (rd_en_i) begin
      b_row_q  <= row_i;
      b_adds_q <= adds_i;
    end
    if (|add_valid[Latency-1:0]) add_row_q <= add_row[Latency*RowW-1:0];
    if (b_valid_q) begin
      c_row_q  <= b_row_q;
      c_word_q <= wr_word_i;
    end
    if (write) begin
      d_row_q  <= write_row;
      d_word_q <= write_word;
    end
  end

  `FAA_ASSERT(held_waits, !(rd_en_i && held_o))
  `FAA_ASSERT(one_writer, !(c_write_q && add_valid[Latency]))
  `FAA_COVER(hazard_b1, b_valid_q && hit_c && c_write_q)
  `FAA_COVER(hazard_b1_sum, b_valid_q && b_adds_q && hit_c && add_valid[Latency])
  `FAA_COVER(hazard_b2, b_valid_q && hit_d && !hit_c)
  `FAA_COVER(hazard_b3, adds_i && held_o)
  `FAA_COVER(hazard_b4, !adds_i && held_o)

endmodule
