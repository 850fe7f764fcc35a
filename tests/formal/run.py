#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves the properties of RTL modules with Yosys: yosys-smtbmc and z3, Yosys' own solver, or ABC.

    run.py [--build DIR] [--list] [NAME...]

Each proof is bounded model checking from reset and, where `induction` or `pdr` is given,
k-induction or property directed reachability, so that it holds for all time. `without` names
properties that are left out. A proof with `must_fail`, or `fails` and a property, is of a
deliberately wrong design: it shows that the properties can fail. A property Never... is false for
the right design, too: a proof with `fails` shows that the behaviour that it denies is possible;
other proofs leave it out. Proofs with `long` run when they are named, or all of them with
FAA_LONG=1. Without FAA_LONG=1 a third of the wrong designs of a module runs; FAA_SEED chooses. The
edit of every proof, including those that do not run, has to match one place in the RTL, as do those
of `cut`, which make a design smaller.

A proof that has held is kept outside the checkout (tests/kept.py), by its definition, the code of
its files without comments, and the tools: it is not made again unless it is named, or FAA_LONG or
FAA_FRESH is set.
"""

import argparse
import concurrent.futures
import functools
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = "tests/formal"
sys.dont_write_bytecode = True
sys.path.insert(1, str(ROOT / "tests"))
import kept  # pylint: disable=wrong-import-position
from kept import verilate  # pylint: disable=wrong-import-position
LIMIT_SECONDS = 2400
# tests/yosys.py, beside the Python that runs this
YOSYS_SLANG = str(pathlib.Path(sys.executable).parent / "yosys-slang")

SHARED = ["rtl/float/faa_float_pkg.sv", "rtl/cu/faa_cu_pkg.sv", "rtl/lanes/faa_lanes_pkg.sv", "rtl/shared/faa_shared_pkg.sv", f"{HERE}/formal_any.sv"]


def shared(name, files, inside, steps, params=None, **more):
    """A proof of a module of the shared memory unit, by ABC, over `steps` cycles or for all time.
    `inside`: a file, the text to insert into it, and the text before which it is inserted (None:
    the end)."""
    more = {"inside": inside, **more} if inside else more
    return dict(top=f"shared_{name}_props", params=params or {}, abc=True, bmc=steps,
                files=SHARED + files + [f"{HERE}/shared_{name}_props.sv"], **more)


def bank(**more):
    """faa_shared_bank"""
    return shared("bank", ["rtl/lib/faa_ram_1r1w.sv", "rtl/shared/faa_shared_bank.sv"],
                  ("faa_shared_bank.sv", "shared_bank_inside.svh", None), 14, **more)


def queue(depth=4, **more):
    """faa_shared_queue"""
    return shared("queue", ["rtl/shared/faa_shared_queue.sv"], ("faa_shared_queue.sv", "shared_queue_inside.svh", None), 8, dict(Depth=depth), **more)


def issue(half=1, **more):
    """faa_shared_pass"""
    return shared("pass", ["rtl/shared/faa_shared_pass.sv"], None, 10, dict(Half=half), **more)


def choose(**more):
    """faa_shared_choose with two banks and a table of four rows. Tickets of other operations may be
    of no word."""
    return shared("choose", [f"rtl/shared/faa_shared_{name}.sv" for name in ("follow", "links", "ends", "choose", "alu", "bank", "pair")] +
                  ["rtl/lib/faa_ram_1r1w.sv", "rtl/lib/faa_arb_rr.sv", "rtl/lanes/faa_lanes_delay.sv"],
                  ("faa_shared_bank.sv", "shared_bank_inside.svh", None), 10, cut=[("TICKET_BITS = 11", "TICKET_BITS = 7")],
                  **{"without": ["word_has_a_first_position"], **more})


def fix_cas(**more):
    """faa_shared_fix_cas"""
    return shared("fix_cas", [f"rtl/shared/faa_shared_{name}.sv" for name in ("follow", "links", "fix_cas")] + ["rtl/lanes/faa_lanes_delay.sv"], None, 8, **more)


def flow(prompt=0, **more):
    """faa_shared_pass, faa_shared_window and faa_shared_collect with queues"""
    return shared("credits", ["rtl/lib/faa_ram_1r1w.sv", "rtl/lib/faa_fifo_ram.sv",
                              *(f"rtl/shared/faa_shared_{name}.sv" for name in ("pass", "queue", "window", "collect"))],
                  None, 20 if prompt else 18, dict(Prompt=f"1'b{prompt}"), **more)


# The files of the lane network and of the shared memory unit, and what they use of rtl/lib
UNIT = [f"rtl/lib/faa_{name}.sv" for name in ("arb_rr", "fifo", "fifo_ram", "ram_1r1w", "skid")] + \
       sorted(path.relative_to(ROOT).as_posix() for folder in ("lanes", "shared") for path in (ROOT / "rtl" / folder).glob("*.sv")
              if not path.name.endswith("_pkg.sv"))


@functools.cache
def asserted():
    """The names of the assertions of UNIT."""
    return {name for file in UNIT for name in re.findall(r"`FAA_ASSERT\w*\((\w+),", (ROOT / file).read_text(encoding="utf-8"))}


def room(name, found, cut=(), steps=60, **more):
    """Credits of a part of the shared memory unit: the assertions `found` and those of the harness,
    with the rest of the unit cut off."""
    return shared(name, UNIT + [f"{HERE}/formal_way.sv", f"{HERE}/formal_waits.sv"], None, steps, cut=list(cut),
                  without=sorted(asserted() - found), **more)


def anything(name):
    """Text that declares a value of the solver's choice."""
    return f"logic {name};\n  formal_any #(.WIDTH(1)) u_any_{name} (.Y({name}));\n  "


def front(**more):
    """faa_shared_front with a queue of four beats."""
    return room("front", {"front_has_room", "FifoRamCount"}, **more)


# The queues before stages D and C with four entries, any beats in front of them, and any cycles in
# which stage D takes them
AFTER_X = [
    ("Records    = 64;", "Records    = 4;"), ("Lanes > 4 ? 32 : 16;   // beats between stages X and D", "4;"),
    (".valid_o      (f_valid)", ".valid_o      ()"), (".sorted_o     (f_sorted)", ".sorted_o     ()"),
    ("assign taken_o = d_valid && (wants & ~loads) == '0;", anything("f_takes") + "assign taken_o = d_valid && f_takes;")]


def middle(**more):
    """The queues of faa_shared between stages X, D and C, with four entries each. Beats of stage S,
    their operations of banks, and the cycles in which they leave are the solver's choice."""
    return room("middle", {"ahead_has_room", "records_have_room"}, AFTER_X + [
        ("assign i_any = i_places.passes != '0;", anything("f_any") + "assign i_any = f_any;"),
        ("assign collected_o = place_valid && record_valid && (needed & ~full) == '0 &&\n                       (results_room_q || !r_record.beat.result);",
         anything("f_leaves") + "assign collected_o = place_valid && record_valid && f_leaves;"),
        ("(place_space && &half_space)", "place_space")], **more)


def places(steps=30, **more):
    """The same with the queues of places of each half of the banks and with faa_shared_collect. The
    passes of a beat, and when they are complete, are the solver's choice, too."""
    bits = ["f_even", "f_even_high", "f_odd", "f_odd_high", "f_even_complete", "f_odd_complete"]
    return room("places", {"records_have_room", "taken_is_full", "FifoRamCount"}, AFTER_X + [
        (".passes_o(i_places.passes)", ".passes_o()"), (".complete_o     (complete)", ".complete_o     ()"),
        ("assign i_any = i_places.passes != '0;", "".join(map(anything, bits)) + "assign i_any = i_places.passes != '0;\n  "
         "assign i_places.passes = {f_odd_high, f_odd, f_even_high, f_even};\n  assign complete = {f_odd_complete, f_even_complete};"),
        ("record_t                     r_record;", "record_t r_record;\n  " + anything("f_leaves")),
        ("(results_room_q || !r_record.beat.result)", "f_leaves")], steps, **more)


def back(**more):
    """faa_shared_back with four entries for answers. Beats that leave stage C, and their answers,
    are the solver's choice."""
    return room("back", {"answers_have_room"}, [
        ("Results    = 64;", "Results    = 4;"), (".data_o ({r_hold, r_record})", ".data_o ()"),
        ("record_t                     r_record;", "record_t r_record;\n  for (genvar n = 0; n < RecordW; n++) begin : g_any\n"
         "    formal_any #(.WIDTH(1)) u_any (.Y(r_record[n]));\n  end"),
        (".data_o ({last, odd, wide, word})", ".data_o ()"),
        ("assign collected_o = place_valid && record_valid && (needed & ~full) == '0 &&", anything("f_leaves") + "assign collected_o = f_leaves &&")], **more)


def collect(**more):
    """faa_shared_collect"""
    return shared("collect", ["rtl/shared/faa_shared_collect.sv"], None, 8, **more)


def window(**more):
    """faa_shared_window"""
    return shared("window", ["rtl/shared/faa_shared_window.sv"], None, 10, **more)


def answers(**more):
    """faa_shared_answers"""
    return shared("answers", ["rtl/shared/faa_shared_answers.sv"],
                  ("faa_shared_answers.sv", "shared_answers_inside.svh", "  end\n\n  `FAA_ASSERT(one_answer"), 10, **more)


def pair(**more):
    """faa_shared_pair without floating-point units"""
    return dict(top="shared_pair_props", params={}, abc=True, bmc=12,
                files=SHARED + ["rtl/shared/faa_shared_alu.sv", "rtl/lib/faa_ram_1r1w.sv", "rtl/shared/faa_shared_bank.sv",
                                "rtl/shared/faa_shared_pair.sv", f"{HERE}/shared_pair_props.sv"], **more)


def alu(**more):
    """faa_shared_alu, two of them"""
    return dict(top="shared_alu_props", params={}, abc=True, bmc=6,
                files=SHARED + ["rtl/shared/faa_shared_alu.sv", f"{HERE}/shared_alu_props.sv"], **more)


def chain(steps, **more):
    """faa_shared_chain"""
    return shared("chain", [f"{HERE}/shared_chain_formal_pkg.sv", *(f"rtl/lanes/faa_lanes_{name}.sv" for name in ("less", "combine", "node", "delay")),
                            *(f"rtl/shared/faa_shared_{name}.sv" for name in ("watch", "total", "chain"))],
                  ("faa_shared_chain.sv", "shared_chain_inside.svh", None), steps, **more)


def ptw(**more):
    """faa_ptw"""
    return dict(top="ptw_props", params={}, abc=True, bmc=14, inside=("faa_ptw.sv", "ptw_inside.svh", None),
                files=["rtl/lib/faa_arb_rr.sv", "rtl/mem/faa_ptw.sv", f"{HERE}/ptw_props.sv"], **more)


def control(**more):
    """faa_cu_control. Only its environment determines that barriers and registers are free when a
    job ends, and that nothing begins in a quiet front."""
    params = {"GlobalAtomics": "1'b1", **more.pop("params", {})}
    return dict(top="cu_control_props", params=params, abc=True, bmc=14, inside=("faa_cu_control.sv", "cu_control_inside.svh", None),
                without=["free_at_success", "front_still_quiet", "invalidation_is_quiet"],
                files=["rtl/bundle/faa_bundle_pkg.sv", "rtl/cu/faa_cu_pkg.sv", f"{HERE}/formal_any.sv", "rtl/cu/faa_cu_control.sv", f"{HERE}/cu_control_props.sv"], **more)


def cu(name, **more):
    """faa_cu_lend, faa_cu_jobs, faa_cu_under_way, faa_cu_arrived"""
    return dict(top=f"cu_{name}_props", params={}, abc=True, bmc=8,
                files=["rtl/bundle/faa_bundle_pkg.sv", "rtl/lib/faa_arb_rr.sv", "rtl/lib/faa_arb_hold.sv",
                       "rtl/lib/faa_in_flight.sv", f"rtl/cu/faa_cu_{name}.sv", f"{HERE}/cu_{name}_props.sv"], **more)


def axi_master(steps, more=None, **params):
    """faa_axi_master with these parameters"""
    return dict(top="axi_master_props", params=params, bmc=steps, sat=True,
                files=["rtl/lib/faa_any.sv", "rtl/lib/faa_lowest.sv", "rtl/lib/faa_slots.sv",
                       "rtl/lib/faa_ram_1r1w.sv", "rtl/lib/faa_skid.sv", "rtl/mem/faa_axi_collect.sv",
                       "rtl/mem/faa_axi_master.sv", f"{HERE}/axi_master_props.sv"], **(more or {}))


def line_queue(**more):
    """faa_line_queue"""
    return dict(top="line_queue_props", params={}, abc=True, bmc=10,
                files=["rtl/lib/faa_fifo.sv", "rtl/mem/faa_line_queue.sv", f"{HERE}/line_queue_props.sv"], **more)


def l2_sys(**more):
    """faa_l2_sys without arithmetic"""
    return dict(top="l2_sys_props", params={}, abc=True, bmc=15,
                files=["rtl/float/faa_float_pkg.sv", "rtl/lib/faa_equal.sv", "rtl/l2/faa_l2_pkg.sv", "rtl/l2/faa_l2_sys.sv", f"{HERE}/l2_pair_any.sv", f"{HERE}/l2_sys_props.sv"], **more)


def lanes(name, modules, cycles, params, **more):
    """Modules of rtl/lanes. A beat takes `cycles`: induction over more steps includes the entry of
    every beat."""
    return dict(top=f"lanes_{name}_props", params=params, abc=True, bmc=cycles + 3,
                files=["rtl/lanes/faa_lanes_pkg.sv"] + [f"rtl/lanes/faa_lanes_{module}.sv" for module in modules] + [f"{HERE}/lanes_{name}_props.sv"], **more)


def compact(**more):
    """faa_lanes_compact with faa_lanes_expand"""
    return lanes("compact", ["delay", "compact", "expand"], 6, dict(Lanes=8), **more)


def sort(count=4, cycles=6, **more):
    """faa_lanes_sort with faa_lanes_unsort"""
    return lanes("sort", ["less", "delay", "sort_level", "sort", "unsort"], cycles, dict(Lanes=count), **more)


def scan(**more):
    """faa_lanes_scan"""
    return lanes("scan", ["less", "combine", "node", "scan"], 4, dict(Lanes=4, Width=3), **more)


def fifo_ram(**more):
    """faa_fifo_ram"""
    return dict(top="fifo_ram_props", params={}, abc=True, bmc=14, files=["rtl/lib/faa_ram_1r1w.sv", "rtl/lib/faa_fifo_ram.sv", f"{HERE}/fifo_ram_props.sv"], **more)


def hold(**more):
    """faa_arb_hold"""
    return dict(top="faa_arb_hold", files=["rtl/lib/faa_arb_rr.sv", "rtl/lib/faa_arb_hold.sv"], params=dict(N=3), bmc=10, **more)


# Arguments by name: files, top module, parameters, steps of the bounded check, k of the induction
# (0 = none), front end, engine.
PROOFS = {
    "fifo-4": dict(top="faa_fifo", files=["rtl/lib/faa_fifo.sv"], params=dict(Width=3, Depth=4), bmc=12, induction=2),
    "fifo-3": dict(top="faa_fifo", files=["rtl/lib/faa_fifo.sv"], params=dict(Width=2, Depth=3), bmc=12, induction=2),
    "skid": dict(top="faa_skid", files=["rtl/lib/faa_skid.sv"], params=dict(Width=3), bmc=10, induction=3),
    "arb-rr-2": dict(top="faa_arb_rr", files=["rtl/lib/faa_arb_rr.sv"], params=dict(N=2), bmc=8, induction=2),
    "arb-rr-5": dict(top="faa_arb_rr", files=["rtl/lib/faa_arb_rr.sv"], params=dict(N=5), bmc=10, induction=2),
    "arb-hold-3": hold(induction=2),
    "arb-lrg-4": dict(top="faa_arb_lrg", files=["rtl/lib/faa_arb_lrg.sv"], params=dict(N=4), bmc=8, induction=2),
    "sched": dict(top="sched_props", params={}, induction=5, sat=True,
                  files=["rtl/lib/faa_arb_lrg.sv", "rtl/front/faa_sched.sv", f"{HERE}/sched_props.sv"]),
    "axi-master-512": axi_master(10, DataWidth=512),
    "axi-master-128": axi_master(14, DataWidth=128),
    "axi-master-late": axi_master(11, DataWidth=256, Late=1),
    "axi-master-one": axi_master(8, DataWidth=512, WriteLines=1),
    "ptw": ptw(induction=3),
    # All answers leave at once; a request that waited is forgotten; a read is repeated while its
    # line is checked.
    "ptw-together": ptw(fails="HeldWhileUnderWay", edit=("if (done_grant[n] && done_ready_i)", "if (done_ready_i)")),
    "ptw-forgets": ptw(fails="HeldWhileUnderWay", edit=("state_q[n] <= StAgain", "state_q[n] <= StFree")),
    "ptw-twice": ptw(fails="OneReadPerWalk", edit=("asks_q[n] ? !mem_req_ready_i[n]", "asks_q[n] ? !mem_rsp_valid_i[n]")),
    "control": control(pdr=True),
    "control-no-l2": control(pdr=True, params=dict(GlobalAtomics="1'b0")),
    # Weak accesses issue while any earlier one is outstanding, even that of a release; stores issue
    # after an acquire; sweeps occur.
    "control-weak-passes": control(fails="NeverBehindWeak"),
    "control-passes-release": control(fails="NeverBehindRelease"),
    "control-acquire-passes-stores": control(fails="NeverStoreBehindAcquire"),
    "control-sys-release-comes": control(fails="NeverSysRelease"),
    "control-sys-acquire-comes": control(fails="NeverBehindSysAcquire"),
    # A release that waits for stores alone; an acquire that the next command forgets; a BAR, a
    # fence that begin at once; all accesses wait.
    "control-release-of-stores": control(fails="ReleaseWaits", edit=("(units_idle_i || !needs_units)",
                                              "(units_idle_i || (!is_control && store_idle_i) || !needs_units)")),
    "control-acquire-forgotten": control(fails="AcquireHolds", edit=("else if (acquired) begin", "else if (issue) begin")),
    "control-bar-at-once": control(fails="BarWaits", edit=("cmd_i.opcode != faa_pkg::OPCODE_CONFIG;",
                                                           "cmd_i.opcode != faa_pkg::OPCODE_CONFIG && cmd_i.opcode != faa_pkg::OPCODE_BAR;")),
    "control-fence-without-shared": control(fails="FenceAcquireWaits", edit=("                                         shared_idle_i :\n",
                                                "                                         1'b1 :\n")),
    "control-all-wait": control(fails="WeakGoesOn", edit=("(units_idle_i || !needs_units)", "(units_idle_i || (is_control && !needs_units))")),
    "control-ends-early": control(fails="JobEndsPerformed",
                                  edit=("StDrain && all_idle && operand_idle_i", "StDrain && operand_idle_i")),
    # A release's sweep that begins before all is performed, or was an acquire's; a fence, an
    # acquire that keeps lines; a signal without a sweep before it, or after it.
    "control-sweep-early": control(fails="SysReleaseSwept", edit=("(acquire_sys_q ? reads_idle : all_idle)", "reads_idle")),
    "control-sweep-of-acquire": control(fails="SysReleaseSwept", edit=("swept && order_sweep_q && !acquire_sys_q", "swept && order_sweep_q")),
    "control-fence-not-swept": control(fails="FenceReleaseSwept", edit=("if (fence_sweeps) state_q", "if (fence_sweeps && fence_acquires) state_q")),
    "control-fence-keeps": control(fails="DropBehindAcquire", edit=("cmd_i.op == 8'(faa_pkg::FENCE_ORDER_RELEASE)", "!fence_acquires")),
    "control-acquire-keeps": control(fails="SysAcquireDrops", edit=("drop_q  <= acquire_sys_q || (issue", "drop_q  <= (issue")),
    "control-acquire-early": control(fails="SysAcquireDrops", edit=("(acquire_sys_q ? reads_idle : all_idle)", "(acquire_sys_q || all_idle)")),
    # A command after a bus error that came as the last command left the front; an acquire's sweep
    # that began with stores outstanding, and counts as a sweep of them.
    "control-after-error": control(fails="NoneBehindError",
                                    edit=("goes_on   = !failed_q && !halt_o", "goes_on   = !halt_o")),
    "control-wait-not-swept": control(fails="WaitSwept", edit=("(swept && sweep_all_q)", "swept")),
    "control-signal-not-swept": control(fails="SignalSwept", edit=("state_q <= GlobalAtomics ? StSweep : StStore;", "state_q <= StStore;")),
    "control-signal-kept": control(fails="SignalIsSent", edit=("state_q <= signals ? StSweep : StIssue;", "state_q <= StIssue;")),
    "arrived": cu("arrived", pdr=True),
    "arrived-asked": cu("arrived", fails="ArrivedWhenAnswered",
                        edit=("<= !got_before[0]", "<= 1'b1")),
    "arrived-other": cu("arrived", fails="ArrivedWhenAnswered",
                        edit=("<= {rsp_err_i, asked}", "<= {rsp_err_i, !got[0]}")),
    "under-way": cu("under_way", pdr=True),
    # A done in the cycle of an entry is not counted; a warp that reads and writes counts as a read
    # alone.
    "under-way-both": cu("under_way", fails="ReadsAreCounted", edit=("= done_i && done_reads_i;", "= done_i && done_reads_i && !enter_i;")),
    "under-way-writes": cu("under_way", fails="WritesAreCounted", edit=("= enter_i && enter_writes_i;",
                                                                        "= enter_i && enter_writes_i && !enter_reads_i;")),
    "line-queue": line_queue(pdr=True),
    # A request overtakes others that wait; one that uses the bypass is kept, too.
    "line-queue-overtakes": line_queue(fails="LeavesUnchanged", edit=("queued ? oldest : data_i", "valid_i ? data_i : oldest")),
    "line-queue-twice": line_queue(fails="NoneMadeOrLost", edit=("valid_i && !passes", "valid_i")),
    "line-queue-lost": line_queue(fails="NoneMadeOrLost", edit=("!queued && ready_i", "ready_i")),
    "lend": cu("lend", pdr=True),
    # A warp with another's number; a turn that is revoked; answers that do not count, or count only
    # from the last beat; the first slot always first.
    "lend-number": cu("lend", fails="WarpIsItsOwn", edit=("warp_slot_o = SlotW'(n);", "warp_slot_o = SlotW'(n - 1);")),
    "lend-answer": cu("lend", fails="AnswerGoesHome", edit=("result_valid_i && result_slot_i == SlotW'(n)", "result_valid_i && result_slot_i >= SlotW'(n)")),
    "lend-turn": cu("lend", fails="OfferStays", edit=("served_i ? '0 : grant_o", "'0")),
    "lend-idle": cu("lend", fails="IdleIsItsOwn", edit=("no_warps_q && no_results_q;", "no_warps_q;")),
    "lend-late": cu("lend", fails="IdleIsItsOwn", edit=("beat && !begun_q && result_i[n]", "taken && result_i[n]")),
    "lend-unfair": cu("lend", fails="ServedInTurn", edit=("advance_i && req_i != '0", "1'b0")),
    "jobs": cu("jobs", pdr=True),
    "jobs-pass": cu("jobs", fails="NeverPasses"),
    # A BAR that does not wait for streams at work; one that waits for ended streams; a failure that
    # stops no other stream; the first stream to end ends the job.
    "jobs-bar-early": cu("jobs", fails="NonePassesBefore", edit=("(running & ~slot_at_bar_i & ~slot_done_i) == '0", "(running & slot_at_bar_i) != '0")),
    "jobs-bar-ended": cu("jobs", fails="GoesWhenAllCame", edit=("(running & ~slot_at_bar_i & ~slot_done_i) == '0", "(running & ~slot_at_bar_i) == '0")),
    "jobs-bar-failed": cu("jobs", fails="NonePassesBehindFailure", edit=("(running & slot_failed_i & ~(Slots'(1) << n)) != '0", "1'b0")),
    "jobs-end-early": cu("jobs", fails="JobEndsWhenAllHave", edit=("(current_q & ~slot_done_i) == '0;", "(current_q & slot_done_i) != '0;")),
    "l2-sys": l2_sys(),
    "l2-sys-loads": l2_sys(fails="NeverLoads"),
    "l2-sys-answers": l2_sys(fails="NeverAnswersAtomic"),
    # A load that does not wait for its eviction; a store that is answered when the slice has it;
    # requests that enter meanwhile; an answer of the slice that counts as the operation's own; an
    # atomic operation that ends with transactions outstanding.
    "l2-sys-load-early": l2_sys(fails="LoadBehindEvict", edit=("EVICT:   if (evicted)", "EVICT:   if (evicted || op_q.func == faa_l2_pkg::FUNC_LOAD)")),
    "l2-sys-store-early": l2_sys(fails="StoreAnsweredInMemory", edit=("mine && (op_q.func != faa_l2_pkg::FUNC_STORE || stored_q)", "mine")),
    "l2-sys-between": l2_sys(fails="NothingBetween", edit=("state_q == PASS && (req_sys_i || l2_req_ready_i)", "req_sys_i ? state_q == PASS : l2_req_ready_i")),
    "l2-sys-mine": l2_sys(fails="NoneIsLost", edit=("l2_rsp_valid_i && l2_rsp_tag_i[TagW];", "l2_rsp_valid_i && state_q == EVICT;")),
    "l2-sys-ends-early": l2_sys(fails="AnswerBehindTransactions", edit=("assign finished = done_q == '1;", "assign finished = todo_q == '0 && !busy_q;")),
    "axi-lite": dict(top="axil_props", params={}, bmc=9, sat=True, slang=True,
                     files=["rtl/regs/faa_regs_pkg.sv", "rtl/regs/faa_regs.sv", f"{HERE}/axil_props.sv"]),
    "fifo-ram": fifo_ram(induction=3),
    # An item at the output is replaced before it is taken; an item is accepted when there is no
    # room.
    "fifo-ram-overtakes": fifo_ram(fails="LeavesInOrder", edit=("count_q != '0 && (!valid_o || ready_i)", "count_q != '0")),
    "fifo-ram-room": fifo_ram(fails="NoneMadeOrLost", edit=("assign ready_o = count_q != (PtrW+1)'(Depth)", "assign ready_o = 1'b1")),
    "lanes-compact": compact(induction=8),
    # Items that are not kept move, too; an item moves by one digit too few; counts leave a four
    # out; the way back of the digit above.
    "lanes-compact-meet": compact(fails="items_do_not_meet", edit=("any[s][p+k*Unit] && way[s][p+k*Unit][2*s +: 2]", "way[s][p+k*Unit][2*s +: 2]")),
    "lanes-compact-digit": compact(fails="ItemsInOrder", edit=("hit[3] | hit[1]", "hit[1]")),
    "lanes-compact-ways": compact(fails="WaysAreKnown", edit=("lower[f] = four_q[f-1]", "lower[f] = '0")),
    "lanes-compact-back": compact(fails="ItemsComeBack", edit=("(p+Lanes-Unit)%Lanes", "(p+Lanes-2*Unit)%Lanes")),
    "lanes-sort": sort(induction=8),
    "lanes-sort-8": sort(8, 10, long=True, induction=12, reduce="scorr; dc2"),
    # A comparison of the highest digits alone; data that follows the keys of the next beat;
    # exchanges that are undone for one of two.
    "lanes-sort-digit": sort(fails="KeysAscend", edit=("assign less_o = sum[Cells]", "assign less_o = less[Cells-1]")),
    "lanes-sort-data": sort(fails="DataStaysWithItsKey", edit=("swap_o[x-Far] ? data_i[x-Far]", "swap[x-Far] ? data_i[x-Far]")),
    "lanes-sort-back": sort(fails="LanesGetTheirOwn", edit=("assign half[x] = swap[x-Far] ? data[n][x-Far] : data[n][x]", "assign half[x] = data[n][x]")),
    "lanes-scan": scan(induction=6),
    # Signed operands compared as unsigned; a segment that continues into the one before.
    "lanes-scan-sign": scan(fails="AsTheLoop", edit=("{a_i[Width-1] ^ how_i.sign, a_i[Width-2:0]}", "a_i")),
    "lanes-scan-open": scan(fails="AsTheLoop", edit=("open[s][p] & open[s][Below]", "open[s][p]")),
    "shared-bank": bank(induction=4),
    "shared-bank-latency-4": bank(induction=4, edit=("ADD_LATENCY = 2", "ADD_LATENCY = 4")),
    # Without the forwarding path of stage F an operation misses a write during the read of the RAM;
    # with the oldest result first it misses the younger one; an operation that does not wait meets
    # a result that is not ready; a late result that is never taken.
    "shared-bank-one-path": bank(fails="SeesAllBefore", edit=("b_same_q[E] ? word[F] : ram_word", "ram_word")),
    "shared-bank-oldest": bank(fails="SeesAllBefore", edit=("word_o = c_same_q[0] ? word[D]",
                                                            "word_o = c_same_q[1:0] == 2'd1 ? word[D]")),
    "shared-bank-early": bank(fails="WaitsForResults", edit=("|(same[Latency-2:0] & late_q[Latency-2:0])", "1'b0")),
    "shared-bank-no-sum": bank(fails="SeesAllBefore", edit=("if (late_q[E]) word[E] = sum_i;", "")),
    # For all time with two passes in flight; bounded with four.
    "shared-queue": queue(2, induction=4),
    "shared-queue-4": queue(),
    # The column of a pass's first operation for all; a pass that is at work too long; answers that
    # go to columns from 0 on; a pass that counts as answered with its first answer; a head that
    # waits for the next pass.
    "shared-queue-column": queue(fails="LeavesInOrder", edit=("= fetching.first + fetched_q", "= fetching.first")),
    "shared-queue-long": queue(fails="LeavesInOrder", edit=("{1'b0, fetched_q} + 3'd1 == fetching.number", "{1'b0, fetched_q} == fetching.number")),
    "shared-queue-home": queue(fails="AnswerGoesHome", edit=("= owing.first + answered_q", "= answered_q")),
    "shared-queue-owes": queue(fails="OwesTheOldest", edit=("{1'b0, answered_q} + 3'd1 == owing.number", "answered_q == '0")),
    "shared-queue-head": queue(fails="HeadComes", edit=("entries_q != '0 && (!head", "entries_q > (NumberW+1)'(1) && (!head")),
    "shared-pass": issue(induction=4),
    "shared-pass-even": issue(0, induction=4),
    # A column that does not advance to its next item; items from the first column on; a fifth item
    # that is dropped; a pass more than the columns hold; a beat that leaves with its first pass;
    # answers that are taken from the columns of the newest pass.
    "shared-pass-next": issue(fails="PutsTheNext", edit=("start_q[n][LaneW-1:2] + PassW'(next)", "start_q[n][LaneW-1:2]")),
    "shared-pass-column": issue(fails="PutsTheNext", edit=("= 3'(c) - {1'b0, start_q[n][1:0]};", "= 3'(c);")),
    "shared-pass-fifth": issue(fails="PutsTheNext", edit=("start_q[n] + LaneW'(4)", "start_q[n] + LaneW'(5)")),
    "shared-pass-window": issue(fails="PassesAreBounded", edit=("under_way_d < (NumberW+1)'(Window)", "under_way_d <= (NumberW+1)'(Window)")),
    "shared-pass-short": issue(fails="LeavesComplete", edit=("(!busy_q || (issue && ends))", "(!busy_q || issue)")),
    "shared-pass-need": issue(fails="NeedsWhatWasPut", edit=("needs[oldest_q]", "needs[pass_o]")),
    "shared-choose": choose(induction=6),
    # The first success stores; a success on another word counts; the result comes a cycle early; a
    # choice whose result is not late, so the next operation finds the old word; a choice that
    # begins with the word of the RAM; all banks that ask have their turn.
    "shared-choose-first": choose(fails="LeavesWhatItsLanesLeave", edit=("last_success | ends[p*LaneW +: LaneW]", "last_success | LaneW'(p)")),
    "shared-choose-words": choose(fails="LeavesWhatItsLanesLeave", edit=("!above[p] && ((begins >> p) >> 1) == '0;", "!above[p];")),
    "shared-choose-early": choose(fails="LeavesWhatItsLanesLeave", edit=("assign word_o = chosen_q[(Latency-2)*32 +: 32]", "assign word_o = chosen")),
    "shared-choose-lost": choose(fails="NextFindsWhatWasLeft", edit=("is_late = func == faa_cu_pkg::SHARED_CHOICE;", "is_late = 1'b0;")),
    "shared-choose-old": choose(fails="NextChoiceBeginsThere", edit=("if (c_same_q[n-1]) settled_o = word[n+1];", "settled_o = read_q;")),
    "shared-choose-all": choose(fails="OneTurn", edit=("else grant_o <= turn;", "else grant_o <= req_i;")),
    "shared-fix-cas": fix_cas(induction=8),
    # Every lane that compares equal with the old word succeeds; a lane finds its own old word after
    # a success; the links are not followed.
    "shared-fix-cas-all": fix_cas(fails="AsTheLoop", edit=("start = hit & ~(joins &", "start = hit & ~('0 &")),
    "shared-fix-cas-found": fix_cas(fails="AsTheLoop", edit=("known = joined & (won << 1);", "known = joined & won;")),
    "shared-fix-cas-links": fix_cas(fails="AsTheLoop", edit=("next[p] = choice_i[p] ? next_i[p] : LaneW'(p);", "next[p] = LaneW'(p);")),
    "shared-credits": flow(),
    "shared-credits-go": flow(1),
    # A pass without a credit; a pass that leaves while answers are missing; a credit that is not
    # given back; no pass is ever complete.
    "shared-credits-more": flow(fails="ColumnHasRoom", edit=("under_way_d < (NumberW+1)'(Window)", "under_way_d <= (NumberW+1)'(Window)")),
    "shared-credits-early": flow(fails="TakenIsThere", edit=("inside_q != '0 && owes_oldest == '0;", "inside_q != '0;")),
    "shared-credits-kept": flow(1, fails="BeatIsTaken", edit=("- (NumberW+1)'(leave_i);\n\n  always_ff", ";\n\n  always_ff")),
    "shared-credits-stuck": flow(1, fails="BeatIsTaken", edit=("inside_q != '0 && owes_oldest == '0;", "inside_q > (NumberW+1)'(Window) && owes_oldest == '0;")),
    "shared-front": front(induction=20),
    # Two beats more than the queue has entries (it has one more at its output); a credit that is
    # given back before the beat is taken; credits that are not given back.
    "shared-front-more": front(fails="front_has_room", edit=("count_d < CountW'(Depth)", "count_d < CountW'(Depth + 2)")),
    "shared-front-early": front(fails="front_has_room", edit=("take    = valid_o && ready_i", "take    = valid_o")),
    "shared-front-kept": front(fails="BeatsEnter", edit=("- CountW'(take)", "")),
    "shared-middle": middle(induction=14),
    # Two beats more than a queue has entries (it has one more at its output); credits of beats that
    # send nothing to the banks, or that leave stage C, are lost.
    "shared-middle-ahead": middle(fails="ahead_has_room", edit=("ahead_d < AheadW'(Ahead)", "ahead_d < AheadW'(Ahead + 2)")),
    "shared-middle-records": middle(fails="records_have_room", edit=("records_d < RecordsW'(Records)", "records_d < RecordsW'(Records + 2)")),
    "shared-middle-nothing": middle(fails="BeatsPass", edit=(" - AheadW'(i_valid && !i_any)", "")),
    "shared-middle-kept": middle(fails="BeatsPass", edit=(" - RecordsW'(collected)", "")),
    "shared-places": places(induction=30),
    # A beat leaves without its words; words of a half are taken by a beat that has none there; they
    # are replaced before they are taken; every beat has a place in both halves.
    "shared-places-early": places(50, fails="records_have_room", edit=("(needed & ~full) == '0 &&", "")),
    "shared-places-other": places(fails="taken_is_full", edit=("(collected_o && needed[h])", "(collected_o)")),
    "shared-places-replaced": places(70, fails="BeatsPass", edit=("valid_i && complete_i && (!full_o || take_i)", "valid_i && complete_i")),
    "shared-places-both": places(50, fails="records_have_room", edit=("places_valid_i && places_i.passes[h] != '0", "places_valid_i")),
    "shared-back": back(induction=14),
    # Two answers more than the queue has entries; a credit that is given back before the answer is
    # taken; credits that are not given back.
    "shared-back-more": back(fails="answers_have_room", edit=("results_d < ResultsW'(Results)", "results_d < ResultsW'(Results + 2)")),
    "shared-back-early": back(fails="answers_have_room", edit=("assign took_o = take;", "assign took_o = head_valid;")),
    "shared-back-kept": back(fails="RoomComes", edit=("- ResultsW'(took)", "")),
    "shared-collect": collect(induction=4),
    # Words of every pass; a beat that leaves with its first pass; words that change before they are
    # taken.
    "shared-collect-pass": collect(fails="WordsOfItsPasses", edit=("&& given_q == {1'b0, pass_i[p]}", "")),
    "shared-collect-short": collect(fails="ReadyWithItsLastPass", edit=("assign last    = given_q + (PassW+1)'(1) == passes_i", "assign last = 1'b1")),
    "shared-collect-early": collect(fails="WordsOfItsPasses", edit=("valid_i && complete_i && (!full_o || take_i)", "valid_i && complete_i")),
    "shared-window": window(induction=3),
    # The next pass is not checked when one leaves; a pass is complete before it is issued; it is
    # never complete at once.
    "shared-window-next": window(fails="NotBeforeItsAnswers", edit=("&& owes_next == '0", "&& owes_oldest == '0")),
    "shared-window-early": window(fails="NotBeforeItsAnswers", edit=("complete_o <= leave_i ? inside_q > (NumberW+1)'(1) &&", "complete_o <= leave_i ?")),
    "shared-window-late": window(fails="CompleteInTime", edit=("leave_i ? inside_q > (NumberW+1)'(1) && owes_next == '0 :", "leave_i ? 1'b0 :")),
    "shared-answers": answers(induction=3),
    # An answer is taken from all columns; an answer that was taken shows once more.
    "shared-answers-all": answers(fails="ShowsInOrder", edit=("if (take_i[c]) read_q", "if (take_i != '0) read_q")),
    "shared-answers-again": answers(fails="ShowsInOrder", edit=("mem[read_q];", "mem[read_q - NumberW'(1)];")),
    "shared-chain": chain(11, reduce="scorr; dc2"),
    # Chain and beat are exchanged; a chain continues with another operation; a lane's answer
    # includes its own operand; both chains watch one word.
    "shared-chain-order": chain(11, fails="SameWord", edit=(".a_i (sum_q[c]),\n      .b_i (group_q[c])",
                                                            ".a_i (group_q[c]),\n      .b_i (sum_q[c])")),
    "shared-chain-same": chain(11, fails="SameWord", edit=("l_q.beat.op == p_q.beat.op &&", "")),
    "shared-chain-before": chain(11, fails="RightAnswers", edit=("before_o = {value_o[Lanes-2:0], 32'b0}", "before_o = value_o")),
    "shared-chain-apart": chain(11, fails="WordsAreApart", edit=("taken[0] = is_crowd[1]", "taken[0] = '0")),
    # The bounded check with whole words; the proof for all time with more steps.
    "shared-chain-words": chain(10, long=True, edit=("32'hc0000000", "32'hffffffff")),
    "shared-chain-deep": chain(12, long=True, reduce="scorr; dc2"),
    "shared-pair": pair(induction=5),
    # A bank takes its half of a 64-bit operation alone; an operation that waits for any other one,
    # and for late ones on other rows.
    "shared-pair-half": pair(fails="TakesBothHalves", edit=("{2{&free && &wide}}", "{2{&wide}}")),
    "shared-pair-waits": pair(fails="WaitIsBounded", edit=("~(choice | held));", "~(choice | held | b_valid_q | rsp_valid_o));")),
    # A choice repeats its request while it is taken, so another head is granted; a granted one
    # waits for the bank.
    "shared-pair-again": pair(fails="TakesWhatIsGranted", edit=("assign asks[1] = head_valid_i & choice & ~choice_grant_i;",
                                                                "assign asks[1] = head_valid_i & choice;")),
    "shared-pair-granted": pair(fails="TakesWhatIsGranted", edit=("((choice & choice_grant_i) |", "((choice & choice_grant_i & ~c_valid_q) |")),
    "shared-pair-any-row": pair(fails="WaitHasAReason", edit=("valid_q[n] && all_same[Groups];", "valid_q[n];")),
    "shared-alu": alu(induction=5),
    # The carry between the halves is lost; a signed comparison is unsigned; steps of 0 are none;
    # the high half alone decides.
    "shared-alu-carry": alu(fails="NewWord", edit=("steps_on = other_q.carry && !above", "steps_on = 1'b0")),
    "shared-alu-sign": alu(fails="NewWord", edit=("less = less ^ turned_q;", "")),
    "shared-alu-steps": alu(fails="NewWord", edit=("b_c_q[5:0] == 6'd0 ? b_b_q[5:0] :", "b_c_q[5:0] == 6'd0 ? 6'd0 :")),
    "shared-alu-high": alu(fails="Answer", edit=("own_q.equal && other_q.equal;", "own_q.equal;")),
    # A grant that is revoked while its request waits.
    "arb-hold-forgets": hold(must_fail=True, edit=("served_i ? '0 : grant_o", "'0")),
    # A round-robin arbiter whose turn never advances is not fair; a FIFO that accepts items when
    # full loses some.
    "arb-rr-stuck": dict(top="faa_arb_rr", files=["rtl/lib/faa_arb_rr.sv"], params=dict(N=3), bmc=8, must_fail=True,
                         edit=("advance_i && req_i != '0", "1'b0")),
    "fifo-overflow": dict(top="faa_fifo", files=["rtl/lib/faa_fifo.sv"], params=dict(Width=2, Depth=3), bmc=8,
                          must_fail=True, edit=("assign ready_o = count_q != CountW'(Depth)", "assign ready_o = 1'b1")),
    "axi-lite-lost": dict(top="axil_props", params={}, bmc=9, sat=True, slang=True, must_fail=True,
                          edit=("axil_resp_wptr <= axil_resp_wptr + 1'b1", "axil_resp_wptr <= axil_resp_wptr ^ cpuif_rd_ack"),
                          files=["rtl/regs/faa_regs_pkg.sv", "rtl/regs/faa_regs.sv", f"{HERE}/axil_props.sv"]),
    # The line that waits is overtaken by the next one.
    "axi-master-order": axi_master(8, dict(must_fail=True, edit=("next_valid_q ? next_data_q : wr_req_data_i", "wr_req_data_i")), DataWidth=512),
    "axi-master-wlast": axi_master(14, dict(must_fail=True, edit=("LastBeat = BeatW'(Beats - 1)", "LastBeat = BeatW'(Beats - 2)")), DataWidth=128),
}


def run(command, log):
    """Runs a command with its output appended to a log; True when it succeeds."""
    with open(log, "a", encoding="utf-8") as out:
        out.write("$ " + " ".join(command) + "\n")
        out.flush()
        return subprocess.run(command, stdout=out, stderr=out, check=False, cwd=ROOT).returncode == 0


def texts_of(proof):
    """The proof's files and their texts, with the inserted text in one of them, and the edit.

    Raises a ValueError unless each of these matches exactly one place, in all files together."""
    texts = {ROOT / name: (ROOT / name).read_text(encoding="utf-8") for name in proof["files"]}
    edits = [*proof.get("cut", []), *([proof["edit"]] if "edit" in proof else [])]
    for old, _ in edits:
        count = sum(text.count(old) for text in texts.values())
        if count != 1:
            raise ValueError(f"'{old}' is in the sources {count} times; an edit needs exactly one place")
    name, include, anchor = proof.get("inside", ("", "", None))
    if name and [path.name for path in texts].count(name) != 1:
        raise ValueError(f"{name}, that {include} goes into, is not one of the files")
    for path, text in texts.items():
        for old, new in edits:
            text = text.replace(old, new)
        if path.name == name:
            anchor = anchor or "endmodule"
            if text.count(anchor) != 1:
                raise ValueError(f"'{anchor}' is in {name} {text.count(anchor)} times; {include} goes in front of it")
            at = text.index(anchor)
            text = text[:at] + f'`include "{include}"\n' + text[at:]
        texts[path] = text
    return texts


def sources(proof, work):
    """The proof's files; those that it changes are copies."""
    result = []
    for file, text in texts_of(proof).items():
        if text != file.read_text(encoding="utf-8"):
            file = work / file.name
            file.write_text(text, encoding="utf-8")
        result.append(file)
    return result


def outdated():
    """(name, reason) of the proofs that do not fit the RTL, whether they run or not."""
    found = []
    for name, proof in PROOFS.items():
        try:
            texts_of(proof)
        except (ValueError, OSError) as error:
            found.append((name, error))
    return found


def yosys_command(proof, work, spec):
    """The Yosys program of a proof and the script that reads and flattens its design."""
    files = " ".join(os.path.relpath(file, ROOT) for file in sources(proof, work))
    package = os.path.relpath(spec / "faa_pkg.sv", ROOT)
    top = proof["top"]
    if proof.get("slang"):
        yosys = YOSYS_SLANG
        script = f"read_slang --threads 1 -D FORMAL -D YOSYS -I rtl --top {top} {package} {files}; "
    else:
        yosys = "yosys"
        script = f"read_verilog -sv -formal -Irtl {package} {files}; "
        script += "".join(f"chparam -set {k} {v} {top}; " for k, v in proof["params"].items())
    script += f"prep -top {top} -flatten; memory_map; async2sync; chformal -cover -remove; opt -full; "
    return ["timeout", str(LIMIT_SECONDS), yosys, "-p"], script


def prove_sat(proof, work, spec, log):
    """Yosys' own solver: induction up to `induction` steps, or a check of `bmc` steps from
    reset."""
    command, script = yosys_command(proof, work, spec)
    k = proof.get("induction")
    mode = f"-tempinduct -maxsteps {k}" if k else f"-tempinduct-baseonly -maxsteps {proof['bmc']}"
    script += f"sat -seq 1 -set-at 1 rst_ni 0 {mode} -prove-asserts -set-assumes -verify"
    holds = run(command + [script], log)
    disproved = "proof did fail" in log.read_text(encoding="utf-8")
    if not holds and not disproved:
        return f"no answer in {LIMIT_SECONDS} s, or Yosys does not accept it"
    if proof.get("must_fail"):
        return "the wrong design passes" if holds else None
    return None if holds else "counterexample, or induction fails"


def prove_smt(proof, work, spec, log):
    """yosys-smtbmc: a check of `bmc` steps from reset, then an induction of `induction` steps."""
    command, script = yosys_command(proof, work, spec)
    script += f"dffunmap; setundef -undriven -anyseq; write_smt2 -wires {work}/design.smt2"
    if not run(command + [script], log):
        return "Yosys does not accept it"
    # Bounded checks begin in reset; inductions in any state.
    reset, trace = work / "reset.smtc", work / "trace.vcd"
    reset.write_text("initial\nassume (not [rst_ni])\n", encoding="utf-8")
    solver = ["timeout", str(LIMIT_SECONDS), "yosys-smtbmc", "-s", "z3"]
    holds = run(solver + ["--smtc", str(reset), "-t", str(proof["bmc"]), "--dump-vcd", str(trace),
                          f"{work}/design.smt2"], log)
    if not holds and not trace.exists():
        return f"no answer in {LIMIT_SECONDS} s, or the solver failed"
    if proof.get("must_fail"):
        return "the wrong design passes" if holds else None
    if not holds:
        return f"counterexample in {trace}"
    k = proof["induction"]
    if k and not run(solver + ["-i", "-t", str(k), f"{work}/design.smt2"], log):
        return f"induction with k = {k} fails"
    return None


def prove_abc(proof, work, spec, log):
    """ABC: a check of `bmc` steps from reset, then an induction of `induction` steps, or with `pdr`
    an invariant that ABC finds. Undefined values are the solver's choice."""
    files = " ".join(os.path.relpath(file, ROOT) for file in sources(proof, work))
    package = os.path.relpath(spec / "faa_pkg.sv", ROOT)
    out = os.path.relpath(work, ROOT)
    top = proof["top"]
    params = " ".join(f"-G {k}={v}" for k, v in proof["params"].items())
    # For a wrong design only the property that has to fail is checked.
    fails = proof.get("fails")
    only = f"delete t:$assert c:*{fails} %d" if fails else " ".join(f"delete t:$assert c:*{name}* %i;" for name in ["Never", *proof.get("without", [])])
    script = (f"read_slang --threads 1 --allow-use-before-declare -D YOSYS -I rtl -I {HERE} {params} --top {top} {package} {files}; "
              f"prep -top {top} -flatten; chtype -set $anyseq t:formal_any*; memory_map; async2sync; chformal -cover -remove; "
              f"chformal -lower; {only}; setundef -undriven -anyseq; setundef -anyseq; opt -full; techmap; setundef -anyseq; opt -fast; "
              f"dffunmap; setundef -anyseq; aigmap; opt_clean; write_aiger -I -B -zinit -ywmap {out}/design.json {out}/design.aig")
    if not run(["timeout", str(LIMIT_SECONDS), YOSYS_SLANG, "-p", script], log):
        return "Yosys does not accept it"
    read = f"read_aiger {work}/design.aig; fold; strash; {proof.get('reduce', 'print_stats')}"

    def abc(commands):
        """The output of ABC."""
        done = subprocess.run(["timeout", str(LIMIT_SECONDS), "yosys-abc", "-c", f"{read}; {commands}"], check=False,
                              capture_output=True, text=True, errors="replace")
        with open(log, "a", encoding="utf-8") as file:
            file.write(done.stdout + done.stderr)
        return done.stdout

    answer = abc(f"bmc3 -F {proof['bmc']}")
    failed = re.search(r"Output (\d+) of miter .* was asserted in frame (\d+)", answer)
    if not failed and f"No output asserted in {proof['bmc']} frames" not in answer:
        return f"no answer in {LIMIT_SECONDS} s, or the solver failed"
    if fails:
        return None if failed else f"{fails} holds for the wrong design"
    if failed:
        names = json.loads((work / "design.json").read_text(encoding="utf-8"))["asserts"]
        return f"{'.'.join(names[int(failed[1])])} fails in step {failed[2]}"
    if proof.get("pdr") and "Property proved" not in abc(f"orpos; pdr -T {LIMIT_SECONDS}"):
        return "no invariant found"
    k = proof.get("induction")
    if k and "Networks are equivalent" not in abc(f"orpos; ind -F {k}"):
        return f"induction with k = {k} fails"
    return None


@functools.lru_cache
def common(spec):
    """(name, content) of the files that every proof depends on."""
    included = [*ROOT.glob("rtl/**/*.svh"), *ROOT.glob(f"{HERE}/*.svh"), *ROOT.glob("rtl/**/*_pkg.sv"), spec / "faa_pkg.sv"]
    contents = [(file.name, verilate.content_of(file)) for file in sorted(included)]
    return contents + [(path, (ROOT / path).read_bytes()) for path in ("tests/yosys.py", "tests/requirements.txt")]


def kept_as(name, proof, spec):
    """Where the proof is kept; LookupError where the versions of the tools are unknown."""
    engines = (yosys_command, prove_sat, prove_smt, prove_abc)
    contents = [("definition", repr(proof).encode()), ("engines", "".join(map(inspect.getsource, engines)).encode())]
    contents += [(file.name, verilate.without_comments(text).encode()) for file, text in texts_of(proof).items()]
    contents += common(spec)
    return kept.directory() / f"proof-{name}-{kept.digest(contents)}"


def prove(name, proof, build, spec):
    """Runs one proof; the reason of a failure, or None, and how long it took."""
    work = build / name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    engine = prove_abc if proof.get("abc") else prove_sat if proof.get("sat") else prove_smt
    start = time.monotonic()
    try:
        reason = engine(proof, work, spec, work / "log")
    except ValueError as error:
        reason = str(error)
    return reason, f"{time.monotonic() - start:.1f} s"


def prove_once(name, proof, build, spec):
    """The same, unless the proof is kept."""
    try:
        place = kept_as(name, proof, spec)
    except (LookupError, ValueError):
        return prove(name, proof, build, spec)
    if kept.is_kept(place):
        return None, "as before"
    reason, took = prove(name, proof, build, spec)
    if reason is None:
        kept.keep(place, build / name / "log")
    return reason, took


def default_names():
    """The proofs that run where none is named."""
    if os.environ.get("FAA_LONG") == "1":
        return list(PROOFS)
    count, seed = {}, int(os.environ.get("FAA_SEED") or 1)
    names = []
    for name, proof in PROOFS.items():
        wrong = proof.get("must_fail") or "fails" in proof
        if wrong:
            count[proof["top"]] = count.get(proof["top"], -1) + 1
        if not proof.get("long") and not (wrong and (count[proof["top"]] + seed) % 3 != 1):
            names.append(name)
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build" / "tests" / "formal"), help="directory for outputs")
    parser.add_argument("--list", action="store_true", help="print the names of the proofs")
    parser.add_argument("names", nargs="*", help="proofs to run (default: all of right designs, a third of the others)")
    args = parser.parse_args()
    unknown = set(args.names) - set(PROOFS)
    if unknown:
        parser.error(f"no proof '{sorted(unknown)[0]}'; there are {', '.join(PROOFS)}")
    if args.list:
        print("\n".join(PROOFS))
        return 0
    build = pathlib.Path(args.build).resolve()
    spec = build / "spec"
    subprocess.run([sys.executable, str(ROOT / "spec/generate.py"), "--out", str(spec)], check=True)
    names = args.names or default_names()
    stale = [(name, reason) for name, reason in outdated() if name not in names]
    failed = len(stale)
    for name, reason in stale:
        print(f"not ok - {name}: {reason}")
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        make = prove if args.names else prove_once
        results = pool.map(lambda name: make(name, PROOFS[name], build, spec), names)
        for name, (reason, took) in zip(names, results):
            failed += reason is not None
            print(f"not ok - {name}: {reason} ({took}; log: {build / name / 'log'})" if reason else f"ok - {name} ({took})",
                  flush=True)
    print(f"{len(names) + len(stale) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
