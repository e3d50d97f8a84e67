/* The rule set "ludus": the framework's rules and the elements that the paper names as the way ahead:
 * ladders, keys and locks, switches and doors, moving platforms. */
#define PF_ELEMENTS 1
#include "platformer/rules/framework/framework.c"
