# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# LibTorch out of the unpacked wheel, as one imported target: homebooth_torch. HOMEBOOTH_TORCH_DIR may also be the
# site-packages folder of a Python that has torch installed: it holds the same torch/ and nvidia/.
# The CUDA half is not linked: core/engine/jobs/cuda_libraries opens it where there is a GPU.
# Torch's own find_package(Torch) is not used: it demands a CUDA toolkit, probes for GPUs and appends
# architecture flags to every target, while linking needs nothing but these libraries and headers.
set(torchRoot "${HOMEBOOTH_TORCH_DIR}")
foreach(part torch/lib/libtorch_cpu.so nvidia/cu13/lib/libcudart.so.13)
  if(NOT EXISTS "${torchRoot}/${part}")
    message(FATAL_ERROR "LibTorch: ${part} was not found in ${torchRoot}. Run installer/run or installer/test once, "
                        "or set HOMEBOOTH_TORCH_DIR to a folder that holds torch/ and nvidia/ (CUDA 13 build).")
  endif()
endforeach()

set(nvidiaRoot "${torchRoot}/nvidia")
set(HOMEBOOTH_NVIDIA_LIBRARY_DIRS "")
foreach(part cu13 cudnn nccl cusparselt nvshmem)
  list(APPEND HOMEBOOTH_NVIDIA_LIBRARY_DIRS "${nvidiaRoot}/${part}/lib")
endforeach()

add_library(homebooth_torch INTERFACE)
target_include_directories(
  homebooth_torch SYSTEM INTERFACE "${torchRoot}/torch/include"
                                   "${torchRoot}/torch/include/torch/csrc/api/include"
                                   "${nvidiaRoot}/cu13/include")
# NDEBUG as the libraries themselves were built: their headers' inline functions must be the same on both sides.
target_compile_definitions(homebooth_torch INTERFACE USE_C10D_GLOO USE_C10D_NCCL NDEBUG)
# Without OpenMP at::parallel_for, a template of the headers, becomes a plain loop without a word. The run-time library
# is the one that LibTorch brought: two would be two crews of threads for the same cores.
set(openMp "${torchRoot}/torch/lib/libgomp.so.1")
if(NOT EXISTS "${openMp}")
  set(openMp gomp) # a LibTorch that takes the system's
endif()
target_compile_options(homebooth_torch INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fopenmp>")
target_link_options(homebooth_torch INTERFACE "LINKER:--no-as-needed")
# The compiler's own library first: Torch's libraries export parts of std::filesystem that were linked into them
# and do not work outside them (remove_all jumps to address 0), and the first definition that is found wins.
target_link_libraries(
  homebooth_torch
  INTERFACE stdc++ "${torchRoot}/torch/lib/libtorch_cpu.so" "${torchRoot}/torch/lib/libc10.so"
            "${openMp}")
foreach(dir IN LISTS HOMEBOOTH_NVIDIA_LIBRARY_DIRS)
  target_link_options(homebooth_torch INTERFACE "LINKER:-rpath-link,${dir}" "LINKER:-rpath,${dir}")
endforeach()
target_link_options(homebooth_torch INTERFACE "LINKER:-rpath,${torchRoot}/torch/lib")
