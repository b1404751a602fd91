// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/gpu_answer.h"
#include "app/engine/grouped_words.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/places.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/background.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/subject_book.h"
#include "app/library/thumbnails.h"
#include "app/settings/settings.h"
#include "app/shell/main_window.h"
#include "app/shell/single_instance.h"
#include "app/shell/surroundings.h"
#include "app/theme/theme.h"
#include "app/widgets/bring_up.h"
#include "core/base/util/version.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFile>
#include <QIcon>
#include <QImageReader>
#include <QLibraryInfo>
#include <QLocale>
#include <QUndoStack>

#include <algorithm>
#include <array>
#include <clocale>
#include <string_view>

namespace {

using namespace homebooth;

constexpr int kImageLimitMiB = 1024; // Qt's own 128 refuses large photos

/// What the program was started with.
struct Start {
    QStringList files;
    bool onlyCheck = false; ///< whether there can be a window, for installer/run
};

/// Whether words alone are asked for, which need no display. --help-all tells the options of windows, too.
bool asksForWords(int argc, char** argv) {
    constexpr std::array<std::string_view, 4> kWords{"-h", "--help", "-v", "--version"};
    char** const end = std::find(argv + 1, argv + argc, std::string_view("--")); // files follow
    return std::any_of(argv + 1, end, [&kWords](std::string_view one) {
        return std::find(kWords.begin(), kWords.end(), one) != kWords.end();
    });
}

/// Ends the program where there are words to say. @pre there is an application
Start readArguments() {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QObject::tr("Teaches an image model your own subject and makes pictures of it."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("files"),
                                 QObject::tr("Photos, a folder of them, a dataset's folder, or a model."),
                                 QStringLiteral("[files...]"));
    QCommandLineOption check(QStringLiteral("check-display"));
    check.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(check);
    parser.process(*QCoreApplication::instance());
    return {parser.positionalArguments(), parser.isSet(check)};
}

app::ColourScheme schemeOf(const app::Settings& settings) {
    const QString word = settings.text(app::keys::kColours);
    return word == QLatin1String("dark")    ? app::ColourScheme::Dark
           : word == QLatin1String("light") ? app::ColourScheme::Light
                                            : app::ColourScheme::System;
}

/// The first wished language that the window has words in; empty: none of them.
QString languageOf(const QLocale& wished) {
    for (const QString& name : wished.uiLanguages()) {
        QString code = name.section('-', 0, 0);
        if (QFile::exists(QStringLiteral(":/translations/homebooth_%1.qm").arg(code))) return code;
    }
    return {};
}

/// How English is written there; where nobody says, in Europe's way: with other dates than America's.
QLocale plainEnglish(QLocale::Territory territory) {
    const QLocale there(QLocale::English, territory);
    return there.territory() == territory ? there : QLocale(QLocale::English, QLocale::Europe);
}

/// Words, numbers and the side that they begin at are of one language: Qt's own words of another one, whose
/// window is not here, would mirror English.
void translate(const app::Settings& settings) {
    const QString word = settings.text(app::keys::kLanguage);
    const QLocale wished = word == QLatin1String("system") ? QLocale()
                           : word == QLatin1String("en")   ? plainEnglish(QLocale().territory())
                                                           : QLocale(word);
    const QString found = languageOf(wished);
    const bool known = !found.isEmpty() || wished.language() == QLocale::C;
    const bool latin = wished.zeroDigit() == QLatin1String("0"); // digits, as English words have them
    QLocale::setDefault(known && latin ? wished : plainEnglish(wished.territory()));
    const QString code = found.isEmpty() ? QStringLiteral("en") : found; // which has plurals to translate
    for (const auto& [name, folder] :
         {std::pair{QStringLiteral("qtbase_"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)},
          std::pair{QStringLiteral("homebooth_"), QStringLiteral(":/translations")}}) {
        auto* translator = new app::GroupedWords(QCoreApplication::instance());
        if (translator->load(name + code, folder)) QCoreApplication::installTranslator(translator);
    }
}

/// The user's own, to be asked before those that stay are made: what a damaged file is told by is theirs.
app::Settings settingsBefore() {
    return app::Settings({}, nullptr, app::SettingsFile::Damaged::Leave);
}

/// What holds for all of it. Before the arguments and the settings that stay: both have words that are
/// translated once. @pre there is an application
void settleApplication() {
    std::setlocale(LC_NUMERIC, "C"); // Qt took the user's, in which the core would write commas
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/homebooth.svg")));
    QImageReader::setAllocationLimit(kImageLimitMiB);
    translate(settingsBefore());
}

void follow(app::Settings& settings, app::Theme& theme) {
    const auto apply = [&settings, &theme] {
        theme.setReduceMotion(settings.flag(app::keys::kReduceMotion));
        theme.setHighContrast(settings.flag(app::keys::kHighContrast));
        theme.setScheme(schemeOf(settings));
        theme.setTextSize(settings.number(app::keys::kTextSize));
    };
    apply();
    QObject::connect(&settings, &app::Settings::changed, &theme, [apply](const QByteArray& key) {
        if (key.startsWith("look/")) apply();
    });
}

void follow(app::Settings& settings, app::Thumbnails& thumbnails) {
    constexpr qint64 kMegabyte = 1'000'000;
    const auto apply = [&settings, &thumbnails] {
        thumbnails.setDiskLimit(kMegabyte * settings.number(app::keys::kThumbnailRoom));
    };
    apply();
    QObject::connect(&settings, &app::Settings::changed, &thumbnails, [apply](const QByteArray& key) {
        if (key == app::keys::kThumbnailRoom) apply();
    });
}

void connectAll(app::MainWindow& window, const app::Services& services, app::SingleInstance& instance,
                const QStringList& files) {
    QObject::connect(&services.library, &app::LibraryService::opened, &window, [services] {
        services.subjects.load();
        services.models.refresh();
        services.runs.open(services.settings.runsFolder());
        services.album.open(services.settings.picturesFolder());
    });
    QObject::connect(&services.subjects, &app::SubjectBook::loadedAll, &window, [&window, files] {
        if (!files.isEmpty()) window.openPaths(files);
    });
    QObject::connect(&instance, &app::SingleInstance::asked, &window,
                     [&window](const QStringList& paths, const QByteArray& token) {
                         app::bringUp(window, token);
                         if (!paths.isEmpty()) window.openPaths(paths);
                     });
    QObject::connect(qApp, &QGuiApplication::lastWindowClosed, &instance, &app::SingleInstance::close);
}

/// Help or version, which need no display, and the end.
int tellWords(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    translate(settingsBefore());
    readArguments();
    return 0;
}

/// Whether this start is to go on: nobody else has the library.
bool isFirst(app::SingleInstance& instance, const QStringList& files, int& exitCode) {
    const app::SingleInstance::Role role = instance.begin(files);
    exitCode = role == app::SingleInstance::Role::Unheard ? 1 : 0;
    if (role == app::SingleInstance::Role::Unheard) app::SingleInstance::tellUnheard();
    return role == app::SingleInstance::Role::First;
}

} // namespace

int main(int argc, char** argv) {
    app::settleSurroundings();
    QCoreApplication::setApplicationName(QStringLiteral("Homebooth"));
    QCoreApplication::setApplicationVersion(QString::fromLatin1(core::versionText()));
    QGuiApplication::setDesktopFileName(QStringLiteral("homebooth"));
    if (asksForWords(argc, argv)) return tellWords(argc, argv);
    QApplication application(argc, argv); // aborts where no display answers
    settleApplication();
    const auto [files, onlyCheck] = readArguments();
    if (onlyCheck) return 0;
    app::makeOwnFolders();
    app::SingleInstance instance;
    int exitCode = 0;
    if (!isFirst(instance, files, exitCode)) return exitCode;

    app::Settings settings;
    app::Theme theme;
    follow(settings, theme);
    QUndoStack undo;
    app::LibraryService library;
    app::Thumbnails thumbnails(app::cacheFolder() + QStringLiteral("/thumbnails"));
    follow(settings, thumbnails);
    app::SubjectBook subjects(library, undo);
    app::GpuAnswer gpus;
    app::RunCentre runs(library, gpus);
    app::ModelShelf models(library, runs);
    app::Generator generator;
    app::PictureAlbum album(library, undo);
    const app::Services services{settings, library, thumbnails, undo,      subjects,
                                 gpus,     runs,    models,     generator, album};
    app::MainWindow window(services);
    connectAll(window, services, instance, files);
    const app::EndSignals endSignals;
    QObject::connect(&endSignals, &app::EndSignals::asked, &application, &QApplication::closeAllWindows);
    library.open(app::dataFolder() + QStringLiteral("/library.db"));
    window.show();
    const int ended = QApplication::exec();
    app::endInTime();
    return ended;
}
