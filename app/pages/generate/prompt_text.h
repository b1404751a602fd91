// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prompts with places to fill in: {subject} is a subject's sentence, {red|blue} one of the words by chance.
// Pure functions; any thread.
#pragma once

#include <QString>

#include <functional>

namespace homebooth::app {

/// @param subject  what stands for {subject}: "ohwx toy"
/// @param draw     a number from 0 to below its argument
/// A brace without its partner stays as it is; braces may be nested.
[[nodiscard]] QString fillPrompt(const QString& text, const QString& subject,
                                 const std::function<int(int)>& draw);

} // namespace homebooth::app
