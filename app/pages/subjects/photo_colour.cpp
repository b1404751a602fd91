// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The colour that stands behind a photo's transparent parts, as the user chooses it.
#include "app/pages/subjects/subjects_page.h"

#include <QColorDialog>
#include <QSpinBox>

namespace homebooth::app {

void SubjectsPage::chooseColour(int row) {
    const core::Subject* subject = m_photos.subject();
    if (subject == nullptr || row < 0 || row >= int(subject->photos.size())) return;
    const core::Photo& photo = subject->photos[static_cast<size_t>(row)];
    const PhotoPlace place{currentSubject(), photo.id}; // it may stand elsewhere by the answer
    auto* dialog = new QColorDialog(QColor(photo.edit.backgroundRgb), this);
    dialog->setWindowTitle(tr("Colour behind the photo"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    constexpr int kRoomForArrows = 48; // Qt's own guess does not know this window's style
    for (QSpinBox* box : dialog->findChildren<QSpinBox*>())
        box->setMinimumWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("255")) + kRoomForArrows);
    connect(dialog, &QColorDialog::colorSelected, this, [this, place](const QColor& colour) {
        changePhoto(place, tr("colour behind photo %1"),
                    [rgb = colour.rgb() & RGB_MASK](core::Photo& one) { one.edit.backgroundRgb = rgb; });
    });
    dialog->open();
}

} // namespace homebooth::app
