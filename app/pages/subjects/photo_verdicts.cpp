// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said of a photo, and what to do about it; which part of it a training takes.
#include "app/engine/pictures/photo_folder.h"
#include "app/pages/subjects/subject_models.h"
#include "app/widgets/colour_behind.h"
#include "core/base/util/picture_size.h"

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr double kSquare = 0.99; // of the longer side: what is cut by hand is off by pixels

/// Why a photo cannot be read, and what would help.
QString unreadableText(core::PictureFault fault) {
    switch (fault) {
    case core::PictureFault::NotAFile:
        return PhotoModel::tr("This is no file. It is left out.");
    case core::PictureFault::NoAccess:
        return PhotoModel::tr(
            "The file cannot be read. Look at its permissions and its disk. It is left out.");
    case core::PictureFault::Empty:
        return PhotoModel::tr("The file is empty. Copy it again. It is left out.");
    case core::PictureFault::OtherKind:
        return PhotoModel::tr("This is no picture that can be read. Save it as JPEG or PNG. It is left out.");
    case core::PictureFault::TooLarge:
        return PhotoModel::tr("The picture is too large. Save it smaller. It is left out.");
    default:
        return PhotoModel::tr("The file is damaged. It is left out.");
    }
}

} // namespace

PhotoVerdict PhotoModel::keptOut(Finding finding, const PhotoFacts& facts) {
    const auto bad = [](const QString& word, const QString& sentence) {
        return PhotoVerdict{ThumbnailState::Bad, word, sentence, true};
    };
    if (finding == Finding::Missing) return bad(tr("Missing"), tr("The file is gone."));
    if (finding == Finding::TooSmall)
        return bad(tr("Too small"), tr("Nothing can be seen in so few pixels. It is left out."));
    if (finding != Finding::OtherKind) return bad(tr("Unreadable"), unreadableText(facts.fault));
    if (facts.animated)
        return bad(tr("Animated"),
                   tr("An animated %1 cannot be read. Save one of its pictures as PNG. It is left out.")
                       .arg(facts.kind));
    return bad(facts.kind, tr("A %1 cannot be read. Save it as PNG. It is left out.").arg(facts.kind));
}

QString PhotoModel::smallText(const core::Photo& photo, const PhotoFacts& facts) const {
    const core::PictureSize used = usedSize(photo, facts.widthPixels, facts.heightPixels);
    return tr("%1 x %2. The model learns at %3: it will be enlarged.")
        .arg(used.widthPixels)
        .arg(used.heightPixels)
        .arg(m_pixels);
}

QRectF PhotoModel::learnedPart(const core::Photo& photo, const PhotoFacts& facts) const {
    if (m_shapesKept || photo.leftOut || facts.state != PhotoFacts::State::Ready) return {};
    const core::PictureSize used = usedSize(photo, facts.widthPixels, facts.heightPixels);
    const auto wide = static_cast<double>(used.widthPixels);
    const auto high = static_cast<double>(used.heightPixels);
    const double side = std::min(wide, high);
    if (side < 1.0 || side > kSquare * std::max(wide, high)) return {};
    return {(wide - side) / 2.0 / wide, (high - side) / 2.0 / high, side / wide, side / high};
}

double PhotoModel::cutPart(const core::Photo& photo, const PhotoFacts& facts) const {
    const QRectF part = learnedPart(photo, facts);
    return part.isEmpty() ? 0.0 : 1.0 - part.width() * part.height();
}

QString PhotoModel::cutText(double part) {
    return tr("Only the middle square is learned: %1 % of the photo is cut off. Crop it so that the subject "
              "is inside.")
        .replace(QStringLiteral("%1 %"), QStringLiteral("%1\u00A0%")) // which stay on one line
        .arg(qRound(100.0 * part));
}

PhotoVerdict PhotoModel::verdictOf(Finding finding, const core::Photo& photo, const PhotoFacts& facts) const {
    using State = ThumbnailState;
    switch (finding) {
    case Finding::LeftOut:
        return {State::LeftOut, tr("Left out"), tr("You left this out."), false};
    case Finding::Checking:
        return {State::Checking, tr("Checking"), tr("Looking at the photo."), false};
    case Finding::Missing:
    case Finding::Unreadable:
    case Finding::OtherKind:
    case Finding::TooSmall:
        return keptOut(finding, facts);
    case Finding::Small:
        return {State::Caution, tr("Small"), smallText(photo, facts), false};
    case Finding::Blurred:
        return {State::Caution, tr("Blurred"),
                facts.sharpness < kBlurredBelow
                    ? tr("Looks blurred. A sharper photo teaches more.")
                    : tr("Much less sharp than the other photos: shaken or out of focus? A sharper photo "
                         "teaches more."),
                false};
    case Finding::Cut:
        return {State::Caution, tr("Cut"), cutText(cutPart(photo, facts)), false};
    case Finding::Like:
        return {State::Caution, tr("Like %1").arg(likeRow(photo) + 1),
                tr("Almost the same as photo %1. Another side teaches more.").arg(likeRow(photo) + 1), false};
    case Finding::Animated:
        return {State::Caution, tr("Animated"), tr("Animated: only its first picture is learned."), false};
    case Finding::SeeThrough:
        return {State::Caution, seeThroughWord(), seeThroughText(photo.edit.backgroundRgb), false};
    case Finding::Turned:
        return {State::Good, tr("Turned"), tr("Set upright as the camera noted."), false};
    case Finding::Good:
        break;
    }
    return {State::Good, tr("Good"), {}, false};
}

} // namespace homebooth::app
