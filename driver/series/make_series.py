#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the driver as a series of patches against Linux 6.12, as series.toml divides it.

The directory OUT, which is emptied first, gets a cover letter and the patches in the format of git
format-patch. A second run writes the same bytes. The kernel's files are those of Debian's
linux-source-6.12.

It is an error if a file of driver/ is in no patch or in two, or if a kernel file has no line that
series.toml wants to insert after.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
# Files of driver/ that the series replaces by others: Kbuild's part is in the composed Makefile.
COMPOSED_SOURCES = {"driver/faa_compat.h"}
MAINTAINERS = "MAINTAINERS"


class SeriesError(Exception):
    """An error of the description or of its inputs."""


def match_one(pattern, text, what):
    """The only match of a pattern in a text."""
    found = list(re.finditer(pattern, text, re.M))
    if len(found) != 1:
        raise SeriesError(f"{what}: {len(found)} matches of {pattern!r}, not 1")
    return found[0]


def object_list(kbuild, name):
    """Names of the objects of a variable of Kbuild, without their directories."""
    block = match_one(rf"^{re.escape(name)} := \\\n((?:\t.*\n)+)", kbuild, "Kbuild").group(1)
    return [Path(line.strip(" \t\\")).name for line in block.splitlines()]


def make_variable(name, items):
    """A Makefile variable with an item in each line."""
    return f"{name} := \\\n" + " \\\n".join(f"\t{item}" for item in items) + "\n"


def kernel_makefile(kbuild):
    """drivers/gpu/drm/faa/Makefile."""
    optional = re.findall(r"^faa-\$\((CONFIG_\w+)\) \+= driver/(\S+)$", kbuild, re.M)
    return ("# SPDX-License-Identifier: GPL-2.0-only OR MIT\n\n"
            + make_variable("faa-y", object_list(kbuild, "faa-y"))
            + "".join(f"faa-$({symbol}) += {name}\n" for symbol, name in optional) + "\n"
            "obj-$(CONFIG_DRM_FAA) += faa.o\n\n"
            "# The trace events include their own header by this path.\n"
            "CFLAGS_faa_trace.o := -I$(src)\n")


def kunit_makefile(kbuild):
    """drivers/gpu/drm/faa/tests/Makefile."""
    return ("# SPDX-License-Identifier: GPL-2.0-only OR MIT\n\n"
            + make_variable("faa_test-y", object_list(kbuild, "faa_kunit-y"))
            + "\nobj-$(CONFIG_DRM_FAA_KUNIT_TEST) += faa_test.o\n\n"
            "ccflags-y := -I$(src)/..\n")


def probes(kbuild, kernel):
    """The names that Kbuild may define for the headers of a kernel, and whether it defines them."""
    found = re.findall(r"\$\(call faa-probe,([^,]+),([^,]+),(\w+)\)", kbuild)
    if not found:
        raise SeriesError("Kbuild: no faa-probe")
    return {name: bool(re.search(pattern, (kernel / "include/drm" / header).read_text()))
            for header, pattern, name in found}


def compat_header(kbuild, kernel, work):
    """faa_compat.h for one kernel: no conditionals, nor the paragraph about them."""
    tool = work / "unifdef"
    subprocess.run(["gcc", "-o", tool, kernel / "scripts/unifdef.c"], check=True)
    flags = [f"-{'D' if there else 'U'}{name}" for name, there in probes(kbuild, kernel).items()]
    result = subprocess.run([tool, "-B", *flags, TOP / "driver/faa_compat.h"], capture_output=True, text=True)
    if result.returncode > 1 or "FAA_HAVE_" in re.sub(r"/\*.*?\*/", "", result.stdout, flags=re.S):
        raise SeriesError(f"faa_compat.h: unifdef {' '.join(flags)} leaves conditionals: {result.stderr}")
    doc = match_one(r"^/\*\*\n \* DOC: Kernel versions\n(?: \*.*\n)+\n", result.stdout, "faa_compat.h")
    return result.stdout.replace(doc.group(0), "")


def without_sections(text, titles):
    """A document without some of its sections."""
    for title in titles:
        section = match_one(rf"^{re.escape(title)}\n=+\n(?:(?!.+\n=+\n).*\n)*", text, "driver.rst")
        text = text.replace(section.group(0), "")
    return text


def document(series):
    """Documentation/gpu/faa.rst: the page of the driver, then the comments of the sources."""
    title = series["document"]["title"]
    text = (TOP / "Documentation/driver.rst").read_text()
    heading = match_one(r"^=+\nThe driver\n=+\n", text, "driver.rst").group(0)
    line = "=" * len(title)
    text = without_sections(text.replace(heading, f"{line}\n{title}\n{line}\n"), series["document"]["without"])
    text = text.replace(", in ``driver/``", ", in ``drivers/gpu/drm/faa``")
    text = text.replace(".. figure:: ", ".. figure:: faa-")
    out = [text.rstrip("\n"), "", "Units", "====="]
    for source in sorted(TOP.glob("driver/*.[ch]")):
        if str(source.relative_to(TOP)) in COMPOSED_SOURCES:
            continue
        for doc in re.findall(r"^ \* DOC: (.*)$", source.read_text(), re.M):
            out += ["", f".. kernel-doc:: drivers/gpu/drm/faa/{source.name}", f"   :doc: {doc}"]
    out += ["", "Interface", "=========", "", ".. kernel-doc:: include/uapi/drm/faa_drm.h", "",
            ".. kernel-doc:: include/uapi/drm/faa_dump.h"]
    return "\n".join(out) + "\n"


def selftests_makefile(series):
    """tools/testing/selftests/drivers/faa/Makefile."""
    extended = series["selftests"]["extended"]
    programs = sorted(p.stem for p in TOP.glob("tests/kselftest/*.c") if not p.stem.startswith("faa_"))
    unknown = set(extended) - set(programs)
    if unknown:
        raise SeriesError(f"series.toml: there are no programs {', '.join(sorted(unknown))}")
    text = (HERE / "selftests.mk").read_text()
    for name, items in (("PROGRAMS", [p for p in programs if p not in extended]), ("EXTENDED", extended)):
        text = text.replace(f"@{name}@", "\\\n" + " \\\n".join(f"\t{item}" for item in items))
    return text


def composed(series, args, work):
    """The files that are no copies of others, by their names in series.toml."""
    kbuild = (TOP / "Kbuild").read_text()
    kunit = (HERE / "Kconfig.kunit").read_text().split("\n", 1)[1]
    return {
        "@faa_compat.h": compat_header(kbuild, args.kernel, work),
        "@Makefile": kernel_makefile(kbuild),
        "@tests/Makefile": kunit_makefile(kbuild),
        "@Kconfig.kunit": kunit,
        "@faa.rst": document(series),
        "@selftests.mk": selftests_makefile(series),
    }


def sources_of(source, spec):
    """The files that a source of series.toml names."""
    if source.startswith("spec/"):
        found = [spec / source.removeprefix("spec/")]
    else:
        found = sorted(TOP.glob(source))
    if not found or not all(path.is_file() for path in found):
        raise SeriesError(f"series.toml: there is no {source}; 'make userland' generates the headers")
    return found


def check_complete(series, spec):
    """Every file of the driver, and of its unit tests, is in one patch."""
    count = {str(p.relative_to(TOP)): 0 for g in ("driver/*.[ch]", "tests/kunit/*.c") for p in TOP.glob(g)}
    for patch in series["patch"]:
        for source, _ in patch.get("add", []):
            if source.startswith("@"):
                continue
            for path in sources_of(source, spec):
                name = os.path.relpath(path, TOP)
                if name in count:
                    count[name] += 1
    bad = [f"{name} is in {n} patches" for name, n in sorted(count.items())
           if n != 1 and name not in COMPOSED_SOURCES]
    if bad:
        raise SeriesError("series.toml: " + ", ".join(bad))


def paragraphs(text):
    """A text in lines of at most 72 columns, as in a commit message."""
    return "\n\n".join(textwrap.fill(" ".join(part.split()), 72) for part in text.strip().split("\n\n"))


def insert_after(path, line, text):
    """Insert text after a line that a file has once."""
    lines = path.read_text().split("\n")
    if lines.count(line) != 1:
        raise SeriesError(f"{path.name}: {lines.count(line)} lines are {line!r}, not 1")
    at = lines.index(line) + 1
    lines[at:at] = text.removesuffix("\n").split("\n")
    path.write_text("\n".join(lines))


class Tree:
    """A repository with those files of the kernel that the series changes."""

    def __init__(self, path, args, identity):
        self.path = path
        self.args = args
        self.identity = identity
        path.mkdir()
        name, mail, date = identity
        self.env = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1",
                        GIT_AUTHOR_NAME=name, GIT_AUTHOR_EMAIL=mail, GIT_AUTHOR_DATE=date,
                        GIT_COMMITTER_NAME=name, GIT_COMMITTER_EMAIL=mail, GIT_COMMITTER_DATE=date)
        self.git("init", "--quiet", "--initial-branch=faa")

    def git(self, *arguments, text=None):
        """Run git; its output."""
        return subprocess.run(["git", "-C", self.path, *arguments], check=True, env=self.env, input=text,
                              stdout=subprocess.PIPE, text=True).stdout

    def take(self, name):
        """A file of the kernel, unless it is there already."""
        path = self.path / name
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        source = self.args.kernel / name
        if source.exists():
            path.write_bytes(source.read_bytes())
            return
        # sim/uml/build-kernel.sh leaves most documents out.
        out = subprocess.run(["tar", "-xOf", self.args.tarball, "--occurrence=1", "--wildcards",
                              f"linux-source-*/{name}"], check=True, stdout=subprocess.PIPE).stdout
        path.write_bytes(out)

    def write(self, name, text):
        """A new file."""
        path = self.path / name
        if path.exists():
            raise SeriesError(f"series.toml: {name} is added twice, or the kernel has it")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def commit(self, subject, body, sign):
        """Everything that has changed, as a commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", *(["--signoff"] if sign else []), "--file=-",
                 text=f"{subject}\n\n{paragraphs(body)}\n" if body else subject)


def maintain(tree, maintainers, files):
    """Add files to the MAINTAINERS entry, or begin it."""
    path = tree.path / MAINTAINERS
    title = maintainers["title"]
    text = path.read_text()
    entry = re.search(rf"^{re.escape(title)}\n(?:.+\n)+", text, re.M)
    if not entry:
        name, mail, _ = tree.identity
        before = match_one(rf"^{re.escape(maintainers['before'])}\n", text, MAINTAINERS)
        head = (f"{title}\nM:\t{name} <{mail}>\nL:\tdri-devel@lists.freedesktop.org\nS:\tMaintained\n"
                "T:\tgit https://gitlab.freedesktop.org/drm/misc/kernel.git\n")
        text = text[:before.start()] + head + "\n" + text[before.start():]
        entry = re.search(rf"^{re.escape(title)}\n(?:.+\n)+", text, re.M)
    lines = entry.group(0).splitlines()
    listed = sorted([line for line in lines if line.startswith("F:")] + [f"F:\t{name}" for name in files])
    lines = [line for line in lines if not line.startswith("F:")] + listed
    path.write_text(text.replace(entry.group(0), "\n".join(lines) + "\n"))


def check_maintained(tree, maintainers, patch):
    """The MAINTAINERS entry has every file that a patch adds, from that patch on."""
    entry = match_one(rf"^{re.escape(maintainers['title'])}\n(?:.+\n)+", (tree.path / MAINTAINERS).read_text(),
                      MAINTAINERS).group(0)
    files = tuple(line.removeprefix("F:\t") for line in entry.splitlines() if line.startswith("F:"))
    for _, target in patch.get("add", []):
        if not target.startswith(files):
            raise SeriesError(f"series.toml: {patch['subject']}: no 'maintain' names {target}")


def add_patch(tree, series, patch, texts):
    """One commit of the series."""
    for source, target in patch.get("add", []):
        if source.startswith("@"):
            tree.write(target, texts[source])
            continue
        for path in sources_of(source, tree.args.spec):
            tree.write(target + path.name if target.endswith("/") else target, path.read_bytes())
    for name, line, text in patch.get("insert", []):
        insert_after(tree.path / name, line, texts[text] if text.startswith("@") else text)
    if "maintain" in patch:
        maintain(tree, series["maintainers"], patch["maintain"])
    check_maintained(tree, series["maintainers"], patch)
    tree.commit(patch["subject"], patch["body"], True)


def identity():
    """Name, address and date of the last commit of this repository."""
    out = subprocess.run(["git", "-C", TOP, "log", "-1", "--format=%an%n%ae%n%aI"], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    return out.splitlines()


def kernel_version(kernel):
    """6.12.y of the kernel's Makefile."""
    text = (kernel / "Makefile").read_text()
    return ".".join(match_one(rf"^{name} = (\d+)$", text, "Makefile").group(1)
                    for name in ("VERSION", "PATCHLEVEL", "SUBLEVEL"))


def write_series(series, args, work):
    """The patches, from a repository that is made for them."""
    tree = Tree(work / "tree", args, identity())
    new = {target for patch in series["patch"] for _, target in patch.get("add", [])}
    for patch in series["patch"]:
        for name, _, _ in patch.get("insert", []):
            if not any(name.startswith(target.rstrip("/")) for target in new):
                tree.take(name)
    tree.take(MAINTAINERS)
    tree.commit("base", None, False)
    texts = composed(series, args, work)
    for patch in series["patch"]:
        add_patch(tree, series, patch, texts)
    body = paragraphs(series["series"]["body"])
    version = kernel_version(args.kernel)
    tree.git("config", "branch.faa.description",
             f"{series['series']['subject']}\n\n{body}\n\nThe series applies to Linux {version}.\n")
    shutil.rmtree(args.out, ignore_errors=True)
    args.out.mkdir(parents=True)
    tree.git("format-patch", "--quiet", "--cover-letter", "--cover-from-description=subject", "--zero-commit",
             "--no-signature", f"--output-directory={args.out.resolve()}", "--root", f"-{len(series['patch'])}")


def parse_arguments():
    """The command line."""
    build = Path(os.environ.get("FAA_BUILD", TOP / "build"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--series", type=Path, default=HERE / "series.toml", help="how the series is divided")
    parser.add_argument("--kernel", type=Path,
                        help="the unpacked kernel (default: that of sim/uml/build-kernel.sh --source-dir)")
    parser.add_argument("--tarball", default=os.environ.get("FAA_LINUX_SOURCE", "/usr/src/linux-source-6.12.tar.xz"),
                        help="the package's file, for what is not unpacked")
    parser.add_argument("--spec", type=Path, default=build / "spec",
                        help="directory of the generated headers")
    parser.add_argument("--out", type=Path, default=build / "patches", help="where the patches go")
    return parser.parse_args()


def main():
    """Returns the exit status."""
    args = parse_arguments()
    try:
        if not args.kernel:
            args.kernel = Path(subprocess.run([TOP / "sim/uml/build-kernel.sh", "--source-dir"], check=True,
                                              stdout=subprocess.PIPE, text=True).stdout.strip())
        series = tomllib.loads(args.series.read_text())
        check_complete(series, args.spec)
        with tempfile.TemporaryDirectory() as work:
            write_series(series, args, Path(work))
    except (SeriesError, OSError, subprocess.CalledProcessError, tomllib.TOMLDecodeError) as error:
        print(f"make_series: {error}", file=sys.stderr)
        return 1
    print(f"{args.out}: {len(series['patch'])} patches and a cover letter")
    return 0


if __name__ == "__main__":
    sys.exit(main())
