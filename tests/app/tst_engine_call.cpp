// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions to the engine: what it refuses is told in its own words alone, and where nobody waits for an
// answer any more the program ends, and tidies up what it was writing.
#include "app/engine/engine_call.h"
#include "app_files.h"

#include <QPointer>

#include <optional>

using namespace homebooth::app;

namespace {

/// Writes beside itself until it is asked to end, and notes then that it tidied up: without other programs,
/// which a busy machine starts late. `deaf` listens to nothing.
constexpr const char* kEngine = R"sh(#!/bin/bash
out="$(dirname "$0")/out"
partial="$out/.model.partial-abcdef"
mkfifo "$out/pipe" && exec 3<>"$out/pipe"
doze() { read -r -t 0.05 -u 3; }
: >"$partial"
echo $$ >"$out/pid"
if [ "$1" = deaf ]; then trap "" TERM; else trap 'trap "" TERM; doze; : >"$partial.tidied"; exit 5' TERM; fi
echo '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z","type":"state","state":"writing","detail":"","done":1,"total":9}'
while :; do doze; done
)sh";

} // namespace

class EngineCallTest : public QObject {
    Q_OBJECT
public:
    explicit EngineCallTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init();
    void aRefusalIsTheMessageAlone_data();
    void aRefusalIsTheMessageAlone();
    void theEngineItselfRefusesInItsWordsAlone();
    void anEngineThatIsMissingIsToldFromOneThatWasMoved();
    void whatNobodyWaitsForTidiesUp();
    void theEndOfTheWindowLeavesItAMoment();
    void whatDoesNotListenIsEnded_data();
    void whatDoesNotListenIsEnded();

private:
    /// A call that has begun to write.
    [[nodiscard]] QPointer<EngineCall> begin(QObject* receiver, const QString& how);
    [[nodiscard]] bool leftOver() const {
        const QString partial = m_place.path("out/.model.partial-abcdef");
        return QFile::exists(partial) && !QFile::exists(partial + u".tidied"_s);
    }
    [[nodiscard]] bool lives() const {
        return ::kill(bytesOf(m_place.path("out/pid")).trimmed().toInt(), 0) == 0;
    }

    const TestPlace& m_place;
};

void EngineCallTest::init() {
    failOnAnyWarning();
    QVERIFY(useEngine(m_place, kEngine));
    QDir(m_place.path("out")).removeRecursively();
    QVERIFY(QDir().mkpath(m_place.path("out")));
}

QPointer<EngineCall> EngineCallTest::begin(QObject* receiver, const QString& how) {
    const QPointer<EngineCall> call =
        EngineCall::start(receiver, {how}, [](const EngineAnswer&) { QFAIL("nobody waits for an answer"); });
    QSignalSpy progressed(call, &EngineCall::progressed);
    [&] { QTRY_VERIFY(!progressed.isEmpty() && leftOver()); }();
    return call;
}

void EngineCallTest::aRefusalIsTheMessageAlone_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* line, const char* words) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(words);
    };
    row("error: plan: this needs about 9 GiB", "This needs about 9 GiB");
    row("error: bench swap: the disk is full", "The disk is full");
    row("error: unknown verb \"trian\"; did you mean train?", "Unknown verb \"trian\"; did you mean train?");
    row("error: plan: making a plan: out of memory", "Making a plan: out of memory");
    row("error: reading a model: no model", "Reading a model: no model"); // no verb
    row("/bin/sh: not found", "/bin/sh: not found");
}

void EngineCallTest::aRefusalIsTheMessageAlone() {
    QFETCH(QString, line);
    QTEST(plainError(line), "words");
}

void EngineCallTest::theEngineItselfRefusesInItsWordsAlone() {
    qputenv("HOMEBOOTH_ENGINE", HOMEBOOTH_BIN_DIR "/homebooth-engine");
    const QString missing = m_place.path("out/no such file");
    QObject receiver;
    std::optional<EngineAnswer> answer;
    EngineCall::start(&receiver, {u"inspect"_s, missing},
                      [&answer](const EngineAnswer& given) { answer = given; });
    QTRY_VERIFY(answer.has_value());
    QCOMPARE(answer->exitCode, static_cast<int>(homebooth::core::ErrorCode::BadInput));
    QVERIFY2(answer->error.contains(missing), qPrintable(answer->error));
    for (const char* name : {"error", "inspect:"})
        QVERIFY2(!answer->error.startsWith(QLatin1String(name), Qt::CaseInsensitive),
                 qPrintable(answer->error));
}

void EngineCallTest::anEngineThatIsMissingIsToldFromOneThatWasMoved() {
    const QString own = QCoreApplication::applicationFilePath();
    for (const char* end : {" (deleted)", "/elsewhere"})
        QVERIFY(EngineCall::notStarted(own + QLatin1String(end)).contains(u"was moved"_s));
    qputenv("HOMEBOOTH_ENGINE", "/nowhere/homebooth-engine");
    for (const QString& told : {EngineCall::notStarted(), EngineCall::notStarted({})})
        QVERIFY(told.contains(u"/nowhere/homebooth-engine"_s));
}

void EngineCallTest::whatNobodyWaitsForTidiesUp() {
    auto receiver = std::make_unique<QObject>();
    const QPointer<EngineCall> call = begin(receiver.get(), u"convert"_s);
    receiver.reset();
    QTRY_VERIFY(call.isNull());
    QVERIFY(!leftOver());
    QVERIFY(!lives());
}

void EngineCallTest::theEndOfTheWindowLeavesItAMoment() {
    auto receiver = std::make_unique<QObject>();
    const QPointer<EngineCall> call = begin(receiver.get(), u"convert"_s);
    receiver.reset();
    delete call.data(); // as the application does at its end, when no event loop turns any more
    QVERIFY(!leftOver());
    QVERIFY(!lives());
}

void EngineCallTest::whatDoesNotListenIsEnded_data() {
    QTest::addColumn<bool>("atTheEnd");
    QTest::newRow("while the window is there") << false;
    QTest::newRow("with the window") << true;
}

void EngineCallTest::whatDoesNotListenIsEnded() {
    QFETCH(bool, atTheEnd);
    auto receiver = std::make_unique<QObject>();
    const QPointer<EngineCall> call = begin(receiver.get(), u"deaf"_s);
    receiver.reset();
    if (atTheEnd) delete call.data();
    QTRY_VERIFY_WITH_TIMEOUT(call.isNull(), kLongestMs / 4); // it is given a few seconds
    QVERIFY(!lives());
}

HOMEBOOTH_APP_TEST_MAIN(EngineCallTest)
#include "tst_engine_call.moc"
