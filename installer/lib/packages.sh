# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# Debian packages: which are missing, how root rights are come by, and what apt's failures mean. Sourced by setup.sh.

# isInstalled PACKAGE: also where it is held, or is there for another architecture as well.
isInstalled() {
    case " $(dpkg-query -W -f '${Architecture}=${db:Status-Status} ' "$1" 2>/dev/null)" in
    *" amd64=installed "* | *" all=installed "*) return 0 ;;
    *) return 1 ;;
    esac
}

# missingPackages SECTION...: Debian packages of these sections that are not installed.
missingPackages() {
    local name
    for name in $(for part in "$@"; do section "$part"; done); do
        isInstalled "$name" || printf '%s\n' "$name"
    done
}

# needRoot: ahead of asRoot, whose output goes into a log: nobody would see there what it stops for.
needRoot() {
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
        stop "installing Debian packages" "This needs root rights, and sudo is not installed." \
            "run the same command as root once, or install sudo."
}

# asRoot [NAME=VALUE] COMMAND...: as it is for root, through sudo for others. It is told the proxies that pip takes:
# sudo drops them, and apt knows their small names alone. A package may start what stays: that takes no turn along.
# What packages make is for all users, and what they say is read here.
asRoot() {
    local name large value sudo=() proxies=()
    for name in http_proxy https_proxy no_proxy; do
        large="${name^^}"
        value="${!name:-${!large:-}}"
        [ -z "$value" ] || proxies+=("$name=$value")
    done
    [ "$(id -u)" -eq 0 ] || sudo=(sudo)
    (umask 022 && "${sudo[@]}" env LANGUAGE= LC_ALL=C.UTF-8 "${proxies[@]}" "$@" 9<&-)
}

# aptSays LOG WORDS: whether these are among the last that it has said.
aptSays() { tail -n 4 "$1" | grep -F "$2" >/dev/null; }

# aptGet LOG ARGS...: as root. While somebody else installs packages, as Debian does by itself when a machine has
# started, it waits: of the lists, apt-get's own waiting knows nothing. What an installation that was cut off has
# left, as when the power went, is brought to its end first.
aptGet() {
    local log="$1" status tries ended=0
    shift
    for tries in {1..90}; do
        status=0
        asRoot DEBIAN_FRONTEND=noninteractive apt-get "$@" >>"$log" 2>&1 || status=$?
        if [ "$status" -eq 100 ] && [ "$ended" = 0 ] && aptSays "$log" "dpkg was interrupted"; then
            say "An earlier installation of packages was cut off; ending it ..."
            ended=1
            asRoot DEBIAN_FRONTEND=noninteractive dpkg --configure -a >>"$log" 2>&1 || true # apt-get says what is left
            continue
        fi
        { [ "$status" -eq 100 ] && aptSays "$log" "It is held by process"; } || break
        [ "$tries" -gt 1 ] || say "Another program installs packages; waiting for it, 15 minutes at most ..."
        sleep 10
    done
    return "$status"
}

# staleLists LOG: nothing can be installed, since no list could be fetched that knows it.
staleLists() {
    stop "updating the package lists" "apt-get update failed: $(cause "$1" 'failed to fetch|file for .* is ')" \
        "$(fetchRemedy "$1") and /etc/apt/sources.list, then run this again; details in $1"
}

# installRemedy LOG: what to do where apt-get installed nothing.
installRemedy() {
    local system
    if tail -n 50 "$1" | grep "Unable to locate package" >/dev/null; then
        system="$(sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2>/dev/null | tr -d '"')" || true
        printf '%s\n' "use Debian 12 with its package source main; this is ${system:-another system}. Details in $1"
    else
        printf '%s\n' "mend what $1 says, then run this again."
    fi
}

# packagesToFetch PACKAGE...: how many these and what they need are, and how large. Nothing where apt cannot say.
packagesToFetch() {
    { LANGUAGE='' LC_ALL=C.UTF-8 apt-get install --print-uris -y --no-install-recommends "$@" 2>/dev/null || true; } |
        awk '/^\047/ { count++; all += $3 }
            END { if (count) printf "%d packages, %d MB to download", count, all / 1000000 }'
}

aptLine() { tail -c 400 "$deps/apt.log" | tr '\r' '\n' | tail -n 1; }

installPackages() {
    command -v dpkg-query >/dev/null ||
        stop "looking for Debian packages" "dpkg was not found: this is no Debian system." \
            "use Debian 12, in a virtual machine or a container if need be."
    local missing updated=0 log="$deps/apt.log" fetched
    missing="$(missingPackages "$@")"
    [ -n "$missing" ] || return 0
    needRoot
    say "Installing $(wc -w <<<"$missing") Debian packages and what they need ..."
    keepAwake
    # That apt reached nobody is no failure to it unless it is told so, and then a single source is one, of which
    # nothing here may be wanted: it counts where packages are then not found.
    : >"$log"
    meanwhile aptLine aptGet "$log" -o APT::Update::Error-Mode=any update || updated=$?
    [ "$updated" -eq 0 ] || [ "$updated" -eq 100 ] || # apt-get's own, or that of sudo
        stop "installing Debian packages" "apt-get did not run: $(tail -n 1 "$log")" \
            "run the same command as root once, or as somebody who may use sudo."
    # shellcheck disable=SC2086 # one word a package
    fetched="$(packagesToFetch $missing)"
    [ -z "$fetched" ] || say "  $fetched; a minute or two, on a slow disk a quarter of an hour"
    # shellcheck disable=SC2086
    meanwhile aptLine aptGet "$log" install -y --no-install-recommends $missing || {
        [ "$updated" -eq 0 ] || staleLists "$log"
        stop "installing Debian packages" "apt-get install failed: $(cause "$log" '^E:')" "$(installRemedy "$log")"
    }
}
