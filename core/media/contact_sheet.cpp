// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/canvas.h"
#include "core/media/chart.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {
namespace {

constexpr Rgb kBackground{244, 245, 247};
constexpr Rgb kCard{255, 255, 255};
constexpr Rgb kBorder{222, 226, 231};
constexpr Rgb kTitle{31, 39, 51};
constexpr Rgb kCaption{74, 83, 95};
constexpr double kGap = 16, kInset = 8, kLine = 17, kCaptionSize = 8.5, kTitleSize = 14;
constexpr size_t kMaxLines = 2;

/// Shortens a text to a width, with dots at its end.
std::string shortened(std::string text, double width) {
    if (Canvas::textWidth(text, kCaptionSize) <= width) return text;
    while (!text.empty() && Canvas::textWidth(text + "...", kCaptionSize) > width) text.pop_back();
    return text + "...";
}

/// A caption in at most kMaxLines lines, broken at spaces.
std::vector<std::string> linesOf(const std::string& caption, double width) {
    std::vector<std::string> lines{""};
    size_t at = 0;
    while (at < caption.size()) {
        const size_t end = std::min(caption.find(' ', at), caption.size());
        const std::string word = caption.substr(at, end - at);
        std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        const bool fits = Canvas::textWidth(longer, kCaptionSize) <= width;
        if (!fits && !lines.back().empty() && lines.size() < kMaxLines) {
            lines.push_back(word);
        } else {
            lines.back() = std::move(longer);
        }
        at = end + 1;
    }
    for (std::string& line : lines) line = shortened(line, width);
    return lines;
}

} // namespace

Picture contactSheet(const std::vector<Picture>& pictures, const std::vector<std::string>& captions,
                     const ContactSheetOptions& options) {
    const auto count = static_cast<int64_t>(std::max<size_t>(pictures.size(), 1));
    const auto square = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    const int64_t columns = std::clamp<int64_t>(options.columns > 0 ? options.columns : square, 1, count);
    const int64_t rows = (count + columns - 1) / columns;
    const auto cell = static_cast<double>(std::max<int64_t>(options.cellPixels, 16));
    const double cardWidth = cell + 2 * kInset;
    const double below = captions.empty() ? kInset : kInset + kMaxLines * kLine + 4;
    const double cardHeight = cell + kInset + below;
    const double top = options.title.empty() ? kGap : 56;
    Canvas canvas(static_cast<int64_t>(kGap + static_cast<double>(columns) * (cardWidth + kGap)),
                  static_cast<int64_t>(top + static_cast<double>(rows) * (cardHeight + kGap)), kBackground);
    canvas.text(options.title, {kGap + 2, 35}, kTitleSize, kTitle, Anchor::Left, true);
    for (size_t i = 0; i < pictures.size(); ++i) {
        const auto column = static_cast<double>(static_cast<int64_t>(i) % columns);
        const auto row = static_cast<double>(static_cast<int64_t>(i) / columns);
        const cv::Rect2d card(kGap + column * (cardWidth + kGap), top + row * (cardHeight + kGap), cardWidth,
                              cardHeight);
        canvas.rectangle(card, kCard);
        canvas.frame(card, kBorder, 1);
        canvas.picture(pictures[i], {card.x + kInset, card.y + kInset, cell, cell});
        if (i >= captions.size()) continue;
        double baseline = card.y + kInset + cell + kLine;
        for (const std::string& line : linesOf(captions[i], cell)) {
            canvas.text(line, {card.x + cardWidth / 2, baseline}, kCaptionSize, kCaption, Anchor::Centre);
            baseline += kLine;
        }
    }
    return canvas.finished();
}

} // namespace homebooth::core
