# SPDX-License-Identifier: MIT
"""Streams of the counters of all compute units."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy

from faa._library import ffi, lib, new_pointer, size_of
from faa._tables import CONSTANTS, CountersFlags
from faa.errors import FaaError
from faa.queues import wait_sliced


@dataclass(frozen=True)
class CountersSample:
    """The counters of all compute units at one time.

    Attributes:
        time: time.monotonic_ns() before they were read.
        total_cycles: clock cycles of the device, with those before its resets.
        values: 64-bit integers, one row for each compute unit, one column for each Counter.
        cycles: clock cycle of the device when the row was read, for each compute unit.
        dropped: samples since the one before that found the kernel's buffer full.
        late: samples since then that were due while the one before was still being taken.
        flags: CountersFlags. NO_VALUES: the device was asleep (then ASLEEP, too), was being reset
            or did not answer; all numbers are 0. RESTARTED: the counters started at 0 again since
            the last sample with values.
    """

    time: int
    total_cycles: int
    values: numpy.ndarray
    cycles: numpy.ndarray
    dropped: int
    late: int
    flags: CountersFlags


class CountersStream:
    """Iterator over the samples of the counters of all compute units that the kernel takes.

    Device.counters() makes one. The counters include the work of all programs. A stream neither
    wakes the device up nor keeps it awake, and is used by one thread at a time.
    """

    def __init__(self, device: Any, period: float, records: int) -> None:
        self._pointer = ffi.gc(
            new_pointer(
                "struct faa_counters_stream *",
                lib.faa_counters_open,
                device.pointer,
                max(0, min(round(period * 1e9), 2**64 - 1)),
                records,
            ),
            lib.faa_counters_close,
        )

    @property
    def pointer(self) -> Any:
        """The C structure of the stream."""
        if not self._pointer:
            raise FaaError(errno.EBADF, "the stream of counters was closed")
        return self._pointer

    def next(self, timeout: float | None = None) -> CountersSample:
        """The oldest sample that has not been returned; the first one is taken at once.

        Args:
            timeout: seconds; None: no limit.

        Raises:
            TimeoutError: there was none in time.
            FaaError: ENODEV: the device is gone, and all samples have been returned.
        """
        raw = ffi.new("struct faa_counters_sample *")
        size = size_of(raw)
        wait_sliced(
            lambda deadline: lib.faa_counters_next_sized(self.pointer, raw, size, deadline), timeout
        )
        count = CONSTANTS["FAA_COUNTERS"]
        # Both copy: the numbers are valid until the next call.
        return CountersSample(
            raw.time,
            raw.total_cycles,
            numpy.array(
                [list(raw.cus[i].counters.value) for i in range(raw.num_cus)], numpy.uint64
            ).reshape(raw.num_cus, count),
            numpy.array([raw.cus[i].cycle for i in range(raw.num_cus)], numpy.uint64),
            raw.dropped,
            raw.late,
            CountersFlags(raw.flags),
        )

    def __iter__(self) -> Iterator[CountersSample]:
        return self

    def __next__(self) -> CountersSample:
        return self.next()

    def fileno(self) -> int:
        """The file descriptor, for select(): readable when the kernel has a sample. next() may have
        read further ones before, which next(0) returns.
        """
        return lib.faa_counters_fd(self.pointer)

    def close(self) -> None:
        """End the stream."""
        if self._pointer:
            ffi.release(self._pointer)
            self._pointer = None

    def __enter__(self) -> CountersStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
