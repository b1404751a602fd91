// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prompts as other programs write them: add-ons stand in them as tags, and brackets weigh words. Here a
// text encoder would take both for words. Pure; any thread.
#pragma once

#include <QString>

#include <vector>

namespace homebooth::app {

/// "<lora:hat:0.8>"; "<lyco:hat:0.8>" is the same by another name.
struct PromptTag {
    QString kind; ///< "lora", or "hypernet", which there are not here
    QString name;
    double weight = 1.0;
};

/// Takes the tags of add-ons out of a prompt, with the commas and blanks before them.
[[nodiscard]] std::vector<PromptTag> takeTags(QString& prompt);

/// Takes the brackets that weigh words out of a prompt: "(a hat:1.2), [a cat] \(big\)" becomes
/// "a hat, a cat (big)". @returns whether there were any
bool takeBrackets(QString& prompt);

} // namespace homebooth::app
