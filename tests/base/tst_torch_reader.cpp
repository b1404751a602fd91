// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What torch.save wrote is read as PyTorch reads it, and nothing that such a file can say is run or gets past
// the reader unless it is right.
#include "core/base/model/inspect.h"
#include "core/base/pickle/pickle_reader.h"
#include "core/base/pickle/torch_reader.h"
#include "tests/base/support/model_files.h"
#include "tests/base/support/torch_writer.h"
#include "tests/computed_time.h"

#include <fstream>

using namespace homebooth::core;
using namespace homebooth::core::test;

namespace {

std::string fixture(const char* name) {
    return std::string(HOMEBOOTH_SOURCE_DIR "/tests/fixtures/torch/") + name;
}

/// Without waiting for the disk: these files are many and short-lived.
void writePlainly(const fs::path& path, const std::string& content) {
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream << content;
}

QByteArray bytes(const std::string& text) {
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

void row(const char* name, const std::string& content, const char* reason) {
    QTest::newRow(name) << bytes(content) << QString(reason);
}

/// A file whose pickle is this value, with a storage "0" of eight bytes.
std::string fileOf(const std::string& value) {
    return zipped({{"archive/data.pkl", pickled(value)}, {"archive/data/0", std::string(8, '\x11')}});
}

std::string fileOfTensor(const std::string& tensor) {
    return fileOf(dictValue({{"a", tensor}}));
}

const std::string kStorage = storageValue("FloatStorage", "0", 2);
const std::string kTensor = tensorValue(kStorage, 0, {2}, {1});

void addCommands() {
    const auto runs = [](const std::string& global) {
        return fileOf(dictValue({{"a", kTensor}, {"b", callValue(global, tupleValue({textValue("ls")}))}}));
    };
    row("os.system", runs(globalValue("os", "system")), "holds commands besides weights (\"os.system\")");
    row("posix.system", runs(globalValue("posix", "system")), "posix.system");
    row("builtins.eval", runs(globalValue("builtins", "eval")), "builtins.eval");
    row("pip.main", runs(globalValue("pip", "main")), "pip.main");
    row("of the stack", runs(textValue("os") + textValue("system") + "\x93"), "os.system");
    row("a module of torch", runs(globalValue("torch.hub", "load")), "torch.hub.load");
    row("a name with a dot", runs(globalValue("torch", "hub.load")), "torch.hub.load");
    row("behind a harmless beginning", runs(globalValue("torch.FloatStorage", "x")), "torch.FloatStorage.x");
    row("new object", fileOf(globalValue("subprocess", "Popen") + ")\x81"), "subprocess.Popen");
    row("named, not called", fileOf(globalValue("os", "system")), "os.system");
    row("thrown away", fileOf(globalValue("os", "system") + "0" + dictValue({{"a", kTensor}})), "os.system");
    row("in the old layout", pickled(globalValue("os", "system") + tupleValue({textValue("ls")}) + "R"),
        "os.system");
    row("extension", fileOf("\x82\x01"), "code 130");
    row("instance", fileOf("(ios\nsystem\n"), "code 105");
}

void addBrokenPickles() {
    row("no end", zipped({{"x/data.pkl", "\x80\x02}"}}), "cut off");
    row("text beyond the end", fileOf("X" + littleEndian(1000, 4) + "x"), "cut off");
    row("text of 2^64-1", fileOf("\x8d" + littleEndian(~uint64_t{0}, 8) + "x"), "cut off");
    row("number beyond the end", fileOf("\x8b" + littleEndian(0xffffffff, 4)), "cut off");
    row("nothing to take", fileOf("R"), "a value to work with");
    row("takes beneath a mark", fileOf("N(0"), "a value to work with");
    row("no mark", fileOf("t"), "a mark before");
    row("nothing kept", fileOf("h\x07"), "kept before");
    row("kept nowhere", fileOf("j" + littleEndian(0xffffffff, 4)), "kept before");
    row("item of a number", fileOf("K\x01K\x02K\x03s"), "a dict");
    row("appended to a dict",
        fileOf("}K\x01"
               "a"),
        "a list");
    row("half a pair", fileOf("}(K\x01u"), "a dict");
    row("text protocol", fileOf("I1\n"), "code 73");
    row("too many values", fileOf(std::string(1'100'000, 'N')), "1000000 values");
    row("too deep a stack", fileOf("N" + std::string(1'100'000, '2')), "1000000 values");
    row("too many marks", fileOf(std::string(1'100'000, '(')), "fewer marks");
    row("kept too far",
        fileOf("N"
               "r" +
               littleEndian(2'000'000, 4)),
        "a place below");
    std::string items =
        "]q\1(" + std::string(500'000, 'N') + "e"; // and then again and again into another list
    for (int i = 0; i < 10; ++i) items += "](" + std::string(500'000, 'N') + "e";
    row("too many items", fileOf(items), "1000000 values");
    std::string joined = textValue(std::string(100'000, 'x')) + "q\1";
    for (int i = 0; i < 1000; ++i) joined += "h\1h\1\x93";
    row("names that are joined for ever", fileOf(joined), "bytes in names");
    row("a pickle of something else", pickled("}"), "found another pickle");
}

void addBrokenTensors() {
    const auto of = [](const std::string& storage, int64_t begin, const std::vector<int64_t>& shape,
                       const std::vector<int64_t>& strides) {
        return fileOfTensor(tensorValue(storage, begin, shape, strides));
    };
    row("reaches beyond", of(kStorage, 0, {3}, {1}), "beyond its storage");
    row("begins beyond", of(kStorage, 2, {1}, {1}), "beyond its storage");
    row("strides beyond", of(kStorage, 0, {2}, {2}), "beyond its storage");
    row("strides that wrap", of(kStorage, 0, {3, 2}, {int64_t{1} << 62, 1}), "beyond its storage");
    row("shape that wraps", of(kStorage, 0, {int64_t{1} << 62, 4}, {0, 0}), "repeats its numbers");
    row("repeated to petabytes", of(kStorage, 0, {int64_t{1} << 50}, {0}), "repeats its numbers");
    row("negative begin", of(kStorage, -1, {1}, {1}), "nothing clear");
    row("negative extent", of(kStorage, 0, {-1}, {1}), "nothing clear");
    row("negative stride", of(kStorage, 1, {2}, {-1}), "nothing clear");
    row("strides missing", of(kStorage, 0, {2}, {}), "nothing clear");
    row("too many axes", of(kStorage, 0, std::vector<int64_t>(17, 1), std::vector<int64_t>(17, 1)),
        "nothing clear");
    row("no storage", of("N", 0, {2}, {1}), "nothing clear");
    row("storage too long", of(storageValue("FloatStorage", "0", 3), 0, {2}, {1}), "12 bytes in storage 0");
    row("storage too short", of(storageValue("FloatStorage", "0", 1), 0, {1}, {1}), "4 bytes in storage 0");
    row("storage missing", of(storageValue("FloatStorage", "1", 2), 0, {2}, {1}), "8 bytes in storage 1");
    row("storage of 2^62", of(storageValue("FloatStorage", "0", int64_t{1} << 62), 0, {1}, {1}), "at most");
    row("negative storage", of(storageValue("FloatStorage", "0", -2), 0, {0}, {1}), "something else");
    row("storage of no numbers", of(storageValue("Size", "0", 2), 0, {2}, {1}), "torch.Size");
    row("storage of two types",
        fileOf(dictValue(
            {{"a", kTensor}, {"b", tensorValue(storageValue("DoubleStorage", "0", 1), 0, {1}, {1})}})),
        "found two");
    row("not in a storage", of(tupleValue({textValue("file")}) + "Q", 0, {2}, {1}), "something else");
}

void addUnusualTensors() {
    std::string circle = "]q\1" + globalValue("torch", "Size") + "(h\1tRq\2" + "0(h\2e"; // a size of itself
    row("a size that holds itself",
        fileOf(circle + "0" +
               dictValue({{"a", callValue(globalValue("torch._utils", "_rebuild_tensor_v2"),
                                          "(" + kStorage + numberValue(0) + "h\2h\2t")}})),
        "nothing clear");
    row("nothing, far away",
        fileOfTensor(tensorValue(kStorage, int64_t{1} << 62, {0, int64_t{1} << 40}, {1, 1})),
        "beyond its storage");
    row("key of a megabyte", fileOf(dictValue({{std::string(1 << 20, 'k'), kTensor}})), "one that is long");
    row("signs to change",
        fileOfTensor(callValue(globalValue("torch._utils", "_rebuild_tensor_v2"),
                               tupleValue({kStorage, numberValue(0), numbersValue({2}), numbersValue({1}),
                                           "\x89", "N", dictValue({{"neg", "\x88"}})}))),
        "plain numbers");
    row("two of a name", fileOf(dictValue({{"a", kTensor}, {"a", kTensor}})), "two tensors");
    row("no name", fileOf(dictValue({{"", kTensor}})), "no name");
    row("NUL in a name", fileOf(dictValue({{std::string("a\0b", 3), kTensor}})), "control characters");
}

void addBrokenArchives() {
    const ZipPart pickle{"a/data.pkl", pickled(dictValue({{"a", kTensor}}))};
    const ZipPart storage{"a/data/0", std::string(8, '\x11')};
    const auto with = [&](const auto& change) {
        ZipPart changed = storage;
        change(changed);
        return zipped({pickle, changed});
    };
    row("compressed", with([](ZipPart& part) { part.method = 8; }), "a compressed one: a/data/0");
    row("encrypted", with([](ZipPart& part) { part.flags = 1; }), "an encrypted one");
    row("longer than the file", with([](ZipPart& part) { part.moreBytes = 1000; }), "within the file");
    row("elsewhere", with([](ZipPart& part) { part.shift = 1; }), "in a member's header");
    row("far away", with([](ZipPart& part) { part.shift = 1 << 30; }), "within the file");
    row("the same twice", zipped({pickle, storage, storage}), "twice");
    row("overlap", zipped({{"a/data.pkl", pickle.contents, 0, 0, 40}, storage}), "overlap");
    row("no pickle", zipped({{"a/data.pkl.txt", "x"}}), "a member data.pkl");
    row("big-endian", zipped({pickle, storage, {"a/byteorder", "big"}}), "in the order of a PC");
    const std::string whole = zipped({pickle, storage});
    row("no directory", whole.substr(0, whole.size() - 30), "cut off");
    std::string wide = whole;
    wide.replace(wide.size() - 6, 4, "\xff\xff\xff\xff");
    row("no directory of ZIP64", wide, "ZIP64");
    std::string more = whole;
    more.replace(more.size() - 12, 4, littleEndian(3, 2) + littleEndian(3, 2));
    row("fewer members than said", more, "another member");
}

/// A tensor of eight numbers, in the storage "0", of a type that was new in PyTorch 2.
std::string newerTensor(const std::string& type) {
    return callValue(
        globalValue("torch._utils", "_rebuild_tensor_v3"),
        tupleValue({storageValue("UntypedStorage", "0", 8), numberValue(0), numbersValue({8}),
                    numbersValue({1}), "\x89", callValue(globalValue("collections", "OrderedDict"), ")"),
                    globalValue("torch", type)}));
}

/// A whole release as trainers write it, with a hole for its weights.
void writeHollow(const fs::path& path, const ModelSource& model, int64_t steps) {
    const std::vector<TensorInfo> infos = tensorsOfSingleFile(model, 4);
    int64_t elements = 0;
    for (const TensorInfo& info : infos) elements += info.elementCount();
    const std::string storage = storageValue("HalfStorage", "0", elements);
    std::vector<std::pair<std::string, std::string>> values;
    int64_t begin = 0;
    for (const TensorInfo& info : infos) {
        values.emplace_back(info.name, tensorValue(storage, begin, info.shape, denseStrides(info.shape)));
        begin += info.elementCount();
    }
    const std::string pickle =
        pickled(dictValue({{"global_step", numberValue(steps)}, {"state_dict", dictValue(values)}}));
    ZipPart weights{"archive/data/0", {}};
    weights.moreBytes = elements * 2;
    const ZipText text =
        zipTexts({{"archive/data.pkl", pickle}, weights}, static_cast<uint64_t>(elements) * 2);
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream << text.members;
    stream.seekp(elements * 2, std::ios::cur);
    stream << text.directory;
}

} // namespace

class TestTorchReader : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    fs::path at(const char* name) const { return fs::path(m_dir.path().toStdString()) / name; }

    /// Opens it and reads every tensor. @returns  what was wrong; empty: nothing
    static std::string readAll(const fs::path& path) {
        const auto file = TorchReader::open(path.string());
        if (!file) return file.error().text();
        for (const TensorInfo& info : (*file)->tensors()) {
            std::vector<std::byte> contents(static_cast<size_t>(info.byteCount));
            if (const auto done = (*file)->read(info.name, contents); !done) return done.error().text();
        }
        return {};
    }

private slots:
    void readsWhatTorchSaves_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"zip.ckpt", "old.ckpt", "protocol4.ckpt"}) QTest::newRow(name) << name;
    }

    void readsWhatTorchSaves() {
        QFETCH(QString, name);
        const auto file = TorchReader::open(fixture(name.toUtf8().constData()));
        QVERIFY2(file, reasonOf(file).c_str());
        const auto expected = SafetensorsReader::open(fixture("expected.safetensors"));
        QVERIFY(expected.ok());
        QCOMPARE((*file)->tensors().size(), (*expected)->tensors().size());
        for (const TensorInfo& info : (*expected)->tensors()) {
            const TensorInfo* const found = (*file)->find(info.name);
            QVERIFY2(found != nullptr, info.name.c_str());
            QVERIFY2(found->type == info.type && found->shape == info.shape, info.name.c_str());
            QVERIFY2(bytesOf(**file, info.name) == bytesOf(**expected, info.name), info.name.c_str());
        }
        QCOMPARE((*file)->metadata(), (std::map<std::string, std::string>{{"global_step", "875000"}}));
    }

    void readsPartsOfTensors() {
        const auto file = TorchReader::open(fixture("zip.ckpt"));
        QVERIFY(file.ok());
        for (const char* name : {"numbers", "transposed", "every.other"}) {
            const std::vector<std::byte> whole = bytesOf(**file, name);
            std::vector<std::byte> part(16);
            QVERIFY((*file)->readPart(name, 20, part).ok());
            QVERIFY(std::equal(part.begin(), part.end(), whole.begin() + 20));
            QVERIFY(!(*file)->readPart(name, std::ssize(whole) - 8, part).ok());
            const bool together = std::string_view(name) == "numbers";
            QVERIFY((*file)->liesTogether(name) == together && (*file)->areOne(name, name) == together);
        }
        QVERIFY(!(*file)->areOne("numbers", "transposed") && !(*file)->areOne("numbers", "nothing"));
        QVERIFY(!(*file)->readPart("nothing", 0, {}).ok());
    }

    void listsTensorsInTheOrderOfTheirBytes() {
        writePlainly(
            at("order.ckpt"),
            zipped(
                {{"x/data.pkl",
                  pickled(dictValue({{"last", tensorValue(storageValue("FloatStorage", "1", 1), 0, {1}, {1})},
                                     {"middle", tensorValue(kStorage, 1, {1}, {1})},
                                     {"first", tensorValue(kStorage, 0, {1}, {1})}}))},
                 {"x/data/0", std::string(8, 'x')},
                 {"x/data/1", std::string(4, 'y')}}));
        const auto file = TorchReader::open(at("order.ckpt").string());
        QVERIFY2(file, reasonOf(file).c_str());
        std::string names;
        for (const TensorInfo& info : (*file)->tensors()) names += info.name + " ";
        QCOMPARE(names, "first middle last ");
    }

    void refusesWhatIsNotRight_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        addCommands();
        addBrokenPickles();
        addBrokenTensors();
        addUnusualTensors();
        addBrokenArchives();
    }

    void refusesWhatIsNotRight() {
        QFETCH(QByteArray, content);
        QFETCH(QString, reason);
        const fs::path path = at("hostile.ckpt");
        writePlainly(path, content.toStdString());
        const std::string error = readAll(path);
        QVERIFY2(contains(error, reason.toStdString()), error.empty() ? "(opened)" : error.c_str());
        QVERIFY(contains(error, path.string()));
    }

    void dictsThatLeadToEachOtherComeToAnEnd() {
        // A dict that holds itself, and one of 60^5 ways to the same tensor.
        std::string wide = dictValue({{"a", kTensor}}) + "q\1"
                                                         "0";
        for (char level = 1; level < 6; ++level) {
            wide += "}(";
            for (int way = 0; way < 60; ++way) wide += textValue(std::to_string(way)) + "h" + level;
            wide += std::string("uq") + static_cast<char>(level + 1) + "0";
        }
        const auto tensorsIn = [this](const std::string& content) {
            writePlainly(at("circle.ckpt"), content);
            const auto file = TorchReader::open(at("circle.ckpt").string());
            return file ? (*file)->tensors().size() : 0;
        };
        QCOMPARE(tensorsIn(fileOf("}q\1(" + textValue("self") + "h\1" + textValue("a") + kTensor + "u")),
                 size_t{1});
        QCOMPARE(tensorsIn(fileOf(wide + "h\6")), size_t{1});
    }

    void modulesThatShareALongDictAreReadInGoodTime() {
        constexpr int kModules = 200'000;
        constexpr int kEntries = 200'000; // of their attributes
        constexpr int kPlenty = 10'000;   // ms; in quadratic time it were many
        std::string value = textValue("k") + "q\1" +
                            globalValue("torch.nn.modules.container", "ParameterDict") + "q\2)q\3}q\4(";
        for (int i = 0; i < kEntries; ++i) value += "h\1h\1";
        value += "u" + dictValue({{"a", kTensor}}) + "(";
        for (int i = 0; i < kModules; ++i) value += "h\1h\2h\3Rh\4b";
        writePlainly(at("shared.ckpt"), fileOf(value + "u"));
        const homebooth::testing::ComputedTime timer;
        const auto file = TorchReader::open(at("shared.ckpt").string());
        QVERIFY2(timer.isBelow(kPlenty), qPrintable(QString::number(timer.ms())));
        QVERIFY2(file, reasonOf(file).c_str());
        QCOMPARE((*file)->tensors().size(), size_t{1});
    }

    void passesOverWhatIsNoTensorsName() {
        const std::string noted = callValue(globalValue("typing", "Any"), ")");
        std::string dict = dictValue({{"a", kTensor}, {"b", noted}});
        dict += "N" + kTensor + "s\x88" + kTensor + "s"; // under None and True
        writePlainly(at("keys.ckpt"), fileOf(dict));
        const auto file = TorchReader::open(at("keys.ckpt").string());
        QVERIFY2(file, reasonOf(file).c_str());
        QCOMPARE((*file)->tensors().size(), size_t{1});
    }

    void survivesEveryCutAndFlip_data() { readsWhatTorchSaves_data(); }

    void survivesEveryCutAndFlip() {
        QFETCH(QString, name);
        const std::string whole = fileText(fixture(name.toUtf8().constData()));
        const fs::path path = at("damaged.ckpt");
        for (size_t length = 0; length < whole.size(); length += whole.size() / 64) {
            writePlainly(path, whole.substr(0, length));
            QVERIFY2(!readAll(path).empty(), std::to_string(length).c_str());
        }
        for (size_t place = 0; place < whole.size(); ++place) {
            std::string flipped = whole;
            flipped[place] = static_cast<char>(flipped[place] ^ (1 << (place * 5 % 8)));
            writePlainly(path, flipped);
            readAll(path); // opened or refused; nothing worse
        }
    }

    void opensAWholeModel() {
        const ModelFolder models;
        const ModelSource model = tinyModel(false);
        const auto plain = SafetensorsReader::open(models.savedFile(false).string());
        QVERIFY(plain.ok());
        // Configurations come from the original release's shapes, which tiny models do not have.
        const fs::path folder = models.savedFolder(false, "folder");
        for (const char* part :
             {"unet/diffusion_pytorch_model", "vae/diffusion_pytorch_model", "text_encoder/model"}) {
            const fs::path file = folder / (std::string(part) + ".safetensors");
            const auto weights = SafetensorsReader::open(file.string());
            QVERIFY(weights.ok());
            const bool text = std::string(part) == "text_encoder/model";
            writePlainly(text ? folder / "text_encoder/pytorch_model.bin"
                              : fs::path(file).replace_extension(".bin"),
                         torchSaved(**weights));
            fs::remove(file);
        }
        const auto opened = openModel(folder.string());
        QVERIFY2(opened, reasonOf(opened).c_str());
        for (const auto& [mine, theirs] : {std::pair(opened->unetTensors, model.unetTensors),
                                           std::pair(opened->vaeTensors, model.vaeTensors),
                                           std::pair(opened->text.tensors, model.text.tensors)})
            for (const TensorInfo& info : theirs->tensors())
                QVERIFY2(bytesOf(*mine, info.name) == bytesOf(*theirs, info.name), info.name.c_str());
        QVERIFY(inspectPath(folder.string())->problem.empty());
        writePlainly(folder / "vae/diffusion_pytorch_model.bin", fileOf(globalValue("os", "system")));
        QVERIFY(inspectPath(folder.string())->fault == ModelFault::Commands);
        QVERIFY(contains(inspectPath(folder.string())->problem, "diffusion_pytorch_model.bin"));
    }

    void recognisesOriginalReleases_data() {
        QTest::addColumn<int>("family");
        QTest::addColumn<qint64>("steps");
        QTest::newRow("SD 1.x") << static_cast<int>(ModelFamily::StableDiffusion1) << qint64{470000};
        QTest::newRow("SD 2.1") << static_cast<int>(ModelFamily::StableDiffusion2) << qint64{110000};
        QTest::newRow("SD 2.1 base") << static_cast<int>(ModelFamily::StableDiffusion2) << qint64{875000};
    }

    void recognisesOriginalReleases() {
        QFETCH(int, family);
        QFETCH(qint64, steps);
        const auto wanted = static_cast<ModelFamily>(family);
        const fs::path path = at("release.ckpt");
        writeHollow(path, fullSizeModel(wanted, PredictionType::Epsilon), steps);
        const auto model = openModel(path.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(model->family == wanted);
        const bool base = steps == 875000;
        QCOMPARE(model->predictionTypeKnown, base || wanted == ModelFamily::StableDiffusion1);
        QCOMPARE(model->predictionType == PredictionType::Epsilon, model->predictionTypeKnown);
        const auto facts = inspectPath(path.string());
        QVERIFY(facts.ok() && facts->problem.empty() && facts->kind == InspectedKind::Model);
    }

    void saysThatWeightsAreInFp8() {
        const std::string content = fileOf(
            dictValue({{"model.diffusion_model.input_blocks.0.0.weight", newerTensor("float8_e4m3fn")}}));
        writePlainly(at("fp8.ckpt"), content);
        const auto model = openModel(at("fp8.ckpt").string());
        QVERIFY(!model.ok());
        QVERIFY2(contains(model.error().text(), "fp8 (float8_e4m3fn)"), model.error().text().c_str());
        QVERIFY(contains(model.error().text(), "get the fp16 version"));
        QVERIFY(inspectPath(at("fp8.ckpt").string())->fault == ModelFault::OtherNumbers);
        // Often without the first convolution.
        writePlainly(at("most.ckpt"),
                     fileOf(dictValue(
                         {{"model.diffusion_model.input_blocks.0.0.weight", newerTensor("uint8")},
                          {"model.diffusion_model.input_blocks.1.1.transformer_blocks.0.attn2.to_k.weight",
                           newerTensor("float8_e4m3fn")}})));
        const auto most = openModel(at("most.ckpt").string());
        QVERIFY2(contains(most.error().text(), "get the fp16 version"), most.error().text().c_str());
        const ModelFolder models;
        const fs::path vae = models.savedFolder(false, "folder") / "vae/diffusion_pytorch_model.safetensors";
        fs::remove(vae);
        writePlainly(fs::path(vae).replace_extension(".bin"), content);
        const auto folder = openModel(vae.parent_path().parent_path().string());
        QVERIFY(!folder.ok());
        QVERIFY2(contains(folder.error().text(), "get the fp16 version"), folder.error().text().c_str());
        // What nobody needs may be of any type.
        writePlainly(at("more.ckpt"), fileOf(dictValue({{"a", newerTensor("uint16")}})));
        QVERIFY(TorchReader::open(at("more.ckpt").string()).ok());
        QVERIFY(!contains(openModel(at("more.ckpt").string()).error().text(), "fp8"));
    }

    void findsThePickleBehindOtherMembers() {
        const std::string storage(8, '\x11');
        writePlainly(at("behind.ckpt"), zipped({{"archive/.data/serialization_id", std::string(5000, 'x')},
                                                {"archive/data/0", storage},
                                                {"archive/data.pkl", pickled(dictValue({{"a", kTensor}}))}}));
        const auto file = TorchReader::open(at("behind.ckpt").string());
        QVERIFY2(file, reasonOf(file).c_str());
        QCOMPARE((*file)->tensors().size(), size_t{1});
        writePlainly(at("other.zip"),
                     zipped({{"a/" + std::string(5000, 'x'), storage}, {"b", "a/data.pkl"}}));
        QVERIFY(contains(TorchReader::open(at("other.zip").string()).error().text(), "a ZIP archive"));
    }

    void saysWhatAFileIs() {
        writePlainly(at("commands.ckpt"), fileOf(globalValue("os", "system")));
        QVERIFY(inspectPath(at("commands.ckpt").string())->fault == ModelFault::Commands);
        writePlainly(at("other.ckpt"), pickled("}"));
        QVERIFY(inspectPath(at("other.ckpt").string())->fault == ModelFault::NotAModel);
        writePlainly(at("tensor.ckpt"), fileOfTensor(kTensor));
        QVERIFY(inspectPath(at("tensor.ckpt").string())->fault == ModelFault::OtherModel);
        const std::string whole = fileText(fixture("zip.ckpt"));
        writePlainly(at("short.ckpt"), whole.substr(0, whole.size() / 2));
        QVERIFY(inspectPath(at("short.ckpt").string())->fault == ModelFault::Incomplete);
        const std::string old = fileText(fixture("old.ckpt"));
        writePlainly(at("old.ckpt"), old.substr(0, old.size() - 4));
        QVERIFY(inspectPath(at("old.ckpt").string())->fault == ModelFault::Incomplete);
        writePlainly(at("wrong.ckpt"), fileOfTensor(tensorValue(kStorage, 0, {3}, {1})));
        QVERIFY(inspectPath(at("wrong.ckpt").string())->fault == ModelFault::Damaged);
    }
};

QTEST_APPLESS_MAIN(TestTorchReader)
#include "tst_torch_reader.moc"
