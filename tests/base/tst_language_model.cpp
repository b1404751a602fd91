// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders of language models are opened as transformers and others leave them, described, and saved again;
// LoRAs of them go out and come in as PEFT has them.
#include "core/base/model/convert.h"
#include "core/base/model/inspect.h"
#include "core/base/model/language/language_names.h"
#include "core/base/model/language/language_writer.h"
#include "core/base/model/mapped_source.h"
#include "core/base/model/model_hash.h"
#include "tests/base/support/model_files.h"
#include "tests/base/support/torch_writer.h"
#include "tests/held_numbers.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace homebooth::core;
using namespace homebooth::core::test;
using homebooth::core::testing::heldCount;
using nlohmann::json;

namespace {

constexpr std::array kModels{"opt", "opt_narrow", "gpt2", "bloom"};
constexpr const char* kUntied =
    R"({"model_type":"opt","vocab_size":9,"hidden_size":4,"word_embed_proj_dim":4,"ffn_dim":6,)"
    R"("num_hidden_layers":1,"num_attention_heads":2,"max_position_embeddings":5,)"
    R"("tie_word_embeddings":false})";

std::string fixture(const std::string& name) {
    return HOMEBOOTH_FIXTURES_DIR "/language/" + name;
}

LanguagePart opened(const std::string& path) {
    auto model = openModel(path);
    if (model && model->language) return *model->language;
    qWarning("%s", model ? "no language model" : model.error().text().c_str());
    return {};
}

/// With numbers of its own, in no folder.
LanguagePart drawn(const std::string& configuration, DataType type = DataType::F32) {
    LanguagePart part;
    part.json = configuration;
    part.config = LanguageConfig::fromJson(configuration).value();
    part.tensors = randomSource(languageLayout(part.config), type, 3);
    return part;
}

std::string refusalOf(const std::string& path) {
    const auto model = openModel(path);
    return model ? "(opened)" : model.error().text();
}

void writeText(const fs::path& path, const std::string& text) {
    QVERIFY(writeFileAtomically(path.string(), text).ok());
}

/// Changes a file of JSON. @param changes  an object; null removes a key
void patch(const fs::path& path, const char* changes) {
    json value = json::parse(fileText(path));
    value.merge_patch(json::parse(changes));
    writeText(path, value.dump());
}

LanguageLora drawnLora(const LanguagePart& model, int64_t rank) {
    LanguageLora lora;
    lora.rank = rank;
    lora.alpha = 6.0;
    lora.dropout = 0.25;
    lora.baseModel = model.folder;
    ComponentLayout halves;
    for (const LayoutEntry& entry : languageLayout(model.config)) {
        constexpr std::string_view kEnding = ".weight";
        if (!isTurnedInFiles(entry.name, model.config.family)) continue;
        const std::string module = entry.name.substr(0, entry.name.size() - kEnding.size());
        halves.push_back({module + ".lora_down.weight", {rank, entry.shape[1]}});
        halves.push_back({module + ".lora_up.weight", {entry.shape[0], rank}});
    }
    lora.tensors = randomSource(halves, DataType::F32, 5);
    return lora;
}

} // namespace

class TestLanguageModel : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path at(const std::string& name) const { return fs::path(m_dir->path().toStdString()) / name; }

    /// A copy of a fixture that may be changed.
    fs::path copied(const std::string& name) const {
        for (const char* file : {"config.json", "model.safetensors"}) {
            fs::create_directories(at(name));
            fs::copy_file(fixture(name) + "/" + file, at(name) / file, fs::copy_options::overwrite_existing);
        }
        return at(name);
    }
    static void rows() {
        QTest::addColumn<QString>("name");
        for (const char* name : kModels) QTest::newRow(name) << name;
    }
    /// Of the current row.
    static std::string row() {
        QFETCH(QString, name);
        return name.toStdString();
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void opensWhatTransformersSaves_data() { rows(); }
    void opensWhatTransformersSaves() {
        const auto model = openModel(fixture(row()));
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(model->language && model->unetTensors == nullptr);
        QVERIFY2(contains(joined(model->deviations), "no tokenizer"), joined(model->deviations).c_str());
        QCOMPARE(model->deviations.size(), size_t{1});
        const LanguagePart& part = *model->language;
        const ComponentLayout layout = languageLayout(part.config);
        QCOMPARE(part.tensors->tensors().size(), layout.size());
        const auto file = SafetensorsReader::open(fixture(row()) + "/model.safetensors");
        QCOMPARE((*file)->tensors().size(), layout.size());
        for (const LayoutEntry& entry : layout) {
            const TensorInfo* info = part.tensors->find(entry.name);
            QVERIFY2(info != nullptr && info->shape == entry.shape && info->type == DataType::F16,
                     entry.name.c_str());
        }
        // GPT-2's files are as published: without what transformers' names begin with.
        const std::string begin = row() == "gpt2" ? "transformer." : "";
        int64_t held = 0;
        for (const LayoutEntry& entry : layout) {
            QVERIFY2(entry.name.starts_with(begin), entry.name.c_str());
            const TensorInfo* info = (*file)->find(entry.name.substr(begin.size()));
            QVERIFY2(info != nullptr, entry.name.c_str());
            const int64_t count = info->elementCount();
            held += heldCount(count);
        }
        const auto expected = SafetensorsReader::open(fixture(row()) + "/expected.safetensors");
        const TensorInfo* gradients = (*expected)->find("gradients");
        QVERIFY(gradients != nullptr);
        QCOMPARE(gradients->elementCount(), held);
    }

    void readsLinearLayersOfGpt2Turned() {
        const LanguagePart part = opened(fixture("gpt2"));
        const auto file = SafetensorsReader::open(fixture("gpt2") + "/model.safetensors");
        const std::vector<std::byte> stored = bytesOf(**file, "h.1.attn.c_attn.weight"); // [12, 36]
        const std::vector<std::byte> found = bytesOf(*part.tensors, "transformer.h.1.attn.c_attn.weight");
        QCOMPARE(found.size(), size_t{36 * 12 * 2});
        for (size_t out = 0; out < 36; ++out)
            for (size_t in = 0; in < 12; ++in)
                for (size_t byte = 0; byte < 2; ++byte)
                    QVERIFY(found[(out * 12 + in) * 2 + byte] == stored[(in * 36 + out) * 2 + byte]);
        QVERIFY(bytesOf(*part.tensors, "transformer.wpe.weight") == bytesOf(**file, "wpe.weight"));
    }

    void readsConfigurations() {
        const LanguageConfig opt = opened(fixture("opt_narrow")).config;
        QVERIFY(opt.family == LanguageFamily::Opt && !opt.normFirst && !opt.finalNorm && opt.tiedHead);
        QCOMPARE(opt.hiddenSize, 16);
        QCOMPARE(opt.embeddingSize, 8);
        QCOMPARE(opt.maxPositions, 24);
        QCOMPARE(opt.activation, "relu");
        QCOMPARE(opt.padTokenId, 2);
        const LanguageConfig gpt2 = opened(fixture("gpt2")).config;
        QVERIFY(gpt2.family == LanguageFamily::Gpt2 && gpt2.finalNorm && gpt2.normFirst);
        QCOMPARE(gpt2.intermediateSize, 48);
        QCOMPARE(gpt2.activation, "gelu_tanh");
        const LanguageConfig bloom = opened(fixture("bloom")).config;
        QCOMPARE(bloom.intermediateSize, 4 * 12);
        QCOMPARE(bloom.headCount, 3);
        QCOMPARE(bloom.maxPositions, 24);
        const auto usual = LanguageConfig::fromJson(R"({"model_type": "gpt2", "n_inner": null})");
        QCOMPARE(usual->intermediateSize, 4 * 768);
        QCOMPARE(usual->eosTokenId, 50256);
        QCOMPARE(LanguageConfig::fromJson(R"({"model_type": "gpt2", "vocab_size": 99})")->eosTokenId, -1);
        const auto older = LanguageConfig::fromJson(
            R"({"model_type": "bloom", "n_embed": 64, "num_hidden_layers": 3, "num_attention_heads": 4})");
        QCOMPARE(older->hiddenSize, 64);
        QCOMPARE(older->layerCount, 3);
        QCOMPARE(older->headCount, 4);
    }

    void textsEndAsGenerationConfigSays() {
        LanguagePart opt = opened(copied("opt").string()); // of 272 entries
        const auto ends = [&](const char* generation) {
            writeText(fs::path(opt.folder) / "generation_config.json", generation);
            const auto found = endTokens(opt);
            return found ? *found : std::vector<int64_t>{-9};
        };
        opt.config.eosTokenId = 2;
        QCOMPARE(*endTokens(opt), std::vector<int64_t>{2});
        QCOMPARE(ends(R"({"eos_token_id": 7})"), std::vector<int64_t>{7});
        QCOMPARE(ends(R"({"eos_token_id": [7, 9, 7, 272, -1]})"), (std::vector<int64_t>{7, 9}));
        QCOMPARE(ends(R"({"bos_token_id": 5})"), std::vector<int64_t>{2});
        QCOMPARE(ends(R"({"eos_token_id": null})"), std::vector<int64_t>{2});
        QCOMPARE(ends(R"({"eos_token_id": [7, "</s>"]})"), std::vector<int64_t>{-9});
        QCOMPARE(ends("no JSON"), std::vector<int64_t>{-9});
        opt.config.eosTokenId = -1;
        QCOMPARE(ends("{}"), std::vector<int64_t>());
        QCOMPARE(opened(opt.folder).config.eosTokenId, 1); // what learns puts that behind texts
    }

    void severalTokensMayEndTexts() {
        const fs::path folder = copied("opt"); // of 272 entries
        const auto ends = [&](const char* list) {
            patch(folder / "config.json", list);
            const LanguagePart part = opened(folder.string());
            const std::vector<int64_t> found = *endTokens(part);
            const bool stands = part.config.eosTokenId == (found.empty() ? -1 : found.front());
            return stands ? found : std::vector<int64_t>{-9}; // another one stands between texts
        };
        QCOMPARE(ends(R"({"eos_token_id": [5, 300, 9, 5]})"), (std::vector<int64_t>{5, 9}));
        QCOMPARE(ends(R"({"eos_token_id": [50270, 7]})"), std::vector<int64_t>{7});
        QCOMPARE(ends(R"({"eos_token_id": []})"), std::vector<int64_t>());
        QCOMPARE(ends(R"({"eos_token_id": 3})"), std::vector<int64_t>{3});
        patch(folder / "config.json", R"({"eos_token_id": [4, 6]})");
        writeText(folder / "generation_config.json", R"({"eos_token_id": 8})");
        QCOMPARE(*endTokens(opened(folder.string())), std::vector<int64_t>{8});
        patch(folder / "config.json", R"({"eos_token_id": [4, "</s>"]})");
        const std::string refusal = refusalOf(folder.string());
        QVERIFY2(contains(refusal, "\"eos_token_id\" is [4,\"</s>\"]"), refusal.c_str());
        QVERIFY2(contains(refusal, "or a list of them"), refusal.c_str());
    }

    void textsEndAsTheTokenizerSaysWhereNothingElseDoes() {
        LanguagePart opt = opened(copied("opt").string()); // of 272 entries
        opt.config.eosTokenId = 2;
        QCOMPARE(*endTokens(opt, 5), std::vector<int64_t>{2});
        opt.config.eosTokenId = -1;
        QCOMPARE(*endTokens(opt, 5), std::vector<int64_t>{5});
        QCOMPARE(*endTokens(opt, 272), std::vector<int64_t>());
        QCOMPARE(*endTokens(opt), std::vector<int64_t>());
        const fs::path generation = fs::path(opt.folder) / "generation_config.json";
        writeText(generation, R"({"eos_token_id": 50256})"); // of the family, not of this vocabulary
        QCOMPARE(*endTokens(opt, 5), std::vector<int64_t>{5});
        writeText(generation, R"({"eos_token_id": 7})");
        QCOMPARE(*endTokens(opt, 5), std::vector<int64_t>{7});
    }

    void refusesOtherComputations_data() {
        QTest::addColumn<QString>("configuration");
        QTest::addColumn<QString>("named");
        const auto add = [](const char* configuration, const char* named) {
            QTest::newRow(named) << configuration << named;
        };
        add(R"({"model_type": "llama"})", "OPT, GPT-2 or BLOOM, found \"llama\"");
        add(R"({"model_type": "gpt2", "scale_attn_by_inverse_layer_idx": true})", "by_inverse_layer_idx");
        add(R"({"model_type": "gpt2", "reorder_and_upcast_attn": true})", "reorder_and_upcast_attn");
        add(R"({"model_type": "gpt2", "scale_attn_weights": false})", "scale_attn_weights");
        add(R"({"model_type": "gpt2", "add_cross_attention": true})", "add_cross_attention");
        add(R"({"model_type": "gpt2", "activation_function": "silu"})", "activation_function");
        add(R"({"model_type": "opt", "enable_bias": false})", "enable_bias");
        add(R"({"model_type": "opt", "layer_norm_elementwise_affine": false})", "elementwise_affine");
        add(R"({"model_type": "bloom", "slow_but_exact": true})", "slow_but_exact");
        add(R"({"model_type": "bloom", "apply_residual_connection_post_layernorm": true})", "post_layernorm");
        add(R"({"model_type": "opt", "num_attention_heads": 7})", "number of heads, 7");
        add(R"({"model_type": "opt", "num_hidden_layers": 2000000})", "num_hidden_layers");
        add(R"({"model_type": "bloom", "vocab_size": -3})", "vocab_size");
        add("[]", "object");
    }
    void refusesOtherComputations() {
        QFETCH(QString, configuration);
        QFETCH(QString, named);
        const auto config = LanguageConfig::fromJson(configuration.toStdString());
        QVERIFY(!config.ok());
        QVERIFY2(contains(config.error().message, named.toStdString()), config.error().message.c_str());
    }

    void knowsLanguageModelsOfOtherFamilies() {
        QVERIFY(isLanguageConfig(R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"]})"));
        QVERIFY(isLanguageConfig(R"({"model_type": "t5", "architectures": ["T5ForConditionalGeneration"]})"));
        QVERIFY(
            !isLanguageConfig(R"({"model_type": "clip_text_model", "architectures": ["CLIPTextModel"]})"));
        QVERIFY(!isLanguageConfig("model_type"));
        fs::create_directories(at("llama"));
        writeText(at("llama/config.json"),
                  R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"]})");
        QVERIFY(isLanguageFolder(at("llama").string()));
        QVERIFY(contains(refusalOf(at("llama").string()), "found \"llama\""));
        const auto facts = inspectPath(at("llama").string());
        QVERIFY(facts->kind == InspectedKind::LanguageModel && facts->fault == ModelFault::OtherModel);
        writeText(at("llama/model_index.json"), "{}");
        QVERIFY(!isLanguageFolder(at("llama").string()));
    }

    void savesWhatItOpened_data() { rows(); }
    void savesWhatItOpened() {
        const LanguagePart model = opened(fixture(row()));
        QVERIFY(writeLanguageFolder(model, at("saved").string()).ok());
        const LanguagePart again = opened(at("saved").string());
        for (const TensorInfo& info : model.tensors->tensors())
            QVERIFY2(bytesOf(*again.tensors, info.name) == bytesOf(*model.tensors, info.name),
                     info.name.c_str());
        QCOMPARE(json::parse(again.json), json::parse(model.json));
        const auto file = SafetensorsReader::open(at("saved/model.safetensors").string());
        QCOMPARE((*file)->metadata().at("format"), "pt");
        const std::string prefix = model.config.family == LanguageFamily::Opt ? "model." : "transformer.";
        for (const TensorInfo& info : (*file)->tensors()) QVERIFY(info.name.starts_with(prefix));
        if (row() == "gpt2")
            QCOMPARE((*file)->find("transformer.h.0.mlp.c_fc.weight")->shape, (std::vector<int64_t>{12, 48}));
        const auto refused = writeLanguageFolder(model, at("saved").string());
        QVERIFY(!refused.ok() && refused.error().code == ErrorCode::BadInput);
    }

    void savesInOtherTypesAndCarriesTheTokenizer() {
        const fs::path folder = copied("opt");
        fs::create_directory(folder / "additional_chat_templates");
        for (const char* name :
             {"tokenizer.json", "tokenizer_config.json", "generation_config.json", "LICENSE.md", "README.md",
              "chat_template.jinja", "additional_chat_templates/tool_use.jinja",
              "additional_chat_templates/notes.txt", "optimizer.pt"})
            writeText(folder / name, "{}");
        WriteOptions options;
        options.floatType = DataType::BF16;
        QVERIFY(writeLanguageFolder(opened(folder.string()), at("saved").string(), options).ok());
        const auto model = openModel(at("saved").string());
        QVERIFY(model->deviations.empty());
        QStringList carried;
        for (const auto& [name, file] : model->language->carriedFiles)
            carried.append(QString::fromStdString(name));
        QCOMPARE(carried,
                 (QStringList{"LICENSE.md", "additional_chat_templates/tool_use.jinja", "chat_template.jinja",
                              "generation_config.json", "tokenizer.json", "tokenizer_config.json"}));
        for (const TensorInfo& info : model->language->tensors->tensors())
            QVERIFY(info.type == DataType::BF16);
        QCOMPARE(json::parse(model->language->json)["dtype"].get<std::string>(), "bfloat16");
        QVERIFY(!json::parse(model->language->json).contains("torch_dtype"));
        LanguagePart older = drawn(kUntied, DataType::F16);
        QVERIFY(writeLanguageFolder(older, at("older").string()).ok());
        QCOMPARE(json::parse(opened(at("older").string()).json)["torch_dtype"].get<std::string>(), "float16");
    }

    void stoppedOrNotFiniteLeavesNothing() {
        WriteOptions options;
        options.cancel.request();
        const auto stopped = writeLanguageFolder(opened(fixture("opt")), at("saved").string(), options);
        QVERIFY(stopped.ok() && *stopped == WriteOutcome::Cancelled);
        LanguagePart broken = drawn(kUntied);
        auto source = std::make_shared<MemorySource>();
        for (const TensorInfo& info : broken.tensors->tensors())
            source->add(info, std::vector<std::byte>(static_cast<size_t>(info.byteCount), std::byte{0xff}));
        broken.tensors = source;
        const auto refused = writeLanguageFolder(broken, at("saved").string());
        QVERIFY(!refused.ok() && contains(refused.error().message, "embed_tokens"));
        QVERIFY(fs::is_empty(at("")));
    }

    void takesOlderNamesAndMasks() {
        const fs::path opt = copied("opt");
        rewrite(opt / "model.safetensors",
                [](const std::string& name) { return name.substr(std::string("model.").size()); });
        const LanguagePart older = opened(opt.string());
        const LanguagePart plain = opened(fixture("opt"));
        for (const TensorInfo& info : plain.tensors->tensors())
            QVERIFY(bytesOf(*older.tensors, info.name) == bytesOf(*plain.tensors, info.name));
        const fs::path gpt2 = copied("gpt2");
        rewrite(gpt2 / "model.safetensors", same,
                {makeTensorInfo("h.0.attn.bias", DataType::F32, {1, 1, 24, 24}),
                 makeTensorInfo("h.1.attn.masked_bias", DataType::F32, {})});
        QVERIFY(openModel(gpt2.string()).ok());
    }

    void anUntiedHeadIsAParameter() {
        const LanguagePart model = drawn(kUntied);
        QVERIFY(model.tensors->find("lm_head.weight") != nullptr);
        QVERIFY(writeLanguageFolder(model, at("untied").string()).ok());
        const LanguagePart again = opened(at("untied").string());
        QVERIFY(!again.config.tiedHead);
        QVERIFY(bytesOf(*again.tensors, "lm_head.weight") == bytesOf(*model.tensors, "lm_head.weight"));
        rewrite(at("untied/model.safetensors"),
                [](const std::string& name) { return name == "lm_head.weight" ? std::string() : name; });
        QVERIFY(contains(refusalOf(at("untied").string()), "missing: lm_head.weight"));
    }

    void namesWhatDoesNotFit() {
        const fs::path folder = copied("bloom");
        const std::string norm = "transformer.ln_f.weight";
        rewrite(folder / "model.safetensors",
                [&](const std::string& name) { return name == norm ? "score.weight" : name; });
        const std::string refusal = refusalOf(folder.string());
        QVERIFY2(contains(refusal, "missing: " + norm), refusal.c_str());
        QVERIFY2(contains(refusal, "not expected: score.weight"), refusal.c_str());
        const fs::path other = copied("gpt2");
        patch(other / "config.json", R"({"n_inner": 40})");
        QVERIFY(contains(refusalOf(other.string()), "h.0.mlp.c_fc.weight is [12, 48], expected [12, 40]"));
    }

    void opensShardsVariantsAndWhatTorchSaved() {
        const fs::path folder = copied("opt");
        const fs::path plain = folder / "model.safetensors";
        fs::rename(plain, folder / "model.fp16.safetensors");
        QVERIFY(contains(joined(openModel(folder.string())->deviations), "fp16"));
        json index{{"weight_map", json::object()}};
        const auto whole = SafetensorsReader::open((folder / "model.fp16.safetensors").string());
        for (const TensorInfo& info : (*whole)->tensors()) {
            const bool first = info.name.find("layers.0") != std::string::npos;
            index["weight_map"][info.name] = first ? "model-1.safetensors" : "model-2.safetensors";
        }
        for (const char* shard : {"model-1.safetensors", "model-2.safetensors"}) {
            fs::copy_file(folder / "model.fp16.safetensors", folder / shard);
            rewrite(folder / shard, [&](const std::string& name) {
                return index["weight_map"][name] == shard ? name : std::string();
            });
        }
        writeText(folder / "model.safetensors.index.json", index.dump());
        const LanguagePart part = opened(folder.string());
        QVERIFY(bytesOf(*part.tensors, "model.decoder.layers.1.fc1.weight") ==
                bytesOf(**whole, "model.decoder.layers.1.fc1.weight"));
        QCOMPARE(*languageFiles(folder.string()),
                 (std::vector<std::string>{"config.json", "model-1.safetensors", "model-2.safetensors"}));
        const LanguagePart torch = drawn(kUntied);
        fs::create_directories(at("torch"));
        writeText(at("torch/config.json"), kUntied);
        writeText(at("torch/pytorch_model.bin"), torchSaved(*torch.tensors));
        const LanguagePart found = opened(at("torch").string());
        for (const TensorInfo& info : torch.tensors->tensors())
            QVERIFY(bytesOf(*found.tensors, info.name) == bytesOf(*torch.tensors, info.name));
    }

    void configurationAloneWillDoForPlans() {
        const fs::path folder = copied("bloom");
        fs::remove(folder / "model.safetensors");
        QVERIFY(contains(refusalOf(folder.string()), "found config.json"));
        OpenOptions options;
        options.weightsOptional = true;
        const auto model = openModel(folder.string(), options);
        QVERIFY(model.ok() && model->language && model->language->tensors == nullptr);
        QCOMPARE(model->language->config.headCount, 3);
        const auto facts = inspectPath(folder.string());
        QVERIFY(facts->kind == InspectedKind::LanguageModel && facts->fault == ModelFault::PartsMissing);
    }

    void describesThem() {
        const auto facts = inspectPath(fixture("gpt2"), true);
        QVERIFY(facts.ok() && facts->problem.empty() && facts->valueFaults.empty());
        const json value = json::parse(facts->toJson());
        QCOMPARE(value["kind"].get<std::string>(), "language model");
        QCOMPARE(value["family"].get<std::string>(), "GPT-2");
        QCOMPARE(value["vocabularySize"].get<int>(), 272);
        QCOMPARE(value["contextTokens"].get<int>(), 24);
        QCOMPARE(value["layers"].get<int>(), 2);
        int64_t parameters = 0;
        for (const LayoutEntry& entry : languageLayout(opened(fixture("gpt2")).config))
            parameters += makeTensorInfo("", DataType::F16, entry.shape).elementCount();
        QCOMPARE(value["components"]["language_model"]["parameters"].get<int64_t>(), parameters);
        QVERIFY(facts->toText().starts_with("Language model: GPT-2, transformers folder\n"));
        QVERIFY(contains(facts->toText(), "24 tokens together"));
        QVERIFY(contains(facts->toText(), " parameters, F16"));
    }

    void theirHashIsOfWhatTextsDependOn() {
        const fs::path folder = copied("opt");
        const auto first = modelHash(folder.string());
        writeText(folder / "README.md", "notes");
        writeText(folder / "tf_model.h5", "of another library");
        QCOMPARE(**modelHash(folder.string()), **first);
        writeText(folder / "tokenizer.json", "{}");
        const auto second = modelHash(folder.string());
        QVERIFY(**second != **first);
        patch(folder / "config.json", R"({"eos_token_id": 5})");
        QVERIFY(**modelHash(folder.string()) != **second);
    }

    void whatWantsPicturesRefusesThem() {
        const auto refused = openPictureModel(fixture("bloom"));
        QVERIFY(!refused.ok() && refused.error().code == ErrorCode::BadInput);
        QVERIFY(contains(refused.error().message, "found a language model (BLOOM)"));
        QVERIFY(contains(refused.error().message, "`generate`"));
        for (const ConvertTarget target : {ConvertTarget::Diffusers, ConvertTarget::Checkpoint}) {
            const auto converted = convertModel(fixture("opt"), at("out").string(), target);
            QVERIFY(!converted.ok() && contains(converted.error().message, "language model (OPT)"));
            QVERIFY(!fs::exists(at("out")));
        }
    }

    void aLoraGoesOutAndComesInAsPeftHasIt() {
        const LanguagePart model = opened(fixture("gpt2"));
        const LanguageLora lora = drawnLora(model, 3);
        QVERIFY(writeLanguageLora(lora, model.config.family, at("lora").string()).ok());
        const json config = json::parse(fileText(at("lora/adapter_config.json")));
        QCOMPARE(config["peft_type"].get<std::string>(), "LORA");
        QCOMPARE(config["task_type"].get<std::string>(), "CAUSAL_LM");
        QCOMPARE(config["r"].get<int>(), 3);
        QVERIFY(config["fan_in_fan_out"].get<bool>());
        QCOMPARE(config["target_modules"], (json{"attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"}));
        const auto file = SafetensorsReader::open(at("lora/adapter_model.safetensors").string());
        const TensorInfo* up = (*file)->find("base_model.model.transformer.h.1.mlp.c_fc.lora_B.weight");
        QVERIFY(up != nullptr);
        QCOMPARE(up->shape, (std::vector<int64_t>{48, 3}));
        const auto again = openLanguageLora(at("lora").string(), model);
        QVERIFY2(again, reasonOf(again).c_str());
        QCOMPARE(again->rank, 3);
        QCOMPARE(again->alpha, 6.0);
        QCOMPARE(again->dropout, 0.25);
        QCOMPARE(again->tensors->tensors().size(), size_t{16});
        for (const TensorInfo& info : lora.tensors->tensors())
            QVERIFY(bytesOf(*again->tensors, info.name) == bytesOf(*lora.tensors, info.name));
        QVERIFY(!writeLanguageLora(lora, model.config.family, at("lora").string()).ok());
    }

    void describesALoraOfPeft() {
        const LanguagePart model = opened(fixture("gpt2"));
        QVERIFY(writeLanguageLora(drawnLora(model, 3), model.config.family, at("lora").string()).ok());
        patch(at("lora/adapter_config.json"), R"({"base_model_name_or_path": "openai/gpt2"})");
        const auto facts = inspectPath(at("lora").string(), true);
        QVERIFY(facts.ok() && facts->kind == InspectedKind::PeftLora);
        QVERIFY2(facts->problem.empty() && facts->valueFaults.empty(), facts->problem.c_str());
        const json value = json::parse(facts->toJson());
        QCOMPARE(value["kind"].get<std::string>(), "peft lora");
        QCOMPARE(value["rank"].get<int>(), 3);
        QCOMPARE(value["alpha"].get<double>(), 6.0);
        QCOMPARE(value["modules"].get<int>(), 8);
        QCOMPARE(value["targetModules"], (json{"attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"}));
        QCOMPARE(value["baseModel"].get<std::string>(), "openai/gpt2");
        const int parameters = 2 * 3 * ((12 + 36) + (12 + 12) + (12 + 48) + (48 + 12)); // layers, rank, sides
        QCOMPARE(value["components"]["tensors"]["parameters"].get<int>(), parameters);
        const std::string text = facts->toText();
        QVERIFY(text.starts_with("LoRA as PEFT has it"));
        for (const char* words : {"3, alpha 6.0, 8 modules", "attn.c_attn, attn.c_proj", "openai/gpt2"})
            QVERIFY2(contains(text, words), text.c_str());
    }

    void saysWhatIsWrongWithALoraOfPeft() {
        const LanguagePart model = opened(fixture("gpt2"));
        QVERIFY(writeLanguageLora(drawnLora(model, 3), model.config.family, at("lora").string()).ok());
        const fs::path weights = at("lora/adapter_model.safetensors");
        rewrite(weights, [](const std::string& name) { return name + ".other"; });
        QVERIFY(inspectPath(at("lora").string())->fault == ModelFault::AddOn);
        fs::remove(weights);
        const auto without = inspectPath(at("lora").string());
        QVERIFY(without->kind == InspectedKind::PeftLora && without->fault == ModelFault::PartsMissing);
        QCOMPARE(without->rank, 3);
        patch(at("lora/adapter_config.json"), R"({"peft_type": "IA3"})");
        QVERIFY(inspectPath(at("lora").string())->fault == ModelFault::AddOn);
    }

    void aLoraOfPeftIsNoModel() {
        const LanguagePart model = opened(fixture("gpt2"));
        LanguageLora lora = drawnLora(model, 3);
        lora.baseModel = "openai/gpt2";
        QVERIFY(writeLanguageLora(lora, model.config.family, at("lora").string()).ok());
        const std::string refusal = refusalOf(at("lora").string());
        for (const char* words : {"found a LoRA", "made for \"openai/gpt2\"", "as --model", "as --lora"})
            QVERIFY2(contains(refusal, words), refusal.c_str());
        fs::copy_file(fixture("gpt2") + "/config.json", at("lora/config.json")); // beside its model
        fs::copy_file(fixture("gpt2") + "/model.safetensors", at("lora/model.safetensors"));
        QCOMPARE(refusalOf(at("lora").string()), "(opened)");
    }

    void refusesOtherAddOns() {
        const LanguagePart model = opened(fixture("gpt2"));
        QVERIFY(writeLanguageLora(drawnLora(model, 3), model.config.family, at("lora").string()).ok());
        const std::string before = fileText(at("lora/adapter_config.json"));
        const auto refusal = [&](const char* changes, const LanguagePart& base) {
            writeText(at("lora/adapter_config.json"), before);
            patch(at("lora/adapter_config.json"), changes);
            const auto lora = openLanguageLora(at("lora").string(), base);
            return lora ? "alpha " + std::to_string(lora->alpha) : lora.error().message;
        };
        QVERIFY(contains(refusal(R"({"use_dora": true})", model), "use_dora"));
        QVERIFY(contains(refusal(R"({"modules_to_save": ["lm_head"]})", model), "modules_to_save"));
        QVERIFY(contains(refusal(R"({"rank_pattern": {"c_fc": 9}})", model), "rank_pattern"));
        QVERIFY(contains(refusal(R"({"bias": "all"})", model), "bias"));
        QVERIFY(contains(refusal(R"({"init_lora_weights": "pissa_niter_4"})", model), "pissa"));
        QVERIFY(contains(refusal(R"({"peft_type": "IA3"})", model), "LORA"));
        QVERIFY(contains(refusal(R"({"r": 0})", model), "rank"));
        QVERIFY(contains(refusal(R"({"r": 4})", model), "expected [4, 12]"));
        QVERIFY(contains(refusal("{}", opened(fixture("opt"))), "not expected"));
        // Its scale is alpha / sqrt(rank), ours alpha / rank.
        QCOMPARE(refusal(R"({"use_rslora": true})", model), "alpha " + std::to_string(6.0 * std::sqrt(3.0)));
        rewrite(at("lora/adapter_model.safetensors"), [](const std::string& name) {
            return contains(name, "h.0.attn.c_attn.lora_B") ? std::string() : name;
        });
        QVERIFY(
            contains(refusal("{}", model), "missing: base_model.model.transformer.h.0.attn.c_attn.lora_B"));
        const auto nowhere = openLanguageLora(at("nowhere").string(), model);
        QVERIFY(!nowhere.ok() && contains(nowhere.error().message, "adapter_config.json"));
    }
};

QTEST_APPLESS_MAIN(TestLanguageModel)
#include "tst_language_model.moc"
