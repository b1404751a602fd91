// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/models_page.h"

#include "app/engine/figures.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "app/library/subject_book.h"
#include "app/pages/models/in_use_message.h"
#include "app/pages/models/model_check.h"
#include "app/pages/models/model_facts_text.h"
#include "app/pages/models/model_removal.h"
#include "app/pages/models/prediction_trial.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/name_row.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"
#include "app/widgets/row_choice.h"

#include <QBoxLayout>
#include <QDesktopServices>
#include <QFileInfo>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollArea>

#include <algorithm>
#include <tuple>
#include <utility>

namespace homebooth::app {
namespace {

/// The file of a learned word is what all programs read: there is nothing to convert.
bool isExported(const ModelEntry& entry) {
    return entry.facts.drawsPictures && entry.kind != ModelEntry::Kind::Embedding;
}

/// A long word, such as a name or a folder's, does not make the card wider than what is seen of it.
void letShrink(QWidget& label) {
    QSizePolicy policy = label.sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label.setSizePolicy(policy);
}

/// Words of any length may go on in the next line.
QString breakable(QString name) {
    static const QRegularExpression many(QStringLiteral("(\\S{40})(?=\\S)"));
    return name.replace(many, QStringLiteral("\\1\u200B"));
}

bool isUsed(core::InspectedKind kind) {
    using enum core::InspectedKind;
    return kind == Model || kind == Lora || kind == Embedding;
}

/// The list and what stands below it: no narrower than its buttons, and where there is room as wide as its
/// letters want.
class ListSide : public QWidget {
public:
    ListSide() { setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred); }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return QWidget::minimumSizeHint().expandedTo({kListWidth + 16, 0});
    }
    [[nodiscard]] QSize sizeHint() const override {
        constexpr int kLetters = 26;
        const QSize least = minimumSizeHint();
        return {qMax(least.width(), kLetters * fontMetrics().averageCharWidth()), least.height()};
    }
};

} // namespace

ModelsPage::ModelsPage(Services services, QWidget* parent)
    : Page(PageId::Models, tr("Models"), parent)
    , m_services(services)
    , m_list(services.models) {
    setCommands({Command::Import, Command::Rename, Command::Delete, Command::Search, Command::Export});
    auto* folder = addButton(tr("Import folder..."), QStringLiteral("folder"));
    connect(folder, &QPushButton::clicked, this, [this] { chooseImport(true); });
    connect(addMainButton(tr("Import...")), &QPushButton::clicked, this, [this] { chooseImport(false); });
    auto* parts = new QWidget;
    auto* row = new QHBoxLayout(parts);
    tidy(row, 0, kGapBlock);
    row->addWidget(makeList(), 1);
    auto* card = new Card;
    auto* column = new QVBoxLayout(card);
    tidy(column, 1, 0);
    column->addWidget(makeScroll(makeDetails()));
    row->addWidget(card, 2);
    setContent(parts);
    setMenuList(*m_view);
    m_inUse = new InUseMessage(services, messages(), this);
    connect(&m_list, &QAbstractItemModel::modelAboutToBeReset, this, &ModelsPage::noteChosen);
    connect(&m_list, &QAbstractItemModel::modelReset, this, &ModelsPage::chooseShown);
    connectModels();
    m_last = services.settings.text(keys::kModel);
    if (m_list.rowCount() > 0) chooseRow(qMax(0, m_list.rowOf(m_last)));
    refresh();
}

void ModelsPage::connectModels() {
    connect(&m_services.models, &ModelShelf::changed, this, [this] {
        chooseLast();
        chooseImported();
        refresh();
    });
    connect(&m_services.models, &ModelShelf::imported, this, [this](const QString& path) {
        if (path == m_shown) m_stale = true; // the file may be another one by now
        m_imported = path;
        chooseImported();
        refresh();
    });
    connect(&m_services.runs, &RunCentre::finished, this, [this](const QString& run) {
        if (const ModelEntry* entry = shown(); entry == nullptr || entry->runFolder != run) return;
        m_stale = true;
        refresh();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &ModelsPage::refresh);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ModelsPage::refresh);
}

QWidget* ModelsPage::makeList() {
    auto* part = new ListSide;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search models"));
    m_search->setClearButtonEnabled(true);
    m_view = new QListView;
    m_view->setModel(&m_list);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setAccessibleName(tr("Models"));
    m_view->setMouseTracking(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    chooseByKeyboard(*m_view);
    m_view->setItemDelegate(new NameRow(ModelList::NoteRole, ModelList::HeadingRole, m_view));
    m_view->setIconSize({kIconSize, kIconSize});
    m_view->viewport()->setAutoFillBackground(false);
    m_disk = new MutedLabel;
    m_free = makeButton(tr("Free room"), QStringLiteral("trash"));
    m_free->hide();
    m_freeMenu = new QMenu(m_free);
    connect(m_free, &QPushButton::clicked, this, [this] {
        if (m_prunable.size() == 1) askToPrune(m_prunable.front());
    });
    column->addWidget(m_search);
    column->addWidget(m_view, 1);
    column->addWidget(m_disk);
    column->addWidget(m_free);
    connect(m_search, &QLineEdit::textChanged, &m_list, &ModelList::setFilter);
    return part;
}

QWidget* ModelsPage::makeDetails() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, kPageMargin, kGapBlock);
    m_title = makeLabel({}, TypeRole::Section);
    m_title->setWordWrap(true);
    m_name = new QLineEdit;
    m_name->setAccessibleName(tr("Name of the model"));
    m_name->hide();
    m_check = new ModelCheck;
    connect(m_check, &ModelCheck::worked, this, &ModelsPage::noteHash);
    m_made = new MutedLabel;
    m_keeps = new MutedLabel;
    m_licence = new QLineEdit;
    m_licence->setPlaceholderText(tr("Not said by the file: note it here"));
    m_licencePart = labelled(tr("Licence"), m_licence,
                             tr("What its makers allow. Look it up where the model comes from."));
    m_licencePart->setMaximumWidth(kFormWidth);
    for (QLabel* label : {m_title, m_made, m_keeps}) letShrink(*label);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_title, m_name}) column->addWidget(widget);
    column->addWidget(m_question = makeQuestion());
    column->addLayout(makeFacts());
    column->addWidget(makeDoubt(), 0, Qt::AlignLeft);
    column->addWidget(makeReadLicence(), 0, Qt::AlignLeft);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_licencePart, m_check, m_made, m_keeps, makeButtons()})
        column->addWidget(widget);
    column->addWidget(m_hint = makeHint());
    column->addStretch();
    connect(m_licence, &QLineEdit::editingFinished, this, &ModelsPage::noteTyped);
    m_name->installEventFilter(this);
    connect(m_name, &QLineEdit::editingFinished, this, [this] {
        if (m_name->isHidden()) return;
        const bool typing = m_name->hasFocus(); // it was ended with Return
        leaveName();
        if (typing) m_view->setFocus();
        rename(std::exchange(m_renaming, {}), m_name->text());
    });
    return part;
}

QFormLayout* ModelsPage::makeFacts() {
    m_facts = new QFormLayout;
    m_facts->setHorizontalSpacing(kPageMargin);
    m_facts->setVerticalSpacing(kGapInside);
    m_facts->setLabelAlignment(Qt::AlignLeft);
    m_facts->setRowWrapPolicy(QFormLayout::DontWrapRows);
    m_facts->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return m_facts;
}

QWidget* ModelsPage::makeReadLicence() {
    m_readLicence = makeButton(tr("Read the licence"));
    m_readLicence->hide();
    connect(m_readLicence, &QPushButton::clicked, this, [this] { QDesktopServices::openUrl(m_licenceUrl); });
    return m_readLicence;
}

QWidget* ModelsPage::makeButtons() {
    auto* part = new QWidget;
    part->setObjectName(QStringLiteral("row actions"));
    auto* flow = new FlowLayout(part, kGapLabel); // most models have some of them alone
    m_pictures = makeButton(tr("Make pictures"), QStringLiteral("generate"));
    m_train = makeButton(tr("Train with it"), QStringLiteral("train"));
    m_run = makeButton(tr("Show the training"), QStringLiteral("chart"));
    m_export = makeButton(tr("Export as"), QStringLiteral("export"));
    m_find = makeButton(tr("Find the file..."), QStringLiteral("folder"));
    m_rename = makeButton(tr("Rename"), QStringLiteral("edit"));
    m_forget = makeButton(tr("Take off the list"), QStringLiteral("close"));
    m_delete = makeButton(tr("Delete..."), QStringLiteral("trash"));
    m_export->setMenu(new QMenu(m_export));
    connect(m_export->menu(), &QMenu::aboutToShow, this, &ModelsPage::fillExportMenu);
    for (QPushButton* button : {m_find, m_pictures, m_train, m_run, m_export, m_rename, m_forget, m_delete})
        flow->addWidget(button);
    connect(m_pictures, &QPushButton::clicked, this, [this] {
        if (chosen() != nullptr) Q_EMIT picturesWanted(chosen()->path);
    });
    connect(m_train, &QPushButton::clicked, this, [this] {
        if (chosen() != nullptr) Q_EMIT trainWanted(chosen()->path);
    });
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (chosen() != nullptr) Q_EMIT runWanted(chosen()->runFolder);
    });
    connect(m_find, &QPushButton::clicked, this, [this] {
        const QString ending = QFileInfo(m_shown).suffix().toLower(); // names of folders have dots, too
        chooseImport(ending != QLatin1String("safetensors") && ending != QLatin1String("ckpt") &&
                     ending != QLatin1String("pt") && ending != QLatin1String("bin"));
    });
    connect(m_rename, &QPushButton::clicked, this, &ModelsPage::renameChosen);
    connect(m_forget, &QPushButton::clicked, this, &ModelsPage::forgetChosen);
    connect(m_delete, &QPushButton::clicked, this, &ModelsPage::askToDelete);
    return part;
}

void ModelsPage::activated() {
    // It may have been trained further. What is still being read is not begun anew.
    m_stale = m_stale || (!m_shown.isEmpty() && m_check->isDone());
    m_services.models.refresh();
    refresh();
    measureRuns();
}

QStringList ModelsPage::sentencesOf(const ModelEntry& entry) const {
    if (entry.prompt.isEmpty()) return {};
    QStringList sentences{entry.prompt};
    const core::RunRecord* run = m_services.runs.find(entry.runFolder);
    if (run == nullptr) return sentences;
    for (size_t other = 1; other < run->subjects.size(); ++other)
        if (const core::Subject* subject = m_services.subjects.find(run->subjects[other]))
            sentences.append(subjectSentence(*subject));
    return sentences;
}

QString ModelsPage::historyOf(const ModelEntry& entry) const {
    QStringList lines;
    if (entry.isAddOn() && !entry.base.isEmpty()) {
        const QString base = m_services.models.nameOf(entry.base);
        const bool here = m_services.models.knows(entry.base) || entry.hasOwnBase();
        lines.append(here ? tr("Trained on: %1").arg(base)
                          : tr("Trained on: %1, which is not on the list").arg(base));
    }
    for (const QString& sentence : sentencesOf(entry)) lines.append(tr("Learned: \"%1\"").arg(sentence));
    constexpr int kMostNamed = 5; // after a year they are hundreds, and the buttons stand below
    if (const QStringList made = namesMadeFrom(m_services.models, entry.path); !made.isEmpty())
        lines.append(tr("Made from it: %1").arg(firstOf(made, kMostNamed)));
    if (!entry.facts.drawsPictures)
        lines.append(tr("It has learned no pictures yet. New models can begin with it."));
    return lines.join('\n');
}

void ModelsPage::noteTyped() {
    m_licence->setModified(false);
    noteLicence(m_shown, m_licence->text());
}

void ModelsPage::refresh() {
    if (const ModelEntry* next = shown(); next != nullptr && next->path != m_shown) leaveShown(next->path);
    const ModelEntry* entry = chosen();
    showParts(entry);
    Q_EMIT commandsChanged();
    if (const int row = shownIndex().row(); row >= 0) m_row = row; // else it stays for when something matches
    if (const auto count = static_cast<int>(allChosen().size()); count > 1)
        return m_title->setText(tr("%n model(s) chosen", nullptr, count));
    if (entry == nullptr) return m_title->setText(tr("Nothing matches."));
    m_title->setText(breakable(entry->name));
    const QString text = historyOf(*entry);
    m_made->setText(text);
    m_made->setVisible(!text.isEmpty());
    const auto disk = m_disks.constFind(entry->runFolder);
    m_keeps->setVisible(disk != m_disks.cend());
    if (disk != m_disks.cend())
        m_keeps->setText(disk->moments == 0
                             ? tr("Its training takes %1 of the disk.").arg(diskText(disk->bytes))
                             : tr("Its training takes %1 of the disk, %2 of it in %n saved moment(s).",
                                  nullptr, disk->moments)
                                   .arg(diskText(disk->bytes), diskText(disk->momentBytes)));
    if (!m_licence->hasFocus() && !m_licence->isModified()) m_licence->setText(entry->note);
    if (!std::exchange(m_stale, false)) return;
    look();
    m_check->read(m_shown);
}

void ModelsPage::showParts(const ModelEntry* entry) {
    const bool some = entry != nullptr;
    showButtons(entry);
    m_check->setVisible(some);
    m_licencePart->setVisible(some && entry->recordId != 0);
    showQuestion(entry);
    m_readLicence->setVisible(some && !m_licenceUrl.isEmpty());
    const auto& all = m_services.models.entries();
    const bool own = std::any_of(all.begin(), all.end(), [](const ModelEntry& one) {
        return one.origin == ModelEntry::Origin::Imported && one.isModel();
    });
    m_hint->setVisible(some && entry->origin == ModelEntry::Origin::BuiltIn && !own);
    for (int i = 0; i < m_facts->count(); ++i) m_facts->itemAt(i)->widget()->setVisible(some);
    if (some) return;
    m_made->hide();
    m_keeps->hide();
}

void ModelsPage::showButtons(const ModelEntry* entry) {
    using Origin = ModelEntry::Origin;
    const bool some = entry != nullptr;
    const bool own = some && entry->origin != Origin::BuiltIn;
    const std::vector<const ModelEntry*> all = allChosen();
    const auto wasImported = [](const ModelEntry* one) { return one->origin == Origin::Imported; };
    const bool imported = some && entry->origin == Origin::Imported;
    const bool gone = some && entry->facts.gone;
    m_find->setVisible(imported && gone);
    m_pictures->setVisible(some && entry->facts.drawsPictures);
    m_train->setVisible(some && entry->isModel());
    m_run->setVisible(own && !imported);
    m_export->setVisible(some && isExported(*entry));
    m_rename->setVisible(own);
    m_forget->setVisible(!all.empty() && std::all_of(all.begin(), all.end(), wasImported));
    m_delete->setVisible(anyToDelete());
    for (QPushButton* button : {m_pictures, m_train, m_export}) button->setEnabled(!gone);
}

void ModelsPage::noteHash(const QString& path, const QString& sha256) {
    if (!m_services.models.noteHash(path, sha256)) return;
    messages().show({MessageKind::Caution,
                     tr("<b>The file of \"%1\" is another one than before.</b> Its name and what you noted "
                        "of its licence were kept: look whether they still fit.")
                         .arg(m_services.models.nameOf(path).toHtmlEscaped()),
                     {},
                     QStringLiteral("other file")});
}

void ModelsPage::takeShown(QString path) {
    if (!m_shown.isEmpty()) { // not what merely stands first
        m_last.clear();
        m_services.settings.set(keys::kModel, path);
    }
    m_shown = std::move(path);
}

void ModelsPage::look() {
    while (m_facts->rowCount() > 0) m_facts->removeRow(0);
    m_facts->addRow(new MutedLabel(tr("Looking at the model...")));
    m_licenceUrl.clear();
    m_readLicence->hide();
    const auto inspect = [path = m_shown] {
        const auto found = core::inspectPath(path.toStdString());
        core::Inspection facts = found ? *found : core::Inspection();
        if (!found) {
            facts.fault = core::ModelFault::Gone;
            facts.problem = found.error().text();
        }
        facts.path = path.toStdString();
        return std::tuple(facts, licenceOf(facts), licenceUrl(facts));
    };
    using Found = std::tuple<core::Inspection, QString, QUrl>;
    const auto take = [this, path = m_shown](const Found& found) {
        if (m_shown != path) return;
        const auto& [facts, licence, url] = found;
        showFacts(facts, licence);
        const ModelEntry* entry = m_services.models.find(path);
        if (entry != nullptr && entry->facts.gone != (facts.fault == core::ModelFault::Gone))
            m_services.models.lookAgain(path);
        m_licenceUrl = url;
        setPlainTip(*m_readLicence, url.toDisplayString(QUrl::PreferLocalFile));
        m_readLicence->setVisible(!url.isEmpty());
        m_check->setUsable(isUsed(facts.kind) && facts.problem.empty(),
                           facts.kind != core::InspectedKind::Model);
        m_licence->setPlaceholderText(licence.isEmpty() ? tr("Not said by the file: note it here") : licence);
    };
    inBackground(this, inspect, take, modelDrives(), m_shown);
}

void ModelsPage::showFacts(const core::Inspection& facts, const QString& licence) {
    while (m_facts->rowCount() > 0) m_facts->removeRow(0);
    std::vector<ModelFact> rows = modelFactsText(facts);
    rows.push_back({tr("Place"), QString::fromStdString(facts.path)});
    if (!licence.isEmpty()) rows.push_back({tr("Licence"), licence});
    for (const ModelFact& fact : rows) {
        QLabel* value = makeLabel(fact.value);
        value->setWordWrap(true);
        letCopy(value);
        letShrink(*value);
        setPlainTip(*value, fact.value);
        m_facts->addRow(makeFactName(fact.label), value);
    }
}

void ModelsPage::renameChosen() {
    const ModelEntry* entry = chosen();
    if (entry == nullptr || entry->origin == ModelEntry::Origin::BuiltIn) return;
    m_renaming = entry->path;
    m_title->hide();
    m_name->setText(entry->name);
    m_name->show();
    m_name->setFocus();
    m_name->selectAll();
}

void ModelsPage::leaveName() {
    m_name->hide();
    m_title->show();
}

bool ModelsPage::eventFilter(QObject* watched, QEvent* event) {
    const bool back = watched == m_name && event->type() == QEvent::KeyPress &&
                      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (!back) return Page::eventFilter(watched, event);
    m_renaming.clear();
    leaveName();
    m_view->setFocus();
    return true;
}

bool ModelsPage::ready(Command command) const {
    const ModelEntry* entry = chosen();
    switch (command) {
    case Command::Export: // as its button
        return entry != nullptr && isExported(*entry) && !entry->facts.gone;
    case Command::Rename:
        return entry != nullptr && entry->origin != ModelEntry::Origin::BuiltIn;
    case Command::Delete:
        return anyToDelete();
    default:
        return true;
    }
}

bool ModelsPage::command(Command command) {
    if (!offers(command)) return false;
    switch (command) {
    case Command::Import:
        chooseImport(false);
        return true;
    case Command::Rename:
        renameChosen();
        return true;
    case Command::Export:
        m_export->showMenu();
        return true;
    case Command::Delete:
        askToDelete();
        return true;
    default:
        return false;
    }
}

QWidget* ModelsPage::searchField() {
    return m_search;
}

} // namespace homebooth::app
