#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_trace.py TRACE JOBS: is TRACE a trace of faa-run with JOBS jobs at least?

Checks the rules of Chrome's Trace Event Format that Perfetto relies on: members of each kind of
event, nested slices, pairs of asynchronous events, arrows that are attached to slices; the order of
the events of each job; and that the program waits for the fence of a job, with an arrow from it.
"""
import collections
import json
import sys

MEMBERS = {
    "M": {"args"},
    "X": {"ts", "dur"},
    "i": {"ts", "s"},
    "C": {"ts", "args"},
    "b": {"ts", "cat", "id"},
    "e": {"ts", "cat", "id"},
    "s": {"ts", "cat", "id"},
    "t": {"ts", "cat", "id"},
    "f": {"ts", "cat", "id", "bp"},
}
METADATA = {"process_name": str, "thread_name": str, "process_sort_index": int, "thread_sort_index": int}
# Times have three decimals.
ROUNDING = 0.0015
# Cycles from one look at the state of the units to the next.
SAMPLED = 32


def track(event):
    return event["pid"], event["tid"]


def check_members(event):
    assert set(event) >= MEMBERS[event["ph"]] | {"ph", "pid", "tid", "name"}, event
    assert isinstance(event["pid"], int) and isinstance(event["tid"], int) and isinstance(event["name"], str), event
    # Perfetto takes thread 0 for the idle task.
    assert event["tid"] > 0, event
    for member in ("ts", "dur"):
        assert isinstance(event.get(member, 0), (int, float)) and event.get(member, 0) >= 0, event
    if event["ph"] == "M":
        (value,) = event["args"].values()
        assert isinstance(value, METADATA[event["name"]]), event
    if event["ph"] == "C":
        assert event["args"] and all(isinstance(value, (int, float)) for value in event["args"].values()), event
    if "id" in event:
        int(event["id"], 16)


def check_slices(slices):
    """Slices of a track must be nested."""
    open_ends = []
    for begin, end, name in sorted(slices, key=lambda item: (item[0], -item[1])):
        while open_ends and open_ends[-1] <= begin + ROUNDING:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1] + ROUNDING, f"slice {name} at {begin} overlaps the one before"
        open_ends.append(end)


def check_async(events):
    """Each begin has its end, in order of nesting."""
    stacks = collections.defaultdict(list)
    for event in events:
        stack = stacks[event["id"]]
        if event["ph"] == "b":
            stack.append(event)
            continue
        begin = stack.pop()
        assert begin["name"] == event["name"] and begin["ts"] <= event["ts"], (begin, event)
    assert not any(stacks.values()), "an event of a job has no end"


def check_arrows(events, slices):
    """Arrows go forward, and each end is within a slice of its track."""
    arrows = collections.defaultdict(list)
    for event in events:
        assert any(begin - ROUNDING <= event["ts"] <= end + ROUNDING for begin, end, _ in slices[track(event)]), event
        arrows[event["id"]].append(event)
    for arrow in arrows.values():
        assert [event["ph"] for event in arrow] in (["s", "t", "f"], ["s", "f"]), arrow
        assert arrow[0]["ts"] <= arrow[-1]["ts"], arrow
    return sum(len(arrow) == 3 for arrow in arrows.values())


def waits(events, slices):
    """Number of arrows from a fence that is signalled to a task that has waited for it."""
    def at(event, wanted):
        return any(name == wanted and begin - ROUNDING <= event["ts"] <= end + ROUNDING for begin, end, name in slices[track(event)])

    begins = {event["id"] for event in events if event["ph"] == "s" and at(event, "dma_fence_signaled")}
    return sum(event["ph"] == "f" and event["id"] in begins and at(event, "waits for a fence") for event in events)


def cycles(events, wanted, first):
    """(first cycle, last cycle, name) of slices; a loaded host changes times, but no cycles."""
    return [(event["args"][first], event["args"]["end cycle"], event["name"])
            for event in events if event["ph"] == "X" and wanted(event)]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    error = int(trace["otherData"]["largest error of the guest's times (ns)"]) / 1000
    events = trace["traceEvents"]
    slices = collections.defaultdict(list)
    for event in events:
        check_members(event)
        if event["ph"] == "X":
            slices[track(event)].append((event["ts"], event["ts"] + event["dur"], event["name"]))
    for items in slices.values():
        check_slices(items)
    check_async([event for event in events if event["ph"] in "be"])
    arrows = check_arrows([event for event in events if event["ph"] in "stf"], slices)
    names = {event["args"]["name"] for event in events if event["name"] in ("process_name", "thread_name")}
    simulated = "time 0 (simulated, ns)" in trace["otherData"]
    for name in ("Jobs", "Queues", "Device 0", "registers", "interrupts", "faults and resets"):
        assert name in names, f"there is no track {name}"
    assert ("compute unit 0" in names) != simulated, "units are read in real time only"
    assert arrows >= int(sys.argv[2]), f"{arrows} jobs have arrows from submission to start and fence"
    assert waits(events, slices) > 0, "no task waits for a fence"
    units = cycles(events, lambda event: event["pid"] >= 10 and event["name"].startswith("hardware queue"), "cycle")
    jobs = cycles(events, lambda event: event["pid"] == 3, "start cycle")
    assert len(jobs) >= arrows, "queues have fewer jobs than arrows"
    # A job runs while a unit has its queue.
    for begin, end, name in [] if simulated else jobs:
        assert any(first - SAMPLED <= begin and end <= last + SAMPLED for first, last, _ in units), name
    # A unit of the RTL runs its jobs for most of the time in which it has the queue.
    for begin, end, name in units if trace["otherData"]["engine"] == "rtl" else []:
        if ":" not in name:
            covered = sum(max(0, min(end, last) - max(begin, first)) for first, last, _ in jobs)
            assert covered >= 0.8 * (end - begin), f"{name}, {begin} to {end}: jobs for {covered} cycles"
    # Jobs are submitted before they start on the other clock, and signal after their end.
    spans = {event["id"]: event for event in events if event["ph"] == "b" and event["name"] == "on the device"}
    for event in events:
        if event["ph"] == "s" and event["id"] in spans:
            assert event["ts"] <= spans[event["id"]]["ts"] + 2 * error, event


if __name__ == "__main__":
    main()
