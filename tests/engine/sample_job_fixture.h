// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A generation as a job, with pictures in memory. Shared by the tests of jobs and of what they are asked
// for.
#pragma once

#include "core/base/text/generation_parameters.h"
#include "core/engine/sampling/sample_job.h"
#include "sampling_support.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace homebooth::core::sampling_test {

namespace fs = std::filesystem;

/// Pictures in memory; leaves a small file behind, so that names count as taken.
class MemoryPictures : public PictureSource, public PictureWriter {
public:
    struct Written {
        Picture picture;
        std::map<std::string, std::string> text;
    };

    Result<std::vector<std::string>> list(const std::string&) override { return std::vector<std::string>{}; }
    bool isPictureName(const std::string&) const override { return false; }
    Result<PictureSize> size(const std::string& path) override {
        if (path != "start.png") return badInput("no such picture", path);
        return start;
    }
    Result<Picture> load(const std::string&, PictureSize size) override {
        Picture picture{size.widthPixels, size.heightPixels, {}};
        picture.rgb.assign(static_cast<size_t>(3 * size.widthPixels * size.heightPixels), 200);
        return picture;
    }
    Result<void> write(const std::string& path, const Picture& picture,
                       const std::map<std::string, std::string>& text) override {
        if (full > 0) {
            --full;
            return Error{ErrorCode::OutOfResources, "the disk is full", path};
        }
        std::ofstream file(path);
        if (!(file << "png" << std::flush)) return badInput("no such folder", path);
        files[path] = {picture, text};
        return {};
    }

    std::map<std::string, Written> files;
    int full = 0;              ///< how many writes find the disk so
    PictureSize start{48, 40}; ///< of start.png
};

class Events : public EventSink {
public:
    void emit(const Event& event) override { all.push_back(event); }

    template <class Kind>
    [[nodiscard]] std::vector<Kind> of() const {
        std::vector<Kind> found;
        for (const Event& event : all)
            if (const auto* one = std::get_if<Kind>(&event)) found.push_back(*one);
        return found;
    }
    [[nodiscard]] int64_t states(const std::string& name) const {
        int64_t count = 0;
        for (const StateEvent& state : of<StateEvent>()) count += state.state == name ? 1 : 0;
        return count;
    }

    std::vector<Event> all;
};

class SampleJob : public ::testing::Test {
protected:
    void SetUp() override {
        const char* scratch = std::getenv("HOMEBOOTH_TEST_DIR");
        const fs::path base = scratch != nullptr ? fs::path(scratch) : fs::temp_directory_path();
        m_folder = base / ::testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
        config.model = fixturePath("tiny-sd1");
        config.prompt = "a photo of sks dog";
        config.negativePrompt = "blurry";
        config.steps = 3;
        config.sampler = SamplerKind::Euler;
        config.seed = 11;
        config.threads = 1;
        config.outputDir = m_folder.string();
    }
    void TearDown() override { fs::remove_all(m_folder); }

    OutcomeEvent run() { return session.run(config, events, cancel); }
    [[nodiscard]] const MemoryPictures::Written& picture(const std::string& name) {
        return pictures.files.at((m_folder / name).string());
    }
    [[nodiscard]] GenerationParameters factsOf(const std::string& name) {
        return parseGenerationParameters(picture(name).text.at("parameters"));
    }
    [[nodiscard]] int64_t warnings(const std::string& code) const {
        int64_t count = 0;
        for (const WarningEvent& warning : events.of<WarningEvent>()) count += warning.code == code ? 1 : 0;
        return count;
    }
    [[nodiscard]] fs::path folder() const { return m_folder; }

    SampleConfig config;
    MemoryPictures pictures;
    Events events;
    CancelToken cancel;
    SampleSession session{pictures, pictures};

private:
    fs::path m_folder;
};

} // namespace homebooth::core::sampling_test
