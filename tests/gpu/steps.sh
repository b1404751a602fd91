# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# The steps of tests/gpu/run, which sets: root, prefix, python, out, buildDir, only. Every step leaves a line in
# $out/notes.tsv (what, finding), from which the summary is made. tests/gpu/pack sets root and takes gpuTests alone.

stop() {
    printf 'tests/gpu/run: %s\n' "$1" >&2
    exit 3
}

# note WHAT FINDING: says it and keeps it for the summary.
note() {
    printf '%s: %s\n' "$1" "$2"
    printf '%s\t%s\n' "$1" "$2" >>"$out/notes.tsv"
}

# gpuTests: the names of tests that want a GPU, a line each. They say so by what they include.
gpuTests() {
    grep -lE '^#include ".*(usable_gpu|gpu_support|gpu_buffer)\.h"' "$root"/tests/{engine,gpu,kernels}/tst_*.cpp |
        sed 's,.*/,,; s,\.cpp$,,'
}

# Sets gpu: the first GPU's name, or "none". Where there is one, tests that cannot use it fail.
findGpu() {
    : >"$out/notes.tsv"
    unset HOMEBOOTH_GPU_EXPECTED
    gpu="$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1 || true)"
    [ -n "$gpu" ] || gpu="none"
    if [ "$gpu" = "none" ]; then
        note gpu "no GPU: GPU tests skipped"
    else
        note gpu "$gpu"
        export HOMEBOOTH_GPU_EXPECTED=1
    fi
}

# Sets torchDir: the folder that holds torch/ and nvidia/.
findTorch() {
    local version
    torchDir="$("$python" -c 'import pathlib, torch; print(pathlib.Path(torch.__file__).parent.parent)')" ||
        stop "expected a Python with torch, but $python has none; name another with --python"
    version="$("$python" -c 'import torch; print(torch.__version__)')"
    case "$version" in
    2.11.*+cu130) note torch "$version" ;;
    *) stop "expected torch 2.11 for CUDA 13 (2.11.x+cu130), found $version in $torchDir" ;;
    esac
}

# Sets withTests: whether GoogleTest is there in any form.
findGoogleTest() {
    googletest="/usr/src/googletest"
    [ -z "$prefix" ] || [ ! -d "$prefix/usr/src/googletest" ] || googletest="$prefix/usr/src/googletest"
    withTests=ON
    if [ -d "$googletest" ]; then
        note googletest "$googletest"
    elif [ -e /usr/include/gtest/gtest.h ] || { [ -n "$prefix" ] && [ -e "$prefix/usr/include/gtest/gtest.h" ]; }; then
        note googletest "installed"
    else
        withTests=OFF
        note googletest "not found, so no test was built; tests/gpu/pack on a Debian machine collects it"
    fi
}

buildAll() {
    local options=() log="$out/build.log"
    findGoogleTest
    if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || [ -x "$torchDir/nvidia/cu13/bin/nvcc" ]; then
        options+=(-DHOMEBOOTH_CUDA=ON)
    else
        [ "$gpu" = "none" ] || stop "expected nvcc on the PATH, in /usr/local/cuda/bin or $torchDir/nvidia/cu13/bin, found none"
        options+=(-DHOMEBOOTH_CUDA=OFF)
        note nvcc "not found: built without CUDA kernels"
    fi
    [ -z "$prefix" ] || options+=("-DCMAKE_PREFIX_PATH=$prefix/usr" "-DOPENSSL_ROOT_DIR=$prefix/usr")
    # Another compiler than the project's may warn of more: that is no reason not to measure.
    [ "$(c++ -dumpversion | cut -d . -f 1)" = 12 ] || options+=(-DHOMEBOOTH_WERROR=OFF)
    cmake --preset engine-only "-DHOMEBOOTH_TORCH_DIR=$torchDir" "-DHOMEBOOTH_GOOGLETEST_DIR=$googletest" \
        "-DHOMEBOOTH_TESTS=$withTests" "${options[@]}" >"$log" 2>&1 ||
        { tail -n 30 "$log" >&2; stop "configuring failed; see $log"; }
    local start=$SECONDS
    cmake --build --preset engine-only >>"$log" 2>&1 ||
        { grep -E 'error|FAILED' "$log" | head -n 20 >&2 || true; stop "building failed; see $log"; }
    note build "$((SECONDS - start)) s"
}

# Lets programs that were built elsewhere find this machine's LibTorch, and tests the fixtures and the default model.
takeBuilt() {
    [ -x "$built/bin/homebooth-bench" ] ||
        stop "expected $built/bin/homebooth-bench, found none; make $built with tests/gpu/pack --built"
    LD_LIBRARY_PATH="$(cd "$built" && pwd)/lib:$torchDir/torch/lib:$(printf '%s:' "$torchDir"/nvidia/*/lib)${LD_LIBRARY_PATH:-}"
    export LD_LIBRARY_PATH HOMEBOOTH_FIXTURES="$root/tests/fixtures" HOMEBOOTH_RESOURCES="$root/resources"
    note build "none: programs of $(cat "$built/commit")"
}

# Sets testStatus. Each test has a log of its own.
runBuiltTests() {
    local test log scratch status
    testStatus=0
    for test in "$built"/tests/tst_*; do
        log="$out/$(basename "$test").log"
        scratch="$(mktemp -d)"
        status=0
        HOMEBOOTH_TEST_DIR="$scratch" timeout 300 "$test" >"$log" 2>&1 || status=$?
        [ "$status" -eq 0 ] || testStatus=1
        note "$(basename "$test")" "$(grep -E '^\[  (PASSED|FAILED)  \]' "$log" | tail -n 1 | grep . ||
            echo "ended with $status before its own closing line")"
        rm -rf "$scratch"
    done
}

# Sets testStatus.
runTests() {
    testStatus=0
    if [ "$withTests" = OFF ]; then
        note tests "left out: no GoogleTest"
        return
    fi
    ctest --test-dir "$buildDir" -LE slow --output-on-failure --no-tests=error --output-junit "$out/tests.xml" \
        >"$out/tests.log" 2>&1 || testStatus=$?
    tail -n 25 "$out/tests.log"
    note tests "$(grep -E 'tests passed|tests failed|No tests' "$out/tests.log" | tail -n 1 || true)"
}

# timed NAME COMMAND...: keeps the JSON that a benchmark prints; nothing where --only names others.
timed() {
    local name="$1"
    shift
    [[ "$name" =~ ^($only)$ ]] || return 0
    if "$@" >"$out/$name.json" 2>"$out/$name.err"; then
        rm -f "$out/$name.err"
        note "$name" "$(tr -s ' \n' ' ' <"$out/$name.json" | cut -c 1-300)"
    else
        rm -f "$out/$name.json"
        note "$name" "failed: $(tail -n 1 "$out/$name.err" | cut -c 1-300)"
    fi
}

# besideAnother GIB COMMAND...: while another program leaves so much of the GPU's memory, as a smaller card has. Fails
# where that much cannot be held.
besideAnother() {
    local left="$1" held
    shift
    held="$(mktemp -u)"
    "$python" - "$left" "$held" <<'PYTHON' &
import sys, time, torch
free, _ = torch.cuda.mem_get_info()
held = torch.empty(int(free - float(sys.argv[1]) * 2**30), dtype=torch.uint8, device="cuda")
torch.cuda.synchronize()
open(sys.argv[2], "w").close()
time.sleep(600)
PYTHON
    local other=$!
    for _ in $(seq 100); do [ -e "$held" ] || sleep 0.2; done
    local status=0
    if [ -e "$held" ]; then
        "$@" || status=$?
    else
        echo "expected to hold all but $left GiB of the GPU's memory, but could not" >&2
        status=1
    fi
    kill "$other" 2>/dev/null || true
    wait "$other" 2>/dev/null || true
    rm -f "$held"
    return "$status"
}

# trained NAME OPTION...: a training step of SD 1.5 at 512 pixels in bf16.
trained() {
    local name="$1"
    shift
    timed "$name" "${beside[@]}" "$bench" train --model-config "$config" --resolution 512 --precision bf16 \
        --steps "$steps" --json "$@"
}

runBenchmarks() {
    # As the program starts what computes (core/cli/worker/worker_start.cpp): threads that update would spin beside the one
    # that gives the GPU its work.
    export GOMP_SPINCOUNT=5000
    local config="tests/configs/sd15" bench="$buildDir/bin/homebooth-bench" steps=10 beside=()
    if [ -x "$bench" ]; then
        for batch in 4 32; do
            trained "resident-$batch" --policy gpu --batch "$batch" --optimizer adamw8bit
            trained "offloaded-$batch" --policy cpu --ahead 12 --batch "$batch" --optimizer adamw8bit
            trained "visiting-$batch" --policy cpu --ahead 12 --update-on-device --batch "$batch" --optimizer adamw8bit
            trained "sharing-$batch" --policy cpu --ahead 12 --update-on-device --updates-at-home 0.5 --batch "$batch" \
                --optimizer adamw8bit
        done
        trained train-bf16 --optimizer-states bf16
        trained train-bf16-everything --optimizer-states bf16 --keep everything
        # Whether what streams takes more than foretold because the allocator's segments are of fixed sizes.
        for way in offloaded visiting; do
            local options=(--policy cpu --ahead 12 --batch 4 --optimizer adamw8bit)
            [ "$way" = offloaded ] || options+=(--update-on-device)
            PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True trained "$way-4-expandable" "${options[@]}"
        done
        trained "searched-2GiB-4" --keep searched --gpu-memory 2500MiB --batch 4 --optimizer adamw8bit
        trained searched-4GiB --keep searched --gpu-memory 4GiB --optimizer adamw8bit
        for left in 8 3; do
            beside=(besideAnother "$left")
            trained "beside-another-$left" --keep searched --optimizer adamw8bit
        done
        for weights in none int8; do
            timed "sample-bf16-$weights" "$bench" sample --model-config "$config" --resolution 512 --precision bf16 \
                --quantize "$weights" --steps "$steps" --json
            timed "sample-sdxl-$weights" "$bench" sample --model-config tests/configs/sdxl-base --resolution 1024 \
                --precision fp16 --quantize "$weights" --steps "$steps" --json
            trained "lora-$weights" --method lora --quantize "$weights" --optimizer adamw8bit
        done
        for policy in gpu cpu; do
            timed "language-$policy" "$bench" train --model-config tests/configs/opt-1.3b --precision bf16 \
                --context 1024 --batch 4 --optimizer adamw8bit --policy "$policy" --steps "$steps" --json
        done
    else
        note bench "left out: CLI11 was not found when building"
    fi
    if "$python" -c 'import diffusers, transformers' 2>/dev/null; then
        timed peer-train-bf16 "$python" tests/reference/peer_step.py --config "$config" --dtype bf16 \
            --steps "$steps" --resolution 512 --device cuda --fused --json
        timed peer-sample-bf16 "$python" tests/reference/peer_sample.py --config "$config" --dtype bf16 \
            --steps "$steps" --resolution 512 --device cuda --json
    else
        note peer "left out: $python has no diffusers"
    fi
}
