// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a data set amounts to: tags, shapes, sizes, lengths of captions. Pure functions; any thread.
#pragma once

#include "app/pages/datasets/dataset_files.h"

#include <QPair>
#include <QStringList>

namespace homebooth::app {

/// The parts of a caption between commas, as taggers write them, each once; a sentence without a comma has
/// none, nor has what has hundreds of them: that is no list that anybody works with part by part.
[[nodiscard]] QStringList tagsOf(const QString& caption);

/// How many words a caption has.
[[nodiscard]] int wordsOf(const QString& caption);
[[nodiscard]] QString withTag(const QString& caption, const QString& tag);
[[nodiscard]] QString withoutTag(const QString& caption, const QString& tag);

/// The bucket of common shapes that is nearest to a picture: "3:2", "1:1" ...; empty for what cannot be read.
[[nodiscard]] QString shapeOf(const DatasetItem& item);

struct DatasetFigures {
    QList<QPair<QString, int>> shapes; ///< widest first
    QList<QPair<QString, int>> tags;   ///< most frequent first
    int leastSide = 0;                 ///< pixels; 0: nothing can be read
    int medianSide = 0;
    int medianWords = 0; ///< of captions
    int mostWords = 0;
};

[[nodiscard]] DatasetFigures figuresOf(const std::vector<DatasetItem>& items);

} // namespace homebooth::app
