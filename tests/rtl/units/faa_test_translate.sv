// SPDX-License-Identifier: Apache-2.0
//
// The translation of a warp whose addresses are a first one and a step, beside that of arbitrary
// addresses, for a C++ test: both get the same warps and the same answers, and must agree in every
// cycle.

`include "faa_assert.svh"

module faa_test_translate (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          start_i,
  input  logic [31:0]   mask_i,
  input  logic [63:0]   base_i,
  input  logic [31:0]   step_i,
  input  logic [1:0]    size_i,
  input  logic          write_i,
  input  logic          drop_i,
  output logic          free_o,
  output logic          valid_o,
  input  logic          take_i,
  output logic [2047:0] pa_o,
  output logic [31:0]   sparse_o,
  output logic [7:0]    error_o,
  output logic [4:0]    error_lane_o,
  output logic [63:0]   error_address_o,
  output logic          tr_valid_o,
  input  logic          tr_ready_i,
  output logic [63:0]   tr_va_o,
  output logic          tr_write_o,
  input  logic          tr_rsp_valid_i,
  input  logic [7:0]    tr_rsp_error_i,
  input  logic [63:0]   tr_rsp_pa_i,
  input  logic          tr_rsp_sparse_i
);

  logic [2047:0] va, pa, lanes;
  logic [31:0]   mask, mask_any, sparse;
  logic [7:0]    error;
  logic [4:0]    error_lane;
  logic [63:0]   error_address;
  logic          is_free, valid, tr_valid, bad, bad_any;
  faa_bundle_pkg::tr_req_t affine_req, any_req;
  faa_bundle_pkg::tr_rsp_t tr_rsp;

  assign tr_va_o    = affine_req.va;
  assign tr_write_o = affine_req.write;
  assign tr_rsp     = '{error: tr_rsp_error_i, pa: tr_rsp_pa_i, sparse: tr_rsp_sparse_i, big: 1'b0};

  for (genvar l = 0; l < 32; l++) begin : g_lane
    assign va[l*64 +: 64]    = base_i + 64'(l) * {{32{step_i[31]}}, step_i};
    assign lanes[l*64 +: 64] = {64{mask[l]}};
  end

  logic good, good_any;
  faa_cu_translate #(.Affine(1'b1)) u_affine (
    .clk_i, .rst_ni, .start_i, .mask_i, .va_i('0), .base_i, .step_i, .size_i, .write_i, .drop_i,
    .free_o, .valid_o, .take_i, .mask_o(mask), .pa_o, .sparse_o,
    .good_o(good), .bad_o(bad), .error_o, .error_lane_o, .error_address_o,
    .tr_valid_o, .tr_ready_i, .tr_req_o(affine_req), .tr_rsp_valid_i,
    .tr_rsp_i(tr_rsp)
  );

  faa_cu_translate u_any (
    .clk_i, .rst_ni, .start_i, .mask_i, .va_i(va), .base_i('0), .step_i('0), .size_i, .write_i,
    .drop_i, .free_o(is_free), .valid_o(valid), .take_i, .mask_o(mask_any), .pa_o(pa),
    .sparse_o(sparse), .good_o(good_any), .bad_o(bad_any), .error_o(error),
    .error_lane_o(error_lane), .error_address_o(error_address),
    .tr_valid_o(tr_valid), .tr_ready_i, .tr_req_o(any_req), .tr_rsp_valid_i,
    .tr_rsp_i(tr_rsp)
  );

  logic same_request, same_pages, same_error;
  assign same_request = tr_valid_o == tr_valid && (!tr_valid || affine_req == any_req);
  assign same_pages   = sparse_o == sparse && ((pa_o ^ pa) & lanes) == '0;
  assign same_error   = error_o == error && error_lane_o == error_lane &&
                        error_address_o == error_address;

  `FAA_ASSERT(state, free_o == is_free && valid_o == valid &&
                     (!valid_o || (mask == mask_any && bad == bad_any &&
                                   good == good_any)))
  `FAA_ASSERT(request, same_request)
  `FAA_ASSERT(result, !valid || (error == '0 ? error_o == '0 && same_pages : same_error))

endmodule
