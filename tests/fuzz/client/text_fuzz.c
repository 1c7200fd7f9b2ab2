// SPDX-License-Identifier: MIT
//
// Fuzzes the readers of short texts that people type, links hold and files begin with: addresses, ranges, stages,
// thresholds, impairments, scripts and passwords. Each refusal has a sentence, and what was read means the same when it
// is written and read again.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/address.h"
#include "app/input_script.h"
#include "load/metric.h"
#include "load/workload.h"
#include "net/household.h"
#include "net/impairment.h"
#include "net/net_address.h"
#include "options/options.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_BYTES = 2048, CLIENTS_MAX = 1000 };

static void read_address(const char *text)
{
    struct address address, again;
    struct error error = {0};
    char written[2 * HOST_BYTES + FINGERPRINT_TEXT_BYTES + 48];
    bool good = address_read(&address, text, &error);
    require(good == !error.text[0]);
    if (!good)
        return;
    address_link(&address, written, sizeof written);
    require(address_read(&again, written, &error));
    require(strcmp(again.host, address.host) == 0 && again.port == address.port &&
            strcmp(again.fingerprint, address.fingerprint) == 0 && strcmp(again.through, address.through) == 0 &&
            again.through_port == address.through_port);
}

static void read_range(const char *text)
{
    struct household_range household;
    struct address_range range, again;
    char written[ADDRESS_RANGE_TEXT_BYTES];
    if (household_range_parse(text, &household))
        require((household.prefix & ~household.mask) == 0);
    if (!net_address_range_parse(text, &range))
        return;
    net_address_range_text(&range, written);
    require(net_address_range_parse(written, &again) && net_address_range_contains(&range, &again) &&
            net_address_range_contains(&again, &range));
}

static void read_stages(const char *text)
{
    struct load_stages stages;
    struct error error = {0};
    bool good = workload_stages_read(&stages, text, CLIENTS_MAX, &error);
    require(good == !error.text[0]);
    for (uint64_t i = 0; good && i <= 4; i++)
        require(workload_stages_wanted(&stages, workload_stages_duration_us(&stages) / 4 * i) <= CLIENTS_MAX);
}

static void read_script(const char *text)
{
    static struct input_script script;
    struct error error = {0};
    bool good = input_script_read(&script, "script", text, &error);
    require(good == !error.text[0]);
    for (uint32_t i = 0; good && i < script.count; i++)
        input_script_buttons(&script, script.lines[i].tick);
}

static void read_rest(const char *text)
{
    struct impairment impairment;
    struct threshold threshold;
    struct error error = {0};
    require(impairment_parse(text, &impairment, &error) == !error.text[0]);
    error.text[0] = 0;
    require(metric_threshold_read(&threshold, text, &error) == !error.text[0]);
}

static void read_password(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[64];
    char password[PASSWORD_TEXT_BYTES];
    struct error error = {0};
    if (file < 0) {
        file = memfd_create("password", MFD_CLOEXEC);
        require(fchmod(file, S_IRUSR) == 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    bool good = option_read_password(path, password, &error);
    require(good == !error.text[0] && good == (password[0] != 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_BYTES] = "";
    if (size > 0)
        memcpy(text, data, size < sizeof text ? size : sizeof text - 1);
    read_address(text);
    read_range(text);
    read_stages(text);
    read_script(text);
    read_rest(text);
    read_password(data, size);
    return 0;
}
