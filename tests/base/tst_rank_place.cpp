// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What launchers say of a process's place in its job.
#include "core/base/run/rank_place.h"

#include <QMap>
#include <QTest>

#include <map>

using namespace homebooth::core;

namespace {

using Variables = std::map<std::string, std::string>;

const Variables kTorchrun{{"RANK", "3"},
                          {"WORLD_SIZE", "8"},
                          {"LOCAL_RANK", "1"},
                          {"MASTER_ADDR", "gpu-01.home"},
                          {"MASTER_PORT", "29400"}};
const Variables kMpirun{{"OMPI_COMM_WORLD_RANK", "1"},
                        {"OMPI_COMM_WORLD_SIZE", "2"},
                        {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                        {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
const Variables kSrun{{"SLURM_STEP_ID", "0"},
                      {"SLURM_PROCID", "5"},
                      {"SLURM_NTASKS", "8"},
                      {"SLURM_LOCALID", "1"},
                      {"SLURM_JOB_ID", "1234567"},
                      {"SLURM_NNODES", "2"},
                      {"SLURM_JOB_NODELIST", "gpu[007-008]"}};

Variables with(Variables variables, const Variables& others) {
    for (const auto& [name, value] : others) variables[name] = value;
    return variables;
}

/// A place as launchers describe it beyond its numbers.
RankPlace described(RankPlace place, int localRanks, const std::string& job) {
    place.localRanks = localRanks;
    place.oneMachine = localRanks == place.ranks;
    place.job = job;
    return place;
}

Variables without(Variables variables, const std::string& name) {
    variables.erase(name);
    return variables;
}

Result<std::optional<RankPlace>> placeIn(const Variables& variables) {
    return findRankPlace([&](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

/// The place, which must be one.
RankPlace place(const Variables& variables) {
    const auto found = placeIn(variables);
    if (!found) qFatal("%s", found.error().text().c_str());
    if (!found->has_value()) qFatal("no launcher was found");
    return **found;
}

class RankPlaceTest : public QObject {
    Q_OBJECT
private slots:
    void findsNoLauncher_data();
    void findsNoLauncher();
    void readsTorchrun();
    void knowsOneMachineByItsAddress();
    void readsMpirunOnOneMachine();
    void readsMpiexec();
    void asksSlurmWhereItSpeaksTheProtocolOfMpiexec();
    void needsAnAddressForMpirunOnSeveral();
    void readsSrun();
    void readsTheStepBeforeTheJob();
    void readsHowManyShareANode();
    void meetsInAFileOnOneMachine();
    void asksTheInnermostLauncherFirst();
    void isAloneInABatchScript();
    void refusesWhatCannotBe_data();
    void refusesWhatCannotBe();
    void takesTheFirstNode_data();
    void takesTheFirstNode();
    void countsTasksOfANode_data();
    void countsTasksOfANode();
};

using Pairs = QMap<QString, QString>;

void RankPlaceTest::findsNoLauncher_data() {
    QTest::addColumn<Pairs>("variables");
    QTest::newRow("nothing") << Pairs{};
    QTest::newRow("a local rank alone") << Pairs{{"LOCAL_RANK", "0"}};
    QTest::newRow("an empty rank") << Pairs{{"RANK", ""}};
    QTest::newRow("a rank alone") << Pairs{{"RANK", "3"}};
    QTest::newRow("a number alone") << Pairs{{"WORLD_SIZE", "8"}};
    QTest::newRow("one of one") << Pairs{{"RANK", "0"}, {"WORLD_SIZE", "1"}};
    QTest::newRow("one of one that cannot be")
        << Pairs{{"RANK", "5"}, {"WORLD_SIZE", "1"}, {"MASTER_PORT", "0"}};
    QTest::newRow("one of mpirun") << Pairs{{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}};
    QTest::newRow("one of mpiexec") << Pairs{{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}};
    QTest::newRow("one of srun") << Pairs{
        {"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}, {"SLURM_JOB_ID", "none"}};
}

void RankPlaceTest::findsNoLauncher() {
    QFETCH(Pairs, variables);
    Variables set;
    for (auto one = variables.begin(); one != variables.end(); ++one)
        set[one.key().toStdString()] = one.value().toStdString();
    const auto found = placeIn(set);
    QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
    QVERIFY(!found->has_value());
}

void RankPlaceTest::readsTorchrun() {
    const RankPlace byHand = described({3, 8, 1, "gpu-01.home", 29400, "torchrun"}, 0, ".");
    QVERIFY(place(kTorchrun) == byHand);
    RankPlace elastic = described(byHand, 2, "night.1");
    elastic.storeIsThere = true;
    QVERIFY(place(with(kTorchrun, {{"LOCAL_WORLD_SIZE", "2"},
                                   {"TORCHELASTIC_RUN_ID", "night"},
                                   {"TORCHELASTIC_RESTART_COUNT", "1"},
                                   {"TORCHELASTIC_USE_AGENT_STORE", "True"}})) == elastic);
}

void RankPlaceTest::knowsOneMachineByItsAddress() {
    QVERIFY(!place(kTorchrun).oneMachine); // nobody says how many share one
    for (const char* address : {"127.0.0.1", "localhost", "::1"})
        QVERIFY(place(with(kTorchrun, {{"MASTER_ADDR", address}})).oneMachine);
    QVERIFY(place(with(kTorchrun, {{"LOCAL_WORLD_SIZE", "8"}})).oneMachine);
    const RankPlace byHand = place(without(kTorchrun, "LOCAL_RANK"));
    QCOMPARE(byHand.rank, 3);
    QCOMPARE(byHand.localRank, 0);
}

void RankPlaceTest::readsMpirunOnOneMachine() {
    QVERIFY(place(kMpirun) == described({1, 2, 1, "127.0.0.1", 29500, "mpirun"}, 2, ""));
    const Variables said{{"MASTER_ADDR", "fe80::1%eth0"}, {"MASTER_PORT", "1"}};
    QVERIFY(place(with(kMpirun, said)) == described({1, 2, 1, "fe80::1%eth0", 1, "mpirun"}, 2, ""));
}

void RankPlaceTest::readsMpiexec() {
    const Variables alone{{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}};
    const Variables ofOne = with(alone, {{"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "4"}});
    QVERIFY(place(ofOne) == described({1, 4, 1, "127.0.0.1", 29500, "mpiexec"}, 4, ""));
    const Variables ofTwo = with(alone, {{"MPI_LOCALRANKID", "0"}, {"MPI_LOCALNRANKS", "2"}});
    QVERIFY(!placeIn(ofTwo)); // nobody says where rank 0 is
    QVERIFY(place(with(ofTwo, {{"MASTER_ADDR", "node1"}})) ==
            described({1, 4, 0, "node1", 29500, "mpiexec"}, 2, ""));
    QVERIFY(!placeIn({{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}}));
}

void RankPlaceTest::asksSlurmWhereItSpeaksTheProtocolOfMpiexec() {
    QCOMPARE(place(with(kSrun, {{"PMI_RANK", "5"}, {"PMI_SIZE", "8"}})).launcher, std::string("srun"));
    // mpiexec within a step: what it says counts, not the numbers of its own helper.
    const Variables within = with(kSrun, {{"PMI_RANK", "5"},
                                          {"PMI_SIZE", "16"},
                                          {"MPI_LOCALRANKID", "1"},
                                          {"MPI_LOCALNRANKS", "8"},
                                          {"MASTER_ADDR", "10.0.0.1"}});
    QCOMPARE(place(within).launcher, std::string("mpiexec"));
}

void RankPlaceTest::needsAnAddressForMpirunOnSeveral() {
    const auto found = placeIn(with(kMpirun, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}}));
    QVERIFY(!found);
    QCOMPARE(
        found.error().text(),
        std::string("started by mpirun: expected the name or address of the machine of rank 0 in "
                    "MASTER_ADDR, found nothing; set it, or start with mpirun and leave its variables as "
                    "they are"));
}

void RankPlaceTest::readsSrun() {
    QVERIFY(place(kSrun) == described({5, 8, 1, "gpu007", 24567, "srun"}, 4, "1234567.0"));
    QVERIFY(!place(kSrun).oneMachine);
    const Variables alone{{"SLURM_NNODES", "1"}};
    QVERIFY(place(with(kSrun, alone)) == described({5, 8, 1, "127.0.0.1", 24567, "srun"}, 8, "1234567.0"));
}

void RankPlaceTest::readsTheStepBeforeTheJob() {
    const Variables step{{"SLURM_STEP_NUM_TASKS", "6"},
                         {"SLURM_STEP_NUM_NODES", "3"},
                         {"SLURM_STEP_NODELIST", "gpu008,big[1-2]"}};
    QVERIFY(place(with(kSrun, step)) == described({5, 6, 1, "gpu008", 24567, "srun"}, 2, "1234567.0"));
}

void RankPlaceTest::readsHowManyShareANode() {
    const Variables job = with(kSrun, {{"SLURM_TASKS_PER_NODE", "5,3"}});
    QCOMPARE(place(with(job, {{"SLURM_NODEID", "0"}})).localRanks, 5);
    const Variables second = with(job, {{"SLURM_NODEID", "1"}});
    QCOMPARE(place(second).localRanks, 3);
    QCOMPARE(place(with(second, {{"SLURM_STEP_TASKS_PER_NODE", "6,2"}})).localRanks, 2);
    // Of another number of tasks, or of a node that nobody names: as if all had as many.
    QCOMPARE(place(with(second, {{"SLURM_TASKS_PER_NODE", "16(x2)"}})).localRanks, 4);
    QCOMPARE(place(job).localRanks, 4);
    QCOMPARE(place(with(kSrun, {{"SLURM_NNODES", "3"}})).localRanks, 3);
}

void RankPlaceTest::meetsInAFileOnOneMachine() {
    const Variables file{{"HOMEBOOTH_MEETING_FILE", "/run/user/1000/meeting"}, {"MASTER_ADDR", "gpu1"}};
    const Variables oneMachine = with(kSrun, {{"SLURM_NNODES", "1"}});
    const std::string path = "/run/user/1000/meeting";
    QVERIFY(place(with(kMpirun, file)) == described({1, 2, 1, "", 0, "mpirun", path}, 2, ""));
    QVERIFY(place(with(oneMachine, file)) == described({5, 8, 1, "", 0, "srun", path}, 8, "1234567.0"));
    const auto several = placeIn(with(kSrun, file));
    QVERIFY(!several);
    QCOMPARE(several.error().text(),
             std::string("started by srun: expected ranks of one machine to meet in a file, found ranks of "
                         "several; unset HOMEBOOTH_MEETING_FILE, and they meet at MASTER_ADDR"));
    const auto relative = placeIn(with(kMpirun, {{"HOMEBOOTH_MEETING_FILE", "meeting"}}));
    QVERIFY(!relative);
    QVERIFY(relative.error().text().find("an absolute path in HOMEBOOTH_MEETING_FILE, found \"meeting\"") !=
            std::string::npos);
}

void RankPlaceTest::asksTheInnermostLauncherFirst() {
    QCOMPARE(place(with(kSrun, kTorchrun)).launcher, std::string("torchrun"));
    QCOMPARE(place(with(kSrun, kMpirun)).launcher, std::string("mpirun"));
}

void RankPlaceTest::isAloneInABatchScript() {
    const auto found = placeIn(without(kSrun, "SLURM_STEP_ID"));
    QVERIFY(found && !found->has_value());
}

void RankPlaceTest::refusesWhatCannotBe_data() {
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* variable, const char* value, const char* message) {
        QTest::addRow("%s=%s", variable, value) << variable << value << message;
    };
    row("RANK", "8", "expected a whole number from 0 to 7 in RANK, found \"8\"");
    row("RANK", "-1", "expected a whole number from 0 to 7 in RANK, found \"-1\"");
    row("RANK", "", "expected a whole number from 0 to 7 in RANK, found nothing");
    row("RANK", "1.5", "in RANK, found \"1.5\"");
    row("WORLD_SIZE", "0", "from 1 to 65536 in WORLD_SIZE, found \"0\"");
    row("WORLD_SIZE", "99999999999", "in WORLD_SIZE, found \"99999999999\"");
    row("LOCAL_RANK", "8", "from 0 to 7 in LOCAL_RANK, found \"8\"");
    row("LOCAL_RANK", " 1", "in LOCAL_RANK, found \" 1\"");
    row("MASTER_ADDR", "", "the name or address of the machine of rank 0 in MASTER_ADDR, found nothing");
    row("MASTER_ADDR", "a b", "in MASTER_ADDR, found \"a b\"");
    row("MASTER_PORT", "0", "from 1 to 65535 in MASTER_PORT, found \"0\"");
    row("MASTER_PORT", "65536", "in MASTER_PORT, found \"65536\"");
}

void RankPlaceTest::refusesWhatCannotBe() {
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QFETCH(QString, message);
    const auto found = placeIn(with(kTorchrun, {{variable.toStdString(), value.toStdString()}}));
    QVERIFY(!found);
    QCOMPARE(found.error().code, ErrorCode::Usage);
    QVERIFY2(found.error().text().find(message.toStdString()) != std::string::npos,
             found.error().text().c_str());
}

void RankPlaceTest::takesTheFirstNode_data() {
    QTest::addColumn<QString>("list");
    QTest::addColumn<QString>("first");
    QTest::newRow("one") << "gpu1"
                         << "gpu1";
    QTest::newRow("several") << "gpu1,gpu2"
                             << "gpu1";
    QTest::newRow("range") << "gpu[007-009,012],big1"
                           << "gpu007";
    QTest::newRow("set") << "gpu[3,5]-ib"
                         << "gpu3-ib";
    QTest::newRow("two ranges") << "r[1-2]n[04-08]"
                                << "r1n04";
    QTest::newRow("none") << ""
                          << "";
    QTest::newRow("cut off") << "gpu[1-"
                             << "gpu1";
}

void RankPlaceTest::takesTheFirstNode() {
    QFETCH(QString, list);
    QFETCH(QString, first);
    QCOMPARE(firstOfNodeList(list.toStdString()), first.toStdString());
}

void RankPlaceTest::countsTasksOfANode_data() {
    QTest::addColumn<QString>("list");
    QTest::addColumn<int>("node");
    QTest::addColumn<int>("tasks");
    QTest::newRow("the first") << "2(x3),1" << 0 << 2;
    QTest::newRow("of a repetition") << "2(x3),1" << 2 << 2;
    QTest::newRow("the last") << "2(x3),1" << 3 << 1;
    QTest::newRow("behind the last") << "2(x3),1" << 4 << 0;
    QTest::newRow("of one") << "7" << 0 << 7;
    QTest::newRow("another sum") << "2(x4)" << 0 << 0;
    QTest::newRow("nothing") << "" << 0 << 0;
    for (const char* broken : {"x,7", "7(x", "7(x0)", "7(3)", "7(x1)1", ",7", "-7,14", "99999999999"})
        QTest::newRow(broken) << broken << 0 << 0;
}

void RankPlaceTest::countsTasksOfANode() {
    QFETCH(QString, list);
    QFETCH(int, node);
    QFETCH(int, tasks);
    QCOMPARE(tasksOfNode(list.toStdString(), node, 7), tasks);
}

} // namespace

QTEST_APPLESS_MAIN(RankPlaceTest)
#include "tst_rank_place.moc"
