// SPDX-License-Identifier: MIT
#include "version.h"

int32_t df_version(void)
{
    return DF_VERSION;
}
