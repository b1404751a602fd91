// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/colour_behind.h"

#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/parts.h"
#include "core/base/config/colour.h"

#include <QColorDialog>
#include <QCoreApplication>
#include <QPainter>
#include <QSpinBox>

#include <utility>

namespace homebooth::app {
namespace {

struct ColourBehind {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::ColourBehind)
};

} // namespace

QString seeThroughText(uint32_t rgb) {
    if (rgb == core::kWhite) return ColourBehind::tr("Transparent parts become white.");
    if (rgb == 0) return ColourBehind::tr("Transparent parts become black.");
    return ColourBehind::tr("Transparent parts become this colour: %1.").arg(QColor(rgb).name());
}

QString seeThroughWord() {
    return ColourBehind::tr("See-through");
}

QPushButton* makeColourButton() {
    return makeButton(ColourBehind::tr("Other colour"));
}

void showColourOn(QPushButton& button, uint32_t rgb) {
    const QColor colour(rgb);
    QPixmap sample(kIconSize, kIconSize);
    sample.fill(colour);
    QPainter painter(&sample);
    painter.setPen(colours().outline); // white would not be seen on white
    painter.drawRect(sample.rect().adjusted(0, 0, -1, -1));
    painter.end();
    button.setIcon(sample);
    button.setAccessibleDescription(ColourBehind::tr("Now %1").arg(colour.name()));
}

void askForColour(QWidget* parent, const QString& title, uint32_t now, std::function<void(uint32_t)> take) {
    auto* dialog = new QColorDialog(QColor(now), parent);
    dialog->setWindowTitle(title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    constexpr int kRoomForArrows = 48; // Qt's own guess does not know this window's style
    for (QSpinBox* box : dialog->findChildren<QSpinBox*>())
        box->setMinimumWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("255")) + kRoomForArrows);
    QObject::connect(dialog, &QColorDialog::colorSelected, parent,
                     [take = std::move(take)](const QColor& colour) { take(colour.rgb() & RGB_MASK); });
    dialog->open();
}

} // namespace homebooth::app
