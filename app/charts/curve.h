// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A curve of any length that can be drawn in the time that a screen's width takes: minimum, maximum and mean
// in powers of two, added to as points come. Value; one thread. x never falls; values that are no number are
// left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace homebooth::app {

struct CurvePoint {
    double x = 0.0;
    double y = 0.0;
    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

class Curve {
public:
    void append(double x, double y);
    void clear();
    [[nodiscard]] size_t size() const { return m_points.size(); }
    [[nodiscard]] bool empty() const { return m_points.empty(); }
    [[nodiscard]] const CurvePoint& last() const { return m_points.back(); }
    [[nodiscard]] const std::vector<CurvePoint>& points() const { return m_points; }

    /// What to draw of [from, to] on `pixels` columns: at most two points a column, none of its extremes
    /// lost, and the neighbours beyond both ends so that lines leave the view.
    [[nodiscard]] std::vector<CurvePoint> view(double from, double to, int pixels) const;

    /// The index of the point nearest to x; 0 for an empty curve.
    [[nodiscard]] size_t nearest(double x) const;

    /// The range between two parts of all values in [from, to], e.g. 0.01 and 0.99.
    [[nodiscard]] CurvePoint percentiles(double from, double to, double low, double high) const;

private:
    struct Block {
        CurvePoint least;
        CurvePoint most;
    };
    /// Blocks of fewer points are made when they are asked for: kept, they would take twice what all others
    /// do.
    static constexpr size_t kFirstKept = 2;
    [[nodiscard]] size_t firstAt(double x) const; // first point with x or more
    /// A whole block, of the points or of the level below it. @param level  of blocks of 2^(level+1) points
    [[nodiscard]] Block blockAt(size_t level, size_t number) const;
    /// Adds the least and the greatest of the points [first, last), in their order.
    void addExtremes(std::vector<CurvePoint>& to, size_t first, size_t last) const;
    std::vector<CurvePoint> m_points;
    std::vector<std::vector<Block>> m_levels; // [k]: blocks of 2^(k+1+kFirstKept) points, whole ones only
};

/// A mean over the past alone, corrected for its beginning, so that drawn points never move.
class RunningMean {
public:
    explicit RunningMean(double decay = 0.96)
        : m_decay(decay) {}
    /// @returns the mean after `value`
    double add(double value);

private:
    double m_decay;
    double m_sum = 0.0;
    double m_weight = 0.0;
};

} // namespace homebooth::app
