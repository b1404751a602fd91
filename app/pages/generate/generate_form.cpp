// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/generate_form.h"

#include "app/engine/pictures/enlarging.h"
#include "app/engine/pictures/picture_device.h"
#include "app/library/subject_book.h"
#include "app/pages/generate/lora_rows.h"
#include "app/pages/generate/model_choice.h"
#include "app/pages/generate/prompt/embedding_words.h"
#include "app/pages/generate/prompt/prompt_length.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/settings/settings.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/card_line.h"
#include "app/widgets/count_box.h"
#include "app/widgets/exact_slider.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/parts.h"
#include "core/base/config/step_spacing.h"
#include "core/base/text/generation_parameters.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRandomGenerator>
#include <QRegularExpression>

#include <cmath>
#include <functional>

namespace homebooth::app {
namespace {

constexpr core::SamplerKind kSamplers[] = {
    core::SamplerKind::DpmPlusPlus2M, core::SamplerKind::Euler, core::SamplerKind::EulerAncestral,
    core::SamplerKind::Ddim,          core::SamplerKind::UniPc, core::SamplerKind::DpmPlusPlus2MSde,
    core::SamplerKind::Pndm,          core::SamplerKind::Ddpm,  core::SamplerKind::Lcm};

/// With a digit more where it is finer than the slider.
QString figureText(double number, int digits) {
    const double parts = number * std::pow(10, digits);
    return QLocale().toString(number, 'f', qAbs(parts - qRound64(parts)) < 1e-6 ? digits : digits + 1);
}

/// A slider with its value in words beside it, for which there is room at once.
/// @param parts  steps of the slider that are one
QWidget* withFigure(ExactSlider* slider, int parts, const std::function<QString(double)>& words) {
    auto* figure = new QLabel(words(slider->exact()));
    figure->setMinimumWidth(
        figure->fontMetrics().horizontalAdvance(words(double(slider->maximum()) / parts)));
    auto* part = new QWidget;
    auto* row = new QHBoxLayout(part);
    tidy(row, 0, kGapLabel);
    row->addWidget(slider, 1);
    row->addWidget(figure);
    QObject::connect(slider, &ExactSlider::exactChanged, figure,
                     [figure, words](double number) { figure->setText(words(number)); });
    return part;
}

} // namespace

QString todaysPictures(const Settings& settings) {
    return settings.picturesFolder() + '/' + QDate::currentDate().toString(Qt::ISODate);
}

GenerateForm::GenerateForm(Services services, const WordLists* lists, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_model(new ModelChoice(services.models))
    , m_loras(new LoraRows(services.models))
    , m_prompt(new QPlainTextEdit)
    , m_length(new PromptLength(this))
    , m_filled(new MutedLabel)
    , m_lists(lists)
    , m_subject(new QComboBox)
    , m_negative(new QLineEdit)
    , m_words(new EmbeddingWords(services.models)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, kGapLabel, kPageMargin);
    column->setSpacing(kGapBlock);
    column->addWidget(new CardLine(services.settings, services.gpus));
    column->addWidget(m_model);
    column->addWidget(m_loras);
    column->addWidget(makeWords());
    column->addWidget(makeNumbers());
    addFewSteps(*column);
    m_fold = makeButton(tr("Expert settings"), QStringLiteral("chevron-right"), "quiet");
    column->addWidget(m_fold, 0, Qt::AlignLeft);
    column->addWidget(m_expert = makeExpert());
    m_expert->hide();
    column->addStretch();
    connect(m_fold, &QPushButton::clicked, this, &GenerateForm::toggleExpert);
    connectModel();
    connectSubjects();
    if (services.settings.value(keys::kGenerateExpert).toBool()) toggleExpert();
    fillSubjects();
    takeModel();
    nextSeed();
    connectFilled();
    restoreState();
    connectState();
}

void GenerateForm::connectSubjects() {
    for (const auto signal : {&SubjectBook::inserted, &SubjectBook::removed, &SubjectBook::changed})
        connect(&m_services.subjects, signal, this, &GenerateForm::fillSubjects);
    connect(&m_services.subjects, &SubjectBook::loadedAll, this, &GenerateForm::fillSubjects);
}

void GenerateForm::chooseModel() {
    m_model->choose();
}

void GenerateForm::dropLora(const QString& file) {
    m_loras->remove(file);
}

void GenerateForm::fillSubjects() {
    const QSignalBlocker quiet(m_subject);
    const QVariant last = m_subject->count() > 0 ? m_subject->currentData()
                                                 : m_services.settings.value(keys::kSubject).toLongLong();
    m_subject->clear();
    for (const core::Subject& subject : m_services.subjects.subjects())
        m_subject->addItem(QString::fromStdString(subject.name), QVariant::fromValue<qlonglong>(subject.id));
    m_subject->setCurrentIndex(qMax(0, m_subject->findData(last)));
    m_subjectPart->setVisible(m_subject->count() > 0 && prompt().contains(QLatin1String("{subject}")));
}

void GenerateForm::setSubject(qlonglong subject) {
    if (const int at = m_subject->findData(subject); at >= 0) m_subject->setCurrentIndex(at);
}

QString GenerateForm::subjectWords() const {
    const core::Subject* subject = m_services.subjects.find(m_subject->currentData().toLongLong());
    return subject == nullptr ? QString()
                              : subjectSentence(*subject).section(QStringLiteral("a photo of "), 1);
}

QWidget* GenerateForm::makeNumbers() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapBlock);
    auto* first = new QHBoxLayout;
    first->setSpacing(kGapBlock);
    first->addWidget(labelled(tr("Count"), makeCount()), 1);
    first->addWidget(labelled(tr("Size"), makeSize()), 2);
    column->addLayout(first);
    for (QLabel* note : {m_countNote, m_sizeNote}) {
        note->setTextFormat(Qt::PlainText); // it repeats what was typed
        note->hide();
        column->addWidget(note);
    }
    column->addWidget(makeGuidance());
    column->addWidget(makeSeed());
    column->addWidget(makeStart());
    return part;
}

QWidget* GenerateForm::makeCount() {
    constexpr int kMost = 64;
    m_count = new CountBox;
    m_count->setRange(1, kMost);
    m_count->setValue(m_services.settings.number(keys::kPictureCount));
    m_countNote = new MutedLabel;
    connect(m_count, &CountBox::tooMany, this, [this](const QString& typed) {
        m_countNote->setText(tr("%1 are too many: at most %2 at once.").arg(typed).arg(kMost));
        m_countNote->show();
    });
    connect(m_count, &QSpinBox::valueChanged, m_countNote,
            [this](int count) { m_countNote->setVisible(!m_countNote->isHidden() && count == kMost); });
    connect(m_count, &QSpinBox::valueChanged, this, &GenerateForm::changed);
    connect(&m_services.settings, &Settings::changed, this, [this](const QByteArray& key) {
        if (key == keys::kPictureCount) m_count->setValue(m_services.settings.number(keys::kPictureCount));
    });
    return m_count;
}

QWidget* GenerateForm::makeGuidance() {
    constexpr int kParts = 10;
    m_guidance = new ExactSlider(kParts);
    m_guidance->setRange(kParts, 20 * kParts);
    m_guidance->setExact(3.0);
    m_guidance->setAccessibleName(tr("Follow the prompt"));
    return labelled(tr("Follow the prompt"),
                    withFigure(m_guidance, kParts, [](double number) { return figureText(number, 1); }),
                    tr("Guidance scale (CFG): low is free and varied, high is strict and can look burnt."));
}

QWidget* GenerateForm::makeSeed() {
    m_seed = new QLineEdit;
    m_seed->setToolTip(tr("The same seed and settings give the same picture."));
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setPlaceholderText(tr("random"));
    m_lock = makeButton(tr("Keep"), QStringLiteral("lock"), "segment");
    m_lock->setToolTip(tr("Keeps the seed for the next pictures."));
    auto* seed = new QWidget;
    auto* row = new QHBoxLayout(seed);
    tidy(row, 0, kGapLabel);
    row->addWidget(m_seed, 1);
    row->addWidget(m_lock);
    connect(m_seed, &QLineEdit::textEdited, this, &GenerateForm::takeTypedSeed);
    connect(m_seed, &QLineEdit::editingFinished, this, &GenerateForm::drawMissingSeed);
    return labelled(tr("Seed"), seed);
}

QWidget* GenerateForm::makeStart() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapBlock);
    m_start = makeButton(tr("Choose or drop a picture"), QStringLiteral("image"));
    m_dropStart = makeButton({}, QStringLiteral("close"), "quiet");
    m_dropStart->setAccessibleName(tr("Start from nothing again"));
    m_dropStart->hide();
    auto* start = new QWidget;
    auto* startRow = new QHBoxLayout(start);
    tidy(startRow, 0, kGapInside);
    startRow->addWidget(m_start, 1);
    startRow->addWidget(m_dropStart);
    column->addWidget(labelled(tr("Start from"), start));
    constexpr int kParts = 100;
    m_strength = new ExactSlider(kParts);
    m_strength->setRange(1, kParts);
    m_strength->setExact(0.75);
    m_strength->setAccessibleName(tr("How much may change"));
    m_strengthRow =
        labelled(tr("How much may change"),
                 withFigure(m_strength, kParts,
                            [](double strength) { return tr("%1 %").arg(figureText(strength * 100, 0)); }),
                 tr("Strength of img2img."));
    m_strengthRow->hide();
    column->addWidget(m_strengthRow);
    m_start->setAcceptDrops(true); // of the window's own pictures: all others go to its zones
    m_start->installEventFilter(this);
    connect(m_start, &QPushButton::clicked, this, [this] {
        askForFile(this, {tr("Start from a picture"), QFileDialog::ExistingFile, photoFilter()},
                   [this](const QString& path) { setStart(path); });
    });
    connect(m_dropStart, &QPushButton::clicked, this, [this] { setStart({}); });
    return part;
}

QWidget* GenerateForm::makeExpert() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapBlock);
    m_sampler = new QComboBox;
    for (const core::SamplerKind kind : kSamplers)
        m_sampler->addItem(QString::fromUtf8(core::samplerDisplayName(kind)), static_cast<int>(kind));
    m_steps = new CountBox;
    m_steps->setRange(1, 1000);
    m_steps->setValue(20);
    m_clipSkip = new CountBox;
    column->addWidget(labelled(tr("Method"), m_sampler, tr("The sampler: how noise becomes a picture.")));
    m_karras = new QCheckBox(tr("Karras spacing"));
    m_karras->setToolTip(
        tr("Steps lie closer together towards the end, as many programs have it with DPM++."));
    m_trailing = new QCheckBox(tr("Trailing spacing"));
    m_trailing->setToolTip(
        tr("Steps are counted from the noisiest one, as models that were made for few steps "
           "need it (Turbo, Lightning, Hyper, DMD2)."));
    const auto showSpacing = [this] {
        m_karras->setVisible(core::hasKarrasSpacing(sampler()));
        m_trailing->setVisible(core::takesSpacing(sampler(), takesKarras()));
    };
    connect(m_sampler, &QComboBox::currentIndexChanged, this, showSpacing);
    connect(m_karras, &QCheckBox::toggled, this, showSpacing);
    column->addWidget(m_karras);
    column->addWidget(m_trailing);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapBlock);
    row->addWidget(labelled(tr("Refinement"), m_steps,
                            tr("Steps: more are finer and take longer; above 30 little changes.")));
    row->addWidget(labelled(tr("Clip skip"), m_clipSkip));
    column->addLayout(row);
    return part;
}

void GenerateForm::addFewSteps(QBoxLayout& column) {
    m_fewSteps = new MutedLabel;
    m_fewSteps->setText(tr("So few steps are for models that were made for them (Turbo, Lightning, Hyper, "
                           "DMD2). Those need trailing spacing."));
    m_takeTrailing = makeButton(tr("Take trailing spacing"), QStringLiteral("ok"), "quiet");
    column.addWidget(m_fewSteps);
    column.addWidget(m_takeTrailing, 0, Qt::AlignLeft);
    connect(m_takeTrailing, &QPushButton::clicked, this, [this] { m_trailing->setChecked(true); });
}

bool GenerateForm::takesKarras() const {
    return !m_karras->isHidden() && m_karras->isChecked();
}

core::SamplerKind GenerateForm::sampler() const {
    return static_cast<core::SamplerKind>(m_sampler->currentData().toInt());
}

void GenerateForm::toggleExpert() {
    const bool open = m_expert->isHidden();
    m_expert->setVisible(open);
    m_services.settings.set(keys::kGenerateExpert, open);
    m_fold->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
}

core::SampleConfig GenerateForm::config() const {
    core::SampleConfig config;
    config.model = m_model->path().toStdString();
    config.loras = m_loras->loras();
    config.prompt = prompt().toStdString();
    config.negativePrompt = negative().toStdString();
    config.steps = m_steps->value();
    config.sampler = sampler();
    config.karrasSigmas = takesKarras();
    if (!m_trailing->isHidden() && m_trailing->isChecked()) config.stepSpacing = core::StepSpacing::Trailing;
    config.guidanceScale = m_guidance->exact();
    config.seed = m_seed->text().toULongLong();
    config.count = m_count->value();
    const QSize size = m_size->currentData().toSize();
    config.widthPixels = size.width();
    config.heightPixels = size.height();
    config.clipSkip = m_clipSkip->value();
    config.initImage = m_startPath.toStdString();
    config.strength = m_strength->exact();
    config.previewEverySteps =
        m_services.settings.flag(keys::kShowDenoising) ? qMax(1, m_steps->value() / 6) : 0;
    placePictures(config, m_services.settings, m_pixels);
    config.outputDir = todaysPictures(m_services.settings).toStdString();
    return config;
}

void GenerateForm::setConfig(const core::SampleConfig& config) {
    m_restored.reset();
    if (!config.model.empty()) m_model->setPath(QString::fromStdString(config.model));
    m_loras->setLoras(config.loras);
    setPrompt(QString::fromStdString(config.prompt), QString::fromStdString(config.negativePrompt));
    takeNumbers(config);
    takeStrength(config.strength);
    setStart(QString::fromStdString(config.initImage));
    m_seed->setText(QString::number(config.seed)); // for the next pictures; who wants it for all locks it
}

void GenerateForm::enlarge(const QString& picture, QSize size) {
    setConfig(enlarging(config(), picture.toStdString(), size, m_pixels));
    setCount(1);
}

void GenerateForm::setModelAlone(const QString& path) {
    m_model->setPath(path);
}

void GenerateForm::setModel(const QString& path, const QString& lora) {
    setModelAlone(path);
    m_loras->setLoras(lora.isEmpty() ? std::vector<core::LoraReference>()
                                     : std::vector<core::LoraReference>{{lora.toStdString(), 1.0}});
}

void GenerateForm::setCount(int count) {
    m_count->setValue(count);
}

void GenerateForm::setSeed(quint64 seed) {
    m_seed->setText(QString::number(seed));
    m_lock->setChecked(true);
}

void GenerateForm::setSeedOfOne(quint64 seed) {
    const int before = m_countUnlocked > 0 ? m_countUnlocked : m_count->value();
    m_count->setValue(1);
    m_countUnlocked = before;
    setSeed(seed);
    keepState();
}

void GenerateForm::takeTypedSeed(const QString& typed) {
    constexpr qsizetype kMostDigits = 18; // whatever they are, JSON keeps them exactly
    static const QRegularExpression kNoDigit(QStringLiteral("\\D"));
    if (typed.trimmed().startsWith('-')) return m_lock->setChecked(false); // its digit is no seed
    const QString digits = QString(typed).remove(kNoDigit).left(kMostDigits);
    if (digits != typed) m_seed->setText(digits);
    m_lock->setChecked(!digits.isEmpty());
}

void GenerateForm::drawMissingSeed() {
    const QString typed = m_seed->text().trimmed();
    if (!typed.isEmpty() && !typed.startsWith('-')) return;
    m_lock->setChecked(false);
    nextSeed();
}

void GenerateForm::finishTyping() {
    for (CountBox* box : {m_count, m_steps, m_clipSkip}) box->interpretText();
    takeTypedSize();
    drawMissingSeed();
}

void GenerateForm::nextSeed() {
    if (!m_lock->isChecked())
        m_seed->setText(QString::number(QRandomGenerator::global()->bounded(1, 1'000'000)));
}

void GenerateForm::setStart(const QString& picture) {
    ++m_startsSet;
    if (picture == m_startPath) return; // what is kept still holds
    m_startPath = picture;
    showStart();
    keepState();
    Q_EMIT picked();
}

void GenerateForm::showStart() {
    const bool some = !m_startPath.isEmpty();
    m_start->setText(some ? asButtonText(QFileInfo(m_startPath).fileName()) : tr("Choose or drop a picture"));
    m_dropStart->setVisible(some);
    m_strengthRow->setVisible(some);
}

} // namespace homebooth::app
