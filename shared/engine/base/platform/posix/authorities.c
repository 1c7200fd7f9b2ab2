// SPDX-License-Identifier: MIT
#include "../authorities.h"

#include <stddef.h>
#include <stdlib.h>

#include "../disk.h"

bool authorities_find(const char **file)
{
    static const char *const FILES[] = {
        "/etc/ssl/certs/ca-certificates.crt",                // Debian, Ubuntu, Arch, SteamOS, Flatpak
        "/etc/pki/tls/certs/ca-bundle.crt",                  // Fedora, RHEL
        "/etc/ssl/ca-bundle.pem",                            // openSUSE
        "/etc/ssl/cert.pem",                                 // Alpine
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // newer Fedora and RHEL
        "/etc/ca-certificates/extracted/tls-ca-bundle.pem",  // Arch, SteamOS
        "/var/lib/ca-certificates/ca-bundle.pem",            // openSUSE that cannot write /etc
    };
    const char *given = getenv("SSL_CERT_FILE"), *folder = getenv("SSL_CERT_DIR");
    *file = given && disk_is_readable(given) ? given : NULL;
    if (*file || (folder && folder[0]))
        return true;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES && !*file; i++)
        if (disk_is_readable(FILES[i]))
            *file = FILES[i];
    return *file;
}
