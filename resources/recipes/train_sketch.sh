#!/bin/sh
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes the default model from nothing: pictures, the autoencoder, then the UNet with its text encoder.
# Usage: resources/recipes/train_sketch.sh ENGINE WORK
#   ENGINE  the homebooth-engine program     WORK  folder for the pictures and both runs
# Interrupted, it goes on at the last checkpoint when it is started again. Result: WORK/unet/result/model
set -eu
engine=$1 work=$2
recipes=$(dirname "$0")
mkdir -p "$work"

# pictures NAME OPTION...: makes a dataset unless it is there whole.
pictures() {
    name=$1
    shift
    [ -d "$work/$name" ] && return
    "$recipes/emoji_dataset.py" "$work/$name.part" "$@"
    mv "$work/$name.part" "$work/$name"
}

# run NAME RECIPE DATASET CONFIGURATION: starts the run, or goes on with it, unless its result is there.
run() {
    if [ -d "$work/$1/result/model" ]; then
        return
    elif [ -f "$work/$1/run.json" ]; then
        "$engine" resume "$work/$1"
    else
        "$engine" train --from-scratch --config "$recipes/$2" --dataset "$work/$3" --scratch-config "$4" \
            --output "$work/$1"
    fi
}

# The autoencoder sees all the things, the UNet those that it has the time to learn.
pictures things
pictures first_things --only "$recipes/first_things.txt" --variants 3
run vae sketch_vae.json things "$recipes/../models/sketch"
run unet sketch_unet.json first_things "$work/vae/result/model"
