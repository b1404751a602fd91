# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# nvcc: the one that the set-up unpacked from wheels beside LibTorch, which it does where no installed one fits; else
# the installed toolkit's.
set(cudaMajor 13) # LibTorch's, whose headers are included; earlier ones do not know all the architectures below, either

function(homebooth_is_torchs_cuda result nvcc)
  execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE said ERROR_QUIET)
  if(NOT said MATCHES "release ${cudaMajor}\\.")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

if(NOT CMAKE_CUDA_COMPILER)
  if(HOMEBOOTH_NVCC) # of an earlier configuring, for which any was good enough
    set(fits TRUE)
    homebooth_is_torchs_cuda(fits "${HOMEBOOTH_NVCC}")
    if(NOT fits)
      unset(HOMEBOOTH_NVCC CACHE)
    endif()
  endif()
  find_program(
    HOMEBOOTH_NVCC nvcc VALIDATOR homebooth_is_torchs_cuda
    HINTS "${HOMEBOOTH_DEPS_DIR}/libtorch/nvidia/cu13/bin" /usr/local/cuda/bin
          "${HOMEBOOTH_TORCH_DIR}/nvidia/cu13/bin")
  if(NOT HOMEBOOTH_NVCC)
    find_program(other nvcc HINTS /usr/local/cuda/bin NO_CACHE)
    if(other)
      set(found "that of another release, ${other}")
    else()
      set(found "none")
    endif()
    message(FATAL_ERROR "Expected nvcc of CUDA ${cudaMajor}, as LibTorch is, found ${found}. Run installer/run once, "
                        "which fetches one, or configure with -DHOMEBOOTH_CUDA=OFF.")
  endif()
  set(CMAKE_CUDA_COMPILER "${HOMEBOOTH_NVCC}")
endif()
# As code for each, but for those between 9.0 and 12.0, which compile that of 9.0 themselves, and for later ones.
set(CMAKE_CUDA_ARCHITECTURES "75-real;80-real;86-real;89-real;90;120")
set(CMAKE_CUDA_STANDARD 17) # CMake 3.25 knows no C++20 for nvcc 13
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
enable_language(CUDA)
set(CMAKE_CUDA_RUNTIME_LIBRARY None) # kernels/ links the one that Torch brings
