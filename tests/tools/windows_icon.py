#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the icon of the programs for Windows from that of desktops: windows_icon.py FILE.svg FILE.ico [--check]

The picture has rectangles and closed paths of lines on whole pixels, so a few lines draw it exactly. With --check, says
whether the file has the same pictures.
"""
import math
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib

SIZES = (16, 24, 32, 48, 64, 128, 256)
SAMPLES = 4  # a pixel, each way
ROUNDING_STEPS = 8  # lines that a curve is drawn as
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def curve(begin, through, end):
    """A quadratic curve as lines."""
    for step in range(1, ROUNDING_STEPS + 1):
        t = step / ROUNDING_STEPS
        yield tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in zip(begin, through, end))


def outlines_of_path(text):
    """The polygons of a path with the commands M, m, h, v, l, q and z."""
    outline, at = [], (0.0, 0.0)
    for command, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", text):
        numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", rest)]
        if command == "M":
            at = (numbers[0], numbers[1])
            outline = [at]
        elif command == "h":
            outline.append(at := (at[0] + numbers[0], at[1]))
        elif command == "H":
            outline.append(at := (numbers[0], at[1]))
        elif command == "v":
            outline.append(at := (at[0], at[1] + numbers[0]))
        elif command == "l":
            outline.append(at := (at[0] + numbers[0], at[1] + numbers[1]))
        elif command == "q":
            through, end = [(at[0] + x, at[1] + y) for x, y in zip(numbers[::2], numbers[1::2])]
            outline.extend(curve(at, through, end))
            at = end
        elif command == "z":
            yield outline
            at = outline[0]
        else:
            raise ValueError(f"a path with {command} cannot be drawn")


def outline_of_rect(element):
    x, y, width, height, r = [float(element.get(name, 0)) for name in ("x", "y", "width", "height", "rx")]
    outline = []
    for corner_x, corner_y, angle in ((x + width - r, y + r, -90), (x + width - r, y + height - r, 0), (x + r, y + height - r, 90), (x + r, y + r, 180)):
        for step in range(ROUNDING_STEPS + 1 if r else 1):
            turned = math.radians(angle + 90 * step / ROUNDING_STEPS)
            outline.append((corner_x + r * math.cos(turned), corner_y + r * math.sin(turned)))
    return outline


def shapes_of(path):
    """Returns the width of a picture, and its shapes from the back to the front: a colour and polygons each."""
    root = ElementTree.parse(path).getroot()
    shapes = []
    for element in root:
        name = element.tag.split("}")[-1] if isinstance(element.tag, str) else ""
        if name in ("rect", "path"):
            outlines = [outline_of_rect(element)] if name == "rect" else list(outlines_of_path(element.get("d")))
            colour = tuple(int(element.get("fill")[i:i + 2], 16) for i in (1, 3, 5))
            shapes.append((colour, outlines))
    return float(root.get("viewBox").split()[2]), shapes


def spans(outlines, y):
    """Where a row is inside of polygons, from left to right."""
    crossings = []
    for outline in outlines:
        for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1]):
            if (y1 <= y) != (y2 <= y):
                crossings.append(x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    crossings.sort()
    return zip(crossings[::2], crossings[1::2])


def draw(width, shapes, size):
    """Returns the picture's rows of red, green, blue and alpha."""
    fine = size * SAMPLES
    rows = []
    for row in range(size):
        sums = [[0, 0, 0, 0] for _ in range(size)]
        for sub in range(SAMPLES):
            line = [None] * fine
            for colour, outlines in shapes:
                for begin, end in spans(outlines, (row * SAMPLES + sub + 0.5) * width / fine):
                    first, last = [min(fine, max(0, math.ceil(x * fine / width - 0.5))) for x in (begin, end)]
                    line[first:last] = [colour] * (last - first)
            for x, colour in enumerate(line):
                if colour:
                    pixel = sums[x // SAMPLES]
                    pixel[0] += colour[0]
                    pixel[1] += colour[1]
                    pixel[2] += colour[2]
                    pixel[3] += 1
        rows.append(b"".join(bytes(round(part / count) for part in pixel[:3]) + bytes([round(255 * count / SAMPLES ** 2)])
                             if (count := pixel[3]) else bytes(4) for pixel in sums))
    return rows


def png(rows):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    head = struct.pack(">IIBBBBB", len(rows), len(rows), 8, 6, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)) + chunk(b"IEND", b"")


def ico(pictures):
    """An icon of several sizes: a list of where each picture lies, and the pictures."""
    offset = 6 + 16 * len(pictures)
    head, body = struct.pack("<HHH", 0, 1, len(pictures)), b""
    for rows in pictures:
        picture = png(rows)
        head += struct.pack("<BBBBHHII", len(rows) % 256, len(rows) % 256, 0, 0, 1, 32, len(picture), offset + len(body))
        body += picture
    return head + body


def pictures_in(icon):
    """The rows of each picture of such an icon, however they are compressed."""
    for i in range(struct.unpack_from("<H", icon, 4)[0]):
        at = struct.unpack_from("<I", icon, 6 + 16 * i + 12)[0] + len(SIGNATURE)
        size = struct.unpack_from(">I", icon, at + 8)[0]
        at += 25  # the head
        raw = zlib.decompress(icon[at + 8:at + 8 + struct.unpack_from(">I", icon, at)[0]])
        yield [raw[y * (4 * size + 1) + 1:(y + 1) * (4 * size + 1)] for y in range(size)]


def main():
    width, shapes = shapes_of(sys.argv[1])
    pictures = [draw(width, shapes, size) for size in SIZES]
    if sys.argv[3:] == ["--check"]:
        with open(sys.argv[2], "rb") as file:
            if list(pictures_in(file.read())) != pictures:
                sys.exit(f"{sys.argv[2]} is not {sys.argv[1]}: make it by tests/tools/windows_icon.py")
        return
    with open(sys.argv[2], "wb") as file:
        file.write(ico(pictures))


if __name__ == "__main__":
    main()
