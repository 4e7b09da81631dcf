/*
 * The idioms of pybind11: https://pybind11.readthedocs.io/en/stable/classes.html (py::class_, py::init,
 * def_property_readonly, overload_cast), basics.html (keyword and default arguments), advanced/cast/stl.html (vectors),
 * advanced/pycpp/numpy.html (py::array_t), advanced/exceptions.html (std::invalid_argument is ValueError).
 */
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "idioms.hpp"

namespace py = pybind11;

PYBIND11_MODULE(calls_pybind11_idiom, m, py::mod_gil_not_used())
{
    py::class_<idioms::Counter>(m, "Counter")
        .def(py::init<int>(), py::arg("value"))
        .def("add", &idioms::Counter::add, py::arg("amount"))
        .def_property_readonly("value", &idioms::Counter::get_value);

    py::class_<idioms::Point>(m, "Point")
        .def(py::init<int, int>(), py::arg("x"), py::arg("y"))
        .def_readonly("x", &idioms::Point::x)
        .def_readonly("y", &idioms::Point::y);

    m.def("difference", &idioms::difference, py::arg("point"));
    m.def("exchanged", &idioms::exchanged, py::arg("point"));
    m.def("overloaded", py::overload_cast<int>(&idioms::overloaded), py::arg("value"));
    m.def("overloaded", py::overload_cast<double>(&idioms::overloaded), py::arg("value"));
    m.def("scaled", &idioms::scaled, py::arg("value"), py::arg("factor") = 3);
    m.def("total", &idioms::total, py::arg("values"));
    m.def("range_list", &idioms::range_list, py::arg("count"));
    // Without noconvert() a list would be copied into an array of its own.
    m.def(
        "sum_array",
        [](const py::array_t<double, py::array::c_style> &values) {
            if (values.ndim() != 1)
                throw py::type_error("an array of one dimension is needed");
            return idioms::sum_array(values.data(), static_cast<std::size_t>(values.size()));
        },
        py::arg("values").noconvert());
    m.def("checked", &idioms::checked, py::arg("value"));
    m.def("calls_counted", &calls_counted);
}
