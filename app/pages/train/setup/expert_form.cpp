// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/setup/expert_form.h"

#include "app/engine/runs/run_cards.h"
#include "app/engine/runs/training_recipe.h"
#include "app/library/search.h"
#include "app/pages/train/setup/gpu_choice.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/choice_name.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/parts.h"
#include "app/widgets/spoken.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QGridLayout>
#include <QHideEvent>
#include <QLineEdit>

#include <algorithm>

namespace homebooth::app {

ExpertForm::ExpertForm(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout)
    , m_search(new QLineEdit)
    , m_nothing(new MutedLabel(tr("No setting has this name.")))
    , m_spoken(new SpokenStatus(this)) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapBlock);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search expert settings"));
    m_search->setClearButtonEnabled(true);
    column->addWidget(m_search);
    column->addWidget(m_nothing);
    m_nothing->hide();
    column->addLayout(m_grid);
    m_grid->setHorizontalSpacing(kGapLabel);
    m_grid->setVerticalSpacing(kGapLabel);
    m_grid->setColumnStretch(0, 1);
    std::vector<core::ConfigField> fields = core::configFields(m_defaults);
    for (const SettingWords& words : offeredSettings()) {
        const bool cards = words.path == std::string_view(kCardsPath);
        if (cards) addCards(words);
        for (const core::ConfigField& field : fields)
            if (field.path == words.path && !cards) addRow(field, words);
    }
    connect(m_search, &QLineEdit::textChanged, this, &ExpertForm::filter);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        for (const Row& row : m_rows) showProblem(row); // signs have a colour of their own
    });
}

ExpertForm::~ExpertForm() {
    for (const Row& row : m_rows) row.field->disconnect(this); // it loses the focus after the rows are gone
}

QWidget* ExpertForm::makeNames(const SettingWords& words, Row& row) {
    auto* names = new QWidget;
    auto* column = new QVBoxLayout(names);
    tidy(column, 0, 0);
    auto* plain = new QLabel(words.plain);
    plain->setWordWrap(true);
    row.note = new MutedLabel(row.real);
    row.problem = makeLabel({});
    row.problem->setWordWrap(true);
    letCopy(row.problem);
    row.problem->setContentsMargins(0, kGapInside, 0, kGapInside);
    row.sign = new QLabel;
    row.sign->setContentsMargins(0, kGapInside, 0, 0);
    for (QLabel* label : {plain, row.note}) column->addWidget(label);
    auto* problem = new QHBoxLayout;
    tidy(problem, 0, kGapLabel);
    problem->addWidget(row.sign, 0, Qt::AlignTop);
    problem->addWidget(row.problem, 1);
    column->addLayout(problem);
    for (QLabel* label : {row.sign, row.problem}) label->hide();
    row.remedy = makeButton(words.plain); // its name until there is a remedy
    row.remedy->hide();
    column->addWidget(row.remedy, 0, Qt::AlignLeft);
    names->setToolTip(words.effect);
    return names;
}

void ExpertForm::addRow(const core::ConfigField& field, const SettingWords& words) {
    const QString range = choicesOf(field).empty() ? rangeText(onThisMachine(field)) : QString();
    const QString path = QString::fromStdString(field.path);
    addRow(words, range, makeField(field, path), isLongText(path));
    if (field.folder) addChooser(m_rows.back());
}

void ExpertForm::addChooser(Row& row) {
    const QString name = row.field->accessibleName();
    auto* button = makeButton(tr("Choose folder..."), QStringLiteral("folder"));
    button->setAccessibleName(tr("Choose a folder: %1").arg(name));
    button->setToolTip(row.field->toolTip());
    connect(button, &QPushButton::clicked, this, [this, name, path = row.path] {
        askForFile(this, {name, QFileDialog::Directory, {}, m_changes.value(path)},
                   [this, path](const QString& folder) { take(path, folder); });
    });
    row.chooser = button;
    m_grid->addWidget(button, m_grid->rowCount() - 2, 1, Qt::AlignTop | Qt::AlignLeft);
    setTabOrder(row.field, button);
}

void ExpertForm::addCards(const SettingWords& words) {
    m_cards = new GpuChoice;
    connect(m_cards, &GpuChoice::changed, this, &ExpertForm::takeCards);
    addRow(words, {}, m_cards, /*wide=*/true);
    m_rows.back().note->setTextFormat(Qt::PlainText); // an error's text is no markup
}

void ExpertForm::addRow(const SettingWords& words, const QString& range, QWidget* field, bool wide) {
    const QString path = QString::fromLatin1(words.path);
    Row row;
    row.path = path;
    row.real = range.isEmpty() ? words.real : QStringLiteral("%1, %2").arg(words.real, range);
    row.words = QStringList{words.plain, words.real, words.effect, path, otherWords(path)}.join(' ');
    row.names = makeNames(words, row);
    row.field = field;
    row.field->setAccessibleName(words.plain);
    if (auto* choice = qobject_cast<QComboBox*>(field)) nameChoice(*choice, words.plain);
    row.field->setAccessibleDescription(words.effect);
    row.field->setToolTip(words.effect);
    auto* reset = makeIconButton(QStringLiteral("reset"), tr("Default of %1").arg(words.plain));
    connect(reset, &QToolButton::clicked, this, [this, path] {
        const Row& dropped = rowOf(path); // its button goes grey, and Qt would lead to the next field
        if (dropped.reset->hasFocus()) dropped.field->setFocus(Qt::OtherFocusReason);
        drop(path);
    });
    row.reset = reset;
    connect(row.remedy, &QPushButton::clicked, this, [this, path] { mend(path); });
    const int at = m_grid->rowCount();
    m_grid->addWidget(row.names, at, 0);
    if (wide)
        m_grid->addWidget(row.field, at + 1, 0, 1, 2);
    else
        m_grid->addWidget(row.field, at, 1, Qt::AlignTop);
    m_grid->addWidget(row.reset, at, 2, Qt::AlignTop);
    setTabOrder(row.reset, row.remedy); // it stands below the field
    m_rows.push_back(row);
}

QWidget* ExpertForm::makeField(const core::ConfigField& field, const QString& path) {
    constexpr int kFieldWidth = 132;
    if (const QStringList words = choicesOf(field); !words.isEmpty()) {
        auto* combo = new QComboBox;
        combo->setMinimumWidth(kFieldWidth); // long words take more
        for (const QString& word : words) {
            combo->addItem(shownValue(field, word), word);
            combo->setItemData(combo->count() - 1, choiceTerm(field, word), Qt::ToolTipRole);
        }
        connect(combo, &QComboBox::currentIndexChanged, this,
                [this, combo, path] { take(path, combo->currentData().toString()); });
        return combo;
    }
    auto* line = new QLineEdit;
    if (!isLongText(path)) line->setFixedWidth(kFieldWidth);
    // A refusal goes as soon as its cause does; nothing is refused in the midst of typing.
    connect(line, &QLineEdit::textEdited, this, [this, path](const QString& text) {
        Row& row = rowOf(path);
        if (row.refusal.isEmpty()) return;
        const QString offered = row.instead.label;
        // What is typed may be what was there already; what is offered is also told elsewhere.
        if (judge(row, text) || row.instead.label != offered) Q_EMIT changed();
    });
    connect(line, &QLineEdit::editingFinished, this, [this, line, path] { take(path, line->text()); });
    return line;
}

ExpertForm::Row& ExpertForm::rowOf(const QString& path) {
    return *std::find_if(m_rows.begin(), m_rows.end(), [&path](const Row& row) { return row.path == path; });
}

core::ConfigField ExpertForm::fieldOf(const QString& path, core::TrainConfig& config) {
    std::vector<core::ConfigField> fields = core::configFields(config);
    return onThisMachine(*std::find_if(fields.begin(), fields.end(), [&path](const core::ConfigField& field) {
        return field.path == path.toStdString();
    }));
}

void ExpertForm::setGpusUnknown(const QString& problem) {
    m_gpusKnown = false;
    m_gpusProblem = problem;
}

void ExpertForm::offerProcesses(bool offered) {
    m_gpusKnown = true;
    m_offersProcesses = offered;
}

bool ExpertForm::offerCards(const std::vector<GpuCard>& cards) {
    m_gpusKnown = true;
    const QString path = QString::fromLatin1(kCardsPath);
    if (!m_cards->setCards(cards)) return false;
    m_cardCount = std::ssize(cards);
    putIntoTabOrder(m_cards->boxes(), *rowOf(path).reset);
    m_cards->choose(cardsOfText(m_changes.value(path)));
    const QStringList chosen = m_cards->chosen(); // of what was chosen before some may be gone
    if (chosen.isEmpty())
        m_changes.remove(path);
    else
        m_changes.insert(path, chosen.join(','));
    return true;
}

bool ExpertForm::mayHave(const QString& path) const {
    const QString processes = QStringLiteral("parallel.processes");
    const bool cards = m_changes.contains(QString::fromLatin1(kCardsPath));
    if (path == QLatin1String(kCardsPath)) return cards || !m_gpusProblem.isEmpty(); // which it tells
    if (path == processes) return m_changes.contains(path) && !cards;
    return cards || m_changes.contains(processes);
}

bool ExpertForm::offers(const QString& path) const {
    if (!m_gpusKnown && path.startsWith(QLatin1String("parallel."))) return mayHave(path);
    const bool cards = m_cardCount > 1;
    if (path == QLatin1String(kCardsPath)) return cards;
    if (path == QLatin1String("parallel.processes")) return m_offersProcesses && !cards;
    return m_offersProcesses || cards || !path.startsWith(QLatin1String("parallel."));
}

core::TrainConfig ExpertForm::chosenConfig() const {
    core::TrainConfig chosen = m_defaults;
    for (auto change = m_changes.begin(); change != m_changes.end(); ++change) {
        // A prompt alone asks for no examples.
        if (change.key() == QLatin1String(kClassPromptPath) && m_defaults.data.classPrompt.empty()) continue;
        if (!offers(change.key()) || !whyFixed(change.key(), m_family).isEmpty()) continue;
        if (change.key() == QLatin1String(kCardsPath)) {
            chosen.parallel.processes = cardsOfText(change.value()).size();
            continue;
        }
        core::ConfigField field = fieldOf(change.key(), chosen);
        static_cast<void>(core::setFieldFromText(field, change.value().toStdString())); // was judged
    }
    return chosen;
}

void ExpertForm::describe(Row& row) {
    row.fixed = whyFixed(row.path, m_family);
    row.field->setEnabled(row.fixed.isEmpty());
    const core::ConfigField field = fieldOf(row.path, m_defaults);
    row.fallback = QString::fromStdString(core::fieldText(field));
    const bool isLong = isLongText(row.path); // what it is by default stands in the field
    if (isLong) static_cast<QLineEdit*>(row.field)->setPlaceholderText(placeholderOf(row.path, m_defaults));
    if (row.path == QLatin1String(kClassPromptPath)) row.fallback.clear(); // which stands for it
    row.note->setText(!row.fixed.isEmpty() ? row.fixed
                      : row.fallback.isEmpty() || isLong
                          ? row.real
                          : tr("%1, default %2").arg(row.real, shownValue(field, row.fallback)));
}

QString ExpertForm::cardsNote(const Row& row) const {
    if (m_gpusKnown) return tr("%1, 1 to %2, default 1").arg(row.real).arg(m_cardCount);
    const qsizetype chosen = cardsOfText(m_changes.value(row.path)).size();
    const QString what =
        chosen > 0 ? tr("%1, chosen earlier: %2").arg(row.real, QString::number(chosen)) : row.real;
    if (m_gpusProblem.isEmpty()) return what + '\n' + tr("Which ones there are is not known yet.");
    return what + '\n' +
           tr("Which ones there are could not be found out, and is asked again. %1").arg(m_gpusProblem);
}

void ExpertForm::setDefaults(const core::TrainConfig& config, core::PredictionType prediction,
                             core::ModelFamily family) {
    m_defaults = config;
    m_family = family;
    const core::TrainConfig chosen = chosenConfig();
    if (m_defaults.data.startSteps == 0) m_defaults.data.startSteps = usualStartSteps(chosen);
    for (Row& row : m_rows) {
        row.applies = offers(row.path) && settingApplies(row.path, chosen, prediction);
        if (row.field == m_cards) {
            row.note->setText(cardsNote(row));
            show(row, false);
            continue;
        }
        describe(row);
        show(row, false);
    }
    filter();
}

QMap<QString, QString> ExpertForm::changes() const {
    QMap<QString, QString> counted;
    for (const Row& row : m_rows)
        if (row.applies && row.fixed.isEmpty() && m_changes.contains(row.path))
            counted.insert(row.path, m_changes.value(row.path));
    return counted;
}

bool ExpertForm::refuses() const {
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [](const Row& row) { return row.applies && !row.refusal.isEmpty(); });
}

std::optional<SettingClash> ExpertForm::refusal() const {
    for (const Row& row : m_rows)
        if (row.applies && !row.refusal.isEmpty())
            return SettingClash{row.path, row.field->accessibleName() + QStringLiteral(": ") + row.refusal,
                                row.instead};
    return std::nullopt;
}

void ExpertForm::mend(const QString& path) {
    const Row& row = rowOf(path);
    const QMap<QString, QString> values = (row.refusal.isEmpty() ? row.mended : row.instead).expert;
    for (auto one = values.cbegin(); one != values.cend(); ++one) take(one.key(), one.value());
}

void ExpertForm::show(Row& row, bool whileTyped) {
    const bool own = row.fixed.isEmpty() && m_changes.contains(row.path);
    const QString text = own ? m_changes.value(row.path) : row.fallback;
    m_filling = true;
    if (row.field == m_cards) {
        m_cards->choose(cardsOfText(text));
    } else if (auto* combo = qobject_cast<QComboBox*>(row.field)) {
        combo->setCurrentIndex(qMax(0, combo->findData(text)));
    } else if (auto* line = static_cast<QLineEdit*>(row.field);
               whileTyped || (row.refusal.isEmpty() && !(line->hasFocus() && line->isModified()))) {
        line->setText(shownValue(fieldOf(row.path, m_defaults), text));
        row.refusal.clear();
    }
    showProblem(row);
    row.reset->setEnabled(own || !row.refusal.isEmpty());
    m_filling = false;
}

bool ExpertForm::judge(Row& row, const QString& text) {
    core::TrainConfig copy = m_defaults;
    core::ConfigField field = fieldOf(row.path, copy);
    const bool fine = engineValue(field, text).has_value();
    row.refusal = fine ? QString() : expectedText(field);
    row.instead = {};
    const QString value = fine ? QString() : nearestValue(field, text).value_or(row.fallback);
    if (!value.isEmpty()) row.instead = {tr("Use %1").arg(shownValue(field, value)), {}, {{row.path, value}}};
    showProblem(row);
    row.reset->setEnabled(!fine || m_changes.contains(row.path));
    return fine;
}

void ExpertForm::showProblem(const Row& row) {
    const bool refused = !row.refusal.isEmpty();
    const QString& problem = refused ? row.refusal : row.clash;
    const QString& remedy = refused ? row.instead.label : row.mended.label;
    row.problem->setText(problem);
    const QString effect = row.field->toolTip();
    row.field->setAccessibleDescription(problem.isEmpty() ? effect : problem + ' ' + effect);
    for (QLabel* part : {row.sign, row.problem}) part->setVisible(!problem.isEmpty());
    if (!problem.isEmpty())
        row.sign->setPixmap(
            iconPixmap(QStringLiteral("error"), colours().error, kIconSize, row.sign->devicePixelRatioF()));
    if (!remedy.isEmpty()) row.remedy->setText(remedy);
    row.remedy->setVisible(!problem.isEmpty() && !remedy.isEmpty());
}

void ExpertForm::showClashes(const std::vector<SettingClash>& clashes) {
    for (Row& row : m_rows) {
        const auto found = std::find_if(clashes.begin(), clashes.end(),
                                        [&row](const SettingClash& one) { return one.path == row.path; });
        const SettingClash clash = found == clashes.end() ? SettingClash{} : *found;
        row.clash = clash.reason;
        row.mended = clash.remedy;
        showProblem(row);
    }
}

void ExpertForm::take(const QString& path, const QString& text) {
    if (m_filling) return;
    Row& row = rowOf(path);
    const bool before = refuses();
    const QString offered = row.instead.label;
    if (!judge(row, text)) {
        m_spoken->say(row.field->accessibleName() + QStringLiteral(": ") + row.refusal); // the focus went on
        if (!before || row.instead.label != offered) Q_EMIT changed();
        return;
    }
    core::TrainConfig copy = m_defaults;
    core::ConfigField field = fieldOf(path, copy);
    const QString usual = QString::fromStdString(core::fieldText(field));
    const QString value = *engineValue(field, text);
    const bool news = value != (m_changes.contains(path) ? m_changes.value(path) : row.fallback);
    const QString taken = QString::fromStdString(core::fieldText(field));
    if (taken == row.fallback || taken == usual)
        m_changes.remove(path);
    else
        m_changes.insert(path, value);
    if (auto* line = qobject_cast<QLineEdit*>(row.field)) line->setModified(false); // it is taken
    show(row, true);
    if (news || before) Q_EMIT changed();
}

void ExpertForm::takeCards() {
    const QString path = QString::fromLatin1(kCardsPath);
    const QStringList chosen = m_cards->chosen();
    if (chosen.isEmpty())
        m_changes.remove(path);
    else
        m_changes.insert(path, chosen.join(','));
    show(rowOf(path), true);
    Q_EMIT changed();
}

void ExpertForm::drop(const QString& path) {
    m_changes.remove(path);
    show(rowOf(path), true);
    Q_EMIT changed();
}

bool ExpertForm::shows(const QString& path) const {
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [&path](const Row& row) { return row.path == path && row.field->isVisible(); });
}

void ExpertForm::setChange(const QString& path, const QString& text) {
    if (text.isEmpty() && rowOf(path).fallback.isEmpty()) return drop(path);
    m_changes.insert(path, text);
    show(rowOf(path), true);
    Q_EMIT changed();
}

void ExpertForm::restoreChanges(const QMap<QString, QString>& changes) {
    m_changes.clear();
    for (Row& row : m_rows) {
        core::TrainConfig copy = m_defaults;
        core::ConfigField field = fieldOf(row.path, copy);
        const auto change = changes.constFind(row.path);
        if (change != changes.cend() && core::setFieldFromText(field, change->toStdString()) &&
            core::fieldViolation(field).empty())
            m_changes.insert(row.path, *change);
        show(row, true);
    }
    Q_EMIT changed();
}

void ExpertForm::clearChanges() {
    m_changes.clear();
    for (Row& row : m_rows) show(row, true);
    Q_EMIT changed();
}

void ExpertForm::finishTyping() {
    for (const Row& row : m_rows)
        if (auto* line = qobject_cast<QLineEdit*>(row.field); line != nullptr && line->isModified())
            take(row.path, line->text());
}

void ExpertForm::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    // Whoever comes back looks for nothing any more; a window that is minimised comes back as it was.
    if (!event->spontaneous()) m_search->clear();
}

void ExpertForm::filter() {
    const std::vector<std::string> wanted = core::searchWords(m_search->text().toStdString());
    bool any = false;
    for (const Row& row : m_rows) {
        const bool seen = row.applies && holdsWords(row.words, wanted);
        for (QWidget* part : {row.names, row.field, row.reset}) part->setVisible(seen);
        if (row.chooser != nullptr) row.chooser->setVisible(seen);
        any = any || seen;
    }
    m_nothing->setVisible(!any);
}

} // namespace homebooth::app
