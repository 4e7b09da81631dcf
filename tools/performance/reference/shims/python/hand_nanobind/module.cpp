#include <nanobind/nanobind.h>

#include "calls.h"

NB_MODULE(hand_nanobind, module)
{
    module.def("calls_int", &calls_int);
    module.def("calls_counted", &calls_counted);
}
