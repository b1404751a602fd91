// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Models has the engine write: exports, and models anew with the user's answer to how they
// predict, and the question for that. Off the window's thread, with progress and a way to stop.
#include "app/engine/engine_call.h"
#include "app/engine/engine_words.h"
#include "app/engine/figures.h"
#include "app/engine/pictures/picture_device.h"
#include "app/engine/places.h"
#include "app/engine/runs/disk_use.h"
#include "app/library/background.h"
#include "app/pages/models/models_page.h"
#include "app/pages/models/prediction_trial.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/room_message.h"
#include "core/base/model/model_hash.h"
#include "core/base/run/journal/event_json.h"

#include <QBoxLayout>
#include <QCryptographicHash>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QListView>
#include <QMenu>

namespace homebooth::app {
namespace {
constexpr int kStopped = 5; // exit code of what was asked to stop

/// What the engine says is left to be chosen in other programs. @param to  what was written
void tellChoices(const QByteArray& output, const QString& to, MessageBar& messages) {
    for (const QByteArray& line : output.split('\n')) {
        const auto entry = core::parseJournalLine({line.constData(), static_cast<size_t>(line.size())});
        const auto* warning = entry ? std::get_if<core::WarningEvent>(&entry->event) : nullptr;
        if (warning == nullptr) continue;
        const QString words = QStringLiteral("<b>%1</b><br>").arg(QFileInfo(to).fileName().toHtmlEscaped()) +
                              warningHeadline(warning->code).toHtmlEscaped();
        messages.show({MessageKind::Caution, words, {}, QStringLiteral("choose ") + to});
    }
}

/// Why nothing was written, for a message. @param to  where it was to be
QString writingTrouble(const QString& failed, const QString& error, const QString& to) {
    QString why;
    if (error.contains(QLatin1String("something with this name exists"))) // as the engine has it
        why = ModelsPage::tr("\"%1\" exists already. Choose another name.");
    else if (error.contains(QLatin1String("expected the name of a folder")))
        why = ModelsPage::tr("\"%1\" is a file's name, but a folder is written. Choose another name.");
    else
        return troubleText(failed, error);
    return QStringLiteral("<b>%1</b> %2")
        .arg(failed.toHtmlEscaped(), why.arg(QFileInfo(to).fileName()).toHtmlEscaped());
}

/// What a model is called on the disk, also one that the user has named like a file.
QString plainName(const QString& name) {
    QString plain = safeFileName(name);
    for (const QLatin1String ending : {QLatin1String(".safetensors"), QLatin1String(".ckpt")})
        if (plain.endsWith(ending, Qt::CaseInsensitive)) plain.chop(ending.size());
    return plain.trimmed();
}

} // namespace

QByteArray ModelsPage::predictionKey(const QString& path) {
    return "prediction/" +
           QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
}

bool ModelsPage::asksAbout(const ModelEntry& entry) const {
    return entry.looked && entry.facts.drawsPictures && !entry.facts.predictionKnown &&
           !m_answered.contains(entry.path) &&
           m_services.settings.text(predictionKey(entry.path).constData()).isEmpty();
}

bool ModelsPage::mayAsk(const ModelEntry& entry) const {
    return entry.looked && entry.facts.drawsPictures && !entry.facts.predictionSaid &&
           !m_answered.contains(entry.path);
}

QWidget* ModelsPage::makeDoubt() {
    m_doubt = makeButton(tr("Are its pictures grey noise?"), {}, "quiet");
    m_doubt->setToolTip(tr("The file does not say what it predicts. A picture each way shows it."));
    m_doubt->hide();
    connect(m_doubt, &QPushButton::clicked, this, [this] {
        if (chosen() == nullptr) return;
        m_doubted = chosen()->path;
        refresh();
    });
    return m_doubt;
}

QWidget* ModelsPage::makeAnswers() {
    auto* answers = new QWidget;
    auto* row = new FlowLayout(answers, kGapLabel);
    auto* noise = makeButton(tr("Noise (epsilon)"));
    m_velocity = makeButton(tr("v (most SD 2.x of 768 px)"));
    m_fromNoise = makeButton(tr("v, from noise alone (most SDXL of v)"));
    for (QPushButton* button : {noise, m_velocity, m_fromNoise}) row->addWidget(button);
    connect(noise, &QPushButton::clicked, this, [this] { answerPrediction(Predicts::Noise); });
    connect(m_velocity, &QPushButton::clicked, this, [this] { answerPrediction(Predicts::Velocity); });
    connect(m_fromNoise, &QPushButton::clicked, this,
            [this] { answerPrediction(Predicts::VelocityFromNoise); });
    return answers;
}

QWidget* ModelsPage::makeQuestion() {
    auto* part = new Card;
    auto* column = new QVBoxLayout(part);
    tidy(column, kGapBlock, kGapLabel);
    auto* text = new QLabel(tr("The file does not say what it predicts. The wrong answer gives grey noise."));
    text->setWordWrap(true);
    m_trial = new PredictionTrial(m_services.generator);
    column->addWidget(text);
    column->addWidget(m_trial);
    column->addWidget(makeAnswers());
    connect(m_trial, &PredictionTrial::answered, this, &ModelsPage::answerPrediction);
    connect(m_trial, &PredictionTrial::failed, this, &ModelsPage::sayTrialFailed);
    part->hide();
    return part;
}

/// @param entry  the chosen one; null: none
void ModelsPage::showQuestion(const ModelEntry* entry) {
    const bool may = entry != nullptr && mayAsk(*entry);
    const bool asks = entry != nullptr && (asksAbout(*entry) || (may && m_doubted == entry->path));
    m_question->setVisible(asks);
    m_doubt->setVisible(may && !asks);
    if (entry == nullptr) return;
    const bool xl = entry->facts.family == core::ModelFamily::StableDiffusionXl;
    m_velocity->setText(xl ? tr("v") : tr("v (most SD 2.x of 768 px)"));
    m_fromNoise->setVisible(xl);
    core::SampleConfig place;
    placePictures(place, m_services.settings, entry->facts.pixels);
    m_trial->setModel(entry->path, place, xl);
}

void ModelsPage::answerPrediction(Predicts answer) {
    // Nothing is being edited any more, nor does the licence get the focus when the question hides:
    // either would keep the model that is written anew from being shown.
    if (m_question->isAncestorOf(window()->focusWidget())) m_view->setFocus();
    m_trial->leave();
    const ModelEntry* entry = chosen();
    if (entry == nullptr) return;
    const QString path = entry->path;
    const QString word =
        answer == Predicts::Noise ? QStringLiteral("epsilon") : QStringLiteral("v_prediction");
    const auto note = [this, path, word] {
        m_answered.removeAll(path);
        if (m_doubted == path) m_doubted.clear();
        m_services.settings.set(predictionKey(path).constData(), word);
        refresh();
    };
    QStringList said{QStringLiteral("--prediction-type"), word};
    if (answer == Predicts::VelocityFromNoise)
        said.append(QStringLiteral("--zero-terminal-snr"));
    else if (word == QLatin1String(core::toString(entry->facts.prediction)))
        return note(); // as was assumed
    writeAnew({path, plainName(entry->name), said, note},
              m_services.settings.text(keys::kHome) + QStringLiteral("/models"));
}

void ModelsPage::writeAnew(const Rewriting& model, const QString& folder) {
    const QString to = freeFolder(folder, model.name);
    // Noted once it is written, or nobody would be asked again, and pictures were grey noise.
    m_answered.append(model.path);
    refresh();
    const auto undone = [this, path = model.path] {
        m_answered.removeAll(path);
        refresh();
    };
    const auto elsewhere = [this, model](const QString& other) { writeAnew(model, other); };
    const auto go = [this, model, to, undone, elsewhere] {
        makeFolder(QFileInfo(to).path());
        write(QStringList{model.path, to, QStringLiteral("--to"), QStringLiteral("diffusers")} + model.said,
              tr("Writing the model anew with what you said, to %1. The file itself stays as it is.")
                  .arg(to.toHtmlEscaped()),
              tr("The model could not be written anew."),
              {[this, model, to] {
                   model.note();
                   m_services.models.import(to);
               },
               undone, elsewhere});
    };
    ifRoom(model.path, to, go, elsewhere, undone);
}

void ModelsPage::write(const QStringList& order, const QString& going, const QString& failed,
                       const AfterWriting& after) {
    const QString key = QStringLiteral("write ") + order.value(1); // several may be written at once
    const auto take = [this, key, order, failed, after](const EngineAnswer& answer) {
        messages().drop(key);
        if (answer.exitCode == 0) {
            after.done();
            return tellChoices(answer.output, order.value(1), messages());
        }
        if (after.undone) after.undone();
        if (answer.exitCode == kStopped)
            return messages().show({MessageKind::Note, tr("Stopped. Nothing was written."), {}, key});
        const bool full = answer.error.contains(QLatin1String("disk is full")); // as systemError has it
        if (!full)
            return messages().show(
                {MessageKind::Error, writingTrouble(failed, answer.error, order.value(1)), {}, key});
        tellFull(order.value(0), order.value(1), after.elsewhere, failed);
    };
    const QPointer<EngineCall> call = EngineCall::start(
        this, QStringList{QStringLiteral("convert")} + order + QStringList{QStringLiteral("--json")}, take);
    messages().show({MessageKind::Note,
                     going,
                     {{tr("Stop"),
                       [call] {
                           if (call) call->stop();
                       }}},
                     key});
    connect(call, &EngineCall::progressed, this, [this, key, going](qint64 written, qint64 total) {
        if (total > 0)
            messages().setText(
                key, QStringLiteral("%1<br>").arg(going) +
                         tr("%1 of %2 written").arg(diskText(written), diskText(total)).toHtmlEscaped());
    });
}

void ModelsPage::fillExportMenu() {
    QMenu* menu = m_export->menu();
    menu->clear();
    const ModelEntry* entry = chosen();
    const auto add = [this, menu](const QString& text, const char* kind) {
        menu->addAction(text, this, [this, kind] { exportChosen(QString::fromLatin1(kind)); });
    };
    if (entry != nullptr && entry->kind == ModelEntry::Kind::Lora) {
        add(tr("Add-on for A1111 and ComfyUI (kohya)..."), "kohya-lora");
        add(tr("Add-on for diffusers..."), "diffusers-lora");
        return;
    }
    add(tr("diffusers folder..."), "diffusers");
    add(tr("One .safetensors file..."), "checkpoint");
}

QString ModelsPage::exportName(const ModelEntry& entry) {
    // Other programs find an add-on by its file's name, which the text of pictures has in tags.
    if (entry.origin != ModelEntry::Origin::Run && entry.isModel()) return plainName(entry.name);
    QString name = QString::fromStdString(core::modelName(entry.path.toStdString()));
    return name.replace(':', '_'); // as tags have it
}

void ModelsPage::exportChosen(const QString& kind) {
    const ModelEntry* entry = chosen();
    if (entry == nullptr) return;
    const bool file = kind != QLatin1String("diffusers");
    const QString name = exportName(*entry) + (file ? QStringLiteral(".safetensors") : QString());
    auto* dialog = new QFileDialog(this, tr("Export %1").arg(entry->name), QDir::homePath() + '/' + name);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // nothing is ever written over
    if (file) dialog->setDefaultSuffix(QStringLiteral("safetensors"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, from = entry->path, kind](const QString& to) { exportTo(from, to, kind); });
    dialog->open();
}

void ModelsPage::tellNoRoomFor(const Shortage& disk, const QString& to,
                               const std::function<void(const QString&)>& elsewhere, const QString& kept) {
    tellNoRoom(*this, messages(), {QFileInfo(to).path(), disk, kept, QStringLiteral("write ") + to},
               elsewhere);
}

void ModelsPage::tellFull(const QString& from, const QString& to,
                          const std::function<void(const QString&)>& elsewhere, const QString& kept) {
    const auto look = [from, to] { return Shortage{diskBytesOf(from), freeBytesAt(to)}; };
    inBackground(this, look, [this, to, elsewhere, kept](const Shortage& disk) {
        tellNoRoomFor(disk, to, elsewhere, kept);
    });
}

void ModelsPage::ifRoom(const QString& from, const QString& to, const std::function<void()>& go,
                        const std::function<void(const QString&)>& elsewhere,
                        const std::function<void()>& undone) {
    const auto look = [from, to] { return Shortage{diskBytesOf(from), freeBytesAt(to)}; };
    inBackground(this, look, [this, to, go, elsewhere, undone](const Shortage& disk) {
        if (disk.freeBytes < 0 || disk.freeBytes >= disk.neededBytes) return go();
        if (undone) undone();
        tellNoRoomFor(disk, to, elsewhere, tr("Nothing was written."));
    });
}

void ModelsPage::exportTo(const QString& from, const QString& to, const QString& kind) {
    const auto elsewhere = [this, from, to, kind](const QString& folder) {
        exportTo(from, folder + '/' + QFileInfo(to).fileName(), kind);
    };
    const auto go = [this, from, to, kind, elsewhere] {
        const auto done = [this, to] {
            messages().show({MessageKind::Good,
                             tr("Exported to %1.").arg(to).toHtmlEscaped(),
                             {},
                             QStringLiteral("write ") + to});
        };
        write({from, to, QStringLiteral("--to"), kind}, tr("Exporting to %1.").arg(to).toHtmlEscaped(),
              tr("The model could not be exported."), {done, {}, elsewhere});
    };
    ifRoom(from, to, go, elsewhere);
}

} // namespace homebooth::app
