/*
 * The part of ZeroMQ's C interface that the experiments call, declared by ffibench itself so that
 * the shims build where only the library is installed (the pyzmq wheel carries no header).
 *
 * Functions and values are part of the stable ABI of libzmq 4.x: a release of that series may add
 * to them but not change them, so one declaration serves every libzmq that can be chosen. What a
 * function does is told by the zmq_*(3) manual pages.
 *
 * Sockets and contexts are opaque addresses. Functions that return int give -1 on failure, with
 * the reason in zmq_errno(), unless their manual page says otherwise.
 */
#ifndef FFIBENCH_ZMQ_H
#define FFIBENCH_ZMQ_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Socket types. */
#define ZMQ_PUB 1
#define ZMQ_SUB 2
#define ZMQ_XPUB 9
#define ZMQ_XSUB 10

/* Socket options: subscriptions and the last endpoint are bytes, the others an int
 * (time in milliseconds, high-water marks in messages). */
#define ZMQ_SUBSCRIBE 6
#define ZMQ_UNSUBSCRIBE 7
#define ZMQ_LINGER 17
#define ZMQ_SNDHWM 23
#define ZMQ_RCVHWM 24
#define ZMQ_RCVTIMEO 27
#define ZMQ_SNDTIMEO 28
#define ZMQ_LAST_ENDPOINT 32

/* Flags of zmq_send and zmq_recv. */
#define ZMQ_DONTWAIT 1

/* The version of the library that is loaded, and the last error of the calling thread. */
void zmq_version(int *major, int *minor, int *patch);
int zmq_errno(void);
const char *zmq_strerror(int errnum);

/* A context holds the input and output threads; ending it waits until its sockets are closed. */
void *zmq_ctx_new(void);
int zmq_ctx_term(void *context);

void *zmq_socket(void *context, int type);
int zmq_close(void *socket);
int zmq_bind(void *socket, const char *endpoint);
int zmq_connect(void *socket, const char *endpoint);

/* getsockopt: *optvallen is the room in optval before the call and the bytes filled after it. */
int zmq_setsockopt(void *socket, int option, const void *optval, size_t optvallen);
int zmq_getsockopt(void *socket, int option, void *optval, size_t *optvallen);

/* One message part; the result is its size in bytes, which for recv may exceed len. */
int zmq_send(void *socket, const void *buf, size_t len, int flags);
int zmq_recv(void *socket, void *buf, size_t len, int flags);

#ifdef __cplusplus
}
#endif

#endif
