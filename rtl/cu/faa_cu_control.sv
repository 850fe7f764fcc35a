// SPDX-License-Identifier: Apache-2.0
//
// Runs the stream of a slot: issues commands in order, executes control commands, maintains the
// scoreboard, records the first error and the counts of the stream, and starts the context engine.
//
// A vector command is in the front (operands, access) until its last warp has been handed to a
// unit; then the next command may issue, even if the units are still busy. So every earlier command
// has passed its checks, and its sources have been read.
//
// Issue conditions, each a stall (counter STALL_BARRIER; for ISS-S1 the decoder counts
// STALL_FETCH):
//   ISS-S1   no decoded command
//   ISS-S2   a barrier of the wait mask is held
//   ISS-S3   a barrier that the command takes is held BARRIER_MAX times
//   ISS-S4   a register that it reads or writes is the destination of a command in flight (one bit
//            for each even-odd pair; results to one register come from one command at a time, so a
//            bit is enough; with Late one bit for all of them)
//   ISS-S5   control command that begins when all is complete: END, SEM_*, SNAPSHOT, FENCE, BAR;
//            FENCE.ACQUIRE: when all reads are back
//   ISS-S6   an invalidation waits
//   ISS-S8   order: a release waits until all earlier accesses are performed; accesses to memory
//            after an acquire wait until it has read
//   ISS-S9   the L2 is swept for FENCE, SEM_WAIT, SEM_SIGNAL, or a strong access of scope SYS
//   ISS-S10  BAR: another stream of the job has not come
//
// Order (Documentation/order.rst): an access is performed when its unit has completed it. A release
// waits at issue until the stream's units are idle. An acquire is remembered until it has read:
// accesses to memory then wait until no read of the stream is in flight; its stores may be. Weak
// and relaxed accesses do not wait.
//
// With the L2 (GlobalAtomics), other agents see only memory that has been written back. A FLUSH
// sweep writes back all stores and keeps no line; a CLEAN sweep writes back and keeps the lines.
//   FLUSH  after a SEM_WAIT that is satisfied, after an acquire of scope SYS, for a FENCE of scope
//          SYS other than a release
//   CLEAN  before a release of scope SYS, for a FENCE of scope SYS that is only a release, before
//          and after the store of SEM_SIGNAL
// SEM_WAIT reads past the L2. It begins with a CLEAN if the job has stored since the last sweep,
// and repeats a CLEAN every 64 polls, for stores of others that were not swept.
//
// Hazards: ISS-H1 (register read or written after a write: ISS-S4), ISS-H2 (written after a read:
// none, sources are read in the front), ISS-H3 (predicates: SETP completes in the front); those of
// memory: ACC-H1, OPR-H1.

`include "faa_assert.svh"
`include "faa_defect.svh"

module faa_cu_control #(
  parameter bit GlobalAtomics = 1'b0,
  parameter bit SurfaceAtomics = 1'b0,
  // Facts about a command, and whether the front or all units are at rest, are known a cycle later
  // each; only one command at a time writes registers: fewer levels and look-up tables
  parameter bit Late = 1'b0
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Work
  input  logic              job_valid_i,
  output logic              job_ready_o,
  input  faa_bundle_pkg::op_e job_op_i,
  input  faa_bundle_pkg::stream_t stream_i,
  output logic              done_valid_o,
  input  logic              done_ready_i,
  output faa_bundle_pkg::done_t done_o,
  output faa_bundle_pkg::progress_t progress_o,
  input  logic              kill_i,
  input  logic              stop_i,           // level: another stream of the job has failed
  output logic              halt_o,           // kill or stop: no further warp
  output logic              failed_o,         // until the next RUN begins
  output logic              running_o,        // a RUN is in progress
  output logic              begin_o,          // one cycle: a RUN begins

  // Invalidation
  input  logic              inv_req_i,
  output logic              inv_ack_o,
  output logic              hold_o,           // begin no new translation or warp
  output logic              drop_o,           // forget cached translations
  input  logic              front_quiet_i,    // operands and access hold no translation
  input  logic              units_idle_i,     // loads, stores, shared memory, atomic unit
  input  logic              shared_idle_i,
  input  logic              load_idle_i,
  input  logic              store_idle_i,
  input  logic              atom_reads_idle_i,   // of this stream
  input  logic              atom_writes_idle_i,
  input  logic              memory_idle_i,    // nothing unanswered
  input  logic              translate_idle_i,
  input  logic              fetch_idle_i,

  // Decoder
  output logic              restart_o,
  output logic [31:0]       restart_offset_o,
  output logic              decode_stop_o,
  output logic [31:0]       first_element_o,
  input  logic              cmd_valid_i,
  output logic              cmd_ready_o,
  input  faa_cu_pkg::cmd_t  cmd_i,
  input  logic [31:0]       decode_pc_i,

  // Front
  output logic              front_start_o,
  output faa_cu_pkg::cmd_t  cmd_o,            // the command that executes
  output logic              cancel_o,
  input  logic              operand_idle_i,
  input  logic [31:0]       guard_i,          // of cmd_i
  output logic              pseudo_o,         // the access unit takes its warp from here
  output logic              pseudo_valid_o,
  output logic              pseudo_store_o,   // with it: of a store
  input  logic              access_ready_i,
  input  logic              access_quiet_i,
  input  faa_cu_pkg::retire_t retire_i,
  input  faa_cu_pkg::failure_t failure_i,
  input  faa_cu_pkg::bus_error_t bus_error_i,
  input  logic [5:0]        passes_i,

  // BAR: this stream has arrived; all have
  output logic              at_bar_o,
  input  logic              bar_go_i,

  // Scoreboard
  input  logic              written_i,        // the last result of a command has been written ...
  input  logic [7:0]        written_row_i,    // ... to this register (or pair)
  output logic              take_o,
  input  logic [5:0]        free_i,
  input  logic [5:0]        full_i,

  // Surfaces
  output logic              config_set_o,     // one cycle: CONFIG, cmd_i
  output logic              surface_drop_o,   // headers and constant words are forgotten

  // SEM_WAIT
  input  logic              sem_valid_i,
  output logic              sem_ready_o,
  input  logic [63:0]       sem_value_i,

  // Sweep of the L2
  output logic              sweep_valid_o,
  output logic              sweep_drop_o,
  input  logic              sweep_done_i,
  input  logic              sweep_err_i,

  // Context
  output logic              context_start_o,
  input  logic              context_busy_i,
  input  logic              context_error_i,

  output logic              ev_command_o,
  output logic              ev_stall_barrier_o
);

  localparam logic [4:0] PollPause = 5'd16;   // cycles between two polls of SEM_WAIT

  // Bit 4: access takes its warp from here.
  typedef enum logic [4:0] {
    StIdle      = 5'd0,
    StIssue     = 5'd1,
    StFront     = 5'd2,    // a vector command is in the front
    StCancel    = 5'd3,    // the front is being emptied after an error
    StSemPause  = 5'd4,
    StSweep     = 5'd5,    // FENCE, SEM_*: the L2 is swept, then after_q
    StBar       = 5'd6,
    StDrain     = 5'd7,    // the job is over: accesses in flight complete
    StDone      = 5'd8,
    StContext   = 5'd9,
    StSemRead   = 5'd16,   // SEM_WAIT: offer the load
    StSemWait   = 5'd17,
    StStore     = 5'd18,   // SEM_SIGNAL, SNAPSHOT: offer the store
    StStoreWait = 5'd19
  } state_e;

  state_e            state_q, after_q;
  faa_cu_pkg::cmd_t  cmd_q;
  logic [31:0]       first_q, element_q, warps_q, passes_q, command_q;
  logic [63:0]       retired_q;
  logic [4:0]        pause_q;
  logic              failed_q, cancel_q;
  logic [7:0]        code_q;
  logic [4:0]        lane_q;
  logic [63:0]       address_q;

  // The command that waits to issue
  logic is_control, is_ordered, all_idle, atom_idle, front_quiet_q, barriers_free, barriers_full,
        register_hazard, may_issue, issue;
  logic sem_holds;

  // The job ends in this cycle. The address of a bus error has priority over an earlier error.
  logic        fail, fail_bus;
  logic [7:0]  fail_code;
  logic [31:0] fail_command, fail_element;
  logic [4:0]  fail_lane;
  logic [63:0] fail_address;

  // Facts from the command and the guard alone; with Late a cycle later
  typedef struct packed {
    logic               is_control;
    logic               is_ordered;
    logic               touches_memory;
    logic               bad;                 // it has an error
    logic               jumps;
    logic               jump_bad;
    logic signed [35:0] jump_target;
    logic               misaligned;          // SNAPSHOT
    logic               fence_acquires;
    logic               fence_sys;           // FENCE at scope SYS
  } facts_t;

  facts_t facts_d, facts;
  logic   known;                             // facts are those of the command

  if (Late) begin : gen_facts_late
    logic seen_q;
    always_ff @(posedge clk_i) begin
      facts  <= facts_d;
      seen_q <= rst_ni && cmd_valid_i;
    end
    assign known = seen_q && cmd_valid_i;
  end else begin : gen_facts
    assign facts = facts_d;
    assign known = cmd_valid_i;
  end

  assign is_control = facts.is_control;
  assign is_ordered = facts.is_ordered;

  always_comb begin
    facts_d.is_control     = cmd_i.opcode < faa_pkg::OPCODE_MOV;
    facts_d.is_ordered     = facts_d.is_control && cmd_i.opcode != faa_pkg::OPCODE_NOP &&
                             cmd_i.opcode != faa_pkg::OPCODE_JUMP &&
                             cmd_i.opcode != faa_pkg::OPCODE_CONFIG;
    facts_d.touches_memory = cmd_i.opcode >= faa_pkg::OPCODE_LD ||
                             cmd_i.kind_a == faa_pkg::KIND_STREAM ||
                             cmd_i.kind_b == faa_pkg::KIND_STREAM ||
                             cmd_i.kind_c == faa_pkg::KIND_STREAM ||
                             cmd_i.kind_d == faa_pkg::KIND_STREAM;
    facts_d.bad            = cmd_i.error != '0;
    facts_d.jump_target    = $signed({4'b0, cmd_i.pc}) + $signed({cmd_i.a_0[31], cmd_i.a_0[31:0], 3'b0});
    facts_d.jump_bad       = facts_d.jump_target < 0 ||
                             facts_d.jump_target >= $signed({4'b0, stream_i.bytes});
    case (cmd_i.op)
      faa_pkg::JUMP_COND_ANY: facts_d.jumps = guard_i != '0;
      faa_pkg::JUMP_COND_ALL: facts_d.jumps = guard_i == '1;
      faa_pkg::JUMP_COND_NONE: facts_d.jumps = guard_i == '0;
      default: facts_d.jumps = 1'b1;
    endcase
    facts_d.misaligned     = cmd_i.opcode == faa_pkg::OPCODE_SNAPSHOT && cmd_i.a_0[7:0] != '0;
    facts_d.fence_acquires = cmd_i.opcode == faa_pkg::OPCODE_FENCE &&
                             cmd_i.op == 8'(faa_pkg::FENCE_ORDER_ACQUIRE);
    facts_d.fence_sys      = cmd_i.opcode == faa_pkg::OPCODE_FENCE &&
                             cmd_i.mod == 4'(faa_pkg::SCOPE_SYS);
  end

  // The command in the front has been handed over or dropped; the job's last one is complete.
  // Nothing begins again before the state changes.
  logic front_rests_d, front_rests, all_rests_d, all_rests, kill;
  assign front_rests_d = ((state_q == StFront && !front_start_o) || state_q == StCancel) &&
                         operand_idle_i && access_quiet_i;
  assign all_rests_d   = state_q == StDrain && all_idle && operand_idle_i && fetch_idle_i &&
                         memory_idle_i && translate_idle_i;

  if (Late) begin : gen_rests_late
    always_ff @(posedge clk_i) begin
      front_rests <= rst_ni && front_rests_d;
      all_rests   <= rst_ni && all_rests_d;
    end
    `FAA_ASSERT(front_still_rests, !front_rests || front_rests_d ||
                                   (state_q != StFront && state_q != StCancel))
    `FAA_ASSERT(all_still_rests, !all_rests || all_rests_d || state_q != StDrain)
  end else begin : gen_rests
    assign front_rests = front_rests_d;
    assign all_rests   = all_rests_d;
  end

  // The kill comes from the front end, which selects it by queue.
  always_ff @(posedge clk_i) kill <= rst_ni && kill_i;

  // Whether the front is quiet, as of the cycle before. Outside StFront it stays quiet until a
  // vector command issues, or access takes a warp of a control command. The cycles of these do not
  // count, and after them the front is not quiet.
  always_ff @(posedge clk_i) begin
    front_quiet_q <= rst_ni && front_quiet_i && !take_o && !front_start_o && !pseudo_valid_o;
  end
  assign all_idle   = units_idle_i && front_quiet_q;
  `FAA_ASSERT(front_still_quiet, !front_quiet_q || front_quiet_i ||
                                 state_q inside {StFront, StCancel})
  assign atom_idle  = atom_reads_idle_i && atom_writes_idle_i;

  assign barriers_free = (cmd_i.wait_mask & ~free_i) == '0;
  assign barriers_full = |((6'd1 << cmd_i.read_barrier | 6'd1 << cmd_i.write_barrier) & full_i);

  logic is_surface;
  assign is_surface = SurfaceAtomics && cmd_i.opcode == faa_pkg::OPCODE_SUATOM;

  // Register pairs that a command in flight writes, or with Late whether there is one. RZ is never
  // waited for.
  logic [127:0] pending_q;

  if (Late) begin : gen_one_writer
    logic any_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || begin_o || (written_i && written_row_i != 8'(faa_pkg::RZ))) any_q <= 1'b0;
      if (rst_ni && take_o && cmd_i.kind_d == faa_pkg::KIND_REG && cmd_i.rd != 8'(faa_pkg::RZ)) any_q <= 1'b1;
    end
    assign pending_q = {128{any_q}};
  end else begin : gen_writers
    logic writes;
    assign writes = !is_control && cmd_i.kind_d == faa_pkg::KIND_REG && cmd_i.rd != 8'(faa_pkg::RZ);

    always_ff @(posedge clk_i) begin
      if (!rst_ni || begin_o) begin
        pending_q <= '0;
      end else begin
        // The issue, which comes late, chooses between two states.
        for (int n = 0; n < 128; n++) begin
          pending_q[n] <= (pending_q[n] && !(written_i && written_row_i != 8'(faa_pkg::RZ) &&
                                             written_row_i[7:1] == 7'(n))) ||
                          (issue && writes && cmd_i.rd[7:1] == 7'(n));
        end
      end
    end
  end

  // Whether a pair is pending, by two bits of its number at a time
  function automatic logic is_pending(input logic [127:0] pending, input logic [6:0] pair);
    logic [31:0] fours;
    logic [7:0]  sixteens;
    logic [1:0]  halves;
    for (int n = 0; n < 32; n++) fours[n] = pending[4*n + 32'(pair[1:0])];
    for (int n = 0; n < 8; n++) sixteens[n] = fours[4*n + 32'(pair[3:2])];
    for (int n = 0; n < 2; n++) halves[n] = sixteens[4*n + 32'(pair[5:4])];
    is_pending = halves[pair[6]];
  endfunction

  assign register_hazard =
      (cmd_i.kind_a == faa_pkg::KIND_REG && cmd_i.ra != 8'(faa_pkg::RZ) &&
       is_pending(pending_q, cmd_i.ra[7:1])) ||
      (cmd_i.kind_b == faa_pkg::KIND_REG && cmd_i.rb != 8'(faa_pkg::RZ) &&
       is_pending(pending_q, cmd_i.rb[7:1])) ||
      (cmd_i.kind_c == faa_pkg::KIND_REG && cmd_i.rc != 8'(faa_pkg::RZ) &&
       is_pending(pending_q, cmd_i.rc[7:1])) ||
      (cmd_i.kind_d == faa_pkg::KIND_REG && cmd_i.rd != 8'(faa_pkg::RZ) &&
       is_pending(pending_q, cmd_i.rd[7:1])) ||
      (is_surface && cmd_i.handle_kind == faa_pkg::HANDLE_KIND_REG &&
       is_pending(pending_q, cmd_i.handle[7:1])) ||
      // The third coordinate is in the pair after Ra's, which is even.
      (is_surface && !cmd_i.coords_packed && faa_cu_pkg::has_third(cmd_i.dim) &&
       is_pending(pending_q, {cmd_i.ra[7:2], 1'b1}));

  // Order. In StIssue the last warp of the previous command has been handed over.
  logic touches_memory, reads_idle, acquire_q, acquire_wide_q, acquired, acquire_wait;
  logic sweep_first, sweep_release, acquire_sys_q, released_q, dirty_q, swept, order_sweep_q;
  logic writes_idle, stored_last_q;
  `FAA_DEFECT(release_ignores_stores, "release-ignores-stores")
  `FAA_DEFECT(release_ignores_loads, "release-ignores-loads")
  `FAA_DEFECT(loads_pass_acquire, "acquire-passes-loads")
  `FAA_DEFECT(stores_pass_acquire, "acquire-passes-stores")
  `FAA_DEFECT(release_writes_nothing, "release-writes-nothing-back")
  `FAA_DEFECT(release_writes_own, "release-writes-own-back")
  `FAA_DEFECT(acquire_drops_nothing, "acquire-drops-nothing")
  assign touches_memory = facts.touches_memory;
  assign reads_idle   = load_idle_i && atom_reads_idle_i;
  assign writes_idle  = store_idle_i && atom_writes_idle_i;
  assign acquire_wait = touches_memory && acquire_q && !reads_idle && !(loads_pass_acquire && cmd_i.opcode == faa_pkg::OPCODE_LD) &&
                        !(stores_pass_acquire && cmd_i.opcode == faa_pkg::OPCODE_ST);
  assign acquired     = acquire_q && state_q == StIssue && reads_idle;

  // Scope SYS: before a RELEASE the L2 writes back the stores of all agents, since the stream may
  // have seen them; after an ACQUIRE it keeps no line.
  assign sweep_release = GlobalAtomics && known && !is_control && cmd_i.sys && cmd_i.order[1] && !released_q &&
                         !release_writes_nothing && !(release_writes_own && !stored_last_q);
  assign sweep_first   = acquire_sys_q || sweep_release;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || begin_o) begin
      acquire_q      <= 1'b0;
      acquire_wide_q <= 1'b0;
      acquire_sys_q  <= 1'b0;
      released_q     <= 1'b0;
    end else begin
      if (issue && cmd_i.order[0]) begin
        acquire_q      <= 1'b1;
        acquire_wide_q <= cmd_i.beyond_cta;
      end else if (acquired) begin
        acquire_q <= 1'b0;
      end
      if (issue && cmd_i.sys && cmd_i.order[0] && !acquire_drops_nothing) acquire_sys_q <= 1'b1;
      else if (swept) acquire_sys_q <= 1'b0;
      // A sweep for an acquire may have begun before all accesses were performed.
      if (issue) released_q <= 1'b0;
      else if (swept && order_sweep_q && !acquire_sys_q) released_q <= 1'b1;
    end
    // For release-writes-own-back: the last access to memory was a store.
    if (issue && touches_memory) stored_last_q <= cmd_i.opcode == faa_pkg::OPCODE_ST;
  end

  // FENCE.ACQUIRE does not wait for stores.
  logic fence_acquires, fence_reads, fence_writes, ordered_may, needs_units;
  `FAA_DEFECT(fence_ignores_stores, "fence-ignores-stores")
  `FAA_DEFECT(fence_ignores_loads, "fence-ignores-loads")
  assign fence_acquires = facts.fence_acquires;
  // The other commands need all units: ordered_may is the rest of all_idle.
  assign fence_reads    = fence_acquires ||
                          (fence_ignores_stores && cmd_i.opcode == faa_pkg::OPCODE_FENCE);
  assign fence_writes   = fence_ignores_loads && cmd_i.opcode == faa_pkg::OPCODE_FENCE;
  assign ordered_may    = front_quiet_q &&
                          (fence_reads ? (reads_idle || (fence_ignores_loads && fence_acquires)) &&
                                         shared_idle_i :
                           !fence_writes || (writes_idle && shared_idle_i));
  assign needs_units    = is_control ? is_ordered && !fence_reads && !fence_writes :
                          cmd_i.order[1] &&
                          !(release_ignores_stores && reads_idle && shared_idle_i) &&
                          !(release_ignores_loads && writes_idle && shared_idle_i);

  // Conditions of a command that hold stay true until the next one issues; the others are checked
  // again.
  logic free, early, ready, ready_q, goes_on;
  // Whether the units are idle comes late.
  assign free      = state_q == StIssue && known && !facts.bad && !sweep_first && barriers_free;
  assign early     = free &&
                     (is_control ? !is_ordered || ordered_may :
                                   !barriers_full && !register_hazard && !acquire_wait);
  assign ready     = early && (units_idle_i || !needs_units);
  assign goes_on   = !failed_q && !halt_o && !inv_req_i && !bus_error_i.valid;
  assign may_issue = (Late ? ready_q && state_q == StIssue : ready) && goes_on;
  assign issue     = may_issue;

  if (Late) begin : gen_late
    always_ff @(posedge clk_i) ready_q <= rst_ni && ready && !issue;
    `FAA_ASSERT(ready_stays, !ready_q || state_q != StIssue || ready)
  end else begin : gen_now
    assign ready_q = 1'b0;
    logic unused_ready;
    assign unused_ready = ready_q;
  end

  assign sem_holds = cmd_q.op == faa_pkg::SEM_COND_EQ ? sem_value_i == cmd_q.a_1 : sem_value_i >= cmd_q.a_1;

  // -------------------------------------------------------------------------------------------------------------
  // Sweeps

  logic       fence_sweeps, fence_sc, fence_keeps, fence_omits, signals, drop_q, sweep_all_q;
  logic [5:0] polls_q;

  `FAA_DEFECT(sc_writes_nothing, "fence-sc-writes-nothing-back")
  `FAA_DEFECT(sc_drops_nothing, "fence-sc-drops-nothing")
  `FAA_DEFECT(sys_as_gpu, "sys-as-gpu")
  // Of FENCE at scope SYS a release alone keeps the lines. Dropping a line writes it back, so a
  // defect that omits the drop omits both.
  assign fence_sc     = cmd_i.op == 8'(faa_pkg::FENCE_ORDER_SC);
  assign fence_keeps  = cmd_i.op == 8'(faa_pkg::FENCE_ORDER_RELEASE) || acquire_drops_nothing || (sc_drops_nothing && fence_sc);
  assign fence_omits  = sys_as_gpu || (sc_writes_nothing && fence_sc) ||
                        (!fence_acquires && (release_writes_nothing || (release_writes_own && !stored_last_q)));
  assign fence_sweeps = GlobalAtomics && facts.fence_sys && !fence_omits;
  assign signals      = GlobalAtomics && cmd_q.opcode == faa_pkg::OPCODE_SEM_SIGNAL;
  assign swept        = state_q == StSweep && sweep_done_i;

  always_ff @(posedge clk_i) begin
    // The runner sweeps before the job begins.
    if (!rst_ni || begin_o || (swept && sweep_all_q)) dirty_q <= 1'b0;
    else if (state_q == StStore || (state_q == StFront && (cmd_q.opcode == faa_pkg::OPCODE_ST ||
             cmd_q.opcode == faa_pkg::OPCODE_ATOM || (SurfaceAtomics && cmd_q.opcode == faa_pkg::OPCODE_SUATOM) || cmd_q.kind_d == faa_pkg::KIND_STREAM))) dirty_q <= 1'b1;
    // A sweep for an acquire may begin before all accesses are performed.
    if (state_q != StSweep) sweep_all_q <= all_idle;
    if (state_q == StIssue) polls_q <= '0;
    else if (state_q == StSemWait && sem_valid_i) polls_q <= polls_q + 6'd1;
  end

  assign sweep_valid_o = state_q == StSweep;
  assign sweep_drop_o  = drop_q;

  // -------------------------------------------------------------------------------------------------------------
  // Errors

  // A stop takes effect at the points of a kill.
  logic [7:0] halt_code;
  assign halt_o    = kill || stop_i;
  assign halt_code = kill ? faa_pkg::ERROR_KILLED : faa_pkg::ERROR_STOPPED;

  always_comb begin
    fail         = 1'b0;
    fail_code    = halt_code;
    fail_command = cmd_q.pc;
    fail_element = '0;
    fail_lane    = '0;
    fail_address = '0;
    if (failure_i.valid) begin
      fail         = 1'b1;
      fail_code    = failure_i.error == faa_pkg::ERROR_KILLED ? halt_code : failure_i.error;
      fail_element = pseudo_o ? '0 : failure_i.element;
      fail_lane    = failure_i.lane;
      fail_address = failure_i.address;
    end else if (state_q == StIssue) begin
      fail_command = decode_pc_i;
      // Only whether there is an error depends on the issue, which is known late.
      fail = halt_o || (known && facts.bad) ||
             (issue && (facts.misaligned ||
                        (cmd_i.opcode == faa_pkg::OPCODE_JUMP && facts.jump_bad)));
      if (halt_o) begin
        fail_element = first_q;
      end else if (facts.bad) begin
        fail_code    = cmd_i.error;
        fail_address = cmd_i.address;
      end else if (cmd_i.opcode == faa_pkg::OPCODE_JUMP) begin
        fail_code    = faa_pkg::ERROR_BAD_JUMP;
        fail_address = {{28{facts.jump_target[35]}}, facts.jump_target};
      end else begin
        fail_code    = faa_pkg::ERROR_MISALIGNED;
        fail_address = cmd_i.a_0;
      end
    end else if (swept && sweep_err_i) begin
      fail      = 1'b1;
      fail_code = faa_pkg::ERROR_BUS_ERROR;
    end else if (halt_o && (state_q == StSemRead || state_q == StSemPause || state_q == StBar)) begin
      fail = 1'b1;
    end
  end

  assign fail_bus = bus_error_i.valid && running_o &&
                    !(failed_q && code_q == faa_pkg::ERROR_BUS_ERROR);

  always_ff @(posedge clk_i) begin
    if (begin_o) begin
      failed_q  <= 1'b0;
      code_q    <= faa_pkg::ERROR_SUCCESS;
      lane_q    <= '0;
      address_q <= '0;
    end else if (fail_bus) begin
      failed_q  <= 1'b1;
      code_q    <= faa_pkg::ERROR_BUS_ERROR;
      lane_q    <= '0;
      address_q <= bus_error_i.address;
    end else if (fail && !failed_q) begin
      failed_q  <= 1'b1;
      code_q    <= fail_code;
      lane_q    <= fail_lane;
      address_q <= fail_address;
    end else if (state_q == StContext && !context_busy_i) begin
      failed_q  <= context_error_i;
      code_q    <= context_error_i ? faa_pkg::ERROR_BUS_ERROR : faa_pkg::ERROR_SUCCESS;
      lane_q    <= '0;
      address_q <= '0;
    end
  end

  // -------------------------------------------------------------------------------------------------------------
  // States

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle: if (job_valid_i) state_q <= job_op_i == faa_bundle_pkg::OpRun ? StIssue : StContext;
        StIssue:
          if (fail || failed_q) state_q <= StDrain;
          else if (issue) begin
            case (cmd_i.opcode)
              faa_pkg::OPCODE_END: state_q <= StDrain;
              faa_pkg::OPCODE_SEM_WAIT: state_q <= GlobalAtomics && dirty_q ? StSweep : StSemRead;
              faa_pkg::OPCODE_SEM_SIGNAL: state_q <= GlobalAtomics ? StSweep : StStore;
              faa_pkg::OPCODE_SNAPSHOT: state_q <= StStore;
              faa_pkg::OPCODE_FENCE: if (fence_sweeps) state_q <= StSweep;
              faa_pkg::OPCODE_BAR: state_q <= StBar;
              faa_pkg::OPCODE_NOP, faa_pkg::OPCODE_JUMP, faa_pkg::OPCODE_CONFIG: ;
              default: state_q <= StFront;
            endcase
          end else if (sweep_first && (acquire_sys_q ? reads_idle : all_idle) && !halt_o &&
                       !inv_req_i && !bus_error_i.valid) begin
            state_q <= StSweep;
          end
        StFront:
          if (fail || failed_q) state_q <= StCancel;
          else if (front_rests) state_q <= StIssue;
        StCancel: if (front_rests) state_q <= StDrain;
        StSemRead:
          if (fail || failed_q) state_q <= StDrain;
          else if (pseudo_valid_o && access_ready_i) state_q <= StSemWait;
        StSemWait:
          if (fail || failed_q) state_q <= StDrain;
          else if (sem_valid_i) begin
            if (bus_error_i.valid) state_q <= StDrain;
            else if (sem_holds) state_q <= GlobalAtomics ? StSweep : StIssue;
            else state_q <= StSemPause;
          end
        StSemPause:
          if (fail || failed_q) state_q <= StDrain;
          else if (pause_q == '0) state_q <= GlobalAtomics && polls_q == '0 ? StSweep : StSemRead;
        StStore: if (pseudo_valid_o && access_ready_i) state_q <= StStoreWait;
        StStoreWait:
          if (fail || failed_q) state_q <= StDrain;
          else if (all_idle) state_q <= signals ? StSweep : StIssue;
        StSweep: if (sweep_done_i) state_q <= sweep_err_i || failed_q ? StDrain : after_q;
        StBar:
          if (fail || failed_q) state_q <= StDrain;
          else if (bar_go_i) state_q <= StIssue;
        StDrain: if (all_rests) state_q <= StDone;
        StDone: if (done_ready_i) state_q <= StIdle;
        StContext: if (!context_busy_i && !context_start_o) state_q <= StDone;
        default: state_q <= StIdle;
      endcase
    end

    // StCancel
    cancel_q <= rst_ni && ((state_q == StFront && (fail || failed_q)) ||
                           (state_q == StCancel && !front_rests));
    pause_q <= state_q == StSemPause ? pause_q - 5'd1 : PollPause;
    if (issue) cmd_q <= cmd_i;

    // State after the next sweep, and whether it keeps lines
    case (state_q)
      StIssue: begin
        after_q <= issue && cmd_i.opcode == faa_pkg::OPCODE_SEM_WAIT ? StSemRead :
                   issue && cmd_i.opcode == faa_pkg::OPCODE_SEM_SIGNAL ? StStore : StIssue;
        order_sweep_q <= !issue;
        drop_q  <= acquire_sys_q || (issue && cmd_i.opcode == faa_pkg::OPCODE_FENCE && !fence_keeps);
      end
      StSemWait: begin
        after_q <= StIssue;
        drop_q  <= 1'b1;
      end
      StSemPause: begin
        after_q <= StSemRead;
        drop_q  <= 1'b0;
      end
      StStoreWait: begin
        after_q <= StIssue;
        drop_q  <= 1'b0;
      end
      default: ;
    endcase
  end

  assign begin_o         = state_q == StIdle && job_valid_i && job_op_i == faa_bundle_pkg::OpRun;
  logic context_first_q;
  assign context_start_o = context_first_q;
  always_ff @(posedge clk_i) begin
    context_first_q <= rst_ni && state_q == StIdle && job_valid_i &&
                       job_op_i != faa_bundle_pkg::OpRun;
  end

  logic front_first_q;
  always_ff @(posedge clk_i) front_first_q <= rst_ni && issue && !is_control;
  assign front_start_o = front_first_q;

  // -------------------------------------------------------------------------------------------------------------
  // Counts of the job

  always_ff @(posedge clk_i) begin
    if (begin_o) begin
      first_q   <= stream_i.first_element;
      element_q <= stream_i.first_element;
      command_q <= '0;
      retired_q <= '0;
      warps_q   <= '0;
      passes_q  <= '0;
    end else if (running_o) begin
      if (front_start_o) first_q <= '0;
      if (issue) begin
        command_q <= cmd_i.pc;
        element_q <= first_q;
      end
      if (retire_i.valid) begin
        element_q <= retire_i.next;
        retired_q <= retired_q + {58'b0, retire_i.count};
        warps_q   <= warps_q + 32'd1;
      end
      passes_q <= passes_q + {26'b0, passes_i};
      // Between two commands the progress is that of the next one.
      if (state_q == StFront && !fail && !failed_q && front_rests) begin
        element_q <= '0;
        command_q <= decode_pc_i;
      end
      if (fail_bus) begin
        command_q <= bus_error_i.command;
        element_q <= bus_error_i.element;
      end else if (fail && !failed_q) begin
        command_q <= fail_command;
        element_q <= fail_element;
      end
    end
  end

  assign job_ready_o    = state_q == StIdle;
  assign done_valid_o   = state_q == StDone;
  assign done_o         = '{code: code_q, lane: lane_q, address: address_q};
  assign progress_o     = '{command: command_q, element: element_q, retired: retired_q,
                            warps: warps_q, passes: passes_q};
  assign failed_o       = failed_q;
  assign at_bar_o       = state_q == StBar;
  assign running_o      = state_q != StIdle && state_q != StDone && state_q != StContext;

  // -------------------------------------------------------------------------------------------------------------
  // To the other parts

  // A jump waits for barriers alone.
  assign restart_o        = begin_o || ((Late ? ready_q && state_q == StIssue : free) && goes_on &&
                                        cmd_i.opcode == faa_pkg::OPCODE_JUMP && facts.jumps &&
                                        !facts.jump_bad);
  assign restart_offset_o = begin_o ? '0 : facts.jump_target[31:0];
  assign decode_stop_o    = state_q == StDrain || state_q == StCancel || state_q == StDone;
  assign first_element_o  = first_q;
  assign cmd_ready_o      = issue;
  assign cmd_o            = cmd_q;
  assign cancel_o         = cancel_q;
  assign take_o           = issue && !is_control;
  assign pseudo_o         = state_q[4];
  assign pseudo_valid_o   = (state_q == StSemRead && !inv_req_i && !halt_o) || pseudo_store_o;
  assign pseudo_store_o   = state_q == StStore;
  assign sem_ready_o      = 1'b1;

  logic quiet_d, quiet_q, surface_drop_q;
  // A cycle after the request: it stops what is deep. Until nothing is in flight, that does not
  // matter.
  always_ff @(posedge clk_i) hold_o <= rst_ni && inv_req_i && running_o;
  // Nothing is in flight, as of the cycle before, in which hold_o was 1 already: so nothing has
  // begun since, but the access of a control command that follows a sweep.
  always_ff @(posedge clk_i) quiet_q <= rst_ni && hold_o && quiet_d;
  assign quiet_d   = front_quiet_i && fetch_idle_i && load_idle_i && store_idle_i && atom_idle &&
                     memory_idle_i && translate_idle_i && !pseudo_valid_o;
  assign inv_ack_o = inv_req_i && (!running_o || (hold_o && quiet_q && !pseudo_valid_o));
  assign drop_o    = inv_ack_o || begin_o;

  // No surface is looked up in a cycle in which one of these is 1.
  assign config_set_o   = SurfaceAtomics && issue && cmd_i.opcode == faa_pkg::OPCODE_CONFIG;
  // At the issue of a command, and after an acquire, it comes a cycle later; a SUATOM that issues
  // in the cycle of the acquire looks its surface up later than that.
  always_ff @(posedge clk_i) begin
    surface_drop_q <= rst_ni && (config_set_o || (acquired && acquire_wide_q) ||
                                 (issue && (cmd_i.opcode == faa_pkg::OPCODE_FENCE ||
                                            cmd_i.opcode == faa_pkg::OPCODE_SEM_WAIT)));
  end
  assign surface_drop_o = drop_o || surface_drop_q;

  // SEM_WAIT counts when it is satisfied, BAR when all streams have arrived, other commands when
  // they are complete; each after its last sweep.
  logic counts;                              // the command at its issue, which is known late
  assign counts = !failure_i.valid && !facts.misaligned &&
                  (cmd_i.opcode == faa_pkg::OPCODE_NOP ||
                   (cmd_i.opcode == faa_pkg::OPCODE_JUMP && !facts.jump_bad) ||
                   cmd_i.opcode == faa_pkg::OPCODE_CONFIG ||
                   (cmd_i.opcode == faa_pkg::OPCODE_FENCE && !fence_sweeps) ||
                   cmd_i.opcode == faa_pkg::OPCODE_END);
  assign ev_command_o = (issue && counts) ||
                        (state_q == StFront && retire_i.valid && retire_i.last) ||
                        (!GlobalAtomics && state_q == StSemWait && sem_valid_i && sem_holds &&
                         !bus_error_i.valid) ||
                        (state_q == StStoreWait && !fail && !failed_q && all_idle && !signals) ||
                        (state_q == StBar && !fail && !failed_q && bar_go_i) ||
                        (swept && !sweep_err_i && !failed_q && after_q == StIssue && !order_sweep_q);
  assign ev_stall_barrier_o = (state_q == StIssue && cmd_valid_i && cmd_i.error == '0 && !issue) || state_q == StSweep ||
                              (state_q == StBar && !bar_go_i);

  `FAA_ASSERT(barriers_free_at_success,
              !(state_q == StDone && job_op_i == faa_bundle_pkg::OpRun && code_q == '0) ||
              free_i == '1)
  `FAA_ASSERT(registers_free_at_success,
              !(state_q == StDone && job_op_i == faa_bundle_pkg::OpRun && code_q == '0) ||
              pending_q == '0)
  `FAA_ASSERT(jumps_at_issue, restart_o == (begin_o ||
              (issue && cmd_i.opcode == faa_pkg::OPCODE_JUMP && facts.jumps && !facts.jump_bad)))
  `FAA_ASSERT(pseudo_is_a_state,
              pseudo_o == (state_q inside {StSemRead, StSemWait, StStore, StStoreWait}))
  `FAA_ASSERT(cancel_is_a_state, cancel_o == (state_q == StCancel))
  `FAA_ASSERT(invalidation_is_quiet, !(inv_req_i && inv_ack_o && running_o) || quiet_d)
  `FAA_COVER(access_after_a_sweep, inv_req_i && quiet_q && pseudo_valid_o)
  `FAA_COVER(stall_i2, state_q == StIssue && cmd_valid_i && !barriers_free)
  `FAA_COVER(stall_i4, state_q == StIssue && cmd_valid_i && !is_control && register_hazard)
  `FAA_COVER(stall_i5, state_q == StIssue && cmd_valid_i && is_ordered && !all_idle)
  `FAA_COVER(stall_i6, state_q == StIssue && cmd_valid_i && inv_req_i)
  `FAA_COVER(sys_release, state_q == StIssue && sweep_first && !acquire_sys_q && all_idle)
  `FAA_COVER(sys_acquire, state_q == StIssue && acquire_sys_q && reads_idle)
  `FAA_COVER(stall_i8_release, state_q == StIssue && cmd_valid_i && !is_control && needs_units &&
             !units_idle_i)
  `FAA_COVER(stall_i8_acquire, state_q == StIssue && cmd_valid_i && !is_control && acquire_wait)
  `FAA_COVER(acquire_passes_stores, issue && fence_acquires && !units_idle_i)
  `FAA_COVER(stall_i9, state_q == StSweep && !sweep_done_i)
  `FAA_COVER(stall_i10, state_q == StBar && !bar_go_i)
  `FAA_COVER(halt_in_a_bar, state_q == StBar && halt_o)
  `FAA_COVER(invalidation_in_a_bar, state_q == StBar && inv_req_i && inv_ack_o)
  `FAA_COVER(sweep_between_polls, state_q == StSemPause && pause_q == '0 && GlobalAtomics && polls_q == '0)
  `FAA_COVER(sweep_refused, swept && sweep_err_i)
  `FAA_COVER(invalidation_during_a_sweep, state_q == StSweep && inv_req_i && inv_ack_o)
  `FAA_COVER(accesses_of_two_commands, issue && !is_control && cmd_i.opcode != faa_pkg::OPCODE_LDS && cmd_i.opcode != faa_pkg::OPCODE_STS &&
             touches_memory && !atom_idle)
  `FAA_COVER(overlap, issue && !is_control && !units_idle_i)

  logic unused;
  assign unused = ^{stream_i.va, retire_i};

endmodule
