// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/wide_header.h"

#include <QEvent>

namespace homebooth::app {

WideHeader::WideHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
    connect(this, &QHeaderView::sortIndicatorChanged, this, &WideHeader::widen); // its arrow takes room
}

bool WideHeader::event(QEvent* event) {
    const bool done = QHeaderView::event(event);
    if (event->type() == QEvent::Show || event->type() == QEvent::FontChange) widen();
    return done;
}

void WideHeader::widen() {
    // The last one gets what is left, which can be too little for its words.
    if (stretchLastSection() && count() > 0)
        setMinimumSectionSize(sectionSizeFromContents(count() - 1).width());
    for (int section = 0; section < count(); ++section) {
        const int least = sectionSizeHint(section);
        if (!isSectionHidden(section) && sectionSize(section) < least) resizeSection(section, least);
    }
}

} // namespace homebooth::app
