// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is kept between runs, and what goes when it grows too large.
#include "core/engine/data/cache_bound.h"
#include "core/engine/data/latent_cache.h"
#include "core/engine/io/tensor_files.h"
#include "core/engine/learning/step_random.h"

#include "training_support.h"

#include <optional>
#include <thread>

namespace homebooth::core::testing {
namespace {

TEST(LatentCache, keepsMeanAndVarianceByContent) {
    const std::string folder = scratchFolder("latents");
    LatentCache cache(folder, "vae-a");
    TrainingSample sample;
    sample.contentHash = "abc";
    sample.size = {64, 64};
    const PictureLatents latents{drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2).square()};
    const std::string key = cache.key(sample, false);
    EXPECT_FALSE(cache.read(key).has_value());
    cache.write(key, latents);
    cache.flush();
    const auto found = LatentCache(folder, "vae-a").read(key);
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(at::equal(found->mean, latents.mean));
    EXPECT_TRUE(at::equal(found->variance, latents.variance));

    EXPECT_NE(cache.key(sample, true), key);
    sample.backgroundRgb = 0xC81E28;
    EXPECT_NE(cache.key(sample, false), key);
    sample.backgroundRgb = kWhite;
    EXPECT_NE(LatentCache(folder, "vae-b").key(sample, false), key);
    sample.size = {64, 128};
    EXPECT_NE(cache.key(sample, false), key);
}

TEST(LatentCache, makesNothingOfDamagedFiles) {
    const std::string folder = scratchFolder("latents-damaged");
    LatentCache cache(folder, "vae");
    const PictureLatents latents{drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2).square()};
    cache.write("k", latents);
    cache.flush();
    const std::string path = fs::directory_iterator(folder + "/vae")->path().string();
    const std::string whole = fileBytes(path);
    for (const size_t length : {size_t{0}, size_t{7}, whole.size() / 2, whole.size() - 1}) {
        std::ofstream(path, std::ios::binary).write(whole.data(), static_cast<long>(length));
        EXPECT_FALSE(LatentCache(folder, "vae").read("k").has_value()) << length;
    }
    std::string changed = whole;
    changed.back() = static_cast<char>(changed.back() ^ 1); // as a disk may do it, without a word
    std::ofstream(path, std::ios::binary) << changed;
    LatentCache again(folder, "vae");
    EXPECT_FALSE(again.read("k").has_value());
    EXPECT_FALSE(again.holds("k"));
    again.write("k", latents);
    again.write("l", latents); // so that both files are there
    again.flush();
    EXPECT_TRUE(LatentCache(folder, "vae").read("k").has_value());
    std::ofstream(path, std::ios::binary) << whole;
    EXPECT_TRUE(LatentCache(folder, "vae").read("k").has_value());
}

TEST(LatentCache, doesWithoutADisk) {
    LatentCache cache("/proc/no-such-folder", "vae");
    const PictureLatents latents{drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2)};
    cache.write("k", latents);
    ASSERT_TRUE(cache.read("k").has_value());
    cache.flush();
    EXPECT_FALSE(cache.keeps());
    EXPECT_FALSE(cache.holds("k")); // memory is no place for all that a disk does not take
    cache.write("l", latents);
    EXPECT_FALSE(cache.holds("l"));
    EXPECT_FALSE(LatentCache("/proc/no-such-folder", "vae").read("k").has_value());
}

TEST(LatentCache, keepsFewFilesOpen) {
    const std::string folder = scratchFolder("latents-open");
    constexpr int kPacks = 5;
    LatentCache written(folder, "vae");
    for (int i = 0; i < kPacks; ++i) {
        const at::Tensor mean = drawNormal({4, 8, 8}, static_cast<uint64_t>(i));
        written.write("k" + std::to_string(i), {mean, mean.square()});
        written.flush();
    }
    const LatentCache cache(folder, "vae", /*mostOpen=*/2);
    EXPECT_EQ(cache.open(), 0U);
    for (const int i : {0, 1, 2, 3, 4, 3, 0, 1, 2}) {
        const at::Tensor mean = drawNormal({4, 8, 8}, static_cast<uint64_t>(i));
        const auto found = cache.read("k" + std::to_string(i));
        ASSERT_TRUE(found.has_value()) << i;
        EXPECT_TRUE(at::equal(found->mean, mean)) << i;
        EXPECT_TRUE(at::equal(found->variance, mean.square())) << i;
        EXPECT_LE(cache.open(), 2U);
    }
}

TEST(LatentCache, writesNothingWhereThereIsNoRoom) {
    const std::string folder = scratchFolder("latents-no-room");
    LatentCache cache(folder, "vae");
    const PictureLatents latents{drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2)};
    int64_t left = 2500;
    cache.limit([&left](int64_t bytes) { return (left -= bytes) >= 0; });
    for (const char* key : {"k", "l"}) {
        cache.write(key, latents); // 2048 bytes
        cache.flush();
    }
    EXPECT_FALSE(cache.keeps());
    EXPECT_TRUE(cache.read("k").has_value());
    EXPECT_FALSE(cache.holds("l"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder + "/vae"), fs::directory_iterator()), 1);
}

TEST(LatentCache, marksWhatWillBeReadAsUsed) {
    const std::string folder = scratchFolder("latents-claimed");
    LatentCache(folder, "vae").flush();
    {
        LatentCache cache(folder, "vae");
        cache.write("k", {drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2)});
        cache.flush();
    }
    const fs::path pack = fs::directory_iterator(folder + "/vae")->path();
    fs::last_write_time(pack, fs::file_time_type::clock::now() - std::chrono::hours(1));
    const auto before = fs::last_write_time(pack); // some file systems have coarse times
    const LatentCache cache(folder, "vae");
    cache.claim("no such one");
    EXPECT_EQ(fs::last_write_time(pack), before);
    cache.claim("k");
    EXPECT_GT(fs::last_write_time(pack), before);
    const std::string twin = scratchFolder("latents-claimed-too"); // of a run that encoded it at once
    {
        LatentCache other(twin, "vae");
        for (const char* key : {"k", "l"})
            other.write(key, {drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2)});
        other.flush();
    }
    fs::copy(twin + "/vae", folder + "/vae");
    for (const auto& entry : fs::directory_iterator(folder + "/vae"))
        fs::last_write_time(entry.path(), before);
    const LatentCache both(folder, "vae");
    both.claim("k");
    EXPECT_TRUE(both.read("k").has_value());
    int used = 0;
    for (const auto& entry : fs::directory_iterator(folder + "/vae"))
        used += fs::last_write_time(entry.path()) > before ? 1 : 0;
    EXPECT_EQ(used, 1); // the other one may go
}

TEST(LatentCache, keepsTheSamePictureOnce) {
    const std::string folder = scratchFolder("latents-twice");
    LatentCache cache(folder, "vae");
    const PictureLatents latents{drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2).square()};
    cache.write("k", latents);
    cache.write("k", latents);
    EXPECT_TRUE(cache.read("k").has_value()); // also while it waits for its pack
    cache.flush();
    EXPECT_TRUE(cache.keeps());
    EXPECT_TRUE(LatentCache(folder, "vae").read("k").has_value());
}

TEST(LatentCache, replacesWhatCannotBeRead) {
    const std::string folder = scratchFolder("latents-replaced");
    const at::Tensor mean = drawNormal({4, 8, 8}, 1);
    fs::create_directories(folder + "/vae");
    ASSERT_TRUE(writeTensorFile(folder + "/vae/old.safetensors", TensorListSource({{"k.mean", mean}})));
    LatentCache cache(folder, "vae");
    EXPECT_FALSE(cache.read("k").has_value()); // there is no variance
    cache.write("k", {mean, mean.square()});
    cache.flush();
    EXPECT_TRUE(cache.read("k").has_value());
}

TEST(CacheBound, dropsWhatWasUsedLongestAgo) {
    const std::string folder = scratchFolder("cache-bound");
    const auto now = fs::file_time_type::clock::now();
    for (int i = 0; i < 5; ++i) {
        const std::string path = folder + "/part" + std::to_string(i % 2) + "/file" + std::to_string(i);
        fs::create_directories(fs::path(path).parent_path());
        std::ofstream(path) << std::string(100, 'x');
        fs::last_write_time(path, now - std::chrono::hours(10 - i));
    }
    const auto exists = [&](int i) {
        return fs::exists(folder + "/part" + std::to_string(i % 2) + "/file" + std::to_string(i));
    };
    EXPECT_EQ(boundCache(folder, 500), 0);
    const CacheUse use(folder);
    markUsed(folder + "/part0/file0");
    EXPECT_EQ(boundCache(folder, 250), 300);
    EXPECT_EQ((std::vector{exists(0), exists(1), exists(2), exists(3), exists(4)}),
              (std::vector{true, false, false, false, true}));
    // What the running job uses stays, even if it takes more than all of it may.
    EXPECT_EQ(boundCache(folder, 0), 100);
    EXPECT_TRUE(exists(0));
    EXPECT_EQ(boundCache(folder + "/nothing", 0), 0);
}

TEST(CacheBound, keepsWhatOtherLivingRunsUse) {
    const std::string folder = scratchFolder("cache-shared");
    const auto file = [&](const char* name) { return folder + "/latents/" + name; };
    fs::create_directories(folder + "/latents");
    for (const char* name : {"used", "unused"}) {
        std::ofstream(file(name)) << std::string(100, 'x');
        fs::last_write_time(file(name), fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
    std::optional<CacheUse> other(folder); // of a run that began earlier and still works
    markUsed(file("used"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    {
        const CacheUse later(folder);
        EXPECT_EQ(boundCache(folder, 0), 100);
        EXPECT_TRUE(fs::exists(file("used")));
        EXPECT_FALSE(fs::exists(file("unused")));
        other.reset();
        EXPECT_EQ(boundCache(folder, 0), 100); // now it is nobody's
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder + "/uses"), fs::directory_iterator()), 1);
}

TEST(CacheRoom, endsAtTheBoundOnceWhatIsOlderIsGone) {
    const std::string folder = scratchFolder("cache-room");
    const auto write = [&](const char* name, size_t bytes) {
        std::ofstream(folder + "/" + name) << std::string(bytes, 'x');
    };
    write("old", 300);
    fs::last_write_time(folder + "/old", fs::file_time_type::clock::now() - std::chrono::hours(1));
    const CacheUse use(folder);
    CacheRoom room(folder, 500);
    ASSERT_TRUE(room.take(100));
    write("first", 100);
    EXPECT_TRUE(fs::exists(folder + "/old"));
    ASSERT_TRUE(room.take(150));
    write("second", 150);
    EXPECT_FALSE(fs::exists(folder + "/old"));
    EXPECT_FALSE(room.take(300)); // 250 are used by this run itself
    EXPECT_FALSE(room.take(501));
    EXPECT_TRUE(room.take(250));
    EXPECT_TRUE(fs::exists(folder + "/first"));
}

TEST(CacheBound, countsNoRunThatWasKilled) {
    const std::string folder = scratchFolder("cache-killed");
    fs::create_directories(folder + "/uses");
    std::ofstream(folder + "/uses/123-456").flush();
    fs::last_write_time(folder + "/uses/123-456", fs::file_time_type::clock::now() - std::chrono::hours(2));
    std::ofstream(folder + "/pack") << std::string(100, 'x');
    fs::last_write_time(folder + "/pack", fs::file_time_type::clock::now() - std::chrono::hours(1));
    EXPECT_EQ(boundCache(folder, 0), 100);
    EXPECT_FALSE(fs::exists(folder + "/uses/123-456"));
}

} // namespace
} // namespace homebooth::core::testing
