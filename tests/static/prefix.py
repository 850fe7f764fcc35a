#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that static functions and variables of C files have the prefix of their unit.

The prefix of header_pool.c is header_pool_, header_ or pool_: the words of the file's name, from
the first or up to the last, in the plural or the singular. A file name's faa_ may be left out. The
folder's name (svm_, ptx_) and faa_ with the unit's name are prefixes, too. The entry points of
faa_drv.c have the driver's prefix, and a module parameter has the name that modprobe takes. Static
variables inside functions need none.
"""
import os
import re
import sys

import tracked

PLACES = ["driver", "sim", "userspace"]

# Units whose names differ from those of their files.
UNITS = {
    "driver/faa_completion.c": "fence",
    "driver/faa_drv.c": "faa",
    "driver/faa_dump_file.c": "dumpfile",
    "driver/faa_gem.c": "bo",
    "driver/faa_job.c": "submit",
    "driver/faa_share.c": "user",
}

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STATIC = re.compile(r"^static\s[^;{}=()]*?(?:\(\*)?\b(?P<name>[A-Za-z_]\w*)(?:\[[^\]]*\])*\s*(?:\((?!\*)|\)|=|;|,)", re.M)


def prefixes(path):
    """Prefixes that statics of the file may have."""
    folder, file = os.path.split(path)
    words = os.path.splitext(file)[0].removeprefix("faa_").split("_")
    units = {"_".join(words[:n]) for n in range(1, len(words) + 1)} | {"_".join(words[n:]) for n in range(len(words))}
    units |= {re.sub(r"ies$", "y", unit) for unit in units} | {unit.removesuffix("s") for unit in units}
    units |= {os.path.basename(folder), UNITS.get(path, "")} - {""}
    return tuple(f"{start}{unit}_" for unit in units for start in ("", "faa_"))


def findings(path, text):
    """(line, name) of each static of a file that lacks the prefix."""
    text = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    bad, parameters = [], set(re.findall(r"^module_param\w*\((\w+)", text, re.M))
    for match in STATIC.finditer(text):
        name = match["name"]
        if name.isupper() or name == "__attribute__" or name in parameters:
            continue
        if not (name + "_").startswith(prefixes(path)):
            bad.append((text.count("\n", 0, match.start("name")) + 1, name))
    return bad


def main():
    places = sys.argv[1:] or PLACES
    names = [name for name in tracked.names(*places) if name.endswith(".c")]
    count = 0
    for name in names:
        for line, static in findings(name, tracked.text_of(name)):
            print(f"{name}:{line}: {static} lacks the prefix of its unit")
            count += 1
    print(f"{len(names)} files, {count} findings")
    return bool(count) or not names


if __name__ == "__main__":
    sys.exit(main())
