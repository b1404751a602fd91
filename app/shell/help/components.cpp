// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/help/components.h"

#include "app/charts/plot.h"
#include "app/engine/places.h"
#include "core/base/util/version.h"

#include <QCoreApplication>
#include <QFile>

/// Resources of a static library are linked only when they are asked for, which works in no namespace.
static void ensureResources() {
    Q_INIT_RESOURCE(resources);
}

namespace homebooth::app {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::Component)
};

using Part = Component::Part;

/// A library. Lists have blanks between.
struct Library {
    Part part;
    const char* name;
    const char* known; ///< under which the build knows its version; a wheel's name leads to its text, too
    const char* licence;
    const char* packages; ///< of Debian, which bring its text: one of them is installed
    const char* terms;    ///< what these texts refer to, in /usr/share/common-licenses
    const char* address;
};

constexpr const char* kCudaTerms = "NVIDIA CUDA EULA";
constexpr const char* kCuda = "https://docs.nvidia.com/cuda/eula/";

constexpr Library kLibraries[] = {
    {Part::Window, "Qt", "Qt", "LGPL-3.0", "libqt6core6 libqt6core6t64 qt6-base-dev qt6-svg-dev",
     "LGPL-3 GPL-3", "https://www.qt.io/licensing"},
    {Part::Window, "QCustomPlot", "QCustomPlot", "GPL-3.0-or-later",
     "libqcustomplot2.1-qt6 libqcustomplot-dev", "GPL-3", "https://www.qcustomplot.com"},
    {Part::Window, "SQLite", "SQLite", "public domain", "libsqlite3-0 libsqlite3-dev", "",
     "https://sqlite.org/copyright.html"},
    {Part::Window, "SQLiteCpp", "SQLiteCpp", "MIT", "libsqlitecpp-dev", "",
     "https://github.com/SRombauts/SQLiteCpp"},
    {Part::Window, "OpenCV", "OpenCV", "Apache-2.0", "libopencv-core406 libopencv-dev", "Apache-2.0",
     "https://opencv.org/license/"},
    {Part::Window, "libheif", "libheif", "LGPL-3.0-or-later", "libheif1 libheif-dev", "LGPL-3 GPL-3",
     "https://github.com/strukturag/libheif"},
    {Part::Window, "Little CMS", "lcms2", "MIT", "liblcms2-2 liblcms2-dev", "", "https://www.littlecms.com"},
    {Part::Window, "libjpeg-turbo", "", "IJG, BSD-3-Clause, Zlib", "libjpeg62-turbo libjpeg-dev", "",
     "https://libjpeg-turbo.org"},
    {Part::Window, "libpng", "libpng", "libpng-2.0", "libpng16-16 libpng-dev", "", "http://www.libpng.org"},
    {Part::Window, "zlib", "zlib", "Zlib", "zlib1g zlib1g-dev", "", "https://zlib.net"},
    {Part::Window, "OpenSSL", "OpenSSL", "Apache-2.0", "libssl3 libssl3t64 libssl-dev", "Apache-2.0",
     "https://www.openssl.org"},
    {Part::Window, "JSON for Modern C++", "nlohmann_json", "MIT", "nlohmann-json3-dev", "",
     "https://github.com/nlohmann/json"},
    {Part::Window, "spdlog", "spdlog", "MIT", "libspdlog-dev libspdlog1.10", "",
     "https://github.com/gabime/spdlog"},
    {Part::Window, "fmt", "fmt", "MIT", "libfmt-dev libfmt9", "", "https://github.com/fmtlib/fmt"},
    {Part::Window, "GCC's runtime libraries", "", "GPL-3.0 with exception", "libstdc++6 libgcc-s1", "GPL-3",
     "https://gcc.gnu.org"},
    {Part::Engine, "LibTorch", "torch", "BSD-3-Clause", "", "", "https://pytorch.org"},
    {Part::Engine, "Gloo", "", "BSD-3-Clause", "libgloo-dev libgloo0", "", "https://github.com/pytorch/gloo"},
    {Part::Engine, "CLI11", "CLI11", "BSD-3-Clause", "libcli11-dev", "", "https://github.com/CLIUtils/CLI11"},
    {Part::Engine, "liburing", "", "MIT or LGPL-2.1", "liburing2 liburing-dev", "LGPL-2.1",
     "https://git.kernel.dk/cgit/liburing/"},
    {Part::Engine, "CUDA runtime", "nvidia-cuda-runtime", kCudaTerms, "", "", kCuda},
    {Part::Engine, "CUDA NVRTC", "nvidia-cuda-nvrtc", kCudaTerms, "", "", kCuda},
    {Part::Engine, "CUDA CUPTI", "nvidia-cuda-cupti", kCudaTerms, "", "", kCuda},
    {Part::Engine, "cuBLAS", "nvidia-cublas", kCudaTerms, "", "", kCuda},
    {Part::Engine, "cuFFT", "nvidia-cufft", kCudaTerms, "", "", kCuda},
    {Part::Engine, "cuFile", "nvidia-cufile", kCudaTerms, "", "", kCuda},
    {Part::Engine, "cuRAND", "nvidia-curand", kCudaTerms, "", "", kCuda},
    {Part::Engine, "cuSOLVER", "nvidia-cusolver", kCudaTerms, "", "", kCuda},
    {Part::Engine, "cuSPARSE", "nvidia-cusparse", kCudaTerms, "", "", kCuda},
    {Part::Engine, "nvJitLink", "nvidia-nvjitlink", kCudaTerms, "", "", kCuda},
    {Part::Engine, "cuSPARSELt", "nvidia-cusparselt-cu13", "NVIDIA cuSPARSELt licence", "", "",
     "https://docs.nvidia.com/cuda/cusparselt/license.html"},
    {Part::Engine, "cuDNN", "nvidia-cudnn-cu13", "NVIDIA cuDNN licence", "", "",
     "https://docs.nvidia.com/deeplearning/cudnn/"},
    {Part::Engine, "NCCL", "nvidia-nccl-cu13", "BSD-3-Clause", "", "", "https://github.com/NVIDIA/nccl"},
    {Part::Engine, "NVSHMEM", "nvidia-nvshmem-cu13", "NVIDIA NVSHMEM licence", "", "",
     "https://docs.nvidia.com/nvshmem/"},
    {Part::Engine, "NVTX", "nvidia-nvtx", "Apache-2.0", "", "", "https://github.com/NVIDIA/NVTX"},
};

/// What the build knows of a version; empty if it was not asked for, or not found.
QString versionOf(const QString& known) {
    if (known == QLatin1String("Qt")) return QString::fromLatin1(qVersion());
    if (known == QLatin1String("QCustomPlot")) return QStringLiteral(QCUSTOMPLOT_VERSION_STR);
    static const QStringList linked = QStringLiteral(HOMEBOOTH_LINKED).split('|'); // "zlib=1.2.13"
    for (const QString& one : linked)
        if (!known.isEmpty() && one.startsWith(known + '=')) return one.mid(known.size() + 1);
    return {};
}

/// Where a wheel that the set-up unpacked says what it may be used for.
QStringList textsOfWheel(const QString& wheel, const QString& version) {
    const QString root = QStringLiteral(HOMEBOOTH_TORCH_DIR);
    const QString facts =
        QStringLiteral("%1/%2-%3.dist-info/licenses/").arg(root, QString(wheel).replace('-', '_'), version);
    return {facts + QStringLiteral("License.txt"), facts + QStringLiteral("LICENSE"),
            QStringLiteral("%1/nvidia/%2/LICENSE.txt").arg(root, wheel.section('-', 1, 1))};
}

Component componentOf(const Library& library) {
    Component one;
    one.part = library.part;
    one.name = QString::fromLatin1(library.name);
    const QString known = QString::fromLatin1(library.known);
    one.version = versionOf(known);
    one.licence = QString::fromLatin1(library.licence);
    one.address = QString::fromLatin1(library.address);
    for (const QString& package : QString::fromLatin1(library.packages).split(' ', Qt::SkipEmptyParts))
        one.copies.append(QStringLiteral("/usr/share/doc/%1/copyright").arg(package));
    if (one.copies.isEmpty()) one.copies = textsOfWheel(known, one.version);
    for (const QString& name : QString::fromLatin1(library.terms).split(' ', Qt::SkipEmptyParts))
        one.terms.append(QStringLiteral("/usr/share/common-licenses/%1").arg(name));
    return one;
}

Component own(const QString& name, const QString& licence) {
    return {Part::Own, name, QString::fromLatin1(core::versionText()),           licence,
            {},        {},   {QStringLiteral(":/licences/%1.txt").arg(licence)}, {}};
}

QList<Component> data() {
    const QString vocabulary = Words::tr("Of OpenAI and the OpenCLIP authors.");
    const QString openClip = QStringLiteral("https://github.com/mlfoundations/open_clip");
    const QString model = builtInModel() + QStringLiteral("/README.md");
    return {
        {Part::Data,
         Words::tr("Weights of the default model"),
         {},
         QStringLiteral("Apache-2.0"),
         Words::tr("Trained by this project's engine from random weights, on pictures of Noto Color Emoji "
                   "(SIL OFL 1.1) and openclipart's public-domain drawings."),
         {},
         {QStringLiteral(":/licences/Apache-2.0.txt")},
         {model}},
        {Part::Data,
         Words::tr("Vocabulary of the default model"),
         {},
         QStringLiteral("MIT"),
         vocabulary + ' ' + Words::tr("Shortened."),
         openClip,
         {},
         {}},
        {Part::Data,
         Words::tr("CLIP's vocabulary (open_clip)"),
         versionOf(QStringLiteral("open-clip-torch")),
         QStringLiteral("MIT"),
         vocabulary,
         openClip,
         {},
         {}},
        {Part::Data,
         Words::tr("Drawings of a blue dog"),
         {},
         QStringLiteral("CC-BY-SA-3.0"),
         Words::tr("(c) 2011 Massachusetts Institute of Technology, from Scratch 1.4. Changed: placed on "
                   "white squares."),
         QStringLiteral("https://creativecommons.org/licenses/by-sa/3.0/"),
         {},
         {}}};
}

/// Adds a file to the text, under its name. @returns whether it is there
bool take(const QString& path, LicenceText& text) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return false;
    if (!text.text.isEmpty()) text.text += QStringLiteral("\n\n");
    const bool within = path.startsWith(':'); // of this program: its place says nothing
    if (!within) text.text += path + QStringLiteral("\n\n");
    text.text += QString::fromUtf8(file.readAll());
    if (!within) text.files.append(path);
    return true;
}

} // namespace

QList<Component> components() {
    ensureResources();
    QList<Component> all{own(Words::tr("The window"), QStringLiteral("GPL-3.0-or-later")),
                         own(Words::tr("The engine and all below it"), QStringLiteral("Apache-2.0"))};
    for (const Library& library : kLibraries) all.append(componentOf(library));
    return all + data();
}

LicenceText licenceTextOf(const Component& component) {
    LicenceText text;
    text.text = component.words;
    bool found = false;
    for (qsizetype i = 0; !found && i < component.copies.size(); ++i) found = take(component.copies[i], text);
    for (const QString& terms : component.terms) (void)take(terms, text);
    if (found) return text;
    if (!text.text.isEmpty()) text.text += QStringLiteral("\n\n");
    text.text += Words::tr("The text lies at %1").arg(component.address);
    return text;
}

} // namespace homebooth::app
