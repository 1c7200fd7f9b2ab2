#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes client/engine/window/japanese.hex: the Japanese glyphs that the game needs, one a line, as Unifont writes them:
the character's number, a colon, and 16 rows of 16 dots in hexadecimal digits.

Needed are all kana and what client/text uses beyond the Latin letters of font.c. The glyphs are of the
public-domain font Shinonome, 16 dots:  apt-get download xfonts-shinonome; dpkg-deb -x xfonts-shinonome_*.deb FOLDER

usage: japanese_glyphs.py FOLDER/usr/share/fonts/X11/misc/shnmk16.pcf.gz"""
import gzip
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = 16
METRICS, BITMAPS, ENCODINGS = 1 << 2, 1 << 3, 1 << 5


def tables(data):
    """The tables of a PCF file by their kind: their byte order and their bytes after the format."""
    count = struct.unpack_from("<I", data, 4)[0]
    for i in range(count):
        kind, form, size, offset = struct.unpack_from("<4I", data, 8 + 16 * i)
        yield kind, form, data[offset + 4:offset + size]


def glyphs(path):
    """Rows of dots by JIS X 0208 number."""
    found = {kind: (form, body) for kind, form, body in tables(gzip.open(path).read())}
    form, body = found[METRICS]
    order = ">" if form & 4 else "<"
    metrics = []
    if form & 0x100:
        count = struct.unpack_from(order + "H", body)[0]
        for i in range(count):
            metrics.append([byte - 0x80 for byte in body[2 + 5 * i:7 + 5 * i]])
    else:
        count = struct.unpack_from(order + "I", body)[0]
        for i in range(count):
            metrics.append(struct.unpack_from(order + "5h", body, 4 + 12 * i))
    form, body = found[BITMAPS]
    order, pad, msb_first = ">" if form & 4 else "<", 1 << (form & 3), form & 8
    count = struct.unpack_from(order + "I", body)[0]
    offsets = struct.unpack_from(f"{order}{count}I", body, 4)
    bits = body[4 + 4 * count + 16:]
    form, body = found[ENCODINGS]
    order = ">" if form & 4 else "<"
    low, high, first, last, _ = struct.unpack_from(order + "5h", body)
    columns = high - low + 1
    numbers = struct.unpack_from(f"{order}{columns * (last - first + 1)}H", body, 10)
    all_glyphs = {}
    for at, number in enumerate(numbers):
        if number == 0xFFFF:
            continue
        left, right, _, ascent, descent = metrics[number]
        width, stride = right - left, ((right - left + 7) // 8 + pad - 1) // pad * pad
        rows = [0] * ROWS
        for row in range(ascent + descent):
            start = offsets[number] + row * stride
            line = bits[start:start + stride]
            if not msb_first:
                line = bytes(int(f"{byte:08b}"[::-1], 2) for byte in line)
            dots = int.from_bytes(line, "big") >> (8 * stride - width)
            place = ROWS - 2 - ascent + row
            if 0 <= place < ROWS:
                rows[place] = dots << max(0, 16 - width - left) & 0xFFFF
        all_glyphs[(first + at // columns) << 8 | low + at % columns] = rows
    return all_glyphs


def needed():
    """The characters beyond Latin letters that the game may show."""
    text = "".join((ROOT / "client/text" / name).read_text(encoding="utf-8") for name in ("ja.po", "text.c"))
    kana = {chr(code) for code in [*range(0x3041, 0x3094), *range(0x30A1, 0x30F7), 0x30FB, 0x30FC]}
    punctuation = set("、。「」『』（）！？：・〜ー　")
    others = set("…")  # which font.c has
    return sorted(character for character in (kana | punctuation | set(text)) - others if ord(character) >= 0x2000)


def main():
    by_number = glyphs(sys.argv[1])
    lines = []
    for character in needed():
        encoded = character.encode("euc_jp", "ignore")
        number = (encoded[0] & 0x7F) << 8 | encoded[1] & 0x7F if len(encoded) == 2 else 0
        if number not in by_number:
            print(f"{character} (U+{ord(character):04X}) has no glyph", file=sys.stderr)
            continue
        lines.append(f"{ord(character):04X}:" + "".join(f"{row:04X}" for row in by_number[number]))
    (ROOT / "client/engine/window/japanese.hex").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} glyphs")


if __name__ == "__main__":
    main()
