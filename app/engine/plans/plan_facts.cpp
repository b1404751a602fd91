// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/plans/plan_facts.h"

#include "app/engine/engine_call.h"
#include "app/engine/places.h"
#include "app/library/background.h"
#include "core/base/config/byte_size.h"
#include "core/base/config/train_config_json.h"
#include "core/base/files/process_files.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QUuid>

namespace homebooth::app {
namespace {

constexpr int kExitOutOfResources = 4;
constexpr const char* kPrefix = "plan-"; // of what the engine is asked by, in the cache

/// A path of its own for each asker.
QString newFile() {
    const std::string rest = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString() + ".json";
    return cacheFolder() + '/' + QString::fromStdString(core::ownFileName(kPrefix, rest));
}

int64_t bytes(const QJsonObject& object, const char* name) {
    return static_cast<int64_t>(object.value(QLatin1String(name)).toDouble());
}

core::TierMemory peakOf(const QJsonObject& object) {
    core::TierMemory peak;
    peak.parameterBytes = bytes(object, "parameterBytes");
    peak.gradientBytes = bytes(object, "gradientBytes");
    peak.stateBytes = bytes(object, "stateBytes");
    peak.activationBytes = bytes(object, "activationBytes");
    peak.workspaceBytes = bytes(object, "workspaceBytes");
    peak.cacheBytes = bytes(object, "cacheBytes");
    return peak;
}

/// By kind, what sums up to the predicted bytes of each tier; older engines say it of what computes alone,
/// and without the program.
void readTiers(const QJsonObject& object, PlanFacts& facts) {
    const QJsonObject tiers = object.value(QLatin1String("tiers")).toObject();
    const auto tier = [&tiers](const char* name) {
        return peakOf(tiers.value(QLatin1String(name)).toObject());
    };
    facts.ram = tier("ram");
    facts.swap = tier("swap");
    if (tiers.isEmpty())
        facts.peak = peakOf(object.value(QLatin1String("peak")).toObject());
    else
        facts.peak = facts.plan.predicted.deviceBytes > 0 ? tier("device") : facts.ram;
}

/// The engine's sentences, and beside them, from engines that say it, what they are made of.
std::vector<core::PlanDecision> decisionsOf(const QJsonObject& object) {
    std::vector<core::PlanDecision> decisions;
    const QJsonArray reasons = object.value(QLatin1String("reasons")).toArray();
    for (const QJsonValue& line : object.value(QLatin1String("decisions")).toArray()) {
        const QJsonObject reason = reasons.at(static_cast<qsizetype>(decisions.size())).toObject();
        core::PlanDecision one{line.toString().toStdString()};
        one.code = reason.value(QLatin1String("code")).toString().toStdString();
        const QJsonObject facts = reason.value(QLatin1String("facts")).toObject();
        for (auto fact = facts.begin(); fact != facts.end(); ++fact)
            one.facts[fact.key().toStdString()] = fact.value().toDouble();
        decisions.push_back(std::move(one));
    }
    return decisions;
}

/// As the engine writes it: "9.00 GiB", "0 bytes".
int64_t bytesOf(QString size) {
    const auto parsed =
        core::parseByteSize(size.replace(QLatin1String("bytes"), QLatin1String("B")).toStdString());
    return parsed ? *parsed : 0;
}

/// "9 GiB of memory, and 2 GiB may be used": what is needed stands first. A folder that is named ahead of it
/// ends with a colon, so that sizes in its name do not count.
void readSizes(PlanFacts& facts) {
    static const QString size = QStringLiteral("(\\d[\\d.]* (?:bytes|[KMGT]iB))");
    static const QRegularExpression one(size + QStringLiteral("([^,:;]*), (?:and|found)(?: [a-z-]+)* ") +
                                        size);
    static const QRegularExpression both(
        QStringLiteral("%1 of memory where it computes and %1 of RAM, and %1 and %1").arg(size));
    if (const auto found = both.match(facts.problem); found.hasMatch()) {
        facts.neededBytes = bytesOf(found.captured(1));
        facts.neededRamBytes = bytesOf(found.captured(2));
        facts.haveBytes = bytesOf(found.captured(3));
        facts.haveRamBytes = bytesOf(found.captured(4));
        return;
    }
    const QRegularExpressionMatch found = one.match(facts.problem);
    const QString what = found.captured(2);
    const bool ram =
        what == QLatin1String(" of RAM would do") || what == QLatin1String(" of memory beside the GPU");
    (ram ? facts.neededRamBytes : facts.neededBytes) = bytesOf(found.captured(1));
    (ram ? facts.haveRamBytes : facts.haveBytes) = bytesOf(found.captured(3));
}

} // namespace

PlanFacts planFactsOf(int exitCode, const QByteArray& output, const QString& error) {
    PlanFacts facts;
    const QJsonObject object = QJsonDocument::fromJson(output).object();
    if (exitCode != 0 || object.isEmpty()) {
        facts.verdict =
            exitCode == kExitOutOfResources ? PlanFacts::Verdict::DoesNotFit : PlanFacts::Verdict::Refused;
        facts.problem = error;
        facts.cause =
            exitCode < 0 ? core::FailureCause::NotStarted : core::causeOf(exitCode, error.toStdString());
        readSizes(facts);
        return facts;
    }
    facts.verdict = PlanFacts::Verdict::Fits;
    const QJsonObject predicted = object.value(QLatin1String("predicted")).toObject();
    core::ResourceUse& use = facts.plan.predicted;
    use.deviceBytes = bytes(predicted, "deviceBytes");
    use.ramBytes = bytes(predicted, "ramBytes");
    use.swapBytes = bytes(predicted, "swapBytes");
    use.stepSeconds = predicted.value(QLatin1String("stepSeconds")).toDouble();
    use.linkBytesPerStep = bytes(predicted, "linkBytesPerStep");
    use.swapBytesWrittenPerStep = bytes(predicted, "swapBytesWrittenPerStep");
    facts.plan.decisions = decisionsOf(object);
    readTiers(object, facts);
    facts.checkpointBytes = bytes(object, "checkpointBytes");
    facts.resultBytes = bytes(object, "resultBytes");
    facts.diskBytes = bytes(object, "diskBytes");
    return facts;
}

PlanAsker::PlanAsker(QObject* parent, int delayMs)
    : QObject(parent)
    , m_file(newFile())
    , m_picturesFile(m_file + 'l') { // a line a picture
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &PlanAsker::start);
    const auto tidyUp = [folder = cacheFolder().toStdString()] { // what windows that were killed have left
        for (const char* ending : {".json", ".jsonl"}) core::removeFilesOfDead(folder, kPrefix, ending);
    };
    inBackground(this, tidyUp, [] {});
}

PlanAsker::~PlanAsker() {
    for (const QString& file : {m_file, m_picturesFile}) QFile::remove(file);
}

void PlanAsker::ask(const core::TrainConfig& config, PlanMoment moment) {
    m_config = config;
    m_moment = moment;
    if (m_config.output.runDir.empty()) m_config.output.runDir = "run"; // a plan makes none
    if (m_call) m_call->cancel();
    m_facts = {};
    m_facts.verdict = PlanFacts::Verdict::Working;
    m_delay.start();
    Q_EMIT changed();
}

void PlanAsker::start() {
    if (!makeFolder(cacheFolder()))
        return refuse(tr("The folder %1 cannot be made. Look whether something else has its name and whether "
                         "you may write beside it.")
                          .arg(cacheFolder()));
    QString fault = writeOut(m_file, QByteArray::fromStdString(core::toJson(m_config)));
    if (fault.isEmpty() && !m_pictures.isEmpty()) fault = writeOut(m_picturesFile, m_pictures);
    if (!fault.isEmpty()) return refuse(fault);
    QStringList arguments{QStringLiteral("plan"), QStringLiteral("--json")};
    if (m_moment == PlanMoment::InTurn) arguments.append(QStringLiteral("--in-turn"));
    if (!m_pictures.isEmpty()) arguments << QStringLiteral("--pictures") << m_picturesFile;
    arguments << QStringLiteral("--config") << m_file;
    m_call = EngineCall::start(this, arguments, [this](const EngineAnswer& answer) {
        m_facts = planFactsOf(answer.exitCode, answer.output, answer.error);
        m_facts.inTurn = m_moment == PlanMoment::InTurn;
        Q_EMIT changed();
    });
}

QString PlanAsker::writeOut(const QString& path, const QByteArray& text) {
    QFile file(path);
    // The file system is asked at the flush: a full disk takes no more than a buffer until then.
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.flush()) return {};
    return tr("%1 cannot be written: %2. Free room there.").arg(path, file.errorString());
}

void PlanAsker::refuse(const QString& problem) {
    m_facts = {};
    m_facts.verdict = PlanFacts::Verdict::Refused;
    m_facts.problem = problem;
    Q_EMIT changed();
}

} // namespace homebooth::app
