#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verilate a module into a static library, once for each content.

The result is kept in $FAA_CACHE/verilated/KEY (default ~/.cache/faa), where KEY is a hash of all
sources used without their comments, flags and tool versions: a second checkout, a reverted change
or another comment is not built again.
Output: LIB (model and Verilator runtime) and HEADER (the model's class).
"""
import argparse
import ctypes.util
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

# Assertions are checked, as the simulation is also a test bench. Unique initial values expose
# registers without a reset. Warnings are left to the lint test. Large files of small functions are
# compiled fastest: each file costs the reading of the headers, and the optimizer's time grows
# faster than a function. Functions below 1000 nodes simulate slower.
FLAGS = ["--cc", "-O3", "--assert", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal", "-Wno-lint",
         "-Wno-style", "--output-split", "80000", "--output-split-cfuncs", "1000"]
KEEP_DAYS = 30
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
TRACE_FLAGS = ["--trace-fst", "--trace-structs", "--savable", "--no-trace-params"]


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--top", required=True, help="module to verilate")
    parser.add_argument("--prefix", help="name of the model's class (default: V and the name of the module)")
    parser.add_argument("--lib", required=True, type=pathlib.Path, help="static library to write")
    parser.add_argument("--header", required=True, type=pathlib.Path, help="header to write")
    parser.add_argument("--depfile", type=pathlib.Path, help="make rule with all sources, for the build system")
    parser.add_argument("--trace", action="store_true", help="able to write waveforms and to save its state")
    parser.add_argument("--blocks", action="append", default=[], metavar="MODULE",
                        help="compile MODULE once for all of its instances, with a faster compilation and a slower simulation")
    parser.add_argument("-F", dest="list", type=pathlib.Path,
                        help="file of Verilator arguments, paths relative to it; all below its directory are sources")
    parser.add_argument("--builds", type=pathlib.Path, metavar="FILE", help="builds.json of spec/, for --device")
    parser.add_argument("--device", metavar="NAME", help="parameters of the top are those of this build or device")
    parser.add_argument("-G", dest="parameter", action="append", default=[], help="NAME=VALUE, parameter of the top")
    parser.add_argument("-D", dest="define", action="append", default=[], help="NAME, a macro to define")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    parser.add_argument("sources", nargs="+", type=pathlib.Path, help="SystemVerilog files, read before those of -F")
    args = parser.parse_args()
    args.prefix = args.prefix or f"V{args.top}"
    if args.device:
        if not args.builds:
            parser.error("--device needs --builds")
        args.parameter = device_parameters(args.builds, args.device) + args.parameter
    return args


def device_parameters(path, name):
    """NAME=VALUE of the parameters of a build or device."""
    devices = json.loads(path.read_text(encoding="utf-8"))["devices"]
    if name not in devices:
        sys.exit(f"verilate: there is no device {name}; there are {', '.join(devices)}")
    return devices[name]["arguments"]


@functools.cache
def environment():
    """The environment of the tools. With mimalloc instead of the C library's allocator, Verilator
    takes a third less time, and clang a tenth (Documentation/cosimulation.rst, "Caches")."""
    library = ctypes.util.find_library("mimalloc")
    preload = " ".join(filter(None, [os.environ.get("LD_PRELOAD"), library]))
    return os.environ | ({"LD_PRELOAD": preload} if preload else {})


def run(command, log, **kwargs):
    """Run a command; print its output if it fails."""
    with open(log, "ab") as out:
        result = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, env=environment(), **kwargs)
    if result.returncode:
        sys.stderr.write(pathlib.Path(log).read_text(errors="replace")[-20000:])
        sys.exit(f"verilate: {command[0]} failed for {' '.join(map(str, command[1:4]))} ...")


def version(tool):
    return subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def all_sources(args):
    """All files that may be part of the model."""
    below = args.list.parent.rglob("*") if args.list else []
    return [*args.sources, *sorted(path for path in below if path.suffix in (".f", ".sv", ".svh", ".vlt"))]


def used_sources(args):
    """The files of the model: those of modules and packages that the top uses, also indirectly."""
    modules = {path.stem: path for path in all_sources(args) if path.suffix in (".sv", ".svh")}
    others = [path for path in all_sources(args) if path.suffix not in (".sv", ".svh")]
    used = {path.stem for path in args.sources}
    new = used | {args.top}
    while new:
        used |= new
        words = {word for name in new if name in modules for word in re.findall(r"\w+", modules[name].read_text())}
        new = {word for word in words if word in modules} - used
    return others + [path for name, path in sorted(modules.items()) if name in used]


def take_snapshot(args, directory):
    """Copy the sources to @directory and return @args with the copies, which cannot change."""
    moved = {}
    for index, path in enumerate(args.sources):
        moved[path] = directory / f"{index}-{path.name}"
        shutil.copy(path, moved[path])
    if args.list:
        top = args.list.parent
        for path in all_sources(args)[len(args.sources):]:
            copy = directory / "list" / path.relative_to(top)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
        moved[args.list] = directory / "list" / args.list.name
    return argparse.Namespace(**{**vars(args), "list": moved.get(args.list),
                                 "sources": [moved[path] for path in args.sources]})


def without_comments(text):
    """@text of SystemVerilog with its lines, but without comments that say nothing to Verilator."""
    def kept(match):
        token = match.group()
        return token if token.startswith('"') or "verilator" in token else "\n" * token.count("\n")

    return TOKEN.sub(kept, text)


def content_of(path):
    """The part of a source file that the model depends on."""
    if path.suffix in (".sv", ".svh"):
        return without_comments(path.read_text(encoding="utf-8")).encode()
    return path.read_bytes()


def content_key(args, flags):
    digest = hashlib.sha256()
    compilers = [version(name) for name in ("g++", "clang++") if shutil.which(name)]
    for text in [version("verilator"), *compilers, args.top, args.prefix, *flags, *args.parameter, *args.blocks]:
        digest.update(text.encode() + b"\0")
    for path in (pathlib.Path(__file__), pathlib.Path(__file__).with_name("headers.mk")):
        digest.update(path.read_bytes())
    for path in used_sources(args):
        digest.update(path.name.encode() + b"\0" + content_of(path) + b"\0")
    return digest.hexdigest()[:32]


def runtime_objects(obj_dir, prefix):
    """Objects of Verilator's runtime that the model needs, as its makefile lists them."""
    text = (obj_dir / f"{prefix}_classes.mk").read_text()
    names = []
    for variable in ("VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"):
        block = re.search(rf"^{variable} \+= \\\n((?:\t.*\n)*)", text, re.M)
        names += re.findall(r"^\t(\w+) ", block.group(1), re.M) if block else []
    return [f"{name}.o" for name in names]


def write_blocks(args, directory):
    """Verilator arguments to compile the modules of --blocks separately."""
    if not args.blocks:
        return []
    config = directory / "blocks.vlt"
    config.write_text("`verilator_config\n" + "".join(f'hier_block -module "{name}"\n' for name in args.blocks))
    return ["--hierarchical", str(config)]


def make(directory, makefile, log, *words):
    run(["make", "-C", str(directory), "-f", str(makefile), *words], log)


def compile_model(args, obj_dir, log):
    """Compile Verilator's output: libraries of model and blocks, objects of Verilator's runtime."""
    # Frequent functions deserve -O2, except in a build with blocks, whose compile time matters
    # more. Functions that run once, at reset, are not optimized.
    options = [f"-j{args.jobs}", f"OPT_FAST={'-O1' if args.blocks else '-O2'}", "OPT_SLOW=-O0", "OPT_GLOBAL=-O2"]
    headers = pathlib.Path(__file__).with_name("headers.mk")
    if args.blocks:
        make(obj_dir, f"{args.prefix}_hier.mk", log, options[0], "hier_verilation")
    for block in (path for path in sorted(obj_dir.glob("V*/")) if (path / f"{path.name}.mk").exists()):
        make(block, headers, log, *options, f"PREFIX={block.name}", f"VM_PREFIX={block.name}")
    runtime = runtime_objects(obj_dir, args.prefix)
    make(obj_dir, headers, log, *options, f"PREFIX={args.prefix}", *runtime, f"{args.prefix}__ALL.a")
    return [*sorted(obj_dir.glob(f"{args.prefix}__ALL.a")), *sorted(obj_dir.glob("V*/lib*.a"))], runtime


def join_libraries(libraries, objects, directory, log):
    """Write @directory/lib.a from libraries, whose members may have equal names, and from objects.

    Scripts of ar have no quotes, so paths are relative.
    """
    script = "CREATE lib.a\n" + "".join(f"ADDLIB {library.relative_to(directory)}\n" for library in libraries)
    script += "".join(f"ADDMOD {item.relative_to(directory)}\n" for item in objects) + "SAVE\nEND\n"
    run(["ar", "-M"], log, input=script.encode(), cwd=directory)
    run(["ranlib", str(directory / "lib.a")], log)


def parameter_arguments(args):
    """Arguments for the top's parameters.

    Verilator would pass them to blocks, too. With blocks, the defaults in the copy are changed
    instead.
    """
    if not args.blocks:
        return [f"-G{value}" for value in args.parameter]
    path = next((path for path in all_sources(args) if path.stem == args.top), None)
    if not path:
        sys.exit(f"verilate: --blocks needs {args.top} in -F's file")
    text = path.read_text()
    for name, _, value in (item.partition("=") for item in args.parameter):
        text, count = re.subn(rf"(?m)^(\s*parameter\b.*\b{name} = )[^,\s]+", rf"\g<1>{value}", text)
        if count != 1:
            sys.exit(f"verilate: {path.name} has no parameter {name} on a line of its own")
    path.write_text(text)
    return []


def list_arguments(args):
    """Arguments equivalent to -F @args.list.

    With blocks, Verilator would use both the file and its content, relative to another directory.
    """
    if not args.list:
        return []
    if not args.blocks:
        return ["-F", str(args.list)]
    lines = [line.partition("//")[0] for line in args.list.read_text().splitlines()]
    words = [word for line in lines for word in line.split()]
    # The file of a block has to be named after the packages, or it is read before them.
    named = {pathlib.Path(word).stem for word in words}
    return words + [str(path) for path in all_sources(args) if path.stem in set(args.blocks) - named]


def build(args, flags, directory):
    """Verilate and compile into @directory."""
    obj_dir = directory / "obj"
    log = directory / "log"
    run(["verilator", *flags, *write_blocks(args, directory), "--top-module", args.top, "--prefix", args.prefix,
         "--Mdir", str(obj_dir), *parameter_arguments(args), *[str(path) for path in args.sources],
         *list_arguments(args)], log, cwd=args.list.parent if args.list else None)
    libraries, runtime = compile_model(args, obj_dir, log)
    join_libraries(libraries, [obj_dir / name for name in runtime], directory, log)
    shutil.copy(obj_dir / f"{args.prefix}.h", directory / "model.h")
    shutil.rmtree(obj_dir)


def prune(root):
    """Remove models that were not used for KEEP_DAYS."""
    for path in root.iterdir():
        if path.stat().st_mtime < time.time() - KEEP_DAYS * 86400:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def cached(args, flags):
    """The directory of the built model, which is built if it is missing."""
    root = pathlib.Path(os.environ.get("FAA_CACHE") or pathlib.Path.home() / ".cache/faa").resolve() / "verilated"
    root.mkdir(parents=True, exist_ok=True)
    prune(root)
    with tempfile.TemporaryDirectory(dir=root, prefix=".build-") as temporary:
        work = pathlib.Path(temporary)
        snapshot = take_snapshot(args, work)
        final = root / content_key(snapshot, flags)
        # Of two builds of the same content, the second waits for the first.
        with open(root / f".{final.name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not final.is_dir():
                start = time.monotonic()
                print(f"verilating {args.top}{' with waveforms' if args.trace else ''}, once for each content",
                      flush=True)
                (work / "model").mkdir()
                build(snapshot, flags, work / "model")
                (work / "model").rename(final)
                print(f"verilated {args.top} in {time.monotonic() - start:.0f} s", flush=True)
            os.utime(final)
    return final


def main():
    args = parse_args()
    flags = FLAGS + (TRACE_FLAGS if args.trace else []) + [f"-D{name}" for name in args.define]
    model = cached(args, flags)
    shutil.copy(model / "lib.a", args.lib)
    shutil.copy(model / "model.h", args.header)
    if args.depfile:
        sources = " ".join(map(str, all_sources(args)))
        args.depfile.write_text(f"{args.lib} {args.header}: {sources}\n")


if __name__ == "__main__":
    main()
