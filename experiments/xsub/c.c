/* xsub in C, the baseline: the loop over zmq_send, linked against the library as any C program is. */

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
};

static uint64_t run(void *state, uint64_t iterations)
{
    const struct sender *sender = state;
    void *const socket = sender->socket;
    const char *const message = sender->message;
    const size_t size = sender->size;

    for (uint64_t i = 0; i < iterations; i++)
        if (zmq_send(socket, message, size, 0) != (int)size)
            return i;
    return iterations;
}

static uint64_t empty(void *state, uint64_t iterations)
{
    const struct sender *sender = state;
    const size_t size = sender->size;

    for (uint64_t i = 0; i < iterations; i++) {
        int sent = (int)size;
        FFIBENCH_OPAQUE(sent);
        if (sent != (int)size)
            return i;
    }
    return iterations;
}

static void receipt(void *state, uint64_t done, FILE *out)
{
    const struct sender *sender = state;

    fprintf(out, "{\"sends\": %llu, \"bytes\": %llu}", (unsigned long long)done,
            (unsigned long long)(done * sender->size));
}

static void die(const char *call)
{
    fprintf(stderr, "%s: %s\n", call, zmq_strerror(zmq_errno()));
    exit(EXIT_FAILURE);
}

/* Waits until a subscriber has come: its subscription to everything is a message of one byte. */
static void await(void *socket)
{
    unsigned char subscription;

    if (zmq_recv(socket, &subscription, sizeof subscription, 0) != 1)
        die("zmq_recv");
}

int main(int argc, char **argv)
{
    const struct ffibench worker = ffibench_open(argc, argv);
    struct sender sender = {.message = ffibench_option(&worker, "message")};
    int major, minor, patch;
    char version[32];

    sender.size = strlen(sender.message);
    void *context = zmq_ctx_new();
    if (context == NULL)
        die("zmq_ctx_new");
    /* An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed. */
    const uint64_t peers = ffibench_number(ffibench_option(&worker, "peers"), '\0');
    sender.socket = zmq_socket(context, peers == 0 ? ZMQ_PUB : ZMQ_XPUB);
    if (sender.socket == NULL)
        die("zmq_socket");
    if (zmq_bind(sender.socket, ffibench_option(&worker, "endpoint")) != 0)
        die("zmq_bind");
    for (uint64_t peer = 0; peer < peers; peer++)
        await(sender.socket);
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
