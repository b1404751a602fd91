// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the view Figures tells of a dataset: how many pictures are of which size, are learned at which size,
// have captions of which length and which tags, and what is wrong. Pure functions; any thread.
#pragma once

#include "app/engine/runs/learned_sizes.h"
#include "app/pages/datasets/dataset_files.h"

#include <vector>

namespace homebooth::app {

/// In the order in which they stand.
enum class FigureKind { Side, Learned, Words, Tag, Missing, Broken, NoCaption };

struct Figure {
    FigureKind kind = FigureKind::Side;
    int64_t first = 0; ///< longer sides in pixels, words: the least; learned: the width in pixels
    int64_t last = 0;  ///< the most, 0: no end; learned: the height
    QString tag;
    int pictures = 0;
    friend bool operator==(const Figure&, const Figure&) = default;
};

/// What is counted of pictures; kinds that nothing can be said of are left out. Between the first and the
/// last size or length that there is none is left out. Tags: the most frequent ones.
[[nodiscard]] std::vector<Figure> countFigures(const std::vector<DatasetItem>& items,
                                               const LearnedSizes& sizes);

} // namespace homebooth::app
