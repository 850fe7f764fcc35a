// SPDX-License-Identifier: Apache-2.0
//
// Follows the successes of CAS on choice words along their links (faa_shared_links), two levels.
//
// A level adds the targets of its members' links to the set, and doubles the length of the links. A
// link leads to a higher position or, at the end of its way, to its own. Combinational; while en_i
// is 0 the outputs equal the inputs.

module faa_shared_follow #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  input  logic                   en_i,
  input  logic [Lanes-1:0]       set_i,
  input  logic [Lanes*LaneW-1:0] link_i,
  output logic [Lanes-1:0]       set_o,
  output logic [Lanes*LaneW-1:0] link_o
);

  logic [Lanes-1:0]       from;
  logic [Lanes*LaneW-1:0] link;

  always_comb begin
    set_o  = set_i;
    link_o = link_i;
    from   = '0;
    link   = '0;
    if (en_i) begin
      for (int level = 0; level < 2; level++) begin
        from = set_o;
        link = link_o;
        for (int p = 0; p < Lanes; p++) begin
          if (from[p]) set_o[link[p*LaneW +: LaneW]] = 1'b1;
          link_o[p*LaneW +: LaneW] = link[32'(link[p*LaneW +: LaneW])*LaneW +: LaneW];
        end
      end
    end
  end

endmodule
