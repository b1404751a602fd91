#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# set_up.sh INSTALLER: what the set-up does on machines that are not as one would wish. It runs in an empty place, with
# programs that stand for dpkg, apt, nvcc and Python, and without a network.
set -euo pipefail
installer="$1"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
chmod 755 "$place" # others go in, too
tree="$place/tree"

fail() { echo "$1"; exit 1; }

# program NAME: one of the place's own, read from standard input.
program() { rm -f "$place/bin/$1"; cat >"$place/bin/$1"; chmod 755 "$place/bin/$1"; }

# begin: a checkout that nothing was done in, all programs of this machine but sudo, an old nvcc, packages missing.
begin() {
    rm -rf "$tree" "${place:?}/bin"
    mkdir -p "$tree/installer/lib" "$place/bin"
    sed "s,/usr/local/cuda,$place/cuda,; s,/usr/bin/python3,$place/bin/python3," "$installer/lib/setup.sh" \
        >"$tree/installer/lib/setup.sh"
    printf '[debian]\nsome-package\n[vocabulary]\nwords==1.0\n[libtorch]\nnvidia-cuda-runtime==13.0.96\n' \
        >"$tree/installer/versions.txt"
    ln -s /usr/bin/* "$place/bin"
    rm -f "$place/bin/sudo"
    program dpkg-query <<<'exit 1'
    program apt-get <<<'exit 1'
    program nvcc <<<'echo "Cuda compilation tools, release ${RELEASE:-11.8}, V1"'
    program python3 <<'STUB'
#!/bin/bash
case "$*" in
*"-m venv"*) mkdir -p "${!#}/bin"; cp "$0" "${!#}/bin/python"; touch "${!#}/has-pip" ;;
"-m pip "*) [ -e "$(dirname "$0")/../has-pip" ] || { echo "No module named pip"; exit 1; } ;;
esac
[[ "$*" != *"pip download"* ]] || {
    cd "$(dirname "${!#}")"
    version="$(cut -d = -f 3 requirements.txt)"
    echo "$version" >version
    touch "of-$version"
    /usr/bin/python3 -m zipfile -c "words-$version.whl" version "of-$version"
}
STUB
}

# setUp COMMAND: with the set-up's functions; prints all that it says.
setUp() { PATH="$place/bin" bash -c "set -euo pipefail; source '$tree/installer/lib/setup.sh'; $1" 2>&1; }

# expect SAID WORDS...
expect() {
    local said="$1" words
    shift
    for words in "$@"; do [[ "$said" == *"$words"* ]] || fail "expected \"$words\" in: $said"; done
}

withoutRootRightsAndSudoItSaysSo() {
    program id <<<'[ "$1" = -u ] && echo 1000 || echo anna'
    expect "$(setUp setUp || true)" "sudo is not installed" "What to do:"
}

anInstalledNvccMustBeOfLibTorchsRelease() {
    expect "$(setUp 'hasNvcc || echo none')" none
    for release in 12.9 13.1; do expect "$(RELEASE=$release setUp 'hasNvcc || echo none')" none; done
    [ -z "$(RELEASE=13.0 setUp 'hasNvcc || echo none')" ] || fail "nvcc 13.0 was not taken"
    mkdir -p "$place/cuda/bin"
    printf '#!/bin/sh\necho "release 13.0, V13.0.88"\n' >"$place/cuda/bin/nvcc"
    chmod 755 "$place/cuda/bin/nvcc"
    [ -z "$(setUp 'hasNvcc || echo none')" ] || fail "nvcc in /usr/local/cuda was not taken"
}

whatAnotherUserLeftIsNamedFirst() {
    local asOther=()
    mkdir -p "$tree/.deps" "$tree/build"
    chmod 555 "$tree/.deps"
    [ "$(id -u)" -ne 0 ] || asOther=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    expect "$(PATH="$place/bin" "${asOther[@]}" bash -c "source '$tree/installer/lib/setup.sh'; setUp" 2>&1 || true)" \
        "$tree/.deps belongs to $(id -un)" "chown -R"
}

whatSudoMadeBelongsToWhoeverCalledIt() {
    [ "$(id -u)" -eq 0 ] || return 0
    program dpkg-query <<<'echo "ii "'
    mkdir -p "$tree/.deps"
    ln -s "$place/bin/nvcc" "$tree/.deps/link"
    SUDO_UID=65534 SUDO_GID=65534 setUp 'needSpace() { stop here why remedy; }; setUp' >/dev/null || true
    [ "$(stat -c %u "$tree/.deps")" = 65534 ] || fail ".deps is still root's"
    [ "$(stat -c %u "$place/bin/nvcc")" = 0 ] || fail "what a link leads to was given away"
}

anInterruptedPythonIsMadeAnew() {
    mkdir -p "$tree/.deps/pip/bin"
    cp "$place/bin/python3" "$tree/.deps/pip/bin/python"
    setUp 'unpackWheels vocabulary words' >/dev/null || fail "an interrupted environment was taken for a whole one"
    [ "$(cat "$tree/.deps/words/version")" = 1.0 ] || fail "nothing was unpacked"
}

aFailedDownloadSaysWhyInAnyWords() {
    program python3 <<<'echo "the pipe burst"; exit 1'
    expect "$(setUp 'unpackWheels vocabulary words' || true)" "the pipe burst"
}

anEarlierVersionIsUnpackedAgain() {
    local version
    mkdir -p "$tree/.deps"
    touch "$tree/.deps/.vocabulary-more-0123456789abcdef" # of another section
    for version in 1.0 2.0 1.0; do
        sed -i "s/^words==.*/words==$version/" "$tree/installer/versions.txt"
        setUp 'unpackWheels vocabulary words' >/dev/null
        [ "$(cat "$tree/.deps/words/version")" = "$version" ] || fail "expected $version, found another version"
    done
    [ -e "$tree/.deps/.vocabulary-more-0123456789abcdef" ] || fail "another section's stamp is gone"
}

anUnpackingThatWasCutShortLeavesNothingToTheNextVersion() {
    program unzip <<<'exit 1'
    expect "$(setUp 'unpackWheels vocabulary words' || true)" "the disk may be full"
    sed -i "s/^words==.*/words==2.0/" "$tree/installer/versions.txt"
    ln -sf /usr/bin/unzip "$place/bin/unzip"
    setUp 'unpackWheels vocabulary words' >/dev/null
    [ -e "$tree/.deps/words/of-2.0" ] || fail "the new version is not there"
    [ ! -e "$tree/.deps/words/of-1.0" ] || fail "the old version was unpacked with it"
}

aSecondSetUpWaitsForTheFirst() {
    local first
    program dpkg-query <<<'echo "ii "'
    program python3 <<'STUB'
#!/bin/bash
[[ "$*" != *"-m venv"* ]] || { mkdir -p "${!#}/bin"; cp "$0" "${!#}/bin/python"; }
[[ "$*" == *"pip download"* ]] || exit 0
echo download >>"$DOWNLOADS"
sleep 1
cd "$(dirname "${!#}")"
mkdir -p open_clip
touch open_clip/bpe_simple_vocab_16e6.txt.gz
/usr/bin/python3 -m zipfile -c words.whl open_clip
STUB
    export DOWNLOADS="$place/downloads" RELEASE=13.0
    setUp 'needSpace() { :; }; setUp' >"$place/first" &
    first=$!
    until [ -s "$DOWNLOADS" ] || ! kill -0 "$first" 2>/dev/null; do sleep 0.05; done # it has its turn
    expect "$(setUp 'needSpace() { :; }; setUp; exec 8<"$deps"; flock -n 8')" "waiting for it"
    wait "$first" || fail "the first one failed: $(cat "$place/first")"
    [ "$(wc -l <"$DOWNLOADS")" = 2 ] || fail "expected two sections, each downloaded once: $(cat "$DOWNLOADS")"
    unset RELEASE
}

for claim in withoutRootRightsAndSudoItSaysSo anInstalledNvccMustBeOfLibTorchsRelease whatAnotherUserLeftIsNamedFirst \
    whatSudoMadeBelongsToWhoeverCalledIt anInterruptedPythonIsMadeAnew aFailedDownloadSaysWhyInAnyWords \
    anEarlierVersionIsUnpackedAgain anUnpackingThatWasCutShortLeavesNothingToTheNextVersion \
    aSecondSetUpWaitsForTheFirst; do
    begin
    echo "$claim"
    "$claim"
done
