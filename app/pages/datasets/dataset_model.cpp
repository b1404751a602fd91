// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_model.h"

#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "app/library/search.h"
#include "app/pages/datasets/captions/waiting_captions.h"
#include "app/pages/datasets/figures/dataset_stats.h"
#include "app/widgets/colour_behind.h"
#include "app/widgets/plain_tip.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHash>
#include <QPointer>
#include <QUndoCommand>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {
constexpr qint64 kTypingPauseMs = 1500;

using Captions = std::vector<std::pair<QString, QString>>; // by path

/// Captions by path, as they were and as they shall be.
struct CaptionChange {
    QMap<QString, QString> before;
    QMap<QString, QString> after;
    void add(const QString& path, const QString& was, const QString& shallBe) {
        before.insert(path, was);
        after.insert(path, shallBe);
    }
};

CaptionChange replacedIn(const Captions& captions, const QString& find, const QString& replace) {
    CaptionChange change;
    for (const auto& [path, caption] : captions)
        if (const QString replaced = replaceWords(caption, find, replace); replaced != caption)
            change.add(path, caption, replaced);
    return change;
}

} // namespace

/// Captions before and after, by path.
class CaptionCommand : public QUndoCommand {
public:
    CaptionCommand(DatasetModel& model, QString folder, CaptionChange change, const QString& text,
                   bool typed = false)
        : QUndoCommand(text)
        , m_model(&model)
        , m_folder(std::move(folder))
        , m_before(std::move(change.before))
        , m_after(std::move(change.after))
        , m_timeMs(QDateTime::currentMSecsSinceEpoch())
        , m_typed(typed) {}
    void redo() override {
        if (!m_model) return;
        if (std::exchange(m_first, false)) return m_model->apply(m_folder, m_after);
        m_model->applyAgain(m_folder, m_after, m_before);
    }
    void undo() override {
        if (m_model) m_model->applyAgain(m_folder, m_before, m_after);
    }
    [[nodiscard]] int id() const override { return m_typed ? 2 : -1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* later = dynamic_cast<const CaptionCommand*>(other);
        const bool same = later != nullptr && later->m_after.keys() == m_after.keys() &&
                          later->m_timeMs - m_timeMs < kTypingPauseMs;
        if (!same) return false;
        m_after = later->m_after;
        m_timeMs = later->m_timeMs;
        return true;
    }

private:
    QPointer<DatasetModel> m_model;
    QString m_folder;
    QMap<QString, QString> m_before;
    QMap<QString, QString> m_after;
    qint64 m_timeMs;
    bool m_typed; ///< letter by letter: a pause ends a step
    bool m_first = true;
};

DatasetModel::DatasetModel(QUndoStack& undo, QObject* parent)
    : PictureListModel(parent)
    , m_undo(undo)
    , m_waiting(std::make_shared<WaitingCaptions>())
    , m_count(std::make_shared<WorkCount>()) {
    connect(&m_watch, &FileWatch::changed, this, &DatasetModel::rescan);
    connect(&m_watch, &FileWatch::begun, this, &DatasetModel::rescan); // it was read before that
}

DatasetModel::~DatasetModel() {
    m_count->stopped = true;
}

void DatasetModel::open(const QString& folder) {
    set(folder, {});
    m_watch.set({});
    Q_EMIT read();
    m_reading = false; // of another folder: it may hang for long, and what it brings is no more wanted
    m_count->stopped = true;
    m_part = false;
    ++m_turn;
    rescan();
}

void DatasetModel::rescan() {
    m_again = m_reading || m_writing.contains(m_folder); // another folder's drive may hang
    if (m_folder.isEmpty() || m_again) return;
    m_reading = true;
    const auto count = std::make_shared<WorkCount>();
    m_count = count;
    if (m_items.empty() || m_part) Q_EMIT reading(count);
    inBackground(
        this, [folder = m_folder, known = m_known, count] { return readDatasetAgain(folder, known, *count); },
        [this, count, turn = ++m_turn, edits = m_edits](const core::Result<DatasetReading>& reading) {
            if (turn != m_turn) return;
            m_reading = false;
            Q_EMIT read();
            take(reading, edits, *count);
        });
}

void DatasetModel::take(const core::Result<DatasetReading>& reading, int edits, const WorkCount& count) {
    if (reading) m_known = reading->known;
    const bool part = count.stopped && count.done < count.total;
    if (!part && (m_again || edits != m_edits)) return rescan();
    m_part = part && reading;
    if (m_part) {
        merge(reading->items);
        return Q_EMIT stopped(count.done, count.total);
    }
    m_watch.set(reading ? reading->watched : watchedPaths(m_folder, {}));
    const bool packed = !reading && saysShards(reading.error());
    if (packed && !m_items.empty()) set(m_folder, {}); // pictures that were there before
    if (std::exchange(m_packed, packed) != packed) Q_EMIT changed();
    if (!reading) return Q_EMIT failed(tr("The dataset could not be read."), reading.error());
    Q_EMIT readable();
    merge(reading->items);
}

void DatasetModel::merge(std::vector<DatasetItem> items) {
    if (items == m_items) return;
    ++m_readings;
    QHash<QString, const DatasetItem*> before;
    for (const DatasetItem& item : m_items) before.insert(item.path, &item);
    QSet<QString> changedFiles;
    for (const DatasetItem& item : items)
        if (const DatasetItem* old = before.value(item.path); old != nullptr && old->file != item.file)
            changedFiles.insert(item.path);
    const bool samePlaces =
        std::equal(items.begin(), items.end(), m_items.begin(), m_items.end(),
                   [](const DatasetItem& a, const DatasetItem& b) { return a.path == b.path; });
    if (samePlaces && m_filter == DatasetFilter()) { // views keep everything then
        m_items = std::move(items);
        if (!m_shown.empty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(m_shown.size()) - 1));
        Q_EMIT changed();
    } else {
        set(m_folder, std::move(items));
    }
    if (!changedFiles.isEmpty()) Q_EMIT filesChanged(changedFiles);
}

void DatasetModel::set(const QString& folder, std::vector<DatasetItem> items) {
    ++m_readings;
    beginResetModel(); // before anything of it is another
    m_folder = folder;
    m_items = std::move(items);
    m_packed = false;
    fillShown();
    endResetModel();
    Q_EMIT changed();
}

void DatasetModel::setFilter(const DatasetFilter& filter) {
    if (filter == m_filter) return;
    m_filter = filter;
    m_words = core::searchWords(filter.words.toStdString());
    refilter();
}

void DatasetModel::setBackground(uint32_t rgb) {
    if (std::exchange(m_background, rgb) == rgb) return;
    if (!m_shown.empty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(m_shown.size()) - 1));
    Q_EMIT changed();
}

bool DatasetModel::matches(const DatasetItem& item) const {
    if (m_filter.problems && item.problem.isEmpty() && !item.caption.isEmpty()) return false;
    if (!m_filter.shape.isEmpty() && shapeOf(item) != m_filter.shape) return false;
    if (!m_filter.tag.isEmpty() && !tagsOf(item.caption).contains(m_filter.tag, Qt::CaseInsensitive))
        return false;
    return holdsWords(item.caption, m_words);
}

void DatasetModel::refilter() {
    beginResetModel();
    fillShown();
    endResetModel();
    Q_EMIT changed();
}

void DatasetModel::fillShown() {
    m_shown.clear();
    for (size_t i = 0; i < m_items.size(); ++i)
        if (matches(m_items[i])) m_shown.push_back(i);
}

int DatasetModel::withoutCaption() const {
    return static_cast<int>(std::count_if(m_items.begin(), m_items.end(), [](const DatasetItem& item) {
        return item.caption.isEmpty() && item.problem.isEmpty();
    }));
}

int DatasetModel::broken() const {
    return static_cast<int>(std::count_if(m_items.begin(), m_items.end(), [](const DatasetItem& item) {
        return !item.problem.isEmpty() && !item.missing;
    }));
}

int DatasetModel::missing() const {
    return static_cast<int>(
        std::count_if(m_items.begin(), m_items.end(), [](const DatasetItem& item) { return item.missing; }));
}

int DatasetModel::withoutPicture() const {
    return static_cast<int>(std::count_if(m_items.begin(), m_items.end(),
                                          [](const DatasetItem& item) { return item.wantsCopy(); }));
}

void DatasetModel::setCaption(int row, const QString& caption) {
    setCaptions({row}, [&caption](const QString&) { return caption; });
}

void DatasetModel::useGuess(int row) {
    CaptionChange change;
    change.add(at(row).path, at(row).caption, at(row).guessedCaption);
    const QString text = tr("caption of %1").arg(QFileInfo(at(row).path).fileName());
    m_undo.push(new CaptionCommand(*this, m_folder, std::move(change), text));
}

void DatasetModel::setCaptions(const QList<int>& rows,
                               const std::function<QString(const QString&)>& caption) {
    CaptionChange change;
    for (const int row : rows)
        if (const QString after = caption(at(row).caption); after != at(row).caption)
            change.add(at(row).path, at(row).caption, after);
    if (change.after.isEmpty()) return;
    const QString text = change.after.size() > 1
                             ? tr("captions of %1 pictures").arg(change.after.size())
                             : tr("caption of %1").arg(QFileInfo(change.after.firstKey()).fileName());
    m_undo.push(new CaptionCommand(*this, m_folder, std::move(change), text, true));
}

void DatasetModel::replaceAll(const QString& find, const QString& replace) {
    if (std::exchange(m_replacing, true)) return;
    Replacement replacement{m_folder, find, replace, {}};
    for (const size_t place : m_shown) replacement.pictures.insert(m_items[place].path);
    carryOut(replacement);
}

void DatasetModel::carryOut(const Replacement& replacement) {
    Captions captions;
    for (const DatasetItem& item : m_items)
        if (replacement.pictures.contains(item.path)) captions.emplace_back(item.path, item.caption);
    inBackground(
        this,
        [captions = std::move(captions), replacement] {
            return replacedIn(captions, replacement.find, replacement.replace);
        },
        [this, replacement, edits = m_edits, readings = m_readings](const CaptionChange& change) {
            const bool shown = replacement.folder == m_folder;
            const bool same = edits == m_edits && readings == m_readings;
            if (shown && !same) return carryOut(replacement); // with the captions as they are by now
            m_replacing = false;
            // Captions that were typed before another folder was shown must not be written over.
            if (!shown && edits != m_edits) return Q_EMIT replaced(0);
            if (!change.after.isEmpty())
                m_undo.push(new CaptionCommand(*this, replacement.folder, change, tr("replace in captions")));
            Q_EMIT replaced(static_cast<int>(change.after.size()));
        },
        &workPool());
}

bool DatasetModel::hasOtherTexts() const {
    return std::any_of(m_items.begin(), m_items.end(), [](const DatasetItem& item) {
        return item.caption.isEmpty() && !item.otherTexts.isEmpty();
    });
}

QStringList DatasetModel::captionKeys() const {
    QMap<QString, bool> keys;
    for (const DatasetItem& item : m_items)
        if (item.caption.isEmpty())
            for (const QString& key : item.otherTexts.keys()) keys.insert(key, true);
    return keys.keys();
}

int DatasetModel::takeCaptions(const QString& key) {
    CaptionChange change;
    for (const DatasetItem& item : m_items)
        if (item.caption.isEmpty() && item.otherTexts.contains(key))
            change.add(item.path, item.caption, item.otherTexts.value(key));
    const auto count = static_cast<int>(change.after.size());
    if (count > 0) m_undo.push(new CaptionCommand(*this, m_folder, std::move(change), tr("take captions")));
    return count;
}

void DatasetModel::applyAgain(const QString& folder, QMap<QString, QString> captions,
                              const QMap<QString, QString>& expected) {
    int stay = 0;
    if (folder == m_folder)
        for (const DatasetItem& item : m_items) {
            const auto wanted = captions.constFind(item.path);
            if (wanted == captions.cend() || sameCaption(item.caption, expected.value(item.path))) continue;
            if (!sameCaption(item.caption, *wanted)) ++stay;
            captions.remove(item.path);
        }
    if (!captions.isEmpty()) {
        m_staying[folder] += stay;
        apply(folder, captions, expected);
    }
    if (stay > 0) Q_EMIT othersStay(stay);
}

void DatasetModel::apply(const QString& folder, const QMap<QString, QString>& captions,
                         const QMap<QString, QString>& expected) {
    const bool elsewhere = folder != m_folder;
    ++m_edits;
    if (elsewhere) {
        m_elsewhere.insert(folder, captions.firstKey());
    } else {
        for (DatasetItem& item : m_items)
            if (const auto found = captions.constFind(item.path); found != captions.cend()) {
                item.caption = *found;
                if (!item.caption.isEmpty() && !std::exchange(item.guessedCaption, {}).isEmpty())
                    item.problem.clear();
            }
        if (!m_shown.empty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(m_shown.size()) - 1));
        Q_EMIT changed();
    }
    if (!m_waiting->add(folder, captions, expected)) return;
    ++m_writing[folder];
    inBackground(
        this, [folder, waiting = m_waiting] { return waiting->write(folder); },
        [this, folder](const core::Result<int>& stay) { written(folder, stay); }, writeDrives(), folder);
}

void DatasetModel::written(const QString& folder, const core::Result<int>& stay) {
    const int told = m_staying.take(folder);
    const QString elsewhere = m_elsewhere.take(folder);
    if (--m_writing[folder] == 0) m_writing.remove(folder);
    if (m_again && folder == m_folder && !m_writing.contains(folder)) rescan();
    if (!stay) {
        Q_EMIT failed(tr("The captions could not be written."), stay.error());
        if (folder == m_folder) open(folder); // to show what the files say
        return;
    }
    if (!elsewhere.isEmpty()) Q_EMIT changedElsewhere(folder, elsewhere);
    if (*stay == 0) return;
    Q_EMIT othersStay(told + *stay);
    if (folder == m_folder) rescan(); // the files say something else than is shown
}

int DatasetModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant DatasetModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const DatasetItem& item = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return item.caption.simplified(); // there is room for one line
    case Qt::ToolTipRole:
        return plainTip(data(index, Qt::AccessibleTextRole).toString());
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(QFileInfo(item.path).fileName(),
                                            item.problem.isEmpty() ? item.caption : item.problem);
    case PathRole:
        return item.path;
    case EditRole: { // opaque ones stay as they are kept
        core::PhotoEdit edit;
        if (item.transparent) edit.backgroundRgb = m_background;
        return QVariant::fromValue(edit);
    }
    case StateRole:
        return static_cast<int>(!item.problem.isEmpty()                      ? ThumbnailState::Bad
                                : item.caption.isEmpty() || item.transparent ? ThumbnailState::Caution
                                                                             : ThumbnailState::None);
    case StateTextRole:
        if (!item.guessedCaption.isEmpty()) return tr("Caption?"); // the picture is whole
        if (!item.problem.isEmpty()) return item.missing ? tr("Missing") : tr("Broken");
        return item.caption.isEmpty() ? tr("No caption") : seeThroughWord();
    default:
        return {};
    }
}

} // namespace homebooth::app
