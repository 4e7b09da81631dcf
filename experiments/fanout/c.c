/* fanout in C, the baseline: pthreads that submit into one context, each its own sequence. */

#include "thread_team.h"
#include "fanout.h"
#include "ffibench.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef AWAIT_SECONDS_MAX
#define AWAIT_SECONDS_MAX 10
#endif
#define POLL_NS 50000

/* A function as a host language brings one: it keeps a record of its own. */
struct host {
    uint64_t calls;
    uint64_t distinct;
    unsigned char *seen;
};

struct session {
    uint32_t queue;
    uint32_t wake;
    uint32_t placement;
    uint32_t threads;
    uint64_t per_thread;
    int has_host;
    struct host host;
    struct thread_team *team;
    fanout_t *context;
    uint64_t delivered, duplicates, missing, disorders, strays;
};

struct word {
    const char *name;
    uint32_t value;
};

static const struct word queues[] = {
    {"lock", FANOUT_LOCK}, {"mutex", FANOUT_MUTEX}, {"sharded", FANOUT_SHARDED}, {"mpsc", FANOUT_MPSC}, {NULL, 0},
};
static const struct word wakes[] = {{"every", FANOUT_EVERY}, {"edge", FANOUT_EDGE}, {NULL, 0}};
/* The usual placement has no word of its own in the name of a case. */
static const struct word placements[] = {
    {"", FANOUT_APART}, {"-together", FANOUT_TOGETHER}, {"-free", FANOUT_FREE}, {NULL, 0},
};

static uint64_t submit_all(void *state, unsigned number)
{
    const struct session *session = state;
    fanout_t *const context = session->context;
    const uint64_t per_thread = session->per_thread;

    for (uint64_t sequence = 0; sequence < per_thread; sequence++) {
        const int status = fanout_submit(context, number, sequence);

        if (status != 0) {
            fprintf(stderr, "fanout_submit of request %" PRIu64 " of thread %u: %s\n", sequence, number,
                    strerror(status));
            return sequence;
        }
    }
    return per_thread;
}

static uint64_t submit_none(void *state, unsigned number)
{
    const struct session *session = state;
    const uint64_t per_thread = session->per_thread;

    (void)number;
    for (uint64_t sequence = 0; sequence < per_thread; sequence++) {
        int status = 0;
        FFIBENCH_OPAQUE(status);
        if (status != 0)
            return sequence;
    }
    return per_thread;
}

static void on_request(void *data, uint32_t producer, uint64_t sequence)
{
    struct session *session = data;
    unsigned char *seen = &session->host.seen[producer * session->per_thread + sequence];

    session->host.calls++;
    session->host.distinct += !*seen;
    *seen = 1;
}

static void before(void *state, uint64_t iterations)
{
    struct session *session = state;

    team_must(fanout_place(session->placement), "fanout_place");
    session->context = fanout_open(session->queue, session->wake, session->threads, session->per_thread);
    if (session->context == NULL)
        ffibench_fail("fanout_open", strerror(fanout_error()));
    if (session->has_host) {
        free(session->host.seen);
        session->host = (struct host){.seen = calloc(iterations, 1)};
        if (session->host.seen == NULL)
            ffibench_fail("no memory for", "the record of the callback");
        team_must(fanout_on_request(session->context, on_request, session), "fanout_on_request");
    }
    team_rouse(session->team);
}

static uint64_t run(void *state, uint64_t iterations)
{
    const struct session *session = state;

    (void)iterations;
    return team_run(session->team, submit_all, TEAM_REST);
}

static uint64_t empty(void *state, uint64_t iterations)
{
    const struct session *session = state;

    (void)iterations;
    return team_run(session->team, submit_none, TEAM_STAY);
}

/* The limit is on the time in which nothing is delivered: a callback may be slow, and a machine busy. */
static void await(fanout_t *context, uint64_t count)
{
    int64_t since = ffibench_clock_ns(CLOCK_MONOTONIC);
    uint64_t delivered, before = 0;

    while ((delivered = fanout_delivered(context)) < count) {
        const int64_t now = ffibench_clock_ns(CLOCK_MONOTONIC);

        if (delivered != before) {
            before = delivered;
            since = now;
        } else if (now - since > INT64_C(1000000000) * AWAIT_SECONDS_MAX) {
            char what[64], requests[64];

            snprintf(what, sizeof what, "nothing was delivered for %d s", AWAIT_SECONDS_MAX);
            snprintf(requests, sizeof requests, "%" PRIu64 " of %" PRIu64 " requests were", delivered, count);
            ffibench_fail(what, requests);
        }
        nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
    }
}

static void after(void *state, uint64_t iterations)
{
    struct session *session = state;
    fanout_t *const context = session->context;

    await(context, iterations);
    team_must(fanout_finish(context), "fanout_finish");
    session->delivered = fanout_delivered(context);
    session->duplicates = fanout_duplicates(context);
    session->missing = fanout_missing(context);
    session->disorders = fanout_disorders(context);
    session->strays = fanout_strays(context);
    team_must(fanout_close(context), "fanout_close");
    session->context = NULL;
    team_rouse(session->team); /* an empty slice that may follow has no beginning of its own */
}

static void receipt(void *state, uint64_t done, FILE *out)
{
    const struct session *session = state;

    fprintf(out,
            "{\"submits\": %" PRIu64 ", \"delivered\": %" PRIu64 ", \"duplicates\": %" PRIu64 ", \"missing\": %" PRIu64
            ", \"disorders\": %" PRIu64 ", \"strays\": %" PRIu64,
            done, session->delivered, session->duplicates, session->missing, session->disorders, session->strays);
    if (session->has_host)
        fprintf(out, ", \"calls\": %" PRIu64 ", \"distinct\": %" PRIu64, session->host.calls, session->host.distinct);
    fprintf(out, "}");
}

/* Runs the case of the session's queue, wake and placement, where it was asked for. */
static void run_case(const struct ffibench *worker, const char *name, struct session *session)
{
    static const struct ffibench_loops loops = {
        .run = run, .empty = empty, .receipt = receipt, .before = before, .after = after,
    };
    const uint64_t iterations = ffibench_iterations(worker, name);

    if (iterations % session->threads != 0)
        ffibench_fail("the threads cannot share the iterations of case", name);
    session->per_thread = iterations / session->threads;
    ffibench_case(worker, name, &loops, session);
}

int main(int argc, char **argv)
{
    const struct ffibench worker = ffibench_open(argc, argv);
    const uint64_t threads = ffibench_number(ffibench_option(&worker, "threads"), '\0');
    struct session session = {.has_host = strcmp(ffibench_option(&worker, "callback"), "host") == 0};

    if (threads == 0 || threads > UINT32_MAX)
        ffibench_fail("not a number of threads", ffibench_option(&worker, "threads"));
    session.threads = (uint32_t)threads;
    session.team = team_open(session.threads, &session);

    ffibench_ready(fanout_version());
    for (const struct word *queue = queues; queue->name != NULL; queue++)
        for (const struct word *wake = wakes; wake->name != NULL; wake++)
            for (const struct word *placement = placements; placement->name != NULL; placement++) {
                char name[64];

                snprintf(name, sizeof name, "%s-%s%s", queue->name, wake->name, placement->name);
                session.queue = queue->value;
                session.wake = wake->value;
                session.placement = placement->value;
                run_case(&worker, name, &session);
            }
    team_close(session.team); /* before the wait, in which its threads would stay awake */
    ffibench_close();
    free(session.host.seen);
    return EXIT_SUCCESS;
}
