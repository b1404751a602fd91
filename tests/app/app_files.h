// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of pages share: small files, buttons and fields by what stands on them, finished runs.
// Free functions; GUI thread.
#pragma once

#include "app/engine/places.h"
#include "app_fixture.h"
#include "core/base/run/journal.h"
#include "core/base/run/run_folder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>

namespace homebooth::app {

/// Writes a file; its folders are made.
inline void writeBytes(const QString& path, const QByteArray& text) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

/// "nothing" for a file that cannot be read.
[[nodiscard]] inline QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("nothing");
}

/// The first button below a widget with this text; null if there is none.
[[nodiscard]] inline QPushButton* buttonNamed(const QWidget& root, const QString& text) {
    for (auto* button : root.findChildren<QPushButton*>())
        if (button->text() == text) return button;
    return nullptr;
}

/// The first line to type in below a widget with this accessible name; null if there is none.
[[nodiscard]] inline QLineEdit* fieldNamed(const QWidget& root, const QString& name) {
    for (auto* field : root.findChildren<QLineEdit*>())
        if (field->accessibleName() == name) return field;
    return nullptr;
}

/// A run's folder with its configuration, as the engine makes it. @returns its path
inline QString makeRunFolder(const QString& runsFolder, const QString& name, int64_t steps) {
    core::TrainConfig config;
    config.model = builtInModel().toStdString();
    config.data.instanceDir = "/photos";
    config.data.instancePrompt = "a photo of ohwx toy";
    config.steps = steps;
    config.output.runDir = (runsFolder + '/' + name).toStdString();
    QDir().mkpath(runsFolder);
    const auto run = core::RunFolder::create(config.output.runDir, config);
    return run ? QString::fromStdString(run->path()) : QString();
}

[[nodiscard]] inline std::unique_ptr<core::JournalWriter> journalOf(const QString& runFolder) {
    auto journal = core::JournalWriter::open((runFolder + QStringLiteral("/events.jsonl")).toStdString());
    return journal ? std::move(*journal) : nullptr;
}

} // namespace homebooth::app
