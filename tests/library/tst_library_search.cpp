// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Searching the library: letters of all scripts in either case, marks in one piece or in two.
#include "core/library/picture_store.h"
#include "core/library/prompt_store.h"

#include <QTemporaryDir>
#include <QTest>

using namespace homebooth::core;

class LibrarySearchTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_library.reset(); }
    void findsPicturesInWhateverCase_data();
    void findsPicturesInWhateverCase();
    void findsPromptsInWhateverCase();
    void findsPicturesOfASubjectInWhateverCase();
    void takesSignsOfPatternsAsWritten();
    void takesMoreWordsThanOneQuestionHolds();

private:
    [[nodiscard]] int64_t countOf(const std::string& words) const {
        PictureFilter filter;
        filter.words = words;
        const auto count = countPictures(*m_library, filter);
        return count ? *count : -1;
    }
    void addPicture(int64_t id, const std::string& prompt, const std::string& model,
                    const std::string& lora = {}) {
        PictureRecord record;
        record.id = id;
        record.path = "/pictures/" + std::to_string(id) + ".png";
        record.prompt = prompt;
        record.model = model;
        if (!lora.empty())
            record.parameters.append("Steps: 20, Seed: 1, Lora hashes: \"").append(lora).append(": 0123\"");
        QVERIFY(addPictures(*m_library, {record}));
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Library> m_library;
};

void LibrarySearchTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    auto library = Library::open(m_folder->filePath("library.db").toStdString());
    QVERIFY2(library, library ? "" : library.error().text().c_str());
    m_library = std::move(*library);
}

void LibrarySearchTest::findsPicturesInWhateverCase_data() {
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("as written") << QByteArray("\u00C4pfel");
    QTest::newRow("small") << QByteArray("\u00E4pfel");
    QTest::newRow("in two pieces") << QByteArray("a\u0308pfel");
    QTest::newRow("large, in two pieces") << QByteArray("A\u0308PFEL");
    QTest::newRow("a part of a word") << QByteArray("\u00C4PF");
    QTest::newRow("of the model's name") << QByteArray("\u041B\u0418\u0421\u0410");
    QTest::newRow("of an add-on's name") << QByteArray("BLUE D\u00F6");
    QTest::newRow("several words") << QByteArray("\u043B\u0438\u0441\u0430 \u00E4pfel STRASSE");
}

void LibrarySearchTest::findsPicturesInWhateverCase() {
    QFETCH(QByteArray, words);
    addPicture(1, "\u00C4pfel auf der Stra\u00DFe", "\u041B\u0438\u0441\u0430", "blue D\u00D6g");
    addPicture(2, "Apfelmus", "sketch");
    QCOMPARE(countOf(words.toStdString()), int64_t{1});
    QCOMPARE(countOf("APFEL"), int64_t{1}); // another letter
}

void LibrarySearchTest::findsPromptsInWhateverCase() {
    QVERIFY(notePromptUse(*m_library, "ein U\u0308ber\u00FCbel", "\u00D6l"));
    QVERIFY(notePromptUse(*m_library, "ein Uhu", ""));
    for (const char* words : {"\u00FCber\u00DCBEL", "\u00F6L", "EIN O\u0308l"}) {
        const auto found = findPrompts(*m_library, words, 10);
        QVERIFY(found);
        QCOMPARE(found->size(), size_t{1});
    }
    QCOMPARE(findPrompts(*m_library, "ein", 10)->size(), size_t{2});
}

void LibrarySearchTest::findsPicturesOfASubjectInWhateverCase() {
    addPicture(1, "a photo of ohwx B\u00C4R on grass", "sketch");
    addPicture(2, "a photo of ohwx bar", "sketch");
    PictureFilter filter;
    filter.subject = 7;
    filter.subjectWords = " ohwx ba\u0308r ";
    const auto found = findPictures(*m_library, filter, 0, 10);
    QVERIFY(found);
    QCOMPARE(found->size(), size_t{1});
    QCOMPARE(found->front().id, int64_t{1});
}

void LibrarySearchTest::takesSignsOfPatternsAsWritten() {
    addPicture(1, "100 % \\ blue_\u00C4rger", "sketch");
    addPicture(2, "a plain one", "sketch");
    for (const char* words : {"%", "\\", "_\u00E4", "e_"}) QCOMPARE(countOf(words), int64_t{1});
    QCOMPARE(countOf("'\""), int64_t{0});
}

void LibrarySearchTest::takesMoreWordsThanOneQuestionHolds() {
    addPicture(1, "a red apple", "sketch");
    addPicture(2, "a pear", "sketch");
    QVERIFY(notePromptUse(*m_library, "a red apple", ""));
    std::string words; // as of a whole text that was pasted
    for (int i = 0; i < 3000; ++i) words += "apple ";
    QCOMPARE(countOf(words), int64_t{1});
    const auto prompts = findPrompts(*m_library, words, 10);
    QVERIFY2(prompts, prompts ? "" : prompts.error().text().c_str());
    QCOMPARE(prompts->size(), size_t{1});
}

QTEST_APPLESS_MAIN(LibrarySearchTest)
#include "tst_library_search.moc"
