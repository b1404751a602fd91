// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a graph of ComfyUI (comfy_graph.h), each reached by the links to it. Private to that:
// this header needs nlohmann/json. The nodes must outlive it. Pure; any thread.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace homebooth::core {

constexpr int kLongestWalk = 200; // along links, which may lead in a circle

class ComfyNodes {
public:
    using Json = nlohmann::json; // which finds a node at once
    using IsWanted = bool (*)(const Json&);

    explicit ComfyNodes(const Json& nodes)
        : m_nodes(nodes) {}

    /// What an input has, or null.
    static const Json* input(const Json& node, const std::string& key);
    /// The node at the other end of a link, or null.
    [[nodiscard]] const Json* linked(const Json* link) const;
    [[nodiscard]] const Json* linkedBy(const Json& node, const std::string& key) const;
    /// An input's text or number, be it at the other end of links: of nodes that but pass it on.
    [[nodiscard]] const Json* value(const Json* given, IsWanted isWanted) const;
    /// An input of a sampler, or of a node that is a part of it.
    [[nodiscard]] const Json* ofSampler(const Json& sampler, const std::string& key) const;
    [[nodiscard]] bool isSampler(const Json& node) const;
    /// What a sampler begins with, or a node works on, behind what changes it on the way.
    /// @param last      becomes the farthest node that is none
    /// @param isMasked  whether a part of it alone is made anew
    /// @returns         the sampler before, or null
    [[nodiscard]] const Json* walkLatent(const Json& from, const Json** last = nullptr,
                                         bool* isMasked = nullptr) const;
    /// One of very many inputs is none.
    static bool isNode(const Json& node);
    static const std::string& kind(const Json& node);

    static bool isText(const Json& value) { return value.is_string(); }
    static bool isNumber(const Json& value) { return value.is_number(); }

private:
    static const Json* only(const Json& node, IsWanted isWanted);

    const Json& m_nodes;
};

} // namespace homebooth::core
