// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/model_facts_text.h"

#include "app/engine/figures.h"
#include "app/engine/models/model_words.h"
#include "app/pages/models/models_page.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QMimeDatabase>
#include <QStringList>

namespace homebooth::app {

namespace {

constexpr qint64 kMostReadme = 64 * 1024;

QString predictionText(const core::Inspection& facts) {
    const QString kind = facts.predictionType == "epsilon" ? ModelsPage::tr("noise (epsilon)")
                                                           : ModelsPage::tr("velocity (v)");
    if (!facts.predictionTypeKnown) return ModelsPage::tr("%1, but the file does not say it").arg(kind);
    return facts.predictionTypeSaid ? kind : ModelsPage::tr("%1, as is usual").arg(kind);
}

QString kindText(const core::Inspection& facts) {
    if (facts.language)
        return ModelsPage::tr("language model (%1)")
            .arg(QString::fromUtf8(core::familyName(facts.language->family).data()));
    const bool lora = facts.kind == core::InspectedKind::Lora;
    if (!facts.family)
        return lora ? ModelsPage::tr("add-on of rank %1 with %2 parts").arg(facts.rank).arg(facts.modules)
                    : QString();
    const QString family = *facts.family == core::ModelFamily::Other
                               ? ModelsPage::tr("Stable Diffusion of its own size")
                               : QString::fromUtf8(core::familyName(*facts.family).data());
    if (lora)
        return ModelsPage::tr("add-on of rank %1 with %2 parts, for %3")
            .arg(facts.rank)
            .arg(facts.modules)
            .arg(family);
    if (facts.kind != core::InspectedKind::Embedding) return family;
    return ModelsPage::tr("learned word of %n vector(s) for %1", nullptr, static_cast<int>(facts.vectors))
        .arg(family);
}

/// "license: openrail" in the lines between two "---" at the top. @param keys  the first one that is there
QString headOfReadme(const QDir& folder, std::initializer_list<const char*> keys) {
    QFile file(folder.filePath(QStringLiteral("README.md")));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QStringList lines = QString::fromUtf8(file.read(kMostReadme)).split('\n');
    if (lines.value(0).trimmed() != QLatin1String("---")) return {};
    for (const char* key : keys)
        for (qsizetype i = 1; i < lines.size() && lines[i].trimmed() != QLatin1String("---"); ++i)
            if (lines[i].startsWith(QLatin1String(key))) {
                QString name = lines[i].mid(int(qstrlen(key))).trimmed();
                return name.remove('"').remove('\'');
            }
    return {};
}

QStringList licenceFiles(const QDir& folder) {
    return folder.entryList({QStringLiteral("LICENSE*"), QStringLiteral("LICENCE*")}, QDir::Files);
}

/// Whether the desktop merely shows a file: by its name, else by its content. A page may run scripts, and
/// what is called a licence may be a program.
bool isPlainText(const QString& path) {
    const QString type = QMimeDatabase().mimeTypeForFile(path).name();
    return type == QLatin1String("text/plain") || type == QLatin1String("text/markdown") ||
           type == QLatin1String("text/x-rst");
}

/// The first one that can be opened to be read; empty: none. Of a link both its own name and what it leads
/// to count.
QString readableLicence(const QDir& folder) {
    for (const QString& name : licenceFiles(folder)) {
        const QString path = folder.absoluteFilePath(name);
        if (isPlainText(path) && isPlainText(QFileInfo(path).canonicalFilePath())) return path;
    }
    return {};
}

/// A page; nothing else is opened for a file that somebody made.
QUrl webPage(const QString& text) {
    const QUrl url(text.trimmed(), QUrl::StrictMode);
    const bool web = url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http");
    return web && url.isValid() && !url.host().isEmpty() ? url : QUrl();
}

} // namespace

std::vector<ModelFact> modelFactsText(const core::Inspection& facts) {
    std::vector<ModelFact> rows;
    const auto add = [&rows](const QString& label, const QString& value) {
        if (!value.isEmpty()) rows.push_back({label, value});
    };
    const bool whole = facts.language && facts.problem.empty();
    add(ModelsPage::tr("Problem"), modelTrouble(whole ? core::ModelFault::LanguageModel : facts.fault));
    add(ModelsPage::tr("In detail"), QString::fromStdString(facts.problem)); // as the core says it
    add(ModelsPage::tr("Kind"), kindText(facts));
    QStringList words;
    for (const std::string& word : facts.words) words.append(QString::fromStdString(word));
    add(ModelsPage::tr("In prompts"), words.join(QStringLiteral(", ")));
    if (facts.sidePixels > 0)
        add(ModelsPage::tr("Pictures"), QStringLiteral("%1 x %1 px").arg(facts.sidePixels));
    if (!facts.predictionType.empty()) add(ModelsPage::tr("Predicts"), predictionText(facts));
    if (facts.fault != core::ModelFault::Gone) add(ModelsPage::tr("Size"), diskText(facts.bytes));
    QStringList parts;
    const bool small = facts.kind == core::InspectedKind::Embedding; // its vectors were counted above
    for (const core::InspectedComponent& part : facts.components)
        if (!small)
            parts.append(ModelsPage::tr("%1: %2 million weights, %3")
                             .arg(modelPartName(part.name),
                                  QLocale().toString(double(part.parameters) / 1e6, 'f', 1),
                                  QString::fromStdString(part.types)));
    add(ModelsPage::tr("Parts"), parts.join('\n'));
    add(ModelsPage::tr("Trigger"), QString::fromStdString(facts.triggerPhrase));
    QStringList notes;
    for (const std::string& warning : facts.warnings) notes.append(modelNote(warning));
    notes.removeDuplicates(); // of SDXL's two tokenizers the same may be to be said
    for (const QString& note : notes) add(ModelsPage::tr("Note"), note);
    return rows;
}

QString licenceOf(const core::Inspection& facts) {
    for (const char* key : {"modelspec.license", "license"})
        if (const auto found = facts.metadata.find(key); found != facts.metadata.end())
            return QString::fromStdString(found->second);
    const QDir folder(QString::fromStdString(facts.path));
    if (!QFileInfo(folder.path()).isDir()) return {};
    const QString named = headOfReadme(folder, {"license_name:", "license:"});
    return named.isEmpty() ? licenceFiles(folder).value(0) : named;
}

QUrl licenceUrl(const core::Inspection& facts) {
    const QDir folder(QString::fromStdString(facts.path));
    if (QFileInfo(folder.path()).isDir()) {
        const QString file = readableLicence(folder);
        if (!file.isEmpty()) return QUrl::fromLocalFile(file);
        const QUrl link = webPage(headOfReadme(folder, {"license_link:"}));
        if (!link.isEmpty()) return link;
    }
    for (const char* key : {"modelspec.license", "license"})
        if (const auto found = facts.metadata.find(key); found != facts.metadata.end())
            return webPage(QString::fromStdString(found->second));
    return {};
}

} // namespace homebooth::app
