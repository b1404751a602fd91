// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/subjects/subject_models.h"

#include "app/engine/pictures/photo_folder.h"
#include "app/library/background.h"
#include "app/library/search.h"
#include "core/media/picture_limits.h"

#include <QFileInfo>

#include <algorithm>
#include <array>
#include <utility>

namespace homebooth::app {
namespace {
constexpr int kGatherMs = 100;
constexpr double kMostCut = 0.34; // of a photo; of a camera's 4:3 or 3:2 the square on its tile tells enough
} // namespace

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
    case SearchRole:
        return searchForm(QString::fromStdString(subject.name));
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
    : PictureListModel(parent)
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
    m_soon.setSingleShot(true);
    m_soon.setInterval(kGatherMs);
    connect(&m_soon, &QTimer::timeout, this, &PhotoModel::compare);
    m_forgetSoon.setSingleShot(true);
    m_forgetSoon.setInterval(kGatherMs);
    connect(&m_forgetSoon, &QTimer::timeout, this, &PhotoModel::forgetGone);
    for (const auto signal : {&SubjectBook::changed, &SubjectBook::removed})
        connect(&book, signal, &m_forgetSoon, qOverload<>(&QTimer::start));
    connect(&inspector, &PhotoInspector::fileChanged, this, &PhotoModel::tell); // who asks has it judged anew
    connect(&inspector, &PhotoInspector::found, this, [this] {
        if (!m_soon.isActive()) m_soon.start();
    });
}

void PhotoModel::tell() {
    if (m_rows > 0) Q_EMIT dataChanged(index(0), index(m_rows - 1));
    Q_EMIT verdictsChanged();
}

void PhotoModel::forgetGone() {
    QSet<QString> paths;
    for (const core::Subject& subject : m_book.subjects())
        for (const core::Photo& photo : subject.photos) paths.insert(QString::fromStdString(photo.path));
    m_inspector.keepOnly(paths);
}

void PhotoModel::compare() {
    if (m_comparing) return m_soon.start();
    std::vector<int64_t> keys;
    std::vector<std::optional<uint64_t>> likenesses;
    std::vector<double> sharpnesses;
    if (subject() != nullptr)
        for (const core::Photo& photo : subject()->photos) {
            const PhotoFacts facts = factsOf(photo);
            const bool counts = !photo.leftOut && facts.state == PhotoFacts::State::Ready;
            keys.push_back(photo.id);
            likenesses.push_back(counts ? std::optional(facts.likeness) : std::nullopt);
            const bool learned =
                leastSide(photo, facts.widthPixels, facts.heightPixels) >= core::kLeastPictureSide;
            if (counts && learned) sharpnesses.push_back(facts.sharpness);
        }
    m_blurredBelow = blurredBeside(std::move(sharpnesses));
    m_comparing = true;
    inBackground(
        this, [likenesses] { return likeRows(likenesses); },
        [this, keys](const std::vector<int>& rows) {
            m_comparing = false;
            m_like.clear();
            for (size_t i = 0; i < rows.size(); ++i)
                if (rows[i] >= 0) m_like.insert(keys[i], keys[static_cast<size_t>(rows[i])]);
            tell();
        });
}

void PhotoModel::setSubject(int64_t id) {
    if (id == m_subject) return;
    m_subject = id;
    m_blurredBelow = 0.0;
    beginResetModel();
    m_rows = subject() != nullptr ? static_cast<int>(subject()->photos.size()) : 0;
    endResetModel();
    m_soon.start();
    Q_EMIT verdictsChanged();
}

void PhotoModel::setModelPixels(int64_t pixels) {
    if (pixels == m_pixels) return;
    m_pixels = pixels;
    tell();
}

void PhotoModel::setShapesKept(bool kept) {
    if (std::exchange(m_shapesKept, kept) != kept) tell();
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
    m_soon.start();
    tell();
}

int PhotoModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

PhotoFacts PhotoModel::factsOf(const core::Photo& photo) const {
    return m_inspector.facts(QString::fromStdString(photo.path));
}

int PhotoModel::likeRow(const core::Photo& photo) const {
    const auto like = m_like.constFind(photo.id);
    if (like == m_like.cend()) return -1;
    const std::vector<core::Photo>& photos = subject()->photos;
    for (size_t row = 0; row < photos.size() && photos[row].id != photo.id; ++row)
        if (photos[row].id == *like) return photos[row].leftOut ? -1 : static_cast<int>(row);
    return -1;
}

std::vector<PhotoModel::Finding> PhotoModel::findings(const core::Photo& photo,
                                                      const PhotoFacts& facts) const {
    if (photo.leftOut) return {Finding::LeftOut};
    switch (facts.state) {
    case PhotoFacts::State::Unknown:
        return {Finding::Checking};
    case PhotoFacts::State::Missing:
        return {Finding::Missing};
    case PhotoFacts::State::Unreadable:
        return {facts.kind.isEmpty() ? Finding::Unreadable : Finding::OtherKind};
    case PhotoFacts::State::Ready:
        break;
    }
    const int64_t shorter = leastSide(photo, facts.widthPixels, facts.heightPixels);
    if (shorter < core::kLeastPictureSide) return {Finding::TooSmall};
    std::vector<Finding> all;
    const auto say = [&all](bool so, Finding finding) {
        if (so) all.push_back(finding);
    };
    say(m_pixels > 0 && shorter < m_pixels, Finding::Small);
    say(facts.sharpness < std::max(kBlurredBelow, m_blurredBelow), Finding::Blurred);
    say(cutPart(photo, facts) > kMostCut, Finding::Cut);
    say(likeRow(photo) >= 0, Finding::Like);
    say(facts.animated, Finding::Animated);
    say(facts.transparent, Finding::SeeThrough);
    say(facts.turned && photo.edit.quarterTurns == 0,
        Finding::Turned); // else it stands as somebody turned it
    say(all.empty(), Finding::Good);
    return all;
}

PhotoVerdict PhotoModel::verdict(int row) const {
    const core::Photo& photo = photoAt(row);
    const PhotoFacts facts = factsOf(photo);
    return verdictOf(judge(photo, facts), photo, facts);
}

QStringList PhotoModel::sentences(int row) const {
    const core::Photo& photo = photoAt(row);
    const PhotoFacts facts = factsOf(photo);
    QStringList all;
    for (const Finding finding : findings(photo, facts))
        all.append(verdictOf(finding, photo, facts).sentence);
    all.removeAll(QString());
    return all;
}

QString PhotoModel::fileText(int row) const {
    const core::Photo& photo = photoAt(row);
    const PhotoFacts facts = factsOf(photo);
    const QString name = QFileInfo(QString::fromStdString(photo.path)).fileName();
    if (facts.state != PhotoFacts::State::Ready) return name;
    return QStringLiteral("%1, %2 x %3")
        .arg(name, QString::number(facts.widthPixels), QString::number(facts.heightPixels));
}

int PhotoModel::turnsBack(int row) const {
    const core::Photo& photo = photoAt(row);
    const int turns = photo.leftOut ? 0 : factsOf(photo).quarterTurns;
    return turns > 0 && photo.edit.quarterTurns == 0 ? 4 - turns : 0;
}

std::vector<int64_t> PhotoModel::unseen() const {
    std::vector<int64_t> keys;
    if (subject() == nullptr) return keys;
    for (const core::Photo& photo : subject()->photos)
        if (!photo.leftOut && factsOf(photo).state == PhotoFacts::State::Unknown) keys.push_back(photo.id);
    return keys;
}

bool PhotoModel::seeThrough(int row) const {
    const core::Photo& photo = photoAt(row);
    const PhotoFacts facts = factsOf(photo);
    return !photo.leftOut && facts.state == PhotoFacts::State::Ready && facts.transparent;
}

QString PhotoModel::missingPath(int row) const {
    if (subject() == nullptr || static_cast<size_t>(row) >= subject()->photos.size()) return {};
    const core::Photo& photo = subject()->photos[static_cast<size_t>(row)];
    const bool missing = factsOf(photo).state == PhotoFacts::State::Missing;
    return missing ? QString::fromStdString(photo.path) : QString();
}

int PhotoModel::goodCount() const {
    if (subject() == nullptr) return 0;
    const auto good = [this](const core::Photo& photo) {
        const Finding finding = judge(photo, factsOf(photo));
        return finding == Finding::Good || finding == Finding::Turned;
    };
    return static_cast<int>(std::count_if(subject()->photos.begin(), subject()->photos.end(), good));
}

bool PhotoModel::hasUsable() const {
    if (subject() == nullptr) return false;
    constexpr std::array kKeptOut{Finding::LeftOut, Finding::Missing, Finding::Unreadable, Finding::OtherKind,
                                  Finding::TooSmall};
    return std::any_of(subject()->photos.begin(), subject()->photos.end(), [&](const core::Photo& photo) {
        return std::find(kKeptOut.begin(), kKeptOut.end(), judge(photo, factsOf(photo))) == kKeptOut.end();
    });
}

QVariant PhotoModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || subject() == nullptr) return {};
    const core::Photo& photo = subject()->photos[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return tr("Photo %1").arg(index.row() + 1);
    case Qt::AccessibleTextRole: {
        const PhotoFacts facts = factsOf(photo);
        const QString word = verdict(index.row()).word;
        if (facts.state != PhotoFacts::State::Ready)
            return tr("Photo %1, %2").arg(index.row() + 1).arg(word); // nobody knows its size
        return tr("Photo %1, %2, %3 by %4")
            .arg(index.row() + 1)
            .arg(word)
            .arg(facts.widthPixels)
            .arg(facts.heightPixels);
    }
    case Qt::ToolTipRole: // the badge has room for the first one alone
        return sentences(index.row()).join('\n');
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
    case LearnedPartRole:
        return learnedPart(photo, factsOf(photo));
    default:
        return {};
    }
}

} // namespace homebooth::app
