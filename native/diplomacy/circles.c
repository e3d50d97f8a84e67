/* Decisions that depend on each other in a circle: the only solution, or the backup rules. */
#include "diplomacy/decisions.h"

#include <string.h>

enum { MOST_TRIED = 12 };

typedef struct {
    int n;
    uint8_t member[DP_PROVINCES];
} circle;

/* Whom each open decision asks, directly or through others. */
static void find_all_asked(const dp_decisions *d, bool asked[DP_PROVINCES][DP_PROVINCES]) {
    memset(asked, 0, sizeof(bool[DP_PROVINCES][DP_PROVINCES]));
    for (int k = 0; k < d->n; k++)
        if (d->answer[k] == DP_OPEN)
            dp_mark_dependencies(d, k, asked[k]);
    for (int via = 0; via < d->n; via++)
        for (int k = 0; k < d->n; k++)
            for (int end = 0; asked[k][via] && end < d->n; end++)
                asked[k][end] |= asked[via][end];
}

/* The decision with all it asks, if each of those asks it in turn; else none. */
static circle find_circle(const dp_decisions *d, bool asked[DP_PROVINCES][DP_PROVINCES], int unit) {
    circle c = {1, {(uint8_t)unit}};
    for (int k = 0; k < d->n; k++) {
        if (k == unit || !asked[unit][k])
            continue;
        if (!asked[k][unit])
            return (circle){0, {0}};
        c.member[c.n++] = (uint8_t)k;
    }
    return c;
}

static void assign(dp_decisions *d, const circle *c, unsigned yes) {
    for (int k = 0; k < c->n; k++)
        d->answer[c->member[k]] = yes >> k & 1 ? DP_YES : DP_NO;
}

static bool is_solution(const dp_decisions *d, const circle *c) {
    for (int k = 0; k < c->n; k++)
        if (dp_evaluate(d, c->member[k]) != d->answer[c->member[k]])
            return false;
    return true;
}

/* Takes the solution if there is just one. */
static bool solve(dp_decisions *d, const circle *c) {
    unsigned last = 0;
    int solutions = 0;
    for (unsigned yes = 0; c->n <= MOST_TRIED && yes < 1u << c->n; yes++) {
        assign(d, c, yes);
        if (is_solution(d, c)) {
            last = yes;
            solutions++;
        }
    }
    assign(d, c, last);
    return solutions == 1;
}

static bool has_verb(const dp_decisions *d, const circle *c, int verb) {
    for (int k = 0; k < c->n; k++)
        if (d->order[c->member[k]].verb == verb)
            return true;
    return false;
}

/* With a convoy in the circle, its fleets fail; otherwise its moves succeed. The rest follows. */
static void apply_backup_rule(dp_decisions *d, const circle *c) {
    bool convoy = has_verb(d, c, DP_CONVOY);
    for (int k = 0; k < c->n; k++) {
        int unit = c->member[k], verb = d->order[unit].verb;
        d->answer[unit] = DP_OPEN;
        if (convoy && verb == DP_CONVOY) {
            d->answer[unit] = DP_NO;
            d->disrupted[unit] = true;
        } else if (!convoy && (verb == DP_MOVE || !has_verb(d, c, DP_MOVE))) {
            d->answer[unit] = DP_YES;
        }
    }
}

void dp_break_circles(dp_decisions *d) {
    bool asked[DP_PROVINCES][DP_PROVINCES];
    find_all_asked(d, asked);
    for (int k = 0; k < d->n; k++) {
        if (d->answer[k] != DP_OPEN)
            continue;
        circle c = find_circle(d, asked, k);
        if (c.n && !solve(d, &c))
            apply_backup_rule(d, &c);
        if (c.n)
            return; /* what is known now may settle the rest */
    }
}
