// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests of training share: pictures in plain PPM files (so that the engine's tests need no decoder), an
// event list, and everything that a job borrows.
#pragma once

#include "core/base/formats/packed_files.h"
#include "core/base/run/run_folder.h"
#include "core/engine/training/train_job.h"

#include "model_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace homebooth::core::testing {

namespace fs = std::filesystem;

/// An empty folder of this test's own.
inline std::string scratchFolder(const std::string& name) {
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    const fs::path path = fs::path(root != nullptr ? root : "scratch") / name;
    fs::remove_all(path);
    fs::create_directories(path);
    return fs::absolute(path).string();
}

inline void writePpm(const std::string& path, const Picture& picture) {
    std::ofstream file(path, std::ios::binary);
    file << "P6\n" << picture.widthPixels << " " << picture.heightPixels << "\n255\n";
    file.write(reinterpret_cast<const char*>(picture.rgb.data()), static_cast<long>(picture.rgb.size()));
}

/// A picture whose colours depend on `number`.
inline Picture patternPicture(int number, int64_t width = 80, int64_t height = 72) {
    Picture picture{width, height, {}};
    for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x)
            for (int64_t c = 0; c < 3; ++c)
                picture.rgb.push_back(
                    static_cast<uint8_t>((x * (number + 2) + y * (c + 1) * 3 + number * 40) % 256));
    return picture;
}

/// Reads PPM files, whatever their names end with.
class PpmSource : public PictureSource {
public:
    Result<std::vector<std::string>> list(const std::string& folder) override {
        std::vector<std::string> paths;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder, error)) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".ppm" || extension == ".png") paths.push_back(entry.path().string());
        }
        if (error) return badInput("the folder cannot be read", folder);
        std::sort(paths.begin(), paths.end());
        return paths;
    }

    bool isPictureName(const std::string& name) const override {
        return name.ends_with(".ppm") || name.ends_with(".PPM");
    }

    Result<PictureSize> size(const std::string& path) override {
        HOMEBOOTH_ASSIGN(const Picture picture, readPpm(path));
        return PictureSize{picture.widthPixels, picture.heightPixels};
    }

    Result<Picture> load(const std::string& path, PictureSize size) override {
        ++m_loaded;
        HOMEBOOTH_ASSIGN(const Picture picture, readPpm(path));
        Picture scaled{size.widthPixels, size.heightPixels, {}};
        for (int64_t y = 0; y < size.heightPixels; ++y)
            for (int64_t x = 0; x < size.widthPixels; ++x)
                for (int64_t c = 0; c < 3; ++c) {
                    const int64_t fromY = y * picture.heightPixels / size.heightPixels;
                    const int64_t fromX = x * picture.widthPixels / size.widthPixels;
                    scaled.rgb.push_back(
                        picture.rgb[static_cast<size_t>((fromY * picture.widthPixels + fromX) * 3 + c)]);
                }
        return scaled;
    }

    [[nodiscard]] int loaded() const { return m_loaded; } ///< pictures decoded so far

private:
    Result<Picture> readPpm(const std::string& path) {
        constexpr int64_t kMostBytes = int64_t{1} << 20;
        HOMEBOOTH_ASSIGN(const std::string bytes, m_files.read(path, kMostBytes));
        std::istringstream file(bytes);
        std::string magic;
        int64_t most = 0;
        Picture picture;
        file >> magic >> picture.widthPixels >> picture.heightPixels >> most;
        file.get();
        if (magic != "P6" || most != 255) return badInput("not a picture", path);
        picture.rgb.resize(static_cast<size_t>(3 * picture.widthPixels * picture.heightPixels));
        file.read(reinterpret_cast<char*>(picture.rgb.data()), static_cast<long>(picture.rgb.size()));
        if (!file) return badInput("the picture is cut off", path);
        return picture;
    }

    PackedFiles m_files;
    int m_loaded = 0;
};

class PpmWriter : public PictureWriter {
public:
    Result<void> write(const std::string& path, const Picture& picture,
                       const std::map<std::string, std::string>& /*text*/) override {
        writePpm(path, picture);
        ++written;
        return {};
    }
    int written = 0;
};

class EventList : public EventSink {
public:
    void emit(const Event& event) override { events.push_back(event); }

    template <class T>
    [[nodiscard]] std::vector<T> of() const {
        std::vector<T> found;
        for (const Event& event : events)
            if (const T* wanted = std::get_if<T>(&event)) found.push_back(*wanted);
        return found;
    }
    std::vector<Event> events;
};

/// Requests to stop once a step is done.
class StoppingSink : public EventList {
public:
    explicit StoppingSink(TrainControl& control)
        : m_control(control) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        if (std::holds_alternative<StepEvent>(event)) m_control.stop.request();
    }

private:
    TrainControl& m_control;
};

/// Everything a job borrows.
struct JobWorld {
    PpmSource pictures;
    PpmWriter writer;
    EventList events;
    TrainControl control;
    JobOptions options;
};

/// A DreamBooth of three photos on the tiny SD 1 model: a step takes some ten milliseconds.
inline TrainConfig tinyDreamBooth(const std::string& root) {
    const std::string photos = root + "/photos";
    fs::create_directories(photos);
    for (int i = 0; i < 3; ++i) writePpm(photos + "/photo" + std::to_string(i) + ".ppm", patternPicture(i));
    TrainConfig config;
    config.model = fixture("tiny-sd1");
    config.data.instanceDir = photos;
    config.data.instancePrompt = "a photo of sks dog";
    config.data.resolutionPixels = 64;
    config.steps = 4;
    config.threads = 1;
    config.optimizer.learningRate = 1e-3;
    config.output.checkpointEverySteps = 2;
    config.output.runDir = root + "/run";
    return config;
}

/// Six or more captioned pictures on the same model.
inline TrainConfig tinyDataset(const std::string& root, int pictures = 6) {
    const std::string data = root + "/data";
    fs::create_directories(data);
    for (int i = 0; i < pictures; ++i) {
        writePpm(data + "/p" + std::to_string(i) + ".ppm", patternPicture(i));
        std::ofstream(data + "/p" + std::to_string(i) + ".txt") << "pattern " << i;
    }
    TrainConfig config;
    config.mode = TrainMode::Dataset;
    config.model = fixture("tiny-sd1");
    config.data.datasetDir = data;
    config.data.resolutionPixels = 64;
    config.steps = 4;
    config.threads = 1;
    config.optimizer.learningRate = 1e-3;
    config.output.checkpointEverySteps = 2;
    config.output.validateEverySteps = 2;
    config.output.runDir = root + "/run";
    return config;
}

inline RunFolder makeRun(const TrainConfig& config) {
    auto run = RunFolder::create(config.output.runDir, config);
    if (!run) throw std::runtime_error(run.error().text());
    return *run;
}

inline OutcomeEvent runJob(const TrainConfig& config, const RunFolder& run, JobWorld& world) {
    return runTrainJob(config, run, world.events, world.control, world.pictures, world.writer, world.options);
}

/// The same run under another root.
inline TrainConfig inFolder(TrainConfig config, const std::string& root) {
    config.output.runDir = root + "/run";
    return config;
}

/// Does something before a picture is decoded, which may fail it.
class MeddlingSource : public PpmSource {
public:
    std::function<bool(const std::string& path)> before; ///< false: the picture cannot be decoded
    Result<Picture> load(const std::string& path, PictureSize size) override {
        if (before && !before(path)) return badInput("the picture is cut off", path);
        return PpmSource::load(path, size);
    }
};

inline OutcomeEvent runWith(PictureSource& pictures, const TrainConfig& config, JobWorld& world) {
    const RunFolder run =
        fs::exists(config.output.runDir) ? *RunFolder::open(config.output.runDir) : makeRun(config);
    return runTrainJob(config, run, world.events, world.control, pictures, world.writer, world.options);
}

inline OutcomeEvent runFresh(const TrainConfig& config, JobWorld& world) {
    return runJob(config, makeRun(config), world);
}

inline OutcomeEvent runAgain(const TrainConfig& config, JobWorld& world) {
    return runJob(config, *RunFolder::open(config.output.runDir), world);
}

inline std::string checkpointOf(const TrainConfig& config, int64_t step) {
    char name[64];
    std::snprintf(name, sizeof name, "/checkpoints/step-%06lld", static_cast<long long>(step));
    return config.output.runDir + name;
}

/// Whether a warning says `part`.
inline bool warnsOf(const EventList& events, const std::string& part) {
    const auto warnings = events.of<WarningEvent>();
    return std::any_of(warnings.begin(), warnings.end(), [&](const WarningEvent& warning) {
        return warning.message.find(part) != std::string::npos;
    });
}

inline std::string fileBytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

/// The paths of all files within a folder, sorted.
inline std::vector<std::string> filesWithin(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).string());
    std::sort(names.begin(), names.end());
    return names;
}

/// Checks that two folders hold the same files with the same bytes, and neither has others.
inline void expectEqualFolders(const fs::path& actual, const fs::path& expected) {
    ASSERT_TRUE(fs::exists(actual)) << actual;
    ASSERT_TRUE(fs::exists(expected)) << expected;
    const std::vector<std::string> names = filesWithin(expected);
    ASSERT_FALSE(names.empty()) << expected;
    ASSERT_EQ(filesWithin(actual), names) << actual << ", beside " << expected;
    for (const std::string& name : names)
        EXPECT_TRUE(fileBytes(actual / name) == fileBytes(expected / name)) << name << " differs";
}

} // namespace homebooth::core::testing
