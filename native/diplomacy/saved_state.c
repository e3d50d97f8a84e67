/* Boards as bytes: a head, then the memory of a board. What comes from anywhere is checked. */
#include "common/seal.h"
#include "diplomacy/board.h"

enum { MAGIC = 0x4444554c /* LUDD */, STATE_VERSION = 1 };

static seal seal_of(void) {
    return (seal){.magic = MAGIC, .version = STATE_VERSION, .rules = seal_rules(DP_RULES, DP_VERSION)};
}

size_t dp_saved_size(void) { return sizeof(seal) + sizeof(dp_board); }

void dp_save(const dp_board *board, uint8_t *bytes) {
    memcpy(bytes + sizeof(seal), board, sizeof *board);
    seal_write(bytes, dp_saved_size(), seal_of());
}

void dp_load(dp_board *board, const uint8_t *bytes) { memcpy(board, bytes + sizeof(seal), sizeof *board); }

/* ---- checking ----------------------------------------------------------------------------------- */

static bool is_time(const dp_board *b) {
    static const uint8_t KINDS[] = {1 << DP_MOVEMENT | 1 << DP_RETREATS, 1 << DP_MOVEMENT | 1 << DP_RETREATS,
                                    1 << DP_ADJUSTMENTS | 1 << DP_OVER};
    return b->year >= 0 && b->year <= 9999 && b->season <= DP_WINTER && b->kind <= DP_OVER
        && KINDS[b->season] >> b->kind & 1 && b->options < 4 && b->victors < 1 << DP_POWERS;
}

/* Lists of provinces: no more than fit, none twice. */
static bool are_lists(const uint8_t *items, const uint8_t *counts, int most, bool centres) {
    bool seen[DP_PROVINCES] = {false};
    int n = 0;
    for (int power = 0; power < DP_POWERS; power++)
        n += counts[power];
    for (int k = 0; n <= most && k < n; k++) {
        if (items[k] >= DP_PROVINCES || seen[items[k]] || (centres && !dp_is_centre[items[k]]))
            return false;
        seen[items[k]] = true;
    }
    return n <= most;
}

/* Units that can stand where they are, no two in one province, powers in their order. */
static bool are_pieces(const dp_piece *pieces, int n) {
    bool seen[DP_PROVINCES] = {false};
    for (int k = 0; n <= DP_PROVINCES && k < n; k++) {
        if (pieces[k].owner >= DP_POWERS || !dp_is_unit(pieces[k].unit) || seen[dp_province(pieces[k].unit)])
            return false;
        if (k && pieces[k].owner < pieces[k - 1].owner)
            return false;
        seen[dp_province(pieces[k].unit)] = true;
    }
    return n <= DP_PROVINCES;
}

static bool are_dislodged(const dp_board *b) {
    dp_piece pieces[DP_PROVINCES] = {{0, 0}};
    if (b->n_dislodged > DP_PROVINCES || (b->n_dislodged && b->kind != DP_RETREATS))
        return false;
    for (int k = 0; k < b->n_dislodged; k++)
        pieces[k] = (dp_piece){b->dislodged[k].owner, b->dislodged[k].unit};
    if (!are_pieces(pieces, b->n_dislodged))
        return false;
    for (int k = 0; k < b->n_dislodged; k++)
        if (b->dislodged[k].places >> DP_OF(dp_n_moves, b->dislodged[k].unit))
            return false;
    return b->n_units + b->n_dislodged <= DP_PROVINCES;
}

const char *dp_check_saved(const uint8_t *bytes, size_t size) {
    dp_board b;
    const char *reason = seal_check(bytes, size, seal_of());
    if (reason)
        return reason;
    if (size != dp_saved_size())
        return "it has another size";
    dp_load(&b, bytes);
    if (!is_time(&b))
        return "its phase is none";
    if (!are_lists(b.centres, b.n_centres, DP_CENTRES, true)
        || !are_lists(b.influence, b.n_influence, DP_PROVINCES, false))
        return "its centres or provinces are none";
    if (!are_pieces(b.units, b.n_units) || !are_pieces(b.destroyed, b.n_destroyed) || !are_dislodged(&b))
        return "its units cannot stand where they are";
    return NULL;
}
