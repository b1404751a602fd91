// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/captions/caption_panel.h"

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
#include <QRegularExpression>

#include <algorithm>
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

/// What is made of a folder's name as sd-scripts takes it: "10_zwx toy". Nothing is.
QString repeatsText(const QString& folder) {
    static const QRegularExpression name(QStringLiteral("^(\\d{1,3})_."));
    const int times = name.match(QFileInfo(folder).fileName()).captured(1).toInt();
    if (times < 2) return {};
    return CaptionPanel::tr("The %1 in the folder's name (repeats) is not used: every picture is learned as "
                            "often as the others.")
        .arg(times);
}

} // namespace

CaptionPanel::CaptionPanel(DatasetModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_caption(new QPlainTextEdit)
    , m_facts(new MutedLabel)
    , m_guess(makeButton(tr("Use it so")))
    , m_colour(makeColourButton())
    , m_shapes(new QWidget)
    , m_figures(new MutedLabel) {
    auto* column = new QVBoxLayout(this);
    tidy(column, kGapBlock, kGapBlock);
    m_several = makeLabel({}, TypeRole::Section);
    m_several->hide();
    column->addWidget(m_several);
    m_caption->setProperty("look", QStringLiteral("field"));
    m_caption->setFixedHeight(kCaptionHeight);
    m_caption->setTabChangesFocus(true);
    m_caption->setProperty(kWindowUndoProperty, true);
    column->addWidget(labelled(tr("Caption"), m_caption));
    column->addWidget(m_guess, 0, Qt::AlignLeft);
    prepareGuess();
    column->addWidget(makeTags());
    m_facts->setTextFormat(Qt::PlainText); // names of files
    column->addWidget(m_facts);
    m_colour->setToolTip(tr("Behind all pictures of this dataset."));
    column->addWidget(m_colour, 0, Qt::AlignLeft);
    connect(m_colour, &QPushButton::clicked, this, &CaptionPanel::colourWanted);
    column->addWidget(makeSteps());
    column->addWidget(makeRule(Qt::Horizontal));
    column->addWidget(makeLabel(tr("Figures"), TypeRole::Section));
    column->addWidget(new QLabel(tr("Shapes")));
    new FlowLayout(m_shapes, kGapInside);
    column->addWidget(m_shapes);
    column->addWidget(m_figures);
    column->addStretch();
    connect(m_caption, &QPlainTextEdit::textChanged, this, [this] {
        editCaptions([text = m_caption->toPlainText().simplified()](const QString&) { return text; });
    });
}

void CaptionPanel::prepareGuess() {
    m_guess->hide();
    m_guess->setToolTip(tr("Writes the caption as UTF-8."));
    connect(m_guess, &QPushButton::clicked, this, [this] {
        if (m_rows.size() == 1) m_model.useGuess(m_rows.first());
    });
}

QWidget* CaptionPanel::makeTags() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapInside);
    m_tags = new QWidget;
    new FlowLayout(m_tags, kGapInside);
    m_tags->hide();
    m_newTag = new QLineEdit;
    m_newTag->setPlaceholderText(tr("Add a tag"));
    m_newTag->setAccessibleName(tr("Add a tag"));
    column->addWidget(new QLabel(tr("Tags")));
    column->addWidget(m_tags);
    column->addWidget(m_newTag);
    connect(m_newTag, &QLineEdit::returnPressed, this, [this] {
        if (m_rows.isEmpty()) return;
        editCaptions([tag = m_newTag->text()](const QString& caption) { return withTag(caption, tag); });
        m_newTag->clear();
        showRows(m_rows);
    });
    return part;
}

QWidget* CaptionPanel::makeSteps() {
    auto* steps = new QWidget;
    auto* walk = new FlowLayout(steps, kGapLabel); // large text takes two lines
    for (const auto& [text, by] : {std::pair{tr("Previous"), -1}, std::pair{tr("Next"), 1}}) {
        auto* button = makeButton(text);
        walk->addWidget(button);
        m_steps.append(button);
        connect(button, &QPushButton::clicked, this, [this, step = by] { Q_EMIT stepped(step); });
    }
    return steps;
}

void CaptionPanel::editCaptions(const std::function<QString(const QString&)>& caption) {
    if (m_filling || m_rows.isEmpty() || m_rows.last() >= m_model.rowCount()) return;
    m_model.setCaptions(m_rows, caption);
    showTags();
}

bool CaptionPanel::isSameCaption() const {
    return std::all_of(m_rows.begin(), m_rows.end(), [this](int row) {
        return m_model.at(row).caption == m_model.at(m_rows.first()).caption;
    });
}

QStringList CaptionPanel::commonTags() const {
    if (m_rows.isEmpty()) return {};
    QStringList common = tagsOf(m_model.at(m_rows.first()).caption);
    for (auto row = m_rows.begin() + 1; row != m_rows.end() && !common.isEmpty(); ++row) {
        const QStringList tags = tagsOf(m_model.at(*row).caption);
        common.removeIf([&tags](const QString& tag) { return !tags.contains(tag, Qt::CaseInsensitive); });
    }
    return common;
}

void CaptionPanel::showTags() {
    const QStringList tags = commonTags();
    if (tags == m_shownTags) return; // one of them may have the focus
    m_shownTags = tags;
    clearFlow(*m_tags);
    QList<QWidget*> chips;
    for (const QString& tag : tags) {
        auto* chip = makeChip(tag, tr("Without the tag \"%1\"").arg(tag));
        m_tags->layout()->addWidget(chip);
        chips.append(chip);
        connect(chip, &QPushButton::clicked, this, [this, tag] {
            editCaptions([tag](const QString& caption) { return withoutTag(caption, tag); });
            showRows(m_rows);
        });
    }
    putIntoTabOrder(chips, *m_newTag);
    m_tags->setVisible(!tags.isEmpty());
    m_tags->updateGeometry();
}

void CaptionPanel::showRows(const QList<int>& rows) {
    m_rows = rows;
    m_rows.removeIf([this](int row) { return row < 0 || row >= m_model.rowCount(); });
    const bool some = !m_rows.isEmpty();
    const bool same = isSameCaption();
    m_several->setText(tr("%1 pictures chosen").arg(m_rows.size()));
    m_several->setVisible(m_rows.size() > 1);
    const QString guess = m_rows.size() == 1 ? m_model.at(m_rows.first()).guessedCaption : QString();
    // Or what is typed would take the place of several, or of what is not read.
    m_caption->setEnabled(some && same && guess.isEmpty());
    m_caption->setPlaceholderText(same ? guess : tr("They have different captions."));
    m_guess->setVisible(!guess.isEmpty());
    m_newTag->setEnabled(some);
    for (QPushButton* button : std::as_const(m_steps)) button->setEnabled(m_model.rowCount() > 1);
    m_filling = true;
    const QString caption = some && same ? m_model.at(m_rows.first()).caption : QString();
    if (m_caption->toPlainText().simplified() != caption) m_caption->setPlainText(caption);
    m_filling = false;
    showFacts();
    showTags();
}

void CaptionPanel::showFacts() {
    const int row = m_rows.size() == 1 ? m_rows.first() : -1;
    const bool seeThrough = row >= 0 && m_model.at(row).seeThrough();
    m_colour->setVisible(seeThrough);
    if (seeThrough) showColourOn(*m_colour, m_model.background());
    if (row < 0)
        return m_facts->setText(m_rows.isEmpty() ? QString() : tr("What is changed goes to all of them."));
    const DatasetItem& item = m_model.at(row);
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
    for (const QString& text : {repeatsText(m_model.folder()), heldOutText()})
        if (!text.isEmpty()) lines.append(text);
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
