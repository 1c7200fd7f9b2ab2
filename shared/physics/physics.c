// SPDX-License-Identifier: MIT
#include "physics.h"

int32_t df_version(void)
{
    return DF_VERSION;
}
