// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Files and folders appear whole or not at all: with a full disk, a read-only folder, a name that is taken,
// or work that stops half-way.
#include "core/base/files/atomic_file.h"
#include "core/base/files/deletable.h"
#include "core/base/files/made_folders.h"
#include "core/base/files/sha256.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/text/unicode.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

/// For its lifetime no file may grow beyond `bytes`, as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    void (*m_handler)(int) = SIG_DFL;
};

bool g_nfs = false; // how locks behave

std::string text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

size_t entriesIn(const fs::path& folder) {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

/// As the kernel's, but that NFS locks nothing that is not open for writing.
extern "C" int __real_flock(int descriptor, int operation);
extern "C" int __wrap_flock(int descriptor, int operation) {
    const bool written = (::fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
    if (!g_nfs || written) return __real_flock(descriptor, operation);
    errno = EBADF;
    return -1;
}

class TestAtomicFile : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::string folder() const { return m_dir->path().toStdString(); }
    std::string at(const char* name) const { return folder() + "/" + name; }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void appearsOnlyAtCommit() {
        auto file = AtomicFile::create(at("a"));
        QVERIFY(file.ok());
        QVERIFY(file->write("hello ").ok() && file->write("world").ok());
        QVERIFY(!fs::exists(at("a")));
        QVERIFY(file->commit().ok());
        QCOMPARE(text(at("a")), "hello world");
        QCOMPARE(entriesIn(folder()), size_t{1});
    }

    void leavesTheOldFileWhenDropped() {
        QVERIFY(writeFileAtomically(at("a"), "old").ok());
        {
            auto file = AtomicFile::create(at("a"));
            QVERIFY(file.ok() && file->write("new").ok());
            auto moved = std::move(*file);
            QVERIFY(moved.write("er").ok());
        }
        QCOMPARE(text(at("a")), "old");
        QCOMPARE(entriesIn(folder()), size_t{1});
        QVERIFY(writeFileAtomically(at("a"), "new").ok());
        QCOMPARE(text(at("a")), "new");
    }

    void refusesToReplaceWhenAsked() {
        auto early = AtomicFile::create(at("a"), AtomicFile::Existing::Refuse);
        QVERIFY(early.ok() && early->write("late").ok());
        QVERIFY(writeFileAtomically(at("a"), "first").ok()); // somebody was quicker
        QVERIFY(!early->commit().ok());
        QVERIFY(!AtomicFile::create(at("a"), AtomicFile::Existing::Refuse).ok());
        QCOMPARE(text(at("a")), "first");
    }

    void followsTheUmask() {
        const mode_t before = ::umask(0027);
        QVERIFY(writeFileAtomically(at("a"), "x").ok());
        ::umask(before);
        struct stat status {};
        QCOMPARE(::stat(at("a").c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0640U);
    }

    void fullDiskIsOutOfResourcesAndLeavesNothing_data() {
        QTest::addColumn<int>("limit");
        for (const int limit : {0, 1, 4096, 100'000}) QTest::addRow("%d bytes", limit) << limit;
    }

    void fullDiskIsOutOfResourcesAndLeavesNothing() {
        QFETCH(int, limit);
        QVERIFY(writeFileAtomically(at("a"), "old").ok());
        Result<void> result;
        Result<WriteOutcome> model = WriteOutcome::Written;
        Result<WriteOutcome> single = WriteOutcome::Written;
        const ModelSource source = test::tinyModel(false);
        {
            const FileSizeLimit full(static_cast<rlim_t>(limit));
            result = writeFileAtomically(at("a"), std::string(300'000, 'x'));
            single = writeSingleFile(source, at("single.safetensors"));
            model = limit < 100'000 ? writeDiffusersFolder(source, at("model")) : single;
        }
        QVERIFY(!result.ok() && result.error().code == ErrorCode::OutOfResources);
        QVERIFY(!single.ok() && single.error().code == ErrorCode::OutOfResources);
        QVERIFY(!model.ok() && model.error().code == ErrorCode::OutOfResources);
        QVERIFY(!result.error().message.empty());
        QCOMPARE(text(at("a")), "old");
        QCOMPARE(entriesIn(folder()), size_t{1});
    }

    void everyKnownFailureComesWithARemedy_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, int number, ErrorCode code) {
            QTest::newRow(name) << number << static_cast<int>(code);
        };
        row("ENOSPC", ENOSPC, ErrorCode::OutOfResources);
        row("EDQUOT", EDQUOT, ErrorCode::OutOfResources);
        row("EFBIG", EFBIG, ErrorCode::OutOfResources);
        row("EMFILE", EMFILE, ErrorCode::OutOfResources);
        row("EACCES", EACCES, ErrorCode::BadInput);
        row("EROFS", EROFS, ErrorCode::BadInput);
        row("ENOENT", ENOENT, ErrorCode::BadInput);
        row("ENOTDIR", ENOTDIR, ErrorCode::BadInput);
        row("ELOOP", ELOOP, ErrorCode::BadInput);
        row("ENAMETOOLONG", ENAMETOOLONG, ErrorCode::BadInput);
        row("something rare", EBADMSG, ErrorCode::BadInput);
    }
    void everyKnownFailureComesWithARemedy() {
        QFETCH(int, number);
        QFETCH(int, code);
        const Error error = systemError("write", "x", number);
        QCOMPARE(static_cast<int>(error.code), code);
        QVERIFY2(error.message.starts_with("cannot write: "), error.message.c_str());
        QVERIFY2(error.message.find("; ") != std::string::npos, error.message.c_str());
    }

    void madeFoldersAreTakenBackWhileEmpty() {
        fs::create_directory(at("there"));
        const auto made = MadeFolders::make(at("there") + "/a/b/");
        QVERIFY(made.ok() && fs::is_directory(at("there") + "/a/b"));
        made->removeEmpty();
        QVERIFY(fs::exists(at("there")) && !fs::exists(at("there") + "/a"));
        const auto used = MadeFolders::make(at("there") + "/a/b");
        QVERIFY(used.ok() && writeFileAtomically(at("there") + "/a/kept", "x").ok());
        used->removeEmpty();
        QVERIFY(fs::exists(at("there") + "/a/kept") && !fs::exists(at("there") + "/a/b"));
        const auto blocked = MadeFolders::make(at("there") + "/a/kept/c");
        QVERIFY(!blocked.ok() && blocked.error().message.find("a file lies") != std::string::npos);
        fs::create_symlink("loop", at("loop"));
        const auto loop = MadeFolders::make(at("loop") + "/a");
        QVERIFY(!loop.ok() && loop.error().message.find("leads to itself") != std::string::npos);
        QVERIFY(!MadeFolders::make(at("new") + "/" + std::string(300, 'n')).ok());
        QVERIFY(!fs::exists(at("new")));
    }

    void whatHomeboothKeepsForItselfIsTheUsersAlone() {
        const mode_t before = ::umask(0022);
        const auto modeOf = [this](const char* name) {
            struct stat status {};
            return ::stat(at(name).c_str(), &status) == 0 ? status.st_mode & 0777 : mode_t{0};
        };
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(at("user/cache")));
        qputenv("HOMEBOOTH_HOME", QByteArray::fromStdString(at("own")));
        fs::create_directory(at("user"));
        QVERIFY(MadeFolders::make(at("user/cache/homebooth/latents")).ok());
        QCOMPARE(modeOf("user"), mode_t{0755}); // was there
        QCOMPARE(modeOf("user/cache"), mode_t{0700});
        QCOMPARE(modeOf("user/cache/homebooth"), mode_t{0700});
        QVERIFY(MadeFolders::make(at("own/runs")).ok());
        QCOMPARE(modeOf("own"), mode_t{0700});
        QVERIFY(MadeFolders::make(at("owned/run")).ok()); // that somebody named
        QCOMPARE(modeOf("owned"), mode_t{0755});
        fs::permissions(at("own"), fs::perms(0755));
        QVERIFY(MadeFolders::make(at("own/pictures")).ok());
        QCOMPARE(modeOf("own"), mode_t{0755});
        for (const char* name : {"XDG_CACHE_HOME", "HOMEBOOTH_HOME"}) qunsetenv(name);
        ::umask(before);
    }

    void whoMayNotDeleteAFileIsKnown() {
        fs::create_directory(at("theirs"));
        std::ofstream(at("theirs/a")) << "x";
        QVERIFY(mayBeDeleted(at("theirs/a")));
        QVERIFY(mayBeDeleted(at("gone/a")));
        if (::geteuid() != 0) QSKIP("there is no other user to be");
        fs::permissions(folder(), fs::perms(0755));
        const auto mayBy = [this](uid_t user) {
            const pid_t child = ::fork();
            if (child == 0) ::_exit(::setuid(user) == 0 ? int(mayBeDeleted(at("theirs/a"))) : 2);
            int status = 0;
            ::waitpid(child, &status, 0);
            return WEXITSTATUS(status);
        };
        fs::permissions(at("theirs"), fs::perms(0755));
        QCOMPARE(mayBy(65534), 0);
        fs::permissions(at("theirs"), fs::perms(0777));
        QCOMPARE(mayBy(65534), 1);
        fs::permissions(at("theirs"), fs::perms(01777));
        QCOMPARE(mayBy(65534), 0);
    }

    void fullDeviceIsOutOfResources() {
        const Error error = systemError("write", "/dev/full", ENOSPC);
        QVERIFY(error.code == ErrorCode::OutOfResources);
        QVERIFY(error.message.find("disk is full") != std::string::npos);
        QVERIFY(systemError("write", "x", EACCES).code == ErrorCode::BadInput);
    }

    void readOnlyFolderIsAClearError() {
        fs::create_directory(at("locked"));
        if (::geteuid() == 0) {
            QVERIFY(!writeFileAtomically("/proc/homebooth", "x").ok()); // root may write anywhere but there
            QVERIFY(!AtomicFolder::create("/proc/homebooth").ok());
            return;
        }
        fs::permissions(at("locked"), fs::perms::owner_read | fs::perms::owner_exec);
        const auto result = writeFileAtomically(at("locked") + "/a", "x");
        QVERIFY(!result.ok() && result.error().message.find("no permission") != std::string::npos);
        QVERIFY(!AtomicFolder::create(at("locked") + "/b").ok());
        fs::permissions(at("locked"), fs::perms::owner_all);
    }

    void missingFolderIsAClearError() {
        const auto result = writeFileAtomically(at("no") + "/such/a", "x");
        QVERIFY(!result.ok());
        QVERIFY(result.error().text().find("does not exist") != std::string::npos);
        QVERIFY(!writeFileAtomically(folder(), "x").ok()); // a folder has the name
    }

    void folderAppearsWhole() {
        {
            auto made = AtomicFolder::create(at("checkpoint") + "/");
            QVERIFY(made.ok());
            fs::create_directories(made->partialPath() + "/deep/er");
            QVERIFY(writeFileAtomically(made->partialPath() + "/deep/er/a", "x").ok());
            QVERIFY(!fs::exists(at("checkpoint")));
            QVERIFY(made->commit().ok());
        }
        QCOMPARE(text(at("checkpoint") + "/deep/er/a"), "x");
        QCOMPARE(entriesIn(folder()), size_t{1});
    }

    void aNameThatNothingCanHaveIsRefusedAtOnce() {
        const std::string path = folder() + "/" + std::string(300, 'n');
        for (const auto& refused :
             {expectFreeName(path), Result<void>(AtomicFolder::create(path).error()),
              Result<void>(AtomicFile::create(path, AtomicFile::Existing::Refuse).error())}) {
            QVERIFY(!refused.ok());
            QVERIFY2(refused.error().message.find("too long") != std::string::npos,
                     refused.error().message.c_str());
        }
        QCOMPARE(entriesIn(folder()), size_t{0});
        for (const std::string& name : {std::string(255, 'n'), std::string("blanks behind  ")}) {
            auto made = AtomicFolder::create(folder() + "/" + name);
            QVERIFY(made.ok() && made->commit().ok());
            QVERIFY(fs::is_directory(folder() + "/" + name));
        }
    }

    void aLongNameIsCutBetweenCharacters() {
        std::string name = "a"; // so that 200 bytes end within one
        for (int letter = 0; letter < 110; ++letter) name += "ü";
        auto file = AtomicFile::create(at(name.c_str()));
        QVERIFY(file.ok());
        const std::string partial = fs::directory_iterator(folder())->path().filename().string();
        QVERIFY2(isUtf8(partial), partial.c_str());
        QVERIFY(file->commit().ok());
        QVERIFY(fs::exists(at(name.c_str())));
    }

    void folderNeverReplaces() {
        auto made = AtomicFolder::create(at("checkpoint"));
        QVERIFY(made.ok());
        fs::create_directory(at("checkpoint")); // somebody was quicker
        QVERIFY(!made->commit().ok());
        QVERIFY(!AtomicFolder::create(at("checkpoint")).ok());
        made = AtomicFolder::create(at("other")); // drops the first one
        QCOMPARE(entriesIn(folder()), size_t{2});
    }

    void removesWhatAKilledProcessLeft() {
        for (const char* name : {".a.partial-abcdef", ".partial", "a.partial-abcdef", ".a.partial-abc"})
            std::ofstream(at(name)) << "x";
        fs::create_directories(at(".step-000400.partial-qwerty") + "/unet");
        auto removed = removePartials(folder());
        QVERIFY(removed.ok());
        QCOMPARE(*removed, 2);
        QCOMPARE(entriesIn(folder()), size_t{3});
    }

    void leavesWhatALivingProcessIsMaking() {
        auto file = AtomicFile::create(at("file"));
        auto made = AtomicFolder::create(at("made"));
        QVERIFY(file.ok() && made.ok());
        QVERIFY(file->write("half").ok());
        QCOMPARE(*removePartials(folder()), 0);
        QVERIFY(file->commit().ok());
        QVERIFY(made->commit().ok());
        QCOMPARE(*removePartials(folder()), 0);
        QCOMPARE(entriesIn(folder()), size_t{2});
        QCOMPARE(*removePartials(at("nowhere")), 0);
    }

    void removesWhatTheKernelKnowsToBeAbandoned() {
        const pid_t child = ::fork();
        if (child == 0) {
            auto file = AtomicFile::create(at("file"));
            auto made = AtomicFolder::create(at("made"));
            std::ofstream(made->partialPath() + "/inside") << "x";
            ::raise(SIGKILL);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(entriesIn(folder()), size_t{2});
        QCOMPARE(*removePartials(folder()), 2);
        QCOMPARE(entriesIn(folder()), size_t{0});
    }

    void knowsAbandonedFilesOnNfs() {
        std::ofstream(at(".a.partial-abcdef")) << "x";
        auto file = AtomicFile::create(at("file"));
        QVERIFY(file.ok());
        g_nfs = true;
        const auto removed = removePartials(folder());
        g_nfs = false;
        QCOMPARE(*removed, 1);
        QVERIFY(!fs::exists(at(".a.partial-abcdef")));
        QVERIFY(file->commit().ok());
    }

    void hashesAsFips180() {
        QCOMPARE(sha256Text("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        QCOMPARE(sha256Text(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        Sha256 hash;
        for (int i = 0; i < 1000; ++i) hash.update(std::string(1000, 'a'));
        QCOMPARE(hash.finish(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }

    void hashesFilesAndStops() {
        QVERIFY(writeFileAtomically(at("a"), std::string(1'000'000, 'a')).ok());
        int64_t seen = 0;
        auto hash = sha256File(at("a"), [&](int64_t done, int64_t total) {
            QCOMPARE(total, int64_t{1'000'000});
            seen = done;
        });
        QVERIFY(hash.ok());
        QCOMPARE(**hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
        QCOMPARE(seen, int64_t{1'000'000});
        const CancelToken cancel;
        cancel.request();
        hash = sha256File(at("a"), {}, cancel);
        QVERIFY(hash.ok() && !hash->has_value());
        QVERIFY(!sha256File(folder()).ok());
    }
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "tst_atomic_file.moc"
