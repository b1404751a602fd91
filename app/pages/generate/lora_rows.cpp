// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/lora_rows.h"

#include "app/engine/models/model_shelf.h"
#include "app/theme/colours.h"
#include "app/theme/metrics.h"
#include "app/widgets/choice_name.h"
#include "app/widgets/exact_slider.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"

#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>

#include <algorithm>
#include <optional>

namespace homebooth::app {
namespace {
constexpr int kParts = 20; // of a weight of one
constexpr int kMost = 2;
constexpr int kLeastName = 96; // px
constexpr int kLeastSlider = 64;

/// The weight that is typed; nothing while it is none.
std::optional<double> weightOf(QString typed) {
    constexpr double kMostTyped = 10.0;
    bool isNumber = false;
    const double number = typed.replace(',', '.').toDouble(&isNumber);
    return isNumber && qAbs(number) <= kMostTyped ? std::optional(number) : std::nullopt;
}

} // namespace

LoraRows::LoraRows(ModelShelf& models, QWidget* parent)
    : QWidget(parent)
    , m_models(models)
    , m_column(new QVBoxLayout(this))
    , m_add(makeButton(tr("Add an add-on (LoRA)"), QStringLiteral("add"), "quiet")) {
    tidy(m_column, 0, kGapInside);
    m_column->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_add, &QPushButton::clicked, this, &LoraRows::addUnused);
    connect(&models, &ModelShelf::changed, this, &LoraRows::fill);
    fill();
}

void LoraRows::addUnused() {
    const QString file = firstUnused();
    if (file.isEmpty()) return;
    addRow(file, 1.0);
    if (!m_add->isEnabled()) m_rows.back().choice->setFocus(Qt::OtherFocusReason); // it was the last one
    tellChanged();
}

void LoraRows::letAdd() {
    const bool more = !firstUnused().isEmpty();
    m_add->setEnabled(more);
    // Moments of a training that is in a row already stand in that row's list.
    QStringList files = addOnFiles();
    files.removeIf([this](const QString& file) {
        return std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.file == file; });
    });
    m_add->setToolTip(more              ? QString()
                      : files.isEmpty() ? tr("All add-ons that are here are in use.")
                                        : tr("All add-ons that are here are in use. Another saved moment of "
                                             "one is chosen in its row."));
}

QStringList LoraRows::addOnFiles() const {
    QStringList files;
    for (const ModelEntry& entry : m_models.entries())
        if (entry.kind == ModelEntry::Kind::Lora) files.append(entry.path);
    for (const MomentEntry& moment : m_models.moments())
        if (moment.lora) files.append(moment.path);
    return files;
}

void LoraRows::addRow(const QString& file, double weight) {
    Row row;
    row.whole = new QWidget;
    auto* column = new QVBoxLayout(row.whole);
    tidy(column, 0, kGapInside);
    auto* line = new QHBoxLayout;
    line->setSpacing(kGapLabel);
    column->addLayout(line);
    column->addWidget(row.note = new MutedLabel);
    row.note->setTextFormat(Qt::PlainText); // with the name of a model
    row.note->hide();
    row.file = file;
    row.choice = makeNameList();
    row.choice->setPlaceholderText(tr("Gone: choose another one"));
    row.choice->setMinimumWidth(kLeastName); // that text would leave the slider no room
    row.figure = makeWeight(row, weight);
    auto* remove = makeIconButton(QStringLiteral("close"), tr("Without this add-on"));
    line->addWidget(row.choice, 3);
    line->addWidget(row.weight, 2);
    line->addWidget(row.figure);
    line->addWidget(remove);
    row.remove = remove;
    fillChoice(row);
    connect(row.choice, &QComboBox::currentIndexChanged, this,
            [this, choice = row.choice] { keepChosen(choice); });
    connect(remove, &QToolButton::clicked, this, [this, whole = row.whole] { removeRow(whole); });
    m_column->insertWidget(static_cast<int>(m_rows.size()), row.whole);
    putIntoTabOrder({row.choice, row.weight, row.figure, remove}, *m_add);
    m_rows.push_back(row);
    number();
}

QLineEdit* LoraRows::makeWeight(Row& row, double weight) {
    row.weight = new ExactSlider(kParts);
    row.weight->setRange(-kMost * kParts, kMost * kParts);
    row.weight->setPageStep(kParts / 4);
    row.weight->setMinimumWidth(kLeastSlider);
    row.weight->setExact(weight);
    auto* figure = new QLineEdit;
    figure->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    fitFigure(*figure);
    const auto show = [figure, slider = row.weight] {
        figure->setText(QLocale().toString(slider->exact(), 'f', 2));
    };
    show();
    connect(row.weight, &ExactSlider::exactChanged, this, [this, figure, show](double number) {
        if (weightOf(figure->text()) != number) show(); // else it is being typed
        tellChanged();
    });
    connect(figure, &QLineEdit::textEdited, row.weight, [slider = row.weight](const QString& typed) {
        if (const auto number = weightOf(typed)) slider->setExact(*number);
    });
    connect(figure, &QLineEdit::editingFinished, row.weight, show); // also over what is no number
    return figure;
}

void LoraRows::fitFigure(QLineEdit& figure) {
    const QFontMetrics letters = figure.fontMetrics();
    figure.setFixedWidth(std::max(letters.horizontalAdvance(QLocale().toString(-1.25, 'f', 2)) + kPageMargin,
                                  7 * letters.averageCharWidth()));
}

void LoraRows::removeRow(QWidget* whole) {
    const bool focused = whole->isAncestorOf(QApplication::focusWidget());
    const auto gone =
        std::find_if(m_rows.begin(), m_rows.end(), [whole](const Row& row) { return row.whole == whole; });
    if (gone == m_rows.end()) return;
    const auto next = m_rows.erase(gone);
    letAdd();
    if (focused) (next != m_rows.end() ? next->remove : m_add)->setFocus(Qt::OtherFocusReason);
    retire(whole);
    number();
    tellChanged();
}

void LoraRows::tellChanged() {
    m_wanted.clear();
    tellRows();
    Q_EMIT changed();
}

void LoraRows::tellRows() {
    QStringList files;
    for (const core::LoraReference& lora : loras()) files.append(QString::fromStdString(lora.file));
    Q_EMIT rowsChanged(files);
}

void LoraRows::number() {
    for (size_t i = 0; i < m_rows.size(); ++i) {
        nameChoice(*m_rows[i].choice, tr("Add-on %1").arg(i + 1));
        for (QWidget* part : std::initializer_list<QWidget*>{m_rows[i].weight, m_rows[i].figure})
            part->setAccessibleName(tr("Weight of add-on %1").arg(i + 1));
    }
    letAdd();
}

void LoraRows::fillChoice(Row& row) {
    QComboBox& choice = *row.choice;
    const QSignalBlocker quiet(&choice);
    choice.clear();
    for (const ModelEntry& entry : m_models.entries())
        if (entry.kind == ModelEntry::Kind::Lora) choice.addItem(entry.name, entry.path);
    for (const MomentEntry& moment : m_models.moments())
        if (moment.lora) choice.addItem(moment.name, moment.path);
    // In place of one that is gone no other is taken: the pictures would be of something else.
    choice.setCurrentIndex(choice.findData(row.file));
    dim(row);
}

QString LoraRows::firstUnused() const {
    QStringList unused = addOnFiles();
    // Moments of one training are the same add-on: it would count twice.
    const auto isUsed = [this](const QString& file) {
        const QString run = m_models.runOf(file);
        return std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) {
            return row.file == file || (!run.isEmpty() && m_models.runOf(row.file) == run);
        });
    };
    unused.removeIf(isUsed);
    const auto fits = std::find_if(unused.begin(), unused.end(),
                                   [this](const QString& file) { return mismatchOf(file).isEmpty(); });
    return fits != unused.end() ? *fits : unused.value(0);
}

QString LoraRows::mismatchOf(const QString& file) const {
    for (const QString& model : m_workWith)
        if (m_models.madeForAnother(file, model))
            return tr("Made for another kind of model than %1.").arg(m_models.nameOf(model));
    return {};
}

void LoraRows::dim(const Row& row) const {
    QComboBox& choice = *row.choice;
    const QColor muted = coloursOf(palette()).muted;
    for (int i = 0; i < choice.count(); ++i) {
        const QString reason = mismatchOf(choice.itemData(i).toString());
        choice.setItemData(i, reason.isEmpty() ? QVariant() : QVariant(muted), Qt::ForegroundRole);
        choice.setItemData(i, plainTip(reason), Qt::ToolTipRole);
    }
    const QString reason = mismatchOf(choice.currentData().toString());
    setPlainTip(choice, reason);
    row.note->setText(reason);
    row.note->setVisible(!reason.isEmpty());
}

void LoraRows::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        for (const Row& row : m_rows) fitFigure(*row.figure);
    if (event->type() != QEvent::PaletteChange) return;
    for (const Row& row : m_rows) dim(row);
}

void LoraRows::setModels(const QStringList& models) {
    m_workWith = models;
    for (const Row& row : m_rows) dim(row);
}

void LoraRows::remove(const QString& file) {
    const MomentEntry* moment = m_models.moment(file);
    const QString known = moment != nullptr ? moment->path : file;
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&known](const Row& row) { return row.file == known; });
    if (found != m_rows.end()) removeRow(found->whole);
}

void LoraRows::keepChosen(const QComboBox* choice) {
    for (Row& row : m_rows)
        if (row.choice == choice) {
            row.file = choice->currentData().toString();
            dim(row);
        }
    letAdd();
    tellChanged();
}

void LoraRows::fill() {
    std::erase_if(m_wanted, [this](const core::LoraReference& lora) { return addKnown(lora); });
    bool any = false;
    for (Row& row : m_rows) {
        fillChoice(row);
        any = any || !row.file.isEmpty(); // also one that is gone, which the row says
    }
    for (const ModelEntry& entry : m_models.entries()) any = any || entry.kind == ModelEntry::Kind::Lora;
    for (const MomentEntry& moment : m_models.moments()) any = any || moment.lora;
    letAdd();
    setVisible(any);
    tellRows();
}

std::vector<core::LoraReference> LoraRows::loras() const {
    std::vector<core::LoraReference> loras;
    for (const Row& row : m_rows)
        if (const QString file = row.choice->currentData().toString(); !file.isEmpty())
            loras.push_back({file.toStdString(), row.weight->exact()});
    return loras;
}

void LoraRows::setLoras(const std::vector<core::LoraReference>& loras) {
    while (!m_rows.empty()) {
        retire(m_rows.back().whole);
        m_rows.pop_back();
    }
    letAdd();
    for (const core::LoraReference& lora : loras) addKnown(lora);
    tellChanged();
}

bool LoraRows::addKnown(const core::LoraReference& lora) {
    const QString file = QString::fromStdString(lora.file);
    const MomentEntry* moment = m_models.moment(file);
    if (moment == nullptr && m_models.find(file) == nullptr) return false;
    addRow(moment != nullptr ? moment->path : file, lora.weight);
    return true;
}

void LoraRows::setWanted(const std::vector<core::LoraReference>& loras) {
    m_wanted = loras;
    fill();
}

std::vector<core::LoraReference> LoraRows::wanted() const {
    std::vector<core::LoraReference> all = loras();
    all.insert(all.end(), m_wanted.begin(), m_wanted.end());
    return all;
}

} // namespace homebooth::app
