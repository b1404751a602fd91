// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/caption_text.h"

namespace homebooth::core {

std::string trimmedCaption(const std::string& text) {
    constexpr const char* kBlank = " \t\r\n";
    const size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
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
        if (captions.empty() && text != object.end() && text->is_string())
            captions.push_back(trimmedCaption(text->get<std::string>()));
    }
    return captions;
}

} // namespace homebooth::core
