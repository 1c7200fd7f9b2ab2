// SPDX-License-Identifier: MIT
//
// deadfall-bots: loads a server with many clients and reports what they saw. This file alone reads the clock and
// signals, and opens connections; load_test.c does the rest.
#include <sodium.h>

#include "base/clock.h"
#include "base/platform/process.h"
#include "load/load_test.h"
#include "load/report.h"
#include "net/enet/enet_transport.h"

// The settings, and what the clients connect with.
struct program_state {
    struct settings settings;
    uint64_t opened;
    uint8_t keys[SWARM_CAPACITY]
                [IDENTITY_SEED_BYTES]; ///< of the clients, so that one that comes back has the same account
    struct net_ticket tickets[SWARM_CAPACITY];
    struct error error;
};

static struct load_test_time time_now(void)
{
    return (struct load_test_time){clock_now_ns(), clock_process_cpu_ns()};
}

static struct transport *open_connection(void *context, uint32_t client)
{
    struct program_state *state = context;
    const struct settings *settings = &state->settings;
    return enet_transport_open_client(
        &(struct net_client_config){.host = settings->host,
                                    .port = settings->port,
                                    .protocol = PROTOCOL_VERSION,
                                    .fingerprint = settings->route.fingerprint,
                                    .through = settings->route.host,
                                    .through_port = settings->route.port,
                                    .key = state->keys[client],
                                    .password = settings->password,
                                    .ticket = &state->tickets[client],
                                    .impairment = settings->impairment,
                                    .impairment_seed = (uint64_t)settings->given.seed << 32 | state->opened++},
        &state->error);
}

int main(int argc, char **argv)
{
    static struct program_state state;
    int code;
    process_forbid_core_dumps();
    if (!settings_read(&state.settings, argc, argv, &code))
        return code;
    if (state.settings.command != SETTINGS_RUN)
        return (int)(state.settings.command == SETTINGS_MERGE ? report_merge : report_compare)(&state.settings, stdout,
                                                                                               stderr);
    process_catch_stop();
    uint64_t start_ns = (uint64_t)state.settings.start_at_ms * CLOCK_MS_NS;
    for (uint64_t unix_ns; !process_is_stopping() && (unix_ns = clock_unix_ns()) < start_ns;) {
        uint64_t rest_ns = start_ns - unix_ns; // in steps, since the wall clock may be set
        clock_sleep(rest_ns < CLOCK_SECOND_NS ? rest_ns : CLOCK_SECOND_NS);
    }
    struct load_test_config config = {.settings = &state.settings,
                                      .argc = argc,
                                      .argv = argv,
                                      .started_s = (double)clock_unix_ns() / 1e9,
                                      .connect = open_connection,
                                      .context = &state,
                                      .error = &state.error,
                                      .redraw = process_is_terminal(stdout),
                                      .out = stdout,
                                      .err = stderr};
    enum exit_code failure;
    struct load_test *test = load_test_open(&config, &failure);
    if (!test)
        return (int)failure;
    randombytes_buf(state.keys, sizeof state.keys);
    bool goes_on = true;
    load_test_begin(test, time_now());
    while (goes_on && !process_is_stopping()) {
        clock_sleep_until(load_test_next_ns(test));
        goes_on = load_test_pulse(test, time_now());
    }
    load_test_end(test, time_now(), goes_on);
    for (uint64_t now_ns; load_test_awaits_server(test, now_ns = clock_now_ns());)
        clock_sleep_until(now_ns + CLOCK_MS_NS);
    code = (int)load_test_conclude(test);
    load_test_close(test);
    return code;
}
