// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/training_data.h"

#include "core/base/config/training_size.h"
#include "core/base/plan/generation/encoding_plan.h"
#include "core/engine/data/held_out.h"
#include "core/engine/data/picture_counts.h"
#include "core/engine/data/tag_shuffle.h"
#include "core/engine/learning/step_random.h"
#include "core/engine/training/class_pictures.h"

#include <algorithm>

namespace homebooth::core {
namespace {

constexpr uint64_t kInstanceKind = 0;
constexpr uint64_t kClassKind = 1;
constexpr uint64_t kHeldOutKind = 2;

constexpr const char* kEncodeFact = "encode"; // in run.json, of a data set
constexpr const char* kAhead = "ahead";
constexpr const char* kFirst = "first";

/// A sample's place within its step, for the second counter of a draw. It does not tell how the step is cut
/// into micro-steps, so that a batch of two draws what two micro-steps of one do.
uint64_t placeOf(uint64_t kind, size_t position) {
    return (kind << 31) | static_cast<uint64_t>(position);
}

std::unique_ptr<SampleOrder> orderOf(const SampleGroup& group, uint64_t seed) {
    std::vector<int64_t> buckets;
    for (const TrainingSample& sample : group.samples) buckets.push_back(sample.bucket);
    return std::make_unique<SampleOrder>(seed, buckets);
}

} // namespace

Result<std::unique_ptr<TrainingData>> TrainingData::read(const JobContext& job, ModelBundle& model) {
    std::unique_ptr<TrainingData> data(new TrainingData(job, model));
    HOMEBOOTH_CHECK(data->readInstances());
    if (data->stopped()) return std::unique_ptr<TrainingData>();
    return data;
}

Result<bool> TrainingData::fill() {
    HOMEBOOTH_CHECK(fillInstances());
    if (!stopped()) HOMEBOOTH_CHECK(addStart());
    if (!stopped()) HOMEBOOTH_CHECK(readClassPictures());
    if (stopped()) return false;
    makeOrders();
    m_wholeHash = m_hash;
    for (const SampleGroup* group : {&m_heldOut, &m_start.instances, &m_start.classes})
        if (!group->samples.empty()) m_wholeHash += "+" + dataSetHash(group->samples);
    return true;
}

Result<void> TrainingData::openLatents(SampleGroup& group) {
    HOMEBOOTH_ASSIGN(std::string hash, m_model.vaeHash());
    if (stopped()) return {};
    group.latents.emplace(
        LatentCache(m_job.options.cacheDir.empty() ? "" : m_job.options.cacheDir + "/latents",
                    std::move(hash)),
        m_job.config.data.flip, mostLatentBytes());
    group.latents->begin(group.samples);
    return {};
}

Result<void> TrainingData::fillLatents(SampleGroup& group) {
    if (!group.latents) HOMEBOOTH_CHECK(openLatents(group));
    if (stopped()) return {};
    BrokenPictures broken;
    HOMEBOOTH_CHECK(group.latents->fill(
        group.samples, [this] { return m_model.vae(); }, m_job, broken));
    return broken.settleAtStart(m_job);
}

/// What `fill` encodes, class pictures included, as it would with no picture broken.
Result<std::vector<TrainingSample>> TrainingData::encodedFirst() {
    std::vector<TrainingSample> all = m_heldOut.samples;
    if (m_ahead) return all;
    HOMEBOOTH_CHECK(findClassPictures());
    const auto add = [&all](const std::vector<TrainingSample>& samples) {
        all.insert(all.end(), samples.begin(), samples.end());
    };
    std::vector<std::vector<TrainingSample>> stages = {m_full.instances.samples};
    if (m_job.config.data.startSteps > 0) stages.push_back(startSamples());
    for (const std::vector<TrainingSample>& instances : stages) {
        add(instances);
        add(classSamplesFor(instances));
    }
    return all;
}

Result<void> TrainingData::encodeShare() {
    SampleGroup all;
    HOMEBOOTH_ASSIGN(all.samples, encodedFirst());
    HOMEBOOTH_CHECK(openLatents(all));
    if (stopped()) return {};
    HOMEBOOTH_CHECK(all.latents->encodeShare(
        all.samples, [this] { return m_model.vae(); }, m_job));
    // Opened before any rank has encoded: what the others write is looked for anew.
    if (!m_ahead) m_full.instances.latents.reset();
    return {};
}

/// A run goes on as it began: of broken pictures either way makes something else.
Result<bool> TrainingData::wantsAhead() {
    const EncodeTime when = m_job.config.data.encode;
    if (m_job.config.mode == TrainMode::DreamBooth) return false;
    HOMEBOOTH_ASSIGN(auto facts, m_job.run.facts());
    const std::string& begun = facts[kEncodeFact];
    const int64_t missing = m_full.instances.latents->missing();
    const bool many = begun.empty() ? missing > kManyPictures : begun == kAhead;
    const bool wanted = when == EncodeTime::Ahead || (when == EncodeTime::Auto && many);
    m_missesAhead = wanted && (when == EncodeTime::Ahead || (begun == kAhead && missing > 0));
    return wanted;
}

Result<void> TrainingData::chooseEncoding(bool ahead) {
    if (m_job.config.mode == TrainMode::DreamBooth) return {};
    if (!ahead && m_missesAhead)
        m_job.events.emit(WarningEvent{"encode-first",
                                       "pictures and captions are all encoded before the first "
                                       "step: there is no memory to do so beside the steps"});
    if (ahead)
        encodeAhead();
    else
        m_model.endEncoding();
    if (!m_job.ranks().isFirst()) return {};
    return m_job.run.addFacts({{kEncodeFact, ahead ? kAhead : kFirst}});
}

/// What is encoded beside the steps grows no further than the cache may: it can be encoded again. What is
/// encoded before them has to lie somewhere.
void TrainingData::limitCache(SampleGroup& group) {
    const JobOptions& options = m_job.options;
    if (options.cacheDir.empty()) return;
    if (!m_cacheRoom) m_cacheRoom.emplace(options.cacheDir, options.cacheBytes);
    group.latents->limitCache([this](int64_t bytes) { return m_cacheRoom->take(bytes); });
}

void TrainingData::encodeAhead() {
    limitCache(m_full.instances);
    std::vector<SampleGroup*> groups{&m_full.instances};
    if (m_job.config.data.startSteps > 0) groups.push_back(&m_start.instances);
    m_ahead = std::make_unique<EncodingAhead>(m_job, m_model, std::move(groups), [this](int64_t step) {
        Stage& stage = stageOf(step);
        SampleOrder& order = m_foreseen.try_emplace(&stage, *stage.instances.order).first->second;
        return EncodingAhead::Upcoming{&stage.instances, order.next(samplesPerStep())};
    });
}

const std::string& TrainingData::folder() const {
    const DataConfig& data = m_job.config.data;
    return m_job.config.mode == TrainMode::DreamBooth ? data.instanceDir : data.datasetDir;
}

Result<void> TrainingData::readInstances() {
    const DataConfig& data = m_job.config.data;
    std::vector<CaptionedPicture> pictures;
    BrokenPictures broken(data.skipBrokenImages);
    if (m_job.config.mode == TrainMode::DreamBooth) {
        HOMEBOOTH_ASSIGN(pictures, readPhotos(folder(), data.instancePrompt, m_job.pictures, broken));
    } else {
        HOMEBOOTH_ASSIGN(pictures,
                         readCaptions(folder(), m_job.pictures, broken, captionColumns(data.captionColumns)));
    }
    if (pictures.empty() && broken.empty())
        return badInput(
            "reading the photos: expected pictures, found none; choose the folder that holds them", folder());
    SampleGroup& trained = m_full.instances;
    trained.samples = makeSamples(m_job, pictures, m_model.pixelMultiple(), broken);
    if (stopped()) return {};
    HOMEBOOTH_CHECK(broken.settleAtStart(m_job));
    m_heldOut.samples = takeHeldOut(trained.samples, data.validationShare);
    warnIfNoneHeldOut(data.validationShare, m_heldOut.samples.size(), trained.samples.size(), m_job.events);
    return openLatents(trained);
}

Result<void> TrainingData::fillInstances() {
    SampleGroup& trained = m_full.instances;
    if (!m_ahead) HOMEBOOTH_CHECK(fillLatents(trained));
    if (!stopped() && !m_heldOut.samples.empty()) HOMEBOOTH_CHECK(fillLatents(m_heldOut));
    if (stopped()) return {};
    if (trained.samples.empty())
        return badInput("reading the photos: none of them can be used; add at least one that opens and "
                        "whose caption can be read",
                        folder());
    trained.order = orderOf(trained, m_job.config.seed);
    m_hash = dataSetHash(trained.samples);
    return {};
}

/// Those of the run's own resolution, in the size that the first steps have.
std::vector<TrainingSample> TrainingData::startSamples() const {
    const DataConfig& data = m_job.config.data;
    std::vector<TrainingSample> samples = m_full.instances.samples;
    for (TrainingSample& sample : samples)
        sample.size =
            trainingSize(sample.size, data.startResolutionPixels, data.framing, m_model.pixelMultiple());
    return samples;
}

Result<void> TrainingData::addStart() {
    if (m_job.config.data.startSteps == 0) return {};
    m_start.instances.samples = startSamples();
    assignBuckets(m_start.instances.samples);
    HOMEBOOTH_CHECK(m_ahead ? openLatents(m_start.instances) : fillLatents(m_start.instances));
    if (stopped()) return {};
    if (m_ahead) limitCache(m_start.instances);
    m_start.instances.order =
        orderOf(m_start.instances, mixedSeed(m_job.config.seed, DrawPurpose::Order, kInstanceKind, 1));
    return {};
}

/// Makes them where they are missing. None where stop was requested, or the run uses none.
Result<void> TrainingData::findClassPictures() {
    const DataConfig& data = m_job.config.data;
    if (m_squares || !m_job.config.usesClassPictures()) return {};
    HOMEBOOTH_ASSIGN(const std::vector<std::string> paths, prepareClassPictures(m_job, m_model));
    if (stopped()) return {};
    std::vector<CaptionedPicture> pictures;
    for (const std::string& path : paths) pictures.push_back({path, {data.classPrompt}});
    BrokenPictures broken;
    m_squares = makeSamples(m_job, pictures, m_model.pixelMultiple(), broken);
    if (stopped()) return {};
    return broken.settle(data.skipBrokenImages, m_job.events);
}

Result<void> TrainingData::readClassPictures() {
    HOMEBOOTH_CHECK(findClassPictures());
    if (stopped() || !m_squares) return {};
    HOMEBOOTH_CHECK(addClassPictures(m_full));
    if (stopped()) return {};
    m_full.classes.order = orderOf(m_full.classes, mixedSeed(m_job.config.seed, DrawPurpose::Order));
    m_hash += "+" + dataSetHash(m_full.classes.samples);
    if (!m_start.instances.order) return {};
    HOMEBOOTH_CHECK(addClassPictures(m_start));
    if (stopped()) return {};
    m_start.classes.order =
        orderOf(m_start.classes, mixedSeed(m_job.config.seed, DrawPurpose::Order, kClassKind, 1));
    return {};
}

/// A batch has one size, so each class picture comes in every size that the photos have.
std::vector<TrainingSample>
TrainingData::classSamplesFor(const std::vector<TrainingSample>& instances) const {
    std::vector<TrainingSample> samples;
    if (!m_squares) return samples;
    std::set<PictureSize> sizes;
    for (const TrainingSample& sample : instances) sizes.insert(sample.size);
    for (const PictureSize& size : sizes)
        for (TrainingSample sample : *m_squares) {
            sample.size = size;
            samples.push_back(std::move(sample));
        }
    return samples;
}

Result<void> TrainingData::addClassPictures(Stage& stage) {
    stage.classes.samples = classSamplesFor(stage.instances.samples);
    HOMEBOOTH_CHECK(fillLatents(stage.classes));
    if (stage.classes.samples.empty() && !stopped())
        return badInput("reading class pictures: none of them can be used; empty their folder",
                        m_job.config.data.classDir);
    return {};
}

/// What steps ask for in the place of captions whose tags are shuffled, where the text encoder does not
/// learn: few enough that all of them are encoded before the first step and stay in memory.
void TrainingData::makeOrders() {
    const DataConfig& data = m_job.config.data;
    if (!data.shuffleTags) return;
    std::set<std::string> captions;
    for (const TrainingSample& sample : m_full.instances.samples)
        captions.insert(sample.captions.begin(), sample.captions.end());
    const auto moves = [&data](const std::string& caption) { return hasMovingTags(caption, data.keepTags); };
    const bool moving = std::any_of(captions.begin(), captions.end(), moves);
    if (!moving)
        m_job.events.emit(
            WarningEvent{"no-tags-to-shuffle",
                         "--shuffle-tags changes nothing: expected captions of several tags with "
                         "commas between, at least two behind the " +
                             std::to_string(data.keepTags) + " that stay (--keep-tags), found none"});
    if (m_model.trainsText()) return;
    const int64_t count =
        std::clamp<int64_t>(kMostTagOrders / std::max<int64_t>(std::ssize(captions), 1), 1, kMostTagVariants);
    for (const std::string& caption : captions)
        m_orders[caption] = tagVariants(caption, data.keepTags, count, m_job.config.seed);
    if (count > 1 || !moving) return;
    m_job.events.emit(WarningEvent{
        "tags-in-one-order",
        "--shuffle-tags: expected at most " + std::to_string(kMostTagOrders / 2) +
            " captions to put their tags in several orders, found " + std::to_string(captions.size()) +
            ": each has one order, which stays" +
            (m_model.source().secondText ? ""
                                         : "; train the text encoder, too (--train-text-encoder), for a new "
                                           "order at every step")});
}

std::string TrainingData::shuffled(const std::string& caption, uint64_t mixed) const {
    if (m_model.trainsText()) return shuffledTags(caption, m_job.config.data.keepTags, mixed);
    const auto orders = m_orders.find(caption);
    return orders == m_orders.end() ? caption : orders->second[mixed % orders->second.size()];
}

std::set<std::string> TrainingData::captions() const {
    std::set<std::string> captions;
    for (const SampleGroup* group : {&m_full.instances, &m_full.classes})
        for (const TrainingSample& sample : group->samples)
            captions.insert(sample.captions.begin(), sample.captions.end());
    for (const auto& [caption, orders] : m_orders) captions.insert(orders.begin(), orders.end());
    for (const TrainingSample& sample : m_heldOut.samples) captions.insert(sample.captions.front());
    if (m_job.config.data.captionDropout > 0.0 && !dropsToZeros()) captions.insert("");
    return captions;
}

bool TrainingData::drops(uint64_t step, uint64_t place) const {
    const uint64_t mixed = mixedSeed(m_job.config.seed, DrawPurpose::CaptionDropout, step, place);
    return unitInterval(mixed) < m_job.config.data.captionDropout;
}

std::string TrainingData::captionOf(const TrainingSample& sample, uint64_t step, uint64_t place) const {
    const uint64_t seed = m_job.config.seed;
    const std::string& caption =
        sample.captions[mixedSeed(seed, DrawPurpose::Caption, step, place) % sample.captions.size()];
    if (!m_job.config.data.shuffleTags) return caption;
    return shuffled(caption, mixedSeed(seed, DrawPurpose::Tags, step, place));
}

std::vector<SampleDraw> TrainingData::drawsOf(const SampleGroup& group, const std::vector<int64_t>& samples,
                                              int64_t step, uint64_t kind) const {
    const auto first = static_cast<uint64_t>(step);
    std::vector<SampleDraw> draws;
    for (size_t i = 0; i < samples.size(); ++i) {
        const uint64_t place = placeOf(kind, i);
        const auto sample = static_cast<size_t>(samples[i]);
        const double flip = unitInterval(mixedSeed(m_job.config.seed, DrawPurpose::Flip, first, place));
        const bool dropped = drops(first, place);
        draws.push_back({&group, sample, place,
                         dropped ? std::string() : captionOf(group.samples[sample], first, place),
                         m_job.config.data.flip && flip < 0.5, dropped && dropsToZeros()});
    }
    return draws;
}

int64_t TrainingData::samplesPerStep() const {
    return m_job.config.batchSize * m_job.config.optimizer.accumulationSteps;
}

/// Pictures that this step and later ones have yet to encode.
int64_t TrainingData::missingFrom(int64_t step) const {
    return m_full.instances.latents->missing() +
           (atFullResolution(step) ? 0 : m_start.instances.latents->missing());
}

StepDraws TrainingData::draw(int64_t step) {
    const int64_t count = samplesPerStep();
    Stage& stage = stageOf(step);
    if (m_ahead && missingFrom(step) > 0) m_ahead->lookAhead(step);
    std::vector<int64_t> samples = stage.instances.order->next(count);
    StepDraws drawn;
    if (m_ahead) drawn.took = m_ahead->prepare(stage.instances, samples);
    if (m_ahead && missingFrom(step) == 0) m_ahead->finish();
    drawn.instances = drawsOf(stage.instances, samples, step, kInstanceKind);
    if (!stage.classes.order) return drawn;
    // One size in a batch.
    const int64_t bucket = stage.instances.samples[drawn.instances.front().sample].bucket;
    drawn.classes = drawsOf(stage.classes, stage.classes.order->nextOf(bucket, count), step, kClassKind);
    return drawn;
}

std::vector<SampleDraw> TrainingData::heldOutDraws() const {
    std::vector<SampleDraw> draws;
    for (const size_t sample : heldOutToLookAt(m_heldOut.samples))
        draws.push_back({&m_heldOut, sample, placeOf(kHeldOutKind, draws.size()),
                         m_heldOut.samples[sample].captions.front(), false});
    return draws;
}

std::vector<const SampleGroup*> TrainingData::trained() const {
    std::vector<const SampleGroup*> groups;
    for (const Stage* stage : {&m_full, &m_start})
        for (const SampleGroup* group : {&stage->instances, &stage->classes})
            if (group->order) groups.push_back(group);
    return groups;
}

int64_t TrainingData::epoch() const {
    const auto& start = m_start.instances.order;
    return m_full.instances.order->epoch() + (start ? start->epoch() : 0);
}

std::vector<OrderCursor> TrainingData::cursors() const {
    std::vector<OrderCursor> cursors;
    for (const SampleGroup* group : trained()) cursors.push_back(group->order->cursor());
    return cursors;
}

void TrainingData::restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) {
    const std::vector<const SampleGroup*> groups = trained();
    for (size_t i = 0; i < std::min(groups.size(), cursors.size()); ++i)
        groups[i]->order->restore(cursors[i], dataChanged);
}

int64_t TrainingData::heldBytes() const {
    int64_t bytes = 0;
    for (const SampleGroup* group :
         {&m_full.instances, &m_full.classes, &m_start.instances, &m_start.classes, &m_heldOut})
        if (group->latents) bytes += group->latents->heldBytes();
    return bytes;
}

/// Of each group.
int64_t TrainingData::mostLatentBytes() const {
    return std::min(m_job.options.heldLatentBytes, m_model.heldPictures().most.latentBytes);
}

void TrainingData::holdAsPlanned() {
    for (SampleGroup* group :
         {&m_full.instances, &m_full.classes, &m_start.instances, &m_start.classes, &m_heldOut})
        if (group->latents) group->latents->holdAtMost(mostLatentBytes());
}

std::vector<HeldPictures> TrainingData::waysToHold() const {
    PictureCounts counts;
    for (const TrainingSample& sample : m_full.instances.samples) ++counts.trained[sample.size];
    for (const TrainingSample& sample : m_heldOut.samples) ++counts.heldOut[sample.size];
    const TrainConfig& config = m_job.config;
    if (config.usesClassPictures()) counts.classPictures = config.data.classImageCount;
    counts.texts = mostTexts(captions(), encodedTexts(config, m_model.source()));
    const std::string& cache = m_job.options.cacheDir;
    return core::waysToHold(counts, config, m_model.source(), {m_job.options.heldLatentBytes},
                            !cache.empty() && takesFiles(cache));
}

} // namespace homebooth::core
