// SPDX-License-Identifier: Apache-2.0
//
// Part of faa_ptw. A ghost follows the request with one number, chosen during reset: from the cycle
// in which it is taken until it is answered or given back, once, exactly one walk has it, with its
// VM and page; no walk has it at other times. Another ghost tracks reads of memory at the ports.

  logic [InfoW-1:0] f_info_q;
  logic             f_under_way_q, f_leaves;
  logic [7:0]       f_vmid_q;
  logic [47:12]     f_page_q;
  logic [Walks-1:0] f_has, f_right, f_busy_q, f_waits;

  assign f_leaves = (done_valid_o && done_ready_i && done_info_o == f_info_q) || (again_valid_o && again_ready_i && again_info_o == f_info_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_info_q      <= start_info_i;
      f_under_way_q <= 1'b0;
      f_busy_q      <= '0;
    end else begin
      f_busy_q <= (f_busy_q | (mem_req_valid_o & mem_req_ready_i)) & ~mem_rsp_valid_i;
      if (start && start_info_i == f_info_q) begin
        f_under_way_q <= 1'b1;
        f_vmid_q      <= start_vmid_i;
        f_page_q      <= start_page_i;
      end else if (f_leaves) begin
        f_under_way_q <= 1'b0;
      end
    end
  end

  // No two outstanding requests have one number; memory answers each read once, one per cycle, not
  // in the cycle of the request.
  `FAA_ASSUME(NumbersDiffer, !(start_valid_i && start_info_i == f_info_q && f_under_way_q))
  `FAA_ASSUME(MemoryAnswersReads, (mem_rsp_valid_i & ~f_busy_q) == '0 && (mem_rsp_valid_i & (mem_rsp_valid_i - Walks'(1))) == '0)

  for (genvar n = 0; n < Walks; n++) begin : gen_ghost
    assign f_has[n]   = state_q[n] != StFree && info_q[n] == f_info_q;
    assign f_right[n] = vmid_q[n] == f_vmid_q && page_q[n] == f_page_q;
    assign f_waits[n] = state_q[n] == StWait && !(check_q && who_q == WalkW'(n));
    `FAA_ASSERT(WalkStates, 3'(state_q[n]) <= 3'(StAgain))
    `FAA_ASSERT(LeadersExist, state_q[n] != StFollow || 32'(leader_q[n]) < Walks)
  end

  `FAA_ASSERT(OneReadPerWalk, (mem_req_valid_o & f_busy_q) == '0)
  `FAA_ASSERT(HeldOnce, (f_has & (f_has - Walks'(1))) == '0)
  `FAA_ASSERT(HeldWhileUnderWay, (f_has != '0) == f_under_way_q)
  `FAA_ASSERT(HeldAsAsked, (f_has & ~f_right) == '0)
  `FAA_ASSERT(AnsweredWhileUnderWay, !f_leaves || f_under_way_q)
  `FAA_ASSERT(GivenBackAsAsked, !(again_valid_o && again_info_o == f_info_q) || (again_vmid_o == f_vmid_q && again_page_o == f_page_q))
  // Induction
  `FAA_ASSERT(ReadsAreAwaited, f_busy_q == f_waits)
  `FAA_ASSERT(ChecksAreAwaited, !check_q || (32'(who_q) < Walks && state_q[who_q] == StWait))
