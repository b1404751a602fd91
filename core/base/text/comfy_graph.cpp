// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/comfy_graph.h"

#include "core/base/text/comfy_nodes.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

using Json = ComfyNodes::Json;

constexpr size_t kLargestGraph = 4 << 20;
constexpr size_t kMostNodes = 2000;
constexpr size_t kMostPasses = 16;
constexpr size_t kMostLoras = 64;
constexpr size_t kMostOthers = 32;
constexpr size_t kLongestName = 4096;
constexpr int64_t kLargest = 1 << 20;

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Python writes NaN and Infinity, which are no JSON.
std::string withoutNotANumber(std::string_view text) {
    std::string plain;
    bool inText = false;
    for (size_t at = 0; at < text.size(); ++at) {
        if (inText && text[at] == '\\') {
            plain += text.substr(at++, 2);
            continue;
        }
        if (text[at] == '"') inText = !inText;
        const std::string_view rest = text.substr(at);
        const size_t word = inText ? 0 : rest.starts_with("NaN") ? 3 : rest.starts_with("Infinity") ? 8 : 0;
        if (word > 0 && plain.ends_with('-')) plain.pop_back();
        plain += word > 0 ? std::string_view("null") : text.substr(at, 1);
        if (word > 0) at += word - 1;
    }
    return plain;
}

/// A file's name without folders and ending.
std::string stemOf(const std::string& file) {
    std::string name = file.substr(file.find_last_of("/\\") + 1);
    for (const char* ending : {".safetensors", ".ckpt", ".pt", ".pth"})
        if (name.ends_with(ending)) return name.substr(0, name.size() - std::string_view(ending).size());
    return name;
}

/// A1111's name of what ComfyUI calls so; that itself where there is none.
template <size_t size>
std::string nameIn(const std::array<std::pair<std::string_view, const char*>, size>& names,
                   const std::string& name) {
    const auto* found =
        std::find_if(names.begin(), names.end(), [&name](const auto& one) { return one.first == name; });
    return found == names.end() ? name : found->second;
}

constexpr std::array<std::pair<std::string_view, const char*>, 17> kSamplers = {{
    {"euler", "Euler"},
    {"euler_ancestral", "Euler a"},
    {"heun", "Heun"},
    {"dpm_2", "DPM2"},
    {"dpm_2_ancestral", "DPM2 a"},
    {"lms", "LMS"},
    {"dpmpp_2s_ancestral", "DPM++ 2S a"},
    {"dpmpp_sde", "DPM++ SDE"},
    {"dpmpp_2m", "DPM++ 2M"},
    {"dpmpp_2m_sde", "DPM++ 2M SDE"},
    {"dpmpp_2m_sde_gpu", "DPM++ 2M SDE"},
    {"dpmpp_3m_sde", "DPM++ 3M SDE"},
    {"ddpm", "DDPM"},
    {"ddim", "DDIM"},
    {"uni_pc", "UniPC"},
    {"uni_pc_bh2", "UniPC"},
    {"lcm", "LCM"},
}};

constexpr std::array<std::pair<std::string_view, const char*>, 7> kSchedules = {{
    {"normal", "Normal"},
    {"karras", "Karras"},
    {"exponential", "Exponential"},
    {"sgm_uniform", "SGM Uniform"},
    {"simple", "Simple"},
    {"ddim_uniform", "DDIM"},
    {"beta", "Beta"},
}};

/// The words as they are read here: a learned word is called by itself, not `embedding:hat`, and square
/// brackets are words there.
std::string plainWords(std::string_view words) {
    constexpr std::string_view kMark = "embedding:";
    std::string plain;
    bool isBehindBackslash = false; // which stays as it is
    for (size_t at = 0; at < words.size();) {
        if (words.substr(at).starts_with(kMark)) {
            at += kMark.size();
            continue;
        }
        const char sign = words[at++];
        if ((sign == '[' || sign == ']') && !isBehindBackslash) plain += '\\';
        isBehindBackslash = sign == '\\' && !isBehindBackslash;
        plain += sign;
    }
    return plain;
}

/// A file of ComfyUI's folders: "clipspace/a.png [input]"
std::string fileNameOf(std::string file) {
    for (const std::string_view folder : {" [input]", " [output]", " [temp]"})
        if (file.ends_with(folder)) file.resize(file.size() - folder.size());
    return file.substr(file.find_last_of("/\\") + 1);
}

/// What is being read of a graph. Each step says whether it could be told.
class Reading {
public:
    explicit Reading(const Json& nodes)
        : m_nodes(nodes)
        , m_graph(nodes) {}

    bool read() {
        const Json* sampler = firstPass();
        if (sampler == nullptr || !readNumbers(*sampler) || !readModel(*sampler)) return false;
        const auto prompt = words(*sampler, "positive");
        const auto negative = words(*sampler, "negative");
        if (!prompt || (!negative && m_graph.ofSampler(*sampler, "negative") != nullptr)) return false;
        made.prompt = plainWords(*prompt);
        made.negativePrompt = plainWords(negative.value_or(std::string()));
        notePasses(*sampler);
        noteOthers();
        made.version = kComfyUi;
        return true;
    }

    GenerationParameters made;

private:
    /// The one sampler that takes nothing of another one; null: there are several, or none.
    const Json* firstPass() {
        const Json* first = nullptr;
        for (const Json& node : m_nodes) {
            if (!ComfyNodes::isNode(node) || !m_graph.isSampler(node)) continue;
            m_passes.push_back(&node);
            if (m_passes.size() > kMostPasses) return nullptr;
            if (m_graph.walkLatent(node) != nullptr) continue;
            if (first != nullptr) return nullptr;
            first = &node;
        }
        return first;
    }

    [[nodiscard]] std::string text(const Json* given) const {
        const Json* value = m_graph.value(given, ComfyNodes::isText);
        return value == nullptr ? std::string() : value->get<std::string>();
    }
    [[nodiscard]] double number(const Json* given) const {
        const Json* value = m_graph.value(given, ComfyNodes::isNumber);
        return value == nullptr ? 0.0 : value->get<double>();
    }
    [[nodiscard]] int64_t count(const Json* given) const {
        const double value = number(given);
        return value >= 1.0 && value <= double(kLargest) ? static_cast<int64_t>(value) : 0;
    }

    /// Once of each kind and thing.
    void noteOther(const char* key, const std::string& value) {
        const auto one = std::pair(std::string(key), value);
        if (std::find(made.others.begin(), made.others.end(), one) != made.others.end()) return;
        if (made.others.size() < kMostOthers && value.size() <= kLongestName) made.others.push_back(one);
    }

    /// 0 where it cannot be told.
    [[nodiscard]] double guidanceOf(const Json& sampler) const {
        if (const Json* scale = m_graph.ofSampler(sampler, "cfg")) return number(scale);
        const Json* guider = m_graph.linkedBy(sampler, "guider");
        return guider != nullptr && ComfyNodes::kind(*guider) == "BasicGuider" ? 1.0 : 0.0;
    }

    bool readNumbers(const Json& sampler) {
        const auto of = [&](const char* key) { return m_graph.ofSampler(sampler, key); };
        made.steps = count(of("steps"));
        made.guidanceScale = guidanceOf(sampler);
        if (of("scheduler") != nullptr && text(of("scheduler")).empty()) return false;
        made.sampler = nameIn(kSamplers, text(of("sampler_name")));
        made.scheduleType = scheduleOf(sampler);
        const Json* seed =
            m_graph.value(of("seed") != nullptr ? of("seed") : of("noise_seed"), ComfyNodes::isNumber);
        if (seed == nullptr || !seed->is_number_unsigned()) return false;
        made.seed = seed->get<uint64_t>();
        const bool sound = made.guidanceScale > 0.0 && std::isfinite(made.guidanceScale);
        return sound && made.steps > 0 && !made.sampler.empty() && readStart(sampler);
    }

    /// Where a node of its own spaces the steps, that is called so: "KarrasScheduler".
    [[nodiscard]] std::string scheduleOf(const Json& sampler) const {
        constexpr std::string_view kEnding = "Scheduler";
        const std::string said = text(m_graph.ofSampler(sampler, "scheduler"));
        const Json* node = m_graph.linkedBy(sampler, "sigmas");
        if (!said.empty() || node == nullptr) return nameIn(kSchedules, said);
        std::string name = ComfyNodes::kind(*node);
        if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
        return name;
    }

    /// How much of a picture may change; 0 where it cannot be told.
    [[nodiscard]] double strengthOf(const Json& sampler) const {
        if (const Json* denoise = m_graph.ofSampler(sampler, "denoise")) return number(denoise);
        const Json* first = m_graph.ofSampler(sampler, "start_at_step");
        if (first == nullptr) return 1.0;
        const Json* skipped = m_graph.value(first, ComfyNodes::isNumber);
        return skipped == nullptr ? 0.0 : 1.0 - skipped->get<double>() / static_cast<double>(made.steps);
    }

    bool readStart(const Json& sampler) {
        const Json* last = nullptr;
        bool isMasked = false;
        (void)m_graph.walkLatent(sampler, &last, &isMasked);
        if (last == nullptr) return false;
        if (isMasked) noteOther(kInpaintingKey, "True");
        if (const Json* image = ComfyNodes::input(*last, "image"); image != nullptr && image->is_string()) {
            made.initImage = fileNameOf(image->get<std::string>());
            made.strength = strengthOf(sampler);
            return made.strength > 0.0 && made.strength <= 1.0;
        }
        made.widthPixels = count(ComfyNodes::input(*last, "width"));
        made.heightPixels = count(ComfyNodes::input(*last, "height"));
        return made.widthPixels > 0 && made.heightPixels > 0;
    }

    /// The chain of LoRAs down to the file of the model.
    bool readModel(const Json& sampler) {
        const Json* node = m_graph.linked(m_graph.ofSampler(sampler, "model"));
        for (int step = 0; node != nullptr && step < kLongestWalk; ++step) {
            const size_t loras = m_lorasRead;
            if (!takeLoras(*node) || m_lorasRead > kMostLoras) return false;
            if (made.model = modelOf(*node); !made.model.empty()) break;
            if (m_lorasRead == loras) noteOfModel(ComfyNodes::kind(*node));
            node = m_graph.linkedBy(*node, "model");
        }
        std::reverse(made.loraWeights.begin(), made.loraWeights.end());
        for (const auto& [name, weight] : made.loraWeights) made.loraHashes.emplace_back(name, std::string());
        return !made.model.empty();
    }

    void noteOfModel(const std::string& kind) {
        for (const char* same : {"Reroute", "ModelSamplingDiscrete", "TorchCompile"})
            if (kind.starts_with(same)) return;
        const bool isFreeU = kind.starts_with("FreeU");
        if (!isKindOfLoras(kind)) noteOther(isFreeU ? "FreeU" : kOtherNodeKey, isFreeU ? "True" : kind);
    }

    static bool isKindOfLoras(const std::string& kind) {
        return contains(kind, "Lora") || contains(kind, "LoRA");
    }

    [[nodiscard]] std::string modelOf(const Json& node) const {
        const std::string file = text(ComfyNodes::input(node, "ckpt_name"));
        return stemOf(file.empty() ? text(ComfyNodes::input(node, "unet_name")) : file);
    }

    /// @param ofText  the text encoder's weight. @returns whether what is there is understood
    bool takeLora(const Json& node, const std::string& file, const Json* weight, double ofText) {
        ++m_lorasRead;
        if (m_graph.value(weight, ComfyNodes::isNumber) == nullptr) return false;
        const double ofModel = number(weight);
        if (!std::isfinite(ofModel) || !std::isfinite(ofText) || file.size() > kLongestName) return false;
        const std::string name = stemOf(file);
        if (ofModel != 0.0) made.loraWeights.emplace_back(name, ofModel);
        if (ofModel == 0.0 && ofText != 0.0) noteOther(kOtherNodeKey, ComfyNodes::kind(node));
        if (ofModel != 0.0 && ofModel != ofText) noteOther(kUnevenLoraKey, name);
        return true;
    }

    /// One under `lora_name`, or several, each an object. @returns whether what is there is understood
    bool takeLoras(const Json& node) {
        const Json* named = ComfyNodes::input(node, "lora_name");
        const std::string file = text(named);
        if (named != nullptr && file.empty()) return false;
        bool any = named != nullptr;
        if (any && file != "None") {
            const Json* ofText = ComfyNodes::input(node, "strength_clip");
            if (ofText != nullptr && m_graph.value(ofText, ComfyNodes::isNumber) == nullptr) return false;
            if (!takeLora(node, file, ComfyNodes::input(node, "strength_model"), number(ofText)))
                return false;
        }
        for (const Json& one : node["inputs"]) {
            if (!one.is_object() || !one.contains("lora") || !one["lora"].is_string()) continue;
            any = true;
            if (one.value("on", Json(true)) != Json(true) || !one.contains("strength")) continue;
            const Json& weight = one["strength"];
            const Json second = one.value("strengthTwo", Json());
            if (!takeLora(node, one["lora"].get<std::string>(), &weight,
                          number(second.is_null() ? &weight : &second)))
                return false;
        }
        return any || !isKindOfLoras(ComfyNodes::kind(node));
    }

    /// What a sampler's prompt says; nothing where nodes put it together.
    std::optional<std::string> words(const Json& sampler, const char* role) {
        const Json* node = m_graph.linked(m_graph.ofSampler(sampler, role));
        if (node == nullptr && std::string_view(role) == "positive")
            node = m_graph.linked(m_graph.ofSampler(sampler, "conditioning")); // without guidance
        const bool isNegative = std::string_view(role) == "negative";
        for (int step = 0; node != nullptr && step < kLongestWalk; ++step) {
            if (ComfyNodes::kind(*node) == "ConditioningZeroOut") return std::string();
            const Json* next = m_graph.linkedBy(*node, role);
            if (next == nullptr) next = m_graph.linkedBy(*node, "conditioning");
            for (const char* key : {"text", "text_g"})
                if (const Json* given = ComfyNodes::input(*node, key)) {
                    // Words of a box beside those of the whole picture stand with a link to those.
                    const bool isAlone = next == nullptr && !m_graph.linkedBy(*node, "conditioning_to");
                    return isAlone ? encoded(*node, given, isNegative) : std::nullopt;
                }
            noteOfWords(*node);
            node = next;
        }
        return std::nullopt;
    }

    void noteOfWords(const Json& node) {
        const std::string& kind = ComfyNodes::kind(node);
        if (kind.starts_with("ControlNet"))
            noteOther("ControlNet 0", "True");
        else if (m_graph.linkedBy(node, "mask") == nullptr && !kind.starts_with("Reroute"))
            noteOther(kOtherNodeKey, kind);
    }

    std::optional<std::string> encoded(const Json& node, const Json* given, bool isNegative) {
        const Json* value = m_graph.value(given, ComfyNodes::isText);
        if (value == nullptr) return std::nullopt;
        const std::string said = value->get<std::string>();
        // SDXL's two encoders may be told different things, which is not done here.
        if (const Json* second = ComfyNodes::input(node, "text_l")) {
            const Json* other = m_graph.value(second, ComfyNodes::isText);
            if (other == nullptr || (*other != "" && *other != said)) return std::nullopt;
        }
        const Json* clip = isNegative ? nullptr : m_graph.linkedBy(node, "clip");
        for (int step = 0; clip != nullptr && step < kLongestWalk; ++step) {
            if (const Json* layer = ComfyNodes::input(*clip, "stop_at_clip_layer")) { // the nearest counts
                if (m_graph.value(layer, ComfyNodes::isNumber) == nullptr) return std::nullopt;
                made.clipSkip =
                    std::max<int64_t>(0, static_cast<int64_t>(std::clamp(-number(layer), 0.0, 24.0)) - 1);
                break;
            }
            clip = m_graph.linkedBy(*clip, "clip");
        }
        return said;
    }

    void notePasses(const Json& first) {
        for (const Json* pass : m_passes) {
            if (pass == &first) continue;
            const Json* node = m_graph.linked(m_graph.ofSampler(*pass, "model"));
            std::string model;
            for (int step = 0; node != nullptr && model.empty() && step < kLongestWalk; ++step) {
                model = modelOf(*node);
                node = m_graph.linkedBy(*node, "model");
            }
            const bool refined = !model.empty() && model != made.model;
            made.others.emplace_back(refined ? "Refiner" : "Hires steps",
                                     refined ? model
                                             : std::to_string(count(m_graph.ofSampler(*pass, "steps"))));
        }
    }

    /// The picture's autoencoder, and what was done with it behind the sampler.
    void noteOthers() {
        std::string vae;
        for (const Json& node : m_nodes) {
            if (!ComfyNodes::isNode(node)) continue;
            const Json* loader = vae.empty() ? m_graph.linkedBy(node, "vae") : nullptr;
            if (loader != nullptr && ComfyNodes::kind(*loader) == "VAELoader")
                vae = stemOf(text(ComfyNodes::input(*loader, "vae_name")));
            if (!m_graph.isSampler(node) && m_graph.walkLatent(node) != nullptr)
                noteBehind(ComfyNodes::kind(node));
        }
        if (!vae.empty()) noteOther("VAE", vae);
    }

    void noteBehind(const std::string& kind) {
        for (const char* same : {"VAEDecode", "VAEEncode", "Save", "save", "Preview", "Reroute"})
            if (contains(kind, same)) return;
        const bool isEnlarging = contains(kind, "Upscale") || contains(kind, "Scale");
        if (isEnlarging) noteOther("Hires upscaler", "True");
        if (!isEnlarging || kind.starts_with("Ultimate"))
            noteOther(kOtherNodeKey, kind); // which samples anew
    }

    const Json& m_nodes;
    ComfyNodes m_graph;
    std::vector<const Json*> m_passes;
    size_t m_lorasRead = 0;
};

} // namespace

std::optional<GenerationParameters> readComfyGraph(std::string_view text) {
    if (text.size() > kLargestGraph) return std::nullopt;
    const Json nodes = parseShallow<Json>(withoutNotANumber(text));
    if (!nodes.is_object() || nodes.size() > kMostNodes) return std::nullopt;
    Reading reading(nodes);
    return reading.read() ? std::optional(std::move(reading.made)) : std::nullopt;
}

} // namespace homebooth::core
