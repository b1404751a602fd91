// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/picture_list.h"

#include "core/base/util/regular_file.h"
#include "core/media/picture_header.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kStartBytes = 64;

using ContentOf = std::function<Result<FileContent>(const fs::path&)>;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// Cuts a run of digits off the front of `text`, without leading zeros.
std::string_view takeNumber(std::string_view& text) {
    const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

/// What other programs keep beside a picture, by the end of its name's stem.
struct BesidePicture {
    std::string_view ending;
    const char* reason; ///< to leave it out
};
constexpr const char* kMask = "a mask of another program, which is not used here";
constexpr std::array<BesidePicture, 5> kBesidePictures{
    {{"-masklabel", kMask},
     {"-condlabel", "what another program conditions its training on, which is not used here"},
     {"-mask", kMask},
     {"_mask", kMask},
     {".mask", kMask}}};

/// What a name says of a file beside a picture; null: nothing.
const BesidePicture* besidePicture(const std::string& stem) {
    const auto found =
        std::find_if(kBesidePictures.begin(), kBesidePictures.end(), [&stem](const BesidePicture& one) {
            return stem.size() > one.ending.size() && stem.ends_with(one.ending);
        });
    return found == kBesidePictures.end() ? nullptr : &*found;
}

std::string lowerEnding(const fs::path& path) {
    std::string ending = path.extension().native();
    std::transform(ending.begin(), ending.end(), ending.begin(), lower);
    return ending;
}

/// Masks; without their pictures they are pictures like others. The films of live photos belong beside them.
void skipBesidePictures(PictureList& list) {
    std::unordered_set<std::string> stems;
    for (const fs::path& picture : list.pictures) stems.insert(picture.stem().native());
    for (SkippedFile& file : list.skipped)
        file.companion =
            file.companion || (lowerEnding(file.path) == ".mov" && stems.contains(file.path.stem().native()));
    for (const SkippedFile& file : list.skipped)
        if (file.meantAsPicture) stems.insert(file.path.stem().native());
    std::erase_if(list.pictures, [&](const fs::path& picture) {
        const std::string ofPicture = pictureOfMask(picture);
        if (ofPicture.empty() || !stems.contains(ofPicture)) return false;
        list.skipped.push_back({picture, besidePicture(picture.stem().native())->reason, false, false});
        return true;
    });
}

bool isCompanion(const fs::path& path) {
    static constexpr std::array kCaptions{".txt", ".TXT", ".caption"}; // in no other case
    static constexpr std::array kEndings{".json", ".jsonl", ".npz", ".csv", ".md",
                                         ".db",   ".ini",   ".xmp", ".aae", ".thm"};
    const auto isOneOf = [](const auto& known, const std::string& ending) {
        return std::find(known.begin(), known.end(), ending) != known.end();
    };
    const std::string name = path.filename().native();
    return name.starts_with('.') || name == kLeftOutFolder || isOneOf(kCaptions, path.extension().native()) ||
           isOneOf(kEndings, lowerEnding(path));
}

/// Why an entry is no picture, or nothing if it is one.
std::string reasonToSkip(const fs::directory_entry& entry, const ContentOf& content) {
    std::error_code error;
    const fs::file_status status = fs::status(entry.path(), error);
    if (status.type() == fs::file_type::directory) return "a folder";
    if (status.type() == fs::file_type::not_found) return "a link that leads nowhere";
    if (error == std::errc::too_many_symbolic_link_levels) return "a link that leads to itself";
    if (error) return error.message();
    if (status.type() != fs::file_type::regular) return "not a regular file";
    const auto found = content(entry.path());
    if (!found) return found.error().message;
    if (*found == FileContent::Empty) return "an empty file";
    return *found == FileContent::Picture ? std::string() : "its content is no picture that can be read";
}

void sortNaturally(PictureList& list) {
    const auto less = [](const fs::path& a, const fs::path& b) {
        return naturallyLess(a.filename().native(), b.filename().native());
    };
    std::sort(list.pictures.begin(), list.pictures.end(), less);
    std::sort(list.skipped.begin(), list.skipped.end(),
              [&less](const SkippedFile& a, const SkippedFile& b) { return less(a.path, b.path); });
}

} // namespace

const std::vector<std::string>& pictureEndings() {
    static const std::vector<std::string> endings{".jpg", ".jpeg", ".jfif", ".png",  ".webp", ".tif", ".tiff",
                                                  ".bmp", ".gif",  ".heic", ".heif", ".hif",  ".avif"};
    return endings;
}

bool hasPictureEnding(const fs::path& path) {
    const std::vector<std::string>& endings = pictureEndings();
    return std::find(endings.begin(), endings.end(), lowerEnding(path)) != endings.end();
}

std::string pictureOfMask(const fs::path& path) {
    const std::string stem = path.stem().native();
    const BesidePicture* beside = besidePicture(stem);
    return beside == nullptr ? std::string() : stem.substr(0, stem.size() - beside->ending.size());
}

bool naturallyLess(const std::string& left, const std::string& right) {
    std::string_view a = left, b = right;
    while (!a.empty() && !b.empty()) {
        if (isDigit(a.front()) && isDigit(b.front())) {
            const std::string_view first = takeNumber(a), second = takeNumber(b);
            if (first.size() != second.size()) return first.size() < second.size();
            if (first != second) return first < second;
            continue;
        }
        const auto first = static_cast<unsigned char>(lower(a.front()));
        const auto second = static_cast<unsigned char>(lower(b.front()));
        if (first != second) return first < second;
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    if (a.empty() != b.empty()) return a.empty();
    return left < right; // "A1" and "a01" differ only in what was overlooked: keep the order total
}

Result<FileContent> fileContent(const fs::path& file) {
    HOMEBOOTH_ASSIGN(const std::string start, readFileStart(file, kStartBytes));
    if (start.empty()) return FileContent::Empty;
    return recognisePicture(start) ? FileContent::Picture : FileContent::Other;
}

Result<PictureList> listPictures(const fs::path& folder, const ContentOf& content) {
    const auto failed = [&folder](const std::string& found) {
        return badInput("cannot list the pictures: expected a folder that can be read, found " + found +
                            "; check the path and its permissions",
                        displayName(folder));
    };
    std::error_code error;
    if (!fs::is_directory(folder, error)) return failed(error ? error.message() : "something else");
    PictureList list;
    fs::directory_iterator entries(folder, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
        const std::string reason = reasonToSkip(*entries, content);
        if (reason.empty() && !entries->path().filename().native().starts_with('.')) {
            list.pictures.push_back(entries->path());
        } else {
            SkippedFile skipped{entries->path(), reason.empty() ? "a hidden file" : reason};
            skipped.companion = isCompanion(entries->path());
            std::error_code ignored;
            skipped.meantAsPicture = !skipped.companion && hasPictureEnding(entries->path()) &&
                                     !fs::is_directory(entries->path(), ignored);
            list.skipped.push_back(std::move(skipped));
        }
    }
    if (error) return failed(error.message());
    skipBesidePictures(list);
    sortNaturally(list);
    return list;
}

} // namespace homebooth::core
