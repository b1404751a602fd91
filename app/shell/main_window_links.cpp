// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What leads from one page to another, and what the services have to say to the page in view.
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/when_text.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/models/model_commands.h"
#include "app/pages/models/models_page.h"
#include "app/pages/queue/queue_page.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/pages/train/train_page.h"
#include "app/settings/settings.h"
#include "app/shell/drops/import_news.h"
#include "app/shell/job_bar.h"
#include "app/shell/main_window.h"
#include "app/shell/undo_places.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/toast.h"

#include <QDateTime>
#include <QLocale>
#include <QUndoStack>

#include <algorithm>

namespace homebooth::app {
namespace {

/// What became of a library that was recovered.
QString recoveryText(const core::LibraryRecovery& recovery) {
    const QString from =
        recovery.backupFile.empty()
            ? MainWindow::tr("There was no backup: the library begins anew.")
            : MainWindow::tr("Restored from the backup of %1; runs and pictures were found again. What was "
                             "typed after that is missing.")
                  .arg(dateAndTimeText(QDateTime::fromMSecsSinceEpoch(recovery.backupMs)));
    const QString what = recovery.missing ? MainWindow::tr("<b>The library was missing.</b> %1")
                                          : MainWindow::tr("<b>The library was damaged.</b> %1");
    return what.arg(from);
}

/// The models and LoRA files of jobs that are still to be done.
QStringList filesInUse(const std::vector<GenerationJob>& jobs) {
    QStringList files;
    for (const GenerationJob& job : jobs) {
        files.append(QString::fromStdString(job.config.model));
        for (const core::LoraReference& lora : job.config.loras)
            files.append(QString::fromStdString(lora.file));
    }
    return files;
}

} // namespace

void MainWindow::connectPages() {
    connectTraining();
    connectStores();
    connectLargeViews();
    connectJobs();
    connectLibrary();
    connectModels();
    makeUndo();
    connect(&m_services.settings, &Settings::changed, this, [this](const QByteArray& key) {
        if (key != keys::kHome) return;
        m_services.runs.open(m_services.settings.runsFolder());
        m_services.album.open(m_services.settings.picturesFolder());
    });
    connect(&m_services.settings, &Settings::notWritten, this, [this](const QString& file) {
        say(MessageKind::Caution,
            tr("<b>Settings are kept until the window closes, no longer.</b> %1 cannot be written. "
               "Free room on its disk, or allow writing there.")
                .arg(file.toHtmlEscaped()),
            QStringLiteral("settings"));
    });
    connect(&m_services.settings, &Settings::writtenAgain, this,
            [this] { unsay(QStringLiteral("settings")); });
}

void MainWindow::makeUndo() {
    QUndoStack& undo = m_services.undo;
    connect(m_toast, &Toast::undone, &undo, &QUndoStack::undo);
    // The toast's button means the step that it was shown for; after another one it would mean that.
    connect(&undo, &QUndoStack::indexChanged, this, [this](int step) {
        if (step != m_toastStep) m_toast->hide();
    });
    auto* places = new UndoPlaces(
        undo, [this] { return currentPage(); }, this);
    connect(places, &UndoPlaces::changedOn, this, [this](PageId page) {
        if (page != currentPage()) showPage(page);
    });
    connect(
        &m_services.runs, &RunCentre::returnedElsewhere, this,
        [this](const QString& title, const QString& folder) {
            say(MessageKind::Note,
                tr("<b>%1 is back under another name.</b> Another training has its folder's; it lies in %2.")
                    .arg(title.toHtmlEscaped(), folder.toHtmlEscaped()),
                QStringLiteral("returned ") + folder);
        });
}

void MainWindow::say(MessageKind kind, const QString& text, const QString& key) {
    page(currentPage())->messages().show({kind, text, {}, key});
}

void MainWindow::unsay(const QString& key) {
    for (const auto& [id, one] : m_pages) one->messages().drop(key);
}

void MainWindow::sayElsewhere(PageId where, const QString& headline, const QString& detail) {
    if (currentPage() == where) return;
    MessageBar& messages = page(currentPage())->messages();
    const QString key = QStringLiteral("failed on another page");
    messages.show({MessageKind::Error,
                   troubleText(headline, detail),
                   {{tr("Open"),
                     [this, &messages, key, where] {
                         messages.drop(key);
                         showPage(where);
                     }}},
                   key});
}

void MainWindow::connectTraining() {
    connect(m_train, &TrainPage::pixelsChanged, m_subjects, &SubjectsPage::setLearningPixels);
    connect(m_train, &TrainPage::sizesChanged, m_datasets, &DatasetsPage::setLearnedSizes);
    connect(m_train, &TrainPage::sizesChanged, m_subjects, [this](const LearnedSizes& sizes) {
        m_subjects->setShapesKept(sizes.framing == core::FramingMode::Buckets);
    });
    connect(m_subjects, &SubjectsPage::trainWanted, this, [this](qlonglong subject) {
        m_train->prepareSubject(subject);
        showPage(PageId::Train);
    });
    connect(m_train, &TrainPage::photosWanted, this, [this](qlonglong subject) {
        m_subjects->select(subject);
        showPage(PageId::Subjects);
    });
    connect(m_train, &TrainPage::classWanted, this, [this](qlonglong subject) {
        showPage(PageId::Subjects);
        m_subjects->askForClass(subject);
    });
    connect(m_train, &TrainPage::picturesWanted, this,
            [this](const QString& model, const QString& lora, const QString& prompt) {
                showPage(PageId::Generate);
                m_generate->makeWith(model, lora, prompt);
            });
    connect(m_gallery, &GalleryPage::useSettings, this,
            [this](const QString& parameters, const QString& model) {
                if (m_generate->useParameters(parameters, model)) showPage(PageId::Generate);
            });
    connect(m_gallery, &GalleryPage::enlargeWanted, this,
            [this](const QString& picture, QSize size, const QString& parameters, const QString& model) {
                m_generate->prepareToEnlarge(picture, size, parameters, model);
                showPage(PageId::Generate);
            });
}

void MainWindow::connectStores() {
    connect(&m_services.album, &PictureAlbum::stayed, this, [this](int count) {
        say(MessageKind::Caution,
            tr("%n picture(s) cannot be deleted: another user's, or on a drive that is read-only.", nullptr,
               count),
            QStringLiteral("stayed"));
    });
    connect(m_datasets, &DatasetsPage::trainWanted, this, [this](const DatasetOrder& order) {
        if (!order.shapeOf.isEmpty()) m_train->prepareModel(order.shapeOf);
        m_train->prepareDataset(order);
        showPage(PageId::Train);
    });
    connect(m_datasets, &DatasetsPage::subjectWanted, this,
            [this](const QStringList& photos) { makeSubject(photos, true); });
    connect(m_queue, &QueuePage::runWanted, this, &MainWindow::showRun);
    connect(m_models, &ModelsPage::runWanted, this, &MainWindow::showRun);
    connect(m_models, &ModelsPage::trainWanted, this, [this](const QString& model) {
        m_train->prepareModel(model);
        showPage(PageId::Train);
    });
    for (Page* page : std::initializer_list<Page*>{m_train, m_generate})
        connect(page, &Page::roomWanted, this, [this](const QString& folder) {
            m_models->makeRoomFor(folder);
            showPage(PageId::Models);
        });
    connect(m_models, &ModelsPage::picturesWanted, this, [this](const QString& path) {
        m_generate->prepare(path);
        showPage(PageId::Generate);
    });
}

void MainWindow::showRun(const QString& folder) {
    m_services.runs.show(folder);
    m_train->showRun();
    showPage(PageId::Train);
}

void MainWindow::tellMissed(const QString& text, const QString& runFolder, bool well) {
    MessageBar& messages = page(currentPage())->messages();
    const QString key = QStringLiteral("missed ") + runFolder;
    messages.show({well ? MessageKind::Good : MessageKind::Caution,
                   text.toHtmlEscaped(),
                   {{tr("Open"),
                     [this, &messages, key, runFolder] {
                         messages.drop(key);
                         showRun(runFolder);
                     }}},
                   key,
                   {},
                   true});
}

void MainWindow::connectJobs() {
    connect(m_jobBar, &JobBar::opened, this, [this](bool training) {
        if (const RunSession* run = m_services.runs.working(); training && run != nullptr)
            m_services.runs.show(run->folder());
        if (training) m_train->showRun();
        showPage(training ? PageId::Train : PageId::Generate);
    });
    connect(&m_services.runs, &RunCentre::failed, this,
            [this](const QString& headline, const QString& detail) {
                sayElsewhere(PageId::Train, headline, detail);
            });
    connect(&m_services.runs, &RunCentre::momentsStay, this, &MainWindow::tellThatMomentsStay);
    connect(&m_services.runs, &RunCentre::trashed, this, &MainWindow::takeTrashed);
    connect(&m_services.runs, &RunCentre::noRoom, this, [this] {
        sayElsewhere(PageId::Train,
                     tr("The disk has no room for the photos of a training. Nothing was started."), {});
    });
    connect(&m_services.generator, &Generator::failed, this,
            [this](const QString& headline, const QString& detail) {
                const std::vector<GenerationJob>& jobs =
                    m_services.generator.jobs(); // the first one is still there
                const bool trial = !jobs.empty() && !jobs.front().config.predictionType.empty();
                if (!trial) sayElsewhere(PageId::Generate, headline, detail);
            });
    connect(&m_services.runs, &RunCentre::workChanged, this, &MainWindow::refreshBadges);
    connect(&m_services.runs, &RunCentre::queueChanged, this, &MainWindow::refreshBadges);
    connect(&m_services.generator, &Generator::jobsChanged, this, &MainWindow::refreshBadges);
    connect(&m_services.generator, &Generator::begun, this, &MainWindow::refreshBadges); // one waits no more
    connect(&m_services.runs, &RunCentre::finished, &m_services.models,
            [this] { m_services.models.refresh(); });
    connect(&m_services.generator, &Generator::cameBack, &m_services.models,
            [this] { m_services.models.tidy(filesInUse(m_services.generator.jobs())); });
}

void MainWindow::takeTrashed(const std::vector<int64_t>& ids, const QStringList& titles) {
    const auto count = static_cast<int>(ids.size());
    const QString text =
        count == 1 ? tr("delete %1").arg(titles.front()) : tr("delete %n training(s)", nullptr, count);
    m_services.undo.push(new RunTrashCommand(m_services.runs, ids, text));
    const bool gone =
        std::all_of(ids.begin(), ids.end(), [this](int64_t id) { return m_services.runs.wasGone(id); });
    if (gone)
        return toast(count == 1 ? tr("%1 is forgotten.").arg(titles.front())
                                : tr("%n training(s) are forgotten.", nullptr, count));
    toast(count == 1 ? tr("%1 is in the trash.").arg(titles.front())
                     : tr("%n training(s) are in the trash.", nullptr, count));
}

void MainWindow::tellThatMomentsStay(const QStringList& folders) {
    say(MessageKind::Caution,
        tr("<b>Saved moments stay in %1.</b> Copies of the deleted training, or the one that it was a "
           "copy of, may need them. If no training does, delete them yourself.")
            .arg(folders.join(QStringLiteral(", ")).toHtmlEscaped()),
        QStringLiteral("moments stay"));
}

void MainWindow::connectLibrary() {
    connect(&m_services.subjects, &SubjectBook::captionsLeftOut, this, [this](int files) {
        say(MessageKind::Caution,
            tr("<b>%n caption(s) beside the photos are left out.</b> Expected text in UTF-8, found another "
               "encoding. Save the files as UTF-8 and add the photos again, or type what is to be learned.",
               nullptr, files),
            QStringLiteral("captions left out"));
    });
    connect(&m_services.library, &LibraryService::failed, this, [this](const QString& message) {
        // Nobody may have changed anything: the library also keeps what was found out.
        say(MessageKind::Error,
            troubleText(tr("The library did not do this. The last change may not be kept."), message),
            QStringLiteral("library"));
    });
    const QString room = QStringLiteral("room for the library");
    connect(&m_services.library, &LibraryService::waitsForRoom, this, [this, room](const QString& message) {
        say(MessageKind::Caution,
            troubleText(tr("The disk of the library is full. Changes are kept until the window closes, and "
                           "written once there is room."),
                        message),
            room);
    });
    connect(&m_services.library, &LibraryService::roomCame, this, [this, room] { unsay(room); });
    connect(&m_services.album, &PictureAlbum::failed, this, [this](const QString& message) {
        say(MessageKind::Error, troubleText(tr("New pictures could not be taken into the gallery."), message),
            QStringLiteral("album"));
    });
    connect(&m_services.library, &LibraryService::opened, this,
            [this](const core::LibraryRecovery& recovery) {
                begin();
                tellDamagedSettings();
                if (!recovery.recovered) return;
                const QString key = QStringLiteral("recovery");
                const auto show = [this] { showPage(PageId::Subjects); }; // whose photos the captions are
                page(currentPage())
                    ->messages()
                    .show({MessageKind::Caution, recoveryText(recovery), {{tr("Show"), show}}, key});
            });
}

void MainWindow::tellDamagedSettings() {
    const QString file = m_services.settings.damagedFile();
    if (file.isEmpty()) return;
    say(MessageKind::Caution,
        tr("<b>The settings were damaged.</b> What could not be read begins anew, also the folder for "
           "trainings "
           "and pictures; look through the page Settings. The damaged file is kept as %1.")
            .arg(file.toHtmlEscaped()),
        QStringLiteral("damaged settings"));
}

void MainWindow::connectModels() {
    m_importNews =
        std::make_unique<ImportNews>([this]() -> MessageBar& { return page(currentPage())->messages(); },
                                     [this](const QString& key) { unsay(key); });
    connect(
        &m_services.models, &ModelShelf::refused, this,
        [this](const QString& headline, const QString& detail) { m_importNews->refused(headline, detail); });
    connect(m_models, &ModelsPage::importWanted, this, &MainWindow::importChosen);
    connect(m_train, &TrainPage::importWanted, m_models,
            [this] { m_models->command(Page::Command::Import); });
    connect(&m_services.models, &ModelShelf::imported, this, [this](const QString& path, bool addOn) {
        if (!addOn) m_generate->setModel(path);
        const ModelEntry* entry = m_services.models.find(path);
        m_importNews->taken(addOn, entry != nullptr && entry->kind == ModelEntry::Kind::Embedding);
        m_imported.append(path);
        askAboutImported(); // of what was known before it may be looked at already
    });
    connect(&m_services.models, &ModelShelf::changed, this, &MainWindow::askAboutImported);
}

void MainWindow::askAboutImported() {
    for (const QString& path : QStringList(m_imported)) {
        const ModelEntry* entry = m_services.models.find(path);
        if (entry == nullptr || !entry->looked) continue;
        m_imported.removeAll(path);
        m_train->takeImported(path);
        if (!m_models->asksAbout(*entry)) continue;
        MessageBar& messages = page(currentPage())->messages();
        const QString key = QStringLiteral("prediction ") + path;
        unsay(QStringLiteral("import"));
        messages.show({MessageKind::Caution,
                       tr("<b>%1 does not say what it predicts.</b> It was imported, but the wrong answer "
                          "gives grey noise instead of pictures.")
                           .arg(entry->name.toHtmlEscaped()),
                       {{tr("Answer"),
                         [this, &messages, key, path] {
                             messages.drop(key);
                             m_models->showModel(path);
                             showPage(PageId::Models);
                         }}},
                       key});
    }
}

} // namespace homebooth::app
