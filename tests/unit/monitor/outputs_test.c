// SPDX-License-Identifier: MIT
//
// Tests what a server publishes: A2S answers byte by byte (source: developer.valvesoftware.com/wiki/Server_queries),
// and JSON, read back. Every figure is a different number, so that a swapped one shows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/variant.h"
#include "known_totals.h"
#include "monitor/a2s.h"
#include "monitor/status_json.h"
#include "net/impairment.h"
#include "probe.h"
#include "sync/player_name.h"
#include "test.h"
#include "test_map.h"

static struct session session;
static struct map map;
static struct status_publisher publisher = STATUS_PUBLISHER_INITIAL;
static struct status_snapshot snapshot;
static struct a2s a2s;
static struct net_replies replies;

static void seat(uint32_t slot, enum seat_kind kind, const char *name, int32_t score)
{
    struct match *match = session.match;
    struct player *player = &match->world.players[slot];
    match->roster.seats[slot].kind = kind;
    *player = (struct player){.state = PLAYER_ALIVE,
                              .generation = slot + 1,
                              .flags = kind == SEAT_BOT ? PLAYER_BOT : 0,
                              .colour = slot + 3,
                              .team = 1 + slot % 2,
                              .facing = slot == 0 ? -1 : 1,
                              .score = score};
    player_name_from_text(player->name, name);
    match->world.actors[slot] = (struct df_actor){.x = 10, .y = 20, .w = 8, .h = 14};
    if (match->world.player_slots <= slot)
        match->world.player_slots = slot + 1;
}

static void begin(void)
{
    test_map_random(&map, 4, 60, 40);
    memset(map.name, 0, sizeof map.name);
    memcpy(map.name, "arena", 5);
    struct match_config config = {
        .map = &map,
        .rules = {.mode = MODE_TEAMS, .score_limit = 30, .time_limit_ticks = 600 * TICKS_PER_SECOND, .seed = 7},
        .players_max = 12,
        .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){0}, 0);
    memset(&a2s, 0, sizeof a2s);
    memset(&publisher.snapshot, 0, sizeof publisher.snapshot);
    publisher.sampled_ns = 0;
    seat(0, SEAT_PLAYER, "Ada", 5);
    seat(1, SEAT_PLAYER, "Bob", -2);
    seat(3, SEAT_BOT, "Cinder", 7);
}

static void end(void)
{
    session_end(&session);
}

EACH_TEST(begin, end);

static void write_a2s(void)
{
    a2s_write(&a2s, &(struct a2s_server){.name = "x"}, session.match, &replies);
}

static void compare(const struct net_reply *reply, const char *wanted, size_t wanted_bytes)
{
    if (reply->byte_count != wanted_bytes)
        fail_msg("%u bytes instead of %zu", reply->byte_count, wanted_bytes);
    assert_memory_equal(reply->bytes, wanted, wanted_bytes);
}

TEST(the_info_answer_follows_valves_format)
{
    char protocol[12], wanted[300];
    struct a2s_server server = {.name = "My server", .port = 0x6B31, .has_password = true, .fingerprint = "abc"};
    a2s_write(&a2s, &server, session.match, &replies);
    a2s_write(&a2s, &server, session.match, &replies); // instead of the first
    snprintf(protocol, sizeof protocol, "%u", PROTOCOL_VERSION);
    size_t count = 0;
#define PUT(bytes) memcpy(wanted + count, bytes, sizeof(bytes) - 1), count += sizeof(bytes) - 1
    PUT("I\x11My server\0arena\0deadfall\0Deadfall\0");
    PUT("\0\0\x03\x0C\x01"
        "dl"
        "\x01\0");
    PUT(DEADFALL_VERSION "\0\xA0\x31\x6B"
                         "teams,protocol");
    memcpy(wanted + count, protocol, strlen(protocol));
    count += strlen(protocol);
    PUT(",key.abc\0");
    compare(&replies.of[NET_REPLY_INFO], wanted, count);
    server.fingerprint = NULL;
    a2s_write(&a2s, &server, session.match, &replies);
    wanted[count - sizeof ",key.abc"] = 0;
    compare(&replies.of[NET_REPLY_INFO], wanted, count - strlen(",key.abc"));
    session.match->drain.is_on = true;
    a2s_write(&a2s, &server, session.match, &replies);
    strcpy(wanted + count - sizeof ",key.abc", ",closing");
    compare(&replies.of[NET_REPLY_INFO], wanted, count);
    session.match->world.rules.variants = 1u << VARIANT_ICE | 1u << VARIANT_BOMBS;
    a2s_write(&a2s, &server, session.match, &replies);
    strcpy(wanted + count - 1, ",bombs,ice");
    compare(&replies.of[NET_REPLY_INFO], wanted, count + strlen(",bombs,ice"));
}

TEST(long_names_are_cut_at_a_character_and_large_counts_at_255)
{
    char name[80];
    memset(name, 'x', sizeof name);
    memcpy(name + 63, "\xC3\xA4xx", 5); // the 64th byte is half of a letter
    session.match->players_max = 256;
    session.match->roster.seat_count = 256;
    for (uint32_t slot = 0; slot < 256; slot++)
        session.match->roster.seats[slot].kind = SEAT_BOT;
    a2s_write(&a2s, &(struct a2s_server){.name = name}, session.match, &replies);
    const uint8_t *info = replies.of[NET_REPLY_INFO].bytes;
    assert_int_equal(strlen((const char *)info + 2), 63);
    const uint8_t *counts = info + 2 + 64 + sizeof "arena" + sizeof "deadfall" + sizeof "Deadfall" + 2;
    assert_memory_equal(counts,
                        "\xFF\xFF\xFF"
                        "dl\0\0",
                        7);
    for (uint32_t slot = 254; slot < 256; slot++)
        session.match->roster.seats[slot].kind = SEAT_FREE;
    a2s_write(&a2s, &(struct a2s_server){.name = name}, session.match, &replies);
    assert_memory_equal(counts, "\xFE\xFF\xFE", 3);
}

TEST(the_players_answer_follows_valves_format)
{
    static const char first[] = "D\x03"
                                "\0Ada\0\5\0\0\0\0\0\0\0"
                                "\0Bob\0\xFE\xFF\xFF\xFF\0\0\0\0"
                                "\0Cinder\0\4\3\2\1\0\0\x80\xBF"; // minus one second: a bot
    static const char later[] = "D\x03"
                                "\0Ada\0\5\0\0\0\0\0\x20\x40"     // 2.5 s
                                "\0Bob\0\xFE\xFF\xFF\xFF\0\0\0\0" // another player since
                                "\0Cinder\0\4\3\2\1\0\0\x80\xBF";
    session.match->world.players[3].score = 0x01020304;
    session.match->world.players[4] = session.match->world.players[3]; // beyond the slots of this match
    session.match->world.tick = 100;
    write_a2s();
    compare(&replies.of[NET_REPLY_PLAYERS], first, sizeof first - 1);
    session.match->world.tick = 250;
    session.match->world.players[1].generation = 99;
    write_a2s();
    compare(&replies.of[NET_REPLY_PLAYERS], later, sizeof later - 1);
    session.match->world.tick = 40; // ticks have started again
    write_a2s();
    compare(&replies.of[NET_REPLY_PLAYERS], first, sizeof first - 1);
}

TEST(players_that_do_not_fit_are_left_out)
{
    for (uint32_t slot = 0; slot < 256; slot++)
        seat(slot, SEAT_PLAYER, "ABCDEFGHIJKLMNOP", 1);
    write_a2s();
    const struct net_reply *reply = &replies.of[NET_REPLY_PLAYERS];
    assert_int_equal(reply->bytes[1], (NET_REPLY_BYTES_MAX - 2) / 26);
    assert_int_equal(reply->byte_count, 2 + 26 * reply->bytes[1]);
    seat(44, SEAT_PLAYER, "ABCD", 1);
    seat(45, SEAT_PLAYER, "ABCD", 1);
    write_a2s();
    assert_int_equal(reply->byte_count, NET_REPLY_BYTES_MAX); // the last one just fits
    assert_int_equal(reply->bytes[1], 47);
    seat(45, SEAT_PLAYER, "ABCDE", 1);
    write_a2s();
    assert_int_equal(reply->byte_count, NET_REPLY_BYTES_MAX - 25);
    assert_int_equal(reply->bytes[1], 46);
}

// The time of a player counts while there is no room to list them.
TEST(a_player_who_was_left_out_keeps_their_time)
{
    for (uint32_t slot = 0; slot < 256; slot++)
        seat(slot, SEAT_PLAYER, "ABCDEFGHIJKLMNOP", 1);
    session.match->world.tick = 100;
    write_a2s();
    for (uint32_t slot = 0; slot < 256; slot++)
        if (slot != 200)
            session.match->world.players[slot] = (struct player){0};
    session.match->world.tick = 250;
    write_a2s();
    assert_int_equal(replies.of[NET_REPLY_PLAYERS].bytes[1], 1);
    assert_memory_equal(replies.of[NET_REPLY_PLAYERS].bytes + 2 + 22, "\0\0\x20\x40", 4); // 2.5 s
}

TEST(the_rules_answer_follows_valves_format)
{
    char protocol[40], wanted[200];
    size_t count = 0;
    session.match->world.rules.variants = 1u << VARIANT_ICE;
    write_a2s();
    a2s_write(&a2s, &(struct a2s_server){.name = "x"}, session.match, &replies); // instead of the first
    PUT("E\6\0mode\0teams\0phase\0warm-up\0score_limit\0"
        "30\0time_limit_s\0"
        "600\0variants\0ice\0");
    int length = snprintf(protocol, sizeof protocol, "protocol%c%u", 0, PROTOCOL_VERSION);
    memcpy(wanted + count, protocol, (size_t)length + 1);
    compare(&replies.of[NET_REPLY_RULES], wanted, count + (size_t)length + 1);
}

// Every figure is a different number.
static void publish(void)
{
    struct match *match = session.match;
    struct tick_stats status = {0};
    struct tick_clock clock = {.overruns = 11};
    struct server_health health = {
        .webrtc = {.starts = 37, .dropped = 38, .refused = 39},
        .stores = {[STORE_JOURNAL] = {.wanted = true, .up = true, .failures = 41, .success_s = 42},
                   [STORE_RECORDS] = {.wanted = true, .failures = 43, .success_s = 44}}};
    match->statistics = (struct match_statistics){.ticks = 101,
                                                  .snapshots = 102,
                                                  .snapshot_parts = 103,
                                                  .snapshot_bytes = 104,
                                                  .bodies_encoded = 105,
                                                  .joins = 106,
                                                  .denials = 107,
                                                  .malformed = 108,
                                                  .inputs_late = 109,
                                                  .inputs_missed = 110,
                                                  .full_requests = 111,
                                                  .unsent = 112,
                                                  .household_denials = 114,
                                                  .ticks_stood_still = 113};
    status_count_tick(&status, 49999);     // 50 us
    status_count_tick(&status, 50000);     // the class up to 100 us
    status_count_tick(&status, 3999999);   // 4 ms
    status_count_tick(&status, 24999999);  // 25 ms
    status_count_tick(&status, 900000000); // beyond all
    const struct transport_table *real = match->transport->table;
    struct transport_table table = *real;
    table.totals = known_totals;
    match->transport->table = &table;
    status_snapshot_write(&publisher, &(struct status_source){"A \"server\"", match, &status, &clock, &health}, 77);
    match->transport->table = real;
    status_snapshot_read(&publisher, &snapshot);
}

static void write_snapshot(const char *name, uint64_t now_ns)
{
    static const struct tick_stats status;
    static const struct tick_clock clock;
    static const struct server_health health;
    status_snapshot_write(&publisher, &(struct status_source){name, session.match, &status, &clock, &health}, now_ns);
}

// Compares JSON from a word on with a text in which ' stands for ", and frees it.
static void compare_json(char *text, const char *from, const char *wanted)
{
    assert_non_null(text);
    for (char *at = text; *at; at++)
        *at = *at == '"' ? '\'' : *at;
    const char *part = strstr(text, from);
    assert_string_equal(part ? part : text, wanted);
    free(text);
}

static char *write_status(void)
{
    return status_json_status(&snapshot, &(struct status_server){.fingerprint = "thekey", .port = 27440});
}

TEST(the_status_has_every_figure)
{
    char wanted[4000];
    session.match->world.tick = 4000;
    session.match->world.players[0].shield_until = 4000;
    session.match->world.players[1].state = PLAYER_DEAD;
    session.match->world.players[1].shield_until = 4001;
    session.match->world.players[3].shield = 1;
    session.match->drain.is_on = true;
    session.match->world.rules.variants = 1u << VARIANT_ICE | 1u << VARIANT_LOW_GRAVITY;
    session.match->hats[0] = HAT_CROWN;
    publish();
    snprintf(wanted, sizeof wanted,
             "{'name':'A \\'server\\'','version':'%s','protocol':%u,'port':27440,'key':'thekey','players':2,'bots':1,"
             "'players_max':12,'drains':true,'asleep':false,"
             "'stores':{'journal':{'up':true,'failures':41,'success_s':42},"
             "'records':{'up':false,'failures':43,'success_s':44}},'overruns':11,'ticks_stood_still':113,"
             "'tick_duration':{'mean_us':185819,'p99_us':25600,'p999_us':25600,'max_us':900000},"
             "'network':{'bytes_in':201,'bytes_out':202,'packets_in':203,'packets_out':204,'rejected':206},"
             "'sessions':{'accepted':31,'waiting':32,'playing':33,'leaving':34,'households':35,'webrtc':36},"
             "'webrtc':{'certificate':'','starts':37,'dropped':38,'refused':39},"
             "'refused':{'joins_household_rate':211,'joins_rate':212,'joins_full':215,'joins_version':216,"
             "'joins_banned':217,'joins_password':218,'passwords_untried':221,'password_waits':222,'joins_household_"
             "players':114,"
             "'sessions_gave_way':219,'browsers_gave_way':223,"
             "'queries_household_rate':213,'queries_rate':214,'resets':220},'announcements':[],'page':null,"
             "'match':{'map':'arena','mode':'teams','variants':['low-gravity','ice'],'bot_skill':'idle',"
             "'phase':'warm-up','tick':4000,'clock_s':0,'maps':1,'players':["
             "{'slot':0,'name':'Ada','score':5,'colour':3,'team':1,'bot':false,'alive':true,'box':[10,20,8,14],"
             "'facing':-1,'hat':4,'shield':false},"
             "{'slot':1,'name':'Bob','score':-2,'colour':4,'team':2,'bot':false,'alive':false,'box':[10,20,8,14],"
             "'facing':1,'hat':0,'shield':true},"
             "{'slot':3,'name':'Cinder','score':7,'colour':6,'team':2,'bot':true,'alive':true,'box':[10,20,8,14],"
             "'facing':1,'hat':0,'shield':true}]}}",
             DEADFALL_VERSION, PROTOCOL_VERSION);
    compare_json(write_status(), "{", wanted);
}

TEST(the_clock_shows_the_time_left_or_passed)
{
    static const struct {
        enum round_phase phase;
        tick tick, since;
        uint32_t limit_ticks;
        long clock_s;
    } rows[] = {
        /* 0 */ {ROUND_PLAYING, 160, 100, 6000, 99},
        /* 1 */ {ROUND_PLAYING, 161, 100, 6000, 99},
        /* 2 */ {ROUND_PLAYING, 159, 100, 6000, 100},
        /* 3 */ {ROUND_PLAYING, 6100, 100, 6000, 0},
        /* 4 */ {ROUND_PLAYING, 7100, 100, 6000, 0},
        /* 5 */ {ROUND_PLAYING, 160, 100, 0, 1},
        /* 6 */ {ROUND_PLAYING, 161, 100, 0, 2},
        /* 7 */ {ROUND_COUNTDOWN, 160, 100, 6000, 0},
        /* 8 */ {ROUND_MATCH_OVER, 160, 100, 0, 0},
    };
    publish();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snapshot.world.round.phase = rows[i].phase;
        snapshot.world.tick = rows[i].tick;
        snapshot.world.round.since_tick = rows[i].since;
        snapshot.world.rules.time_limit_ticks = rows[i].limit_ticks;
        char *text = status_json_frame(&snapshot);
        const char *clock = strstr(text, "\"clock_s\":");
        if (!clock || strtol(clock + strlen("\"clock_s\":"), NULL, 10) != rows[i].clock_s)
            fail_msg("row %zu: %s", i, text);
        free(text);
    }
}

TEST(a_frame_has_each_thing_at_its_position)
{
    publish();
    struct world *world = &snapshot.world;
    memset(snapshot.map.solids, 0, sizeof snapshot.map.solids);
    snapshot.map.solid_count = 3;
    snapshot.map.solids[1].oneway = true;
    snapshot.map.solids[2].kind = MAP_SOLID_CRUSHER;
    world->solid_count = 5; // and more things behind each list, which are none
    for (int32_t i = 0; i < 6; i++)
        world->solids[i] = (struct df_solid){
            .x = 100 + i, .y = 200 + i, .w = 30 + i, .h = 40 + i, .flags = i == 4 ? 0 : DF_SOLID_PRESENT};
    world->arrow_slots = 2;
    world->arrows[1] = (struct arrow){.state = ARROW_FLYING, .vx = -3, .vy = 4, .kind = ARROW_DRILL};
    world->arrows[2] = world->arrows[1];
    world->actors[PLAYER_CAPACITY + 1] = (struct df_actor){.x = 50, .y = 60, .w = 10, .h = 4};
    world->ball_count = 1;
    world->balls[0] = world->balls[1] = (struct df_ball){.cx = 7 * DF_SUB, .cy = 9 * DF_SUB, .radius_px = 5};
    world->chest_count = 2;
    world->chests[0].state = CHEST_AWAY;
    world->chests[1].state = world->chests[2].state = CHEST_CLOSED;
    world->actors[CHEST_ACTORS + 1] = (struct df_actor){.x = 1, .y = 2, .w = 16, .h = 12};
    world->switch_count = 2;
    world->switches[0].on = 0;
    world->switches[1].on = 1;
    memset(world->broken, 0, sizeof world->broken);
    world->broken_words = 2;
    world->broken[0] = 1u << 31 | 1;
    world->broken[1] = world->broken[2] = 1u << 2;
    compare_json(status_json_frame(&snapshot), "'solids'",
                 "'solids':[[100,200,30,40,0],[101,201,31,41,1],[102,202,32,42,2],[103,203,33,43,3]],"
                 "'arrows':[[55,62,-3,4,2]],'balls':[[7,9,5]],'chests':[[1,2,16,12]],'switches':[false,true],"
                 "'broken':[0,31,34]}");
}

TEST(the_map_is_written_as_json)
{
    publish();
    struct map *shown = &snapshot.map;
    memset(shown->switches, 0, sizeof shown->switches);
    shown->switch_count = 2;
    shown->switches[0].box = (struct df_box){1, 2, 3, 4};
    shown->switches[0].kind = MAP_SWITCH_LEVER;
    shown->switches[1].box = shown->switches[2].box = (struct df_box){5, 6, 7, 8};
    shown->switches[1].kind = MAP_SWITCH_PLATE;
    shown->goal_count = 1;
    shown->goals[0] = shown->goals[1] = (struct map_goal){.column = 5, .row = 6, .columns = 7, .rows = 8, .team = 2};
    shown->theme = 3;
    char wanted[3000];
    int count = snprintf(wanted, sizeof wanted,
                         "{'maps':1,'name':'arena','theme':3,'columns':60,'rows':40,'edge':%d,"
                         "'switches':[[1,2,3,4,1],[5,6,7,8,0]],'goals':[[5,6,7,8,2]],'tiles':'",
                         MAP_EDGE_PX);
    for (size_t i = 0; i < 60u * 40u; i++)
        wanted[count++] = (char)('0' + shown->tiles[i]);
    strcpy(wanted + count, "'}");
    compare_json(status_json_map(&snapshot), "{", wanted);
}

static uint32_t fixed_rtt_ms;

static uint32_t known_rtt_ms(const struct transport *transport, uint32_t peer)
{
    (void)transport;
    return peer == 0 ? 3 : peer == MATCH_PEER_CAPACITY - 1 ? 150 : fixed_rtt_ms;
}

TEST(round_trips_are_sampled_once_a_second)
{
    static const struct {
        uint32_t rtt_ms, row;
    } rows[] = {{0, 0}, {5, 0}, {6, 1}, {10, 1}, {11, 2}, {50, 3}, {51, 4}, {500, 6}, {501, 7}, {1000, 7}, {1001, 8}};
    struct match *match = session.match;
    const struct transport_table *real = match->transport->table;
    struct transport_table table = *real;
    table.rtt_ms = known_rtt_ms;
    match->transport->table = &table;
    match->peers[9].state = PEER_PLAYING;
    match->peers[10].state = PEER_LOADING;
    uint64_t now_ns = 5000000000u, total = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixed_rtt_ms = rows[i].rtt_ms;
        total += fixed_rtt_ms;
        memset(publisher.snapshot.rtt_classes, 0, sizeof publisher.snapshot.rtt_classes);
        write_snapshot("x", now_ns);
        write_snapshot("x", now_ns + 999999999); // not yet again
        now_ns += 1000000000;
        for (uint32_t row = 0; row < STATUS_SNAPSHOT_RTT_CLASSES; row++)
            if (publisher.snapshot.rtt_classes[row] != (row == rows[i].row))
                fail_msg("%u ms is not only in bucket %u", rows[i].rtt_ms, rows[i].row);
        assert_int_equal(publisher.snapshot.rtt_count, i + 1);
        assert_int_equal(publisher.snapshot.rtt_ms_total, total);
    }
    match->peers[0].state = match->peers[MATCH_PEER_CAPACITY - 1].state = PEER_PLAYING;
    memset(publisher.snapshot.rtt_classes, 0, sizeof publisher.snapshot.rtt_classes);
    fixed_rtt_ms = 40;
    write_snapshot("x", now_ns);
    assert_memory_equal(publisher.snapshot.rtt_classes, ((uint64_t[]){1, 0, 0, 1, 0, 1, 0, 0}), 64); // each client once
    match->transport->table = real;
    match->peers[9].state = match->peers[10].state = PEER_FREE;
    match->peers[0].state = match->peers[MATCH_PEER_CAPACITY - 1].state = PEER_FREE;
}

TEST(only_a_change_of_map_is_counted)
{
    static const uint64_t hashes[] = {1, 1, 2, 2, 1};
    static const uint32_t maps[] = {1, 1, 2, 2, 3};
    for (size_t i = 0; i < 5; i++) {
        session.match->map_hash = hashes[i];
        write_snapshot("x", i);
        assert_int_equal(publisher.snapshot.maps, maps[i]);
        assert_int_equal(publisher.snapshot.written_ns, i);
    }
    pthread_mutex_lock(&publisher.lock); // a reader holds the lock: the tick does not wait
    write_snapshot("y", 99);
    pthread_mutex_unlock(&publisher.lock);
    assert_string_equal(publisher.snapshot.name, "x");
}

static void *try_lock(void *context)
{
    pthread_mutex_t *lock = context;
    bool is_free = pthread_mutex_trylock(lock) == 0;
    if (is_free)
        pthread_mutex_unlock(lock);
    return is_free ? context : NULL;
}

static bool is_free(pthread_mutex_t *lock)
{
    pthread_t thread;
    void *result;
    assert_int_equal(pthread_create(&thread, NULL, try_lock, lock), 0);
    pthread_join(thread, &result);
    return result != NULL;
}

// A recursive mutex counts how often it is held.
BARE_TEST(a_reader_takes_the_lock_and_gives_it_back)
{
    static struct status_publisher locked = STATUS_PUBLISHER_INITIAL;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&locked.lock, &recursive);
    locked.snapshot.written_ns = 5;
    pthread_mutex_lock(&locked.lock);
    status_snapshot_read(&locked, &snapshot);
    assert_int_equal(snapshot.written_ns, 5);
    assert_false(is_free(&locked.lock));
    pthread_mutex_unlock(&locked.lock);
    assert_true(is_free(&locked.lock));
    pthread_mutex_destroy(&locked.lock);
    pthread_mutexattr_destroy(&recursive);
}

// 989 ticks are short; of the others, each of 990th, 991st, 998th, 999th and 1000th is longer than those before.
TEST(permilles_are_of_all_ticks)
{
    static const uint32_t us[][2] = {{989, 10}, {1, 110}, {7, 210}, {1, 310}, {1, 410}, {1, 510}};
    publish();
    snapshot.status = (struct tick_stats){0};
    assert_int_equal(status_tick_us(&snapshot.status, 990), 0);
    for (size_t i = 0; i < sizeof us / sizeof *us; i++)
        for (uint32_t j = 0; j < us[i][0]; j++)
            status_count_tick(&snapshot.status, us[i][1] * 1000);
    char *text = write_status();
    assert_non_null(strstr(text, "{\"mean_us\":12,\"p99_us\":150,\"p999_us\":450,\"max_us\":510}"));
    free(text);
}
