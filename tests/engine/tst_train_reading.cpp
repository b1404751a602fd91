// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a start reads of its pictures: how that is told and stopped, and what the next start still knows.
#include "core/engine/data/known_pictures.h"

#include "training_support.h"

#include <sys/stat.h>

#include <thread>

namespace homebooth::core::testing {
namespace {

constexpr std::chrono::nanoseconds kAtOnce{0}; // whatever changed just now is kept, too

using WallClock = std::chrono::system_clock;

/// Counts the pictures that are read for their size, and knows when one was last decoded.
class CountingSource : public PpmSource {
public:
    Result<PictureSize> size(const std::string& path) override {
        ++examined;
        return PpmSource::size(path);
    }
    Result<Picture> load(const std::string& path, PictureSize size) override {
        lastLoaded = WallClock::now();
        return PpmSource::load(path, size);
    }
    int examined = 0;
    WallClock::time_point lastLoaded;
};

/// When anything of a file was last changed, as its file system has it.
WallClock::time_point changeOf(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    const auto since =
        std::chrono::seconds(status.st_ctim.tv_sec) + std::chrono::nanoseconds(status.st_ctim.tv_nsec);
    return WallClock::time_point(std::chrono::duration_cast<WallClock::duration>(since));
}

/// Requests to stop once pictures are being read.
class StopsReading : public EventList {
public:
    explicit StopsReading(TrainControl& control)
        : m_control(control) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state != nullptr && state->state == "reading") m_control.stop.request();
    }

private:
    TrainControl& m_control;
};

KnownPicture picture(char digit) {
    return {{640, 480}, std::string(64, digit)};
}

FileIdentity identity() {
    return {1, 2, 3, 4, 5};
}

TEST(KnownPictures, areFoundAgainWhileTheirFilesStay) {
    const std::string file = scratchFolder("known") + "/made/known";
    KnownPictures first(file, kAtOnce);
    first.add("/a", identity(), picture('a'));
    first.add("/b", identity(), picture('b'));
    first.save();
    KnownPictures second(file, kAtOnce);
    const auto found = second.find("/a", identity());
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->size, (PictureSize{640, 480}));
    EXPECT_EQ(found->contentHash, std::string(64, 'a'));
    EXPECT_EQ(second.find("/b", identity())->contentHash, std::string(64, 'b'));
    EXPECT_FALSE(second.find("/c", identity()).has_value());
    FileIdentity afterAStart = identity();
    afterAStart.device = 9;
    EXPECT_TRUE(second.find("/a", afterAStart).has_value());
    for (const FileIdentity& other : {FileIdentity{1, 9, 3, 4, 5}, FileIdentity{1, 2, 9, 4, 5},
                                      FileIdentity{1, 2, 3, 9, 5}, FileIdentity{1, 2, 3, 4, 9}})
        EXPECT_FALSE(second.find("/a", other).has_value());
}

TEST(KnownPictures, ofOtherDataSetsStay) {
    const std::string file = scratchFolder("known-others") + "/known";
    for (const char* path : {"/a", "/b"}) {
        KnownPictures one(file, kAtOnce);
        one.add(path, identity(), picture('c'));
        one.save();
    }
    KnownPictures both(file, kAtOnce);
    EXPECT_TRUE(both.find("/a", identity()).has_value());
    EXPECT_TRUE(both.find("/b", identity()).has_value());
}

TEST(KnownPictures, areNoneInADamagedFile) {
    const std::string file = scratchFolder("known-damaged") + "/known";
    KnownPictures first(file, kAtOnce);
    first.add("/a", identity(), picture('a'));
    first.save();
    const std::string whole = fileBytes(file);
    for (const size_t length : {size_t{0}, size_t{10}, whole.size() / 2, whole.size() - 1}) {
        std::ofstream(file, std::ios::binary).write(whole.data(), static_cast<long>(length));
        EXPECT_FALSE(KnownPictures(file, kAtOnce).find("/a", identity()).has_value()) << length;
    }
    for (const size_t place : {size_t{3}, whole.size() / 3, whole.size() - 1}) {
        std::string other = whole;
        other[place] = static_cast<char>(other[place] ^ 1);
        std::ofstream(file, std::ios::binary) << other;
        EXPECT_FALSE(KnownPictures(file, kAtOnce).find("/a", identity()).has_value()) << place;
    }
    std::ofstream(file, std::ios::binary) << whole;
    EXPECT_TRUE(KnownPictures(file, kAtOnce).find("/a", identity()).has_value());
}

TEST(KnownPictures, areNoneThatMayStillChangeUnnoticed) {
    const std::string file = scratchFolder("known-unsettled") + "/known";
    FileIdentity now = identity();
    now.statusChangedNs =
        std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
    KnownPictures pictures(file);
    pictures.add("/a", now, picture('a'));
    EXPECT_FALSE(pictures.find("/a", now).has_value());
    pictures.add("/b", identity(), picture('b'));
    EXPECT_TRUE(pictures.find("/b", identity()).has_value());
}

TEST(KnownPictures, doWithoutADisk) {
    for (const char* file : {"", "/proc/no-such-folder/known"}) {
        KnownPictures pictures(file, kAtOnce);
        pictures.add("/a", identity(), picture('a'));
        pictures.save();
        EXPECT_FALSE(KnownPictures(file, kAtOnce).find("/a", identity()).has_value());
    }
}

TEST(TrainReading, readsNoPictureAgainThatHasNotChanged) {
    const std::string root = scratchFolder("reading-again");
    const TrainConfig config = tinyDreamBooth(root);
    std::this_thread::sleep_for(KnownPictures::kSettled + std::chrono::milliseconds(100));
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    CountingSource first;
    ASSERT_EQ(runWith(first, config, world).result, "done");
    EXPECT_EQ(first.examined, 3);
    CountingSource second;
    const TrainConfig again = inFolder(config, root + "/again");
    ASSERT_EQ(runWith(second, again, world).result, "done");
    EXPECT_EQ(second.examined, 0);
    expectEqualFolders(checkpointOf(again, 4), checkpointOf(config, 4));

    const std::string photo = config.data.instanceDir + "/photo1.ppm";
    const auto time = fs::last_write_time(photo);
    writePpm(photo, patternPicture(9));
    fs::last_write_time(photo, time); // as programs do that keep a file's time
    const WallClock::time_point change = changeOf(photo);
    CountingSource third;
    const TrainConfig changed = inFolder(config, root + "/changed");
    ASSERT_EQ(runWith(third, changed, world).result, "done");
    EXPECT_EQ(third.loaded(), 1);
    // Ahead of the model and for its sample: it may still change unnoticed, but where a disk was slow.
    const bool settled = third.lastLoaded - change > KnownPictures::kSettled;
    EXPECT_LE(third.examined, 2);
    EXPECT_GE(third.examined, settled ? 1 : 2);
}

TEST(TrainReading, isToldAndStopsBetweenPictures) {
    const std::string root = scratchFolder("reading-stopped");
    TrainConfig denoiser = tinyDataset(root);
    TrainConfig autoencoder = inFolder(denoiser, root + "/vae");
    autoencoder.mode = TrainMode::FromScratch;
    autoencoder.model.clear();
    autoencoder.scratch.configDir = fixture("tiny-sd1");
    autoencoder.scratch.component = "vae";
    TrainConfig unchecked = inFolder(denoiser, root + "/unchecked"); // ahead of the model
    TrainConfig uncheckedToo = inFolder(autoencoder, root + "/vae-unchecked");
    for (TrainConfig* config : {&unchecked, &uncheckedToo}) config->data.skipBrokenImages = true;
    for (const TrainConfig& config : {denoiser, autoencoder, unchecked, uncheckedToo}) {
        JobWorld world;
        StopsReading events(world.control);
        CountingSource pictures;
        const OutcomeEvent outcome = runTrainJob(config, makeRun(config), events, world.control, pictures,
                                                 world.writer, world.options);
        EXPECT_EQ(outcome.result, "cancelled") << outcome.message;
        EXPECT_EQ(pictures.examined, 1);
        const auto states = events.of<StateEvent>();
        const auto told = std::find_if(states.begin(), states.end(),
                                       [](const StateEvent& state) { return state.state == "reading"; });
        ASSERT_NE(told, states.end());
        EXPECT_EQ(told->detail, "pictures");
        EXPECT_EQ(told->total, 6);
        EXPECT_TRUE(events.of<StepEvent>().empty());
    }
}

} // namespace
} // namespace homebooth::core::testing
