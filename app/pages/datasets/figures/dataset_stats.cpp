// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/figures/dataset_stats.h"

#include <QMap>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace homebooth::app {
namespace {

constexpr qsizetype kMostCommas = 300; // beyond that it is a text, or a table of numbers

struct Shape {
    const char* name;
    double ratio; // width over height
};
constexpr Shape kShapes[] = {{"2:1", 2.0},     {"16:9", 16.0 / 9}, {"3:2", 1.5},
                             {"4:3", 4.0 / 3}, {"1:1", 1.0},       {"3:4", 3.0 / 4.0},
                             {"2:3", 2.0 / 3}, {"9:16", 9.0 / 16}, {"1:2", 0.5}};

int medianOf(std::vector<int> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

QStringList tagsOf(const QString& caption) {
    const auto commas = caption.count(',');
    if (commas == 0 || commas > kMostCommas) return {};
    QStringList tags;
    QSet<QString> seen;
    for (const QString& part : caption.split(',', Qt::SkipEmptyParts)) {
        const QString tag = part.simplified();
        if (tag.isEmpty() || seen.contains(tag.toCaseFolded())) continue;
        seen.insert(tag.toCaseFolded());
        tags.append(tag);
    }
    return tags;
}

QString withTag(const QString& caption, const QString& tag) {
    const QString plain = QString(tag).remove(',').simplified();
    const QString text = caption.simplified();
    if (plain.isEmpty() || tagsOf(text).contains(plain, Qt::CaseInsensitive) || text == plain) return text;
    return text.isEmpty() ? plain : text + QStringLiteral(", ") + plain;
}

QString withoutTag(const QString& caption, const QString& tag) {
    QStringList kept;
    for (const QString& one : tagsOf(caption))
        if (one.compare(tag, Qt::CaseInsensitive) != 0) kept.append(one);
    const auto commas = caption.count(',');
    return commas > 0 && commas <= kMostCommas ? kept.join(QStringLiteral(", ")) : caption;
}

QString shapeOf(const DatasetItem& item) {
    if (item.widthPixels <= 0 || item.heightPixels <= 0) return {};
    const double ratio = double(item.widthPixels) / item.heightPixels;
    const auto* nearest =
        std::min_element(std::begin(kShapes), std::end(kShapes), [ratio](const Shape& a, const Shape& b) {
            return std::abs(std::log(a.ratio / ratio)) < std::abs(std::log(b.ratio / ratio));
        });
    return QString::fromLatin1(nearest->name);
}

int wordsOf(const QString& caption) {
    return static_cast<int>(caption.simplified().split(' ', Qt::SkipEmptyParts).size());
}

DatasetFigures figuresOf(const std::vector<DatasetItem>& items) {
    DatasetFigures figures;
    QMap<QString, int> shapes;
    QMap<QString, int> tags;
    std::vector<int> sides;
    std::vector<int> words;
    for (const DatasetItem& item : items) {
        for (const QString& tag : tagsOf(item.caption)) ++tags[tag.toLower()];
        if (!item.caption.isEmpty()) words.push_back(wordsOf(item.caption));
        if (item.widthPixels <= 0) continue;
        ++shapes[shapeOf(item)];
        sides.push_back(std::min(item.widthPixels, item.heightPixels));
    }
    for (const Shape& shape : kShapes)
        if (const int count = shapes.value(QLatin1String(shape.name)); count > 0)
            figures.shapes.append({QString::fromLatin1(shape.name), count});
    for (auto it = tags.cbegin(); it != tags.cend(); ++it) figures.tags.append({it.key(), it.value()});
    std::stable_sort(figures.tags.begin(), figures.tags.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    figures.leastSide = sides.empty() ? 0 : *std::min_element(sides.begin(), sides.end());
    figures.mostWords = words.empty() ? 0 : *std::max_element(words.begin(), words.end());
    figures.medianSide = medianOf(std::move(sides));
    figures.medianWords = medianOf(std::move(words));
    return figures;
}

} // namespace homebooth::app
