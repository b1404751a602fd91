// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of models share: models that were brought along, results of trainings, the page's list.
// One a test program; GUI thread.
#pragma once

#include "app/pages/models/models_page.h"
#include "app_files.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "model_records.h"

#include <QListView>
#include <QMessageBox>

namespace homebooth::app {

/// Has the manifest of a saved moment name what lies there now.
inline void sealCheckpoint(const QString& folder, int64_t step, bool rolling = false) {
    core::ManifestOptions options;
    options.step = step;
    options.rolling = rolling;
    QVERIFY(core::writeManifest(folder.toStdString(), options));
}

/// A saved moment of a run, with the optimizer's states.
inline void writeCheckpoint(const QString& run, int64_t step, bool rolling = false) {
    const QString folder = run + u"/checkpoints/step-%1"_s.arg(step, 6, 10, QLatin1Char('0'));
    writeBytes(folder + u"/unet.safetensors"_s, QByteArray(1000, 'u'));
    writeBytes(folder + u"/optimizer-unet.safetensors"_s, QByteArray(2000, 'o'));
    sealCheckpoint(folder, step, rolling);
}

/// Chooses a model of the page by its name.
inline void choose(const ModelsPage& page, const QString& name) {
    auto* list = page.findChild<QListView*>();
    for (int row = 0; row < list->model()->rowCount(); ++row)
        if (list->model()->index(row, 0).data().toString() == name)
            list->setCurrentIndex(list->model()->index(row, 0));
    QCOMPARE(list->currentIndex().data().toString(), name);
}

/// The page, which is seen, with a model that is chosen by its name.
class PageOfModel : public ModelsPage {
public:
    PageOfModel(TestServices& services, const QString& name)
        : ModelsPage(services.all()) {
        show();
        choose(*this, name);
    }
};

/// Gives what is chosen another name, as by F2.
inline void renameTo(ModelsPage& page, const QString& name) {
    QVERIFY(page.command(Page::Command::Rename));
    auto* field = fieldNamed(page, u"Name of the model"_s);
    QVERIFY(!field->isHidden());
    field->setText(name);
    QTest::keyClick(field, Qt::Key_Return);
}

/// Clicks on what a question asks about.
inline void agree(QMessageBox& box) {
    for (auto* button : box.buttons())
        if (box.buttonRole(button) == QMessageBox::DestructiveRole) button->click();
}

class KnownModelsTest : public ServicesTest {
public:
    using ServicesTest::ServicesTest;

protected:
    /// A finished run with a result, known to the window. @returns its folder
    QString makeRun(const QString& title, const QString& model) {
        core::RunRecord run;
        run.id = core::newRecordId();
        run.title = title.toStdString();
        run.folder = m_place.path(u"runs/"_s + title).toStdString();
        run.model = model.toStdString();
        run.state = "done";
        run.createdMs = run.endedMs = core::nowMs();
        const QString folder = QString::fromStdString(run.folder);
        QDir().mkpath(folder + u"/result"_s);
        QFile::link(builtInModel(), folder + u"/result/model"_s);
        m_services->library.write([run](core::Library& library) { return core::saveRun(library, run); });
        m_services->runs.open(m_services->settings.runsFolder());
        const QString result = folder + u"/result/model"_s;
        [&] { QTRY_VERIFY(m_services->models.find(result) != nullptr); }();
        return folder;
    }
    /// An imported model in the library. @returns its record
    core::ModelRecord addModel(const QString& name) {
        core::ModelRecord record = modelRecord(name, m_place.path(name));
        record.addedMs = core::nowMs();
        QFile::link(builtInModel(), m_place.path(name));
        m_services->models.put(record);
        return record;
    }
};

} // namespace homebooth::app
