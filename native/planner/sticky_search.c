/* An A* search over sequences of decisions, each followed in time and with faults. */
#include "planner/sticky_search.h"

#include <stdlib.h>
#include <string.h>

#include "platformer/heap.h"

enum { OUTCOMES = 1 + STICKY_FAULTS }; /* the first is in time */
enum { FINE = 64 }; /* parts of a tick that costs count */

/* What a search knows of Mario. */
typedef struct {
    float x, y, vx, to_go;
    int32_t status;
    int16_t jump_time;
    uint8_t on_ground, may_jump, mode, moves;
} mario_state;

/* Memory for a world that is free to be used again; glibc would give it back and ask for it anew all the time. */
typedef struct spare {
    struct spare *next;
    size_t size;
} spare;

typedef struct {
    spare *worlds[OUTCOMES]; /* each with a world behind it, kept without events; NULL once nothing follows from them */
    mario_state marios[OUTCOMES];
    float risk; /* the probability that he does not live */
    int32_t parent, ticks;
    uint8_t action, n_faults, alive; /* alive: a bit for each outcome that is followed */
    uint8_t followed[OUTCOMES];      /* decisions since the fault */
} plan_node;

struct sticky_memory {
    pf_world *work;
    spare *spares;
    plan_node *nodes;
    sv_queue queue;
    sv_seen seen;
};

typedef struct {
    const sticky_terms *terms;
    const planner_way *way;
    const sticky_start *start;
    sticky_memory *memory;
    plan_node *nodes;
    int32_t n_nodes, played, rest, deepest;
    float floor, rest_to_go;
} search_t;

/* ---- memory -------------------------------------------------------------------------------- */

/* Nodes of a search and of what looks for a rest after it. */
static size_t count_nodes(const sticky_terms *terms) {
    return (size_t)terms->nodes + (size_t)STICKY_MOVES * (size_t)(terms->rest + 1) + 1;
}

sticky_memory *sticky_memory_new(const sticky_terms *terms, const pf_world *root) {
    sticky_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    memory->work = pf_world_clone(root);
    memory->nodes = malloc(count_nodes(terms) * sizeof *memory->nodes);
    if (memory->work && memory->nodes && sv_seen_begin(&memory->seen))
        return memory;
    sticky_memory_free(memory);
    return NULL;
}

void sticky_memory_free(sticky_memory *memory) {
    if (!memory)
        return;
    for (spare *next; memory->spares; memory->spares = next) {
        next = memory->spares->next;
        free(memory->spares);
    }
    free(memory->nodes);
    free(memory->queue.entries);
    sv_seen_end(&memory->seen);
    pf_free(memory->work);
    free(memory);
}

static void drop_worlds(sticky_memory *memory, plan_node *node) {
    for (int k = 0; k < OUTCOMES; k++) {
        spare *world = node->worlds[k];
        node->worlds[k] = NULL;
        if (world) {
            world->next = memory->spares;
            memory->spares = world;
        }
    }
}

/* Makes the memory fit for the next search. */
static void clear_memory(search_t *s) {
    for (int32_t k = 0; k < s->n_nodes; k++)
        drop_worlds(s->memory, &s->nodes[k]);
    s->memory->queue.n = 0;
    s->memory->seen.n = 0;
    memset(s->memory->seen.keys, 0, s->memory->seen.capacity * sizeof *s->memory->seen.keys);
}

/* ---- worlds -------------------------------------------------------------------------------- */

/* A piece of memory of at least this size; NULL if there is none. */
static spare *take_piece(sticky_memory *memory, size_t size) {
    spare *piece = memory->spares;
    if (piece)
        memory->spares = piece->next;
    if (piece && piece->size >= size)
        return piece;
    free(piece);
    piece = malloc(sizeof *piece + size);
    if (piece)
        piece->size = size;
    return piece;
}

/* Returns a copy without events; NULL if memory ran out. */
static spare *keep(sticky_memory *memory, const pf_world *w) {
    size_t size = (size_t)w->sprites_at + (size_t)w->n_sprites * sizeof(pf_sprite);
    spare *piece = take_piece(memory, size + 8 * sizeof(pf_sprite));
    if (piece) {
        pf_world *kept = (pf_world *)(void *)(piece + 1);
        memcpy(kept, w, size);
        kept->n_events = 0;
    }
    return piece;
}

static mario_state mario_of(const search_t *s, const pf_world *w) {
    const pf_mario *m = &w->mario;
    float to_go = w->status == PF_WIN ? 0 : planner_way_ticks(s->way, w);
    return (mario_state){m->body.x, m->body.y, m->body.vx, to_go, w->status, (int16_t)m->jump_time,
                           m->body.on_ground, m->may_jump, (uint8_t)pf_mode(m), (uint8_t)sticky_count_moves(w)};
}

/* Plays a decision in one outcome, from a kept world to the world at work. */
static bool play(search_t *s, const pf_world *from, unsigned before, unsigned action, int late) {
    pf_world **work = &s->memory->work;
    pf_copy(*work, from, (*work)->sprite_capacity);
    for (int t = 0; t < s->terms->skip && (*work)->status == PF_RUNNING; t++) {
        if (!pf_make_room(work))
            return false;
        pf_step(*work, t < late ? before : action);
    }
    return true;
}

static const pf_world *world_of(const plan_node *node, int k) {
    return (const pf_world *)(const void *)(node->worlds[k] + 1);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static bool goes_on(const search_t *s, const mario_state *m) {
    return m->status == PF_WIN || (m->status == PF_RUNNING && m->y <= s->floor);
}

static bool stands(const mario_state *m) { return m->on_ground || m->status == PF_WIN; }

/* Follows a decision in an outcome, from that of another node: 1 if Mario survives it, 0 if not, -1 if memory ran
 * out. */
static int follow_outcome(search_t *s, const plan_node *node, int from, plan_node *child, int k, int late) {
    s->played++;
    if (!play(s, world_of(node, from), node->action, child->action, late))
        return -1;
    child->marios[k] = mario_of(s, s->memory->work);
    if (!goes_on(s, &child->marios[k]))
        return 0;
    child->alive |= (uint8_t)(1u << k);
    child->followed[k] = (uint8_t)(k == from ? node->followed[k] + 1 : 1);
    return (child->worlds[k] = keep(s->memory, s->memory->work)) ? 1 : -1;
}

/* Whether a fault that is followed no longer is the end of Mario: he falls where no way leads on. */
static bool is_lost(const search_t *s, const plan_node *node, int k) {
    const mario_state *m = &node->marios[k];
    return node->followed[k] == s->terms->follow && !stands(m) && m->to_go > s->start->lost;
}

/* Follows the faults of a node, and that of this decision if it changes buttons; false if memory ran out. */
static bool follow_faults(search_t *s, const plan_node *node, plan_node *child) {
    for (int k = 1; k <= node->n_faults; k++) {
        bool due = node->alive >> k & 1 && node->followed[k] < s->terms->follow;
        int survives = due ? follow_outcome(s, node, k, child, k, 0) : 1;
        child->risk += !survives || (due && survives > 0 && is_lost(s, child, k)) ? s->terms->fault : 0;
        if (survives < 0)
            return false;
    }
    if (child->action == node->action || node->n_faults == s->terms->faults)
        return true;
    int survives = follow_outcome(s, node, 0, child, ++child->n_faults, s->terms->late);
    child->risk += survives ? 0 : s->terms->fault;
    return survives >= 0;
}

/* Follows a decision: 1 if Mario survives if nothing is late, 0 if not, -1 if memory ran out. */
static int follow(search_t *s, const plan_node *node, unsigned action, plan_node *child) {
    *child = (plan_node){.parent = (int32_t)(node - s->nodes), .ticks = node->ticks + s->terms->skip,
                         .action = (uint8_t)action, .n_faults = node->n_faults, .risk = node->risk};
    int survives = follow_outcome(s, node, 0, child, 0, 0);
    return survives > 0 && !follow_faults(s, node, child) ? -1 : survives;
}

/* What makes two nodes alike enough to follow only the first of them. */
static uint64_t likeness(const plan_node *node) {
    const mario_state *m = &node->marios[0];
    const int parts[] = {(int)m->x >> 2, (int)m->y >> 2, (int)(m->vx + 64.5f), m->jump_time, m->may_jump,
                         node->action, node->alive, (int)(node->risk * 256), node->ticks >> 4};
    uint64_t key = 0x9e3779b97f4a7c15u;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        key = (key ^ (uint64_t)(uint32_t)parts[k]) * 0xff51afd7ed558ccdu, key ^= key >> 32;
    return key;
}

/* What a wounded Mario and the faults that nobody survives count as, in ticks. */
static float count_harm(const search_t *s, const plan_node *node) {
    int wounds = s->start->mode - node->marios[0].mode;
    return s->terms->wound * (float)(wounds > 0 ? wounds : 0) + node->risk * s->terms->death;
}

static float cost_to_go(const search_t *s, const plan_node *node, float greed) {
    return greed * node->marios[0].to_go + count_harm(s, node);
}

static int32_t loss(const search_t *s, const plan_node *node) {
    return (int32_t)(FINE * ((float)node->ticks + cost_to_go(s, node, s->terms->greed)));
}

static bool arrives(const search_t *s, const plan_node *node) {
    const mario_state *m = &node->marios[0];
    return m->status == PF_WIN || (m->on_ground && m->to_go <= s->start->goal);
}

/* Remembers the node that is nearest to the exit with firm footing. */
static void note_rest(search_t *s, const plan_node *node) {
    for (int k = 0; k <= node->n_faults; k++)
        if (node->alive >> k & 1 && !stands(&node->marios[k]))
            return;
    float rest_to_go = cost_to_go(s, node, 1);
    if (node->ticks < s->terms->rest * s->terms->skip || (s->rest >= 0 && rest_to_go >= s->rest_to_go))
        return;
    s->rest = (int32_t)(node - s->nodes);
    s->rest_to_go = rest_to_go;
}

static void note_depth(search_t *s, const plan_node *node) {
    if (node->ticks > s->nodes[s->deepest].ticks)
        s->deepest = (int32_t)(node - s->nodes);
}

/* ---- the search ---------------------------------------------------------------------------- */

/* Puts a node into the queue unless one like it was there; false if memory ran out. */
static bool add(search_t *s, plan_node *child) {
    int fresh = sv_seen_add(&s->memory->seen, likeness(child));
    if (fresh <= 0) {
        drop_worlds(s->memory, child);
        return fresh == 0;
    }
    s->nodes[s->n_nodes] = *child;
    note_depth(s, &s->nodes[s->n_nodes]);
    return sv_queue_push(&s->memory->queue, loss(s, child), (uint32_t)s->n_nodes++);
}

enum { WALKS = STICKY_MOVES / 2 };

int sticky_count_moves(const pf_world *world) {
    const pf_mario *m = &world->mario;
    return m->may_jump || m->jump_time > 0 || pf_elements_of(world)->climbing ? STICKY_MOVES : WALKS;
}

unsigned sticky_move(int number) {
    static const uint8_t walks[WALKS] = {PF_RIGHT | PF_SPEED, PF_RIGHT, 0, PF_LEFT, PF_LEFT | PF_SPEED};
    return number < WALKS ? walks[number] : walks[number - WALKS] | (unsigned)PF_JUMP;
}

static bool expand(search_t *s, int32_t number) {
    int moves = s->nodes[number].marios[0].moves;
    for (int k = 0; k < moves && s->n_nodes < s->terms->nodes; k++) {
        plan_node child;
        int survives = follow(s, &s->nodes[number], sticky_move(k), &child);
        if (survives > 0 ? !add(s, &child) : (drop_worlds(s->memory, &child), survives < 0))
            return false;
    }
    if (number)
        drop_worlds(s->memory, &s->nodes[number]);
    return true;
}

/* The buttons that bring Mario to a stop. */
static unsigned brake(const mario_state *mario) { return mario->vx > 1 ? PF_LEFT : mario->vx < -1 ? PF_RIGHT : 0; }

/* Looks whether Mario can stand after one move and braking, which a search for the fastest way overlooks. */
static bool try_to_stop(search_t *s, unsigned move) {
    int32_t number = 0;
    for (int step = 0; step < s->terms->rest; step++) {
        unsigned action = step ? brake(&s->nodes[number].marios[0]) : move;
        plan_node child;
        int survives = follow(s, &s->nodes[number], action, &child);
        if (survives <= 0) {
            drop_worlds(s->memory, &child);
            return survives == 0;
        }
        number = s->n_nodes++;
        s->nodes[number] = child;
        note_depth(s, &s->nodes[number]);
    }
    note_rest(s, &s->nodes[number]);
    return true;
}

static bool look_for_rest(search_t *s) {
    for (int k = 0; s->terms->rest > 0 && k < s->nodes[0].marios[0].moves; k++)
        if (!try_to_stop(s, sticky_move(k)))
            return false;
    return true;
}

static void write_plan(const search_t *s, int32_t node, enum sticky_verdict verdict, sticky_plan *plan) {
    int n = 0;
    for (int32_t at = node; s->nodes[at].parent >= 0; at = s->nodes[at].parent)
        n++;
    plan->verdict = verdict;
    plan->cost = (float)s->nodes[node].ticks + cost_to_go(s, &s->nodes[node], 1);
    plan->n_decisions = n < STICKY_DECISIONS ? n : STICKY_DECISIONS;
    for (int32_t at = node; n-- > 0; at = s->nodes[at].parent)
        if (n < STICKY_DECISIONS)
            plan->decisions[n] = s->nodes[at].action;
}

static bool run(search_t *s, sticky_plan *plan) {
    if (arrives(s, &s->nodes[0])) {
        write_plan(s, 0, STICKY_ARRIVES, plan);
        return true;
    }
    if (!expand(s, 0))
        return false;
    while (s->memory->queue.n && s->played < s->terms->nodes) {
        int32_t number = (int32_t)sv_queue_pop(&s->memory->queue);
        if (arrives(s, &s->nodes[number])) {
            write_plan(s, number, STICKY_ARRIVES, plan);
            return true;
        }
        note_rest(s, &s->nodes[number]);
        if (!expand(s, number))
            return false;
    }
    if (!look_for_rest(s))
        return false;
    if (s->rest >= 0)
        write_plan(s, s->rest, STICKY_RESTS, plan);
    else if (s->memory->queue.n)
        write_plan(s, s->deepest, STICKY_LIVES, plan);
    return true;
}

static bool begin(search_t *s) {
    const pf_world *root = s->start->world;
    s->floor = (float)(PF_TILE * root->level->height);
    s->n_nodes = 1;
    s->nodes[0] = (plan_node){.parent = -1, .action = (uint8_t)s->start->pressed, .alive = 1};
    s->nodes[0].marios[0] = mario_of(s, root);
    s->nodes[0].worlds[0] = keep(s->memory, root);
    return s->nodes[0].worlds[0] && pf_world_restore(&s->memory->work, root);
}

bool sticky_search(sticky_memory *memory, const planner_way *way, const sticky_terms *terms,
                   const sticky_start *start, sticky_plan *plan) {
    search_t s = {.terms = terms, .way = way, .start = start, .memory = memory, .nodes = memory->nodes, .rest = -1};
    *plan = (sticky_plan){0};
    bool good = begin(&s) && run(&s, plan);
    plan->nodes = s.played;
    clear_memory(&s);
    return good;
}
