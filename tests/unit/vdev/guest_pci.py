#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""In a guest with the device and without its driver: the function that Linux has found on the PCI
bus."""
import os
import pathlib
import struct

MEMORY_64 = 0x140204
CAP_PM, CAP_EXP, CAP_MSIX = 0x01, 0x10, 0x11


def capabilities(config):
    """Offset of each capability by its number."""
    found = {}
    at = config[0x34]
    while at and at not in found.values():
        found[config[at]] = at
        at = config[at + 1]
    return found


def main():
    (device,) = pathlib.Path("/sys/bus/pci/devices").iterdir()
    read = lambda name: (device / name).read_text().strip()
    assert (read("vendor"), read("device"), read("class")) == ("0xfaa0", "0x0001", "0x120000"), device

    bars = [[int(word, 16) for word in line.split()] for line in read("resource").splitlines()]
    for number, size in ((0, 0x100000), (2, 0x1000)):
        first, last, flags = bars[number]
        assert last - first + 1 == size and flags == MEMORY_64, (number, bars[number])
    assert all(not any(bars[number]) for number in (1, 3, 4, 5)), bars

    config = (device / "config").read_bytes()
    assert len(config) == 4096, len(config)
    caps = capabilities(config)
    assert set(caps) == {CAP_PM, CAP_EXP, CAP_MSIX}, caps
    control, table, pending = struct.unpack_from("<HII", config, caps[CAP_MSIX] + 2)
    assert (control & 0x7ff, table, pending) == (15, 0x002, 0x802), (control, table, pending)

    # It is still there after a reset and a rescan.
    (device / "reset").write_text("1")
    assert (device / "config").read_bytes()[:64] == config[:64]
    (device / "remove").write_text("1")
    assert not device.exists()
    pathlib.Path("/sys/bus/pci/rescan").write_text("1")
    assert device.exists() and read("resource").splitlines()[0].split()[0] != "0x0000000000000000"

    log = os.popen("dmesg").read()
    assert "WARNING" not in log and "virt-pci delay" not in log, log
    print("PCI function as specified")


if __name__ == "__main__":
    main()
