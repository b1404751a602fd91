// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts tokens with the vocabularies of the models on the shelf, for the subjects' trigger words: a word is
// as long as in the model that needs the most tokens for it. Follows the shelf. GUI thread; files are read
// off it, and a model's disk may take its time: nobody waits longer than a few seconds.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <vector>

namespace homebooth::app {

class ModelShelf;
class SubjectBook;

class ModelVocabularies : public QObject {
    Q_OBJECT
public:
    ModelVocabularies(ModelShelf& models, SubjectBook& subjects, QObject* parent = nullptr);

    /// Calls back once words are counted in all models, at once if they are.
    void whenKnown(std::function<void()> then);

private:
    [[nodiscard]] bool known() const;
    void tellKnown();
    void follow();
    void load(const QStringList& models);

    ModelShelf& m_models;
    SubjectBook& m_subjects;
    QStringList m_loaded; ///< paths of the models whose vocabularies count, or are being read
    bool m_read = false;  ///< they count
    std::vector<std::function<void()>> m_waiting;
    QTimer m_patience;
};

} // namespace homebooth::app
