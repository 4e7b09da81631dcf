/* weather in C, the baseline: both roles in one program, linked against the library as any C program is. */

#include "ffibench.h"
#include "zmq.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MULTIPLIER 16807
#define MODULUS 2147483647
#define FILTER "10001 "

struct station {
    void *socket;
    uint64_t zipcodes;
    uint64_t seed;
    uint64_t bytes;       /* published in this slice */
    double patience;      /* seconds */
    uint64_t matches;
    int64_t temperature;  /* sum over the matches of this slice */
    int64_t first_match_ns;
};

static void fail(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

static void die(const char *call)
{
    fail("%s: %s", call, zmq_strerror(zmq_errno()));
}

static uint64_t draw(uint64_t *state)
{
    *state = MULTIPLIER * *state % MODULUS;
    return *state;
}

/* Draws and formats the next update; returns its length. */
static int next_update(const struct station *station, uint64_t *state, char *update, size_t room)
{
    const int zipcode = (int)((10001 + draw(state) % station->zipcodes) % 100000);
    const int temperature = (int)(draw(state) % 215) - 80;
    const int humidity = (int)(draw(state) % 50) + 10;

    return snprintf(update, room, "%05d %d %d", zipcode, temperature, humidity);
}

/* Waits for the subscription that this slice is for; the one before has been taken back, which comes first. */
static void await(void *state, uint64_t iterations)
{
    const struct station *station = state;
    char event[32];
    int size;

    (void)iterations;
    do {
        size = zmq_recv(station->socket, event, sizeof event, 0);
        if (size < 0 && zmq_errno() == EAGAIN)
            fail("publisher: no subscriber came within %g s", station->patience);
        if (size < 0)
            die("zmq_recv");
    } while (size == 0 || event[0] != 1);
}

static uint64_t publish(void *state, uint64_t iterations)
{
    struct station *station = state;
    void *const socket = station->socket;
    uint64_t number = station->seed, bytes = 0;
    char update[32];

    for (uint64_t i = 0; i < iterations; i++) {
        const int size = next_update(station, &number, update, sizeof update);

        if (zmq_send(socket, update, (size_t)size, 0) != size)
            return i;
        bytes += (uint64_t)size;
    }
    station->bytes = bytes;
    return iterations;
}

static uint64_t publish_nothing(void *state, uint64_t iterations)
{
    struct station *station = state;
    uint64_t number = station->seed, bytes = 0;
    char update[32];

    for (uint64_t i = 0; i < iterations; i++) {
        const int size = next_update(station, &number, update, sizeof update);
        int sent = size;

        FFIBENCH_OPAQUE(sent);
        if (sent != size)
            return i;
        bytes += (uint64_t)size;
    }
    station->bytes = bytes;
    return iterations;
}

static void published(void *state, uint64_t done, FILE *out)
{
    const struct station *station = state;

    fprintf(out, "{\"updates\": %" PRIu64 ", \"bytes\": %" PRIu64 "}", done, station->bytes);
}

/* Says why an update did not come, when so many of the slice had. */
static void missed(const struct station *station, uint64_t came, uint64_t wanted)
{
    if (zmq_errno() != EAGAIN)
        die("zmq_recv");
    fail("subscriber: %" PRIu64 " of %" PRIu64 " updates came within %g s of each other; waiting for the publisher",
         came, wanted, station->patience);
}

static int temperature_of(const char *update)
{
    int zipcode, temperature, humidity;

    if (sscanf(update, "%d %d %d", &zipcode, &temperature, &humidity) != 3)
        fail("subscriber: no weather: %s", update);
    return temperature;
}

/* Receives an update and parses it; `came` of `wanted` are there already. */
static int next_temperature(const struct station *station, uint64_t came, uint64_t wanted)
{
    char update[256];
    const int size = zmq_recv(station->socket, update, sizeof update - 1, 0);

    if (size < 0)
        missed(station, came, wanted);
    if (size >= (int)sizeof update)
        fail("subscriber: an update of %d bytes", size);
    update[size] = '\0';
    return temperature_of(update);
}

static void set(const struct station *station, int option, const void *value, size_t size)
{
    if (zmq_setsockopt(station->socket, option, value, size) != 0)
        die("zmq_setsockopt");
}

static uint64_t receive(void *state, uint64_t iterations)
{
    struct station *station = state;
    const int64_t start = ffibench_clock_ns(CLOCK_MONOTONIC);

    set(station, ZMQ_SUBSCRIBE, FILTER, strlen(FILTER));
    int64_t sum = next_temperature(station, 0, iterations);
    station->first_match_ns = ffibench_clock_ns(CLOCK_MONOTONIC) - start;
    for (uint64_t i = 1; i < iterations; i++)
        sum += next_temperature(station, i, iterations);
    station->temperature = sum;
    return iterations;
}

static uint64_t receive_nothing(void *state, uint64_t iterations)
{
    const char *update = "10001 30 40";
    int64_t sum = 0;

    for (uint64_t i = 0; i < iterations; i++) {
        FFIBENCH_OPAQUE(update);
        sum += temperature_of(update);
    }
    if (sum != 30 * (int64_t)iterations)
        fail("subscriber: a sum of %" PRId64, sum);
    (void)state;
    return iterations;
}

static void unsubscribe(void *state, uint64_t iterations)
{
    (void)iterations;
    set(state, ZMQ_UNSUBSCRIBE, FILTER, strlen(FILTER));
}

static void received(void *state, uint64_t done, FILE *out)
{
    struct station *station = state;

    station->matches = done;
    fprintf(out, "{\"matches\": %" PRIu64 ", \"temperature\": %" PRId64 "}", done, station->temperature);
}

static void figures(void *state, uint64_t done, FILE *out)
{
    const struct station *station = state;

    (void)done;
    fprintf(out, "{\"first_match_ns\": %" PRId64 "}", station->first_match_ns);
}

/* Whatever else was sent lies there still, and is seen by one who subscribes to everything. */
static void end(const struct station *station)
{
    char update[256];

    set(station, ZMQ_SUBSCRIBE, "", 0);
    if (zmq_recv(station->socket, update, sizeof update, ZMQ_DONTWAIT) >= 0)
        fail("subscriber: more than %" PRIu64 " updates came", station->matches);
    if (zmq_errno() != EAGAIN)
        die("zmq_recv");
}

static void bind_to(const struct station *station, const char *port, char *endpoint, size_t room)
{
    char address[64];

    snprintf(address, sizeof address, "tcp://127.0.0.1:%s", strcmp(port, "0") == 0 ? "*" : port);
    if (zmq_bind(station->socket, address) != 0)
        fail("publisher: %s: %s", address, zmq_strerror(zmq_errno()));
    if (zmq_getsockopt(station->socket, ZMQ_LAST_ENDPOINT, endpoint, &room) != 0)
        die("zmq_getsockopt");
}

int main(int argc, char **argv)
{
    const struct ffibench worker = ffibench_open(argc, argv);
    const int publishes = strcmp(ffibench_option(&worker, "role"), "publisher") == 0;
    struct station station = {.patience = strtod(ffibench_option(&worker, "patience"), NULL)};
    const int milliseconds = (int)(1000 * station.patience), unlimited = 0;
    int major, minor, patch;
    char version[48], endpoint[256];

    void *context = zmq_ctx_new();
    if (context == NULL)
        die("zmq_ctx_new");
    /* An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed. */
    station.socket = zmq_socket(context, publishes ? ZMQ_XPUB : ZMQ_SUB);
    if (station.socket == NULL)
        die("zmq_socket");
    set(&station, publishes ? ZMQ_SNDHWM : ZMQ_RCVHWM, &unlimited, sizeof unlimited);
    set(&station, ZMQ_RCVTIMEO, &milliseconds, sizeof milliseconds);
    zmq_version(&major, &minor, &patch);
    snprintf(version, sizeof version, "%d.%d.%d", major, minor, patch);

    if (publishes) {
        station.zipcodes = ffibench_number(ffibench_option(&worker, "zipcodes"), '\0');
        station.seed = ffibench_number(ffibench_option(&worker, "seed"), '\0');
        bind_to(&station, ffibench_option(&worker, "port"), endpoint, sizeof endpoint);
        ffibench_ready_at(version, endpoint);
        ffibench_case(&worker, "publish",
                      &(struct ffibench_loops){
                          .run = publish, .empty = publish_nothing, .receipt = published, .before = await},
                      &station);
        ffibench_close();
    } else {
        if (zmq_connect(station.socket, ffibench_option(&worker, "endpoint")) != 0)
            die("zmq_connect");
        ffibench_ready(version);
        ffibench_case(&worker, "receive",
                      &(struct ffibench_loops){.run = receive,
                                               .empty = receive_nothing,
                                               .receipt = received,
                                               .after = unsubscribe,
                                               .figures = figures},
                      &station);
        ffibench_close();
        end(&station);
        if (station.matches != 0 && strcmp(ffibench_option(&worker, "verbose"), "1") == 0)
            fprintf(stderr, "Average temperature for zipcode '" FILTER "' was %dF\n",
                    (int)(station.temperature / (int64_t)station.matches));
    }

    if (zmq_close(station.socket) != 0)
        die("zmq_close");
    if (zmq_ctx_term(context) != 0)
        die("zmq_ctx_term");
    return EXIT_SUCCESS;
}
