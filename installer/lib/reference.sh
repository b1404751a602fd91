# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# The Python environment of the reference side (diffusers, transformers, peft), used by the slow tests and by
# whoever makes fixtures anew. It shares LibTorch's files with the C++ side. Sourced after setup.sh.

setUpReference() {
    local environment="$deps/reference"
    takeTurn "$deps"
    [ -e "$(stampOf reference)" ] && [ -d "$environment" ] || installReference "$environment"
    # Each time: the checkout may have been moved.
    printf '%s\n' "$deps/libtorch" >"$environment/lib/python3.11/site-packages/libtorch.pth"
    endTurn
}

# installReference FOLDER
installReference() {
    local environment="$1" log="$deps/pip.log"
    say "Installing the reference side's Python packages ..."
    dropStamps reference
    /usr/bin/python3 -m venv --clear "$environment"
    section reference >"$deps/reference.txt"
    "$environment/bin/python" -m pip install --quiet --no-deps --require-hashes -r "$deps/reference.txt" >"$log" 2>&1 ||
        stop "installing the reference side" "$(pipCause "$log")" \
            "$(fetchRemedy "$log"), then run this again; details in $log"
    touch "$(stampOf reference)"
}
