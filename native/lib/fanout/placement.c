/* The placement of this process: the processors of its consumers, and those of all other threads. */

#define _GNU_SOURCE

#include "placement.h"

#include "fanout.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    uint32_t kind;
    bool known;             /* whether `allowed` was asked for */
    cpu_set_t allowed;      /* as the process was started */
    cpu_set_t consumers;
} placement = {.kind = FANOUT_FREE};

/* The last processor of the set. */
static int last_of(const cpu_set_t *set)
{
    int last = CPU_SETSIZE - 1;

    while (last > 0 && !CPU_ISSET(last, set))
        last--;
    return last;
}

static cpu_set_t only(int processor)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return set;
}

/* Places every thread that there is. One that ends meanwhile needs no place. */
static int place_threads(const cpu_set_t *set)
{
    DIR *tasks = opendir("/proc/self/task");
    int status = 0;

    if (tasks == NULL)
        return errno;
    for (const struct dirent *task; status == 0 && (task = readdir(tasks)) != NULL;)
        if (task->d_name[0] != '.' && sched_setaffinity(atoi(task->d_name), sizeof *set, set) != 0 && errno != ESRCH)
            status = errno;
    (void)closedir(tasks);
    return status;
}

int fanout_place(uint32_t kind)
{
    if (kind > FANOUT_FREE)
        return EINVAL;
    if (kind == placement.kind)
        return 0;
    if (!placement.known && sched_getaffinity(0, sizeof placement.allowed, &placement.allowed) != 0)
        return errno;
    placement.known = true;

    cpu_set_t consumers = placement.allowed, others = placement.allowed;

    if (kind != FANOUT_FREE) {
        const int last = last_of(&placement.allowed);

        consumers = only(last);
        if (kind == FANOUT_TOGETHER)
            others = consumers;
        else if (CPU_COUNT(&others) > 1)
            CPU_CLR(last, &others);
    }
    const int status = place_threads(&others);

    if (status == 0) {
        placement.kind = kind;
        placement.consumers = consumers;
    }
    return status;
}

int fanout_placement_apply(pthread_attr_t *attributes)
{
    if (placement.kind == FANOUT_FREE)
        return 0;
    return pthread_attr_setaffinity_np(attributes, sizeof placement.consumers, &placement.consumers);
}

bool fanout_placement_parallel(void)
{
    if (!placement.known)
        return sysconf(_SC_NPROCESSORS_ONLN) > 1;
    return placement.kind != FANOUT_TOGETHER && CPU_COUNT(&placement.allowed) > 1;
}
