// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pictures of one data set with their captions, filtered by words or by what is wrong. Edits go to the
// files at once and can be undone; what other programs do to the folder is followed. GUI thread; files off
// it.
#pragma once

#include "app/library/file_watch.h"
#include "app/pages/datasets/dataset_reading.h"
#include "app/widgets/pictures/picture_list_model.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "core/base/config/colour.h"

#include <QHash>
#include <QSet>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QUndoStack;

namespace homebooth::app {

class WaitingCaptions;

/// What is shown; empty fields ask for nothing.
struct DatasetFilter {
    QString words; ///< all of them in the caption
    QString tag;
    QString shape; ///< as `shapeOf` says
    bool problems = false;
    friend bool operator==(const DatasetFilter&, const DatasetFilter&) = default;
};

class DatasetModel : public PictureListModel {
    Q_OBJECT
public:
    explicit DatasetModel(QUndoStack& undo, QObject* parent = nullptr);
    ~DatasetModel() override;

    void open(const QString& folder);
    /// Reads the folder again; what is as it was is left alone, and what is being typed wins.
    void rescan();
    [[nodiscard]] const QString& folder() const { return m_folder; }
    /// Takes items as they are, e.g. in tests.
    void set(const QString& folder, std::vector<DatasetItem> items);
    void setFilter(const DatasetFilter& filter);
    [[nodiscard]] const DatasetFilter& filter() const { return m_filter; }
    [[nodiscard]] const DatasetItem& at(int row) const { return m_items[m_shown[static_cast<size_t>(row)]]; }
    [[nodiscard]] const std::vector<DatasetItem>& items() const { return m_items; }
    /// Whether the pictures lie in WebDataset shards: they can be trained on, but are not shown here.
    [[nodiscard]] bool packed() const { return m_packed; }
    /// What stands behind transparent parts, 0xRRGGBB.
    void setBackground(uint32_t rgb);
    [[nodiscard]] uint32_t background() const { return m_background; }
    /// Of those that can be read.
    [[nodiscard]] int withoutCaption() const;
    [[nodiscard]] int broken() const;
    [[nodiscard]] int missing() const;
    /// Missing ones, and broken ones that another copy would mend.
    [[nodiscard]] int withoutPicture() const;

    void setCaption(int row, const QString& caption);
    /// Writes the caption of a row, whose encoding is not known, as it was guessed.
    void useGuess(int row);
    /// Makes another caption of that of each row, in one step of undo.
    void setCaptions(const QList<int>& rows, const std::function<QString(const QString&)>& caption);
    /// Replaces words in all captions that are shown, off the GUI thread and as one step of undo; `replaced`
    /// follows. While that goes on nothing more is begun.
    void replaceAll(const QString& find, const QString& replace);
    [[nodiscard]] bool replacing() const { return m_replacing; }
    /// Whether metadata.jsonl says something of pictures without caption, under other keys.
    [[nodiscard]] bool hasOtherTexts() const;
    /// These keys, in alphabetical order.
    [[nodiscard]] QStringList captionKeys() const;
    /// Takes what stands there as captions of the pictures that have none. @returns how many changed
    int takeCaptions(const QString& key);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    void changed();
    /// Captions of a data set that is not shown were changed, by undo; its files are written.
    void changedElsewhere(const QString& folder, const QString& picture);
    /// Words were replaced in so many captions.
    void replaced(int captions);
    /// So many captions are not what a step of undo left: they stay as another program wrote them.
    void othersStay(int captions);
    void failed(const QString& headline, const homebooth::core::Error& error);
    void readable();
    /// A folder is read of which nothing or a part is shown yet; `read` follows.
    void reading(const std::shared_ptr<homebooth::app::WorkCount>& count);
    /// It was, or another one is read by now, or none.
    void read();
    /// It was stopped when so many of its pictures were; they are shown, and what other programs do to the
    /// folder is not followed.
    void stopped(int pictures, int ofPictures);
    /// These files are others than before.
    void filesChanged(const QSet<QString>& paths);

private:
    friend class CaptionCommand;
    /// What is to be replaced where, as it was asked for.
    struct Replacement {
        QString folder;
        QString find;
        QString replace;
        QSet<QString> pictures;
    };
    void carryOut(const Replacement& replacement);
    /// @param expected  what has to stand in the files; empty: whatever does
    void apply(const QString& folder, const QMap<QString, QString>& captions,
               const QMap<QString, QString>& expected = {});
    /// The same for undo and redo: what another program has written since the step stays, of what is not
    /// shown, too. @param expected  what the step left, by path
    void applyAgain(const QString& folder, QMap<QString, QString> captions,
                    const QMap<QString, QString>& expected);
    void written(const QString& folder, const core::Result<int>& stay);
    [[nodiscard]] bool matches(const DatasetItem& item) const;
    void refilter();
    void fillShown();
    void take(const core::Result<DatasetReading>& reading, int edits, const WorkCount& count);
    void merge(std::vector<DatasetItem> items);

    QUndoStack& m_undo;
    QString m_folder;
    std::vector<DatasetItem> m_items;
    std::vector<size_t> m_shown;
    DatasetFilter m_filter;
    std::vector<std::string> m_words; ///< of the filter, as they are compared
    FileWatch m_watch{this};
    DatasetKnown m_known; ///< of the last reading that did not fail
    uint32_t m_background = core::kWhite;
    int m_turn = 0;                ///< of reading: an answer to an earlier one is of no use
    int m_edits = 0;               ///< of captions, since the start
    int m_readings = 0;            ///< that brought other items, since the start
    QHash<QString, int> m_writing; ///< by folder: writes of captions that are under way or wait
    QHash<QString, int> m_staying; ///< by folder: others' captions that were told of before its write
    std::shared_ptr<WaitingCaptions> m_waiting;
    QHash<QString, QString> m_elsewhere; ///< by folder that is not shown: a picture for `changedElsewhere`
    std::shared_ptr<WorkCount> m_count;  ///< of the last reading
    bool m_replacing = false;
    bool m_packed = false;
    bool m_part = false; ///< not all pictures are here: reading them was stopped
    bool m_reading = false;
    bool m_again = false; ///< what was read is old already
};

} // namespace homebooth::app
