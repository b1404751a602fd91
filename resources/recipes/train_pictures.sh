#!/bin/sh
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes the default model from nothing: pictures, vocabulary, the autoencoder, then the UNet with its text encoder: common
# things on white and everything at 64 pixels (a third of the price); then it grows a level and learns everything at 128.
# Usage: resources/recipes/train_pictures.sh ENGINE WORK [DATA]
#   ENGINE  the homebooth-engine program     WORK  folder for both runs     DATA  folder of the pictures [WORK/data]
# Interrupted or killed, it goes on at the last checkpoint when it is started again. Result: WORK/unet/result/model
set -eu
engine=$1 work=$2 data=${3:-$2/data}
recipes=$(dirname "$0")

# CLIP's published vocabulary, 1.3 MB; the set-up puts it here.
VOCABULARY=${VOCABULARY:-$recipes/../../.deps/vocabulary/open_clip/bpe_simple_vocab_16e6.txt.gz}
LIMIT=${LIMIT:-0}        # subjects of each source; 0: all. Few for a trial of the recipe, with few steps and no warm-up.
VAE_STEPS=${VAE_STEPS:-} # empty: as pictures_vae.json says. 3,000 of 16 crops see each picture about 3 times.
UNET_STEPS=${UNET_STEPS:-} # of each part of the UNet's training; empty: as pictures_PART.json says
TOKENS=32                # of a prompt, instead of 77: captions are short, and every step pays for the padding
PARTS=${PARTS:-vae plain shapes unet} # what is trained; "vae" alone stops where its pictures should be looked at
AUTOENCODER=${AUTOENCODER:-} # a folder of one that is trained already, e.g. ../models/sketch/vae: the UNet alone is
NICE=19                  # hours of work that should not be felt

mkdir -p "$work"

# once FOLDER COMMAND...: runs the command, which makes the folder whole or not at all, unless it is there.
once() {
    folder=$1
    shift
    [ -d "$folder" ] || nice -n "$NICE" "$@"
}

model_folder() {
    rm -rf "$work/model.part"
    cp -R "$recipes/pictures_model" "$work/model.part"
    "$recipes/make_vocabulary.py" "$VOCABULARY" "$work/model.part/tokenizer" --length "$TOKENS" \
        --captions "$data/train/metadata.jsonl" "$data/held_out/metadata.jsonl" \
        --text-encoder "$work/model.part/text_encoder/config.json"
    mv "$work/model.part" "$work/model"
}

# start_of_unet: the folder whose shapes and autoencoder the UNet begins with.
start_of_unet() {
    if [ -z "$AUTOENCODER" ]; then
        echo "$work/vae/result/model"
        return
    fi
    rm -rf "$work/start"
    cp -R "$work/model" "$work/start"
    cp "$AUTOENCODER"/* "$work/start/vae/"
    echo "$work/start"
}

# run NAME STEPS OPTION...: starts the run, or goes on with it, unless its result is there.
run() {
    part=$1 steps=$2
    shift 2
    if [ -d "$work/$part/result/model" ]; then
        return
    elif [ -f "$work/$part/run.json" ]; then
        nice -n "$NICE" "$engine" resume "$work/$part"
    else
        nice -n "$NICE" "$engine" train --config "$recipes/pictures_$part.json" --output "$work/$part" "$@" \
            ${steps:+--steps "$steps" --lr-warmup 0}
    fi
}

once "$data" "$recipes/pictures_dataset.py" --output "$data" --limit "$LIMIT"
[ -d "$work/model" ] || model_folder
[ -z "$AUTOENCODER" ] || PARTS="plain shapes unet"
for part in $PARTS; do
    case $part in
        vae) run vae "$VAE_STEPS" --from-scratch --dataset "$data/train" --scratch-config "$work/model" ;;
        plain) run plain "$UNET_STEPS" --from-scratch --dataset "$data/plain" --scratch-config "$(start_of_unet)" ;;
        shapes) run shapes "$UNET_STEPS" --dataset "$data" --model "$work/plain/result/model" ;;
        unet)
            once "$work/grown" "$recipes/grow_unet.py" "$work/shapes/result/model" "$work/grown"
            run unet "$UNET_STEPS" --dataset "$data" --model "$work/grown"
            ;;
    esac
done
