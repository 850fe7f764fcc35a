// SPDX-License-Identifier: Apache-2.0
//
// Registers: the generated block after AXI4-Lite holds the global block; faa_csr_units and
// faa_csr_queues hold those of compute units and queues. Flat vectors have element n in slice n.
//
// Registers of queues and compute units that this build lacks read as those of a disabled queue and
// an idle unit; writes to them have no effect.

module faa_csr #(
  parameter faa_build_pkg::build_t Build = faa_build_pkg::BUILD_FULL,
  // Values of FEATURES and SHARED_UNIT
  parameter logic [63:0] Features = '0,
  parameter int unsigned AdderCycles = 0,
  localparam int unsigned NumQueues = Build.num_queues,
  localparam int unsigned NumCu = Build.num_cu,
  localparam int unsigned WarpSlots = Build.warp_slots,
  localparam int unsigned QueueW = (NumQueues > 1) ? $clog2(NumQueues) : 1
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
  // Pulses: TLB invalidation done, CU reset done, queue killed, queue in error, queue saved.
  input  logic [4:0]                event_set_i,
  output logic [4:0]                event_status_o,
  output logic [4:0]                event_enable_o,
  output logic [7:0]                inv_vmid_o,
  output logic [63:0]               inv_first_o,
  output logic [63:0]               inv_last_o,
  output logic [31:0]               inv_request_o,
  input  logic [31:0]               inv_done_i,

  // Compute units.
  input  logic [NumCu-1:0]          cu_busy_i,
  input  logic [NumCu-1:0]          cu_resetting_i,
  input  logic [NumCu-1:0]          cu_resident_i,
  input  logic [NumCu-1:0]          cu_running_i,
  input  logic [NumCu*8-1:0]        cu_queue_i,
  input  logic [NumCu*64-1:0]       cu_start_i,
  // Slot s of unit n is number n * WarpSlots + s.
  input  logic [NumCu*WarpSlots*32-1:0] cu_pc_i,
  input  logic [NumCu*WarpSlots*32-1:0] cu_progress_i,
  // Half a counter, requested until it is answered
  output logic [NumCu-1:0]          counter_req_o,
  output logic [5:0]                counter_word_o,
  input  logic [NumCu-1:0]          counter_ack_i,
  input  logic [NumCu*32-1:0]       counter_data_i,
  // Pulse.
  output logic [NumCu-1:0]          cu_reset_o,

  // Queues.
  output logic [NumQueues*32-1:0]   tail_o,
  input  logic [NumQueues*32-1:0]   head_i,
  output logic [NumQueues-1:0]      enable_o,
  // Pulse.
  output logic [NumQueues-1:0]      kill_o,
  output logic [NumQueues-1:0]      keep_o,
  output logic [NumQueues*WarpSlots-1:0] slots_o,
  input  logic [NumQueues*4-1:0]    state_i,
  input  logic [NumQueues*4-1:0]    cu_i,
  output logic [NumQueues*2-1:0]    prio_o,
  // Of queue sel_i, unit n in slice n of each vector.
  input  logic [NumCu*QueueW-1:0]   sel_i,
  output logic [NumCu*64-1:0]       ring_o,
  output logic [NumCu*5-1:0]        ring_log2_o,
  output logic [NumCu*5-1:0]        vector_o,
  output logic [NumCu*64-1:0]       save_o,
  output logic [NumCu*64-1:0]       seqno_o,
  output logic [NumCu*32-1:0]       shared_o,
  // Of queue run_i.
  input  logic [NumCu*QueueW-1:0]   run_i,
  output logic [NumCu*8-1:0]        vmid_o,
  output logic [NumCu*64-1:0]       pt_o
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

  // Software reads the idle state of the whole device a cycle late.
  logic idle_q;
  always_ff @(posedge clk_i) idle_q <= idle_i;

  assign hw_in.glob.cycle_lo.value.next             = cycle_i[31:0];
  assign hw_in.glob.cycle_hi.value.next             = cycle_i[63:32];
  assign hw_in.glob.config0.num_queues.next         = 8'(NumQueues);
  assign hw_in.glob.config0.num_cus.next            = 8'(NumCu);
  assign hw_in.glob.config0.warp_slots.next         = 8'(WarpSlots);
  assign hw_in.glob.config0.lanes.next              = 8'(faa_pkg::LANES);
  assign hw_in.glob.shared_max.bytes.next           = 32'(Build.shared_bytes);
  assign hw_in.glob.axi_width.bits.next             = 16'(Build.axi_data_width);
  assign hw_in.glob.axi_width.line.next             = 16'(Build.line_bytes);
  assign hw_in.glob.features_lo.value.next          = Features[31:0];
  assign hw_in.glob.features_hi.value.next          = Features[63:32];
  assign hw_in.glob.shared_unit.lanes.next          = 8'(Build.shared_lanes);
  assign hw_in.glob.shared_unit.push.next           = 8'd4;
  assign hw_in.glob.shared_unit.adder.next          = 8'(AdderCycles);
  assign hw_in.glob.status.idle.next                = idle_q;
  assign hw_in.glob.event_status.tlb_inv_done.hwset = event_set_i[0];
  assign hw_in.glob.event_status.cu_reset_done.hwset = event_set_i[1];
  assign hw_in.glob.event_status.queue_killed.hwset = event_set_i[2];
  assign hw_in.glob.event_status.queue_error.hwset  = event_set_i[3];
  assign hw_in.glob.event_status.queue_saved.hwset  = event_set_i[4];
  assign hw_in.glob.tlb_inv_done.serial.next        = inv_done_i;

  assign event_status_o = {hw_out.glob.event_status.queue_saved.value,
                           hw_out.glob.event_status.queue_error.value,
                           hw_out.glob.event_status.queue_killed.value,
                           hw_out.glob.event_status.cu_reset_done.value,
                           hw_out.glob.event_status.tlb_inv_done.value};
  assign event_enable_o = hw_out.glob.event_enable.mask.value;
  assign inv_vmid_o     = hw_out.glob.tlb_inv_vmid.vmid.value;
  assign inv_first_o    = {hw_out.glob.tlb_inv_start_hi.value.value, hw_out.glob.tlb_inv_start_lo.value.value};
  assign inv_last_o     = {hw_out.glob.tlb_inv_last_hi.value.value, hw_out.glob.tlb_inv_last_lo.value.value};
  assign inv_request_o  = hw_out.glob.tlb_inv_request.serial.value;

  // ---- Compute units and queues: one request of theirs is outstanding at a time ----

  logic        cu_req, cu_ack, cu_ack_write, queue_req, queue_ack, queue_write_q;
  logic [2:0]  cu_number;
  logic [3:0]  queue_number;
  logic [31:0] cu_rdata, queue_rdata;

  always_comb begin
    cu_req    = 1'b0;
    cu_number = '0;
    for (int unsigned n = 0; n < faa_pkg::MAX_CUS; n++) begin
      if (hw_out.cu[n].req) begin
        cu_req    = 1'b1;
        cu_number = cu_number | 3'(n);
      end
    end
    queue_req    = 1'b0;
    queue_number = '0;
    for (int unsigned q = 0; q < faa_pkg::MAX_QUEUES; q++) begin
      if (hw_out.queue[q].req) begin
        queue_req    = 1'b1;
        queue_number = queue_number | 4'(q);
      end
    end
  end

  faa_csr_units #(.NumCu(NumCu), .WarpSlots(WarpSlots)) u_units (
    .clk_i, .rst_ni, .req_i(cu_req), .write_i(hw_out.cu[0].req_is_wr), .unit_i(cu_number),
    .word_i(hw_out.cu[0].addr[8:2]),
    .wdata_i(hw_out.cu[0].wr_data[0] && hw_out.cu[0].wr_biten[0]), .ack_o(cu_ack),
    .ack_write_o(cu_ack_write), .rdata_o(cu_rdata), .busy_i(cu_busy_i),
    .resetting_i(cu_resetting_i), .resident_i(cu_resident_i),
    .running_i(cu_running_i), .queue_i(cu_queue_i), .start_i(cu_start_i), .pc_i(cu_pc_i),
    .progress_i(cu_progress_i), .counter_req_o, .counter_word_o,
    .counter_ack_i, .counter_data_i, .reset_o(cu_reset_o)
  );

  faa_csr_queues #(.NumQueues(NumQueues), .NumCu(NumCu), .Slots(WarpSlots)) u_queues (
    .clk_i, .rst_ni, .req_i(queue_req), .write_i(hw_out.queue[0].req_is_wr),
    .queue_i(queue_number), .word_i(hw_out.queue[0].addr[5:2]), .wdata_i(hw_out.queue[0].wr_data),
    .whole_i(hw_out.queue[0].wr_biten == '1), .ack_o(queue_ack), .rdata_o(queue_rdata), .tail_o,
    .enable_o, .kill_o, .keep_o, .slots_o, .prio_o, .head_i, .state_i, .cu_i, .sel_i, .ring_o,
    .ring_log2_o, .vector_o, .save_o, .seqno_o, .shared_o, .run_i, .vmid_o, .pt_o
  );

  always_ff @(posedge clk_i) if (queue_req) queue_write_q <= hw_out.queue[0].req_is_wr;

  // Element 0 answers for every element: only one request is outstanding. Data are 0 without an
  // answer, as the generated block requires.
  for (genvar n = 0; n < faa_pkg::MAX_CUS; n++) begin : gen_cu
    assign hw_in.cu[n].rd_ack  = n == 0 && cu_ack && !cu_ack_write;
    assign hw_in.cu[n].wr_ack  = n == 0 && cu_ack && cu_ack_write;
    assign hw_in.cu[n].rd_data = n == 0 && cu_ack ? cu_rdata : '0;
  end
  for (genvar q = 0; q < faa_pkg::MAX_QUEUES; q++) begin : gen_queue
    assign hw_in.queue[q].rd_ack  = q == 0 && queue_ack && !queue_write_q;
    assign hw_in.queue[q].wr_ack  = q == 0 && queue_ack && queue_write_q;
    assign hw_in.queue[q].rd_data = q == 0 && queue_ack ? queue_rdata : '0;
  end

  logic unused;
  assign unused = ^{hw_out};

endmodule
