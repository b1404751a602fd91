// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/generate_page.h"

#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/picture_clip.h"
#include "app/pages/generate/compare_view.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/prompt/prompt_card.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/scroll_memory.h"

#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {
constexpr int kFormSide = 320;
constexpr int kMostFormSide = 2 * kFormSide; ///< for text of twice the size
constexpr int kPromptSide = 260;
constexpr int kPictureSide = 192;

/// The first add-on that the other one has not; empty if there is none.
QString addOnOfOne(const core::SampleConfig& one, const core::SampleConfig& other) {
    for (const core::LoraReference& lora : one.loras) {
        const bool both = std::any_of(other.loras.begin(), other.loras.end(),
                                      [&lora](const auto& its) { return its.file == lora.file; });
        if (!both) return QString::fromStdString(lora.file);
    }
    return {};
}

} // namespace

GeneratePage::GeneratePage(Services services, QWidget* parent)
    : Page(PageId::Generate, tr("Generate"), parent)
    , m_services(services)
    , m_results(services.thumbnails)
    , m_trial(services.thumbnails)
    , m_target(&m_results)
    , m_pictures(services.settings.picturesFolder())
    , m_lists(new WordLists(services.library, services.undo, this))
    , m_form(new GenerateForm(services, m_lists))
    , m_promptPart(new PromptCard(services, *m_lists))
    , m_prompts(&m_promptPart->prompts()) {
    setCommands({Command::Expert, Command::Prompts, Command::LargeView, Command::Search, Command::Delete,
                 Command::Favourite, Command::Copy, Command::UseSettings});
    m_stop = addButton(tr("Stop"), QStringLiteral("stop"));
    m_promptButton = addButton(tr("Prompts"), QStringLiteral("prompt"));
    m_promptButton->setCheckable(true);
    addMainButton(tr("Make pictures"));
    setContent(makeParts());
    connect(mainButton(), &QPushButton::clicked, this, &GeneratePage::make);
    connect(m_form, &GenerateForm::makeWanted, this, &GeneratePage::make);
    connect(m_form, &GenerateForm::changed, this, &GeneratePage::refresh);
    connect(m_form, &GenerateForm::picked, this, &GeneratePage::forgetTraining);
    connect(m_form, &GenerateForm::modelPicked, this, [this] {
        messages().drop(QStringLiteral("model")); // it was of the model before
        m_toldMissing.clear();
    });
    connectPrompts();
    connect(m_stop, &QPushButton::clicked, &services.generator, &Generator::stop);
    connectGenerator();
    m_promptButton->setChecked(services.settings.value(keys::kPromptsOpen).toBool());
    showUnfinished();
    refresh();
}

QWidget* GeneratePage::makeParts() {
    auto* parts = new QWidget;
    auto* row = new QHBoxLayout(parts);
    tidy(row, 0, kGapBlock);
    QScrollArea* scroll = makeScroll(m_form);
    new ScrollMemory(scroll, m_services.settings, "generate");
    m_formPart = scroll;
    m_form->installEventFilter(this);
    fitForm();
    row->addWidget(m_formPart);
    row->addWidget(makeViews(), 1);
    m_promptPart->setFixedWidth(kPromptSide);
    m_promptPart->hide();
    row->addWidget(m_promptPart);
    return parts;
}

void GeneratePage::connectPrompts() {
    connect(m_promptButton, &QPushButton::toggled, this, [this](bool on) {
        if (!on && m_promptPart->isAncestorOf(QApplication::focusWidget())) m_form->focusPrompt();
        m_promptPart->setVisible(on);
        m_services.settings.set(keys::kPromptsOpen, on);
        if (on) m_prompts->refresh();
    });
    connect(m_promptPart, &PromptCard::left, m_promptButton, [this] { m_promptButton->setChecked(false); });
    connect(m_form, &GenerateForm::listWanted, this, &GeneratePage::showWordList);
    connect(m_form, &GenerateForm::takeOverWanted, this, &GeneratePage::takeOver);
    connect(m_prompts, &PromptPanel::chosen, m_form, &GenerateForm::setPrompt);
    connect(m_prompts, &PromptPanel::keepWanted, this,
            [this] { m_prompts->keep(m_form->prompt(), m_form->negative()); });
    connect(m_prompts, &PromptPanel::currentChanged, this, &GeneratePage::commandsChanged);
    connect(m_prompts, &PromptPanel::toast, this, &GeneratePage::toast);
    WordListPanel* lists = &m_promptPart->lists();
    connect(lists, &WordListPanel::inserted, m_form, &GenerateForm::insert);
    connect(lists, &WordListPanel::toast, this, &GeneratePage::toast);
    connect(m_lists, &WordLists::failed, this, [this](const QString& message) {
        messages().show({MessageKind::Error, message.toHtmlEscaped(), {}, QStringLiteral("list")});
    });
    connect(m_lists, &WordLists::added, this, [this] {
        m_promptButton->setChecked(true);
        m_promptPart->showLists();
    });
    m_lists->load();
}

void GeneratePage::connectGenerator() {
    const Generator* generator = &m_services.generator;
    connect(generator, &Generator::changed, this, &GeneratePage::refresh);
    for (const auto signal : {&RunCentre::workChanged, &RunCentre::queueChanged})
        connect(&m_services.runs, signal, this, &GeneratePage::refresh);
    connect(&m_services.models, &ModelShelf::changed, this, &GeneratePage::makeAfterTraining);
    connect(&m_services.models, &ModelShelf::changed, this, [this] {
        for (Pair& pair : m_pairs) namePair(pair);
    });
    connect(generator, &Generator::begun, this, &GeneratePage::begin);
    connect(generator, &Generator::cameBack, this, &GeneratePage::showUnfinished);
    connect(generator, &Generator::preview, this,
            [this](int index, int step, const QString& path) { m_target->showPreview(index, step, path); });
    connect(generator, &Generator::made, this,
            [this](int index, const QString& path, const core::SampleConfig& config) {
                m_target->finish(index, path);
                if (m_target == &m_trial) return;
                const QString model = QString::fromStdString(config.model);
                m_services.album.add(path, m_services.models.nameOf(model), model);
            });
    connect(&m_services.album, &PictureAlbum::changed, this, &GeneratePage::askStates);
    connect(generator, &Generator::ended, this, [this] {
        m_target->end();
        if (m_target == &m_trial) return;
        endStopped();
        // Of a comparison the other half may follow at once; it comes back to its view.
        const bool none = m_target == &m_results ? m_results.rowCount() == 0 : m_compare->paths().isEmpty();
        if (none) m_stack->setCurrentIndex(m_results.rowCount() == 0 ? kEmptyView : kResultsView);
        Q_EMIT picturesChanged();
    });
    connect(generator, &Generator::failed, this, [this](const QString& headline, const QString& detail) {
        if (m_target == &m_trial) return;
        sayFailure(headline, detail);
    });
    connect(generator, &Generator::warned, this, &GeneratePage::sayWarning);
    connect(&m_services.settings, &Settings::changed, this, &GeneratePage::followFolder);
}

void GeneratePage::begin(const core::SampleConfig& config) {
    if (!config.predictionType.empty()) { // Models shows it
        m_trial.clear();
        m_trial.begin(config);
        m_target = &m_trial;
        return;
    }
    ResultModel* column = comparedColumn(m_services.generator.currentJob());
    m_target = column != nullptr ? column : &m_results;
    m_stack->setCurrentIndex(column == nullptr ? kResultsView : kComparedView);
    m_target->begin(config, column != nullptr ? m_services.generator.jobs().front().made : QStringList());
    askStates(); // of earlier ones
    messages().drop(QLatin1String(kWaitsMessage));
}

ResultModel* GeneratePage::comparedColumn(int64_t job) {
    Pair* pair = pairOf(job);
    if (pair == nullptr) return nullptr;
    ResultModel* column = &m_compare->column(job == pair->jobs[0] ? 0 : 1);
    showPair(*pair, job);
    column->clear();
    return column;
}

void GeneratePage::showPair(Pair& pair, int64_t without) {
    const bool shown = std::exchange(m_compared, pair.jobs[0]) == pair.jobs[0];
    namePair(pair);
    if (!shown) m_compare->begin(pair.names[0], pair.names[1]);
    for (GenerationJob& job : m_services.generator.together(pair.jobs[0])) {
        ResultModel& column = m_compare->column(job.id == pair.jobs[0] ? 0 : 1);
        if (job.id == without || column.rowCount() > 0) continue;
        if (without == 0) job.config.count = 0; // nothing is made now
        column.begin(job.config, job.made);
    }
}

void GeneratePage::endStopped() {
    const Pair* pair = pairOf(m_compared);
    if (pair == nullptr) return;
    const std::vector<GenerationJob>& jobs = m_services.generator.jobs();
    for (const int side : {0, 1}) {
        const auto waits = [id = pair->jobs[side]](const GenerationJob& job) { return job.id == id; };
        if (std::none_of(jobs.begin(), jobs.end(), waits)) m_compare->column(side).end();
    }
}

void GeneratePage::showUnfinished() {
    const Generator& generator = m_services.generator;
    offerToGoOn();
    if (generator.busy() || m_stack->currentIndex() != kEmptyView) return;
    for (const GenerationJob& job : generator.jobs()) {
        Pair* pair = pairOf(job.id);
        if (pair == nullptr) continue;
        showPair(*pair, 0);
        if (m_compare->paths().isEmpty()) continue;
        m_stack->setCurrentIndex(kComparedView);
        askStates();
        return Q_EMIT picturesChanged();
    }
}

void GeneratePage::takeSides(Pair& pair, const core::SampleConfig& first,
                             const core::SampleConfig& second) const {
    const core::SampleConfig* sides[] = {&first, &second};
    for (size_t side = 0; side < 2; ++side) {
        pair.models[side] = QString::fromStdString(sides[side]->model);
        pair.addOns[side] = addOnOfOne(*sides[side], *sides[1 - side]);
        pair.names[side] = nameOf(pair, side);
    }
}

QString GeneratePage::nameOf(const Pair& pair, size_t side) const {
    const QString model = m_services.models.nameOf(pair.models[side]);
    return pair.addOns[side].isEmpty() ? model
                                       : tr("%1 + %2", "a model and its add-on")
                                             .arg(model, m_services.models.nameOf(pair.addOns[side]));
}

void GeneratePage::namePair(Pair& pair) {
    for (size_t side = 0; side < 2; ++side) {
        const QString& addOn = pair.addOns[side];
        if (m_services.models.knows(pair.models[side]) && (addOn.isEmpty() || m_services.models.knows(addOn)))
            pair.names[side] = nameOf(pair, side);
    }
    if (pair.jobs[0] == m_compared) m_compare->setNames(pair.names[0], pair.names[1]);
}

GeneratePage::Pair* GeneratePage::pairOf(int64_t job) {
    for (Pair& pair : m_pairs)
        if (pair.jobs[0] == job || pair.jobs[1] == job) return &pair;
    const std::vector<GenerationJob>& jobs = m_services.generator.jobs();
    const auto found =
        std::find_if(jobs.begin(), jobs.end(), [job](const GenerationJob& one) { return one.id == job; });
    if (found == jobs.end()) return nullptr;
    const std::vector<GenerationJob> both = m_services.generator.together(found->request);
    if (both.size() != 2) return nullptr;
    Pair pair;
    for (size_t side = 0; side < both.size(); ++side) pair.jobs[side] = both[side].id;
    takeSides(pair, both[0].config, both[1].config);
    m_pairs.push_back(pair);
    return &m_pairs.back();
}

QWidget* GeneratePage::makeEmpty() {
    auto* empty = m_empty = new EmptyState(QStringLiteral("generate"), {});
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
    for (const int side : {0, 1}) connectGrid(m_compare->grid(side));
    m_stack->addWidget(m_compare);
    connect(m_stack, &QStackedWidget::currentChanged, this, &GeneratePage::refreshActions);
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
    column->addWidget(m_grid, 1);
    column->addWidget(makeResultActions());
    connectGrid(*m_grid);
    return results;
}

QWidget* GeneratePage::makeResultActions() {
    auto* part = new QWidget; // beside the prompts it takes two lines
    auto* actions = new FlowLayout(part, kGapLabel);
    auto* same = makeButton(tr("Same seed"), QStringLiteral("lock"));
    auto* vary = makeButton(tr("Vary"), QStringLiteral("dice"));
    auto* larger = makeButton(tr("Enlarge"), QStringLiteral("enlarge"));
    larger->setToolTip(tr("Makes the picture once more, twice as wide and high, with finer details."));
    auto* favourite = makeButton(tr("Favourite"), QStringLiteral("favourite"));
    auto* remove = makeButton(tr("Delete"), QStringLiteral("trash"));
    connect(same, &QPushButton::clicked, this, [this] { this->vary(true); });
    connect(vary, &QPushButton::clicked, this, [this] { this->vary(false); });
    connect(larger, &QPushButton::clicked, this, &GeneratePage::enlarge);
    for (QPushButton* button : {vary, larger}) takeQuickClicksAsOne(button);
    connect(favourite, &QPushButton::clicked, this, &GeneratePage::toggleFavourite);
    connect(remove, &QPushButton::clicked, this, &GeneratePage::trashChosen);
    m_forOne = {same, vary, larger};
    m_forMany = {favourite, remove};
    for (QPushButton* button : m_forOne + m_forMany) actions->addWidget(button);
    return part;
}

void GeneratePage::refresh() {
    const Generator& generator = m_services.generator;
    m_stop->setVisible(generator.busy());
    m_stop->setEnabled(!generator.stopping());
    const core::SampleConfig config = m_form->config();
    const int64_t count = config.count * (m_form->otherModel().isEmpty() ? 1 : 2);
    mainButton()->setText(count == 1 ? tr("Make a picture") : tr("Make %1 pictures").arg(count));
    mainButton()->setEnabled(!config.prompt.empty());
    const int waiting = static_cast<int>(generator.jobs().size()) - (generator.busy() ? 1 : 0);
    const bool some = std::any_of(generator.jobs().begin(), generator.jobs().end(), [](const auto& job) {
        return job.config.predictionType.empty(); // which Models shows
    });
    m_empty->setText(some ? tr("The pictures that wait appear here once they are made.")
                          : tr("Describe a picture and press Make pictures."));
    if (m_form->words() != m_tooLong) messages().drop(QLatin1String(kTooLongMessage));
    tellFullDisk();
    const int heldBack = generator.heldBack();
    if (heldBack == 0) messages().drop(QLatin1String(kHeldMessage));
    setSubtitle(generator.busy() ? generator.phaseText()
                : generator.waitsForTraining()
                    ? tr("%n job(s) wait for the end of the training.", nullptr, waiting - heldBack)
                : waiting > 0 && generator.nextJob() == 0
                    ? tr("%n job(s) wait: press Go on in the queue.", nullptr, waiting)
                : m_services.runs.slotsAreTaken() ? tr("A training is running: pictures wait for its end.")
                                                  : QString());
}

void GeneratePage::activated() {
    m_services.models.refresh();
    refresh();
}

bool GeneratePage::command(Command command) {
    if (!offers(command)) return false;
    switch (command) {
    case Command::Expert:
        m_form->toggleExpert();
        return true;
    case Command::Prompts:
        if (m_promptButton->isChecked())
            m_promptButton->setChecked(false);
        else
            searchField()->setFocus(Qt::ShortcutFocusReason);
        return true;
    case Command::LargeView:
        Q_EMIT largeWanted(allChosen().front().data(PathRole).toString());
        return true;
    case Command::Delete:
        if (m_prompts->listHasFocus())
            m_prompts->removeChosen();
        else
            trashChosen();
        return true;
    case Command::Copy:
        copyPicture(this, allChosen().front().data(PathRole).toString());
        return true;
    case Command::UseSettings:
        return useChosen();
    case Command::Favourite:
        if (m_prompts->listHasFocus())
            m_prompts->toggleFavourite();
        else
            toggleFavourite();
        return true;
    default:
        return false;
    }
}

QWidget* GeneratePage::searchField() {
    m_promptButton->setChecked(true);
    m_promptPart->showPrompts();
    return m_prompts->searchField();
}

void GeneratePage::setCompact(bool compact) {
    m_compact = compact;
    fitForm();
    m_promptPart->setFixedWidth(compact ? kPromptSide - 36 : kPromptSide);
}

void GeneratePage::fitForm() {
    const int needed =
        m_form->minimumSizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    const int side = m_compact ? kFormSide - 40 : kFormSide;
    m_formPart->setFixedWidth(std::clamp(needed, side, kMostFormSide));
}

bool GeneratePage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_form && event->type() == QEvent::LayoutRequest) fitForm(); // larger text needs more
    return Page::eventFilter(watched, event);
}

} // namespace homebooth::app
