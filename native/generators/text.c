/* Generated levels as the text that the framework plays: rows of characters. */
#include "generators/canvas.h"

static char *row_at(const gen_level *level, char *text, int y) {
    return text + (size_t)y * ((size_t)level->width + 1);
}

static char *char_at(const gen_level *level, char *text, int x, int y) {
    return row_at(level, text, y) + x;
}

/* ---- characters ------------------------------------------------------------------------------ */

void gen_characters_to_text(const gen_level *level, char *text) {
    for (int y = 0; y < level->height; y++) {
        char *row = row_at(level, text, y);
        for (int x = 0; x < level->width; x++) {
            uint8_t character = level->map[cell_at(level, x, y)];
            row[x] = character ? (char)character : '-';
        }
        row[level->width] = '\n';
    }
}

/* ---- map bytes ------------------------------------------------------------------------------- */

static char scenery_of(uint8_t tile) {
    if ((tile >= BYTE_HILL_TOP && tile < BYTE_HILL_TOP + 3)
        || (tile >= BYTE_HILL_OVERLAP && tile < BYTE_HILL_OVERLAP + 3))
        return '%';
    if (tile >= BYTE_HILL_BODY && tile < BYTE_HILL_BODY + 3)
        return '|';
    return tile >= 128 && tile < 192 ? 'X' : '-';
}

static char character_of(uint8_t tile) {
    switch (tile) {
    case BYTE_HIDDEN_COIN: return '2';
    case BYTE_HIDDEN_POWER_UP: return '1';
    case BYTE_USED: return 'D';
    case BYTE_STAIRS: return '#';
    case BYTE_PIPE_TOP: return '<';
    case BYTE_PIPE_TOP + 1: return '>';
    case BYTE_PIPE_BODY: return '[';
    case BYTE_PIPE_BODY + 1: return ']';
    case BYTE_MUZZLE: return 'B';
    case BYTE_NECK: case BYTE_POLE: return 'b';
    case BYTE_BRICK: return 'S';
    case BYTE_BRICK_COIN: return 'C';
    case BYTE_BRICK_POWER_UP: return 'U';
    case BYTE_QUESTION: case BYTE_QUESTION_COIN: case BYTE_QUESTION_COINS: return '!';
    case BYTE_QUESTION_POWER_UP: return '?';
    case BYTE_COIN: return 'o';
    default: return scenery_of(tile);
    }
}

static void put_tiles(const gen_level *level, char *text) {
    char characters[256];
    for (int tile = 0; tile < 256; tile++)
        characters[tile] = character_of((uint8_t)tile);
    for (int y = 0; y < level->height; y++) {
        char *row = row_at(level, text, y);
        for (int x = 0; x < level->width; x++)
            row[x] = characters[level->map[cell_at(level, x, y)]];
        row[level->width] = '\n';
    }
}

/* A pipe with a piranha is spelled t, with a T in its upper left. Broken pipes have none. */
static void put_flower(const gen_level *level, char *text, int x, int y) {
    if (get(level, x, y) != BYTE_PIPE_TOP || get(level, x + 1, y) != BYTE_PIPE_TOP + 1)
        return;
    int top = y;
    do
        memset(char_at(level, text, x, y), 't', 2);
    while (++y < level->height && get(level, x, y) == BYTE_PIPE_BODY
           && get(level, x + 1, y) == BYTE_PIPE_BODY + 1);
    *char_at(level, text, x, top) = 'T';
}

/* A walker stands where nothing else does: in an empty cell or before a hill. */
static void put_walker(const gen_level *level, char *text, int x, int y, uint8_t letter) {
    char *cell = char_at(level, text, x, y);
    if (*cell == '-' || *cell == '|')
        *cell = letter == GEN_WAVE_GOOMBA ? 'G' : (char)letter;
}

static void put_creatures(const gen_level *level, char *text) {
    for (int x = 0; x < level->width; x++)
        for (int y = 0; y < level->height; y++) {
            uint8_t letter = level->creatures[cell_at(level, x, y)];
            if (letter == GEN_PIRANHA)
                put_flower(level, text, x, y);
            else if (letter && letter != GEN_PRINCESS)
                put_walker(level, text, x, y, letter);
        }
}

/* Mario starts on the ground, in the column where the benchmarks drop him. */
static void put_start(const gen_level *level, char *text) {
    enum { START_COLUMN = 2 };
    int x = least(START_COLUMN, level->width - 1), y = level->height - 1;
    while (y > 0 && *char_at(level, text, x, y) != '-')
        y--;
    *char_at(level, text, x, y) = 'M';
}

/* The exit of a 2009 level is in the ground: its flag stands on it. */
static void put_exit(const gen_level *level, char *text) {
    int y = level->exit_y;
    while (y > 0 && *char_at(level, text, level->exit_x, y) == 'X')
        y--;
    *char_at(level, text, level->exit_x, y) = 'F';
}

void gen_bytes_to_text(const gen_level *level, char *text) {
    put_tiles(level, text);
    put_creatures(level, text);
    put_exit(level, text);
    put_start(level, text);
}
