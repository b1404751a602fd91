// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/expert_form.h"

#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>

namespace homebooth::app {
namespace {

struct Words {
    const char* path;
    QString plain;
    QString real;
    QString effect;
};

/// What decides the course of learning: plain name, the field's real name, what it does to the result.
std::vector<Words> aboutLearning() {
    return {
        {"steps", ExpertForm::tr("Steps"), ExpertForm::tr("optimizer steps"),
         ExpertForm::tr("More steps learn the subject closer, until it only copies the photos.")},
        {"optimizer.learningRate", ExpertForm::tr("Learning speed"), ExpertForm::tr("learning rate"),
         ExpertForm::tr("Higher learns faster and goes astray sooner.")},
        {"optimizer.schedule", ExpertForm::tr("Course of the speed"), ExpertForm::tr("schedule"),
         ExpertForm::tr("Constant, linear or cosine. One that falls ends gently, which keeps details.")},
        {"optimizer.warmupSteps", ExpertForm::tr("Gentle start"), ExpertForm::tr("warm-up steps"),
         ExpertForm::tr("The speed rises over these steps instead of at once.")},
        {"batchSize", ExpertForm::tr("Pictures at a time"), ExpertForm::tr("batch size"),
         ExpertForm::tr("More are steadier and need more memory.")},
        {"optimizer.accumulationSteps", ExpertForm::tr("Batches in a step"),
         ExpertForm::tr("gradient accumulation"),
         ExpertForm::tr("As a larger batch, slower, with little more memory.")},
    };
}

/// What decides which pictures are learned, and from what.
std::vector<Words> aboutData() {
    return {
        {"data.resolutionPixels", ExpertForm::tr("Picture size"), ExpertForm::tr("resolution, px"),
         ExpertForm::tr("Smaller is faster and needs less memory; details are lost.")},
        {"data.framing", ExpertForm::tr("Shapes"), ExpertForm::tr("framing"),
         ExpertForm::tr("Crop or buckets: what sticks out is cut off, or pictures are grouped by shape.")},
        {"data.flip", ExpertForm::tr("Also mirrored"), ExpertForm::tr("flip"),
         ExpertForm::tr("More variety; wrong for faces, text and anything with a left and a right.")},
        {"trainTextEncoder", ExpertForm::tr("Learn words, too"), ExpertForm::tr("train the text encoder"),
         ExpertForm::tr("Follows the trigger word better, needs more memory.")},
    };
}

/// How it is computed.
std::vector<Words> aboutNumbers() {
    return {
        {"precision", ExpertForm::tr("Number format"), ExpertForm::tr("precision"),
         ExpertForm::tr("bf16 halves the memory of the model; fp32 is the most exact.")},
        {"optimizer.kind", ExpertForm::tr("Way of learning"), ExpertForm::tr("optimizer"),
         ExpertForm::tr("AdamW in 8 bit needs a quarter of the optimizer's memory, Adafactor almost none.")},
        {"optimizer.weightDecay", ExpertForm::tr("Forgetting"), ExpertForm::tr("weight decay"),
         ExpertForm::tr("Keeps weights small; rarely worth a change.")},
        {"optimizer.maxGradientNorm", ExpertForm::tr("Limit of a step"), ExpertForm::tr("gradient clipping"),
         ExpertForm::tr("Stops single bad steps from doing harm. 0: none.")},
        {"optimizer.emaDecay", ExpertForm::tr("Average of the past"), ExpertForm::tr("EMA decay"),
         ExpertForm::tr("Smoother results from many steps; needs the weights once more. 0: none.")},
    };
}

/// What the kinds of training bring along, and what is kept.
std::vector<Words> aboutKinds() {
    return {
        {"data.classImageCount", ExpertForm::tr("Example pictures"), ExpertForm::tr("class images"),
         ExpertForm::tr("More keep the class varied, and take longer to make.")},
        {"data.priorLossWeight", ExpertForm::tr("Weight of the examples"),
         ExpertForm::tr("prior loss weight"),
         ExpertForm::tr("Higher keeps others of the kind normal and learns the subject slower.")},
        {"lora.rank", ExpertForm::tr("Room of the add-on"), ExpertForm::tr("LoRA rank"),
         ExpertForm::tr("Higher holds more detail in a larger file.")},
        {"lora.alpha", ExpertForm::tr("Strength of the add-on"), ExpertForm::tr("LoRA alpha"),
         ExpertForm::tr("The learned change counts alpha / rank.")},
        {"loss.minSnrGamma", ExpertForm::tr("Even out noise levels"), ExpertForm::tr("min-SNR gamma"),
         ExpertForm::tr("5 often learns faster; 0: off.")},
        {"loss.noiseOffset", ExpertForm::tr("Darker darks"), ExpertForm::tr("noise offset"),
         ExpertForm::tr("Around 0.05 allows very dark and very bright pictures.")},
        {"output.checkpointEverySteps", ExpertForm::tr("Save every"),
         ExpertForm::tr("steps between checkpoints"),
         ExpertForm::tr("Each saved moment takes room on the disk.")},
        {"output.previewEverySteps", ExpertForm::tr("Preview every"),
         ExpertForm::tr("steps between previews"),
         ExpertForm::tr("Each preview costs the time of a picture. 0: none.")},
        {"output.keepCheckpoints", ExpertForm::tr("Saved moments kept"), ExpertForm::tr("checkpoints"),
         ExpertForm::tr("Older ones are removed; at least two stay.")},
        {"seed", ExpertForm::tr("Seed"), ExpertForm::tr("seed"),
         ExpertForm::tr("The same seed and settings give the same result.")},
    };
}

/// The settings that are offered, in their order.
std::vector<Words> offered() {
    std::vector<Words> all;
    for (const auto& part : {aboutLearning(), aboutData(), aboutNumbers(), aboutKinds()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// What stands for a word of the engine's in a list: a plain word where there is one, else the field's name.
QString choiceText(const QString& word) {
    const std::pair<const char*, QString> plain[] = {
        {"constant", ExpertForm::tr("stays")},          {"linear", ExpertForm::tr("falls evenly")},
        {"cosine", ExpertForm::tr("falls in a curve")}, {"crop", ExpertForm::tr("cut square")},
        {"buckets", ExpertForm::tr("keep shapes")},     {"adamw", QStringLiteral("AdamW")},
        {"adamw8bit", ExpertForm::tr("AdamW, 8 bit")},  {"adafactor", QStringLiteral("Adafactor")}};
    for (const auto& [engines, shown] : plain)
        if (word == QLatin1String(engines)) return shown;
    return word;
}

/// @param whole  also limits that nobody comes near
QString rangeText(const core::ConfigField& field, bool whole = false) {
    const core::FieldRange& range = field.range;
    if (range.least == 0.0 && range.most == 0.0) return {};
    const QLocale words;
    const auto number = [&words](double value) { return words.toString(value, 'g', 6); };
    constexpr double kAnyAmount = 1e6;
    if (range.most >= kAnyAmount && !whole) return ExpertForm::tr("from %1").arg(number(range.least));
    return ExpertForm::tr("%1 to %2").arg(number(range.least), number(range.most));
}

/// What a field takes that did not take what was typed.
QString expectedText(const core::ConfigField& field) {
    const bool whole = !std::holds_alternative<double*>(field.value);
    if (!whole || std::holds_alternative<int64_t*>(field.value) ||
        std::holds_alternative<uint64_t*>(field.value)) {
        QStringList parts{whole ? ExpertForm::tr("a whole number") : ExpertForm::tr("a number")};
        if (const QString range = rangeText(field, true); !range.isEmpty()) parts.append(range);
        if (field.range.multipleOf > 1)
            parts.append(ExpertForm::tr("divisible by %1").arg(field.range.multipleOf));
        return ExpertForm::tr("Possible is %1.").arg(parts.join(QStringLiteral(", ")));
    }
    return ExpertForm::tr("This is not possible here.");
}

} // namespace

ExpertForm::ExpertForm(QWidget* parent)
    : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGapLabel);
    grid->setVerticalSpacing(kGapLabel);
    grid->setColumnStretch(0, 1);
    core::TrainConfig sample;
    std::vector<core::ConfigField> fields = core::configFields(sample);
    for (const Words& words : offered())
        for (const core::ConfigField& field : fields)
            if (field.path == words.path) addRow(field);
}

void ExpertForm::addRow(const core::ConfigField& field) {
    const QString path = QString::fromStdString(field.path);
    Words words;
    for (const Words& one : offered())
        if (field.path == one.path) words = one;
    auto* grid = static_cast<QGridLayout*>(layout());
    const int at = grid->rowCount();
    auto* names = new QWidget;
    auto* column = new QVBoxLayout(names);
    tidy(column, 0, 0);
    auto* plain = new QLabel(words.plain);
    const QString range = rangeText(field);
    auto* real =
        new MutedLabel(range.isEmpty() ? words.real : QStringLiteral("%1, %2").arg(words.real, range));
    auto* problem = new MutedLabel;
    problem->hide();
    column->addWidget(plain);
    column->addWidget(real);
    column->addWidget(problem);
    names->setToolTip(words.effect);
    QWidget* input = makeField(field, path);
    input->setAccessibleName(words.plain);
    input->setAccessibleDescription(words.effect);
    input->setToolTip(words.effect);
    auto* reset = makeIconButton(QStringLiteral("reset"), tr("Default of %1").arg(words.plain));
    connect(reset, &QToolButton::clicked, this, [this, path] {
        m_changes.remove(path);
        for (Row& row : m_rows)
            if (row.path == path) show(row, true);
        Q_EMIT changed();
    });
    QSizePolicy keep = reset->sizePolicy();
    keep.setRetainSizeWhenHidden(true);
    reset->setSizePolicy(keep);
    grid->addWidget(names, at, 0);
    grid->addWidget(input, at, 1);
    grid->addWidget(reset, at, 2);
    m_rows.push_back({path, input, reset, problem, {}});
}

QWidget* ExpertForm::makeField(const core::ConfigField& field, const QString& path) {
    constexpr int kFieldWidth = 132;
    const bool flag = std::holds_alternative<bool*>(field.value);
    if (const auto* choice = std::get_if<core::ChoiceValue>(&field.value); choice != nullptr || flag) {
        auto* combo = new QComboBox;
        combo->setFixedWidth(kFieldWidth);
        combo->setFocusPolicy(Qt::StrongFocus);
        if (flag) {
            combo->addItem(tr("no"), QStringLiteral("false"));
            combo->addItem(tr("yes"), QStringLiteral("true"));
        } else {
            for (const std::string& name : choice->words) {
                const QString word = QString::fromStdString(name);
                combo->addItem(choiceText(word), word);
                combo->setItemData(combo->count() - 1, word, Qt::ToolTipRole); // as run.json has it
            }
        }
        connect(combo, &QComboBox::currentIndexChanged, this,
                [this, combo, path] { take(path, combo->currentData().toString()); });
        return combo;
    }
    auto* line = new QLineEdit;
    line->setFixedWidth(kFieldWidth);
    connect(line, &QLineEdit::editingFinished, this,
            [this, line, path] { take(path, line->text().trimmed()); });
    return line;
}

void ExpertForm::setDefaults(const core::TrainConfig& config) {
    m_defaults = config;
    const std::vector<core::ConfigField> fields = core::configFields(m_defaults);
    for (Row& row : m_rows)
        for (const core::ConfigField& field : fields)
            if (QString::fromStdString(field.path) == row.path)
                row.fallback = QString::fromStdString(core::fieldText(field));
    for (Row& row : m_rows) show(row, false);
}

void ExpertForm::show(Row& row, bool whileTyped) {
    m_filling = true;
    const bool own = m_changes.contains(row.path);
    const QString text = own ? m_changes.value(row.path) : row.fallback;
    if (auto* combo = qobject_cast<QComboBox*>(row.field))
        combo->setCurrentIndex(qMax(0, combo->findData(text)));
    else if (auto* line = static_cast<QLineEdit*>(row.field);
             whileTyped || !(line->hasFocus() && line->isModified()))
        line->setText(text);
    row.reset->setVisible(own);
    m_filling = false;
}

void ExpertForm::take(const QString& path, const QString& text) {
    if (m_filling) return;
    for (Row& row : m_rows) {
        if (row.path != path) continue;
        core::TrainConfig copy = m_defaults;
        std::vector<core::ConfigField> fields = core::configFields(copy);
        QString problem;
        for (core::ConfigField& field : fields) {
            if (QString::fromStdString(field.path) != path) continue;
            const auto set = core::setFieldFromText(field, text.toStdString());
            if (!set || !core::fieldViolation(field).empty()) problem = expectedText(field);
        }
        row.problem->setText(problem);
        row.problem->setVisible(!problem.isEmpty());
        if (!problem.isEmpty()) return;
        if (text == row.fallback)
            m_changes.remove(path);
        else
            m_changes.insert(path, text);
        row.reset->setVisible(m_changes.contains(path));
        if (auto* line = qobject_cast<QLineEdit*>(row.field)) line->setModified(false); // it is taken
    }
    Q_EMIT changed();
}

void ExpertForm::setChange(const QString& path, const QString& text) {
    m_changes.insert(path, text);
    for (Row& row : m_rows)
        if (row.path == path) show(row, true);
    Q_EMIT changed();
}

void ExpertForm::clearChanges() {
    m_changes.clear();
    for (Row& row : m_rows) show(row, true);
    Q_EMIT changed();
}

} // namespace homebooth::app
