// SPDX-License-Identifier: MIT
//
// The symmetric state of the Noise Protocol Framework (revision 34, section 5.2) for X25519, ChaCha20-Poly1305 and
// BLAKE2b, in a handshake with a pre-shared key: a hash of everything both sides have seen, and a chaining key into
// which every secret goes. handshake.c calls these functions in the order of its pattern's tokens. Pure functions over
// bytes. What fails to decrypt changes nothing, so a state may be copied and tried with several keys.
#ifndef NET_NOISE_H
#define NET_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOISE_HASH_BYTES 64
#define NOISE_KEY_BYTES  32 ///< of X25519, of ChaCha20-Poly1305, and of a pre-shared key
#define NOISE_TAG_BYTES  16 ///< that an encrypted part is longer than its plain text

struct noise {
    uint8_t hash[NOISE_HASH_BYTES], chaining_key[NOISE_HASH_BYTES];
    uint8_t key[NOISE_KEY_BYTES];
    uint64_t nonce; ///< of the next part that this key encrypts
};

/// Begins with a protocol name of at most NOISE_HASH_BYTES letters.
void noise_begin(struct noise *noise, const char *protocol_name);
/// MixHash: what both sides know, such as the prologue or a key known beforehand.
void noise_mix_hash(struct noise *noise, const uint8_t *bytes, size_t byte_count);
/// MixKey: a secret.
void noise_mix_key(struct noise *noise, const uint8_t *bytes, size_t byte_count);
/// Token "e": an ephemeral public key, sent or received.
void noise_mix_ephemeral(struct noise *noise, const uint8_t public_key[NOISE_KEY_BYTES]);
/// Tokens "ee", "es", "se": a key exchange. False if the other side's key is one of the few that make the result zero.
bool noise_mix_exchange(struct noise *noise, const uint8_t secret_key[NOISE_KEY_BYTES],
                        const uint8_t public_key[NOISE_KEY_BYTES]);
/// Token "psk".
void noise_mix_psk(struct noise *noise, const uint8_t psk[NOISE_KEY_BYTES]);
/// EncryptAndHash: writes byte_count + NOISE_TAG_BYTES bytes. Needs a key.
void noise_encrypt(struct noise *noise, uint8_t *encrypted, const uint8_t *plain, size_t byte_count);
/// DecryptAndHash: the reverse; `byte_count` is that of the plain text. False if it is forged.
bool noise_decrypt(struct noise *noise, uint8_t *plain, const uint8_t *encrypted, size_t byte_count);
/// Split: the keys of what the initiator sends, and of what the responder sends.
void noise_split(const struct noise *noise, uint8_t of_initiator[NOISE_KEY_BYTES],
                 uint8_t of_responder[NOISE_KEY_BYTES]);

#endif
