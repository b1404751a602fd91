// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every setting of the window, declared once: key, default, range, unit, label, tooltip, group. The settings
// page and persistence are derived from the list. Owned by main; GUI thread.
#pragma once

#include "app/settings/settings_file.h"

#include <QObject>
#include <QVariant>

#include <vector>

namespace homebooth::app {

enum class SettingKind { Flag, Number, Choice, Folder, Text };

struct SettingChoice {
    QString value;
    QString label;
};

struct Setting {
    const char* key;
    SettingKind kind = SettingKind::Flag;
    QVariant fallback;
    QString group;
    QString label;
    QString tooltip;
    QString unit;
    int least = 0;
    int most = 0;
    std::vector<SettingChoice> choices;
    int decimals = 0;     ///< of numbers
    QString nothing = {}; ///< of numbers: what 0 stands for; empty: itself
};

namespace keys {
constexpr const char* kColours = "look/colours";
constexpr const char* kHighContrast = "look/highContrast";
constexpr const char* kTextSize = "look/textSize";
constexpr const char* kReduceMotion = "look/reduceMotion";
constexpr const char* kLanguage = "look/language";
constexpr const char* kHome = "folders/home";
constexpr const char* kThumbnailRoom = "folders/thumbnailMB";
constexpr const char* kProcessorOnly = "device/processorOnly";
constexpr const char* kHalfFormat = "device/halfFormat"; ///< fp16 or bf16, as the cards were found last
constexpr const char* kGpuMemory = "device/gpuMemoryGiB";
constexpr const char* kPictureWeights = "device/pictureWeights"; ///< as core::quantizationName
constexpr const char* kRam = "device/ramGiB";
constexpr const char* kSwap = "device/swapFolder";
constexpr const char* kSwapSize = "device/swapGiB";
constexpr const char* kKeptMoments = "training/keptMoments"; ///< of each run, the newest
constexpr const char* kNotify = "notices/finished";
constexpr const char* kPictureCount = "pictures/count";
constexpr const char* kShowDenoising = "pictures/showDenoising";
constexpr const char* kWelcomed = "state/welcomed";
constexpr const char* kGeometry = "state/geometry";
constexpr const char* kWindowSize = "state/size"; ///< while it is neither maximised nor in full screen
constexpr const char* kWindowState = "state/windowState"; ///< whether it is, as Qt::WindowStates
constexpr const char* kPage = "state/page";
constexpr const char* kSeenMs = "state/seenMs"; ///< when the window was there last
constexpr const char* kSubject = "state/subject";
constexpr const char* kPicture = "state/picture";   ///< key of the one that was chosen last
constexpr const char* kModel = "state/model";       ///< path of the one that was looked at last
constexpr const char* kDataset = "state/dataset";   ///< folder of the one that was open last
constexpr const char* kTrain = "state/train";       ///< the form before a training, as JSON
constexpr const char* kGenerate = "state/generate"; ///< the form of pictures but for its words, as JSON
constexpr const char* kFirstPictureMs = "state/firstPictureMs"; ///< until it was there
constexpr const char* kPromptsOpen = "state/promptsOpen";
constexpr const char* kPromptDraft = "state/prompt";
constexpr const char* kNegativeDraft = "state/negative";
constexpr const char* kGenerateModel = "state/generateModel";     ///< path, as it was chosen last
constexpr const char* kTrainExpert = "state/trainExpert";         ///< whether the fold is open
constexpr const char* kGenerateExpert = "state/generateExpert";   ///< whether the fold is open
constexpr const char* kDatasetView = "state/datasetView";         ///< pictures, their table or figures
constexpr const char* kLossLogarithmic = "state/lossLogarithmic"; ///< axis of the loss
constexpr const char* kGallerySide = "state/gallerySide";         ///< of a picture, in pixels
} // namespace keys

class Settings : public QObject {
    Q_OBJECT
public:
    /// @param file  an ini file; empty: the user's own
    explicit Settings(const QString& file = {}, QObject* parent = nullptr,
                      SettingsFile::Damaged damaged = SettingsFile::Damaged::PutAside);

    /// Those that the user sees, in the page's order.
    [[nodiscard]] const std::vector<Setting>& list() const { return m_list; }
    [[nodiscard]] const Setting* find(const char* key) const;

    /// The value, or the default of a declared key; numbers are kept within their range.
    [[nodiscard]] QVariant value(const char* key) const;
    [[nodiscard]] QString text(const char* key) const { return value(key).toString(); }
    [[nodiscard]] int number(const char* key) const { return value(key).toInt(); }
    /// Of a limit in GB, which has 2^30 bytes each and may have tenths.
    [[nodiscard]] qint64 bytes(const char* key) const;
    [[nodiscard]] bool flag(const char* key) const { return value(key).toBool(); }
    [[nodiscard]] bool isDefault(const char* key) const;
    void set(const char* key, const QVariant& value);
    void reset(const char* key);

    /// Of the file: where a damaged one was put aside; else empty.
    [[nodiscard]] const QString& damagedFile() const { return m_file.damagedFile(); }

    /// "~/Homebooth": runs and pictures lie below it.
    [[nodiscard]] QString runsFolder() const;
    [[nodiscard]] QString picturesFolder() const;

Q_SIGNALS:
    void changed(const QByteArray& key);
    /// The file cannot be written, so what is changed holds until the end alone. Told once, until it could be
    /// written again.
    void notWritten(const QString& file);
    void writtenAgain();

private:
    std::vector<Setting> m_list;
    SettingsFile m_file;
};

} // namespace homebooth::app
