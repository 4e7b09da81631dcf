/*
 * The send loop of xsub. With extra=10 it sends 10 more messages in 1,000 than its receipt reports: 1 % slower, whatever
 * a send costs. It runs more iterations of the same loop instead of a second send in some iterations: that changed the
 * loop's branches, and made it 4 % faster on one processor.
 */

#include "ffibench.h"
#include "zmq.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sender {
    void *socket;
    const char *message;
    size_t size;
    uint64_t extra;
};

static uint64_t run(void *state, uint64_t iterations)
{
    const struct sender *sender = state;
    void *const socket = sender->socket;
    const char *const message = sender->message;
    const size_t size = sender->size;
    const uint64_t sends = iterations + iterations * sender->extra / 1000;

    for (uint64_t i = 0; i < sends; i++)
        if (zmq_send(socket, message, size, 0) != (int)size)
            return i;
    return iterations;
}

static uint64_t empty(void *state, uint64_t iterations)
{
    const struct sender *sender = state;
    const size_t size = sender->size;
    const uint64_t sends = iterations + iterations * sender->extra / 1000;

    for (uint64_t i = 0; i < sends; i++) {
        int sent = (int)size;
        FFIBENCH_OPAQUE(sent);
        if (sent != (int)size)
            return i;
    }
    return iterations;
}

static void receipt(void *state, uint64_t done, FILE *out)
{
    (void)state;
    fprintf(out, "{\"iterations\": %llu}", (unsigned long long)done);
}

static void die(const char *call)
{
    fprintf(stderr, "%s: %s\n", call, zmq_strerror(zmq_errno()));
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    const struct ffibench worker = ffibench_open(argc, argv);
    struct sender sender = {.message = ffibench_option(&worker, "message")};
    int major, minor, patch;
    char version[32];

    sender.size = strlen(sender.message);
    sender.extra = ffibench_number(ffibench_option(&worker, "extra"), '\0');
    void *context = zmq_ctx_new();
    if (context == NULL)
        die("zmq_ctx_new");
    sender.socket = zmq_socket(context, ZMQ_PUB);
    if (sender.socket == NULL)
        die("zmq_socket");
    if (zmq_bind(sender.socket, ffibench_option(&worker, "endpoint")) != 0)
        die("zmq_bind");
    zmq_version(&major, &minor, &patch);
    snprintf(version, sizeof version, "%d.%d.%d", major, minor, patch);

    ffibench_ready(version);
    ffibench_case(&worker, "send", &(struct ffibench_loops){.run = run, .empty = empty, .receipt = receipt}, &sender);
    ffibench_close();

    if (zmq_close(sender.socket) != 0)
        die("zmq_close");
    if (zmq_ctx_term(context) != 0)
        die("zmq_ctx_term");
    return EXIT_SUCCESS;
}
