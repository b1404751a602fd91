// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/pictures/photo_folder.h"

#include "app/engine/places.h"
#include "app/library/background.h"
#include "app/library/file_copy.h"
#include "app/library/subject_book.h"
#include "core/base/files/atomic_file.h"
#include "core/base/util/picture_size.h"
#include "core/media/picture_io.h"
#include "core/media/picture_limits.h"
#include "core/media/picture_list.h"
#include "core/media/picture_ops.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <utility>

namespace homebooth::app {
namespace {

core::Picture turned(const core::Picture& from, int quarterTurns) {
    if (quarterTurns == 0) return from;
    const bool swap = quarterTurns % 2 == 1;
    core::Picture to;
    to.widthPixels = swap ? from.heightPixels : from.widthPixels;
    to.heightPixels = swap ? from.widthPixels : from.heightPixels;
    to.rgb.resize(from.rgb.size());
    for (int64_t y = 0; y < to.heightPixels; ++y)
        for (int64_t x = 0; x < to.widthPixels; ++x) {
            int64_t fromX = to.widthPixels - 1 - x;
            int64_t fromY = to.heightPixels - 1 - y;
            if (quarterTurns == 1) {
                fromX = y;
                fromY = from.heightPixels - 1 - x;
            } else if (quarterTurns == 3) {
                fromX = from.widthPixels - 1 - y;
                fromY = x;
            }
            const auto source = static_cast<size_t>(3 * (fromY * from.widthPixels + fromX));
            const auto target = static_cast<size_t>(3 * (y * to.widthPixels + x));
            std::copy_n(&from.rgb[source], 3, &to.rgb[target]);
        }
    return to;
}

core::Result<void> writeEdited(const core::Photo& photo, const QString& base) {
    core::ReadPictureOptions options;
    options.background = photo.edit.background();
    HOMEBOOTH_ASSIGN(const core::Picture whole, core::readPicture(photo.path, options));
    const core::Picture picture = turned(whole, photo.edit.quarterTurns);
    const auto part = [](double fraction, int64_t of) {
        return static_cast<int64_t>(fraction * double(of) + 0.5);
    };
    const core::PictureRegion region{part(photo.edit.cropLeft, picture.widthPixels),
                                     part(photo.edit.cropTop, picture.heightPixels),
                                     std::max<int64_t>(1, part(photo.edit.cropWidth, picture.widthPixels)),
                                     std::max<int64_t>(1, part(photo.edit.cropHeight, picture.heightPixels))};
    const QString file = base + QStringLiteral(".png");
    HOMEBOOTH_CHECK(core::writePng(
        file.toStdString(), core::resizeRegion(picture, region, region.widthPixels, region.heightPixels)));
    hideAs(QString::fromStdString(photo.path), file);
    return {};
}

/// On the disk then, each for itself, as it is counted: all at the end would take a slow drive minutes, in
/// which nobody hears that it still answers.
core::Result<void> copyWhole(const core::Photo& photo, const QString& base, const WorkCount& count) {
    const QString path = QString::fromStdString(photo.path);
    const QString target = base + '.' + QFileInfo(path).suffix().toLower();
    if (!QFileInfo::exists(path)) return core::badInput(std::string(core::kPhotoGoneWords), photo.path);
    return copyLargeFile(path, target, [&count] {
        tellWriting();
        return !count.stopped;
    });
}

/// Whether what is used of a photo is too small to be learned.
bool tooSmall(const core::Photo& photo) {
    const auto info = core::pictureInfo(photo.path);
    return info && leastSide(photo, info->widthPixels, info->heightPixels) < core::kLeastPictureSide;
}

/// The engine takes no animation: of one that can be read the first picture stands for it.
bool animated(const core::Photo& photo) {
    const auto info = core::pictureInfo(photo.path);
    return info && info->animated;
}

/// Whether a photo is there but cannot be read: the window shows it as left out, by the same judgement.
bool unreadable(const core::Photo& photo) {
    constexpr int64_t kLookedAtPixels = 512; // scaled reading looks at the whole file, too
    core::ReadPictureOptions options;
    options.minSidePixels = kLookedAtPixels;
    return QFileInfo::exists(QString::fromStdString(photo.path)) && !core::readPicture(photo.path, options);
}

bool used(const core::Photo& photo) {
    return !photo.leftOut && !unreadable(photo) && !tooSmall(photo);
}

/// Leaves on the disk what the engine reads of a photo. @param base  path without an ending
core::Result<void> preparePhoto(const core::Subject& subject, const core::Photo& photo, const QString& base,
                                bool captions, const WorkCount& count) {
    const bool asItIs = photo.edit.empty() && !animated(photo);
    HOMEBOOTH_CHECK(asItIs ? copyWhole(photo, base, count) : writeEdited(photo, base));
    if (!captions && photo.caption.empty()) return {}; // the run's own sentence stands for it
    return core::writeFileAtomically((base + QStringLiteral(".txt")).toStdString(),
                                     captionOf(subject, photo).toStdString());
}

} // namespace

core::PictureSize usedSize(const core::Photo& photo, int64_t widthPixels, int64_t heightPixels) {
    if (photo.edit.quarterTurns % 2 == 1) std::swap(widthPixels, heightPixels);
    return {std::llround(double(widthPixels) * photo.edit.cropWidth),
            std::llround(double(heightPixels) * photo.edit.cropHeight)};
}

int64_t leastSide(const core::Photo& photo, int64_t widthPixels, int64_t heightPixels) {
    const core::PictureSize used = usedSize(photo, widthPixels, heightPixels);
    return std::min(used.widthPixels, used.heightPixels);
}

qint64 bytesOfPhotos(const std::vector<core::Subject>& subjects) {
    qint64 bytes = 0;
    for (const core::Subject& subject : subjects)
        for (const core::Photo& photo : subject.photos)
            if (!photo.leftOut) bytes += QFileInfo(QString::fromStdString(photo.path)).size();
    return bytes;
}

QByteArray listedPhotos(const std::vector<const core::Subject*>& subjects, bool captions) {
    QByteArray lines;
    for (const core::Subject* subject : subjects)
        for (const core::Photo& photo : subject->photos) {
            if (photo.leftOut) continue;
            QJsonObject line{{QStringLiteral("file_name"), QString::fromStdString(photo.path)}};
            if (captions || !photo.caption.empty())
                line.insert(QStringLiteral("text"), captionOf(*subject, photo));
            lines += QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
        }
    return lines;
}

core::Result<void> preparePhotos(const std::vector<core::Subject>& subjects, const QString& folder,
                                 bool captions, WorkCount* count) {
    WorkCount uncounted;
    WorkCount& prepared = count != nullptr ? *count : uncounted;
    for (const core::Subject& subject : subjects) prepared.total += static_cast<int>(subject.photos.size());
    if (!makeFolder(folder)) return core::badInput("cannot make the folder", folder.toStdString());
    int number = 0;
    for (const core::Subject& subject : subjects) {
        const int before = number;
        for (const core::Photo& photo : subject.photos) {
            if (used(photo)) {
                const QString base = folder + QStringLiteral("/%1").arg(++number, 3, 10, QLatin1Char('0'));
                HOMEBOOTH_CHECK(preparePhoto(subject, photo, base, captions, prepared));
            }
            ++prepared.done;
            tellWriting();
            if (prepared.stopped) return core::badInput("preparing the photos: it was stopped");
        }
        if (number == before)
            return core::badInput("preparing the photos of " + subject.name +
                                  ": expected at least one, found all of them left out, damaged or smaller "
                                  "than 8 pixels; take one back or add others");
    }
    return {};
}

} // namespace homebooth::app
