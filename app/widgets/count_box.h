// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A field for a number that lets more be typed than it takes: Qt's own drops the digit that is too much,
// and 150 becomes 15. What is too much becomes the most when the field is left. GUI thread.
#pragma once

#include <QSpinBox>

namespace homebooth::app {

class CountBox : public QSpinBox {
    Q_OBJECT
public:
    using QSpinBox::QSpinBox;
    [[nodiscard]] QValidator::State validate(QString& text, int& place) const override;
    void fixup(QString& text) const override;

Q_SIGNALS:
    void tooMany(const QString& typed) const; ///< `maximum` is taken for it

private:
    [[nodiscard]] bool isTooMany(const QString& text) const;
};

} // namespace homebooth::app
