// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sizes of the form: those that the chosen models take.
#include "app/engine/model_shelf.h"
#include "app/engine/picture_sizes.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/model_choice.h"

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>

namespace homebooth::app {
namespace {

QString sizeText(QSize size) {
    return QStringLiteral("%1 x %2").arg(size.width()).arg(size.height());
}

QSize nearestSizes(QSize size, qint64 step) {
    return {int(nearestSize(size.width(), step)), int(nearestSize(size.height(), step))};
}

} // namespace

void GenerateForm::fillSizes() {
    const ModelShelf& models = m_services.models;
    const QString path = m_model->path();
    const QString other = otherModel();
    const qint64 pixels = models.pixelsOf(path);
    // Both are powers of two: what suits the larger one suits both.
    const qint64 step = qMax(models.sizeStepOf(path), other.isEmpty() ? 0 : models.sizeStepOf(other));
    const bool another = pixels != m_pixels || m_size->count() == 0;
    if (another || step != m_sizeStep) {
        const QSize before = m_size->currentData().toSize();
        m_pixels = pixels;
        m_sizeStep = step;
        m_size->clear();
        for (const QSize& size : {QSize(2, 2), QSize(2, 3), QSize(3, 2)}) {
            const QSize near = nearestSizes(size * int(pixels) / 2, step);
            m_size->addItem(sizeText(near), near);
        }
        if (!another) takeSize(before);
    }
    if (another) {
        const bool small = pixels <= kSmallPixels;
        m_guidance->setValue(small ? 30 : 75);
        m_steps->setValue(small ? 20 : 30);
    }
    Q_EMIT changed();
}

void GenerateForm::takeSize(QSize wanted) {
    const QSize size = nearestSizes(wanted, m_sizeStep);
    int at = m_size->findData(size);
    if (at < 0) {
        m_size->addItem(sizeText(size), size);
        at = m_size->count() - 1;
    }
    m_size->setCurrentIndex(at);
    m_sizeNote->setText(
        tr("%1 px does not suit the model: its sizes are multiples of %2 px. The nearest is %3 px.")
            .arg(sizeText(wanted))
            .arg(m_sizeStep)
            .arg(sizeText(size)));
    m_sizeNote->setVisible(size != wanted);
}

} // namespace homebooth::app
