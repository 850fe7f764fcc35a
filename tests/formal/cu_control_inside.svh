// SPDX-License-Identifier: Apache-2.0
//
// Part of faa_cu_control. A ghost follows any one access of a job: from the issue of its command
// (or from the offer of SEM_WAIT, SEM_SIGNAL or SNAPSHOT) through the front to its unit, until the
// unit is done with it. After that it records whether the L2 has been swept since. Properties are
// about that access and the commands that issue after it (Documentation/order.rst), in terms of the
// ports. Properties Never... are not true: they have to fail, which shows that the behaviour they
// deny is possible.

  localparam logic [1:0] FNone = 2'd0, FFront = 2'd1, FUnit = 2'd2, FDone = 2'd3;
  localparam logic [2:0] FLoad = 3'd0, FStore = 3'd1, FShared = 3'd2, FAtomRead = 3'd3, FAtomWrite = 3'd4, FAtomBoth = 3'd5;

  logic [1:0] f_state_q;
  logic [2:0] f_kind_q, f_kind, f_any_kind;
  logic       f_pick, f_step, f_born, f_offered, f_pseudo_q, f_signal_q, f_release_q, f_live, f_reads, f_writes;

  formal_any #(.WIDTH(1)) u_any_pick (.Y(f_pick));
  formal_any #(.WIDTH(1)) u_any_step (.Y(f_step));
  for (genvar n = 0; n < 3; n++) begin : gen_formal_kind
    formal_any #(.WIDTH(1)) u_any_kind (.Y(f_any_kind[n]));
  end

  // ---- Commands, from their definitions ----

  logic f_control, f_streams, f_stores, f_touches, f_acquires, f_releases, f_fence, f_fence_sys, f_fence_acquires, f_fence_releases, f_waits_for_all;
  assign f_control = cmd_i.opcode inside {faa_pkg::OPCODE_NOP, faa_pkg::OPCODE_END, faa_pkg::OPCODE_JUMP, faa_pkg::OPCODE_SEM_WAIT, faa_pkg::OPCODE_SEM_SIGNAL,
                                          faa_pkg::OPCODE_SNAPSHOT, faa_pkg::OPCODE_FENCE, faa_pkg::OPCODE_CONFIG, faa_pkg::OPCODE_BAR};
  assign f_streams = !f_control && (cmd_i.kind_a == faa_pkg::KIND_STREAM || cmd_i.kind_b == faa_pkg::KIND_STREAM || cmd_i.kind_c == faa_pkg::KIND_STREAM ||
                                    cmd_i.kind_d == faa_pkg::KIND_STREAM);
  assign f_stores  = !f_control && (cmd_i.opcode inside {faa_pkg::OPCODE_ST, faa_pkg::OPCODE_ATOM, faa_pkg::OPCODE_SUATOM} ||
                                    cmd_i.kind_d == faa_pkg::KIND_STREAM);
  assign f_touches = f_streams || cmd_i.opcode inside {faa_pkg::OPCODE_LD, faa_pkg::OPCODE_ST, faa_pkg::OPCODE_LDS, faa_pkg::OPCODE_STS, faa_pkg::OPCODE_ATOMS,
                                                       faa_pkg::OPCODE_ATOM, faa_pkg::OPCODE_SUATOM, faa_pkg::OPCODE_SEM_WAIT,
                                                       faa_pkg::OPCODE_SEM_SIGNAL, faa_pkg::OPCODE_SNAPSHOT};
  assign f_acquires = issue && !f_control && cmd_i.order[0];
  assign f_releases = issue && !f_control && cmd_i.order[1];
  assign f_fence    = issue && cmd_i.opcode == faa_pkg::OPCODE_FENCE;
  assign f_fence_sys      = f_fence && cmd_i.mod == 4'(faa_pkg::SCOPE_SYS);
  assign f_fence_acquires = f_fence && cmd_i.op != 8'(faa_pkg::FENCE_ORDER_RELEASE);
  assign f_fence_releases = f_fence && cmd_i.op != 8'(faa_pkg::FENCE_ORDER_ACQUIRE);
  assign f_waits_for_all  = f_releases || f_fence_releases ||
                            (issue && cmd_i.opcode inside {faa_pkg::OPCODE_BAR, faa_pkg::OPCODE_SEM_SIGNAL, faa_pkg::OPCODE_SEM_WAIT, faa_pkg::OPCODE_SNAPSHOT,
                                                           faa_pkg::OPCODE_END});

  // The decoder's output: an undefined command is an error; control commands have no order; for a
  // fence, op is the order and mod the scope.
  `FAA_ASSUME(CommandsAreKnown, !cmd_valid_i || cmd_i.error != '0 || f_control || cmd_i.opcode >= faa_pkg::OPCODE_MOV)
  `FAA_ASSUME(ControlHasNoOrder, !f_control || (cmd_i.order == '0 && !cmd_i.sys))

  // ---- The access ----

  assign f_offered = pseudo_valid_o && access_ready_i;
  assign f_born    = f_state_q == FNone && f_pick && ((issue && !f_control) || f_offered);
  assign f_kind    = f_offered ? (state_q == StStore ? FStore : FLoad) : f_any_kind;
  assign f_live    = f_state_q == FFront || f_state_q == FUnit;
  assign f_reads   = f_kind_q inside {FLoad, FAtomRead, FAtomBoth};   // of global memory, surfaces
  assign f_writes  = f_kind_q inside {FStore, FAtomWrite, FAtomBoth};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || begin_o) begin
      f_state_q <= FNone;
    end else begin
      case (f_state_q)
        FNone:  if (f_born) f_state_q <= FFront;
        // A command that is cancelled, or has failed its checks, drops the access that is still in
        // the front.
        FFront: if (f_step) f_state_q <= f_pick && (cancel_o || failure_i.valid) ? FNone : FUnit;
        FUnit:  if (f_step) f_state_q <= FDone;
        default: ;
      endcase
    end
    if (f_born) begin
      f_kind_q    <= f_kind;
      f_pseudo_q  <= f_offered;
      f_signal_q  <= f_offered && state_q == StStore && cmd_q.opcode == faa_pkg::OPCODE_SEM_SIGNAL;
      f_release_q <= f_releases && !f_acquires;
    end
  end

  `FAA_ASSUME(KindsAreKnown, f_any_kind <= FAtomBoth)
  // Only commands that store have accesses that store.
  `FAA_ASSUME(StoresStore, !f_born || f_offered || f_stores || !(f_kind inside {FStore, FAtomWrite, FAtomBoth}))
  // The front holds its warp from the cycle after the start; a unit is not idle while it has an
  // access; accesses that read and write count as both.
  `FAA_ASSUME(FrontHolds, f_state_q != FFront || front_start_o || !access_quiet_i || (!f_pseudo_q && !operand_idle_i))
  `FAA_ASSUME(FrontHoldsQuiet, access_quiet_i || !front_quiet_i)
  // The front rests until it gets a command, and reports errors only of a command that it has.
  logic f_new_q;
  always_ff @(posedge clk_i) f_new_q <= !rst_ni;
  `FAA_ASSUME(FrontRestsAtFirst, !f_new_q || (operand_idle_i && access_quiet_i))
  `FAA_ASSUME_NEXT(OperandsRest, operand_idle_i && !front_start_o, operand_idle_i)
  `FAA_ASSUME_NEXT(AccessRests, access_quiet_i && operand_idle_i && !front_start_o && !f_offered, access_quiet_i)
  `FAA_ASSUME(ErrorsAreOfTheFront, !failure_i.valid || !(operand_idle_i && access_quiet_i))
  // The value that SEM_WAIT has read is the answer of its load.
  `FAA_ASSUME(AnswerIsOfTheRead, !sem_valid_i || !f_pseudo_q || !(f_state_q == FFront || (f_state_q == FUnit && !f_step)))
  `FAA_ASSUME(AnswerBehindAccess, !sem_valid_i || access_quiet_i)
  `FAA_ASSUME(LoadsAreHeld, !(f_state_q == FUnit && f_kind_q == FLoad && load_idle_i))
  `FAA_ASSUME(StoresAreHeld, !(f_state_q == FUnit && f_kind_q == FStore && store_idle_i))
  `FAA_ASSUME(SharedAreHeld, !(f_state_q == FUnit && f_kind_q == FShared && shared_idle_i))
  `FAA_ASSUME(AtomReadsAreHeld, !(f_state_q == FUnit && f_kind_q inside {FAtomRead, FAtomBoth} && atom_reads_idle_i))
  `FAA_ASSUME(AtomWritesAreHeld, !(f_state_q == FUnit && f_kind_q inside {FAtomWrite, FAtomBoth} && atom_writes_idle_i))
  `FAA_ASSUME(IdleIsAllIdle, units_idle_i == (load_idle_i && store_idle_i && shared_idle_i && atom_idle))

  // ---- Order ----

  logic f_behind_q, f_behind_sys_q, f_fenced_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || begin_o || (f_state_q == FNone && !f_born)) begin
      {f_behind_q, f_behind_sys_q, f_fenced_q} <= '0;
    end else begin
      // An acquire has issued: the access's own command or a later one. Likewise a fence at scope
      // SYS that releases.
      if (f_acquires) f_behind_q <= 1'b1;
      if (f_acquires && cmd_i.sys) f_behind_sys_q <= 1'b1;
      if (f_fence_sys && f_fence_releases) f_fenced_q <= 1'b1;
    end
  end

  `FAA_ASSERT(ReleaseWaits, !f_waits_for_all || !f_live)
  `FAA_ASSERT(OfferWaits, !pseudo_valid_o || !f_live)
  `FAA_ASSERT(BarWaits, !at_bar_o || !f_live)
  `FAA_ASSERT(FenceAcquireWaits, !f_fence || !(f_live && (f_reads || f_kind_q == FShared)))
  `FAA_ASSERT(AcquireHolds, !(issue && f_touches) || !(f_live && f_reads && f_behind_q))
  `FAA_ASSERT(JobEndsPerformed, !(done_valid_o || begin_o) || !f_live)
  // One command is in the front; none issues after an error.
  `FAA_ASSERT(NoneBehindError, !issue || !failed_q)
  `FAA_ASSERT(FrontIsOne, !issue || f_state_q != FFront)

  // ---- Scope SYS: sweeps ----

  logic f_sweeping_q, f_sweep_begins, f_counts_q, f_counts, f_drops_q, f_drops, f_cleaned_q, f_dropped_q, f_swept, f_owes_drop_q, f_owes_drop;
  assign f_sweep_begins = sweep_valid_o && !f_sweeping_q;
  assign f_counts       = f_sweep_begins ? f_state_q == FDone : f_counts_q;
  assign f_drops        = f_sweep_begins ? 1'b1 : f_drops_q;
  assign f_swept        = sweep_valid_o && sweep_done_i && !sweep_err_i;
  // A FLUSH has to follow an acquire, a fence that acquires, and the read of SEM_WAIT.
  assign f_owes_drop    = (f_acquires && cmd_i.sys) || (f_fence_sys && f_fence_acquires) || (issue && cmd_i.opcode == faa_pkg::OPCODE_SEM_WAIT) ||
                          (state_q == StSemWait && sem_valid_i);

  always_ff @(posedge clk_i) begin
    f_counts_q   <= f_counts;
    f_drops_q    <= f_drops && !f_owes_drop;
    f_sweeping_q <= rst_ni && sweep_valid_o && !sweep_done_i;
    if (!rst_ni || begin_o || f_born) {f_cleaned_q, f_dropped_q} <= '0;
    else if (f_swept && f_counts) {f_cleaned_q, f_dropped_q} <= {1'b1, f_dropped_q || sweep_drop_o};
    if (!rst_ni || begin_o) f_owes_drop_q <= 1'b0;
    else if (f_owes_drop) f_owes_drop_q <= 1'b1;
    else if (f_swept && f_drops && sweep_drop_o) f_owes_drop_q <= 1'b0;
  end

  if (GlobalAtomics) begin : gen_formal_sweeps
    logic f_unswept;
    assign f_unswept = f_state_q != FNone && !f_cleaned_q;
    `FAA_ASSERT(SysReleaseSwept, !(f_releases && cmd_i.sys) || !f_unswept)
    `FAA_ASSERT(FenceReleaseSwept, !(issue && f_fenced_q) || !f_unswept)
    `FAA_ASSERT(SignalSwept, !(pseudo_valid_o && state_q == StStore && cmd_q.opcode == faa_pkg::OPCODE_SEM_SIGNAL) || !f_unswept)
    `FAA_ASSERT(SignalIsSent, !(issue && f_signal_q) || !f_unswept)
    `FAA_ASSERT(WaitSwept, !(pseudo_valid_o && state_q == StSemRead) || !(f_unswept && f_writes))
    `FAA_ASSERT(SysAcquireDrops, !(issue && f_touches && f_behind_sys_q && f_reads) || f_state_q == FNone || f_dropped_q)
    `FAA_ASSERT(DropBehindAcquire, !(issue && f_touches) || !f_owes_drop_q)
    `FAA_ASSERT_STABLE(SweepStays, sweep_valid_o, sweep_done_i, sweep_drop_o)
    `FAA_ASSERT(NeverBehindSysAcquire, !(issue && f_touches && f_behind_sys_q && f_dropped_q))
    `FAA_ASSERT(NeverSysRelease, !(f_releases && cmd_i.sys && f_state_q == FDone && f_writes))
  end

  // ---- No other reason to wait ----

  logic f_acquired_q, f_free;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || begin_o) f_acquired_q <= 1'b0;
    else if (f_acquires) f_acquired_q <= 1'b1;
  end
  // No barrier, register, invalidation or error holds the command.
  assign f_free = cmd_valid_i && cmd_i.error == '0 && !failed_q && !halt_o && !inv_req_i && !bus_error_i.valid && cmd_i.wait_mask == '0 && full_i == '0 &&
                  cmd_i.kind_a != faa_pkg::KIND_REG && cmd_i.kind_b != faa_pkg::KIND_REG && cmd_i.kind_c != faa_pkg::KIND_REG &&
                  cmd_i.kind_d != faa_pkg::KIND_REG && cmd_i.opcode != faa_pkg::OPCODE_SUATOM;
  `FAA_ASSERT(WeakGoesOn, !(state_q == StIssue && f_free && !f_control && !cmd_i.order[1] && (!f_acquired_q || (reads_idle && !f_owes_drop_q))) || issue)
  `FAA_ASSERT(NeverBehindWeak, !(issue && f_touches && cmd_i.order == '0 && f_state_q == FUnit))
  `FAA_ASSERT(NeverBehindRelease, !(issue && f_touches && cmd_i.order == '0 && f_state_q == FUnit && f_release_q))
  `FAA_ASSERT(NeverStoreBehindAcquire, !(issue && f_touches && f_behind_q && f_state_q == FUnit && f_kind_q == FStore))

  // ---- Induction ----

  `FAA_ASSERT(StatesExist, state_q inside {[StIdle:StContext], [StSemRead:StStoreWait]} &&
              (!(state_q == StSweep) || after_q inside {StIssue, StSemRead, StStore}))
  `FAA_ASSERT(FrontRests, (operand_idle_i && access_quiet_i) || state_q inside {StFront, StCancel, StSemWait, StStoreWait, StDrain})
  `FAA_ASSERT(OperandsAreOfCommands, operand_idle_i || state_q inside {StFront, StCancel})
  // An access is in the front while its command, or the offer that it came from, is in progress. It
  // is live only while a job runs.
  `FAA_ASSERT(FrontWhereCommandIs, f_state_q != FFront || (f_pseudo_q ? state_q inside {StSemWait, StStoreWait, StDrain} :
                                                           state_q inside {StFront, StCancel}))
