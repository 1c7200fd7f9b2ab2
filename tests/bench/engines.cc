// SPDX-License-Identifier: MIT
//
// The world of bench_actors in Box2D 2.4 and Chipmunk 7: the same tiles, platforms and runners, as static, kinematic
// and dynamic boxes that do not rotate. Their physics is another one, so only the cost compares. Prints one JSON line
// for each engine and size. Not part of the build, because the engines are no dependencies: see engines.sh.
#include <box2d/box2d.h>
#include <chipmunk/chipmunk.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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
    static constexpr const char *NAME = "Box2D 2.4";
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
    static constexpr const char *NAME = "Chipmunk 7";
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

template <class Engine> void measure(int actor_count, int solid_count, int ticks)
{
    Engine engine;
    random_state = 20261121;
    std::vector<bool> tiles(COLUMNS * ROWS);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        if ((tiles[static_cast<size_t>(i)] = next_random(100) < 30))
            engine.add(TILE, static_cast<float>(i % COLUMNS * EDGE_PX), static_cast<float>(i / COLUMNS * EDGE_PX),
                       EDGE_PX, EDGE_PX);
    engine.add(TILE, -EDGE_PX, ROWS * EDGE_PX, (COLUMNS + 2) * EDGE_PX, EDGE_PX);
    engine.add(TILE, -EDGE_PX, 0, EDGE_PX, ROWS * EDGE_PX);
    engine.add(TILE, COLUMNS * EDGE_PX, 0, EDGE_PX, ROWS * EDGE_PX);
    std::vector<typename Engine::body> solids, actors;
    std::vector<float> speeds;
    std::vector<int> directions(static_cast<size_t>(actor_count));
    for (int i = 0; i < solid_count; i++) {
        int x = next_random(COLUMNS * EDGE_PX - 48), y = next_random(ROWS * EDGE_PX - EDGE_PX);
        solids.push_back(engine.add(PLATFORM, static_cast<float>(x), static_cast<float>(y), 48, EDGE_PX));
        speeds.push_back(static_cast<float>(64 + next_random(320)) * 60 / 256);
    }
    while (static_cast<int>(actors.size()) < actor_count) {
        int x = next_random(COLUMNS * EDGE_PX - 8), y = next_random(ROWS * EDGE_PX - 11);
        bool is_free = true;
        for (int row = y / EDGE_PX; row <= (y + 10) / EDGE_PX; row++)
            for (int column = x / EDGE_PX; column <= (x + 7) / EDGE_PX; column++)
                is_free = is_free && !tiles[static_cast<size_t>(row * COLUMNS + column)];
        if (is_free)
            actors.push_back(engine.add(ACTOR, static_cast<float>(x), static_cast<float>(y), 8, 11));
    }
    double begin = now_ns();
    for (int tick = 1; tick <= ticks; tick++) {
        float way = tick / PLATFORM_TURN % 2 == 0 ? 1.0f : -1.0f;
        for (size_t i = 0; i < solids.size(); i++)
            engine.set_speed(solids[i], i % 2 == 0 ? way * speeds[i] : 0, i % 2 == 0 ? 0 : way * speeds[i]);
        for (size_t i = 0; i < actors.size(); i++) {
            int dice = next_random(64);
            float vx, vy;
            if (dice < 3)
                directions[i] = dice - 1;
            engine.speed(actors[i], &vx, &vy);
            vx = approach(vx, static_cast<float>(directions[i]) * RUN_MAX, RUN_ACCEL);
            vy = engine.is_grounded(actors[i]) && dice >= 60 ? JUMP : vy < FALL_MAX ? vy : FALL_MAX;
            engine.set_speed(actors[i], vx, vy);
        }
        engine.step();
    }
    printf("{\"bench\": \"engines\", \"engine\": \"%s\", \"actors\": %d, \"solids\": %d, \"ticks\": %d, "
           "\"ns_per_actor_tick\": %.1f}\n",
           Engine::NAME, actor_count, solid_count, ticks, (now_ns() - begin) / ticks / actor_count);
}

} // namespace

int main(int argc, char **argv)
{
    int ticks = argc > 1 ? atoi(argv[1]) : 600;
    if (ticks < 1) {
        fprintf(stderr, "engines [TICKS]: at least 1 tick\n");
        return 64;
    }
    static const int sizes[][2] = {{16, 16}, {128, 64}, {1000, 200}};
    for (const int *size : sizes) {
        measure<box2d>(size[0], size[1], ticks);
        measure<chipmunk>(size[0], size[1], ticks);
    }
}
