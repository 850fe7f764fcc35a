#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the histogram example on a generated image and compare its bins with those counted here.

histogram_check.py HISTOGRAM ENGINE KIND WIDTH HEIGHT [SEED]

KIND: grey or rgb: random bytes; flat: one grey value; step: every value once a row; skew: half of
all bytes equal. The PNG is written and the pixels are counted without any of the example's code.
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib


def pixels(kind, width, height, seed):
    """Channels and rows of bytes."""
    rng = random.Random(seed)
    channels = 3 if kind == "rgb" else 1
    size = width * channels
    if kind in ("grey", "rgb"):
        rows = [rng.randbytes(size) for _ in range(height)]
    elif kind == "flat":
        rows = [bytes([seed & 255]) * size] * height
    elif kind == "step":
        rows = [bytes(x & 255 for x in range(size))] * height
    elif kind == "skew":
        rows = [bytes(7 if rng.random() < 0.5 else rng.randrange(256) for _ in range(size)) for _ in range(height)]
    else:
        sys.exit(f"unknown kind of image '{kind}'; allowed are grey, rgb, flat, step and skew")
    return channels, rows


def png(channels, width, height, rows):
    """The image as PNG: 8 bits, no filter, no interlace."""
    def chunk(tag, data):
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def count(channels, rows):
    """Bins of each channel."""
    bins = [[0] * 256 for _ in range(channels)]
    for row in rows:
        for channel in range(channels):
            for value in row[channel::channels]:
                bins[channel][value] += 1
    return bins


def main():
    histogram, engine, kind, width, height = sys.argv[1:6]
    width, height = int(width), int(height)
    seed = int(sys.argv[6]) if len(sys.argv) > 6 else 1
    channels, rows = pixels(kind, width, height, seed)
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "image.png")
        with open(path, "wb") as file:
            file.write(png(channels, width, height, rows))
        command = [histogram, f"--engine={engine}", "--no-plot", "--json", path]
        run = subprocess.run(command, capture_output=True, text=True, cwd=tmp, check=False)
    text = [line for line in run.stdout.splitlines() if line.startswith("{")]
    if run.returncode or not text:
        sys.exit(f"{' '.join(command)}: exit status {run.returncode}\n{run.stdout}{run.stderr}")
    answer = json.loads(text[0])
    if (answer["width"], answer["height"]) != (width, height):
        sys.exit(f"the image is {width} x {height}, the example says {answer['width']} x {answer['height']}")
    if answer["check"] is not True:
        sys.exit("the example's own check failed")
    for channel, (want, got) in enumerate(zip(count(channels, rows), answer["channels"], strict=True)):
        for value in range(256):
            if want[value] != got["bins"][value]:
                sys.exit(f"channel {channel} value {value}: {want[value]} pixels have it, the device counted {got['bins'][value]}")
    print(f"{kind} {width} x {height}, {channels} channels, seed {seed}: all bins equal")


if __name__ == "__main__":
    main()
