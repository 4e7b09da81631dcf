/*
 * The idioms of nanobind: https://nanobind.readthedocs.io/en/latest/basics.html (nb::class_, nb::init, overloads, keyword
 * and default arguments), classes.html (def_prop_ro, def_ro), exchanging.html (type casters of the STL), ndarray.html,
 * exceptions.html (std::invalid_argument is ValueError).
 */
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "idioms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

NB_MODULE(calls_nanobind_idiom, m)
{
    nb::class_<idioms::Counter>(m, "Counter")
        .def(nb::init<int>(), "value"_a)
        .def("add", &idioms::Counter::add, "amount"_a)
        .def_prop_ro("value", &idioms::Counter::get_value);

    nb::class_<idioms::Point>(m, "Point")
        .def(nb::init<int, int>(), "x"_a, "y"_a)
        .def_ro("x", &idioms::Point::x)
        .def_ro("y", &idioms::Point::y);

    m.def("difference", &idioms::difference, "point"_a);
    m.def("exchanged", &idioms::exchanged, "point"_a);
    m.def("overloaded", nb::overload_cast<int>(&idioms::overloaded), "value"_a);
    m.def("overloaded", nb::overload_cast<double>(&idioms::overloaded), "value"_a);
    m.def("scaled", &idioms::scaled, "value"_a, "factor"_a = 3);
    m.def("total", &idioms::total, "values"_a);
    m.def("range_list", &idioms::range_list, "count"_a);
    // Without noconvert() items of another type would be copied into an array of their own.
    m.def("sum_array", [](const Doubles &values) { return idioms::sum_array(values.data(), values.size()); },
          "values"_a.noconvert());
    m.def("checked", &idioms::checked, "value"_a);
    m.def("calls_counted", &calls_counted);
}
