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

QPushButton* makeWordButton(const LearnedWord& learned) {
    constexpr int kMostWidth = 200; // names of files may be long
    const QString& word = learned.words.front();
    auto* button = makeButton({}, QStringLiteral("add"), "quiet");
    const QString shown = button->fontMetrics().elidedText(word, Qt::ElideMiddle, kMostWidth);
    button->setText(asButtonText(shown));
    button->setAccessibleName(EmbeddingWords::tr("Put %1 into the prompt").arg(word));
    const QString tooltip = tooltipOf(learned);
    button->setToolTip(shown == word ? tooltip : word.toHtmlEscaped() + QStringLiteral("<br>") + tooltip);
    button->setProperty(kThingProperty, true);
    return button;
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
    if (now == m_shown) return; // the one with the focus stays
    m_shown = std::move(now);
    setVisible(!m_shown.empty());
    while (QLayoutItem* item = m_buttons->layout()->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    QList<QWidget*> buttons;
    for (const LearnedWord& learned : m_shown) {
        QPushButton* button = makeWordButton(learned);
        m_buttons->layout()->addWidget(button);
        buttons.append(button);
        connect(button, &QPushButton::clicked, this,
                [this, word = learned.words.front()] { Q_EMIT chosen(word); });
    }
    putIntoTabOrder(buttons, *this);
    m_buttons->updateGeometry();
}

} // namespace homebooth::app
