// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt/embedding_words.h"

#include "app/engine/models/model_shelf.h"
#include "app/library/search.h"
#include "app/theme/metrics.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>
#include <iterator>
#include <utility>

namespace homebooth::app {
namespace {

QString tooltipOf(const LearnedWord& learned) {
    if (learned.vectors == 0) return EmbeddingWords::tr("Click to put it into the prompt.");
    return EmbeddingWords::tr("Stands for %n learned vector(s). Click to put it into the prompt.", nullptr,
                              static_cast<int>(learned.vectors));
}

QPushButton* makeWordButton(const QString& word) {
    constexpr int kMostWidth = 200; // names of files may be long
    auto* button = makeButton({}, QStringLiteral("add"), "quiet");
    button->setText(asButtonText(button->fontMetrics().elidedText(word, Qt::ElideMiddle, kMostWidth)));
    button->setAccessibleName(EmbeddingWords::tr("Put %1 into the prompt").arg(word));
    button->setProperty(kThingProperty, true);
    return button;
}

void describe(QPushButton& button, const LearnedWord& learned) {
    const QString& word = learned.words.front();
    const QString tooltip = tooltipOf(learned);
    const bool whole = button.text() == asButtonText(word);
    setPlainTip(button, whole ? tooltip : word + '\n' + tooltip);
}

} // namespace

EmbeddingWords::EmbeddingWords(ModelShelf& models, QWidget* parent)
    : QWidget(parent)
    , m_models(models)
    , m_search(new QLineEdit)
    , m_buttons(new QWidget)
    , m_others(new MutedLabel) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapInside);
    column->addWidget(new QLabel(tr("Learned words")));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search learned words"));
    m_search->setClearButtonEnabled(true);
    column->addWidget(m_search);
    new FlowLayout(m_buttons, kGapInside);
    column->addWidget(m_buttons);
    column->addWidget(m_others);
    for (QWidget* part : {static_cast<QWidget*>(m_search), static_cast<QWidget*>(m_others)}) part->hide();
    connect(m_search, &QLineEdit::textChanged, this, &EmbeddingWords::arrange);
    connect(&models, &ModelShelf::changed, this, &EmbeddingWords::fill);
    hide(); // no model is chosen yet
}

void EmbeddingWords::setModels(const QStringList& models) {
    m_workWith = models;
    fill();
}

void EmbeddingWords::fill() {
    std::vector<LearnedWord> now = learnedWords(m_models, m_workWith);
    if (now == m_known) return;
    m_known = std::move(now);
    const bool many = m_known.size() > kMost;
    if (!many) m_search->clear(); // nobody would see why some are missing
    m_search->setVisible(many);
    setVisible(!m_known.empty());
    arrange();
}

std::vector<LearnedWord> EmbeddingWords::found() const {
    const std::vector<std::string> wanted = core::searchWords(m_search->text().toStdString());
    std::vector<LearnedWord> found;
    std::copy_if(m_known.begin(), m_known.end(), std::back_inserter(found),
                 [&wanted](const LearnedWord& one) { return holdsWords(one.words.join(' '), wanted); });
    return found;
}

void EmbeddingWords::arrange() {
    std::vector<LearnedWord> words = found();
    sayOthers(words.size());
    if (words.size() > kMost) words.resize(kMost);
    if (words == m_shown) return;
    m_shown = std::move(words);
    showButtons();
}

void EmbeddingWords::sayOthers(size_t found) {
    const int others = static_cast<int>(found - std::min(found, kMost));
    m_others->setText(found == 0 ? tr("No learned word has this name.")
                                 : tr("%n more: search for their names.", nullptr, others));
    m_others->setVisible(!m_known.empty() && (found == 0 || others > 0));
}

void EmbeddingWords::showButtons() {
    while (QLayoutItem* item = m_buttons->layout()->takeAt(0)) delete item;
    // One that stays keeps its button, and that the focus: each of hundreds is looked at by itself.
    QHash<QString, QPushButton*> before = std::exchange(m_ofWord, {});
    QList<QWidget*> buttons;
    for (const LearnedWord& learned : m_shown) {
        const QString& word = learned.words.front();
        QPushButton* button = before.take(word);
        if (button == nullptr) {
            button = makeWordButton(word);
            connect(button, &QPushButton::clicked, this, [this, word] { Q_EMIT chosen(word); });
        }
        describe(*button, learned);
        m_buttons->layout()->addWidget(button);
        m_ofWord.insert(word, button);
        buttons.append(button);
    }
    for (QPushButton* gone : std::as_const(before)) {
        gone->hide();
        gone->deleteLater();
    }
    putIntoTabOrder(QList<QWidget*>{m_search} + buttons, *this);
    m_buttons->updateGeometry();
}

} // namespace homebooth::app
