// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/thumbnails.h"

#include "app/library/background.h"
#include "app/library/disk_cache.h"
#include "core/base/files/sha256.h"
#include "core/media/picture_io.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QTransform>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kCacheKiB = 96 * 1024;
constexpr int kStoredPixels = 512;    // one size on disk; smaller ones are scaled from it
constexpr int kThreads = 2;           // for each drive: the rest belongs to training
constexpr qint64 kLooksPerLimit = 10; // how often the folder is looked at while as much as the limit comes in
constexpr int kTryAgainMs = 3000;     // a picture that could not be read
constexpr int kAfterAll = -1;         // pictures that are waited for come first

thread_local int readHere = 0; // pictures by this thread

/// By what a file that was written meanwhile is known.
std::pair<qint64, QDateTime> stampOf(const QString& path) {
    const QFileInfo file(path);
    return {file.size(), file.lastModified()};
}

/// The stored small picture of a whole file; made when it is missing. @param written  gets its bytes then
QImage stored(const QString& folder, const QString& path, std::atomic<qint64>& written) {
    const auto stamp = stampOf(path);
    const auto hash = core::sha256File(path.toStdString());
    if (!hash || !*hash) return {};
    const QString name = QString::fromStdString(**hash);
    const QString file = QStringLiteral("%1/%2/%3.png").arg(folder, name.left(2), name);
    ++readHere;
    QImage image(file);
    if (!image.isNull()) {
        markUsed(file);
        return image;
    }
    image = loadEdited(path, {}, kStoredPixels);
    if (stampOf(path) != stamp) return image; // it need not be what the hash is of
    if (image.isNull() || !QDir().mkpath(QFileInfo(file).path())) return image;
    QSaveFile save(file);
    // Without the flush a full disk would be left with a part of the picture.
    if (save.open(QIODevice::WriteOnly) && image.save(&save, "PNG") && save.flush()) {
        const qint64 bytes = save.size();
        if (save.commit()) written += bytes;
    }
    return image;
}

QImage scaled(const QImage& image, int pixels) {
    if (image.isNull() || qMax(image.width(), image.height()) <= pixels) return image;
    return image.scaled(pixels, pixels, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

QImage edited(QImage image, const core::PhotoEdit& edit) {
    if (edit.quarterTurns != 0) image = image.transformed(QTransform().rotate(90.0 * edit.quarterTurns));
    if (edit.cropWidth >= 1.0 && edit.cropHeight >= 1.0) return image;
    const QRect part(qRound(edit.cropLeft * image.width()), qRound(edit.cropTop * image.height()),
                     qMax(1, qRound(edit.cropWidth * image.width())),
                     qMax(1, qRound(edit.cropHeight * image.height())));
    return image.copy(part & image.rect());
}

} // namespace

QString ThumbnailKey::text() const {
    return QStringLiteral("%1|%2|%3,%4,%5,%6,%7|%8")
        .arg(path, QString::number(edit.quarterTurns), QString::number(edit.cropLeft),
             QString::number(edit.cropTop), QString::number(edit.cropWidth), QString::number(edit.cropHeight),
             QString::number(edit.backgroundRgb), QString::number(pixels)); // in one go: paths may hold "%2"
}

QImage imageOf(const core::Picture& picture) {
    QImage image(static_cast<int>(picture.widthPixels), static_cast<int>(picture.heightPixels),
                 QImage::Format_RGB32);
    const uint8_t* from = picture.rgb.data();
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x, from += 3) line[x] = qRgb(from[0], from[1], from[2]);
    }
    return image;
}

int picturesReadHere() {
    return readHere;
}

QImage loadEdited(const QString& path, const core::PhotoEdit& edit, int pixels) {
    ++readHere;
    core::ReadPictureOptions options;
    const double part = qMax(0.05, qMin(edit.cropWidth, edit.cropHeight));
    options.minSidePixels = static_cast<int64_t>(pixels / part);
    options.background = edit.background();
    const auto picture = core::readPicture(path.toStdString(), options);
    if (!picture) return {};
    return scaled(edited(imageOf(*picture), edit), pixels);
}

Thumbnails::Thumbnails(QString folder, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder))
    , m_written(std::make_shared<std::atomic<qint64>>(0))
    , m_drives(kThreads, QThread::LowPriority)
    , m_cache(kCacheKiB) {}

QImage Thumbnails::find(const ThumbnailKey& key) {
    const QString text = key.text();
    if (const QImage* known = m_cache.object(text)) return *known;
    const auto failed = m_failed.constFind(text);
    const bool hopeless = failed != m_failed.cend() && !failed->hasExpired();
    if (hopeless || m_pending.contains(text)) return {};
    m_pending.insert(text, ++m_turn);
    const auto make = [key, folder = m_folder, written = m_written] {
        const bool rough = QFileInfo(key.path).fileName().startsWith('.'); // it is another one in a moment
        const bool whole = key.edit.empty() && key.pixels <= kStoredPixels && !rough;
        return scaled(whole ? stored(folder, key.path, *written) : loadEdited(key.path, key.edit, key.pixels),
                      key.pixels)
            .convertToFormat(QImage::Format_ARGB32_Premultiplied);
    };
    inBackground(
        this, make,
        [this, text, path = key.path, turn = m_turn](const QImage& image) {
            finish(text, path, image, turn);
        },
        &m_drives.of(key.path), m_turn); // what is asked for last is what is seen now
    return {};
}

bool Thumbnails::unreadableFile(const QString& path) const {
    const QString begin = path + '|';
    return std::any_of(m_failed.keyBegin(), m_failed.keyEnd(),
                       [&begin](const QString& text) { return text.startsWith(begin); });
}

void Thumbnails::setDiskLimit(qint64 bytes) {
    m_limit = bytes;
    trim();
}

void Thumbnails::trim() {
    if (m_limit <= 0) return;
    *m_written = 0;
    // Room for what is written until the folder is looked at again.
    const auto work = [folder = m_folder, rest = m_limit - m_limit / kLooksPerLimit] {
        (void)keepUsedLast(folder, rest);
    };
    inBackground(
        this, work, [] {}, &m_drives.of(m_folder), kAfterAll);
}

void Thumbnails::forget(const QString& path) {
    forgetAll({path});
}

void Thumbnails::forgetAll(const QSet<QString>& paths) {
    constexpr int kLastOfPath = -4; // of a key's text: turns, crop with colour, and size follow
    const auto meant = [&paths](const QString& text) {
        return paths.contains(text.section('|', 0, kLastOfPath));
    };
    for (const QString& text : m_cache.keys())
        if (meant(text)) m_cache.remove(text);
    m_failed.removeIf(
        [&meant](std::pair<const QString&, QDeadlineTimer&> failed) { return meant(failed.first); });
    m_pending.removeIf([&meant](std::pair<const QString&, int&> asked) { return meant(asked.first); });
}

void Thumbnails::finish(const QString& text, const QString& path, const QImage& image, int turn) {
    const auto asked = m_pending.constFind(text);
    const bool awaited = asked != m_pending.cend();
    const bool counts = awaited && *asked == turn;
    if (counts) m_pending.remove(text);
    // One of before a change is seen until the other is there: of rough views each may be late.
    if (image.isNull()) {
        if (counts) m_failed.insert(text, QDeadlineTimer(kTryAgainMs));
    } else if (awaited) {
        m_failed.remove(text);
        m_cache.insert(text, new QImage(image), qMax(1, int(image.sizeInBytes() / 1024)));
    }
    if (m_limit > 0 && *m_written > m_limit / kLooksPerLimit) trim();
    Q_EMIT ready(path);
}

} // namespace homebooth::app
