/* Plays a level on a machine of 32 or of 64 bits, without an operating system's library, and writes the
 * digests of its states: they must be the same. */
#include "platformer/rules/rules.h"

enum { WRITE_32 = 4, EXIT_32 = 1, WRITE_64 = 1, EXIT_64 = 60 };

#if defined(__i386__)
static long call(long number, long a, const void *b, long c) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
#define WRITE WRITE_32
#define EXIT EXIT_32
#else
static long call(long number, long a, const void *b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
#define WRITE WRITE_64
#define EXIT EXIT_64
#endif

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    for (size_t k = 0; k < n; k++)
        ((volatile char *)to)[k] = ((const char *)from)[k];
    return to;
}
void *memset(void *to, int value, size_t n) {
    for (size_t k = 0; k < n; k++)
        ((volatile char *)to)[k] = (char)value;
    return to;
}
int memcmp(const void *one, const void *other, size_t n) {
    const volatile unsigned char *a = one, *b = other;
    for (size_t k = 0; k < n; k++)
        if (a[k] != b[k])
            return a[k] - b[k];
    return 0;
}

static const char CELLS[] = "------------------------"
                            "----?--l---o-----S------"
                            "-------l------..==..----"
                            "M-h--g-l-H-K---r-----T-F"
                            "XXXXXXXXXXXXXXX--XXXXXXX";
enum { WIDTH = 24, HEIGHT = 5, TICKS = 600, ROOM = 1 << 20 };

static _Alignas(16) char level_memory[ROOM], world_memory[ROOM];

static void write_digest(uint64_t digest) {
    char line[17];
    for (int k = 0; k < 16; k++)
        line[k] = "0123456789abcdef"[digest >> (60 - 4 * k) & 15];
    line[16] = '\n';
    call(WRITE, 1, line, sizeof line);
}

static void play(const pf_rules *rules) {
    pf_cells cells = {CELLS, WIDTH, HEIGHT, NULL};
    pf_level *level = (pf_level *)(void *)level_memory;
    pf_world *world = (pf_world *)(void *)world_memory;
    pf_physics physics;
    pf_level_build(level, &cells, rules);
    pf_physics_default(&physics);
    physics.invulnerable = 1;
    pf_world_begin(world, level, &physics, NULL, 0, 1, 100000, 1024);
    for (unsigned tick = 0; tick < TICKS && world->status == PF_RUNNING; tick++) {
        pf_step(world, tick % 31 < 12 ? PF_RIGHT | PF_JUMP : tick % 7 < 5 ? PF_RIGHT : PF_LEFT | PF_SPEED);
        if (tick % 5 == 0)
            write_digest(pf_hash(world));
    }
    write_digest(pf_hash(world));
}

void _start(void);
#if defined(__GNUC__)
__attribute__((force_align_arg_pointer))
#endif
void _start(void) {
    for (int k = 0; pf_rule_sets[k]; k++)
        play(pf_rule_sets[k]);
    call(EXIT, 0, NULL, 0);
}
