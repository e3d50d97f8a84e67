/* Diplomacy on the standard map: a board, the orders that are legal on it, and what comes of them.
 *
 * A board is one flat piece of memory: copying it clones the game. Nothing here allocates, there are no
 * variables outside functions, and everything but batch.c compiles freestanding. Orders are numbers
 * that sort as their texts do (orders.c). Movement is solved as a system of decisions, after
 * L. Kruijswijk, "The Math of Adjudication": see decisions.h.
 */
#ifndef LUDUS_DIPLOMACY_H
#define LUDUS_DIPLOMACY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The identity of the behaviour: whoever changes what a step does gives it the next number. */
#define DP_RULES "diplomacy"
enum { DP_VERSION = 3 };

enum {
    DP_POWERS = 7,
    DP_PROVINCES = 75,
    DP_LOCATIONS = 81,
    DP_CENTRES = 34,
    DP_TO_WIN = 18,
    DP_LAST_YEAR = 2000,
};

enum dp_season { DP_SPRING, DP_FALL, DP_WINTER };
enum dp_kind { DP_MOVEMENT, DP_RETREATS, DP_ADJUSTMENTS, DP_OVER };

/* Rules that old games were played by; new ones have none of them. */
enum dp_options {
    DP_HOME_DISORDER = 1,   /* civil disorder measures the way to the homes, fleets go by sea */
    DP_GROWTH_TO_WIN = 2,   /* only who has more centres than a year ago wins */
};

/* A unit: its location, and DP_FLEET if it is no army. */
typedef uint8_t dp_unit;
enum { DP_FLEET = 128 };

typedef struct {
    uint8_t owner;
    dp_unit unit;
} dp_piece;

/* A dislodged unit; bit k of places stands for the k-th of its moves. */
typedef struct {
    uint8_t owner;
    dp_unit unit;
    uint16_t places;
} dp_dislodged;

/* Units, centres and influence are in the order of the powers, and within a power in that of history. */
typedef struct {
    int16_t year;
    uint8_t season, kind, options;
    uint8_t victors; /* a bit for each power, once the game is over */
    uint8_t n_units, n_dislodged, n_destroyed;
    uint8_t n_centres[DP_POWERS], n_influence[DP_POWERS];
    uint8_t centres[DP_CENTRES], influence[DP_PROVINCES];
    dp_piece units[DP_PROVINCES];
    dp_piece destroyed[DP_PROVINCES]; /* in the last movement, and not reported yet */
    dp_dislodged dislodged[DP_PROVINCES];
} dp_board;

/* The usual start, in the spring of a year. */
void dp_begin(dp_board *board, int year, int options);

/* ---- setting up a position: false if there is no such place, or it is taken -------------------- */

void dp_clear(dp_board *board, int year, enum dp_season season, enum dp_kind kind);
bool dp_add_unit(dp_board *board, int power, dp_unit unit);
bool dp_add_dislodged(dp_board *board, int power, dp_unit unit);
/* One more place that the unit dislodged last may retreat to. */
bool dp_add_place(dp_board *board, int location);
bool dp_add_destroyed(dp_board *board, int power, dp_unit unit);
bool dp_add_centre(dp_board *board, int power, int province);
bool dp_add_influence(dp_board *board, int power, int province);

/* ---- orders ------------------------------------------------------------------------------------ */

/* Unit, verb, the other unit, destination plus one, by convoy: the fields of an order from high to low. */
typedef uint32_t dp_order;

enum dp_verb { DP_MOVE, DP_BUILD, DP_CONVOY, DP_DISBAND, DP_HOLD, DP_RETREAT, DP_SUPPORT, DP_WAIVE };

typedef struct {
    dp_unit unit, other;
    uint8_t verb;
    int8_t to; /* a location, or -1 */
    bool via;
} dp_parts;

/* What the next destination, and the next other unit, add to an order. */
enum { DP_NEXT_PLACE = 1 << 1, DP_NEXT_UNIT = 1 << 8 };

enum { DP_TEXT = 32 };
dp_order dp_pack_order(dp_parts parts);
dp_parts dp_unpack_order(dp_order order);
/* Writes the text into DP_TEXT characters and returns its length. */
int dp_write_order(dp_order order, char *text);
int dp_write_unit(dp_unit unit, char *text);
/* Reads a text in exactly that form; -1 if it is none. */
int64_t dp_read_order(const char *text);
int dp_read_unit(const char *text);
int dp_read_location(const char *text);

/* Whether a unit of this kind can stand there. */
bool dp_is_unit(int unit);

/* All legal orders: groups in the order of the provinces, sorted within each. */
typedef struct {
    int n, n_groups;
    uint8_t province[DP_PROVINCES], owner[DP_PROVINCES];
    int32_t end[DP_PROVINCES];
} dp_groups;
/* Writes at most capacity orders; groups->n says how many there are. */
void dp_list_orders(const dp_board *board, dp_order *orders, int capacity, dp_groups *groups);
/* Whether a power may give this order. Besides what is listed: a move by sea that does not say so, and the
 * support of one by the only fleet that could carry it. */
bool dp_is_legal(const dp_board *board, int power, dp_order order);

/* ---- the game ---------------------------------------------------------------------------------- */

enum dp_code { DP_DONE, DP_BOUNCE, DP_NO_CONVOY, DP_VOID, DP_CUT, DP_DISLODGED, DP_DISRUPTED, DP_DISBANDED };

typedef struct {
    dp_unit unit;
    uint8_t n;
    uint8_t codes[3];
} dp_result;

enum { DP_MOST_RESULTS = 3 * DP_PROVINCES };
typedef struct {
    int n;
    dp_result each[DP_MOST_RESULTS];
} dp_results;

/* Adjudicates legal orders and goes on to the next phase. Of several orders for a unit the last counts;
 * builds and disbands are done in their order until there are enough. `results` may be NULL. */
void dp_step(dp_board *board, const dp_order *orders, int n, dp_results *results);

/* Centres less units in winter; 0 otherwise. What can be built is limited by the open homes, too. */
int dp_adjustment(const dp_board *board, int power);
/* The home centres where a power can build now, in the order of its homes; returns how many. */
int dp_open_homes(const dp_board *board, int power, uint8_t *provinces);
int dp_count_units(const dp_board *board, int power);

/* ---- states ------------------------------------------------------------------------------------ */

enum { DP_DIGEST_VERSION = 1 };
/* A 64-bit digest of all that decides how the game goes on. */
uint64_t dp_hash(const dp_board *board);

size_t dp_saved_size(void);
void dp_save(const dp_board *board, uint8_t *bytes);
/* Why these bytes are no saved board, or NULL. */
const char *dp_check_saved(const uint8_t *bytes, size_t size);
void dp_load(dp_board *board, const uint8_t *bytes);

/* ---- random play ------------------------------------------------------------------------------- */

enum { DP_MOST_ORDERS = 1 << 16, DP_USUAL_ORDERS = 4096 };
/* Draws a legal order for each group, or as many as winter asks for; returns how many. */
int dp_draw_orders(const dp_board *board, uint64_t *random, dp_order *orders);

#endif
