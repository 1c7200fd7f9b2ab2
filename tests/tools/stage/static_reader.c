// SPDX-License-Identifier: MIT
// A static program, which cannot load the stage: waits for a byte, and passes it on.
#include <unistd.h>

int main(void)
{
    char byte;
    return read(0, &byte, 1) == 1 && write(1, &byte, 1) == 1 ? 0 : 1;
}
