// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a pickle says, as plain values: functions that it wants called are named and never called.
// A Pickle owns its values, which may lead to each other in circles. Plain values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

struct PickleValue {
    enum class Kind {
        None,
        Bool,       ///< integer: 0 or 1
        Integer,    ///< those of more than 8 bytes are Bytes
        Real,       ///< real
        Text,       ///< text
        Bytes,      ///< text
        Sequence,   ///< items; a tuple, list or set
        Dict,       ///< items: key, value, key, value
        Global,     ///< text: "module.name" of a class or function
        Call,       ///< items: what is to be called, with what, and the attributes that follow, if any do
        Persistent, ///< items: the name of something that lies beside the pickle
    };
    Kind kind = Kind::None;
    int64_t integer = 0;
    double real = 0.0;
    std::string text = {};
    std::vector<const PickleValue*> items = {};

    [[nodiscard]] bool isText() const { return kind == Kind::Text; }
    [[nodiscard]] bool isGlobal(std::string_view name) const { return kind == Kind::Global && text == name; }
    /// The value with this key, or null; of a Dict.
    [[nodiscard]] const PickleValue* at(std::string_view key) const;
};

struct Pickle {
    std::deque<PickleValue> values;
    const PickleValue* value = nullptr; ///< what it is about, in `values`
    size_t bytes = 0;                   ///< that it took
};

} // namespace homebooth::core
