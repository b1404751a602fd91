// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The colour that stands behind a photo's transparent parts, as the user chooses it.
#include "app/pages/subjects/subjects_page.h"
#include "app/widgets/colour_behind.h"

namespace homebooth::app {

void SubjectsPage::chooseColour(int row) {
    const core::Subject* subject = m_photos.subject();
    if (subject == nullptr || row < 0 || row >= int(subject->photos.size())) return;
    const core::Photo& photo = subject->photos[static_cast<size_t>(row)];
    const PhotoPlace place{currentSubject(), photo.id}; // it may stand elsewhere by the answer
    askForColour(this, tr("Colour behind the photo"), photo.edit.backgroundRgb, [this, place](uint32_t rgb) {
        changePhoto(place, tr("colour behind photo %1"),
                    [rgb](core::Photo& one) { one.edit.backgroundRgb = rgb; });
    });
}

} // namespace homebooth::app
