# SPDX-License-Identifier: MIT
"""What a scene on the stage (tests/tools/stage) can do to the world around its programs."""
import ctypes

_library = ctypes.CDLL(None)


def line(delay_ms=0, jitter_ms=0, loss=0, duplicates=0, late=0, late_ms=20, port=0):
    """The line between all loopback addresses, or only to and from a port: how long a datagram takes, and which part of
    them is lost, comes twice, or comes so much later than the others. Without arguments: no line."""
    numbers = (int(delay_ms * 1000), int(jitter_ms * 1000))
    parts = (round(loss * 1e6), round(duplicates * 1e6), round(late * 1e6))
    _library.stage_line(*map(ctypes.c_uint64, numbers), *map(ctypes.c_uint32, parts), ctypes.c_uint64(int(late_ms * 1000)),
                        ctypes.c_uint32(port))


def disk(path, delay_ms):
    """From now on each call that opens, makes, moves, removes or syncs a file below the path takes so long; 0: no more."""
    _library.stage_disk(path.encode(), ctypes.c_uint64(int(delay_ms * 1000)))
