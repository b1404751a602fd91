// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is to be learned: subjects as chips, several at once, or a dataset; and whether a model could tell
// them apart. What an earlier session had chosen stays until the library says what is there. GUI thread.
#pragma once

#include "core/base/config/colour.h"
#include "core/library/dataset_store.h"

#include <QList>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <utility>
#include <vector>

class QLabel;
class QMenu;
class QPushButton;

namespace homebooth::core {
struct Subject;
}

namespace homebooth::app {

class FlowLayout;
class LibraryService;
class SubjectBook;

class LearnChoice : public QWidget {
    Q_OBJECT
public:
    LearnChoice(SubjectBook& subjects, LibraryService& library, QWidget* parent = nullptr);

    void setSubject(int64_t subject);
    void addSubject(int64_t subject);
    /// @param background  behind transparent parts, 0xRRGGBB, where the library does not know the dataset
    void setDataset(const QString& name, const QString& folder, uint32_t background = core::kWhite);
    /// Leaves it open what is to be learned: the first subject is not taken in its place.
    void setNothing();
    /// What an earlier session had chosen; of it what the library knows no more is left out without a word.
    void restore(const QList<qlonglong>& subjects, const QString& datasetName, const QString& datasetFolder);
    /// Keys of what is chosen, be it known to be there or not yet.
    [[nodiscard]] const QList<qlonglong>& chosen() const { return m_learn; }
    /// Those that are there, in the order of their choice; none with a dataset.
    [[nodiscard]] std::vector<const core::Subject*> subjects() const;
    [[nodiscard]] const QString& datasetName() const { return m_datasetName; }
    [[nodiscard]] const QString& datasetFolder() const { return m_datasetFolder; }
    /// What stands behind transparent parts of its pictures, 0xRRGGBB.
    [[nodiscard]] uint32_t datasetBackground() const;
    /// Whether the library knows the dataset, and its folder is not there: perhaps its drive is away.
    [[nodiscard]] bool away() const { return m_away.contains(m_datasetFolder); }
    /// Has the library say which datasets there are, and looks for their folders. One look is under way at a
    /// time: each may wait for a drive, and holds a thread.
    void askDatasets();
    /// How it is seen whether a folder is there, by another way than the disk's. `isThere` is called on
    /// another thread.
    void setLook(std::function<bool(const QString& folder)> isThere) { m_isThere = std::move(isThere); }
    /// Whether two of them have one trigger word, or one has none: nothing begins so.
    [[nodiscard]] bool clashes() const;
    /// What Tab leads to from here.
    void setNext(QWidget* next) { m_next = next; }
    /// Shows what is there now.
    void fill();

Q_SIGNALS:
    void changed();
    void subjectWanted(); ///< there is none to choose
    void datasetWanted(const QString& name, const QString& folder);
    void classWanted(qlonglong subject); ///< it is to be said what the subject is

protected:
    void showEvent(QShowEvent* event) override;

private:
    void addChip(const QString& name, const std::function<void()>& drop);
    /// Makes the chips anew: the one in the place of that with the focus gets it.
    void fillChips();
    void dropSubject(qlonglong subject);
    void showClash();
    /// Asks what a subject is of which nobody has said it: it advises, and blocks nothing.
    void showUnknown();
    void offer();
    void offerDatasets(QMenu& menu);
    /// What of the choice goes when another one is taken; empty: nothing.
    [[nodiscard]] QString replaced(bool byDataset) const;
    void takeDatasets(const std::vector<core::DatasetRecord>& known,
                      const std::vector<core::DatasetRecord>& there);
    void nameButton();
    /// Looks for the folders of what the library knows; once more afterwards where that goes on already.
    void look();
    /// While the dataset's drive is away, looks from time to time: not every desktop tells that one came.
    void waitForDrive();

    SubjectBook& m_book;
    LibraryService& m_library;
    std::function<bool(const QString& folder)> m_isThere;
    std::vector<core::DatasetRecord> m_known;    ///< as the library said last
    std::vector<core::DatasetRecord> m_datasets; ///< whose folders are there
    QStringList m_away;                          ///< folders of all others
    QTimer m_later;                              ///< until the next look for a drive that is away
    bool m_looking = false;
    bool m_lookAgain = false; ///< what comes of the look that is under way is of no use
    bool m_restored = false;  ///< the dataset is that of an earlier session, and may be gone
    bool m_open = false;      ///< nothing is chosen, and nothing is to be before somebody does
    QList<qlonglong> m_learn;
    QString m_datasetName;
    QString m_datasetFolder;
    uint32_t m_background = core::kWhite; ///< of a dataset that the library does not know
    FlowLayout* m_row = nullptr;
    QList<QWidget*> m_chips;
    QPushButton* m_add = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_remedy = nullptr;
    QLabel* m_unknown = nullptr;
    QPushButton* m_say = nullptr;
    int64_t m_unsaid = 0; ///< the subject that `m_unknown` is about
    QWidget* m_next = nullptr;
};

} // namespace homebooth::app
