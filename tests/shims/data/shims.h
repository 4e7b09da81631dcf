/* All that the shims of the tests are made of, so that each binding is built once. */
#include "callbacks.h"
#include "kinds.h"
