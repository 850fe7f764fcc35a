// SPDX-License-Identifier: Apache-2.0
//
// The translation of ATOM with the fields of requests and answers as ports of their own, for a C++
// test.

module faa_test_atom_pages (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          drop_i,
  input  logic          spans_ready_i,
  input  logic [3:0]    span_used_i,
  input  logic [207:0]  span_low_i,
  input  logic [207:0]  span_high_i,
  input  logic          next_i,
  input  logic [31:0]   next_mask_i,
  input  logic [2047:0] next_va_i,
  input  logic [1:0]    next_size_i,
  input  logic          next_write_i,
  input  logic          next_atomic_i,
  input  logic          look_i,
  input  logic [31:0]   mask_i,
  input  logic [2047:0] va_i,
  input  logic [1:0]    size_i,
  input  logic          write_i,
  input  logic          atomic_i,
  input  logic          take_i,
  input  logic [4:0]    pick_i,
  output logic [63:0]   picked_o,
  output logic          valid_o,
  output logic [1663:0] pa_o,
  output logic [31:0]   sparse_o,
  output logic          own_result_o,
  output logic          own_operand_o,
  output logic [7:0]    error_o,
  output logic [4:0]    error_lane_o,
  output logic [63:0]   error_address_o,
  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output logic [63:0]   tr_va_o,
  output logic          tr_write_o,
  output logic          tr_atomic_o,
  input  logic          tr_rsp_valid_i,
  input  logic [7:0]    tr_rsp_error_i,
  input  logic [63:0]   tr_rsp_pa_i,
  input  logic          tr_rsp_sparse_i,
  input  logic          tr_rsp_big_i
);

  // The result counts while a warp is looked at; exactly a bad one has an error.
  logic good, bad;
  assign valid_o = look_i && (good || bad);
  always_ff @(posedge clk_i) if (rst_ni && valid_o) assert (!(good && bad));

  faa_bundle_pkg::tr_req_t tr_req;
  assign {tr_va_o, tr_write_o, tr_atomic_o} = {tr_req.va, tr_req.write, tr_req.atomic};

  faa_cu_atom_pages u_pages (
    .clk_i, .rst_ni, .drop_i,
    .spans_i('{ready: spans_ready_i, used: span_used_i, low: span_low_i, high: span_high_i}),
    .next_i, .next_mask_i, .next_va_i, .next_size_i, .next_write_i, .next_atomic_i,
    .look_i, .mask_i, .va_i, .size_i, .write_i, .atomic_i, .take_i, .pick_i, .picked_o,
    .good_o(good), .bad_o(bad),
    .pa_o, .sparse_o, .own_result_o, .own_operand_o, .error_o, .error_lane_o, .error_address_o,
    .tr_valid_o, .tr_ready_i, .tr_req_o(tr_req), .tr_rsp_valid_i,
    .tr_rsp_i('{error: tr_rsp_error_i, pa: tr_rsp_pa_i, sparse: tr_rsp_sparse_i,
                big: tr_rsp_big_i})
  );

endmodule
