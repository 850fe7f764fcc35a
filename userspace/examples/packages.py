#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write packages.txt: the direct and indirect dependencies of the named packages of Debian.

    packages.py gnome kde-full > packages.txt

A line is a package and the numbers of the packages that it depends on: Depends and Pre-Depends, the
first of alternatives, without virtual packages. Packages are numbered from 0 in the order of the
lines. The data comes from apt's cache (`apt-get update` first); nothing is downloaded.
"""
import re
import subprocess
import sys


def apt(*args):
    return subprocess.run(["apt-cache", *args], capture_output=True, text=True, check=True).stdout


def release():
    """Version of the Debian release that apt reads, such as 12.11."""
    match = re.search(r"release v=([0-9.]+),o=Debian,", apt("policy"))
    return match.group(1) if match else sys.exit("packages.py: apt knows no release of Debian")


def names(field):
    """First alternatives of a field like "a (>= 1) | b, c:any"."""
    return {re.split(r"[ :(|]", part.strip())[0] for part in field.split(",") if part.strip()}


def dependencies():
    """Name of each package: names of its dependencies."""
    needs = {}
    for paragraph in apt("dumpavail").split("\n\n"):
        fields = dict(re.findall(r"^(Package|Depends|Pre-Depends): (.*)$", paragraph, re.M))
        if "Package" in fields:
            needs[fields["Package"]] = names(fields.get("Depends", "") + "," + fields.get("Pre-Depends", ""))
    return {name: {other for other in others if other in needs} for name, others in needs.items()}


def closure(needs, roots):
    seen = set()
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in needs:
            sys.exit(f"packages.py: Debian has no package '{name}'")
        if name not in seen:
            seen.add(name)
            todo += needs[name]
    return sorted(seen)


def main():
    roots = sys.argv[1:] or sys.exit("packages.py: name at least one package")
    needs = dependencies()
    chosen = closure(needs, roots)
    number = {name: index for index, name in enumerate(chosen)}
    print("# SPDX-License-" + "Identifier: MIT")
    print(f"# Dependencies of {' and '.join(roots)} in Debian {release()} (main, amd64): facts, collected by packages.py.")
    for name in chosen:
        print(" ".join([name] + [str(index) for index in sorted(number[other] for other in needs[name])]))


if __name__ == "__main__":
    main()
