# SPDX-License-Identifier: MIT
"""The handshake as docs/PROTOCOL.md describes it, written after that page, revision 34 of Noise, the draft of CPace
and the RFCs alone (7539, 7748, 8032, 9496). Knows nothing of the C code, needs only Python, and is slow: for tests.
"""
import hashlib
import hmac
import struct

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
NAME = b"Noise_KXpsk2_25519_ChaChaPoly_BLAKE2b"
HELLO, COOKIE, JOIN, ACCEPT, DENY, ENCRYPTED, RESET = 1, 2, 3, 4, 5, 6, 7
VERSION = b"DF02"
FULL, OTHER_VERSION, BANNED, PASSWORD = 1, 2, 3, 4


class Forged(Exception):
    pass


# ChaCha20-Poly1305 (RFC 7539) and XChaCha20-Poly1305.

def rotate(value, count):
    return (value << count | value >> 32 - count) & 0xffffffff


def chacha_rounds(state):
    x = list(state)
    for _ in range(10):
        for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                           (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            x[a] = x[a] + x[b] & 0xffffffff
            x[d] = rotate(x[d] ^ x[a], 16)
            x[c] = x[c] + x[d] & 0xffffffff
            x[b] = rotate(x[b] ^ x[c], 12)
            x[a] = x[a] + x[b] & 0xffffffff
            x[d] = rotate(x[d] ^ x[a], 8)
            x[c] = x[c] + x[d] & 0xffffffff
            x[b] = rotate(x[b] ^ x[c], 7)
    return x


def chacha_state(key, tail):
    return struct.unpack("<16I", b"expand 32-byte k" + key + tail)


def chacha_stream(key, nonce, block, count):
    out = b""
    while len(out) < count:
        state = chacha_state(key, struct.pack("<I", block) + nonce)
        out += struct.pack("<16I", *(a + b & 0xffffffff for a, b in zip(chacha_rounds(state), state)))
        block += 1
    return out[:count]


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def poly1305(key, message):
    r = int.from_bytes(key[:16], "little") & 0x0ffffffc0ffffffc0ffffffc0fffffff
    total = 0
    for i in range(0, len(message), 16):
        total = (total + int.from_bytes(message[i:i + 16] + b"\1", "little")) * r % (2**130 - 5)
    return (total + int.from_bytes(key[16:], "little") & 2**128 - 1).to_bytes(16, "little")


def aead_tag(key, nonce, data, encrypted):
    def padded(text):
        return text + bytes(-len(text) % 16)
    return poly1305(chacha_stream(key, nonce, 0, 32), padded(data) + padded(encrypted) + struct.pack("<QQ", len(data), len(encrypted)))


def encrypt(key, nonce, data, plain):
    encrypted = xor(plain, chacha_stream(key, nonce, 1, len(plain)))
    return encrypted + aead_tag(key, nonce, data, encrypted)


def decrypt(key, nonce, data, encrypted):
    body, tag = encrypted[:-16], encrypted[-16:]
    if not hmac.compare_digest(aead_tag(key, nonce, data, body), tag):
        raise Forged
    return xor(body, chacha_stream(key, nonce, 1, len(body)))


def xchacha(key, nonce):
    x = chacha_rounds(chacha_state(key, nonce[:16]))
    return struct.pack("<8I", *x[:4], *x[12:]), bytes(4) + nonce[16:]


# X25519 (RFC 7748).

def x25519(secret, public):
    k = int.from_bytes(secret, "little") & ~7 & 2**255 - 1 | 2**254
    u = int.from_bytes(public, "little") & 2**255 - 1
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for t in range(254, -1, -1):
        bit = k >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        x3, z3 = (da + cb)**2 % P, u * (da - cb)**2 % P
        x2, z2 = aa * bb % P, (aa - bb) * (aa + 121665 * (aa - bb)) % P
    if swap:
        x2, z2 = x3, z3
    shared = (x2 * pow(z2, -1, P) % P if z2 else 0).to_bytes(32, "little")
    if not any(shared):
        raise Forged
    return shared


def public_of(secret):
    return x25519(secret, (9).to_bytes(32, "little"))


# The Edwards curve (RFC 8032), in affine coordinates with Z.

def add(p, q):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = p, q
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar, point):
    made = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            made = add(made, point)
        point = add(point, point)
        scalar >>= 1
    return made


def base_point():
    y = 4 * pow(5, -1, P) % P
    good, x = sqrt_ratio(y * y - 1, D * y * y + 1)
    assert good
    return x, y, 1, x * y % P


def account_of(seed):
    """Returns the account of a player, and the secret of its X25519 form I."""
    secret = hashlib.sha512(seed).digest()[:32]
    x, y, z, _ = multiply(int.from_bytes(secret, "little") & ~7 & 2**255 - 1 | 2**254, base_point())
    x, y = x * pow(z, -1, P) % P, y * pow(z, -1, P) % P
    return (y | (x & 1) << 255).to_bytes(32, "little"), secret


# ristretto255 (RFC 9496).

def is_negative(x):
    return x % P & 1


def positive(x):
    return -x % P if is_negative(x) else x % P


def sqrt_ratio(u, v):
    r = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    check = v * r * r % P
    good, flipped = check == u % P, check == -u % P
    if flipped or check == -u * ROOT_OF_MINUS_1 % P:
        r = r * ROOT_OF_MINUS_1 % P
    return good or flipped, positive(r)


_, INVERSE_ROOT_A_MINUS_D = sqrt_ratio(1, -1 - D)
ROOT_AD_MINUS_1 = P - sqrt_ratio(-D - 1, 1)[1]  # the RFC takes the negative one


def ristretto_map(data):
    t = int.from_bytes(data, "little") & 2**255 - 1
    r = ROOT_OF_MINUS_1 * t * t % P
    u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
    good, s = sqrt_ratio(u, v)
    if not good:
        s, c = -positive(s * t) % P, r
    else:
        c = P - 1
    n = (c * (r - 1) * (D - 1)**2 - v) % P
    w0, w1, w2, w3 = 2 * s * v % P, n * ROOT_AD_MINUS_1 % P, (1 - s * s) % P, (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def ristretto_encode(point):
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, inverse = sqrt_ratio(1, u1 * u2 * u2)
    d1, d2 = u1 * inverse % P, u2 * inverse % P
    z_inverse = d1 * d2 * t % P
    d_inverse = d2
    if is_negative(t * z_inverse):
        x, y = y * ROOT_OF_MINUS_1 % P, x * ROOT_OF_MINUS_1 % P
        d_inverse = d1 * INVERSE_ROOT_A_MINUS_D % P
    if is_negative(x * z_inverse):
        y = -y % P
    return positive(d_inverse * (z - y)).to_bytes(32, "little")


def ristretto_decode(data):
    s = int.from_bytes(data, "little")
    if s >= P or is_negative(s):
        raise Forged
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    good, inverse = sqrt_ratio(1, v * u2 * u2)
    x = positive(2 * s * inverse * u2)
    y = u1 * inverse * inverse * u2 * v % P
    if not good or is_negative(x * y) or y == 0:
        raise Forged
    return x, y, 1, x * y % P


# CPace, initiator-responder, with texts of at most 127 bytes.

def with_lengths(*texts):
    return b"".join(bytes([len(text)]) + text for text in texts)


class Cpace:
    def __init__(self, password, channel, session, initiator=b"deadfall server", responder=b"deadfall client"):
        self.session, self.initiator, self.responder = session, initiator, responder
        name = b"CPaceRistretto255"
        padding = bytes(max(0, 128 - 1 - len(with_lengths(password)) - len(with_lengths(name))))
        digest = hashlib.sha512(with_lengths(name, password, padding, channel, session)).digest()
        self.generator = add(ristretto_map(digest[:32]), ristretto_map(digest[32:]))

    def share(self, secret):
        return ristretto_encode(multiply(int.from_bytes(secret, "little"), self.generator))

    def key(self, secret, theirs, of_initiator, of_responder):
        shared = ristretto_encode(multiply(int.from_bytes(secret, "little"), ristretto_decode(theirs)))
        if not any(shared):
            raise Forged
        return hashlib.sha512(with_lengths(b"CPaceRistretto255_ISK", self.session, shared, of_initiator, self.initiator,
                                           of_responder, self.responder)).digest()


# Noise, section 5.2.

def blake2b(data):
    return hashlib.blake2b(data).digest()


def hkdf(key, data, count):
    secret, outputs = hmac.digest(key, data, hashlib.blake2b), [b""]
    for i in range(count):
        outputs.append(hmac.digest(secret, outputs[-1] + bytes([i + 1]), hashlib.blake2b))
    return outputs[1:]


class Symmetric:
    def __init__(self, name):
        self.h = self.ck = name + bytes(64 - len(name))
        self.k, self.n = None, 0

    def copy(self):
        other = Symmetric(b"")
        other.h, other.ck, other.k, other.n = self.h, self.ck, self.k, self.n
        return other

    def mix_hash(self, data):
        self.h = blake2b(self.h + data)

    def mix_key(self, data):
        self.ck, k = hkdf(self.ck, data, 2)
        self.k, self.n = k[:32], 0

    def mix_key_and_hash(self, data):
        self.ck, h, k = hkdf(self.ck, data, 3)
        self.mix_hash(h)
        self.k, self.n = k[:32], 0

    def e(self, key):
        self.mix_hash(key)
        self.mix_key(key)

    def encrypt_and_hash(self, plain):
        encrypted = encrypt(self.k, bytes(4) + struct.pack("<Q", self.n), self.h, plain)
        self.n += 1
        self.mix_hash(encrypted)
        return encrypted

    def decrypt_and_hash(self, encrypted):
        plain = decrypt(self.k, bytes(4) + struct.pack("<Q", self.n), self.h, encrypted)
        self.n += 1
        self.mix_hash(encrypted)
        return plain

    def split(self):
        return [key[:32] for key in hkdf(self.ck, b"", 2)]


# The client.

class Client:
    """One attempt. The secrets are bytes; `password` or `ticket` may be empty."""

    def __init__(self, protocol, seed, nonce, secret_of_e, secret_of_q, password=b"", ticket=b""):
        self.protocol, self.nonce, self.password, self.ticket = protocol, nonce, password, ticket
        self.account, self.secret_of_i = account_of(seed)
        self.secret_of_e, self.secret_of_q = secret_of_e, secret_of_q

    def hello(self):
        return bytes([HELLO]) + VERSION + self.nonce + bytes(1187)

    def psk(self, cpace, p, q):
        if not any(p):
            return bytes(32)
        return self.ticket or cpace.key(self.secret_of_q, p, p, q)[:32]

    def join(self, cookie):
        """Returns the answer to a cookie."""
        if len(cookie) != 122 or cookie[0] != COOKIE or cookie[1:9] != self.nonce:
            raise Forged
        s, f, p = cookie[26:58], cookie[58:90], cookie[90:]
        cpace, e = Cpace(self.password, s, f), public_of(self.secret_of_e)
        q = cpace.share(self.secret_of_q) if any(p) else bytes(32)
        head = bytes([JOIN]) + VERSION + self.nonce + cookie[9:26] + struct.pack("<I", self.protocol) + q
        noise = self.noise = Symmetric(NAME)
        noise.mix_hash(head + p)
        noise.mix_hash(s)
        noise.e(f)
        noise.encrypt_and_hash(b"")
        noise.e(e)
        noise.mix_key(x25519(self.secret_of_e, f))
        noise.mix_key(x25519(self.secret_of_e, s))
        made = head + e + noise.encrypt_and_hash(public_of(self.secret_of_i))
        noise.mix_key(x25519(self.secret_of_i, f))
        chaining_key = noise.ck
        noise.mix_key_and_hash(self.psk(cpace, p, q))
        made += noise.encrypt_and_hash(self.account)
        self.refusal_key = hkdf(chaining_key, blake2b(made), 2)[1][:32]
        return made

    def accept(self, data):
        """Reads an accept. Returns session (with its generation), ticket, reset token, key of the server, key of the client."""
        if len(data) != 109 or data[0] != ACCEPT or data[1:9] != self.nonce:
            raise Forged
        noise = self.noise.copy()
        noise.e(data[9:41])
        noise.mix_key(x25519(self.secret_of_e, data[9:41]))
        plain = noise.decrypt_and_hash(data[41:])
        return struct.unpack("<HH", plain[:4]), plain[4:36], plain[36:], *noise.split()

    def deny(self, data):
        """Reads a deny. Returns reason and text."""
        if len(data) != 177 or data[0] != DENY or data[1:9] != self.nonce:
            raise Forged
        key, nonce = xchacha(self.refusal_key, data[9:33])
        plain = decrypt(key, nonce, data[:9], data[33:])
        return plain[0], plain[1:].rstrip(b"\0")


def next_key(key):
    """REKEY of Noise (4.2): the key of the next 1,024 datagrams."""
    return encrypt(key, bytes(4) + b"\xff" * 8, b"", bytes(32))[:32]


def datagram(key, session, sequence, plain):
    head = bytes([ENCRYPTED]) + struct.pack("<HHH", *session, sequence & 0xffff)
    return head + encrypt(key, bytes(4) + struct.pack("<Q", sequence), head, plain)


def reset(session, token):
    """Returns how a server says that it has no such session."""
    return bytes([RESET]) + struct.pack("<HH", *session) + token
