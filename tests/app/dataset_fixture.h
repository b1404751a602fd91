// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of datasets share: folders of pictures with captions. One a test program; GUI thread.
#pragma once

#include "app_files.h"

namespace homebooth::app {

class DatasetFoldersTest : public ServicesTest {
public:
    using ServicesTest::ServicesTest;

protected:
    /// A folder with two whole pictures, a broken one and a caption without its picture.
    [[nodiscard]] QString makeFolder(const QString& name) const {
        const QString folder = m_place.path(name);
        QDir(folder).removeRecursively();
        QDir().mkpath(folder);
        writeTestPicture(folder + QStringLiteral("/a.png"), 1, {300, 200});
        writeBytes(folder + QStringLiteral("/a.txt"), "great tit, snow");
        writeTestPicture(folder + QStringLiteral("/b.png"), 2, {128, 128});
        writeBytes(folder + QStringLiteral("/b.txt"), "robin, Snow, branch");
        writeBytes(folder + QStringLiteral("/broken.jpg"), "no picture");
        writeBytes(folder + QStringLiteral("/gone.txt"), "a lost owl");
        return folder;
    }
    /// A folder with a.png and deep/b.png, and these lines as its metadata.jsonl.
    [[nodiscard]] QString makeListed(const QString& name, const QByteArray& lines) const {
        const QString folder = m_place.path(name);
        QDir().mkpath(folder + QStringLiteral("/deep"));
        writeTestPicture(folder + QStringLiteral("/a.png"), 1, {64, 64});
        writeTestPicture(folder + QStringLiteral("/deep/b.png"), 2, {64, 64});
        writeBytes(folder + QStringLiteral("/metadata.jsonl"), lines);
        return folder;
    }
};

} // namespace homebooth::app
