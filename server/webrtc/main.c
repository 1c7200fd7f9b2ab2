// SPDX-License-Identifier: MIT
//
// deadfall-webrtc: lets browsers join a server. The server starts it with a socket pair as its standard input, gives it
// the STUN and DTLS datagrams of its port, and gets encrypted datagrams of the game. What strangers send is parsed
// here, in a sandbox, and neither the server's key nor that of any player is in this process.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/platform/process.h"
#include "sandbox.h"
#include "web_peers.h"

#define LINK      STDIN_FILENO
#define ROUND_MAX 128 // frames, before timers have their turn
#define UPDATE_MS 5

enum { ENDED = 0, USAGE = 64, FAILED = 69 };

static uint64_t now_ms(void)
{
    return clock_now_ns() / CLOCK_MS_NS;
}

// What the server cannot take now is lost, as on a network.
static void emit(void *context, const struct webrtc_frame *frame)
{
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
    (void)context;
    send(LINK, bytes, webrtc_frame_write(frame, bytes), MSG_DONTWAIT | MSG_NOSIGNAL);
}

static bool is_socket_pair(void)
{
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(LINK, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

// Returns what there is to read; ends the process with the server.
static size_t receive(uint8_t *bytes, int flags)
{
    ssize_t count = recv(LINK, bytes, WEBRTC_FRAME_BYTES_MAX, flags);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
        _exit(ENDED);
    return count > 0 ? (size_t)count : 0;
}

static bool begin(struct certificate *certificate)
{
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
    struct webrtc_frame frame;
    if (!webrtc_frame_read(&frame, bytes, receive(bytes, 0)) || frame.kind != WEBRTC_CREDENTIALS ||
        !certificate_open(certificate, frame.payload, frame.byte_count))
        return false;
    gnutls_memset(bytes, 0, sizeof bytes);
    emit(NULL, &(struct webrtc_frame){
                   .kind = WEBRTC_READY, .payload = certificate->ready, .byte_count = certificate->ready_bytes});
    return true;
}

static void take_frames(struct web_peers *peers)
{
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
    struct webrtc_frame frame;
    size_t byte_count;
    for (unsigned i = 0; i < ROUND_MAX && (byte_count = receive(bytes, MSG_DONTWAIT)) > 0; i++)
        if (webrtc_frame_read(&frame, bytes, byte_count))
            web_peers_take(peers, &frame, now_ms());
}

int main(int argc, char **argv)
{
    static struct web_peers peers;
    static struct certificate certificate;
    struct error error;
    (void)argv;
    process_forbid_core_dumps();
    if (argc > 1 || !is_socket_pair()) {
        fprintf(stderr, "deadfall-webrtc: deadfall-server starts this program, with --web\n");
        return USAGE;
    }
    if (!begin(&certificate) || !web_peers_init(&peers, &certificate, &(struct web_output){.emit = emit}, now_ms())) {
        fprintf(stderr, "deadfall-webrtc: no certificate can be made\n");
        return FAILED;
    }
    if (!sandbox_enter(&error)) {
        fprintf(stderr, "deadfall-webrtc: %s\n", error.text);
        return FAILED;
    }
    for (;;) {
        struct pollfd link = {.fd = LINK, .events = POLLIN};
        poll(&link, 1, peers.count > 0 ? UPDATE_MS : -1);
        take_frames(&peers);
        web_peers_update(&peers, now_ms());
    }
}
