// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Files and members of shards are read by the same kind of path.
#include "core/base/files/sha256.h"
#include "core/base/formats/packed_files.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kMost = 1 << 20;

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

/// While it lives this thread may enter no folder that its owner may not, though it be root.
class AsOwner {
public:
    AsOwner() {
        ::syscall(SYS_capget, &m_header, m_before);
        constexpr auto kAnyFolder = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH;
        __user_cap_data_struct less[_LINUX_CAPABILITY_U32S_3] = {m_before[0], m_before[1]};
        less[0].effective &= ~kAnyFolder;
        ::syscall(SYS_capset, &m_header, less);
    }
    ~AsOwner() { ::syscall(SYS_capset, &m_header, m_before); }
    AsOwner(const AsOwner&) = delete;
    AsOwner& operator=(const AsOwner&) = delete;

private:
    __user_cap_header_struct m_header{_LINUX_CAPABILITY_VERSION_3, 0}; // of the thread that calls
    __user_cap_data_struct m_before[_LINUX_CAPABILITY_U32S_3] = {};
};

} // namespace

class TestPackedFiles : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string at(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
    /// Packs all that lies in `folder`.
    void pack(const std::string& folder, const std::string& tar) const {
        fs::create_directories(fs::path(at(tar)).parent_path());
        QCOMPARE(QProcess::execute("tar", {"--sort=name", "-cf", QString::fromStdString(at(tar)), "-C",
                                           QString::fromStdString(at(folder)), "."}),
                 0);
    }

private slots:
    void readsFilesAndMembersAlike() {
        const std::string large(5'000'000, 'l');
        write(at("plain/a.jpg"), "a picture");
        write(at("plain/deep.tar/b.jpg"), "in a folder named like a shard");
        write(at("plain/large.bin"), large);
        pack("plain", "data.tar/shard.tar");
        PackedFiles files;
        for (const std::string& root : {at("plain"), at("data.tar/shard.tar")}) {
            QCOMPARE(*files.read(packedPath(root, "a.jpg"), kMost), std::string("a picture"));
            QCOMPARE(*files.read(packedPath(root, "deep.tar/b.jpg"), kMost),
                     std::string("in a folder named like a shard"));
            QCOMPARE(*files.sha256(packedPath(root, "large.bin")), sha256Text(large));
            const auto tooLarge = files.read(packedPath(root, "large.bin"), kMost);
            QVERIFY(!tooLarge && tooLarge.error().message.find("found 5000000") != std::string::npos);
            const auto missing = files.read(packedPath(root, "c.jpg"), kMost);
            QVERIFY(!missing && missing.error().context == packedPath(root, "c.jpg"));
        }
    }

    void noticesShardsThatWerePackedAnew() {
        write(at("anew/key.txt"), "before");
        pack("anew", "anew.tar");
        PackedFiles files;
        QCOMPARE(*files.read(at("anew.tar/key.txt"), kMost), std::string("before"));
        write(at("anew/a-first.txt"), std::string(2000, 'x'));
        write(at("anew/key.txt"), "and after");
        pack("anew", "anew.tar");
        QCOMPARE(*files.read(at("anew.tar/key.txt"), kMost), std::string("and after"));
    }

    void walksThroughEachShardOnce() {
        constexpr int kShards = 7;
        PackedFiles files;
        for (int i = 0; i < kShards; ++i) {
            const std::string name = "many" + std::to_string(i);
            for (int n = 0; n < 20; ++n) write(at(name + "/" + std::to_string(n) + ".txt"), name);
            pack(name, name + ".tar");
        }
        for (int n = 19; n >= 0; --n) // as pictures are drawn: from all of them in turn
            for (int i = 0; i < kShards; ++i) {
                const std::string name = "many" + std::to_string(i);
                QCOMPARE(*files.read(at(name + ".tar/" + std::to_string(n) + ".txt"), kMost), name);
            }
        QCOMPARE(files.walks(), int64_t{kShards});
        write(at("many3/0.txt"), "packed anew");
        pack("many3", "many3.tar");
        QCOMPARE(*files.read(at("many3.tar/0.txt"), kMost), std::string("packed anew"));
        QCOMPARE(*files.read(at("many4.tar/0.txt"), kMost), std::string("many4"));
        QCOMPARE(files.walks(), int64_t{kShards + 1});
    }

    void takesTheLastOfMembersOfOneName() {
        write(at("twice/key.txt"), "first");
        pack("twice", "twice.tar");
        write(at("twice/key.txt"), "and last");
        QCOMPARE(QProcess::execute("tar", {"-rf", QString::fromStdString(at("twice.tar")), "-C",
                                           QString::fromStdString(at("twice")), "./key.txt"}),
                 0);
        PackedFiles files;
        QCOMPARE(*files.read(at("twice.tar/key.txt"), kMost), std::string("and last"));
    }

    void readsWhatLiesAheadOfDamage() {
        write(at("cut/a.txt"), "whole");
        write(at("cut/b.txt"), std::string(3000, 'b'));
        pack("cut", "cut.tar");
        const auto found = FileReader::open(at("cut.tar"));
        std::vector<TarMember> members;
        QVERIFY(readTarIndex(*found, members));
        fs::resize_file(at("cut.tar"), static_cast<uint64_t>(members.back().offset + 1000));
        PackedFiles files;
        QCOMPARE(*files.read(at("cut.tar/a.txt"), kMost), std::string("whole"));
        const auto lost = files.read(at("cut.tar/b.txt"), kMost);
        QVERIFY(!lost && lost.error().message.find("cut off") != std::string::npos);
    }

    void listsShardsInOrderOfTheirPaths() {
        for (const char* name :
             {"list/b.tar", "list/a/1.tar", "list/a/0.tar", "list/.hidden.tar", "list/.hidden/in.tar",
              "list/x.txt", "list/a/too/deep.tar", "list/folder.tar/in.txt", "list/lost+found/9.tar"})
            write(at(name), "x");
        const auto shards = listShards(at("list"));
        QVERIFY(shards);
        const std::vector<std::string> expected{at("list/a/0.tar"), at("list/a/1.tar"), at("list/b.tar")};
        QVERIFY(*shards == expected);
        QVERIFY(!listShards(at("nowhere")));
    }

    void namesTheFolderThatCannotBeSearched() {
        write(at("closed/x.tar"), "x");
        fs::create_directories(at("closed/within"));
        fs::permissions(at("closed/within"), fs::perms::none);
        const auto shards = [this] {
            const AsOwner asOwner;
            return listShards(at("closed"));
        }();
        fs::permissions(at("closed/within"), fs::perms::owner_all);
        QVERIFY(!shards);
        QCOMPARE(shards.error().context, at("closed/within"));
    }
};

QTEST_APPLESS_MAIN(TestPackedFiles)
#include "tst_packed_files.moc"
