// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's translations, with long counts as `countText` has them: Qt puts plain digits in place of %n.
// Owned by the application. Invariant: words without a count are as the file has them.
#pragma once

#include <QTranslator>

namespace homebooth::app {

class GroupedWords : public QTranslator {
public:
    using QTranslator::QTranslator;
    [[nodiscard]] QString translate(const char* context, const char* source, const char* disambiguation,
                                    int n) const override;
};

} // namespace homebooth::app
