// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What predicts in a language model's folder: the table of tokens, a copy of it, the table under the head's
// name, or numbers of its own, whatever config.json says.
#include "core/base/formats/convert_type.h"
#include "core/base/model/inspect.h"
#include "core/base/model/language/language_names.h"
#include "core/base/model/language/language_writer.h"
#include "core/base/model/mapped_source.h"
#include "tests/base/support/model_files.h"
#include "tests/base/support/torch_writer.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace homebooth::core;
using namespace homebooth::core::test;
using nlohmann::json;

namespace {

constexpr const char* kTable = "model.decoder.embed_tokens.weight"; // of OPT
constexpr int64_t kWidth = 4;

/// Of a tied model; nothing says that it is, since that is usual.
std::string configuration(int64_t entries) {
    const json config{{"model_type", "opt"},
                      {"vocab_size", entries},
                      {"hidden_size", kWidth},
                      {"word_embed_proj_dim", kWidth},
                      {"ffn_dim", 6},
                      {"num_hidden_layers", 1},
                      {"num_attention_heads", 2},
                      {"max_position_embeddings", 5}};
    return config.dump();
}

std::shared_ptr<MemorySource> drawn(int64_t entries, DataType type) {
    return randomSource(languageLayout(LanguageConfig::fromJson(configuration(entries)).value()), type, 3);
}

std::string fixture(const std::string& name) {
    return HOMEBOOTH_FIXTURES_DIR "/language/" + name;
}

void writeText(const fs::path& path, const std::string& text) {
    QVERIFY(writeFileAtomically(path.string(), text).ok());
}

void save(const fs::path& folder, int64_t entries, const TensorSource& source) {
    fs::create_directories(folder);
    writeText(folder / "config.json", configuration(entries));
    auto writer = SafetensorsWriter::create((folder / "model.safetensors").string(), source.tensors());
    QVERIFY(writer.ok());
    for (const TensorInfo& info : source.tensors())
        QVERIFY(writer->write(info.name, bytesOf(source, info.name)).ok());
    QVERIFY(writer->commit().ok());
}

/// Whether the table predicts, too. Where config.json says so and it does not, the user must be told.
bool isTied(const fs::path& folder) {
    const auto model = openModel(folder.string());
    if (!model || !model->language) {
        qWarning("%s", model ? "no language model" : model.error().text().c_str());
        return false;
    }
    const bool tied = model->language->config.tiedHead;
    if (contains(joined(model->deviations), kHeadName) == tied)
        qWarning("unexpected: %s", joined(model->deviations).c_str());
    if ((model->language->tensors->find(kHeadName) == nullptr) != tied) qWarning("no parameter for the head");
    return tied;
}

/// What torch.save makes of a model and its head.
/// @param columns  of the head, one behind another; empty: it lies where the table does
std::string torchTied(const TensorSource& source, const std::string& columns) {
    const std::vector<int64_t> shape = source.find(kTable)->shape;
    std::vector<std::pair<std::string, std::string>> values;
    std::vector<ZipPart> parts{{"archive/data.pkl", {}}};
    for (const TensorInfo& info : source.tensors()) {
        const std::string key = std::to_string(parts.size() - 1);
        const std::string value = tensorValue(storageValue("FloatStorage", key, info.elementCount()), 0,
                                              info.shape, denseStrides(info.shape));
        values.emplace_back(info.name, value);
        if (info.name == kTable && columns.empty()) values.emplace_back(kHeadName, value);
        std::string contents(static_cast<size_t>(info.byteCount), '\0');
        if (!source.read(info.name, std::as_writable_bytes(std::span(contents)))) contents.clear();
        parts.push_back({"archive/data/" + key, std::move(contents)});
    }
    if (!columns.empty()) {
        const std::string key = std::to_string(parts.size() - 1);
        values.emplace_back(kHeadName, tensorValue(storageValue("FloatStorage", key, shape[0] * shape[1]), 0,
                                                   shape, {1, shape[0]}));
        parts.push_back({"archive/data/" + key, columns});
    }
    parts.front().contents = pickled(dictValue(values));
    return zipped(parts);
}

} // namespace

class TestLanguageHead : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path at(const std::string& name) const { return fs::path(m_dir->path().toStdString()) / name; }

    /// A copy of a fixture that may be changed.
    fs::path copied(const std::string& name) const {
        fs::create_directories(at(name));
        for (const char* file : {"config.json", "model.safetensors"})
            fs::copy_file(fixture(name) + "/" + file, at(name) / file);
        return at(name);
    }

private slots:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); // isTied warns of what must not be
    }

    void oneOfItsOwnIsAParameterAndSavedAsOne() {
        const fs::path folder = copied("opt");
        rewrite(folder / "model.safetensors", same,
                {makeTensorInfo(kHeadName, DataType::F16, {272, 12})}); // zeros
        QVERIFY(!isTied(folder));
        const LanguagePart part = *openModel(folder.string())->language;
        QVERIFY(bytesOf(*part.tensors, kHeadName) == std::vector<std::byte>(272 * 12 * 2));
        const auto plain = openModel(fixture("opt"));
        QCOMPARE(part.tensors->tensors().size(), plain->language->tensors->tensors().size() + 1);
        for (const TensorInfo& info : plain->language->tensors->tensors())
            QVERIFY(bytesOf(*part.tensors, info.name) == bytesOf(*plain->language->tensors, info.name));
        const auto facts = inspectPath(folder.string());
        QVERIFY(facts.ok() && facts->problem.empty() && contains(joined(facts->warnings), kHeadName));
        QVERIFY(!json::parse(facts->toJson())["tied"].get<bool>());

        QVERIFY(writeLanguageFolder(part, at("saved").string()).ok());
        const auto again = openModel(at("saved").string());
        QVERIFY2(again, reasonOf(again).c_str());
        QVERIFY(!again->language->config.tiedHead && !contains(joined(again->deviations), kHeadName));
        QVERIFY(bytesOf(*again->language->tensors, kHeadName) == bytesOf(*part.tensors, kHeadName));
        json expected = json::parse(part.json);
        expected["tie_word_embeddings"] = false;
        QCOMPARE(json::parse(again->language->json), expected);
    }

    void oneNumberMakesItAnother_data() {
        QTest::addColumn<int>("element");
        QTest::newRow("none") << -1;
        for (const int element : {0, 14'900, 131'071, 131'072, 262'144, 400'011})
            QTest::addRow("%d", element) << element;
    }
    void oneNumberMakesItAnother() {
        QFETCH(int, element);
        constexpr int64_t kEntries = 100'003; // more than is looked at first, and no whole pieces
        const auto source = drawn(kEntries, DataType::F32);
        std::vector<std::byte> head = bytesOf(*source, kTable);
        if (element >= 0) head.at(static_cast<size_t>(element) * sizeof(float)) ^= std::byte{1};
        source->add(makeTensorInfo(kHeadName, DataType::F32, {kEntries, kWidth}), head);
        save(at("long"), kEntries, *source);
        QCOMPARE(isTied(at("long")), element < 0);
    }

    void numbersCountWhateverTypeTheyHave_data() {
        QTest::addColumn<bool>("finer");
        QTest::newRow("the same") << false;
        QTest::newRow("finer than the table's") << true;
    }
    void numbersCountWhateverTypeTheyHave() {
        QFETCH(bool, finer);
        constexpr int64_t kEntries = 9;
        const auto plain = drawn(kEntries, DataType::F16);
        std::vector<std::byte> table = bytesOf(*plain, kTable);
        table.at(0) = table.at(1) = std::byte{0};
        MemorySource source;
        for (const TensorInfo& info : plain->tensors())
            source.add(info, info.name == kTable ? table : bytesOf(*plain, info.name));
        std::vector<std::byte> head(2 * table.size());
        convertElements(table, DataType::F16, head, DataType::F32);
        head.at(3) = std::byte{0x80}; // the zero is negative here
        if (finer) head.at(sizeof(float)) ^= std::byte{1};
        source.add(makeTensorInfo(kHeadName, DataType::F32, {kEntries, kWidth}), head);
        save(at("wide"), kEntries, source);
        QCOMPARE(isTied(at("wide")), !finer);
    }

    void torchSavesBothInOnePlaceOrTurned_data() {
        QTest::addColumn<bool>("columns");
        QTest::addColumn<bool>("other");
        QTest::newRow("one place") << false << false;
        QTest::newRow("by columns") << true << false;
        QTest::newRow("by columns, other numbers") << true << true;
    }
    void torchSavesBothInOnePlaceOrTurned() {
        QFETCH(bool, columns);
        QFETCH(bool, other);
        constexpr int64_t kEntries = 9;
        const auto source = drawn(kEntries, DataType::F32);
        std::vector<std::byte> head = bytesOf(*source, kTable);
        if (other) head.back() ^= std::byte{1};
        std::string turned(columns ? head.size() : 0, '\0');
        if (columns)
            transposeElements(head, std::as_writable_bytes(std::span(turned)), kEntries, kWidth,
                              sizeof(float));
        fs::create_directories(at("torch"));
        writeText(at("torch/config.json"), configuration(kEntries));
        writeText(at("torch/pytorch_model.bin"), torchTied(*source, turned));
        QCOMPARE(isTied(at("torch")), !other);
        const auto model = openModel(at("torch").string());
        QVERIFY(bytesOf(*model->language->tensors, kTable) == bytesOf(*source, kTable));
        if (other) QVERIFY(bytesOf(*model->language->tensors, kHeadName) == head);
    }

    /// As writers do that keep one name alone of what two share.
    void itsNameMayStandForTheTable_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"opt", "opt_narrow", "gpt2", "bloom"}) QTest::newRow(name) << name;
    }
    void itsNameMayStandForTheTable() {
        QFETCH(QString, name);
        const auto plain = openModel(fixture(name.toStdString()));
        const std::string table = languageLayout(plain->language->config).front().name;
        const fs::path folder = copied(name.toStdString());
        rewrite(folder / "model.safetensors", [&](const std::string& own) {
            const bool isTable = own == table || "transformer." + own == table; // GPT-2's have no prefix
            return isTable ? std::string(kHeadName) : own;
        });
        QVERIFY(isTied(folder));
        const LanguagePart part = *openModel(folder.string())->language;
        for (const TensorInfo& info : plain->language->tensors->tensors())
            QVERIFY2(bytesOf(*part.tensors, info.name) == bytesOf(*plain->language->tensors, info.name),
                     info.name.c_str());
        QVERIFY(writeLanguageFolder(part, at("saved").string()).ok());
        const auto saved = SafetensorsReader::open(at("saved/model.safetensors").string());
        QVERIFY((*saved)->find(table) != nullptr && (*saved)->find(kHeadName) == nullptr);

        json untied = json::parse(fileText(folder / "config.json"));
        untied["tie_word_embeddings"] = false;
        writeText(folder / "config.json", untied.dump());
        const auto refused = openModel(folder.string());
        QVERIFY(!refused.ok() && contains(refused.error().message, "missing: " + table));
    }

    void ofAnotherSizeItIsRefused() {
        const fs::path folder = copied("gpt2");
        rewrite(folder / "model.safetensors", same, {makeTensorInfo(kHeadName, DataType::F16, {280, 12})});
        const auto refused = openModel(folder.string());
        QVERIFY(!refused.ok());
        QVERIFY2(contains(refused.error().message, "lm_head.weight is [280, 12], expected [272, 12]"),
                 refused.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestLanguageHead)
#include "tst_language_head.moc"
