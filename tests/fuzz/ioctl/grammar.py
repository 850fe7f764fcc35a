#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grammar of the driver's ioctls for the fuzzer, from uapi/drm/faa_drm.h.

Usage: grammar.py HEADER OUTPUT

The header's comments say what a field is: "enum X - &STRUCT.FIELD" its values or flags, "array of
&struct X" its elements, "must be 0", "out". A field that none of the rules below recognises ends
the script, so a new one is not forgotten.
"""
import re
import sys

SIZES = {"__u8": 1, "__u16": 2, "__u32": 4, "__s32": 4, "__u64": 8}
# Names of fields whose kind their type and comment do not give.
NAMES = {
    "vm_id": "VM", "exclusive_vm": "VM", "queue_id": "QUEUE", "handle": "BO", "status_handle": "BO", "fd": "FD",
    "pointer": "POINTER", "label": "POINTER", "va": "ADDRESS", "stream_va": "ADDRESS", "userptr": "MEMORY",
    "va_range": "NUMBER", "size": "NUMBER", "bo_offset": "NUMBER", "offset": "NUMBER", "point": "NUMBER",
    "period_ns": "NUMBER", "records": "NUMBER", "record_bytes": "NUMBER", "shared_bytes": "NUMBER",
    "status_entries": "NUMBER", "stream_bytes": "NUMBER", "first_element": "NUMBER", "region": "NUMBER",
    "failed_op": "NUMBER", "first_seqno": "NUMBER", "exclusive": "NUMBER", "state": "NUMBER",
}


class Grammar:
    def __init__(self, text):
        self.text = text
        self.enums = {m.group(1): self.enum(m.group(2)) for m in re.finditer(r"^enum (\w+) \{(.*?)^\};", text, re.M | re.S)}
        self.structs = {m.group(1): self.members(m.group(2)) for m in re.finditer(r"^struct (\w+) \{(.*?)^\};", text, re.M | re.S)}
        # "enum X - &A.f and &B.f"
        self.enum_of = {tuple(place.split(".")): m.group(1) for m in re.finditer(r"^ \* enum (\w+) - (.*)$", text, re.M)
                        for place in re.findall(r"&(\w+\.\w+)", m.group(2))}
        self.limits = re.findall(r"^#define (DRM_FAA_M(?:AX|IN)_\w+)", text, re.M)
        self.calls = re.findall(r"#define DRM_IOCTL_FAA_(\w+) \\\n\s*DRM_IOWR\(.*, struct (\w+)\)", text)

    @staticmethod
    def enum(body):
        return re.findall(r"^\t([A-Z]\w+)\b", re.sub(r"/\*.*?\*/", "", body, flags=re.S), re.M)

    @staticmethod
    def members(body):
        """(type, name, comment) of each member."""
        found = re.finditer(r"/\*\*(.*?)\*/\s*(?:struct )?(\w+) (\w+)(?:\[\w+\])?;", body, re.S)
        return [(m.group(2), m.group(3), " ".join(re.sub(r"^\s*\*", "", m.group(1), flags=re.M).split())) for m in found]

    def kind(self, struct, kind, name, comment):
        """Kind, enumeration or structure of a field."""
        says = comment.split(":", 1)[1].strip()
        listed = self.enum_of.get((struct, name)) or next(iter(re.findall(r"&enum (\w+)", says)), None)
        if kind == "drm_faa_obj_array":
            return "ARRAY", re.search(r"&struct (\w+)", says).group(1)
        if name.startswith("pad") or says.startswith("must be 0"):
            return "ZERO", None
        if listed:
            return ("FLAGS" if listed.endswith("_flags") else "ENUM"), listed
        if struct == "drm_faa_sync" and name == "handle":
            return "SYNCOBJ", None
        if name not in NAMES and not says.startswith("out"):
            sys.exit(f"grammar.py: what is {struct}.{name}? Its comment is '{comment}'; NAMES may tell")
        return NAMES.get(name, "NUMBER"), None

    def fields(self, struct, structs):
        for kind, name, comment in self.structs[struct]:
            what, of = self.kind(struct, kind, name, comment)
            size = f"sizeof(((struct {struct} *)0)->{name})"
            values, index = "0", structs.index(of) if of in structs else 0
            if of in self.enums:
                values = " | ".join(f"1ull << {value}" if what == "ENUM" else value for value in self.enums[of])
            says = comment.split(":", 1)[1].strip()
            align = re.search(r"multiple of (\d+)", says)
            optional = re.search(r"otherwise (all )?0|\b0 [=:]|or 0|0 for a", says)
            yield (f'\t{{ "{name}", offsetof(struct {struct}, {name}), {size}, FUZZ_{what}, {index}, '
                   f"{int(says.startswith('out'))}, {int(bool(optional))}, {align.group(1) if align else 1}, {values} }},")

    def write(self, out):
        arguments = [struct for _, struct in self.calls]
        elements = re.findall(r"array of &struct (\w+)", self.text)
        used = [s for s in self.structs if s in arguments or (s in elements and any(
            f"array of &struct {s}" in c for t in self.structs.values() for k, _, c in t if k == "drm_faa_obj_array"))]
        print("/* Generated from uapi/drm/faa_drm.h by tests/fuzz/ioctl/grammar.py; do not edit. */\n", file=out)
        for struct in used:
            print(f"static const struct fuzz_field fuzz_fields_{struct}[] = {{", file=out)
            print("\n".join(self.fields(struct, used)), "\n};\n", file=out)
        print("const struct fuzz_struct fuzz_structs[] = {", file=out)
        for struct in used:
            print(f'\t{{ "{struct}", sizeof(struct {struct}), fuzz_fields_{struct}, '
                  f"sizeof(fuzz_fields_{struct}) / sizeof(fuzz_fields_{struct}[0]) }},", file=out)
        print("};\n\nconst struct fuzz_ioctl fuzz_ioctls[] = {", file=out)
        for call, struct in self.calls:
            print(f'\t{{ "{call}", DRM_IOCTL_FAA_{call}, {used.index(struct)} }},', file=out)
        print("};\nconst unsigned int fuzz_ioctl_count = sizeof(fuzz_ioctls) / sizeof(fuzz_ioctls[0]);\n", file=out)
        print("const uint64_t fuzz_limits[] = {", file=out)
        for limit in self.limits:
            print(f"\t{limit},", file=out)
        print("};\nconst unsigned int fuzz_limit_count = sizeof(fuzz_limits) / sizeof(fuzz_limits[0]);", file=out)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    with open(sys.argv[1], encoding="utf-8") as header, open(sys.argv[2], "w", encoding="utf-8") as out:
        Grammar(header.read()).write(out)


if __name__ == "__main__":
    main()
