#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A list of installed packages, for closure() of kept.py: which versions decide over a result."""
import sys

import kept

PACKAGES = """\
gcc\t4:12\tno\tc-compiler, gcc-x86-64 (= 4:12)\t\tcpp (= 4:12), gcc-12:any (>= 12.2)
gcc-12\t12.2\tno\t\tlibc6 (>= 2.34)\t
cpp\t4:12\tno\t\t\t
libc6\t2.36\tno\tlibc-6-1\t\tlibc-dev | other
libc-other\t5\tno\tlibc-dev (= 5), zzz\t\t
bash\t5.2\tyes\t\tlibbash\tdebianutils (>= 5)
libbash\t1\tno\t\t\tabsent
debianutils\t5.7\tno\t\t\t
game\t1\tno\t\t\tgcc, bash, library
library\t1\tno\t\t\t
"""
EXPECTED = ["bash 5.2", "cpp 4:12", "debianutils 5.7", "gcc 4:12", "gcc-12 12.2", "libbash 1", "libc-other 5", "libc6 2.36"]


def main():
    found = kept.closure(PACKAGES)
    if found != EXPECTED:
        print(f"{found} instead of {EXPECTED}")
    return found != EXPECTED


if __name__ == "__main__":
    sys.exit(main())
