// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/rank_line.h"

#include "app/engine/figures.h"

#include <QStringList>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr size_t kMostNamed = 4; // each with its own figure; of more only the range is told

QString figuresOf(const std::vector<int64_t>& bytes) {
    const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
    if (bytes.size() > kMostNamed)
        return RankLine::tr("%1 processes: %2 to %3 each.")
            .arg(QString::number(bytes.size()), memoryText(*least), memoryText(*most));
    QStringList each;
    for (size_t rank = 0; rank < bytes.size(); ++rank)
        each.append(RankLine::tr("Process %1: %2").arg(QString::number(rank + 1), memoryText(bytes[rank])));
    return each.join(QStringLiteral(", ")) + '.';
}

} // namespace

RankLine::RankLine(QWidget* parent)
    : MutedLabel({}, parent) {
    hide();
}

void RankLine::show(const std::vector<int64_t>& bytes) {
    const auto most = std::max_element(bytes.begin(), bytes.end());
    const bool told = bytes.size() > 1 && *most > 0;
    setVisible(told);
    if (!told) return;
    QString text = figuresOf(bytes);
    if (memoryText(*std::min_element(bytes.begin(), bytes.end())) != memoryText(*most))
        text += ' ' + tr("Process %1 takes the most.").arg(most - bytes.begin() + 1);
    setText(text + ' ' + tr("The chart shows process 1."));
}

} // namespace homebooth::app
