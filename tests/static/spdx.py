#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every file of the repository names its licence in its first lines, and the directory allows that
licence.

Files that cannot carry a comment (images, reference data) have a neighbour NAME.license that does.
"""
import os
import re
import sys

import tracked

KERNEL = {"GPL-2.0 OR MIT", "(GPL-2.0 OR MIT)", "GPL-2.0-only OR MIT", "(GPL-2.0-only OR MIT)"}
UAPI = {"(GPL-2.0 WITH Linux-syscall-note) OR MIT", "((GPL-2.0 WITH Linux-syscall-note) OR MIT)",
        "(GPL-2.0-only WITH Linux-syscall-note) OR MIT", "((GPL-2.0-only WITH Linux-syscall-note) OR MIT)"}
MIT = {"MIT"}
# The first prefix that fits decides. Files of other origin are listed one by one.
RULES = [
    ("driver/", KERNEL | MIT),
    ("Kbuild", KERNEL | MIT),
    ("uapi/drm/", UAPI),
    ("uapi/", UAPI | MIT),
    # The C header of the registers is the driver's too.
    ("rtl/regs/faa_regs.h", KERNEL),
    ("rtl/", {"Apache-2.0"}),
    ("sim/setup/", {"Apache-2.0", "MIT"}),
    # Changes of the kernel have the kernel's licence.
    ("sim/qemu/patches/", {"GPL-2.0-only"}),
    ("sim/uml/patches/", {"GPL-2.0-only"}),
    ("sim/uml/", {"Apache-2.0", "MIT"} | KERNEL),
    # Files for users to copy, and a driver.
    ("sim/tutorial/", {"Apache-2.0", "MIT"} | KERNEL),
    ("sim/ci/", MIT),
    ("sim/", {"Apache-2.0"}),
    ("tests/kunit/", KERNEL | MIT),
    ("tests/modules/", KERNEL | MIT),
    ("tests/rtl/", {"MIT", "Apache-2.0"}),
    ("tests/formal/", {"MIT", "Apache-2.0"}),
    ("", MIT),
]
TAG = re.compile(r"SPDX-License-Identifier:\s*(.+?)\s*(?:\*/|-->|$)")
# Data with a .license neighbour states the licence of its origin.
FREE_DATA = (".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".tsv", ".json", ".visaasm")
# Files whose form has no comments, likewise.
FREE_DATA += ("debian/changelog", "debian/source/format")
# Folders of many such files have one SUFFIX.license for all.
FOLDER_DATA = (".lit", ".case", ".spv", ".spvasm", ".comp", ".bin")


def licence(path):
    """The expression in the first five lines of a file, or None."""
    try:
        with open(path, encoding="utf-8") as file:
            head = [next(file, "") for _ in range(5)]
    except UnicodeDecodeError:
        return None
    for line in head:
        match = TAG.search(line)
        if match:
            return match.group(1)
    return None


def problem(name):
    """The problem of a file's licence, or None."""
    # Licence texts, and the file that tells REUSE about the rest, have no comments of their own.
    if name.startswith(("LICENSES/", ".reuse/")):
        return None
    found = licence(os.path.join(tracked.TOP, name))
    if name.endswith(FREE_DATA) and found is None:
        neighbour = os.path.join(tracked.TOP, name + ".license")
        if not os.path.exists(neighbour):
            return f"has no {os.path.basename(name)}.license beside it"
        return None if licence(neighbour) else f"{os.path.basename(name)}.license names no licence"
    if name.endswith(FOLDER_DATA) and found is None:
        shared = os.path.join(os.path.dirname(name), os.path.splitext(name)[1][1:] + ".license")
        path = os.path.join(tracked.TOP, shared)
        return None if os.path.exists(path) and licence(path) else f"there is no {shared} that names a licence"
    if found is None:
        return "has no SPDX-License-Identifier in its first five lines"
    if name.endswith(".license"):
        return None
    allowed = next(ids for prefix, ids in RULES if name.startswith(prefix))
    if found not in allowed:
        return f"has licence {found!r}, allowed here: {', '.join(sorted(allowed))}"
    return None


def main():
    files = tracked.names()
    bad = [(name, text) for name in files if (text := problem(name))]
    for name, text in bad:
        print(f"{name}: {text}")
    print(f"{len(files)} files looked at, {len(bad)} bad")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
