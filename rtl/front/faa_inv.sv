// SPDX-License-Identifier: Apache-2.0
//
// TLB invalidation. A TLB_INV_REQUEST that differs from TLB_INV_DONE goes to the shared part of the
// TLBs, then to every compute unit; when all units have acknowledged, TLB_INV_DONE takes its
// number. The shared part comes first, so that no unit gets an old leaf from it. An L2 (Sweep) is
// flushed after the acknowledgements and before TLB_INV_DONE changes, so that it holds no line of a
// page that gets a new owner.
//
// Latency: that of the shared part, of the slowest unit (which finishes the accesses that use its
// translations), and of the sweep.

module faa_inv #(
  parameter int unsigned N = 2,
  parameter bit Sweep = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  // Registers. VM and range are sampled when the invalidation starts.
  input  logic [31:0]  request_i,
  output logic [31:0]  done_o,
  input  logic [7:0]   vmid_i,
  input  logic [63:0]  first_i,
  input  logic [63:0]  last_i,

  // Shared part of the TLBs, then the units: requested until done.
  output logic         shared_valid_o,
  input  logic         shared_done_i,
  output logic [N-1:0] inv_req_o,
  input  logic [N-1:0] inv_ack_i,
  output logic [7:0]   inv_vmid_o,
  output logic [63:0]  inv_first_o,
  output logic [63:0]  inv_last_o,

  // FLUSH of the L2: requested until it is done.
  output logic         sweep_valid_o,
  input  logic         sweep_done_i,

  // Pulse for the event register.
  output logic         event_done_o,
  output logic         idle_o
);

  logic         busy_q, shared_q, swept_q;   // shared_q: the shared part is not done
  logic [N-1:0] waiting_q;
  logic [31:0]  number_q, done_q;
  logic         start, finish;

  assign start        = !busy_q && request_i != done_q;
  assign finish       = busy_q && !shared_q && waiting_q == '0 && swept_q;
  assign sweep_valid_o = busy_q && !shared_q && waiting_q == '0 && !swept_q;
  assign shared_valid_o = busy_q && shared_q;
  assign inv_req_o    = waiting_q;
  assign done_o       = done_q;
  assign event_done_o = finish;
  assign idle_o       = !busy_q && request_i == done_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      shared_q  <= 1'b0;
      swept_q   <= 1'b0;
      waiting_q <= '0;
      done_q    <= '0;
    end else if (start) begin
      busy_q    <= 1'b1;
      shared_q  <= 1'b1;
      swept_q   <= !Sweep;
    end else begin
      if (sweep_done_i) swept_q <= 1'b1;
      if (shared_q && shared_done_i) begin
        shared_q  <= 1'b0;
        waiting_q <= '1;
      end else begin
        waiting_q <= waiting_q & ~inv_ack_i;
      end
      if (finish) begin
        busy_q <= 1'b0;
        done_q <= number_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      number_q    <= request_i;
      inv_vmid_o  <= vmid_i;
      inv_first_o <= first_i;
      inv_last_o  <= last_i;
    end
  end

endmodule
