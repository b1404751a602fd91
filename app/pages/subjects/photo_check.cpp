// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/subjects/photo_check.h"

#include "app/library/background.h"
#include "core/media/picture_io.h"
#include "core/media/picture_ops.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>
#include <vector>

namespace homebooth::app {
namespace {

constexpr int64_t kJudgedPixels = 512; // the longer side at which sharpness is compared
constexpr size_t kRaster = 4;          // parts along each side
constexpr size_t kEnoughPhotos = 3;    // two differ by what they show
// Of 108 sharp pictures of 22 subjects two have less than this part of the median; of the same ones shaken
// by 6 of 512 px, one at a time, all but 15.
constexpr double kBlurredPart = 0.2;
constexpr double kSharpFrom = 250.0; // sharp by itself, also beside drawings, which have many times that

/// 0-255 each, by the weights of Rec. 601.
std::vector<float> lumaOf(const core::Picture& picture) {
    std::vector<float> luma(static_cast<size_t>(picture.widthPixels * picture.heightPixels));
    for (size_t i = 0; i < luma.size(); ++i)
        luma[i] =
            0.299F * picture.rgb[3 * i] + 0.587F * picture.rgb[3 * i + 1] + 0.114F * picture.rgb[3 * i + 2];
    return luma;
}

core::Picture atMost(const core::Picture& picture, int64_t pixels) {
    const int64_t longer = std::max(picture.widthPixels, picture.heightPixels);
    if (longer <= pixels) return picture;
    const core::PictureRegion all{0, 0, picture.widthPixels, picture.heightPixels};
    return core::resizeRegion(picture, all, std::max<int64_t>(1, picture.widthPixels * pixels / longer),
                              std::max<int64_t>(1, picture.heightPixels * pixels / longer));
}

/// Of a picture in the dark the light that it should have had: edges are weaker there, but no less sharp.
void lighten(std::vector<float>& luma) {
    constexpr float kBright = 128; // of the brightest hundredth
    constexpr float kMost = 16;    // times; beyond that there is noise alone
    if (luma.empty()) return;
    std::vector<float> sorted = luma;
    const auto brightest = sorted.end() - 1 - static_cast<std::ptrdiff_t>(sorted.size() / 100);
    std::nth_element(sorted.begin(), brightest, sorted.end());
    if (*brightest >= kBright) return;
    const float factor = std::min(kMost, kBright / std::max(*brightest, 1.0F));
    for (float& one : luma) one *= factor;
}

/// Of a picture, in pixels; the right and the lower end are outside of it.
struct Part {
    size_t left;
    size_t top;
    size_t right;
    size_t bottom;
};

/// The variance of the Laplacian within a part, which has neighbours on all sides; 0 of an empty one.
double roughnessOf(const std::vector<float>& luma, size_t width, const Part& part) {
    double sum = 0.0;
    double squares = 0.0;
    size_t count = 0;
    for (size_t y = part.top; y < part.bottom; ++y)
        for (size_t x = part.left; x < part.right; ++x) {
            const size_t i = y * width + x;
            const double value =
                luma[i - 1] + luma[i + 1] + luma[i - width] + luma[i + width] - 4.0F * luma[i];
            sum += value;
            squares += value * value;
            ++count;
        }
    if (count == 0) return 0.0;
    const double mean = sum / double(count);
    return squares / double(count) - mean * mean;
}

constexpr int kWatchMs = 200;
constexpr int kThreads = 2; // for each drive

/// What sets a picture with this orientation (of EXIF, 1-8) upright; 0: nothing, or not turning alone.
int quarterTurnsOf(int orientation) {
    switch (orientation) {
    case 3:
        return 2;
    case 6:
        return 1;
    case 8:
        return 3;
    default:
        return 0;
    }
}

void takeStamp(const QString& path, PhotoFacts& facts) {
    const QFileInfo file(path);
    facts.bytes = file.exists() ? file.size() : -1;
    facts.changedMs = file.exists() ? file.lastModified().toMSecsSinceEpoch() : 0;
}

} // namespace

double sharpnessOf(const core::Picture& whole) {
    const core::Picture picture = atMost(whole, kJudgedPixels);
    if (picture.widthPixels < 3 || picture.heightPixels < 3) return 0.0;
    std::vector<float> luma = lumaOf(picture);
    lighten(luma);
    const auto width = static_cast<size_t>(picture.widthPixels);
    const auto height = static_cast<size_t>(picture.heightPixels);
    const auto edge = [](size_t part, size_t pixels) { return 1 + part * (pixels - 2) / kRaster; };
    double most = 0.0;
    for (size_t row = 0; row < kRaster; ++row)
        for (size_t column = 0; column < kRaster; ++column)
            most = std::max(most, roughnessOf(luma, width,
                                              {edge(column, width), edge(row, height),
                                               edge(column + 1, width), edge(row + 1, height)}));
    return most;
}

double blurredBeside(std::vector<double> sharpnesses) {
    const size_t count = sharpnesses.size();
    if (count < kEnoughPhotos) return 0.0;
    std::sort(sharpnesses.begin(), sharpnesses.end());
    const double median = (sharpnesses[(count - 1) / 2] + sharpnesses[count / 2]) / 2.0;
    return std::min(kBlurredPart * median, kSharpFrom);
}

uint64_t likenessOf(const core::Picture& picture) {
    constexpr int kCells = 8;
    const core::PictureRegion all{0, 0, picture.widthPixels, picture.heightPixels};
    const std::vector<float> luma = lumaOf(core::resizeRegion(picture, all, kCells + 1, kCells));
    uint64_t bits = 0;
    for (int y = 0; y < kCells; ++y)
        for (int x = 0; x < kCells; ++x) {
            const auto at = static_cast<size_t>(y * (kCells + 1) + x);
            bits = bits << 1 | (luma[at + 1] > luma[at] ? 1U : 0U);
        }
    return bits;
}

std::vector<int> likeRows(const std::vector<std::optional<uint64_t>>& likenesses) {
    std::vector<int> like(likenesses.size(), -1);
    std::vector<std::pair<uint64_t, int>> earlier; // those to compare with, close together in memory
    earlier.reserve(likenesses.size());
    for (size_t row = 0; row < likenesses.size(); ++row) {
        if (!likenesses[row]) continue;
        const auto same = [mine = *likenesses[row]](const std::pair<uint64_t, int>& other) {
            return std::popcount(other.first ^ mine) <= kAlikeBits;
        };
        const auto found = std::find_if(earlier.begin(), earlier.end(), same);
        if (found != earlier.end()) like[row] = found->second;
        earlier.emplace_back(*likenesses[row], static_cast<int>(row));
    }
    return like;
}

PhotoFacts inspectPhoto(const QString& path) {
    PhotoFacts facts;
    takeStamp(path, facts);
    if (facts.bytes < 0) {
        facts.state = PhotoFacts::State::Missing;
        return facts;
    }
    const auto info = core::pictureInfo(path.toStdString());
    core::ReadPictureOptions options;
    options.minSidePixels = kJudgedPixels;
    const auto picture = core::readPicture(path.toStdString(), options);
    facts.animated = info && info->animated;
    if (!info || !picture) {
        const bool unread = info && (info->animated || info->format == core::PictureFormat::Gif);
        if (unread) facts.kind = QString::fromStdString(std::string(core::pictureFormatName(info->format)));
        facts.state = PhotoFacts::State::Unreadable;
        facts.fault = core::pictureFault(path.toStdString());
        facts.problem = QString::fromStdString(info ? picture.error().message : info.error().message);
        return facts;
    }
    facts.state = PhotoFacts::State::Ready;
    facts.widthPixels = info->widthPixels;
    facts.heightPixels = info->heightPixels;
    facts.transparent = info->alpha;
    facts.turned = info->orientation != 1;
    facts.quarterTurns = quarterTurnsOf(info->orientation);
    facts.sharpness = sharpnessOf(*picture);
    facts.likeness = likenessOf(*picture);
    return facts;
}

PhotoInspector::PhotoInspector(QObject* parent)
    : QObject(parent)
    , m_dropped(std::make_shared<std::atomic<bool>>(false))
    , m_drives(kThreads) {
    m_watchSoon.setSingleShot(true);
    m_watchSoon.setInterval(kWatchMs);
    connect(&m_watchSoon, &QTimer::timeout, this, &PhotoInspector::watchAll);
    connect(&m_watch, &FileWatch::changed, this, &PhotoInspector::recheck);
    connect(&m_watch, &FileWatch::begun, this, &PhotoInspector::recheck);
}

PhotoFacts PhotoInspector::facts(const QString& path) {
    const auto known = m_known.constFind(path);
    if (known != m_known.cend()) return *known;
    m_known.insert(path, {});
    inBackground(
        this, [path, dropped = m_dropped] { return *dropped ? PhotoFacts() : inspectPhoto(path); },
        [this, path](const PhotoFacts& facts) {
            // Nobody wanted it by then, or does any more.
            if (facts.state == PhotoFacts::State::Unknown || !knows(path)) return;
            m_known.insert(path, facts);
            m_watchSoon.start();
            Q_EMIT found(path);
        },
        &m_drives.of(path));
    return {};
}

void PhotoInspector::dropWaiting() {
    *std::exchange(m_dropped, std::make_shared<std::atomic<bool>>(false)) = true;
    for (auto one = m_known.begin(); one != m_known.end();)
        one = one->state == PhotoFacts::State::Unknown ? m_known.erase(one) : std::next(one);
}

void PhotoInspector::keepOnly(const QSet<QString>& paths) {
    QSet<QString> others(m_known.keyBegin(), m_known.keyEnd());
    others.subtract(paths);
    if (others.isEmpty()) return;
    for (const QString& path : std::as_const(others)) m_known.remove(path);
    m_watchSoon.start();
    Q_EMIT forgotten(others);
}

void PhotoInspector::watchAll() {
    QStringList paths = m_known.keys();
    for (const QString& path : m_known.keys())
        paths.append(QFileInfo(path).path()); // where a lost one comes back
    m_watch.set(paths);
    recheck(); // for what changed while it was judged nobody watched yet, and perhaps nobody can
}

void PhotoInspector::recheck() {
    m_recheckAgain = m_rechecking;
    if (std::exchange(m_rechecking, true)) return; // then once more: it may have looked already
    const auto differing = [known = m_known] {
        QStringList paths;
        for (auto one = known.cbegin(); one != known.cend(); ++one) {
            if (one->state == PhotoFacts::State::Unknown) continue; // is being judged
            PhotoFacts now;
            takeStamp(one.key(), now);
            if (now.bytes != one->bytes || now.changedMs != one->changedMs) paths.append(one.key());
        }
        return paths;
    };
    inBackground(
        this, differing,
        [this](const QStringList& paths) {
            m_rechecking = false;
            for (const QString& path : paths)
                if (m_known.remove(path)) Q_EMIT fileChanged(path); // not of those forgotten meanwhile
            if (m_recheckAgain) recheck();
        },
        &lookPool());
}

} // namespace homebooth::app
