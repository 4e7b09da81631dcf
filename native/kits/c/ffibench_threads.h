/*
 * Operations that several threads of a process do at the same time, each with memory and a set-up of its own: what is
 * static in a generated loop is `_Thread_local` then.
 */
#ifndef FFIBENCH_THREADS_H
#define FFIBENCH_THREADS_H

#include "ffibench_calls.h"
#include "thread_team.h"

/* The operation that all threads do now. */
struct ffibench_threaded {
    const struct ffibench_operation *operation;
    struct thread_team *team;
    uint64_t each;   /* iterations of a thread */
    char **receipts; /* what each thread said of the last slice, or NULL */
};

static inline uint64_t ffibench_threads_set_up(void *state, unsigned number)
{
    (void)number;
    ((struct ffibench_threaded *)state)->operation->set_up();
    return 0;
}

static inline uint64_t ffibench_threads_tear_down(void *state, unsigned number)
{
    (void)number;
    ((struct ffibench_threaded *)state)->operation->tear_down();
    return 0;
}

static inline uint64_t ffibench_threads_run_each(void *state, unsigned number)
{
    const struct ffibench_threaded *const threaded = state;

    (void)number;
    return threaded->operation->loops.run(NULL, threaded->each);
}

static inline uint64_t ffibench_threads_empty_each(void *state, unsigned number)
{
    const struct ffibench_threaded *const threaded = state;

    (void)number;
    return threaded->operation->loops.empty(NULL, threaded->each);
}

/* In the thread that did the work: memory and counts are its own. */
static inline uint64_t ffibench_threads_receipt_each(void *state, unsigned number)
{
    const struct ffibench_threaded *const threaded = state;
    size_t length;

    free(threaded->receipts[number]);
    FILE *const out = open_memstream(&threaded->receipts[number], &length);

    if (out == NULL)
        ffibench_fail("no memory for", "a receipt");
    threaded->operation->loops.receipt(NULL, threaded->each, out);
    if (fclose(out) != 0)
        ffibench_fail("no memory for", "a receipt");
    return 0;
}

static inline uint64_t ffibench_threads_share(struct ffibench_threaded *threaded, uint64_t iterations)
{
    threaded->each = iterations / threaded->team->size;
    return threaded->each * threaded->team->size;
}

static inline void ffibench_threads_before(void *state, uint64_t iterations)
{
    struct ffibench_threaded *const threaded = state;

    (void)ffibench_threads_share(threaded, iterations);
    team_rouse(threaded->team);
}

static inline uint64_t ffibench_threads_run(void *state, uint64_t iterations)
{
    struct ffibench_threaded *const threaded = state;

    if (ffibench_threads_share(threaded, iterations) != iterations)
        ffibench_fail("iterations are not the same for each thread in case", threaded->operation->key);
    return team_run(threaded->team, ffibench_threads_run_each, TEAM_REST);
}

static inline uint64_t ffibench_threads_empty(void *state, uint64_t iterations)
{
    (void)ffibench_threads_share(state, iterations);
    return team_run(((struct ffibench_threaded *)state)->team, ffibench_threads_empty_each, TEAM_STAY);
}

/* The empty slices that may follow have no beginning of their own, where the threads could be woken. */
static inline void ffibench_threads_after(void *state, uint64_t iterations)
{
    struct ffibench_threaded *const threaded = state;

    (void)iterations;
    (void)team_run(threaded->team, ffibench_threads_receipt_each, TEAM_REST);
    team_rouse(threaded->team);
}

/* What the first thread says, and how many say the same: all did the same. */
static inline void ffibench_threads_receipt(void *state, uint64_t done, FILE *out)
{
    const struct ffibench_threaded *const threaded = state;
    const char *const first = threaded->receipts[0];
    unsigned same = 0;

    (void)done;
    for (unsigned number = 0; number < threaded->team->size; number++)
        same += strcmp(threaded->receipts[number], first) == 0;
    fprintf(out, "%.*s, \"threads\": %u}", (int)strlen(first) - 1, first, same);
}

/* As ffibench_serve, with the number of threads that the argument `threads` says. */
static inline void ffibench_serve_threads(const struct ffibench *worker, const struct ffibench_operation *all,
                                          size_t count)
{
    static const struct ffibench_loops loops = {
        .run = ffibench_threads_run,
        .empty = ffibench_threads_empty,
        .receipt = ffibench_threads_receipt,
        .before = ffibench_threads_before,
        .after = ffibench_threads_after,
    };
    const unsigned threads = (unsigned)ffibench_number(ffibench_option(worker, "threads"), '\0');
    struct ffibench_threaded state = {.receipts = calloc(threads, sizeof *state.receipts)};
    size_t number;
    const struct ffibench_operation **const asked = ffibench_asked(worker, all, count, &number);

    if (state.receipts == NULL)
        ffibench_fail("no memory for", "receipts");
    state.team = team_open(threads, &state);
    for (size_t each = 0; each < number; each++) {
        state.operation = asked[each];
        (void)team_run(state.team, ffibench_threads_set_up, TEAM_REST);
    }
    ffibench_ready("");
    for (size_t each = 0; each < number; each++) {
        state.operation = asked[each];
        ffibench_case(worker, asked[each]->key, &loops, &state);
    }
    (void)team_run(state.team, team_no_work, TEAM_REST); /* else its threads would stay awake in the wait */
    ffibench_close();
    for (size_t each = number; each-- > 0;) {
        state.operation = asked[each];
        if (asked[each]->tear_down != NULL)
            (void)team_run(state.team, ffibench_threads_tear_down, TEAM_REST);
    }
    team_close(state.team);
    for (unsigned each = 0; each < threads; each++)
        free(state.receipts[each]);
    free(state.receipts);
    free(asked);
}

#endif
