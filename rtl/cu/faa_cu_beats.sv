// SPDX-License-Identifier: Apache-2.0
//
// Numbers the beats of a warp, of Lanes lanes each, from lane 0 on. The number changes in the cycle
// after a step. Stalls and hazards: none.

module faa_cu_beats #(
  parameter int unsigned Lanes = 32     // 32, 16, 8 or 4
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              step_i,     // the beat is taken
  output faa_cu_pkg::part_t part_o
);

  localparam int unsigned Beats = 32 / Lanes;

  if (Beats == 1) begin : gen_whole
    assign part_o = '{last: 1'b1, number: 3'd0};

    logic unused;
    assign unused = ^{clk_i, rst_ni, step_i};
  end else begin : gen_beats
    faa_cu_pkg::beat_no_t number_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) number_q <= 3'd0;
      else if (step_i) number_q <= part_o.last ? 3'd0 : number_q + 3'd1;
    end
    assign part_o = '{last: number_q == 3'(Beats - 1), number: number_q};
  end

endmodule
