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
constexpr const char* kPredictions[] = {"epsilon", "v_prediction"};
} // namespace

PredictionTrial::PredictionTrial(Generator& generator, QWidget* parent)
    : QWidget(parent)
    , m_generator(generator)
    , m_make(makeButton(ModelsPage::tr("Make a picture both ways, I choose"), QStringLiteral("generate")))
    , m_pictures(new QWidget)
    , m_phase(new MutedLabel) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapLabel);
    auto* row = new FlowLayout(m_pictures, kGapBlock);
    const QString names[] = {ModelsPage::tr("Noise (epsilon)"), ModelsPage::tr("v")};
    for (size_t i = 0; i < m_sides.size(); ++i) {
        auto* button = new QToolButton;
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIconSize({kSide, kSide});
        button->setText(names[i]);
        button->setAccessibleName(ModelsPage::tr("This picture is right: %1").arg(names[i]));
        button->setToolTip(button->accessibleName());
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, noise = i == 0] {
            leave();
            Q_EMIT answered(noise);
        });
        m_sides[i].button = button;
    }
    column->addWidget(m_make, 0, Qt::AlignLeft);
    column->addWidget(m_pictures);
    column->addWidget(m_phase);
    connect(m_make, &QPushButton::clicked, this, &PredictionTrial::make);
    connectGenerator();
    refresh();
}

PredictionTrial::~PredictionTrial() = default;

void PredictionTrial::connectGenerator() {
    connect(&m_generator, &Generator::changed, this, &PredictionTrial::refresh);
    connect(&m_generator, &Generator::made, this, [this](int, const QString& path) {
        if (const Side* side = current()) showPicture(static_cast<size_t>(side - m_sides.data()), path);
    });
    connect(&m_generator, &Generator::failed, this, [this](const QString& headline, const QString& detail) {
        if (current() != nullptr) Q_EMIT failed(headline, detail);
    });
}

void PredictionTrial::setModel(const QString& path, const core::SampleConfig& place) {
    m_place = place;
    if (path == m_model) return;
    leave();
    m_model = path;
}

void PredictionTrial::make() {
    leave();
    core::SampleConfig config = m_place;
    config.model = m_model.toStdString();
    config.prompt = "a photo of an apple on a table";
    config.steps = 20;
    config.seed = 1;
    for (size_t i = 0; i < m_sides.size(); ++i) {
        m_sides[i].job = core::newRecordId();
        config.predictionType = kPredictions[i];
        config.outputDir = m_folder.filePath(QString::number(m_sides[i].job)).toStdString();
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
    const bool any =
        waits || std::any_of(m_sides.begin(), m_sides.end(), [](const Side& side) { return side.made; });
    for (const Side& side : m_sides) side.button->setEnabled(side.made);
    m_make->setEnabled(!waits);
    m_pictures->setVisible(any);
    m_phase->setVisible(any);
    const Side* side = m_generator.busy() ? current() : nullptr;
    if (side != nullptr)
        m_phase->setText(ModelsPage::tr("Picture %1 of 2: %2")
                             .arg(side - m_sides.data() + 1)
                             .arg(m_generator.phaseText()));
    else if (waits)
        m_phase->setText(ModelsPage::tr("The pictures are made when what runs has ended."));
    else
        m_phase->setText(ModelsPage::tr("Click on the picture that is not grey noise."));
}

} // namespace homebooth::app
