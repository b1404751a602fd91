#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# set_up.sh INSTALLER: what the set-up does on machines that are not as one would wish.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/set_up_place.sh"

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
    mkdir -p "$tree/.deps" "$tree/build"
    chmod 555 "$tree/.deps"
    expect "$(PATH="$place/bin" asOther bash -c "source '$tree/installer/lib/setup.sh'; setUp" 2>&1 || true)" \
        "$tree/.deps belongs to $(id -un)" "chown -R"
}

whatSudoMadeBelongsToWhoeverCalledIt() {
    [ "$(id -u)" -eq 0 ] || return 0
    program dpkg-query <<<'echo "amd64=installed "'
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

thePinnedPipFetches() {
    printf '[pip]\npip==99 --hash=x  # 2 MB\n' >>"$tree/installer/versions.txt"
    program python3 <<STUB
#!/bin/bash
[[ "\$*" != *"-m venv"* ]] || { mkdir -p "\${!#}/bin"; cp "\$0" "\${!#}/bin/python"; }
[[ "\$*" != *" install "* ]] || grep -H . "\${!#}" >>"$place/asked"
STUB
    setUp 'withPip one; withPip two; rm "$deps/pip/bin/python"; withPip three' || fail "it did not work"
    [ "$(cat "$place/asked")" = "$(for _ in 1 2; do echo "$tree/.deps/pip/requirements.txt:pip==99 --hash=x"; done)" ] ||
        fail "expected it to come twice, found $(cat "$place/asked")"
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
    program dpkg-query <<<'echo "amd64=installed "'
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

# installedPackage NAME ARCHITECTURE STATUS: an entry of dpkg's database.
installedPackage() {
    printf '%s: %s\n' Package "$1" Architecture "$2" Status "$3" Version 1 Maintainer x Description x Multi-Arch same
    echo
}

whatIsThereTwiceOrHeldIsNotMissing() {
    ln -sf "$(command -v dpkg-query)" "$place/bin/dpkg-query"
    mkdir -p "$place/dpkg/updates" "$place/dpkg/info"
    {
        for architecture in amd64 i386; do installedPackage twice "$architecture" "install ok installed"; done
        installedPackage held amd64 "hold ok installed"
        installedPackage foreign i386 "install ok installed"
        installedPackage gone amd64 "deinstall ok config-files"
        installedPackage everywhere all "install ok installed" | grep -v Multi-Arch
    } >"$place/dpkg/status"
    printf '[debian]\ntwice held foreign\ngone everywhere none\n' >"$tree/installer/versions.txt"
    [ "$(DPKG_ADMINDIR="$place/dpkg" setUp 'missingPackages debian' | xargs)" = "foreign gone none" ] ||
        fail "expected foreign gone none, found: $(DPKG_ADMINDIR="$place/dpkg" setUp 'missingPackages debian')"
}

theProxyReachesAptThroughSudo() {
    local name
    program id <<<'[ "$1" = -u ] && echo 1000 || echo anna'
    program sudo <<<'exec env -i PATH="$PATH" "$@"'
    program apt-get <<<'[ "$http_proxy" = http://proxy:3128 ] || { echo "E: Failed to fetch http://deb"; exit 100; }'
    for name in http_proxy HTTP_PROXY; do
        (export "$name=http://proxy:3128" && setUp 'mkdir -p "$deps"; installPackages debian') >/dev/null ||
            fail "apt was not told $name"
    done
}

listsThatCouldNotBeFetchedAreNamedOnlyWhereTheyAreWanted() {
    program apt-get <<'STUB'
case "$*" in
*Error-Mode=any*update*) echo "E: Failed to fetch http://deb"; echo "E: Some index files failed"; exit 100 ;;
*update*) echo "W: Some index files failed" ;;
*) [ -n "${HAS_PACKAGE:-}" ] || { echo "E: Unable to locate package"; exit 100; } ;;
esac
STUB
    program id <<<'echo 0'
    expect "$(setUp 'mkdir -p "$deps"; installPackages debian' || true)" "updating the package lists" \
        "E: Failed to fetch http://deb" http_proxy
    HAS_PACKAGE=1 setUp 'installPackages debian' >/dev/null || fail "a source that nothing is wanted of ended it"
}

whoElseInstallsPackagesIsWaitedFor() {
    local said lock
    for lock in lists/lock dpkg/lock-frontend; do # of update, and of install
        rm -f "$place/tried"
        program sleep <<<'exit 0'
        program id <<<'echo 0'
        program apt-get <<STUB
case "$lock \$*" in
*--print-uris*) exit 0 ;;
lists*update*|dpkg*install*) ;;
*) exit 0 ;;
esac
echo once >>"$place/tried"
[ "\$(wc -l <"$place/tried")" -lt "\${UNTIL:-3}" ] || exit 0
echo "E: Could not get lock /var/lib/$lock. It is held by process 7 (unattended-upgr)"
echo "N: Be aware that removing the lock file is not a solution and may break your system."
exit 100
STUB
        said="$(setUp 'mkdir -p "$deps"; installPackages debian')" || fail "$said"
        expect "$said" "Another program installs packages"
        [ "$(wc -l <"$place/tried")" = 3 ] || fail "expected three attempts: $(cat "$place/tried")"
    done
    expect "$(UNTIL=1000 setUp 'installPackages debian' || true)" "It is held by process 7 (unattended-upgr)"
}

anInstallationThatWasCutOffIsEnded() {
    local said
    program id <<<'echo 0'
    program dpkg <<STUB
[ "\$*" = "--configure -a" ] && touch "$place/ended"
exit 1
STUB
    program apt-get <<STUB
case "\$*" in install\ -y*) ;; *) exit 0 ;; esac
[ -e "$place/ended" ] && [ -z "\${STAYS:-}" ] && exit 0
echo "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem."
exit 100
STUB
    said="$(setUp 'mkdir -p "$deps"; installPackages debian')" || fail "$said"
    expect "$said" "was cut off; ending it"
    rm "$place/ended"
    expect "$(STAYS=1 setUp 'installPackages debian' || true)" "E: dpkg was interrupted"
}

whatSudoRefusesIsNoFaultOfTheNetwork() {
    program id <<<'[ "$1" = -u ] && echo 1000 || echo anna'
    program sudo <<<'echo "anna is not in the sudoers file."; exit 1'
    expect "$(setUp 'mkdir -p "$deps"; installPackages debian' || true)" "anna is not in the sudoers file" "as root once"
}

anotherSystemsPackagesAreNamed() {
    program id <<<'echo 0'
    program apt-get <<<'[ "$3" = update ] || { echo "E: Unable to locate package some-package"; exit 100; }'
    expect "$(setUp 'mkdir -p "$deps"; installPackages debian' || true)" "Unable to locate package" "use Debian 12"
}

whatPackagesMakeIsForAllAndWhatTheySayIsRead() {
    program id <<<'echo 0'
    expect "$(umask 077 && LANGUAGE=de LC_ALL=POSIX setUp 'asRoot sh -c "umask; echo \$LANGUAGE.\$LC_ALL"; umask')" "0022
.C.UTF-8
0077"
    program apt-get <<'STUB'
[ -n "$LANGUAGE" ] || echo "'http://a' a.deb 3000000"
STUB
    expect "$(LANGUAGE=de setUp 'packagesToFetch one')" "1 packages, 3 MB"
}

whatIsOnItsWayLiesWithTheRest() {
    printf '[vocabulary]\nwords==1.0\nmore==2.0\n' >"$tree/installer/versions.txt"
    program python3 <<'STUB'
#!/bin/bash
[[ "$*" != *"-m venv"* ]] || { mkdir -p "${!#}/bin"; cp "$0" "${!#}/bin/python"; }
[[ "$*" == *"pip download"* ]] || exit 0
read -r line <"${!#}"
[ "$line" != "${FAILS:-}" ] || { echo "ERROR: broken"; exit 1; }
[ ! -e "$(dirname "${!#}")/${line%%=*}.whl" ] || echo "$line" >>"$TMPDIR/../../kept"
mkdir "$TMPDIR/pip-unpack-1$line" || exit 1
cd "$(dirname "${!#}")" && echo "$line" >version && /usr/bin/python3 -m zipfile -c "${line%%=*}.whl" version
STUB
    ! FAILS="more==2.0" setUp 'unpackWheels vocabulary words' >/dev/null || fail "it did not end"
    [ -e "$tree/.deps/downloads/vocabulary/words.whl" ] || fail "what was whole is gone"
    setUp 'unpackWheels vocabulary words' >/dev/null || fail "it did not go on"
    [ "$(cat "$tree/.deps/kept")" = "words==1.0" ] || fail "expected one that was there, found: $(cat "$tree/.deps/kept")"
}

whyNothingWasReachedIsSaid() {
    local said retry="WARNING: Retrying (Retry(total=0)) after connection broken by "
    program python3 <<STUB
echo "$retry'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f97>: Failed to establish \
a new connection: [Errno -3] Temporary failure in name resolution')': /simple/words/"
echo "ERROR: No matching distribution found for words==1.0"; exit 1
STUB
    said="$(setUp 'unpackWheels vocabulary words' || true)"
    expect "$said" "  Temporary failure in name resolution" "check the network"
    program python3 <<STUB
echo "$retry'SSLError(certificate verify failed: certificate is not yet valid (_ssl.c:992))': /simple/words/"
echo "ERROR: No matching distribution found for words==1.0"; exit 1
STUB
    expect "$(setUp 'unpackWheels vocabulary words' || true)" "certificate is not yet valid" "check the clock" \
        "$(date +%F)"
    program python3 <<<'echo "ERROR: No matching distribution found for words==1.0"; exit 1'
    expect "$(setUp 'unpackWheels vocabulary words' || true)" "No matching distribution"
    program id <<<'echo 0'
    program apt-get <<<'echo "E: Release file for http://deb is not valid yet (invalid for another 5h)."; exit 100'
    expect "$(setUp 'installPackages debian' || true)" "is not valid yet" "check the clock"
}

theProxyOfWhoeverCalledSudoIsTaken() {
    program id <<<'echo 0'
    program sudo <<'STUB'
#!/bin/bash
/usr/bin/env -i "PATH=$PATH" SUDO_UID=1000 SUDO_GID=1000 no_proxy=own "$@"
exit $?
STUB
    expect "$(https_proxy="http://a b:3128" no_proxy=callers PATH="$place/bin" "$place/bin/sudo" bash -c \
        "source '$tree/installer/lib/setup.sh'; needOwn() { echo \"\$https_proxy, \$no_proxy\"; exit; }; setUp")" \
        "http://a b:3128, own"
}

aFileSystemWithoutLinksOrProgramsIsNamedFirst() {
    setUp 'mkdir -p "$deps"; needFileSystem' || fail "this one has both"
    [ -z "$(ls -A "$tree/.deps")" ] || fail "something was left"
    program ln <<<'exit 1'
    expect "$(setUp needFileSystem || true)" "knows no symbolic links" "copy this checkout"
    ln -sf /usr/bin/ln "$place/bin/ln"
    program chmod <<<'exit 0'
    expect "$(setUp needFileSystem || true)" "starts no programs"
}

testsMakeTheirProgramsWhereTheyStart() {
    cp "$installer/test" "$tree/installer"
    printf '%s\n' 'setUp() { mkdir -p "$root/build"; }' 'build() { :; }' >>"$tree/installer/lib/setup.sh"
    program ctest <<<'echo "in $TMPDIR"'
    mkdir "$place/tmp"
    expect "$(env "TMPDIR=$place/tmp" "PATH=$place/bin" "$tree/installer/test")" "in $place/tmp"
    program chmod <<STUB
[[ "\$2" != "$tree/build"/* ]] || exec /usr/bin/chmod "\$@"
STUB
    sed -i '1i #!/bin/bash' "$place/bin/chmod"
    expect "$(env -u TMPDIR "PATH=$place/bin" "$tree/installer/test")" "in $tree/build"
}

aDiskThatCanOnlyBeReadIsNamedFirst() {
    mkdir -p "$tree/.deps" "$tree/build"
    chmod 555 "$tree/.deps"
    program touch <<<'echo "touch: setting times of $2: Read-only file system" >&2; exit 1'
    expect "$(PATH="$place/bin" asOther bash -c "source '$tree/installer/lib/setup.sh'; setUp" 2>&1 || true)" \
        "$tree/.deps is on a disk that can only be read" "copy this checkout"
}

aLayerThatIsGoneIsNotTakenForClean() {
    mkdir -p "$tree/.ci"
    cp "$installer/../.ci/check-layers" "$tree/.ci"
    expect "$("$tree/.ci/check-layers" 2>&1 || true)" "kernels: no such folder"
    ! "$tree/.ci/check-layers" >/dev/null 2>&1 || fail "it ended well"
}

whatAnInterruptedUnpackingLeftNeedsNoRoomAgain() {
    program df <<<'printf "%s\n" Filesystem "disk 9 9 $((FREE * 1048576)) 9% /"'
    program du <<<'printf "%s\n" "$((THERE * 1048576)) libtorch" "100 downloads"; exit 1'
    FREE=6 THERE=5 setUp 'needSpace 8 3' || fail "6 GiB are more than enough for the rest"
    expect "$(FREE=2 THERE=7 setUp 'needSpace 8 3' || true)" "has 2 GiB free; the set-up needs 3 GiB"
    expect "$(FREE=6 THERE=0 setUp 'needSpace 8 3' || true)" "has 6 GiB free; the set-up needs 8 GiB"
    program df <<<'printf "%s\n" Filesystem "disk 9 9 $((3359 * 1024)) 9% /"'
    program du <<<'echo "$((993 * 1024)) libtorch"'
    setUp 'needSpace 4 2' || fail "all that is free and there is enough"
    expect "$(setUp 'needSpace 5 2' || true)" "has 3.2 GiB free; the set-up needs 4.1 GiB"
}

anotherProcessorIsNamedFirst() {
    program uname <<<'echo aarch64'
    expect "$(setUp setUp || true)" "processor is aarch64" "What to do:"
}

anotherSystemIsNamedFirst() {
    local version
    for version in trixie/sid 13.1 120 ""; do
        printf '%s\n' "$version" >"$place/debian_version"
        expect "$(setUp setUp || true)" "pinned for Debian 12; this is"
    done
    for version in 12.11 12; do
        printf '%s\n' "$version" >"$place/debian_version"
        setUp needSystem || fail "Debian $version was refused"
    done
}

aStopWhilePackagesComeIsNoFailure() {
    local said status=0
    program id <<<'echo 0'
    program apt-get <<<'kill -INT "$SCRIPT"; exit 100'
    said="$(setUp 'export SCRIPT=$$; hasNvcc() { :; }; needSpace() { :; }; setUp')" || status=$?
    expect "status $status: $said" "status 130" "Stopped. The next run goes on with what is missing."
    [[ "$said" != *"What to do"* ]] || fail "$said"
}

aFullDiskIsNoFaultOfTheNetwork() {
    program python3 <<<'echo "OSError: [Errno 28] No space left on device"; echo "--- Logging error ---"; exit 1'
    expect "$(setUp 'unpackWheels vocabulary words' || true)" "is full" "free some space"
    program python3 <<<'echo "--- Logging error ---"; exit 1'
    expect "$(setUp 'unpackWheels vocabulary words' || true)" "is full" "free some space"
}

theReferenceSideFollowsAMovedCheckout() {
    local packages="$tree/.deps/reference/lib/python3.11/site-packages"
    cp "$installer/lib/reference.sh" "$tree/installer/lib"
    mkdir -p "$packages"
    echo /elsewhere/.deps/libtorch >"$packages/libtorch.pth"
    setUp 'touch "$(stampOf reference)"; source "$root/installer/lib/reference.sh"; setUpReference'
    [ "$(cat "$packages/libtorch.pth")" = "$tree/.deps/libtorch" ] || fail "it looks for torch elsewhere"
}

theMachineIsKeptAwakeUntilTheEnd() {
    program systemd-inhibit <<STUB
#!/bin/bash
echo "\$*" >"$place/awake"
while [[ "\$1" = --* ]]; do shift; done
exec "\$@"
STUB
    local said
    said="$(setUp "mkdir -p \"\$deps\"; takeTurn \"\$deps\"; keepAwake; keepAwake; pid=\$awake
        until [ -s '$place/awake' ]; do sleep 0.05; done
        kill -0 \$pid && echo kept; endTurn; for try in {1..100}; do kill -0 \$pid 2>/dev/null || exit 0; sleep 0.05; done
        echo still")"
    [ "$said" = kept ] || fail "$said"
    expect "$(cat "$place/awake")" "--what=sleep:idle" "tail --pid"
    [[ "$(setUp 'keepAwake; endTurn; echo end')" = end ]] || fail "it says something"
}

whatIsToComeIsSaidBeforeItComes() {
    local said
    printf '[libtorch]\nwords==1.0  # 400 MB\nmore==2.0  # 150 MB\n[cuda]\n[vocabulary]\nlast==1  # 2 MB\n' \
        >"$tree/installer/versions.txt"
    program dpkg-query <<<'echo "amd64=installed "'
    said="$(setUp 'hasNvcc() { :; }; fetchWheel() { echo "comes"; }; needSpace() { echo "room $*"; }; setUp' || true)"
    expect "$said" "room 4 2
Some 552 MB are to be downloaded. Ctrl-C stops that" "[1/2] words, 400 MB
comes
  [2/2] more, 150 MB
comes"
    expect "$(setUp 'hasNvcc() { :; }; needSpace() { echo "room $*"; exit; }; setUp debian-test')" "room 12 6"
    mkdir -p "$tree/.deps/downloads/libtorch/pip-killed"
    head -c 60M /dev/zero >"$tree/.deps/downloads/libtorch/pip-killed/half" # is not taken up again
    expect "$(setUp 'hasNvcc() { :; }; fetchWheel() { exit 1; }; needSpace() { :; }; setUp' || true)" "Some 55"
    rm -r "$tree/.deps/downloads"
    [ "$(setUp 'section libtorch; megabytes libtorch more')" = "words==1.0
more==2.0
150" ] || fail "$(setUp 'section libtorch')"
    [ "$(setUp "versions='$installer/versions.txt'; megabytes libtorch")" -gt 500 ] || fail "sizes are missing"
}

howFarItIsIsShownOnATerminal() {
    local said
    program sleep <<<'exec /usr/bin/sleep 0.05'
    said="$(PATH="$place/bin" script -qec "bash -c 'set -euo pipefail; source \"$tree/installer/lib/setup.sh\"
        line() { echo seven of eight; }; meanwhile line /usr/bin/sleep 1
        meanwhile line false || echo ended \$?'" /dev/null)"
    expect "$said" "seven of eight" "ended 1"
    [ "$(setUp 'line() { echo seven; }; meanwhile line echo eight')" = eight ] || fail "it is shown in a file as well"
}

sizesOfPackagesAreSaid() {
    program id <<<'echo 0'
    program apt-get <<'STUB'
[ "$2" != --print-uris ] || printf "%s\n" "After this" "'http://a' a.deb 3000000 MD5Sum:1" "'http://b' b.deb 4500000 x"
STUB
    expect "$(setUp 'mkdir -p "$deps"; installPackages debian')" "Installing 1 Debian packages and what they need" \
        "2 packages, 7 MB to download"
}

# device NAME VENDOR CLASS [ID]: one on the bus.
device() {
    mkdir -p "$place/pci/devices/$1"
    echo "$2" >"$place/pci/devices/$1/vendor"
    echo "$3" >"$place/pci/devices/$1/class"
    echo "${4:-0x1e00}" >"$place/pci/devices/$1/device"
}

onlyWhereACardMayBeItsLibrariesAreFetched() {
    local has='mayHaveCard && echo yes || echo no' parts='needDownloads() { echo "$*"; exit; }; hasNvcc() { :; }; setUp'
    program dpkg-query <<<'echo "amd64=installed "'
    device 1 0x8086 0x030000
    device 2 0x10de 0x040300 # the sound of a card that is not there
    [ "$(setUp "$has")" = no ] || fail "there is no card"
    expect "$(setUp "$parts")" "Without an NVIDIA card" "run libtorch vocabulary"
    expect "$(HOMEBOOTH_GPU=yes setUp "$parts")" "run libtorch cuda vocabulary"
    expect "$(setUp "$parts debian-test")" "test libtorch cuda vocabulary"
    device 3 0x10de 0x030200
    [ "$(setUp "$has")" = yes ] || fail "a card without a monitor was not seen"
    expect "$(setUp "$parts")" "run libtorch cuda vocabulary"
    ln -s /sys/bus/pci/drivers/vfio-pci "$place/pci/devices/3/driver"
    [ "$(setUp "$has")" = no ] || fail "it was given to a virtual machine"
    rm -r "$place/pci/devices/3"
    device 3 0x10de 0x030000 0x1c03
    touch "$place/driver"
    [ "$(setUp "$has")" = no ] || fail "it is too old"
    rm -r "$place/pci/devices/3"
    [ "$(setUp "$has")" = yes ] || fail "its driver was not seen"
    [ "$(HOMEBOOTH_GPU=no setUp "$has")" = no ] || fail "it is not to be used"
    rm -r "$place/driver" "$place/pci"
    [ "$(setUp "$has")" = yes ] || fail "nobody can look here"
}

whatWasBuiltStartsWithoutACardsLibraries() {
    local said status=0 bin="$tree/build/release/bin"
    printf '[libtorch]\nwords==1.0\n[cuda]\nmore==1.0  # 150 MB\n[vocabulary]\nlast==1\n' >"$tree/installer/versions.txt"
    program dpkg-query <<<'echo "amd64=installed "'
    device 3 0x10de 0x030000
    program python3 <<<'echo "ERROR: nobody answers"; exit 1'
    setUp 'mkdir -p "$deps"; touch "$(stampOf libtorch)" "$(stampOf vocabulary)"'
    local all='hasNvcc() { :; }; needSpace() { echo "room $*"; }; setUp; echo on'
    said="$(setUp "$all" || true)"
    expect "$said" "room 7 2" "nobody answers"
    [[ "$said" != *$'\non' ]] || fail "a first run went on: $said"
    mkdir -p "$bin"
    touch "$bin/homebooth-engine"
    said="$(setUp "$all")" || fail "$said"
    expect "$said" "room 6 0" "nobody answers" "Homebooth starts without what a graphics card needs; HOMEBOOTH_GPU=no" "
on"
    program df <<<'printf "%s\n" Filesystem "disk 9 9 1048576 9% /"'
    expect "$(setUp 'hasNvcc() { :; }; setUp')" "has 1 GiB free" "Homebooth starts without"
    program python3 <<<'echo "ERROR: Operation cancelled by user"; exit 1'
    said="$(setUp "$all")" || status=$?
    expect "status $status: $said" "status 130" "Stopped. The next run goes on with what is missing."
    status=0
    said="$(setUp 'unpackWheels cuda words')" || status=$?
    expect "status $status: $said" "status 130" "goes on with what is missing"
}

for claim in withoutRootRightsAndSudoItSaysSo anInstalledNvccMustBeOfLibTorchsRelease \
    whatAnotherUserLeftIsNamedFirst whatSudoMadeBelongsToWhoeverCalledIt anInterruptedPythonIsMadeAnew \
    thePinnedPipFetches aFailedDownloadSaysWhyInAnyWords anEarlierVersionIsUnpackedAgain \
    anUnpackingThatWasCutShortLeavesNothingToTheNextVersion aSecondSetUpWaitsForTheFirst \
    whatIsThereTwiceOrHeldIsNotMissing theProxyReachesAptThroughSudo \
    listsThatCouldNotBeFetchedAreNamedOnlyWhereTheyAreWanted whoElseInstallsPackagesIsWaitedFor \
    anInstallationThatWasCutOffIsEnded whatSudoRefusesIsNoFaultOfTheNetwork anotherSystemsPackagesAreNamed \
    whatPackagesMakeIsForAllAndWhatTheySayIsRead \
    whatIsOnItsWayLiesWithTheRest whyNothingWasReachedIsSaid theProxyOfWhoeverCalledSudoIsTaken \
    aFileSystemWithoutLinksOrProgramsIsNamedFirst testsMakeTheirProgramsWhereTheyStart \
    aDiskThatCanOnlyBeReadIsNamedFirst aLayerThatIsGoneIsNotTakenForClean \
    whatAnInterruptedUnpackingLeftNeedsNoRoomAgain anotherProcessorIsNamedFirst \
    anotherSystemIsNamedFirst aStopWhilePackagesComeIsNoFailure aFullDiskIsNoFaultOfTheNetwork \
    theReferenceSideFollowsAMovedCheckout theMachineIsKeptAwakeUntilTheEnd whatIsToComeIsSaidBeforeItComes \
    howFarItIsIsShownOnATerminal sizesOfPackagesAreSaid onlyWhereACardMayBeItsLibrariesAreFetched \
    whatWasBuiltStartsWithoutACardsLibraries; do
    begin
    echo "$claim"
    "$claim"
done
