// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/caption_text.h"

#include "core/base/util/regular_file.h"

#include <algorithm>

namespace homebooth::core {

bool saysSomething(const std::vector<std::string>& captions) {
    return std::any_of(captions.begin(), captions.end(),
                       [](const std::string& caption) { return !caption.empty(); });
}

std::vector<std::string> captionsIn(const nlohmann::json& object,
                                    std::initializer_list<const char*> keywords) {
    std::vector<std::string> captions;
    if (!object.is_object()) return captions;
    const auto texts = object.find("texts");
    if (texts != object.end() && texts->is_array())
        for (const auto& text : *texts)
            if (text.is_string()) captions.push_back(trimmedCaption(text.get<std::string>()));
    for (const char* keyword : keywords) {
        const auto text = object.find(keyword);
        if (saysSomething(captions)) break;
        if (text != object.end() && text->is_string()) captions = {trimmedCaption(text->get<std::string>())};
    }
    return captions;
}

std::vector<std::string> captionsInColumns(const nlohmann::json& object,
                                           const std::vector<std::string>& columns) {
    std::vector<std::string> captions;
    if (!object.is_object()) return captions;
    const auto add = [&](const nlohmann::json& text) {
        if (text.is_string()) captions.push_back(trimmedCaption(text.get<std::string>()));
    };
    for (const std::string& column : columns) {
        const auto member = object.find(column);
        if (member == object.end()) continue;
        if (member->is_array())
            std::for_each(member->begin(), member->end(), add);
        else
            add(*member);
    }
    return captions;
}

std::string membersOf(const nlohmann::json& object) {
    constexpr size_t kMostShown = 20;
    std::string names;
    size_t shown = 0;
    for (const auto& [name, value] : object.items()) {
        if (shown++ == kMostShown) return names + " and others";
        names += (names.empty() ? "" : ", ") + displayName(name) + " (" + value.type_name() + ")";
    }
    return names.empty() ? "nothing" : names;
}

std::string eitherOf(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + displayName(names[i]);
    return text;
}

} // namespace homebooth::core
