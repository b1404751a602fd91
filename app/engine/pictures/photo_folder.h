// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The photos of a run as the engine reads them: turned, cut, without those that were left out.
// Free functions; any thread.
#pragma once

#include "app/library/work_count.h"
#include "core/library/subject_store.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace homebooth::core {
struct PictureSize;
}

namespace homebooth::app {

/// What is used of a photo: turned, then cut. @param widthPixels, heightPixels  of the file, upright
[[nodiscard]] core::PictureSize usedSize(const core::Photo& photo, int64_t widthPixels, int64_t heightPixels);

/// The shorter side of that, in pixels.
[[nodiscard]] int64_t leastSide(const core::Photo& photo, int64_t widthPixels, int64_t heightPixels);

/// What the files of photos take that are not left out. Looks at the disk.
[[nodiscard]] qint64 bytesOfPhotos(const std::vector<core::Subject>& subjects);

/// The photos that preparePhotos would leave, as `plan --pictures` takes them: where the files are, with the
/// captions. Looks at none of them.
[[nodiscard]] QByteArray listedPhotos(const std::vector<const core::Subject*>& subjects, bool captions);

/// Writes the photos of subjects into `folder`, which is made. Photos without edits are copied as they are;
/// damaged ones and those of too few pixels are left out, as the window says of them. Of each subject one
/// has to remain.
/// @param captions  a caption beside each; else beside those alone that have one of their own
/// @param count  of photos; may stop it amid a large one, which is BadInput then. Null: nobody asks
/// Errors: BadInput naming the photo or the subject; OutOfResources
[[nodiscard]] core::Result<void> preparePhotos(const std::vector<core::Subject>& subjects,
                                               const QString& folder, bool captions,
                                               WorkCount* count = nullptr);

} // namespace homebooth::app
