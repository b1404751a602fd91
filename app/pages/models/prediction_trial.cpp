// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/prediction_trial.h"

#include "app/library/background.h"
#include "app/library/thumbnails.h"
#include "app/pages/models/models_page.h"
#include "app/theme/metrics.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/parts.h"
#include "core/library/library.h"

#include <QBoxLayout>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {
constexpr int kSide = 160;
constexpr const char* kPredictions[] = {"epsilon", "v_prediction", "v_prediction"};
} // namespace

PredictionTrial::PredictionTrial(Generator& generator, QWidget* parent)
    : QWidget(parent)
    , m_generator(generator)
    , m_make(makeButton({}, QStringLiteral("generate")))
    , m_pictures(new QWidget)
    , m_phase(new MutedLabel) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapLabel);
    auto* row = new FlowLayout(m_pictures, kGapBlock);
    const QString names[] = {ModelsPage::tr("Noise (epsilon)"), ModelsPage::tr("v"),
                             ModelsPage::tr("v, from noise alone")};
    for (size_t i = 0; i < m_sides.size(); ++i) {
        makeSide(i, names[i]);
        row->addWidget(m_sides[i].button);
    }
    column->addWidget(m_make, 0, Qt::AlignLeft);
    column->addWidget(m_pictures);
    column->addWidget(m_phase);
    connect(m_make, &QPushButton::clicked, this, &PredictionTrial::make);
    connectGenerator();
    refresh();
}

PredictionTrial::~PredictionTrial() = default;

void PredictionTrial::makeSide(size_t side, const QString& name) {
    auto* button = new QToolButton;
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize({kSide, kSide});
    button->setText(name);
    button->setAccessibleName(ModelsPage::tr("This picture is right: %1").arg(name));
    button->setToolTip(button->accessibleName());
    connect(button, &QToolButton::clicked, this,
            [this, side] { Q_EMIT answered(static_cast<Predicts>(side)); });
    m_sides[side].button = button;
}

void PredictionTrial::connectGenerator() {
    connect(&m_generator, &Generator::changed, this, &PredictionTrial::refresh);
    connect(&m_generator, &Generator::made, this, [this](int, const QString& path) {
        if (const Side* side = current()) showPicture(static_cast<size_t>(side - m_sides.data()), path);
    });
    connect(&m_generator, &Generator::failed, this, [this](const QString& headline, const QString& detail) {
        if (current() != nullptr) Q_EMIT failed(headline, detail);
    });
}

void PredictionTrial::setModel(const QString& path, const core::SampleConfig& place, bool third) {
    const size_t count = third ? kMostSides : kMostSides - 1;
    m_place = place;
    if (path == m_model && count == m_count) return;
    leave();
    m_model = path;
    m_count = count;
    refresh();
}

void PredictionTrial::make() {
    leave();
    if (!m_folder) m_folder = std::make_unique<QTemporaryDir>();
    core::SampleConfig config = m_place;
    config.model = m_model.toStdString();
    config.prompt = "a photo of an apple on a table";
    config.steps = 20;
    config.seed = 1;
    for (size_t i = 0; i < m_count; ++i) {
        m_sides[i].job = core::newRecordId();
        config.predictionType = kPredictions[i];
        config.zeroTerminalSnr = static_cast<Predicts>(i) == Predicts::VelocityFromNoise;
        config.outputDir = m_folder->filePath(QString::number(m_sides[i].job)).toStdString();
        m_generator.make(config, m_sides[i].job);
    }
    refresh();
}

void PredictionTrial::leave() {
    for (Side& side : m_sides) {
        const int64_t job = std::exchange(side.job, 0);
        side.made = false;
        side.button->setIcon({});
        if (job == 0) continue;
        if (m_generator.busy() && m_generator.currentJob() == job)
            m_generator.stop();
        else
            m_generator.drop(job);
    }
    refresh();
}

void PredictionTrial::showPicture(size_t side, const QString& path) {
    inBackground(
        this, [path] { return loadEdited(path, {}, 2 * kSide); },
        [this, side, job = m_sides[side].job](const QImage& picture) {
            if (m_sides[side].job != job || picture.isNull()) return;
            m_sides[side].made = true;
            m_sides[side].button->setIcon(QPixmap::fromImage(picture));
            refresh();
        });
}

PredictionTrial::Side* PredictionTrial::current() {
    const int64_t job = m_generator.currentJob();
    const auto found = std::find_if(m_sides.begin(), m_sides.end(),
                                    [job](const Side& side) { return job != 0 && side.job == job; });
    return found == m_sides.end() ? nullptr : &*found;
}

bool PredictionTrial::awaited(const Side& side) const {
    const auto& jobs = m_generator.jobs();
    return side.job != 0 && std::any_of(jobs.begin(), jobs.end(),
                                        [&side](const GenerationJob& job) { return job.id == side.job; });
}

void PredictionTrial::refresh() {
    const bool waits =
        std::any_of(m_sides.begin(), m_sides.end(), [this](const Side& side) { return awaited(side); });
    m_out = waits || std::any_of(m_sides.begin(), m_sides.end(), [](const Side& side) { return side.made; });
    for (size_t i = 0; i < m_sides.size(); ++i) {
        m_sides[i].button->setEnabled(m_sides[i].made);
        m_sides[i].button->setVisible(i < m_count);
    }
    m_make->setText(m_count > 2 ? ModelsPage::tr("Make a picture each way, I choose")
                                : ModelsPage::tr("Make a picture both ways, I choose"));
    m_make->setEnabled(!waits);
    m_pictures->setVisible(m_out);
    m_phase->setVisible(m_out);
    const Side* side = m_generator.busy() ? current() : nullptr;
    if (side != nullptr)
        m_phase->setText(ModelsPage::tr("Picture %1 of %2: %3")
                             .arg(side - m_sides.data() + 1)
                             .arg(m_count)
                             .arg(m_generator.phaseText()));
    else if (waits)
        m_phase->setText(ModelsPage::tr("The pictures are made when what runs has ended."));
    else if (m_count > 2)
        m_phase->setText(ModelsPage::tr("Click on the best picture. Grey noise is wrong."));
    else
        m_phase->setText(ModelsPage::tr("Click on the picture that is not grey noise."));
}

} // namespace homebooth::app
