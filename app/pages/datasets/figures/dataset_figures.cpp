// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/figures/dataset_figures.h"

#include "app/pages/datasets/figures/dataset_stats.h"
#include "core/base/config/training_size.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace homebooth::app {
namespace {

// Where each range begins; the last one has no end.
constexpr int kSides[] = {1, 256, 512, 768, 1024, 1536, 2048, 3072, 4096};
constexpr int kWords[] = {1, 6, 11, 21, 41, 81, 161};
constexpr qsizetype kMostTags = 20;

/// How many values lie in each range. @param values  all at least 1
void addRanges(std::vector<Figure>& figures, FigureKind kind, const std::vector<int>& values,
               std::span<const int> begins) {
    std::vector<int> counts(begins.size());
    for (const int value : values) {
        const auto next = std::upper_bound(begins.begin(), begins.end(), value);
        ++counts[static_cast<size_t>(next - begins.begin()) - 1];
    }
    const auto some = [](int count) { return count > 0; };
    const auto end = std::find_if(counts.rbegin(), counts.rend(), some).base();
    const auto first = static_cast<size_t>(std::find_if(counts.begin(), end, some) - counts.begin());
    const auto beyond = static_cast<size_t>(end - counts.begin());
    for (size_t i = first; i < beyond; ++i)
        figures.push_back({kind, begins[i], i + 1 < begins.size() ? begins[i + 1] - 1 : 0, {}, counts[i]});
}

/// Widest first. What is cropped now is counted as if its shape were kept: that is what may be chosen.
void addLearned(std::vector<Figure>& figures, const std::vector<DatasetItem>& items,
                const LearnedSizes& sizes) {
    std::map<core::PictureSize, int> counts;
    for (const DatasetItem& item : items)
        if (item.problem.isEmpty() && item.widthPixels > 0 && item.heightPixels > 0)
            ++counts[core::trainingSize({item.widthPixels, item.heightPixels}, sizes.pixels,
                                        core::FramingMode::Buckets, sizes.step)];
    std::vector<std::pair<core::PictureSize, int>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.first.widthPixels * b.first.heightPixels > b.first.widthPixels * a.first.heightPixels;
    });
    for (const auto& [size, count] : sorted)
        figures.push_back({FigureKind::Learned, size.widthPixels, size.heightPixels, {}, count});
}

void addProblems(std::vector<Figure>& figures, const std::vector<DatasetItem>& items) {
    const auto add = [&figures, &items](FigureKind kind, const auto& has) {
        const auto count = std::count_if(items.begin(), items.end(), has);
        figures.push_back({kind, 0, 0, {}, static_cast<int>(count)});
    };
    add(FigureKind::Missing, [](const DatasetItem& item) { return item.missing; });
    add(FigureKind::Broken, [](const DatasetItem& item) { return !item.problem.isEmpty() && !item.missing; });
    add(FigureKind::NoCaption, [](const DatasetItem& item) { return item.caption.isEmpty(); });
}

} // namespace

std::vector<Figure> countFigures(const std::vector<DatasetItem>& items, const LearnedSizes& sizes) {
    std::vector<Figure> figures;
    if (items.empty()) return figures;
    std::vector<int> sides;
    std::vector<int> words;
    for (const DatasetItem& item : items) {
        if (const int side = std::max(item.widthPixels, item.heightPixels); side > 0) sides.push_back(side);
        if (const int count = wordsOf(item.caption); count > 0) words.push_back(count);
    }
    addRanges(figures, FigureKind::Side, sides, kSides);
    addLearned(figures, items, sizes);
    addRanges(figures, FigureKind::Words, words, kWords);
    const DatasetFigures all = figuresOf(items);
    for (const auto& [tag, count] : all.tags.first(std::min(kMostTags, all.tags.size())))
        figures.push_back({FigureKind::Tag, 0, 0, tag, count});
    addProblems(figures, items);
    return figures;
}

} // namespace homebooth::app
