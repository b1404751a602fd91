// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line of the list of subjects: its first photo, its name, how many photos and whether it was trained.
// GUI thread.
#pragma once

#include <QStyledItemDelegate>

namespace homebooth::app {

class ModelShelf;
class RunCentre;
class Thumbnails;

class SubjectRow : public QStyledItemDelegate {
    Q_OBJECT
public:
    SubjectRow(Thumbnails& thumbnails, const RunCentre& runs, const ModelShelf& models, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Where a row has its words.
    [[nodiscard]] static QRect wordsIn(const QRect& row);

private:
    /// Whether a training of it is done, or has a result from before it went on.
    [[nodiscard]] bool trained(int64_t subject) const;
    void paintPhoto(QPainter& painter, const QRect& place, const QModelIndex& index) const;
    void paintWords(QPainter& painter, const QRect& words, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const;
    Thumbnails& m_thumbnails;
    const RunCentre& m_runs;
    const ModelShelf& m_models;
};

} // namespace homebooth::app
