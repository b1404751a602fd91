// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text that is there for who wants it: a line to press, and what it unfolds. GUI thread.
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace homebooth::app {

class Fold : public QWidget {
    Q_OBJECT
public:
    explicit Fold(QWidget* parent = nullptr);

    /// @param title  of the line. @param text  plain; where it is empty nothing is shown at all
    void setText(const QString& title, const QString& text);
    /// The same with lines as programs write them: more than a few are scrolled, the last ones in view.
    void setLines(const QString& title, const QString& lines);
    void setOpen(bool open);
    [[nodiscard]] bool isOpen() const;
    /// The focus goes to its line.
    void takeFocus();

private:
    [[nodiscard]] QWidget* body() const;
    QPushButton* m_line = nullptr;
    QLabel* m_text = nullptr;
    QPlainTextEdit* m_lines = nullptr; ///< instead of the text, where there are lines
};

} // namespace homebooth::app
