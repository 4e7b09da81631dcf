/* xsub in C++: C's own loop, with the objects and exceptions of C++ around it. */

#include "ffibench.hpp"
#include "zmq.h"

#include <cstdint>
#include <stdexcept>
#include <string>

static void check(bool ok, const char *call)
{
    if (!ok)
        throw std::runtime_error(std::string(call) + ": " + zmq_strerror(zmq_errno()));
}

struct Sender : ffibench::Case {
    void *const socket;
    const std::string message;

    Sender(void *bound, const std::string &sent) : socket(bound), message(sent) {}

    void run(std::uint64_t iterations) override
    {
        const auto size = static_cast<int>(message.size());

        for (std::uint64_t i = 0; i < iterations; i++)
            if (zmq_send(socket, message.data(), message.size(), 0) != size)
                ffibench::wrong("zmq_send did not take the whole message");
    }

    void empty(std::uint64_t iterations) override
    {
        const auto size = static_cast<int>(message.size());

        for (std::uint64_t i = 0; i < iterations; i++) {
            auto sent = size;

            ffibench::opaque(sent);
            if (sent != size)
                ffibench::wrong("zmq_send did not take the whole message");
        }
    }

    ffibench::Fields receipt(std::uint64_t done) override
    {
        return ffibench::Fields().integer("sends", done).integer("bytes", done * message.size());
    }
};

static void work(const ffibench::Worker &worker)
{
    void *const context = zmq_ctx_new();

    check(context != nullptr, "zmq_ctx_new");
    /* An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed. */
    const auto peers = ffibench::number(worker.option("peers"));
    void *const socket = zmq_socket(context, peers == 0 ? ZMQ_PUB : ZMQ_XPUB);

    check(socket != nullptr, "zmq_socket");
    check(zmq_bind(socket, worker.option("endpoint").c_str()) == 0, "zmq_bind");
    for (std::uint64_t peer = 0; peer < peers; peer++) {
        unsigned char subscription; /* to everything: a message of one byte */

        check(zmq_recv(socket, &subscription, sizeof subscription, 0) == 1, "zmq_recv");
    }

    Sender sender(socket, worker.option("message"));

    worker.serve("", {{"send", &sender}});
    check(zmq_close(socket) == 0, "zmq_close");
    check(zmq_ctx_term(context) == 0, "zmq_ctx_term");
}

int main(int argc, char **argv)
{
    return ffibench::main(argc, argv, work);
}
