// SPDX-License-Identifier: MIT
//
// The world of bench_actors in Box2D 2.4 and Chipmunk 7: the same tiles, platforms and runners, as static, kinematic
// and dynamic boxes that do not rotate. Their physics is another one, so only the cost compares. Prints ns per actor
// and tick. Not part of the build, because the engines are no dependencies: see engines.py.
//     engines box2d|chipmunk TICKS ACTORS SOLIDS
#include <box2d/box2d.h>
#include <chipmunk/chipmunk.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace
{

const int COLUMNS = 256, ROWS = 128, EDGE_PX = 8, PLATFORM_TURN = 120;
const float GRAVITY = 900, FALL_MAX = 160, JUMP = -105, RUN_MAX = 90, RUN_ACCEL = 16.6f; // px and seconds

uint32_t random_state;

int next_random(int below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return static_cast<int>((random_state >> 8) % static_cast<uint32_t>(below));
}

enum kind { TILE, PLATFORM, ACTOR };

struct box2d {
    static constexpr float PX = 1.0f / 16; // a metre is 16 px
    b2World world{b2Vec2(0, GRAVITY *PX)};
    using body = b2Body *;

    body tiles = nullptr; // one body of many boxes: every step looks at every body

    body add_body(kind kind, float x, float y)
    {
        b2BodyDef definition;
        definition.type = kind == TILE ? b2_staticBody : kind == PLATFORM ? b2_kinematicBody : b2_dynamicBody;
        definition.fixedRotation = true;
        definition.position.Set(x * PX, y * PX);
        return world.CreateBody(&definition);
    }
    body add(kind kind, float x, float y, float w, float h)
    {
        if (tiles == nullptr)
            tiles = add_body(TILE, 0, 0);
        b2Vec2 middle((x + w / 2) * PX, (y + h / 2) * PX);
        body made = kind == TILE ? tiles : add_body(kind, x + w / 2, y + h / 2);
        b2PolygonShape shape;
        shape.SetAsBox(w / 2 * PX, h / 2 * PX, kind == TILE ? middle : b2Vec2(0, 0), 0);
        b2FixtureDef fixture;
        fixture.shape = &shape;
        fixture.density = 1;
        fixture.friction = 0;
        fixture.filter.groupIndex = kind == ACTOR ? -1 : 0; // actors do not meet each other
        made->CreateFixture(&fixture);
        return made;
    }
    void speed(body body, float *vx, float *vy)
    {
        *vx = body->GetLinearVelocity().x / PX;
        *vy = body->GetLinearVelocity().y / PX;
    }
    void set_speed(body body, float vx, float vy)
    {
        body->SetLinearVelocity(b2Vec2(vx * PX, vy * PX));
    }
    bool is_grounded(body body)
    {
        for (b2ContactEdge *edge = body->GetContactList(); edge != nullptr; edge = edge->next) {
            b2WorldManifold manifold;
            edge->contact->GetWorldManifold(&manifold);
            bool is_first = edge->contact->GetFixtureA()->GetBody() == body;
            if (edge->contact->IsTouching() && (is_first ? manifold.normal.y : -manifold.normal.y) > 0.5f)
                return true;
        }
        return false;
    }
    void step()
    {
        world.Step(1.0f / 60, 8, 3);
    }
};

struct chipmunk {
    cpSpace *space = cpSpaceNew();
    using body = cpBody *;

    chipmunk()
    {
        cpSpaceSetGravity(space, cpv(0, GRAVITY));
    }
    body add(kind kind, float x, float y, float w, float h)
    {
        cpBody *made = kind == TILE       ? cpSpaceGetStaticBody(space)
                       : kind == PLATFORM ? cpSpaceAddBody(space, cpBodyNewKinematic())
                                          : cpSpaceAddBody(space, cpBodyNew(1, INFINITY));
        cpVect middle = cpv(x + w / 2, y + h / 2);
        if (kind != TILE)
            cpBodySetPosition(made, middle);
        cpVect at = kind == TILE ? middle : cpvzero;
        cpShape *shape = cpSpaceAddShape(
            space, cpBoxShapeNew2(made, cpBBNew(at.x - w / 2, at.y - h / 2, at.x + w / 2, at.y + h / 2), 0));
        if (kind == ACTOR)
            cpShapeSetFilter(shape, cpShapeFilterNew(1, CP_ALL_CATEGORIES, CP_ALL_CATEGORIES)); // one group
        return made;
    }
    void speed(body body, float *vx, float *vy)
    {
        *vx = static_cast<float>(cpBodyGetVelocity(body).x);
        *vy = static_cast<float>(cpBodyGetVelocity(body).y);
    }
    void set_speed(body body, float vx, float vy)
    {
        cpBodySetVelocity(body, cpv(vx, vy));
    }
    static void look(cpBody *, cpArbiter *arbiter, void *grounded)
    {
        if (cpArbiterGetNormal(arbiter).y > 0.5)
            *static_cast<bool *>(grounded) = true;
    }
    bool is_grounded(body body)
    {
        bool grounded = false;
        cpBodyEachArbiter(body, look, &grounded);
        return grounded;
    }
    void step()
    {
        cpSpaceStep(space, 1.0 / 60);
    }
};

float approach(float value, float target, float by)
{
    if (value < target)
        return value + by < target ? value + by : target;
    return value - by > target ? value - by : target;
}

double now_ns()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <class Engine> struct population {
    Engine engine;
    std::vector<typename Engine::body> solids, actors;
    std::vector<float> speeds;
    std::vector<int> directions;
};

template <class Engine> void fill(population<Engine> &all, int actor_count, int solid_count)
{
    Engine &engine = all.engine;
    random_state = 20261121;
    std::vector<bool> tiles(COLUMNS * ROWS);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        if ((tiles[static_cast<size_t>(i)] = next_random(100) < 30))
            engine.add(TILE, static_cast<float>(i % COLUMNS * EDGE_PX), static_cast<float>(i / COLUMNS * EDGE_PX),
                       EDGE_PX, EDGE_PX);
    engine.add(TILE, -EDGE_PX, ROWS * EDGE_PX, (COLUMNS + 2) * EDGE_PX, EDGE_PX);
    engine.add(TILE, -EDGE_PX, 0, EDGE_PX, ROWS * EDGE_PX);
    engine.add(TILE, COLUMNS * EDGE_PX, 0, EDGE_PX, ROWS * EDGE_PX);
    all.directions.resize(static_cast<size_t>(actor_count));
    for (int i = 0; i < solid_count; i++) {
        int x = next_random(COLUMNS * EDGE_PX - 48), y = next_random(ROWS * EDGE_PX - EDGE_PX);
        all.solids.push_back(engine.add(PLATFORM, static_cast<float>(x), static_cast<float>(y), 48, EDGE_PX));
        all.speeds.push_back(static_cast<float>(64 + next_random(320)) * 60 / 256);
    }
    while (static_cast<int>(all.actors.size()) < actor_count) {
        int x = next_random(COLUMNS * EDGE_PX - 8), y = next_random(ROWS * EDGE_PX - 11);
        bool is_free = true;
        for (int row = y / EDGE_PX; row <= (y + 10) / EDGE_PX; row++)
            for (int column = x / EDGE_PX; column <= (x + 7) / EDGE_PX; column++)
                is_free = is_free && !tiles[static_cast<size_t>(row * COLUMNS + column)];
        if (is_free)
            all.actors.push_back(engine.add(ACTOR, static_cast<float>(x), static_cast<float>(y), 8, 11));
    }
}

template <class Engine> __attribute__((noinline)) void run_ticks(population<Engine> &all, int ticks)
{
    for (int tick = 1; tick <= ticks; tick++) {
        float way = tick / PLATFORM_TURN % 2 == 0 ? 1.0f : -1.0f;
        for (size_t i = 0; i < all.solids.size(); i++)
            all.engine.set_speed(all.solids[i], i % 2 == 0 ? way * all.speeds[i] : 0,
                                 i % 2 == 0 ? 0 : way * all.speeds[i]);
        for (size_t i = 0; i < all.actors.size(); i++) {
            int dice = next_random(64);
            float vx, vy;
            if (dice < 3)
                all.directions[i] = dice - 1;
            all.engine.speed(all.actors[i], &vx, &vy);
            vx = approach(vx, static_cast<float>(all.directions[i]) * RUN_MAX, RUN_ACCEL);
            vy = all.engine.is_grounded(all.actors[i]) && dice >= 60 ? JUMP : vy < FALL_MAX ? vy : FALL_MAX;
            all.engine.set_speed(all.actors[i], vx, vy);
        }
        all.engine.step();
    }
}

template <class Engine> void measure(int ticks, int actors, int solids)
{
    population<Engine> all;
    fill(all, actors, solids);
    double begin = now_ns();
    run_ticks(all, ticks);
    printf("{\"ns_per_actor_tick\": %.1f}\n", (now_ns() - begin) / ticks / actors);
}

} // namespace

int main(int argc, char **argv)
{
    int ticks = argc == 5 ? atoi(argv[2]) : 0, actors = argc == 5 ? atoi(argv[3]) : 0;
    if (ticks < 1 || actors < 1) {
        fprintf(stderr, "engines box2d|chipmunk TICKS ACTORS SOLIDS: at least 1 tick and actor\n");
        return 64;
    }
    if (strcmp(argv[1], "box2d") == 0)
        measure<box2d>(ticks, actors, atoi(argv[4]));
    else
        measure<chipmunk>(ticks, actors, atoi(argv[4]));
}
