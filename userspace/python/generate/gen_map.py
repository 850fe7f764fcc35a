#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Version script of libdrm_faa-ffi: the inline functions of the public headers.

gen_map.py OUTPUT COMPILER... -- FLAGS...
"""

import sys

import headers


def main():
    """Write the script."""
    output, *rest = sys.argv[1:]
    split = rest.index("--")
    try:
        found = headers.Headers(rest[:split], rest[split + 1 :])
    except headers.HeaderError as error:
        sys.exit(f"gen_map.py: {error}")
    with open(output, "w", encoding="utf-8") as file:
        file.write(
            "/* Generated from the public headers by gen_map.py; do not edit. */\n"
            "LIBDRM_FAA_FFI_0.1 {\nglobal:\n"
        )
        file.writelines(f"\t{name};\n" for name in found.inline)
        file.write("local:\n\t*;\n};\n")


if __name__ == "__main__":
    main()
