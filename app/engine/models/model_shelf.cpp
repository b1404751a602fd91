// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/models/model_shelf.h"

#include "app/engine/models/model_words.h"
#include "app/engine/places.h"
#include "app/engine/runs/moments.h"
#include "app/engine/runs/run_results.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "app/library/library_service.h"
#include "core/base/formats/file_kind.h"
#include "core/base/model/model_source.h"
#include "core/media/picture_list.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>

#include <algorithm>
#include <utility>

namespace homebooth::app {

QString modelNameOf(const QString& path) {
    const QFileInfo model(path);
    return model.isDir() ? model.fileName() : model.completeBaseName();
}

namespace {

constexpr const char* kLoraKind = "lora"; // as the library has them
constexpr const char* kEmbeddingKind = "embedding";
constexpr const char* kModelKind = "model";
constexpr int kTellMs = 100;
constexpr qint64 kMostOfAddOns = 4'000'000'000; // bytes of files that can be made again

ModelEntry::Kind kindOf(core::InspectedKind kind) {
    return kind == core::InspectedKind::Lora        ? ModelEntry::Kind::Lora
           : kind == core::InspectedKind::Embedding ? ModelEntry::Kind::Embedding
                                                    : ModelEntry::Kind::Model;
}

ModelEntry::Kind kindOf(const core::ModelRecord& record) {
    return record.kind == kLoraKind        ? ModelEntry::Kind::Lora
           : record.kind == kEmbeddingKind ? ModelEntry::Kind::Embedding
                                           : ModelEntry::Kind::Model;
}

const char* recordKind(ModelEntry::Kind kind) {
    return kind == ModelEntry::Kind::Lora        ? kLoraKind
           : kind == ModelEntry::Kind::Embedding ? kEmbeddingKind
                                                 : kModelKind;
}

ModelFacts addOnFacts(const QString& path) {
    const auto found = core::inspectPath(path.toStdString());
    ModelFacts facts;
    if (!found || kindOf(found->kind) == ModelEntry::Kind::Model) return facts;
    facts.usable = found->family.has_value();
    if (facts.usable) facts.family = *found->family;
    for (const std::string& word : found->words) facts.words.append(QString::fromStdString(word));
    facts.vectors = found->vectors;
    return facts;
}

ModelFacts factsOf(const QString& path, bool addOn) {
    ModelFacts facts = addOn ? addOnFacts(path) : modelFacts(path);
    facts.gone = !facts.usable && !QFileInfo::exists(path);
    return facts;
}

/// Makes one moment after another, each on its drive, then hands out all paths. Each leaves the list.
void makeUsable(std::vector<std::pair<qsizetype, MomentEntry>> moments, const QStringList& paths,
                QObject* receiver, std::function<void(const core::Result<QStringList>&)> take) {
    if (moments.empty()) return take(paths);
    const qsizetype at = moments.back().first;
    const MomentEntry one = moments.back().second;
    moments.pop_back();
    const auto taken = [moments, paths, receiver, take, at](const core::Result<QString>& made) {
        if (!made) return take(made.error());
        QStringList usable = paths;
        usable[at] = *made;
        makeUsable(moments, usable, receiver, take);
    };
    const auto make = [one] {
        return one.lora ? momentLora(one.path, one.base) : momentModel(one.path, one.base);
    };
    // The drive of its base first: where that hangs, it holds no thread of the moment's.
    inBackground(
        receiver, [base = one.base] { return QFileInfo::exists(base); },
        [receiver, make, taken, path = one.path](bool) {
            inBackground(receiver, make, taken, modelDrives(), path);
        },
        modelDrives(), one.base);
}

} // namespace

ModelShelf::ModelShelf(LibraryService& library, RunCentre& runs, QObject* parent)
    : QObject(parent)
    , m_library(library)
    , m_results(new RunResults(runs, this)) {
    m_tell.setSingleShot(true);
    connect(&m_tell, &QTimer::timeout, this, &ModelShelf::tellFacts);
    connect(m_results, &RunResults::changed, this, [this] {
        tidyOnce();
        arrange();
    });
    connect(&library, &LibraryService::roomCame, this, [this] { reload({}); });
    arrange();
}

const ModelEntry* ModelShelf::find(const QString& path) const {
    const auto at = m_entryAt.constFind(path);
    return at != m_entryAt.cend() ? &m_entries[*at] : nullptr;
}

void ModelShelf::refresh() {
    // The drive of what cannot be used may have been away.
    for (const ModelEntry& entry : m_entries)
        if (entry.looked && !entry.facts.usable) look(entry.path, entry.isAddOn());
    reload({});
    m_results->look();
}

void ModelShelf::lookAgain(const QString& path) {
    if (const ModelEntry* entry = find(path)) look(entry->path, entry->isAddOn());
}

bool ModelShelf::settled() const {
    return listed() && !m_results->looking();
}

void ModelShelf::reload(std::function<void()> then) {
    ++m_asked;
    m_library.ask<std::vector<core::ModelRecord>>(
        this, [](core::Library& library) { return core::loadModels(library); },
        [this, edits = m_edits, then = std::move(then)](const std::vector<core::ModelRecord>& records) {
            --m_asked;
            // What was written or forgotten since is not in the answer, and must not be lost by it.
            if (edits != m_edits) return reload(then);
            takeRecords(records);
            arrange();
            if (then) then();
        });
}

void ModelShelf::takeRecords(std::vector<core::ModelRecord> records) {
    if (m_library.waits()) { // what waits for room on the disk is in no answer
        if (m_read) return;
        for (const core::ModelRecord& own : m_records) {
            std::erase_if(records, [&own](const core::ModelRecord& one) { return one.id == own.id; });
            records.push_back(own);
        }
    }
    m_records = std::move(records);
    m_read = true;
}

void ModelShelf::tidy(const QStringList& inUse) {
    m_inUse = inUse;
    tidyOnce();
}

void ModelShelf::tidyOnce() {
    if (!m_inUse || !m_results->complete()) return;
    QStringList checkpoints;
    for (const MomentEntry& one : moments()) checkpoints.append(one.path);
    const auto tidy = [checkpoints, inUse = *m_inUse] { tidyMoments(checkpoints, inUse, kMostOfAddOns); };
    m_inUse.reset();
    inBackground(this, tidy, [] {});
}

void ModelShelf::findUsable(const QStringList& paths, QObject* receiver,
                            std::function<void(const core::Result<QStringList>&)> take) const {
    std::vector<std::pair<qsizetype, MomentEntry>> moments; // with their places among the paths
    for (qsizetype at = 0; at < paths.size(); ++at)
        if (const MomentEntry* one = moment(paths[at])) {
            moments.emplace_back(at, *one);
            moments.back().second.base = baseOf(*one);
        }
    makeUsable(std::move(moments), paths, receiver, std::move(take));
}

QString ModelShelf::nameOf(const QString& path) const {
    if (const ModelEntry* entry = find(path)) return entry->name;
    if (const MomentEntry* one = moment(path)) return one->name;
    return modelNameOf(path);
}

qint64 ModelShelf::pixelsOf(const QString& path) const {
    constexpr qint64 kUsual = 512;
    const ModelEntry* entry = shapeOf(path);
    return entry != nullptr && entry->facts.pixels > 0 ? entry->facts.pixels : kUsual;
}

qint64 ModelShelf::sizeStepOf(const QString& path) const {
    const ModelEntry* entry = shapeOf(path);
    return entry != nullptr ? entry->facts.sizeStep : kLeastSizeStep;
}

const ModelEntry* ModelShelf::shapeOf(const QString& path) const {
    const MomentEntry* one = moment(path);
    return find(one != nullptr && !one->lora ? baseOf(*one) : path);
}

std::optional<core::ModelFamily> ModelShelf::familyOf(const QString& path) const {
    if (const MomentEntry* one = moment(path)) return familyOf(baseOf(*one));
    const ModelEntry* entry = find(path);
    if (entry == nullptr) return std::nullopt;
    // A file tells its family by one width, which models of other families may have, too.
    if (entry->isAddOn() && !entry->base.isEmpty() && entry->base != path)
        if (const auto family = familyOf(entry->base)) return family;
    return entry->looked && entry->facts.usable ? std::optional(entry->facts.family) : std::nullopt;
}

bool ModelShelf::madeForAnother(const QString& addOn, const QString& model) const {
    const auto made = familyOf(addOn);
    const auto wanted = familyOf(model);
    return made && wanted && *made != *wanted;
}

bool ModelShelf::knows(const QString& path) const {
    return find(path) != nullptr || moment(path) != nullptr;
}

QString ModelShelf::runOf(const QString& path) const {
    if (const MomentEntry* one = moment(path)) return QDir::cleanPath(one->path + QStringLiteral("/../.."));
    const ModelEntry* entry = find(path);
    return entry != nullptr ? entry->runFolder : QString();
}

const std::vector<MomentEntry>& ModelShelf::moments() const {
    return m_results->moments();
}

const MomentEntry* ModelShelf::moment(const QString& path) const {
    return m_results->moment(path);
}

void ModelShelf::arrange() {
    m_entries.clear();
    ModelEntry builtIn;
    builtIn.name = tr("Sketch (built in)");
    builtIn.path = builtInModel();
    m_entries.push_back(builtIn);
    for (const core::ModelRecord& record : m_records) {
        ModelEntry entry;
        entry.name = QString::fromStdString(record.name);
        entry.path = QString::fromStdString(record.path);
        entry.origin = ModelEntry::Origin::Imported;
        entry.kind = kindOf(record);
        entry.recordId = record.id;
        entry.sha256 = QString::fromStdString(record.sha256);
        entry.note = QString::fromStdString(record.note);
        entry.addedMs = record.addedMs;
        m_entries.push_back(entry);
    }
    const auto less = [](const ModelEntry& a, const ModelEntry& b) { // 5, 6, 50
        return core::naturallyLess(a.name.toStdString(), b.name.toStdString());
    };
    std::stable_sort(m_entries.begin() + 1, m_entries.end(), less);
    m_entries.insert(m_entries.end(), m_results->models().begin(), m_results->models().end());
    for (ModelEntry& entry : m_entries)
        if (entry.recordId == 0) entry.sha256 = m_hashes.value({entry.path, entry.addedMs});
    tellNamesApart();
    m_entryAt.clear();
    for (size_t at = m_entries.size(); at-- > 0;) m_entryAt.insert(m_entries[at].path, at); // the first wins
    followBases();
    for (const ModelEntry& entry : m_entries)
        if (!m_facts.contains(entry.path)) look(entry.path, entry.isAddOn());
    tellFacts();
}

void ModelShelf::followBases() {
    m_goneChanged = false;
    m_placeOf.clear();
    for (const ModelEntry& entry : m_entries)
        if (entry.isModel() && !entry.sha256.isEmpty() && !m_facts.value(entry.path).gone)
            m_placeOf.insert(entry.sha256, entry.path);
    for (ModelEntry& entry : m_entries)
        if (!entry.base.isEmpty() && !entry.hasOwnBase()) entry.base = placeOf(entry.base, entry.baseSha256);
}

QString ModelShelf::placeOf(const QString& base, const QString& sha256) const {
    const bool there = knows(base) && !m_facts.value(base).gone;
    return there ? base : m_placeOf.value(sha256, base);
}

QString ModelShelf::baseOf(const MomentEntry& moment) const {
    return placeOf(moment.base, moment.baseSha256);
}

void ModelShelf::tellFacts() {
    m_tell.stop();
    if (m_goneChanged) return arrange(); // and then tells
    for (ModelEntry& entry : m_entries) {
        const auto known = m_facts.constFind(entry.path);
        if (known == m_facts.cend()) continue;
        entry.facts = *known;
        entry.looked = true;
    }
    Q_EMIT changed();
}

void ModelShelf::tellNamesApart() {
    std::vector<ModelEntry*> byAge;
    for (ModelEntry& entry : m_entries) byAge.push_back(&entry);
    std::stable_sort(byAge.begin(), byAge.end(),
                     [](const ModelEntry* a, const ModelEntry* b) { return a->addedMs < b->addedMs; });
    QHash<QString, int> seen; // so that the older ones keep their names
    for (ModelEntry* entry : byAge)
        if (const int number = ++seen[entry->name]; number > 1)
            entry->name = QStringLiteral("%1 (%2)").arg(entry->name, QString::number(number));
}

void ModelShelf::look(const QString& path, bool addOn) {
    if (m_beingLookedAt.contains(path)) return;
    m_beingLookedAt.insert(path, ++m_looks);
    inBackground(
        this, [path, addOn] { return factsOf(path, addOn); },
        [this, path, look = m_looks](const ModelFacts& facts) {
            if (m_beingLookedAt.value(path) != look) return; // what it was before it was imported anew
            m_beingLookedAt.remove(path);
            m_goneChanged = m_goneChanged || m_facts.value(path).gone != facts.gone;
            m_facts.insert(path, facts);
            // Each page fills its lists at a change: while many come, for some of them together.
            if (m_beingLookedAt.isEmpty())
                tellFacts();
            else if (!m_tell.isActive())
                m_tell.start(kTellMs);
        },
        modelDrives(), path);
}

namespace {

/// A file or folder that was looked at.
struct LookedAt {
    core::Result<core::ModelRecord> record; ///< what the library takes up; BadInput if it is no model
    QString refusal;                        ///< why that could not be, in the user's language
    QString detail;                         ///< what the core says beside that
};

/// Whether the sentence in the user's language says all that the core does.
bool saysAll(core::ModelFault fault, const std::string& problem) {
    const std::string_view unknown = core::fileKindName(core::FileKind::Unknown);
    return fault == core::ModelFault::Incomplete ||
           (fault == core::ModelFault::NotAModel && problem.find(unknown) != std::string::npos);
}

LookedAt refusedAs(const QString& path, core::ModelFault fault, core::Error error) {
    const QFileInfo file(path);
    const std::string problem = error.text();
    if (!file.isFile()) // of a folder the core names the part
        return {std::move(error), importTrouble(file.fileName(), fault), QString::fromStdString(problem)};
    const QString detail = saysAll(fault, problem) ? QString() : QString::fromStdString(problem);
    return {std::move(error), importTrouble(file.fileName(), fault, problem), detail};
}

/// Whether it is a model but for weights: a shape that new ones can have.
bool isShape(const core::Inspection& found) {
    core::OpenOptions options;
    options.weightsOptional = true;
    return found.fault == core::ModelFault::PartsMissing && core::openPictureModel(found.path, options).ok();
}

LookedAt lookedAt(const QString& path, bool shapeSuffices) {
    const auto found = core::inspectPath(path.toStdString());
    if (!found) return refusedAs(path, core::ModelFault::Gone, found.error());
    if (found->language)
        return refusedAs(path, core::ModelFault::LanguageModel,
                         core::badInput("expected a model for pictures, found a language model (" +
                                        std::string(core::familyName(found->language->family)) + ")"));
    const bool shape = shapeSuffices && isShape(*found);
    if (!found->problem.empty() && !shape)
        return refusedAs(path, found->fault, core::badInput(found->problem));
    const ModelEntry::Kind kind = kindOf(found->kind);
    if (!shape && kind == ModelEntry::Kind::Model && found->kind != core::InspectedKind::Model)
        return refusedAs(path, core::ModelFault::NotAModel,
                         core::badInput("this is neither a model, a LoRA nor a textual inversion"));
    core::ModelRecord record;
    record.id = core::newRecordId();
    record.name = modelNameOf(path).toStdString();
    record.path = QFileInfo(path).absoluteFilePath().toStdString();
    record.kind = recordKind(kind);
    record.addedMs = core::nowMs();
    return {std::move(record), {}, {}};
}

} // namespace

void ModelShelf::import(const QString& path, bool shapeSuffices) {
    const auto take = [this](const LookedAt& found) {
        if (!found.record) return Q_EMIT refused(found.refusal, found.detail);
        takeUp(*found.record);
    };
    inBackground(
        this, [path, shapeSuffices] { return lookedAt(path, shapeSuffices); }, take, modelDrives(), path);
}

void ModelShelf::takeUp(core::ModelRecord found) {
    // Of one that is known the hash is kept, which only the list tells; without a library `write` complains.
    if (!m_read && m_library.state() != LibraryService::State::Refused)
        return reload([this, found] { takeUp(found); });
    ++m_edits;
    const QString path = QString::fromStdString(found.path);
    const auto known =
        std::find_if(m_records.begin(), m_records.end(),
                     [&found](const core::ModelRecord& one) { return one.path == found.path; });
    if (known != m_records.end()) {
        found.sha256 = known->sha256; // of what it was: who reads it sees whether it still is
        known->kind = found.kind;
    } else {
        m_records.push_back(found);
    }
    m_library.write([found](core::Library& library) { return core::takeUpModel(library, found); });
    m_facts.remove(path); // the file may be another one by now
    for (ModelEntry& entry : m_entries)
        if (entry.path == path) entry.looked = false;
    m_beingLookedAt.remove(path);
    const bool addOn = kindOf(found) != ModelEntry::Kind::Model;
    reload([this, path, addOn] { Q_EMIT imported(path, addOn); }); // who hears of it chooses it
}

bool ModelShelf::noteHash(const QString& path, const QString& sha256) {
    const ModelEntry* entry = find(path);
    if (entry == nullptr || sha256.isEmpty() || entry->sha256 == sha256) return false;
    auto known = record(entry->recordId);
    if (!known) { // each training makes another file of its result
        m_hashes.insert({path, entry->addedMs}, sha256);
        arrange();
        return false;
    }
    const bool other = !known->sha256.empty();
    known->sha256 = sha256.toStdString();
    if (const int64_t gone = other ? 0 : takePlaceOfGone(*known); gone != 0)
        // Only what is kept elsewhere by then is removed.
        m_library.write([record = *known, gone](core::Library& library) -> core::Result<void> {
            HOMEBOOTH_CHECK(core::saveModel(library, record));
            return core::removeModel(library, gone);
        });
    else
        m_library.write([record = *known](core::Library& library) {
            const auto saved = core::saveModel(library, record);
            // Whoever merely looks at a model is told of no trouble but a full disk, which may end.
            const bool full = !saved && saved.error().code == core::ErrorCode::OutOfResources;
            return full ? saved : core::Result<void>();
        });
    keep(*known);
    return other;
}

int64_t ModelShelf::takePlaceOfGone(core::ModelRecord& found) {
    const auto gone =
        std::find_if(m_records.begin(), m_records.end(), [this, &found](const core::ModelRecord& one) {
            return one.kind == found.kind && one.sha256 == found.sha256 &&
                   m_facts.value(QString::fromStdString(one.path)).gone;
        });
    if (gone == m_records.end()) return 0;
    // What it was given itself stays.
    if (modelNameOf(QString::fromStdString(found.path)).toStdString() == found.name) found.name = gone->name;
    if (found.note.empty()) found.note = gone->note;
    const int64_t id = gone->id;
    m_records.erase(gone);
    return id;
}

std::optional<core::ModelRecord> ModelShelf::record(int64_t recordId) const {
    for (const core::ModelRecord& record : m_records)
        if (record.id == recordId) return record;
    return std::nullopt;
}

void ModelShelf::put(const core::ModelRecord& record) {
    m_library.write([record](core::Library& library) { return core::saveModel(library, record); });
    keep(record);
}

void ModelShelf::keep(const core::ModelRecord& record) {
    ++m_edits;
    const auto known = std::find_if(m_records.begin(), m_records.end(),
                                    [&record](const core::ModelRecord& one) { return one.id == record.id; });
    if (known != m_records.end())
        *known = record;
    else
        m_records.push_back(record);
    arrange();
}

void ModelShelf::forget(int64_t recordId) {
    ++m_edits;
    std::erase_if(m_records, [recordId](const core::ModelRecord& record) { return record.id == recordId; });
    m_library.write([recordId](core::Library& library) { return core::removeModel(library, recordId); });
    arrange();
}

} // namespace homebooth::app
