// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Names whose letters and marks are composed otherwise than on the disk lead to their files, and to no
// others.
#include "core/base/files/file_names.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <string>

using namespace homebooth::core;
namespace fs = std::filesystem;

class tst_file_names : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    fs::path at(const std::string& name) const { return fs::path(m_folder.path().toStdString()) / name; }
    void write(const std::string& name) const {
        fs::create_directories(at(name).parent_path());
        std::ofstream(at(name)) << "x";
    }

private Q_SLOTS:
    void leadToWhatIsComposedOtherwise();
    void preferWhatIsCalledExactlySo();
    void tellNothingOfSeveral();
    void areAsGivenWhereNothingIsThere();
};

void tst_file_names::leadToWhatIsComposedOtherwise() {
    write("apart/Bu\u0308cher/Hu\u0308tte.png");
    write("apart/gr\u00FCn.png");
    FileNames names;
    const fs::path folder = at("apart");
    QCOMPARE(names.find(folder, "B\u00FCcher/H\u00FCtte.png"), folder / "Bu\u0308cher/Hu\u0308tte.png");
    QCOMPARE(names.find(folder, "gru\u0308n.png"), folder / "gr\u00FCn.png");
    QCOMPARE(names.find(folder, "./plain/name.png"), folder / "./plain/name.png");
}

void tst_file_names::preferWhatIsCalledExactlySo() {
    write("both/gr\u00FCn.png");
    write("both/gru\u0308n.png");
    FileNames names;
    for (const char* name : {"gr\u00FCn.png", "gru\u0308n.png"})
        QCOMPARE(names.find(at("both"), name), at("both") / name);
}

void tst_file_names::tellNothingOfSeveral() {
    // Two marks, each of which may stand in the letter.
    write("several/\u00FC\u0323.png");
    write("several/u\u0308\u0323.png");
    FileNames names;
    QCOMPARE(names.find(at("several"), "\u1EE5\u0308.png"), at("several") / "\u1EE5\u0308.png");
}

void tst_file_names::areAsGivenWhereNothingIsThere() {
    write("others/gr\xFCn.png"); // no UTF-8
    FileNames names;
    for (const char* name : {"gr\u00FCn.png", "nowhere/gr\u00FCn.png"})
        QCOMPARE(names.find(at("others"), name), at("others") / name);
    write("others/gr\uFFFDn.png"); // as what is no UTF-8 would be shown
    QCOMPARE(names.find(at("others"), "gr\xF6n.png"), at("others") / "gr\xF6n.png");
    fs::remove_all(at("others")); // Qt does not see it
}

QTEST_GUILESS_MAIN(tst_file_names)
#include "tst_file_names.moc"
