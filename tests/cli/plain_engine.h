// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The real engine with arguments and nothing else, and the smallest photo to give it.
#pragma once

#include "tests/cli/finished.h"

#include <QFile>
#include <QStringList>
#include <QTest>

namespace homebooth::test {

/// A PNG of one pixel, in base64.
constexpr const char* kOnePixelPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Writes it as a file.
inline void writeOnePixel(const QString& path) {
    QFile photo(path);
    QVERIFY(photo.open(QIODevice::WriteOnly));
    photo.write(QByteArray::fromBase64(kOnePixelPng));
}

/// Runs it to its end.
inline Finished engine(const QStringList& arguments) {
    QProcess process;
    process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", arguments);
    return finish(process);
}

} // namespace homebooth::test
