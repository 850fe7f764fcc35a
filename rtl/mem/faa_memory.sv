// SPDX-License-Identifier: Apache-2.0
//
// The memory side of a device with ATOM (Documentation/l2.rst): L2 slices between the compute units
// and the AXI master, sweeps, and the paths that bypass the slices.
//
// A line belongs to one slice (faa_l2_home). Atomic operations of a unit come by AtomPorts ports,
// each of which has its own share of the slices: the first port those with the lowest numbers.
// Requests with cu_req_direct_i and those of direct_* (runners, walkers), one at a time each,
// bypass the slices and go to the AXI master. Only sweeps order accesses through a slice and
// accesses that bypass it.
//
// Order: requests of a unit's line port for one slice reach it in order, as do those of each atomic
// port; responses come in any order. Latency: 4 cycles of a hit; bypassing the slices 1 cycle to
// the AXI master, none back. Throughput: a request and a response per cycle and port, slice, and
// direction of the AXI master.
//
// No deadlock: each request waits only for resources nearer to memory. A request waits for its
// slice, a slice for the AXI master's request ports, these for free slots, slots for responses.
// Responses do not wait for requests: a unit always takes its responses, a slice always those of
// memory. A read's response never waits. A write's waits only in a cycle in which a direct read's
// response goes to the same unit, which has at most as many of these outstanding as tags. A slice's
// response waits only while other responses of that unit's port are given. Sweeps wait for the
// outstanding operations of the slices, which wait for memory alone; page tables are read past the
// slices, so no translation waits for a sweep.

`include "faa_assert.svh"
`include "bundle/faa_line.svh"

module faa_memory #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  parameter int unsigned TagW = 7,
  parameter int unsigned MasterTagW = 10,
  localparam int unsigned NumCu = Build.num_cu,
  // Requesters of direct_*: runners, then page table walks, which never write
  localparam int unsigned NumReaders = Build.mmu_walks,
  localparam int unsigned NumDirect = NumCu + NumReaders,
  localparam int unsigned Slices = Build.l2_slices,
  // Ports of a unit for atomic operations
  localparam int unsigned AtomPorts = Build.l2_ports,
  localparam int unsigned LineBytes = Build.line_bytes,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned LineAddrW = 52 - OffW,
  localparam int unsigned Askers = 2 * NumCu + 1,
  localparam int unsigned Atoms = NumCu * AtomPorts,
  localparam type line_req_t = `FAA_LINE_REQ(LineBytes, TagW),
  localparam type line_rsp_t = `FAA_LINE_RSP(LineBytes, TagW),
  localparam type atom_req_t = `FAA_ATOM_REQ(LineBytes),
  localparam type atom_rsp_t = `FAA_ATOM_RSP(LineBytes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Compute units, unit n in slice n of each vector. Line requests: a response is always taken.
  input  logic [NumCu-1:0]           cu_req_valid_i,
  output logic [NumCu-1:0]           cu_req_ready_o,
  input  line_req_t [NumCu-1:0]      cu_req_i,
  output logic [NumCu-1:0]           cu_rsp_valid_o,
  output line_rsp_t [NumCu-1:0]      cu_rsp_o,

  // Line operations of LD, ST and ATOM, port p of unit n in slice n * AtomPorts + p of each vector.
  input  logic [Atoms-1:0]           atom_req_valid_i,
  output logic [Atoms-1:0]           atom_req_ready_o,
  input  atom_req_t [Atoms-1:0]      atom_req_i,
  output logic [Atoms-1:0]           atom_rsp_valid_o,
  output atom_rsp_t [Atoms-1:0]      atom_rsp_o,

  // Runners and walkers: each has one request at a time.
  input  logic [NumDirect-1:0]           direct_req_valid_i,
  output logic [NumDirect-1:0]           direct_req_ready_o,
  input  line_req_t [NumDirect-1:0]      direct_req_i,
  output logic [NumDirect-1:0]           direct_rsp_valid_o,
  output logic [LineW-1:0]               direct_rsp_rdata_o,
  output logic [NumDirect-1:0]           direct_rsp_err_o,

  // Sweeps, requesters as in faa_memory_sweeps.
  input  logic [Askers-1:0]      sweep_valid_i,
  input  logic [Askers-1:0]      sweep_drop_i,
  output logic [Askers-1:0]      sweep_done_o,
  output logic [Askers-1:0]      sweep_err_o,
  output logic [51:OffW]         sweep_err_addr_o,

  // AXI master.
  output logic                   rd_req_valid_o,
  input  logic                   rd_req_ready_i,
  output logic [63:OffW]         rd_req_addr_o,
  output logic [MasterTagW-1:0]  rd_req_tag_o,
  input  logic                   rd_rsp_valid_i,
  output logic                   rd_rsp_ready_o,
  input  logic [MasterTagW-1:0]  rd_rsp_tag_i,
  input  logic [LineW-1:0]       rd_rsp_data_i,
  input  logic                   rd_rsp_err_i,
  output logic                   wr_req_valid_o,
  input  logic                   wr_req_ready_i,
  output logic [63:OffW]         wr_req_addr_o,
  output logic [LineW-1:0]       wr_req_data_o,
  output logic [LineBytes-1:0]   wr_req_strb_o,
  output logic [MasterTagW-1:0]  wr_req_tag_o,
  input  logic                   wr_rsp_valid_i,
  output logic                   wr_rsp_ready_o,
  input  logic [MasterTagW-1:0]  wr_rsp_tag_i,
  input  logic                   wr_rsp_err_i,

  // Atomic transactions for the AXI bus, slice n in slice n of each vector.
  output logic [Slices-1:0]      at_valid_o,
  input  logic [Slices-1:0]      at_ready_i,
  output logic [Slices*2-1:0]    at_op_o,
  output logic [Slices-1:0]      at_wide_o,
  output logic [Slices*50-1:0]   at_addr_o,
  output logic [Slices*64-1:0]   at_data_o,
  output logic [Slices*64-1:0]   at_compare_o,
  output logic [Slices*4-1:0]    at_tag_o,
  input  logic [Slices-1:0]      at_rsp_valid_i,
  input  logic [3:0]             at_rsp_tag_i,
  input  logic [63:0]            at_rsp_data_i,
  input  logic                   at_rsp_err_i,

  output logic                   idle_o
);

  localparam int unsigned SliceW = (Slices > 1) ? $clog2(Slices) : 1;
  // The AXI master takes a line in two cycles or more.
  localparam bit HalfRate = Build.axi_data_width < LineW;
  localparam int unsigned MshrW = $clog2(Build.l2_mshrs);
  localparam int unsigned WbW = $clog2(Build.l2_wb);
  // Slices of an atomic port.
  localparam int unsigned Share = Slices / AtomPorts;
  // Requesters of the AXI master: slices, line ports of the units, direct_*; and the tag of each.
  localparam int unsigned NumMem = Slices + NumCu + NumDirect;
  localparam int unsigned MemTagW = MasterTagW - $clog2(NumMem);
  localparam int unsigned NumWriters = NumMem - NumReaders;
  localparam int unsigned WriterTagW = MemTagW + ((NumWriters > 1) ? $clog2(NumWriters) : 1);

`ifndef YOSYS
  if (MemTagW < TagW || MemTagW < MshrW || MemTagW < WbW) begin : gen_bad_tag
    $error("faa_memory: MasterTagW is %0d, which leaves %0d bits; not enough for the requesters' tags", MasterTagW, MemTagW);
  end
`endif

  // ---- Slices ----

  logic [NumCu*SliceW-1:0]     line_slice;
  logic [Atoms*SliceW-1:0]     atom_slice;
  // Slice s of a vector belongs to L2 slice s, bit n of it to unit n.
  logic [Slices*NumCu-1:0]     line_ready, atom_ready, line_rsp_valid, atom_rsp_valid, line_grant, atom_grant;
  logic [Slices-1:0]           sweep_valid, sweep_ready, sweep_rsp_valid, rsp_err, lost_valid, slice_idle;
  logic                        sweep_drop, sweeps_idle;
  logic [Slices*8-1:0]         rsp_tag;
  logic [Slices*LineW-1:0]     rsp_data;
  logic [Slices*LineAddrW-1:0] lost_addr;

  // Requesters of the AXI master.
  logic [NumMem-1:0]           rd_valid, rd_ready, rd_done, wr_valid, wr_ready, wr_done;
  typedef `FAA_LINE_REQ(LineBytes, MemTagW) mem_req_t;
  typedef `FAA_LINE_RSP(LineBytes, MemTagW) mem_rsp_t;
  mem_req_t [NumMem-1:0]       rd_req, wr_req;
  mem_rsp_t                    rd_rsp, wr_rsp;

  for (genvar n = 0; n < NumCu; n++) begin : gen_hash
    faa_l2_home #(.Slices(Slices)) u_line (
      .line_i(cu_req_i[n].addr[OffW +: faa_l2_pkg::HOME_BITS]),
      .slice_o(line_slice[n*SliceW +: SliceW])
    );
  end
  for (genvar n = 0; n < Atoms; n++) begin : gen_atom_hash
    faa_l2_home #(.Slices(Slices)) u_atom (
      .line_i(atom_req_i[n].line[OffW +: faa_l2_pkg::HOME_BITS]),
      .slice_o(atom_slice[n*SliceW +: SliceW])
    );
    `FAA_ASSERT(memory_port_of_line, !atom_req_valid_i[n] || 32'(atom_slice[n*SliceW +: SliceW]) / Share == n % AtomPorts)
  end

  for (genvar s = 0; s < Slices; s++) begin : gen_slice
    localparam int unsigned Port = s / Share;
    logic [NumCu-1:0]      line_valid, atom_valid;
    atom_req_t [NumCu-1:0] atom_req;
    logic                 rsp_ready;
    logic [MshrW-1:0] slice_rd_tag;
    logic [WbW-1:0]   slice_wr_tag;
    logic [51:OffW]   slice_rd_addr, slice_wr_addr;
    logic [LineW-1:0]     slice_wr_data;
    logic [LineBytes-1:0] slice_wr_strb;

    for (genvar n = 0; n < NumCu; n++) begin : gen_mine
      assign line_valid[n] = cu_req_valid_i[n] && !cu_req_i[n].direct &&
                             line_slice[n*SliceW +: SliceW] == SliceW'(s);
      localparam int unsigned Atom = n * AtomPorts + Port;
      assign atom_valid[n] = atom_req_valid_i[Atom] &&
                             atom_slice[Atom*SliceW +: SliceW] == SliceW'(s);
      assign atom_req[n]   = atom_req_i[Atom];
    end
    assign rsp_ready = (line_grant[s*NumCu +: NumCu] | atom_grant[s*NumCu +: NumCu]) != '0;

    faa_memory_slice #(
      .Build(Build), .TagW(TagW)
    ) u_slice (
      .clk_i, .rst_ni,
      .line_valid_i(line_valid), .line_ready_o(line_ready[s*NumCu +: NumCu]), .line_i(cu_req_i),
      .atom_valid_i(atom_valid), .atom_ready_o(atom_ready[s*NumCu +: NumCu]), .atom_i(atom_req),
      .sweep_valid_i(sweep_valid[s]), .sweep_ready_o(sweep_ready[s]), .sweep_drop_i(sweep_drop),
      .sweep_rsp_valid_o(sweep_rsp_valid[s]),
      .line_rsp_valid_o(line_rsp_valid[s*NumCu +: NumCu]), .atom_rsp_valid_o(atom_rsp_valid[s*NumCu +: NumCu]),
      .rsp_ready_i(rsp_ready), .rsp_tag_o(rsp_tag[s*8 +: 8]),
      .rsp_data_o(rsp_data[s*LineW +: LineW]), .rsp_err_o(rsp_err[s]),
      .mem_rd_valid_o(rd_valid[s]), .mem_rd_ready_i(rd_ready[s]), .mem_rd_addr_o(slice_rd_addr), .mem_rd_tag_o(slice_rd_tag),
      .mem_rd_rsp_valid_i(rd_done[s]), .mem_rd_rsp_tag_i(rd_rsp.tag[MshrW-1:0]),
      .mem_rd_rsp_data_i(rd_rsp.data), .mem_rd_rsp_err_i(rd_rsp.err),
      .mem_wr_valid_o(wr_valid[s]), .mem_wr_ready_i(wr_ready[s]), .mem_wr_addr_o(slice_wr_addr),
      .mem_wr_data_o(slice_wr_data), .mem_wr_strb_o(slice_wr_strb),
      .mem_wr_tag_o(slice_wr_tag),
      .mem_wr_rsp_valid_i(wr_done[s]), .mem_wr_rsp_tag_i(wr_rsp.tag[WbW-1:0]),
      .mem_wr_rsp_err_i(wr_rsp.err),
      .at_valid_o(at_valid_o[s]), .at_ready_i(at_ready_i[s]), .at_op_o(at_op_o[s*2 +: 2]), .at_wide_o(at_wide_o[s]),
      .at_addr_o(at_addr_o[s*50 +: 50]), .at_data_o(at_data_o[s*64 +: 64]), .at_compare_o(at_compare_o[s*64 +: 64]),
      .at_tag_o(at_tag_o[s*4 +: 4]), .at_rsp_valid_i(at_rsp_valid_i[s]), .at_rsp_tag_i, .at_rsp_data_i, .at_rsp_err_i,
      .lost_valid_o(lost_valid[s]), .lost_addr_o(lost_addr[s*LineAddrW +: LineAddrW]),
      .idle_o(slice_idle[s])
    );

    assign rd_req[s] = '{addr: {12'd0, slice_rd_addr}, tag: MemTagW'(slice_rd_tag), default: '0};
    assign wr_req[s] = '{write: 1'b1, direct: 1'b0, addr: {12'd0, slice_wr_addr},
                         data: slice_wr_data, strb: slice_wr_strb, tag: MemTagW'(slice_wr_tag)};
  end

  // ---- Units: requests that bypass the slices, and responses ----

  for (genvar n = 0; n < NumCu; n++) begin : gen_cu
    localparam int unsigned Mem = Slices + n;
    logic [Slices-1:0] n_line_valid, n_line_grant, n_atom_valid, n_atom_grant, n_line_ready, n_atom_ready;
    logic              direct, direct_done;
    logic [TagW-1:0]   line_tag;
    logic [Slices*TagW-1:0] slice_line_tag;

    for (genvar s = 0; s < Slices; s++) begin : gen_slice
      assign n_line_ready[s]           = line_ready[s*NumCu + n];
      assign n_atom_ready[s]           = atom_ready[s*NumCu + n];
      assign n_line_valid[s]           = line_rsp_valid[s*NumCu + n];
      assign n_atom_valid[s]           = atom_rsp_valid[s*NumCu + n];
      assign line_grant[s*NumCu + n]   = n_line_grant[s];
      assign atom_grant[s*NumCu + n]   = n_atom_grant[s];
      assign slice_line_tag[s*TagW +: TagW] = rsp_tag[s*8 +: TagW];
    end

    assign direct            = cu_req_valid_i[n] && cu_req_i[n].direct;
    assign rd_valid[Mem]     = direct && !cu_req_i[n].write;
    assign wr_valid[Mem]     = direct && cu_req_i[n].write;
    assign rd_req[Mem]       = '{addr: cu_req_i[n].addr, tag: MemTagW'(cu_req_i[n].tag),
                                 default: '0};
    assign wr_req[Mem]       = '{write: 1'b1, direct: 1'b0, addr: cu_req_i[n].addr,
                                 data: cu_req_i[n].data, strb: cu_req_i[n].strb,
                                 tag: MemTagW'(cu_req_i[n].tag)};
    assign cu_req_ready_o[n] = rd_ready[Mem] || wr_ready[Mem] || n_line_ready != '0;

    assign direct_done = rd_done[Mem] || (wr_done[Mem] && wr_rsp_ready_o);
    assign line_tag    = rd_done[Mem] ? rd_rsp.tag[TagW-1:0] : wr_rsp.tag[TagW-1:0];

    faa_memory_answers #(.Slices(Slices), .TagW(TagW), .LineW(LineW)) u_line_answers (
      .clk_i, .rst_ni, .slice_valid_i(n_line_valid), .slice_ready_o(n_line_grant), .slice_tag_i(slice_line_tag),
      .slice_data_i(rsp_data), .slice_err_i(rsp_err), .direct_valid_i(direct_done), .direct_tag_i(line_tag),
      .direct_data_i(rd_rsp.data), .direct_err_i(rd_done[Mem] ? rd_rsp.err : wr_rsp.err),
      .rsp_valid_o(cu_rsp_valid_o[n]), .rsp_tag_o(cu_rsp_o[n].tag),
      .rsp_data_o(cu_rsp_o[n].data), .rsp_err_o(cu_rsp_o[n].err)
    );

    for (genvar p = 0; p < AtomPorts; p++) begin : gen_port
      localparam int unsigned Atom = n * AtomPorts + p;
      // The only slice of a port needs no comparison of the line's slice.
      if (Share == 1) begin : gen_one
        assign atom_req_ready_o[Atom] = n_atom_ready[p];
      end else begin : gen_shared
        always_comb begin
          atom_req_ready_o[Atom] = 1'b0;
          for (int unsigned s = p * Share; s < (p + 1) * Share; s++) begin
            if (atom_slice[Atom*SliceW +: SliceW] == SliceW'(s) && n_atom_ready[s]) begin
              atom_req_ready_o[Atom] = 1'b1;
            end
          end
        end
      end

      faa_memory_answers #(
        .Slices(Share), .TagW(8), .Direct(1'b0), .LineW(LineW)
      ) u_atom_answers (
        .clk_i, .rst_ni, .slice_valid_i(n_atom_valid[p*Share +: Share]), .slice_ready_o(n_atom_grant[p*Share +: Share]),
        .slice_tag_i(rsp_tag[p*Share*8 +: Share*8]),
        .slice_data_i(rsp_data[p*Share*LineW +: Share*LineW]),
        .slice_err_i(rsp_err[p*Share +: Share]), .direct_valid_i(1'b0), .direct_tag_i('0), .direct_data_i('0), .direct_err_i(1'b0),
        .rsp_valid_o(atom_rsp_valid_o[Atom]), .rsp_tag_o(atom_rsp_o[Atom].tag),
        .rsp_data_o(atom_rsp_o[Atom].data), .rsp_err_o(atom_rsp_o[Atom].err)
      );
    end
  end

  // ---- Runners and walkers ----

  for (genvar d = 0; d < NumDirect; d++) begin : gen_direct
    localparam int unsigned Mem = Slices + NumCu + d;
    assign rd_valid[Mem]         = direct_req_valid_i[d] && !direct_req_i[d].write;
    assign wr_valid[Mem]         = direct_req_valid_i[d] && direct_req_i[d].write;
    assign rd_req[Mem]           = '{addr: direct_req_i[d].addr, default: '0};
    assign wr_req[Mem]           = '{write: 1'b1, direct: 1'b0, addr: direct_req_i[d].addr,
                                     data: direct_req_i[d].data, strb: direct_req_i[d].strb,
                                     tag: '0};
    assign direct_req_ready_o[d] = rd_ready[Mem] || wr_ready[Mem];
    assign direct_rsp_valid_o[d] = rd_done[Mem] || wr_done[Mem];
    assign direct_rsp_err_o[d]   = rd_done[Mem] ? rd_rsp.err : wr_rsp.err;
    `FAA_ASSUME(direct_reader, d + NumReaders < NumDirect || !wr_valid[Mem])
    `FAA_ASSERT(direct_one_at_a_time, !(rd_done[Mem] && wr_done[Mem]))
  end
  assign direct_rsp_rdata_o = rd_rsp.data;

  // ---- Sweeps ----

  faa_memory_sweeps #(.NumCu(NumCu), .Slices(Slices), .LineBytes(LineBytes)) u_sweeps (
    .clk_i, .rst_ni,
    .ask_valid_i(sweep_valid_i), .ask_drop_i(sweep_drop_i), .ask_done_o(sweep_done_o), .ask_err_o(sweep_err_o),
    .ask_err_addr_o(sweep_err_addr_o),
    .sweep_valid_o(sweep_valid), .sweep_ready_i(sweep_ready), .sweep_drop_o(sweep_drop), .sweep_rsp_valid_i(sweep_rsp_valid),
    .lost_valid_i(lost_valid), .lost_addr_i(lost_addr), .idle_o(sweeps_idle)
  );

  // ---- AXI master ----

  typedef `FAA_LINE_REQ(LineBytes, MasterTagW) read_req_t;
  typedef `FAA_LINE_REQ(LineBytes, WriterTagW) write_req_t;
  logic       rd_idle, wr_idle;
  read_req_t  read_req;
  write_req_t write_req;

  faa_line_arb #(
    .N(NumMem), .TagW(MemTagW), .Writes(1'b0), .HalfRate(HalfRate), .LineBytes(LineBytes)
  ) u_reads (
    .clk_i, .rst_ni,
    .req_valid_i(rd_valid), .req_ready_o(rd_ready), .req_i(rd_req), .rsp_valid_o(rd_done),
    .rsp_o(rd_rsp), .mem_req_valid_o(rd_req_valid_o), .mem_req_ready_i(rd_req_ready_i),
    .mem_req_o(read_req), .mem_rsp_valid_i(rd_rsp_valid_i),
    .mem_rsp_i({rd_rsp_tag_i, rd_rsp_data_i, rd_rsp_err_i}), .idle_o(rd_idle)
  );

  faa_line_arb #(
    .N(NumWriters), .TagW(MemTagW), .HalfRate(HalfRate), .LineBytes(LineBytes)
  ) u_writes (
    .clk_i, .rst_ni,
    .req_valid_i(wr_valid[NumWriters-1:0]), .req_ready_o(wr_ready[NumWriters-1:0]),
    .req_i(wr_req[NumWriters-1:0]), .rsp_valid_o(wr_done[NumWriters-1:0]), .rsp_o(wr_rsp),
    .mem_req_valid_o(wr_req_valid_o), .mem_req_ready_i(wr_req_ready_i), .mem_req_o(write_req),
    .mem_rsp_valid_i(wr_rsp_valid_i),
    .mem_rsp_i({wr_rsp_tag_i[WriterTagW-1:0], LineW'(0), wr_rsp_err_i}), .idle_o(wr_idle)
  );

  assign {rd_req_addr_o, rd_req_tag_o} = {read_req.addr, read_req.tag};
  assign {wr_req_addr_o, wr_req_data_o, wr_req_strb_o} =
         {write_req.addr, write_req.data, write_req.strb};
  assign wr_req_tag_o = MasterTagW'(write_req.tag);
  if (NumReaders > 0) begin : gen_readers
    assign wr_ready[NumMem-1:NumWriters] = '0;
    assign wr_done[NumMem-1:NumWriters]  = '0;
  end

  // A unit's line port takes one response: a read's goes first.
  assign rd_rsp_ready_o = 1'b1;
  assign wr_rsp_ready_o = (rd_done[Slices +: NumCu] & wr_done[Slices +: NumCu]) == '0;

  assign idle_o = slice_idle == '1 && sweeps_idle && rd_idle && wr_idle;

  logic unused;
  assign unused = ^{read_req, write_req, rd_rsp, wr_rsp, rsp_tag, wr_rsp_tag_i, wr_req,
                    direct_req_i};

  `FAA_COVER(memory_read_and_write, rd_req_valid_o && rd_req_ready_i && wr_req_valid_o && wr_req_ready_i)
  `FAA_COVER(memory_read_waits, (rd_valid & ~rd_ready) != '0)
  `FAA_COVER(memory_write_waits, (wr_valid & ~wr_ready) != '0)
  `FAA_COVER(memory_write_response_waits, wr_rsp_valid_i && !wr_rsp_ready_o)

endmodule
