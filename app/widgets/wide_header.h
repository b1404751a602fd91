// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The head of a table whose columns are never narrower than their names, in any language and size of text.
// Owned by its table, which takes it before it is told to sort; GUI thread.
#pragma once

#include <QHeaderView>

namespace homebooth::app {

class WideHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit WideHeader(QWidget* parent = nullptr);

protected:
    bool event(QEvent* event) override;

private:
    void widen();
};

} // namespace homebooth::app
