// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prompts as other programs write them: add-ons stand in them as tags, square brackets change words on the
// way, BREAK parts them. Here a text encoder would take all of that for words; brackets that weigh words mean
// the same here (core/base/text/prompt_weights). Pure; any thread.
#pragma once

#include <QString>

#include <vector>

namespace homebooth::app {

/// "<lora:hat:0.8>"; "<lyco:hat:0.8>" is the same by another name.
struct PromptTag {
    QString kind; ///< "lora", or "hypernet", which there are not here
    QString name;
    double weight = 1.0;   ///< what the denoiser takes of it
    bool isUneven = false; ///< parts of it count otherwise: the text encoder, or some blocks
};

/// Takes the tags of add-ons out of a prompt, with the commas and blanks before them.
[[nodiscard]] std::vector<PromptTag> takeTags(QString& prompt);

/// Takes out what changes words while a picture is made: "[a cat:a dog:0.5]" and "[a cat|a dog]" become
/// "a cat, a dog", BREAK and AND a comma. Brackets that weigh words stay. @returns whether there was any
bool takeChanges(QString& prompt);

/// Makes "__animal__" the place "{animal}" and "{2$$a|b}" the choice "{a|b}", of one.
void takeWildcards(QString& prompt);

/// Whether a text is that of a picture, with its settings, as other programs copy it whole.
[[nodiscard]] bool isPictureText(const QString& text);

} // namespace homebooth::app
