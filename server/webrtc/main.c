// SPDX-License-Identifier: MIT
//
// deadfall-webrtc: lets browsers join a server. The server starts it with a socket pair as its standard input, gives it
// the STUN and DTLS datagrams of its port, and gets encrypted datagrams of the game. What strangers send is parsed
// here, in a sandbox, and neither the server's key nor that of any player is in this process.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/platform/process.h"
#include "net/webrtc.h"
#include "sandbox.h"
#include "web_peers.h"

#define LINK      STDIN_FILENO
#define ROUND_MAX 256 // frames, before timers have their turn
#define UPDATE_MS 50  // the timers of SCTP and DTLS are much longer

enum { ENDED = 0, USAGE = 64, FAILED = 69 };

static uint64_t now_ms(void)
{
    return clock_now_ns() / CLOCK_MS_NS;
}

static void emit(void *context, const struct webrtc_frame *frame)
{
    webrtc_link_give(context, frame);
}

static bool begin(struct web_certificate *certificate, struct webrtc_link *link)
{
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
    struct webrtc_frame frame;
    ssize_t count = recv(LINK, bytes, sizeof bytes, 0);
    if (count <= 0 || !webrtc_frame_read(&frame, bytes, (size_t)count) || frame.kind != WEBRTC_CREDENTIALS ||
        !web_peers_certify(certificate, frame.payload, frame.byte_count))
        return false;
    gnutls_memset(bytes, 0, sizeof bytes);
    webrtc_link_give(link, &(struct webrtc_frame){.kind = WEBRTC_READY,
                                                  .payload = certificate->ready,
                                                  .byte_count = certificate->ready_bytes});
    webrtc_link_flush(link);
    return true;
}

static void run(struct web_peers *peers, struct webrtc_link *link)
{
    unsigned frames = 0;
    while (!link->has_ended) {
        struct pollfd readable = {.fd = LINK, .events = POLLIN};
        struct webrtc_frame frame;
        poll(&readable, 1, frames == ROUND_MAX ? 0 : peers->count > 0 ? UPDATE_MS : -1);
        uint64_t begun_ms = now_ms();
        for (frames = 0; frames < ROUND_MAX && webrtc_link_receive(link, &frame); frames++)
            web_peers_take(peers, &frame, begun_ms);
        if (now_ms() - peers->updated_ms >= UPDATE_MS)
            web_peers_update(peers, now_ms());
        webrtc_link_flush(link);
    }
}

int main(int argc, char **argv)
{
    static struct web_peers peers;
    static struct web_certificate certificate;
    static struct webrtc_link link = {.file = LINK};
    struct error error;
    int type = 0;
    socklen_t size = sizeof type;
    (void)argv;
    process_forbid_core_dumps();
    if (argc > 1 || getsockopt(LINK, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET) {
        fprintf(stderr, "deadfall-webrtc: deadfall-server starts this program, with --web\n");
        return USAGE;
    }
    if (!begin(&certificate, &link)) {
        fprintf(stderr, "deadfall-webrtc: no certificate can be made\n");
        return FAILED;
    }
    web_peers_init(&peers, &certificate, &(struct web_output){emit, &link}, now_ms());
    if (!sandbox_enter(&error)) {
        fprintf(stderr, "deadfall-webrtc: %s\n", error.text);
        return FAILED;
    }
    run(&peers, &link);
    _exit(ENDED);
}
