// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fails the test that runs where an item model breaks the rules of item models. Owned by a test, beside
// the model, which outlives it; GUI thread.
#pragma once

#include <QAbstractItemModelTester>

namespace homebooth::app {

/// Watches a model while it lives.
class ItemRules {
public:
    explicit ItemRules(QAbstractItemModel& model)
        : m_tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest) {}

private:
    QAbstractItemModelTester m_tester;
};

} // namespace homebooth::app
