// SPDX-License-Identifier: MIT
#include "core/simulation.h"

#include <string.h>

#include "game/ai/nav_graph_build.h"
#include "test.h"
#include "test_map.h"

static struct map maps[3], copy;

TEST(clients_on_the_same_map_share_its_graph)
{
    static struct nav_graph own;
    for (uint32_t i = 0; i < 3; i++)
        test_map_random(&maps[i], i + 1, 40, 30);
    copy = maps[0];
    const struct nav_graph *first = simulation_graph_take(&maps[0]);
    assert_ptr_equal(simulation_graph_take(&copy), first);
    assert_int_equal(simulation_graph_count(), 1);
    nav_graph_build(&own, &maps[0]);
    assert_memory_equal(first, &own, sizeof own);
    const struct nav_graph *second = simulation_graph_take(&maps[1]);
    assert_ptr_not_equal(second, first);
    assert_int_equal(simulation_graph_count(), 2);
    assert_memory_equal(first, &own, sizeof own);
    simulation_graph_release(first);
    simulation_graph_release(second);
}

TEST(a_graph_stays_until_nobody_uses_it_and_another_map_comes)
{
    const struct nav_graph *first = simulation_graph_take(&copy); // still used once
    simulation_graph_release(first);
    assert_int_equal(simulation_graph_count(), 2);
    const struct nav_graph *third = simulation_graph_take(&maps[2]); // the second is gone
    assert_int_equal(simulation_graph_count(), 2);
    simulation_graph_release(first);
    simulation_graph_release(third);
    assert_ptr_equal(simulation_graph_take(&maps[2]), third);
    simulation_graph_release(NULL);
    simulation_graph_release(third);
    assert_int_equal(simulation_graph_count(), 2);
    simulation_graph_release(simulation_graph_take(&maps[1]));
    assert_int_equal(simulation_graph_count(), 1);
}
