// SPDX-License-Identifier: Apache-2.0
//
// Between faa_cu_access and the units: a warp's beats wait here until the last one has passed all
// checks, then go to their unit one after the other. Beats of a warp that is dropped before that
// are overwritten. Whole warps (Lanes = 32) pass through without waiting.
//
// Each operand has a RAM per lane with the beats of two warps: one is written while the other is
// read.
//
// Latency: 2 cycles from the last beat to the first one; none with 32 lanes. Throughput: a beat per
// cycle. Stalls: ACC-S6 (both warps wait for their units; counted as those of the units).
// Hazards: ACC-H5 (a row is written while it is read: a warp's rows are free when its last beat has
// been read).

`include "faa_assert.svh"

module faa_cu_hold #(
  parameter int unsigned Lanes = 32      // of a beat: 32, 16, 8 or 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 valid_i,
  output logic                 ready_o,
  input  faa_cu_pkg::part_t    part_i,
  input  faa_cu_pkg::handed_t  warp_i,     // with the last beat
  input  logic [Lanes*64-1:0]  a_i,        // a result, or an address
  input  logic [Lanes*64-1:0]  b_i,
  input  logic [Lanes*64-1:0]  c_i,

  output logic                 valid_o,
  input  logic                 ready_i,
  output faa_cu_pkg::part_t    part_o,
  output faa_cu_pkg::handed_t  warp_o,
  output logic [Lanes*64-1:0]  a_o,
  output logic [Lanes*64-1:0]  b_o,
  output logic [Lanes*64-1:0]  c_o,
  output logic                 idle_o      // no warp waits
);

  localparam int unsigned Beats = 32 / Lanes;

  if (Beats == 1) begin : gen_pass
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    assign part_o  = part_i;
    assign warp_o  = warp_i;
    assign a_o     = a_i;
    assign b_o     = b_i;
    assign c_o     = c_i;
    assign idle_o  = 1'b1;

    logic unused;
    assign unused = clk_i ^ rst_ni;
  end else begin : gen_wait
    localparam int unsigned BeatW = $clog2(Beats);

    faa_cu_pkg::handed_t [1:0] warp_q;
    logic [1:0]       full_q;              // warps that are complete
    logic             in_q, out_q, commit, read, last_read;
    logic [BeatW-1:0] next_q;              // the beat of warp out_q that is read next
    logic [BeatW:0]   write_at, read_at;
    logic [3*Lanes*64-1:0] written, data;

    assign ready_o   = !full_q[in_q];
    assign commit    = valid_i && ready_o && part_i.last;
    assign read      = full_q[out_q] && (!valid_o || ready_i);
    assign last_read = read && next_q == '1;
    assign write_at  = {in_q, part_i.number[BeatW-1:0]};
    assign read_at   = {out_q, next_q};

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        full_q  <= '0;
        in_q    <= 1'b0;
        out_q   <= 1'b0;
        next_q  <= '0;
        valid_o <= 1'b0;
      end else begin
        for (int n = 0; n < 2; n++) begin
          if (commit && in_q == 1'(n)) full_q[n] <= 1'b1;
          else if (last_read && out_q == 1'(n)) full_q[n] <= 1'b0;
        end
        if (commit) in_q <= !in_q;
        if (last_read) out_q <= !out_q;
        if (read) next_q <= next_q + BeatW'(1);
        if (read) valid_o <= 1'b1;
        else if (ready_i) valid_o <= 1'b0;
      end
      if (commit) warp_q[in_q] <= warp_i;
      if (read) begin
        warp_o        <= warp_q[out_q];
        part_o.last   <= next_q == '1;
        part_o.number <= 3'(next_q);
      end
    end

    assign written         = {c_i, b_i, a_i};
    assign {c_o, b_o, a_o} = data;

    for (genvar p = 0; p < 3 * Lanes; p++) begin : g_lane
      faa_ram_1r1w #(
        .Width(64),
        .Depth(2 * Beats)
      ) u_ram (
        .clk_i,
        .we_i   (valid_i && ready_o),
        .waddr_i(write_at),
        .wdata_i(written[p*64 +: 64]),
        .re_i   (read),
        .raddr_i(read_at),
        .rdata_o(data[p*64 +: 64])
      );
    end

    assign idle_o = full_q == '0 && !valid_o;

    `FAA_ASSERT(no_read_of_the_row_written, !(read && valid_i && ready_o && write_at == read_at))
    `FAA_ASSERT_STABLE(beat_stable, valid_o, ready_i, {part_o, warp_o, data})
    `FAA_COVER(stall_a6, valid_i && !ready_o)
    `FAA_COVER(beats_without_a_gap, read && valid_o && part_o.last)
  end

endmodule
