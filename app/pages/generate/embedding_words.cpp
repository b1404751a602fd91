// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/embedding_words.h"

#include "app/engine/model_shelf.h"
#include "app/theme/metrics.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QLabel>

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
    button.setToolTip(whole ? tooltip : word.toHtmlEscaped() + QStringLiteral("<br>") + tooltip);
}

} // namespace

EmbeddingWords::EmbeddingWords(ModelShelf& models, QWidget* parent)
    : QWidget(parent)
    , m_models(models)
    , m_buttons(new QWidget) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapInside);
    column->addWidget(new QLabel(tr("Learned words")));
    new FlowLayout(m_buttons, kGapInside);
    column->addWidget(m_buttons);
    connect(&models, &ModelShelf::changed, this, &EmbeddingWords::fill);
    hide(); // no model is chosen yet
}

void EmbeddingWords::setModels(const QStringList& models) {
    m_workWith = models;
    fill();
}

void EmbeddingWords::fill() {
    std::vector<LearnedWord> now = learnedWords(m_models, m_workWith);
    if (now == m_shown) return;
    m_shown = std::move(now);
    setVisible(!m_shown.empty());
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
    putIntoTabOrder(buttons, *this);
    m_buttons->updateGeometry();
}

} // namespace homebooth::app
