// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/curve.h"

#include <algorithm>
#include <cmath>

namespace homebooth::app {

void Curve::append(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    m_points.push_back({x, y});
    // A level grows by a block whenever two of the level below it are whole.
    for (size_t level = kFirstKept;; ++level) {
        const size_t length = size_t{2} << level;
        if (m_points.size() % length != 0) return;
        const size_t at = level - kFirstKept;
        if (at == m_levels.size()) m_levels.emplace_back();
        m_levels[at].push_back(blockAt(level, m_points.size() / length - 1));
    }
}

Curve::Block Curve::blockAt(size_t level, size_t number) const {
    const size_t length = size_t{2} << level;
    if (level <= kFirstKept) {
        const auto begin = m_points.begin() + static_cast<std::ptrdiff_t>(number * length);
        const auto [least, most] =
            std::minmax_element(begin, begin + static_cast<std::ptrdiff_t>(length),
                                [](const CurvePoint& a, const CurvePoint& b) { return a.y < b.y; });
        return {*least, *most};
    }
    const std::vector<Block>& below = m_levels[level - kFirstKept - 1];
    const Block& a = below[2 * number];
    const Block& b = below[2 * number + 1];
    return {a.least.y <= b.least.y ? a.least : b.least, a.most.y >= b.most.y ? a.most : b.most};
}

void Curve::clear() {
    m_points.clear();
    m_levels.clear();
}

size_t Curve::firstAt(double x) const {
    const auto found =
        std::lower_bound(m_points.begin(), m_points.end(), x,
                         [](const CurvePoint& point, double value) { return point.x < value; });
    return static_cast<size_t>(found - m_points.begin());
}

size_t Curve::nearest(double x) const {
    const size_t after = firstAt(x);
    if (after == 0) return 0;
    if (after == m_points.size()) return m_points.size() - 1;
    return x - m_points[after - 1].x < m_points[after].x - x ? after - 1 : after;
}

std::vector<CurvePoint> Curve::view(double from, double to, int pixels) const {
    std::vector<CurvePoint> shown;
    if (m_points.empty()) return shown;
    size_t first = firstAt(from);
    size_t last = firstAt(to);
    first = first > 0 ? first - 1 : 0;
    last = std::min(last + 1, m_points.size());
    const size_t count = last - first;
    const auto columns = static_cast<size_t>(std::max(pixels, 1));
    if (count <= 2 * columns)
        return {m_points.begin() + static_cast<std::ptrdiff_t>(first),
                m_points.begin() + static_cast<std::ptrdiff_t>(last)};
    size_t level = 0;
    const size_t levels = kFirstKept + m_levels.size();
    while (count / (size_t{2} << level) > columns && level + 1 < levels) ++level;
    const size_t length = size_t{2} << level;
    const size_t firstBlock = (first + length - 1) / length;
    const size_t lastBlock = std::max(firstBlock, last / length);
    // What is no whole block at either end, each at most one block long, is drawn from its extremes, too.
    shown.push_back(m_points[first]);
    addExtremes(shown, first + 1, std::min(firstBlock * length, last));
    for (size_t i = firstBlock; i < lastBlock; ++i) {
        const Block block = level < kFirstKept ? blockAt(level, i) : m_levels[level - kFirstKept][i];
        const bool rising = block.least.x <= block.most.x;
        shown.push_back(rising ? block.least : block.most);
        shown.push_back(rising ? block.most : block.least);
    }
    addExtremes(shown, lastBlock * length, last);
    if (shown.back() != m_points[last - 1]) shown.push_back(m_points[last - 1]);
    return shown;
}

void Curve::addExtremes(std::vector<CurvePoint>& to, size_t first, size_t last) const {
    if (first >= last) return;
    const auto begin = m_points.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = m_points.begin() + static_cast<std::ptrdiff_t>(last);
    const auto [least, most] =
        std::minmax_element(begin, end, [](const CurvePoint& a, const CurvePoint& b) { return a.y < b.y; });
    to.push_back(least < most ? *least : *most);
    to.push_back(least < most ? *most : *least);
}

CurvePoint Curve::percentiles(double from, double to, double low, double high) const {
    constexpr size_t kMostLooked = 4000;
    constexpr double kGolden = 0.6180339887498949; // its multiples keep step with no period of the values
    const size_t first = firstAt(from);
    const size_t last = std::max(firstAt(to), first);
    const size_t stride = std::max<size_t>(1, (last - first) / kMostLooked);
    std::vector<double> values;
    for (size_t block = 0; first + block * stride < last; ++block) {
        const double part = std::fmod(kGolden * double(block), 1.0);
        const size_t at = first + block * stride + static_cast<size_t>(part * double(stride));
        values.push_back(m_points[std::min(at, last - 1)].y);
    }
    if (values.empty()) return {0.0, 1.0};
    std::sort(values.begin(), values.end());
    // Outwards: of a few values all are in between.
    const double greatest = double(values.size() - 1);
    return {values[static_cast<size_t>(std::floor(low * greatest))],
            values[static_cast<size_t>(std::ceil(high * greatest))]};
}

double RunningMean::add(double value) {
    if (std::isfinite(value)) {
        m_sum = m_decay * m_sum + (1.0 - m_decay) * value;
        m_weight = m_decay * m_weight + (1.0 - m_decay);
    }
    return m_weight > 0.0 ? m_sum / m_weight : value;
}

} // namespace homebooth::app
