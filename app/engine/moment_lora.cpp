// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the saved moments that makes an add-on of a checkpoint.
#include "app/engine/moments.h"
#include "app/library/disk_cache.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/model/lora_file.h"
#include "core/base/model/model_source.h"
#include "core/base/model/told_prediction.h"
#include "core/base/run/run_folder.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <map>

namespace homebooth::app {
namespace {

constexpr std::string_view kDown = ".lora_down.weight";
constexpr std::string_view kUp = ".lora_up.weight";

/// Files of a checkpoint as one source: a part's tensors get its name in front.
class CheckpointSource : public core::TensorSource {
public:
    void add(const std::string& part, std::shared_ptr<core::SafetensorsReader> file) {
        for (core::TensorInfo info : file->tensors()) {
            m_places[part + '/' + info.name] = {file, info.name};
            info.name = part + '/' + info.name;
            m_tensors.push_back(std::move(info));
        }
    }
    [[nodiscard]] const std::vector<core::TensorInfo>& tensors() const override { return m_tensors; }
    [[nodiscard]] const core::TensorInfo* find(std::string_view name) const override {
        for (const core::TensorInfo& info : m_tensors)
            if (info.name == name) return &info;
        return nullptr;
    }
    [[nodiscard]] core::Result<void> read(std::string_view name,
                                          std::span<std::byte> destination) const override {
        const auto place = m_places.find(name);
        if (place == m_places.end())
            return core::badInput("reading a saved moment: it holds no such part", std::string(name));
        return place->second.file->read(place->second.name, destination);
    }

private:
    struct Place {
        std::shared_ptr<core::SafetensorsReader> file;
        std::string name;
    };
    std::vector<core::TensorInfo> m_tensors;
    std::map<std::string, Place, std::less<>> m_places;
};

QString runOf(const QString& checkpoint) {
    return QDir::cleanPath(checkpoint + QStringLiteral("/../.."));
}

std::vector<core::LoraModule> modulesOf(const CheckpointSource& source, const core::LoraConfig& lora) {
    std::vector<core::LoraModule> modules;
    for (const core::TensorInfo& down : source.tensors()) {
        if (!down.name.ends_with(kDown)) continue;
        core::LoraModule module;
        const size_t part = down.name.find('/');
        const std::string stem = down.name.substr(0, down.name.size() - kDown.size());
        module.name = {down.name.substr(0, part), stem.substr(part + 1)};
        module.rank = lora.rank;
        module.alpha = lora.alpha;
        module.downTensor = down.name;
        module.downShape = down.shape;
        module.upTensor = stem + std::string(kUp);
        if (const core::TensorInfo* up = source.find(module.upTensor)) {
            module.upShape = up->shape;
            modules.push_back(std::move(module));
        }
    }
    return modules;
}

core::LoraDescription describe(const core::TrainConfig& config, const QString& base) {
    core::LoraDescription description;
    core::OpenOptions options;
    options.weightsOptional = true;
    if (const auto model = core::openModel(base.toStdString(), options)) {
        description = core::LoraDescription::of(*model);
        core::noteToldPrediction(config, *model, description);
    }
    description.triggerPhrase = config.data.instancePrompt;
    description.resolutionPixels = config.data.resolutionPixels;
    return description;
}

} // namespace

QString momentLoraFile(const QString& checkpoint) {
    // Pictures name an add-on by its file.
    return QStringLiteral("%1/%2 %3.safetensors")
        .arg(momentFolder(checkpoint), QFileInfo(runOf(checkpoint)).fileName(),
             QFileInfo(checkpoint).fileName());
}

core::Result<QString> momentLora(const QString& checkpoint, const QString& base) {
    const QString file = momentLoraFile(checkpoint);
    const QFileInfo manifest(checkpoint + QStringLiteral("/manifest.json"));
    const QFileInfo made(file);
    if (made.exists() && manifest.exists() && made.lastModified() >= manifest.lastModified()) {
        markUsed(file);
        return file;
    }
    QFile::remove(file);
    HOMEBOOTH_ASSIGN(const core::RunFolder run, core::RunFolder::open(runOf(checkpoint).toStdString()));
    HOMEBOOTH_ASSIGN(const core::TrainConfig config, run.config());
    CheckpointSource source;
    for (const char* part : {"unet", "text_encoder"}) {
        const QString weights = QStringLiteral("%1/%2.safetensors").arg(checkpoint, QLatin1String(part));
        if (!QFileInfo::exists(weights)) continue;
        HOMEBOOTH_ASSIGN(auto opened, core::SafetensorsReader::open(weights.toStdString()));
        source.add(part, std::move(opened));
    }
    const std::vector<core::LoraModule> modules = modulesOf(source, config.lora);
    if (modules.empty())
        return core::badInput("preparing a saved moment: its files are gone; choose another one",
                              checkpoint.toStdString());
    if (!QDir().mkpath(momentFolder(checkpoint)))
        return core::badInput("preparing a saved moment: the folder could not be made",
                              momentFolder(checkpoint).toStdString());
    const auto written =
        core::writeLora(file.toStdString(), core::LoraFormat::Kohya, modules, source, describe(config, base));
    if (!written) return written.error();
    return file;
}

} // namespace homebooth::app
