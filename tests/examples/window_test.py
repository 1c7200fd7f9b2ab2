#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The example in a window: it draws the picture of the README, opens a window and closes it when it is asked to.

    window_test.py WINDOW PICTURE.png            tests
    window_test.py --renew WINDOW PICTURE.png    draws the picture anew

The picture is 3 times as large as what is drawn. SDL's versions round a little differently when they mix colours.
"""
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ZOOM = 3


def drawn(window):
    """The rows of the picture that the example writes: bytes red, green, blue of each pixel."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "picture.bmp")
        subprocess.run([window, name], check=True)
        with open(name, "rb") as file:
            data = file.read()
    start, = struct.unpack("<I", data[10:14])
    width, height = struct.unpack("<ii", data[18:26])
    size = struct.unpack("<H", data[28:30])[0] // 8
    stride = (width * size + 3) // 4 * 4
    rows = [data[start + y * stride:][:width * size] for y in reversed(range(height))]
    return [b"".join(row[x + 2:x + 3] + row[x + 1:x + 2] + row[x:x + 1] for x in range(0, len(row), size)) for row in rows]


def write(name, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    large = [b"".join(row[x:x + 3] * ZOOM for x in range(0, len(row), 3)) for row in rows for _ in range(ZOOM)]
    head = struct.pack(">IIBBBBB", len(large[0]) // 3, len(large), 8, 2, 0, 0, 0)
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
                   chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in large), 9)) + chunk(b"IEND", b""))


def read(name):
    """What write() has written."""
    with open(name, "rb") as file:
        data = file.read()
    width, = struct.unpack(">I", data[16:20])
    length, = struct.unpack(">I", data[33:37])
    pixels, stride = zlib.decompress(data[41:41 + length]), width * 3 + 1
    rows = [pixels[y + 1:y + stride] for y in range(0, len(pixels), stride * ZOOM)]
    return [b"".join(row[x:x + 3] for x in range(0, len(row), 3 * ZOOM)) for row in rows]


def main():
    window, picture = sys.argv[-2:]
    if "--renew" in sys.argv:
        write(picture, drawn(window))
        return
    is_now, shall = b"".join(drawn(window)), b"".join(read(picture))
    assert len(is_now) == len(shall), "the picture has another size"
    other = sum(abs(a - b) > 8 for a, b in zip(is_now, shall))
    assert other < len(shall) // 500, f"{other // 3} pixels differ: look, and renew the picture"
    process = subprocess.Popen([window], env={**os.environ, "SDL_VIDEODRIVER": "dummy"})
    time.sleep(0.5)
    assert process.poll() is None, "the window does not stay open"
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=10) == 0


main()
