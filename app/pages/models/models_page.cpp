// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/models_page.h"

#include "app/engine/engine_call.h"
#include "app/engine/run_centre.h"
#include "app/library/library_service.h"
#include "app/pages/models/model_facts_text.h"
#include "app/settings/settings.h"
#include "app/shell/job_bar.h"
#include "app/theme/metrics.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "core/base/model/model_hash.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QDirIterator>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPointer>
#include <QThreadPool>

namespace homebooth::app {

ModelsPage::ModelsPage(Services services, QWidget* parent)
    : Page(PageId::Models, tr("Models"), parent)
    , m_services(services)
    , m_list(services.models) {
    auto* folder = addButton(tr("Import folder..."), QStringLiteral("folder"));
    connect(folder, &QPushButton::clicked, this, [this] { chooseImport(true); });
    connect(addMainButton(tr("Import...")), &QPushButton::clicked, this, [this] { chooseImport(false); });
    auto* parts = new QWidget;
    auto* row = new QHBoxLayout(parts);
    tidy(row, 0, kGapBlock);
    row->addWidget(makeList());
    auto* card = new Card;
    auto* column = new QVBoxLayout(card);
    tidy(column, 1, 0);
    column->addWidget(makeScroll(makeDetails()));
    row->addWidget(card, 1);
    setContent(parts);
    connect(&m_list, &QAbstractItemModel::modelReset, this, [this] {
        if (m_list.rowCount() > 0) m_view->setCurrentIndex(m_list.index(0));
        refresh();
    });
    connect(&services.models, &ModelShelf::changed, this, &ModelsPage::refresh);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &ModelsPage::refresh);
    if (m_list.rowCount() > 0) m_view->setCurrentIndex(m_list.index(0));
    refresh();
}

QWidget* ModelsPage::makeList() {
    auto* part = new QWidget;
    part->setFixedWidth(kListWidth + 16);
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
    m_view->setUniformItemSizes(true);
    m_view->setIconSize({kIconSize, kIconSize});
    m_view->viewport()->setAutoFillBackground(false);
    m_disk = new MutedLabel;
    column->addWidget(m_search);
    column->addWidget(m_view, 1);
    column->addWidget(m_disk);
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
    m_facts = new QLabel;
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_hash = new MutedLabel;
    m_hash->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_made = new MutedLabel;
    m_pictures = makeButton(tr("Make pictures"), QStringLiteral("generate"));
    m_train = makeButton(tr("Train with it"), QStringLiteral("train"));
    m_run = makeButton(tr("Show the training"), QStringLiteral("chart"));
    m_export = makeButton(tr("Export as"), QStringLiteral("export"));
    m_remove = makeButton(tr("Take off the list"), QStringLiteral("trash"));
    auto* menu = new QMenu(m_export);
    menu->addAction(tr("diffusers folder..."), this, [this] { exportChosen(QStringLiteral("diffusers")); });
    menu->addAction(tr("One .safetensors file..."), this,
                    [this] { exportChosen(QStringLiteral("checkpoint")); });
    m_export->setMenu(menu);
    auto* first = new QHBoxLayout;
    first->setSpacing(kGapLabel);
    for (QPushButton* button : {m_pictures, m_train, m_run}) first->addWidget(button);
    first->addStretch();
    auto* second = new QHBoxLayout;
    second->setSpacing(kGapLabel);
    for (QPushButton* button : {m_export, m_remove}) second->addWidget(button);
    second->addStretch();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_title, m_name, m_facts, m_hash, m_made})
        column->addWidget(widget);
    column->addLayout(first);
    column->addLayout(second);
    column->addStretch();
    connect(m_pictures, &QPushButton::clicked, this, [this] {
        if (chosen() != nullptr) Q_EMIT picturesWanted(chosen()->path);
    });
    connect(m_train, &QPushButton::clicked, this, [this] {
        if (chosen() != nullptr) Q_EMIT trainWanted(chosen()->path);
    });
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (chosen() != nullptr) Q_EMIT runWanted(chosen()->runFolder);
    });
    connect(m_remove, &QPushButton::clicked, this, &ModelsPage::removeChosen);
    connect(m_name, &QLineEdit::editingFinished, this, [this] {
        if (m_name->isHidden() || chosen() == nullptr) return;
        m_name->hide();
        m_title->show();
        m_services.models.rename(chosen()->recordId, m_name->text());
    });
    return part;
}

const ModelEntry* ModelsPage::chosen() const {
    return m_list.at(m_view->currentIndex().row());
}

void ModelsPage::activated() {
    m_services.models.refresh();
    measureRuns();
}

void ModelsPage::refresh() {
    const ModelEntry* entry = chosen();
    for (QPushButton* button : {m_pictures, m_train, m_run, m_export, m_remove})
        button->setVisible(entry != nullptr);
    if (entry == nullptr) return m_title->setText(tr("Nothing matches."));
    m_title->setText(entry->name);
    m_train->setVisible(!entry->lora);
    m_run->setVisible(entry->origin == ModelEntry::Origin::Run);
    m_remove->setVisible(entry->origin == ModelEntry::Origin::Imported);
    m_export->setVisible(!entry->lora);
    QStringList made;
    for (const ModelEntry& other : m_services.models.entries())
        if (other.base == entry->path) made.append(other.name);
    QString text = entry->prompt.isEmpty() ? QString() : tr("Learned: \"%1\"").arg(entry->prompt);
    if (!made.isEmpty())
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) +
                tr("Made from it: %1").arg(made.join(QStringLiteral(", ")));
    m_made->setText(text);
    m_made->setVisible(!text.isEmpty());
    if (m_shown == entry->path) return;
    m_shown = entry->path;
    look();
    hash();
}

void ModelsPage::look() {
    m_facts->setText(tr("Looking at the model..."));
    QPointer<ModelsPage> self(this);
    QThreadPool::globalInstance()->start([self, path = m_shown] {
        const auto found = core::inspectPath(path.toStdString());
        const QString text = found ? modelFactsText(*found) : QString::fromStdString(found.error().text());
        QMetaObject::invokeMethod(qApp, [self, path, text] {
            if (self && self->m_shown == path) self->m_facts->setText(text + '\n' + path);
        });
    });
}

void ModelsPage::hash() {
    m_hash->setText(tr("SHA-256: working it out..."));
    QPointer<ModelsPage> self(this);
    QThreadPool::globalInstance()->start([self, path = m_shown] {
        const auto found = core::modelHash(path.toStdString());
        const QString text = found && *found ? QString::fromStdString(**found) : QString();
        QMetaObject::invokeMethod(qApp, [self, path, text] {
            if (self && self->m_shown == path)
                self->m_hash->setText(text.isEmpty() ? QString() : tr("SHA-256 %1").arg(text));
        });
    });
}

void ModelsPage::measureRuns() {
    QPointer<ModelsPage> self(this);
    QThreadPool::globalInstance()->start([self, folder = m_services.settings.runsFolder()] {
        qint64 moments = 0;
        int count = 0;
        QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            if (!path.contains(QLatin1String("/checkpoints/"))) continue;
            moments += files.fileInfo().size();
            count += path.endsWith(QLatin1String("/manifest.json")) ? 1 : 0;
        }
        QMetaObject::invokeMethod(qApp, [self, moments, count] {
            if (self)
                self->m_disk->setText(count > 0
                                          ? tr("Trainings keep %1 in %n saved moment(s).", nullptr, count)
                                                .arg(diskText(moments))
                                          : QString());
        });
    });
}

void ModelsPage::chooseImport(bool folder) {
    auto* dialog = new QFileDialog(this, tr("Import a model"), QDir::homePath(),
                                   folder ? QString() : tr("Models and add-ons (*.safetensors *.ckpt)"));
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, &m_services.models, &ModelShelf::import);
    dialog->open();
}

void ModelsPage::exportChosen(const QString& kind) {
    const ModelEntry* entry = chosen();
    if (entry == nullptr) return;
    const bool file = kind == QLatin1String("checkpoint");
    const QString name = entry->name + (file ? QStringLiteral(".safetensors") : QString());
    auto* dialog = new QFileDialog(this, tr("Export %1").arg(entry->name), QDir::homePath() + '/' + name);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this, from = entry->path, kind](const QString& to) {
        messages().show({MessageKind::Note, tr("Exporting..."), {}, QStringLiteral("export")});
        EngineCall::start(this, {QStringLiteral("convert"), from, to, QStringLiteral("--to"), kind},
                          [this, to](const EngineAnswer& answer) {
                              const bool fine = answer.exitCode == 0;
                              messages().show(
                                  {fine ? MessageKind::Good : MessageKind::Error,
                                   (fine ? tr("Exported to %1.").arg(to) : answer.error).toHtmlEscaped(),
                                   {},
                                   QStringLiteral("export")});
                          });
    });
    dialog->open();
}

void ModelsPage::removeChosen() {
    const ModelEntry* entry = chosen();
    if (entry == nullptr || entry->origin != ModelEntry::Origin::Imported) return;
    const QString path = entry->path;
    m_services.models.forget(entry->recordId);
    messages().show(
        {MessageKind::Note,
         tr("%1 is off the list. Its files stay.").arg(QFileInfo(path).fileName().toHtmlEscaped()),
         {{tr("Undo"),
           [this, path] {
               messages().drop(QStringLiteral("removed"));
               m_services.models.import(path);
           }}},
         QStringLiteral("removed")});
}

void ModelsPage::renameChosen() {
    const ModelEntry* entry = chosen();
    if (entry == nullptr || entry->origin != ModelEntry::Origin::Imported) return;
    m_title->hide();
    m_name->setText(entry->name);
    m_name->show();
    m_name->setFocus();
    m_name->selectAll();
}

bool ModelsPage::command(Command command) {
    switch (command) {
    case Command::Import:
        chooseImport(false);
        return true;
    case Command::Rename:
        renameChosen();
        return true;
    case Command::Delete:
        removeChosen();
        return true;
    default:
        return false;
    }
}

QWidget* ModelsPage::searchField() {
    return m_search;
}

} // namespace homebooth::app
