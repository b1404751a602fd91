# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# nvcc: the installed toolkit's, else the one that the set-up unpacked from wheels beside LibTorch.
if(NOT CMAKE_CUDA_COMPILER)
  find_program(HOMEBOOTH_NVCC nvcc HINTS /usr/local/cuda/bin "${HOMEBOOTH_TORCH_DIR}/nvidia/cu13/bin")
  if(NOT HOMEBOOTH_NVCC)
    message(FATAL_ERROR "nvcc was not found. Run installer/run once, or configure with -DHOMEBOOTH_CUDA=OFF.")
  endif()
  set(CMAKE_CUDA_COMPILER "${HOMEBOOTH_NVCC}")
endif()
set(CMAKE_CUDA_ARCHITECTURES "75-real;80-real;86-real;89-real;90-real;120")
set(CMAKE_CUDA_STANDARD 17) # CMake 3.25 knows no C++20 for nvcc 13
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
enable_language(CUDA)
set(CMAKE_CUDA_RUNTIME_LIBRARY None) # kernels/ links the one that Torch brings
