// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A drawing surface for charts: OpenCV's lines and letters at twice the size, scaled down at the end, so that
// edges are smooth. All coordinates are pixels of the finished picture, from the top left corner.
// Internal to media. Used by one thread.
#pragma once

#include "core/base/util/picture.h"

#include <opencv2/core.hpp>
#include <string>
#include <vector>

namespace homebooth::core {

struct Rgb {
    uint8_t red, green, blue;
};

/// `share` of `over` laid upon `under`. @param share  0-1
[[nodiscard]] Rgb mixed(Rgb over, Rgb under, double share);

/// Which part of the text stands at the given point.
enum class Anchor { Left, Centre, Right };

class Canvas {
public:
    Canvas(int64_t widthPixels, int64_t heightPixels, Rgb background);

    void line(cv::Point2d from, cv::Point2d to, Rgb colour, double thickness);
    void dashedLine(cv::Point2d from, cv::Point2d to, Rgb colour, double thickness);
    void polyline(const std::vector<cv::Point2d>& points, Rgb colour, double thickness);
    void polygon(const std::vector<cv::Point2d>& points, Rgb colour);
    void rectangle(cv::Rect2d area, Rgb colour);
    void frame(cv::Rect2d area, Rgb colour, double thickness);
    void disc(cv::Point2d centre, double radius, Rgb colour);
    void picture(const Picture& picture, cv::Rect2d area); ///< scaled to fit inside, centred

    /// Writes one line of ASCII; other characters appear as '?'. @param baseline  where the letters stand
    /// @param size  height of capitals in pixels
    void text(const std::string& text, cv::Point2d baseline, double size, Rgb colour,
              Anchor anchor = Anchor::Left, bool bold = false);
    [[nodiscard]] static double textWidth(const std::string& text, double size, bool bold = false);

    [[nodiscard]] Picture finished() const;

private:
    cv::Mat m_pixels; ///< RGB, kScale times the size
};

} // namespace homebooth::core
