// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What matters of a photo for training: size, sharpness, likeness to others, orientation, transparency.
// Pure functions over files; any thread. PhotoInspector asks them in the background, and again when a file
// changes; GUI thread.
#pragma once

#include "app/library/drive_pools.h"
#include "app/library/file_watch.h"
#include "core/base/util/picture.h"
#include "core/media/picture_fault.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace homebooth::app {

struct PhotoFacts {
    enum class State { Unknown, Ready, Unreadable, Missing };
    State state = State::Unknown;
    int64_t widthPixels = 0; ///< upright
    int64_t heightPixels = 0;
    bool transparent = false;
    bool animated = false;
    bool turned = false;    ///< was set upright as the camera noted
    int quarterTurns = 0;   ///< clockwise, by which it was; 0 also where it was mirrored beside that
    double sharpness = 0.0; ///< of the sharpest part, as sharpnessOf has it
    uint64_t likeness = 0;  ///< difference hash: near pictures differ in few bits
    QString problem;        ///< of unreadable ones
    /// The same as a code; None: further down in the file.
    core::PictureFault fault = core::PictureFault::None;
    QString kind;      ///< of those that are whole, but of a kind that nobody here reads: "GIF"
    qint64 bytes = -1; ///< of the file as it was judged; -1: there was none
    qint64 changedMs = 0;
};

/// Reads and judges one file.
[[nodiscard]] PhotoFacts inspectPhoto(const QString& path);

/// The variance of the Laplacian of a picture's luma (0-255) at 512 px, in that of 4 x 4 parts where it is
/// largest: a face counts, however soft is what lies behind it. Small pictures are judged as they are.
[[nodiscard]] double sharpnessOf(const core::Picture& picture);

/// Below what a photo is blurred beside others of its subject; 0 where they are too few to say so. One
/// that is sharp by itself is so beside whatever others.
/// @param sharpnesses  of all that are learned, itself among them
[[nodiscard]] double blurredBeside(std::vector<double> sharpnesses);

/// 64 bits: whether each of 8 x 8 cells is brighter than its left neighbour.
[[nodiscard]] uint64_t likenessOf(const core::Picture& picture);

/// For each picture the first one before it that is almost the same, -1 for none. Compares every two once.
/// @param likenesses  nothing: not known, or not to be compared
[[nodiscard]] std::vector<int> likeRows(const std::vector<std::optional<uint64_t>>& likenesses);

constexpr double kBlurredBelow = 40.0; ///< whatever the others are: sharp photos have 250 and more
constexpr int kAlikeBits = 6; ///< hashes that differ in at most so many bits are almost the same picture

class PhotoInspector : public QObject {
    Q_OBJECT
public:
    explicit PhotoInspector(QObject* parent = nullptr);
    /// What is known; asks in the background when nothing is. `found` follows.
    [[nodiscard]] PhotoFacts facts(const QString& path);
    /// Judges nothing of what waits for it: who asks again has it judged then.
    void dropWaiting();
    /// Forgets all files but these and watches no other ones; what is asked of one later is judged then.
    void keepOnly(const QSet<QString>& paths);
    /// Whether a file was asked for and not forgotten since.
    [[nodiscard]] bool knows(const QString& path) const { return m_known.contains(path); }
    /// Judges files anew that are not what they were; for the others nothing happens.
    void recheck();
    /// Who reads the photos.
    [[nodiscard]] DrivePools& drives() { return m_drives; }

Q_SIGNALS:
    void found(const QString& path);
    /// Another content, or none where there was one, or one where there was none. It will be judged anew.
    void fileChanged(const QString& path);
    /// Whether these change from now on nobody tells.
    void forgotten(const QSet<QString>& paths);

private:
    void watchAll();

    QHash<QString, PhotoFacts> m_known;
    std::shared_ptr<std::atomic<bool>> m_dropped; ///< whether what was asked so far is wanted no more
    FileWatch m_watch{this};
    QTimer m_watchSoon; ///< photos come in numbers
    bool m_rechecking = false;
    bool m_recheckAgain = false;
    DrivePools m_drives;
};

} // namespace homebooth::app
