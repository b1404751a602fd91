// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the chosen model or add-on has learned, offered below a prompt that does not say it.
#include "app/engine/models/model_shelf.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/subject_book.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/lora_rows.h"
#include "app/pages/generate/model_choice.h"
#include "app/pages/generate/prompt/prompt_text.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"
#include "core/base/text/prompt_text.h"

#include <QPlainTextEdit>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace homebooth::app {

/// Whether a prompt says what an entry has learned: its whole sentence, the subject's own word, or whatever
/// the subject is called.
bool GenerateForm::says(const QString& prompt, const ModelEntry& entry) const {
    for (const QString& words : {entry.prompt, literalWords(entry.prompt), QStringLiteral("{subject}")})
        if (prompt.contains(words, Qt::CaseInsensitive)) return true;
    const core::RunRecord* run = m_services.runs.find(entry.runFolder);
    if (run == nullptr) return false;
    return std::any_of(run->subjects.begin(), run->subjects.end(), [&](int64_t id) {
        const core::Subject* subject = m_services.subjects.find(id);
        // As a word of its own: "lery" is no part of "gallery".
        return subject != nullptr && core::namesWord(prompt.toStdString(), subject->triggerWord);
    });
}

QString GenerateForm::unsaidSentence() const {
    QStringList files{m_model->path()};
    for (const core::LoraReference& lora : m_loras->loras()) files.append(QString::fromStdString(lora.file));
    const QString typed = m_prompt->toPlainText();
    for (const QString& file : std::as_const(files)) {
        const ModelEntry* entry = m_services.models.find(file);
        if (entry != nullptr && !entry->prompt.isEmpty() && !says(typed, *entry)) return entry->prompt;
    }
    return {};
}

void GenerateForm::showLearned() {
    const int mostWidth = 40 * m_learned->fontMetrics().averageCharWidth(); // sentences may be long
    const QString sentence = unsaidSentence();
    m_learned->setVisible(!sentence.isEmpty());
    const QString text = tr("Learned: %1").arg(sentence);
    m_learned->setText(asButtonText(m_learned->fontMetrics().elidedText(text, Qt::ElideRight, mostWidth)));
    m_learned->setAccessibleName(text);
    setPlainTip(*m_learned, sentence + '\n' + tr("What was learned. Click to put it into the prompt."));
}

QPushButton* GenerateForm::makeLearned() {
    m_learned = makeButton({}, QStringLiteral("add"), "quiet");
    m_learned->hide();
    connect(m_learned, &QPushButton::clicked, this, [this] { insert(literalWords(unsaidSentence())); });
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &GenerateForm::showLearned);
    connect(m_loras, &LoraRows::changed, this, &GenerateForm::showLearned);
    connect(&m_services.models, &ModelShelf::changed, this, &GenerateForm::showLearned);
    for (const auto signal : {&SubjectBook::inserted, &SubjectBook::removed, &SubjectBook::changed})
        connect(&m_services.subjects, signal, this, &GenerateForm::showLearned);
    connect(&m_services.subjects, &SubjectBook::loadedAll, this, &GenerateForm::showLearned);
    return m_learned;
}

} // namespace homebooth::app
