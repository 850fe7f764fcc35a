// SPDX-License-Identifier: Apache-2.0
//
// The registers: the generated block behind AXI4-Lite, with its fields as flat vectors, element n in slice n.
//
// Registers of queues and compute units that this build lacks read as those of a disabled queue and
// an idle unit, whatever is written to them.

module faa_csr #(
  parameter int unsigned NumQueues = 16,
  parameter int unsigned NumCu = 2,
  parameter int unsigned WarpSlots = 2,
  parameter int unsigned SharedBytes = 65536,
  parameter int unsigned AxiDataWidth = 512,
  // What FEATURES and SHARED_UNIT show
  parameter logic [63:0] Features = '0,
  parameter int unsigned SharedLanes = 32,
  parameter int unsigned AdderCycles = 0
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // AXI4-Lite slave.
  input  logic [19:0]               s_axil_awaddr_i,
  input  logic                      s_axil_awvalid_i,
  output logic                      s_axil_awready_o,
  input  logic [31:0]               s_axil_wdata_i,
  input  logic [3:0]                s_axil_wstrb_i,
  input  logic                      s_axil_wvalid_i,
  output logic                      s_axil_wready_o,
  output logic [1:0]                s_axil_bresp_o,
  output logic                      s_axil_bvalid_o,
  input  logic                      s_axil_bready_i,
  input  logic [19:0]               s_axil_araddr_i,
  input  logic                      s_axil_arvalid_i,
  output logic                      s_axil_arready_o,
  output logic [31:0]               s_axil_rdata_o,
  output logic [1:0]                s_axil_rresp_o,
  output logic                      s_axil_rvalid_o,
  input  logic                      s_axil_rready_i,

  // Global block.
  input  logic [63:0]               cycle_i,
  input  logic                      idle_i,
  // Pulses: TLB invalidation done, CU reset done, queue killed, queue in error.
  input  logic [3:0]                event_set_i,
  output logic [3:0]                event_status_o,
  output logic [3:0]                event_enable_o,
  output logic [7:0]                inv_vmid_o,
  output logic [63:0]               inv_first_o,
  output logic [63:0]               inv_last_o,
  output logic [31:0]               inv_request_o,
  input  logic [31:0]               inv_done_i,

  // Compute units.
  input  logic [NumCu-1:0]          cu_busy_i,
  input  logic [NumCu-1:0]          cu_resetting_i,
  input  logic [NumCu-1:0]          cu_resident_i,
  input  logic [NumCu*8-1:0]        cu_queue_i,
  // Slot s of unit n is number n * WarpSlots + s.
  input  logic [NumCu*WarpSlots*32-1:0] cu_pc_i,
  input  logic [NumCu*WarpSlots*32-1:0] cu_progress_i,
  input  logic [NumCu*2048-1:0]     cu_counters_i,
  // Pulse.
  output logic [NumCu-1:0]          cu_reset_o,

  // Queues.
  output logic [NumQueues*32-1:0]   tail_o,
  input  logic [NumQueues*32-1:0]   head_i,
  output logic [NumQueues-1:0]      enable_o,
  // Pulse.
  output logic [NumQueues-1:0]      kill_o,
  input  logic [NumQueues*4-1:0]    state_i,
  input  logic [NumQueues*4-1:0]    cu_i,
  output logic [NumQueues*64-1:0]   ring_o,
  output logic [NumQueues*8-1:0]    ring_log2_o,
  output logic [NumQueues*2-1:0]    prio_o,
  output logic [NumQueues*8-1:0]    vector_o,
  output logic [NumQueues*8-1:0]    vmid_o,
  output logic [NumQueues*64-1:0]   pt_o,
  output logic [NumQueues*64-1:0]   save_o,
  output logic [NumQueues*64-1:0]   seqno_o,
  output logic [NumQueues*32-1:0]   shared_o
);

  faa_regs_pkg::faa_regs__in_t  hw_in;
  faa_regs_pkg::faa_regs__out_t hw_out;

  faa_regs u_regs (
    .clk(clk_i), .rst_n(rst_ni),
    .s_axil_awready(s_axil_awready_o), .s_axil_awvalid(s_axil_awvalid_i), .s_axil_awaddr(s_axil_awaddr_i),
    .s_axil_awprot(3'd0), .s_axil_wready(s_axil_wready_o), .s_axil_wvalid(s_axil_wvalid_i), .s_axil_wdata(s_axil_wdata_i),
    .s_axil_wstrb(s_axil_wstrb_i), .s_axil_bready(s_axil_bready_i), .s_axil_bvalid(s_axil_bvalid_o),
    .s_axil_bresp(s_axil_bresp_o), .s_axil_arready(s_axil_arready_o), .s_axil_arvalid(s_axil_arvalid_i),
    .s_axil_araddr(s_axil_araddr_i), .s_axil_arprot(3'd0), .s_axil_rready(s_axil_rready_i),
    .s_axil_rvalid(s_axil_rvalid_o), .s_axil_rdata(s_axil_rdata_o), .s_axil_rresp(s_axil_rresp_o),
    .hwif_in(hw_in), .hwif_out(hw_out)
  );

  // ---- Global block ----

  assign hw_in.glob.cycle_lo.value.next             = cycle_i[31:0];
  assign hw_in.glob.cycle_hi.value.next             = cycle_i[63:32];
  assign hw_in.glob.config0.num_queues.next         = 8'(NumQueues);
  assign hw_in.glob.config0.num_cus.next            = 8'(NumCu);
  assign hw_in.glob.config0.warp_slots.next         = 8'(WarpSlots);
  assign hw_in.glob.config0.lanes.next              = 8'(faa_pkg::LANES);
  assign hw_in.glob.shared_max.bytes.next           = 32'(SharedBytes);
  assign hw_in.glob.axi_width.bits.next             = 16'(AxiDataWidth);
  assign hw_in.glob.features_lo.value.next          = Features[31:0];
  assign hw_in.glob.features_hi.value.next          = Features[63:32];
  assign hw_in.glob.shared_unit.lanes.next          = 8'(SharedLanes);
  assign hw_in.glob.shared_unit.push.next           = 8'd4;
  assign hw_in.glob.shared_unit.adder.next          = 8'(AdderCycles);
  assign hw_in.glob.status.idle.next                = idle_i;
  assign hw_in.glob.event_status.tlb_inv_done.hwset = event_set_i[0];
  assign hw_in.glob.event_status.cu_reset_done.hwset = event_set_i[1];
  assign hw_in.glob.event_status.queue_killed.hwset = event_set_i[2];
  assign hw_in.glob.event_status.queue_error.hwset  = event_set_i[3];
  assign hw_in.glob.tlb_inv_done.serial.next        = inv_done_i;

  assign event_status_o = {hw_out.glob.event_status.queue_error.value, hw_out.glob.event_status.queue_killed.value,
                           hw_out.glob.event_status.cu_reset_done.value, hw_out.glob.event_status.tlb_inv_done.value};
  assign event_enable_o = hw_out.glob.event_enable.mask.value;
  assign inv_vmid_o     = hw_out.glob.tlb_inv_vmid.vmid.value;
  assign inv_first_o    = {hw_out.glob.tlb_inv_start_hi.value.value, hw_out.glob.tlb_inv_start_lo.value.value};
  assign inv_last_o     = {hw_out.glob.tlb_inv_last_hi.value.value, hw_out.glob.tlb_inv_last_lo.value.value};
  assign inv_request_o  = hw_out.glob.tlb_inv_request.serial.value;

  // ---- Compute units ----

  for (genvar n = 0; n < faa_pkg::MAX_CUS; n++) begin : gen_cu
    if (n < NumCu) begin : gen_present
      logic [31:0] progress;
      assign hw_in.cu[n].state.busy.next      = cu_busy_i[n];
      assign hw_in.cu[n].state.resetting.next = cu_resetting_i[n];
      assign hw_in.cu[n].state.resident.next  = cu_resident_i[n];
      assign hw_in.cu[n].state.queue.next     = cu_queue_i[n*8 +: 8];
      assign hw_in.cu[n].pc.offset.next       = cu_pc_i[n*WarpSlots*32 +: 32];
      assign hw_in.cu[n].progress.value.next  = progress;
      always_comb begin
        progress = '0;
        for (int unsigned s = 0; s < WarpSlots; s++) progress = progress + cu_progress_i[(n*WarpSlots + s)*32 +: 32];
      end
      for (genvar s = 0; s < faa_pkg::MAX_SLOTS; s++) begin : gen_slot
        if (s < WarpSlots) begin : gen_built
          assign hw_in.cu[n].slot[s].pc.offset.next      = cu_pc_i[(n*WarpSlots + s)*32 +: 32];
          assign hw_in.cu[n].slot[s].progress.value.next = cu_progress_i[(n*WarpSlots + s)*32 +: 32];
        end else begin : gen_not_built
          assign hw_in.cu[n].slot[s] = '0;
        end
      end
      assign cu_reset_o[n]                    = hw_out.cu[n].control.reset.value;
      for (genvar c = 0; c < faa_pkg::COUNTERS; c++) begin : gen_counter
        assign hw_in.cu[n].counter[c].lo.value.next = cu_counters_i[n*2048 + c*64 +: 32];
        assign hw_in.cu[n].counter[c].hi.value.next = cu_counters_i[n*2048 + c*64 + 32 +: 32];
      end
    end else begin : gen_absent
      assign hw_in.cu[n] = '0;
    end
  end

  // ---- Queues ----

  for (genvar q = 0; q < faa_pkg::MAX_QUEUES; q++) begin : gen_queue
    if (q < NumQueues) begin : gen_present
      assign hw_in.queue[q].head.index.next  = head_i[q*32 +: 32];
      assign hw_in.queue[q].state.state.next = state_i[q*4 +: 4];
      assign hw_in.queue[q].state.cu.next    = cu_i[q*4 +: 4];
      // Software writes the registers of queues that are there: those of the others take no cells.
      assign hw_in.queue[q].tail.index.swwe      = 1'b1;
      assign hw_in.queue[q].control.enable.swwe  = 1'b1;
      assign hw_in.queue[q].control.kill.swwe    = 1'b1;
      assign hw_in.queue[q].ring_lo.value.swwe   = 1'b1;
      assign hw_in.queue[q].ring_hi.value.swwe   = 1'b1;
      assign hw_in.queue[q].ring_size.log2.swwe  = 1'b1;
      assign hw_in.queue[q].config0.prio.swwe    = 1'b1;
      assign hw_in.queue[q].config0.vector.swwe  = 1'b1;
      assign hw_in.queue[q].config0.vmid.swwe    = 1'b1;
      assign hw_in.queue[q].pt_lo.value.swwe     = 1'b1;
      assign hw_in.queue[q].pt_hi.value.swwe     = 1'b1;
      assign hw_in.queue[q].save_lo.value.swwe   = 1'b1;
      assign hw_in.queue[q].save_hi.value.swwe   = 1'b1;
      assign hw_in.queue[q].seqno_lo.value.swwe  = 1'b1;
      assign hw_in.queue[q].seqno_hi.value.swwe  = 1'b1;
      assign hw_in.queue[q].shared.bytes.swwe    = 1'b1;
      assign tail_o[q*32 +: 32]     = hw_out.queue[q].tail.index.value;
      assign enable_o[q]            = hw_out.queue[q].control.enable.value;
      assign kill_o[q]              = hw_out.queue[q].control.kill.value;
      assign ring_o[q*64 +: 64]     = {hw_out.queue[q].ring_hi.value.value, hw_out.queue[q].ring_lo.value.value};
      assign ring_log2_o[q*8 +: 8]  = 8'(hw_out.queue[q].ring_size.log2.value);
      assign prio_o[q*2 +: 2]       = hw_out.queue[q].config0.prio.value;
      assign vector_o[q*8 +: 8]     = 8'(hw_out.queue[q].config0.vector.value);
      assign vmid_o[q*8 +: 8]       = hw_out.queue[q].config0.vmid.value;
      assign pt_o[q*64 +: 64]       = {hw_out.queue[q].pt_hi.value.value, hw_out.queue[q].pt_lo.value.value};
      assign save_o[q*64 +: 64]     = {hw_out.queue[q].save_hi.value.value, hw_out.queue[q].save_lo.value.value};
      assign seqno_o[q*64 +: 64]    = {hw_out.queue[q].seqno_hi.value.value, hw_out.queue[q].seqno_lo.value.value};
      assign shared_o[q*32 +: 32]   = hw_out.queue[q].shared.bytes.value;
    end else begin : gen_absent
      assign hw_in.queue[q] = '0;
    end
  end

  // Registers of absent queues and units lead nowhere.
  logic unused;
  assign unused = ^{hw_out};

endmodule
