#include <pybind11/pybind11.h>

#include "calls.h"

PYBIND11_MODULE(hand_pybind11, module)
{
    module.def("calls_int", &calls_int);
    module.def("calls_counted", &calls_counted);
}
