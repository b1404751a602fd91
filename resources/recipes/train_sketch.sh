#!/bin/sh
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# Trains the default model from nothing: first the autoencoder, then the UNet with its text encoder.
# Usage: resources/recipes/train_sketch.sh ENGINE DATA WORK
#   ENGINE  the homebooth-engine program     DATA  folder made by emoji_dataset.py     WORK  folder for both runs
# Interrupted, it goes on at the last checkpoint when it is started again. Result: WORK/unet/result/model
set -eu
engine=$1 data=$2 work=$3
recipes=$(dirname "$0")
mkdir -p "$work"

# run NAME RECIPE CONFIGURATION: starts the run, or goes on with it, unless its result is there.
run() {
    if [ -d "$work/$1/result/model" ]; then
        return
    elif [ -f "$work/$1/run.json" ]; then
        "$engine" resume "$work/$1"
    else
        "$engine" train --from-scratch --config "$recipes/$2" --dataset "$data" --scratch-config "$3" --output "$work/$1"
    fi
}

run vae sketch_vae.json "$recipes/../models/sketch"
run unet sketch_unet.json "$work/vae/result/model"
