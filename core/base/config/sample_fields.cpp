// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/field_builder.h"
#include "core/base/config/format_words.h"
#include "core/base/config/start_size.h"

namespace homebooth::core {
namespace {

void addPictures(FieldBuilder& fields, SampleConfig& config) {
    fields.folder("model", config.model, "--model", "diffusers folder, .safetensors or .ckpt file");
    fields.text(
        "prompt", config.prompt, "--prompt",
        "what the pictures show; (hat) counts 1.1 times, (hat:1.3) 1.3 times, in square brackets 1 / 1.1 "
        "times; a backslash before a bracket makes it a character");
    fields.text("negativePrompt", config.negativePrompt, "--negative",
                "what they should not show; brackets count in it, too");
    fields.integer("steps", config.steps, "--steps", "denoising steps", 1, 1000);
    fields.choice("sampler", config.sampler, "--sampler", "how noise is removed",
                  {"ddpm", "ddim", "pndm", "euler", "euler-a", "dpmpp-2m", "dpmpp-2m-sde", "unipc", "lcm"});
    fields.flag("karrasSigmas", config.karrasSigmas, "--karras", "Karras spacing of noise levels");
    fields.choice(
        "stepSpacing", config.stepSpacing, "--spacing",
        "where the steps lie; model: as its scheduler says; trailing: counted from the noisiest one, "
        "as models for few steps need it (Turbo, Lightning, Hyper, DMD2)",
        {"model", "trailing"});
    fields.real("guidanceScale", config.guidanceScale, "--guidance", "guidance scale; 1: none", {0.0, 100.0});
    fields.seed("seed", config.seed, "--seed", "seed of the first picture; the next ones count up");
    fields.integer("count", config.count, "--count", "number of pictures", 1, 1e6);
    fields.integer("batchSize", config.batchSize, "--batch", "pictures at a time", 1, 256);
    fields.integer("widthPixels", config.widthPixels, "--width", "pixels, divisible by 8; 0: the model's own",
                   0, kMostSidePixels, 8);
    fields.integer("heightPixels", config.heightPixels, "--height",
                   "pixels, divisible by 8; 0: the model's own", 0, kMostSidePixels, 8);
    fields.word("predictionType", config.predictionType, "--prediction-type",
                "what the UNet predicts; without it what the model says", predictionWords());
    fields.flag("zeroTerminalSnr", config.zeroTerminalSnr, "--zero-terminal-snr",
                "of a model that predicts v: begin with noise alone, whatever the model says");
    fields.integer("clipSkip", config.clipSkip, "--clip-skip",
                   "last layers of the text encoders to leave out; of SDXL beyond the one that it never uses",
                   0, 64);
    fields.folder("initImage", config.initImage, "--init",
                  "picture to start from (img2img); without --width and --height its shape, at most in the "
                  "model's own area");
    fields.real("strength", config.strength, "--strength", "img2img: how much is changed", {0.0, 1.0, true});
    fields.integer("previewEverySteps", config.previewEverySteps, "--preview-every",
                   "denoising steps between previews; 0: none", 0, 1000);
}

void addComputing(FieldBuilder& fields, SampleConfig& config) {
    fields.flag("vaeTiling", config.vaeTiling, "--vae-tiling", "decode in tiles: less memory");
    fields.choice("precision", config.precision, "--precision", "number format of weights and computation",
                  precisionWords());
    fields.choice("quantization", config.quantization, "--quantize",
                  "int8: weights as integers of 8 bits, half the memory of bf16; w8a8: inputs of the UNet's "
                  "transformers, too, faster on processors with VNNI; pictures differ a little",
                  quantizationWords(Quantization::W8A8));
    fields.choice("device", config.device, "--device", "what computes; auto: the GPU where there is one",
                  {"auto", "gpu", "cpu"});
    fields.bytes("deviceBytes", config.deviceBytes, "--gpu-memory",
                 "GPU memory to use, e.g. 6GiB; what does not fit comes from RAM; 0: what is free");
    fields.integer("threads", config.threads, "--threads", "CPU threads; 0: all cores", 0, 1024);
}

} // namespace

std::vector<ConfigField> configFields(SampleConfig& config) {
    FieldBuilder fields;
    addPictures(fields, config);
    addComputing(fields, config);
    fields.folder("outputDir", config.outputDir, "--output", "folder for the pictures");
    return fields.take();
}

} // namespace homebooth::core
