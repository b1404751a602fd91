// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/subjects/subject_models.h"

#include <bit>

namespace homebooth::app {

SubjectListModel::SubjectListModel(SubjectBook& book, QObject* parent)
    : QAbstractListModel(parent)
    , m_book(book) {
    connect(&book, &SubjectBook::loadedAll, this, [this] {
        beginResetModel();
        endResetModel();
    });
    connect(&book, &SubjectBook::aboutToInsert, this, [this](int row) { beginInsertRows({}, row, row); });
    connect(&book, &SubjectBook::inserted, this, [this] { endInsertRows(); });
    connect(&book, &SubjectBook::aboutToRemove, this, [this](int row) { beginRemoveRows({}, row, row); });
    connect(&book, &SubjectBook::removed, this, [this] { endRemoveRows(); });
    connect(&book, &SubjectBook::changed, this,
            [this](int row) { Q_EMIT dataChanged(index(row), index(row)); });
}

int SubjectListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_book.subjects().size());
}

QVariant SubjectListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const core::Subject& subject = m_book.subjects()[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(subject.name);
    case Qt::AccessibleTextRole:
        return tr("%1, %n photo(s)", nullptr, static_cast<int>(subject.photos.size()))
            .arg(QString::fromStdString(subject.name));
    case IdRole:
        return QVariant::fromValue<qlonglong>(subject.id);
    case CountRole:
        return static_cast<int>(subject.photos.size());
    case FirstPhotoRole:
    case PathRole:
        return subject.photos.empty() ? QString() : QString::fromStdString(subject.photos.front().path);
    case EditRole:
        return QVariant::fromValue(subject.photos.empty() ? core::PhotoEdit{} : subject.photos.front().edit);
    default:
        return {};
    }
}

PhotoModel::PhotoModel(SubjectBook& book, PhotoInspector& inspector, QObject* parent)
    : QAbstractListModel(parent)
    , m_book(book)
    , m_inspector(inspector) {
    connect(&book, &SubjectBook::changed, this, [this](int row) {
        if (m_book.subjects()[static_cast<size_t>(row)].id == m_subject) refresh();
    });
    connect(&book, &SubjectBook::inserted, this, [this](int row) {
        if (m_book.subjects()[static_cast<size_t>(row)].id == m_subject) refresh();
    });
    connect(&book, &SubjectBook::removed, this, &PhotoModel::refresh);
    connect(&book, &SubjectBook::loadedAll, this, &PhotoModel::refresh);
    connect(&inspector, &PhotoInspector::found, this, [this] {
        if (m_rows == 0) return;
        Q_EMIT dataChanged(index(0), index(m_rows - 1));
        Q_EMIT verdictsChanged();
    });
}

void PhotoModel::setSubject(int64_t id) {
    if (id == m_subject) return;
    m_subject = id;
    beginResetModel();
    m_rows = subject() != nullptr ? static_cast<int>(subject()->photos.size()) : 0;
    endResetModel();
    Q_EMIT verdictsChanged();
}

void PhotoModel::setModelPixels(int64_t pixels) {
    if (pixels == m_pixels) return;
    m_pixels = pixels;
    if (m_rows > 0) Q_EMIT dataChanged(index(0), index(m_rows - 1));
    Q_EMIT verdictsChanged();
}

void PhotoModel::refresh() {
    const int now = subject() != nullptr ? static_cast<int>(subject()->photos.size()) : 0;
    // Rows keep their places but for the end, so that the selection stays where it is.
    if (now > m_rows) {
        beginInsertRows({}, m_rows, now - 1);
        m_rows = now;
        endInsertRows();
    } else if (now < m_rows) {
        beginRemoveRows({}, now, m_rows - 1);
        m_rows = now;
        endRemoveRows();
    }
    if (m_rows > 0) Q_EMIT dataChanged(index(0), index(m_rows - 1));
    Q_EMIT verdictsChanged();
}

int PhotoModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int PhotoModel::likeRow(int row, const PhotoFacts& facts) const {
    for (int earlier = 0; earlier < row; ++earlier) {
        const core::Photo& photo = subject()->photos[static_cast<size_t>(earlier)];
        if (photo.leftOut) continue;
        const PhotoFacts other = m_inspector.facts(QString::fromStdString(photo.path));
        if (other.state == PhotoFacts::State::Ready &&
            std::popcount(other.likeness ^ facts.likeness) <= kAlikeBits)
            return earlier;
    }
    return -1;
}

PhotoVerdict PhotoModel::verdict(int row) const {
    const core::Photo& photo = subject()->photos[static_cast<size_t>(row)];
    if (photo.leftOut) return {ThumbnailState::LeftOut, tr("Left out"), tr("You left this out."), false};
    const PhotoFacts facts = m_inspector.facts(QString::fromStdString(photo.path));
    switch (facts.state) {
    case PhotoFacts::State::Unknown:
        return {ThumbnailState::Checking, tr("Checking"), tr("Looking at the photo."), false};
    case PhotoFacts::State::Missing:
        return {ThumbnailState::Bad, tr("Missing"), tr("The file is gone."), true};
    case PhotoFacts::State::Unreadable:
        return {ThumbnailState::Bad, tr("Unreadable"), tr("The file is damaged. It is left out."), false};
    case PhotoFacts::State::Ready:
        break;
    }
    const double width = double(facts.widthPixels) * photo.edit.cropWidth;
    const double height = double(facts.heightPixels) * photo.edit.cropHeight;
    if (m_pixels > 0 && std::min(width, height) < double(m_pixels))
        return {ThumbnailState::Caution, tr("Small"),
                tr("%1 x %2. The model learns at %3: it will be enlarged.")
                    .arg(qRound(width))
                    .arg(qRound(height))
                    .arg(m_pixels),
                false};
    if (facts.sharpness < kBlurredBelow)
        return {ThumbnailState::Caution, tr("Blurred"), tr("Looks blurred. A sharper photo teaches more."),
                false};
    if (const int like = likeRow(row, facts); like >= 0)
        return {ThumbnailState::Caution, tr("Like %1").arg(like + 1),
                tr("Almost the same as photo %1. Another side teaches more.").arg(like + 1), false};
    if (facts.transparent)
        return {ThumbnailState::Caution, tr("See-through"), tr("Transparent parts become white."), false};
    if (facts.turned)
        return {ThumbnailState::Good, tr("Turned"), tr("Set upright as the camera noted."), false};
    return {ThumbnailState::Good, tr("Good"), {}, false};
}

int PhotoModel::goodCount() const {
    int good = 0;
    for (int row = 0; row < m_rows; ++row) good += verdict(row).state == ThumbnailState::Good ? 1 : 0;
    return good;
}

QVariant PhotoModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || subject() == nullptr) return {};
    const core::Photo& photo = subject()->photos[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return tr("Photo %1").arg(index.row() + 1);
    case Qt::AccessibleTextRole: {
        const PhotoFacts facts = m_inspector.facts(QString::fromStdString(photo.path));
        return tr("Photo %1, %2, %3 by %4")
            .arg(index.row() + 1)
            .arg(verdict(index.row()).word)
            .arg(facts.widthPixels)
            .arg(facts.heightPixels);
    }
    case Qt::ToolTipRole:
        return verdict(index.row()).sentence;
    case PathRole:
        return QString::fromStdString(photo.path);
    case EditRole:
        return QVariant::fromValue(photo.edit);
    case StateRole:
        return static_cast<int>(verdict(index.row()).state);
    case StateTextRole:
        return verdict(index.row()).word;
    case DimmedRole:
        return photo.leftOut;
    default:
        return {};
    }
}

} // namespace homebooth::app
