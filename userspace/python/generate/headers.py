# SPDX-License-Identifier: MIT
"""The public headers as a compiler sees them."""

import re
import subprocess

# Headers that a program may include; each includes the headers that it needs.
PUBLIC = ("faa.h", "faa_atomic.h", "faa_exact.h", "faa_asm.h", "faa_spirv.h", "drm/faa_drm.h")
OURS = re.compile(r"(^|/)faa[a-z_]*\.h$")
INLINE = re.compile(r"^static inline\b[^;{]*?\b(\w+)\(", re.M)
DEFINE = re.compile(r"^#define ((?:DRM_|DRM_IOCTL_)?FAA_\w+)[ \t]+((?:[^\n\\]|\\\n)+)$", re.M)


class HeaderError(Exception):
    """The headers cannot be read; the text names the reason."""


def preprocess(compiler, source, flags):
    """Text of C after the preprocessor, with line markers."""
    run = subprocess.run(
        [*compiler, "-E", "-x", "c", "-std=c11", *flags, "-"],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise HeaderError(f"{' '.join(compiler)}: {run.stderr}")
    return run.stdout


def strip_bodies(text):
    """Inline functions as declarations."""
    out, at = [], 0
    for match in re.finditer(r"static inline\b[^;{]*?\)\s*\{", text):
        if match.start() < at:
            continue
        out.append(text[at : match.start()])
        out.append(
            text[match.start() : match.end() - 1].replace("static inline", "", 1).rstrip() + ";"
        )
        depth, at = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
    return "".join(out) + text[at:]


class Headers:
    """Contents of the public headers.

    declarations: C without comments, bodies and attributes. inline: names of inline functions,
    without those that end in _, which are private, and those that only pass the size of a structure
    to NAME_sized: a binding passes the size that it declares. paths: the files. defines: names of
    macros that may be constants.
    """

    def __init__(self, compiler, flags, names=PUBLIC):
        self.compiler, self.flags = compiler, flags
        self.includes = "".join(f"#include <{name}>\n" for name in names)
        text, self.paths = self._select(preprocess(compiler, self.includes, flags))
        text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
        text = re.sub(
            r"_Static_assert\s*\((?:[^()\"]|\((?:[^()]|\([^()]*\))*\)|\"[^\"]*\")*\)\s*;", "", text
        )
        self.declarations = strip_bodies(text)
        sources = [open(path, encoding="utf-8").read() for path in self.paths]
        self.source = "\n".join(sources)
        self.inline = sorted(
            {
                name
                for name in INLINE.findall(self.source)
                if not name.endswith("_") and f"{name}_sized(" not in self.declarations
            }
        )
        self.defines = [match[0] for match in DEFINE.findall(self.source)]
        if len(self.inline) < 20:
            raise HeaderError(
                f"only {len(self.inline)} inline functions in {', '.join(self.paths)}"
            )

    @staticmethod
    def _select(text):
        """Lines that come from the project's headers, and the paths of these."""
        lines, paths, take = [], [], False
        for line in text.splitlines():
            marker = re.match(r'# \d+ "([^"]*)"', line)
            if marker:
                path = marker.group(1)
                take = bool(OURS.search(path))
                if take and path not in paths:
                    paths.append(path)
            elif take:
                lines.append(line)
        return "\n".join(lines), paths

    def expand(self, names):
        """Macros as the preprocessor expands them: {name: text}."""
        probes = "".join(f'@@"{name}"@ {name}\n' for name in names)
        text = preprocess(self.compiler, self.includes + probes, self.flags)
        text = re.sub(r"^# \d+ .*$", "", text, flags=re.M)
        found = re.findall(r'^@@"(\w+)"@ (.*(?:\n(?!@@).*)*)', text, re.M)
        return {name: " ".join(value.split()) for name, value in found}

    def comments(self):
        """Kernel-doc of enumerators and members: {name: text}."""
        found = re.findall(
            r"/?\*+\s*@(\w+): (.*?)(?=\*/|\n\s*\*\s*(?:\n|@\w+:))", self.source, re.DOTALL
        )
        return {name: " ".join(re.sub(r"\n\s*\*", " ", text).split()) for name, text in found}
