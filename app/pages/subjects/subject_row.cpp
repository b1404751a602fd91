// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/subjects/subject_row.h"

#include "app/engine/models/model_shelf.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/thumbnails.h"
#include "app/pages/subjects/subject_models.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr int kPhoto = 40;
constexpr int kInset = 8;
constexpr int kBeside = 6; // between photo and words
constexpr int kEnd = 2;    // "10 photos, trained" beside a scroll bar
} // namespace

SubjectRow::SubjectRow(Thumbnails& thumbnails, const RunCentre& runs, const ModelShelf& models,
                       QObject* parent)
    : QStyledItemDelegate(parent)
    , m_thumbnails(thumbnails)
    , m_runs(runs)
    , m_models(models) {}

bool SubjectRow::trained(int64_t subject) const {
    const auto hasResult = [this](const core::RunRecord& run) {
        const QString result = QString::fromStdString(run.folder) + QStringLiteral("/result/");
        return run.state == "done" || m_models.find(result + QStringLiteral("model")) != nullptr ||
               m_models.find(result + QStringLiteral("lora.safetensors")) != nullptr;
    };
    return std::any_of(m_runs.runs().begin(), m_runs.runs().end(), [&](const core::RunRecord& run) {
        return std::find(run.subjects.begin(), run.subjects.end(), subject) != run.subjects.end() &&
               hasResult(run);
    });
}

QSize SubjectRow::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {0, qMax(kPhoto, 2 * option.fontMetrics.height()) + 2 * kInset};
}

void SubjectRow::paintPhoto(QPainter& painter, const QRect& place, const QModelIndex& index) const {
    const double ratio = painter.device()->devicePixelRatioF();
    const QString path = index.data(SubjectListModel::FirstPhotoRole).toString();
    const QImage image = path.isEmpty()
                             ? QImage()
                             : m_thumbnails.find({path, index.data(EditRole).value<core::PhotoEdit>(),
                                                  qRound(2 * kPhoto * ratio)});
    QPainterPath clip;
    clip.addRoundedRect(place, 4, 4);
    painter.setClipPath(clip);
    painter.fillRect(place, colours().hover);
    if (!image.isNull()) {
        QRectF target(QPointF(), QSizeF(image.size()).scaled(place.size(), Qt::KeepAspectRatioByExpanding));
        target.moveCenter(QRectF(place).center());
        painter.drawImage(target, image);
    }
    painter.setClipping(false);
}

void SubjectRow::paintWords(QPainter& painter, const QRect& words, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const int line = option.fontMetrics.height();
    const QRect upper(words.left(), words.center().y() - line, words.width(), line);
    painter.setPen(colours().text);
    painter.drawText(upper, Qt::AlignVCenter,
                     option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, words.width()));
    painter.setFont(Theme::instance().font(TypeRole::Caption));
    painter.setPen(colours().secondary(option.state & (QStyle::State_Selected | QStyle::State_MouseOver)));
    const int count = index.data(SubjectListModel::CountRole).toInt();
    const QString photos = SubjectListModel::tr("%n photo(s)", nullptr, count);
    const bool done = trained(index.data(SubjectListModel::IdRole).toLongLong());
    const QString text = done ? SubjectListModel::tr("%1, trained").arg(photos) : photos;
    painter.drawText(upper.translated(0, line), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, words.width()));
}

void SubjectRow::paint(QPainter* painter, const QStyleOptionViewItem& option,
                       const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setRenderHint(QPainter::SmoothPixmapTransform);
    const Colours& c = colours();
    const bool selected = option.state & QStyle::State_Selected;
    const bool over = option.state & QStyle::State_MouseOver;
    const bool focused = option.state & QStyle::State_HasFocus; // by Ctrl and arrows, also of one not chosen
    if (selected || over || focused) {
        painter->setPen(focused ? QPen(c.link, 2) : selected && c.strong ? QPen(c.link, 1) : QPen(Qt::NoPen));
        painter->setBrush(selected ? mixed(c.accent, c.window, c.dark ? 0.34 : 0.13)
                          : over   ? c.hover
                                   : QColor(Qt::transparent));
        painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), kRadius, kRadius);
    }
    const QRect place(option.rect.left() + kInset, option.rect.center().y() - kPhoto / 2, kPhoto, kPhoto);
    paintPhoto(*painter, place, index);
    paintWords(*painter, wordsIn(option.rect), option, index);
    painter->restore();
}

QRect SubjectRow::wordsIn(const QRect& row) {
    const int left = row.left() + kInset + kPhoto + kBeside;
    return {left, row.top(), row.right() + 1 - left - kEnd, row.height()};
}

} // namespace homebooth::app
