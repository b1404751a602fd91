// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The subjects, and the photos of one of them, as item models over the SubjectBook. GUI thread.
#pragma once

#include "app/library/subject_book.h"
#include "app/pages/subjects/photo_check.h"
#include "app/widgets/thumbnail_grid.h"

#include <QAbstractListModel>

namespace homebooth::app {

class SubjectListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { IdRole = Qt::UserRole + 40, CountRole, FirstPhotoRole };
    explicit SubjectListModel(SubjectBook& book, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    SubjectBook& m_book;
};

/// A verdict on a photo: sign, word, sentence.
struct PhotoVerdict {
    ThumbnailState state = ThumbnailState::Checking;
    QString word;
    QString sentence;
    bool canFind = false; ///< the file is gone and may be found elsewhere
};

class PhotoModel : public QAbstractListModel {
    Q_OBJECT
public:
    PhotoModel(SubjectBook& book, PhotoInspector& inspector, QObject* parent = nullptr);

    void setSubject(int64_t id);
    [[nodiscard]] int64_t subjectId() const { return m_subject; }
    [[nodiscard]] const core::Subject* subject() const { return m_book.find(m_subject); }
    /// What the model learns at, in pixels: photos below it are "small".
    void setModelPixels(int64_t pixels);
    [[nodiscard]] PhotoVerdict verdict(int row) const;
    [[nodiscard]] int goodCount() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    void verdictsChanged();

private:
    void refresh();
    /// The row of an earlier photo that is almost the same; -1 if none.
    [[nodiscard]] int likeRow(int row, const PhotoFacts& facts) const;

    SubjectBook& m_book;
    PhotoInspector& m_inspector;
    int64_t m_subject = 0;
    int64_t m_pixels = 0;
    int m_rows = 0;
};

} // namespace homebooth::app
