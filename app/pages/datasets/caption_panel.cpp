// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/caption_panel.h"

#include "app/pages/datasets/dataset_model.h"
#include "app/shell/event_rules.h"
#include "app/theme/metrics.h"
#include "app/widgets/colour_behind.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>

#include <utility>

namespace homebooth::app {
namespace {

constexpr int kCaptionHeight = 104;

void clearFlow(QWidget& part) {
    while (QLayoutItem* item = part.layout()->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
}

} // namespace

CaptionPanel::CaptionPanel(DatasetModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_caption(new QPlainTextEdit)
    , m_facts(new MutedLabel)
    , m_colour(makeColourButton())
    , m_shapes(new QWidget)
    , m_figures(new MutedLabel) {
    auto* column = new QVBoxLayout(this);
    tidy(column, kGapBlock, kGapBlock);
    m_caption->setProperty("look", QStringLiteral("field"));
    m_caption->setFixedHeight(kCaptionHeight);
    m_caption->setTabChangesFocus(true);
    m_caption->setProperty(kWindowUndoProperty, true);
    column->addWidget(labelled(tr("Caption"), m_caption));
    column->addWidget(makeTags());
    m_facts->setTextFormat(Qt::PlainText); // names of files
    column->addWidget(m_facts);
    m_colour->setToolTip(tr("Behind all pictures of this dataset."));
    column->addWidget(m_colour, 0, Qt::AlignLeft);
    connect(m_colour, &QPushButton::clicked, this, &CaptionPanel::colourWanted);
    auto* steps = new QWidget;
    auto* walk = new FlowLayout(steps, kGapLabel); // large text takes two lines
    for (const auto& [text, by] : {std::pair{tr("Previous"), -1}, std::pair{tr("Next"), 1}}) {
        auto* button = makeButton(text);
        walk->addWidget(button);
        m_steps.append(button);
        connect(button, &QPushButton::clicked, this, [this, step = by] { Q_EMIT stepped(step); });
    }
    column->addWidget(steps);
    column->addWidget(makeRule(Qt::Horizontal));
    column->addWidget(makeLabel(tr("Figures"), TypeRole::Section));
    column->addWidget(new QLabel(tr("Shapes")));
    new FlowLayout(m_shapes, kGapInside);
    column->addWidget(m_shapes);
    column->addWidget(m_figures);
    column->addStretch();
    connect(m_caption, &QPlainTextEdit::textChanged, this,
            [this] { editCaption(m_caption->toPlainText().simplified()); });
}

QWidget* CaptionPanel::makeTags() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapInside);
    m_tags = new QWidget;
    new FlowLayout(m_tags, kGapInside);
    m_newTag = new QLineEdit;
    m_newTag->setPlaceholderText(tr("Add a tag"));
    m_newTag->setAccessibleName(tr("Add a tag"));
    column->addWidget(new QLabel(tr("Tags")));
    column->addWidget(m_tags);
    column->addWidget(m_newTag);
    connect(m_newTag, &QLineEdit::returnPressed, this, [this] {
        if (m_row < 0) return;
        editCaption(withTag(m_model.at(m_row).caption, m_newTag->text()));
        m_newTag->clear();
        showRow(m_row);
    });
    return part;
}

void CaptionPanel::editCaption(const QString& caption) {
    if (m_filling || m_row < 0 || m_row >= m_model.rowCount()) return;
    m_model.setCaption(m_row, caption);
    showTags();
}

void CaptionPanel::showTags() {
    clearFlow(*m_tags);
    const QStringList tags = m_row >= 0 ? tagsOf(m_model.at(m_row).caption) : QStringList();
    QList<QWidget*> chips;
    for (const QString& tag : tags) {
        auto* chip = makeChip(tag, tr("Without the tag \"%1\"").arg(tag));
        m_tags->layout()->addWidget(chip);
        chips.append(chip);
        connect(chip, &QPushButton::clicked, this, [this, tag] {
            editCaption(withoutTag(m_model.at(m_row).caption, tag));
            showRow(m_row);
        });
    }
    putIntoTabOrder(chips, *m_newTag);
    m_tags->setVisible(!tags.isEmpty());
    m_tags->updateGeometry();
}

void CaptionPanel::showRow(int row) {
    m_row = row >= 0 && row < m_model.rowCount() ? row : -1;
    m_caption->setEnabled(m_row >= 0);
    m_newTag->setEnabled(m_row >= 0);
    for (QPushButton* button : std::as_const(m_steps)) button->setEnabled(m_model.rowCount() > 1);
    m_filling = true;
    if (m_row >= 0) {
        const DatasetItem& item = m_model.at(m_row);
        if (m_caption->toPlainText().simplified() != item.caption) m_caption->setPlainText(item.caption);
    } else {
        m_caption->clear();
    }
    m_filling = false;
    showFacts();
    showTags();
}

void CaptionPanel::showFacts() {
    const bool seeThrough = m_row >= 0 && m_model.at(m_row).seeThrough();
    m_colour->setVisible(seeThrough);
    if (seeThrough) showColourOn(*m_colour, m_model.background());
    if (m_row < 0) return m_facts->clear();
    const DatasetItem& item = m_model.at(m_row);
    const QString name = QFileInfo(item.path).fileName();
    const QString size =
        tr("%1, %2 x %3").arg(name, QString::number(item.widthPixels), QString::number(item.heightPixels));
    const QString whole = item.caption.isEmpty() ? size
                          : item.listed          ? tr("%1, caption from metadata.jsonl").arg(size)
                                                 : tr("%1, caption from .txt").arg(size);
    m_facts->setText(seeThrough               ? whole + '\n' + seeThroughText(m_model.background())
                     : item.problem.isEmpty() ? whole
                     : item.missing           ? QStringLiteral("%1: %2").arg(name, item.problem)
                                    : tr("%1 cannot be used as it is.").arg(name) + '\n' + item.problem);
}

void CaptionPanel::showFigures(const DatasetFigures& figures) {
    m_counted = figures;
    clearFlow(*m_shapes);
    QList<QWidget*> buttons;
    for (const auto& [shape, count] : figures.shapes) {
        auto* button = makeButton(QStringLiteral("%1   %2").arg(shape).arg(count), {}, "segment");
        button->setChecked(m_model.filter().shape == shape);
        button->setToolTip(tr("Show these pictures"));
        button->setProperty(kThingProperty, true);
        m_shapes->layout()->addWidget(button);
        buttons.append(button);
        connect(button, &QPushButton::clicked, this,
                [this, shape = shape](bool on) { Q_EMIT shapeWanted(on ? shape : QString()); });
    }
    putIntoTabOrder(buttons, *m_figures);
    m_shapes->updateGeometry();
    QStringList lines;
    if (figures.leastSide > 0)
        lines.append(tr("Shorter side: %1 px at least, %2 px at the median")
                         .arg(figures.leastSide)
                         .arg(figures.medianSide));
    if (figures.mostWords > 0)
        lines.append(tr("Words in a caption: %1 at the median, %2 at most")
                         .arg(figures.medianWords)
                         .arg(figures.mostWords));
    if (const QString heldOut = heldOutText(); !heldOut.isEmpty()) lines.append(heldOut);
    m_figures->setText(lines.join('\n'));
}

QString CaptionPanel::heldOutText() const {
    if (m_heldOut.share <= 0.0 || m_heldOut.pictures == 0) return {};
    if (m_heldOut.pictures)
        return tr("The last training held %n of these pictures out: they were not learned.", nullptr,
                  static_cast<int>(*m_heldOut.pictures));
    return tr("The last training held %1 % of these pictures out: they were not learned.")
        .arg(QLocale().toString(m_heldOut.share * 100.0, 'g', 3));
}

void CaptionPanel::setHeldOut(const HeldOut& heldOut) {
    if (std::exchange(m_heldOut, heldOut) != heldOut) showFigures(m_counted);
}

} // namespace homebooth::app
