// SPDX-License-Identifier: Apache-2.0
//
// faa_fifo_ram: any accepted item is followed; it comes out once, unchanged, after exactly those
// that were accepted before it. The queue takes Depth items and the one at its output, and an item
// is at the output at the latest two cycles after the one before it has left.

`include "formal.svh"

module fifo_ram_props #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 4
) (
  input logic             clk_i,
  input logic             run_i,
  input logic             valid_i,
  input logic [Width-1:0] data_i,
  input logic             ready_i,
  input logic             pick_i
);

  `FORMAL_RESET

  localparam int unsigned PtrW   = $clog2(Depth);
  localparam int unsigned CountW = PtrW + 2;

  logic              ready, valid, enters, leaves, tracked_q, waits_q;
  logic [Width-1:0]  data, data_q;
  logic [CountW-1:0] there_q, ahead_q, behind;
  logic [PtrW-1:0]   place;

  faa_fifo_ram #(.Width(Width), .Depth(Depth)) u_queue (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i, .data_o(data)
  );

  assign enters = valid_i && ready;
  assign leaves = valid && ready_i;
  // Followed item in the RAM, and where
  assign behind = ahead_q - CountW'(valid);
  assign place  = u_queue.head_q + PtrW'(behind);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      there_q   <= '0;
      tracked_q <= 1'b0;
      waits_q   <= 1'b0;
    end else begin
      there_q <= there_q + CountW'(enters) - CountW'(leaves);
      waits_q <= there_q > CountW'(leaves);
      if (tracked_q) begin
        if (leaves && ahead_q == '0) tracked_q <= 1'b0;
        if (leaves) ahead_q <= ahead_q - CountW'(1);
      end else if (enters && pick_i) begin
        tracked_q <= 1'b1;
        ahead_q   <= there_q - CountW'(leaves);
        data_q    <= data_i;
      end
    end
  end

  `FAA_ASSERT(LeavesInOrder, !(tracked_q && leaves && ahead_q == '0) || data == data_q)
  `FAA_ASSERT(NoneMadeOrLost, (!valid || there_q != '0) && there_q <= CountW'(Depth + 1) && (!tracked_q || ahead_q < there_q))
  `FAA_ASSERT(TakesWithRoom, ready || there_q >= CountW'(Depth))
  `FAA_ASSERT(ShowsInTime, !waits_q || valid)

  // Induction: where the item is
  `FAA_ASSERT(CountIsThere, there_q == CountW'(u_queue.count_q) + CountW'(valid) && PtrW'(u_queue.tail_q - u_queue.head_q) ==
              PtrW'(u_queue.count_q))
  `FAA_ASSERT(Kept, !tracked_q || (valid && ahead_q == '0 ? data == data_q : u_queue.u_ram.mem[place] == data_q))

endmodule
