/* Ladders, keys, locks, switches, doors and moving platforms: what the rule set "ludus" adds to
 * Mario's update. Included by rules_framework.c, whose tiles, probes and events it uses. */

enum { CLIMB_SPEED = 4 };

PF_INLINE bool is_ladder(int tile) { return tile == PF_LADDER || tile == PF_LADDER_TOP; }

/* Number of the colour that a tile has in this family, or -1. */
PF_INLINE int colour_in(int tile, int family) {
    int colour = tile - family;
    return colour >= 0 && colour < PF_COLOURS ? colour : -1;
}

PF_INLINE int count_tiles(const pf_world *w) { return w->level->width * w->level->height; }

/* ---- ladders -------------------------------------------------------------------------------- */

/* JUMP climbs, DOWN descends, and whoever holds on to a ladder does not fall. */
static bool climb(pf_world *w, unsigned action) {
    pf_mario *m = &w->mario;
    pf_body *b = &m->body;
    int column = tile_at(b->x), row = tile_at(b->y);
    bool down = action & PF_DOWN, up = action & PF_JUMP;
    if (down && b->on_ground && block(w, column, tile_at(b->y + 1)) == PF_LADDER_TOP) {
        b->y += 2; /* through the rung he stands on */
        row = tile_at(b->y);
        m->climbing = 1;
    }
    if (!is_ladder(block(w, column, row)))
        m->climbing = 0;
    else if (up)
        m->climbing = 1;
    else if (b->on_ground && !down)
        m->climbing = 0;
    if (!m->climbing)
        return false;
    m->jump_time = 0;
    b->vy = up ? -CLIMB_SPEED : down ? CLIMB_SPEED : 0;
    return true;
}

/* ---- keys, locks, switches, doors ------------------------------------------------------------ */

/* Opens the lock at tile k and all of its colour that hang together with it. */
static PF_COLD void open_lock(pf_world *w, int k) {
    enum { OPENING = 255 };
    uint8_t *tiles = pf_tiles(w), lock = tiles[k];
    int n = count_tiles(w), height = w->level->height;
    bool more = true;
    tiles[k] = OPENING;
    while (more) {
        more = false;
        for (int t = 0; t < n; t++) {
            bool beside = (t % height > 0 && tiles[t - 1] == OPENING)
                          || (t % height < height - 1 && tiles[t + 1] == OPENING)
                          || (t >= height && tiles[t - height] == OPENING)
                          || (t + height < n && tiles[t + height] == OPENING);
            if (tiles[t] == lock && beside) {
                tiles[t] = OPENING;
                more = true;
            }
        }
    }
    for (int t = 0; t < n; t++)
        tiles[t] = tiles[t] == OPENING ? 0 : tiles[t];
}

/* Mario was stopped by tile (i, j). */
PF_INLINE void run_into(pf_world *w, int i, int j) {
    int colour = colour_in(block(w, i, j), PF_LOCK);
    if (PF_LIKELY(colour < 0) || !w->mario.keys[colour])
        return;
    w->mario.keys[colour]--;
    emit(w, PF_BUMP, PF_LOCK + colour);
    open_lock(w, clamp_column(w->level, i) * w->level->height + j);
}

static PF_COLD void toggle(pf_world *w, int colour) {
    uint8_t *tiles = pf_tiles(w);
    for (int k = 0; k < count_tiles(w); k++) {
        if (tiles[k] == PF_DOOR_CLOSED + colour || tiles[k] == PF_SWITCH + colour)
            tiles[k] += PF_COLOURS;
        else if (tiles[k] == PF_DOOR_OPEN + colour || tiles[k] == PF_SWITCH_PRESSED + colour)
            tiles[k] -= PF_COLOURS;
    }
    emit(w, PF_BUMP, PF_SWITCH + colour);
}

static void touch_tile(pf_world *w, int i, int j, int *touched) {
    pf_mario *m = &w->mario;
    int tile = block(w, i, j), key = colour_in(tile, PF_KEY), at = i * w->level->height + j + 1;
    int colour = tile >= PF_SWITCH_PRESSED ? colour_in(tile, PF_SWITCH_PRESSED)
                                           : colour_in(tile, PF_SWITCH);
    if (key >= 0) {
        m->keys[key] += m->keys[key] < 255;
        emit(w, PF_COLLECT, tile);
        set_block(w, i, j, 0);
    }
    if (colour < 0)
        return;
    if (m->switch_touched == 0 && *touched == 0)
        toggle(w, colour);
    *touched = at;
}

/* Mario takes the keys and presses the switches that his body covers; a switch that he goes on
 * touching stays as it is. */
PF_INLINE void touch_elements(pf_world *w) {
    const pf_body *b = &w->mario.body;
    int first = tile_at(b->x - (float)b->half_width), last = tile_at(b->x + (float)b->half_width);
    int top = tile_at(b->y - (float)b->height + 1), bottom = tile_at(b->y), touched = 0;
    for (int i = first; i <= last; i++)
        for (int j = top; j <= bottom; j++)
            if (PF_UNLIKELY(block(w, i, j) >= PF_KEY))
                touch_tile(w, i, j, &touched);
    w->mario.switch_touched = touched;
}

/* ---- moving platforms ------------------------------------------------------------------------ */

/* The platform that Mario stands on takes him along. */
PF_INLINE void ride(pf_world *w) {
    pf_mario *m = &w->mario;
    if (PF_LIKELY(!m->riding))
        return;
    const pf_platform *p = pf_platforms(w->level) + m->riding - 1;
    int x, y, x_before, y_before;
    pf_platform_at(p, w->tick, &x, &y);
    pf_platform_at(p, w->tick - 1, &x_before, &y_before);
    float vx = m->body.vx, vy = m->body.vy;
    uint8_t on_ground = m->body.on_ground;
    move_x(w, &m->body, (float)(x - x_before), MOVES_AS_MARIO, false);
    mario_move_y(w, (float)(y - y_before));
    m->body.vx = vx;
    m->body.vy = vy;
    m->body.on_ground = on_ground;
}

/* Whether nothing solid is where his head would be with his feet at y. */
static bool has_headroom(const pf_world *w, float y) {
    const pf_body *b = &w->mario.body;
    float edge = (float)b->half_width;
    int row = tile_at(y - (float)b->height);
    return !solid(w, tile_at(b->x - edge), row, FEATURE_ALL)
           && !solid(w, tile_at(b->x + edge), row, FEATURE_ALL);
}

static bool lands_on(const pf_world *w, const pf_platform *p, float y_before, float *top) {
    const pf_body *b = &w->mario.body;
    int x, y, x_before, before;
    pf_platform_at(p, w->tick, &x, &y);
    pf_platform_at(p, w->tick - 1, &x_before, &before);
    float edge = (float)b->half_width, highest = (float)(y > before ? y : before);
    *top = (float)y - 1;
    return b->x + edge > (float)x && b->x - edge < (float)(x + p->width) && y_before <= highest - 1
           && b->y >= *top && has_headroom(w, *top);
}

/* Whoever falls through the top of a platform stands on it. */
PF_INLINE void land_on_platforms(pf_world *w, float y_before) {
    pf_mario *m = &w->mario;
    m->riding = 0;
    if (PF_LIKELY(!w->level->n_platforms) || m->body.vy < 0 || m->body.on_ground)
        return;
    for (int k = 0; k < w->level->n_platforms; k++) {
        float top;
        if (lands_on(w, pf_platforms(w->level) + k, y_before, &top)) {
            m->body.y = top;
            m->body.on_ground = 1;
            m->riding = k + 1;
            return;
        }
    }
}
