// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the page Generate makes a picture once more at a larger size.
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/enlarging.h"
#include "app/engine/pictures/picture_device.h"
#include "app/engine/pictures/picture_sizes.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/prompt/prompt_text.h"
#include "app/settings/settings.h"
#include "app/widgets/message_bar.h"

namespace homebooth::app {
namespace {

constexpr const char* kSettingsMessage = "settings";

} // namespace

void GeneratePage::enlarge() {
    const QModelIndex index = chosen();
    if (!index.isValid()) return;
    const core::SampleConfig made = m_results.configOf(index.row());
    const ModelShelf& models = m_services.models;
    const QString model = QString::fromStdString(made.model);
    const QSize size(static_cast<int>(made.widthPixels), static_cast<int>(made.heightPixels));
    const std::optional<QSize> larger = enlargedSize(size, models.sizeStepOf(model));
    if (!larger) return sayLargeEnough(size);
    const qint64 pixels = models.pixelsOf(model);
    core::SampleConfig job = enlarging(made, index.data(PathRole).toString().toStdString(), *larger, pixels);
    placePictures(job, m_services.settings, pixels);
    job.outputDir = todaysPictures(m_services.settings).toStdString();
    clearMessages();
    sayThatItCompares(); // it goes on, and can be stopped
    handUsable({job}, literalPrompt(QString::fromStdString(made.prompt)).toStdString());
}

void GeneratePage::prepareToEnlarge(const QString& picture, QSize size, const QString& text,
                                    const QString& recordedPath) {
    if (!useParameters(text, recordedPath)) return;
    const core::SampleConfig now = m_form->config();
    const std::optional<QSize> larger =
        enlargedSize(size, m_services.models.sizeStepOf(QString::fromStdString(now.model)));
    if (!larger) return sayLargeEnough(size);
    m_form->enlarge(picture, *larger);
    messages().show(
        {MessageKind::Note,
         tr("The picture is made once more with %1 px: press Make a picture.").arg(sizeText(*larger)),
         {},
         QLatin1String(kSettingsMessage)});
}

void GeneratePage::sayLargeEnough(QSize size) {
    messages().show({MessageKind::Note,
                     tr("The picture has %1 px. Larger ones are not made of it.").arg(sizeText(size)),
                     {},
                     QLatin1String(kSettingsMessage)});
}

} // namespace homebooth::app
