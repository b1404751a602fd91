// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON of others' making, refused beyond a modest depth: copying it and writing it again go down as deep on
// the stack. For .cpp files and private headers: this header needs nlohmann/json. Any thread.
#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace homebooth::core {

constexpr int kDeepestJson = 32;

/// The parsed text; discarded when it is no JSON or nested deeper than kDeepestJson.
template <class Json = nlohmann::ordered_json>
[[nodiscard]] Json parseShallow(std::string_view text) {
    bool tooDeep = false;
    const typename Json::parser_callback_t watch = [&tooDeep](int depth, typename Json::parse_event_t,
                                                              Json&) {
        tooDeep = tooDeep || depth > kDeepestJson;
        return !tooDeep;
    };
    Json parsed = Json::parse(text, watch, false);
    return tooDeep ? Json(Json::value_t::discarded) : parsed;
}

} // namespace homebooth::core
