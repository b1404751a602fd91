// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A file that several fill: it has its full size from the beginning, each writes at its own places, and what
// the disk refuses is said.
#include "core/base/files/shared_file.h"

#include <QtTest>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

std::string text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

} // namespace

class tst_shared_file : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string at(const char* name) const { return m_folder.filePath(name).toStdString(); }

private slots:
    void hasItsSizeAndItsRoomFromTheBeginning() {
        const std::string path = at("laid-out");
        QVERIFY(SharedFile::layOut(path, "head", 1 << 20).ok());
        QCOMPARE(fs::file_size(path), uintmax_t{1 << 20});
        QCOMPARE(text(path).substr(0, 6), std::string("head\0\0", 6));
    }

    void isFilledByWhoeverOpensIt() {
        const std::string path = at("filled");
        QVERIFY(SharedFile::layOut(path, "0", 9).ok());
        const pid_t child = ::fork();
        if (child == 0) {
            auto file = SharedFile::open(path);
            const bool written = file && (*file)->writeAt(5, bytes("5678")).ok() && (*file)->sync().ok();
            ::_exit(written ? 0 : 1);
        }
        auto file = SharedFile::open(path);
        QVERIFY(file.ok());
        QVERIFY((*file)->writeAt(3, bytes("34")).ok());
        QVERIFY((*file)->writeAt(1, bytes("12")).ok());
        QVERIFY((*file)->sync().ok());
        int status = -1;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
        QCOMPARE(text(path), std::string("012345678"));
    }

    void tellsWhetherItGivesBackWhatWasWritten() {
        const std::string path = at("given-back");
        const std::string large(3 << 20, 'x');
        QVERIFY(SharedFile::layOut(path, "head", 4 << 20).ok());
        auto file = SharedFile::open(path);
        QVERIFY(file.ok());
        QVERIFY((*file)->writeAt(10, bytes(large)).ok());
        QVERIFY(*(*file)->holds(10, bytes(large)));
        QVERIFY(*(*file)->holds(0, bytes("head")));
        QVERIFY(!*(*file)->holds(9, bytes(large)));
        QVERIFY(!*(*file)->holds((4 << 20) - 2, bytes("beyond its end")));
    }

    void replacesNothing() {
        const std::string path = at("taken");
        std::ofstream(path) << "mine";
        QVERIFY(!SharedFile::layOut(path, "head", 100).ok());
        QCOMPARE(text(path), std::string("mine"));
    }

    void opensOnlyWhatIsThere() {
        QVERIFY(!SharedFile::open(at("missing")).ok());
        QVERIFY(SharedFile::layOut(at("target"), "", 4).ok());
        fs::create_symlink(at("target"), at("link"));
        QVERIFY(!SharedFile::open(at("link")).ok());
    }

    void aDiskWithoutTheRoomIsMetAtOnce() {
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const auto made = SharedFile::layOut(at("large"), "head", 5000);
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!made.ok());
        QCOMPARE(made.error().code, ErrorCode::OutOfResources);
        QVERIFY(made.error().message.find("reserve 5000 bytes") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_shared_file)
#include "tst_shared_file.moc"
