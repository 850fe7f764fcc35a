// SPDX-License-Identifier: Apache-2.0
//
// Merges the line requests of N requesters into one port, round robin, and sends each response back by its tag, which
// is the requester's tag with the requester's number above it. Without Writes all are reads, whatever the ports of writes say.
//
// Latency: 1 cycle for a request (register slice), 0 for a response. Throughput: 1 request (HalfRate:
// per 2 cycles) and 1 response per cycle.
// Hazards: none; requests to one line by different requesters are not ordered. A request may be withdrawn before it is taken.

`include "faa_assert.svh"

module faa_line_arb #(
  parameter int unsigned N = 2,
  parameter int unsigned TagW = 5,
  parameter bit Writes = 1'b1,
  // A request per two cycles at most: one register a bit instead of two, and a multiplexer less.
  parameter bit HalfRate = 1'b0,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned AddrW = 64 - OffW,
  localparam int unsigned NumW = (N > 1) ? $clog2(N) : 1,
  localparam int unsigned OutTagW = TagW + NumW
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Requesters, number n in slice n of each vector.
  input  logic [N-1:0]           req_valid_i,
  output logic [N-1:0]           req_ready_o,
  input  logic [N-1:0]           req_write_i,
  input  logic [N*AddrW-1:0]     req_addr_i,
  input  logic [N*LineW-1:0]     req_wdata_i,
  input  logic [N*LineBytes-1:0] req_wstrb_i,
  input  logic [N*TagW-1:0]      req_tag_i,
  output logic [N-1:0]           rsp_valid_o,
  output logic [TagW-1:0]        rsp_tag_o,
  output logic [LineW-1:0]       rsp_rdata_o,
  output logic                   rsp_err_o,

  // Memory.
  output logic                 mem_req_valid_o,
  input  logic                 mem_req_ready_i,
  output logic                 mem_req_write_o,
  output logic [63:OffW]       mem_req_addr_o,
  output logic [LineW-1:0]     mem_req_wdata_o,
  output logic [LineBytes-1:0] mem_req_wstrb_o,
  output logic [OutTagW-1:0]   mem_req_tag_o,
  input  logic                 mem_rsp_valid_i,
  input  logic [OutTagW-1:0]   mem_rsp_tag_i,
  input  logic [LineW-1:0]     mem_rsp_rdata_i,
  input  logic                 mem_rsp_err_i,

  // 1: no request is waiting in the register slice.
  output logic               idle_o
);

  localparam int unsigned ReadW = AddrW + OutTagW;
  localparam int unsigned WriteW = 1 + LineW + LineBytes;

  logic [N-1:0]      grant;
  logic              slice_ready;
  logic [ReadW-1:0]  winner;
  logic [WriteW-1:0] winner_write;

  faa_arb_rr #(.N(N)) u_arb (
    .clk_i, .rst_ni, .req_i(req_valid_i), .grant_o(grant), .advance_i(slice_ready)
  );

  assign req_ready_o = slice_ready ? grant : '0;

  // One-hot selection: an AND-OR tree, where indexing by a width that is no power of two would cost a shifter.
  always_comb begin
    winner       = '0;
    winner_write = '0;
    for (int unsigned n = 0; n < N; n++) begin
      if (grant[n]) begin
        winner = winner | {req_addr_i[n*AddrW +: AddrW], NumW'(n), req_tag_i[n*TagW +: TagW]};
        if (Writes) begin
          winner_write = winner_write | {req_write_i[n], req_wdata_i[n*LineW +: LineW],
                                         req_wstrb_i[n*LineBytes +: LineBytes]};
        end
      end
    end
  end

  if (Writes) begin : gen_writes
    faa_skid #(.Width(ReadW + WriteW), .HalfRate(HalfRate)) u_slice (
      .clk_i, .rst_ni,
      .valid_i(req_valid_i != '0), .ready_o(slice_ready), .data_i({winner, winner_write}),
      .valid_o(mem_req_valid_o), .ready_i(mem_req_ready_i),
      .data_o({mem_req_addr_o, mem_req_tag_o, mem_req_write_o, mem_req_wdata_o, mem_req_wstrb_o})
    );
  end else begin : gen_reads
    faa_skid #(.Width(ReadW), .HalfRate(HalfRate)) u_slice (
      .clk_i, .rst_ni,
      .valid_i(req_valid_i != '0), .ready_o(slice_ready), .data_i(winner),
      .valid_o(mem_req_valid_o), .ready_i(mem_req_ready_i), .data_o({mem_req_addr_o, mem_req_tag_o})
    );
    assign {mem_req_write_o, mem_req_wdata_o, mem_req_wstrb_o} = winner_write;
    logic unused;
    assign unused = ^{req_write_i, req_wdata_i, req_wstrb_i};
  end

  for (genvar n = 0; n < N; n++) begin : gen_rsp
    assign rsp_valid_o[n] = mem_rsp_valid_i && mem_rsp_tag_i[OutTagW-1:TagW] == NumW'(n);
  end
  assign rsp_tag_o   = mem_rsp_tag_i[TagW-1:0];
  assign rsp_rdata_o = mem_rsp_rdata_i;
  assign rsp_err_o   = mem_rsp_err_i;
  assign idle_o      = !mem_req_valid_o;

  `FAA_ASSERT(LineArbKnownRequester, !mem_rsp_valid_i || rsp_valid_o != '0)

endmodule
