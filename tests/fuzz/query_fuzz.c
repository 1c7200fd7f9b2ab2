// SPDX-License-Identifier: MIT
//
// Any bytes from a stranger: whoever has not brought a challenge back gets no more bytes than he sent, and what he gets
// is a challenge; with the challenge it is the reply.
#include <stdlib.h>
#include <string.h>

#include "net/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct query query;
    const uint64_t now_ns = 1;
    static const struct net_address from = {{127, 0, 0, 1, 1, 2}, 6};
    uint8_t out[DATAGRAM_BYTES_MAX], request[DATAGRAM_BYTES_MAX];
    query_init(&query); // new challenges each time: the fuzzer learns what its bytes are compared with
    for (size_t i = 0; i < NET_REPLIES; i++)
        query.replies.of[i].byte_count = 700;
    if (size > sizeof request || !query_claims(data, size))
        return 0;
    size_t count = query_take(&query, now_ns, &from, data, size, out);
    if (count == 0)
        return 0;
    if (count != 9 || count > size)
        abort();
    memcpy(request, data, size);
    size_t head_bytes = data[4] == 'T' ? 25 : 5;
    memcpy(request + head_bytes, out + 5, 4);
    if (query_take(&query, now_ns, &from, request, head_bytes + 4, out) != 704)
        abort();
    return 0;
}
