/* Scripted players: what places are worth, plans made of that, and players who try plans out.
 *
 * After the rules of David Norman's DumbBot (2002), written anew: every place has a value, and every unit goes
 * where it is highest. Nothing here allocates, and a game is the same on every machine.
 */
#ifndef LUDUS_DIPLOMACY_BOTS_H
#define LUDUS_DIPLOMACY_BOTS_H

#include "diplomacy/board.h"

/* How a player weighs things. Pairs are for spring and winter, and for fall. */
typedef struct {
    uint8_t attack[2], defence[2]; /* others' centres, and its own */
    uint8_t careless;              /* per cent of chance to look at the next best place at all */
    uint16_t contrast;             /* how much a difference keeps it from going there, per cent of a value */
    bool hunts_weak;               /* centres are worth more the fewer their owner has */
    bool gangs_up;                 /* attacks centres together, and supports attacks instead of walking */
} dp_temper;

enum dp_temper_name { DP_BALANCED, DP_AGGRESSIVE, DP_TEMPERS };
extern const dp_temper dp_tempers[DP_TEMPERS];

enum { DP_LANES = 8 };
/* What every place is worth to each power for an army and a fleet; and the most units that any one other power
 * has in or next to a province. */
typedef struct {
    int32_t values[2][DP_LOCATIONS][DP_LANES];
    uint8_t rivals[DP_PROVINCES][DP_LANES];
    int8_t owner[DP_PROVINCES]; /* of a centre; DP_POWERS if nobody's, -1 if there is none */
} dp_worth;
/* Values spread so many times less one: all of them, or fewer where a guess will do. */
enum { DP_SPREADS = 10, DP_FEW_SPREADS = 4 };
void dp_find_worth(const dp_board *board, const dp_temper *temper, int spreads, dp_worth *worth);

/* Draws the orders of a power; all of them are legal. Returns how many there are, DP_PROVINCES at most. */
int dp_plan_orders(const dp_board *board, const dp_worth *worth, int power, const dp_temper *temper,
                   uint64_t *random, dp_order *orders);

/* ---- looking ahead ------------------------------------------------------------------------------- */

/* The orders of one power. */
typedef struct {
    int n;
    dp_order orders[DP_PROVINCES];
} dp_plan;

/* What the plans of a position are drawn from. */
typedef struct {
    const dp_board *board;
    dp_worth worth[DP_TEMPERS];
} dp_outlook;
void dp_look(const dp_board *board, dp_outlook *outlook);
/* Draws a plan of a power in a temper. */
void dp_draw_plan(const dp_outlook *outlook, int power, int temper, uint64_t *random, dp_plan *plan);
/* Draws different plans, of both tempers; returns how many were found. */
int dp_draw_plans(const dp_outlook *outlook, int power, int n, uint64_t *random, dp_plan *plans);

/* Plays a plan of each power, lets everybody go on by plans for so many winters, and writes what came of it
 * for each power: 100 for a centre, and less for units and for nobody being too large. */
void dp_roll_out(const dp_board *board, const dp_plan *const plans[DP_POWERS], int winters, uint64_t *random,
                 int32_t values[DP_POWERS]);

/* Plans of one power that are tried against guesses of what the others do. */
enum { DP_MOST_PLANS = 48 };
typedef struct {
    const dp_board *board;
    int power, winters, n;
    dp_plan plans[DP_MOST_PLANS];
    int64_t total[DP_MOST_PLANS];
    uint8_t left[DP_MOST_PLANS]; /* those that are still tried, best first */
} dp_trial;
/* Draws a guess of another power's plan, which may lie in `room`. */
typedef const dp_plan *dp_guesser(const void *known, int power, uint64_t *random, dp_plan *room);
/* Tries every plan once, the better half twice more, half of those four times more, until one is left. */
const dp_plan *dp_find_best(dp_trial *trial, dp_guesser *guess, const void *known, uint64_t *random);

/* Changes one or two orders of a plan, to another move, a hold, or a support of what own units do. */
void dp_vary_plan(const dp_order *legal, const dp_groups *groups, uint64_t *random, dp_plan *plan);

/* Players of movement phases, who look so many winters ahead; in other phases they play a plan. Each returns how
 * many orders there are. */
int dp_search_orders(const dp_board *board, int power, int winters, uint64_t *random, dp_order *orders);
int dp_match_regrets(const dp_board *board, int power, int winters, uint64_t *random, dp_order *orders);

enum dp_bot { DP_DUMB, DP_DUMB_AGGRESSIVE, DP_SEARCH, DP_REGRET, DP_BOTS };
/* Writes a bot's orders for a power, DP_PROVINCES at most, and returns how many there are. Those that do not look
 * ahead take no notice of the winters. */
int dp_choose_orders(const dp_board *board, enum dp_bot bot, int power, int winters, uint64_t *random,
                     dp_order *orders);

#endif
