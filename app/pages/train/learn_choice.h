// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is to be learned: subjects as chips, several at once, or a dataset; and whether a model could tell
// them apart. GUI thread.
#pragma once

#include <QList>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace homebooth::core {
struct Subject;
}

namespace homebooth::app {

class SubjectBook;

class LearnChoice : public QWidget {
    Q_OBJECT
public:
    explicit LearnChoice(SubjectBook& subjects, QWidget* parent = nullptr);

    void setSubject(int64_t subject);
    void addSubject(int64_t subject);
    void setDataset(const QString& name, const QString& folder);
    /// Those that are there, in the order of their choice; none with a dataset.
    [[nodiscard]] std::vector<const core::Subject*> subjects() const;
    [[nodiscard]] const QString& datasetName() const { return m_datasetName; }
    [[nodiscard]] const QString& datasetFolder() const { return m_datasetFolder; }
    /// Whether two of them have one trigger word, or one has none: nothing begins so.
    [[nodiscard]] bool clashes() const;
    /// What Tab leads to from here.
    void setNext(QWidget* next) { m_next = next; }
    /// Shows what is there now.
    void fill();

Q_SIGNALS:
    void changed();
    void subjectWanted(); ///< there is none to choose

private:
    void addChip(const QString& name, const std::function<void()>& drop);
    void dropSubject(qlonglong subject);
    void showClash();
    void offerSubjects();

    SubjectBook& m_book;
    QList<qlonglong> m_learn;
    QString m_datasetName;
    QString m_datasetFolder;
    QHBoxLayout* m_row = nullptr;
    QList<QWidget*> m_chips;
    QPushButton* m_add = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_remedy = nullptr;
    QWidget* m_next = nullptr;
};

} // namespace homebooth::app
