#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Coverage of the driver, DRM, the scheduler and dma-buf by the fuzzer of ioctls.

Usage: coverage.py BUILD FILE [SOURCE...]

FILE is that of faa-ioctl-fuzz --coverage. The table has the places (basic blocks, by KCOV) of each
file of the driver, and of each part of the kernel, that were reached, of all there are. Code that
runs in workers and interrupts is not recorded. For each SOURCE, such as faa_bind.c, the lines of
places that were not reached follow.
"""
import collections
import pathlib
import re
import subprocess
import sys

TRACE = "__sanitizer_cov_trace_pc"
# Functions of the kernel by their names; the first that matches.
PARTS = [("drm_gpuvm", r"drm_gpuvm|drm_gpuva|__drm_gpu"), ("scheduler", r"drm_sched"), ("syncobj", r"drm_syncobj|syncobj"),
         ("drm_exec", r"drm_exec"), ("GEM, PRIME", r"drm_gem|drm_prime"), ("dma-buf, fences", r"dma_|sync_file"),
         ("DRM, the rest", r".*")]


CLOBBERED = {"rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"}


def whole(name):
    """The 64-bit register of a register: eax, ax, al and rax are rax."""
    if match := re.fullmatch(r"(r\d+)[dwb]?", name):
        return match.group(1)
    if name in ("sil", "dil", "bpl", "spl"):
        return "r" + name[:2]
    if match := re.fullmatch(r"[re]?([abcd])[xlh]|[re]?(si|di|bp|sp)", name):
        return "r" + (match.group(1) + "x" if match.group(1) else match.group(2))
    return name


class Function:
    """Instructions of a function; finds the calls of KCOV.

    In the large code model the address of KCOV's function is loaded into a register, which may be
    saved in another one or on the stack, and called later on any path. So the places in which the
    address may be are followed along all paths.
    """

    def __init__(self, name):
        self.name, self.code = name, []

    def places(self):
        index = {address: i for i, (address, _, _) in enumerate(self.code)}
        before = [None] * len(self.code)
        work = [(0, frozenset())]
        found = set()
        while work:
            i, held = work.pop()
            if i >= len(self.code) or (before[i] is not None and held <= before[i]):
                continue
            before[i] = held = held | (before[i] or frozenset())
            _, text, loads = self.code[i]
            if self.target(text, r"call +\*%?(\S+)") in held and i + 1 < len(self.code):
                found.add(self.code[i + 1][0])
            held = self.after(text, held, loads)
            jump = re.match(r"j(\w+) +([0-9a-f]+) ", text)
            if jump and int(jump.group(2), 16) in index:
                work.append((index[int(jump.group(2), 16)], held))
            if not re.match(r"(jmp|ret|ud2)\b", text):
                work.append((i + 1, held))
        return found

    @staticmethod
    def target(text, pattern):
        match = re.match(pattern, text)
        return whole(match.group(1)) if match else None

    def after(self, text, held, loads):
        """Registers and words of the stack that may hold the address after an instruction."""
        if text.startswith("call"):
            return held - CLOBBERED
        move = re.match(r"(?:mov|movabs) +(?:%(\w+)|(-?\w*\(%r[sb]p\))|(\$\S+)),(?:%(\w+)|(-?\w*\(%r[sb]p\)))$", text)
        if move:
            source = whole(move.group(1)) if move.group(1) else move.group(2)
            to = whole(move.group(4)) if move.group(4) else move.group(5)
            return held | {to} if source in held or loads else held - {to}
        written = self.target(text, r"pop +%(\w+)") or self.target(text, r"(?!cmp|test|bt |push|j).*,%(\w+)$")
        return held - {written} if written else held


def functions(path, section, symbol):
    listing = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", "-j", section, path], check=True,
                             capture_output=True, text=True).stdout
    function = None
    for line in listing.splitlines():
        if line.endswith(">:"):
            if function:
                yield function
            function = Function(re.search(r"<(.*)>:", line).group(1))
        elif "R_X86_64" in line:
            if TRACE in line:
                function.code[-1] = (*function.code[-1][:2], True)
        elif match := re.match(r"\s*([0-9a-f]+):\t(.*)", line):
            text = match.group(2).strip()
            function.code.append((int(match.group(1), 16), text, bool(symbol) and f"$0x{symbol:x}," in text))
    yield function


def places_of(path, section, symbol):
    """Places of an object file, the addresses after the calls of KCOV, with their functions."""
    return {place: function.name for function in functions(path, section, symbol)
            if any(loads for _, _, loads in function.code) for place in function.places()}


def lines_of(debug, places):
    """Source and line of each place in the driver."""
    order = sorted(places)
    # The call itself, not the instruction after it.
    out = subprocess.run(["addr2line", "-j", ".text", "-e", debug], check=True, capture_output=True, text=True,
                         input="\n".join(hex(place - 1) for place in order)).stdout.split("\n")
    found = {}
    for place, line in zip(order, out):
        path, _, number = line.split(" ")[0].rpartition(":")
        found[place] = (pathlib.Path(path).name, int(number) if number.isdigit() else 0)
    return found


def read(path):
    """For each guest: the address of the driver, and the places that were reached."""
    guests = []
    for number, line in enumerate(pathlib.Path(path).read_text(encoding="ascii").splitlines(), 1):
        words = line.split()
        if words[:2] == ["section", ".text"]:
            guests.append((int(words[2], 16), set()))
        elif words[:1] == ["place"] and guests:
            guests[-1][1].add(int(words[1], 16))
        else:
            sys.exit(f"{path}:{number}: expected 'section .text ADDRESS', then 'place ADDRESS'")
    return guests


def show(title, groups):
    """groups: name: (reached, all)"""
    total = [sum(column) for column in zip(*groups.values())]
    print(f"{title:<24}{'reached':>8}{'places':>8}")
    for name, (reached, places) in sorted(groups.items()) + [("together", total)]:
        print(f"{name:<24}{reached:>8}{places:>8}{100 * reached / max(places, 1):>6.0f} %")
    print()


def group(places, reached, name):
    groups = collections.defaultdict(lambda: [0, 0])
    for place in places:
        groups[name(place)][0] += place in reached
        groups[name(place)][1] += 1
    return groups


def symbol_address(path):
    for line in subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout.splitlines():
        if line.endswith(" " + TRACE):
            return int(line.split()[0], 16)
    sys.exit(f"coverage.py: {path} has no KCOV")


def main():
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    build = pathlib.Path(sys.argv[1])
    guests = read(sys.argv[2])
    module, kernel = build / "kmod-debug/faa", build / "kernel-debug/linux"
    driver = places_of(f"{module}.ko", ".text", 0)
    rest = places_of(kernel, ".text", symbol_address(kernel))
    own, reached = set(), set()
    for base, places in guests:
        inside = {place for place in places if base <= place < base + max(driver) + 16}
        own |= {place - base for place in inside}
        reached |= places - inside
    lines = lines_of(f"{module}.debug", driver)
    show("driver", group(driver, own, lambda place: lines[place][0]))
    show("kernel", group(rest, reached, lambda place: next(part for part, names in PARTS if re.match(names, rest[place]))))
    unknown = len(own - set(driver)) + len(reached - set(rest))
    if unknown:
        print(f"{unknown} places that were reached are not in the tables")
    for source in sys.argv[3:]:
        missed = sorted({lines[place][1] for place in set(driver) - own if lines[place][0] == source})
        print(f"{source}: not reached: lines {', '.join(map(str, missed)) or 'none'}")


if __name__ == "__main__":
    main()
