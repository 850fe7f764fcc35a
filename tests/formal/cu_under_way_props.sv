// SPDX-License-Identifier: Apache-2.0
//
// The counts of warps in the atomic unit against a list of them: any warps enter, any listed ones
// are done, each once.

`include "formal.svh"

module cu_under_way_props #(
  parameter int unsigned Most = 3
) (
  input logic            clk_i,
  input logic            run_i,
  input logic            enter_i,
  input logic            enter_reads_i,
  input logic            enter_writes_i,
  input logic [Most-1:0] done_i       // entry of the list that is done
);

  `FORMAL_RESET

  logic [Most-1:0] listed_q, reads_q, writes_q, free;
  logic            reads_idle, writes_idle;

  faa_cu_under_way u_under_way (
    .clk_i, .rst_ni, .enter_i, .enter_reads_i, .enter_writes_i, .done_i(done_i != '0), .done_reads_i((done_i & reads_q) != '0),
    .done_writes_i((done_i & writes_q) != '0), .reads_idle_o(reads_idle), .writes_idle_o(writes_idle)
  );

  assign free = ~listed_q & (listed_q + Most'(1));   // the lowest place

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      listed_q <= '0;
    end else begin
      listed_q <= (listed_q | (enter_i ? free : '0)) & ~done_i;
    end
    if (enter_i) begin
      reads_q  <= (reads_q & ~free) | (enter_reads_i ? free : '0);
      writes_q <= (writes_q & ~free) | (enter_writes_i ? free : '0);
    end
  end

  `FAA_ASSUME(ListHasRoom, !enter_i || listed_q != '1)
  `FAA_ASSUME(OneIsDone, (done_i & ~listed_q) == '0 && (done_i & (done_i - Most'(1))) == '0)

  `FAA_ASSERT(ReadsAreCounted, reads_idle == ((listed_q & reads_q) == '0))
  `FAA_ASSERT(WritesAreCounted, writes_idle == ((listed_q & writes_q) == '0))

endmodule
