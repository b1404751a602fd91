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
        writeTestPicture(folder + u"/a.png"_s, 1, {300, 200});
        writeBytes(folder + u"/a.txt"_s, "great tit, snow");
        writeTestPicture(folder + u"/b.png"_s, 2, {128, 128});
        writeBytes(folder + u"/b.txt"_s, "robin, Snow, branch");
        writeBytes(folder + u"/broken.jpg"_s, "no picture");
        writeBytes(folder + u"/gone.txt"_s, "a lost owl");
        return folder;
    }
    /// A folder with a.png and deep/b.png, and these lines as its metadata.jsonl.
    [[nodiscard]] QString makeListed(const QString& name, const QByteArray& lines) const {
        const QString folder = m_place.path(name);
        QDir().mkpath(folder + u"/deep"_s);
        writeTestPicture(folder + u"/a.png"_s, 1, {64, 64});
        writeTestPicture(folder + u"/deep/b.png"_s, 2, {64, 64});
        writeBytes(folder + u"/metadata.jsonl"_s, lines);
        return folder;
    }
};

} // namespace homebooth::app
