/* Orders as numbers and as texts. The fields lie so that numbers sort as texts do. */
#include "diplomacy/map.h"

#include <string.h>

enum { UNIT_AT = 19, VERB_AT = 16, OTHER_AT = 8, TO_AT = 1 };
_Static_assert(DP_NEXT_PLACE == 1 << TO_AT && DP_NEXT_UNIT == 1 << OTHER_AT, "fields lie as the header says");

static const char VERBS[] = {'-', 'B', 'C', 'D', 'H', 'R', 'S', 'W'};

dp_order dp_pack_order(dp_parts p) {
    return (dp_order)p.unit << UNIT_AT | (dp_order)p.verb << VERB_AT | (dp_order)p.other << OTHER_AT
        | (dp_order)(p.to + 1) << TO_AT | (dp_order)p.via;
}

dp_parts dp_unpack_order(dp_order order) {
    return (dp_parts){
        .unit = (dp_unit)(order >> UNIT_AT),
        .verb = order >> VERB_AT & 7,
        .other = (dp_unit)(order >> OTHER_AT),
        .to = (int8_t)((int)(order >> TO_AT & 127) - 1),
        .via = order & 1,
    };
}

bool dp_is_unit(int unit) {
    return unit >= 0 && unit < 256 && dp_location((dp_unit)unit) < DP_LOCATIONS
        && DP_OF(dp_n_moves, (dp_unit)unit) > 0;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static char *write_text(char *to, const char *text) {
    while (*text)
        *to++ = *text++;
    *to = 0;
    return to;
}

static char *write_unit(char *to, dp_unit unit) {
    to = write_text(to, dp_is_fleet(unit) ? "F " : "A ");
    return write_text(to, dp_location_names[dp_location(unit)]);
}

int dp_write_unit(dp_unit unit, char *text) { return (int)(write_unit(text, unit) - text); }

int dp_write_order(dp_order order, char *text) {
    dp_parts p = dp_unpack_order(order);
    if (p.verb == DP_WAIVE)
        return (int)(write_text(text, "WAIVE") - text);
    char *to = write_unit(text, p.unit);
    *to++ = ' ';
    *to++ = VERBS[p.verb];
    *to = 0;
    if (p.verb == DP_SUPPORT || p.verb == DP_CONVOY)
        to = write_unit(write_text(to, " "), p.other);
    if (p.to >= 0) {
        bool dash = p.verb == DP_SUPPORT || p.verb == DP_CONVOY;
        to = write_text(write_text(to, dash ? " - " : " "), dp_location_names[p.to]);
    }
    if (p.via)
        to = write_text(to, " VIA");
    return (int)(to - text);
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* The location whose name is the first n characters, or -1. */
static int find_location(const char *text, size_t n) {
    for (int k = 0; k < DP_LOCATIONS; k++)
        if (strlen(dp_location_names[k]) == n && !memcmp(dp_location_names[k], text, n))
            return k;
    return -1;
}

int dp_read_location(const char *text) { return find_location(text, strlen(text)); }

static size_t word_length(const char *text) {
    size_t n = 0;
    while (text[n] && text[n] != ' ')
        n++;
    return n;
}

/* Reads a place at *text and steps over it. */
static int take_location(const char **text) {
    size_t n = word_length(*text);
    int location = find_location(*text, n);
    *text += n;
    return location;
}

static int take_unit(const char **text) {
    char kind = **text;
    if ((kind != 'A' && kind != 'F') || (*text)[1] != ' ')
        return -1;
    *text += 2;
    int location = take_location(text);
    int unit = location < 0 ? -1 : dp_unit_at(kind == 'F', location);
    return dp_is_unit(unit) ? unit : -1;
}

static bool take(const char **text, const char *expected) {
    size_t n = strlen(expected);
    if (strncmp(*text, expected, n))
        return false;
    *text += n;
    return true;
}

int dp_read_unit(const char *text) {
    int unit = take_unit(&text);
    return *text ? -1 : unit;
}

static int find_verb(char letter) {
    for (int verb = 0; verb < DP_WAIVE; verb++)
        if (VERBS[verb] == letter)
            return verb;
    return -1;
}

/* Reads what follows the verb into the parts; false if that is no such order. */
static bool read_rest(dp_parts *p, const char *text) {
    if (p->verb == DP_SUPPORT || p->verb == DP_CONVOY) {
        int other = take(&text, " ") ? take_unit(&text) : -1;
        if (other < 0)
            return false;
        p->other = (dp_unit)other;
        if (!*text && p->verb == DP_SUPPORT)
            return true;
        if (!take(&text, " - "))
            return false;
    } else if (p->verb == DP_MOVE || p->verb == DP_RETREAT) {
        if (!take(&text, " "))
            return false;
    } else {
        return !*text;
    }
    p->to = (int8_t)take_location(&text);
    p->via = p->verb == DP_MOVE && take(&text, " VIA");
    return p->to >= 0 && !*text;
}

int64_t dp_read_order(const char *text) {
    dp_parts p = {.unit = 255, .verb = DP_WAIVE, .to = -1};
    if (!strcmp(text, "WAIVE"))
        return dp_pack_order(p);
    int unit = take_unit(&text);
    if (unit < 0 || !take(&text, " ") || !*text)
        return -1;
    int verb = find_verb(*text++);
    p.unit = (dp_unit)unit;
    p.verb = (uint8_t)verb;
    return verb >= 0 && read_rest(&p, text) ? (int64_t)dp_pack_order(p) : -1;
}
