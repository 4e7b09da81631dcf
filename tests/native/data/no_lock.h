/* Put before one source of the library: its mutexes lock nothing. */
#include <pthread.h>

#define pthread_mutex_lock(mutex) ((void)(mutex), 0)
#define pthread_mutex_unlock(mutex) ((void)(mutex), 0)
