/* A program that talks to Ludus by shared memory: it runs right and jumps whenever it can.
 *
 *     cc -O2 swift.c -o swift
 *     ludus run platformer/sprint ./swift
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RESET = 2, ACT = 3, CLOSE = 5, READY = 16, ACTION = 17, ROOM = 262144, LOOKS = 20000 };
enum { HEAD = 9, MAY_JUMP = HEAD + 5 * 4 + 3 * 4, RIGHT = 2, SPEED = 8, JUMP = 16 };

typedef struct {
    _Atomic uint32_t sequence, sleeping;
    _Atomic int32_t length;
    uint8_t unused[52];
    uint8_t frame[ROOM];
} slot;

/* Waits for the next message: looks for a while, then sleeps until it is woken. */
static void await(slot *question, uint32_t last)
{
    for (int look = 0; look < LOOKS; look++)
        if (question->sequence != last)
            return;
    while (question->sequence == last) {
        question->sleeping = 1;
        if (question->sequence == last)
            syscall(SYS_futex, &question->sequence, FUTEX_WAIT, last, NULL, NULL, 0);
    }
}

static void answer(slot *slot, uint8_t type, int buttons)
{
    slot->frame[0] = type;
    slot->frame[1] = (uint8_t)buttons;
    slot->length = buttons < 0 ? 1 : 2;
    slot->sequence++;
    if (atomic_exchange(&slot->sleeping, 0))
        syscall(SYS_futex, &slot->sequence, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static int decide(const uint8_t *frame)
{
    int32_t may_jump;
    memcpy(&may_jump, frame + MAY_JUMP, sizeof may_jump);
    return RIGHT | SPEED | (may_jump ? JUMP : 0);
}

int main(void)
{
    char hello[256];
    const char *offered = fgets(hello, sizeof hello, stdin) ? strstr(hello, "\"memory\":") : NULL;
    slot *question = offered ? mmap(NULL, 2 * sizeof(slot), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(offered + 9), 0)
                             : MAP_FAILED;
    if (question == MAP_FAILED)
        return 1;
    puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"swift\",\"frames\":\"shared\",\"wants\":[\"mario\"]}");
    fflush(stdout);
    for (uint32_t last = 0;; last++) {
        await(question, last);
        if (question->frame[0] == CLOSE)
            return 0;
        if (question->frame[0] == ACT)
            answer(question + 1, ACTION, decide(question->frame));
        else
            answer(question + 1, READY, -1);
    }
}
