// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/model_choice.h"

#include "app/engine/models/model_shelf.h"
#include "app/theme/metrics.h"
#include "app/widgets/choice_name.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>

namespace homebooth::app {

ModelChoice::ModelChoice(ModelShelf& models, QWidget* parent)
    : QWidget(parent)
    , m_models(models)
    , m_model(makeNameList())
    , m_other(makeNameList())
    , m_compare(makeButton(tr("Compare"), QStringLiteral("compare"), "segment"))
    , m_alike(new MutedLabel(tr("Both are the same: each picture would be made twice."))) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapLabel);
    for (QComboBox* box : {m_model, m_other})
        connect(box, &QComboBox::currentIndexChanged, this, &ModelChoice::tellChanged);
    // Whoever chooses the one that is shown has chosen, too: the one that is away does not come back then.
    for (const auto signal : {&QComboBox::currentIndexChanged, &QComboBox::activated})
        connect(m_model, signal, this, &ModelChoice::keepChosen);
    m_compare->setToolTip(tr("Makes each picture with two models or saved moments, with the same seed."));
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    tidy(row, 0, kGapLabel);
    row->addWidget(m_model, 1);
    row->addWidget(m_compare);
    nameChoice(*m_model, tr("Model")); // the label's buddy is the whole line
    column->addWidget(labelled(tr("Model"), line));
    column->addWidget(m_away = new MutedLabel);
    m_away->hide();
    column->addWidget(m_otherPart = labelled(tr("Compare with"), m_other));
    column->addWidget(m_alike);
    for (QWidget* part : {m_otherPart, static_cast<QWidget*>(m_alike)}) part->hide();
    connect(m_compare, &QPushButton::toggled, this, [this](bool on) {
        m_otherPart->setVisible(on);
        if (comparesAlike()) takeAnother();
        tellChanged();
    });
    connect(&models, &ModelShelf::changed, this, &ModelChoice::fill);
    fill();
}

QString ModelChoice::path() const {
    return m_model->currentData().toString();
}

QString ModelChoice::otherPath() const {
    if (!m_compare->isChecked()) return {};
    const QString chosen = m_other->currentData().toString();
    const MomentEntry* moment = m_models.moment(chosen);
    return moment != nullptr && moment->lora ? m_models.baseOf(*moment) : chosen;
}

QString ModelChoice::otherAddOn() const {
    if (!m_compare->isChecked()) return {};
    const MomentEntry* moment = m_models.moment(m_other->currentData().toString());
    return moment != nullptr && moment->lora ? moment->path : QString();
}

bool ModelChoice::comparesAlike() const {
    if (otherPath().isEmpty() || otherPath() != path()) return false;
    const QString addOn = otherAddOn();
    return addOn.isEmpty() ? m_addOns.isEmpty() : m_addOns.contains(addOn);
}

void ModelChoice::takeAnother() {
    if (!m_addOns.isEmpty()) return m_other->setCurrentIndex(m_other->findData(path())); // without them
    m_other->setCurrentIndex(m_model->currentIndex() == 0 ? 1 : 0);
}

void ModelChoice::setAddOns(const QStringList& files) {
    m_addOns = files;
    m_alike->setVisible(comparesAlike());
}

void ModelChoice::tellChanged() {
    m_alike->setVisible(comparesAlike());
    Q_EMIT changed();
}

void ModelChoice::setComparing(bool on) {
    m_compare->setChecked(on);
}

void ModelChoice::choose() {
    m_model->setFocus(Qt::TabFocusReason);
}

void ModelChoice::setPath(const QString& path) {
    const MomentEntry* moment = m_models.moment(path);
    const QString known = moment != nullptr ? moment->path : path;
    if (m_model->findData(known) < 0 && QFileInfo::exists(known + QStringLiteral("/model_index.json"))) {
        m_unknown = known;
        fill();
    }
    const int at = m_model->findData(known);
    if (at < 0) return;
    m_model->setCurrentIndex(at);
    keepChosen();
}

void ModelChoice::keepChosen() {
    if (m_wanted == path()) return;
    m_wanted = path();
    tellAway();
    Q_EMIT chosen(m_wanted);
}

void ModelChoice::tellAway() {
    const bool there = m_wanted.isEmpty() || m_model->findData(m_wanted) >= 0;
    if (there) m_name = m_models.nameOf(m_wanted);
    const ModelEntry* entry = m_models.find(m_wanted);
    const bool known = m_models.settled() && (entry == nullptr || entry->looked); // else it may come yet
    m_away->setVisible(!there && known && m_model->count() > 0);
    if (there) return;
    const QString name = m_name.isEmpty() ? m_models.nameOf(m_wanted) : m_name;
    m_away->setText(tr("\"%1\", which was chosen, is not there. Pictures are made with \"%2\" until you "
                       "choose another model.")
                        .arg(name, m_model->currentText()));
}

void ModelChoice::setWanted(const QString& path) {
    m_wanted = path;
    m_name.clear();
    fill();
}

void ModelChoice::fillOne(QComboBox& box, const QString& keep, int fallback) {
    const QSignalBlocker quiet(&box);
    box.clear();
    for (const ModelEntry& entry : m_models.entries())
        if (entry.isModel() && entry.facts.drawsPictures) box.addItem(entry.name, entry.path);
    for (const MomentEntry& moment : m_models.moments())
        if (!moment.lora) box.addItem(moment.name, moment.path);
    if (!m_unknown.isEmpty() && box.findData(m_unknown) < 0) {
        const QString run = QFileInfo(QFileInfo(m_unknown).path()).fileName();
        box.addItem(tr("Base of %1").arg(run), m_unknown);
    }
    if (&box == m_other) addMomentsOfAddOns(box);
    const int at = box.findData(keep);
    box.setCurrentIndex(at >= 0 ? at : qMin(fallback, box.count() - 1));
}

void ModelChoice::addMomentsOfAddOns(QComboBox& box) const {
    for (const MomentEntry& moment : m_models.moments())
        if (const QString base = m_models.baseOf(moment); moment.lora && m_models.knows(base))
            box.addItem(tr("%1 + %2", "a model and its add-on").arg(m_models.nameOf(base), moment.name),
                        moment.path);
}

void ModelChoice::fill() {
    fillOne(*m_model, m_wanted.isEmpty() ? path() : m_wanted, 0);
    fillOne(*m_other, m_other->currentData().toString(), 1);
    m_compare->setVisible(m_other->count() > 1);
    if (m_other->count() <= 1) m_compare->setChecked(false);
    tellAway();
    tellChanged();
}

} // namespace homebooth::app
