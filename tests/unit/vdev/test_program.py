#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program faa-vdev: options, socket, signals and its end. Usage: test_program.py FAA-VDEV"""
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = sys.argv.pop(1)


class Device:
    """A running faa-vdev, which is killed at the end of the with block."""

    def __init__(self, directory, *options, env=None):
        self.path = str(pathlib.Path(directory) / "socket")
        self.process = subprocess.Popen([PROGRAM, f"--socket={self.path}", "--engine=model", *options],
                                        stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})})

    def __enter__(self):
        for _ in range(500):
            if os.path.exists(self.path):
                return self
            time.sleep(0.01)
        raise AssertionError("no socket after 5 s")

    def __exit__(self, *args):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def connect(self):
        """A connection with an answer, so the device is serving it."""
        sock = socket.socket(socket.AF_UNIX)
        sock.settimeout(5)
        for _ in range(500):
            # Refused: the socket of an earlier device, which this one has not replaced yet.
            if sock.connect_ex(self.path) == 0:
                break
            time.sleep(0.01)
        sock.sendall(struct.pack("=III", 1, 1, 0))
        reply = sock.recv(20)
        assert struct.unpack("=IIIQ", reply)[:3] == (1, 5, 8), reply
        return sock

    def end(self):
        """Exit status and standard error."""
        _, err = self.process.communicate(timeout=5)
        return self.process.returncode, err


def run(*options, env=None):
    return subprocess.run([PROGRAM, *options], capture_output=True, text=True, timeout=5,
                          env={**os.environ, **(env or {})})


class Options(unittest.TestCase):
    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout, r"^faa-vdev \d+\.\d+\.\d+\n$")
        text = run("--help").stdout
        for option in ("engine", "socket", "latency", "jitter", "outstanding", "stall", "error-rate", "seed",
                       "trace-cycles", "trace-file", "record", "keep", "verbose", "fault"):
            self.assertIn(f"--{option}", text)

    def test_bad_options(self):
        for options, words in ((["--socket=x", "--latency=0"], "--latency takes a number from 1 to 4096, not '0'"),
                               (["--socket=x", "--stall=1000"], "0 to 900"),
                               (["--socket=x", "--seed=-1"], "not '-1'"),
                               (["--socket=x", "--jitter=many"], "not 'many'"),
                               (["--socket=x", "--engine=abacus"], "there is no engine 'abacus'"),
                               (["--socket=x", "--fault=rust"], "there is no fault 'rust'; there are: ignore-kill"),
                               (["--socket=x", "--fault=ignore-kill:0"], "'ignore-kill:0' is not NAME"),
                               (["--socket=x", "--fault=stop-axi@"], "'stop-axi@' is not NAME"),
                               (["--socket=x", "--fault=lose-irq:2@1x"], "'lose-irq:2@1x' is not NAME"),
                               (["--socket=x", "--fault=stick-tlb", "--fault=stick-tlb:1"],
                                "'stick-tlb' was given before"),
                               (["--socket=x", "surplus"], "'surplus' is not an option"),
                               (["--engine=model"], "--socket=PATH is needed")):
            result = run(*options)
            self.assertNotEqual(result.returncode, 0, options)
            self.assertIn(words, result.stderr)

    def test_environment(self):
        result = run("--socket=x", env={"FAA_VDEV_OPTS": " --latency=5  --outstanding=999 "})
        self.assertIn("--outstanding takes a number from 1 to 256, not '999'", result.stderr)


class Life(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.record = os.path.join(self.directory.name, "record")

    def test_ends_with_its_guest(self):
        with Device(self.directory.name) as device:
            device.connect().close()
            self.assertEqual(device.end(), (0, ""))
            self.assertFalse(os.path.exists(device.path))

    def test_keep(self):
        with Device(self.directory.name, "--keep") as device:
            for _ in range(3):
                device.connect().close()
            device.process.send_signal(signal.SIGTERM)
            self.assertEqual(device.end()[0], 0)

    def test_one_guest_at_a_time(self):
        with Device(self.directory.name) as device:
            first = device.connect()
            second = socket.socket(socket.AF_UNIX)
            second.settimeout(5)
            second.connect(device.path)
            self.assertEqual(second.recv(1), b"")
            second.close()
            first.close()
            self.assertIn("one at a time", device.end()[1])

    def test_guest_sees_the_end(self):
        with Device(self.directory.name) as device:
            sock = device.connect()
            device.process.send_signal(signal.SIGTERM)
            self.assertEqual(device.end()[0], 0)
            self.assertEqual(sock.recv(1), b"")
            sock.close()

    def test_recorder(self):
        with Device(self.directory.name, f"--record={self.record}") as device:
            sock = device.connect()
            device.process.send_signal(signal.SIGUSR1)
            for _ in range(500):
                if os.path.exists(self.record) and "flight recorder" in pathlib.Path(self.record).read_text():
                    break
                time.sleep(0.01)
            text = pathlib.Path(self.record).read_text()
            self.assertIn("engine model: SIGUSR1", text)
            self.assertIn("reset", text)
            sock.close()
            device.end()
            self.assertIn("engine model: end", pathlib.Path(self.record).read_text())

    def test_no_waveform_of_the_model(self):
        with Device(self.directory.name) as device:
            sock = device.connect()
            device.process.send_signal(signal.SIGUSR2)
            time.sleep(0.1)
            sock.close()
            status, err = device.end()
            self.assertEqual(status, 0)
            self.assertIn("no waveform", err)

    def test_sockets(self):
        with Device(self.directory.name) as device:
            result = run(f"--socket={device.path}")
            self.assertEqual(result.returncode, 1)
            self.assertIn("Address already in use", result.stderr)
            device.process.kill()
            device.process.wait()
            # The socket of a killed device is no obstacle.
            with Device(self.directory.name) as again:
                again.connect().close()
                self.assertEqual(again.end()[0], 0)
        path = os.path.join(self.directory.name, "file")
        pathlib.Path(path).write_text("precious")
        self.assertEqual(run(f"--socket={path}").returncode, 1)
        self.assertEqual(pathlib.Path(path).read_text(), "precious")
        self.assertIn("File name too long", run("--socket=/tmp/" + "x" * 200).stderr)

    def test_sleeps(self):
        with Device(self.directory.name) as device:
            sock = device.connect()
            stat = f"/proc/{device.process.pid}/stat"
            ticks = lambda: sum(map(int, pathlib.Path(stat).read_text().rsplit(")", 1)[1].split()[11:13]))
            start = ticks()
            time.sleep(1)
            self.assertLessEqual(ticks() - start, 1, "the idle device uses the CPU")
            sock.close()


if __name__ == "__main__":
    unittest.main()
