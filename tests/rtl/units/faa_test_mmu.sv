// SPDX-License-Identifier: Apache-2.0
//
// Translation with invalidation for a C++ test: three TLBs on the shared part. Requests of TLBs 0
// and 1 are ports; TLB 2 has a unit's port with the translator of LD and ST as client 0 and
// requests without permissions as client 1. This module flushes TLBs as faa_cu_wrap does.

module faa_test_mmu #(
  parameter int unsigned Walks = 8,
  parameter int unsigned Sets0 = 128,
  parameter int unsigned Sets1 = 16,
  parameter int unsigned Sets2 = 4,
  parameter int unsigned Ways = 4,
  // As in faa_mmu; without first-level TLBs.
  parameter bit Compact = 1'b0,
  // Bytes of a line: 16, 32 or 64.
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineW = 8 * LineBytes,
  localparam int unsigned OffW = $clog2(LineBytes),
  localparam int unsigned AddrW = 64 - OffW,
  localparam int unsigned N = 3
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic [N*8-1:0]      vmid_i,
  input  logic [N*64-1:0]     pt_base_i,

  // Requests of TLBs 0 and 1
  input  logic [1:0]          tr_valid_i,
  output logic [1:0]          tr_ready_o,
  input  logic [127:0]        tr_va_i,
  input  logic [1:0]          tr_write_i,
  input  logic [1:0]          tr_atomic_i,
  output logic [1:0]          tr_rsp_valid_o,
  output logic [15:0]         tr_rsp_error_o,
  output logic [127:0]        tr_rsp_pa_o,
  output logic [1:0]          tr_rsp_sparse_o,
  output logic [1:0]          tr_rsp_big_o,

  // Warps and single requests for TLB 2
  input  logic                start_i,
  input  logic [31:0]         mask_i,
  input  logic [2047:0]       va_i,
  input  logic [1:0]          size_i,
  input  logic                write_i,
  input  logic                drop_i,
  output logic                free_o,
  output logic                valid_o,
  input  logic                take_i,
  output logic [2047:0]       pa_o,
  output logic [31:0]         sparse_o,
  output logic [7:0]          error_o,
  output logic [4:0]          error_lane_o,
  output logic [63:0]         error_address_o,
  input  logic                one_valid_i,
  output logic                one_ready_o,
  input  logic [63:0]         one_va_i,
  output logic                one_rsp_valid_o,
  output logic [7:0]          one_rsp_error_o,
  output logic [63:0]         one_rsp_pa_o,
  output logic                port_idle_o,

  // Memory
  output logic [Walks-1:0]    mem_req_valid_o,
  input  logic [Walks-1:0]    mem_req_ready_i,
  output logic [Walks*64-1:0] mem_req_addr_o,
  input  logic [Walks-1:0]    mem_rsp_valid_i,
  input  logic [LineW-1:0]    mem_rsp_rdata_i,
  input  logic [Walks-1:0]    mem_rsp_err_i,

  // Invalidation; quiet: the unit uses no translation.
  input  logic [31:0]         inv_request_i,
  output logic [31:0]         inv_done_o,
  input  logic [7:0]          inv_vmid_i,
  input  logic [63:0]         inv_first_i,
  input  logic [63:0]         inv_last_i,
  output logic [N-1:0]        inv_req_o,
  input  logic [N-1:0]        quiet_i,

  output logic [2*N-1:0]      hits_o,
  output logic [N-1:0]        miss_o,
  output logic                idle_o
);

  localparam int unsigned SlotW = $clog2(faa_cu_pkg::TRANSLATIONS);

  logic [N-1:0]        tr_valid, tr_ready, rsp_valid;
  faa_bundle_pkg::tr_req_t [N-1:0] tr_req;
  faa_bundle_pkg::tr_rsp_t [N-1:0] rsp;
  logic [N-1:0]        walk_valid, walk_ready, walk_rsp_valid, inv_req, tlb_idle, flush, flush_busy_q, flush_done;
  logic [N*36-1:0]     walk_page;
  logic [N*SlotW-1:0]  walk_slot;
  logic [SlotW-1:0]    walk_rsp_slot;
  logic [7:0]          walk_rsp_error, inv_vmid;
  logic [63:0]         walk_rsp_addr, inv_first, inv_last;
  logic [42:0]         walk_rsp_leaf;
  logic                walk_rsp_big, walk_rsp_walked, mmu_inv_valid, mmu_inv_done, mmu_idle, inv_idle;
  logic [Walks*AddrW-1:0] mem_addr;

  for (genvar n = 0; n < N; n++) begin : gen_tlb
    if (Compact) begin : gen_requests
      faa_tlb_requests #(.Slots(faa_cu_pkg::TRANSLATIONS)) u_tlb (
        .clk_i, .rst_ni,
        .tr_valid_i(tr_valid[n]), .tr_ready_o(tr_ready[n]), .tr_req_i(tr_req[n]),
        .tr_rsp_valid_o(rsp_valid[n]), .tr_rsp_o(rsp[n]),
        .walk_valid_o(walk_valid[n]), .walk_ready_i(walk_ready[n]),
        .walk_page_o(walk_page[n*36 +: 36]), .walk_slot_o(walk_slot[n*SlotW +: SlotW]),
        .walk_rsp_valid_i(walk_rsp_valid[n]), .walk_rsp_slot_i(walk_rsp_slot),
        .walk_rsp_error_i(walk_rsp_error), .walk_rsp_addr_i(walk_rsp_addr),
        .walk_rsp_leaf_i(walk_rsp_leaf), .walk_rsp_big_i(walk_rsp_big),
        .walk_rsp_walked_i(walk_rsp_walked),
        .flush_i(flush[n]), .flush_done_o(flush_done[n]),
        .idle_o(tlb_idle[n]), .hits_o(hits_o[n*2 +: 2]), .miss_o(miss_o[n])
      );
    end else begin : gen_full
      faa_tlb #(.Slots(faa_cu_pkg::TRANSLATIONS)) u_tlb (
        .clk_i, .rst_ni, .vmid_i(vmid_i[n*8 +: 8]),
        .tr_valid_i(tr_valid[n]), .tr_ready_o(tr_ready[n]), .tr_req_i(tr_req[n]),
        .tr_rsp_valid_o(rsp_valid[n]), .tr_rsp_o(rsp[n]),
        .walk_valid_o(walk_valid[n]), .walk_ready_i(walk_ready[n]),
        .walk_page_o(walk_page[n*36 +: 36]), .walk_slot_o(walk_slot[n*SlotW +: SlotW]),
        .walk_rsp_valid_i(walk_rsp_valid[n]), .walk_rsp_slot_i(walk_rsp_slot),
        .walk_rsp_error_i(walk_rsp_error), .walk_rsp_addr_i(walk_rsp_addr),
        .walk_rsp_leaf_i(walk_rsp_leaf), .walk_rsp_big_i(walk_rsp_big),
        .walk_rsp_walked_i(walk_rsp_walked),
        .flush_i(flush[n]), .flush_vmid_i(inv_vmid), .flush_first_i(inv_first),
        .flush_last_i(inv_last), .flush_done_o(flush_done[n]),
        .idle_o(tlb_idle[n]), .hits_o(hits_o[n*2 +: 2]), .miss_o(miss_o[n])
      );
    end
    assign flush[n] = inv_req[n] && !flush_busy_q[n] && tlb_idle[n] && quiet_i[n];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) flush_busy_q[n] <= 1'b0;
      else if (flush[n]) flush_busy_q[n] <= 1'b1;
      else if (!inv_req[n]) flush_busy_q[n] <= 1'b0;
    end
  end
  assign inv_req_o = inv_req & ~flush_busy_q;

  assign tr_valid[1:0]   = tr_valid_i;
  assign tr_ready_o      = tr_ready[1:0];
  assign tr_rsp_valid_o  = rsp_valid[1:0];
  for (genvar n = 0; n < 2; n++) begin : gen_port
    assign tr_req[n] = '{va: tr_va_i[n*64 +: 64], write: tr_write_i[n], atomic: tr_atomic_i[n]};
    assign tr_rsp_error_o[n*8 +: 8] = rsp[n].error;
    assign tr_rsp_pa_o[n*64 +: 64]  = rsp[n].pa;
    assign tr_rsp_sparse_o[n]       = rsp[n].sparse;
    assign tr_rsp_big_o[n]          = rsp[n].big;
  end

  logic [3:0]  client_valid, client_ready, client_rsp;
  faa_bundle_pkg::tr_rsp_t client_rsp_what;
  faa_bundle_pkg::tr_req_t [3:0] client_req;
  logic [31:0] mask;
  logic        good, bad;

  faa_cu_translate u_translate (
    .clk_i, .rst_ni, .start_i, .mask_i, .va_i, .base_i('0), .step_i('0), .size_i, .write_i, .drop_i,
    .free_o, .valid_o, .take_i, .mask_o(mask), .pa_o, .sparse_o, .good_o(good), .bad_o(bad),
    .error_o, .error_lane_o, .error_address_o,
    .tr_valid_o(client_valid[0]), .tr_ready_i(client_ready[0]), .tr_req_o(client_req[0]),
    .tr_rsp_valid_i(client_rsp[0]), .tr_rsp_i(client_rsp_what)
  );
  assign client_valid[1] = one_valid_i;
  assign client_valid[3:2] = '0;
  assign one_ready_o     = client_ready[1];
  assign one_rsp_valid_o = client_rsp[1];
  assign one_rsp_error_o = client_rsp_what.error;
  assign one_rsp_pa_o    = client_rsp_what.pa;
  assign client_req[1]   = '{va: one_va_i, write: 1'b0, atomic: 1'b0};
  assign client_req[3:2] = '0;

  faa_cu_tr_arb u_arb (
    .clk_i, .rst_ni, .access_next_i(client_valid[0]), .valid_i(client_valid),
    .ready_o(client_ready), .req_i(client_req),
    .rsp_valid_o(client_rsp), .rsp_o(client_rsp_what), .idle_o(port_idle_o),
    .tr_valid_o(tr_valid[2]), .tr_ready_i(tr_ready[2]), .tr_req_o(tr_req[2]),
    .tr_rsp_valid_i(rsp_valid[2]), .tr_rsp_i(rsp[2])
  );

  faa_mmu #(
    .N(N), .Slots(faa_cu_pkg::TRANSLATIONS), .Walks(Walks), .Sets0(Sets0), .Sets1(Sets1),
    .Sets2(Sets2), .Ways(Ways), .Compact(Compact), .LineBytes(LineBytes)
  ) u_mmu (
    .clk_i, .rst_ni, .vmid_i, .pt_base_i, .walk_valid_i(walk_valid), .walk_ready_o(walk_ready), .walk_page_i(walk_page),
    .walk_slot_i(walk_slot), .walk_rsp_valid_o(walk_rsp_valid), .walk_rsp_slot_o(walk_rsp_slot), .walk_rsp_error_o(walk_rsp_error),
    .walk_rsp_addr_o(walk_rsp_addr), .walk_rsp_leaf_o(walk_rsp_leaf), .walk_rsp_big_o(walk_rsp_big),
    .walk_rsp_walked_o(walk_rsp_walked), .mem_req_valid_o, .mem_req_ready_i, .mem_req_addr_o(mem_addr), .mem_rsp_valid_i,
    .mem_rsp_rdata_i, .mem_rsp_err_i, .inv_valid_i(mmu_inv_valid), .inv_done_o(mmu_inv_done), .inv_vmid_i(inv_vmid),
    .inv_first_i(inv_first), .inv_last_i(inv_last), .idle_o(mmu_idle)
  );
  for (genvar n = 0; n < Walks; n++) begin : gen_addr
    assign mem_req_addr_o[n*64 +: 64] = {mem_addr[n*AddrW +: AddrW], OffW'(0)};
  end

  logic event_done, sweep;
  faa_inv #(.N(N)) u_inv (
    .clk_i, .rst_ni, .request_i(inv_request_i), .done_o(inv_done_o), .vmid_i(inv_vmid_i), .first_i(inv_first_i), .last_i(inv_last_i),
    .shared_valid_o(mmu_inv_valid), .shared_done_i(mmu_inv_done), .inv_req_o(inv_req), .inv_ack_i(flush_done), .inv_vmid_o(inv_vmid),
    .inv_first_o(inv_first), .inv_last_o(inv_last), .sweep_valid_o(sweep), .sweep_done_i(1'b0), .event_done_o(event_done),
    .idle_o(inv_idle)
  );
  assign idle_o = mmu_idle && inv_idle && tlb_idle == '1;

  logic unused;
  assign unused = ^{mask, good, bad, event_done, sweep, client_rsp_what, client_ready[3:2],
                    client_rsp[3:2]};

endmodule
