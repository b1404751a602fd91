// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each process of a training takes, where several train together: the chart above has room for one.
// GUI thread.
#pragma once

#include "app/widgets/parts.h"

#include <cstdint>
#include <vector>

namespace homebooth::app {

class RankLine : public MutedLabel {
    Q_OBJECT
public:
    explicit RankLine(QWidget* parent = nullptr);

    /// @param bytes  of each process, in their order; hidden where there are fewer than two
    void show(const std::vector<int64_t>& bytes);
};

} // namespace homebooth::app
