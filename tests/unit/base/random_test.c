// SPDX-License-Identifier: MIT
#include "base/random.h"
#include "test.h"

// The first numbers of Vigna's reference implementation for the seed 1234567.
TEST(the_numbers_equal_those_of_the_reference)
{
    static const uint64_t numbers[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                       4593380528125082431u, 16408922859458223821u};
    uint64_t seed = 1234567;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal(random_next64(&seed), numbers[i]);
}
