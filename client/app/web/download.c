// SPDX-License-Identifier: MIT
#include "download.h"

#include <string.h>

bool download_is_url(const char *url)
{
    size_t scheme = strncmp(url, "http://", 7) == 0    ? 7
                    : strncmp(url, "https://", 8) == 0 ? 8
                                                       : 0,
           length = strlen(url);
    return scheme > 0 && length > scheme && url[scheme] != '/' && length < DOWNLOAD_URL_BYTES &&
           strcspn(url, " \t\r\n\"'<>\\^`{|}?#,") == length;
}
