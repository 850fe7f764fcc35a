// SPDX-License-Identifier: Apache-2.0
//
// Page table walker, shared by the TLBs of all compute units (round robin). Reads one entry a level, level 3 first or, from a table that
// the TLB remembers, level 0, and stops at the first leaf or error (Documentation/mmu.rst).
//
// Latency: one memory read and 2 cycles per level. One walk at a time. Stalls: the memory.
// Hazards: none kept here, since nothing is cached; an invalidation is answered by the unit whose walk is under way.

`include "faa_assert.svh"

module faa_ptw #(
  parameter int unsigned N = 2,
  parameter int unsigned TagW = 5
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  // TLB n in slice n.
  input  logic [N-1:0]    walk_valid_i,
  output logic [N-1:0]    walk_ready_o,
  input  logic [N*48-1:0] walk_va_i,
  input  logic [N*64-1:0] walk_base_i,
  input  logic [N-1:0]    walk_table_i,      // the base is that of a level 0 table
  output logic [N-1:0]    walk_rsp_valid_o,
  output logic [7:0]      walk_rsp_error_o,
  output logic [63:0]     walk_rsp_addr_o,
  output logic [63:0]     walk_rsp_pte_o,
  output logic            walk_rsp_big_o,
  output logic [63:0]     walk_rsp_base_o,   // the table that the entry is in, and the entry's line
  output logic [511:0]    walk_rsp_line_o,

  // Memory port (reads only).
  output logic            mem_req_valid_o,
  input  logic            mem_req_ready_i,
  output logic [63:6]     mem_req_addr_o,
  output logic [TagW-1:0] mem_req_tag_o,
  input  logic            mem_rsp_valid_i,
  input  logic [511:0]    mem_rsp_rdata_i,
  input  logic            mem_rsp_err_i,

  output logic            idle_o
);

  typedef enum logic [1:0] {StIdle, StRead, StWait, StCheck} state_e;
  state_e       state_q;
  logic [N-1:0] grant, owner_q;
  logic [47:0]  va_q, va_sel;
  logic [63:0]  base_q, base_sel;
  logic [1:0]   level_q;
  logic [63:0]  entry_addr;
  logic [511:0] line_q;
  logic         err_q;

  faa_arb_rr #(.N(N)) u_arb (
    .clk_i, .rst_ni, .req_i(walk_valid_i), .grant_o(grant), .advance_i(state_q == StIdle)
  );
  assign walk_ready_o = (state_q == StIdle) ? grant : '0;
  assign idle_o       = state_q == StIdle;

  always_comb begin
    va_sel   = '0;
    base_sel = '0;
    for (int unsigned n = 0; n < N; n++) begin
      if (grant[n]) begin
        va_sel   = va_sel | walk_va_i[n*48 +: 48];
        base_sel = base_sel | walk_base_i[n*64 +: 64];
      end
    end
  end

  // ---- Address of the entry, and the entry in its line ----

  logic [8:0]  index;
  logic [63:0] pte;
  always_comb begin
    unique case (level_q)
      2'd3:    index = va_q[47:39];
      2'd2:    index = va_q[38:30];
      2'd1:    index = va_q[29:21];
      default: index = va_q[20:12];
    endcase
  end
  assign entry_addr      = {base_q[63:12], index, 3'd0};
  assign mem_req_valid_o = state_q == StRead;
  assign mem_req_addr_o  = entry_addr[63:6];
  assign mem_req_tag_o   = '0;
  assign pte             = line_q[{index[2:0], 6'd0} +: 64];

  // ---- Check ----

  logic       leaf, bad, done;
  logic [7:0] error;

  assign leaf = pte[faa_pkg::PTE_LEAF_LSB];

  always_comb begin
    bad = (pte & faa_pkg::PTE_RESERVED) != '0;
    if (leaf) begin
      bad = bad || level_q >= 2'd2 || pte[faa_pkg::PTE_REGION_LSB] || (level_q == 2'd1 && pte[20:12] != '0);
    end else begin
      bad = bad || level_q == 2'd0 || pte[faa_pkg::PTE_WRITABLE_LSB] || pte[faa_pkg::PTE_ATOMIC_LSB] ||
            pte[faa_pkg::PTE_SPARSE_LSB] || pte[faa_pkg::PTE_REGION_LSB];
    end
  end

  always_comb begin
    error = faa_pkg::ERROR_SUCCESS;
    if (err_q) error = faa_pkg::ERROR_BUS_ERROR;
    else if (!pte[faa_pkg::PTE_VALID_LSB]) error = faa_pkg::ERROR_NOT_MAPPED;
    else if (bad) error = faa_pkg::ERROR_BAD_PAGE_TABLE;
  end

  assign done             = state_q == StCheck && (error != faa_pkg::ERROR_SUCCESS || leaf);
  assign walk_rsp_valid_o = done ? owner_q : '0;
  assign walk_rsp_error_o = error;
  assign walk_rsp_addr_o  = entry_addr;
  assign walk_rsp_pte_o   = pte;
  assign walk_rsp_big_o   = level_q == 2'd1;
  assign walk_rsp_base_o  = base_q;
  assign walk_rsp_line_o  = line_q;

  // ---- Walk ----

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:  if (walk_valid_i != '0) state_q <= StRead;
        StRead:  if (mem_req_ready_i) state_q <= StWait;
        StWait:  if (mem_rsp_valid_i) state_q <= StCheck;
        StCheck: state_q <= done ? StIdle : StRead;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      owner_q <= grant;
      va_q    <= va_sel;
      base_q  <= base_sel;
      level_q <= (walk_table_i & grant) != '0 ? 2'd0 : 2'd3;
    end
    if (state_q == StWait && mem_rsp_valid_i) begin
      line_q <= mem_rsp_rdata_i;
      err_q  <= mem_rsp_err_i;
    end
    if (state_q == StCheck && !done) begin
      base_q  <= {12'd0, pte[51:12], 12'd0};
      level_q <= level_q - 2'd1;
    end
  end

  logic unused;
  assign unused = ^{va_q[11:0], base_q[11:0]};

  `FAA_ASSERT(PtwExpected, !mem_rsp_valid_i || state_q == StWait)

endmodule
