// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/generate_page.h"

#include "app/engine/generator.h"
#include "app/engine/model_shelf.h"
#include "app/engine/run_centre.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/subject_book.h"
#include "app/pages/generate/compare_view.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/prompt_panel.h"
#include "app/pages/generate/prompt_text.h"
#include "app/pages/generate/used_settings.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/scroll_memory.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QStackedWidget>

namespace homebooth::app {
namespace {
constexpr int kFormSide = 320;
constexpr int kPromptSide = 260;
constexpr int kPictureSide = 192;
constexpr const char* kWaits = "waits";
enum View { kEmpty, kResults, kCompared };
} // namespace

GeneratePage::GeneratePage(Services services, QWidget* parent)
    : Page(PageId::Generate, tr("Generate"), parent)
    , m_services(services)
    , m_results(services.thumbnails)
    , m_target(&m_results)
    , m_form(new GenerateForm(services))
    , m_prompts(new PromptPanel(services)) {
    setCommands({Command::Expert, Command::Prompts, Command::LargeView, Command::Search});
    m_stop = addButton(tr("Stop"), QStringLiteral("stop"));
    m_promptButton = addButton(tr("Prompts"), QStringLiteral("prompt"));
    m_promptButton->setCheckable(true);
    addMainButton(tr("Make pictures"));
    setContent(makeParts());
    connect(mainButton(), &QPushButton::clicked, this, &GeneratePage::make);
    connect(m_form, &GenerateForm::makeWanted, this, &GeneratePage::make);
    connect(m_form, &GenerateForm::changed, this, &GeneratePage::refresh);
    connect(m_promptButton, &QPushButton::toggled, this, [this](bool on) {
        m_promptPart->setVisible(on);
        m_services.settings.set(keys::kPromptsOpen, on);
        if (on) m_prompts->refresh();
    });
    connect(m_prompts, &PromptPanel::chosen, m_form, &GenerateForm::setPrompt);
    connect(m_stop, &QPushButton::clicked, &services.generator, &Generator::stop);
    connectGenerator();
    m_promptButton->setChecked(services.settings.value(keys::kPromptsOpen).toBool());
    refresh();
}

QWidget* GeneratePage::makeParts() {
    auto* parts = new QWidget;
    auto* row = new QHBoxLayout(parts);
    tidy(row, 0, kGapBlock);
    QScrollArea* scroll = makeScroll(m_form);
    new ScrollMemory(scroll, m_services.settings, "generate");
    m_formPart = scroll;
    m_formPart->setFixedWidth(kFormSide);
    row->addWidget(m_formPart);
    row->addWidget(makeViews(), 1);
    auto* card = new Card;
    card->setFixedWidth(kPromptSide);
    auto* column = new QVBoxLayout(card);
    tidy(column, 1, 0);
    column->addWidget(m_prompts);
    m_promptPart = card;
    m_promptPart->hide();
    row->addWidget(card);
    return parts;
}

void GeneratePage::connectGenerator() {
    const Generator* generator = &m_services.generator;
    connect(generator, &Generator::changed, this, &GeneratePage::refresh);
    connect(&m_services.runs, &RunCentre::workChanged, this, &GeneratePage::refresh);
    connect(&m_services.models, &ModelShelf::changed, this, &GeneratePage::makeAfterTraining);
    connect(generator, &Generator::begun, this, &GeneratePage::begin);
    connect(generator, &Generator::preview, this,
            [this](int index, int step, const QString& path) { m_target->showPreview(index, step, path); });
    connect(generator, &Generator::made, this,
            [this](int index, const QString& path, const core::SampleConfig& config) {
                m_target->finish(index, path);
                const QString model = QString::fromStdString(config.model);
                m_services.album.add(path, m_services.models.nameOf(model), model);
            });
    connect(generator, &Generator::ended, this, [this] {
        m_target->end();
        if (m_target == &m_results && m_results.rowCount() == 0) m_stack->setCurrentIndex(kEmpty);
    });
    connect(generator, &Generator::failed, this, [this](const QString& headline, const QString& detail) {
        messages().show({MessageKind::Error,
                         troubleText(headline, detail),
                         {{tr("Try again"), [this] { make(); }}},
                         QStringLiteral("failed")});
    });
    connect(generator, &Generator::warned, this, [this](const QString& headline, const QString& detail) {
        messages().show({MessageKind::Caution, troubleText(headline, detail), {}, detail});
    });
}

void GeneratePage::begin(const core::SampleConfig& config) {
    const int64_t job = m_services.generator.currentJob();
    m_target = &m_results;
    for (const Pair& pair : m_pairs)
        for (int side = 0; side < 2; ++side)
            if (pair.jobs[side] == job) {
                if (side == 0) m_compare->begin(pair.names[0], pair.names[1]);
                m_target = &m_compare->column(side);
            }
    m_stack->setCurrentIndex(m_target == &m_results ? kResults : kCompared);
    m_target->begin(config);
    messages().drop(QLatin1String(kWaits));
}

QWidget* GeneratePage::makeEmpty() {
    auto* empty = new EmptyState(QStringLiteral("generate"), tr("Describe a picture and press Make."));
    for (const QString& prompt : {tr("A red apple"), tr("A rocket")})
        connect(empty->addButton(prompt), &QPushButton::clicked, this, [this, prompt] {
            m_form->setPrompt(prompt == tr("A rocket") ? QStringLiteral("a rocket")
                                                       : QStringLiteral("a red apple"));
            make();
        });
    return empty;
}

QWidget* GeneratePage::makeViews() {
    m_stack = new QStackedWidget;
    m_stack->addWidget(makeEmpty());
    m_stack->addWidget(makeResults());
    m_compare = new CompareView(m_services.thumbnails);
    connect(m_compare, &CompareView::largeWanted, this, &GeneratePage::largeWanted);
    m_stack->addWidget(m_compare);
    return m_stack;
}

QWidget* GeneratePage::makeResults() {
    auto* results = new QWidget;
    auto* column = new QVBoxLayout(results);
    tidy(column, 0, kGapLabel);
    m_grid = new ThumbnailGrid(m_services.thumbnails);
    m_grid->setModel(&m_results);
    m_grid->setLook(kPictureSide, 1);
    m_grid->setAccessibleName(tr("Pictures"));
    const auto open = [this](const QModelIndex& index) {
        if (index.data(ResultModel::DoneRole).toBool()) Q_EMIT largeWanted(index.data(PathRole).toString());
    };
    connect(m_grid, &ThumbnailGrid::opened, this, open);
    connect(m_grid, &ThumbnailGrid::large, this, open);
    connect(m_grid, &QAbstractItemView::clicked, this, open); // one click is enough here
    column->addWidget(m_grid, 1);
    column->addLayout(makeResultActions());
    return results;
}

QLayout* GeneratePage::makeResultActions() {
    auto* actions = new QHBoxLayout;
    actions->setSpacing(kGapLabel);
    auto* same = makeButton(tr("Same seed"), QStringLiteral("lock"));
    auto* vary = makeButton(tr("Vary"), QStringLiteral("dice"));
    connect(same, &QPushButton::clicked, this, [this] { this->vary(true); });
    connect(vary, &QPushButton::clicked, this, [this] { this->vary(false); });
    actions->addWidget(same);
    actions->addWidget(vary);
    actions->addStretch();
    const auto enable = [this, same, vary] {
        same->setEnabled(chosen().isValid());
        vary->setEnabled(chosen().isValid());
    };
    connect(m_grid->selectionModel(), &QItemSelectionModel::selectionChanged, this, enable);
    enable();
    return actions;
}

QModelIndex GeneratePage::chosen() const {
    const QModelIndexList all = m_grid->selectionModel()->selectedIndexes();
    return all.size() == 1 ? all.front() : QModelIndex();
}

std::vector<core::SampleConfig> GeneratePage::order() {
    core::SampleConfig config = m_form->config();
    config.prompt = fillPrompt(m_form->prompt(), m_form->subjectWords(), [](int below) {
                        return QRandomGenerator::global()->bounded(below);
                    }).toStdString();
    std::vector<core::SampleConfig> jobs{config};
    if (const QString other = m_form->otherModel(); !other.isEmpty()) {
        jobs.push_back(config); // the same seeds, and the same words by chance
        jobs.back().model = other.toStdString();
    }
    return jobs;
}

void GeneratePage::make() {
    if (m_form->prompt().isEmpty()) return;
    messages().clear();
    const std::vector<core::SampleConfig> jobs = order();
    QStringList models;
    for (const core::SampleConfig& job : jobs) models.append(QString::fromStdString(job.model));
    const std::string text = m_form->prompt().toStdString();
    m_form->nextSeed();
    m_services.models.findUsable(
        models, this, [this, ready = jobs, text](const core::Result<QStringList>& usable) mutable {
            if (!usable)
                return messages().show({MessageKind::Error,
                                        troubleText(tr("The saved moment cannot make pictures."),
                                                    QString::fromStdString(usable.error().text())),
                                        {},
                                        QStringLiteral("failed")});
            for (size_t side = 0; side < ready.size(); ++side)
                ready[side].model = usable.value()[static_cast<qsizetype>(side)].toStdString();
            hand(ready, text);
        });
}

void GeneratePage::hand(const std::vector<core::SampleConfig>& jobs, const std::string& prompt) {
    Pair pair;
    for (size_t side = 0; side < jobs.size(); ++side) {
        pair.jobs[side] = core::newRecordId();
        pair.names[side] = m_services.models.nameOf(QString::fromStdString(jobs[side].model));
    }
    if (jobs.size() == 2) m_pairs.push_back(pair);
    for (size_t side = 0; side < jobs.size(); ++side) m_services.generator.make(jobs[side], pair.jobs[side]);
    const std::string negative = jobs.front().negativePrompt;
    m_services.library.write([prompt, negative](core::Library& library) {
        return core::notePromptUse(library, prompt, negative);
    });
    if (const std::string start = jobs.front().initImage; !start.empty())
        m_services.library.write([start](core::Library& library) { return core::noteStart(library, start); });
    if (m_promptPart->isVisible()) m_prompts->refresh();
    sayThatTheyWait();
}

void GeneratePage::sayThatTheyWait() {
    if (!m_services.generator.waitsForTraining()) return;
    messages().show(
        {MessageKind::Note,
         tr("<b>A training works.</b> The pictures are made when it has ended. Both at once are slow, "
            "and memory may run out."),
         {{tr("Open the queue"), [this] { Q_EMIT wanted(PageId::Queue); }},
          {tr("Make them now"), [this] { m_services.generator.beginBeside(); }}},
         QLatin1String(kWaits)});
}

void GeneratePage::makeWith(const QString& model, const QString& lora, const QString& prompt) {
    m_form->setPrompt(prompt);
    m_afterTraining = {model, lora};
    m_services.models.refresh();
    makeAfterTraining();
}

void GeneratePage::makeAfterTraining() {
    const auto [model, lora] = m_afterTraining;
    if (model.isEmpty()) return;
    const ModelShelf& models = m_services.models;
    const bool known = models.knows(model) && (lora.isEmpty() || models.knows(lora));
    if (!known && !models.settled()) return; // it is being looked for
    m_afterTraining = {};
    m_form->setModel(model, lora);
    make();
}

void GeneratePage::use(const core::SampleConfig& config) {
    m_form->setConfig(config);
}

bool GeneratePage::useParameters(const QString& text, const QString& modelPath) {
    if (text.isEmpty()) return false;
    const UsedSettings used = usedSettings(text, m_form->config(), modelPath, m_services.models);
    m_form->setConfig(used.config);
    if (used.start.isEmpty()) {
        sayWhatIsMissing(used.missing);
        return true;
    }
    // The text names the picture that it began from, but not its folder.
    const auto find = [name = used.start.toStdString()](core::Library& library) -> QString {
        const auto paths = core::findStarts(library, name);
        if (!paths) return {};
        for (const std::string& path : *paths)
            if (QFileInfo::exists(QString::fromStdString(path))) return QString::fromStdString(path);
        return {};
    };
    m_services.library.work(this, find, [this, used](const QString& path) {
        if (!path.isEmpty()) m_form->setStart(path);
        sayWhatIsMissing(path.isEmpty() ? used.missing + QStringList{used.start} : used.missing);
    });
    return true;
}

void GeneratePage::sayWhatIsMissing(const QStringList& names) {
    if (names.isEmpty()) return;
    messages().show({MessageKind::Note,
                     tr("The picture was made with \"%1\", which is not here. Its other settings were taken.")
                         .arg(names.join(QStringLiteral("\", \"")).toHtmlEscaped()),
                     {},
                     QStringLiteral("model")});
}

void GeneratePage::startFrom(const QString& picture) {
    m_form->setStart(picture);
}

void GeneratePage::setModel(const QString& path) {
    m_form->setModel(path);
}

void GeneratePage::vary(bool sameSeed) {
    const QModelIndex index = chosen();
    if (!index.isValid()) return;
    const core::SampleConfig config = m_results.configOf(index.row());
    m_form->setConfig(config);
    m_form->setCount(sameSeed ? 1 : 4);
    if (sameSeed) return m_form->setSeed(config.seed);
    m_form->setStart(index.data(PathRole).toString());
    make();
    m_form->setStart(QString::fromStdString(config.initImage));
}

void GeneratePage::refresh() {
    const Generator& generator = m_services.generator;
    m_stop->setVisible(generator.busy());
    const core::SampleConfig config = m_form->config();
    const int64_t count = config.count * (m_form->otherModel().isEmpty() ? 1 : 2);
    mainButton()->setText(count == 1 ? tr("Make a picture") : tr("Make %1 pictures").arg(count));
    mainButton()->setEnabled(!config.prompt.empty());
    const int waiting = static_cast<int>(generator.jobs().size()) - (generator.busy() ? 1 : 0);
    setSubtitle(generator.busy() ? generator.phaseText()
                : generator.waitsForTraining()
                    ? tr("%n job(s) wait for the end of the training.", nullptr, waiting)
                : m_services.runs.busy() ? tr("A training works: pictures wait for its end.")
                                         : QString());
}

void GeneratePage::activated() {
    refresh();
}

bool GeneratePage::command(Command command) {
    switch (command) {
    case Command::Expert:
        m_form->toggleExpert();
        return true;
    case Command::Prompts:
        m_promptButton->toggle();
        return true;
    case Command::LargeView:
        if (chosen().isValid()) Q_EMIT largeWanted(chosen().data(PathRole).toString());
        return true;
    default:
        return false;
    }
}

QWidget* GeneratePage::searchField() {
    m_promptButton->setChecked(true);
    return m_prompts->searchField();
}

void GeneratePage::setCompact(bool compact) {
    m_formPart->setFixedWidth(compact ? kFormSide - 40 : kFormSide);
    m_promptPart->setFixedWidth(compact ? kPromptSide - 60 : kPromptSide);
}

} // namespace homebooth::app
