// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads typed values out of a model's config.json and gathers what is wrong with them.
// Private to core/base/model: this header needs nlohmann/json. One thread.
// A key that is absent or null gives the fallback.
#pragma once

#include "core/base/util/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// What no model of the kinds that are read comes near: more is a damaged file.
constexpr int64_t kMostChannels = 1 << 16;
constexpr int64_t kMostTokens = 1 << 24;
constexpr int64_t kMostLayers = 256; ///< of a stage

class ConfigReader {
public:
    /// Parses `text`, which must hold one JSON object.
    /// @param what  names the file in messages, e.g. "UNet configuration"
    static Result<ConfigReader> parse(std::string_view text, std::string what);

    /// Goes on with the object in `key`, if there is one.
    void enter(const std::string& key);

    [[nodiscard]] int64_t integer(const std::string& key, int64_t fallback, int64_t least, int64_t most);
    [[nodiscard]] double real(const std::string& key, double fallback);
    [[nodiscard]] bool flag(const std::string& key, bool fallback);
    [[nodiscard]] std::string text(const std::string& key, const std::string& fallback,
                                   const std::vector<std::string>& supported = {});
    /// A list of texts, each one of `supported`.
    [[nodiscard]] std::vector<std::string> texts(const std::string& key,
                                                 const std::vector<std::string>& fallback,
                                                 const std::vector<std::string>& supported);
    /// A list of integers, or one that stands for `count` equal ones (`count` 0: any number, at least one).
    [[nodiscard]] std::vector<int64_t> integers(const std::string& key, const std::vector<int64_t>& fallback,
                                                size_t count, int64_t least, int64_t most);
    /// A list of integers, which may be empty, or one that is all of it.
    [[nodiscard]] std::vector<int64_t> oneOrMore(const std::string& key, int64_t fallback, int64_t least,
                                                 int64_t most);
    [[nodiscard]] bool isNull(const std::string& key) const;
    [[nodiscard]] bool has(const std::string& key) const { return !isNull(key); }
    /// Whether the key is written at all, be it as null.
    [[nodiscard]] bool contains(const std::string& key) const { return m_object.contains(key); }

    /// Refuses any value of `key` but null, false, 0 and those in `harmless` (as JSON text).
    void mustBeUnset(const std::string& key, const std::vector<std::string>& harmless = {});
    /// Refuses any value of `key` but null, false and numbers of 0 to 1.
    void mustBeShare(const std::string& key);
    /// Notes that the value of `key` cannot be used.
    void refuse(const std::string& key, const std::string& supported);
    /// Notes a problem that concerns several keys.
    void complain(std::string problem) { m_problems.push_back(std::move(problem)); }

    [[nodiscard]] bool ok() const { return m_problems.empty(); }
    /// All problems in one message. Call only when !ok().
    [[nodiscard]] Error error() const;

private:
    [[nodiscard]] const nlohmann::json* find(const std::string& key) const;
    [[nodiscard]] std::string found(const std::string& key) const;
    [[nodiscard]] bool readInteger(const nlohmann::json& value, int64_t least, int64_t most,
                                   int64_t& result) const;

    nlohmann::json m_object;
    std::string m_what;
    std::vector<std::string> m_problems;
};

/// One number when all are equal, else the list: what diffusers' own files look like.
[[nodiscard]] nlohmann::json collapse(const std::vector<int64_t>& values);

} // namespace homebooth::core
