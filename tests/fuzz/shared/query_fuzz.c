// SPDX-License-Identifier: MIT
//
// Fuzzes server queries with any bytes from a stranger. Without a valid challenge the answer is a challenge, and no
// longer than the query; with the challenge it is the reply.
#include <stdlib.h>
#include <string.h>

#include "net/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t SECRET[QUERY_PROOF_KEY_BYTES] = {1};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct query query;
    uint8_t out[DATAGRAM_BYTES_MAX], request[DATAGRAM_BYTES_MAX];
    query_init(&query); // new challenges each time: the fuzzer learns what its bytes are compared with
    query.public_key = query.secret_key = SECRET;
    for (size_t i = 0; i < NET_REPLIES; i++)
        query.replies.of[i].byte_count = 700;
    if (size > sizeof request || !query_claims(data, size))
        return 0;
    struct datagram datagram = {{{127, 0, 0, 1, 1, 2}, 6}, 1, data, size};
    struct datagram_output output = {.bytes = out};
    if (query_take(&query, &datagram, &output) == DATAGRAM_REJECTED)
        return 0;
    if (output.byte_count != 9 || output.byte_count > size)
        abort();
    memcpy(request, data, size);
    bool is_proof = data[4] == 'K';
    size_t head_bytes = data[4] == 'T' ? 25 : is_proof ? 56 : 5;
    memcpy(request + head_bytes, out + 5, 4);
    datagram.bytes = request;
    datagram.byte_count = head_bytes + 4;
    enum datagram_outcome outcome = query_take(&query, &datagram, &output);
    if (is_proof && outcome == DATAGRAM_REJECTED)
        return 0; // a bad key
    if (outcome != DATAGRAM_ANSWERED || output.byte_count != (is_proof ? 37 : 704))
        abort();
    return 0;
}
