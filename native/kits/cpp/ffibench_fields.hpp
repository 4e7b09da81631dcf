/* What a worker prints: JSON by hand. */
#ifndef FFIBENCH_FIELDS_HPP
#define FFIBENCH_FIELDS_HPP

#include <cstdio>
#include <string>
#include <type_traits>

namespace ffibench {

inline std::string json(const std::string &text)
{
    std::string quoted = "\"";

    for (const char each : text) {
        if (each == '"' || each == '\\')
            quoted += '\\';
        if (static_cast<unsigned char>(each) >= ' ') {
            quoted += each;
        } else {
            char escape[8];

            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(each));
            quoted += escape;
        }
    }
    return quoted + '"';
}

/* The fields of a JSON object: whole numbers, exactly, texts, and objects. */
class Fields {
public:
    template <class T> Fields &integer(const std::string &name, T value)
    {
        static_assert(std::is_integral_v<T> || std::is_enum_v<T>);
        if constexpr (std::is_enum_v<T>)
            return integer(name, static_cast<std::underlying_type_t<T>>(value));
        else if constexpr (std::is_signed_v<T>)
            return field(name, std::to_string(static_cast<long long>(value)));
        else
            return field(name, std::to_string(static_cast<unsigned long long>(value)));
    }

    Fields &text(const std::string &name, const std::string &value) { return field(name, json(value)); }
    Fields &object(const std::string &name, const Fields &value) { return field(name, '{' + value.fields + '}'); }

    /* All of them as they stand in the object. */
    const std::string &text() const { return fields; }

private:
    Fields &field(const std::string &name, const std::string &value)
    {
        fields += (fields.empty() ? "" : ", ") + json(name) + ": " + value;
        return *this;
    }

    std::string fields;
};

} // namespace ffibench

#endif
