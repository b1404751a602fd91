// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/settings.h"

#include <QDir>
#include <QStandardPaths>

#include <cmath>

namespace homebooth::app {
namespace {

QString defaultFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/homebooth/homebooth.ini");
}

QString defaultHome() {
    const QString named = qEnvironmentVariable("HOMEBOOTH_HOME");
    return named.isEmpty() ? QDir::homePath() + QStringLiteral("/Homebooth") : named;
}

Setting flag(const char* key, bool fallback, const QString& group, const QString& label,
             const QString& tooltip) {
    return {key, SettingKind::Flag, fallback, group, label, tooltip, {}, 0, 0, {}};
}

Setting number(const char* key, int fallback, const QString& group, const QString& label,
               const QString& tooltip, const QString& unit, int least, int most) {
    return {key, SettingKind::Number, fallback, group, label, tooltip, unit, least, most, {}};
}

/// A limit in GB; none unless somebody sets one. @param nothing  what is taken then
Setting limit(const char* key, const QString& group, const QString& label, const QString& tooltip,
              const QString& nothing, int most) {
    return {key,    SettingKind::Number, 0.0, group, label, tooltip, QStringLiteral("GB"), 0, most, {}, 1,
            nothing};
}

/// The first choice is the default.
Setting choice(const char* key, const QString& group, const QString& label, const QString& tooltip,
               const std::vector<SettingChoice>& choices) {
    return {key, SettingKind::Choice, choices.front().value, group, label, tooltip, {}, 0, 0, choices};
}

std::vector<Setting> lookSettings() {
    const QString group = Settings::tr("Look");
    return {choice(keys::kColours, group, Settings::tr("Colours"),
                   Settings::tr("Light or dark, or what the desktop says."),
                   {{QStringLiteral("system"), Settings::tr("As the desktop")},
                    {QStringLiteral("light"), Settings::tr("Light")},
                    {QStringLiteral("dark"), Settings::tr("Dark")}}),
            flag(keys::kHighContrast, false, group, Settings::tr("High contrast"),
                 Settings::tr("Black and white, with stronger lines. Also where the desktop asks for it.")),
            number(keys::kTextSize, 100, group, Settings::tr("Text size"),
                   Settings::tr("Of all words in the window, beside the desktop's own size."),
                   QStringLiteral("%"), 80, 200),
            flag(keys::kReduceMotion, false, group, Settings::tr("Reduce motion"),
                 Settings::tr("Nothing slides or fades.")),
            choice(keys::kLanguage, group, Settings::tr("Language"),
                   Settings::tr("Takes effect when Homebooth is started again."),
                   {{QStringLiteral("system"), Settings::tr("As the system")},
                    {QStringLiteral("en"), QStringLiteral("English")},
                    {QStringLiteral("de"), QStringLiteral("Deutsch")}})};
}

std::vector<Setting> folderSettings() {
    const QString group = Settings::tr("Folders");
    Setting home{
        keys::kHome,
        SettingKind::Folder,
        defaultHome(),
        group,
        Settings::tr("Pictures and models"),
        Settings::tr("Runs and pictures go below this folder. What is there already stays where it is."),
        {},
        0,
        0,
        {}};
    return {std::move(home),
            number(keys::kThumbnailRoom, 500, group, Settings::tr("Room for small pictures"),
                   Settings::tr("They are kept so that pages show your pictures at once. Those that were not "
                                "seen for longest go first."),
                   QStringLiteral("MB"), 50, 100'000)};
}

std::vector<Setting> trainingSettings() {
    return {number(keys::kKeptMoments, 4, Settings::tr("Training"), Settings::tr("Saved moments kept"),
                   Settings::tr("The newest checkpoints of each training that begins. Each takes room on the "
                                "disk, and can be chosen when the training has ended. Add-ons keep one for "
                                "each preview: 64 at most, of large models 16."),
                   {}, 2, 1000)};
}

std::vector<Setting> pictureSettings() {
    const QString pictures = Settings::tr("Pictures");
    return {number(keys::kPictureCount, 4, pictures, Settings::tr("Pictures at a time"),
                   Settings::tr("How many pictures one click makes."), {}, 1, 64),
            flag(keys::kShowDenoising, true, pictures, Settings::tr("Show pictures as they form"),
                 Settings::tr("Rough views between the steps; costs a little time.")),
            flag(keys::kNotify, true, Settings::tr("Notices"), Settings::tr("Tell me when a job has ended"),
                 Settings::tr("A notification of the desktop."))};
}

std::vector<Setting> deviceSettings() {
    const QString device = Settings::tr("Device");
    const QString free = Settings::tr("all that is free");
    return {flag(keys::kProcessorOnly, false, device, Settings::tr("Use the processor"),
                 Settings::tr("Also where there is a graphics card, as when its driver is too old. Slower.")),
            limit(keys::kGpuMemory, device, Settings::tr("Limit of graphics memory"),
                  Settings::tr("Training takes no more than this; making pictures keeps to it where it can. "
                               "0: all that is free."),
                  free, 512),
            choice(keys::kPictureWeights, device, Settings::tr("Weights of large models"),
                   Settings::tr("While pictures are made. In 8 bits they take half the memory, and pictures "
                                "differ a little. Computed in 8 bits, too, pictures may come faster where no "
                                "graphics card makes them."),
                   {{QStringLiteral("none"), Settings::tr("As they are")},
                    {QStringLiteral("int8"), Settings::tr("In 8 bits")},
                    {QStringLiteral("w8a8"), Settings::tr("In 8 bits, computed in 8 bits")}}),
            limit(keys::kRam, device, Settings::tr("Limit of RAM"),
                  Settings::tr("Training takes no more than this. 0: all that is free."), free, 4096),
            Setting{keys::kSwap,
                    SettingKind::Folder,
                    QString(),
                    device,
                    Settings::tr("Swap folder"),
                    Settings::tr("On a fast disk. Only where memory is too small: parts of a training then "
                                 "wait there, which wears the disk; the plan says how much. Empty: never."),
                    {},
                    0,
                    0,
                    {}},
            limit(keys::kSwapSize, device, Settings::tr("Limit of swapping"),
                  Settings::tr("No more than this lies in the swap folder. 0: what is needed."),
                  Settings::tr("what is needed"), 4096)};
}

/// What a file has for a number, within its range and with no more decimals than it may have.
QVariant numberOf(const Setting& setting, const QVariant& stored) {
    bool fine = false;
    if (setting.decimals == 0) {
        const int number = stored.toInt(&fine);
        return fine ? QVariant(qBound(setting.least, number, setting.most)) : setting.fallback;
    }
    const double number = stored.toDouble(&fine);
    if (!fine || !std::isfinite(number)) return setting.fallback;
    const double parts = std::pow(10.0, setting.decimals);
    return qBound(double(setting.least), std::round(number * parts) / parts, double(setting.most));
}

} // namespace

Settings::Settings(const QString& file, QObject* parent, SettingsFile::Damaged damaged)
    : QObject(parent)
    , m_list(lookSettings())
    , m_file(
          file.isEmpty() ? defaultFile() : file,
          [this](bool written) {
              const auto tell = [this, written] {
                  if (written) return Q_EMIT writtenAgain();
                  Q_EMIT notWritten(m_file.path());
              };
              QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
          },
          damaged) {
    for (auto more : {folderSettings(), deviceSettings(), trainingSettings(), pictureSettings()})
        for (Setting& setting : more) m_list.push_back(std::move(setting));
}

const Setting* Settings::find(const char* key) const {
    for (const Setting& setting : m_list)
        if (qstrcmp(setting.key, key) == 0) return &setting;
    return nullptr;
}

QVariant Settings::value(const char* key) const {
    const Setting* setting = find(key);
    const QVariant stored = m_file.value(QString::fromLatin1(key));
    if (setting == nullptr) return stored;
    if (!stored.isValid()) return setting->fallback;
    switch (setting->kind) {
    case SettingKind::Number:
        return numberOf(*setting, stored);
    case SettingKind::Choice:
        for (const SettingChoice& choice : setting->choices)
            if (choice.value == stored.toString()) return stored;
        return setting->fallback;
    case SettingKind::Flag:
        return stored.toBool();
    case SettingKind::Folder:
        return stored.toString().isEmpty() ? setting->fallback : stored;
    case SettingKind::Text:
        break;
    }
    return stored;
}

qint64 Settings::bytes(const char* key) const {
    constexpr double kGibi = 1 << 30;
    return qRound64(value(key).toDouble() * kGibi);
}

bool Settings::isDefault(const char* key) const {
    const Setting* setting = find(key);
    return setting == nullptr || value(key) == setting->fallback;
}

void Settings::set(const char* key, const QVariant& value) {
    if (this->value(key) == value) return;
    m_file.set(QString::fromLatin1(key), value);
    Q_EMIT changed(key);
}

void Settings::reset(const char* key) {
    m_file.remove(QString::fromLatin1(key));
    Q_EMIT changed(key);
}

QString Settings::runsFolder() const {
    return text(keys::kHome) + QStringLiteral("/runs");
}

QString Settings::picturesFolder() const {
    return text(keys::kHome) + QStringLiteral("/pictures");
}

} // namespace homebooth::app
