// SPDX-License-Identifier: Apache-2.0
//
// Levels Level .. Level + Count - 1 of Batcher's odd-even merge network, and a register behind them.
//
// Level number: the merge of runs of 2^a keys has levels a (a + 1) / 2 .. + a, with distances 2^a down to 1.

module faa_global_sort_stage #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Level = 0,
  parameter int unsigned Count = 3
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  faa_shared_pkg::beat_t beat_i,
  input  logic [Lanes*32-1:0]   key_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output faa_shared_pkg::beat_t beat_o,
  output logic [Lanes*32-1:0]   key_o
);

  // Evaluated at elaboration only: not counted.
  // verilator coverage_off
  // Length of the runs that a level merges.
  function automatic int unsigned run_of(input int unsigned level);
    int unsigned a;
    a = 0;
    for (int unsigned k = 1; k < 5; k++) if (level >= k * (k + 1) / 2) a = k;
    run_of = 32'd1 << a;
  endfunction

  function automatic int unsigned distance_of(input int unsigned level);
    int unsigned a;
    a = $clog2(run_of(level));
    distance_of = 32'd1 << (a - (level - a * (a + 1) / 2));
  endfunction

  // verilator coverage_on
  localparam int unsigned Keys = faa_shared_pkg::KEY_BITS;
  localparam int unsigned Run0 = run_of(Level);
  localparam int unsigned Run1 = run_of(Level + 1);
  localparam int unsigned Run2 = run_of(Level + 2);
  localparam int unsigned Far0 = distance_of(Level);
  localparam int unsigned Far1 = distance_of(Level + 1);
  localparam int unsigned Far2 = distance_of(Level + 2);

  logic                valid_q, take;
  logic [Lanes*32-1:0] net;

  assign ready_o = !valid_q || ready_i;
  assign take    = valid_i && ready_o;
  assign valid_o = valid_q;

  // A comparator stands between x and x + far.
  function automatic logic compares(input int unsigned x, input int unsigned run, input int unsigned far);
    compares = x >= far % run && (x - far % run) % (2 * far) < far && x + far < Lanes &&
               x / (2 * run) == (x + far) / (2 * run);
  endfunction

  // The keys behind one level
  function automatic logic [Lanes*32-1:0] exchanged(input logic [Lanes*32-1:0] keys, input int unsigned run,
                                                    input int unsigned far);
    exchanged = keys;
    for (int unsigned x = 0; x < Lanes; x++) begin
      if (compares(x, run, far) && keys[(x+far)%Lanes*32 +: Keys] < keys[x*32 +: Keys]) begin
        exchanged[x*32 +: 32]                = keys[(x+far)%Lanes*32 +: 32];
        exchanged[(x+far)%Lanes*32 +: 32] = keys[x*32 +: 32];
      end
    end
  endfunction

  always_comb begin
    net = key_i;
    if (take) begin
      net = exchanged(net, Run0, Far0);
      if (Count > 1) net = exchanged(net, Run1, Far1);
      if (Count > 2) net = exchanged(net, Run2, Far2);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (take) begin
      beat_o <= beat_i;
      key_o  <= net;
    end
  end

endmodule
