// SPDX-License-Identifier: MIT
#include "certificate.h"

#include <gnutls/x509.h>
#include <string.h>

#define NAME  "deadfall"
#define BEGIN 1577836800   // 2020, so that a wrong clock does no harm
#define END   253402300799 // the last second of 9999 (RFC 5280, 4.1.2.5)

// A key and a certificate as PEM, one after the other.
struct pair {
    gnutls_x509_privkey_t key;
    gnutls_x509_crt_t crt;
};

static bool make(struct pair *pair)
{
    static const uint8_t serial[] = {1};
    return gnutls_x509_privkey_generate(pair->key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1),
                                        0) == 0 &&
           gnutls_x509_crt_set_version(pair->crt, 3) == 0 &&
           gnutls_x509_crt_set_serial(pair->crt, serial, sizeof serial) == 0 &&
           gnutls_x509_crt_set_activation_time(pair->crt, BEGIN) == 0 &&
           gnutls_x509_crt_set_expiration_time(pair->crt, (time_t)END) == 0 &&
           gnutls_x509_crt_set_dn_by_oid(pair->crt, GNUTLS_OID_X520_COMMON_NAME, 0, NAME, sizeof NAME - 1) == 0 &&
           gnutls_x509_crt_set_key(pair->crt, pair->key) == 0 &&
           gnutls_x509_crt_sign2(pair->crt, pair->crt, pair->key, GNUTLS_DIG_SHA256, 0) == 0;
}

static bool import(struct pair *pair, const uint8_t *kept, size_t byte_count)
{
    gnutls_datum_t text = {(unsigned char *)(uintptr_t)kept, (unsigned)byte_count};
    return byte_count > 0 && gnutls_x509_privkey_import(pair->key, &text, GNUTLS_X509_FMT_PEM) == 0 &&
           gnutls_x509_crt_import(pair->crt, &text, GNUTLS_X509_FMT_PEM) == 0;
}

static bool export(struct certificate *certificate, const struct pair *pair)
{
    size_t at = WEBRTC_FINGERPRINT_BYTES, room = at;
    if (gnutls_x509_crt_get_fingerprint(pair->crt, GNUTLS_DIG_SHA256, certificate->ready, &room) != 0)
        return false;
    room = sizeof certificate->ready - at;
    if (gnutls_x509_privkey_export(pair->key, GNUTLS_X509_FMT_PEM, certificate->ready + at, &room) != 0)
        return false;
    at += room;
    room = sizeof certificate->ready - at;
    if (gnutls_x509_crt_export(pair->crt, GNUTLS_X509_FMT_PEM, certificate->ready + at, &room) != 0)
        return false;
    certificate->ready_bytes = at + room;
    return true;
}

static bool use(struct certificate *certificate, struct pair *pair)
{
    return gnutls_certificate_allocate_credentials(&certificate->credentials) == 0 &&
           gnutls_certificate_set_x509_key(certificate->credentials, &pair->crt, 1, pair->key) == 0;
}

// Takes the kept pair into use, or a new one.
static bool open_pair(struct certificate *certificate, const uint8_t *kept, size_t byte_count, bool is_new)
{
    struct pair pair;
    if (gnutls_x509_privkey_init(&pair.key) != 0)
        return false;
    if (gnutls_x509_crt_init(&pair.crt) != 0) {
        gnutls_x509_privkey_deinit(pair.key);
        return false;
    }
    bool good = (is_new ? make(&pair) : import(&pair, kept, byte_count)) && export(certificate, &pair) &&
                use(certificate, &pair);
    gnutls_x509_crt_deinit(pair.crt);
    gnutls_x509_privkey_deinit(pair.key);
    return good;
}

bool certificate_open(struct certificate *certificate, const uint8_t *kept, size_t byte_count)
{
    // A pair of which half was read is not made new in place: GnuTLS would lose what the key held.
    return open_pair(certificate, kept, byte_count, false) || open_pair(certificate, kept, byte_count, true);
}
