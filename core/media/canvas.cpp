// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/canvas.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace homebooth::core {
namespace {

constexpr int kScale = 2;
constexpr int kShift = 4; // OpenCV's points have this many bits behind the point
constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
constexpr double kCapitalHeight = 21.0; // of the font at scale 1, in pixels

cv::Scalar scalar(Rgb colour) {
    return {double(colour.red), double(colour.green), double(colour.blue)};
}

cv::Point fixedPoint(cv::Point2d point) {
    return {static_cast<int>(std::lround(point.x * kScale * (1 << kShift))),
            static_cast<int>(std::lround(point.y * kScale * (1 << kShift)))};
}

std::vector<cv::Point> fixedPoints(const std::vector<cv::Point2d>& points) {
    std::vector<cv::Point> out;
    out.reserve(points.size());
    for (const cv::Point2d& point : points) out.push_back(fixedPoint(point));
    return out;
}

int strokes(double thickness) {
    return std::max(1, static_cast<int>(std::lround(thickness * kScale)));
}

std::string asciiOf(const std::string& text) {
    std::string out;
    for (char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 && byte < 0xC0) continue; // the rest of a longer character
        out += byte >= 32 && byte < 127 ? c : '?';
    }
    return out;
}

int letterStrokes(double size, bool bold) {
    return std::max(1, static_cast<int>(std::lround(size * kScale * (bold ? 0.15 : 0.105))));
}

} // namespace

Rgb mixed(Rgb over, Rgb under, double share) {
    const auto mix = [share](uint8_t a, uint8_t b) {
        return static_cast<uint8_t>(std::lround(a * share + b * (1 - share)));
    };
    return {mix(over.red, under.red), mix(over.green, under.green), mix(over.blue, under.blue)};
}

Canvas::Canvas(int64_t widthPixels, int64_t heightPixels, Rgb background)
    : m_pixels(static_cast<int>(heightPixels) * kScale, static_cast<int>(widthPixels) * kScale, CV_8UC3,
               scalar(background)) {}

void Canvas::line(cv::Point2d from, cv::Point2d to, Rgb colour, double thickness) {
    cv::line(m_pixels, fixedPoint(from), fixedPoint(to), scalar(colour), strokes(thickness), cv::LINE_AA,
             kShift);
}

void Canvas::dashedLine(cv::Point2d from, cv::Point2d to, Rgb colour, double thickness) {
    constexpr double kDash = 7, kGap = 5;
    const cv::Point2d way = to - from;
    const double length = std::hypot(way.x, way.y);
    for (double at = 0; at < length; at += kDash + kGap) {
        line(from + way * (at / length), from + way * (std::min(at + kDash, length) / length), colour,
             thickness);
    }
}

void Canvas::polyline(const std::vector<cv::Point2d>& points, Rgb colour, double thickness) {
    if (points.size() == 1) return disc(points.front(), 1.6 * thickness, colour);
    cv::polylines(m_pixels, fixedPoints(points), false, scalar(colour), strokes(thickness), cv::LINE_AA,
                  kShift);
}

void Canvas::polygon(const std::vector<cv::Point2d>& points, Rgb colour) {
    const std::vector<std::vector<cv::Point>> outlines{fixedPoints(points)};
    cv::fillPoly(m_pixels, outlines, scalar(colour), cv::LINE_AA, kShift);
}

void Canvas::rectangle(cv::Rect2d area, Rgb colour) {
    polygon({area.tl(), {area.x + area.width, area.y}, area.br(), {area.x, area.y + area.height}}, colour);
}

void Canvas::frame(cv::Rect2d area, Rgb colour, double thickness) {
    const std::vector<cv::Point> corners =
        fixedPoints({area.tl(), {area.x + area.width, area.y}, area.br(), {area.x, area.y + area.height}});
    cv::polylines(m_pixels, corners, true, scalar(colour), strokes(thickness), cv::LINE_AA, kShift);
}

void Canvas::disc(cv::Point2d centre, double radius, Rgb colour) {
    const int fixedRadius = static_cast<int>(std::lround(radius * kScale * (1 << kShift)));
    cv::circle(m_pixels, fixedPoint(centre), fixedRadius, scalar(colour), cv::FILLED, cv::LINE_AA, kShift);
}

void Canvas::picture(const Picture& picture, cv::Rect2d area) {
    if (picture.empty()) return;
    const double fit = std::min(area.width / static_cast<double>(picture.widthPixels),
                                area.height / static_cast<double>(picture.heightPixels)) *
                       kScale;
    const cv::Size size(
        std::max(1, static_cast<int>(std::lround(static_cast<double>(picture.widthPixels) * fit))),
        std::max(1, static_cast<int>(std::lround(static_cast<double>(picture.heightPixels) * fit))));
    const cv::Mat from(static_cast<int>(picture.heightPixels), static_cast<int>(picture.widthPixels), CV_8UC3,
                       const_cast<uint8_t*>(picture.rgb.data()));
    const cv::Rect place(static_cast<int>(area.x * kScale + (area.width * kScale - size.width) / 2),
                         static_cast<int>(area.y * kScale + (area.height * kScale - size.height) / 2),
                         size.width, size.height);
    const cv::Rect inside = place & cv::Rect(0, 0, m_pixels.cols, m_pixels.rows);
    if (inside != place) return;
    cv::Mat to = m_pixels(place);
    cv::resize(from, to, size, 0, 0, fit < 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
}

void Canvas::text(const std::string& text, cv::Point2d baseline, double size, Rgb colour, Anchor anchor,
                  bool bold) {
    if (anchor == Anchor::Centre) baseline.x -= textWidth(text, size, bold) / 2;
    if (anchor == Anchor::Right) baseline.x -= textWidth(text, size, bold);
    const cv::Point at(static_cast<int>(std::lround(baseline.x * kScale)),
                       static_cast<int>(std::lround(baseline.y * kScale)));
    cv::putText(m_pixels, asciiOf(text), at, kFont, size * kScale / kCapitalHeight, scalar(colour),
                letterStrokes(size, bold), cv::LINE_AA);
}

double Canvas::textWidth(const std::string& text, double size, bool bold) {
    int below = 0;
    const cv::Size box = cv::getTextSize(asciiOf(text), kFont, size * kScale / kCapitalHeight,
                                         letterStrokes(size, bold), &below);
    return static_cast<double>(box.width) / kScale;
}

Picture Canvas::finished() const {
    Picture out{m_pixels.cols / kScale, m_pixels.rows / kScale, {}};
    out.rgb.resize(static_cast<size_t>(3 * out.widthPixels * out.heightPixels));
    cv::Mat to(static_cast<int>(out.heightPixels), static_cast<int>(out.widthPixels), CV_8UC3,
               out.rgb.data());
    cv::resize(m_pixels, to, to.size(), 0, 0, cv::INTER_AREA);
    return out;
}

} // namespace homebooth::core
