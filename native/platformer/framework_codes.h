/* Part of the rule set "framework": how tiles and sprites are seen, by detail. */

#define COLOURS(t, code) [t] = (code), [(t) + 1] = (code), [(t) + 2] = (code)
#define EXACT_COLOURS(t) [t] = (t) + 16, [(t) + 1] = (t) + 17, [(t) + 2] = (t) + 18
#define GENERAL_BLOCKS [6] = 22, [7] = 22, [50] = 22, [51] = 22, [8] = 24, [11] = 24

static const uint8_t scene_0[PF_TILES] = {
    GENERAL_BLOCKS, [1] = 17, [2] = 18, [3] = 19, [4] = 20, [5] = 21, [14] = 30, [15] = 31, [18] = 34,
    [19] = 35, [20] = 36, [21] = 37, [39] = 55, [40] = 56, [43] = 59, [44] = 60, [45] = 61, [46] = 62,
    [47] = 63, [52] = 68, [53] = 69, [54] = 70, [PF_LADDER] = 80, [PF_LADDER_TOP] = 81,
    EXACT_COLOURS(PF_KEY), EXACT_COLOURS(PF_LOCK), EXACT_COLOURS(PF_SWITCH),
    EXACT_COLOURS(PF_SWITCH_PRESSED), EXACT_COLOURS(PF_DOOR_CLOSED), EXACT_COLOURS(PF_DOOR_OPEN)};
static const uint8_t scene_1[PF_TILES] = {
    GENERAL_BLOCKS, [1] = 17, [2] = 17, [14] = 17, [3] = 19, [4] = 19, [5] = 19, [15] = 31, [18] = 34,
    [19] = 34, [20] = 34, [21] = 34, [44] = 59, [45] = 59, [46] = 59, [PF_LADDER] = 80,
    [PF_LADDER_TOP] = 80, COLOURS(PF_KEY, 82), COLOURS(PF_LOCK, 85), COLOURS(PF_SWITCH, 88),
    COLOURS(PF_SWITCH_PRESSED, 88), COLOURS(PF_DOOR_CLOSED, 94)};

#define OBJECT(t) [t] = 100
static const uint8_t scene_2[PF_TILES] = {
    OBJECT(1), OBJECT(2), OBJECT(3), OBJECT(4), OBJECT(5), OBJECT(6), OBJECT(7), OBJECT(8), OBJECT(11),
    OBJECT(14), OBJECT(15), OBJECT(18), OBJECT(19), OBJECT(20), OBJECT(21), OBJECT(39), OBJECT(40),
    OBJECT(43), OBJECT(44), OBJECT(45), OBJECT(46), OBJECT(50), OBJECT(51), OBJECT(52), OBJECT(53),
    OBJECT(54), OBJECT(PF_LADDER), OBJECT(PF_LADDER_TOP), COLOURS(PF_KEY, 100), COLOURS(PF_LOCK, 100),
    COLOURS(PF_SWITCH, 100), COLOURS(PF_SWITCH_PRESSED, 100), COLOURS(PF_DOOR_CLOSED, 100)};
static const uint8_t enemies_1[PF_KINDS] = {
    [2] = 2, [3] = 2, [4] = 2, [5] = 2, [6] = 2, [7] = 2, [8] = 8, [9] = 8, [10] = 2, [11] = 8,
    [12] = 12, [13] = 12, [14] = 2, [15] = 12, [16] = 16};
static const uint8_t enemies_2[PF_KINDS] = {
    [2] = 1, [3] = 1, [4] = 1, [5] = 1, [6] = 1, [7] = 1, [8] = 1, [9] = 1, [10] = 1, [11] = 1,
    [14] = 1};
