// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The subjects, and the photos of one of them, as item models over the SubjectBook. GUI thread.
#pragma once

#include "app/library/subject_book.h"
#include "app/pages/subjects/photo_check.h"
#include "app/widgets/pictures/picture_list_model.h"
#include "app/widgets/pictures/thumbnail_grid.h"

#include <QAbstractListModel>
#include <QHash>
#include <QRectF>
#include <QTimer>

namespace homebooth::app {

class SubjectListModel : public QAbstractListModel {
    Q_OBJECT
public:
    /// SearchRole: the name as a search compares it.
    enum Role { IdRole = Qt::UserRole + 40, CountRole, FirstPhotoRole, SearchRole };
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
    bool canFind = false; ///< the file is gone or damaged and may be found elsewhere
};

class PhotoModel : public PictureListModel {
    Q_OBJECT
public:
    PhotoModel(SubjectBook& book, PhotoInspector& inspector, QObject* parent = nullptr);

    void setSubject(int64_t id);
    [[nodiscard]] int64_t subjectId() const { return m_subject; }
    [[nodiscard]] const core::Subject* subject() const { return m_book.find(m_subject); }
    /// What the model learns at, in pixels: photos below it are "small".
    void setModelPixels(int64_t pixels);
    /// Whether it learns photos in their own shapes, or the middle square of each.
    void setShapesKept(bool kept);
    [[nodiscard]] PhotoVerdict verdict(int row) const;
    /// All that is to be said of a photo, the most important first; nothing of a good one.
    [[nodiscard]] QStringList sentences(int row) const;
    /// "IMG_2041.jpg, 3024 x 4032"; the name alone while nobody knows the size.
    [[nodiscard]] QString fileText(int row) const;
    /// The quarter turns, clockwise, that take back what the camera noted; 0: there is nothing to take back.
    [[nodiscard]] int turnsBack(int row) const;
    /// The keys of photos that nobody has looked at yet.
    [[nodiscard]] std::vector<int64_t> unseen() const;
    /// Whether a photo has transparent parts, and is learned.
    [[nodiscard]] bool seeThrough(int row) const;
    [[nodiscard]] int goodCount() const;
    /// Whether there is a photo to learn; one that nobody has looked at yet counts.
    [[nodiscard]] bool hasUsable() const;
    /// The file of a photo that is gone; empty while it is there.
    [[nodiscard]] QString missingPath(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    void verdictsChanged();

private:
    enum class Finding {
        LeftOut,
        Checking,
        Missing,
        Unreadable,
        OtherKind,
        TooSmall,
        Small,
        Blurred,
        Cut,
        Like,
        Animated,
        SeeThrough,
        Turned,
        Good
    };
    void refresh();
    /// The verdict on a photo that is no use as it is.
    [[nodiscard]] static PhotoVerdict keptOut(Finding finding, const PhotoFacts& facts);
    [[nodiscard]] PhotoFacts factsOf(const core::Photo& photo) const;
    /// What was found, the most important first; never empty.
    [[nodiscard]] std::vector<Finding> findings(const core::Photo& photo, const PhotoFacts& facts) const;
    [[nodiscard]] Finding judge(const core::Photo& photo, const PhotoFacts& facts) const {
        return findings(photo, facts).front();
    }
    /// What is used of a small photo, and what the model learns at.
    [[nodiscard]] QString smallText(const core::Photo& photo, const PhotoFacts& facts) const;
    /// What of a photo is learned, of 1 x 1 as it is shown; null: all of it, or nobody knows.
    [[nodiscard]] QRectF learnedPart(const core::Photo& photo, const PhotoFacts& facts) const;
    /// How much of it is not, of 1.
    [[nodiscard]] double cutPart(const core::Photo& photo, const PhotoFacts& facts) const;
    [[nodiscard]] static QString cutText(double part);
    [[nodiscard]] PhotoVerdict verdictOf(Finding finding, const core::Photo& photo,
                                         const PhotoFacts& facts) const;
    [[nodiscard]] const core::Photo& photoAt(int row) const {
        return subject()->photos[static_cast<size_t>(row)];
    }
    /// The row of the earlier photo that a photo is almost the same as; -1 if none.
    [[nodiscard]] int likeRow(const core::Photo& photo) const;
    /// Compares all photos, with what is known of them by now; what takes long off the GUI thread.
    void compare();
    void tell();
    /// Has photos forgotten that no subject has any more.
    void forgetGone();

    SubjectBook& m_book;
    PhotoInspector& m_inspector;
    QHash<int64_t, int64_t> m_like; ///< key of a photo, that of an earlier one which is almost the same
    double m_blurredBelow = 0.0;    ///< sharpness beside that of the others; 0: nothing to compare with
    QTimer m_soon;                  ///< gathers what is found: each news would cost a look at all photos
    QTimer m_forgetSoon;            ///< subjects change at every key
    bool m_comparing = false;
    bool m_shapesKept = false; ///< by default the middle square is learned
    int64_t m_subject = 0;
    int64_t m_pixels = 0;
    int m_rows = 0;
};

} // namespace homebooth::app
