// SPDX-License-Identifier: MIT
//
// The library in C++: a class owns the arrays and the memory of the index, and a lambda takes the hits. Coins fall down
// a shaft onto a belt that carries them into a chest.
#include <deadfall_physics/physics.h>

#include <cstdio>
#include <vector>

class Space
{
  public:
    std::vector<df_solid> solids;
    std::vector<df_actor> actors;

    // Lends the arrays to the library. Call it again after one of them has grown.
    bool begin()
    {
        space_ = df_space{};
        space_.solids = solids.data();
        space_.solid_count = static_cast<int32_t>(solids.size());
        space_.actors = actors.data();
        space_.actor_count = static_cast<int32_t>(actors.size());
        memory_.resize(df_index_bytes(&space_) / sizeof(uint64_t) + 1);
        return df_version_matches() &&
               df_space_init(&space_, memory_.data(), memory_.size() * sizeof(uint64_t)) == DF_OK;
    }

    // Moves an actor down; on_hit(df_hit) is called if something stops it.
    template <class OnHit> void fall(int32_t actor, int32_t amount_sub, OnHit on_hit)
    {
        df_actor_move_y(
            &space_, actor, amount_sub,
            [](df_space *, int32_t, df_hit hit, void *context) { (*static_cast<OnHit *>(context))(hit); }, &on_hit);
    }

    df_space *operator->()
    {
        return &space_;
    }
    df_space *get()
    {
        return &space_;
    }

  private:
    df_space space_{};
    std::vector<uint64_t> memory_;
};

static df_solid solid(int32_t x, int32_t y, int32_t w, int32_t h)
{
    return {x, y, w, h, 0, 0, DF_SOLID_PRESENT};
}

int main()
{
    Space space;
    space.solids = {solid(0, 80, 40, 8), solid(100, 88, 30, 8)}; // the belt, the bottom of the chest
    for (int32_t i = 0; i < 5; i++) {
        df_actor coin{};
        coin.x = 10 + 3 * i;
        coin.y = -30 * i;
        coin.w = coin.h = 4;
        coin.flags = DF_ACTOR_ALIVE;
        space.actors.push_back(coin);
    }
    if (!space.begin())
        return 1;
    const df_box on_belt{0, 70, 40, 10}, chest{100, 72, 30, 16};
    std::vector<int32_t> speeds(space.actors.size());
    for (uint32_t tick = 1; tick <= 240; tick++) {
        df_tick_begin(space.get(), tick);
        df_solid_move(space.get(), 0, tick > 90 ? DF_SUB : 0, 0); // the belt leaves with what lies on it
        if (tick == 90)
            std::printf("%d coins lie on the belt\n", df_list_actors(space.get(), on_belt, nullptr, 0));
        if (tick == 180) {
            space.solids[0].flags = 0; // and drops it
            df_solid_changed(space.get(), 0);
        }
        for (int32_t i = 0; i < space->actor_count; i++) {
            int32_t &speed = speeds[static_cast<size_t>(i)];
            speed += 20;
            space.fall(i, speed, [&](df_hit) { speed = 0; });
        }
    }
    std::printf("%d coins are in the chest\n", df_list_actors(space.get(), chest, nullptr, 0));
    return 0;
}
