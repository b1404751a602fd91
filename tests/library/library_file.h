// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests of a library's file: one in a folder of its own, and its bytes.
#pragma once

#include "core/library/library_files.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void overwrite(const QString& path, qint64 offset, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.seek(offset));
    QCOMPARE(file.write(bytes), qint64(bytes.size()));
}

class LibraryFileTest : public QObject {
protected:
    /// A place for a library that does not exist yet.
    void begin() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath("library.db");
        m_path = m_file.toStdString();
    }
    /// Closes it and opens it again.
    void open() {
        m_library.reset();
        auto opened = homebooth::core::Library::open(m_path);
        QVERIFY2(opened, opened ? "" : opened.error().text().c_str());
        m_library = std::move(*opened);
    }

    std::string m_path;
    QString m_file;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<homebooth::core::Library> m_library;
};
