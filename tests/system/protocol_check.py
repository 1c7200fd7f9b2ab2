#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decodes recorded exchanges by docs/PROTOCOL.md alone: protocol_check.py PROTOCOL.md RECORDER

The layouts of messages, commands and datagrams, the field tables and the odds are read from the page. Only the coding of
numbers, elements, moves and hashes is written here, after the page's description. Every bit of every message must be
accounted for. RECORDER prints lines "CLIENT WAY BYTES". WAY is > (to the server), < (to the client), fresh (words of the
fresh world, as hexadecimal numbers of 32 bits), datagram or path (message); bytes are hexadecimal.
"""
import hashlib
import re
import subprocess
import sys
import unicodedata

import processes  # ends every process that it starts

MASK, MASK64 = 2**32 - 1, 2**64 - 1


class Malformed(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Malformed(what)


# The page.

def rows_after(text, heading):
    """Returns the cells of the first table after a heading, without the two lines of its head."""
    need(heading in text, f"the page has no '{heading.strip()}'")
    lines = text.split(heading, 1)[1].split("\n## ", 1)[0].splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows[2:]


def read_values(cell):
    """Returns pairs of the least and largest legal values; None: all are legal."""
    if not cell:
        return None
    return [tuple(int(n.replace(",", "")) for n in (part.split(" to ") * 2)[:2]) for part in cell.split(", ")]


def read_layout(text, name):
    layout = []
    for bits, field, often, values in rows_after(text, f"\n### Layout `{name}`\n"):
        times, conditions = [], []
        for part in filter(None, often.split(", ")):
            match = re.fullmatch(r"(?:`([^`]+)`|(\d+)) times|if `([^`]+)`(?: = (\d+))?", part)
            need(match, f"layout {name}: '{often}' is not understood")
            if match[3]:
                conditions.append((match[3], None if match[4] is None else int(match[4])))
            else:
                times.append(match[1] or int(match[2]))
        layout.append((bits.strip("`"), field, times, conditions, read_values(values)))
    return layout


class Page:
    def __init__(self, text):
        self.text = text
        self.kinds = {int(row[0]): (row[1], row[2]) for row in rows_after(text, "\n## Messages\n")}
        self.messages = {kind: read_layout(text, name) for kind, (name, _) in self.kinds.items()}
        self.datagrams = {int(row[0]): row for row in rows_after(text, "\n## Datagrams\n")}
        self.datagram_layouts = {kind: read_layout(text, f"datagram {row[1]}") for kind, row in self.datagrams.items()}
        self.command = read_layout(text, "command")
        self.path_message = read_layout(text, "path message")
        self.odds = [int(odds) for row in rows_after(text, "toggles 0 to 31 with\n") for odds in row[1].split()]
        self.tables = []
        for match in re.finditer(r"\n### Table `(\w+)`\n\nElements: (?:one|`(\w+)`)[^\n]*; capacity (\d+)\.\n", text):
            fields = [(row[0], row[1], int(row[2]), int(row[3])) for row in rows_after(text, match[0])]
            self.tables.append((match[1], match[2], int(match[3]), fields))
        need(len(self.odds) == 96 and self.tables, "the page has its odds and its field tables")


# Bits.

class Bits:
    def __init__(self, data):
        self.data, self.at = int.from_bytes(data, "little"), 0
        self.count = len(data) * 8

    def take(self, count):
        need(self.at + count <= self.count, "the message ends too early")
        value = self.data >> self.at & (1 << count) - 1
        self.at += count
        return value

    def number(self):
        zeros = 0
        while self.take(1) == 0:
            zeros += 1
            need(zeros <= 32, "a number is too large")
        value = (1 << zeros | self.take(zeros)) - 1
        need(value <= MASK, "a number is too large")
        return value

    def pad(self):
        need(self.take(-self.at % 8) == 0, "the padding is not zero")

    def rest(self):
        need(self.at % 8 == 0, "the rest begins at a byte")
        count = (self.count - self.at) // 8
        return self.take(count * 8).to_bytes(count, "little")

    def end(self):
        need(self.at == self.count, f"{self.count - self.at} bits are left over")


def signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


def unzigzag(z):
    return (z >> 1 ^ -(z & 1)) & MASK


def take_type(bits, kind):
    match = re.fullmatch(r"([us])(\d+)|(\d+) (bytes|zeros)", kind)
    if kind == "number":
        return bits.number()
    if kind == "pad":
        return bits.pad()
    if kind == "rest":
        return bits.rest()
    need(match, f"'{kind}' is not understood")
    if match[1]:
        value = bits.take(int(match[2]))
        return signed(value, int(match[2])) if match[1] == "s" else value
    data = bits.take(int(match[3]) * 8).to_bytes(int(match[3]), "little")
    need(match[4] == "bytes" or not any(data), "bits that must be zero are not")
    return data


def is_legal(value, values):
    size = len(value) if isinstance(value, bytes) else value
    return values is None or any(low <= size <= high for low, high in values)


def walk(layout, take):
    """Decodes by a layout; a repeated field gives a list. take(kind, field) reads one value."""
    made, last, i = {}, {}, 0

    def count(times):
        return 1 if not times else times[0] if isinstance(times[0], int) else last.get(times[0], 0)

    while i < len(layout):
        often = layout[i][2][:1]
        block = [layout[i]]
        while often and i + len(block) < len(layout) and layout[i + len(block)][2][:1] == often:
            block.append(layout[i + len(block)])
        for _ in range(count(often)):
            for kind, field, times, conditions, values in block:
                if not all(of in last and (last[of] == value if value is not None else last[of])
                           for of, value in conditions):
                    continue
                for _ in range(count(times[1:])):
                    last[field] = take(kind, field)
                    need(is_legal(last[field], values), f"{field}: {last[field]} is not a legal value")
                    if not times and field:
                        made[field] = last[field]
                    else:
                        made.setdefault((field,), []).append(last[field])
        i += len(block)
    return made


def decode(layout, data):
    bits = Bits(data)
    made = walk(layout, lambda kind, field: take_type(bits, kind))
    bits.end()
    return made


# Full bodies.

def used(table, head, world):
    _, counter, capacity, _ = table
    if counter is None:
        return 1
    names = [field[0] for field in head[3]]
    return min(world["head"][0][names.index(counter)], capacity)


def full_body(page, body, fresh):
    bits, head = Bits(body), page.tables[0]
    elapsed = unzigzag(bits.number())
    now = (fresh["head"][0][0] + elapsed) & MASK
    world = {}
    for name, counter, capacity, fields in page.tables:
        world[name] = [list(element) for element in fresh[name]]
        count, i = used((name, counter, capacity, fields), head, world), 0
        elements = world[name] = (world[name] + [[0] * len(fields)] * count)[:count]
        while i < count:
            i += bits.number()
            need(i <= count, "a run of equal elements is too long")
            if i == count:
                break
            elements[i] = full_element(bits, fields, elements[i], now, elapsed)
            i += 1
    bits.pad()
    bits.end()
    need(world["head"][0][0] == now, "the world has the tick at which it began")
    return world


def full_element(bits, fields, before, now, elapsed):
    element, j = list(before), 0
    while j < len(fields):
        j += bits.number()
        need(j <= len(fields), "a run of equal fields is too long")
        if j == len(fields):
            break
        element[j] = full_field(bits, fields[j], before[j], now, elapsed)
        j += 1
    return element


def full_field(bits, field, before, now, elapsed):
    _, kind, width, delta = field
    near = before
    if kind == "tick":
        if bits.take(1):
            return before + elapsed & MASK
        near = now
    if delta == 0:
        value = bits.take(width)
        return signed(value, width) & MASK if kind == "signed" else value
    low = bits.take(delta)
    value = near + unzigzag(bits.number() << delta | low) & MASK
    if kind == "signed":
        need(-(1 << width - 1) <= signed(value, 32) < 1 << width - 1, f"{field[0]} does not fit its bits")
    elif kind == "unsigned":
        need(value < 1 << width, f"{field[0]} does not fit its bits")
    return value


def rotated(value):
    return (value << 29 | value >> 35) & MASK64


def world_hash(page, world):
    k = 0x9E3779B97F4A7C15
    lanes = [k * (i + 1) & MASK64 for i in range(4)]
    words = [word for name, *_ in page.tables for element in world[name] for word in element]
    for i, word in enumerate(words):
        lanes[i % 4] = rotated(lanes[i % 4] ^ word) * k & MASK64
    h = len(words)
    for lane in lanes:
        h = rotated(h ^ lane) * k & MASK64
    h = (h ^ h >> 32) * k & MASK64
    return h ^ h >> 29


# Moves.

class Range:
    def __init__(self, data):
        self.data, self.low, self.high, self.at = data, 0, MASK, 4
        self.code = int.from_bytes((data + bytes(4))[:4], "big")

    def bit(self, chances, context):
        chance = chances[context]
        b = self.even_bit(chance)
        aim = 65504 if b else 32
        chances[context] = chance + (aim - chance) // 32 if aim > chance else chance - (chance - aim) // 32
        return b

    def even_bit(self, chance=32768):
        middle = self.low + ((self.high - self.low) * chance >> 16)
        b = int(self.code <= middle)
        if b:
            self.high = middle
        else:
            self.low = middle + 1
        while self.low >> 24 == self.high >> 24:
            need(self.at < len(self.data) + 4, "the moves end too early")
            following = self.data[self.at] if self.at < len(self.data) else 0
            self.code = (self.code << 8 | following) & MASK
            self.low, self.high, self.at = self.low << 8 & MASK, (self.high << 8 | 255) & MASK, self.at + 1
        return b

    def even(self, count):
        return sum(self.even_bit() << i for i in range(count))

    def end(self):
        settled = self.at - 4
        for count in range(1 if settled == 0 else 0, 5):
            rest = (1 << 32 - 8 * count) - 1
            number = (self.low + rest) & ~rest
            if number <= self.high:
                break
        need(self.code == number and settled + count == len(self.data), "the moves do not end as they should")


def take_command(page, coder, chances, hands):
    command = walk(page.command, lambda kind, field: coder.bit(chances, field) if field in ("empty", "rolls")
                   else coder.even(int(kind[1:])))
    if command["rolls"] or command["kind"] >= 3:
        return
    joins, slot = command["kind"] == 0, command["slot"]
    need((slot in hands) != joins, "a command for an empty slot, or a join in a taken one")
    if joins:
        hands[slot] = (0, 0)
    elif command["kind"] == 1:
        del hands[slot]


def take_buttons(coder, chances, held, before):
    c = (held // 16 % 8) * 8 + (4 if held & 12 else 0) + (2 if held & 3 else 0) + (held != before)
    toggles = 0
    if coder.bit(chances, c):
        for b in range(8):
            toggles |= coder.bit(chances, 64 + b * 4 + (2 if held >> b & 1 else 0) + (1 if toggles else 0)) << b
    return held ^ toggles


def moves_body(page, body, age, hands):
    """Returns the held inputs (slot: held, before) after the moves of each tick."""
    coder, hands, ticks = Range(body), dict(hands), []
    chances = {**dict(enumerate(page.odds)), "command": 256, "rolls": 58982, "empty": 32768}
    for _ in range(age):
        commands = 0
        while coder.bit(chances, "command"):
            need(commands < 256, "too many commands")
            take_command(page, coder, chances, hands)
            commands += 1
        for slot in sorted(hands):
            held, before = hands[slot]
            hands[slot] = (take_buttons(coder, chances, held, before), held)
        ticks.append(dict(hands))
    coder.end()
    return ticks


# An exchange.

class Client:
    """What one client has received so far."""

    def __init__(self):
        self.fresh, self.hands, self.parts, self.counts, self.confirmed, self.map = None, {}, {}, {}, 0, bytearray()
        self.blob_bytes = None


def hands_of(page, world):
    fields = [field[0] for field in next(table[3] for table in page.tables if table[0] == "player")]
    state, held, before = (fields.index(name) for name in ("state", "buttons", "buttons_before"))
    return {slot: (p[held], p[before]) for slot, p in enumerate(world["player"]) if p[state]}


def take_snapshot(page, client, head):
    tick, age, last = head["tick"], head["age"], head["last part"]
    need(age <= tick and head["part"] <= last, "a part of a snapshot")
    need(len(head["body"]) == 1024 or head["part"] == last, "all parts but the last are full")
    parts = client.parts.setdefault((tick, age, head["hash"], last), {})
    parts[head["part"]] = head["body"]
    if len(parts) <= last:
        return
    body = b"".join(parts[i] for i in range(last + 1))
    if age < tick:
        need(tick - age in client.hands and age < 64, "the client has the baseline")
        made = moves_body(page, body, age, client.hands[tick - age])
        client.counts["moves"] = client.counts.get("moves", 0) + 1
    else:
        world = full_body(page, body, client.fresh)
        need(world_hash(page, world) & MASK == head["hash"], "the world has the announced hash")
        made = [hands_of(page, world)]
        client.counts["full"] = client.counts.get("full", 0) + 1
    for number, hands in enumerate(made, tick - len(made) + 1):
        need(client.hands.setdefault(number, hands) == hands, "both ways give the same held inputs")


def is_clean(text):
    try:
        return not any(unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") for character in text.decode())
    except UnicodeDecodeError:
        return False


def take_message(page, client, way, data):
    need(0 < len(data) <= 1100 and data[0] in page.kinds, "a message of a known kind")
    name, direction = page.kinds[data[0]]
    need(direction == ("client to server" if way == ">" else "server to client"), f"{name} goes in the other direction")
    message = decode(page.messages[data[0]], data)
    client.counts[name] = client.counts.get(name, 0) + 1
    for field in ("sentence", "text") if name in ("system", "chat line") else ():
        need(is_clean(message.get(field, b"")), "a text from a server is clean")
    if name == "snapshot":
        take_snapshot(page, client, message)
    elif name == "welcome":
        client.blob_bytes, client.map, client.hands = message["bytes of its blob"], bytearray(), {}
    elif name == "map part":
        need(message["offset"] == len(client.map), "the parts of a map are in order")
        client.map += message["bytes of the blob"]
        need(len(client.map) <= client.blob_bytes, "the map has no more than the announced bytes")
    elif name == "tags":
        count = len(message["tags"]) // 8
        need(len(message["tags"]) == count * 8 and message["first slot"] + count <= 256, "whole tags of slots")
    elif name == "input":
        need(any(message[f"player {i}"] for i in range(4)), "an input message has inputs")
        for i in range(4):
            buttons, following = message.get(f"buttons {i}"), iter(message.get((f"buttons {i}",), []))
            for differs in message.get((f"differs {i}",), []):
                now = next(following) if differs else buttons
                need(not differs or now != buttons, "an input that is sent differs from the last")
                buttons = now
        need(message["newest tick"] > message["more"], "the first input is for tick 1 or later")
    return name


def tag_is_as_on_the_page(page):
    """The example of a tag, by another program's BLAKE2b."""
    purpose = re.search(r"BLAKE2b-128\(`([^`]+)`, account of this client, account of the player\)", " ".join(page.text.split()))
    row = rows_after(page.text, "can say any tag.\n")[0]
    tag = hashlib.blake2b(purpose[1].encode() + bytes(range(64)), digest_size=16).digest()[:8]
    need(row[2] == f"`{tag.hex()}`", "the tag is that of the page")


def take_fresh(page, numbers):
    words, world = [int(word, 16) for word in numbers.split(",")], {}
    for table in page.tables:
        name, _, _, fields = table
        world[name] = []
        count = used(table, page.tables[0], world) if world.get("head") else 1
        for _ in range(count):
            world[name].append(words[:len(fields)])
            del words[:len(fields)]
    need(not words, "the fresh world has as many words as its tables")
    return world


def take_datagram(page, data):
    need(data and data[0] in page.datagrams, "a datagram of a known kind")
    sizes = page.datagrams[data[0]][3]
    low, high = (int(n) for n in (re.split(" to | or ", sizes) * 2)[:2])
    need(len(data) in ((low, high) if " or " in sizes else range(low, high + 1)), f"{len(data)} bytes, not {sizes}")
    decode(page.datagram_layouts[data[0]], data)


def check_lines(page, lines):
    """Returns clients by number, and datagrams by kind. Raises Malformed with the line."""
    clients, datagrams = {}, {}
    for number, line in enumerate(lines, 1):
        who, way, data = line.split()
        client = clients.setdefault(who, Client())
        try:
            if way == "fresh":
                client.fresh = take_fresh(page, data)
            elif way == "datagram":
                take_datagram(page, bytes.fromhex(data))
                name = "datagram " + page.datagrams[int(data[:2], 16)][1]
                datagrams[name] = datagrams.get(name, 0) + 1
            elif way == "path":
                decode(page.path_message, bytes.fromhex(data))
                datagrams["path message"] = datagrams.get("path message", 0) + 1
            else:
                take_message(page, client, way, bytes.fromhex(data))
        except (Malformed, KeyError, IndexError) as fault:
            raise Malformed(f"line {number}, {way}: {fault!r}") from fault
    for who, client in clients.items():
        need(client.blob_bytes is None or len(client.map) in (0, client.blob_bytes), f"client {who} has the whole map")
    return clients, datagrams


# Planted faults: each must be found.

def is_found(page, lines, number, changed):
    who, way, _ = lines[number].split()
    try:
        check_lines(page, lines[:number] + [f"{who} {way} {changed.hex()}"])
    except Malformed:
        return True
    return False


def mutations_are_found(page, lines):
    """Plants a byte too many or too few in each kind of message, and flips bits in bodies with a hash or an end."""
    wanted, found, tried = {}, 0, 0
    for number, line in enumerate(lines):
        _, way, data = line.split()
        if way in "<>":
            data = bytes.fromhex(data)
            key = (data[0], "full" if data[0] == 7 and len(data) > 300 else "")
            wanted.setdefault(key, number)
    for (kind, what), number in wanted.items():
        data = bytes.fromhex(lines[number].split()[2])
        variable = any(row[0] == "rest" for row in page.messages[kind]) and page.kinds[kind][0] != "snapshot"
        changes = [b"\xff" + data[1:], data[:1]] if len(data) > 1 else [b"\xff"]
        if not variable:
            changes += [data + b"\0", data[:-1]]
        if what == "full":
            changes += [data[:i] + bytes([data[i] ^ 1 << i % 8]) + data[i + 1:] for i in range(30, len(data), 97)]
        for changed in filter(None, changes):
            tried += 1
            found += is_found(page, lines, number, changed)
    need(found == tried, f"{tried - found} of {tried} mutated messages were not found")
    return tried


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = Page(file.read())
    tag_is_as_on_the_page(page)
    for path in sys.argv[2:]:
        lines = subprocess.run([path], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
        clients, datagrams = check_lines(page, lines)
        total = {}
        for client in clients.values():
            for name, count in client.counts.items():
                total[name] = total.get(name, 0) + count
        counts = sorted({**total, **datagrams}.items())
        print(f"{len(lines)} lines: " + ", ".join(f"{count} {name}" for name, count in counts))
        need(total.get("full") and total.get("moves"), "both kinds of snapshots are recorded")
        missing = [name for name, _ in page.kinds.values() if name not in total]
        need(not missing, f"not recorded: {', '.join(missing)}")
        need(datagrams.get("path message") == 2, "a challenge and its response are recorded")
        print(f"{mutations_are_found(page, lines)} mutated messages were found")


if __name__ == "__main__":
    try:
        main()
    except Malformed as fault:
        sys.exit(f"FAILED: {fault}")
